/* section_phases.c - Stats box PHASES: intervals between user markers. */
#include "panes/stats/section.h"
#include "panes/stats/stats_tables.h"
#include "table/lists.h"

enum { SHOWN = 12, NAME_WIDE = 28, NAME_NARROW = 16, ROOM_FOR_ALL = 110, SHARE = 7, TIME = 8 };

#define FIELD(id, chars, colour) .column = PHASE_COLUMN_##id, .width = chars, .style = colour
static const struct section_field fields[] = {{FIELD(TOTAL, TIME, ST_TEXT), .title = "length"},
	{FIELD(MUTATOR, SHARE, ST_TEXT), .share = true}, {FIELD(PAUSED, SHARE, ST_TEXT), .share = true},
	{FIELD(IDLE, SHARE + 1, ST_TEXT), .share = true, .title = "all idle"}, {FIELD(GC_N, SHARE, ST_TEXT)},
	{FIELD(MAX_PAUSE, TIME, ST_WARN)}, {FIELD(ALLOCATED, 9, ST_TEXT), .wide = true},
	{FIELD(CAPS_BUSY, 9, ST_TEXT), .wide = true}};
static const struct section_list list = {&phase_list_kind, SECTION_FIELDS(fields)};

/* Of a row with this room: without the wide columns, a name has what the others leave. */
static int name_width(int room)
{
	for (size_t i = 0; i < countof(fields); i++)
		room -= fields[i].wide ? 0 : fields[i].width + 1;
	return room - 1 < NAME_NARROW ? NAME_NARROW : room - 1 < NAME_WIDE ? room - 1 : NAME_WIDE;
}

static size_t hidden(const struct stats_data *d) { return sub_or_0(d->f->phases.n, SHOWN) + d->f->phases.others; }

static int phases_rows(const struct stats_data *d)
{
	size_t n = d->f->phases.n;
	return (int)min_u64(n, SHOWN) + (n && hidden(d));
}

static void phases_head(UNUSED const struct stats_data *d, struct line *l)
{
	int title = (int)strlen("PHASES") + 2, room = line_room(l) + title;
	line_skip(l, name_width(room) + 1 - title);
	section_titles(l, &list, room >= ROOM_FOR_ALL);
}

static void draw_phase(const struct stats_data *d, int row, struct line *l)
{
	static const struct {
		int column;
		enum style style;
	} bar[] = {{PHASE_COLUMN_MUTATOR, ST_RUN}, {PHASE_COLUMN_GC, ST_MAJOR}, {PHASE_COLUMN_SYNC, ST_SYNC},
		{PHASE_COLUMN_IDLE, ST_IDLE}};
	struct section_part parts[countof(bar)];
	struct phase_list of = {.of.log = d->log, .phases = d->f->phases};
	bool all = line_room(l) >= ROOM_FOR_ALL;
	struct evl_str name = phase_name(d->log, &d->f->phases.items[row]);
	if (name.p)
		section_name(l, ST_TEXT, name_width(line_room(l)), name);
	else
		section_left(l, ST_DIM, name_width(line_room(l)), "before the first");
	section_cells(l, &list, &of, (size_t)row, all);
	if (!all)
		return;
	for (size_t i = 0; i < countof(bar); i++)
		parts[i] = (struct section_part){
			table_number(list.kind, &of, (size_t)row, bar[i].column, true), bar[i].style};
	line_skip(l, 1);
	if (d->f->has_sched && d->f->has_gc && line_room(l) > 4)
		section_parts(l, line_room(l), parts, countof(parts));
}

static void phases_draw(const struct stats_data *d, int row, struct line *l)
{
	if (row < SHOWN && row < (int)d->f->phases.n) {
		draw_phase(d, row, l);
		return;
	}
	section_more(l, hidden(d));
}

/* A phase becomes the range; of the title, all of them. */
static void phases_place(const struct stats_data *d, int row, struct stats_place *out)
{
	section_place_list(out, &stats_phases);
	if (row < 0 || row >= SHOWN || row >= (int)d->f->phases.n)
		return;
	out->kind = PLACE_SELECTION;
	out->t = d->f->phases.items[row].from;
	out->end = d->f->phases.items[row].to;
}

const struct section_ops section_phases = {.title = "PHASES",
	.exported = "csv phases",
	.absence = ABSENCE_PHASES,
	.wide = true,
	.rows = phases_rows,
	.head = phases_head,
	.draw = phases_draw,
	.place = phases_place};
