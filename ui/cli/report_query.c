/* report_query.c - evtui query: SQL over one log or several, as a table, CSV, JSON lines or Markdown. */
#include "base/order.h"
#include "base/printable.h"
#include "cli/report.h"
#include "draw/say.h"
#include "draw/text.h"
#include "sql/questions.h"
#include "sql/sql.h"
#include "state/state_dir.h"

#include <stdlib.h>
#include <unistd.h>

/* --- names of logs ------------------------------------------------------------------------------------------------------ */

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);
	return len > n && memcmp(s + len - n, end, n) == 0;
}

/* The length of a path without .eventlog, and without the ending of a compressed file. */
static size_t stem_len(const char *path)
{
	static const char *const packed[] = {".gz", ".zst", ".xz"};
	size_t len = strlen(path);
	for (size_t i = 0; i < countof(packed); i++)
		if (ends_with(path, len, packed[i])) {
			len -= strlen(packed[i]);
			break;
		}
	return ends_with(path, len, ".eventlog") ? len - strlen(".eventlog") : len;
}

/* Return the start of the last `folders` folders and the file of a path. */
static size_t name_at(const char *path, size_t len, int folders)
{
	size_t at = len;
	for (int slashes = 0; at > 0; at--)
		if (path[at - 1] == '/' && slashes++ == folders)
			break;
	return at;
}

static char *name_of(const char *path, int folders)
{
	size_t len = stem_len(path), at = name_at(path, len, folders);
	return strndup(path + at, len - at);
}

struct named {
	char *name;
	size_t i;
};

COMPARE_BY(by_name, struct named, strcmp(x->name, y->name));

/* Give those of equal names a folder more. True: there were such. */
static bool lengthen(struct named *all, size_t n, char **paths, int folders)
{
	bool any = false;
	qsort(all, n, sizeof *all, by_name);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(all[end].name, all[i].name) == 0; end++)
			;
		for (size_t k = i; end - i > 1 && k < end; k++) {
			char *longer = name_of(paths[all[k].i], folders);
			any = any || (longer && strlen(longer) > strlen(all[k].name));
			if (longer) {
				free(all[k].name);
				all[k].name = longer;
			}
		}
	}
	return any;
}

char **report_log_names(char **paths, size_t n)
{
	enum { MOST_FOLDERS = 64 };
	char **names = calloc(n + 1, sizeof *names);
	struct named *all = calloc(n + 1, sizeof *all);
	bool good = names && all;
	for (size_t i = 0; i < n && good; i++) {
		all[i] = (struct named){name_of(paths[i], 0), i};
		good = all[i].name != NULL;
	}
	for (int folders = 1; good && folders < MOST_FOLDERS && lengthen(all, n, paths, folders); folders++)
		;
	for (size_t i = 0; i < n && good; i++)
		names[all[i].i] = all[i].name;
	free(all);
	if (!good) {
		free(names);
		return NULL;
	}
	return names;
}

/* --- forms ---------------------------------------------------------------------------------------------------------------- */

enum { FLUSH_AT = 64 << 10 };

struct printer {
	sqlite3_stmt *statement;
	struct out *out;
	struct buf buf;
	int n_columns;
	bool going; /* somebody takes more */
	bool spreadsheet;
	/* The aligned table: its first rows are kept until the widths are known. */
	struct buf *kept; /* cells, row by row */
	size_t n_kept, room_kept, bytes_kept;
	int *widths;
	int *nth; /* by column: the number at the end of its key (sql_number_names) */
	struct buf key;
	bool *right;
	bool wide; /* widths are settled */
};

static void flush(struct printer *p, size_t at_least)
{
	if (p->buf.len < at_least)
		return;
	p->going = p->going && out_put(p->out, p->buf.p, p->buf.len);
	buf_clear(&p->buf);
}

static void csv_row(struct printer *p) { sql_csv(&p->buf, p->statement, p->spreadsheet); }

static void csv_head(struct printer *p) { sql_csv_head(&p->buf, p->statement); }

/* The key of a column: its name, or NAME_2 if an earlier column has this key: of equal keys, readers keep the last. */
static void put_key(const struct printer *p, int i, struct buf *out)
{
	struct evl_str name = sql_name(p->statement, i);
	buf_str(out, name);
	if (p->nth[i] > 1)
		buf_printf(out, "_%d", p->nth[i]);
}

static void json_head(struct printer *p)
{
	struct evl_str *names = calloc((size_t)p->n_columns + 1, sizeof *names);
	for (int i = 0; i < p->n_columns && names; i++)
		names[i] = sql_name(p->statement, i);
	if (names)
		sql_number_names(names, p->n_columns, p->nth);
	p->buf.failed = p->buf.failed || !names;
	free(names);
}

static void json_row(struct printer *p)
{
	struct json j = {.out = &p->buf};
	json_open(&j, '{');
	for (int i = 0; i < p->n_columns; i++) {
		struct datum cell = sql_cell(p->statement, i);
		buf_clear(&p->key);
		put_key(p, i, &p->key);
		cell_json_key(&j, buf_since(&p->key, 0));
		cell_json(&j, &cell);
	}
	json_close(&j, '}');
	buf_char(&p->buf, '\n');
	p->buf.failed = p->buf.failed || p->key.failed;
}

