#include "log/index_cache.h"

#include "log/index_build.h"
#include "log/log_image.h"
#include "sys/retry.h"
#include "sys/worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A file is written in pieces as large as the pages that Linux maps at once. Each has a checksum. */
enum { FORMAT = 2, HEAD = INDEX_CACHE_HEAD, LINE = 64, PIECE = INDEX_CACHE_PIECE, PIECES = INDEX_CACHE_FILE / PIECE };

struct section {
	uint64_t off, len;
};

/* The start of a file. */
struct head {
	char magic[8];
	uint64_t format, sections, build, layout;
	struct source_id id;
	uint64_t sample, len; /* of the log; of the file */
	struct indexer_recalled walk;
	struct section table[LOG_SECTION_COUNT];
	uint64_t sums[PIECES]; /* of the pieces; the first is without the head */
	uint64_t sum;          /* of all before */
};
_Static_assert(sizeof(struct head) <= HEAD, "the sections begin after it");

static const char magic[] = "evtuiidx";

/* --- sums ------------------------------------------------------------------------------------------------------------ */

/* One changed bit changes the sum. */
static uint64_t mix(uint64_t sum, uint64_t number)
{
	sum ^= number;
	return (sum << 29 | sum >> 35) * 0xd6e8feb86659fd93;
}

static uint64_t mix_at(uint64_t sum, const uint8_t *p)
{
	uint64_t number;
	memcpy(&number, p, sizeof number);
	return mix(sum, number);
}

/* Four sums at a time, whose products a processor calculates at once. */
struct sum {
	uint64_t a, b, c, d;
};

enum { FOUR = sizeof(struct sum) };

static struct sum sum_begin(uint64_t seed, uint64_t n)
{
	uint64_t a = mix(seed, n), c = mix(a, 1);
	return (struct sum){a, ~a, c, ~c};
}

/* Add n bytes: a multiple of FOUR, but for the last ones. */
static void sum_add(struct sum *sum, const uint8_t *p, size_t n)
{
	enum { AHEAD = 1024 };
	struct sum s = *sum;
	uint8_t rest[FOUR] = {0};
	for (size_t left = n; left >= FOUR; left -= FOUR, p += FOUR) {
		__builtin_prefetch(p + AHEAD);
		s.a = mix_at(s.a, p);
		s.b = mix_at(s.b, p + 8);
		s.c = mix_at(s.c, p + 16);
		s.d = mix_at(s.d, p + 24);
	}
	if (n % FOUR) {
		memcpy(rest, p, n % FOUR);
		sum_add(&s, rest, FOUR);
	}
	*sum = s;
}

static uint64_t sum_end(const struct sum *s) { return mix(mix(mix(s->a, s->b), s->c), s->d); }

static uint64_t sum_of(uint64_t seed, const void *bytes, size_t n)
{
	struct sum s = sum_begin(seed, n);
	sum_add(&s, bytes, n);
	return sum_end(&s);
}

/* --- what a file is of ----------------------------------------------------------------------------------------------- */

/* Rows that are written as they are in memory. */
static uint64_t layout(void)
{
	const uint32_t sizes[] = {sizeof(struct tile), sizeof(struct tile_node), sizeof(struct block_row),
		sizeof(struct chain), sizeof(struct gc_row), sizeof(struct gc_pyramid_node), sizeof(struct thread_row),
		sizeof(struct span), sizeof(struct point), sizeof(struct series_row), sizeof(struct census_sample),
		sizeof(struct nm_row), sizeof(struct prof_page), sizeof(struct stack_node), sizeof(struct evl_log),
		sizeof(struct head), sizeof(void *), 1, TILE_BYTES, SERIES_DENSE, SPARK_STEP, sizeof(struct block_run)};
	return sum_of(sizes[17], sizes, sizeof sizes);
}

/* The header and pages all over the log, the last among them: a log that was rewritten within a tick of its time of
 * change is not the same. */
