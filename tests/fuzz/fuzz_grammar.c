/* Any line as a filter expression over lanes, bands and a table: refused with a column, or it answers, as its copy does, and
 * its negation the opposite; completing it leaves what was typed. */
#include "fuzz.h"

#include "panes/heap/heap_filter.h"
#include "table/gc_table.h"
#include "threads/lane_filter.h"

enum { ROOM = 400, ROWS = 5 };

/* Answer of row i to a term: computed from the row and all members of the term. */
static enum filter_answer holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	static const char *const texts[ROWS] = {"", "worker-1", "a b", "GC_*\xff", "\x1b[0m(\"x\")"};
	static const double numbers[ROWS] = {0, 1, 4e6, 0.05, 1e300};
	static const uint64_t moments[ROWS] = {0, 1, 500000000, 1000000000, UINT64_MAX};
	size_t i = *(const size_t *)ctx;
	struct evl_str text = {(const uint8_t *)texts[i], strlen(texts[i])};
	bool held;
	if (t->field < 0 || t->op == FILTER_HOLDS)
		held = filter_text(f, t, text);
	else if (i == 0)
		return FILTER_MAYBE; /* not known there */
	else
		held = filter_number(t, numbers[i]) ^ filter_moment(t, moments[i]) ^ filter_text(f, t, text)
			^ filter_choice(f, t, texts[i]);
	return held ? FILTER_YES : FILTER_NO;
}

static enum filter_answer ask(const struct filter *f, size_t row) { return filter_ask(f, holds, &row); }

/* !(LINE) says no where LINE says yes. Parentheses take part in how a line is read, so only of lines without. */
static void check_negation(const struct filter *f, const struct filter_fields *fields, const char *line)
{
	char negated[ROOM + 4];
	struct filter g;
	if (!f->n || strpbrk(line, "()"))
		return;
	snprintf(negated, sizeof negated, "!(%s)", line);
	if (filter_parse(&g, fields, negated, NULL) == 0)
		for (size_t row = 0; row < ROWS; row++)
			check(ask(&g, row) == (enum filter_answer)(FILTER_YES - ask(f, row)));
	filter_free(&g);
}

static void read_line(const struct filter_fields *fields, const char *line)
{
	struct filter f, copy;
	struct evl_err err = {0};
	char done[ROOM], say[FILTER_SAY];
	unsigned column = 0;
	int result = filter_parse(&f, fields, line, &err);
	check(result == 0
		|| (result == EVL_USAGE && sscanf(err.text, "column %u: ", &column) == 1 && column
			&& column <= strlen(line) + 1));
	check(f.n <= FILTER_TERMS && f.n_nodes <= FILTER_NODES && f.len <= FILTER_ROOM);
	check(filter_copy(&copy, &f));
	for (size_t row = 0; row < ROWS; row++)
		check(ask(&f, row) == ask(&copy, row));
	if (result == 0)
		check_negation(&f, fields, line);
	filter_complete(fields, line, done, sizeof done, say);
	check(strlen(done) >= strlen(line) && strlen(say) < sizeof say);
	filter_free(&f);
	filter_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	static const struct time_expr when = {.last = 1000000000, .wall_ns = 1763655000000000000};
	struct filter_field items[TABLE_FIELDS];
	struct filter_fields table = table_filter_fields(&gc_table_kind, items), lanes = lane_filter_fields;
	char line[ROOM];
	size_t used = len < ROOM / 2 ? len : ROOM / 2;
	if (used)
		memcpy(line, data, used);
	line[used] = '\0';
	table.when = lanes.when = &when;
	read_line(&lanes, line);
	read_line(&heap_filter_fields, line);
	read_line(&table, line);
	return 0;
}
