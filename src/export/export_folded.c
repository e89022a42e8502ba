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
	struct prof_names names;
	struct prof_window w;
	int result = export_samples(x, &w, &names);
	for (uint32_t node = 0; result == 0 && node < w.n_nodes; node++) {
		if (w.self[node] == 0)
			continue;
		export_stack(&x->out, &evl_profile(x->log)->stacks, &names, node);
		buf_char(&x->out, ' ');
		buf_decimal(&x->out, w.self[node]);
		buf_char(&x->out, '\n');
		result = export_more(x);
	}
	prof_window_free(&w);
	prof_names_free(&names);
	return result;
}
