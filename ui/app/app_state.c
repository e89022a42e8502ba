#include "app/app_private.h"

#include "sys/clock.h"
#include "panes/timeline/timeline.h"

int64_t app_now_ms(const struct app *a)
{
	return a->sync ? 0 : clock_ms();
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
