#include "app/help.h"

#include "app/command_table.h"
#include "base/find.h"
#include "draw/glossary.h"
#include "draw/text.h"
#include "lanes/parts.h"
#include "report/figure_lists.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
	COLUMN_W = 46,
	KEYS_W = 16,
	COLOURS_W = 24, /* of sign and word */
	COLOURS_BOX_W = 76,
	MARGIN_X = 2,
	MARGIN_Y = 1,
	MAX_LINES = 512,
	MAX_ROWS = 4 * MAX_LINES
};

/* A line of the help: the title of a section (keys NULL), a key, or blank (both NULL). */
struct entry {
	const char *keys, *text;
	struct evl_str name;              /* of the log, instead of the keys; empty: none */
	const struct shown_colour *shown; /* its sign; NULL: none */
	bool dim;
};

/* Is the topic a key, such as "D" or "]g"? Then the help says what it does, and not where the letter occurs. */
static bool is_key(const char *topic)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	bool single = strlen(topic) == 1;
	for (size_t i = 0; i < n && !single; i++)
		single = strlen(topic) == 2 && strncmp(rows[i].keys, topic, 2) == 0;
	return single;
}

/* Report whether the topic is "", one of the keys, a word of their help, or a prefix of the section. */
static bool is_about(const char *topic, const char *section, const char *keys, const char *text)
{
	size_t len = strlen(topic);
	if (len == 0 || (!is_key(topic) && (strncasecmp(section, topic, len) == 0 || find_start(text, topic))))
		return true;
	for (const char *p = keys; *p; p += strcspn(p, " "), p += strspn(p, " "))
		if (strcspn(p, " ") == len && strncmp(p, topic, len) == 0)
			return true;
	return false;
}

/* A line under its section, whose title comes before its first one. */
static int add_line(
	struct entry *out, int lines, const char **section, const char *title, const char *keys, const char *text)
{
	if (lines + 3 > MAX_LINES)
		return lines;
	if (*section != title && lines)
		out[lines++] = (struct entry){0};
	if (*section != title)
		out[lines++] = (struct entry){.text = title};
	*section = title;
	out[lines++] = (struct entry){.keys = keys, .text = text};
	return lines;
}

/* Meaning of keys in a pane other than the timeline. */
static int make_notes(const char *topic, enum keymap_pane pane, struct entry *out, int lines)
{
	size_t n;
	const struct keymap_note *notes = keymap_notes(&n);
	const char *section = NULL, *title = keymap_title(pane);
	for (size_t i = 0; i < n; i++)
		if (notes[i].pane == pane && is_about(topic, title, notes[i].keys, notes[i].help))
			lines = add_line(out, lines, &section, title, notes[i].keys, notes[i].help);
	return lines;
}

static int make_keys(const char *topic, struct entry *out, int lines)
{
	size_t n;
	const struct keymap_row *rows = keymap_rows(&n);
	const char *section = NULL;
	for (size_t i = 0; i < n; i++)
		if (is_about(topic, rows[i].section, rows[i].keys, rows[i].help))
			lines = add_line(out, lines, &section, rows[i].section, rows[i].keys, rows[i].help);
	return lines;
}

/* The columns of the table that is open. */
static int make_columns(const struct table_kind *table, struct entry *out, int lines)
{
	const char *section = NULL;
	for (int i = 0; table && i < table->n_columns; i++)
		if (table->columns[i].title[0])
			lines = add_line(out, lines, &section, "COLUMNS OF THIS TABLE", table->columns[i].title,
				table->columns[i].meaning);
	return lines;
}

static bool is_listed(const struct entry *out, int lines, const char *text)
{
	for (int i = 0; i < lines; i++)
		if (out[i].text && strcmp(out[i].text, text) == 0)
			return true;
	return false;
}

