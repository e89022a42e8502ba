#include "sched/thread_lives.h"

#include "sys/worker.h"

#include <assert.h>
#include <stdlib.h>

/* The peak is found in two looks. The first counts births and deaths in short stretches of time: a stretch in which
 * more threads cannot have lived than at the end of some other is out. The second puts the moments of the rest into
 * their stretches, as many at a time as BATCH allows; then each stretch is sorted. All is shared by some workers, who take pages
 * of the table, or stretches, in turn. Threads with adjacent ids are created, and often end, one after another: the second look
 * passes lines of rows whose moments lie in none of the stretches. */
struct stretch {
	uint32_t births, deaths;
};

/* The stretches that the moments of a line of LINE rows lie in; from > to: it has none. */
enum { LINE = 64, PAGE_LINES = (1 << THREADS_PAGE_BITS) / LINE };
struct hull {
	uint32_t from, to;
};
struct line {
	struct hull births, deaths;
};

struct work {
	const struct threads *threads;
	uint64_t from, to, ns; /* ns: to - from */
	unsigned shift;        /* a stretch is 1 << shift ns */
	size_t n;              /* stretches */
	_Atomic uint32_t page; /* the next that somebody may take */
	_Atomic int worker;
	int workers;
	struct tally {
		struct thread_lives lives;
		struct stretch *stretches;
		uint64_t before;        /* threads that live when the range begins */
		uint64_t peak, peak_at; /* found in the stretches that it looked into */
	} tallies[8];                   /* what each worker counted; when all have, the first holds the sums */
	uint64_t *alive;                /* by stretch: threads that live when it begins */
	/* The stretches that are looked at closely at one time, and the moments in them. */
	size_t first, last;
	_Atomic size_t next;      /* to look into */
	_Atomic uint64_t peak;    /* the largest that any worker has found */
	_Atomic uint32_t *filled; /* by stretch: where its next moment goes */
	uint32_t *next_wanted;    /* by stretch: the first from it on that is looked at closely, or `last` */
	uint32_t pages;           /* of the table */
	struct line **lines;      /* by page; NULL where there was no memory, or no page */
	uint64_t *moments;        /* ns after the range's start, doubled, + 1 for a birth */
};

enum { FEWEST = 64, MOST = 1 << 20, BATCH = 1 << 20 };
#define UNWANTED UINT32_MAX

static bool lay_out(struct work *w, int workers)
{
	uint64_t seen = atomic_load(&w->threads->seen);
	size_t n = FEWEST, pages = w->threads->n_pages;
	while (n < MOST && n < seen / 16)
		n *= 2;
	while (w->ns >> w->shift >= n)
		w->shift++;
	w->n = (size_t)(w->ns >> w->shift) + 1;
	w->workers = (int)min_u64(min_u64((uint64_t)workers_for(workers), countof(w->tallies)), pages ? pages : 1);
	w->filled = calloc(w->n, sizeof *w->filled);
	w->alive = calloc(w->n, sizeof *w->alive);
	w->next_wanted = calloc(w->n, sizeof *w->next_wanted);
	w->pages = threads_pages(w->threads);
	w->lines = calloc((size_t)w->pages + 1, sizeof *w->lines);
	bool good = w->filled && w->alive && w->next_wanted && w->lines;
	for (int i = 0; i < w->workers; i++)
		good = (w->tallies[i].stretches = calloc(w->n, sizeof *w->tallies[i].stretches)) && good;
	return good;
}

/* Return a time as ns after the start of the range; earlier times wrap to values past its end. */
static inline uint64_t since_start(const struct work *w, uint64_t t) { return t - w->from; }

/* Read a row's birth and death. */
struct life {
	uint64_t born, died; /* died: UINT64_MAX if it goes on at the end of the log */
	bool any;            /* its start was seen, and it lives at a moment that is not before the range */
};

