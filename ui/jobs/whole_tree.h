/* whole_tree.h - time of threads on and off the CPU (whole_time.h) as a profile tree: thread, kind of time, stack. */
#ifndef EVTUI_WHOLE_TREE_H
#define EVTUI_WHOLE_TREE_H

#include "prof/prof_tree.h"
#include "report/whole_time.h"

enum { WHOLE_THREADS = 256 }; /* that have an item each, those with most time; all others share one */

/* Its stacks, whose frames are names: thread, kind of time, stack. */
struct whole_trie {
	struct stacks stacks;
	struct prof_names
		names;    /* those of the profile, with the same numbers, and further ones; by node of these stacks */
	uint64_t *self;   /* ns by node, n of them */
	uint32_t n, root; /* root: name of what is above all threads */
};

/* by_label: threads of one label are one, so that two runs can be compared. 0 or EVL_NOMEM; then it holds nothing. */
int whole_trie_make(struct whole_trie *t, const struct whole_time *w, const struct evl_log *log,
	const struct stacks *stacks, const struct prof_names *from, bool by_label) EVL_MUST_USE;
void whole_trie_free(struct whole_trie *t);

/* Make a tree whose samples are ns, and the names in it. Unsorted. 0, or EVL_NOMEM without a tree and names. */
int whole_tree_make(struct prof_tree *t, struct prof_names *names, const struct whole_time *w,
	const struct evl_log *log, const struct stacks *stacks, const struct prof_names *from) EVL_MUST_USE;

#endif
