/* names.h - what the log says of its program: arguments, run-time system, clock, process, heap set-up.
 *
 * These events stand in the global block, which may be the last of the file; until one is seen its value is unknown
 * (NULL or 0). Written by the walk; everybody else takes a copy of the facts with names_get. */
#ifndef EVL_NAMES_H
#define EVL_NAMES_H

#include "index/blocks.h"

#include <pthread.h>

struct names_facts {
	struct evl_str program; /* the arguments, each followed by a NUL, the program first; owned by struct names */
	struct evl_str rts;     /* "GHC-9.10.3 rts_thr"; owned by struct names */
	uint64_t wall_ns;       /* Unix time of the log's time 0; 0: unknown */
	uint32_t pid;
	uint32_t generations;   /* 0: unknown */
	uint32_t breakdown;     /* what the heap profile tells apart, as HEAP_PROF_BEGIN numbers it; 0: no heap profile */
	uint64_t alloc_area;    /* bytes a capability */
	uint64_t max_heap;      /* bytes; 0: unlimited or unknown */
	uint16_t caps_created;
};

struct names {
	pthread_mutex_t lock;
	struct names_facts facts;
};

void names_init(struct names *n);
void names_free(struct names *n);

/* Does it look at events with this tag? */
bool names_wants(uint16_t tag);

/* Feed an event, in file order. */
void names_event(struct names *n, const struct header *h, const struct frame *f);

/* A copy of what is known now; its strings live as long as the log. */
struct names_facts names_get(const struct names *n);

/* The last part of the program's path: "parsort"; empty where unknown. */
struct evl_str names_program(const struct names_facts *facts);

/* "9.10.3" of "GHC-9.10.3 rts_thr"; empty where unknown. */
struct evl_str names_ghc(const struct names_facts *facts);

#endif
