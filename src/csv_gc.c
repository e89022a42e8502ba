/* csv_gc - the table of collections. */
#include "export_csv.h"
#include "gc_detail.h"

static void put_row(struct buf *b, const struct evl_log *log, const struct gc_row *gc)
{
	struct gc_stats s;
	bool known = gc_stats(log, gc, &s);
	csv_u64(b, gc->start);
	csv_u64(b, gc_end(gc));
	csv_u64(b, gc->elapsed);
	csv_u64(b, gc->sync);
	csv_u64(b, gc_pause(gc));
	csv_u64(b, gc->cap);
	csv_known(b, gc->gen != GC_GEN_UNKNOWN, gc->gen);
	csv_u64(b, gc->parallel);
	csv_known(b, known, s.copied);
	csv_known(b, known, s.slop);
	csv_known(b, known, s.par_threads);
	csv_known(b, known, s.par_max_copied);
	csv_known(b, known, s.par_copied);
	csv_end(b);
}

int csv_gc(struct export *x)
{
	const struct gcs *gcs = &x->log->gcs;
	const struct gc_row *gc = gcs_after(gcs, x->from - 1, GC_ALL); /* of 0 that is the first of all: it wraps */
	int result = 0;
	buf_lit(&x->out, "start_ns,end_ns,elapsed_ns,sync_ns,pause_ns,cap,gen,parallel,copied_bytes,slop_bytes,"
		"par_threads,par_max_copied_bytes,par_copied_bytes\n");
	for (; result == 0 && gc && gc->start < x->to; gc = gcs_after(gcs, gc->start, GC_ALL)) {
		put_row(&x->out, x->log, gc);
		result = export_more(x);
	}
	return result;
}