static inline struct life life_of(const struct work *w, const struct thread_row *row)
{
	struct life l = {.born = load_relaxed(&row->born), .died = load_relaxed(&row->died)};
	l.died = l.died ? l.died : UINT64_MAX;
	l.any = l.born && l.born < l.died && l.died > w->from;
	return l;
}

/* Move to a page of the table that no worker has taken, or NULL. *id: of its first row; *n: how many there are. */
static const struct thread_row *take_page(struct work *w, uint32_t *id, uint32_t *n)
{
	const struct thread_row *rows = NULL;
	while (!rows) {
		uint32_t page = atomic_fetch_add_explicit(&w->page, 1, memory_order_relaxed);
		if (page >= w->pages)
			break;
		rows = threads_page(w->threads, page, n);
		*id = page << THREADS_PAGE_BITS;
	}
	return rows;
}

/* A look at all rows, on all workers. */
static void look(struct work *w, void *(*run)(void *))
{
	atomic_store(&w->page, 0);
	atomic_store(&w->worker, 0);
	workers_share(w->workers, run, w);
}

/* --- the first look -------------------------------------------------------------------------------------------------- */

static void rank(struct thread_lives *l, const struct thread_run *run)
{
	size_t at = l->n_top;
	while (at > 0
		&& (l->top[at - 1].ns < run->ns
			|| (l->top[at - 1].ns == run->ns && l->top[at - 1].thread > run->thread)))
		at--;
	if (at == THREAD_LIVES_TOP || run->runs == 0)
		return;
	l->n_top += l->n_top < THREAD_LIVES_TOP;
	memmove(&l->top[at + 1], &l->top[at], (l->n_top - at - 1) * sizeof l->top[0]);
	l->top[at] = *run;
}

static inline void widen(struct hull *h, size_t stretch)
{
	h->from = (uint32_t)min_u64(h->from, stretch);
	h->to = (uint32_t)max_u64(h->to, stretch);
}

static inline void count_row(
	const struct work *w, struct tally *p, uint32_t id, const struct thread_row *row, struct line *line)
{
	struct thread_lives *l = &p->lives;
	struct life life = life_of(w, row);
	uint64_t born = since_start(w, life.born), died = since_start(w, life.died), ns = load_relaxed(&row->run_ns);
	uint32_t runs = load_relaxed(&row->runs);
	if (ns >= l->top[THREAD_LIVES_TOP - 1].ns)
		rank(l, &(struct thread_run){id, runs, ns});
	l->runs += runs;
	l->created += life.born && born < w->ns;
	l->finished += died < w->ns;
	if (!life.any)
		return;
	p->before += life.born < w->from;
	if (born < w->ns) {
		p->stretches[born >> w->shift].births++;
		widen(&line->births, born >> w->shift);
	}
	if (died < w->ns) {
		p->stretches[died >> w->shift].deaths++;
		widen(&line->deaths, died >> w->shift);
	}
}

static void *count(void *arg)
{
	struct work *w = arg;
	struct tally *p = &w->tallies[atomic_fetch_add(&w->worker, 1)], mine = *p;
	const struct thread_row *rows;
	for (uint32_t id, n; (rows = take_page(w, &id, &n));) {
		struct line *lines = w->lines[id >> THREADS_PAGE_BITS] = calloc(PAGE_LINES, sizeof *lines);
		for (uint32_t i = 0; i < n; i += LINE) {
			struct line line = {{UINT32_MAX, 0}, {UINT32_MAX, 0}};
			for (uint32_t k = i; k < n && k < i + LINE; k++)
				count_row(w, &mine, id | k, &rows[k], &line);
			if (lines)
				lines[i / LINE] = line;
		}
	}
	*p = mine;
	return NULL;
}

static void add_tally(struct work *w, const struct tally *p)
{
	struct tally *all = &w->tallies[0];
	all->lives.created += p->lives.created;
	all->lives.finished += p->lives.finished;
	all->lives.runs += p->lives.runs;
	all->before += p->before;
	for (size_t i = 0; i < p->lives.n_top; i++)
		rank(&all->lives, &p->lives.top[i]);
	for (size_t i = 0; i < w->n; i++) {
		all->stretches[i].births += p->stretches[i].births;
		all->stretches[i].deaths += p->stretches[i].deaths;
	}
}

