#include "bytes/prefetch.h"

#include "sys/clock.h"
#include "sys/worker.h"

#include <pthread.h>
#include <stdlib.h>

enum { QUEUE = 256 }; /* queued pieces; the next frame requests any others again */

/* The system is asked for a region at a time, and not again for some frames: where blocks are small, those of all
 * capabilities lie in the same regions. */
enum { REGION = 64 << 10, REGIONS = 4096 };

struct region {
	uint64_t number; /* + 1; 0: none */
	int64_t until_ms;
};

struct piece {
	uint64_t off, len;
};

struct prefetch {
	const struct source *source;
	pthread_t owner; /* who must not wait */
	void (*wake)(void *);
	void *ctx;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t news;
	struct piece queue[QUEUE];
	size_t n;
	bool stop;
	_Atomic uint64_t count;
	atomic_size_t due;              /* asked for and not there yet */
	struct region regions[REGIONS]; /* that were in memory: the owner's */
};

static void *run(void *arg)
{
	struct prefetch *f = arg;
	pthread_mutex_lock(&f->lock);
	while (!f->stop) {
		if (f->n == 0) {
			pthread_cond_wait(&f->news, &f->lock);
			continue;
		}
		struct piece piece = f->queue[--f->n]; /* the latest first: it is what is looked at now */
		pthread_mutex_unlock(&f->lock);
		source_populate(f->source, piece.off, piece.len);
		atomic_fetch_add(&f->count, 1);
		atomic_fetch_sub(&f->due, 1);
		pthread_mutex_lock(&f->lock);
		if (f->n == 0)
			f->wake(f->ctx);
	}
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

struct prefetch *prefetch_new(const struct source *src, void (*wake)(void *), void *ctx)
{
	struct prefetch *f = calloc(1, sizeof *f);
	if (!f)
		return NULL;
	*f = (struct prefetch){.source = src, .owner = pthread_self(), .wake = wake, .ctx = ctx};
	pthread_mutex_init(&f->lock, NULL);
	pthread_cond_init(&f->news, NULL);
	if (worker_start(&f->thread, run, f))
		return f;
	pthread_cond_destroy(&f->news);
	pthread_mutex_destroy(&f->lock);
	free(f);
	return NULL;
}

void prefetch_free(struct prefetch *f)
{
	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	f->stop = true;
	pthread_cond_signal(&f->news);
	pthread_mutex_unlock(&f->lock);
	pthread_join(f->thread, NULL);
	pthread_cond_destroy(&f->news);
	pthread_mutex_destroy(&f->lock);
	free(f);
}

static void ask(struct prefetch *f, uint64_t off, uint64_t len)
{
	pthread_mutex_lock(&f->lock);
	bool asked = f->n == QUEUE;
	for (size_t i = 0; i < f->n && !asked; i++)
		asked = f->queue[i].off == off;
	if (!asked) {
		f->queue[f->n++] = (struct piece){off, len};
		atomic_fetch_add(&f->due, 1);
	}
	pthread_cond_signal(&f->news);
	pthread_mutex_unlock(&f->lock);
}

static bool region_resident(struct prefetch *f, uint64_t number, int64_t now)
{
	struct region *seen = &f->regions[number % REGIONS];
	if (seen->number == number + 1 && now < seen->until_ms)
		return true;
	if (!source_resident(f->source, number * REGION, REGION))
		return false;
	*seen = (struct region){number + 1, now + FETCH_TRUSTED_MS};
	return true;
}

static bool is_resident(struct prefetch *f, uint64_t off, uint64_t len)
{
	uint64_t first = off / REGION, last = (off + (len ? len - 1 : 0)) / REGION;
	int64_t now = clock_ms();
	for (uint64_t i = first; i <= last; i++)
		if (!region_resident(f, i, now))
			return source_resident(f->source, off, len);
	return true;
}

bool prefetch_ready(struct prefetch *f, uint64_t off, uint64_t len)
{
	bool ready = !pthread_equal(pthread_self(), f->owner) || is_resident(f, off, len);
	if (!ready)
		ask(f, off, len);
	return ready;
}

uint64_t prefetch_count(const struct prefetch *f) { return atomic_load(&f->count); }

bool prefetch_due(const struct prefetch *f) { return atomic_load(&f->due) > 0; }
