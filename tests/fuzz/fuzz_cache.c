/* A cached index with evil values in it, whose checksums are right: it is refused, or all questions to it are answered within
 * the tables, whatever the answers are.
 *
 * The input: which log; then edits of 14 bytes: a section, how, where in it, and a number. */
#include "fuzz.h"

#include "index/event_find.h"
#include "log/index_cache.h"
#include "log/log_image.h"
#include "report/stats_json.h"
#include "rows/rows.h"
#include "sched/cap_shares.h"

#include <unistd.h>

enum { EDIT = 14, MOST_EDITS = 16, MOST_ROWS = 300, COLS = 9 };

static const char *const paths[] = {"tests/fuzz/corpus/reader/gc", "tests/fuzz/corpus/reader/two-caps",
	"tests/fuzz/corpus/reader/nonmoving", "tests/fuzz/corpus/reader/small-blocks",
	"tests/fuzz/corpus/reader/profiles", "tests/logs/9.0.2-mixer-N4-full.eventlog",
	"tests/logs/9.0.2-trouble-sparks.eventlog", "tests/logs/calls.eventlog",
	"tests/logs/9.10.3-profmix-p-hc.eventlog", "tests/logs/9.6.6-nonmover-N2.eventlog"};

static struct genuine {
	uint8_t *file;
	uint64_t len;
} all[countof(paths)];

static struct evl_log *opened(const char *path, struct index_cache *cache)
{
	struct evl_log *log;
	struct evl_err err = {0};
	check(evl_open(&log, path, &err) == 0);
	evl_use_threads(log, 1);
	evl_use_cache(log, cache);
	return log;
}

/* The file that is kept of a log. */
static void make(struct genuine *g, const char *path)
{
	static struct index_cache cache;
	char folder[] = "/tmp/fuzz-cache-XXXXXX", file[INDEX_CACHE_PATH];
	check(mkdtemp(folder));
	cache = (struct index_cache){.all = INDEX_CACHE_ALL, .figures = &figures_kept};
	snprintf(cache.dir, sizeof cache.dir, "%s", folder);
	struct evl_log *log = opened(path, &cache);
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0);
	check(index_cache_path(&cache, &log->source.id, file));
	FILE *f = fopen(file, "rb");
	check(f && fseek(f, 0, SEEK_END) == 0);
	g->len = (uint64_t)ftell(f);
	rewind(f);
	g->file = malloc(g->len);
	check(g->file && fread(g->file, 1, g->len, f) == g->len);
	fclose(f);
	evl_close(log);
	unlink(file);
	rmdir(folder);
}

static uint64_t get(const uint8_t *p, int n)
{
	uint64_t v = 0;
	while (n-- > 0)
		v = v << 8 | p[n];
	return v;
}

static void edit(uint8_t *file, uint64_t size, const uint8_t *e)
{
	static const uint8_t widths[] = {8, 4, 2, 1, 8, 4, 2, 1};
	uint64_t off, len, at = get(e + 2, 4), value = get(e + 6, 8);
	size_t n = widths[e[1] & 7];
	check(index_cache_section(file, size, e[0] % LOG_SECTION_COUNT, &off, &len));
	if (len < 8)
		return;
	at %= e[1] & 16 ? min_u64(len, 256) : len;
	at = min_u64(e[1] & 8 ? at : at / n * n, len - n);
	if ((e[1] & 7) >= 4)
		value += get(file + off + at, (int)n);
	for (size_t i = 0; i < n; i++)
		file[off + at + i] = (uint8_t)(value >> 8 * i);
}

/* --- questions ------------------------------------------------------------------------------------------------------- */

static void ask_rows(struct evl_log *log)
{
	struct rows_source source = {.log = log, .to = UINT64_MAX};
	for (int i = 0; i < ROWS_TABLES; i++) {
		struct rows_scan s = {.table = rows_table((enum rows_id)i), .source = &source, .ask = ROWS_ALL};
		struct buf line = {0};
		int result = rows_open(&s);
		for (int n = 0; result == 0 && n < MOST_ROWS && rows_next(&s) > 0; n++) {
			buf_clear(&line);
			rows_json(&line, &s);
		}
		rows_close(&s);
		buf_free(&line);
	}
	rows_source_free(&source);
}

