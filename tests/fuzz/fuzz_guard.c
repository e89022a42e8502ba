/* The guard in front of libtermkey: what it lets out is one of the units of input_guard.h and small enough, and after silence
 * nothing is left unfinished. */
#include "fuzz.h"

#include "base/utf8.h"
#include "term/input_guard.h"

static void check_text(const struct input_guard *g)
{
	struct evl_str s = {g->bytes, g->len};
	check(s.len > 0 && utf8_take(&s) != UTF8_BAD && s.len == 0);
}

/* ESC [ or ESC O, numbers and marks of parameters, one final byte. */
static void check_key(const struct input_guard *g)
{
	enum { LONGEST = 64 };
	check(g->len >= 3 && g->len <= LONGEST && g->bytes[0] == 0x1b && (g->bytes[1] == '[' || g->bytes[1] == 'O'));
	for (size_t i = 2; i + 1 < g->len; i++)
		check(g->bytes[i] >= 0x20 && g->bytes[i] < 0x40);
	check(g->bytes[g->len - 1] >= 0x40 && g->bytes[g->len - 1] <= 0x7e);
}

static void check_unit(const struct input_guard *g, enum input_guard_unit unit)
{
	check(g->len <= GUARD_ROOM);
	switch (unit) {
	case GUARD_TEXT: check_text(g); break;
	case GUARD_ALT:
		if (g->len)
			check_text(g);
		break;
	case GUARD_KEY: check_key(g); break;
	case GUARD_LINUX: check(g->bytes[0] >= 'A' && g->bytes[0] <= 'E'); break;
	case GUARD_MOUSE: check(g->len > 0 && (g->bytes[g->len - 1] == 'M' || g->bytes[g->len - 1] == 'm')); break;
	default: break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { PATIENCE = 100, MS = 1000 };
	static struct input_guard g;
	memset(&g, 0, sizeof g);
	for (size_t i = 0; i < len; i++)
		check_unit(&g, input_guard_byte(&g, data[i]));
	for (int i = 0; i < PATIENCE && input_guard_pending(&g); i++)
		check_unit(&g, input_guard_silence(&g, MS));
	check(!input_guard_pending(&g));
	return 0;
}
