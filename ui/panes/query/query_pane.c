#include "panes/query/query_pane.h"

#include "chrome/pane.h"
#include "export/export_list.h"
#include "lanes/lane_threads.h"
#include "panes/query/query_job.h"
#include "panes/timeline/timeline.h"
#include "sql/questions.h"
#include "state/state_dir.h"
#include "sys/clock.h"
#include "tables/table_view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

enum query_shows { SHOWS_LIST, SHOWS_ANSWER };
enum { QUESTION_NAME, QUESTION_ABOUT, QUESTION_COLUMNS };

struct view_query {
	struct questions questions;
	char **words;       /* SELECT, tables and columns, for completion: NULL after the last; made when asked for */
	const char **names; /* SELECT, questions and tables, likewise */
	char offer[NAME_MAX + sizeof "csv "]; /* format and table that the key e suggests */
	struct answer_job *job;
	struct resting resting;   /* the log that it reads */
	_Atomic uint64_t scanned; /* by the job */
	struct query_ask ask;     /* the last; "" for none */
	uint64_t answered;        /* the nth of `answer`; 0: none */
	char line[QUERY_ROOM];    /* it on one line, without comments */
	char refused[120];        /* why a name was refused */
	bool pending, stopped;
	bool renews; /* the answer is made again when the log has grown */
	bool again;  /* that is in progress: the answer of before is shown meanwhile */
	enum query_shows shows;
	struct sql_answer list, answer; /* the ctx of the table's job: replaced only when no table is open */
	struct table_source sources[2];
	struct table_view table;
};

/* Is there no answer yet? */
static bool waits(const struct view_query *v) { return v->pending && !v->again; }

static struct view_query *query_of(const struct pane_host *h) { return h->views[PANE_QUERY]; }

/* --- tables -------------------------------------------------------------------------------------------------------------- */

/* Describe the table of an answer or of the list. */
static struct sql_answer *describe(struct view_query *v, enum query_shows shows)
{
	struct sql_answer *a = shows == SHOWS_LIST ? &v->list : &v->answer;
	v->shows = shows;
	v->sources[shows] = (struct table_source){.kind = &a->kind,
		.stays = shows == SHOWS_LIST,
		.title = shows == SHOWS_LIST ? "queries and tables"
			: a->more            ? "first rows"
					     : "rows",
		.none = "no rows",
		.sorted = -1,
		.wide = -1,
		.widths = a->columns ? a->columns->widths : NULL,
		.at = a->moment};
	return a;
}

static void open_table(struct view_query *v, struct pane_host *h, enum query_shows shows)
{
	table_view_close(&v->table);
	struct sql_answer *a = describe(v, shows);
	if (a->kind.n_columns && !table_view_open(&v->table, &v->sources[shows], a, "", h->wake, h->wake_ctx))
		pane_say(h, true, "out of memory");
}

static bool put_list_row(struct view_query *v, const char *name, const char *about)
{
	struct datum cells[QUESTION_COLUMNS] = {cell_cstr(name), cell_cstr(about)};
	return sql_answer_put(&v->list, &cells[QUESTION_NAME]) && sql_answer_put(&v->list, &cells[QUESTION_ABOUT]);
}

static bool make_list(struct view_query *v)
{
	static const struct table_column columns[QUESTION_COLUMNS] = {
		{.key = "name", .title = "name", .unit = UNIT_TEXT, .meaning = "of the query or table"},
		{.key = "about", .title = "answers", .unit = UNIT_TEXT, .meaning = "the question that it answers"}};
	bool good = true;
	sql_answer_begin(&v->list, columns, QUESTION_COLUMNS);
	for (size_t i = 0; i < v->questions.n && good; i++)
		good = put_list_row(v, v->questions.items[i].name, v->questions.items[i].about);
	for (int i = 0; i < ROWS_TABLES && good; i++) {
		char about[200];
		const struct rows_table *t = rows_table((enum rows_id)i);
		if (questions_find(&v->questions, t->name)) /* its name means the query */
			continue;
		snprintf(about, sizeof about, "SELECT * FROM %s: %s", t->name, t->help);
		good = put_list_row(v, t->name, about);
	}
	sql_answer_end(&v->list);
	return good;
}

