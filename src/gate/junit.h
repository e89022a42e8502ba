/* junit.h - write test results as JUnit XML (one test suite), the report format of CI systems.
 *
 * Texts may contain any bytes; characters that XML cannot represent become U+FFFD. */
#ifndef EVL_JUNIT_H
#define EVL_JUNIT_H

#include "base/buf.h"

enum junit_outcome { JUNIT_PASSED, JUNIT_FAILURE, JUNIT_ERROR, JUNIT_SKIPPED };

struct junit {
	struct buf *out;
};

/* Append the start of the file, with the final numbers of test cases. `out` must outlive j. */
void junit_begin(struct junit *j, struct buf *out, const char *suite, size_t tests, size_t failures, size_t errors,
	size_t skipped);

/* Append a test case. message is the reason for any outcome other than JUNIT_PASSED. */
void junit_case(
	struct junit *j, struct evl_str class, struct evl_str name, enum junit_outcome outcome, struct evl_str message);
/* Append the end of the file. */
void junit_end(struct junit *j);

#endif
