/* export_folded.c - export folded: the time profile as folded stacks for flame graphs.
 *
 * A line per sampled stack, outermost frame first, then its number of samples: `MAIN.MAIN;Main.main;Main.go 12`.
 * The samples of the run-time system (GC, IDLE, …) count too, unless no_rts is set. */
#include "export/export.h"
#include "prof/prof_window.h"

void export_stack(struct buf *b, const struct stacks *stacks, const struct prof_names *names, uint32_t node)
{
	uint32_t path[STACK_DEPTH];
	size_t n = 0;
	for (; node != STACK_ROOT; node = stacks_at(stacks, node)->parent)
		path[n++] = names->of_node[node];
	prof_frame_text(b, names, PROF_MAIN);
	while (n-- > 0) {
		buf_char(b, ';');
		prof_frame_text(b, names, path[n]);
	}
}

int export_folded(struct export *x)
{
	const struct evl_log *log = x->log;
	const struct prof *p = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	struct prof_names names;
	struct prof_window w;
	int result = prof_names_make(&names, p, &naming);
	if (result < 0)
		return result;
	result = prof_window_make(&w, p, &log->blocks, x->from, x->to, 1, PROF_ALL_CAPS, x->cancel);
	if (result == 0 && x->no_rts)
		w.total = prof_hide_rts(&names, w.self, w.n_nodes);
	if (result == 0 && w.total == 0)
		result = export_no_samples(x, p);
	for (uint32_t node = 0; result == 0 && node < w.n_nodes; node++) {
		if (w.self[node] == 0)
			continue;
		export_stack(&x->out, &p->stacks, &names, node);
		buf_char(&x->out, ' ');
		buf_decimal(&x->out, w.self[node]);
		buf_char(&x->out, '\n');
		result = export_more(x);
	}
	prof_window_free(&w);
	prof_names_free(&names);
	return result;
}
