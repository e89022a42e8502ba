#include "jobs/source_job.h"

#include "base/utf8.h"
#include "exe/source_find.h"
#include "prof/source_loc.h"
#include "query/source_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct source_job {
	const struct evl_log *log;
	const char *dir;
	struct source_lines lines; /* of [from, to) */
	uint64_t from, to;
	bool has_lines;
};

static void put_text(char *out, size_t room, struct evl_str s)
{
	size_t n = utf8_cut(s, room - 1).len;
	for (size_t i = 0; i < n; i++)
		out[i] = s.p[i] ? (char)s.p[i] : ' ';
	out[n] = 0;
}

static int sum_lines(struct source_job *job, const struct source_ask *q, const atomic_bool *cancel)
{
	if (job->has_lines && job->from == q->from && job->to == q->to)
		return 0;
	source_lines_free(&job->lines);
	int result = source_lines_make(&job->lines, job->log, q->from, q->to, cancel);
	job->has_lines = result == 0;
	job->from = q->from;
	job->to = q->to;
	return result;
}

static void put_cost(const struct source_job *job, struct source_row *row, const struct source_line *line)
{
	row->samples = line ? line->samples : 0;
	row->bytes = line ? line->bytes : 0;
	row->time = line ? source_time_share(&job->lines, line) : NAN;
	row->heap = line ? source_heap_share(&job->lines, line) : NAN;
}

static const struct source_line *line_at(const struct source_job *job, struct evl_str file, uint32_t line)
{
	for (size_t i = 0; i < job->lines.n; i++)
		if (job->lines.items[i].line == line && str_order(job->lines.items[i].file, file) == 0)
			return &job->lines.items[i];
	return NULL;
}

static void put_names(const struct source_job *job, char *out, size_t room, const struct source_line *line)
{
	struct buf names = {0};
	source_line_names(&job->lines, line, &names);
	put_text(out, room, buf_slice(&names, 0, names.len));
	buf_free(&names);
}

/* The lines around the one that is shown. */
static void put_source(
	const struct source_job *job, struct source_page *page, struct evl_str file, struct evl_str source)
{
	uint32_t rows = page->ask.rows < SOURCE_ROWS ? page->ask.rows : SOURCE_ROWS, above = rows / 3,
		 first = page->line > above ? page->line - above : 1;
	for (uint32_t line = 1; source.len && line < first + rows; line++) {
		const uint8_t *end = memchr(source.p, '\n', source.len);
		struct evl_str text = {source.p, end ? (size_t)(end - source.p) : source.len};
		size_t used = text.len + (end != NULL);
		source = (struct evl_str){source.p + used, source.len - used};
		if (line < first)
			continue;
		struct source_row *row = &page->rows[page->n++];
		row->line = line;
		put_text(row->text, sizeof row->text, text);
	}
	for (size_t i = 0; i < page->n; i++)
		put_cost(job, &page->rows[i], NULL);
	for (size_t i = 0; i < job->lines.n; i++) {
		const struct source_line *l = &job->lines.items[i];
		if (l->line >= first && l->line < first + page->n && str_order(l->file, file) == 0)
			put_cost(job, &page->rows[l->line - first], l);
	}
}

/* Without the file: its lines that cost anything, most costly first. */
static void put_lines(const struct source_job *job, struct source_page *page, struct evl_str file)
{
	uint32_t rows = page->ask.rows < SOURCE_ROWS ? page->ask.rows : SOURCE_ROWS;
	for (size_t i = 0; i < job->lines.n && page->n < rows; i++) {
		const struct source_line *l = &job->lines.items[i];
		if (str_order(l->file, file) != 0)
			continue;
		struct source_row *row = &page->rows[page->n++];
		row->line = l->line;
		put_names(job, row->text, sizeof row->text, l);
		put_cost(job, row, l);
	}
}

static void show(
	const struct source_job *job, struct source_page *page, struct evl_str file, uint32_t line, uint32_t col)
{
	enum { MOST = 64 << 20 };
	struct exe *exe = evl_naming(job->log).exe;
	const struct source_places places = {job->dir, exe ? exe_path(exe) : NULL, job->log->path};
	const struct source_line *cost = line_at(job, file, line);
	struct source source;
	char path[SOURCE_PATH], at[SOURCE_PLACE];
	put_text(at, sizeof at - 32, file);
	snprintf(page->place, sizeof page->place, col ? "%.*s:%u:%u" : "%.*s:%u", SOURCE_PLACE - 32, at, line, col);
	page->line = line;
	page->hot = cost ? (uint32_t)(cost - job->lines.items) + 1 : 0;
	if (cost)
		put_names(job, page->name, sizeof page->name, cost);
	page->found = source_find(file, &places, path) && source_open(&source, path, NULL) == 0;
	if (!page->found) {
		put_lines(job, page, file);
		return;
	}
	if (source.len <= MOST)
		put_source(job, page, file, (struct evl_str){source.data, source.len});
	source_close(&source);
}

static void find(void *ctx, const void *question, const struct progress *watch, void *answer)
{
	struct source_job *job = ctx;
	struct source_page *page = answer;
	struct source_loc loc;
	page->ask = *(const struct source_ask *)question;
	page->result = sum_lines(job, &page->ask, watch->cancel);
	if (page->result < 0)
		return;
	page->n_hot = (uint32_t)job->lines.n;
	page->samples = job->lines.samples;
	const struct evl_str location = {(const uint8_t *)page->ask.location, strlen(page->ask.location)};
	if (page->ask.hot && page->ask.hot <= job->lines.n) {
		const struct source_line *l = &job->lines.items[page->ask.hot - 1];
		show(job, page, l->file, l->line, l->col);
	} else if (source_loc_parse(location, &loc) && loc.line) {
		show(job, page, loc.file, loc.line, loc.col);
	}
}

static void close_job(void *ctx)
{
	struct source_job *job = ctx;
	source_lines_free(&job->lines);
	free(job);
}

struct answer_job *source_job_new(const struct evl_log *log, const char *dir, void (*wake)(void *), void *wake_ctx)
{
	static const struct answer_ops ops = {.question = sizeof(struct source_ask),
		.answer = sizeof(struct source_page),
		.find = find,
		.close = close_job};
	struct source_job *job = calloc(1, sizeof *job);
	if (job)
		*job = (struct source_job){.log = log, .dir = dir};
	return job_new(&ops, job, wake, wake_ctx);
}
