#include "panes/heap/heap_detail.h"

#include "base/find.h"
#include "draw/style.h"
#include "exe/exe.h"
#include "heap/census_roots.h"
#include "panes/heap/heap_courses.h"
#include "query/census_label.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static struct heap_fact *new_fact(struct heap_answer *page, const char *name, enum style style)
{
	static struct heap_fact dropped; /* written only: there is no room */
	struct heap_fact *fact = page->n_facts < HEAP_FACTS ? &page->facts[page->n_facts++] : &dropped;
	fact->style = (uint8_t)style;
	snprintf(fact->name, sizeof fact->name, "%s", name);
	return fact;
}

static void EVL_PRINTF(4, 5) tell(struct heap_answer *page, const char *name, enum style style, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(new_fact(page, name, style)->text, HEAP_LABEL, format, args);
	va_end(args);
}

static void tell_text(struct heap_answer *page, const char *name, enum style style, struct evl_str text)
{
	if (text.len)
		heap_put_label(new_fact(page, name, style)->text, text);
}

/* --- numbers ------------------------------------------------------------------------------------------------------- */

/* "rose 21 MB → 256 MB from 110 ms to 4.20 s, flat since", and the slope of what still grows. */
static void tell_course(const struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	struct census_shape shape;
	char text[SHAPE_TEXT];
	heap_course(s, row->number, &shape);
	if (page->announced.by_index)
		return;
	tell(page, "history", shape.grows ? ST_WARN : ST_TEXT, "%s", census_shape_text(text, &shape));
	if (!shape.grows)
		return;
	tell(page, "this rise", ST_WARN, isnan(shape.r2) ? "+%s/s" : "+%s/s  r² %.2f",
		as_bytes(shape.slope < 1e18 ? (uint64_t)shape.slope : (uint64_t)1e18), shape.r2);
}

static void tell_growth(struct heap_answer *page, const struct heap_row *row)
{
	char rate[TEXT_ROOM], fit[32] = "";
	double slope = row->growth.slope, by = fabs(slope);
	text_bytes(rate, by < 1e18 ? (uint64_t)by : (uint64_t)1e18);
	if (!row->growth.known)
		tell(page, "growth", ST_DIM,
			page->announced.by_index ? "unknown: the samples have no times"
						 : "unknown: fewer than three samples in the window");
	if (!row->growth.known)
		return;
	if (!isnan(row->growth.r2))
		snprintf(fit, sizeof fit, "  r² %.2f", row->growth.r2);
	if (by < 1)
		tell(page, "growth", ST_TEXT, "none");
	else if (row->growth.r2 < 0.5)
		tell(page, "growth", ST_TEXT, "not steady%s: %s%s/s", fit, slope > 0 ? "+" : "-", rate);
	else
		tell(page, "growth", slope > 0 && *fit ? ST_WARN : ST_TEXT, "%s%s/s in the window%s",
			slope > 0 ? "+" : "-", rate, fit);
}

static void tell_peak(const struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	char bytes[TEXT_ROOM], share[TEXT_ROOM];
	if (row->peak == 0) {
		tell(page, "peak", ST_DIM, "none in this window");
		return;
	}
	const struct band_course *course = &s->window.courses[row->number];
	double of = (double)row->peak / (double)max_u64(s->survey.totals[course->peak_at], 1);
	text_bytes(bytes, row->peak);
	text_share(share, of);
	if (page->announced.by_index)
		tell(page, "peak", ST_TEXT, "%s in sample %u (%s of it)", bytes, course->peak_at + 1, share);
	else
		tell(page, "peak", ST_TEXT, "%s at %s (%s of all)", bytes, as_duration(row->peak_t), share);
}

static void tell_mean(const struct heap_scan *s, struct heap_answer *page, uint32_t number)
{
	const struct band_course *course = &s->window.courses[number];
	size_t samples = s->window.to - s->window.from;
	const char *mean = as_bytes((uint64_t)census_mean(&s->window, course));
	if (course->n == 0)
		return;
	if (samples == 1) {
		tell(page, "mean", ST_TEXT, "%s; the only sample in the window", mean);
		return;
	}
	tell(page, "mean", ST_TEXT, "%s ± %s; in %u of %zu samples", mean,
		as_bytes((uint64_t)census_deviation(&s->window, course)), course->n, samples);
	if (s->window.timed)
		tell(page, "area", ST_TEXT, "%s·s in the window",
			as_bytes(course->area < 1e18 ? (uint64_t)course->area : (uint64_t)1e18));
}

