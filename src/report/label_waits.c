#define HASH_NONFATAL_OOM 1

#include "report/label_waits.h"

#include <stdlib.h>

static struct label_waits *find(struct labels_waits *l, struct evl_str label)
{
	struct label_waits *w;
	HASH_FIND(hh, l->by_label, label.p, label.len, w);
	if (w)
		return w;
	if (l->n == LABELS_MOST) {
		l->others++;
		return NULL;
	}
	w = calloc(1, sizeof *w);
	if (!w) {
		l->failed = true;
		return NULL;
	}
	size_t before = HASH_COUNT(l->by_label);
	HASH_ADD_KEYPTR(hh, l->by_label, label.p, label.len, w);
	if (HASH_COUNT(l->by_label) == before) { /* there was no memory for its place */
		free(w);
		l->failed = true;
		return NULL;
	}
	l->n++;
	return w;
}

void label_waits_add(void *ctx, const struct thread_waits *t)
{
	struct labels_waits *l = ctx;
	struct label_waits *w = t->label.len && !l->failed ? find(l, t->label) : NULL;
	if (!w)
		return;
	w->n++;
	w->is.runs += t->runs;
	w->is.run_ns += t->run_ns;
	w->is.alone_ns += t->alone_ns;
	w->is.runnable_ns += t->runnable_ns;
	w->is.runnable_gc_ns += t->runnable_gc_ns;
	w->is.blocked_ns += t->blocked_ns;
	w->is.foreign_ns += t->foreign_ns;
	w->is.longest_blocked = max_u64(w->is.longest_blocked, t->longest_blocked);
	w->is.longest_latency = max_u64(w->is.longest_latency, t->longest_latency);
	w->is.longest_wait = max_u64(w->is.longest_wait, t->longest_wait);
}

void label_waits_free(struct labels_waits *l)
{
	struct label_waits *w, *next = l->by_label;
	HASH_CLEAR(hh, l->by_label);
	for (; (w = next); free(w))
		next = w->hh.next;
	*l = (struct labels_waits){0};
}
