/* mklog - writes an eventlog from text: mklog [INPUT] >LOG
 *
 * A line is one of these; # begins a comment line.
 *
 *   T NAME key=value …      an event at T ns: its name (or tag) and fields as in events.def. Numbers that are not given
 *                           are 0; texts at the end that are not given are not written.
 *   {"t":T,"cap":C, …}      a line of `show --json`, which goes into the latest block of that capability, and declares
 *                           its type as it shows it, in the layout of an older GHC for instance.
 *   type TAG SIZE "text"    declares a type in the header, SIZE bytes or `variable`. All known types are declared from
 *                           the start, in their layouts of today.
 *   no types                forgets all that are declared.
 *   outside                 the following events are outside of all blocks, as at the start.
 *   hex 00 ff12             bytes as they are.
 *   unfinished              no end of data is written at the end.
 *
 * Values are decimal, 0x hexadecimal, "text" (with the escapes of JSON, and \xNN for a byte), [1, 2] or ["a", "b"]. Any
 * event may have raw="00ff": its payload in hexadecimal. BLOCK_MARKER begins a block; its size and end are worked out
 * where they are not given (size: never taken from JSON, since blocks may have been cut). */
#include "base/buf.h"
#include "base/utf8.h"
#include "format/header.h"
#include "format/schema.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_PAIRS = 24, MAX_KEY = 32, NO_CAP = 0xffff, SIZE_AT = 10, END_AT = 14, MARKER = 24 };

enum kind { NOTHING, NUMBER, TEXT, NUMBERS, TEXTS };

/* A key with its value. TEXTS are in `bytes` with a NUL after each, NUMBERS as big-endian u32s. */
struct pair {
	char key[MAX_KEY];
	enum kind kind;
	uint64_t u;
	struct buf bytes;
	bool used;
};

struct line {
	const char *at;
	unsigned number;
	bool json;
	struct pair pairs[MAX_PAIRS];
	size_t n;
};

struct type {
	bool declared;
	int32_t size;
	struct buf desc;
};

struct block {
	struct buf bytes;
	uint64_t last;
	uint16_t cap;
	bool marker, size_given, end_given;
};

struct log {
	struct type *types; /* by tag */
	struct block *blocks;
	size_t n, room, current;
	bool unfinished;
};

static struct line line; /* what is being read, for messages too */

static _Noreturn void EVL_PRINTF(1, 2) die(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	fprintf(stderr, "mklog: line %u: ", line.number);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
	va_end(args);
	exit(1);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

static void put_be(struct buf *b, uint64_t v, unsigned width)
{
	for (unsigned i = width; i-- > 0;)
		buf_char(b, (char)(v >> 8 * i));
}

static void patch_be(struct buf *b, size_t at, uint64_t v, unsigned width)
{
	for (unsigned i = 0; i < width; i++)
		b->p[at + i] = (char)(v >> 8 * (width - 1 - i));
}

static unsigned hex_digit(char c)
{
	if (!isxdigit((unsigned char)c))
		die("'%c' is no hexadecimal digit", c);
	return (unsigned)(isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10);
}

static void put_hex(struct buf *b, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (isspace((unsigned char)p[i]))
			continue;
		if (i + 1 == len)
			die("half a byte");
		buf_char(b, (char)(hex_digit(p[i]) << 4 | hex_digit(p[i + 1])));
		i++;
	}
}

static struct evl_str bytes_of(const struct buf *b) { return (struct evl_str){(const uint8_t *)b->p, b->len}; }

/* --- scanning ----------------------------------------------------------------------------------------------------- */

static bool ahead(char c)
{
	while (isspace((unsigned char)*line.at))
		line.at++;
	return *line.at == c;
}

static bool accept(char c)
{
	bool there = ahead(c);
	line.at += there;
	return there;
}

static void expect(char c)
{
	if (!accept(c))
		die("'%c' is missing before \"%.20s\"", c, line.at);
}

