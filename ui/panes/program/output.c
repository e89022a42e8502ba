#include "panes/program/output.h"

#include <stdlib.h>

/* Within an escape sequence: after ESC, in "ESC [ … letter", in "ESC ] … BEL". */
enum { PLAIN, ESCAPE, CSI, OSC };

bool output_init(struct output *o)
{
	*o = (struct output){.text = malloc(2 * (size_t)OUTPUT_KEPT)};
	return o->text && pthread_mutex_init(&o->lock, NULL) == 0;
}

void output_free(struct output *o)
{
	if (o->text)
		pthread_mutex_destroy(&o->lock);
	free(o->text);
	*o = (struct output){0};
}

/* Does the byte belong to the text? */
static bool is_text(struct output *o, unsigned char c)
{
	switch (o->escape) {
	case ESCAPE: o->escape = c == '[' ? CSI : c == ']' ? OSC : PLAIN; return false;
	case CSI: o->escape = c >= 0x40 && c <= 0x7e ? PLAIN : CSI; return false;
	case OSC: o->escape = c == '\a' ? PLAIN : c == 0x1b ? ESCAPE : OSC; return false;
	default: break;
	}
	if (c == 0x1b)
		o->escape = ESCAPE;
	return c != 0x1b && c != '\r';
}

/* The older half goes, up to the end of a line where there is one. */
static void drop(struct output *o)
{
	const char *end = memchr(o->text + OUTPUT_KEPT, '\n', OUTPUT_KEPT);
	size_t n = end ? (size_t)(end - o->text) + 1 : OUTPUT_KEPT;
	for (size_t i = 0; i < n; i++)
		o->first_line += o->text[i] == '\n';
	memmove(o->text, o->text + n, o->len - n);
	o->len -= n;
	o->dropped += n;
}

void output_put(struct output *o, const char *bytes, size_t len)
{
	pthread_mutex_lock(&o->lock);
	for (size_t i = 0; i < len; i++) {
		if (!is_text(o, (unsigned char)bytes[i]))
			continue;
		if (o->len == 2 * (size_t)OUTPUT_KEPT)
			drop(o);
		o->text[o->len++] = bytes[i];
		o->lines += bytes[i] == '\n';
	}
	pthread_mutex_unlock(&o->lock);
}

int output_lines(struct output *o, uint64_t first, char **out, int n, size_t room, uint64_t *all)
{
	int taken = 0;
	pthread_mutex_lock(&o->lock);
	*all = o->lines + (o->len && o->text[o->len - 1] != '\n');
	const char *p = o->text, *end = o->text + o->len;
	for (uint64_t line = o->first_line; p < end && taken < n; line++) {
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		size_t len = (size_t)((stop ? stop : end) - p);
		if (line >= first) {
			len = len < room - 1 ? len : room - 1;
			memcpy(out[taken], p, len);
			out[taken++][len] = 0;
		}
		p = stop ? stop + 1 : end;
	}
	pthread_mutex_unlock(&o->lock);
	return taken;
}

char *output_copy(struct output *o, size_t *len)
{
	pthread_mutex_lock(&o->lock);
	char *copy = malloc(o->len + 1);
	if (copy)
		memcpy(copy, o->text, o->len);
	*len = o->len;
	pthread_mutex_unlock(&o->lock);
	return copy;
}