/* Figures and columns of tables with that name. */
static int make_terms(const char *topic, struct entry *out, int lines)
{
	enum { MOST = 32 };
	static char columns[MOST][64]; /* "census (longest)": column and list */
	const char *section = NULL;
	struct figure_term t;
	int n = 0;
	for (size_t i = 0; figure_term(i, &t) && n < MOST; i++) {
		if ((strcasecmp(t.title, topic) != 0 && strcasecmp(t.key, topic) != 0)
			|| is_listed(out, lines, t.meaning))
			continue;
		snprintf(columns[n], sizeof columns[n], "%s%s%s%s", t.key, *t.list ? " (" : "", t.list,
			*t.list ? ")" : "");
		lines = add_line(out, lines, &section, "METRICS, AND COLUMNS OF LISTS", columns[n++], t.meaning);
	}
	return lines;
}

static const char words_title[] = "WORDS ON THE SCREEN";

/* Words that are the topic, the one that it is first. */
static int make_exact(const char *topic, struct entry *out, int lines)
{
	size_t n;
	const struct glossary_word *words = glossary_words(&n), *exact = glossary_find(topic);
	const char *section = NULL;
	if (exact)
		lines = add_line(out, lines, &section, words_title, exact->word, exact->sentence);
	for (size_t i = 0; i < n; i++)
		if (&words[i] != exact && glossary_is_spelled(&words[i], topic))
			lines = add_line(out, lines, &section, words_title, words[i].word, words[i].sentence);
	return lines;
}

/* Words of the pane; of a topic those of all panes that are about it. */
static int make_words(const char *topic, enum keymap_pane shown, struct entry *out, int lines)
{
	static const char *const places[KEYMAP_PANES] = {[KEYMAP_TIMELINE] = "LST",
		[KEYMAP_HEAP] = "H",
		[KEYMAP_PROFILE] = "P",
		[KEYMAP_EVENTS] = "E",
		[KEYMAP_STATS] = "F"};
	size_t n;
	const struct glossary_word *words = glossary_words(&n), *exact = *topic ? glossary_find(topic) : NULL;
	const char *section = NULL, *here = places[shown] ? places[shown] : "";
	assert(words);
	for (size_t i = 0; i < n; i++) {
		bool about = is_key(topic) ? false
			: *topic           ? glossary_is_about(&words[i], topic) || find_start(words[i].sentence, topic)
					   : strpbrk(words[i].places, here) != NULL;
		if (about && &words[i] != exact && !(*topic && glossary_is_spelled(&words[i], topic)))
			lines = add_line(out, lines, &section, *topic ? "WORDS ABOUT IT" : words_title, words[i].word,
				words[i].sentence);
	}
	return lines;
}

/* First those of the pane, or of all panes on a topic; then all others. *words: the line of the first word; on a topic
 * words come first. */
static int make_lines(
	const char *topic, enum keymap_pane shown, const struct table_kind *table, struct entry *out, int *words)
{
	static const char title[] = "COMMANDS AFTER :";
	const char *section = NULL;
	size_t n;
	const struct command_row *rows = command_rows(&n);
	int lines = *topic ? make_words(topic, shown, out, make_terms(topic, out, make_exact(topic, out, 0)))
			   : make_columns(table, out, 0);
	*words = 0;
	for (enum keymap_pane pane = 0; pane < KEYMAP_PANES; pane++)
		if (*topic || pane == shown)
			lines = make_notes(topic, pane, out, lines);
	lines = make_keys(topic, out, lines);
	for (size_t i = 0; i < n; i++)
		if (is_about(topic, title, rows[i].name, rows[i].help))
			lines = add_line(out, lines, &section, title, rows[i].name, rows[i].help);
	*words = *topic ? 0 : lines + 1;
	return *topic ? lines : make_words(topic, shown, out, lines);
}