static uint64_t sample_of(const struct evl_log *log)
{
	enum { PAGES = 16, PAGE = 4096, MOST_HEAD = 256 << 10 };
	const struct source *src = &log->source;
	uint64_t h = sum_of(0, src->data, (size_t)min_u64(min_u64(log->header.data_off, src->len), MOST_HEAD));
	uint64_t last = sub_or_0(src->len, PAGE);
	source_advise(src, 0, src->len, SOURCE_RANDOM);
	for (uint64_t i = 0; i <= PAGES; i++) {
		uint64_t at = i == PAGES ? last : last / PAGES * i / PAGE * PAGE;
		h = sum_of(h, src->data + at, (size_t)min_u64(PAGE, src->len - at));
	}
	source_advise(src, 0, src->len, SOURCE_SEQUENTIAL);
	return h;
}

static struct head head_for(const struct evl_log *log)
{
	struct head h;
	memset(&h, 0, sizeof h); /* padding is summed up, too */
	memcpy(h.magic, magic, sizeof h.magic);
	h.format = FORMAT;
	h.sections = LOG_SECTION_COUNT;
	h.build = INDEX_BUILD;
	h.layout = layout();
	h.id = log->source.id;
	h.sample = sample_of(log);
	return h;
}

bool index_cache_path(const struct index_cache *c, const struct source_id *id, char *out)
{
	int n = *c->dir ? snprintf(out, INDEX_CACHE_PATH, "%s/%llx-%llx.index", c->dir, (unsigned long long)id->dev,
			(unsigned long long)id->ino)
			: -1;
	return n > 0 && n < INDEX_CACHE_PATH;
}

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Is it a log whose index is kept? Not one that was changed so lately that a further change might not show: where times are
 * whole seconds, within two of them. */
static bool is_kept(const struct index_cache *c, const struct evl_log *log)
{
	const struct source *src = &log->source;
	const int64_t second = 1000000000;
	int64_t latest = src->id.mtime > src->id.ctime ? src->id.mtime : src->id.ctime;
	int64_t settled = c->settled && src->id.mtime % second == 0 ? 2 * second : c->settled;
	return *c->dir && src->mapped && src->id.ino && !log->unpacked && !src->rewritten && !src->truncated
		&& !src->hole && !log->from_t && src->len == src->id.size && src->len >= c->least
		&& latest <= now() - settled;
}

/* --- reading --------------------------------------------------------------------------------------------------------- */

/* A whole file of this version of the program: the sections are within it. */
static bool head_is_good(const struct head *h, uint64_t len)
{
	uint64_t at = HEAD;
	if (h->sum != sum_of(FORMAT, h, offsetof(struct head, sum)) || memcmp(h->magic, magic, sizeof h->magic) != 0
		|| h->format != FORMAT || h->build != INDEX_BUILD || h->layout != layout()
		|| h->sections != LOG_SECTION_COUNT || h->len != len || len > INDEX_CACHE_FILE)
		return false;
	for (size_t i = 0; i < LOG_SECTION_COUNT; i++) {
		const struct section *s = &h->table[i];
		if (s->off != at || s->len % LINE || s->len > len - at)
			return false;
		at += s->len;
	}
	return at == len;
}

static const atomic_bool never;

static const uint8_t *piece_at(const uint8_t *file, size_t piece)
{
	return file + (piece ? (uint64_t)piece * PIECE : HEAD);
}

/* The rows in a piece are checked while they are in the processor's cache. */
static bool piece_is_good(const struct image *im, const uint8_t *file, const struct head *h, size_t piece)
{
	enum { CACHED = 128 << 10 };
	const uint8_t *p = piece_at(file, piece), *end = file + min_u64(h->len, (uint64_t)(piece + 1) * PIECE);
	struct sum sum = sum_begin(piece, (size_t)(end - p));
	for (size_t here; p < end; p += here) {
		here = (size_t)min_u64(CACHED, (size_t)(end - p));
		sum_add(&sum, p, here);
		if (!image_check_between(im, p, p + here))
			return false;
	}
	return sum_end(&sum) == h->sums[piece];
}

