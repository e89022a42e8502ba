/* report_annotate.c - `evtui annotate`: source lines with their time and memory, as a page, a list for editors, or JSON. */
#include "cli/report.h"

#include "base/order.h"
#include "base/printable.h"
#include "cli/page.h"
#include "draw/say.h"
#include "draw/text.h"
#include "exe/exe.h"
#include "exe/source_find.h"
#include "query/source_lines.h"

#include <math.h>
#include <stdlib.h>

enum { SHARE_W = 6, COUNT_W = 8, BYTES_W = 8, RATE_W = 10, TOP_LINES = 40, SOURCE_MOST = 64 << 20 };

static bool is_wanted(const struct source_line *line, struct evl_str file)
{
	return file.len == 0 || source_is(line->file, file);
}

/* --- for editors: FILE:LINE:COL: 12.3% 45 MB name -------------------------------------------------------------------- */

/* Share of the line's time or, without a time profile, of the heap. */
static void put_cost(struct buf *out, const struct source_lines *s, const struct source_line *line)
{
	buf_cstr(out, as_share(s->samples ? source_time_share(s, line) : source_heap_share(s, line)));
	if (line->bytes > 0) {
		buf_char(out, ' ');
		buf_cstr(out, as_bytes((uint64_t)line->bytes));
	}
}

/* The names whose code is on the line. */
static void put_names(struct buf *out, const struct source_lines *s, const struct source_line *line)
{
	struct buf names = {0};
	source_line_names(s, line, &names);
	printable_put(out, buf_slice(&names, 0, names.len), (struct printable){0});
	out->failed = out->failed || names.failed;
	buf_free(&names);
}

static void put_quickfix(
	struct buf *out, const struct source_lines *s, const struct source_line *line, const char *path)
{
	printable_put(out, path ? str_of(path) : line->file, (struct printable){0});
	buf_char(out, ':');
	buf_decimal(out, line->line);
	buf_char(out, ':');
	buf_decimal(out, line->col ? line->col : 1);
	buf_lit(out, ": ");
	put_cost(out, s, line);
	buf_char(out, ' ');
	put_names(out, s, line);
	buf_char(out, '\n');
}

/* Paths are those of files that exist, as far as they are found. */
static void list_quickfix(
	struct buf *out, const struct source_lines *s, struct evl_str file, const struct source_places *places)
{
	struct evl_str last = {0};
	char path[SOURCE_PATH];
	bool found = false;
	for (size_t i = 0; i < s->n; i++) {
		if (!is_wanted(&s->items[i], file))
			continue;
		if (i == 0 || str_order(last, s->items[i].file) != 0)
			found = source_find(s->items[i].file, places, path);
		last = s->items[i].file;
		put_quickfix(out, s, &s->items[i], found ? path : NULL);
	}
}

/* --- for people ---------------------------------------------------------------------------------------------------- */

static void put_heads(const struct page *p)
{
	page_cell(p, SHARE_W, "time");
	page_cell(p, COUNT_W, "samples");
	page_cell(p, BYTES_W, "live");
	page_cell(p, SHARE_W, "heap");
	page_cell(p, RATE_W, "growth");
}

/* line: NULL for one that nothing was sampled at. */
static void put_cells(const struct page *p, const struct source_lines *s, const struct source_line *line)
{
	bool time = line && s->samples && line->samples, heap = line && line->bytes > 0;
	page_cell(p, SHARE_W, time ? as_share(source_time_share(s, line)) : "");
	page_cell(p, COUNT_W, time ? as_count(line->samples) : "");
	page_cell(p, BYTES_W, heap ? as_bytes((uint64_t)line->bytes) : "");
	page_cell(p, SHARE_W, heap ? as_share(source_heap_share(s, line)) : "");
	page_cell(p, RATE_W, heap && !isnan(line->growth) ? as_value(UNIT_RATE, line->growth) : "");
}

static void put_names_of(struct page *p, const struct source_lines *s, const struct source_line *line)
{
	struct buf names = {0};
	source_line_names(s, line, &names);
	page_text(p, buf_slice(&names, 0, names.len));
	p->failed = p->failed || names.failed;
	buf_free(&names);
}

static void put_top(struct page *p, const struct source_lines *s)
{
	page_heading(p, "source lines by cost");
	put_heads(p);
	fputs("  place\n", p->out);
	for (size_t i = 0; i < s->n && i < TOP_LINES; i++) {
		put_cells(p, s, &s->items[i]);
		fputs("  ", p->out);
		page_text(p, s->items[i].file);
		fprintf(p->out, ":%u", s->items[i].line);
		if (s->items[i].col)
			fprintf(p->out, ":%u", s->items[i].col);
		fputs("  ", p->out);
		put_names_of(p, s, &s->items[i]);
		fputc('\n', p->out);
	}
	if (s->n > TOP_LINES)
		fprintf(p->out, "  and %zu more (--quickfix and --json list all)\n", s->n - TOP_LINES);
}

COMPARE_POINTERS_BY(by_line, struct source_line, RISING(line));

/* The lines of a file in its order, into a new array; NULL when memory is out. */
static const struct source_line **lines_of(const struct source_lines *s, struct evl_str file, size_t *n)
{
	const struct source_line **out = malloc((s->n + 1) * sizeof(struct source_line *));
	*n = 0;
	for (size_t i = 0; out && i < s->n; i++)
		if (str_order(s->items[i].file, file) == 0)
			out[(*n)++] = &s->items[i];
	if (out)
		qsort(out, *n, sizeof *out, by_line);
	return out;
}

