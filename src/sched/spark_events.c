#include "sched/spark_events.h"

#include <stdlib.h>

int spark_events_init(struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles)
{
	size_t n = blocks->n_chains ? blocks->n_chains : 1;
	*e = (struct spark_events){.blocks = blocks,
		.tiles = tiles,
		.notes = calloc(n, sizeof *e->notes),
		.sums = calloc(n, sizeof *e->sums),
		.n = blocks->n_chains,
		.step = spark_events_step(blocks->len)};
	return e->notes && e->sums ? 0 : EVL_NOMEM;
}

static struct rows *notes_of(const struct spark_events *e, uint32_t chain) { return load_acquire(&e->notes[chain]); }

void spark_events_free(struct spark_events *e)
{
	for (uint32_t i = 0; e->notes && i < e->n; i++) {
		struct rows *notes = notes_of(e, i);
		if (notes)
			rows_free(notes);
		free(notes);
	}
	free_all((void *)e->notes, e->sums);
	*e = (struct spark_events){0};
}

/* --- notes -------------------------------------------------------------------------------------------------------- */

static struct spark_note note_make(size_t tile, const uint64_t *n)
{
	struct spark_note note = {.tile = tile};
	for (int i = 0; i < SPARK_KINDS; i++) {
		note.low[i] = (uint32_t)n[i];
		note.high[i] = (uint8_t)(n[i] >> 32);
	}
	return note;
}

static uint64_t note_sum(const struct spark_note *note, int kind)
{
	return note->low[kind] | (uint64_t)note->high[kind] << 32;
}

static bool note_same(const struct spark_note *a, const struct spark_note *b)
{
	return memcmp(a->low, b->low, sizeof a->low) == 0 && memcmp(a->high, b->high, sizeof a->high) == 0;
}

void spark_events_tile(const struct spark_events *e, struct spark_partial *partial, size_t tile, const uint64_t *tags)
{
	if (tile % e->step || partial->n == SIZE_MAX)
		return;
	uint64_t n[SPARK_KINDS];
	for (int k = 0; k < SPARK_KINDS; k++)
		n[k] = spark_kind_count(tags, k);
	struct spark_note note = note_make(tile, n);
	if (partial->n && note_same(&note, &partial->notes[partial->n - 1]))
		return;
	if (GROW(partial->notes, partial->n, partial->room))
		partial->notes[partial->n++] = note;
	else
		partial->n = SIZE_MAX; /* until it is joined */
}

/* NULL when memory is out. */
static struct rows *make_notes(struct spark_events *e, uint32_t chain)
{
	struct rows *notes = notes_of(e, chain);
	if (notes || !(notes = oom_note(calloc(1, sizeof *notes))))
		return notes;
	rows_init(notes, sizeof(struct spark_note));
	store_release(&e->notes[chain], notes);
	return notes;
}

/* Add the sums before a tile, if they have grown since the last note. False when memory is out. */
static bool add(struct spark_events *e, uint32_t chain, const struct spark_note *note)
{
	static const struct spark_note none;
	const struct rows *notes = notes_of(e, chain);
	size_t n = notes ? rows_count(notes) : 0;
	if (note_same(note, n ? rows_at(notes, n - 1) : &none))
		return true;
	struct rows *to = make_notes(e, chain);
	return to && rows_add(to, note);
}

void spark_events_join(struct spark_events *e, uint32_t chain, struct spark_partial *partial, const struct part *part)
{
	struct spark_sums *sums = &e->sums[chain];
	bool good = partial->n != SIZE_MAX;
	for (size_t i = 0; good && i < partial->n; i++) {
		uint64_t n[SPARK_KINDS];
		for (int k = 0; k < SPARK_KINDS; k++)
			n[k] = sums->n[k] + note_sum(&partial->notes[i], k);
		struct spark_note note = note_make(partial->notes[i].tile, n);
		good = add(e, chain, &note);
	}
	uint64_t all = 0;
	for (int k = 0; k < SPARK_KINDS; k++)
		all += sums->n[k] += spark_kind_count(part->counts->tags, k);
	if (good && part->last && part->end_tile) { /* as if a further tile began at the end of the chain */
		struct spark_note end = note_make(((part->end_tile - 1) / e->step + 1) * e->step, sums->n);
		good = add(e, chain, &end);
	}
	if (all && !atomic_load(&e->any))
		atomic_store(&e->any, true);
	if (!good)
		atomic_store(&e->lost, true);
	free(partial->notes);
	*partial = (struct spark_partial){0};
}

/* --- sums --------------------------------------------------------------------------------------------------------- */

