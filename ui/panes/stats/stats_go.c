#include "panes/stats/stats_go.h"

#include "lanes/lane_threads.h"
#include "panes/timeline/selection_keys.h"

static void show_lane(struct view_host *h, const struct lane_ops *ops, uint32_t index)
{
	lanes_select(&timeline_of(h)->lanes, ops, index);
}

/* Lanes of capabilities are counted, not called by their numbers. */
static void show_cap(struct view_host *h, uint32_t cap)
{
	for (uint32_t i = 0; i < h->log->n_lanes; i++)
		if (h->log->blocks.chains[h->log->lanes[i]].cap == cap)
			show_lane(h, &lane_cap, i);
}

/* All of it is seen, the cursor at its begin. */
static void show_range(struct view_host *h, uint64_t from, uint64_t to)
{
	select_fit(&h->model, from, to, h->now_ms);
	model_follow(&h->model, from);
}

bool stats_go(struct view_host *h, const struct stats_place *place)
{
	switch (place->kind) {
	case PLACE_NONE:
	case PLACE_GCS:
	case PLACE_THREADS: return false;
	case PLACE_CAP: show_cap(h, place->id); break;
	case PLACE_RANGE: show_range(h, place->t, place->end); break;
	case PLACE_THREAD:
		show_lane(h, &lane_thread, place->id);
		/* fallthrough */
	case PLACE_MOMENT: model_goto(&h->model, place->t, h->now_ms); break;
	}
	h->shown = VIEW_TIMELINE;
	return true;
}