/* The figures of a band over the samples of the range and of the window. */
static void tell_numbers(const struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	if (page->in_range)
		tell_course(s, page, row);
	if (s->window.to == s->window.from) {
		tell(page, "samples", ST_DIM, "none in the window%s%s", page->nearest[0] ? "; " : "", page->nearest);
		return;
	}
	tell_growth(page, row);
	tell_peak(s, page, row);
	tell_mean(s, page, row->number);
}

/* --- what bands are ------------------------------------------------------------------------------------------------ */

/* Info tables number their closure type as rts/storage/ClosureTypes.h does (the same in GHC 9.2 to 9.12). */
static struct evl_str closure_name(struct evl_str number)
{
	static const char *const names[] = {"INVALID_OBJECT", "CONSTR", "CONSTR_1_0", "CONSTR_0_1", "CONSTR_2_0",
		"CONSTR_1_1", "CONSTR_0_2", "CONSTR_NOCAF", "FUN", "FUN_1_0", "FUN_0_1", "FUN_2_0", "FUN_1_1",
		"FUN_0_2", "FUN_STATIC", "THUNK", "THUNK_1_0", "THUNK_0_1", "THUNK_2_0", "THUNK_1_1", "THUNK_0_2",
		"THUNK_STATIC", "THUNK_SELECTOR", "BCO", "AP", "PAP", "AP_STACK", "IND", "IND_STATIC"};
	size_t n = 0;
	for (size_t i = 0; i < number.len; i++) {
		if (number.p[i] < '0' || number.p[i] > '9' || n >= countof(names))
			return number;
		n = 10 * n + (size_t)(number.p[i] - '0');
	}
	if (number.len == 0 || n >= countof(names))
		return number;
	return str_of(names[n]);
}

static void tell_info_table(struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	const struct prof_naming names = evl_naming(s->log);
	struct ipe_entry entry;
	bool near;
	tell_text(page, "info table", ST_TEXT, band_key(band));
	if (!census_table(&names, band, &entry, &near)) {
		tell(page, "source", ST_DIM,
			names.exe ? "neither the log nor its program names it"
				  : "not in the log: specify the program (--exe, or :exe PROGRAM)");
		if (!s->log->ipe.entries && !(names.exe && exe_abilities(names.exe).map))
			tell(page, "", ST_DIM, "or compile with -finfo-table-map");
		return;
	}
	if (near)
		tell(page, "not exact", ST_WARN, "nearest symbol, with its distance in bytes");
	tell_text(page, near ? "symbol" : "table", ST_TEXT, entry.table);
	tell_text(page, "label", ST_TEXT, entry.label);
	tell_text(page, "type", ST_TEXT, entry.type);
	tell_text(page, "module", ST_TEXT, entry.module);
	tell_text(page, "source", ST_ACCENT, entry.location);
	tell_text(page, "closure type", ST_DIM, closure_name(entry.closure));
}

/* Without the folders: the whole of it is for E. */
static struct evl_str file_of(struct evl_str location)
{
	const uint8_t *slash = location.len ? find_last_byte(location.p, '/', location.len) : NULL;
	size_t folders = slash ? (size_t)(slash + 1 - location.p) : 0;
	return (struct evl_str){location.p + folders, location.len - folders};
}

static void tell_centre(struct heap_scan *s, struct heap_answer *page, uint32_t id, bool innermost)
{
	struct cost_centre centre;
	if (!evl_cost_centre(s->log, id, &centre)) {
		tell(page, innermost ? "stack" : "", ST_DIM, "centre %u, which the log does not define", id);
		return;
	}
	buf_clear(&s->text);
	buf_str(&s->text, centre.label);
	buf_lit(&s->text, "  ");
	buf_str(&s->text, centre.module);
	buf_lit(&s->text, "  ");
	buf_str(&s->text, file_of(centre.location));
	tell_text(page, innermost ? "stack" : "called by", innermost ? ST_TEXT : ST_DIM,
		(struct evl_str){(const uint8_t *)s->text.p, s->text.len});
}

static void tell_stack(struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	enum { ID = 4, MOST = 24 };
	struct evl_str key = band_key(band);
	size_t depth = key.len / ID;
	if (!band->is_stack)
		return;
	for (size_t i = 0; i < depth && i < MOST; i++)
		tell_centre(s, page, be32(key.p + i * ID), i == 0);
	if (depth > MOST)
		tell(page, "called by", ST_DIM, "… and %zu more", depth - MOST);
	else
		tell(page, depth ? "called by" : "stack", ST_DIM, "MAIN");
}

