/* event_json.c - an event as a JSON object. */
#include "base/json.h"
#include "base/utf8.h"
#include "format/decode.h"
#include "show/event_text.h"

static void json_strs(struct json *j, struct evl_str rest)
{
	struct evl_str text;
	json_open(j, '[');
	while (decode_next_str(&rest, &text))
		json_str(j, text);
	json_close(j, ']');
}

static void json_stack(struct json *j, struct evl_str ids)
{
	json_open(j, '[');
	for (size_t i = 0; i + 4 <= ids.len; i += 4)
		json_u64(j, be32(ids.p + i));
	json_close(j, ']');
}

static void json_field(struct json *j, const struct schema_field *field, const struct evl_value *v)
{
	json_key(j, field->name);
	switch (field->kind) {
	case EVL_K_str:
	case EVL_K_zstr:
	case EVL_K_istr: json_str(j, v->str); break;
	case EVL_K_strs: json_strs(j, v->str); break;
	case EVL_K_stack: json_stack(j, v->str); break;
	case EVL_K_raw: json_hex(j, v->str); break;
	case EVL_K_sbytes: json_i64(j, (int64_t)v->u); break;
	default: json_u64(j, v->u); break;
	}
}

static bool is_text(enum evl_kind kind)
{
	return kind == EVL_K_str || kind == EVL_K_zstr || kind == EVL_K_istr || kind == EVL_K_strs;
}

/* The fields that are there; false: not all of their texts are UTF-8. */
static bool json_fields(struct json *j, const struct schema *row, const struct evl_value *values, int n)
{
	bool valid = true;
	for (int i = 0; i < n; i++) {
		json_field(j, &row->fields[i], &values[i]);
		valid = valid && !(is_text(row->fields[i].kind) && !utf8_valid(values[i].str));
	}
	return valid;
}

static void json_envelope(struct json *j, const struct frame *f, uint16_t cap, const char *name)
{
	json_put_u64(j, "t", f->t);
	json_key(j, "cap");
	if (cap == SAY_NO_CAP)
		json_null(j);
	else
		json_u64(j, cap);
	json_put_u64(j, "tag", f->tag);
	json_key(j, "name");
	if (name)
		json_cstr(j, name);
	else
		json_null(j);
}

void event_text_json(struct event_text *s, const struct header_type *type, const struct frame *f, uint16_t cap)
{
	struct json j = {&s->out, false};
	struct evl_value values[EVL_MAX_FIELDS];
	int n = type->schema ? decode(type->schema, f->payload, values) : -1;
	json_open(&j, '{');
	json_envelope(&j, f, cap, type->schema ? type->schema->name : schema_name(f->tag));
	if (n < 0)
		json_put_str(&j, "desc", type->desc);
	if (n < 0 || !json_fields(&j, type->schema, values, n)) {
		json_key(&j, "raw");
		json_hex(&j, f->payload);
	}
	json_close(&j, '}');
	buf_char(&s->out, '\n');
}