/* A negative number is what its 64 bits are. */
static uint64_t scan_number(void)
{
	char *end;
	bool negative = accept('-');
	ahead(0);
	if (!isdigit((unsigned char)*line.at))
		die("a number is missing before \"%.20s\"", line.at);
	uint64_t v = strtoull(line.at, &end, line.at[0] == '0' && line.at[1] == 'x' ? 16 : 10);
	line.at = end;
	return negative ? 0 - v : v;
}

static uint32_t scan_unit(void)
{
	uint32_t unit = 0;
	for (int i = 0; i < 4; i++)
		unit = unit << 4 | hex_digit(*line.at++);
	return unit;
}

/* \uNNNN, or two of them that make one character. */
static void scan_unicode(struct buf *out)
{
	char encoded[UTF8_MAX];
	uint32_t cp = scan_unit();
	if (cp >= 0xd800 && cp < 0xdc00 && line.at[0] == '\\' && line.at[1] == 'u') {
		line.at += 2;
		cp = 0x10000 + ((cp - 0xd800) << 10) + (scan_unit() & 0x3ff);
	}
	size_t len = utf8_encode(cp, encoded);
	buf_put(out, encoded, len);
}

static void scan_escape(struct buf *out)
{
	static const char names[] = "ntrbf\"\\/", chars[] = "\n\t\r\b\f\"\\/";
	char c = *line.at++;
	const char *name = c ? strchr(names, c) : NULL;
	if (name) {
		buf_char(out, chars[name - names]);
	} else if (c == 'u') {
		scan_unicode(out);
	} else if (c == 'x') {
		put_hex(out, line.at, 2);
		line.at += 2;
	} else {
		die("unknown escape \\%c", c);
	}
}

static void scan_text(struct buf *out)
{
	expect('"');
	while (*line.at != '"') {
		char c = *line.at++;
		if (c == 0)
			die("a text without end");
		if (c == '\\')
			scan_escape(out);
		else
			buf_char(out, c);
	}
	line.at++;
}

static void scan_list(struct pair *p)
{
	expect('[');
	p->kind = ahead('"') ? TEXTS : NUMBERS;
	while (!accept(']')) {
		if (p->kind == TEXTS) {
			scan_text(&p->bytes);
			buf_char(&p->bytes, 0);
		} else {
			put_be(&p->bytes, scan_number(), 4);
		}
		if (!ahead(']'))
			expect(',');
	}
}

static void scan_value(struct pair *p)
{
	if (ahead('[')) {
		scan_list(p);
	} else if (ahead('"')) {
		p->kind = TEXT;
		scan_text(&p->bytes);
	} else if (strncmp(line.at, "null", 4) == 0) {
		line.at += 4;
	} else {
		p->kind = NUMBER;
		p->u = scan_number();
	}
}

static struct pair *new_pair(const char *key, size_t len)
{
	if (line.n == MAX_PAIRS || len >= MAX_KEY)
		die("too many fields, or too long a name");
	struct pair *p = &line.pairs[line.n++];
	*p = (struct pair){.kind = NOTHING};
	memcpy(p->key, key, len);
	return p;
}

static void scan_json(void)
{
	expect('{');
	while (!accept('}')) {
		struct buf key = {0};
		scan_text(&key);
		expect(':');
		scan_value(new_pair(key.p, key.len));
		buf_free(&key);
		if (!ahead('}'))
			expect(',');
	}
}

/* The name or the tag of an event. */
static void scan_what(void)
{
	ahead(0);
	if (isdigit((unsigned char)*line.at)) {
		scan_value(new_pair("tag", 3));
		return;
	}
	struct pair *name = new_pair("name", 4);
	size_t len = strcspn(line.at, " \t\n");
	name->kind = TEXT;
	buf_put(&name->bytes, line.at, len);
	line.at += len;
}

/* T NAME key=value …, as if it were JSON. */
static void scan_plain(void)
{
	scan_value(new_pair("t", 1));
	scan_what();
	while (!ahead(0)) {
		size_t len = strcspn(line.at, "= \t\n");
		struct pair *p = new_pair(line.at, len);
		line.at += len;
		expect('=');
		scan_value(p);
	}
}

