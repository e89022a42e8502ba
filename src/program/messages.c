#include "program/messages.h"

#include <stdlib.h>

int messages_init(struct messages *m, size_t n_chains)
{
	*m = (struct messages){.n = n_chains,
		.times = calloc(n_chains ? n_chains : 1, sizeof *m->times),
		.seen = calloc(n_chains ? n_chains : 1, sizeof *m->seen)};
	for (size_t i = 0; m->times && i < n_chains; i++)
		rows_init(&m->times[i], sizeof(uint64_t));
	return m->times && m->seen ? 0 : EVL_NOMEM;
}

void messages_free(struct messages *m)
{
	for (size_t i = 0; m->times && i < m->n; i++)
		rows_free(&m->times[i]);
	free_all(m->times, m->seen);
	*m = (struct messages){0};
}

static uint64_t time_at(const struct rows *times, size_t i) { return *(const uint64_t *)rows_at(times, i); }

/* Without memory the stride just grows. */
void messages_now(struct message_partial *partial, const struct frame *f)
{
	if (f->tag != EVL_USER_MSG)
		return;
	if (partial->seen++ % MESSAGES_STRIDE == 0 && GROW(partial->times, partial->n, partial->room))
		partial->times[partial->n++] = f->t;
}

/* Times that fall back (in damaged logs) count as the one before. */
static bool add_time(struct rows *times, uint64_t t)
{
	size_t n = rows_count(times);
	t = n ? max_u64(t, time_at(times, n - 1)) : t;
	return rows_add(times, &t);
}

/* The strides of the part begin with it, those of the chain with the chain: that may be one time too many. */
void messages_join(struct messages *m, uint32_t chain, struct message_partial *partial)
{
	struct rows *times = &m->times[chain];
	uint64_t seen = load_relaxed(&m->seen[chain]) + partial->seen;
	uint64_t strides = (seen + MESSAGES_STRIDE - 1) / MESSAGES_STRIDE,
		 wanted = sub_or_0(strides, rows_count(times));
	for (size_t i = wanted < partial->n ? partial->n - wanted : 0;
		i < partial->n && add_time(times, partial->times[i]);)
		i++;
	store_release(&m->seen[chain], seen);
	atomic_fetch_add_explicit(&m->all, partial->seen, memory_order_relaxed);
	free(partial->times);
	*partial = (struct message_partial){0};
}

uint64_t messages_count(const struct messages *m) { return load_relaxed(&m->all); }

/* About how many messages of a chain come before t: those between two kept times are spread evenly. */
static uint64_t about_before(const struct messages *m, size_t chain, uint64_t t)
{
	const struct rows *times = &m->times[chain];
	uint64_t seen = load_acquire(&m->seen[chain]);
	size_t n = rows_count(times), i = rows_first_at(times, n, 0, t);
	if (i == 0)
		return 0;
	uint64_t before = (uint64_t)(i - 1) * MESSAGES_STRIDE, from = time_at(times, i - 1);
	if (i == n)
		return max_u64(seen, before);
	unsigned __int128 part = (unsigned __int128)MESSAGES_STRIDE * (t - from);
	return before + (uint64_t)(part / max_u64(time_at(times, i) - from, 1));
}

/* The tiles of a chain that may hold messages of a window: from … to, both in it. */
struct stretch {
	const struct tile_table *table;
	size_t ready, from, to;
};

static struct stretch stretch_of(const struct tile_table *tiles, uint32_t chain, uint64_t t0, uint64_t t1)
{
	struct stretch s = {.table = &tiles[chain]};
	s.ready = load_acquire(&s.table->ready);
	s.from = s.ready ? tiles_before(s.table, s.ready, t0) : 0;
	s.to = s.ready ? tiles_before(s.table, s.ready, t1) : 0;
	return s;
}

/* The walk may still be adding to what the last tile holds. */
static bool has_messages(const struct stretch *s, size_t tile)
{
	return tile + 1 == s->ready || s->table->tiles[tile].classes & 1u << EVL_USER;
}