static struct evl_str next_line(struct evl_str *rest)
{
	const uint8_t *end = memchr(rest->p, '\n', rest->len);
	struct evl_str line = {rest->p, end ? (size_t)(end - rest->p) : rest->len};
	size_t used = line.len + (end != NULL);
	rest->p += used;
	rest->len -= used;
	return line;
}

/* The whole file, each line after what it costs. */
static void put_source(const struct page *p, const struct source_lines *s, const struct source_line **lines, size_t n,
	struct evl_str source)
{
	size_t at = 0;
	put_heads(p);
	fputs("   line\n", p->out);
	for (unsigned number = 1; source.len; number++) {
		struct evl_str text = next_line(&source);
		put_cells(p, s, at < n && lines[at]->line == number ? lines[at] : NULL);
		fprintf(p->out, "  %5u  ", number);
		page_text(p, text);
		fputc('\n', p->out);
		while (at < n && lines[at]->line <= number)
			at++;
	}
	if (at < n)
		fprintf(p->out, "  and %zu lines past its end: the file has changed since it was compiled\n", n - at);
}

static void put_lines(struct page *p, const struct source_lines *s, const struct source_line **lines, size_t n)
{
	put_heads(p);
	fputs("   line\n", p->out);
	for (size_t i = 0; i < n; i++) {
		put_cells(p, s, lines[i]);
		fprintf(p->out, "  %5u  ", lines[i]->line);
		put_names_of(p, s, lines[i]);
		fputc('\n', p->out);
	}
}

static int put_file(
	struct page *p, const struct source_lines *s, struct evl_str file, const struct source_places *places)
{
	size_t n;
	const struct source_line **lines = lines_of(s, file, &n);
	char path[SOURCE_PATH];
	struct source source;
	if (!lines)
		return EVL_NOMEM;
	fputc('\n', p->out);
	page_text(p, file);
	fputc('\n', p->out);
	if (source_find(file, places, path) && source_open(&source, path, NULL) == 0) {
		if (source.len <= SOURCE_MOST)
			put_source(p, s, lines, n, (struct evl_str){source.data, source.len});
		source_close(&source);
	} else {
		put_lines(p, s, lines, n);
		fputs("  the source file was not found: name its directory with --src\n", p->out);
	}
	free(lines);
	return 0;
}

/* Each file that the path may mean: "Main.hs" is any Main.hs. */
static int put_files(
	struct page *p, const struct source_lines *s, struct evl_str file, const struct source_places *places)
{
	enum { MOST = 16 };
	struct evl_str put[MOST];
	size_t n = 0;
	int result = 0;
	for (size_t i = 0; i < s->n && n < MOST && result == 0; i++) {
		bool again = !is_wanted(&s->items[i], file);
		for (size_t k = 0; k < n && !again; k++)
			again = str_order(put[k], s->items[i].file) == 0;
		if (again)
			continue;
		put[n++] = s->items[i].file;
		result = put_file(p, s, s->items[i].file, places);
	}
	return result;
}

static int print_page(const struct source_lines *s, const struct options *o, struct evl_str file,
	const struct source_places *places, struct out *out)
{
	struct page page;
	if (!page_open(&page, o))
		return EVL_NOMEM;
	int result = 0;
	if (file.len)
		result = put_files(&page, s, file, places);
	else
		put_top(&page, s);
	return page_end(&page, result, out);
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static int nothing(const struct evl_log *log, const struct source_lines *s, struct evl_str file)
{
	if (s->n)
		say_error("%s: nothing was sampled in %.*s", log->path, (int)file.len, (const char *)file.p);
	else
		say_error("%s: no sample has a source line (profile with -p or -hc, or with -hi and -finfo-table-map)",
			log->path);
	return EXIT_FAILURE;
}

static int print(const struct source_lines *s, const struct options *o, struct evl_str file,
	const struct source_places *places, struct out *out)
{
	struct buf text = {0};
	struct json j = {.out = &text};
	if (!o->json && !o->quickfix)
		return print_page(s, o, file, places, out);
	if (o->quickfix)
		list_quickfix(&text, s, file, places);
	else
		source_lines_json(s, file, &j);
	if (o->json)
		buf_char(&text, '\n');
	return out_text(out, &text);
}

int report_annotate(struct evl_log *log, const struct options *o)
{
	struct source_lines s;
	struct range range = {0};
	struct out out = out_open();
	struct evl_str file = str_of(o->words[0]);
	bool any = false;
	if (o->json && o->quickfix)
		return options_refuse("--json and --quickfix exclude each other", "");
	int result, status = report_begin(log, o, &range);
	if (status)
		return status;
	struct exe *exe = evl_naming(log).exe;
	const struct source_places places = {o->src, exe ? exe_path(exe) : o->names.exe, log->path};
	result = source_lines_make(&s, log, range.from, range.to, NULL);
	if (result < 0)
		return report_fail(log, result);
	for (size_t i = 0; i < s.n && !any; i++)
		any = is_wanted(&s.items[i], file);
	if (any)
		result = print(&s, o, file, &places, &out);
	status = !any ? nothing(log, &s, file) : result < 0 ? report_fail(log, result) : out_status(&out);
	source_lines_free(&s);
	return status;
}
