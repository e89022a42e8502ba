#include "thread_lives.h"

#include <stdlib.h>

/* The peak is found in two looks. The first counts births and deaths in short stretches of time: a stretch in which
 * more threads cannot have lived than at the end of some other is out. The second puts the moments of the rest into
 * their stretches, as many at a time as BATCH allows, and sorts each. */
struct stretch {
	uint32_t births, deaths;
};

struct work {
	struct thread_lives *out;
	uint64_t from, to;
	unsigned shift; /* a stretch is 1 << shift ns */
	size_t n;       /* stretches */
	struct stretch *stretches;
	uint64_t before;   /* threads that live when the range begins */
	/* The stretches that are looked at closely at one time, and the moments in them. */
	size_t first, last;
	uint32_t *filled;  /* by stretch: where its next moment goes */
	uint64_t *moments; /* ns behind the range's begin, doubled, + 1 for a birth */
};

enum { FEWEST = 64, MOST = 1 << 20, BATCH = 1 << 20 };
#define UNWANTED UINT32_MAX

static bool lay_out(struct work *w, uint64_t threads)
{
	size_t n = FEWEST;
	while (n < MOST && n < threads)
		n *= 2;
	while ((w->to - w->from) >> w->shift >= n)
		w->shift++;
	w->n = (size_t)((w->to - w->from) >> w->shift) + 1;
	w->stretches = calloc(w->n, sizeof *w->stretches);
	w->filled = calloc(w->n, sizeof *w->filled);
	return w->stretches && w->filled;
}

static bool inside(const struct work *w, uint64_t t)
{
	return t >= w->from && t < w->to;
}

static struct stretch *stretch_at(struct work *w, uint64_t t)
{
	return &w->stretches[(t - w->from) >> w->shift];
}

static void rank(struct thread_lives *l, const struct thread_run *run)
{
	size_t at = l->n_top;
	while (at > 0 && l->top[at - 1].ns < run->ns)
		at--;
	if (at == THREAD_LIVES_TOP || run->runs == 0)
		return;
	l->n_top += l->n_top < THREAD_LIVES_TOP;
	memmove(&l->top[at + 1], &l->top[at], (l->n_top - at - 1) * sizeof l->top[0]);
	l->top[at] = *run;
}

/* A life; died: UINT64_MAX if it goes on at the end of the log. False: its begin was not seen, or it has no length. */
static bool life_of(const struct thread_row *row, uint64_t *born, uint64_t *died)
{
	struct thread_row *r = (struct thread_row *)(uintptr_t)row;
	*born = atomic_load_explicit(&r->born, memory_order_relaxed);
	*died = atomic_load_explicit(&r->died, memory_order_relaxed);
	*died = *died ? *died : UINT64_MAX;
	return *born && *born < *died;
}

static void count(void *ctx, uint32_t id, const struct thread_row *row)
{
	struct work *w = ctx;
	struct thread_row *r = (struct thread_row *)(uintptr_t)row;
	uint64_t born, died;
	bool lived = life_of(row, &born, &died);
	struct thread_run run = {id, atomic_load_explicit(&r->runs, memory_order_relaxed),
		atomic_load_explicit(&r->run_ns, memory_order_relaxed)};
	rank(w->out, &run);
	w->out->runs += run.runs;
	w->out->created += born && inside(w, born);
	w->out->finished += inside(w, died);
	w->before += lived && born < w->from && died >= w->from;
	if (lived && inside(w, born))
		stretch_at(w, born)->births++;
	if (lived && inside(w, died))
		stretch_at(w, died)->deaths++;
}

static uint64_t behind(const struct stretch *s, uint64_t alive)
{
	return alive + s->births - s->deaths;
}

/* What is certain of the peak: the most at the end of a stretch. */
static void look_at_ends(struct work *w)
{
	uint64_t alive = w->before;
	w->out->peak = alive;
	w->out->peak_at = w->from;
	for (size_t i = 0; i < w->n; i++) {
		alive = behind(&w->stretches[i], alive);
		if (alive <= w->out->peak)
			continue;
		w->out->peak = alive;
		w->out->peak_at = min_u64(w->from + ((i + 1) << w->shift), w->to) - 1;
	}
	w->out->alive_end = alive;
}

/* Of the stretches from `first` on, behind which `alive` threads live, give those that may hold more than the peak their
 * room among the moments: up to `last`, where the room is used up. How many moments they have. */
static size_t choose(struct work *w, uint64_t alive)
{
	size_t used = 0;
	for (w->last = w->first; w->last < w->n; w->last++) {
		const struct stretch *s = &w->stretches[w->last];
		size_t moments = (size_t)s->births + s->deaths;
		bool wanted = alive + s->births > w->out->peak;
		if (wanted && used && used + moments > BATCH)
			break;
		w->filled[w->last] = wanted ? (uint32_t)used : UNWANTED;
		used += wanted ? moments : 0;
		alive = behind(s, alive);
	}
	return used;
}

static void note(struct work *w, uint64_t t, bool birth)
{
	size_t i = inside(w, t) ? (size_t)((t - w->from) >> w->shift) : w->n;
	if (i >= w->first && i < w->last && w->filled[i] != UNWANTED)
		w->moments[w->filled[i]++] = (t - w->from) << 1 | birth;
}

static void gather(void *ctx, uint32_t id, const struct thread_row *row)
{
	uint64_t born, died;
	(void)id;
	if (!life_of(row, &born, &died))
		return;
	note(ctx, born, true);
	note(ctx, died, false);
}

static int by_moment(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* One stretch moment by moment; of what happens at one moment deaths come first. */
static void look_into(struct work *w, size_t i, uint64_t alive)
{
	size_t n = (size_t)w->stretches[i].births + w->stretches[i].deaths;
	uint64_t *moments = w->moments + w->filled[i] - n;
	qsort(moments, n, sizeof *moments, by_moment);
	for (size_t k = 0; k < n; k++) {
		bool birth = moments[k] & 1;
		alive = birth ? alive + 1 : alive - 1;
		if (!birth || alive <= w->out->peak)
			continue;
		w->out->peak = alive;
		w->out->peak_at = w->from + (moments[k] >> 1);
	}
}

static bool find_peak(struct work *w, const struct threads *t)
{
	uint64_t alive = w->before;
	look_at_ends(w);
	for (; w->first < w->n; w->first = w->last) {
		size_t n = choose(w, alive);
		w->moments = n ? calloc(n, sizeof *w->moments) : NULL;
		if (n && !w->moments)
			return false;
		if (n)
			threads_all(t, gather, w);
		for (size_t i = w->first; i < w->last; i++) {
			if (w->filled[i] != UNWANTED && alive + w->stretches[i].births > w->out->peak)
				look_into(w, i, alive);
			alive = behind(&w->stretches[i], alive);
		}
		free(w->moments);
	}
	return true;
}

int thread_lives_make(struct thread_lives *l, const struct threads *t, uint64_t from, uint64_t to)
{
	struct work w = {.out = l, .from = from, .to = to};
	*l = (struct thread_lives){0};
	bool good = lay_out(&w, atomic_load(&((struct threads *)(uintptr_t)t)->seen));
	if (good) {
		threads_all(t, count, &w);
		good = find_peak(&w, t);
	}
	free(w.stretches);
	free(w.filled);
	return good ? 0 : EVL_NOMEM;
}