static struct pair *find(const char *key)
{
	for (size_t i = 0; i < line.n; i++)
		if (strcmp(line.pairs[i].key, key) == 0 && line.pairs[i].kind != NOTHING)
			return &line.pairs[i];
	return NULL;
}

/* Likewise, and mark the key as used: unused keys are mistakes. */
static struct pair *given(const char *key)
{
	struct pair *p = find(key);
	if (p)
		p->used = true;
	return p;
}

static uint64_t given_number(const char *key, uint64_t otherwise)
{
	const struct pair *p = given(key);
	if (p && p->kind != NUMBER)
		die("%s is no number", key);
	return p ? p->u : otherwise;
}

/* --- payloads ----------------------------------------------------------------------------------------------------- */

static void put_fixed(struct buf *out, const char *key, unsigned width)
{
	uint64_t v = given_number(key, 0);
	if (width < 8 && v >> 8 * width)
		die("%s does not fit into %u bytes", key, width);
	put_be(out, v, width);
}

/* Return the given value of a field of variable width, or empty. */
static struct evl_str given_bytes(const struct schema_field *field)
{
	const struct pair *p = given(field->name);
	enum kind want = field->kind == EVL_K_strs ? TEXTS : field->kind == EVL_K_stack ? NUMBERS : TEXT;
	if (p && p->kind != want && !(want == TEXTS && p->kind == NUMBERS && p->bytes.len == 0))
		die("%s has a value of the wrong kind", field->name);
	return p ? bytes_of(&p->bytes) : EVL_STR("");
}

static void put_text(struct buf *out, const struct schema_field *field)
{
	struct evl_str value = given_bytes(field);
	if (field->kind == EVL_K_stack) {
		if (value.len / 4 > UINT8_MAX)
			die("%s is deeper than 255", field->name);
		buf_char(out, (char)(value.len / 4));
	}
	if (field->kind == EVL_K_raw)
		put_hex(out, (const char *)value.p, value.len);
	else
		buf_str(out, value);
	if (field->kind == EVL_K_zstr)
		buf_char(out, 0);
}

/* Return how many fields to write: up to the last one given, and all that are not after a text. */
static int fields_to_write(const struct schema *s)
{
	int n = 0;
	bool after = false;
	for (int i = 0; i < s->n_fields; i++) {
		if (!after || given(s->fields[i].name))
			n = i + 1;
		after = after || (schema_width(s->fields[i].kind) == 0 && s->fields[i].kind != EVL_K_istr);
	}
	return n;
}

static void put_payload(struct buf *out, uint16_t tag, const struct type *type)
{
	const struct pair *raw = given("raw");
	const struct schema *s = schema_find(tag, type->size);
	if (raw) {
		put_hex(out, raw->bytes.p, raw->bytes.len);
		return;
	}
	if (!s && type->size > 0)
		die("tag %u with this size has no known fields: give raw=\"…\"", tag);
	for (int i = 0, n = s ? fields_to_write(s) : 0; i < n; i++) {
		unsigned width = schema_width(s->fields[i].kind);
		if (width)
			put_fixed(out, s->fields[i].name, width);
		else
			put_text(out, &s->fields[i]);
	}
	while (type->size > 0 && out->len < (size_t)type->size)
		buf_char(out, 0);
}

/* --- blocks and events -------------------------------------------------------------------------------------------- */

static struct block *new_block(struct log *log, uint16_t cap, bool marker)
{
	if (!GROW(log->blocks, log->n, log->room))
		die("out of memory");
	log->current = log->n++;
	log->blocks[log->current] = (struct block){.cap = cap, .marker = marker};
	return &log->blocks[log->current];
}

static void put_head(struct block *b, uint16_t tag, uint64_t t, const struct type *type, size_t len)
{
	put_be(&b->bytes, tag, 2);
	put_be(&b->bytes, t, 8);
	if (type->size == EVL_VARIABLE)
		put_be(&b->bytes, len & 0xffff, 2);
	else if (len != (size_t)type->size)
		die("the payload has %zu bytes, not %d", len, type->size);
	b->last = max_u64(b->last, t);
}