/* A cell as one line of printable text. */
static void plain_cell(struct buf *out, const struct datum *cell)
{
	if (cell->kind == CELL_TEXT)
		printable_put(out, cell->text, (struct printable){.ascii = !say_utf8()});
	else
		cell_csv(out, cell);
}

static void markdown_text(struct printer *p, const struct datum *cell)
{
	struct buf text = {0};
	plain_cell(&text, cell);
	for (size_t i = 0; i < text.len; i++) {
		if (text.p[i] == '|' || text.p[i] == '\\')
			buf_char(&p->buf, '\\');
		buf_char(&p->buf, text.p[i]);
	}
	buf_free(&text);
}

static void markdown_cells(struct printer *p, bool head)
{
	for (int i = 0; i < p->n_columns; i++) {
		struct datum cell = head ? cell_text(sql_name(p->statement, i)) : sql_cell(p->statement, i);
		buf_lit(&p->buf, "| ");
		markdown_text(p, &cell);
		buf_char(&p->buf, ' ');
	}
	buf_lit(&p->buf, "|\n");
}

static void markdown_row(struct printer *p) { markdown_cells(p, false); }

static void markdown_head(struct printer *p)
{
	markdown_cells(p, true);
	for (int i = 0; i < p->n_columns; i++)
		buf_lit(&p->buf, "| --- ");
	buf_lit(&p->buf, "|\n");
}

/* --- the aligned table ---------------------------------------------------------------------------------------------------- */

enum { KEPT_ROWS = 1000, KEPT_BYTES = 4 << 20 };

/* Most texts are digits. */
static int width_of(const struct buf *text)
{
	enum { SHORT = 24 };
	size_t n = 0;
	while (n < text->len && text->p[n] >= '0' && text->p[n] <= '9')
		n++;
	if (n == text->len && n <= SHORT)
		return (int)n;
	return text_width(text_capped((struct evl_str){(const uint8_t *)text->p, text->len}), !say_utf8());
}

static void put_padded(struct printer *p, const struct buf *text, int i)
{
	int pad = p->widths[i] - width_of(text);
	if (i)
		buf_lit(&p->buf, "  ");
	for (int k = 0; p->right[i] && k < pad; k++)
		buf_char(&p->buf, ' ');
	buf_put(&p->buf, text->p, text->len);
	for (int k = 0; !p->right[i] && i + 1 < p->n_columns && k < pad; k++)
		buf_char(&p->buf, ' ');
}

static void table_settle(struct printer *p)
{
	if (p->wide)
		return;
	p->wide = true;
	for (int i = 0; i < p->n_columns; i++) {
		struct buf name = {0};
		struct datum cell = cell_text(sql_name(p->statement, i));
		plain_cell(&name, &cell);
		p->widths[i] = width_of(&name) > p->widths[i] ? width_of(&name) : p->widths[i];
		put_padded(p, &name, i);
		buf_free(&name);
	}
	buf_char(&p->buf, '\n');
	for (size_t k = 0; k < p->n_kept; k++) {
		int i = (int)(k % (size_t)p->n_columns);
		put_padded(p, &p->kept[k], i);
		buf_free(&p->kept[k]);
		if (i + 1 == p->n_columns)
			buf_char(&p->buf, '\n');
		flush(p, FLUSH_AT);
	}
	p->n_kept = 0;
}

static void table_row(struct printer *p)
{
	for (int i = 0; i < p->n_columns; i++) {
		struct datum cell = sql_cell(p->statement, i);
		struct buf text = {0}, *to = p->wide ? &p->key : &text;
		buf_clear(to);
		plain_cell(to, &cell);
		p->buf.failed = p->buf.failed || to->failed;
		if (cell.kind == CELL_COUNT || cell.kind == CELL_SIGNED || cell.kind == CELL_REAL)
			p->right[i] = true;
		if (p->wide) {
			put_padded(p, to, i);
		} else if (GROW(p->kept, p->n_kept, p->room_kept)) {
			p->widths[i] = width_of(&text) > p->widths[i] ? width_of(&text) : p->widths[i];
			p->bytes_kept += text.len + sizeof text;
			p->kept[p->n_kept++] = text;
		} else {
			buf_free(&text);
			p->buf.failed = true;
		}
	}
	if (p->wide)
		buf_char(&p->buf, '\n');
	else if (p->n_kept >= (size_t)KEPT_ROWS * (size_t)p->n_columns || p->bytes_kept > KEPT_BYTES)
		table_settle(p);
}

static void nothing(UNUSED struct printer *p) {}

static const struct form {
	void (*head)(struct printer *p);
	void (*row)(struct printer *p);
	void (*end)(struct printer *p);
} csv_form = {csv_head, csv_row, nothing}, json_form = {json_head, json_row, nothing},
  markdown_form = {markdown_head, markdown_row, nothing}, table_form = {nothing, table_row, table_settle};

