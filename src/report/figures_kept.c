/* figures_kept.c - the figures and findings of a whole log, kept with its index (index_cache.h), so that opening it again
 * computes nothing over all of its collections and spans */
#include "index/indexer.h"
#include "log/index_cache.h"
#include "report/figures_private.h"
#include "report/findings_private.h"

#include <math.h>
#include <stdlib.h>

/* The object that log->figures points to. */
struct kept {
	struct figures figures;
	struct findings findings;
};

/* --- in memory ---------------------------------------------------------------------------------------------------- */

static void *array_copy(const void *items, size_t n, size_t width, bool *good)
{
	void *made = n ? malloc(n * width) : NULL;
	*good = *good && (made || n == 0);
	if (made)
		memcpy(made, items, n * width);
	return made;
}

/* Copy figures that are not deep. */
static int copy(struct figures *to, const struct figures *from)
{
	bool good = true;
	*to = *from;
	to->caps = array_copy(from->caps, from->n_caps, sizeof *from->caps, &good);
	to->nonmoving.items =
		array_copy(from->nonmoving.items, from->nonmoving.n, sizeof *from->nonmoving.items, &good);
	to->spans.items = array_copy(from->spans.items, from->spans.n, sizeof *from->spans.items, &good);
	to->span_labels.items =
		array_copy(from->span_labels.items, from->span_labels.n, sizeof *from->span_labels.items, &good);
	if (good)
		return 0;
	figures_free(to);
	return EVL_NOMEM;
}

int figures_recall(struct figures *f, const struct evl_log *log)
{
	const struct kept *kept = load_acquire(&log->figures);
	const struct figures own = *f;
	if (!kept || kept->figures.n_caps != figures_caps(f, log))
		return 1;
	if (copy(f, &kept->figures) < 0)
		return EVL_NOMEM;
	f->from = own.from;
	f->to = own.to;
	f->until = own.until;
	f->has_sched = own.has_sched;
	f->has_gc = own.has_gc;
	f->whole = true;
	f->group = own.group;
	for (size_t i = 0; i < f->n_caps; i++)
		f->caps[i].cap = log->blocks.chains[log->cap_chains[i]].cap;
	return 0;
}

bool findings_recall(struct findings *out, const struct evl_log *log)
{
	const struct kept *kept = load_acquire(&log->figures);
	if (kept)
		*out = kept->findings;
	return kept;
}

static void drop(void *made)
{
	struct kept *kept = made;
	if (kept)
		figures_free(&kept->figures);
	free(kept);
}

void figures_keep(const struct figures *f, const struct evl_log *log)
{
	_Atomic(void *) *place = (void *)(uintptr_t)&log->figures;
	struct kept *made;
	void *none = NULL;
	if (!log->may_keep || log->recalled || !log->cache->figures || !indexer_state(log->indexer).done
		|| load_acquire(place) || !(made = calloc(1, sizeof *made)))
		return;
	if (copy(&made->figures, f) < 0) {
		free(made);
		return;
	}
	findings_make(&made->findings, log, &made->figures);
	made->figures.values[METRIC_FINDINGS_N] = (double)NAN; /* not yet asked for */
	if (!atomic_compare_exchange_strong(place, &none, made))
		drop(made);
}

static void make(const struct evl_log *log, const atomic_bool *cancel)
{
	const struct progress watch = {.cancel = cancel};
	const struct figures_ask ask = {.to = UINT64_MAX, .watch = &watch};
	struct figures f;
	if (!load_acquire(&log->figures) && figures_make(&f, log, &ask) == 0)
		figures_free(&f);
}

/* --- as a file ---------------------------------------------------------------------------------------------------- */

/* A member that is added to one of these structs has to be saved and loaded, too; then correct its size here. */
_Static_assert(sizeof(void *) != 8
		|| (sizeof(struct figures) - METRICS * sizeof(double) == 14320 && sizeof(struct cap_figures) == 80
			&& sizeof(struct nm_cycle) == 64 && sizeof(struct span_name) == 176
			&& sizeof(struct finding) == 728),
	"all members are kept");

struct same {
	const struct gc_row *row;
	bool found;
};

