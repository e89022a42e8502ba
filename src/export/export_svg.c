/* export_svg.c - export svg: the timeline as a picture, drawn from the index. */
#include "base/utf8.h"
#include "export/intern.h"
#include "export/picture.h"
#include "rows/rows.h"

#include <stdio.h>
#include <stdlib.h>

enum {
	WIDTH = 1200,
	LEFT = 90,
	RIGHT = 10,
	LANE = 26,
	GAP = 4,
	COLUMN = 2,
	COLUMNS = (WIDTH - LEFT - RIGHT) / COLUMN,
	TICKS = 10
};
enum { MOST_CAPS = 64, MOST_ROWS = 6, MOST_SPANS = 3000, MOST_NAMES = 100, LINES = 16 };

const char picture_style[] =
	"text{font:11px sans-serif;fill:#333}.l{text-anchor:end}.t{text-anchor:middle;fill:#777}"
	".g{stroke:#ddd}.m{stroke:#0a6ebd;stroke-dasharray:2 2}.run{fill:#3a9a3a}.gc{fill:#e08a1e}"
	".major{fill:#c8321e}.size{fill:#c9d6e8}.live{fill:#4a78b5}.span{fill:#8a6fc0}.b{fill:#f6f6f6}";

struct picture {
	struct export *x;
	struct buf *out;
	uint64_t from, to;
	int y; /* of the next lane */
};

void picture_text(struct buf *out, struct evl_str s)
{
	char utf8[UTF8_MAX];
	while (s.len) {
		uint32_t cp = utf8_take(&s);
		bool bad = cp > 0x10ffff || cp == 0xfffe || cp == 0xffff || (cp < ' ' && cp != '\n' && cp != '\t');
		switch (cp) {
		case '&': buf_lit(out, "&amp;"); break;
		case '<': buf_lit(out, "&lt;"); break;
		case '>': buf_lit(out, "&gt;"); break;
		case '"': buf_lit(out, "&quot;"); break;
		default: buf_put(out, utf8, utf8_encode(bad ? 0xfffd : cp, utf8)); break;
		}
	}
}