/* Are the tiles of the window that may hold messages few enough to decode them all? */
static bool are_few(const struct messages *m, const struct tile_table *tiles, uint64_t t0, uint64_t t1)
{
	size_t few = 0;
	for (uint32_t chain = 0; chain < m->n; chain++) {
		struct stretch s = stretch_of(tiles, chain, t0, t1);
		if (rows_count(&m->times[chain]) == 0)
			continue;
		if (s.to - s.from > 8 * MESSAGES_DECODE)
			return false;
		for (size_t i = s.from; i <= s.to && i < s.ready && few <= MESSAGES_DECODE; i++)
			few += has_messages(&s, i);
	}
	return few <= MESSAGES_DECODE;
}

/* A window in columns. */
struct window {
	uint64_t t0, t1;
	int n;
	struct message_column *out;
};

static void take(const struct window *w, const struct frame *f)
{
	if (f->tag != EVL_USER_MSG || f->t < w->t0 || f->t >= w->t1)
		return;
	int i = (int)((unsigned __int128)(f->t - w->t0) * (unsigned)w->n / (w->t1 - w->t0));
	while (i + 1 < w->n && column_edge(w->t0, w->t1, w->n, i + 1) <= f->t) /* edges are rounded down */
		i++;
	struct message_column *col = &w->out[i];
	if (col->n++ == 0 || f->t < col->t) {
		col->t = f->t;
		col->off = f->off;
	}
}

static void count_chain(const struct window *w, const struct blocks *b, const struct tile_table *tiles, uint32_t chain)
{
	struct stretch s = stretch_of(tiles, chain, w->t0, w->t1);
	uint64_t walked = load_acquire(&s.table->walked);
	const struct block *block;
	struct cursor c;
	struct frame f;
	for (size_t i = s.from; i <= s.to && i < s.ready; i++) {
		uint64_t end = i + 1 < s.ready ? s.table->tiles[i + 1].off : UINT64_MAX;
		if (!has_messages(&s, i))
			continue;
		cursor_begin(&c, b, &b->chains[chain], walked);
		cursor_seek(&c, s.table->tiles[i].off);
		while (cursor_next(&c, &f, &block) && f.off < end)
			take(w, &f);
		for (int k = 0; c.missing && k < w->n; k++) /* not all could be counted */
			w->out[k].exact = false;
	}
}

static void estimate(const struct messages *m, const struct window *w)
{
	for (size_t chain = 0; chain < m->n; chain++) {
		if (rows_count(&m->times[chain]) == 0)
			continue;
		uint64_t before = about_before(m, chain, w->t0);
		for (int i = 0; i < w->n; i++) {
			uint64_t after = about_before(m, chain, column_edge(w->t0, w->t1, w->n, i + 1));
			w->out[i].n += sub_or_0(after, before);
			before = after;
		}
	}
}

void messages_columns(const struct messages *m, const struct blocks *b, const struct tile_table *tiles, uint64_t t0,
	uint64_t t1, int n, struct message_column *out)
{
	struct window w = {t0, t1, n, out};
	bool exact = are_few(m, tiles, t0, t1);
	for (int i = 0; i < n; i++)
		out[i] = (struct message_column){.exact = exact};
	if (!exact)
		estimate(m, &w);
	for (uint32_t chain = 0; exact && chain < m->n; chain++)
		if (rows_count(&m->times[chain]))
			count_chain(&w, b, tiles, chain);
}

void messages_image(struct image *im, struct messages *m, size_t n_chains)
{
	if (im->loads)
		*m = (struct messages){.n = n_chains, .times = image_new(im, n_chains, sizeof *m->times)};
	image_own(im, (void **)&m->times, n_chains, sizeof *m->times);
	for (size_t i = 0; m->times && i < n_chains; i++)
		image_rows(im, &m->times[i], sizeof(uint64_t));
	m->seen = image_array(im, (const void *)m->seen, n_chains, sizeof *m->seen);
	IMAGE_VALUE(im, m->all);
}
