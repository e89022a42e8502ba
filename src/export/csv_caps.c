/* csv_caps - the table of capabilities: what their time went into. */
#include "export/csv.h"
#include "report/figures.h"

int csv_caps(struct export *x)
{
	struct figures f;
	struct progress watch = {.cancel = x->cancel};
	int result = figures_make(&f, x->log, &(struct figures_ask){.from = x->from, .to = x->to, .watch = &watch});
	if (result < 0)
		return result;
	buf_lit(&x->out, "cap,run_ns,gc_ns,run,gc,idle,switches\n");
	for (size_t i = 0; result == 0 && i < f.n_caps; i++) {
		const struct cap_figures *c = &f.caps[i];
		csv_u64(&x->out, c->cap);
		csv_u64(&x->out, c->run_ns);
		csv_u64(&x->out, c->gc_ns);
		csv_double(&x->out, c->run);
		csv_double(&x->out, c->gc);
		csv_double(&x->out, c->idle);
		csv_u64(&x->out, c->switches);
		csv_end(&x->out);
		result = export_more(x);
	}
	figures_free(&f);
	return result;
}