/* Colours and signs: the same text on all screens. A word that the legend shortens comes with its short form. */
static int make_colours(const struct help *h, struct entry *out)
{
	enum { MOST = 64, ROOM = 64 };
	static char kept[MOST][ROOM];
	int lines = 0;
	for (int i = 0; i < h->n_colours && i < MOST; i++) {
		const struct shown_colour *k = &h->colours[i];
		const struct glossary_word *w = glossary_find(k->of.word);
		if (k->name.len) {
			out[lines++] = (struct entry){.keys = "", .name = k->name, .text = k->brief, .shown = k};
			continue;
		}
		bool shorter = k->shorter && !strstr(k->of.word, k->shorter);
		snprintf(kept[i], ROOM, shorter ? "%s (%s)" : "%s", k->of.word, k->shorter);
		out[lines++] = (struct entry){
			.keys = kept[i], .text = w && w->brief ? w->brief : "", .shown = k, .dim = k->absent};
	}
	return lines;
}

bool help_about(struct help *h, const char *topic)
{
	struct entry lines[MAX_LINES];
	int words;
	if (strlen(topic) >= sizeof h->topic || make_lines(topic, KEYMAP_TIMELINE, NULL, lines, &words) == 0)
		return false;
	*h = (struct help){.open = true};
	memcpy(h->topic, topic, strlen(topic) + 1);
	return true;
}

/* A row of the screen: a part of a line. keys: only in the first row of a line; len: of the text. */
struct row {
	const char *keys, *text;
	int len, line;
	bool title;
};

/* Keys that are wider than their column have a row for themselves. */
static int lay_out(const struct entry *lines, int n, int width, int keys_w, struct row *out)
{
	char keys[KEYMAP_TEXT];
	int rows = 0, room = width - keys_w > 8 ? width - keys_w : 8;
	for (int i = 0; i < n && rows < MAX_ROWS; i++) {
		const char *text = lines[i].text ? lines[i].text : "";
		if (!lines[i].keys) {
			out[rows++] = (struct row){.text = text, .len = (int)strlen(text), .line = i, .title = true};
			continue;
		}
		const char *pending = lines[i].keys;
		if ((int)strlen(keymap_text(pending, keys)) > keys_w - 2 - (lines[i].shown ? SIGN_W + 1 : 0)) {
			out[rows++] = (struct row){.keys = pending, .text = "", .line = i};
			pending = NULL;
		}
		struct evl_str rest = str_of(text);
		do {
			struct evl_str part = text_take_line(&rest, room, false);
			if (rows < MAX_ROWS)
				out[rows++] = (struct row){
					.keys = pending, .text = (const char *)part.p, .len = (int)part.len, .line = i};
			pending = NULL;
		} while (rest.len);
	}
	return rows;
}

/* The sign of a colour comes before the keys. */
static void draw_row(const struct row *r, const struct entry *of, int keys_w, struct canvas *c, int y, int x, int width)
{
	const struct shown_colour *shown = of->shown;
	int sign_w = shown ? SIGN_W + 1 : 0;
	char keys[KEYMAP_TEXT];
	struct evl_str text = {(const uint8_t *)r->text, (size_t)r->len};
	if (r->title)
		canvas_text(c, y, x, width, PEN_BOLD(ST_ACCENT), text);
	else
		canvas_text(c, y, x + keys_w, width - keys_w, PEN(of->dim ? ST_DIM : ST_TEXT), text);
	if (r->keys && shown)
		part_sign(c, y, x + 1, &shown->of);
	if (r->keys && shown && shown->then)
		canvas_glyph(c, y, x + SIGN_W, PEN((uint8_t)shown->of.styles[1]), shown->then, shown->then_ascii);
	if (r->keys && of->name.len)
		canvas_name(c, y, x + 1 + sign_w, keys_w - sign_w - 2, PEN(ST_KEY), of->name);
	else if (r->keys)
		canvas_str(c, y, x + 1 + sign_w, r->len ? keys_w - sign_w - 2 : width - 1,
			PEN(of->dim ? ST_DIM : ST_KEY), keymap_text(r->keys, keys));
}

