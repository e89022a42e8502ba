#include "jobs/event_row.h"

#include "base/gallop.h"
#include "base/utf8.h"
#include "draw/text.h"
#include "sched/thread_state.h"

static void put_thread(struct buf *out, const struct evl_log *log, const struct evl_value *v)
{
	struct evl_str label = evl_label(log, (uint32_t)v->u);
	buf_decimal(out, v->u);
	if (label.len == 0)
		return;
	buf_lit(out, " \"");
	buf_str(out, utf8_cut(label, EVENT_TEXT_MOST));
	buf_lit(out, "\"");
}

static void put_bytes(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_cstr(out, as_bytes(v->u));
}

static void put_signed_bytes(struct buf *out, const struct evl_log *log, const struct evl_value *v)
{
	struct evl_value size = {.u = v->u >> 63 ? 0 - v->u : v->u};
	if (v->u >> 63)
		buf_char(out, '-');
	put_bytes(out, log, &size);
}

static void put_duration(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_cstr(out, as_duration(v->u));
}

static void put_hex(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_lit(out, "0x");
	buf_hex(out, v->u);
}

static void put_status(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	const char *reason = v->u <= UINT16_MAX ? thread_stop_text((uint16_t)v->u) : NULL;
	if (reason) {
		buf_cstr(out, reason);
	} else {
		buf_lit(out, "status ");
		buf_decimal(out, v->u);
	}
}

static void put_text(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_str(out, utf8_cut(v->str, EVENT_TEXT_MOST));
}

static void put_texts(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	struct evl_str rest = utf8_cut(v->str, EVENT_TEXT_MOST), one;
	for (bool first = true; decode_next_str(&rest, &one); first = false) {
		if (!first)
			buf_char(out, ' ');
		buf_str(out, one);
	}
}

static void put_stack(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	struct evl_str ids = utf8_cut(v->str, EVENT_TEXT_MOST);
	for (size_t i = 0; i + 4 <= ids.len; i += 4) {
		if (i)
			buf_char(out, ' ');
		buf_decimal(out, be32(ids.p + i));
	}
}

static void put_raw(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_hex_bytes(out, utf8_cut(v->str, EVENT_TEXT_MOST));
}

static void put_id(struct buf *out, UNUSED const struct evl_log *log, const struct evl_value *v)
{
	buf_decimal(out, v->u);
}

static void put_cap(struct buf *out, const struct evl_log *log, const struct evl_value *v)
{
	if (v->u == EVL_NO_CAP)
		buf_lit(out, "none");
	else
		put_id(out, log, v);
}

typedef void put_fn(struct buf *out, const struct evl_log *log, const struct evl_value *v);

/* Format of kinds, and whether the name of the field comes first. */
static const struct {
	put_fn *put;
	bool speaks; /* for itself */
} kinds[] = {
	[EVL_K_u8] = {put_id, false},
	[EVL_K_u16] = {put_id, false},
	[EVL_K_u32] = {put_id, false},
	[EVL_K_u64] = {put_id, false},
	[EVL_K_tid] = {put_thread, false},
	[EVL_K_cap] = {put_cap, false},
	[EVL_K_capset] = {put_id, false},
	[EVL_K_task] = {put_hex, false},
	[EVL_K_addr] = {put_hex, false},
	[EVL_K_bytes] = {put_bytes, false},
	[EVL_K_sbytes] = {put_signed_bytes, false},
	[EVL_K_ns] = {put_duration, false},
	[EVL_K_status] = {put_status, true},
	[EVL_K_str] = {put_text, true},
	[EVL_K_zstr] = {put_text, false},
	[EVL_K_strs] = {put_texts, true},
	[EVL_K_stack] = {put_stack, false},
	[EVL_K_raw] = {put_raw, true},
	[EVL_K_istr] = {put_text, true},
};

void event_value(struct buf *out, const struct evl_log *log, enum evl_kind kind, const struct evl_value *value)
{
	kinds[kind].put(out, log, value);
}

void event_name(struct buf *out, const struct evl_log *log, uint16_t tag)
{
	const struct header_type *type = header_find(&log->header, tag);
	const char *name = schema_name(tag);
	if (name)
		buf_cstr(out, name);
	else if (type && type->desc.len)
		buf_str(out, utf8_cut(type->desc, EVENT_TEXT_MOST));
	else
		buf_decimal(out, tag);
}

enum { STACK_OVERFLOW = 2, BLACK_HOLE = 8 }; /* of STOP_THREAD */

/* Omit the obvious: which heap, which of the heap profiles if it is the usual one, and of a stop everything its reason
 * does not need. */