static const struct form *form_of(const struct options *o)
{
	return o->csv ? &csv_form : o->json ? &json_form : o->markdown ? &markdown_form : &table_form;
}

/* --- the command ---------------------------------------------------------------------------------------------------------- */

static int say_sql(int code, const struct sql_error *e)
{
	report_work_over();
	if (code == EVL_CANCELLED)
		return EXIT_INTERRUPTED;
	if (e->at)
		say_error("query: %s, at character %zu", e->text, e->at);
	else
		say_error("query: %s", e->text);
	return code == EVL_NOMEM ? EXIT_FAILURE : EXIT_USAGE;
}

/* Print all rows. */
static int run(struct sql *s, struct printer *p, const struct form *form)
{
	struct sql_error error;
	int status = SQLITE_ROW;
	bool headed = false;
	while (p->going && !p->buf.failed && (status = sqlite3_step(p->statement)) == SQLITE_ROW) {
		if (!headed)
			form->head(p);
		headed = true;
		form->row(p);
		flush(p, FLUSH_AT);
	}
	if (p->going && status != SQLITE_ROW && status != SQLITE_DONE) {
		int code = sql_failed(s, &error);
		flush(p, 1);
		return say_sql(code, &error);
	}
	if (!headed && p->going && !p->buf.failed)
		form->head(p);
	if (!p->buf.failed)
		form->end(p);
	if (p->buf.failed) {
		say_error("query: %s", evl_strerror(EVL_NOMEM));
		return EXIT_FAILURE;
	}
	flush(p, 1);
	return out_status(p->out);
}

static int prepare_and_run(struct sql *s, const struct options *o, const char *text)
{
	struct out out = out_open();
	struct printer p = {.out = &out, .going = true, .spreadsheet = o->spreadsheet};
	struct sql_error error = {.at = 0};
	int result = sql_prepare(s, text, &p.statement, &error);
	for (int i = 0; i < o->n_params && result == 0; i++)
		result = sql_bind(p.statement, o->params[i], &error);
	if (result == 0)
		result = sql_all_bound(p.statement, o->params, (size_t)o->n_params, &error);
	p.n_columns = result == 0 ? sqlite3_column_count(p.statement) : 0;
	p.widths = calloc((size_t)p.n_columns + 1, sizeof *p.widths);
	p.right = calloc((size_t)p.n_columns + 1, sizeof *p.right);
	p.nth = calloc((size_t)p.n_columns + 1, sizeof *p.nth);
	p.buf.failed = !p.widths || !p.right || !p.nth;
	out.gated = result == 0 && isatty(out.fd) && !o->json; /* JSON escapes by itself */
	int status = result < 0 ? say_sql(result, &error) : run(s, &p, form_of(o));
	sqlite3_finalize(p.statement);
	for (size_t i = 0; i < p.n_kept; i++)
		buf_free(&p.kept[i]);
	free_all(p.kept, p.widths, p.nth, p.right);
	buf_free(&p.key);
	buf_free(&p.buf);
	return status;
}

int report_query(struct evl_log **logs, char **names, size_t n, const struct options *o, const char *text)
{
	struct sql sql = {0};
	struct sql_log *all = calloc(n + 1, sizeof *all);
	const atomic_bool *cancelled = report_cancellable();
	int result = all ? 0 : EVL_NOMEM, status;
	for (size_t i = 0; i < n && result == 0; i++)
		all[i] = (struct sql_log){logs[i], names[i]};
	struct progress work = report_work("computing");
	result = result == 0 ? sql_open(&sql, all, n, cancelled) : result;
	sql.watch = &work;
	status = result < 0 ? report_fail(logs[0], result) : prepare_and_run(&sql, o, text);
	report_work_over();
	sql_close(&sql);
	free(all);
	return atomic_load(cancelled) && status != EXIT_USAGE ? EXIT_INTERRUPTED : status;
}

int report_schema(bool many)
{
	struct out out = out_open();
	struct buf text = {0};
	sql_schema(&text, many);
	out_put(&out, text.p, text.len);
	buf_free(&text);
	return out_status(&out);
}

/* The statement itself, or that of the question of this name. */
static char *text_of(const char *word)
{
	char folder[STATE_PATH];
	struct questions questions = {0};
	bool named = questions_is_name(word)
		&& questions_open(&questions, config_path(folder, "queries") ? folder : NULL) == 0;
	const struct question *q = named ? questions_find(&questions, word) : NULL;
	char *text = strdup(q ? q->text : word);
	questions_free(&questions);
	return text;
}

char *report_query_text(const struct options *o, int *status)
{
	*status = 0;
	if (o->csv + o->json + o->markdown > 1)
		*status = options_refuse("query: --csv, --json and --markdown exclude each other", "");
	if (*status || o->schema)
		return NULL;
	char *text = o->sql_file ? report_text(o->sql_file, "more than 1 MB") : text_of(o->words[0]);
	if (!text)
		*status = EXIT_FAILURE;
	return text;
}
