#include "plot.h"

#include <stdlib.h>

static bool fits(const struct plot *p, const struct model *m, const struct evl_progress *now)
{
	return p->gc && p->t0 == m->at.t0 && p->t1 == m->at.t1 && p->cols == m->cols && p->walked == now->bytes
		&& p->done == now->done;
}

void plot_free(struct plot *p)
{
	for (size_t i = 0; i < p->n_caps; i++)
		free(p->caps[i]);
	free(p->caps);
	free(p->gc);
	*p = (struct plot){0};
}

bool plot_update(struct plot *p, const struct model *m)
{
	const struct evl_log *log = m->log;
	struct evl_progress now = evl_progress(log);
	if (!m->ranged || fits(p, m, &now))
		return m->ranged;
	plot_free(p);
	*p = (struct plot){.model = m, .t0 = m->at.t0, .t1 = m->at.t1, .cols = m->cols, .walked = now.bytes, .done = now.done};
	p->gc = calloc((size_t)p->cols, sizeof *p->gc);
	p->caps = calloc(log->n_lanes ? log->n_lanes : 1, sizeof *p->caps);
	if (!p->gc || !p->caps) {
		plot_free(p);
		return false;
	}
	p->n_caps = log->n_lanes;
	gcs_sum(&log->gcs, p->t0, p->t1, &p->gc_all);
	for (int i = 0; i < p->cols; i++)
		gcs_sum(&log->gcs, model_edge(m, i), model_edge(m, i + 1), &p->gc[i]);
	return true;
}

const struct cap_column *plot_cap(struct plot *p, size_t i)
{
	const struct evl_log *log = p->model->log;
	if (i >= p->n_caps)
		return NULL;
	if (!p->caps[i] && (p->caps[i] = calloc((size_t)p->cols, sizeof **p->caps))) {
		uint32_t chain = log->lanes[i];
		caps_columns(&log->blocks, &log->tiles[chain], chain, p->t0, p->t1, p->cols, p->caps[i]);
	}
	return p->caps[i];
}
