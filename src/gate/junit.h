/* junit.h - write test results as JUnit XML (one test suite), for the reports of CI systems.
 *
 * Any bytes may go in: those that XML cannot hold become U+FFFD. */
#ifndef EVL_JUNIT_H
#define EVL_JUNIT_H

#include "base/buf.h"

enum junit_outcome { JUNIT_PASSED, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED };

struct junit {
	struct buf *out;
};

/* The head of the file contains the counts, so they come first. */
void junit_begin(struct junit *j, struct buf *out, const char *suite, size_t tests, size_t failures, size_t errors,
	size_t skipped);

/* message: of all that have not passed. */
void junit_case(
	struct junit *j, struct evl_str class, struct evl_str name, enum junit_outcome outcome, struct evl_str message);
void junit_end(struct junit *j);

#endif