/* --- the peak -------------------------------------------------------------------------------------------------------- */

static uint64_t alive_after(const struct stretch *s, uint64_t alive) { return alive + s->births - s->deaths; }

/* Lower bound of the peak: the maximum at the end of a stretch. */
static void look_at_ends(struct work *w, struct thread_lives *out)
{
	uint64_t alive = w->tallies[0].before;
	out->peak = alive;
	out->peak_at = w->from;
	for (size_t i = 0; i < w->n; i++) {
		w->alive[i] = alive;
		alive = alive_after(&w->tallies[0].stretches[i], alive);
		if (alive <= out->peak)
			continue;
		out->peak = alive;
		out->peak_at = min_u64(w->from + ((i + 1) << w->shift), w->to) - 1;
	}
	out->alive_end = alive;
}

/* Allot room among the moments to the stretches from `first` on that may exceed the peak: up to `last`, where the room is
 * used up. Return the number of their moments. */
static size_t choose(struct work *w, uint64_t peak)
{
	size_t used = 0;
	for (w->last = w->first; w->last < w->n; w->last++) {
		const struct stretch *s = &w->tallies[0].stretches[w->last];
		size_t moments = (size_t)s->births + s->deaths;
		bool wanted = w->alive[w->last] + s->births > peak;
		if (wanted && used && used + moments > BATCH)
			break;
		store_relaxed(&w->filled[w->last], wanted ? (uint32_t)used : UNWANTED);
		used += wanted ? moments : 0;
	}
	uint32_t next = (uint32_t)w->last;
	for (size_t i = w->last; i-- > w->first; w->next_wanted[i] = next)
		next = load_relaxed(&w->filled[i]) == UNWANTED ? next : (uint32_t)i;
	return used;
}

static inline void note(struct work *w, uint64_t moment, bool birth)
{
	size_t i = (size_t)(moment >> w->shift);
	if (load_relaxed(&w->filled[i]) == UNWANTED)
		return;
	w->moments[atomic_fetch_add_explicit(&w->filled[i], 1, memory_order_relaxed)] = moment << 1 | birth;
}

static void gather_row(struct work *w, const struct thread_row *row, uint64_t first, uint64_t ns)
{
	struct life life = life_of(w, row);
	uint64_t born = since_start(w, life.born), died = since_start(w, life.died);
	if (!life.any)
		return;
	if (born - first < ns)
		note(w, born, true);
	if (died - first < ns)
		note(w, died, false);
}

/* May one of the stretches that are looked at closely be in the hull? */
static bool meets(const struct work *w, struct hull h)
{
	uint32_t from = (uint32_t)max_u64(h.from, w->first);
	return from <= h.to && from < w->last && w->next_wanted[from] <= h.to && w->next_wanted[from] < w->last;
}

static void *gather(void *arg)
{
	struct work *w = arg;
	const struct thread_row *rows;
	uint64_t first = (uint64_t)w->first << w->shift, ns = min_u64((uint64_t)w->last << w->shift, w->ns) - first;
	for (uint32_t id, n; (rows = take_page(w, &id, &n));) {
		const struct line *lines = w->lines[id >> THREADS_PAGE_BITS];
		for (uint32_t i = 0; i < n; i += LINE)
			if (!lines || meets(w, lines[i / LINE].births) || meets(w, lines[i / LINE].deaths))
				for (uint32_t k = i; k < n && k < i + LINE; k++)
					gather_row(w, &rows[k], first, ns);
	}
	return NULL;
}

