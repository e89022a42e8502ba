/* figures.c - what one log costs, as a line of JSON: its index, in this process, and frames of the viewer.
 *
 *   figures LOG [THREADS] [ROUNDS]
 *   figures LOG THREADS walk        only walks, once
 *
 * Times in ms are medians. walk: of all events, by THREADS threads (0: one a processor), hop and closing included (not
 * with 0 ROUNDS); frame: the processor time of one frame, at a window that moves by a quarter each time, and the worst of
 * them; reading: the same while the log is being walked; jump: the processor time of the dearest kind of jump, in us. Under
 * callgrind the FRAMES of each zoom are a separate dump, named as they are here. */
#include "app/panes.h"
#include "state/jump.h"
#include "sys/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_START_INSTRUMENTATION (void)0
#define CALLGRIND_STOP_INSTRUMENTATION  (void)0
#define CALLGRIND_DUMP_STATS_AT(name)   (void)(name)
#endif

enum { ROWS = 50, COLS = 200, FRAMES = 60, MOST = 101, POLL_US = 2000 };

static double clock_ms(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts them. */
static double median(double *values, int n)
{
	qsort(values, (size_t)n, sizeof *values, by_value);
	return n ? values[n / 2] : 0;
}

static struct evl_log *opened(const char *path, int threads)
{
	struct evl_log *log;
	struct evl_err err = {0};
	if (evl_open(&log, path, &err) < 0) {
		fprintf(stderr, "figures: %s\n", err.text);
		exit(EXIT_FAILURE);
	}
	evl_use_threads(log, threads);
	return log;
}

static void start(struct evl_log *log)
{
	if (evl_start(log, NULL, NULL) < 0)
		exit(EXIT_FAILURE);
}

static double anonymous_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[256];
	double kb = 0;
	while (f && fgets(line, sizeof line, f))
		sscanf(line, "RssAnon: %lf", &kb);
	if (f)
		fclose(f);
	return kb;
}

/* Walk the whole log once. */
static double walk_ms(const char *path, int threads)
{
	double began = clock_ms(CLOCK_MONOTONIC);
	struct evl_log *log = opened(path, threads);
	start(log);
	if (evl_wait(log) < 0)
		exit(EXIT_FAILURE);
	evl_close(log);
	return clock_ms(CLOCK_MONOTONIC) - began;
}

struct face {
	struct pane_host host;
	struct canvas canvas;
};

static double frame_ms(struct face *f)
{
	double began = clock_ms(CLOCK_THREAD_CPUTIME_ID);
	model_refresh(&f->host.model);
	panes_draw(&f->host, &f->canvas);
	return clock_ms(CLOCK_THREAD_CPUTIME_ID) - began;
}

static void put_times(const char *name, double *values, int n)
{
	double middle = median(values, n);
	printf(",\"%s_ms\":%.3f,\"%s_worst_ms\":%.3f", name, middle, name, n ? values[n - 1] : 0);
}

/* Frames at a window that is `halvings` halvings of the whole. */
static void put_frames(struct face *f, const char *name, int halvings)
{
	double times[FRAMES];
	model_whole(&f->host.model, 0);
	for (int i = 0; i < halvings; i++)
		model_zoom(&f->host.model, 1, 2, 0);
	frame_ms(f);
	CALLGRIND_START_INSTRUMENTATION;
	for (int i = 0; i < FRAMES; i++) {
		model_pan(&f->host.model, i % 4 < 2 ? 1 : -1, 4, 0); /* never at the end, where it would not move */
		times[i] = frame_ms(f);
	}
	CALLGRIND_STOP_INSTRUMENTATION;
	CALLGRIND_DUMP_STATS_AT(name);
	put_times(name, times, FRAMES);
}

/* The longest of all jumps, from moments all over the log; the name of its kind too. */
static void put_jumps(struct face *f)
{
	static const struct {
		enum action action;
		const char *name;
	} kinds[] = {{ACT_NEXT_GC, "gc"}, {ACT_PREV_MAJOR, "major"}, {ACT_NEXT_MARKER, "marker"},
		{ACT_NEXT_MESSAGE, "message"}, {ACT_PREV_MESSAGE, "message back"}, {ACT_NEXT_PHASE, "phase"},
		{ACT_NEXT_SPARKS, "sparks"}, {ACT_PREV_SPARKS, "sparks back"}, {ACT_NEXT_IDLE, "idle"},
		{ACT_PREV_IDLE, "idle back"}, {ACT_NEXT_BLOCK, "block"}, {ACT_PREV_BLOCK, "block back"},
		{ACT_NEXT_LONGEST, "longest"}};
	struct model *m = &f->host.model;
	double worst = 0;
	const char *which = "";
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		double times[FRAMES];
		for (int k = 0; k < FRAMES; k++) {
			struct jumper jumper = {0};
			model_whole(m, 0);
			model_goto(m, m->first + (m->last - m->first) / FRAMES * (uint64_t)k, 0);
			double began = clock_ms(CLOCK_THREAD_CPUTIME_ID);
			jump(&jumper, m, kinds[i].action, 0);
			times[k] = clock_ms(CLOCK_THREAD_CPUTIME_ID) - began;
		}
		double typical = median(times, FRAMES);
		if (typical > worst)
			worst = typical, which = kinds[i].name;
	}
	printf(",\"jump_us\":%.1f,\"jump_kind\":\"%s\"", worst * 1e3, which);
}

/* A viewer on the log, from its first picture on. */
static void put_face(const char *path, int threads)
{
	struct face f = {0};
	double times[MOST];
	int n = 0;
	struct evl_log *log = opened(path, threads);
	start(log);
	f.host = (struct pane_host){.log = log, .theme = THEME_DARK, .pending = ""};
	model_init(&f.host.model, log);
	if (!panes_open(&f.host) || canvas_resize(&f.canvas, ROWS, COLS) < 0)
		exit(EXIT_FAILURE);
	while (!evl_progress(log).done) {
		double t = frame_ms(&f);
		if (n < MOST && evl_progress(log).ready)
			times[n++] = t;
		usleep(POLL_US);
	}
	put_times("reading", times, n);
	put_frames(&f, "wide", 1);
	put_frames(&f, "middle", 8);
	put_frames(&f, "deep", 14);
	put_jumps(&f);
	printf(",\"events\":%llu,\"bytes\":%llu,\"index_bytes\":%llu,\"anonymous_kb\":%.0f",
		(unsigned long long)evl_progress(log).events, (unsigned long long)log->source.len,
		(unsigned long long)evl_index_bytes(log), anonymous_kb());
	panes_close(&f.host);
	canvas_free(&f.canvas);
	evl_close(log);
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 0, rounds = argc > 3 ? atoi(argv[3]) : 5;
	double walks[MOST];
	sys_heap_frugal(); /* as the program does */
	if (argc < 2 || threads < 0 || rounds < 0 || rounds > MOST) {
		fprintf(stderr, "usage: figures LOG [THREADS] [ROUNDS]\n");
		return EXIT_FAILURE;
	}
	if (argc > 3 && strcmp(argv[3], "walk") == 0)
		return walk_ms(argv[1], threads) < 0;
	for (int i = 0; i < rounds; i++)
		walks[i] = walk_ms(argv[1], threads);
	printf("{\"walk_ms\":%.2f", median(walks, rounds));
	put_face(argv[1], threads);
	puts("}");
	return EXIT_SUCCESS;
}
