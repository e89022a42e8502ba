#include "prof/prof_figures.h"

#include "prof/prof_tree.h"

#include <stdlib.h>

/* Is the centre with these samples before the other? By self, then inclusive, then by name. */
static bool before(const struct prof_names *names, const struct prof_figure *a, const struct prof_figure *b)
{
	if (a->self != b->self)
		return a->self > b->self;
	if (a->incl != b->incl)
		return a->incl > b->incl;
	return prof_names_compare(names, a->name, b->name) < 0;
}

static void rank(struct prof_figures *f, struct prof_figure figure)
{
	size_t at = f->n;
	while (at > 0 && before(&f->names, &figure, &f->top[at - 1]))
		at--;
	if (at == PROF_TOP)
		return;
	f->n += f->n < PROF_TOP;
	memmove(f->top + at + 1, f->top + at, (f->n - at - 1) * sizeof *f->top);
	f->top[at] = figure;
}

static int rank_all(struct prof_figures *f, const struct stacks *stacks, const uint64_t *self)
{
	uint64_t *incl = malloc(f->names.n * sizeof *incl), *own = malloc(f->names.n * sizeof *own);
	int result = incl && own ? prof_sums(stacks, &f->names, self, incl, own) : EVL_NOMEM;
	for (uint32_t name = 0; name < f->names.n && result == 0; name++)
		if (own[name])
			rank(f, (struct prof_figure){name, own[name], incl[name]});
	free_all(incl, own);
	return result;
}

int prof_figures_make(struct prof_figures *f, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, const atomic_bool *cancel)
{
	struct prof_window w;
	*f = (struct prof_figures){.interval = prof_interval(p), .gaps = rows_count(&p->gaps) + p->more_gaps};
	int result = prof_names_make(&f->names, p, naming);
	if (result < 0)
		return result;
	result = prof_window_make(&w, p, naming->blocks, from, to, 1, PROF_ALL_CAPS, cancel);
	if (result == 0) {
		f->samples = w.total;
		f->program = prof_hide_rts(&f->names, w.self, w.n_nodes);
		result = rank_all(f, &p->stacks, w.self);
		prof_window_free(&w);
	}
	if (result < 0)
		prof_figures_free(f);
	return result;
}

void prof_figures_free(struct prof_figures *f)
{
	prof_names_free(&f->names);
	*f = (struct prof_figures){0};
}

static void put_figure(const struct prof_figures *f, const struct prof_figure *figure, struct json *j)
{
	double all = (double)(f->program ? f->program : 1);
	json_open(j, '{');
	json_put_str(j, "centre", prof_label(&f->names, figure->name));
	json_put_str(j, "module", prof_module(&f->names, figure->name));
	json_put_str(j, "location", prof_location(&f->names, figure->name));
	json_put_u64(j, "self", figure->self);
	json_put_u64(j, "inclusive", figure->incl);
	json_put_double(j, "self_share", (double)figure->self / all);
	json_put_double(j, "inclusive_share", (double)figure->incl / all);
	json_close(j, '}');
}

void prof_figures_json(const struct prof_figures *f, struct json *j)
{
	if (f->samples == 0) {
		json_null(j);
		return;
	}
	json_open(j, '{');
	json_put_u64(j, "samples", f->samples);
	json_put_u64(j, "program_samples", f->program);
	json_put_known(j, "interval_ns", f->interval, f->interval);
	json_put_u64(j, "gaps", f->gaps);
	json_put_open(j, "top", '[');
	for (size_t i = 0; i < f->n; i++)
		put_figure(f, &f->top[i], j);
	json_close(j, ']');
	json_close(j, '}');
}
