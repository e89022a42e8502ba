/* stack_profiler.h - decode the binary messages of ghc-stack-profiler (call stacks sampled by the program itself).
 *
 *   FF CA  cap u32  thread u32  n u16  n entries     a stack, or the last part of one
 *   FF CB  as above                                  a part of a stack: more follows
 *   FF CC  id u64  length u16  text                  defines a text
 *   FF CD  id u64  line u32  column u32  … file u64  defines a source location; the file is the id of a text
 *   entry: 01 address u64 | 02 text u64 | 03 text u64 place u64
 *
 * Numbers are big-endian. Entries are ordered outermost first. Addresses are those of info tables, as named by IPE
 * events. Each distinct frame gets an id (struct call_frames), up to MAX_STACKS of them. The file offset of each
 * definition with an id below MAX_CALL_IDS is stored. */
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

/* Parse a message. Return false if it has none of these forms, or is shorter than it declares. */
bool call_message_parse(struct evl_str payload, struct call_message *out);

enum call_kind { CALL_AT_ADDRESS = 1, CALL_NAMED = 2, CALL_PLACED = 3 };

struct call_frame {
	uint64_t id, place;    /* address, or id of a text; place: id of a source location, for CALL_PLACED */
	uint32_t kind, unused; /* no bytes without a value: the cache of indexes keeps them, too */
};

/* Remove the next entry from *entries and store it in *out. Return false at the end, or if the entry is invalid. */
bool call_next(struct evl_str *entries, struct call_frame *out);

struct call_frames {
	struct rows frames; /* struct call_frame */
	pthread_mutex_t lock;
	uint32_t *slots; /* hash table by frame, protected by the lock: index + 1; 0: free */
	size_t n_slots;
	/* by id, MAX_CALL_IDS elements: file offset of the latest definition; 0: none */
	_Atomic uint64_t *texts, *places;
};

/* Initialise an empty table. Return 0 or EVL_NOMEM. */
int call_frames_init(struct call_frames *f) EVL_MUST_USE;
void call_frames_free(struct call_frames *f);

/* Return the id of a frame, or STACK_NO_FRAME if there is no room or if, without `adds`, the frame has no id yet. */
uint32_t call_frames_id(struct call_frames *f, const struct call_frame *frame, bool adds);

/* Record the definition of a text or a source location in the event at file offset `off`. Other messages are
 * ignored. */
void call_frames_define(struct call_frames *f, const struct call_message *m, uint64_t off);

/* Store the text with this id, borrowed from the log; or write the source location with this id as "file:line:column"
 * to `out` (CALL_PLACE_ROOM bytes). Return false if the id is not defined. May wait for the disk. */
enum { CALL_PLACE_ROOM = 320 };
bool call_text(const struct call_frames *f, const struct blocks *b, uint64_t id, struct evl_str *out);
bool call_place(const struct call_frames *f, const struct blocks *b, uint64_t id, char *out);

/* Save or load the frames (image.h). len is the length of the log in bytes. */
void call_frames_image(struct image *im, struct call_frames *f, uint64_t len);

#endif
