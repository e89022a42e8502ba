/* Terminal bytes to keys, in any fragments. The bytes go in three times: at once, one by one, and in pieces with
 * silence between them (wherever a byte 0xff stands, which no terminal sends). The first two must give the same keys;
 * all keys must keep the promises of input.h. */
#include "fuzz.h"

#include "base/utf8.h"
#include "draw/text.h"
#include "term/input.h"

static void check_clean(struct evl_str s)
{
	while (s.len > 0) {
		uint32_t ch = utf8_take(&s);
		check(ch != UTF8_BAD && text_columns(ch) >= 0);
	}
}

static void check_key(const struct key *key)
{
	size_t len = strnlen(key->name, sizeof key->name);
	check(len < sizeof key->name);
	check((key->kind == KEY_NAME) == (len > 0));
	check_clean((struct evl_str){(const uint8_t *)key->name, len});
	check(key->paste.len <= 4096 && (key->kind == KEY_PASTE || key->paste.len == 0));
	check_clean(key->paste);
	check(key->y >= 0 && key->x >= 0 && key->button >= -2 && key->button <= 3);
	check((key->mods & ~(MOD_SHIFT | MOD_ALT | MOD_CTRL)) == 0);
}

static uint64_t mix(uint64_t sum, const void *data, size_t len)
{
	for (const uint8_t *p = data; len > 0; p++, len--)
		sum = (sum ^ *p) * 0x100000001b3;
	return sum;
}

static uint64_t take_keys(struct input *in, uint64_t sum)
{
	struct key key;
	while (input_next(in, &key)) {
		check_key(&key);
		int numbers[] = {(int)key.kind, key.y, key.x, key.button, key.mods};
		sum = mix(sum, numbers, sizeof numbers);
		sum = mix(sum, key.name, strlen(key.name));
		sum = mix(sum, key.paste.p, key.paste.len);
	}
	return sum;
}

/* Silence until nothing is unfinished: nothing may lock the keyboard. */
static void settle(struct input *in)
{
	for (int i = 0; i < 200 && input_pending(in); i++) {
		input_timeout(in);
		take_keys(in, 0);
	}
	check(!input_pending(in));
}

static uint64_t in_pieces_of(struct input *in, size_t piece, const uint8_t *data, size_t len)
{
	uint64_t sum = 0;
	for (size_t at = 0; at < len; at += piece) {
		input_push(in, data + at, len - at < piece ? len - at : piece);
		sum = take_keys(in, sum);
	}
	settle(in);
	return sum;
}

static void with_silences(struct input *in, const uint8_t *data, size_t len)
{
	while (len > 0) {
		const uint8_t *stop = memchr(data, 0xff, len);
		size_t piece = stop ? (size_t)(stop - data) : len, skip = piece + (stop ? 1 : 0);
		input_push(in, data, piece);
		take_keys(in, 0);
		input_timeout(in);
		take_keys(in, 0);
		data += skip;
		len -= skip;
	}
	settle(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static struct input *in; /* one for all: reading terminfo takes longer than the test */
	if (!in)
		in = input_new("xterm-256color", true);
	check(in);
	check(in_pieces_of(in, len + 1, data, len) == in_pieces_of(in, 1, data, len));
	with_silences(in, data, len);
	return 0;
}
