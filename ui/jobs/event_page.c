#include "jobs/event_page.h"

#include "base/utf8.h"

#include <stdlib.h>

void event_scan_free(struct event_scan *s)
{
	buf_free(&s->text);
	event_runner_free(&s->runner);
}

/* Is the event of the log's own making: a block marker, or about sets of capabilities? */
static bool is_upkeep(uint16_t tag)
{
	return tag == EVL_BLOCK_MARKER || (tag >= EVL_CAPSET_CREATE && tag <= EVL_CAPSET_REMOVE_CAP);
}

static bool is_left_out(const struct event_scan *s, uint16_t tag)
{
	bool named = s->filter && s->filter->holds && s->filter->holds[tag];
	return s->brief && !named && is_upkeep(tag);
}

/* --- one event ----------------------------------------------------------------------------------------------------- */

static struct evl_str text_of(struct event_scan *s, const struct frame *f)
{
	if (s->said != f) {
		buf_clear(&s->text);
		event_name(&s->text, s->log, f->tag);
		buf_char(&s->text, ' ');
		event_details(&s->text, s->log, f);
		buf_char(&s->text, 0); /* as text_match.h wants it */
		s->text.len -= s->text.len > 0;
		s->said = f;
	}
	if (s->text.failed)
		return (struct evl_str){0};
	return (struct evl_str){(const uint8_t *)s->text.p, s->text.len};
}

struct said {
	struct event_scan *scan;
	const struct frame *frame;
	uint32_t chain;
};

static struct evl_str say(void *ctx)
{
	const struct said *said = ctx;
	return text_of(said->scan, said->frame);
}

static uint32_t runner(void *ctx)
{
	const struct said *said = ctx;
	struct event_scan *s = said->scan;
	return event_runner_at(&s->runner, s->order, said->chain, said->frame->off, said->frame->tag);
}

bool event_page_passes(struct event_scan *s, uint32_t chain, const struct frame *f)
{
	struct said said = {s, f, chain};
	struct event_subject subject = {.header = &s->log->header,
		.frame = f,
		.cap = s->log->blocks.chains[chain].cap,
		.say = say,
		.runner = runner,
		.ctx = &said};
	s->said = NULL;
	if (is_left_out(s, f->tag))
		return false;
	return !s->filter || event_filter_keeps(s->filter, &subject);
}

bool event_page_hits(struct event_scan *s, const struct frame *f)
{
	return s->pattern && pattern_in(s->pattern, text_of(s, f));
}

enum { NEAR_BY = 32, NEAR_KINDS = 8 }; /* stretches in which others of a kind are looked for */

/* --- rows ---------------------------------------------------------------------------------------------------------- */

void event_page_free(struct event_page *page)
{
	free(page->rows);
	*page = (struct event_page){0};
}

/* Up to `most` passing events from `at` on, or back from it, the nearest first; fewer when stopped. False: memory ran
 * out. */
static bool gather(struct event_scan *s, event_rank_key at, bool forward, size_t most, const atomic_bool *stop,
	struct event_rank_list *out, bool *all)
{
	struct event_rank_walk w;
	struct event_rank_list stretch = {0};
	bool going = true;
	event_rank_walk_begin(&w, s->order, at, forward);
	*all = false;
	while (going && out->n < most && !atomic_load(stop)) {
		if (!event_rank_walk_next(&w, &stretch)) {
			*all = true;
			break;
		}
		for (size_t i = 0; i < stretch.n && out->n < most && going; i++) {
			const struct event_rank_item *item = &stretch.items[forward ? i : stretch.n - 1 - i];
			struct frame f;
			if (is_left_out(s, item->tag))
				continue;
			if (s->filter
				&& !(event_rank_read(s->order, item, &f) && event_page_passes(s, item->chain, &f)))
				continue;
			going = GROW(out->items, out->n, out->room);
			if (going)
				out->items[out->n++] = *item;
		}
	}
	event_rank_list_free(&stretch);
	return going;
}

static size_t copy_text(char *out, size_t room, const struct buf *from)
{
	size_t n = utf8_cut((struct evl_str){(const uint8_t *)from->p, from->len}, room).len;
	if (n)
		memcpy(out, from->p, n);
	return n;
}

static void fill_row(struct event_scan *s, const struct event_rank_item *item, struct event_row *row)
{
	struct frame f;
	*row = (struct event_row){
		.t = item->t, .off = item->off, .chain = item->chain, .cap = s->log->blocks.chains[item->chain].cap};
	if (!event_rank_read(s->order, item, &f))
		return;
	s->said = NULL;
	buf_clear(&s->text);
	row->tag = f.tag;
	event_name(&s->text, s->log, f.tag);
	row->name[copy_text(row->name, sizeof row->name - 1, &s->text)] = 0;
	buf_clear(&s->text);
	row->runner = event_runner_at(&s->runner, s->order, item->chain, item->off, f.tag);
	size_t own = event_details_of(&s->text, s->log, &f, row->runner ? row->runner : UINT32_MAX);
	row->text_len = (uint16_t)copy_text(row->text, sizeof row->text, &s->text);
	row->own_len = (uint16_t)min_u64(own, row->text_len);
	s->said = NULL;
	row->hit = event_page_hits(s, &f);
	struct evl_str label = row->runner ? evl_label(s->log, row->runner) : (struct evl_str){0};
	buf_clear(&s->text);
	buf_str(&s->text, label);
	row->label_len = (uint8_t)copy_text(row->label, sizeof row->label, &s->text);
	s->said = NULL;
}

