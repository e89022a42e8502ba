/* log_image.h - save all tables of a log as sections of a file, and load them from the mapped file (image.h). */
#ifndef EVL_LOG_IMAGE_H
#define EVL_LOG_IMAGE_H

#include "log/log.h"

/* X(name, call), in the order of their dependencies. */
#define LOG_SECTIONS(X)                                                                                                \
	X(BLOCKS, blocks_image(im, &log->blocks, &log->header, log->source.data, log->source.len))                     \
	X(TILES, tiles_image(im, &log->tiles, &log->blocks))                                                           \
	X(GCS, gcs_image(im, &log->gcs, &log->blocks))                                                                 \
	X(BUSY, busy_image(im, &log->busy))                                                                            \
	X(THREADS, threads_image(im, &log->threads, &log->blocks))                                                     \
	X(MARKERS, points_image(im, &log->markers, log->blocks.n_chains, MAX_MARKERS, log->source.len))                \
	X(MESSAGES, messages_image(im, &log->messages, log->blocks.n_chains))                                          \
	X(SPANS, spans_image(im, &log->spans, &log->blocks))                                                           \
	X(TASKS, tasks_image(im, &log->tasks))                                                                         \
	X(HEAP, heap_image(im, &log->heap, &log->blocks))                                                              \
	X(CENSUS, census_image(im, &log->census, &log->blocks))                                                        \
	X(IPE, ipe_image(im, &log->ipe, &log->blocks))                                                                 \
	X(NONMOVING, nonmoving_image(im, &log->nonmoving, &log->blocks))                                               \
	X(GAPS, log_gaps_image(im, &log->gaps, &log->blocks))                                                          \
	X(PERF, perf_image(im, &log->perf, &log->blocks))                                                              \
	X(SPARKS, sparks_image(im, &log->sparks, &log->blocks, log->tiles))                                            \
	X(CAP_LIFE, cap_life_image(im, &log->cap_life))                                                                \
	X(CENTRES, cost_centres_image(im, &log->cost_centres, &log->blocks))                                           \
	X(PROF, prof_image(im, &log->prof[PROF_CENTRES], PROF_CENTRES, &log->blocks))                                  \
	X(CALLS, prof_image(im, &log->prof[PROF_CALLS], PROF_CALLS, &log->blocks))                                     \
	X(COUNTS, event_counts_image(im, &log->event_counts, &log->blocks))                                            \
	X(FIGURES, figures_image(im, log))                                                                             \
	X(PROGRAM, program_image(im, &log->program))

enum log_section {
#define X(name, visit) LOG_SECTION_##name,
	LOG_SECTIONS(X)
#undef X
		LOG_SECTION_COUNT
};

/* Save or load the tables of one section. Load all sections in order, into a log whose header is parsed. */
void log_image(struct image *im, struct evl_log *log, enum log_section section);

/* After loading, create everything else that evl_begin (log_tables.h) creates. Return 0 or EVL_NOMEM. */
int log_image_complete(struct evl_log *log) EVL_MUST_USE;

/* Discard all tables loaded so far, so that the log is as before indexing. The memory of the image itself is not
 * freed. */
void log_image_drop(struct evl_log *log);

#endif
