#include "chrome/prompt.h"

#include "draw/text.h"

void prompt_open(struct prompt *p, const char *title) { *p = (struct prompt){.open = true, .title = title}; }

void prompt_open_with(struct prompt *p, const char *title, const char *text)
{
	prompt_open(p, title);
	prompt_set(p, text);
}

void prompt_set(struct prompt *p, const char *text)
{
	size_t len = strlen(text);
	if (len >= PROMPT_ROOM)
		return;
	memcpy(p->text, text, len + 1);
	p->at = p->len = len;
	p->selected = false;
}

static bool continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

static size_t before(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && continues(p->text[--at]))
		;
	return at;
}

static size_t after(const struct prompt *p)
{
	size_t at = p->at;
	if (at < p->len)
		at++;
	while (at < p->len && continues(p->text[at]))
		at++;
	return at;
}

static size_t word_begin(const struct prompt *p)
{
	size_t at = p->at;
	while (at > 0 && p->text[at - 1] == ' ')
		at--;
	while (at > 0 && p->text[at - 1] != ' ')
		at--;
	return at;
}

static size_t word_end(const struct prompt *p)
{
	size_t at = p->at;
	while (at < p->len && p->text[at] == ' ')
		at++;
	while (at < p->len && p->text[at] != ' ')
		at++;
	return at;
}

/* Delete [from, to); the cursor is then at from. */
static void erase(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text + from, p->text + to, p->len - to + 1);
	p->len -= to - from;
	p->at = from;
}

static void insert(struct prompt *p, struct evl_str s)
{
	if (s.len > PROMPT_ROOM - 1 - p->len)
		return;
	memmove(p->text + p->at + s.len, p->text + p->at, p->len - p->at + 1);
	memcpy(p->text + p->at, s.p, s.len);
	p->at += s.len;
	p->len += s.len;
}

/* Editing keys as everybody's fingers know them. */
static bool edit(struct prompt *p, const char *key)
{
	static const struct {
		const char *key;
		enum { BACK, FORTH, BEGIN, END, RUBOUT, DELETE, WORD, LINE, REST, WORD_BACK, WORD_FORTH } what;
	} keys[] = {{"<Left>", BACK}, {"<C-b>", BACK}, {"<Right>", FORTH}, {"<C-f>", FORTH}, {"<Home>", BEGIN},
		{"<C-a>", BEGIN}, {"<End>", END}, {"<C-e>", END}, {"<BS>", RUBOUT}, {"<C-h>", RUBOUT},
		{"<Del>", DELETE}, {"<C-d>", DELETE}, {"<C-w>", WORD}, {"<C-u>", LINE}, {"<C-k>", REST},
		{"<M-b>", WORD_BACK}, {"<M-f>", WORD_FORTH}};
	for (size_t i = 0; i < countof(keys); i++) {
		if (strcmp(keys[i].key, key) != 0)
			continue;
		switch (keys[i].what) {
		case BACK: p->at = before(p); break;
		case FORTH: p->at = after(p); break;
		case BEGIN: p->at = 0; break;
		case END: p->at = p->len; break;
		case RUBOUT: erase(p, before(p), p->at); break;
		case DELETE: erase(p, p->at, after(p)); break;
		case WORD: erase(p, word_begin(p), p->at); break;
		case LINE: erase(p, 0, p->at); break;
		case WORD_BACK: p->at = word_begin(p); break;
		case WORD_FORTH: p->at = word_end(p); break;
		case REST: erase(p, p->at, p->len); break;
		}
		return true;
	}
	return false;
}

enum prompt_result prompt_key(struct prompt *p, const struct key *key)
{
	if (key->kind != KEY_NAME && key->kind != KEY_PASTE)
		return PROMPT_EDITING;
	bool types = key->kind == KEY_PASTE || key->name[0] != '<' || strcmp(key->name, "<lt>") == 0
		|| strcmp(key->name, "<Space>") == 0;
	if (p->selected && types)
		erase(p, 0, p->len);
	p->selected = false;
	if (key->kind == KEY_PASTE) {
		insert(p, key->paste);
		return PROMPT_EDITING;
	}
	bool done = strcmp(key->name, "<Enter>") == 0;
	bool cancelled =
		strcmp(key->name, "<Esc>") == 0 || strcmp(key->name, "<C-g>") == 0 || strcmp(key->name, "<C-c>") == 0;
	if (done || cancelled) {
		p->open = false;
		return done ? PROMPT_DONE : PROMPT_CANCELLED;
	}
	if (edit(p, key->name))
		return PROMPT_EDITING;
	if (strcmp(key->name, "<Space>") == 0)
		insert(p, EVL_STR(" "));
	else if (strcmp(key->name, "<lt>") == 0)
		insert(p, EVL_STR("<"));
	else if (key->name[0] != '<')
		insert(p, str_of(key->name));
	return PROMPT_EDITING;
}

void prompt_draw(const struct prompt *p, struct canvas *c, int y)
{
	struct pen title = {ST_KEY, ST_BAR, ATTR_BOLD};
	canvas_fill(c, y, 0, 1, c->cols, ST_BAR);
	int x = 1 + canvas_str(c, y, 1, c->cols - 1, title, p->title);
	struct evl_str left = {(const uint8_t *)p->text, p->at}, all = {(const uint8_t *)p->text, p->len};
	int room = c->cols - x - 1;
	while (left.len && text_width(left, c->ascii) > room) { /* what is typed at is always seen */
		struct text_cell dropped;
		size_t was = left.len;
		text_next(&left, c->ascii, &dropped);
		all.p += was - left.len;
		all.len -= was - left.len;
	}
	canvas_text(c, y, x, room, (struct pen){ST_TEXT, ST_BAR, p->selected ? ATTR_REVERSE : 0}, all);
	c->cursor_on = true;
	c->cursor_y = y;
	c->cursor_x = x + text_width(left, c->ascii);
}