/* --- selected row -------------------------------------------------------------------------------------------------- */

static bool find_kind(
	struct event_scan *s, const struct event_row *row, bool forward, const atomic_bool *stop, uint64_t *t)
{
	struct event_rank_walk w;
	struct event_rank_list stretch = {0};
	bool found = false;
	event_rank_key at = event_rank_key_of(row->t, row->off);
	event_rank_walk_begin(&w, s->order, forward ? at + 1 : at, forward);
	for (int left = NEAR_BY; !found && left > 0 && !atomic_load(stop) && event_rank_walk_next(&w, &stretch);
		left--) {
		for (size_t i = 0; i < stretch.n && !found; i++) {
			const struct event_rank_item *item = &stretch.items[forward ? i : stretch.n - 1 - i];
			found = item->off + 2 <= s->log->blocks.len
				&& be16(s->log->blocks.data + item->off) == row->tag;
			*t = item->t;
		}
	}
	event_rank_list_free(&stretch);
	return found;
}

static void fill_detail(
	struct event_scan *s, const struct event_row *row, const atomic_bool *stop, struct event_detail *d)
{
	struct event_rank_item item = {.t = row->t, .off = row->off, .chain = row->chain};
	struct evl_value values[EVL_MAX_FIELDS];
	struct frame f;
	struct block block;
	*d = (struct event_detail){0};
	if (!event_rank_read(s->order, &item, &f) || !blocks_at(&s->log->blocks, f.off, &block))
		return;
	const struct schema *schema = header_of(&s->log->header, f.tag)->schema;
	d->size = f.next - f.off;
	d->n_raw = (size_t)min_u64(d->size, sizeof d->raw);
	memcpy(d->raw, s->log->blocks.data + f.off, d->n_raw);
	d->in_block = block.head > 0;
	d->block_off = block.off;
	d->block_t = block.t;
	d->block_end = block.end_t;
	d->block_cap = s->log->blocks.chains[block.chain].cap;
	buf_clear(&s->text);
	event_details(&s->text, s->log, &f);
	d->text_len = copy_text(d->text, sizeof d->text, &s->text);
	d->n_fields = schema ? decode(schema, f.payload, values) : 0;
	for (int i = 0; i < d->n_fields; i++) {
		buf_clear(&s->text);
		event_value(&s->text, s->log, schema->fields[i].kind, &values[i]);
		d->fields[i].name = event_field_words(schema->fields[i].name);
		d->fields[i].len = copy_text(d->fields[i].value, sizeof d->fields[i].value, &s->text);
	}
	s->said = NULL;
	d->has_next = find_kind(s, row, true, stop, &d->next_t);
	d->has_prev = find_kind(s, row, false, stop, &d->prev_t);
}

/* --- a page -------------------------------------------------------------------------------------------------------- */

static bool page_room(struct event_page *page, int n)
{
	if (n <= page->room)
		return true;
	struct event_row *rows = realloc(page->rows, (size_t)n * sizeof *rows);
	if (!rows)
		return false;
	page->rows = rows;
	page->room = n;
	return true;
}

/* Number the rows: one after another, or where a filter leaves some out one by one. before: the time of the row above. */
static void number_rows(struct event_scan *s, struct event_page *page, uint64_t before)
{
	for (int i = 0; i < page->n; i++) {
		struct event_row *row = &page->rows[i];
		row->number = i && !s->filter && !s->brief
			? row[-1].number + 1
			: event_rank_before(s->order, event_rank_key_of(row->t, row->off));
		row->delta = i ? row->t - row[-1].t : row->t - min_u64(before, row->t);
	}
}

/* Is the event of a kind that is still looked for, and in the list? */
static bool is_wanted(struct event_scan *s, const struct event_rank_item *item, const bool *wanted)
{
	struct frame f;
	return wanted[item->tag]
		&& (!s->filter || (event_rank_read(s->order, item, &f) && event_page_passes(s, item->chain, &f)));
}

