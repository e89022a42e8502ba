#include "gc/nonmoving.h"

#include "bytes/prefetch.h"

int nonmoving_init(struct nonmoving *nm, const struct blocks *blocks)
{
	*nm = (struct nonmoving){.open = NM_OFF, .global = UINT32_MAX};
	for (int k = 0; k < NM_KINDS; k++)
		rows_init(&nm->phases[k], sizeof(struct nm_row));
	for (uint32_t i = 0; i < blocks->n_chains; i++)
		if (blocks->chains[i].cap == EVL_NO_CAP)
			nm->global = i;
	int result = points_init(&nm->flushes, blocks->n_chains, MAX_POINTS);
	result = result ? result : points_init(&nm->marked, blocks->n_chains, MAX_POINTS);
	result = result ? result : points_init(&nm->pruned, blocks->n_chains, MAX_POINTS);
	return result ? result : points_init(&nm->census, blocks->n_chains, MAX_POINTS);
}

void nonmoving_free(struct nonmoving *nm)
{
	for (int k = 0; k < NM_KINDS; k++)
		rows_free(&nm->phases[k]);
	points_free(&nm->flushes);
	points_free(&nm->pruned);
	points_free(&nm->marked);
	points_free(&nm->census);
}

static struct nm_row *row_at(const struct nonmoving *nm, enum nm_kind kind, size_t i)
{
	return rows_at(&nm->phases[kind], i);
}

static uint64_t end_of(const struct nm_row *row) { return load_acquire(&row->end); }

/* --- what the walk writes --- */

/* Where an event leads from the phase that goes on (NM_OFF last). STAY: it says nothing new. */
enum { STAY = NM_OFF + 1 };
struct step {
	uint8_t next;
	bool odd;
};
/* clang-format off */
static const struct step steps[][NM_KINDS + 1] = {
	/* what goes on:                              mark           sync           sweep          nothing */
	[EVL_CONC_MARK_BEGIN - EVL_CONC_MARK_BEGIN]  = {{NM_MARK, 0},  {STAY, 0},     {NM_MARK, 1},  {NM_MARK, 0}},
	[EVL_CONC_MARK_END - EVL_CONC_MARK_BEGIN]    = {{NM_OFF, 0},   {STAY, 0},     {NM_OFF, 1},   {STAY, 1}},
	[EVL_CONC_SYNC_BEGIN - EVL_CONC_MARK_BEGIN]  = {{NM_SYNC, 0},  {STAY, 0},     {NM_SYNC, 1},  {NM_SYNC, 0}},
	[EVL_CONC_SYNC_END - EVL_CONC_MARK_BEGIN]    = {{NM_OFF, 1},   {NM_OFF, 0},   {STAY, 0},     {STAY, 0}},
	[EVL_CONC_SWEEP_BEGIN - EVL_CONC_MARK_BEGIN] = {{NM_SWEEP, 1}, {NM_SWEEP, 1}, {NM_SWEEP, 1}, {NM_SWEEP, 0}},
	[EVL_CONC_SWEEP_END - EVL_CONC_MARK_BEGIN]   = {{NM_OFF, 1},   {NM_OFF, 1},   {NM_OFF, 0},   {STAY, 1}},
};
/* clang-format on */

static void close_phase(struct nonmoving *nm, uint64_t t)
{
	size_t n = nm->open == NM_OFF ? 0 : rows_count(&nm->phases[nm->open]);
	if (n) {
		struct nm_row *row = row_at(nm, nm->open, n - 1);
		nm->sums[nm->open] += t - row->start;
		store_release(&row->end, t);
	}
	nm->open = NM_OFF;
}

static void open_phase(struct nonmoving *nm, enum nm_kind kind, const struct frame *f)
{
	struct nm_row row = {.start = f->t, .end = NM_OPEN, .before = nm->sums[kind], .off = f->off};
	if (rows_count(&nm->phases[kind]) < MAX_PHASES && rows_add(&nm->phases[kind], &row))
		nm->open = kind;
	else
		atomic_fetch_add(&nm->more, 1);
}

static void phase_event(struct nonmoving *nm, uint32_t chain, const struct frame *f)
{
	struct step step = steps[f->tag - EVL_CONC_MARK_BEGIN][nm->open];
	bool misplaced = chain != nm->global || f->t < nm->last_t;
	if (misplaced || step.odd)
		atomic_fetch_add(&nm->anomalies, 1);
	if (misplaced)
		return;
	nm->last_t = f->t;
	if (step.next == STAY)
		return;
	close_phase(nm, f->t);
	if (step.next != NM_OFF)
		open_phase(nm, (enum nm_kind)step.next, f);
}

