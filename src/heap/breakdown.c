#include "heap/breakdown.h"

#include "base/find.h"
#include "format/decode.h"

#include <stdio.h>

static const struct breakdown_row rows[] = {
	{0, "", "unknown", "", ""},
#define BREAKDOWN(number, id, flag, name, question, needs) {number, flag, name, question, needs},
#include "heap/breakdown.def"
#undef BREAKDOWN
};

const struct breakdown_row *breakdown_rows(size_t *n)
{
	*n = countof(rows);
	return rows;
}

/* --- how bands look ------------------------------------------------------------------------------------------------ */

static bool is_address(struct evl_str s)
{
	if (s.len < 3 || s.p[0] != '0' || s.p[1] != 'x')
		return false;
	for (size_t i = 2; i < s.len; i++)
		if (!(is_digit(s.p[i]) || (s.p[i] >= 'a' && s.p[i] <= 'f')))
			return false;
	return true;
}

static bool is_digits(struct evl_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

static bool is_phase(struct evl_str s)
{
	static const char *const phases[] = {"LAG", "USE", "INHERENT_USE", "DRAG", "VOID"};
	for (size_t i = 0; i < countof(phases); i++)
		if (s.len == strlen(phases[i]) && memcmp(s.p, phases[i], s.len) == 0)
			return true;
	return false;
}

/* package:Module.Constructor, or a name of the run-time system's own: THUNK_1_0. */
static bool is_closure_type(struct evl_str s)
{
	const uint8_t *colon = s.len ? memchr(s.p, ':', s.len) : NULL;
	if (colon)
		return colon > s.p && memchr(colon, '.', s.len - (size_t)(colon - s.p));
	for (size_t i = 0; i < s.len; i++)
		if (!((s.p[i] >= 'A' && s.p[i] <= 'Z') || is_digit(s.p[i]) || s.p[i] == '_'))
			return false;
	return s.len > 0;
}

void breakdown_look(struct breakdown_looks *looks, const struct census_band *band)
{
	looks->n++;
	looks->stacks += band->is_stack;
	if (band->is_stack)
		return;
	looks->addresses += is_address(band->key);
	looks->digits += is_digits(band->key);
	looks->biography += is_phase(band->key);
	looks->closures += is_closure_type(band->key);
	looks->commas += band->key.len && memchr(band->key.p, ',', band->key.len);
	looks->dashes += band->key.len && memchr(band->key.p, '-', band->key.len);
}

/* --- telling ------------------------------------------------------------------------------------------------------- */

static enum breakdown by_letter(char letter, bool profiled)
{
	for (size_t i = 1; i < countof(rows); i++)
		if (rows[i].flag[2] == letter)
			return (enum breakdown)i;
	if (letter == 'C' || (letter == 0 && profiled))
		return BY_COST_CENTRE;
	return letter == 0 ? BY_CLOSURE_TYPE : letter == 'o' ? BY_ROOTS : BY_UNKNOWN;
}

/* The breakdown requested by RTS flags: -hX; -hXsomething only selects closures. */
struct asked {
	enum breakdown by;
	bool biography;
};

static void take_flag(struct asked *asked, struct evl_str arg, bool profiled)
{
	if (arg.len < 2 || memcmp(arg.p, "-h", 2) != 0)
		return;
	if (arg.len <= 3)
		asked->by = by_letter(arg.len == 3 ? (char)arg.p[2] : 0, profiled);
	else
		asked->biography = asked->biography || arg.p[2] == 'b';
}

static struct asked asked_for(const struct program_facts *facts)
{
	struct asked asked = {BY_UNKNOWN, false};
	struct evl_str rest = facts->program, arg;
	bool inside = false, over = false;
	while (!over && decode_next_str(&rest, &arg)) {
		over = arg.len == 5 && memcmp(arg.p, "--RTS", 5) == 0;
		if (arg.len == 4 && (memcmp(arg.p, "+RTS", 4) == 0 || memcmp(arg.p, "-RTS", 4) == 0))
			inside = *arg.p == '+';
		else if (inside)
			take_flag(&asked, arg, find_word(facts->rts, "_p"));
	}
	return asked;
}

static enum breakdown by_looks(const struct breakdown_looks *l)
{
	if (l->n == 0)
		return BY_UNKNOWN;
	return l->stacks               ? BY_COST_CENTRE
		: l->addresses == l->n ? BY_INFO_TABLE
		: l->biography == l->n ? BY_BIOGRAPHY
		: l->digits == l->n    ? BY_ERA
		: l->closures == l->n  ? BY_CLOSURE_TYPE
				       : BY_UNKNOWN;
}

/* Roots, where a set of several occurs. */
static void tell_roots(struct breakdown_found *announced, const struct breakdown_looks *l)
{
	announced->join = l->commas ? ',' : l->dashes ? '-' : 0;
	announced->by = announced->join || announced->by == BY_ROOTS ? BY_ROOTS : BY_TEXT;
}

struct breakdown_found breakdown_tell(const struct census_profile *profile, const struct program_facts *facts,
	const struct breakdown_looks *looks, bool timed)
{
	struct asked asked = asked_for(facts);
	struct breakdown_found announced = {
		.number = profile->off ? profile->breakdown : 0, .guessed = !profile->off && !asked.by};
	if (profile->off)
		announced.by = announced.number == 0 || announced.number >= countof(rows)
			? BY_TEXT
			: (enum breakdown)announced.number;
	else
		announced.by = asked.by ? asked.by : by_looks(looks);
	bool odd = announced.by == BY_TEXT || announced.by == BY_ROOTS
		|| (announced.by == BY_INFO_TABLE && looks->addresses < looks->n);
	if (odd && announced.by != BY_ROOTS && asked.by == BY_ROOTS)
		announced.by = BY_ROOTS;
	if (odd)
		tell_roots(&announced, looks);
	bool late = profile->biography || (!profile->off && asked.biography) || announced.by == BY_BIOGRAPHY;
	announced.by_index = late && !timed && looks->n > 0;
	return announced;
}

char *breakdown_name(const struct breakdown_found *announced, char *out)
{
	if (announced->by == BY_TEXT)
		snprintf(out, BREAKDOWN_ROOM, "breakdown %u", announced->number);
	else
		snprintf(out, BREAKDOWN_ROOM, "%s", announced->by == BY_ROOTS ? "root set" : rows[announced->by].name);
	return out;
}

const char *breakdown_flag(const struct breakdown_found *announced)
{
	return announced->by == BY_ROOTS ? "-ho" : announced->by == BY_TEXT ? "" : rows[announced->by].flag;
}