/* Notes of tiles up to this one. */
static size_t notes_until(const struct rows *notes, size_t tile)
{
	return rows_first_at(notes, rows_count(notes), offsetof(struct spark_note, tile), (uint64_t)tile + 1);
}

/* Report whether events of single sparks may be between tile `from`, which may have a note, and the next tile with
 * one. i: notes up to it. */
static bool grows(const struct spark_seek *s, const struct rows *notes, size_t i, size_t from)
{
	uint64_t known = atomic_load(&s->seek.table->known_t);
	if (i == rows_count(notes))
		return known != UINT64_MAX; /* more may come */
	return ((const struct spark_note *)rows_at(notes, i))->tile == from + s->events->step;
}

void spark_seek_begin(struct spark_seek *s, const struct spark_events *e, uint32_t chain)
{
	*s = (struct spark_seek){.events = e, .chain = chain};
	s->moving = notes_of(e, chain) && chain_seek_begin(&s->seek, e->blocks, &e->tiles[chain], chain);
}

bool spark_seek_sums(struct spark_seek *s, uint64_t t, struct spark_sums *out)
{
	*out = (struct spark_sums){0};
	if (!s->moving)
		return true;
	struct chain_seek *seek = &s->seek;
	const struct rows *notes = notes_of(s->events, s->chain);
	size_t tile = tiles_from(seek->table, seek->ready, seek->tile, seek->stride, t),
	       from = tile - tile % s->events->step;
	size_t i = notes_until(notes, from);
	const struct spark_note *note = i ? rows_at(notes, i - 1) : NULL;
	seek->stride = tile - seek->tile;
	bool counted = grows(s, notes, i, from);
	if (counted)
		chain_seek_advance_in(seek, from, t);
	for (int k = 0; k < SPARK_KINDS; k++)
		out->n[k] = (note ? note_sum(note, k) : 0) + (counted ? seek->sparks[k] : 0);
	return !counted || !seek->cursor.missing;
}

bool spark_events_before(const struct spark_events *e, uint32_t chain, uint64_t t, struct spark_sums *out)
{
	struct spark_seek s;
	spark_seek_begin(&s, e, chain);
	return spark_seek_sums(&s, t, out);
}

/* --- changes of pools --------------------------------------------------------------------------------------------- */

ORDER_BY(by_moment, struct spark_change, t);

static int pool_by(unsigned kind)
{
	return kind == SPARK_CREATED ? 1 : kind >= SPARK_RUN && kind < SPARK_KINDS ? -1 : 0;
}

/* A growing list of changes. */
struct changes {
	struct spark_change *items;
	size_t n, room, tiles;
};

/* Those of one chain. An event counts at its time, or at the latest time before it in its chain. */
static bool add_changes(struct changes *all, const struct spark_events *e, uint32_t chain, uint64_t from, uint64_t to)
{
	struct spark_seek s;
	uint64_t last = from;
	spark_seek_begin(&s, e, chain);
	if (!s.moving)
		return true;
	struct chain_seek *seek = &s.seek;
	size_t first = tiles_before(seek->table, seek->ready, from);
	all->tiles += tiles_before(seek->table, seek->ready, to) - first + 1;
	if (all->tiles > SPARK_POOL_TILES)
		return false;
	chain_seek_advance_in(seek, first, from);
	for (; chain_seek_due(seek, to); chain_seek_step(seek)) {
		int by = pool_by(spark_kind_of(seek->next.tag));
		last = max_u64(last, seek->next.t);
		if (by && !GROW(all->items, all->n, all->room))
			return false;
		if (by)
			all->items[all->n++] = (struct spark_change){last, by};
	}
	return !seek->cursor.missing;
}

bool spark_events_pool(const struct spark_events *e, uint64_t from, uint64_t to, struct spark_change **out, size_t *n)
{
	struct changes all = {0};
	size_t kept = 0;
	for (uint32_t chain = 0; chain < e->n; chain++)
		if (!add_changes(&all, e, chain, from, to)) {
			free(all.items);
			return false;
		}
	if (all.n)
		qsort(all.items, all.n, sizeof *all.items, by_moment);
	for (size_t i = 0; i < all.n; i++)
		if (kept && all.items[kept - 1].t == all.items[i].t)
			all.items[kept - 1].by += all.items[i].by;
		else
			all.items[kept++] = all.items[i];
	*out = all.items;
	*n = kept;
	return true;
}

/* --- the nearest event -------------------------------------------------------------------------------------------- */

/* A search along one chain. */
struct search {
	struct spark_seek s;
	const struct rows *notes;
	unsigned kinds;
};

static uint64_t wanted(const struct search *x, const struct spark_note *note)
{
	uint64_t sum = 0;
	for (int k = 0; k < SPARK_KINDS; k++)
		sum += x->kinds >> k & 1 ? note_sum(note, k) : 0;
	return sum;
}

