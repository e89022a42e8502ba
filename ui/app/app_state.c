#include "app/app_state.h"

#include "panes/timeline/view_timeline.h"

#include <time.h>

int64_t app_now_ms(const struct app *a)
{
	struct timespec t;
	if (a->sync)
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void app_leave(struct app *a, int status)
{
	a->leave = true;
	a->status = status;
}

struct lane app_lane(const struct app *a)
{
	const struct lane *lane = timeline_lane(timeline_of(&a->host));
	return lane ? *lane : (struct lane){0};
}
