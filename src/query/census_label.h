/* census_label.h - display name, module and source location of a heap-profile band (a label or cost-centre stack of the
 * profile). */
#ifndef EVL_CENSUS_LABEL_H
#define EVL_CENSUS_LABEL_H

#include "base/buf.h"
#include "heap/breakdown.h"
#include "heap/census_group.h"
#include "log/log.h"

/* Look up the info tables to which the labels of bands refer: first in the log (reading all its entries once), then in
 * the program. cancel may be NULL. Return 0, EVL_NOMEM or EVL_CANCELLED. */
int census_resolve(struct bands *bands, const struct evl_log *log, const atomic_bool *cancel) EVL_MUST_USE;

/* census_run_of: the way to read one profile of a log. census_kind_of: the kind of the profile (census_breakdown).
 * census_survey_named: do census_survey, then census_resolve; on an error there is nothing to free. */
struct census_run census_run_of(const struct evl_log *log, unsigned profile, const atomic_bool *cancel);
struct breakdown_found census_kind_of(const struct evl_log *log, unsigned profile);
int census_survey_named(struct census_survey *s, const struct evl_log *log, const struct census_run *run) EVL_MUST_USE;

/* Append the display name of a band: for a stack the labels of its cost centres, innermost first, as in GHC's .hp
 * files; for an info table the name bound to it, its module and its location; otherwise the label. Texts are appended as
 * in the log, possibly with invalid UTF-8. */
void census_label(const struct prof_naming *names, const struct band *band, struct buf *out);
void census_stack_label(const struct prof_naming *names, struct evl_str stack, struct buf *out);

/* Append the display name of a band and a NUL, and return its module. ctx is a const struct prof_naming *. For
 * census_group. */
struct evl_str census_naming_of(void *ctx, const struct band *band, struct buf *label);

/* Group the bands of a survey by the expression `how` (census_grouping_parse). If `how` is NULL or invalid, the survey
 * stays unchanged. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int census_group_as(
	struct census_survey *s, const struct evl_log *log, const char *how, const struct census_run *run) EVL_MUST_USE;

/* Combine bands that have the same display name, for metrics by name. Return 0, EVL_CANCELLED or EVL_NOMEM. */
int census_group_by_name(struct census_survey *s, const struct evl_log *log, const struct census_run *run) EVL_MUST_USE;

/* Append "Module.name" of the info table, or of the innermost cost centre; otherwise the label. */
void census_name(const struct prof_naming *names, const struct band *band, struct buf *out);

/* Return the name bound to the info table: "go" if the log has its entry, otherwise a name from the program such as
 * "Main.go" or "in Main.go -456"; empty if unknown. Borrowed. */
struct evl_str census_table_name(const struct prof_naming *names, const struct band *band);

/* Return the source location of the info table, or of the innermost cost centre, such as "src/Main.hs:88:13-41"; empty
 * if unknown. Borrowed. */
struct evl_str census_location(const struct prof_naming *names, const struct band *band);

/* Parse the label of a band in a profile by info table (-hi), such as "0x4a3b58". Return false if it is not an
 * address. */
bool census_address(struct evl_str key, uint64_t *out);

/* Store the info table of a band, as named by the log or by its program. Return false if neither names it. Set *near if
 * the name is that of the nearest named table, not of the table itself. Texts are borrowed. */
bool census_table(const struct prof_naming *names, const struct band *band, struct ipe_entry *out, bool *near);

/* Return the label or the stack of a band. */
static inline struct evl_str band_key(const struct band *band)
{
	return (struct evl_str){band->hh.key, band->hh.keylen};
}

#endif