static void tell_retainers(UNUSED struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	struct evl_str rest = band_key(band), name;
	const uint8_t *close = rest.len && *rest.p == '(' ? memchr(rest.p, ')', rest.len) : NULL;
	if (close) {
		rest.len -= (size_t)(close + 1 - rest.p);
		rest.p = close + 1;
	}
	for (int i = 0; census_root_next(&rest, ',', &name); i++)
		tell_text(page, i ? "" : "held by", ST_TEXT, name);
	tell(page, "", ST_DIM, "names are cut to 25 characters (longer with +RTS -L); the .prof file has them in full");
}

static void tell_phase(UNUSED struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	static const struct {
		const char *label, *meaning, *advice;
	} phases[] = {
#define PHASE(label, meaning, advice) {label, meaning, advice},
#include "panes/heap/biography_phases.def"
#undef PHASE
	};
	struct evl_str key = band_key(band);
	for (size_t i = 0; i < countof(phases); i++) {
		if (key.len != strlen(phases[i].label) || memcmp(key.p, phases[i].label, key.len) != 0)
			continue;
		tell(page, "note", ST_TEXT, "%s", phases[i].meaning);
		if (*phases[i].advice)
			tell(page, "so", ST_DIM, "%s", phases[i].advice);
	}
}

static void tell_closure(UNUSED struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	static const struct {
		const char *begin, *meaning;
	} types[] = {
#define CLOSURE(begin, meaning) {begin, meaning},
#include "panes/heap/closure_types.def"
#undef CLOSURE
	};
	struct evl_str key = band_key(band);
	const uint8_t *colon = key.len ? memchr(key.p, ':', key.len) : NULL;
	for (size_t i = 0; !colon && i < countof(types); i++) {
		size_t len = strlen(types[i].begin);
		if (key.len < len || memcmp(key.p, types[i].begin, len) != 0)
			continue;
		tell(page, "note", ST_TEXT, "%s", types[i].meaning);
		break;
	}
	if (!colon || colon == key.p)
		return;
	tell(page, "note", ST_TEXT, "saturated constructor");
	tell_text(page, "package", ST_TEXT, (struct evl_str){key.p, (size_t)(colon - key.p)});
	tell_text(page, "constructor", ST_TEXT, (struct evl_str){colon + 1, key.len - (size_t)(colon + 1 - key.p)});
}

static void tell_era(UNUSED struct heap_scan *s, struct heap_answer *page, UNUSED const struct band *band)
{
	tell(page, "note", ST_TEXT, "allocated in this era (set by setUserEra, or new at each major collection)");
}

/* The roots of the set: each with what it holds at the cursor. */
static void tell_roots(struct heap_scan *s, struct heap_answer *page, const struct band *band)
{
	struct evl_str rest = band_key(band), name;
	struct census_roots roots;
	census_roots(&roots, &s->reads[READ_AT].values, &s->survey.bands, s->announced.join);
	while (census_root_next(&rest, s->announced.join, &name)) {
		tell_text(page, "reached from", ST_TEXT, name);
		for (size_t i = 0; i < roots.n; i++)
			if (roots.roots[i].name.len == name.len && memcmp(roots.roots[i].name.p, name.p, name.len) == 0)
				tell(page, "", ST_DIM, "alone %s, with others %s, all %s", as_bytes(roots.roots[i].own),
					as_bytes(roots.roots[i].shared),
					as_bytes(add_or_max(roots.roots[i].own, roots.roots[i].shared)));
	}
}

/* The bands of a group, the largest in the whole run first. */
static void tell_members(struct heap_scan *s, struct heap_answer *page, uint32_t group)
{
	enum { MOST = 12 };
	const struct bands *members = s->survey.bands.members;
	const struct prof_naming names = evl_naming(s->log);
	const struct band *best[MOST];
	size_t n = 0, all = 0;
	for (uint32_t i = 0; i < bands_count(members); i++) {
		const struct band *band = bands_at(members, i);
		if (s->survey.bands.group_of[i] != group)
			continue;
		all++;
		size_t at = n < MOST ? n++ : MOST;
		for (; at > 0 && band->peak > best[at - 1]->peak; at--)
			if (at < MOST)
				best[at] = best[at - 1];
		if (at < MOST)
			best[at] = band;
	}
	tell(page, "group of", ST_TEXT, "%s band%s%s", as_count(all), all == 1 ? ":" : "s",
		all == 1 ? "" : ", the largest at their peaks:");
	for (size_t i = 0; i < n; i++) {
		buf_clear(&s->text);
		buf_cstr(&s->text, as_bytes(best[i]->peak));
		buf_lit(&s->text, "  ");
		census_label(&names, best[i], &s->text);
		tell_text(page, "", ST_DIM, (struct evl_str){(const uint8_t *)s->text.p, s->text.len});
	}
}

