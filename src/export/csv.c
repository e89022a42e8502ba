#include "export/csv.h"

#include "base/json.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>

static const struct {
	const char *name;
	csv_table *write;
} tables[] = {
#define CSV_TABLE(name, help) {#name, csv_##name},
#include "export/csv_tables.def"
#undef CSV_TABLE
};

csv_table *csv_find(const char *name)
{
	for (size_t i = 0; i < countof(tables); i++)
		if (strcmp(tables[i].name, name) == 0)
			return tables[i].write;
	return NULL;
}

char *csv_names(char *out, size_t room)
{
	size_t used = 0;
	*out = '\0';
	for (size_t i = 0; i < countof(tables) && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "", tables[i].name);
	return out;
}

void csv_u64(struct buf *b, uint64_t v)
{
	buf_decimal(b, v);
	buf_char(b, ',');
}

void csv_known(struct buf *b, bool known, uint64_t v)
{
	if (known)
		buf_decimal(b, v);
	buf_char(b, ',');
}

void csv_double(struct buf *b, double v)
{
	struct json number = {.out = b};
	if (isfinite(v))
		json_double(&number, v);
	buf_char(b, ',');
}

static bool needs_quotes(struct evl_str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] == ',' || s.p[i] == '"' || s.p[i] < ' ')
			return true;
	return false;
}

void csv_str(struct buf *b, struct evl_str s)
{
	char utf8[UTF8_MAX];
	bool quotes = needs_quotes(s);
	if (quotes)
		buf_char(b, '"');
	while (s.len > 0) {
		uint32_t cp = utf8_take(&s);
		if (cp == '"')
			buf_char(b, '"');
		buf_put(b, utf8, utf8_encode(cp > 0x10ffff ? 0xfffd : cp, utf8));
	}
	if (quotes)
		buf_char(b, '"');
	buf_char(b, ',');
}

void csv_cstr(struct buf *b, const char *s) { csv_str(b, (struct evl_str){(const uint8_t *)s, strlen(s)}); }

void csv_end(struct buf *b)
{
	if (b->len > 0)
		b->p[b->len - 1] = '\n';
}

int export_csv(struct export *x) { return csv_find(x->table)(x); }