static size_t pieces_of(uint64_t len) { return (size_t)((len + PIECE - 1) / PIECE); }

static bool load_section(struct evl_log *log, const uint8_t *file, const struct section *s, enum log_section i)
{
	struct image *im = &log->image;
	im->p = file + s->off;
	im->len = s->len;
	im->at = 0;
	log_image(im, log, i);
	return image_require(im, im->len - im->at < LINE);
}

static bool load_sections(struct evl_log *log, const uint8_t *file, const struct head *h, const atomic_bool *cancel)
{
	bool good = true;
	for (size_t i = 0; i < LOG_SECTION_COUNT && good && !is_cancelled(cancel); i++)
		good = load_section(log, file, &h->table[i], (enum log_section)i);
	return good && log_image_complete(log) == 0;
}

/* Several threads take one piece after another. */
struct checking {
	const struct image *image;
	const struct source *file;
	const struct head *head;
	const atomic_bool *cancel;
	_Atomic size_t taken;
	atomic_bool bad;
};

static void *check(void *arg)
{
	struct checking *c = arg;
	size_t n = pieces_of(c->head->len);
	for (size_t i; !load_relaxed(&c->bad) && (i = atomic_fetch_add(&c->taken, 1)) < n;) {
		source_populate(c->file, (uint64_t)i * PIECE, PIECE);
		if (is_cancelled(c->cancel) || !piece_is_good(c->image, c->file->data, c->head, i))
			atomic_store(&c->bad, true);
	}
	return NULL;
}

static bool load(
	struct evl_log *log, const struct source *file, struct indexer_recalled *out, const atomic_bool *cancel)
{
	struct head h, want = head_for(log);
	if (file->len < HEAD)
		return false;
	memcpy(&h, file->data, sizeof h);
	if (!head_is_good(&h, file->len) || !source_id_same(&h.id, &want.id) || h.sample != want.sample)
		return false;
	image_load(&log->image, file->data, file->len);
	struct checking checking = {.image = &log->image, .file = file, .head = &h, .cancel = cancel};
	checking.bad = !load_sections(log, file->data, &h, cancel);
	workers_share((int)min_u64((uint64_t)workers_for(log->workers), pieces_of(file->len)), check, &checking);
	log->recalled = !checking.bad && !is_cancelled(cancel);
	*out = h.walk;
	if (log->recalled)
		return true;
	log_image_drop(log);
	image_free(&log->image);
	return false;
}

bool index_cache_load(struct evl_log *log, const uint8_t *file, uint64_t len, struct indexer_recalled *out)
{
	struct source src;
	source_from_memory(&src, file, len);
	return load(log, &src, out, &never);
}

