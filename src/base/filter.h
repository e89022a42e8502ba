/* filter.h - filter expressions, the same in all panes: FIELD OP VALUE, words, !, or, parentheses.
 *
 *   cap:2  cap:0-3  gen=1     the value is this one, or in this range; != for any other
 *   pause>5ms  run<=5%        numbers with units; shares where the field has them; t>3.2s, t:1s-2s are moments
 *   type:GC_*  label=worker*  the whole text, whatever its case: * any characters, ? any one
 *   label~sort  label~"a b"   the text contains it; label~\v^a.*b is a regular expression (text_match.h)
 *   worker  \v^w  "a b"       a word alone is looked for in names
 *   !x  x y  x or y  (…)      not; both; either; y binds stronger than `or`
 *
 * A value that a field cannot have is refused, with its column and what the field takes: cap:3-1, gen=1.5, state:nosuch.
 *
 * A pane defines the fields, and decides for each of its rows which terms hold. A term that cannot be decided is neither
 * true nor false, and a row that may match passes the filter. */
#ifndef EVL_FILTER_H
#define EVL_FILTER_H

#include "base/text_match.h"
#include "base/time_expr.h"
#include "base/units.h"

enum { FILTER_TERMS = 16, FILTER_NODES = 128, FILTER_ROOM = 512, FILTER_SAY = 256 };

enum filter_kind {
	FILTER_NUMBER, /* of a unit */
	FILTER_MOMENT, /* time_expr.h */
	FILTER_TEXT,
	FILTER_CHOICE, /* a word of few; its first letters are enough */
};

struct filter_offers;

struct filter_field {
	const char *name, *example; /* "cap", "cap:2 or cap:0-3" */
	enum filter_kind kind;
	enum unit unit;
	bool shares; /* 5% is a share of something */
	/* Offer its values for completion (filter_offer); NULL: there are none. */
	void (*values)(const void *ctx, struct filter_offers *offers);
};

struct filter_fields {
	const struct filter_field *items;
	size_t n;
	bool open;                    /* names hold signs: what begins with no field is a word */
	const struct time_expr *when; /* for moments */
	const void *ctx;              /* of `values` */
};

enum filter_op { FILTER_IS, FILTER_IS_NOT, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE, FILTER_HOLDS };

struct filter_term {
	int field; /* its place among the fields; -1: a word alone */
	enum filter_op op;
	bool share;              /* the numbers are shares, 0…1 */
	bool bad;                /* not understood: it may be true */
	double from, to;         /* of a number */
	uint64_t from_t, to_t;   /* of a moment */
	struct pattern *pattern; /* of ~, and of a word alone */
	uint16_t at, len;        /* its value, in `text`, with a NUL */
	uint16_t column;         /* where it begins, from 1 */
};

struct filter {
	struct filter_term terms[FILTER_TERMS];
	size_t n;
	struct filter_node {
		enum { FILTER_TERM, FILTER_NOT, FILTER_AND, FILTER_OR } kind;
		uint8_t a, b; /* nodes; of a term its number */
	} nodes[FILTER_NODES];
	uint8_t n_nodes, root;
	char text[FILTER_ROOM];
	size_t len;
};

/* Parse a filter. Return 0, EVL_USAGE with the column in err, or EVL_NOMEM; terms that were not understood then count as
 * maybe true. Call filter_free in any case. */
int filter_parse(struct filter *f, const struct filter_fields *fields, const char *text, struct evl_err *err);
void filter_free(struct filter *f);

/* Make a separate copy for another thread. Return false, and zeros in *out, if memory ran out. */
bool filter_copy(struct filter *out, const struct filter *f) EVL_MUST_USE;

/* Does it hold? No terms: yes. holds(ctx) is asked for the terms that matter. */
enum filter_answer { FILTER_NO, FILTER_MAYBE, FILTER_YES };
typedef enum filter_answer filter_holds(void *ctx, const struct filter *f, const struct filter_term *t);
enum filter_answer filter_ask(const struct filter *f, filter_holds *holds, void *ctx);

/* Report whether a term holds for a value. A text of more than FILTER_TEXT_MOST bytes must be followed by a NUL. */
enum { FILTER_TEXT_MOST = 4096 };
bool filter_number(const struct filter_term *t, double value);
bool filter_moment(const struct filter_term *t, uint64_t value);
bool filter_text(const struct filter *f, const struct filter_term *t, struct evl_str value);
bool filter_choice(const struct filter *f, const struct filter_term *t, const char *value);

/* Complete the last word of a line: a field, or a value. say, of FILTER_SAY: what there is to choose from, or "". */
void filter_offer(struct filter_offers *offers, const char *word);
void filter_complete(const struct filter_fields *fields, const char *text, char *out, size_t room, char *say);

#endif
