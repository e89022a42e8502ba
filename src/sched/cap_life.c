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

static bool touches(const struct cap_absence *a, uint64_t t0, uint64_t t1)
{
	return a->state != CAP_ENABLED && a->from < t1 && a->to > t0;
}

size_t cap_life_absent(
	const struct cap_life *l, uint16_t cap, uint64_t t0, uint64_t t1, struct cap_absence *out, size_t room)
{
	struct cap_absence now = {.to = UINT64_MAX};
	size_t found = 0, n = rows_count(&l->rows);
	bool first = true;
	for (size_t i = 0; i < n && found < room; i++) {
		const struct cap_life_row *row = rows_at(&l->rows, i);
		if (row->cap != cap)
			continue;
		if (first && row->tag == EVL_CAP_CREATE) /* all of the log before it */
			now.state = CAP_NOT_YET;
		first = false;
		now.to = max_u64(row->t, now.from);
		if (touches(&now, t0, t1))
			out[found++] = now;
		now = (struct cap_absence){now.to, UINT64_MAX, state_after(row->tag)};
	}
	if (found < room && touches(&now, t0, t1))
		out[found++] = now;
	return found;
}

void cap_life_image(struct image *im, struct cap_life *l)
{
	if (im->loads)
		*l = (struct cap_life){0};
	image_rows(im, &l->rows, sizeof(struct cap_life_row));
	IMAGE_VALUE(im, l->more);
}
