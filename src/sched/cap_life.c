#include "sched/cap_life.h"

void cap_life_init(struct cap_life *l)
{
	*l = (struct cap_life){0};
	rows_init(&l->rows, sizeof(struct cap_life_row));
}

void cap_life_free(struct cap_life *l) { rows_free(&l->rows); }

bool cap_life_wants(uint16_t tag) { return tag >= EVL_CAP_CREATE && tag <= EVL_CAP_ENABLE; }

void cap_life_event(struct cap_life *l, uint16_t chain_cap, const struct frame *f)
{
	if (!cap_life_wants(f->tag) || chain_cap != EVL_NO_CAP)
		return;
	struct cap_life_row row = {.t = f->t, .tag = f->tag, .cap = be16(f->payload.p)};
	if (rows_count(&l->rows) >= MAX_CAP_LIFE || !rows_add(&l->rows, &row))
		atomic_fetch_add_explicit(&l->more, 1, memory_order_relaxed);
}

static enum cap_life_state state_after(uint16_t tag)
{
	return tag == EVL_CAP_DISABLE ? CAP_DISABLED : tag == EVL_CAP_DELETE ? CAP_DELETED : CAP_ENABLED;
}

/* The intervals of a capability, one after another; adjacent ones differ in state. */
struct walk {
	const struct cap_life *l;
	uint16_t cap;
	size_t i;                       /* the row after it */
	const struct cap_life_row *end; /* its last event; NULL: the end of the log */
	struct cap_absence now;
};

/* Move to the next event of the capability after which it is not in this state. */
static void find_end(struct walk *w)
{
	w->end = NULL;
	for (size_t n = rows_count(&w->l->rows); w->i < n && !w->end; w->i++) {
		const struct cap_life_row *row = rows_at(&w->l->rows, w->i);
		if (row->cap == w->cap && state_after(row->tag) != w->now.state)
			w->end = row;
	}
	w->now.to = w->end ? max_u64(w->end->t, w->now.from) : UINT64_MAX;
}

static struct walk begin(const struct cap_life *l, uint16_t cap)
{
	struct walk w = {.l = l, .cap = cap};
	for (size_t i = 0, n = rows_count(&l->rows); i < n; i++) {
		const struct cap_life_row *row = rows_at(&l->rows, i);
		if (row->cap != cap)
			continue;
		w.now.state = row->tag == EVL_CAP_CREATE ? CAP_NOT_YET : CAP_ENABLED; /* all of the log before it */
		break;
	}
	find_end(&w);
	return w;
}

static bool next(struct walk *w)
{
	if (!w->end)
		return false;
	w->now = (struct cap_absence){.from = w->now.to, .state = state_after(w->end->tag)};
	find_end(w);
	return true;
}

size_t cap_life_absent(
	const struct cap_life *l, uint16_t cap, uint64_t t0, uint64_t t1, struct cap_absence *out, size_t room)
{
	struct walk w = begin(l, cap);
	size_t found = 0;
	do {
		if (found < room && w.now.state != CAP_ENABLED && w.now.from < t1 && w.now.to > t0)
			out[found++] = w.now;
	} while (found < room && next(&w));
	return found;
}

struct cap_absence cap_life_at(const struct cap_life *l, uint16_t cap, uint64_t t)
{
	struct walk w = begin(l, cap);
	while (t >= w.now.to && next(&w))
		;
	return w.now;
}

bool cap_life_disabled(const struct cap_life *l)
{
	for (size_t i = 0, n = rows_count(&l->rows); i < n; i++)
		if (((const struct cap_life_row *)rows_at(&l->rows, i))->tag == EVL_CAP_DISABLE)
			return true;
	return false;
}

/* A capability at the time in question. */
struct at {
	uint64_t from;
	uint8_t state; /* enum cap_life_state */
	bool known, ended;
};

uint64_t cap_life_all_until(const struct cap_life *l, const struct blocks *b, uint64_t t)
{
	struct at caps[MAX_CAP + 1] = {{0}};
	uint64_t until = 0;
	for (size_t i = 0, n = rows_count(&l->rows); i < n; i++) {
		const struct cap_life_row *row = rows_at(&l->rows, i);
		struct at *cap = row->cap <= MAX_CAP ? &caps[row->cap] : &(struct at){0};
		if (!cap->known)
			cap->state = row->tag == EVL_CAP_CREATE ? CAP_NOT_YET : CAP_ENABLED;
		cap->known = true;
		if (cap->ended || cap->state == state_after(row->tag))
			continue;
		cap->from = max_u64(row->t, cap->from);
		cap->ended = cap->from > t;
		if (!cap->ended)
			cap->state = (uint8_t)state_after(row->tag);
	}
	for (size_t i = 0; i < b->n_chains; i++) {
		const struct at *cap = b->chains[i].cap <= MAX_CAP ? &caps[b->chains[i].cap] : NULL;
		if (cap && cap->state == CAP_ENABLED)
			until = max_u64(until, cap->ended ? cap->from : UINT64_MAX);
	}
	return until ? until : UINT64_MAX;
}

void cap_life_image(struct image *im, struct cap_life *l)
{
	if (im->loads)
		*l = (struct cap_life){0};
	image_rows(im, &l->rows, sizeof(struct cap_life_row));
	IMAGE_VALUE(im, l->more);
}
