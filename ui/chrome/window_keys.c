#include "chrome/window_keys.h"

static void pan(struct view_host *h, int num, int den)
{
	uint64_t was = h->model.at.t0;
	model_pan(&h->model, num, den, h->now_ms);
	if (h->model.ranged && h->model.at.t0 == was)
		view_say(h, true, num < 0 ? "this is the start of the run" : "this is the end of the run");
}

bool window_keys(struct view_host *h, enum action action)
{
	struct model *m = &h->model;
	switch (action) {
	case ACT_LEFT: model_step(m, -1); return true;
	case ACT_RIGHT: model_step(m, 1); return true;
	case ACT_LEFT_HALF: pan(h, -1, 2); return true;
	case ACT_RIGHT_HALF: pan(h, 1, 2); return true;
	case ACT_HOME: model_home(m); return true;
	case ACT_WINDOW_END: model_end(m); return true;
	case ACT_CENTRE: model_centre(m, h->now_ms); return true;
	case ACT_ZOOM_IN: model_zoom(m, 1, 2, h->now_ms); return true;
	case ACT_ZOOM_OUT: model_zoom(m, 2, 1, h->now_ms); return true;
	case ACT_PAN_LEFT: pan(h, -1, 4); return true;
	case ACT_PAN_RIGHT: pan(h, 1, 4); return true;
	case ACT_WHOLE: model_whole(m, h->now_ms); return true;
	default: return false;
	}
}