/* --- asking -------------------------------------------------------------------------------------------------------------- */

/* The statement without comments, its words parted by single blanks. */
static void put_on_a_line(const char *text, char *out, size_t room)
{
	size_t n = 0;
	for (char quote = 0; *text && n + 1 < room; text++) {
		quote = quote == *text ? 0 : !quote && (*text == '\'' || *text == '"') ? *text : quote;
		if (!quote && text[0] == '-' && text[1] == '-')
			text += strcspn(text, "\n") - 1;
		else if (!quote && strchr(" \t\r\n", *text))
			n += n && out[n - 1] != ' ' ? (out[n] = ' ', 1u) : 0;
		else
			out[n++] = *text;
	}
	n -= n && out[n - 1] == ' ';
	out[n] = '\0';
}

static const char *ask(struct pane_host *h, const char *text)
{
	struct view_query *v = query_of(h);
	if (strlen(text) >= sizeof v->ask.text)
		return "the statement is too long";
	if (!evl_progress(h->log).done)
		return "queries run when the whole log has been read";
	if (resting_renew(&v->resting, &h->rest, v->job, h->log, true)) {
		job_free(v->job);
		v->job = NULL;
		v->answered = 0;
	}
	if (!v->job && !(v->job = query_job_new(v->resting.log, &v->scanned, h->wake, h->wake_ctx)))
		return "out of memory";
	v->stopped = v->again = false;
	if (v->answered == v->ask.nth && strcmp(v->ask.text, text) == 0 && v->answer.kind.n_columns) {
		v->pending = false;
		open_table(v, h, SHOWS_ANSWER);
		return NULL;
	}
	struct query_ask next = {.nth = v->ask.nth + 1};
	memcpy(next.text, text, strlen(text)); /* it may be that of v->ask */
	v->ask = next;
	put_on_a_line(v->ask.text, v->line, sizeof v->line);
	h->statement = v->ask.text;
	v->pending = true;
	job_ask(v->job, &v->ask);
	return NULL;
}

const char *query_run(struct pane_host *h, const char *text)
{
	struct view_query *v = query_of(h);
	const struct question *q = questions_find(&v->questions, text);
	char all[128];
	h->shown = PANE_QUERY;
	if (!*text)
		return v->ask.text[0] ? ask(h, v->ask.text) : NULL;
	if (q)
		return ask(h, q->text);
	if (!questions_is_name(text))
		return ask(h, text);
	if (!rows_find(text)) {
		snprintf(v->refused, sizeof v->refused, "no query or table is named \"%.60s\" (7 lists them)", text);
		return v->refused;
	}
	snprintf(all, sizeof all, "SELECT * FROM %s", text);
	return ask(h, all);
}

/* The answer is there: it takes the former's place, and that of the list. */
static void take_answer(struct view_query *v, struct pane_host *h)
{
	struct sql_answer fresh = {0}, former = v->answer;
	if (!job_take(v->job, &fresh))
		return;
	const bool renewed = v->again && v->table.source && fresh.result == 0;
	v->pending = v->again = false;
	v->renews = fresh.result == 0 && h->model.live;
	v->answered = v->ask.nth;
	resting_answered(&v->resting);
	if (renewed)
		table_view_end_jobs(&v->table);
	else
		table_view_close(&v->table);
	v->answer = fresh;
	if (renewed) {
		describe(v, SHOWS_ANSWER);
		table_view_on_log_replaced(&v->table, &v->answer, h->wake, h->wake_ctx);
	} else {
		open_table(v, h, SHOWS_ANSWER);
	}
	sql_answer_free(&former);
}

