#include "export/export.h"

/* As it came, whatever the range: a stream is kept so, and a compressed log unpacked. */
int export_log(struct export *x)
{
	enum { PIECE = 256 << 10 };
	const struct source *src = &x->log->source;
	int result = 0;
	for (uint64_t at = 0; result == 0 && at < src->len; at += PIECE) {
		buf_put(&x->out, src->data + at, (size_t)min_u64(PIECE, src->len - at));
		result = export_more(x);
	}
	return result;
}
