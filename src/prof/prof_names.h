/* prof_names.h - labels, modules and locations of a profile's frames, copied from the log so that drawing does not
 * touch the map.
 *
 * Name 0 is the root: MAIN, or "all" for call stacks. */
#ifndef EVL_PROF_NAMES_H
#define EVL_PROF_NAMES_H

#include "base/buf.h"
#include "exe/exe.h"
#include "prof/prof.h"
#include "program/ipe.h"

enum { PROF_TEXT = 240, PROF_MAIN = 0, PROF_NO_NAME = UINT32_MAX }; /* bytes of a text that are kept */

struct prof_name {
	uint32_t frame;                   /* of the stacks: the id of a cost centre, or of a call */
	uint32_t text;                    /* where its texts begin in names->text: label, module, location */
	uint16_t label, module, location; /* bytes of each */
	bool is_rts;                      /* GC, IDLE, SYSTEM, OVERHEAD_of, DONT_CARE */
	bool known;                       /* the log says what it is called; else the label is the id */
};

struct prof_names {
	struct prof_name *items;
	uint32_t n;
	uint32_t *of_node; /* of a stack's innermost frame, by its node */
	uint32_t n_nodes;
	struct buf text;
};

/* Where names come from. */
struct prof_naming {
	const struct cost_centres *centres;
	const struct ipe *ipe;
	const struct blocks *blocks;
	struct exe *exe; /* NULL: none was given, or it is not the program */
};

/* Of all frames that occur. May wait for the disk, and reads all info tables if there are addresses to name. 0 or
 * EVL_NOMEM; then it holds nothing. */
int prof_names_make(struct prof_names *n, const struct prof *p, const struct prof_naming *from) EVL_MUST_USE;
void prof_names_free(struct prof_names *n);

/* Copy names, with room for `more` further ones; the numbers stay. EVL_NOMEM; then it holds nothing. */
int prof_names_extend(struct prof_names *n, const struct prof_names *from, size_t more) EVL_MUST_USE;

/* Add one of those: its number. */
uint32_t prof_names_add(struct prof_names *n, struct evl_str label, struct evl_str module, bool is_rts);

struct evl_str prof_label(const struct prof_names *n, uint32_t name);
struct evl_str prof_module(const struct prof_names *n, uint32_t name);
struct evl_str prof_location(const struct prof_names *n, uint32_t name);

/* Append "module.label" as folded stacks have it: what parts frames and lines there is replaced within a name. */
void prof_frame_text(struct buf *out, const struct prof_names *n, uint32_t name);

/* Labels in the order of their bytes, then modules, then locations. */
int prof_names_compare(const struct prof_names *n, uint32_t a, uint32_t b);

#endif