/* Ask again when the log has grown, after a rest; the answer that is shown stays until then. */
static void renew(struct view_query *v, struct pane_host *h)
{
	if (!v->renews || v->pending || v->shows != SHOWS_ANSWER || h->prompt.open || v->resting.log == h->log
		|| rest_left_ms(&h->rest, clock_ms()) || !resting_renew(&v->resting, &h->rest, v->job, h->log, false))
		return;
	job_free(v->job);
	v->job = query_job_new(v->resting.log, &v->scanned, h->wake, h->wake_ctx);
	if (!v->job)
		return;
	v->ask.nth++;
	v->pending = v->again = true;
	job_ask(v->job, &v->ask);
}

/* --- drawing --------------------------------------------------------------------------------------------------------------- */

/* The name of the selected question or table. Return false if none is selected. */
static bool name_here(const struct view_query *v, char *out, size_t room)
{
	struct evl_str text = v->table.source ? table_view_text(&v->table, QUESTION_NAME) : EVL_STR("");
	snprintf(out, room, "%.*s", (int)text.len, text.len ? (const char *)text.p : "");
	return text.len;
}

static void put_statement(const struct view_query *v, const struct pane_host *h, struct canvas *c, int y)
{
	const uint64_t as_of = v->shows == SHOWS_ANSWER ? resting_as_of(&v->resting, h->log) : 0;
	enum { WIDE = 90 };
	struct line l = {.c = c, .y = y, .x = 1, .end = c->cols - 1, .bg = ST_PAGE};
	if (v->shows == SHOWS_LIST && !waits(v)) {
		line_pair(&l, ":sql SELECT …", ST_TEXT,
			c->cols < WIDE ? "  runs a statement; Enter runs the selected one"
				       : "  runs a statement, or one of these by name; Enter runs the selected one");
		return;
	}
	line_put(&l, ST_DIM, false, "sql  ");
	if (as_of && h->model.live)
		line_printf(&l, ST_TEXT, false, "as of %s  ", as_value(UNIT_MOMENT, (double)as_of));
	line_text(&l, ST_ACCENT, false, str_of(v->line));
}

/* The first character of the message is an error's place, as far as the line shows it. */
static void put_error(const struct view_query *v, struct canvas *c, int y)
{
	const struct sql_answer *a = &v->answer;
	if (a->result == EVL_USAGE && a->error.at)
		canvas_printf(c, y, 2, c->cols - 3, PEN(ST_WARN), "%s, at character %zu", a->error.text, a->error.at);
	else
		canvas_str(c, y, 2, c->cols - 3, PEN(ST_WARN),
			a->result == EVL_USAGE ? a->error.text : evl_strerror(a->result));
}

/* Is there a text that may be wider than its column? */
static bool has_long_text(const struct view_query *v)
{
	const struct sql_answer *a = &v->answer;
	bool any = v->shows == SHOWS_LIST;
	for (int i = 0; i < v->table.source->kind->n_columns && !any; i++)
		any = a->kind.columns[i].unit == UNIT_TEXT && a->columns->widths[i] > TABLE_WIDEST;
	return any;
}

/* The table; below it, in two rows, the texts of the selected row that are cut, in full; of the list, the question. */
static void draw_table(struct view_query *v, struct canvas *c, int y, int bottom, int wait_ms)
{
	enum { FULL = 2, LEAST = 12 };
	int full = bottom - y >= LEAST && has_long_text(v) ? FULL : 0;
	table_view_draw(&v->table, c, y, bottom - full, wait_ms);
	struct line l = {.c = c,
		.y = bottom - full,
		.x = 1,
		.end = c->cols - 1,
		.bg = ST_PAGE,
		.wrap_y = bottom - 1,
		.wrap_x = 3};
	for (int i = 0; full && i < v->table.source->kind->n_columns; i++) {
		bool listed = v->shows == SHOWS_LIST && i == QUESTION_ABOUT;
		if (!listed && !(v->table.cut >> i & 1))
			continue;
		line_text(&l, ST_DIM, false,
			listed ? table_view_text(&v->table, QUESTION_NAME)
			       : str_of(v->table.source->kind->columns[i].title));
		line_skip(&l, 2);
		line_text(&l, ST_TEXT, false, table_view_text(&v->table, i));
		line_skip(&l, 2);
	}
}

