/* csv_spans - the table of the program's own spans, in order of their begin within each row of their lane. */
#include "export/csv.h"

static void put_span(struct buf *b, const struct evl_log *log, const struct span *s, int row)
{
	uint32_t thread = spans_thread(&log->blocks, log->tiles, s);
	csv_str(b, spans_name(&log->blocks, s));
	csv_u64(b, s->start);
	csv_known(b, !s->unfinished, s->end);
	csv_known(b, !s->unfinished, s->end - s->start);
	csv_known(b, thread, thread);
	csv_u64(b, (uint64_t)row);
	csv_cstr(b, spans_convention(s));
	csv_end(b);
}

int csv_spans(struct export *x)
{
	const struct span_table *t = spans_table(&x->log->spans);
	int result = 0;
	buf_lit(&x->out, "name,start_ns,end_ns,duration_ns,thread,row,convention\n");
	for (int row = 0; t && row < t->n_rows; row++)
		for (size_t i = 0; result == 0 && i < t->rows[row].n; i++) {
			const struct span *s = &t->rows[row].items[i];
			if (s->start < x->from || s->start >= x->to)
				continue;
			put_span(&x->out, x->log, s, row);
			result = export_more(x);
		}
	return result;
}
