/* section_log.c - Stats box FINDINGS, the program's command line, and what is lost of the log. */
#include "base/find.h"
#include "panes/stats/section.h"
#include "panes/stats/stats_job.h"
#include "panes/stats/stats_tables.h"

#include "draw/text.h"
#include "format/decode.h"

#include <stdio.h>

/* --- findings --- */

enum { LINE_ROOM = FINDING_TEXT + FINDING_WHERE + FINDING_TODO + 160, INDENT = 4 };
#define ARROW "  → "

/* Get line `line` of a text that is broken at blanks. False: it has fewer. */
static bool line_of(const char *text, int width, int line, struct evl_str *out)
{
	struct evl_str rest = str_of(text);
	do
		*out = text_take_line(&rest, width, false);
	while (line-- && rest.len);
	return line < 0;
}

static int count_lines(const char *text, int width)
{
	struct evl_str part;
	int n = 1;
	while (line_of(text, width, n, &part))
		n++;
	return n;
}

static void say_with(const struct finding *f, const char *where, char *out)
{
	char stake[FINDING_STAKE_TEXT], todo[FINDING_TODO];
	finding_stake_text(f, stake);
	finding_todo(f, todo);
	snprintf(out, LINE_ROOM, "%s%s%s%s%s%s%s", stake, *stake ? ": " : "", f->text, *where ? "; " : "", where,
		*todo ? ARROW : "", todo);
}

/* "211 ms, 4.1% of the time: 5 pauses of 10 ms or more (the longest 82.1 ms)  → +RTS --nonmoving-gc"; with the stretch that it
 * goes to, if that takes no further line. Return the number of lines. */
static int say(const struct finding *f, int width, char *out)
{
	char where[FINDING_WHERE];
	say_with(f, "", out);
	int n = count_lines(out, width - INDENT);
	if (f->until > f->t) {
		say_with(f, finding_where(f, where), out);
		if (count_lines(out, width - INDENT) > n)
			say_with(f, "", out);
	}
	return n;
}

static int lines_of(const struct finding *f, int width)
{
	char text[LINE_ROOM];
	return say(f, width, text);
}

/* The text that none is proved, before those about the log; "": one is. */
static const char *text_of_none(const struct stats_data *d, char *out)
{
	*out = '\0';
	return findings_numbered(&d->answer->findings) || d->f->windows.label ? out : findings_none(d->f, out);
}

static int rows_of_none(const struct stats_data *d)
{
	char none[FINDING_TEXT];
	return *text_of_none(d, none) ? count_lines(none, d->width - INDENT) : 0;
}

/* The finding that a row belongs to; *line: of its text. */
static const struct finding *finding_at(const struct stats_data *d, int row, int *line)
{
	const struct findings *all = &d->answer->findings;
	row -= rows_of_none(d);
	for (size_t i = 0; row >= 0 && i < all->n; i++) {
		int lines = lines_of(&all->items[i], d->width);
		*line = row;
		if (row < lines)
			return &all->items[i];
		row -= lines;
	}
	return NULL;
}

static int findings_entry_rows(const struct stats_data *d, size_t i)
{
	int none = rows_of_none(d);
	if (none && i-- == 0)
		return none;
	return i < d->answer->findings.n ? lines_of(&d->answer->findings.items[i], d->width) : 0;
}

static int findings_rows(const struct stats_data *d)
{
	int rows = 0, n;
	for (size_t i = 0; (n = findings_entry_rows(d, i)) > 0; i++)
		rows += n;
	return rows;
}

static bool has_costs(const struct findings *all)
{
	size_t n = 0;
	for (size_t i = 0; i < all->n; i++)
		n += all->items[i].stake_kind == STAKE_NS;
	return n > 1;
}

/* The order and the signs. */
static void findings_head(const struct stats_data *d, struct line *l)
{
	const struct findings *all = &d->answer->findings;
	const char *order = "largest share of time or memory first; ! problem, * note",
		   *overlap = has_costs(all) ? " (costs may overlap)" : "";
	char texts[3][160];
	if (findings_numbered(all) == 0) {
		line_put(l, ST_DIM, false, all->n ? "· not recorded → the option that records it" : "");
		return;
	}
	snprintf(texts[0], sizeof *texts, "Enter: go to it; %s%s", order, overlap);
	snprintf(texts[1], sizeof *texts, "%s%s", order, overlap);
	snprintf(texts[2], sizeof *texts, "%s", order);
	size_t i = 0;
	while (i + 1 < countof(texts) && (int)strlen(texts[i]) > line_room(l))
		i++;
	line_put(l, ST_DIM, false, texts[i]);
}

/* The flag that would help follows the arrow. */
static void put_finding(struct evl_str text, enum style style, struct line *l)
{
	const uint8_t *arrow = find_bytes(text.p, text.len, "→", strlen("→"));
	size_t plain = arrow ? (size_t)(arrow - text.p) : text.len;
	line_text(l, style, false, (struct evl_str){text.p, plain});
	line_text(l, ST_ACCENT, false, (struct evl_str){text.p + plain, text.len - plain});
}