static void draw_body(void *view, struct pane_host *h, struct canvas *c, int y, int bottom)
{
	enum { WAIT_MS = 20 };
	struct view_query *v = view;
	int wait_ms = h->wait_for_jobs ? -1 : WAIT_MS;
	renew(v, h);
	if (v->pending && v->job && job_wait(v->job, wait_ms))
		take_answer(v, h);
	if (!v->table.source && v->shows == SHOWS_LIST)
		open_table(v, h, SHOWS_LIST);
	put_statement(v, h, c, y);
	if (waits(v))
		canvas_printf(c, y + 1, 2, c->cols - 3, PEN(ST_KEY), "looking … %s rows read (Ctrl-C stops)",
			as_count(atomic_load(&v->scanned)));
	else if (v->stopped)
		canvas_str(c, y + 1, 2, c->cols - 3, PEN(ST_WARN), "stopped (:sql runs it again)");
	else if (v->shows == SHOWS_ANSWER && v->answer.result < 0)
		put_error(v, c, y + 1);
	else if (v->table.source && bottom - y > 4)
		draw_table(v, c, y + 1, bottom, wait_ms);
}

/* --- keys ------------------------------------------------------------------------------------------------------------------ */

static void ask_selected(struct view_query *v, struct pane_host *h)
{
	char name[NAME_MAX];
	if (name_here(v, name, sizeof name))
		pane_refuse(h, query_run(h, name));
}

/* To the moment of the row, on the lane of its thread. */
static void go_to_row(struct view_query *v, struct pane_host *h)
{
	double thread;
	uint64_t t;
	bool in_time = table_view_moment(&v->table, &t);
	bool of_thread = v->answer.thread >= 0 && table_view_number(&v->table, v->answer.thread, &thread);
	if (!in_time && !of_thread) {
		pane_say(h, true, "this row has no moment (such as start_ns) and no thread");
		return;
	}
	struct lanes *lanes = &timeline_of(h)->lanes;
	if (in_time) {
		double to;
		bool ends = v->answer.end >= 0 && table_view_number(&v->table, v->answer.end, &to) && to > (double)t;
		lanes_note(lanes, &h->model.at);
		model_show(&h->model, t, ends ? (uint64_t)to : t, t, h->now_ms);
		h->model.at.lane = NULL;
	}
	if (of_thread && thread <= UINT32_MAX)
		lanes_select(lanes, &lane_thread, (uint32_t)thread);
	h->shown = PANE_TIMELINE;
}

/* From the first moment of the row to the next becomes the range. */
static void take_range(struct view_query *v, struct pane_host *h)
{
	const struct model *m = &h->model;
	double from, to;
	bool any = v->answer.end >= 0 && table_view_number(&v->table, v->answer.moment, &from)
		&& table_view_number(&v->table, v->answer.end, &to) && from < to;
	if (!any) {
		pane_say(h, true, "this row has no two moments (such as start_ns and end_ns)");
		return;
	}
	selection_set(&h->model.selection, max_u64((uint64_t)from, m->first), min_u64((uint64_t)to, m->last + 1));
	pane_say(h, false, "the row is the range now (5: its metrics)");
}

static void set_statement(struct pane_host *h, const char *text, enum prompt_result result)
{
	pane_refuse(h, result == PROMPT_DONE && *text ? query_run(h, text) : NULL);
}

