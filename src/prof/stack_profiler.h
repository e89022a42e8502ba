/* stack_profiler.h - decode the binary messages of ghc-stack-profiler (call stacks sampled by the program itself).
 *
 *   FF CA  cap u32  thread u32  n u16  n entries     a stack, or the rest of one
 *   FF CB  the same                                  a part of it: more follows
 *   FF CC  id u64  length u16  text                  defines a text
 *   FF CD  id u64  line u32  column u32  … file u64  defines a source location; the file is an id of a text
 *   entry: 01 address u64 | 02 text u64 | 03 text u64 place u64
 *
 * All big-endian. Entries come outermost first. Addresses are those of info tables, as named by IPE events. Frames
 * become ids (struct call_frames), at most MAX_STACKS; definitions are kept by their offset, for ids below
 * MAX_CALL_IDS. */
#ifndef EVL_STACK_PROFILER_H
#define EVL_STACK_PROFILER_H

#include "base/rows.h"
#include "index/blocks.h"
#include "prof/stacks.h"

enum { MAX_CALL_IDS = 1 << 18 };

enum call_form { CALL_STACK, CALL_PART, CALL_TEXT, CALL_PLACE };

struct call_message {
	enum call_form form;
	uint32_t cap, thread;
	uint16_t n;
	struct evl_str entries;
	uint64_t id, file;
	uint32_t line, column;
	struct evl_str text; /* borrowed from the payload */
};

/* Parse a message. Return false if it is none of these, or shorter than it declares. */
bool call_message_parse(struct evl_str payload, struct call_message *out);

enum call_kind { CALL_AT_ADDRESS = 1, CALL_NAMED = 2, CALL_PLACED = 3 };

struct call_frame {
	uint64_t id, place; /* an address or a text; the place, if it is CALL_PLACED */
	uint32_t kind;
};

/* Take the next entry. Return false at the end, or if it is invalid. */
bool call_next(struct evl_str *entries, struct call_frame *out);

struct call_frames {
	struct rows frames; /* struct call_frame */
	pthread_mutex_t lock;
	uint32_t *slots; /* under the lock: index + 1 by frame; 0: free */
	size_t n_slots;
	_Atomic uint64_t *texts, *places; /* by id: offset of the latest definition; 0: none. MAX_CALL_IDS of them */
};

int call_frames_init(struct call_frames *f) EVL_MUST_USE;
void call_frames_free(struct call_frames *f);

/* Return the id of a frame, or STACK_NO_FRAME if there is no room or, without `adds`, it has no id yet. */
uint32_t call_frames_id(struct call_frames *f, const struct call_frame *frame, bool adds);

/* Note the definition of a text or a place in the event at offset off. */
void call_frames_define(struct call_frames *f, const struct call_message *m, uint64_t off);

/* Get the text of an id (it belongs to the map), or "file:line:column" of a place in out (CALL_PLACE_ROOM bytes). Return false
 * if the id is not defined. May wait for the disk. */
enum { CALL_PLACE_ROOM = 320 };
bool call_text(const struct call_frames *f, const struct blocks *b, uint64_t id, struct evl_str *out);
bool call_place(const struct call_frames *f, const struct blocks *b, uint64_t id, char *out);

/* To or from a file (image.h). */
void call_frames_image(struct image *im, struct call_frames *f, uint64_t len);

#endif