/* The first of the notes from i on that counts more than n of the kinds; their number where none does. */
static size_t first_above(const struct search *x, size_t i, uint64_t n)
{
	size_t end = rows_count(x->notes);
	while (i < end) {
		size_t mid = i + (end - i) / 2;
		if (wanted(x, rows_at(x->notes, mid)) > n)
			end = mid;
		else
			i = mid + 1;
	}
	return i;
}

/* The first event of the kinds in tiles [tile, tile + step) after t, or the last before t. */
static bool in_tiles(struct search *x, size_t tile, uint64_t t, bool forward, struct found *out)
{
	struct chain_seek *seek = &x->s.seek;
	size_t next = tile + x->s.events->step;
	uint64_t end = next < seek->ready ? seek->table->tiles[next].off : UINT64_MAX;
	bool found = false;
	chain_seek_enter(seek, tile);
	for (; seek->have_next && seek->next.off < end && !(found && forward); chain_seek_step(seek)) {
		const struct frame *f = &seek->next;
		unsigned kind = spark_kind_of(f->tag);
		if (kind >= SPARK_KINDS || !(x->kinds >> kind & 1) || (forward ? f->t <= t : f->t >= t))
			continue;
		if (!found || forward || f->t >= out->t)
			*out = (struct found){.t = f->t, .off = f->off, .chain = x->s.chain};
		found = true;
	}
	out->missing = seek->cursor.missing;
	return found && !out->missing;
}

static bool near_in(struct search *x, uint64_t t, bool forward, struct found *out)
{
	size_t step = x->s.events->step, tile = tiles_before(x->s.seek.table, x->s.seek.ready, t + forward);
	tile -= tile % step;
	if (in_tiles(x, tile, t, forward, out) || out->missing)
		return !out->missing;
	size_t i = notes_until(x->notes, forward ? tile + step : tile);
	uint64_t n = i ? wanted(x, rows_at(x->notes, i - 1)) : 0;
	if (!forward && n == 0)
		return false;
	i = forward ? first_above(x, i, n) : first_above(x, 0, n - 1);
	if (i == rows_count(x->notes))
		return false;
	size_t at = (size_t)((const struct spark_note *)rows_at(x->notes, i))->tile - step;
	return at < x->s.seek.ready && in_tiles(x, at, t, forward, out);
}

bool spark_events_near(const struct spark_events *e, unsigned kinds, uint64_t t, bool forward, struct found *out)
{
	struct found best = {0};
	bool found = false;
	*out = best;
	for (uint32_t chain = 0; chain < e->n; chain++) {
		struct search x = {.notes = notes_of(e, chain), .kinds = kinds};
		struct found at = {0};
		spark_seek_begin(&x.s, e, chain);
		if (!x.s.moving)
			continue;
		bool here = near_in(&x, t, forward, &at);
		if (at.missing) {
			out->missing = true;
			return false;
		}
		if (here && (!found || (forward ? at.t < best.t : at.t > best.t))) {
			best = at;
			found = true;
		}
	}
	*out = best;
	return found;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static bool check_notes(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct spark_note *notes = items;
	uint64_t step = bounds[0];
	bool good = true;
	for (size_t i = from; i < to; i++)
		good &= notes[i].tile % step == 0 && notes[i].tile < bounds[1] + step
			&& (!i || notes[i].tile > notes[i - 1].tile);
	return good;
}

void spark_events_image(
	struct image *im, struct spark_events *e, const struct blocks *blocks, const struct tile_table *tiles)
{
	if (im->loads)
		*e = (struct spark_events){.blocks = blocks,
			.tiles = tiles,
			.n = blocks->n_chains,
			.step = spark_events_step(blocks->len),
			.notes = image_new(im, blocks->n_chains, sizeof *e->notes)};
	if (im->copies) {
		e->blocks = blocks;
		e->tiles = tiles;
	}
	image_own(im, (void **)&e->notes, e->n, sizeof *e->notes);
	image_own(im, (void **)&e->sums, e->n, sizeof *e->sums);
	for (uint32_t i = 0; e->notes && i < e->n && image_goes_on(im); i++) {
		struct rows *notes;
		if (!IMAGE_ATOMIC(im, &e->notes[i], notes, sizeof *notes))
			continue;
		image_rows(im, notes, sizeof(struct spark_note));
		image_check_later(im, image_rows_of(notes), rows_count(notes), sizeof(struct spark_note), check_notes,
			e->step, tiles[i].n);
	}
	image_flag(im, &e->any);
	image_flag(im, &e->lost);
}
