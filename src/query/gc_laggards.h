/* gc_laggards.h - collections with the longest sync, and the capability and thread that delayed each.
 *
 * From a request to the start of a collection every capability has to stop. The longest such waits of a range are
 * examined (gc_detail.h), as many as SYNC_LOOKS moments of capabilities allow. */
#ifndef EVL_GC_LAGGARDS_H
#define EVL_GC_LAGGARDS_H

#include "query/gc_detail.h"
#include "sys/progress.h"

enum { SYNC_MOST = 64, SYNC_LOOKS = 2048 };

struct sync_row {
	struct gc_row gc;
	struct gc_late late; /* late.found: this capability ran a thread until late.after ns behind the request */
};

struct gc_laggards {
	struct sync_row rows[SYNC_MOST]; /* longest first */
	size_t n;
	uint64_t total;  /* of all collections that start in the range */
	uint64_t looked; /* of those in rows */
	/* The capability that was late in most of it; of the threads there the one that ran longest into requests. */
	bool has_worst;
	uint16_t cap;
	uint32_t thread;
	uint64_t ns;  /* the sync time of rows in which it was the late one */
	size_t times; /* how many they are */
};

/* 0 or EVL_CANCELLED. */
int gc_laggards_make(struct gc_laggards *s, const struct evl_log *log, uint64_t from, uint64_t to,
	const struct progress *watch) EVL_MUST_USE;

#endif