/* Wide columns read better: use the fewest that the height allows. */
static int fit_columns(const struct entry *lines, int n, int high, int w, int keys_w, struct row *rows, int *n_rows)
{
	int columns = 1;
	*n_rows = lay_out(lines, n, w - 1, keys_w, rows);
	while ((columns + 1) * COLUMN_W <= w && columns * high < *n_rows) {
		columns++;
		*n_rows = lay_out(lines, n, w / columns - 1, keys_w, rows);
	}
	return columns;
}

/* Number of rows that stay together: those of an entry, and of the titles above it. */
static int block_rows(const struct row *rows, int n, int i)
{
	int end = i;
	bool title;
	do {
		int line = rows[end].line;
		title = rows[end].title;
		while (end < n && rows[end].line == line)
			end++;
	} while (title && end < n);
	return end - i;
}

/* Distribute the rows from `top` on over columns of `high` rows: no block is split that fits into one. Return how many rows have a
 * place; *at (NULL: not wanted): by row from `top` on, its column times `high` plus its row there, -1: a blank that a column would
 * start with. */
static int flow(const struct row *rows, int n, int top, int high, int columns, int *at)
{
	int i = top, place = 0;
	while (i < n) {
		int block = block_rows(rows, n, i), y = place % high;
		if (y && y + block > high && block <= high)
			place += high - y;
		for (; block > 0; block--, i++) {
			bool blank = rows[i].title && rows[i].len == 0 && place % high == 0;
			if (!blank && place == high * columns)
				return i - top;
			if (at)
				at[i - top] = blank ? -1 : place;
			place += !blank;
		}
	}
	return i - top;
}

/* Limit the first row, and note where pages before and after it start. */
static void turn_pages(struct help *h, const struct row *rows, int n, int high, int columns)
{
	h->rows = h->most = n;
	while (h->most > 0 && flow(rows, n, h->most - 1, high, columns, NULL) == n - (h->most - 1))
		h->most--;
	int whole = h->most; /* the last page starts with an entry */
	while (whole > 0 && whole < n && rows[whole].line == rows[whole - 1].line)
		whole++;
	h->most = whole < n ? whole : h->most;
	h->top = h->top >= n ? h->most : h->top < 0 || h->most == 0 ? 0 : h->top;
	h->page = flow(rows, n, h->top, high, columns, NULL);
	for (h->back = h->top > 0; h->back < h->top; h->back++)
		if (flow(rows, n, h->top - h->back - 1, high, columns, NULL) <= h->back)
			break;
}

void help_draw(struct help *h, enum keymap_pane pane, struct canvas *c)
{
	static struct row all[MAX_ROWS];
	static int at[MAX_ROWS];
	struct entry lines[MAX_LINES];
	char title[200];
	int w = c->cols - 2 * MARGIN_X, high = c->rows - 2 * MARGIN_Y - 2;
	int n, n_rows, words = MAX_LINES;
	const int keys_w = h->of_colours ? COLOURS_W : KEYS_W;
	bool dim = false;
	if (w < 4 || high < 1)
		return;
	n = h->of_colours ? make_colours(h, lines) : make_lines(h->topic, pane, h->table, lines, &words);
	if (h->of_colours)
		w = min_int(w, n > high && w >= 2 * COLOURS_BOX_W ? 2 * COLOURS_BOX_W : COLOURS_BOX_W);
	int columns = fit_columns(lines, n, high, w - 3, keys_w, all, &n_rows);
	int column_w = (w - 3) / columns;
	int needed = (n_rows + columns - 1) / columns;
	needed = needed < 1 ? 1 : needed;
	while (needed < high && flow(all, n_rows, 0, needed, columns, NULL) < n_rows)
		needed++;
	high = needed < high ? needed : high;
	int first = 0;
	while (first < n_rows && all[first].line < words)
		first++;
	h->top = h->tab ? (h->top == first ? 0 : first) : h->top;
	h->tab = false;
	turn_pages(h, all, n_rows, high, columns);
	flow(all, n_rows, h->top, high, columns, at);
	for (int i = 0; i < n; i++)
		dim = dim || lines[i].dim;
	const char *search = !h->of_colours ? "   / search   Esc close"
		: h->most                   ? "   Esc close"
					    : "   :help WORD   Esc close",
		   *name = h->typing || *h->topic ? "/"
		: !h->of_colours                  ? "Keys and words"
		: dim                             ? "Colours and signs (dim: absent now)"
						  : "Colours and signs of this screen";
	snprintf(title, sizeof title, "%s%s%s%s%s%s%s", name, h->topic, h->typing ? "_" : "",
		n == 0 ? "   nothing" : "", h->typing || !h->most ? "" : "   j/k scroll",
		h->typing || !h->most || n <= words ? "" : "   Tab words",
		h->typing ? "   Enter done   Esc all" : search);
	canvas_fill(c, MARGIN_Y, 0, high + 2, w + 2 * MARGIN_X, ST_PAGE); /* clear the margins of the box, too */
	canvas_box(c, MARGIN_Y, MARGIN_X, high + 2, w, PEN(ST_DIM), title);
	for (int i = 0; i < h->page; i++)
		if (at[i] >= 0)
			draw_row(&all[h->top + i], &lines[all[h->top + i].line], keys_w, c, MARGIN_Y + 1 + at[i] % high,
				MARGIN_X + 2 + at[i] / high * column_w, column_w - 1);
	static const char more[] = " more below: Space ";
	if (h->top + h->page < n_rows && w > (int)sizeof more + 2)
		canvas_str(c, MARGIN_Y + 1 + high, MARGIN_X + w - (int)sizeof more, (int)sizeof more - 1, PEN(ST_KEY),
			more);
}

