/* export_whole.c - export whole: each thread's time on and off the CPU as folded stacks for flame graphs, in ns.
 *
 *   thread 4 main;on CPU;MAIN.MAIN;Main.main;Main.go 81000000
 *   thread 4 main;blocked: mvar;estimated: stack before the wait;MAIN.MAIN;Main.main;Main.put 22000000
 *   thread 4 main;in pauses 1200000
 *
 * The lines of a thread add up to the time that it lived in the range. */
#include "export/export.h"
#include "report/abilities.h"
#include "report/whole_time.h"
#include "sched/thread_state.h"

/* A label as one frame. */
static void put_thread(struct buf *out, const struct evl_log *log, uint32_t thread)
{
	struct evl_str label = evl_label(log, thread);
	buf_lit(out, "thread ");
	buf_decimal(out, thread);
	if (label.len)
		buf_char(out, ' ');
	for (size_t i = 0; i < label.len; i++)
		buf_char(out, label.p[i] == ';' || label.p[i] < ' ' || label.p[i] == 0x7f ? '?' : (char)label.p[i]);
}

static void put_row(struct buf *out, const struct evl_log *log, const struct stacks *stacks,
	const struct prof_names *names, const struct whole_row *row)
{
	put_thread(out, log, row->thread);
	buf_char(out, ';');
	buf_cstr(out, whole_kind_name((enum whole_kind)row->kind));
	if (row->kind == WHOLE_BLOCKED) {
		buf_lit(out, ": ");
		buf_cstr(out, thread_block_name(row->reason));
	}
	if (row->node != WHOLE_NO_STACK) {
		buf_cstr(out, row->kind == WHOLE_CPU ? ";" : ";estimated: stack before the wait;");
		export_stack(out, stacks, names, row->node);
	}
	buf_char(out, ' ');
	buf_decimal(out, row->ns);
	buf_char(out, '\n');
}

int export_whole(struct export *x)
{
	const struct prof *p = evl_profile(x->log);
	const struct prof_naming naming = evl_naming(x->log);
	struct progress watch = {.cancel = x->cancel};
	struct prof_names names;
	struct whole_time w;
	int result = prof_names_make(&names, p, &naming);
	if (result < 0)
		return result;
	result = whole_time_make(&w, x->log, x->from, x->to, NULL, &watch);
	if (result == 0 && w.n == 0) {
		x->why = absence_is_sure(x->log, ABSENCE_RUNS) && absence_flag_helps(x->log, "-ls")
			? "no thread ran (run with +RTS -ls)"
			: "no thread ran in the range";
		result = EVL_EMPTY;
	}
	for (size_t i = 0; i < w.n && result == 0; i++) {
		put_row(&x->out, x->log, &p->stacks, &names, &w.rows[i]);
		result = export_more(x);
	}
	whole_time_free(&w);
	prof_names_free(&names);
	return result;
}
