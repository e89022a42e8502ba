#include "chrome/history.h"

#include "base/buf.h"
#include "base/utf8.h"
#include "state/state_dir.h"

#include <stdio.h>
#include <stdlib.h>

enum { FILE_ROOM = 2 * HISTORY_LINES * PROMPT_ROOM };

static bool is_line(struct evl_str s)
{
	if (s.len == 0 || s.len >= PROMPT_ROOM || !utf8_valid(s))
		return false;
	while (s.len)
		if (utf8_unseen(utf8_take(&s)))
			return false;
	return true;
}

static void drop(struct history *h, int i)
{
	free(h->lines[i]);
	memmove(h->lines + i, h->lines + i + 1, (size_t)(h->n - i - 1) * sizeof *h->lines);
	h->n--;
}

/* A line that there is no memory for is not kept. */
static void append(struct history *h, struct evl_str line)
{
	char *copy = strndup((const char *)line.p, line.len);
	if (!copy)
		return;
	if (h->n == HISTORY_LINES)
		drop(h, 0);
	h->lines[h->n++] = copy;
}

static void read_lines(struct history *h, const char *text)
{
	for (size_t len; *text; text += len + (text[len] == '\n')) {
		len = strcspn(text, "\n");
		struct evl_str line = {(const uint8_t *)text, len};
		if (is_line(line))
			append(h, line);
	}
}

static bool path_of(const struct history *h, char *path)
{
	char name[64];
	snprintf(name, sizeof name, "history-%s", h->name);
	return state_path(path, name);
}

void history_open(struct history *h, const char *name)
{
	char path[STATE_PATH], *text;
	bool first = !h->name;
	h->name = name;
	if (first && path_of(h, path) && (text = malloc(FILE_ROOM))) {
		if (state_read(path, text, FILE_ROOM) > 0)
			read_lines(h, text);
		free(text);
	}
	h->at = h->n;
}

void history_free(struct history *h)
{
	while (h->n)
		drop(h, h->n - 1);
}

bool history_key(struct history *h, struct prompt *p, const struct key *key)
{
	bool up = strcmp(key->name, "<Up>") == 0, down = strcmp(key->name, "<Down>") == 0;
	if (key->kind != KEY_NAME || (!up && !down))
		return false;
	int to = h->at + (up ? -1 : 1);
	if (to < 0 || to > h->n)
		return true;
	if (h->at == h->n)
		memcpy(h->draft, p->text, sizeof h->draft);
	h->at = to;
	prompt_set(p, to == h->n ? h->draft : h->lines[to]);
	return true;
}

static void save(const struct history *h)
{
	char path[STATE_PATH];
	struct buf b = {0};
	for (int i = 0; i < h->n; i++) {
		buf_cstr(&b, h->lines[i]);
		buf_char(&b, '\n');
	}
	if (!b.failed && path_of(h, path) && state_write(path, b.p, b.len)) {
		/* then it is for this run only */
	}
	buf_free(&b);
}

void history_add(struct history *h, const char *line)
{
	struct evl_str s = {(const uint8_t *)line, strlen(line)};
	if (!is_line(s))
		return;
	for (int i = 0; i < h->n; i++)
		if (strcmp(h->lines[i], line) == 0) {
			drop(h, i);
			break;
		}
	append(h, s);
	h->at = h->n;
	save(h);
}
