#include "lanes/lanes_edit.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1024 };

static bool fits(const struct lanes *l, const struct lane *lane, const char *glob)
{
	char name[LIST_NAME], id[16];
	uint32_t thread = lanes_thread(lane);
	struct evl_str label = thread ? evl_label(l->log, thread) : (struct evl_str){0};
	snprintf(id, sizeof id, "%u", thread);
	if (thread && fnmatch(glob, id, 0) == 0)
		return true;
	if (thread)
		snprintf(name, sizeof name, "%.*s", (int)min_u64(label.len, sizeof name - 1), (const char *)label.p);
	else if (lane->ops == &lane_cap)
		snprintf(name, sizeof name, "cap %u", (unsigned)l->log->blocks.chains[l->log->lanes[lane->index]].cap);
	else
		snprintf(name, sizeof name, "%s", lane->ops->name);
	return fnmatch(glob, name, 0) == 0;
}

size_t lanes_glob(struct lanes *l, const char *glob, const char *(*change)(struct lanes *), const char **why)
{
	struct lane *found = calloc(MOST, sizeof *found), selected = l->selected;
	size_t n = 0, done = 0;
	*why = found ? NULL : "out of memory";
	for (size_t i = l->n_top; found && i < lanes_count(l) && n < MOST; i++) {
		struct lane lane = lanes_at(l, i);
		if (lane.ops && fits(l, &lane, glob))
			found[n++] = lane;
	}
	for (size_t i = 0; i < n && !*why; i++)
		if (lanes_select(l, found[i].ops, found[i].index) && !(*why = change(l)))
			done++;
	if (selected.ops)
		lanes_select(l, selected.ops, selected.index);
	free(found);
	return done;
}