static bool act(void *view, struct pane_host *h, enum action action)
{
	struct view_query *v = view;
	bool answer = v->shows == SHOWS_ANSWER;
	if (action == ACT_INVERT) {
		pane_ask(h, ASK_SQL, strlen(v->line) < PROMPT_ROOM ? v->line : "", set_statement);
		return true;
	}
	if (!v->table.source || waits(v))
		return false;
	switch (action) {
	case ACT_FILTER:
	case ACT_SEARCH: table_view_ask(&v->table, h); return true;
	case ACT_EXPAND:
		if (answer)
			go_to_row(v, h);
		else
			ask_selected(v, h);
		return true;
	case ACT_SELECT_SPAN:
		if (answer)
			take_range(v, h);
		return answer;
	default: return table_view_act(&v->table, action);
	}
}

/* Back to what can be asked. */
/* The list of questions is the first page. */
static bool is_over(const void *view, UNUSED const struct pane_host *h)
{
	const struct view_query *v = view;
	return v->shows != SHOWS_LIST || waits(v) || v->stopped;
}

static void leave(void *view, struct pane_host *h)
{
	struct view_query *v = view;
	if (v->job)
		job_stop(v->job);
	v->pending = v->again = v->stopped = false;
	open_table(v, h, SHOWS_LIST);
}

static const char *filter(const void *view, UNUSED const struct pane_host *h)
{
	return ((const struct view_query *)view)->table.ask.filter;
}

static void set_filter(struct pane_host *h, const char *text, UNUSED enum prompt_result result)
{
	struct view_query *v = h->views[PANE_QUERY];
	struct evl_err err = {0};
	if (v->table.source && table_view_filter(&v->table, text, &err) < 0)
		pane_refuse(h, err.text);
}

static bool stop(void *view)
{
	struct view_query *v = view;
	bool table = v->table.source && table_view_stop(&v->table);
	if (!v->pending || !v->job || !job_stop(v->job))
		return table;
	v->stopped = waits(v);
	v->pending = v->again = v->renews = false;
	return true;
}

/* The answer: all of its rows, or those that are shown; in the list the selected question or table. */
static const char *offers(UNUSED const void *view, const struct pane_host *h, uint64_t *from, uint64_t *to)
{
	struct view_query *v = query_of(h);
	const struct table_ask *shown = &v->table.ask;
	char name[NAME_MAX];
	*from = 0;
	*to = UINT64_MAX;
	if (waits(v) || v->stopped)
		return "csv query";
	if (v->shows == SHOWS_ANSWER)
		return !v->table.source ? NULL : shown->filter[0] || shown->column >= 0 ? "csv shown" : "csv query";
	if (!name_here(v, name, sizeof name))
		return NULL;
	snprintf(v->offer, sizeof v->offer, "csv %s", name);
	return v->offer;
}

static bool lists(const void *view, UNUSED const struct pane_host *h, struct export_list *out)
{
	const struct view_query *v = view;
	bool answer = v->table.source && v->shows == SHOWS_ANSWER && !waits(v);
	if (answer)
		table_view_list(&v->table, &(struct table_range){0}, out);
	out->kind = NULL;
	return answer;
}

static void copy(void *view, UNUSED struct pane_host *h, struct canvas *c)
{
	struct view_query *v = view;
	if (v->table.source)
		table_view_copy(&v->table, c);
}

static void click(void *view, struct pane_host *h, int y, int x, bool twice)
{
	struct view_query *v = view;
	if (v->table.source && !waits(v) && table_view_click(&v->table, y, x) && twice)
		act(v, h, ACT_EXPAND);
}

/* --- words ------------------------------------------------------------------------------------------------------------------ */

static void add_word(char **words, const char *word)
{
	size_t n = 0;
	while (words[n] && strcmp(words[n], word) != 0)
		n++;
	if (!words[n])
		words[n] = strdup(word);
}