/* Where a time is, in tenths of a pixel. */
static double x_of(const struct picture *p, uint64_t t)
{
	double share = p->to > p->from ? (double)(t - p->from) / (double)(p->to - p->from) : 0;
	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static void begin_lane(struct picture *p, const char *name)
{
	buf_printf(p->out, "<text class=\"l\" x=\"%d\" y=\"%d\">%s</text>\n", LEFT - 6, p->y + LANE - 8, name);
	buf_printf(p->out, "<rect class=\"b\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", LEFT, p->y,
		WIDTH - LEFT - RIGHT, LANE);
}

static void end_lane(struct picture *p) { p->y += LANE + GAP; }

static void begin_bars(struct picture *p, const char *kind) { buf_printf(p->out, "<path class=\"%s\" d=\"", kind); }
static void end_bars(struct picture *p) { buf_lit(p->out, "\"/>\n"); }

/* A bar in a column, `low` to `high` of the lane's height from below. */
static void put_bar(struct picture *p, int column, double low, double high)
{
	double height = (high - low) * LANE;
	if (height >= 0.05)
		buf_printf(p->out, "M%d %.1fh%dv%.1fh-%dz", LEFT + column * COLUMN, p->y + LANE - high * LANE, COLUMN,
			height, COLUMN);
}

static void put_axis(struct picture *p)
{
	for (int i = 0; i <= TICKS; i++) {
		uint64_t t = p->from + (p->to - p->from) / TICKS * (uint64_t)i;
		buf_printf(p->out, "<line class=\"g\" x1=\"%.1f\" y1=\"20\" x2=\"%.1f\" y2=\"%d\"/>\n", x_of(p, t),
			x_of(p, t), p->y);
		buf_printf(p->out, "<text class=\"t\" x=\"%.1f\" y=\"14\">%s</text>\n", x_of(p, t), as_duration(t));
	}
}

/* --- lanes ------------------------------------------------------------------------------------------------------------ */

static void put_cap(struct picture *p, uint32_t chain, struct cap_column *columns)
{
	const struct evl_log *log = p->x->log;
	char name[24];
	double width = (double)(p->to - p->from) / COLUMNS;
	snprintf(name, sizeof name, "cap %u", log->blocks.chains[chain].cap);
	caps_columns(&log->blocks, &log->tiles[chain], chain, p->from, p->to, COLUMNS, columns);
	begin_lane(p, name);
	begin_bars(p, "run");
	for (int i = 0; i < COLUMNS; i++)
		put_bar(p, i, 0, width > 0 ? (double)columns[i].run_ns / width : 0);
	end_bars(p);
	begin_bars(p, "gc");
	for (int i = 0; i < COLUMNS; i++) {
		double run = width > 0 ? (double)columns[i].run_ns / width : 0;
		put_bar(p, i, run, width > 0 ? run + (double)columns[i].gc_ns / width : 0);
	}
	end_bars(p);
	end_lane(p);
}

static int put_caps(struct picture *p)
{
	const struct evl_log *log = p->x->log;
	struct cap_column *columns = calloc(COLUMNS, sizeof *columns);
	int result = columns ? 0 : EVL_NOMEM;
	for (size_t i = 0; i < log->n_caps && i < MOST_CAPS && result == 0; i++) {
		put_cap(p, log->cap_chains[i], columns);
		result = export_more(p->x);
	}
	free(columns);
	if (log->n_caps > MOST_CAPS) {
		buf_printf(p->out, "<text x=\"%d\" y=\"%d\">and %zu more capabilities</text>\n", LEFT, p->y + LANE - 8,
			log->n_caps - MOST_CAPS);
		end_lane(p);
	}
	return result;
}

/* The share of each column that is spent in collections; major ones apart. */
static void put_gc(struct picture *p)
{
	struct gc_sum sums[COLUMNS];
	uint64_t width = p->to - p->from;
	for (int i = 0; i < COLUMNS; i++)
		gcs_sum(&p->x->log->gcs, p->from + width * (uint64_t)i / COLUMNS,
			p->from + width * (uint64_t)(i + 1) / COLUMNS, &sums[i]);
	begin_lane(p, "GC");
	for (int major = 0; major < 2; major++) {
		begin_bars(p, major ? "major" : "gc");
		for (int i = 0; i < COLUMNS && width; i++) {
			double whole = (double)width / COLUMNS, low = major ? (double)sums[i].minor_ns / whole : 0;
			double high = low + (double)(major ? sums[i].major_ns : sums[i].minor_ns) / whole;
			put_bar(p, i, low < 1 ? low : 1, high < 1 ? high : 1);
		}
		end_bars(p);
	}
	end_lane(p);
}

static int put_heap(struct picture *p)
{
	const struct heap *h = &p->x->log->heap;
	struct heap_column *columns = calloc(COLUMNS, sizeof *columns);
	uint64_t most = max_u64(atomic_load(&h->max_size), atomic_load(&h->max_live));
	char label[2 * TEXT_ROOM];
	if (!columns)
		return EVL_NOMEM;
	snprintf(label, sizeof label, "heap %s", as_bytes(most));
	begin_lane(p, label);
	for (int curve = 0; curve < 2; curve++) {
		heap_columns(h, curve ? HEAP_CURVE_LIVE : HEAP_CURVE_SIZE, p->from, p->to, COLUMNS, columns);
		begin_bars(p, curve ? "live" : "size");
		for (int i = 0; i < COLUMNS && most; i++)
			if (columns[i].known)
				put_bar(p, i, 0, (double)columns[i].max / (double)most);
		end_bars(p);
	}
	free(columns);
	end_lane(p);
	return 0;
}

static int put_spans(struct picture *p)
{
	const struct evl_log *log = p->x->log;
	const struct span_table *table = spans_table(&log->spans);
	int result = 0, n = 0;
	for (int row = 0; table && row < table->n_rows && row < MOST_ROWS && result == 0; row++) {
		begin_lane(p, row ? "" : "spans");
		for (size_t i = 0; i < table->rows[row].n && n < MOST_SPANS && result == 0; i++) {
			const struct span *s = &table->rows[row].items[i];
			if (s->start >= p->to || s->end < p->from)
				continue;
			double from = x_of(p, max_u64(s->start, p->from)), to = x_of(p, min_u64(s->end, p->to));
			buf_printf(p->out,
				"<rect class=\"span\" x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\"><title>", from,
				p->y + 2, to - from > 0.5 ? to - from : 0.5, LANE - 4);
			picture_text(p->out, spans_name(&log->blocks, s));
			buf_lit(p->out, "</title></rect>\n");
			n++;
			result = export_more(p->x);
		}
		end_lane(p);
	}
	return result;
}

/* --- markers ---------------------------------------------------------------------------------------------------------- */

/* A line through all lanes for each name's first marker, and a list of the names below them. */
static int put_markers(struct picture *p)
{
	enum { T, NAME };
	struct rows_source source = {.log = p->x->log, .from = p->x->from, .to = p->x->to, .cancel = p->x->cancel};
	struct rows_scan scan = {.table = rows_find("markers"), .source = &source, .ask = ROWS_ALL};
	struct interns names = {0};
	bool is_new;
	uint64_t others = 0;
	int bottom = p->y, result = rows_open(&scan);
	while (result == 0 && (result = rows_next(&scan)) > 0) {
		struct datum t = rows_cell(&scan, T), name = rows_cell(&scan, NAME);
		result = 0;
		if (name.kind != CELL_TEXT || (names.n == MOST_NAMES && !interns_find(&names, name.text))) {
			others++;
			continue;
		}
		if (!intern(&names, name.text, &is_new))
			result = EVL_NOMEM;
		if (result < 0 || !is_new)
			continue;
		p->y += LINES;
		buf_printf(p->out, "<line class=\"m\" x1=\"%.1f\" y1=\"20\" x2=\"%.1f\" y2=\"%d\"/>\n",
			x_of(p, t.count), x_of(p, t.count), bottom);
		buf_printf(p->out, "<text x=\"%d\" y=\"%d\">%s ", LEFT, p->y, as_duration(t.count));
		picture_text(p->out, name.text);
		buf_lit(p->out, "</text>\n");
		result = export_more(p->x);
	}
	if (others) {
		p->y += LINES;
		buf_printf(p->out, "<text x=\"%d\" y=\"%d\">and %llu more markers</text>\n", LEFT, p->y,
			(unsigned long long)others);
	}
	interns_free(&names);
	rows_close(&scan);
	rows_source_free(&source);
	return result;
}

/* --- the whole -------------------------------------------------------------------------------------------------------- */

/* How high it will be is known at the end: so it is as high as it may be, and its view box says the rest. */
int picture_put(struct export *x, bool styled)
{
	struct picture p = {.x = x, .out = &x->out, .y = 24};
	const struct span_table *spans = spans_table(&x->log->spans);
	uint64_t first, last;
	if (!evl_range(x->log, &first, &last))
		first = last = 0;
	p.from = min_u64(max_u64(first, x->from), last);
	p.to = max_u64(p.from, min_u64(last, x->to));
	size_t caps = x->log->n_caps < MOST_CAPS ? x->log->n_caps : MOST_CAPS + 1;
	size_t lanes = caps + 2 + (size_t)(spans ? spans->n_rows < MOST_ROWS ? spans->n_rows : MOST_ROWS : 0);
	size_t names = points_count(&x->log->markers) < MOST_NAMES ? points_count(&x->log->markers) : MOST_NAMES + 1;
	size_t height = 24 + lanes * (LANE + GAP) + (names + 1) * LINES;
	buf_printf(p.out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" viewBox=\"0 0 %d %zu\">\n",
		WIDTH, height, WIDTH, height);
	if (styled) {
		buf_lit(&x->out, "<style>");
		buf_cstr(&x->out, picture_style);
		buf_lit(&x->out, "</style>\n");
	}
	int result = put_caps(&p);
	put_gc(&p);
	result = result ? result : put_heap(&p);
	result = result ? result : put_spans(&p);
	put_axis(&p);
	result = result ? result : put_markers(&p);
	buf_lit(&x->out, "</svg>\n");
	return result ? result : export_more(x);
}

int export_svg(struct export *x)
{
	buf_lit(&x->out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	return picture_put(x, true);
}
