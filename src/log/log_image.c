#include "log/log_image.h"

#include "log/index_cache.h"
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
	struct blocks *b = &log->blocks;
	switch (section) {
	case LOG_SECTION_BLOCKS: blocks_image(im, b, &log->header, log->source.data, log->source.len); break;
	case LOG_SECTION_TILES: tiles_image(im, &log->tiles, b); break;
#define TABLE(section, type, member, init, image)                                                                      \
	case LOG_SECTION_##section:                                                                                    \
		image;                                                                                                 \
		break;
#include "log/log_tables.def"
	case LOG_SECTION_FIGURES: figures_image(im, log); break;
	case LOG_SECTION_PROGRAM: program_image(im, &log->program); break;
	default:
		if (log->cache && log->cache->figures)
			log->cache->figures->image(im, log);
	}
}

int log_image_copy(struct evl_log *log, const struct evl_log *from)
{
	const struct ccdb *others = log->cost_centres.others;
	struct image im;
	image_copy(&im);
	log->tiles = from->tiles;
	program_free(&log->program);
	log->program = from->program;
#define TABLE(section, type, member, init, image) memcpy(&log->member, &from->member, sizeof log->member);
#include "log/log_tables.def"
	log->cost_centres.others = others;
	for (int section = LOG_SECTION_TILES; section <= LOG_SECTION_PROGRAM; section++)
		if (section != LOG_SECTION_FIGURES)
			log_image(&im, log, (enum log_section)section);
	return im.bad ? EVL_NOMEM : 0;
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
#define TABLE(section, type, member, init, image) memset(&log->member, 0, sizeof log->member);
#include "log/log_tables.def"
	log->run_stats = (struct run_stats){0};
	log->lives = (struct thread_lives){0};
	log->damage = (struct damage_list){0};
	log->data_end = false;
	log->figures = NULL;
}
