/* source_lines.h - what each source line costs: samples of the time profile, live bytes of the heap profile. */
#ifndef EVL_SOURCE_LINES_H
#define EVL_SOURCE_LINES_H

#include "base/json.h"
#include "log/log.h"

/* A line that anything was sampled at; place and name are those of what costs most there. */
struct source_line {
	struct evl_str file, name; /* as the log or the program has them */
	uint32_t line, col;        /* col 0: not known */
	uint64_t samples;          /* with the line innermost */
	double bytes;              /* the mean over the samples of the heap */
	double growth;             /* bytes a second; NAN: not known */
};

struct source_lines {
	struct source_line *items; /* most costly first: by samples, where there are any, then by bytes */
	size_t n, room;
	struct buf text;  /* files and names */
	uint64_t samples; /* of the program, with or without a place; 0: there is no time profile */
	double bytes;     /* the mean of the heap profile; 0: there is none */
};

/* Of [from, to); of the first heap profile. The walk must be over. Return 0, or EVL_NOMEM or EVL_CANCELLED with
 * nothing to free. */
int source_lines_make(struct source_lines *s, const struct evl_log *log, uint64_t from, uint64_t to,
	const atomic_bool *cancel) EVL_MUST_USE;
void source_lines_free(struct source_lines *s);

/* Shares of the program's samples, and of the heap; NAN where there is no such profile. */
double source_time_share(const struct source_lines *s, const struct source_line *line);
double source_heap_share(const struct source_lines *s, const struct source_line *line);

/* Do two paths name the same file, as far as both go? "./src/Main.hs" and "Main.hs" do. */
bool source_is(struct evl_str file, struct evl_str path);

/* {"samples":…,"bytes":…,"lines":[{"file":…,"line":…,"col":…,"name":…,"samples":…,…}]}; of the lines of a file, or of all
 * (empty). */
void source_lines_json(const struct source_lines *s, struct evl_str file, struct json *j);

#endif
