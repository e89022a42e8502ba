#include "show/event_text.h"

#include "show/event_text_forms.h"

#include <stdlib.h>

/* Some words of a sentence, then a value in a form; form is NULL after the last value. */
struct event_text_op {
	event_text_form_fn *form;
	const char *words;
	uint32_t len;
	uint32_t field;
};

/* The form that "field:form}" asks for; NULL: the table is wrong. */
static event_text_form_fn *form_asked(const struct schema *row, uint32_t field, const char *at)
{
	return *at == ':' ? event_text_form_named(at + 1, strcspn(at + 1, "}"))
			  : event_text_form_of_kind(row->fields[field].kind);
}

static uint32_t field_named(const struct schema *row, const char *name, size_t len)
{
	for (uint32_t i = 0; i < row->n_fields; i++)
		if (strlen(row->fields[i].name) == len && memcmp(row->fields[i].name, name, len) == 0)
			return i;
	return UINT32_MAX;
}

static int add_op(struct event_text *s, struct event_text_op op)
{
	if (!GROW(s->ops, s->n_ops, s->room))
		return EVL_NOMEM;
	s->ops[s->n_ops++] = op;
	return 0;
}

/* "words {field:form} words" to one op a field, and one for the words at the end. */
static int compile(struct event_text *s, const struct schema *row)
{
	int result = 0;
	for (const char *at = row->text; at && *at && result == 0;) {
		struct event_text_op op = {.words = at, .len = (uint32_t)strcspn(at, "{")};
		at += op.len;
		if (*at) {
			size_t name = strcspn(at + 1, ":}");
			op.field = field_named(row, at + 1, name);
			op.form = op.field < row->n_fields ? form_asked(row, op.field, at + 1 + name) : NULL;
			if (!op.form)
				return EVL_USAGE;
			at += strcspn(at, "}") + 1;
		}
		result = add_op(s, op);
	}
	return result;
}

static int compile_all(struct event_text *s)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	int result = 0;
	s->first = calloc(n + 1, sizeof *s->first);
	if (!s->first)
		return EVL_NOMEM;
	for (size_t i = 0; i < n && result == 0; i++) {
		result = compile(s, &rows[i]);
		s->first[i + 1] = (uint32_t)s->n_ops;
	}
	return result;
}

int event_text_init(struct event_text *s, bool printable)
{
	*s = (struct event_text){.printable = printable};
	int result = compile_all(s);
	if (result < 0)
		event_text_free(s);
	else
		s->unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
	return result;
}

void event_text_free(struct event_text *s)
{
	if (s->unicode)
		freelocale(s->unicode);
	buf_free(&s->out);
	for (size_t i = 0; i < countof(s->words); i++)
		event_words_free(&s->words[i]);
	free_all(s->ops, s->first);
	*s = (struct event_text){0};
}

void event_text_header(struct event_text *s, const struct header *h)
{
	buf_lit(&s->out, "Event Types:\n");
	for (size_t i = 0; i < h->n; i++) {
		buf_decimal(&s->out, h->types[i].tag);
		buf_lit(&s->out, ": ");
		say_text(s, h->types[i].desc);
		buf_lit(&s->out, " (size ");
		if (h->types[i].size == EVL_VARIABLE)
			buf_lit(&s->out, "variable");
		else
			buf_decimal(&s->out, (uint64_t)h->types[i].size);
		buf_lit(&s->out, ")\n");
	}
	buf_lit(&s->out, "\nEvents:\n");
}

void event_text_prefix(struct event_text *s, uint64_t t, uint16_t cap)
{
	buf_decimal(&s->out, t);
	buf_lit(&s->out, ": ");
	if (cap == SAY_NO_CAP)
		return;
	buf_lit(&s->out, "cap ");
	buf_decimal(&s->out, cap);
	buf_lit(&s->out, ": ");
}

void event_text_event(struct event_text *s, const struct header_type *type, const struct frame *f)
{
	struct evl_value values[EVL_MAX_FIELDS];
	const struct schema *row = type->schema;
	if (!row || !row->text || decode(row, f->payload, values) < 0) {
		say_text(s, type->desc);
		return;
	}
	size_t n, i = (size_t)(row - schema_rows(&n));
	for (const struct event_text_op *op = s->ops + s->first[i], *end = s->ops + s->first[i + 1]; op < end; op++) {
		buf_put(&s->out, op->words, op->len);
		if (op->form)
			op->form(s, values + op->field);
	}
}