/* The time of each row since the last event of its kind in the list: above it on the page, or shortly before. */
static bool find_kind_deltas(struct event_scan *s, struct event_page *page, const atomic_bool *stop)
{
	struct event_rank_walk w;
	struct event_rank_list stretch = {0};
	uint64_t *last = malloc((UINT16_MAX + 1) * sizeof *last); /* by tag: the time of the last one so far */
	bool *wanted = calloc(UINT16_MAX + 1, sizeof *wanted);
	int open = 0;
	if (!last || !wanted || page->n == 0) {
		bool good = last && wanted;
		free_all(last, wanted);
		return good;
	}
	memset(last, 0xff, (UINT16_MAX + 1) * sizeof *last);
	for (int i = 0; i < page->n; i++) {
		open += !wanted[page->rows[i].tag];
		wanted[page->rows[i].tag] = true;
	}
	event_rank_walk_begin(&w, s->order, event_rank_key_of(page->rows[0].t, page->rows[0].off), false);
	for (int left = NEAR_KINDS; open && left > 0 && !atomic_load(stop) && event_rank_walk_next(&w, &stretch);
		left--)
		for (size_t i = stretch.n; i-- > 0 && open;) {
			const struct event_rank_item *item = &stretch.items[i];
			if (!is_wanted(s, item, wanted))
				continue;
			wanted[item->tag] = false;
			last[item->tag] = item->t;
			open--;
		}
	event_rank_list_free(&stretch);
	for (int i = 0; i < page->n; i++) {
		struct event_row *row = &page->rows[i];
		row->kind_delta = last[row->tag] == UINT64_MAX ? EVENT_NO_DELTA : sub_or_0(row->t, last[row->tag]);
		last[row->tag] = row->t;
	}
	free_all(last, wanted);
	return true;
}

static const struct event_rank_item *item_at(
	const struct event_rank_list *back, const struct event_rank_list *forth, size_t i)
{
	return i < back->n ? &back->items[back->n - 1 - i] : &forth->items[i - back->n];
}

/* The rows from `first` on of what was gathered back (nearest first) and forth. */
static void fill_rows(struct event_scan *s, const struct event_rank_list *back, const struct event_rank_list *forth,
	size_t first, struct event_page *page)
{
	for (int i = 0; i < page->n; i++)
		fill_row(s, item_at(back, forth, first + (size_t)i), &page->rows[i]);
	if (page->n)
		number_rows(s, page, first ? item_at(back, forth, first - 1)->t : UINT64_MAX);
}

/* How well a marker's text suits a name: 2 it is the name, 1 it begins with it, 0 not at all. */
static int suits(struct evl_str text, const char *name)
{
	size_t len = strlen(name);
	return text.len < len || memcmp(text.p, name, len) != 0 ? 0 : text.len == len ? 2 : 1;
}

/* Find the next marker of a name after the place; after the last comes the first. */
static bool find_marker(const struct event_scan *s, const char *name, event_rank_key *at)
{
	const struct points *m = &s->log->markers;
	event_rank_key here = *at, best = 0;
	int best_rank = 0;
	for (size_t chain = 0; chain < m->n; chain++) {
		for (size_t i = 0, n = rows_count(&m->tables[chain]); i < n; i++) {
			const struct point *row = rows_at(&m->tables[chain], i);
			event_rank_key key = event_rank_key_of(row->t, row->off);
			int rank = 2 * suits(evl_text_at(s->log, row->off), name);
			rank += rank && key > here;
			if (rank == 0 || rank < best_rank || (rank == best_rank && key > best))
				continue;
			best = key;
			best_rank = rank;
		}
	}
	*at = best_rank ? best : here;
	return best_rank > 0;
}

/* Where the ask begins. False: there is no such place; then *at stays. */
static bool find_place(const struct event_scan *s, const struct event_ask *ask, event_rank_key *at)
{
	switch (ask->by) {
	case EVENT_BY_NUMBER: return ask->number < s->order->total && event_rank_at(s->order, ask->number, at);
	case EVENT_BY_MARKER: return find_marker(s, ask->marker, at);
	case EVENT_BY_PLACE: break;
	}
	return true;
}

bool event_page_page(
	struct event_scan *s, const struct event_ask *ask, const atomic_bool *stop, struct event_page *page)
{
	struct event_rank_list back = {0}, forth = {0};
	event_rank_key at = ask->at;
	int on = ask->move > 0 ? ask->move : 0, off = ask->move < 0 ? -ask->move : 0;
	page->total = s->order->total;
	page->serial = ask->serial;
	page->n = page->cursor = 0;
	page->missing = !find_place(s, ask, &at);
	bool begin, end, good = gather(s, at, true, 1 + (size_t)on + (size_t)ask->below, stop, &forth, &end);
	good = good && gather(s, at, false, 1 + (size_t)off + (size_t)ask->above + 1, stop, &back, &begin);
	size_t all = back.n + forth.n;
	if (good && all) {
		size_t cursor = back.n + (size_t)on > (size_t)off ? back.n + (size_t)on - (size_t)off : 0;
		cursor = cursor < all ? cursor : all - 1;
		size_t first = cursor > (size_t)ask->above ? cursor - (size_t)ask->above : 0;
		size_t last = cursor + (size_t)ask->below < all ? cursor + (size_t)ask->below : all - 1;
		good = page_room(page, (int)(last - first + 1));
		page->n = good ? (int)(last - first + 1) : 0;
		page->cursor = (int)(cursor - first);
		page->begin = begin && first == 0;
		page->end = end && last == all - 1;
		fill_rows(s, &back, &forth, first, page);
		good = good && find_kind_deltas(s, page, stop);
		if (good)
			fill_detail(s, &page->rows[page->cursor], stop, &page->detail);
	}
	event_rank_list_free(&back);
	event_rank_list_free(&forth);
	return good;
}
