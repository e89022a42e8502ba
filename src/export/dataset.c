/* dataset.c - a folder of tables of many logs. */
#include "export/dataset.h"

#include "base/order.h"
#include "export/export.h"

#include "sys/retry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

static const char progress_name[] = ".progress";

static const char *folder_of(const struct rows_table *t) { return t == rows_table(ROWS_events) ? "event" : t->name; }

static bool is_wanted(const struct dataset *d, int i) { return i != ROWS_events || d->raw; }

static int fail(struct evl_err *err, const char *path)
{
	int code = errno == ENOMEM ? EVL_NOMEM : EVL_IO;
	return evl_fail(err, code, EVL_NO_OFFSET, "%.140s: %s", path, strerror(errno));
}

/* --- the files of a log ----------------------------------------------------------------------------------------------- */

/* Return the character that replaces c, of a log's name, in the name of a file. Names of files have no tabs and no line
 * feeds, as these separate the fields and lines of .progress. */
static char in_file_name(char c) { return (char)(c == '/' || (unsigned char)c < ' ' ? '_' : c); }

/* "gc/x.csv.zst"; temporary: another name in the same folder. Return false if it is too long. */
static bool path_of(
	const struct dataset *d, const struct rows_table *t, const char *name, bool temporary, char *out, size_t room)
{
	size_t at = (size_t)snprintf(out, room, "%s/%s", folder_of(t), temporary ? "." : "");
	for (const char *p = name; *p && at + 1 < room; p++)
		out[at++] = in_file_name(*p);
	if (at + 1 >= room)
		return false;
	at += (size_t)snprintf(out + at, room - at, ".%s%s%s", d->jsonl ? "jsonl" : "csv", d->compress ? ".zst" : "",
		temporary ? ".new" : "");
	return at < room;
}

enum { PATH_ROOM = 320 };

struct writer {
	int fd;
	struct buf buf;
#ifdef HAVE_ZSTD
	ZSTD_CCtx *zstd; /* NULL: plain */
#endif
};

static int write_plain(struct writer *w)
{
	bool good = !w->buf.len || write_all(w->fd, w->buf.p, w->buf.len);
	buf_clear(&w->buf);
	return good ? 0 : EVL_IO;
}

