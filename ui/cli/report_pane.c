/* report_pane.c - evtui export svg --pane: a pane of the viewer, drawn without a terminal. */
#include "app/panes.h"
#include "cli/report.h"
#include "draw/screenshot.h"
#include "export/export.h"
#include "sys/clock.h"

#include <stdlib.h>

static const struct options *asked;

static const struct {
	const char *name;
	enum pane_kind kind;
} panes[] = {{"timeline", PANE_TIMELINE}, {"heap", PANE_HEAP}, {"profile", PANE_PROF}, {"events", PANE_EVENTS},
	{"stats", PANE_STATS}};

static int find_pane(const char *name)
{
	for (size_t i = 0; i < countof(panes); i++)
		if (strcmp(panes[i].name, name) == 0)
			return (int)i;
	return -1;
}

bool report_is_pane(const char *name) { return find_pane(name) >= 0; }

static void no_wake(UNUSED void *ctx) {}

/* A frame waits for what it shows; what it found may make the next one show more. */
static int draw(struct pane_host *h, struct canvas *c, const struct export *x)
{
	enum { FRAMES = 3, PAUSE_MS = 2 };
	for (int i = 0; i < FRAMES; i++) {
		panes_draw(h, c);
		while (panes_busy(h)) {
			if (is_cancelled(x->cancel))
				return EVL_CANCELLED;
			sleep_ms(PAUSE_MS);
			panes_news(h);
			panes_draw(h, c);
		}
	}
	return 0;
}

static int export_pane(struct export *x)
{
	struct pane_host *h = calloc(1, sizeof *h);
	struct canvas c = {0};
	int result = h ? 0 : EVL_NOMEM;
	if (h) {
		h->log = (struct evl_log *)(uintptr_t)x->log;
		h->theme = THEME_DARK;
		h->wake = no_wake;
		h->wait_for_jobs = true;
		h->names_of = h->log; /* its program was looked for where the log was opened */
		model_init(&h->model, h->log);
		result = panes_open(h)
			? canvas_resize(&c, asked->height ? asked->height : 50, asked->width ? asked->width : 160)
			: EVL_NOMEM;
	}
	if (result == 0) {
		h->shown = asked->pane ? panes[find_pane(asked->pane)].kind : h->shown;
		panes_draw(h, &c); /* tells the model how wide it is */
		if (x->from > 0 || x->to < UINT64_MAX)
			model_fit(&h->model, x->from, min_u64(x->to, h->model.last + 1), 0);
		result = draw(h, &c, x);
	}
	if (result == 0)
		screenshot_svg(&(struct screenshot){.canvas = &c, .theme = THEME_DARK, .colours = 256}, &x->out);
	if (h)
		panes_close(h);
	canvas_free(&c);
	free(h);
	return result;
}

const struct export_format *report_pane_format(const struct options *o)
{
	static const struct export_format format = {.name = "svg", .run = export_pane, .help = ""};
	asked = o;
	return &format;
}
