#include "panes/marks/marks_pane.h"

#include "export/export_list.h"
#include "panes/timeline/selection_keys.h"
#include "tables/table_view.h"

#include <stdio.h>
#include <stdlib.h>

/* Marks and the cursor, as the table shows them. */
struct marks_shown {
	struct bookmarks marks;
	uint64_t cursor;
};

struct view_marks {
	struct bookmarks_file file;
	struct marks_shown shown[2]; /* jobs read one, while the other is made */
	int at;                      /* the one that the table shows */
	struct table_range of;       /* its `extra` is that one */
	struct table_view table;
};

static struct view_marks *marks_of(const struct pane_host *h) { return h->views[PANE_MARKS]; }

const struct bookmarks_file *marks_file(const struct pane_host *h) { return &marks_of(h)->file; }

/* --- changes ------------------------------------------------------------------------------------------------------- */

void marks_load(struct pane_host *h) { pane_refuse(h, bookmarks_load(&marks_of(h)->file, h->log, &h->model.marks)); }

static void keep(struct pane_host *h, const char *done)
{
	char text[PANE_MESSAGE];
	const char *why = bookmarks_save(marks_file(h), &h->model.marks);
	snprintf(text, sizeof text, "%s%s%s", done, why ? ", but not kept: " : "", why ? why : "");
	pane_say(h, why != NULL, "%s", text);
}

static void set(struct pane_host *h, char letter)
{
	char text[32];
	if (!h->model.ranged || !bookmarks_set(&h->model.marks, letter, h->model.at.cursor)) {
		pane_say(h, true, "there are no events");
		return;
	}
	snprintf(text, sizeof text, "mark %c is set", letter);
	keep(h, text);
}

static void go_to(struct pane_host *h, char letter)
{
	uint64_t t;
	if (bookmarks_get(&h->model.marks, letter, &t))
		model_goto(&h->model, t, h->now_ms);
	else
		pane_say(h, true, "mark %c is not set (m%c sets it)", letter, letter);
}

void marks_act(struct pane_host *h, enum action action, char letter)
{
	if (action == ACT_MARK)
		set(h, letter);
	else
		go_to(h, letter);
}

void marks_select(struct model *m, const struct named_range *range, int64_t now_ms)
{
	uint64_t from = range->from, to = range->to;
	if (from < m->at.t0 || to > m->at.t1)
		select_fit(m, from, to, now_ms);
	model_goto(m, from, now_ms);
	selection_set(&m->selection, from, to);
}

/* --- the table ----------------------------------------------------------------------------------------------------- */

/* References: marks are 0 (a) to 25 (z), ranges follow. */
static const struct named_range *range_at(const struct bookmarks *b, uint64_t ref)
{
	return ref >= BOOKMARKS && ref - BOOKMARKS < (uint64_t)b->n_ranges ? &b->ranges[ref - BOOKMARKS] : NULL;
}

static int refs_of(void *list, uint64_t **refs, size_t *n)
{
	const struct marks_shown *shown = ((const struct table_range *)list)->extra;
	const struct bookmarks *b = &shown->marks;
	*n = 0;
	if (!(*refs = calloc(BOOKMARKS + RANGES, sizeof **refs)))
		return EVL_NOMEM;
	for (uint64_t i = 0; i < BOOKMARKS; i++)
		if (b->set[i])
			(*refs)[(*n)++] = i;
	for (int i = 0; i < b->n_ranges; i++)
		(*refs)[(*n)++] = BOOKMARKS + (uint64_t)i;
	return 0;
}

enum { MARK_NAME, MARK_AT, MARK_AWAY, MARK_TO, MARK_LASTS, MARK_COLUMNS };

static struct datum cell(void *list, uint64_t ref, int column, struct buf *scratch)
{
	const struct marks_shown *shown = ((const struct table_range *)list)->extra;
	const struct named_range *range = range_at(&shown->marks, ref);
	uint64_t t = range ? range->from : shown->marks.t[ref];
	size_t at = scratch->len;
	switch (column) {
	case MARK_NAME:
		if (range)
			return cell_cstr(range->name);
		buf_char(scratch, (char)('a' + ref));
		return cell_text(buf_since(scratch, at));
	case MARK_AT: return cell_count(t);
	case MARK_AWAY: return cell_count(t > shown->cursor ? t - shown->cursor : shown->cursor - t);
	case MARK_TO: return cell_known(range, range ? range->to : 0);
	default: return cell_known(range, range ? range->to - range->from : 0);
	}
}

static const struct table_column columns[MARK_COLUMNS] = {
	[MARK_NAME] = {"name", "name", UNIT_TEXT, "letter of the mark, or name of the range", SHALLOW, COLUMN_SHOWN},
	[MARK_AT] = {"at", "at", UNIT_MOMENT, "time of the mark, or start of the range", SHALLOW, COLUMN_SHOWN},
	[MARK_AWAY] = {"away", "away", UNIT_NS, "from the cursor", SHALLOW, COLUMN_SHOWN},
	[MARK_TO] = {"to", "to", UNIT_MOMENT, "end of the range", SHALLOW, COLUMN_SHOWN},
	[MARK_LASTS] = {"lasts", "lasts", UNIT_NS, "length of the range", SHALLOW, COLUMN_SHOWN}};

static const struct table_kind kind = {.name = "marks",
	.columns = columns,
	.n_columns = MARK_COLUMNS,
	.aliases = TABLE_ALIAS("t", MARK_AT),
	.cell = cell,
	.refs = refs_of};

static const struct table_source source = {.kind = &kind,
	.title = "marks and ranges",
	.none = "no marks yet (m and a letter sets one; :range NAME saves a range)",
	.sorted = -1,
	.wide = MARK_NAME,
	.at = MARK_AT};