#ifdef HAVE_ZSTD
static int write_packed(struct writer *w, bool end)
{
	enum { PIECE = 64 << 10 };
	char out[PIECE];
	ZSTD_inBuffer in = {w->buf.p, w->buf.len, 0};
	for (size_t left = 1; left || in.pos < in.size;) {
		ZSTD_outBuffer to = {out, sizeof out, 0};
		left = ZSTD_compressStream2(w->zstd, &to, &in, end ? ZSTD_e_end : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return EVL_NOMEM;
		if (to.pos && !write_all(w->fd, out, to.pos))
			return EVL_IO;
		if (!end && in.pos == in.size)
			break;
	}
	buf_clear(&w->buf);
	return 0;
}
#endif

static int pass_on(struct writer *w, UNUSED bool end)
{
	if (w->buf.failed)
		return EVL_NOMEM;
#ifdef HAVE_ZSTD
	if (w->zstd)
		return write_packed(w, end);
#endif
	return write_plain(w);
}

/* Columns that each row begins with: the name of the log. */
static void put_start(const struct dataset *d, struct buf *out, struct evl_str name)
{
	struct json j = {.out = out};
	if (d->jsonl) {
		buf_lit(out, "{\"log\":");
		json_str(&j, name);
	} else {
		cell_csv_text(out, name);
		buf_char(out, ',');
	}
}

static void put_row(const struct dataset *d, struct buf *out, struct rows_scan *scan, struct evl_str start)
{
	buf_str(out, start);
	size_t at = out->len;
	if (!d->jsonl) {
		rows_csv(out, scan, false);
		return;
	}
	rows_json(out, scan);
	if (!out->failed)
		out->p[at] = ','; /* in the place of the brace */
}

/* Create a file, in place of one that an export left when it was killed. The sandbox lets none be truncated. */
static int create(const struct dataset *d, const char *path)
{
	enum { FLAGS = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC };
	int fd = openat(d->dir, path, FLAGS, 0666);
	if (fd >= 0 || errno != EEXIST)
		return fd;
	unlinkat(d->dir, path, 0);
	return openat(d->dir, path, FLAGS, 0666);
}

/* A file of a table while it is written. */
struct table_file {
	struct writer w;
	const struct rows_table *table;
	uint64_t *n; /* rows */
	struct evl_str start;
	char path[PATH_ROOM];
};

static int open_file(struct dataset *d, struct table_file *p, const char *name, struct evl_err *err)
{
	p->w.fd = -1;
	errno = ENAMETOOLONG;
	if (!path_of(d, p->table, name, true, p->path, sizeof p->path) || (p->w.fd = create(d, p->path)) < 0)
		return fail(err, p->path);
#ifdef HAVE_ZSTD
	/* A window of 256 KB: seven tables are written at a time. The hash table of 8 KB stays in the first cache, and in
	 * rows the nearest matches are the best. The static program has no other level (tests/tools/static.ld). */
	enum { LEVEL = 1, WINDOW = 18, HASH = 11 };
	p->w.zstd = d->compress ? ZSTD_createCCtx() : NULL;
	if (d->compress && !p->w.zstd)
		return EVL_NOMEM;
	if (p->w.zstd) {
		ZSTD_CCtx_setParameter(p->w.zstd, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(p->w.zstd, ZSTD_c_windowLog, WINDOW);
		ZSTD_CCtx_setParameter(p->w.zstd, ZSTD_c_hashLog, HASH);
	}
#endif
	if (!d->jsonl) {
		buf_lit(&p->w.buf, "log,");
		rows_csv_head(&p->w.buf, p->table);
	}
	return 0;
}

/* Report a file that cannot be written. */
static int tell(int result, const struct table_file *p, struct evl_err *err)
{
	return result == EVL_IO ? fail(err, p->path) : result;
}

/* After result: write what is left, unless that is a code. Return the code. */
static int close_file(struct table_file *p, int result, struct evl_err *err)
{
	result = result < 0 ? result : tell(pass_on(&p->w, true), p, err);
	if (p->w.fd >= 0 && !close_written(p->w.fd) && result == 0)
		result = fail(err, p->path);
#ifdef HAVE_ZSTD
	ZSTD_freeCCtx(p->w.zstd);
#endif
	buf_free(&p->w.buf);
	return result;
}

static int add_row(const struct dataset *d, struct table_file *p, struct rows_scan *scan)
{
	enum { FLUSH_AT = 32 << 10 }; /* small enough that all tables stay in the cache */
	put_row(d, &p->w.buf, scan, p->start);
	++*p->n;
	if (scan->scratch.failed)
		return EVL_NOMEM;
	if (p->w.buf.len < FLUSH_AT)
		return 0;
	progress_tell(d->watch, 0);
	return pass_on(&p->w, false);
}

static int write_table(struct dataset *d, struct rows_source *source, const struct rows_table *t, const char *name,
	struct evl_str start, uint64_t *n, struct evl_err *err)
{
	struct table_file p = {.table = t, .n = n, .start = start};
	struct rows_scan scan = {.table = t, .source = source, .ask = ROWS_ALL};
	int result = open_file(d, &p, name, err);
	if (result == 0) {
		result = rows_open(&scan);
		while (result == 0 && (result = rows_next(&scan)) > 0)
			result = tell(add_row(d, &p, &scan), &p, err);
		rows_close(&scan);
		rows_source_drop(source, t);
	}
	return close_file(&p, result, err);
}

/* The tables of events, in one walk over the log. */
static int write_events(struct dataset *d, struct rows_source *source, const char *name, struct evl_str start,
	uint64_t rows[ROWS_TABLES], struct evl_err *err)
{
	struct rows_together *g = calloc(1, sizeof *g);
	struct table_file *files = calloc(ROWS_TABLES, sizeof *files);
	struct rows_scan *scan;
	int result = g && files ? 0 : EVL_NOMEM;
	size_t n = 0;
	for (int i = 0; i < ROWS_TABLES && result == 0; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		if (!rows_can_share(t))
			continue;
		g->scans[n] = (struct rows_scan){.table = t, .source = source, .ask = ROWS_ALL};
		files[n] = (struct table_file){.table = t, .n = &rows[i], .start = start};
		result = open_file(d, &files[n++], name, err);
	}
	if (result == 0) {
		g->n = n;
		result = rows_open_together(g);
		while (result == 0 && (result = rows_next_together(g, &scan)) > 0) {
			struct table_file *p = &files[scan - g->scans];
			result = tell(add_row(d, p, scan), p, err);
		}
		rows_close_together(g);
	}
	for (size_t i = 0; i < n; i++)
		result = close_file(&files[i], result, err);
	free_all(files, g);
	return result;
}

static void forget_files(const struct dataset *d, const char *name, bool temporary)
{
	char path[PATH_ROOM];
	for (int i = 0; i < ROWS_TABLES; i++)
		if (is_wanted(d, i) && path_of(d, rows_table((enum rows_id)i), name, temporary, path, sizeof path))
			unlinkat(d->dir, path, 0);
}

/* Return the table whose file tells that a log is in the folder. */
static const struct rows_table *telling_table(const struct dataset *d)
{
	return rows_table(d->raw ? ROWS_events : ROWS_gc);
}

static uint64_t key_of(const char *path) { return idmap_key((struct evl_str){(const uint8_t *)path, strlen(path)}); }

static int note(struct dataset *d, const char *path, const char *table, uint64_t rows)
{
	if (!GROW(d->files, d->n, d->room))
		return EVL_NOMEM;
	struct dataset_file *file = &d->files[d->n];
	*file = (struct dataset_file){strdup(path), table, rows, d->n};
	if (!file->path)
		return EVL_NOMEM;
	if (table == folder_of(telling_table(d)) && !idmap_put(&d->places, key_of(path), (uint32_t)d->n)) {
		free(file->path);
		return EVL_NOMEM;
	}
	d->n++;
	return 0;
}

/* Forget what was noted after the first n files, and written after the first `size` bytes of progress. */
static void take_back(struct dataset *d, size_t n, off_t size)
{
	while (d->n > n) {
		idmap_drop(&d->places, key_of(d->files[--d->n].path));
		free(d->files[d->n].path);
	}
	if (ftruncate(d->progress, size))
		d->torn = true;
}

/* Give the files their names, and note them. */
static int settle(struct dataset *d, const char *name, const uint64_t *rows, struct evl_err *err)
{
	char from[PATH_ROOM], to[PATH_ROOM];
	struct buf lines = {0};
	struct stat st;
	const size_t n = d->n;
	int result = 0;
	errno = EIO;
	if (d->torn || fstat(d->progress, &st))
		return fail(err, progress_name);
	for (int i = 0; i < ROWS_TABLES && result == 0; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		if (!is_wanted(d, i) || !path_of(d, t, name, true, from, sizeof from)
			|| !path_of(d, t, name, false, to, sizeof to))
			continue;
		result = renameat(d->dir, from, d->dir, to) ? fail(err, to) : note(d, to, folder_of(t), rows[i]);
		buf_cstr(&lines, to);
		buf_char(&lines, '\t');
		buf_cstr(&lines, folder_of(t));
		buf_char(&lines, '\t');
		buf_decimal(&lines, rows[i]);
		buf_char(&lines, '\n');
	}
	if (result == 0 && (lines.failed || !write_all(d->progress, lines.p, lines.len)))
		result = fail(err, progress_name);
	if (result < 0)
		take_back(d, n, st.st_size);
	buf_free(&lines);
	return result;
}

int dataset_add(struct dataset *d, const struct evl_log *log, const char *name, struct evl_err *err)
{
	struct rows_source source = {.log = log, .to = UINT64_MAX, .cancel = d->cancel, .all = true};
	uint64_t rows[ROWS_TABLES] = {0};
	struct buf start = {0};
	put_start(d, &start, (struct evl_str){(const uint8_t *)name, strlen(name)});
	int result = start.failed ? EVL_NOMEM : write_events(d, &source, name, buf_since(&start, 0), rows, err);
	for (int i = 0; i < ROWS_TABLES && result == 0; i++)
		if (is_wanted(d, i) && !rows_can_share(rows_table((enum rows_id)i)))
			result = write_table(
				d, &source, rows_table((enum rows_id)i), name, buf_since(&start, 0), &rows[i], err);
	rows_source_free(&source);
	buf_free(&start);
	pthread_mutex_lock(&d->lock);
	if (result == 0 && (result = settle(d, name, rows, err)) < 0)
		forget_files(d, name, false);
	pthread_mutex_unlock(&d->lock);
	if (result < 0)
		forget_files(d, name, true);
	return result;
}

static int by_file_name(const void *a, const void *b)
{
	const char *x = *(const char *const *)a, *y = *(const char *const *)b;
	while (*x && *y && in_file_name(*x) == in_file_name(*y)) {
		x++;
		y++;
	}
	return *x && *y ? ORDER((unsigned char)in_file_name(*x), (unsigned char)in_file_name(*y))
			: ORDER(*x != 0, *y != 0);
}

int dataset_clash(const char *const *names, size_t n, const char **clash)
{
	const char **sorted = calloc(n + 1, sizeof *sorted);
	*clash = NULL;
	if (!sorted)
		return EVL_NOMEM;
	memcpy(sorted, names, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, by_file_name);
	for (size_t i = 1; i < n && !*clash; i++)
		*clash = by_file_name(&sorted[i - 1], &sorted[i]) == 0 ? sorted[i] : NULL;
	free(sorted);
	return 0;
}

bool dataset_has(struct dataset *d, const char *name)
{
	char path[PATH_ROOM];
	struct stat st;
	uint32_t place;
	if (!path_of(d, telling_table(d), name, false, path, sizeof path) || fstatat(d->dir, path, &st, 0))
		return false;
	pthread_mutex_lock(&d->lock);
	bool found = idmap_find(&d->places, key_of(path), &place) && strcmp(d->files[place].path, path) == 0;
	pthread_mutex_unlock(&d->lock);
	return found;
}

/* --- the folder ------------------------------------------------------------------------------------------------------- */

static bool is_empty(int dir)
{
	int copy = fcntl(dir, F_DUPFD_CLOEXEC, 0);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
	bool empty = true;
	for (const struct dirent *e; list && (e = readdir(list));)
		empty = empty && (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0);
	if (list)
		closedir(list);
	return empty;
}

/* Lines of "path<TAB>table<TAB>rows" of an interrupted export. A truncated last line is removed; after an error the file
 * stays as it is. */
static int read_progress(struct dataset *d, struct evl_err *err)
{
	int fd = fcntl(d->progress, F_DUPFD_CLOEXEC, 0), result = 0;
	FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
	char line[PATH_ROOM + 64], path[PATH_ROOM], folder[64];
	unsigned long long rows;
	off_t whole = 0;
	if (!in) {
		result = fail(err, progress_name);
		if (fd >= 0)
			close(fd);
		return result;
	}
	rewind(in);
	while (result == 0 && fgets(line, sizeof line, in)) {
		whole = strchr(line, '\n') ? ftello(in) : whole;
		if (!strchr(line, '\n') || sscanf(line, "%319[^\t]\t%63[^\t]\t%llu", path, folder, &rows) != 3)
			continue;
		const struct rows_table *t = strcmp(folder, "event") == 0 ? rows_table(ROWS_events) : rows_find(folder);
		if (t)
			result = note(d, path, folder_of(t), rows);
	}
	if (ferror(in) || whole < 0)
		result = fail(err, progress_name);
	fclose(in);
	if (result == 0)
		d->torn = ftruncate(d->progress, whole) != 0;
	return result;
}

int dataset_open(struct dataset *d, const char *path, struct evl_err *err)
{
	pthread_mutex_init(&d->lock, NULL);
	d->progress = d->dir = -1;
	d->made = mkdir(path, 0777) == 0;
	if (!d->made && errno != EEXIST)
		return fail(err, path);
	d->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (d->dir < 0)
		return fail(err, path);
	bool empty = is_empty(d->dir);
	if (!empty && faccessat(d->dir, progress_name, F_OK, 0))
		return evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%.140s: is not a folder of a data set", path);
	d->made = d->made || empty;
	for (int i = 0; i < ROWS_TABLES; i++)
		if (is_wanted(d, i) && mkdirat(d->dir, folder_of(rows_table((enum rows_id)i)), 0777) && errno != EEXIST)
			return fail(err, path);
	d->progress = openat(d->dir, progress_name, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (d->progress < 0)
		return fail(err, path);
	int result = read_progress(d, err);
	d->opened = result == 0;
	return result;
}

/* --- types and manifest ----------------------------------------------------------------------------------------------- */

static const char *duck_type(enum unit unit)
{
	return unit == UNIT_TEXT                            ? "VARCHAR"
		: unit == UNIT_COUNT || unit == UNIT_MOMENT ? "UBIGINT"
		: unit_is_whole(unit)                       ? "BIGINT"
							    : "DOUBLE";
}

static const char *house_type(enum unit unit)
{
	return unit == UNIT_TEXT                            ? "Nullable(String)"
		: unit == UNIT_COUNT || unit == UNIT_MOMENT ? "Nullable(UInt64)"
		: unit_is_whole(unit)                       ? "Nullable(Int64)"
							    : "Nullable(Float64)";
}

static void put_schema(const struct dataset *d, struct buf *out, bool house)
{
	for (int i = 0; i < ROWS_TABLES; i++) {
		const struct rows_table *t = rows_table((enum rows_id)i);
		if (!is_wanted(d, i))
			continue;
		buf_lit(out, "CREATE TABLE IF NOT EXISTS \"");
		buf_cstr(out, folder_of(t));
		buf_cstr(out, house ? "\" (\n  \"log\" String" : "\" (\n  \"log\" VARCHAR");
		for (int k = 0; k < t->n_columns; k++) {
			buf_lit(out, ",\n  \"");
			table_column_name(out, &t->columns[k]);
			buf_lit(out, "\" ");
			buf_cstr(out, house ? house_type(t->columns[k].unit) : duck_type(t->columns[k].unit));
		}
		buf_cstr(out, house ? "\n) ENGINE = MergeTree ORDER BY log;\n\n" : "\n);\n\n");
	}
}

COMPARE_BY(by_path, struct dataset_file, strcmp(x->path, y->path) ?: RISING(number));

static void put_manifest(struct dataset *d, struct buf *out)
{
	struct json j = {.out = out};
	if (d->n)
		qsort(d->files, d->n, sizeof *d->files, by_path);
	json_open(&j, '{');
	json_put_open(&j, "files", '[');
	for (size_t i = 0; i < d->n; i++) {
		if (i + 1 < d->n && strcmp(d->files[i].path, d->files[i + 1].path) == 0)
			continue; /* it was written again */
		json_open(&j, '{');
		json_put_cstr(&j, "file", d->files[i].path);
		json_put_cstr(&j, "table", d->files[i].table);
		json_put_u64(&j, "rows", d->files[i].rows);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
	buf_char(out, '\n');
}

/* Under another name first, so that there is a whole file at any time. */
static int put_file(const struct dataset *d, const char *name, const struct buf *text, struct evl_err *err)
{
	char temporary[64];
	snprintf(temporary, sizeof temporary, ".%s.new", name);
	int fd = create(d, temporary);
	if (text->failed)
		errno = ENOMEM;
	bool good = fd >= 0 && !text->failed && write_all(fd, text->p, text->len);
	good = fd >= 0 && close_written(fd) && good;
	if (good && renameat(d->dir, temporary, d->dir, name) == 0)
		return 0;
	int result = fail(err, name);
	unlinkat(d->dir, temporary, 0);
	return result;
}

static void remove_all(const struct dataset *d, const char *path)
{
	for (int i = 0; i < ROWS_TABLES; i++)
		unlinkat(d->dir, folder_of(rows_table((enum rows_id)i)), AT_REMOVEDIR);
	unlinkat(d->dir, progress_name, 0);
	rmdir(path);
}

int dataset_close(struct dataset *d, const char *path, struct evl_err *err)
{
	struct buf text = {0};
	int result = 0;
	if (d->dir >= 0 && d->made && d->n == 0) {
		remove_all(d, path);
	} else if (d->opened) {
		put_schema(d, &text, false);
		result = put_file(d, "schema.sql", &text, err);
		buf_clear(&text);
		put_schema(d, &text, true);
		result = result ? result : put_file(d, "schema-clickhouse.sql", &text, err);
		buf_clear(&text);
		put_manifest(d, &text);
		result = result ? result : put_file(d, "manifest.json", &text, err);
	}
	buf_free(&text);
	for (size_t i = 0; i < d->n; i++)
		free(d->files[i].path);
	free(d->files);
	idmap_free(&d->places);
	if (d->progress >= 0)
		close(d->progress);
	if (d->dir >= 0)
		close(d->dir);
	pthread_mutex_destroy(&d->lock);
	return result;
}

/* A data set is of several logs: the command line makes it, not an export of one. */
int export_dataset(struct export *x)
{
	x->why = "a data set is written by evtui export dataset -o DIR LOG…";
	return EVL_USAGE;
}
