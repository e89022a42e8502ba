/* compare.h - "NAME OP VALUE" expressions: split one into its parts, and evaluate an operator. */
#ifndef EVL_COMPARE_H
#define EVL_COMPARE_H

#include "base/base.h"

enum compare_op { OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE };

struct compare_parts {
	struct evl_str name, value; /* without blanks at their ends */
	enum compare_op op;
};

/* Cut at the first operator: < <= > >= = == !=. False where there is none. */
bool compare_split(struct evl_str text, struct compare_parts *out);

bool compare(double a, enum compare_op op, double b);

#endif