/* Tables and their columns. */
static char **make_words(void)
{
	struct buf name = {0};
	size_t most = 2 + ROWS_TABLES; /* with the NULL at the end */
	for (int i = 0; i < ROWS_TABLES; i++)
		most += (size_t)rows_table((enum rows_id)i)->n_columns;
	char **words = calloc(most, sizeof *words);
	if (words)
		add_word(words, "SELECT");
	for (int i = 0; words && i < ROWS_TABLES; i++)
		add_word(words, rows_table((enum rows_id)i)->name);
	for (int i = 0; words && i < ROWS_TABLES; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		for (int k = 0; k < t->n_columns; k++) {
			buf_clear(&name);
			table_column_name(&name, &t->columns[k]);
			buf_char(&name, '\0');
			if (!name.failed)
				add_word(words, name.p);
		}
	}
	buf_free(&name);
	return words;
}

const char *const *query_words(const struct pane_host *h, bool names)
{
	struct view_query *v = query_of(h);
	if (!v->words)
		v->words = make_words();
	return names ? v->names : (const char *const *)v->words;
}

/* --- the pane ---------------------------------------------------------------------------------------------------------------- */

static void close_query(void *view)
{
	struct view_query *v = view;
	table_view_close(&v->table);
	job_free(v->job);
	resting_drop(&v->resting, false);
	sql_answer_free(&v->list);
	sql_answer_free(&v->answer);
	questions_free(&v->questions);
	for (char **w = v->words; w && *w; w++)
		free(*w);
	free_all(v->words, v->names, v);
}

static void *open_query(struct pane_host *h)
{
	char folder[STATE_PATH];
	struct view_query *v = calloc(1, sizeof *v);
	if (!v)
		return NULL;
	bool good = questions_open(&v->questions, config_path(folder, "queries") ? folder : NULL) == 0 && make_list(v);
	v->names = good ? calloc(v->questions.n + ROWS_TABLES + 2, sizeof *v->names) : NULL;
	if (!v->names) {
		close_query(v);
		return NULL;
	}
	size_t n = 0;
	h->questions = &v->questions;
	v->names[n++] = "SELECT";
	for (size_t i = 0; i < v->questions.n; i++)
		v->names[n++] = v->questions.items[i].name;
	for (int i = 0; i < ROWS_TABLES; i++)
		if (!questions_find(&v->questions, rows_table((enum rows_id)i)->name))
			v->names[n++] = rows_table((enum rows_id)i)->name;
	return v;
}

/* The answer is kept as it is: it holds nothing of the log. A query about a log that has grown goes on to its end; without one, its log
 * is closed, if the pane is not shown. */
static void on_log_replaced(void *view, struct pane_host *h)
{
	struct view_query *v = view;
	bool stays = resting_stays(&v->resting, &h->rest, h->goes_on);
	if (stays && v->pending && !job_busy(v->job))
		take_answer(v, h);
	if (stays && (v->pending || h->shown == PANE_QUERY))
		return;
	job_free(v->job);
	v->job = NULL;
	v->stopped = v->stopped || (v->pending && !v->again);
	v->pending = v->again = false;
	v->renews = v->renews && h->goes_on;
	v->answered = 0;
	resting_drop(&v->resting, h->goes_on);
}

/* Its tab is there once it was used. */
/* Once there is an answer to come back to. */
static bool has_tab(const struct pane_host *h) { return query_of(h)->ask.text[0]; }

static bool news(void *view)
{
	struct view_query *v = view;
	bool table = v->table.source && table_view_news(&v->table);
	return job_news(v->job) || table;
}

static bool busy(const void *view)
{
	const struct view_query *v = view;
	return v->pending || (v->table.source && table_view_busy(&v->table));
}

const struct pane_ops query_pane = {.name = "Query",
	.brief = "Query",
	.key = ACT_PANE_QUERY,
	.pane = KEYMAP_QUERY,
	.has_tab = has_tab,
	.open = open_query,
	.close = close_query,
	.body = draw_body,
	.act = act,
	.on_log_replaced = on_log_replaced,
	.offers = offers,
	.lists = lists,
	.copy = copy,
	.click = click,
	.news = news,
	.busy = busy,
	.is_over = is_over,
	.leave = leave,
	.filter = filter,
	.set_filter = set_filter,
	.stop = stop};
