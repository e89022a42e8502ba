/* thread_table.h - the table of threads, one row each (columns: thread_columns.def)
 *
 * A row is identified by the thread's id. The deep columns (blocked time, …) come from a scan of the range and are
 * kept for the first THREAD_TABLE_DEEP threads that it reports, 96 bytes each; for other threads they are unknown.
 * Times are in ns. */
#ifndef EVL_THREAD_TABLE_H
#define EVL_THREAD_TABLE_H

#include "log/log.h"
#include "query/thread_waits.h"
#include "table/table.h"

enum { THREAD_TABLE_DEEP = 1 << 16 };

/* Declares thread_columns[] and thread_table_kind: the threads that are alive at some time in the range, by id, if
 * their creation or a run is in the log. If the list is deep, the range is scanned for it, too. */
#define LISTS "table/thread_columns.def"
#include "table/declare_lists.def"

/* Results of a scan, for at most THREAD_TABLE_DEEP threads. */
struct thread_gathering {
	struct thread_waits *items;
	size_t n, room;
	uint64_t others; /* number of threads not kept */
	bool failed;     /* memory ran out */
};
/* Add one thread. A callback of thread_waits_run. */
void thread_gathering_add(void *gathering, const struct thread_waits *w);

struct thread_table {
	struct table_range of;
	uint64_t from, to;         /* of.from and of.to, clipped to the log */
	struct thread_waits *deep; /* sorted by thread id */
	size_t n_deep;
	uint64_t others; /* threads that the scan reported but that are not kept */
	bool is_deep;
	_Atomic size_t found;    /* cache: index in `deep` of the last lookup */
	_Atomic uint32_t absent; /* cache: a thread that is not in `deep`; 0: none */
};

#endif