void help_type(struct help *h, const char *key)
{
	size_t len = strlen(h->topic);
	h->top = 0;
	key = strcmp(key, "<lt>") == 0 ? "<" : key;
	if (strcmp(key, "<Enter>") == 0 || strcmp(key, "<Esc>") == 0)
		h->typing = false;
	if (strcmp(key, "<Esc>") == 0)
		h->topic[0] = 0;
	else if (strcmp(key, "<BS>") == 0 && len) {
		while (len > 1 && ((unsigned char)h->topic[len - 1] & 0xc0) == 0x80) /* a whole character */
			len--;
		h->topic[len - 1] = 0;
	} else if (strcmp(key, "<Space>") == 0 && len && len + 1 < sizeof h->topic)
		memcpy(h->topic + len, " ", 2);
	else if ((*key != '<' || !key[1]) && len + strlen(key) < sizeof h->topic)
		memcpy(h->topic + len, key, strlen(key) + 1);
}

void help_scroll(struct help *h, enum action action)
{
	int by = (int)keymap_scroll(action, h->page, MAX_ROWS), last = h->most > h->top ? h->most : h->top;
	if (action == ACT_PAGE_DOWN)
		h->top += h->top + h->page < h->rows ? h->page : 0; /* nothing is shown again */
	else if (action == ACT_PAGE_UP)
		h->top -= h->back;
	else
		h->top = by > 0 && by < MAX_ROWS && h->top + by > last ? last : h->top + by;
	if (action == ACT_NEXT_PANE)
		h->tab = true;
	if (action == ACT_SEARCH)
		*h = (struct help){.open = true, .typing = true};
}

char *help_text(void)
{
	struct entry lines[MAX_LINES];
	char *out = NULL, keys[KEYMAP_TEXT];
	size_t size;
	FILE *f = open_memstream(&out, &size);
	if (!f)
		return NULL;
	int n = make_keys("", lines, 0);
	for (enum keymap_pane pane = KEYMAP_TIMELINE + 1; pane < KEYMAP_PANES; pane++)
		n = make_notes("", pane, lines, n);
	for (int i = 0; i < n; i++) {
		if (lines[i].keys)
			fprintf(f, "  %-14s %s\n", keymap_text(lines[i].keys, keys), lines[i].text);
		else
			fprintf(f, "%s\n", lines[i].text ? lines[i].text : "");
	}
	return fclose(f) == 0 ? out : NULL;
}