/* Show the present marks. Not while an export reads the old ones. */
static void refresh(struct view_marks *v, struct pane_host *h)
{
	const struct marks_shown *shown = &v->shown[v->at];
	bool same = shown->cursor == h->model.at.cursor && bookmarks_equal(&shown->marks, &h->model.marks);
	if (h->exporting || (v->table.source && same))
		return;
	v->at = !v->at;
	v->shown[v->at] = (struct marks_shown){h->model.marks, h->model.at.cursor};
	v->of = (struct table_range){.log = h->log, .extra = &v->shown[v->at]};
	if (v->table.source)
		table_view_on_log_replaced(&v->table, &v->of, h->wake, h->wake_ctx);
	else if (!table_view_open(&v->table, &source, &v->of, "", h->wake, h->wake_ctx))
		pane_say(h, true, "out of memory");
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	enum { WAIT_MS = 12 };
	struct view_marks *v = view;
	refresh(v, h);
	if (v->table.source && bottom - y > 3)
		table_view_draw(&v->table, c, y, bottom, h->wait_for_jobs ? -1 : WAIT_MS);
}

/* --- keys ---------------------------------------------------------------------------------------------------------- */

static void go_to_row(const struct view_marks *v, struct pane_host *h, uint64_t ref)
{
	const struct named_range *range = range_at(&v->shown[v->at].marks, ref);
	if (range)
		marks_select(&h->model, range, h->now_ms);
	else
		go_to(h, (char)('a' + ref));
	h->shown = h->before;
}

static void remove_row(const struct view_marks *v, struct pane_host *h, uint64_t ref)
{
	char text[PANE_MESSAGE];
	const struct named_range *range = range_at(&v->shown[v->at].marks, ref);
	if (range) {
		snprintf(text, sizeof text, "range %s is removed", range->name);
		bookmarks_remove_range(&h->model.marks, range->name);
	} else {
		snprintf(text, sizeof text, "mark %c is removed", (char)('a' + ref));
		bookmarks_remove(&h->model.marks, (char)('a' + ref));
	}
	keep(h, text);
}

/* Move in the table, or order it; say so where that changes nothing. */
static bool move(struct table_view *t, struct pane_host *h, enum action action)
{
	const struct table_view was = *t;
	bool meant = table_view_act(t, action);
	if (meant && was.at == t->at && was.moved == t->moved && was.first_column == t->first_column
		&& was.ask.column == t->ask.column && was.ask.falling == t->ask.falling)
		pane_say(h, true, "nothing more in that direction");
	return meant;
}

static bool act(void *view, struct pane_host *h, enum action action)
{
	struct view_marks *v = view;
	uint64_t ref;
	bool row = action == ACT_EXPAND || action == ACT_REMOVE;
	if (!v->table.source)
		return false;
	if (action == ACT_FILTER || action == ACT_SEARCH)
		table_view_ask(&v->table, h);
	else if (row && !table_view_row(&v->table, &ref))
		pane_say(h, true, "no mark is selected");
	else if (action == ACT_EXPAND)
		go_to_row(v, h, ref);
	else if (action == ACT_REMOVE)
		remove_row(v, h, ref);
	else
		return move(&v->table, h, action);
	return true;
}

static bool is_over(UNUSED const void *view, UNUSED const struct pane_host *h) { return true; }

static void leave(UNUSED void *view, struct pane_host *h) { h->shown = h->before; }

static bool lists(const void *view, UNUSED const struct pane_host *h, struct export_list *out)
{
	const struct view_marks *v = view;
	if (v->table.source)
		table_view_list(&v->table, &v->of, out);
	return v->table.source;
}

static void copy(void *view, UNUSED struct pane_host *h, struct canvas *c)
{
	const struct view_marks *v = view;
	if (v->table.source)
		table_view_copy(&v->table, c);
}

static void click(void *view, struct pane_host *h, int y, int x, bool twice)
{
	struct view_marks *v = view;
	if (v->table.source && table_view_click(&v->table, y, x) && twice)
		act(v, h, ACT_EXPAND);
}

/* --- the pane ------------------------------------------------------------------------------------------------------ */

static void *open_marks(UNUSED struct pane_host *h) { return calloc(1, sizeof(struct view_marks)); }

static void close_marks(void *view)
{
	table_view_close(&((struct view_marks *)view)->table);
	free(view);
}

/* They stay; the table is made again. */
static void on_log_replaced(void *view, UNUSED struct pane_host *h)
{
	table_view_close(&((struct view_marks *)view)->table);
}

/* It is there while it is shown. */
static bool has_tab(UNUSED const struct pane_host *h) { return false; }

static bool news(void *view) { return table_view_news(&((struct view_marks *)view)->table); }
static bool busy(const void *view) { return table_view_busy(&((const struct view_marks *)view)->table); }
static bool stop(void *view) { return table_view_stop(&((struct view_marks *)view)->table); }
static const struct table_kind *table(UNUSED const void *view) { return &kind; }

/* Without a row only hints of other panes are left. */
static bool acts(UNUSED const void *view, const struct pane_host *h, UNUSED enum action action)
{
	char letters[BOOKMARKS + 1];
	return h->model.marks.n_ranges || bookmarks_letters(&h->model.marks, letters);
}

const struct pane_ops marks_pane = {.name = "Marks",
	.key = ACT_MARKS,
	.pane = KEYMAP_MARKS,
	.has_tab = has_tab,
	.open = open_marks,
	.close = close_marks,
	.body = draw_body,
	.act = act,
	.lists = lists,
	.copy = copy,
	.click = click,
	.on_log_replaced = on_log_replaced,
	.news = news,
	.busy = busy,
	.is_over = is_over,
	.leave = leave,
	.table = table,
	.stop = stop,
	.acts = acts};