static void ask_figures(struct evl_log *log)
{
	struct figures f;
	static struct findings findings;
	struct buf out = {0};
	const struct figures_ask ask = {.to = UINT64_MAX};
	if (figures_make(&f, log, &ask) == 0) {
		findings_make(&findings, log, &f);
		stats_json(log, &f, &findings, &out);
		figures_free(&f);
	}
	buf_free(&out);
}

static void ask_columns(struct evl_log *log, uint64_t t0, uint64_t t1)
{
	struct cap_column cols[COLS];
	struct gc_sum sums[COLS];
	struct spark_column sparks[COLS];
	struct heap_column heap[COLS];
	struct message_column messages[COLS];
	if (t1 <= t0 + COLS)
		return;
	for (int i = 0; i < COLS; i++) {
		struct nm_column nm;
		uint64_t longest, from = column_edge(t0, t1, COLS, i), to = column_edge(t0, t1, COLS, i + 1);
		struct point p;
		gcs_sum(&log->gcs, from, to, &sums[i]);
		nonmoving_column(&log->nonmoving, from, to, &nm);
		log_gaps_in(&log->gaps, from, to, &longest);
		points_in(&log->markers, from, to, &p);
		for (size_t k = 0; k < tasks_count(&log->tasks); k++)
			tasks_column(tasks_at(&log->tasks, k), from, to);
	}
	for (size_t i = 0; i < log->n_caps; i++) {
		uint32_t chain = log->cap_chains[i];
		const struct cap_shares_gcs gcs = {.gcs = &log->gcs, .columns = sums};
		cap_shares_columns(&log->blocks, &log->tiles[chain], chain, &gcs, t0, t1, COLS, cols);
	}
	sparks_columns(&log->sparks, t0, t1, COLS, sparks);
	heap_columns(&log->heap, HEAP_CURVE_SIZE, t0, t1, COLS, heap);
	messages_columns(&log->messages, &log->blocks, log->tiles, t0, t1, COLS, messages);
	const struct span_table *spans = spans_table(&log->spans);
	for (int row = 0; spans && row < spans->n_rows; row++) {
		struct span_sum sum = spans_in(spans, row, t0, t1);
		if (sum.first)
			spans_label(&log->blocks, sum.first);
	}
}

static void ask_jumps(struct evl_log *log, uint64_t *seed, uint64_t first, uint64_t last)
{
	for (int i = 0; i < COLS; i++) {
		struct found found;
		uint64_t t = first + fuzz_random(seed) % (last - first + 1);
		uint16_t tag = (uint16_t)(fuzz_random(seed) % 64);
		if (!header_find(&log->header, tag) || !header_find(&log->header, tag)->schema)
			continue;
		find_after(&log->blocks, log->tiles, tag, t, &found);
		find_before(&log->blocks, log->tiles, tag, t, &found);
		gcs_longest(&log->gcs, t, UINT64_MAX, NULL);
		gcs_before(&log->gcs, t, GC_MAJOR);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	uint64_t seed = fuzz_seed(data, len), first, last;
	if (len == 0)
		return 0;
	size_t which = data[0] % countof(paths);
	struct genuine *g = &all[which];
	struct indexer_recalled walk;
	if (!g->file)
		make(g, paths[which]);
	uint8_t *file = aligned_alloc(4096, (g->len + 4095) / 4096 * 4096);
	check(file);
	memcpy(file, g->file, g->len);
	for (size_t i = 0; i < MOST_EDITS && 1 + (i + 1) * EDIT <= len; i++)
		edit(file, g->len, data + 1 + i * EDIT);
	index_cache_forge(file, g->len);
	static struct index_cache none = {.figures = &figures_kept}; /* without a folder */
	struct evl_log *log = opened(paths[which], &none);
	bool loaded = index_cache_load(log, file, g->len, &walk);
	check(loaded || len > EDIT); /* a file as it was kept */
	if (loaded && evl_range(log, &first, &last)) {
		ask_columns(log, first, last);
		ask_columns(log, first, first + (last - first) / 100);
		ask_jumps(log, &seed, first, last);
		ask_rows(log);
		ask_figures(log);
	}
	evl_close(log);
	free(file);
	return 0;
}
