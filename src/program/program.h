/* program.h - facts about the traced program: command line, run-time system, clock, process id, heap settings.
 *
 * The events with these facts are in the global block, which may be the last block of the file. A fact is unknown
 * (empty or 0) until its event has been indexed. One thread writes; other threads copy the facts with program_get. */
#ifndef EVL_PROGRAM_H
#define EVL_PROGRAM_H

#include "base/image.h"
#include "index/blocks.h"

#include <pthread.h>

struct program_facts {
	struct evl_str program; /* the program and its arguments, each followed by a NUL; owned by struct program */
	struct evl_str rts;     /* such as "GHC-9.10.3 rts_thr"; owned by struct program */
	uint64_t wall_ns;       /* Unix time of the log's time 0, in ns; 0: unknown */
	uint32_t pid;
	uint32_t generations;  /* 0: unknown */
	uint32_t breakdown;    /* kind of the heap profile, as numbered in HEAP_PROF_BEGIN; 0: none */
	uint64_t alloc_area;   /* bytes per capability */
	uint64_t max_heap;     /* bytes; 0: unlimited or unknown */
	uint16_t caps_created; /* number of capabilities created */
};

struct program {
	pthread_mutex_t lock;
	struct program_facts facts;
};

void program_init(struct program *n);
void program_free(struct program *n);

/* Report whether program_event uses events with this tag. */
bool program_wants(uint16_t tag);

/* Process the next event, in file order. */
void program_event(struct program *n, const struct header *h, const struct frame *f);

/* Return a copy of the facts known so far; its texts are valid as long as the log. */
struct program_facts program_get(const struct program *n);

/* Return the last component of the program's path, such as "parsort"; empty if unknown. */
struct evl_str program_program(const struct program_facts *facts);

/* Return the version of GHC, such as "9.10.3"; empty if unknown. */
struct evl_str program_ghc(const struct program_facts *facts);

/* Save or load the facts (image.h). Load into a struct initialised by program_init. */
void program_image(struct image *im, struct program *n);

#endif