bool nonmoving_wants(uint16_t tag) { return tag >= EVL_CONC_MARK_BEGIN && tag <= EVL_NONMOVING_PRUNED_SEGMENTS; }

void nonmoving_event(struct nonmoving *nm, uint32_t chain, const struct frame *f)
{
	if (!nonmoving_wants(f->tag))
		return;
	if (f->tag == EVL_CONC_UPD_REM_SET_FLUSH)
		points_add(&nm->flushes, chain, f->t, f->off);
	else if (f->tag == EVL_NONMOVING_HEAP_CENSUS)
		points_add(&nm->census, chain, f->t, f->off);
	else if (f->tag == EVL_NONMOVING_PRUNED_SEGMENTS)
		points_add(&nm->pruned, chain, f->t, f->off);
	else
		phase_event(nm, chain, f);
	if (f->tag == EVL_CONC_MARK_END)
		points_add(&nm->marked, chain, f->t, f->off);
}

/* --- what readers ask --- */

bool nonmoving_any(const struct nonmoving *nm)
{
	for (int k = 0; k < NM_KINDS; k++)
		if (rows_count(&nm->phases[k]))
			return true;
	return false;
}

static size_t starts_before(const struct nonmoving *nm, enum nm_kind kind, uint64_t t)
{
	return rows_first_at(&nm->phases[kind], rows_count(&nm->phases[kind]), offsetof(struct nm_row, start), t);
}

/* Time in phases of a kind before t, of which the first n begin before it. */
static uint64_t ns_before(const struct nonmoving *nm, enum nm_kind kind, size_t n, uint64_t t)
{
	if (n == 0)
		return 0;
	const struct nm_row *row = row_at(nm, kind, n - 1);
	return row->before + (min_u64(end_of(row), t) - row->start);
}

/* Does the last of the first n phases go on at t? */
static bool goes_on(const struct nonmoving *nm, enum nm_kind kind, size_t n, uint64_t t)
{
	return n > 0 && end_of(row_at(nm, kind, n - 1)) > t;
}

static void add_kind(const struct nonmoving *nm, enum nm_kind kind, uint64_t t0, uint64_t t1, struct nm_column *out)
{
	size_t first = starts_before(nm, kind, t0), at = starts_before(nm, kind, t0 + 1),
	       to = starts_before(nm, kind, t1);
	bool at_begin = goes_on(nm, kind, at, t0), at_end = goes_on(nm, kind, to, t1 - 1);
	size_t starts = to - at, ends = starts + at_begin - at_end;
	out->ns[kind] = ns_before(nm, kind, to, t1) - ns_before(nm, kind, first, t0);
	out->n[kind] = to - first + goes_on(nm, kind, first, t0);
	out->edges += starts + ends;
	if (at_begin)
		out->first = kind;
	if (at_end)
		out->last = kind;
	if (starts)
		out->split = row_at(nm, kind, at)->start;
	else if (ends)
		out->split = end_of(row_at(nm, kind, at - 1));
}

void nonmoving_column(const struct nonmoving *nm, uint64_t t0, uint64_t t1, struct nm_column *out)
{
	*out = (struct nm_column){.first = NM_OFF, .last = NM_OFF};
	for (enum nm_kind kind = 0; t0 < t1 && kind < NM_KINDS; kind++)
		add_kind(nm, kind, t0, t1, out);
}

static void hand_out(const struct nonmoving *nm, enum nm_kind kind, size_t i, struct nm_phase *out)
{
	const struct nm_row *row = row_at(nm, kind, i);
	*out = (struct nm_phase){.start = row->start, .end = end_of(row), .off = row->off, .kind = kind};
	if (kind != NM_SYNC || out->end == NM_OPEN)
		return;
	size_t mark = starts_before(nm, NM_MARK, out->end), sweep = starts_before(nm, NM_SWEEP, out->end);
	bool swept = sweep < rows_count(&nm->phases[NM_SWEEP]);
	out->aborted = mark < rows_count(&nm->phases[NM_MARK])
		&& (!swept || row_at(nm, NM_MARK, mark)->start < row_at(nm, NM_SWEEP, sweep)->start);
}

