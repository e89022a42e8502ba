/* whole_tree.h - time of threads on and off the CPU (whole_time.h) as a profile tree: thread, kind of time, stack. */
#ifndef EVTUI_WHOLE_TREE_H
#define EVTUI_WHOLE_TREE_H

#include "prof/prof_tree.h"
#include "report/whole_time.h"

enum { WHOLE_THREADS = 256 }; /* that have an item each, those with most time; all others share one */

/* Make a tree whose samples are ns, and the names in it: those of the profile, and further ones. Unsorted. 0, or EVL_NOMEM
 * without a tree and names. */
int whole_tree_make(struct prof_tree *t, struct prof_names *names, const struct whole_time *w,
	const struct evl_log *log, const struct stacks *stacks, const struct prof_names *from) EVL_MUST_USE;

#endif