/* Most stretches have few moments, which are nearly in order: threads are gathered by their numbers. */
static void sort_moments(uint64_t *moments, size_t n)
{
	enum { FEW = 32 };
	if (n > FEW) {
		qsort(moments, n, sizeof *moments, by_u64);
		return;
	}
	for (size_t i = 1; i < n; i++) {
		uint64_t moving = moments[i];
		size_t at = i;
		for (; at > 0 && moments[at - 1] > moving; at--)
			moments[at] = moments[at - 1];
		moments[at] = moving;
	}
}

/* One stretch moment by moment; of what happens at one moment deaths come first. */
static void look_into(struct work *w, size_t i, struct tally *mine)
{
	size_t n = (size_t)w->tallies[0].stretches[i].births + w->tallies[0].stretches[i].deaths;
	uint64_t alive = w->alive[i];
	if (n == 0)
		return;
	assert(w->moments);
	uint64_t *moments = w->moments + load_relaxed(&w->filled[i]) - n;
	sort_moments(moments, n);
	for (size_t k = 0; k < n; k++) {
		bool birth = moments[k] & 1;
		alive = birth ? alive + 1 : alive - 1;
		if (!birth || alive <= mine->peak)
			continue;
		mine->peak = alive;
		mine->peak_at = w->from + (moments[k] >> 1);
	}
}

/* Look into the stretches that may have the peak. One that may be as high as another worker's may be earlier. */
static void *look_into_some(void *arg)
{
	enum { SOME = 16 };
	struct work *w = arg;
	struct tally *mine = &w->tallies[atomic_fetch_add(&w->worker, 1)];
	for (size_t i; (i = atomic_fetch_add(&w->next, SOME)) < w->last;)
		for (size_t k = i; k < min_u64(i + SOME, w->last); k++) {
			uint64_t most = w->alive[k] + w->tallies[0].stretches[k].births, peak = load_relaxed(&w->peak);
			if (load_relaxed(&w->filled[k]) == UNWANTED || most <= mine->peak || most < peak)
				continue;
			look_into(w, k, mine);
			while (peak < mine->peak && !atomic_compare_exchange_weak(&w->peak, &peak, mine->peak))
				;
		}
	return NULL;
}

/* Look into the stretches [first, last), whose moments are gathered. */
static void look_closely(struct work *w, struct thread_lives *out)
{
	const uint64_t before = out->peak;
	for (int i = 0; i < w->workers; i++)
		w->tallies[i].peak = out->peak;
	atomic_store(&w->peak, out->peak);
	atomic_store(&w->next, w->first);
	look(w, look_into_some);
	for (int i = 0; i < w->workers; i++) {
		const struct tally *p = &w->tallies[i];
		if (p->peak > out->peak || (p->peak > before && p->peak == out->peak && p->peak_at < out->peak_at)) {
			out->peak = p->peak;
			out->peak_at = p->peak_at;
		}
	}
}

static bool find_peak(struct work *w, struct thread_lives *out)
{
	look_at_ends(w, out);
	for (; w->first < w->n; w->first = w->last) {
		size_t n = choose(w, out->peak);
		w->moments = n ? calloc(n, sizeof *w->moments) : NULL;
		if (n && !w->moments)
			return false;
		if (n) {
			look(w, gather);
			look_closely(w, out);
		}
		free(w->moments);
	}
	return true;
}

int thread_lives_make(struct thread_lives *l, const struct threads *t, uint64_t from, uint64_t to, int workers)
{
	struct work w = {.threads = t, .from = from, .to = to, .ns = to - from};
	bool good = lay_out(&w, workers);
	*l = (struct thread_lives){0};
	if (good) {
		look(&w, count);
		for (int i = 1; i < w.workers; i++)
			add_tally(&w, &w.tallies[i]);
		*l = w.tallies[0].lives;
		good = find_peak(&w, l);
	}
	for (int i = 0; i < w.workers; i++)
		free(w.tallies[i].stretches);
	for (uint32_t i = 0; w.lines && i < w.pages; i++)
		free(w.lines[i]);
	free_all(w.filled, w.alive, w.next_wanted, w.lines);
	return good ? 0 : EVL_NOMEM;
}
