#include "panes/heap/heap_chart_data.h"

#include "draw/style.h"
#include "sys/system.h"

#include <assert.h>
#include <stdlib.h>

enum { OTHERS = CENSUS_SLOTS - 1 };

struct census_run heap_run(struct heap_scan *s, uint64_t total)
{
	atomic_store(&s->done, 0);
	atomic_store(&s->total, total);
	return (struct census_run){
		&s->log->census, &s->log->blocks, (uint8_t)s->profile, s->cancel, &s->done, s->tell, s->ctx};
}

/* Does the band come before another one: by its peak in the window, of equals in the whole run? */
static bool is_larger(const struct heap_scan *s, uint32_t a, uint32_t b)
{
	uint64_t x = s->window.courses[a].peak, y = s->window.courses[b].peak;
	return x > y || (x == y && bands_at(&s->survey.bands, a)->rank < bands_at(&s->survey.bands, b)->rank);
}

/* The largest bands in the window, largest first. */
static int largest_bands(const struct heap_scan *s, uint32_t *out, int most)
{
	int n = 0;
	for (uint32_t i = 0; i < bands_count(&s->survey.bands); i++) {
		if ((s->hidden && s->hidden[i]) || (n == most && !is_larger(s, i, out[n - 1])))
			continue;
		int at = n < most ? n++ : n - 1;
		for (; at > 0 && is_larger(s, i, out[at - 1]); at--)
			out[at] = out[at - 1];
		out[at] = i;
	}
	return n;
}

/* As bands are stacked: the larger in the whole run below. */
static int by_rank(const void *a, const void *b, void *ctx)
{
	const struct bands *bands = ctx;
	uint32_t x = bands_at(bands, *(const uint32_t *)a)->rank, y = bands_at(bands, *(const uint32_t *)b)->rank;
	return ORDER(x, y);
}

/* The bands with a fixed hue in all windows: those with the highest peaks of the run. */
static void own_hues(const struct bands *bands, uint32_t *hues)
{
	int n = 0;
	for (uint32_t i = 0; i < bands_count(bands); i++) {
		uint64_t peak = bands_at(bands, i)->peak;
		int at = n < OTHERS ? n++ : OTHERS;
		for (; at > 0 && peak > bands_at(bands, hues[at - 1])->peak; at--)
			if (at < OTHERS)
				hues[at] = hues[at - 1];
		if (at < OTHERS)
			hues[at] = i;
	}
	while (n < OTHERS)
		hues[n++] = BANDS_REST;
}

/* No two slots share a hue: a band without a fixed one takes one that is free in this window. */
static void give_hues(struct heap_scan *s, struct heap_answer *p)
{
	uint32_t hues[OTHERS];
	bool taken[OTHERS] = {0};
	int of[CENSUS_SLOTS];
	own_hues(&s->survey.bands, hues);
	for (int i = 0; i < p->slots.n; i++) {
		for (of[i] = OTHERS - 1; of[i] >= 0 && hues[of[i]] != p->slots.bands[i]; of[i]--)
			;
		if (of[i] >= 0)
			taken[of[i]] = true;
	}
	for (int i = 0, next = 0; i < p->slots.n; i++) {
		while (of[i] < 0 && taken[next])
			next++;
		if (of[i] < 0)
			taken[of[i] = next] = true;
		p->styles[i] = (uint8_t)(ST_BAND_0 + of[i]);
	}
	p->styles[OTHERS] = ST_BAND_0 + OTHERS;
}

/* Give a hue to every band that the table lists, and to at least eight. */
static void choose_slots(struct heap_scan *s, struct heap_answer *p)
{
	struct census_slots *slots = &p->slots;
	int most = (int)s->ask.hues < OTHERS ? (int)s->ask.hues : OTHERS;
	*slots = (struct census_slots){.hidden = s->hidden, .alone = s->ask.only != BANDS_REST};
	if (slots->alone) {
		slots->bands[0] = s->ask.only;
		slots->n = 1;
	} else {
		slots->n = largest_bands(s, slots->bands, most > 1 ? most : 1);
	}
	sys_sort(slots->bands, (size_t)slots->n, sizeof *slots->bands, by_rank, &s->survey.bands);
	give_hues(s, p);
}

static bool knots_fit(struct heap_scan *s, struct heap_answer *p)
{
	size_t room = (size_t)s->ask.cols + 2;
	if (room <= p->knots_room)
		return true;
	free_all(p->knots, s->which);
	p->knots = calloc(room, sizeof *p->knots);
	s->which = calloc(room, sizeof *s->which);
	p->knots_room = p->knots && s->which ? room : 0;
	return p->knots_room;
}

static uint64_t largest_total(const struct heap_answer *p)
{
	uint64_t most = 0;
	for (size_t i = 0; i < p->n_knots; i++)
		most = max_u64(most, p->knots[i].total);
	return most;
}

static bool picture_fits(const struct heap_scan *s)
{
	const struct heap_ask *a = &s->picture.ask, *b = &s->ask;
	return s->pictured && a->t0 == b->t0 && a->t1 == b->t1 && a->cols == b->cols && a->rows == b->rows
		&& a->only == b->only && a->hues == b->hues;
}

int heap_picture(struct heap_scan *s)
{
	struct heap_answer *p = &s->picture;
	if (picture_fits(s))
		return 0;
	if (!knots_fit(s, p))
		return EVL_NOMEM;
	p->ask = s->ask;
	p->n_knots = census_knots(&s->survey, &s->axis, s->ask.t0, s->ask.t1, (int)s->ask.cols, p->knots, s->which);
	p->largest = largest_total(p);
	choose_slots(s, p);
	struct census_run run = heap_run(s, p->n_knots);
	int result = census_knots_fill(p->knots, s->which, p->n_knots, &p->slots, &s->survey, &run);
	p->largest = largest_total(p);
	s->pictured = result == 0;
	return result;
}

int heap_chart_data_copy(const struct heap_scan *s, struct heap_answer *page)
{
	const struct heap_answer *p = &s->picture;
	if (page->knots_room < p->n_knots) {
		free(page->knots);
		page->knots = calloc(p->knots_room, sizeof *page->knots);
		page->knots_room = page->knots ? p->knots_room : 0;
	}
	if (page->knots_room < p->n_knots)
		return EVL_NOMEM;
	assert(p->n_knots == 0 || page->knots);
	if (p->n_knots)
		memcpy(page->knots, p->knots, p->n_knots * sizeof *p->knots);
	page->n_knots = p->n_knots;
	page->slots = p->slots;
	page->slots.hidden = NULL; /* ours */
	memcpy(page->styles, p->styles, sizeof page->styles);
	page->largest = p->largest;
	page->others = bands_count(&s->survey.bands) - s->n_hidden - (size_t)p->slots.n;
	return 0;
}
