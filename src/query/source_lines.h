/* source_lines.h - the cost of each source line: samples of the time profile, live bytes of the heap profile. */
#ifndef EVL_SOURCE_LINES_H
#define EVL_SOURCE_LINES_H

#include "base/json.h"
#include "log/log.h"

/* A line with samples; name and column are those of the most costly of its names. */
struct source_line {
	struct evl_str file, name; /* as in the log or the program */
	uint32_t line, col;        /* from 1; col 0: unknown */
	uint64_t samples;          /* samples with this line innermost */
	double bytes;              /* mean over the samples of the heap profile */
	double growth;             /* bytes per second; NaN: unknown */
	size_t names, n_names;     /* in source_lines.names: all of its names */
};

/* The part of a line's cost that one name has. */
struct source_name {
	struct evl_str name;
	uint64_t samples;
	double bytes;
};

struct source_lines {
	struct source_line *items; /* most costly first: by samples, then by bytes */
	size_t n, room;
	struct source_name *names; /* of all lines; those of a line are next to each other, most costly first */
	struct buf text;           /* storage of files and names */
	uint64_t samples;          /* samples of the program, with or without a line; 0: there is no time profile */
	double bytes;              /* mean total of the heap profile; 0: there is none */
};

/* Compute the costs in [from, to) (ns), using the first heap profile. The log must be indexed. cancel may be NULL.
 * Return 0, or EVL_NOMEM or EVL_CANCELLED with nothing to free. */
int source_lines_make(struct source_lines *s, const struct evl_log *log, uint64_t from, uint64_t to,
	const atomic_bool *cancel) EVL_MUST_USE;
void source_lines_free(struct source_lines *s);

/* Append the names of a line, with their shares of the program's samples if there are several: "f 35.6%, g 22.0%, 2 more". */
void source_line_names(const struct source_lines *s, const struct source_line *line, struct buf *out);

/* Return the line's share of the program's samples, or of the heap; NaN if there is no such profile. */
double source_time_share(const struct source_lines *s, const struct source_line *line);
double source_heap_share(const struct source_lines *s, const struct source_line *line);

/* Report whether two paths name the same file: one must be the end of the other, as with "./src/Main.hs" and
 * "Main.hs". */
bool source_is(struct evl_str file, struct evl_str path);

/* Append {"samples":…,"bytes":…,"lines":[{"file":…,"line":…,"col":…,"name":…,"samples":…,…,"names":[…]}]} with the lines of
 * one file, or of all files if `file` is empty. */
void source_lines_json(const struct source_lines *s, struct evl_str file, struct json *j);

#endif
