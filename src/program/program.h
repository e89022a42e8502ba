/* program.h - facts about the traced program: command line, run-time system, clock, process id, heap settings.
 *
 * These events are in the global block, which may be the last of the file; until one is seen its value is unknown
 * (NULL or 0). Written by the walk; other threads copy the facts with program_get. */
#ifndef EVL_PROGRAM_H
#define EVL_PROGRAM_H

#include "base/image.h"
#include "index/blocks.h"

#include <pthread.h>

struct program_facts {
	struct evl_str program; /* the arguments, each followed by a NUL, the program first; owned by struct program */
	struct evl_str rts;     /* "GHC-9.10.3 rts_thr"; owned by struct program */
	uint64_t wall_ns;       /* Unix time of the log's time 0; 0: unknown */
	uint32_t pid;
	uint32_t generations; /* 0: unknown */
	uint32_t breakdown;   /* breakdown of the heap profile, as numbered in HEAP_PROF_BEGIN; 0: no heap profile */
	uint64_t alloc_area;  /* bytes a capability */
	uint64_t max_heap;    /* bytes; 0: unlimited or unknown */
	uint16_t caps_created;
};

struct program {
	pthread_mutex_t lock;
	struct program_facts facts;
};

void program_init(struct program *n);
void program_free(struct program *n);

/* Does it look at events with this tag? */
bool program_wants(uint16_t tag);

/* Feed an event, in file order. */
void program_event(struct program *n, const struct header *h, const struct frame *f);

/* A copy of what is known now; its strings live as long as the log. */
struct program_facts program_get(const struct program *n);

/* The last part of the program's path: "parsort"; empty where unknown. */
struct evl_str program_program(const struct program_facts *facts);

/* "9.10.3" of "GHC-9.10.3 rts_thr"; empty where unknown. */
struct evl_str program_ghc(const struct program_facts *facts);

/* To or from a file (image.h). Loading, into one that program_init made. */
void program_image(struct image *im, struct program *n);

#endif
