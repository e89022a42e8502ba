#include "prof/prof_figures.h"

#include "prof/prof_centres.h"

static void rank(struct prof_figures *f, struct prof_centres *c, uint32_t name)
{
	size_t at = f->n;
	while (at > 0 && prof_centres_order(&name, &f->top[at - 1].name, c) < 0)
		at--;
	if (at == PROF_TOP)
		return;
	f->n += f->n < PROF_TOP;
	memmove(f->top + at + 1, f->top + at, (f->n - at - 1) * sizeof *f->top);
	f->top[at] = (struct prof_figure){name, c->self[name], c->incl[name]};
}

int prof_figures_make(struct prof_figures *f, const struct prof *p, const struct prof_naming *naming, uint64_t from,
	uint64_t to, const atomic_bool *cancel)
{
	struct prof_centres c;
	*f = (struct prof_figures){.interval = prof_interval(p), .gaps = rows_count(&p->gaps) + p->more_gaps};
	int result = prof_centres_make(&c, p, naming, from, to, false, cancel);
	if (result < 0)
		return result;
	for (uint32_t name = 0; name < c.names.n; name++)
		if (c.self[name])
			rank(f, &c, name);
	f->samples = c.all;
	f->program = c.program;
	f->names = c.names;
	c.names = (struct prof_names){0};
	prof_centres_free(&c);
	return 0;
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
