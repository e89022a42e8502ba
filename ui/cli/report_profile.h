/* report_profile.h - time profile in `evtui stats` (top cost centres) and in `evtui diff` (changes between two runs)
 *
 * Times are in ns. */
#ifndef EVTUI_REPORT_PROFILE_H
#define EVTUI_REPORT_PROFILE_H

#include "cli/page.h"
#include "log/log.h"
#include "prof/prof_diff.h"

/* Print the profile of [from, to); nothing if there are no samples. Return 0 or EVL_NOMEM. */
int report_profile(const struct page *p, const struct evl_log *log, uint64_t from, uint64_t to);

/* Print the differences; nothing if neither log has a profile. */
void report_profile_diff(const struct page *p, const struct prof_diff *d);

#endif