/* The opened group, or a band that only the other log has. */
static void tell_other_row(struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	size_t n = 0;
	for (uint32_t i = 0; i < bands_count(&s->survey.bands); i++)
		n += bands_at(&s->survey.bands, i)->opened;
	if (row->number == BANDS_OPEN)
		tell(page, "group of", ST_TEXT, "%s bands: Enter closes it", as_count(n));
	else
		tell(page, "before", ST_TEXT, "%s in the other log; not in this one", as_bytes(row->other));
}

static void tell_band(struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	if (row->number >= bands_count(&s->survey.bands)) {
		tell_other_row(s, page, row);
		return;
	}
	static void (*const kinds[])(struct heap_scan *, struct heap_answer *, const struct band *) = {
		[BY_COST_CENTRE] = tell_stack,
		[BY_RETAINER] = tell_retainers,
		[BY_BIOGRAPHY] = tell_phase,
		[BY_CLOSURE_TYPE] = tell_closure,
		[BY_INFO_TABLE] = tell_info_table,
		[BY_ERA] = tell_era,
		[BY_ROOTS] = tell_roots};
	const struct band *band = bands_at(&s->survey.bands, row->number);
	const struct prof_naming names = evl_naming(s->log);
	struct evl_str location = census_location(&names, band);
	tell_numbers(s, page, row);
	page->n_numbers = page->n_facts;
	if (s->survey.bands.members)
		tell_members(s, page, row->number);
	else if (s->announced.by < countof(kinds) && kinds[s->announced.by])
		kinds[s->announced.by](s, page, band);
	if (location.len && location.len <= sizeof page->location) {
		memcpy(page->location, location.p, location.len);
		page->location_len = location.len;
	}
}

/* --- what nodes and roots are -------------------------------------------------------------------------------------- */

static void tell_sums(const struct heap_answer *from, struct heap_answer *page, const struct heap_row *row,
	const char *all, const char *own)
{
	double of = (double)max_u64(from->at.total, 1);
	tell(page, all, ST_TEXT, "%s  %s of the sample", as_bytes(row->bytes), as_share((double)row->bytes / of));
	tell(page, own, ST_TEXT, "%s  %s", as_bytes(row->self), as_share((double)row->self / of));
}

static void tell_node(UNUSED struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	tell_sums(page, page, row, "incl", "self");
	tell_text(page, "source", ST_ACCENT, (struct evl_str){(const uint8_t *)page->location, page->location_len});
}

static void tell_root(struct heap_scan *s, struct heap_answer *page, const struct heap_row *row)
{
	struct census_roots roots;
	uint64_t shared[MOST_ROOTS];
	tell_sums(page, page, row, "in all", "alone");
	tell(page, "with others", ST_TEXT, "%s", as_bytes(sub_or_0(row->bytes, row->self)));
	census_roots(&roots, &s->reads[READ_AT].values, &s->survey.bands, s->announced.join);
	if (row->number >= roots.n)
		return;
	census_roots_shared(&roots, &s->reads[READ_AT].values, &s->survey.bands, s->announced.join,
		roots.roots[row->number].name, shared);
	for (size_t i = 0; i < roots.n; i++)
		if (shared[i])
			tell(page, "shares with", ST_TEXT, "%.*s  %s",
				(int)min_u64(roots.roots[i].name.len, HEAP_LABEL / 2),
				(const char *)roots.roots[i].name.p, as_bytes(shared[i]));
}

void heap_facts(struct heap_scan *s, struct heap_answer *page)
{
	page->n_facts = page->n_numbers = 0;
	if (s->ask.mode != HEAP_TREE)
		page->location_len = 0;
	if (page->n == 0)
		return;
	const struct heap_row *row = &page->rows[page->cursor];
	if (s->ask.mode == HEAP_TREE)
		tell_node(s, page, row);
	else if (s->ask.mode == HEAP_ROOTS)
		tell_root(s, page, row);
	else
		tell_band(s, page, row);
}