static uint16_t tag_named(const struct pair *name)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	for (size_t i = 0; i < n; i++)
		if (strlen(rows[i].name) == name->bytes.len
			&& memcmp(rows[i].name, name->bytes.p, name->bytes.len) == 0)
			return rows[i].tag;
	die("unknown event %.*s", (int)name->bytes.len, name->bytes.p);
}

/* Report whether the line has exactly the fields of a layout, after t, cap, tag and name. */
static bool shows_layout(const struct schema *s)
{
	enum { ENVELOPE = 4 };
	for (int i = 0; i < s->n_fields; i++)
		if (!find(s->fields[i].name))
			return false;
	return line.n == ENVELOPE + (size_t)s->n_fields;
}

/* Declare the type of a line of JSON: an older layout by its fields, an unknown type by its description. */
static void declare_from_json(struct type *type, uint16_t tag)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	for (size_t i = 0; i < n; i++)
		if (rows[i].tag == tag && rows[i].until && shows_layout(&rows[i]))
			type->size = rows[i].size;
	const struct pair *desc = given("desc");
	if (type->declared)
		return;
	*type = (struct type){.declared = true, .size = EVL_VARIABLE};
	if (desc)
		buf_str(&type->desc, bytes_of(&desc->bytes));
}

/* The block that an event belongs into; the marker that it lacks is made up. */
static struct block *block_for(struct log *log, uint64_t t)
{
	if (!line.json)
		return &log->blocks[log->current];
	uint16_t cap = (uint16_t)given_number("cap", NO_CAP);
	for (size_t i = log->n; i-- > 0;)
		if (log->blocks[i].cap == cap)
			return &log->blocks[i];
	struct block *b = new_block(log, cap, true);
	put_be(&b->bytes, EVL_BLOCK_MARKER, 2);
	put_be(&b->bytes, t, 8);
	put_be(&b->bytes, 0, 4 + 8);
	put_be(&b->bytes, cap, 2);
	return b;
}

static struct block *begin_block(struct log *log)
{
	struct block *b = new_block(log, (uint16_t)given_number("cap_no", 0), true);
	b->size_given = given("raw") || (given("size") && !line.json);
	b->end_given = given("raw") || given("end");
	if (line.json) /* `show` says it of every event */
		given("cap");
	return b;
}

static uint16_t tag_of_line(void)
{
	const struct pair *name = given("name");
	uint64_t tag = given("tag") ? given_number("tag", 0) : name ? tag_named(name) : EVL_DATA_END;
	if (tag >= EVL_DATA_END)
		die("no name and no tag");
	return (uint16_t)tag;
}

static void add_event(struct log *log)
{
	uint64_t t = given_number("t", 0);
	uint16_t tag = tag_of_line();
	struct type *type = &log->types[tag];
	if (line.json)
		declare_from_json(type, tag);
	if (!type->declared)
		die("tag %u is not declared", tag);
	struct block *b = tag == EVL_BLOCK_MARKER ? begin_block(log) : block_for(log, t);
	struct buf payload = {0};
	put_payload(&payload, tag, type);
	put_head(b, tag, t, type, payload.len);
	buf_str(&b->bytes, bytes_of(&payload));
	buf_free(&payload);
	for (size_t i = 0; i < line.n; i++)
		if (!line.pairs[i].used && line.pairs[i].kind != NOTHING && !(line.json && find("raw")))
			die("there is no field \"%s\"", line.pairs[i].key);
}

/* --- directives --------------------------------------------------------------------------------------------------- */

static bool directive(const char *word)
{
	size_t len = strlen(word);
	ahead(0);
	if (strncmp(line.at, word, len) != 0 || isalnum((unsigned char)line.at[len]))
		return false;
	line.at += len;
	return true;
}