static bool compare_row(void *ctx, const struct gc_row *row)
{
	struct same *s = ctx;
	s->found = memcmp(s->row, row, sizeof *row) == 0;
	return !s->found;
}

/* A collection of the index. */
static void row_image(struct image *im, const struct evl_log *log, struct gc_row *row)
{
	struct same same = {.row = row};
	IMAGE_VALUE(im, *row);
	if (im->loads && image_require(im, row->start < UINT64_MAX))
		gcs_each(&log->gcs, row->start, row->start + 1, compare_row, &same);
	image_require(im, !im->loads || same.found);
}

static void lull_image(struct image *im, struct gc_lull *l)
{
	size_t cause = l->cause;
	IMAGE_VALUE(im, l->from);
	IMAGE_VALUE(im, l->to);
	image_size(im, &cause, LULL_CAUSES - 1);
	l->cause = (enum gc_lull_cause)cause;
	IMAGE_VALUE(im, l->cap);
	IMAGE_VALUE(im, l->first);
	IMAGE_VALUE(im, l->late_ns);
	IMAGE_VALUE(im, l->sparks);
}

static void copying_image(struct image *im, struct gc_copying *c)
{
	IMAGE_VALUE(im, c->others);
	IMAGE_VALUE(im, c->copied);
	IMAGE_VALUE(im, c->times);
	IMAGE_VALUE(im, c->rate);
	IMAGE_VALUE(im, c->ns);
	IMAGE_VALUE(im, c->uneven_ns);
	IMAGE_VALUE(im, c->left);
	IMAGE_VALUE(im, c->known);
}

static void longest_image(struct image *im, const struct evl_log *log, struct figures *f)
{
	image_size(im, &f->n_longest, FIGURE_LONGEST);
	for (size_t i = 0; i < f->n_longest && !im->bad; i++) {
		row_image(im, log, &f->longest[i]);
		image_bool(im, &f->longest_census[i]);
		IMAGE_VALUE(im, f->longest_census_ns[i]);
		lull_image(im, &f->longest_lulls[i]);
		IMAGE_VALUE(im, f->longest_slow[i]);
		copying_image(im, &f->longest_copying[i]);
	}
}

static void laggards_image(struct image *im, const struct evl_log *log, struct gc_laggards *s)
{
	image_size(im, &s->n, SYNC_MOST);
	for (size_t i = 0; i < s->n && !im->bad; i++) {
		struct gc_late *late = &s->rows[i].late;
		row_image(im, log, &s->rows[i].gc);
		IMAGE_VALUE(im, late->run.late);
		IMAGE_VALUE(im, late->run.off);
		IMAGE_VALUE(im, late->run.thread);
		IMAGE_VALUE(im, late->run.cap);
		image_bool(im, &late->run.tied);
		IMAGE_VALUE(im, late->run.ran);
		IMAGE_VALUE(im, late->left);
		IMAGE_VALUE(im, late->rest);
		image_bool(im, &late->by_thread);
		image_bool(im, &late->some);
	}
	IMAGE_VALUE(im, s->thread_ns);
	IMAGE_VALUE(im, s->wakeup_ns);
	IMAGE_VALUE(im, s->blamed_ns);
	IMAGE_VALUE(im, s->n_rests);
	IMAGE_VALUE(im, s->rests_ns);
	IMAGE_VALUE(im, s->rest_p50);
	image_bool(im, &s->has_worst);
	IMAGE_VALUE(im, s->worst.thread);
	IMAGE_VALUE(im, s->worst.ns);
	IMAGE_VALUE(im, s->worst.n);
	IMAGE_VALUE(im, s->worst.ran);
	IMAGE_VALUE(im, s->worst.longest);
	IMAGE_VALUE(im, s->worst.at);
	IMAGE_VALUE(im, s->worst.cap);
}