static void findings_draw(const struct stats_data *d, int row, struct line *l)
{
	static const struct {
		enum style style, text;
		const char *sign;
	} graves[] = {[FINDING_WARN] = {ST_WARN, ST_TEXT, "! "},
		[FINDING_NOTE] = {ST_KEY, ST_TEXT, "* "},
		[FINDING_HINT] = {ST_DIM, ST_DIM, "· "}};
	char text[LINE_ROOM], number[24] = "  ";
	struct evl_str part;
	int line;
	if (*text_of_none(d, text) && line_of(text, d->width - INDENT, row, &part)) {
		line_skip(l, row ? INDENT : 0);
		line_text(l, ST_TEXT, false, part);
		return;
	}
	const struct finding *f = finding_at(d, row, &line);
	if (!f)
		return;
	const enum finding_severity sign = finding_is_grave(f) ? FINDING_WARN : f->severity;
	say(f, d->width, text);
	line_of(text, d->width - INDENT, line, &part);
	if (!line && f->severity != FINDING_HINT)
		snprintf(number, sizeof number, "%-2zu", findings_number_of(&d->answer->findings, f));
	line_put(l, ST_DIM, false, number);
	line_put(l, graves[sign].style, true, line ? "  " : graves[sign].sign);
	put_finding(part, graves[sign].text, l);
}

void section_place_finding(const struct stats_data *d, const struct finding *f, struct stats_place *out)
{
	if (f->severity == FINDING_HINT || !(f->has_place || f->thread || f->has_cap))
		return;
	out->kind = f->band[0] && !f->thread ? PLACE_BAND : PLACE_FINDING;
	snprintf(out->filter, sizeof out->filter, "%s", f->band);
	out->t = out->kind == PLACE_BAND && f->until > f->t ? f->until - 1 : f->t; /* the band after its growth */
	out->id = (uint32_t)(f - d->answer->findings.items);
}

static void findings_place(const struct stats_data *d, int row, struct stats_place *out)
{
	int line;
	const struct finding *f = finding_at(d, row < 0 ? 0 : row, &line);
	if (f)
		section_place_finding(d, f, out);
}

const struct section_ops section_findings = {.title = "FINDINGS",
	.exported = "csv findings",
	.table = &stats_findings,
	.wide = true,
	.entry_rows = findings_entry_rows,
	.rows = findings_rows,
	.head = findings_head,
	.draw = findings_draw,
	.place = findings_place};

/* --- the program --- */

static void put_args(const struct stats_data *d, struct line *l)
{
	struct evl_str rest = program_get(&d->log->program).program, arg;
	if (rest.len == 0)
		line_put(l, ST_DIM, false, "not known");
	while (decode_next_str(&rest, &arg)) {
		line_text(l, ST_TEXT, false, arg);
		line_skip(l, 1);
	}
}

static void put_rts(const struct stats_data *d, struct line *l)
{
	struct program_facts facts = program_get(&d->log->program);
	line_text(l, ST_TEXT, false, facts.rts.len ? facts.rts : EVL_STR("not known"));
}

static void put_wall(const struct stats_data *d, struct line *l)
{
	char text[TEXT_WALL_ROOM];
	bool known = *text_wall(text, program_get(&d->log->program).wall_ns, false);
	line_put(l, known ? ST_TEXT : ST_DIM, false, known ? text : "not known");
}

static void put_log(const struct stats_data *d, struct line *l)
{
	const struct evl_log *log = d->log;
	line_text(l, ST_TEXT, false, str_of(log->path));
	line_skip(l, 2);
	line_bytes(l, ST_TEXT, log->source.len);
	line_skip(l, 2);
	line_put(l, ST_TEXT, false, as_count(evl_progress(log).events));
	line_put(l, ST_DIM, false, " events");
}

static const struct section_entry facts[] = {{.label = "arguments", .put = put_args}, {.label = "RTS", .put = put_rts},
	{.label = "started", .put = put_wall}, {.label = "log", .put = put_log}};
static const struct section_entries program = {facts, countof(facts), 10};

const struct section_ops section_program = {
	.title = "PROGRAM", .missing = "", .wide = true, .of_log = true, .entries = &program};

/* --- damage --- */

enum { PLACES_SHOWN = 20 };

static int damage_rows(const struct stats_data *d)
{
	size_t n = d->log->damage.n;
	return (int)min_u64(n, PLACES_SHOWN) + (n + d->log->damage.more > PLACES_SHOWN) + evl_unfinished(d->log);
}

static void damage_draw(const struct stats_data *d, int row, struct line *l)
{
	const struct damage_list *list = &d->log->damage;
	char why[96];
	if (evl_unfinished(d->log) && row-- == 0) {
		line_put(l, ST_WARN, false, "no end marker: the program was killed or is still running");
	} else if (row < PLACES_SHOWN && (size_t)row < list->n) {
		const struct damage *place = &list->items[row];
		line_printf(l, ST_TEXT, false, "byte %-14llu %-10llu ", (unsigned long long)place->off,
			(unsigned long long)place->len);
		line_put(l, ST_WARN, false, damage_text(place, why, sizeof why));
	} else {
		section_more(l, list->n + list->more - (uint64_t)row);
	}
}

/* All places. */
static void damage_place(const struct stats_data *d, int row, struct stats_place *out)
{
	if ((row < 0 || row - evl_unfinished(d->log) == PLACES_SHOWN) && d->log->damage.n)
		section_place_list(out, &stats_damage);
}

const struct section_ops section_damage = {.title = "DAMAGE",
	.exported = "csv damage",
	.missing = "none: the log was read to its end marker",
	.of_log = true,
	.wide = true,
	.rows = damage_rows,
	.draw = damage_draw,
	.place = damage_place};
