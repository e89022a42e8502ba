/* filter.h - filter expressions, the same in all panes: FIELD OP VALUE, words, !, or, parentheses.
 *
 *   pause_ns>5ms              a field's name may have the suffix of its unit, as in CSV and SQL
 *   cap:2  cap:0-3  gen=1     the value is equal, or in the range (both ends included); != is the opposite
 *   pause>5ms  run<=5%        numbers with units; a share if the field allows it
 *   t>3.2s  t:1s-2s           times (time_expr.h)
 *   type:GC_*  label=worker-#  the whole text matches, ignoring case: * is any characters, ? any one, # any number
 *   label=="a*b"              the text is exactly this, its case included; two quotes within quotes are one
 *   label~sort  label~"a b"   the text contains the value; label~\v^a.*b is a regular expression (text_match.h)
 *   worker  \v^w  "a b"       a single word or pattern is searched for in names
 *   !x  x y  x or y  (…)      not; and (a blank); or. A blank binds more tightly than `or`
 *
 * A value that a field cannot have is rejected, and the message names the column and the permitted values: cap:3-1,
 * gen=1.5, state:nosuch.
 *
 * Each pane defines its fields and a function that tests one term against one of its rows. The result of a test, and of
 * the whole filter, may be FILTER_MAYBE; such a row passes the filter. */
#ifndef EVL_FILTER_H
#define EVL_FILTER_H

#include "base/text_match.h"
#include "base/time_expr.h"
#include "base/units.h"

/* Limits: number of terms (FILTER_TERMS) and of nodes (FILTER_NODES) of a filter, bytes of its values (FILTER_ROOM),
 * bytes of a completion hint (FILTER_SAY). */
enum { FILTER_TERMS = 16, FILTER_NODES = 128, FILTER_ROOM = 512, FILTER_SAY = 384 };

enum filter_kind {
	FILTER_NUMBER, /* a number with a unit */
	FILTER_MOMENT, /* a time (time_expr.h) */
	FILTER_TEXT,
	FILTER_CHOICE, /* one of a few words; a prefix is enough */
};

struct filter_offers;

struct filter_field {
	/* for example "cap" and "cap:2 or cap:0-3"; the example is shown in error messages */
	const char *name, *example;
	enum filter_kind kind;
	enum unit unit; /* of a FILTER_NUMBER */
	bool shares;    /* a value such as 5% is also accepted, as a share */
	/* Pass each permitted value to filter_offer; NULL if the field has no list of values. */
	void (*values)(const void *ctx, struct filter_offers *offers);
};

struct filter_fields {
	const struct filter_field *items;
	size_t n;
	const char *const *words; /* single words with a meaning, for completion; ends with NULL; NULL: none */
	bool open; /* an unknown name before a colon is not an error: all of it is searched for as a word */
	const struct time_expr *when; /* for FILTER_MOMENT; NULL: times are rejected */
	const void *ctx;              /* argument of `values` */
};

enum filter_op { FILTER_IS, FILTER_IS_NOT, FILTER_LT, FILTER_LE, FILTER_GT, FILTER_GE, FILTER_HOLDS };

struct filter_term {
	int field; /* index into filter_fields.items, or -1 for a single word */
	enum filter_op op;
	bool exact; /* a text, compared byte by byte */
	bool share; /* from and to are shares, 0 to 1 */
	bool bad;   /* not understood: evaluates to FILTER_MAYBE */
	/* FILTER_NUMBER: the range in the field's unit (ns, bytes, …), both ends included; from == to for one value */
	double from, to;
	uint64_t from_t, to_t;   /* FILTER_MOMENT: the range in ns, both ends included */
	struct pattern *pattern; /* of the operator ~ and of a single word; otherwise NULL */
	uint16_t at, len;        /* offset and length of the value in filter.text, where a NUL follows it */
	uint16_t column;         /* column at which the term starts, from 1 */
};

struct filter {
	struct filter_term terms[FILTER_TERMS];
	size_t n;
	struct filter_node {
		enum { FILTER_TERM, FILTER_NOT, FILTER_AND, FILTER_OR } kind;
		uint8_t a, b; /* operands, as indices into nodes; FILTER_TERM: a is an index into terms */
	} nodes[FILTER_NODES];
	uint8_t n_nodes, root;
	char text[FILTER_ROOM];
	size_t len;
};

/* Parse a filter. Return 0, or EVL_USAGE (err names the column) or EVL_NOMEM; the first bad term and all later ones
 * then evaluate to FILTER_MAYBE. Call filter_free in any case. */
int filter_parse(struct filter *f, const struct filter_fields *fields, const char *text, struct evl_err *err);
void filter_free(struct filter *f);

/* Make a separate copy for another thread. Return false, with *out zeroed, if memory ran out. */
bool filter_copy(struct filter *out, const struct filter *f) EVL_MUST_USE;

/* Evaluate the filter by calling holds(ctx, f, term) for the terms that decide the result. A filter without terms is
 * FILTER_YES. */
enum filter_answer { FILTER_NO, FILTER_MAYBE, FILTER_YES };
typedef enum filter_answer filter_holds(void *ctx, const struct filter *f, const struct filter_term *t);
enum filter_answer filter_ask(const struct filter *f, filter_holds *holds, void *ctx);

/* Report whether a term is true for a value. The value of filter_number is in the field's unit, or a share from 0 to 1
 * if t->share. A text of more than FILTER_TEXT_MOST bytes must be followed by a NUL. */
enum { FILTER_TEXT_MOST = 4096 };
bool filter_number(const struct filter_term *t, double value);
bool filter_moment(const struct filter_term *t, uint64_t value);
bool filter_text(const struct filter *f, const struct filter_term *t, struct evl_str value);
bool filter_choice(const struct filter *f, const struct filter_term *t, const char *value);

/* Write the message for a filter that nothing passes to out, FILTER_SAY bytes, and return out: "no event matches the
 * filter", and if it compares a whole text, how to search for a part of one; or which of its words would be a field that
 * does not exist. noun: what is filtered. */
const char *filter_none(const struct filter_fields *fields, const char *text, const char *noun, char *out);

/* Offer a word as a completion; `values` functions call this. */
void filter_offer(struct filter_offers *offers, const char *word);

/* Complete the last word of `text`, a field name or a value, into out[room]. say[FILTER_SAY] receives the possible
 * continuations, or "" if there is only one. */
void filter_complete(const struct filter_fields *fields, const char *text, char *out, size_t room, char *say);

#endif