static void gcs_of_figures_image(struct image *im, const struct evl_log *log, struct figures *f)
{
	image_size(im, &f->n_gens, GC_GENS);
	for (size_t i = 0; i < f->n_gens; i++) {
		IMAGE_VALUE(im, f->gens[i].gen);
		IMAGE_VALUE(im, f->gens[i].sum);
		IMAGE_VALUE(im, f->gens[i].usual);
		image_require(im, f->gens[i].gen < GC_GENS - 1 || f->gens[i].gen == GC_GEN_UNKNOWN);
	}
	IMAGE_VALUE(im, f->pause_classes);
	IMAGE_VALUE(im, f->census);
	IMAGE_VALUE(im, f->shared.n);
	IMAGE_VALUE(im, f->shared.threads);
	IMAGE_VALUE(im, f->shared.ns);
	IMAGE_VALUE(im, f->shared.balance);
	IMAGE_VALUE(im, f->long_n);
	IMAGE_VALUE(im, f->long_major_n);
	IMAGE_VALUE(im, f->long_minor_n);
	IMAGE_VALUE(im, f->long_minor_elapsed);
	IMAGE_VALUE(im, f->long_minor_copied);
	IMAGE_VALUE(im, f->long_ns);
	IMAGE_VALUE(im, f->long_in_ns);
	IMAGE_VALUE(im, f->long_sync_ns);
	IMAGE_VALUE(im, f->long_minor_ns);
	IMAGE_VALUE(im, f->mmu);
	longest_image(im, log, f);
	laggards_image(im, log, &f->sync);
	laggards_image(im, log, &f->blamed);
}

/* Save the length of a list, or load it and allocate its n items. Return whether there is a list. */
static bool list_image(struct image *im, size_t *n, size_t most, void **items, size_t width)
{
	image_size(im, n, most);
	if (im->loads)
		*items = *n ? image_new(im, *n, width) : NULL;
	return *n && !im->bad;
}

static void caps_image(struct image *im, struct figures *f)
{
	void *items = f->caps;
	bool any = list_image(im, &f->n_caps, FIGURE_CAPS, &items, sizeof *f->caps);
	f->caps = items;
	for (size_t i = 0; any && i < f->n_caps; i++) {
		struct cap_figures *c = &f->caps[i];
		image_bool(im, &c->exact);
		image_bytes(im, &c->run, sizeof *c - offsetof(struct cap_figures, run));
	}
}

static void nonmoving_of_figures_image(struct image *im, struct nm_cycles *c, uint64_t len)
{
	void *items = c->items;
	bool any = list_image(im, &c->n, NM_CYCLES, &items, sizeof *c->items);
	c->items = items;
	for (size_t i = 0; any && i < c->n; i++) {
		struct nm_cycle *cycle = &c->items[i];
		IMAGE_VALUE(im, cycle->start);
		IMAGE_VALUE(im, cycle->end);
		IMAGE_VALUE(im, cycle->ns);
		IMAGE_VALUE(im, cycle->stopped);
		IMAGE_VALUE(im, cycle->syncs);
		image_bool(im, &cycle->swept);
		IMAGE_VALUE(im, cycle->census);
		image_require(im, cycle->census < len);
	}
	IMAGE_VALUE(im, c->more);
	IMAGE_VALUE(im, c->ns);
	IMAGE_VALUE(im, c->longest_sync);
	IMAGE_VALUE(im, c->longest_sync_at);
	IMAGE_VALUE(im, c->stopped);
	IMAGE_VALUE(im, c->concurrent);
	image_size(im, &c->n_sizes, NM_SIZES);
	image_bytes(im, c->sizes, c->n_sizes * sizeof *c->sizes);
	IMAGE_VALUE(im, c->census_t);
	IMAGE_VALUE(im, c->pruned);
}

/* A name is a part of the log. */
static void name_image(struct image *im, const struct source *log, struct evl_str *name)
{
	uint64_t off = name->len ? (uint64_t)(name->p - log->data) : 0, n = name->len;
	IMAGE_VALUE(im, off);
	IMAGE_VALUE(im, n);
	if (image_require(im, off <= log->len && n <= log->len - off) && im->loads)
		*name = (struct evl_str){n ? log->data + off : (const uint8_t *)"", (size_t)n};
}

