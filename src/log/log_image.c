#include "log/log_image.h"

#include "log/log_tables.h"

#include <stdlib.h>

static void figures_image(struct image *im, struct evl_log *log)
{
	IMAGE_VALUE(im, log->run_stats);
	IMAGE_VALUE(im, log->lives);
	image_require(im, log->lives.n_top <= THREAD_LIVES_TOP);
	image_bool(im, &log->data_end);
	damage_image(im, &log->damage);
}

void log_image(struct image *im, struct evl_log *log, enum log_section section)
{
	switch (section) {
#define X(name, visit)                                                                                                 \
	case LOG_SECTION_##name: visit; break;
		LOG_SECTIONS(X)
#undef X
	default: break;
	}
}

int log_image_complete(struct evl_log *log)
{
	log->downsample_shift = downsample_shift(log->source.len, log->blocks.n_chains);
	log->blocks.fetch = log->fetch;
	return evl_make_lanes(log);
}

void log_image_drop(struct evl_log *log)
{
	blocks_unload(&log->blocks);
	program_free(&log->program);
	program_init(&log->program);
	free(log->cap_chains);
	log->cap_chains = NULL;
	log->n_caps = 0;
	log->tiles = NULL;
	log->gcs = (struct gcs){0};
	log->busy = (struct busy){0};
	log->threads = (struct threads){0};
	log->markers = (struct points){0};
	log->messages = (struct messages){0};
	log->spans = (struct spans){0};
	log->tasks = (struct tasks){0};
	log->heap = (struct heap){0};
	log->census = (struct census){0};
	log->ipe = (struct ipe){0};
	log->nonmoving = (struct nonmoving){0};
	log->gaps = (struct log_gaps){0};
	log->perf = (struct perf){0};
	log->sparks = (struct sparks){0};
	log->cap_life = (struct cap_life){0};
	log->cost_centres = (struct cost_centres){.n = 0};
	for (int i = 0; i < PROF_SOURCES; i++)
		log->prof[i] = (struct prof){0};
	log->event_counts = (struct event_counts){0};
	log->run_stats = (struct run_stats){0};
	log->lives = (struct thread_lives){0};
	log->damage = (struct damage_list){0};
	log->data_end = false;
}
