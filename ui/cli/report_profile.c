#include "cli/report_profile.h"

#include "prof/prof_figures.h"

enum { SHARE_W = 7, DIFF_ROWS = 20 };

static void put_name(const struct page *p, struct evl_str module, struct evl_str label)
{
	if (module.len) {
		page_text(p, module);
		fputc('.', p->out);
	}
	page_text(p, label);
}

static void put_share(const struct page *p, double share) { page_cell(p, SHARE_W, as_share(share)); }

static void put_figures(const struct page *p, const struct prof_figures *f)
{
	double all = (double)(f->program ? f->program : 1);
	page_heading(p, "time profile");
	fprintf(p->out, "  %s samples", as_count(f->samples));
	if (f->interval)
		fprintf(p->out, " of %s", as_duration(f->interval));
	fprintf(p->out, ", %s of them in the program itself; shares refer to those\n", as_count(f->program));
	if (f->n)
		fprintf(p->out, "    %*s  %*s  cost centre\n", SHARE_W, "self", SHARE_W, "incl");
	for (size_t i = 0; i < f->n; i++) {
		fputs("  ", p->out);
		put_share(p, (double)f->top[i].self / all);
		put_share(p, (double)f->top[i].incl / all);
		fputs("  ", p->out);
		put_name(p, prof_module(&f->names, f->top[i].name), prof_label(&f->names, f->top[i].name));
		if (prof_location(&f->names, f->top[i].name).len) {
			fputs("  ", p->out);
			page_text(p, prof_location(&f->names, f->top[i].name));
		}
		fputc('\n', p->out);
	}
}

int report_profile(const struct page *p, const struct evl_log *log, uint64_t from, uint64_t to)
{
	const struct prof *profile = evl_profile(log);
	struct prof_naming naming = evl_naming(log);
	struct prof_figures f;
	if (prof_samples(profile) == 0)
		return 0;
	int result = prof_figures_make(&f, profile, &naming, from, to, NULL);
	if (result < 0)
		return result;
	if (f.samples)
		put_figures(p, &f);
	prof_figures_free(&f);
	return 0;
}

/* --- two runs ------------------------------------------------------------------------------------------------------ */

static void put_difference(const struct page *p, const struct prof_diff_row *row)
{
	char by[TEXT_ROOM];
	double points = 100 * (row->share[1] - row->share[0]);
	fputs("  ", p->out);
	put_share(p, row->share[0]);
	put_share(p, row->share[1]);
	snprintf(by, sizeof by, "%+.1f", points);
	page_cell(p, SHARE_W, by);
	put_share(p, row->incl_share[0]);
	put_share(p, row->incl_share[1]);
	fputs("  ", p->out);
	put_name(p, row->module, row->label);
	fputc('\n', p->out);
}

/* The rows of one kind of change that have most to say. */
static void put_change(const struct page *p, const struct prof_diff *d, enum prof_change change)
{
	size_t shown = 0;
	if (d->count[change] == 0)
		return;
	fprintf(p->out, "  %s: %zu centres\n", prof_change_name(change), d->count[change]);
	for (size_t i = 0; i < d->n && shown < DIFF_ROWS; i++)
		if (d->rows[i].change == change) {
			put_difference(p, &d->rows[i]);
			shown++;
		}
	if (d->count[change] > shown)
		fprintf(p->out, "    and %zu more\n", d->count[change] - shown);
}

void report_profile_diff(const struct page *p, const struct prof_diff *d)
{
	if (d->program[0] == 0 && d->program[1] == 0)
		return;
	page_heading(p, "time profile");
	fprintf(p->out, "  A %s, B %s samples in the program itself; shares refer to those\n", as_count(d->program[0]),
		as_count(d->program[1]));
	fprintf(p->out, "    %*s  %*s  %*s  %*s  %*s  cost centre\n", SHARE_W, "self A", SHARE_W, "self B", SHARE_W,
		"points", SHARE_W, "incl A", SHARE_W, "incl B");
	for (enum prof_change change = PROF_ONLY_A; change < PROF_STAYED; change++)
		put_change(p, d, change);
	if (d->count[PROF_STAYED])
		fprintf(p->out, "  unchanged: %zu centres\n", d->count[PROF_STAYED]);
}