/* Without budgets, which are deep. */
static void spans_of_figures_image(struct image *im, const struct source *log, struct span_stats *s)
{
	void *items = s->items;
	bool any = list_image(im, &s->n, SPAN_NAMES, &items, sizeof *s->items);
	s->items = items;
	for (size_t i = 0; any && i < s->n; i++) {
		struct span_name *n = &s->items[i];
		name_image(im, log, &n->name);
		image_bytes(im, &n->n, offsetof(struct span_name, slowest) - offsetof(struct span_name, n));
		IMAGE_VALUE(im, n->slowest);
		image_require(im,
			n->slowest.row <= SPAN_ROWS && n->slowest.start <= n->slowest.end && n->slowest.off < log->len
				&& n->slowest.convention < SPAN_CONVENTIONS);
	}
	IMAGE_VALUE(im, s->spans);
	IMAGE_VALUE(im, s->other_spans);
	image_bool(im, &s->numbered);
}

static void values_image(struct image *im, double *values, size_t n)
{
	const double most = 0x1p64;
	image_bytes(im, values, n * sizeof *values);
	for (size_t i = 0; i < n; i++)
		image_require(im, !im->loads || isnan(values[i]) || (values[i] <= most && values[i] >= -most));
}

/* Save or load an enum below n. */
static size_t choice_image(struct image *im, size_t choice, size_t n)
{
	image_size(im, &choice, n - 1);
	return choice;
}

static void text_image(struct image *im, char *text, size_t room)
{
	image_bytes(im, text, room);
	image_require(im, text[room - 1] == '\0');
}

static void finding_image(struct image *im, struct finding *kept)
{
	struct finding f = *kept; /* while it is saved, others may read it */
	f.id = (enum finding_id)choice_image(im, f.id, FINDING_IDS);
	f.severity = (enum finding_severity)choice_image(im, f.severity, FINDING_HINT + 1);
	f.metric = (enum metric)choice_image(im, f.metric, METRICS + 1);
	values_image(im, &f.value, 1);
	image_bool(im, &f.has_place);
	IMAGE_VALUE(im, f.t);
	IMAGE_VALUE(im, f.until);
	f.shows = (enum finding_shows)choice_image(im, f.shows, SHOWS_BUSY + 1);
	IMAGE_VALUE(im, f.thread);
	IMAGE_VALUE(im, f.threads);
	IMAGE_VALUE(im, f.n_threads);
	image_require(im, f.n_threads <= FINDING_THREADS);
	image_bool(im, &f.has_cap);
	IMAGE_VALUE(im, f.cap);
	text_image(im, f.band, sizeof f.band);
	f.stake_kind = (enum finding_stake)choice_image(im, f.stake_kind, STAKE_BYTES + 1);
	IMAGE_VALUE(im, f.stake);
	values_image(im, &f.explains, 1);
	values_image(im, &f.stake_share, 1);
	text_image(im, f.flag, sizeof f.flag);
	text_image(im, f.advice, sizeof f.advice);
	values_image(im, &f.saves, 1);
	text_image(im, f.text, sizeof f.text);
	if (im->loads)
		*kept = f;
}

static void findings_image(struct image *im, struct findings *all)
{
	image_size(im, &all->n, FINDING_IDS);
	for (size_t i = 0; i < all->n && !im->bad; i++) {
		finding_image(im, &all->items[i]);
		for (size_t k = 0; k < i; k++)
			image_require(im, all->items[k].id != all->items[i].id);
	}
	image_size(im, &all->warnings, all->n);
}

static void image(struct image *im, struct evl_log *log)
{
	void *any = load_acquire(&log->figures);
	if (!image_optional(im, &any, sizeof(struct kept)))
		return;
	struct kept *kept = any;
	struct figures *f = &kept->figures;
	IMAGE_VALUE(im, f->stats);
	values_image(im, f->values, METRICS);
	gcs_of_figures_image(im, log, f);
	caps_image(im, f);
	IMAGE_VALUE(im, f->live);
	IMAGE_VALUE(im, f->lives);
	image_require(im, f->lives.n_top <= THREAD_LIVES_TOP);
	nonmoving_of_figures_image(im, &f->nonmoving, log->source.len);
	spans_of_figures_image(im, &log->source, &f->spans);
	spans_of_figures_image(im, &log->source, &f->span_labels);
	findings_image(im, &kept->findings);
	if (im->loads && !im->bad)
		atomic_store(&log->figures, kept);
}

const struct index_figures figures_kept = {make, image, drop};