/* Does it belong to this user, and may no other user touch it? */
static bool is_ours(const struct stat *st)
{
	return st->st_uid == geteuid() && (st->st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

static int open_kept(const char *path, struct stat *st)
{
	int fd = open_again(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
	if (fd >= 0 && fstat(fd, st) == 0 && S_ISREG(st->st_mode) && is_ours(st)
		&& (uint64_t)st->st_size <= INDEX_CACHE_FILE)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool read_head(int fd, uint64_t len, const struct source_id *id, struct head *h)
{
	return pread(fd, h, sizeof *h, 0) == (ssize_t)sizeof *h && head_is_good(h, len) && source_id_same(&h->id, id);
}

bool index_cache_recall(void *ctx, struct indexer_recalled *out, const atomic_bool *cancel)
{
	struct evl_log *log = ctx;
	char path[INDEX_CACHE_PATH];
	struct stat st;
	struct head h;
	log->may_keep = is_kept(log->cache, log);
	int fd = log->may_keep && index_cache_path(log->cache, &log->source.id, path) ? open_kept(path, &st) : -1;
	if (fd < 0)
		return false;
	log->cache_note = "the index in the cache does not match the log or this version, or is damaged";
	bool mapped = read_head(fd, (uint64_t)st.st_size, &log->source.id, &h)
		&& source_from_fd(&log->cached, fd, path, NULL) == 0;
	close(fd);
	if (!mapped)
		return false;
	if (load(log, &log->cached, out, cancel)) {
		log->cache_note = "the index was read from the cache";
		return true;
	}
	source_close(&log->cached);
	return false;
}

/* --- writing --------------------------------------------------------------------------------------------------------- */

struct writer {
	struct atomic_file *file;
	const atomic_bool *cancel;
	uint8_t *buffer; /* a piece */
	size_t n;
	struct head *head;
	size_t piece;
};

static bool flush(struct writer *w)
{
	size_t from = w->piece ? 0 : HEAD;
	if (w->n == 0 || w->piece >= PIECES)
		return w->n == 0;
	w->head->sums[w->piece] = sum_of(w->piece, w->buffer + from, w->n - from);
	w->piece++;
	bool good = !load_relaxed(w->cancel) && atomic_file_put(w->file, (const char *)w->buffer, w->n);
	w->n = 0;
	return good;
}

static bool put(void *ctx, const void *bytes, size_t n)
{
	struct writer *w = ctx;
	bool good = true;
	for (size_t at = 0, here; good && at < n; at += here) {
		here = (size_t)min_u64(n - at, PIECE - w->n);
		memcpy(w->buffer + w->n, (const uint8_t *)bytes + at, here);
		w->n += here;
		good = w->n < PIECE || flush(w);
	}
	return good;
}

static bool measure(UNUSED void *ctx, UNUSED const void *bytes, UNUSED size_t n) { return true; }

/* How large the file will be, from the numbers of rows alone; 0: it cannot be made. */
static uint64_t size_for(struct evl_log *log)
{
	struct image im;
	uint64_t size = HEAD;
	for (size_t i = 0; i < LOG_SECTION_COUNT; i++) {
		image_save(&im, measure, NULL);
		log_image(&im, log, (enum log_section)i);
		size += (im.at + LINE - 1) / LINE * LINE;
		if (im.bad)
			return 0;
	}
	return size;
}

/* Room for the head is in the first piece; the head comes last: a file without one is none. */
static bool write_file(struct evl_log *log, struct writer *w, struct head *h)
{
	static const uint8_t zeros[LINE];
	bool good = true;
	h->len = w->n = HEAD;
	for (size_t i = 0; i < LOG_SECTION_COUNT && good; i++) {
		struct image im;
		image_save(&im, put, w);
		log_image(&im, log, (enum log_section)i);
		size_t pad = (size_t)(-im.at & (LINE - 1));
		good = !im.bad && put(w, zeros, pad);
		h->table[i] = (struct section){h->len, im.at + pad};
		h->len += im.at + pad;
	}
	if (!good || !flush(w))
		return false;
	h->sum = sum_of(FORMAT, h, offsetof(struct head, sum));
	return pwrite(w->file->fd, h, sizeof *h, 0) == (ssize_t)sizeof *h;
}

/* --- the folder ------------------------------------------------------------------------------------------------------ */

/* Make it, with those above it: a folder of this user that no other user may write to. */
static bool make_folder(const char *dir)
{
	char path[INDEX_CACHE_PATH];
	struct stat st;
	snprintf(path, sizeof path, "%s", dir);
	for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
		if (slash)
			*slash = 0;
		if (mkdir(path, 0700) && errno != EEXIST && errno != EROFS && errno != EACCES)
			return false;
		if (!slash)
			break;
		*slash = '/';
	}
	return stat(dir, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid()
		&& (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

struct kept {
	char name[64];
	uint64_t size;
	int64_t used;
};

/* A temporary file that is older than a day was left by a process that was killed. */
static bool is_of_cache(const char *name, const struct stat *st)
{
	const time_t day = 24 * 60 * 60;
	const char *index = strstr(name, ".index"), *rest = index ? index + strlen(".index") : NULL;
	size_t len = rest ? strlen(rest) : 0, new = strlen(".new");
	if (!rest || index == name || !S_ISREG(st->st_mode))
		return false;
	return len == 0
		|| (*rest == '.' && len > new &&strcmp(rest + len - new, ".new") == 0
			&& st->st_mtim.tv_sec < now() / 1000000000 - day);
}

static bool stat_in(DIR *dir, const struct dirent *e, struct kept *out)
{
	struct stat st;
	size_t len = strlen(e->d_name);
	if (len >= sizeof out->name || fstatat(dirfd(dir), e->d_name, &st, AT_SYMLINK_NOFOLLOW)
		|| !is_of_cache(e->d_name, &st))
		return false;
	memcpy(out->name, e->d_name, len + 1);
	out->size = (uint64_t)st.st_size;
	out->used = st.st_atim.tv_sec > st.st_mtim.tv_sec ? st.st_atim.tv_sec : st.st_mtim.tv_sec;
	return true;
}

/* The longest unused; how large all are. All but the one of this name, which will be replaced. */
static bool oldest(DIR *dir, const char *but, struct kept *out, uint64_t *all)
{
	bool any = false;
	struct kept k;
	*all = 0;
	rewinddir(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		if (strcmp(e->d_name, but) == 0 || !stat_in(dir, e, &k))
			continue;
		*all += k.size;
		if (!any || k.used < out->used)
			*out = k;
		any = true;
	}
	return any;
}

/* Remove the oldest files until there is room for one of `size` bytes at the path. *room: how much there is then. */
static bool make_room(const struct index_cache *c, const char *path, uint64_t size, uint64_t *room)
{
	enum { MOST_FILES = 4096 };
	struct kept old;
	uint64_t all = 0;
	DIR *dir = size <= c->all ? opendir(c->dir) : NULL;
	bool good = dir;
	for (int i = 0;
		good && i < MOST_FILES && oldest(dir, strrchr(path, '/') + 1, &old, &all) && all + size > c->all; i++)
		good = unlinkat(dirfd(dir), old.name, 0) == 0 || errno == ENOENT;
	if (dir)
		closedir(dir);
	*room = sub_or_0(c->all, all);
	return good && size <= *room;
}

/* The largest file for a log. */
static uint64_t most_for(uint64_t log_len)
{
	const uint64_t small = 4 << 20; /* some tables have a size whatever the log has */
	return min_u64(INDEX_CACHE_FILE, max_u64(small, log_len / INDEX_CACHE_SHARE));
}

static bool begin(
	const struct index_cache *c, const struct source_id *id, uint64_t size, uint64_t *room, struct atomic_file *out)
{
	char path[INDEX_CACHE_PATH];
	struct stat st;
	struct evl_err err;
	if (!index_cache_path(c, id, path) || !make_folder(c->dir) || !make_room(c, path, size, room)
		|| (lstat(path, &st) == 0 && !S_ISREG(st.st_mode)) || atomic_file_begin(out, path, true, &err) < 0)
		return false;
	if (fchmod(out->fd, S_IRUSR | S_IWUSR) == 0)
		return true;
	atomic_file_end(out, false, NULL);
	return false;
}

/* How much room to make for the index of this log: as much as it takes already, if it is kept, else half of what it may
 * take at most, which few logs exceed: the others stay. */
static uint64_t room_for(const struct index_cache *c, const struct source_id *id)
{
	char path[INDEX_CACHE_PATH];
	struct stat st;
	struct head h;
	int fd = index_cache_path(c, id, path) ? open_kept(path, &st) : -1;
	bool is = fd >= 0 && read_head(fd, (uint64_t)st.st_size, id, &h);
	if (fd >= 0)
		close(fd);
	return is ? h.len : most_for(id->size) / 2;
}

void index_cache_prepare(struct index_cache *c, const char *path)
{
	struct stat st;
	struct evl_err err;
	c->is_confined = true;
	if (!*c->dir || !path || stat(path, &st) || !S_ISREG(st.st_mode) || (uint64_t)st.st_size < c->least)
		return;
	c->of = source_id_of(&st);
	if (!begin(c, &c->of, room_for(c, &c->of), &c->room, &c->file))
		return;
	c->is_ready = atomic_file_entrust(&c->file, &err) == 0;
	if (!c->is_ready)
		atomic_file_end(&c->file, false, NULL);
}

void index_cache_close(struct index_cache *c)
{
	if (atomic_exchange(&c->is_ready, false))
		atomic_file_end(&c->file, false, NULL);
}

/* The file to write to: the one that was opened for this log, or a new one. */
static bool take_file(struct index_cache *c, const struct source_id *id, uint64_t size, struct atomic_file *out)
{
	uint64_t room;
	if (!c->is_confined)
		return begin(c, id, size, &room, out);
	if (!source_id_same(&c->of, id) || size > c->room || !atomic_exchange(&c->is_ready, false))
		return false;
	*out = c->file;
	return true;
}

/* Is the file by that name still what was walked? */
static bool is_unchanged(const struct evl_log *log)
{
	struct stat st;
	if (stat(log->path, &st) || source_vanished(&log->source))
		return false;
	struct source_id id = source_id_of(&st);
	return source_id_same(&id, &log->source.id);
}

void index_cache_keep(void *ctx, const struct indexer_recalled *walked, const atomic_bool *cancel)
{
	struct evl_log *log = ctx;
	struct index_cache *c = log->cache;
	struct atomic_file file;
	bool keeps = log->may_keep && is_unchanged(log);
	if (keeps && c->figures)
		c->figures->make(log, cancel);
	uint64_t size = keeps ? size_for(log) : 0;
	if (size == 0 || size > most_for(log->source.len) || atomic_load(cancel)
		|| !take_file(c, &log->source.id, size, &file))
		return;
	struct head h = head_for(log);
	struct writer w = {.file = &file, .cancel = cancel, .buffer = calloc(1, PIECE), .head = &h};
	h.walk = *walked;
	bool good = w.buffer && write_file(log, &w, &h) && is_unchanged(log);
	free(w.buffer);
	if (atomic_file_end(&file, good, NULL) == 0 && good)
		log->cache_note = "the index was written to the cache";
}

/* --- settings -------------------------------------------------------------------------------------------------------- */

void index_cache_init(struct index_cache *c, const struct index_figures *figures)
{
	const int64_t tick = 20000000; /* of the kernel's clock for files: 1 to 10 ms */
	const char *dir = getenv("XDG_CACHE_HOME"), *home = getenv("HOME"), *least = getenv("EVTUI_CACHE_LEAST");
	*c = (struct index_cache){
		.least = INDEX_CACHE_LEAST, .all = INDEX_CACHE_ALL, .settled = tick, .figures = figures};
	int n = 0;
	if (dir && *dir == '/')
		n = snprintf(c->dir, sizeof c->dir, "%s/evtui", dir);
	else if (home && *home == '/')
		n = snprintf(c->dir, sizeof c->dir, "%s/.cache/evtui", home);
	if (n <= 0 || (size_t)n >= sizeof c->dir)
		*c->dir = 0;
	if (least && is_digit(*least))
		c->least = strtoull(least, NULL, 10);
}

bool index_cache_section(const uint8_t *file, uint64_t len, size_t i, uint64_t *off, uint64_t *n)
{
	struct head h;
	if (len < HEAD || i >= LOG_SECTION_COUNT)
		return false;
	memcpy(&h, file, sizeof h);
	*off = h.table[i].off;
	*n = h.table[i].len;
	return *off <= len && *n <= len - *off;
}

void index_cache_forge(uint8_t *file, uint64_t len)
{
	struct head h;
	if (len < HEAD)
		return;
	memcpy(&h, file, sizeof h);
	for (size_t i = 0; i < pieces_of(len) && i < PIECES; i++) {
		const uint8_t *p = piece_at(file, i), *end = file + min_u64(len, (uint64_t)(i + 1) * PIECE);
		h.sums[i] = sum_of(i, p, (size_t)(end - p));
	}
	h.sum = sum_of(FORMAT, &h, offsetof(struct head, sum));
	memcpy(file, &h, sizeof h);
}