bool nonmoving_after(const struct nonmoving *nm, uint64_t t, struct nm_phase *out)
{
	uint64_t best = UINT64_MAX;
	for (enum nm_kind kind = 0; t < UINT64_MAX && kind < NM_KINDS; kind++) {
		size_t i = starts_before(nm, kind, t + 1);
		if (i >= rows_count(&nm->phases[kind]) || row_at(nm, kind, i)->start >= best)
			continue;
		best = row_at(nm, kind, i)->start;
		hand_out(nm, kind, i, out);
	}
	return best != UINT64_MAX;
}

bool nonmoving_before(const struct nonmoving *nm, uint64_t t, struct nm_phase *out)
{
	bool found = false;
	for (enum nm_kind kind = 0; kind < NM_KINDS; kind++) {
		size_t n = starts_before(nm, kind, t);
		if (n == 0 || (found && row_at(nm, kind, n - 1)->start < out->start))
			continue;
		hand_out(nm, kind, n - 1, out);
		found = true;
	}
	return found;
}

bool nonmoving_at(const struct nonmoving *nm, uint64_t t, struct nm_phase *out)
{
	if (t == UINT64_MAX || !nonmoving_before(nm, t + 1, out))
		return false;
	return out->start == t || t < out->end;
}

bool nonmoving_marked(const struct nonmoving *nm, const struct blocks *b, uint64_t t0, uint64_t t1, uint64_t *out)
{
	enum { MOST = 64, EVENT_BYTES = 32 };
	struct point at;
	size_t n = points_in(&nm->marked, t0, t1 + (t1 < UINT64_MAX), &at);
	*out = 0;
	if (n == 0 || n > MOST)
		return false;
	for (size_t i = 0; i < n; i++) {
		struct frame f;
		if (at.off < b->len && b->fetch
			&& !prefetch_ready(b->fetch, at.off, min_u64(EVENT_BYTES, b->len - at.off)))
			return false; /* it is fetched in the background */
		if (at.off >= b->len || frame_read(b->header, b->data, at.off, b->len, &f) != FRAME_OK
			|| f.tag != EVL_CONC_MARK_END || !event_readable(b->header, &f) || f.payload.len < 4)
			return false;
		*out += be32(f.payload.p);
		if (i + 1 < n && !points_after(&nm->marked, at.t, &at))
			return false;
	}
	return true;
}

bool nonmoving_census(const struct blocks *b, uint64_t off, struct nm_census *out)
{
	enum { LOG_BYTES = 1, MAX_LOG = 63 }; /* up to GHC 9.6 the block size is given as a power of two */
	struct frame f;
	if (off >= b->len || frame_read(b->header, b->data, off, b->len, &f) != FRAME_OK
		|| f.tag != EVL_NONMOVING_HEAP_CENSUS || !event_readable(b->header, &f))
		return false;
	const struct schema *schema = header_of(b->header, f.tag)->schema;
	size_t width = schema_width(schema->fields[0].kind);
	const uint8_t *p = f.payload.p + width;
	*out = (struct nm_census){width == LOG_BYTES ? 1ull << (f.payload.p[0] & MAX_LOG) : be16(f.payload.p), be32(p),
		be32(p + 4), be32(p + 8)};
	return true;
}

static bool check_phases(const void *items, size_t from, size_t to, const uint64_t bounds[2])
{
	const struct nm_row *rows = items;
	bool good = true;
	for (size_t i = from; i < to; i++)
		good &= rows[i].off < bounds[0];
	return good;
}

void nonmoving_image(struct image *im, struct nonmoving *nm, const struct blocks *blocks)
{
	struct points *points[] = {&nm->flushes, &nm->pruned, &nm->marked, &nm->census};
	if (im->loads)
		*nm = (struct nonmoving){.open = NM_OFF};
	for (int k = 0; k < NM_KINDS; k++) {
		image_rows(im, &nm->phases[k], sizeof(struct nm_row));
		image_check_later(im, image_rows_of(&nm->phases[k]), rows_count(&nm->phases[k]), sizeof(struct nm_row),
			check_phases, blocks->len, 0);
	}
	for (size_t i = 0; i < countof(points); i++)
		points_image(im, points[i], blocks->n_chains, MAX_POINTS, blocks->len);
	IMAGE_VALUE(im, nm->global);
	image_require(im, nm->global < blocks->n_chains || nm->global == UINT32_MAX);
	IMAGE_VALUE(im, nm->last_t);
	IMAGE_VALUE(im, nm->sums);
	IMAGE_VALUE(im, nm->anomalies);
	IMAGE_VALUE(im, nm->more);
}