static bool is_noise(const struct schema *schema, int i, const struct evl_value *values)
{
	const struct schema_field *field = &schema->fields[i];
	if (field->kind == EVL_K_capset)
		return schema->group == EVL_HEAP || schema->group == EVL_GC;
	if (schema->group == EVL_HEAP_PROF && strcmp(field->name, "profile") == 0)
		return values[i].u == 0;
	if (schema->tag == EVL_STOP_THREAD && i == 2)
		return values[1].u != STACK_OVERFLOW && values[1].u != BLACK_HOLE;
	return kinds[field->kind].put == put_text && values[i].str.len == 0;
}

/* The keys of "show --json" name the capability of a number; here its relation to the event is shown. */
static const struct {
	const char *field, *said;
} cap_words[] = {
	{"other_cap", "on cap"},
	{"new_cap", "to cap"},
	{"old_cap", "from cap"},
	{"victim_cap", "from cap"},
	{"cap_no", "cap"},
};

const char *event_field_words(const char *field)
{
	for (size_t i = 0; i < countof(cap_words); i++)
		if (strcmp(cap_words[i].field, field) == 0)
			return cap_words[i].said;
	return field;
}

/* named: a thread has its label after its number. */
static void put_field(struct buf *out, const struct evl_log *log, const struct schema_field *field,
	const struct evl_value *value, bool named)
{
	if (!kinds[field->kind].speaks && strcmp(field->name, "bytes") != 0) {
		for (const char *name = event_field_words(field->name); *name; name++)
			buf_char(out, *name == '_' ? ' ' : *name);
		buf_char(out, ' ');
	}
	if (named)
		event_value(out, log, field->kind, value);
	else
		buf_decimal(out, value->u);
}

/* The sample of the heap profile that the event begins or ends, counted from 1 as in the pane of the heap profile; 0: none
 * that is known. GHC itself numbers only biographical samples: in all others, the event says 0. */
static size_t census_of(const struct evl_log *log, const struct frame *f)
{
	const struct census *c = &log->census;
	BISECT(after, census_count(c), census_at(c, mid)->off <= f->off);
	const struct census_sample *sample = after ? census_at(c, after - 1) : NULL;
	bool known = sample && (f->tag == EVL_HEAP_PROF_SAMPLE_END ? sample->ended : sample->off == f->off);
	return known ? after : 0;
}

void event_details(struct buf *out, const struct evl_log *log, const struct frame *f)
{
	event_details_of(out, log, f, 0);
}

/* A thread comes last: its label is long, and what happened to it is to be seen on a narrow screen; but it is what a wake-up
 * and a label tell. */
size_t event_details_of(struct buf *out, const struct evl_log *log, const struct frame *f, uint32_t runner)
{
	struct evl_value values[EVL_MAX_FIELDS];
	const struct header_type *type = header_find(&log->header, f->tag);
	const struct schema *schema = type ? type->schema : NULL;
	int n = schema ? decode(schema, f->payload, values) : -1;
	size_t begin = out->len, own = 0, census = 0;
	bool named = false; /* it is about the runner */
	if (f->tag == EVL_HEAP_PROF_SAMPLE_BEGIN || f->tag == EVL_HEAP_PROF_SAMPLE_END)
		census = census_of(log, f);
	if (n < 0) {
		buf_hex_bytes(out, utf8_cut(f->payload, EVENT_TEXT_MOST));
		return out->len - begin;
	}
	bool label = schema->tag == EVL_THREAD_LABEL, first = label || schema->tag == EVL_THREAD_WAKEUP;
	bool turned = n > 1 && schema->fields[0].kind == EVL_K_tid && !first;
	for (int k = 0; k < n; k++) {
		int i = turned ? (k + 1) % n : k;
		if (is_noise(schema, i, values) || (census && values[i].u == 0))
			continue;
		if (i == 0 && (turned || n == 1) && schema->fields[0].kind == EVL_K_tid && values[0].u == runner) {
			named = true;
			own = out->len - begin;
		}
		if (out->len > begin)
			buf_lit(out, "  ");
		if (schema->tag == EVL_THREAD_WAKEUP && i == 0) {
			buf_lit(out, "wakes ");
			put_thread(out, log, &values[i]);
		} else if (schema->tag == EVL_STOP_THREAD && i == 2 && values[1].u == BLACK_HOLE) {
			buf_lit(out, "of thread ");
			put_thread(out, log, &values[i]);
		} else {
			put_field(out, log, &schema->fields[i], &values[i], !label || i > 0);
		}
	}
	if (census)
		buf_printf(out, "%scensus sample %zu", out->len > begin ? "  " : "", census);
	return named ? own : out->len - begin;
}
