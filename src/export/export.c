#include "export/export.h"

#include "prof/prof_window.h"
#include "report/abilities.h"
#include "rows/rows.h"

#include <stdio.h>

static const struct export_format formats[] = {
#define EXPORT_FORMAT(name, wants, help) {#name, export_##name, wants, help},
#include "export/export.def"
#undef EXPORT_FORMAT
};

enum { FLUSH_AT = 64 << 10 };

const struct export_format *export_formats(size_t *n)
{
	*n = countof(formats);
	return formats;
}

const char *export_names(char *out, size_t room)
{
	size_t n, used = 0;
	const struct export_format *all = export_formats(&n);
	for (size_t i = 0; i < n && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", all[i].name);
	return out;
}

const struct export_format *export_find(const char *name)
{
	for (size_t i = 0; i < countof(formats); i++)
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
	return NULL;
}

bool export_is_profile(const struct export_format *format)
{
	return format->run == export_folded || format->run == export_speedscope || format->run == export_pprof;
}

static int refuse_table(const char *what, const char *end, struct evl_err *err)
{
	char names[sizeof err->text - 60];
	return evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%.50s%s%s", what, rows_names(names, sizeof names), end);
}

int export_check(const struct export_format *format, const char *table, struct evl_err *err)
{
	if (format->wants != TABLE)
		return table ? evl_fail(err, EVL_USAGE, EVL_NO_OFFSET, "%s has no tables to choose from", format->name)
			     : 0;
	if (!table)
		return refuse_table("a table is needed: ", "", err);
	char what[50];
	snprintf(what, sizeof what, "invalid table \"%.20s\" (use ", table);
	return rows_find(table) ? 0 : refuse_table(what, ")", err);
}

int export_no_samples(struct export *x, const struct prof *p)
{
	x->why = prof_samples(p) == 0 ? absence_of_samples(x->log)
		: x->no_rts           ? "no samples but the run-time system's own in the range"
				      : "no samples of its time profile in the range";
	return EVL_EMPTY;
}

int export_samples(struct export *x, struct prof_window *w, struct prof_names *names)
{
	const struct prof *p = evl_profile(x->log);
	struct prof_naming naming = evl_naming(x->log);
	*w = (struct prof_window){0};
	*names = (struct prof_names){0};
	int result = prof_names_make(names, p, &naming);
	if (result == 0)
		result = prof_window_make(w, p, &x->log->blocks, x->from, x->to, 1, PROF_ALL_CAPS, x->cancel);
	if (result == 0 && x->no_rts)
		w->total = prof_hide_rts(names, w->self, w->n_nodes);
	return result == 0 && w->total == 0 ? export_no_samples(x, p) : result;
}

static int flush(struct export *x)
{
	if (x->out.failed)
		return EVL_NOMEM;
	bool on = x->put(x->ctx, x->out.p, x->out.len);
	buf_clear(&x->out);
	return on ? 0 : EVL_CANCELLED;
}

int export_more(struct export *x)
{
	progress_tell(x->watch, 0);
	if (is_cancelled(x->cancel))
		return EVL_CANCELLED;
	return x->out.len < FLUSH_AT && !x->out.failed ? 0 : flush(x);
}

int export_run(const struct export_format *format, struct export *x)
{
	int result = format->run(x);
	result = result < 0 ? result : flush(x);
	buf_free(&x->out);
	return result;
}
