/* prof_names.h - labels, modules and locations of a profile's frames, copied from the log so that drawing never waits
 * for the disk.
 *
 * Names are numbered from 0. Name 0 (PROF_MAIN) is the root: MAIN, or "all" for call stacks. */
#ifndef EVL_PROF_NAMES_H
#define EVL_PROF_NAMES_H

#include "base/buf.h"
#include "exe/exe.h"
#include "prof/prof.h"
#include "program/ipe.h"

/* PROF_TEXT: texts are truncated to this number of bytes */
enum { PROF_TEXT = 240, PROF_MAIN = 0, PROF_NO_NAME = UINT32_MAX };

struct prof_name {
	uint32_t frame; /* frame of the stacks (prof.h): id of a cost centre or, for call stacks, of prof.calls */
	/* offset in prof_names.text of its label, module and location, which follow one another */
	uint32_t text;
	uint16_t label, module, location; /* length of each, in bytes */
	bool is_rts;                      /* GC, IDLE, SYSTEM, OVERHEAD_of, DONT_CARE */
	bool known;                       /* the log contains the name; otherwise the label is the id */
};

struct prof_names {
	struct prof_name *items;
	uint32_t n;
	uint32_t *of_node; /* indexed by node of the stacks: number of the name of the innermost frame */
	uint32_t n_nodes;
	struct buf text;
};

/* The sources of names. */
struct prof_naming {
	const struct cost_centres *centres;
	const struct ipe *ipe;
	const struct blocks *blocks;
	struct exe *exe; /* executable of the program; may be NULL */
};

/* Name all frames that occur in the profile. May wait for the disk; reads all info tables if there are addresses to
 * name. Return 0, or EVL_NOMEM with *n empty. */
int prof_names_make(struct prof_names *n, const struct prof *p, const struct prof_naming *from) EVL_MUST_USE;
void prof_names_free(struct prof_names *n);

/* Copy names, with room for `more` additional ones; the numbers stay the same. Return 0, or EVL_NOMEM with *n empty. */
int prof_names_extend(struct prof_names *n, const struct prof_names *from, size_t more) EVL_MUST_USE;

/* Add a name for which prof_names_extend made room. Return its number. */
uint32_t prof_names_add(struct prof_names *n, struct evl_str label, struct evl_str module, bool is_rts);

/* Return a text of a name, borrowed from n; empty if unknown. */
struct evl_str prof_label(const struct prof_names *n, uint32_t name);
struct evl_str prof_module(const struct prof_names *n, uint32_t name);
struct evl_str prof_location(const struct prof_names *n, uint32_t name);

/* Append MODULE.LABEL, or the label of a name without a module. */
void prof_full_name(const struct prof_names *n, uint32_t name, struct buf *out);

/* Append the same for folded stacks. Characters that would separate frames or lines in that format are replaced:
 * ';' by ',', control characters by '?'. */
void prof_frame_text(struct buf *out, const struct prof_names *n, uint32_t name);

/* Compare two names by label, then by module, then by location, byte by byte. Return a number below, equal to or above
 * 0. */
int prof_names_compare(const struct prof_names *n, uint32_t a, uint32_t b);

#endif
