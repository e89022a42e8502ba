#include "query/nm_cycles.h"

#include <math.h>
#include <stdlib.h>

/* --- cycles --- */

/* How much of a phase lies in the range; one that is open goes on to its end. */
static uint64_t inside(const struct nm_phase *p, uint64_t from, uint64_t to)
{
	return sub_or_0(min_u64(p->end, to), max_u64(p->start, from));
}

static struct nm_cycle *begin(struct nm_cycles *c, size_t *room, uint64_t t)
{
	if (c->n >= NM_CYCLES || !GROW(c->items, c->n, *room)) {
		c->more++;
		return NULL;
	}
	c->items[c->n++] = (struct nm_cycle){.start = t, .end = NM_OPEN};
	return &c->items[c->n - 1];
}

static void add_sync(struct nm_cycles *c, const struct nm_phase *p, uint64_t ns)
{
	if (ns <= c->longest_sync)
		return;
	c->longest_sync = ns;
	c->longest_sync_at = p->start;
}

static void add_phase(
	struct nm_cycles *c, struct nm_cycle *cycle, const struct nm_phase *p, const struct gc_pauses *pauses)
{
	uint64_t ns = inside(p, pauses->from, pauses->to);
	uint64_t from = max_u64(p->start, pauses->from), to = min_u64(p->end, pauses->to);
	uint64_t stopped = p->kind == NM_SYNC ? ns : gc_pauses_within(pauses, from, to);
	c->ns[p->kind] += ns;
	c->stopped += stopped;
	c->concurrent += ns - stopped;
	if (p->kind == NM_SYNC)
		add_sync(c, p, ns);
	if (!cycle)
		return;
	cycle->ns[p->kind] += ns;
	cycle->stopped += stopped;
	cycle->end = p->end;
	cycle->syncs += p->kind == NM_SYNC;
	cycle->swept = cycle->swept || p->kind == NM_SWEEP;
}

/* Return the global buffer, which has the census events; NULL if there is none. */
static const struct rows *censuses(const struct evl_log *log)
{
	const struct nonmoving *nm = &log->nonmoving;
	return nm->global < nm->census.n ? &nm->census.tables[nm->global] : NULL;
}

static const struct point *point_at(const struct rows *rows, size_t i) { return rows_at(rows, i); }

static size_t point_from(const struct rows *rows, uint64_t t)
{
	return rows_first_at(rows, rows_count(rows), offsetof(struct point, t), t);
}

/* Find the first census event after each cycle and before the next. */
static void find_censuses(struct nm_cycles *c, const struct rows *census)
{
	for (size_t i = 0; i < c->n && census; i++) {
		struct nm_cycle *cycle = &c->items[i];
		uint64_t next = i + 1 < c->n ? c->items[i + 1].start : UINT64_MAX;
		size_t at = point_from(census, cycle->end);
		if (cycle->end != NM_OPEN && at < rows_count(census) && point_at(census, at)->t < next)
			cycle->census = point_at(census, at)->off;
	}
}

/* --- censuses --- */

/* Count the sweeps that start before t: events between two of them belong to one census. */
static size_t sweeps_before(const struct nonmoving *nm, uint64_t t)
{
	const struct rows *rows = &nm->phases[NM_SWEEP];
	return rows_first_at(rows, rows_count(rows), offsetof(struct nm_row, start), t);
}

/* Blocks that a segment has room for: of 32 KiB, less a head of 24 bytes, with a byte of marks for each block. */
static double blocks_of(uint64_t segments, uint64_t block_size)
{
	enum { SEGMENT = 32768, HEAD = 24 };
	uint64_t fit = (SEGMENT - HEAD) / (block_size + 1);
	return (double)segments * (double)fit;
}

/* The segment that each capability allocates in is in neither count of segments, its blocks are in that of blocks. */
static double occupancy_of(const struct nm_census *census)
{
	double room = blocks_of((uint64_t)census->active + census->filled, census->block_size);
	return room > 0 && (double)census->live <= room ? (double)census->live / room : (double)NAN;
}

ORDER_BY(by_size, struct nm_size, block_size);

/* The last census of the range, read backwards. */
static void last_census(struct nm_cycles *c, const struct evl_log *log, uint64_t from, uint64_t to)
{
	const struct rows *rows = censuses(log);
	size_t first = rows ? point_from(rows, from) : 0, at = rows ? point_from(rows, to) : 0;
	size_t group = at > first ? sweeps_before(&log->nonmoving, point_at(rows, at - 1)->t) : 0;
	c->census_t = at > first ? point_at(rows, at - 1)->t : 0;
	while (at-- > first && c->n_sizes < NM_SIZES) {
		struct nm_census census;
		if (sweeps_before(&log->nonmoving, point_at(rows, at)->t) != group)
			break;
		if (nonmoving_census(&log->blocks, point_at(rows, at)->off, &census))
			c->sizes[c->n_sizes++] = (struct nm_size){
				census.block_size, census.active, census.filled, census.live, occupancy_of(&census)};
	}
	qsort(c->sizes, c->n_sizes, sizeof c->sizes[0], by_size);
}

