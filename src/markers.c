#include "markers.h"

#include <stdlib.h>

int markers_init(struct markers *m, const struct blocks *blocks)
{
	*m = (struct markers){.n = blocks->n_chains, .kept_until = UINT64_MAX};
	m->tables = calloc(m->n ? m->n : 1, sizeof *m->tables);
	if (!m->tables)
		return EVL_NOMEM;
	for (size_t i = 0; i < m->n; i++)
		rows_init(&m->tables[i], sizeof(struct marker_row));
	return 0;
}

void markers_free(struct markers *m)
{
	for (size_t i = 0; m->tables && i < m->n; i++)
		rows_free(&m->tables[i]);
	free(m->tables);
	*m = (struct markers){0};
}

static const struct marker_row *row_at(const struct rows *table, size_t i)
{
	return rows_at(table, i);
}

static size_t first_at(const struct rows *table, uint64_t t)
{
	return rows_first_at(table, rows_count(table), offsetof(struct marker_row, t), t);
}

bool markers_wants(uint16_t tag)
{
	return tag == EVL_USER_MARKER;
}

void markers_event(struct markers *m, uint32_t chain, const struct frame *f)
{
	struct marker_row row = {.t = f->t, .off = f->off};
	if (f->tag != EVL_USER_MARKER)
		return;
	struct rows *table = &m->tables[chain];
	size_t n = rows_count(table);
	bool in_order = n == 0 || row_at(table, n - 1)->t <= f->t; /* out of order only in damaged logs */
	bool room = atomic_load_explicit(&m->kept, memory_order_relaxed) < MAX_MARKERS;
	if (room && in_order && rows_add(table, &row)) {
		atomic_fetch_add_explicit(&m->kept, 1, memory_order_relaxed);
		return;
	}
	atomic_fetch_add(&m->more, 1);
	atomic_store(&m->kept_until, min_u64(atomic_load(&m->kept_until), f->t));
}

size_t markers_in(const struct markers *m, uint64_t t0, uint64_t t1, struct marker_row *first)
{
	size_t total = 0;
	uint64_t earliest = UINT64_MAX;
	for (size_t i = 0; i < m->n; i++) {
		size_t from = first_at(&m->tables[i], t0), to = first_at(&m->tables[i], t1);
		total += to - from;
		if (from < to && row_at(&m->tables[i], from)->t < earliest) {
			*first = *row_at(&m->tables[i], from);
			earliest = first->t;
		}
	}
	return total;
}

bool markers_after(const struct markers *m, uint64_t t, struct marker_row *out)
{
	bool found = false;
	for (size_t i = 0; i < m->n; i++) {
		size_t at = first_at(&m->tables[i], t + 1);
		if (at < rows_count(&m->tables[i]) && (!found || row_at(&m->tables[i], at)->t < out->t)) {
			*out = *row_at(&m->tables[i], at);
			found = true;
		}
	}
	return found;
}

bool markers_before(const struct markers *m, uint64_t t, struct marker_row *out)
{
	bool found = false;
	for (size_t i = 0; i < m->n; i++) {
		size_t at = first_at(&m->tables[i], t);
		if (at > 0 && (!found || row_at(&m->tables[i], at - 1)->t > out->t)) {
			*out = *row_at(&m->tables[i], at - 1);
			found = true;
		}
	}
	return found;
}
