/* compare.h - "NAME OP VALUE" expressions: split one into its parts, and evaluate the operator. */
#ifndef EVL_COMPARE_H
#define EVL_COMPARE_H

#include "base/base.h"

enum compare_op { OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE };

struct compare_parts {
	struct evl_str name, value; /* without blanks at their ends */
	enum compare_op op;
};

/* Split the text at its first operator: < <= > >= = == !=. The parts borrow from the text. Return false if there is no
 * operator. */
bool compare_split(struct evl_str text, struct compare_parts *out);

/* Report whether `a op b` is true. */
bool compare(double a, enum compare_op op, double b);

#endif