static void read_type(struct log *log)
{
	uint64_t tag = scan_number();
	if (tag >= EVL_DATA_END)
		die("no such tag");
	struct type *type = &log->types[tag];
	type->declared = true;
	type->size = directive("variable") ? EVL_VARIABLE : (int32_t)(scan_number() & 0xffff);
	if (ahead('"')) {
		buf_clear(&type->desc);
		scan_text(&type->desc);
	}
}

static void read_line(struct log *log)
{
	line.json = ahead('{');
	if (ahead(0) || ahead('#'))
		return;
	if (directive("type")) {
		read_type(log);
	} else if (directive("no types")) {
		for (size_t i = 0; i < EVL_DATA_END; i++)
			log->types[i].declared = false;
	} else if (directive("outside")) {
		new_block(log, NO_CAP, false);
	} else if (directive("unfinished")) {
		log->unfinished = true;
	} else if (directive("hex")) {
		put_hex(&log->blocks[log->current].bytes, line.at, strlen(line.at));
	} else {
		if (line.json)
			scan_json();
		else
			scan_plain();
		add_event(log);
	}
}

/* --- the whole log ------------------------------------------------------------------------------------------------ */

static void declare_all(struct log *log)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	log->types = calloc(EVL_DATA_END, sizeof *log->types);
	if (!log->types)
		die("out of memory");
	for (size_t i = 0; i < n; i++) {
		struct type *type = &log->types[rows[i].tag];
		if (type->declared)
			continue;
		*type = (struct type){.declared = true, .size = rows[i].variable ? EVL_VARIABLE : rows[i].size};
		buf_cstr(&type->desc, rows[i].name);
	}
}

static void put_types(struct buf *out, const struct log *log)
{
	buf_lit(out, "hdrbhetb");
	for (uint32_t tag = 0; tag < EVL_DATA_END; tag++) {
		const struct type *type = &log->types[tag];
		if (!type->declared)
			continue;
		buf_lit(out, "etb\0");
		put_be(out, tag, 2);
		put_be(out, (uint16_t)type->size, 2);
		put_be(out, type->desc.len, 4);
		buf_str(out, bytes_of(&type->desc));
		buf_lit(out, "\0\0\0\0ete\0");
	}
	buf_lit(out, "hetehdredatb");
}

static void put_block(struct buf *out, struct block *b)
{
	bool marker = b->marker && b->bytes.len >= MARKER;
	if (marker && !b->size_given)
		patch_be(&b->bytes, SIZE_AT, b->bytes.len, 4);
	if (marker && !b->end_given)
		patch_be(&b->bytes, END_AT, b->last, 8);
	buf_str(out, bytes_of(&b->bytes));
}

static void forget_line(void)
{
	for (size_t i = 0; i < line.n; i++)
		buf_free(&line.pairs[i].bytes);
	line.n = 0;
}

static void read_all(struct log *log, FILE *in)
{
	char *text = NULL;
	size_t room = 0;
	while (getline(&text, &room, in) >= 0) {
		line.number++;
		line.at = text;
		read_line(log);
		forget_line();
	}
	free(text);
}

static void free_log(struct log *log)
{
	for (size_t i = 0; i < EVL_DATA_END; i++)
		buf_free(&log->types[i].desc);
	for (size_t i = 0; i < log->n; i++)
		buf_free(&log->blocks[i].bytes);
	free(log->types);
	free(log->blocks);
}

int main(int argc, char **argv)
{
	FILE *in = argc > 1 ? fopen(argv[1], "r") : stdin;
	if (!in) {
		perror(argv[1]);
		return 1;
	}
	struct log log = {0};
	struct buf out = {0};
	declare_all(&log);
	new_block(&log, NO_CAP, false);
	read_all(&log, in);
	put_types(&out, &log);
	for (size_t i = 0; i < log.n; i++)
		put_block(&out, &log.blocks[i]);
	if (!log.unfinished)
		buf_lit(&out, "\xff\xff");
	bool written = !out.failed && fwrite(out.p, 1, out.len, stdout) == out.len && fflush(stdout) == 0;
	buf_free(&out);
	free_log(&log);
	fclose(in);
	return written ? 0 : 1;
}
