/* whole_tree.h - time of threads on and off the CPU (whole_time.h) as a profile tree: thread, kind of time, stack */
#ifndef EVTUI_WHOLE_TREE_H
#define EVTUI_WHOLE_TREE_H

#include "prof/prof_tree.h"
#include "report/whole_time.h"

enum { WHOLE_THREADS = 256 }; /* the threads with most time get a separate item each; all others share one */

/* Time of threads as call stacks with two more frames at the root: the thread and the kind of time. Frames are
 * names. */
struct whole_trie {
	struct stacks stacks;
	/* Names, indexed by node of these stacks: those of the profile, with unchanged numbers, and further ones. */
	struct prof_names names;
	uint64_t *self;   /* ns, indexed by node; n elements */
	uint32_t n, root; /* root: name of the frame above all threads */
};

/* Make the stacks. by_label: merge the threads of one label, so that two runs can be compared. Return 0 or
 * EVL_NOMEM; then *t is empty. */
int whole_trie_make(struct whole_trie *t, const struct whole_time *w, const struct evl_log *log,
	const struct stacks *stacks, const struct prof_names *from, bool by_label) EVL_MUST_USE;
void whole_trie_free(struct whole_trie *t);

/* Make a tree whose samples are ns, and its names. The tree is not sorted. Return 0 or EVL_NOMEM; then both are
 * empty. */
int whole_tree_make(struct prof_tree *t, struct prof_names *names, const struct whole_time *w,
	const struct evl_log *log, const struct stacks *stacks, const struct prof_names *from) EVL_MUST_USE;

#endif
