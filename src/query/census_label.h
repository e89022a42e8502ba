/* census_label.h - display name and source location of a heap-profile band. */
#ifndef EVL_CENSUS_LABEL_H
#define EVL_CENSUS_LABEL_H

#include "base/buf.h"
#include "heap/breakdown.h"
#include "heap/census_group.h"
#include "log/log.h"

/* Look up the info tables that the bands' labels name: one look at all entries of the log, and one at its program for the
 * rest. 0, EVL_NOMEM or EVL_CANCELLED. */
int census_resolve(struct bands *bands, const struct evl_log *log, const atomic_bool *cancel) EVL_MUST_USE;

/* Append the name of a band: its label; of a stack the labels of its cost centres, innermost first, as GHC's own .hp
 * files have them; of an info table what is bound there, and where. Text as the log has it. */
void census_label(const struct prof_naming *names, const struct band *band, struct buf *out);
void census_stack_label(const struct prof_naming *names, struct evl_str stack, struct buf *out);

/* Append the name of a band and a NUL, and return its module; ctx: a const struct prof_naming. As census_group wants it. */
struct evl_str census_naming_of(void *ctx, const struct band *band, struct buf *label);

/* Group the bands of a survey, as census_grouping_parse reads it; NULL, and text that it refuses: they stay as they are. 0,
 * EVL_CANCELLED or EVL_NOMEM. */
int census_group_as(
	struct census_survey *s, const struct evl_log *log, const char *how, const struct census_run *run) EVL_MUST_USE;

/* Make bands that share a name (census_label) one, if there are any: as metrics by name want them. Same results. */
int census_group_by_name(struct census_survey *s, const struct evl_log *log, const struct census_run *run) EVL_MUST_USE;

/* Append "Module.name" of an info table, or of the innermost cost centre; else the label. */
void census_name(const struct prof_naming *names, const struct band *band, struct buf *out);

/* Return the full name of the binding: "go" of the log's own entries, "Main.go", "in Main.go -456"; empty if
 * unknown. Borrowed. */
struct evl_str census_table_name(const struct prof_naming *names, const struct band *band);

/* "src/Main.hs:88:13-41" of the info table, or of the innermost cost centre; empty where it is not known. Borrowed. */
struct evl_str census_location(const struct prof_naming *names, const struct band *band);

/* Parse the key of a band of -hi: "0x4a3b58". Return false if it is not an address. */
bool census_address(struct evl_str key, uint64_t *out);

/* The info table that a band is, as the log or its program names it; false: neither does. near: it is not the table itself
 * that has this name, but the nearest one. Borrowed. */
bool census_table(const struct prof_naming *names, const struct band *band, struct ipe_entry *out, bool *near);

static inline struct evl_str band_key(const struct band *band)
{
	return (struct evl_str){band->hh.key, band->hh.keylen};
}

#endif