/* Where the events of a census begin: after the sweep of this number; 0: those before the first of the range. */
static size_t census_from(const struct nonmoving *nm, const struct rows *rows, size_t first, size_t i, size_t begin)
{
	const struct nm_row *sweep = i ? rows_at(&nm->phases[NM_SWEEP], first + i - 1) : NULL;
	return sweep ? point_from(rows, sweep->start + 1) : begin;
}

size_t nm_history(
	const struct evl_log *log, uint64_t block_size, uint64_t from, uint64_t to, struct nm_point *out, size_t room)
{
	const struct rows *rows = censuses(log);
	const struct nonmoving *nm = &log->nonmoving;
	size_t begin = rows ? point_from(rows, from) : 0, end = rows ? point_from(rows, to) : 0;
	size_t first = sweeps_before(nm, from), groups = begin < end ? sweeps_before(nm, to) - first + 1 : 0;
	size_t n = 0, skip = room ? (groups + room - 1) / room : 1;
	for (size_t group = 0; group < groups; group += skip) {
		struct nm_census census;
		size_t at = census_from(nm, rows, first, group, begin);
		size_t until = group + 1 < groups ? census_from(nm, rows, first, group + 1, begin) : end;
		for (; at < until && n < room; at++)
			if (nonmoving_census(&log->blocks, point_at(rows, at)->off, &census)
				&& census.block_size == block_size)
				out[n++] = (struct nm_point){point_at(rows, at)->t,
					(uint64_t)census.active + census.filled, census.live, occupancy_of(&census)};
	}
	return n;
}

/* --- all --- */

/* The phases of all kinds in order of time. */
struct phases {
	const struct nonmoving *nm;
	size_t at[NM_KINDS];
};

static const struct nm_row *phase_row(const struct nonmoving *nm, int kind, size_t i)
{
	return rows_at(&nm->phases[kind], i);
}

static uint64_t end_of(const struct nm_row *row) { return load_acquire(&row->end); }

static void phases_begin(struct phases *p, const struct nonmoving *nm, uint64_t from)
{
	p->nm = nm;
	for (int k = 0; k < NM_KINDS; k++) {
		const struct rows *rows = &nm->phases[k];
		size_t i = rows_first_at(rows, rows_count(rows), offsetof(struct nm_row, start), from);
		p->at[k] = i - (i > 0 && end_of(phase_row(nm, k, i - 1)) > from);
	}
}

static bool phases_next(struct phases *p, struct nm_phase *out)
{
	const struct nm_row *best = NULL;
	for (int k = 0; k < NM_KINDS; k++) {
		const struct nm_row *row =
			p->at[k] < rows_count(&p->nm->phases[k]) ? phase_row(p->nm, k, p->at[k]) : NULL;
		if (!row || (best && (row->start > best->start || (row->start == best->start && row->off > best->off))))
			continue;
		best = row;
		out->kind = (enum nm_kind)k;
	}
	if (!best)
		return false;
	*out = (struct nm_phase){.start = best->start, .end = end_of(best), .off = best->off, .kind = out->kind};
	p->at[out->kind]++;
	return true;
}

int nm_cycles_make(
	struct nm_cycles *c, const struct evl_log *log, const struct gc_pauses *pauses, uint64_t from, uint64_t to)
{
	struct phases phases;
	struct nm_phase p;
	struct nm_cycle *cycle = NULL;
	size_t room = 0;
	bool next = true; /* the next mark begins a cycle */
	memset(c, 0, sizeof *c);
	phases_begin(&phases, &log->nonmoving, from);
	while (phases_next(&phases, &p) && p.start < to) {
		if (next && p.kind == NM_MARK && p.start >= from)
			cycle = begin(c, &room, p.start);
		next = p.kind == NM_SWEEP || (next && p.start < from);
		add_phase(c, cycle, &p, pauses);
	}
	find_censuses(c, censuses(log));
	last_census(c, log, from, to);
	c->pruned = points_in(&log->nonmoving.pruned, from, to, NULL);
	return 0;
}

void nm_cycles_free(struct nm_cycles *c)
{
	free(c->items);
	*c = (struct nm_cycles){0};
}
