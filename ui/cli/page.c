#include "cli/page.h"

#include "base/utf8.h"
#include "cli/report.h"
#include "draw/say.h"
#include "draw/text.h"

#include <stdlib.h>
#include <unistd.h>

enum { NAME_COLUMNS = 17, VALUE_COLUMNS = 12 };

/* Colours where they are asked for, or on a terminal that has them. */
static bool in_colour(const struct options *o)
{
	const char *none = getenv("NO_COLOR"), *term = getenv("TERM");
	if (o->tty.colours != TTY_AUTO)
		return o->tty.colours != TTY_MONO;
	return isatty(STDOUT_FILENO) && !(none && *none) && term && *term && strcmp(term, "dumb") != 0;
}

bool page_open(struct page *p, const struct options *o)
{
	*p = (struct page){.colour = in_colour(o), .ascii = o->tty.ascii || !say_utf8()};
	p->out = open_memstream(&p->text, &p->len);
	return p->out;
}

bool page_close(struct page *p)
{
	if (fclose(p->out) == 0 && !p->failed)
		return true;
	free(p->text);
	p->text = NULL;
	return false;
}

int page_end(struct page *p, int result, struct out *out)
{
	if (!page_close(p))
		return EVL_NOMEM;
	if (result == 0)
		out_put(out, p->text, p->len);
	free(p->text);
	return result;
}

void page_inked(const struct page *p, enum ink ink, const char *text)
{
	if (p->colour && ink != INK_PLAIN)
		fprintf(p->out, "\033[%dm%s\033[m", (int)ink, text);
	else
		fputs(text, p->out);
}

static void put_char(FILE *out, uint32_t ch)
{
	char text[UTF8_MAX] = {0};
	fwrite(text, 1, utf8_encode(ch, text), out);
}

void page_text(const struct page *p, struct evl_str s)
{
	struct text_cell cell;
	s = text_capped(s);
	while (text_next(&s, p->ascii, &cell)) {
		put_char(p->out, cell.ch);
		if (cell.tail)
			put_char(p->out, cell.tail);
		for (size_t i = 0; i < countof(cell.mark) && cell.mark[i]; i++)
			put_char(p->out, cell.mark[i]);
	}
}

void page_heading(const struct page *p, const char *name)
{
	fputc('\n', p->out);
	page_inked(p, INK_BOLD, name);
	fputc('\n', p->out);
}

static void right(const struct page *p, int columns, const char *value)
{
	int width = text_width(str_of(value), false);
	fprintf(p->out, "%*s%s", width < columns ? columns - width : 0, "", value);
}

void page_row(const struct page *p, const char *name, const char *value, const char *more)
{
	fprintf(p->out, "  %-*s ", NAME_COLUMNS, name);
	right(p, VALUE_COLUMNS, value);
	fprintf(p->out, "%s%s\n", more ? "  " : "", more ? more : "");
}

void page_cell(const struct page *p, int columns, const char *value)
{
	fputs("  ", p->out);
	right(p, columns, value);
}

char *page_plain(char *out, UNUSED enum unit unit, double value)
{
	snprintf(out, TEXT_CHANGE_ROOM, "%.0f", value);
	return out;
}

static void put_field(const struct page *p, const struct page_column *c, const char *text)
{
	fputs(c->join ? c->join : "  ", p->out);
	if (c->width > 0)
		right(p, c->width, text);
	else
		fprintf(p->out, "%-*s", -c->width, text);
}

static void put_cell(const struct page *p, const struct page_look *look, const struct page_column *c, enum unit unit,
	const struct datum *cell)
{
	enum { ROOM = TEXT_ROOM + 40 };
	char value[ROOM], text[2 * ROOM];
	const char *unknown = c->unknown ? c->unknown : look->unknown ? look->unknown : "";
	if (cell->kind == CELL_UNKNOWN && c->width == 0 && !c->unknown)
		return;
	if (cell->kind == CELL_TEXT && c->width == 0) {
		fprintf(p->out, "%s%s", c->join ? c->join : "  ", c->before ? c->before : "");
		page_text(p, cell->text);
		fputs(c->after ? c->after : "", p->out);
		return;
	}
	if (cell->kind == CELL_TEXT)
		snprintf(value, sizeof value, "%.*s", (int)cell->text.len, (const char *)cell->text.p);
	else if (cell->kind)
		(c->write ? c->write : text_value)(value, unit, cell_double(cell));
	snprintf(text, sizeof text, "%s%s%s", c->before ? c->before : "", cell->kind ? value : unknown,
		c->after ? c->after : "");
	put_field(p, c, text);
}

static void put_sign(const struct page *p, const struct page_look *look, const void *list, size_t row)
{
	enum ink ink = INK_PLAIN;
	char own[PAGE_SIGN];
	const char *sign = look->sign(list, row, &ink, own);
	fputs("  ", p->out);
	page_inked(p, ink, sign);
}

void page_list(struct page *p, const struct page_look *look, const struct table_kind *kind, void *list)
{
	size_t all = kind->count(list), n = look->most ? min_u64(all, look->most) : all;
	struct buf scratch = {0};
	if (all && look->heading)
		page_heading(p, look->heading);
	for (size_t i = 0; all && look->heads && i < look->n; i++) {
		const struct page_column *c = &look->columns[i];
		if (c->width)
			put_field(p, c, c->head ? c->head : kind->columns[c->column].title);
	}
	if (all && look->heads)
		fputc('\n', p->out);
	for (size_t i = 0; i < n; i++) {
		if (look->sign)
			put_sign(p, look, list, i);
		for (size_t k = 0; k < look->n; k++) {
			int column = look->columns[k].column;
			bool share = look->columns[k].share;
			buf_clear(&scratch);
			struct datum cell = share ? cell_real(table_number(kind, list, i, column, true))
						  : kind->cell(list, i, column, &scratch);
			enum unit unit = share ? UNIT_SHARE : kind->columns[column].unit;
			put_cell(p, look, &look->columns[k],
				unit == UNIT_NUMBER && kind->unit ? kind->unit(list, i) : unit, &cell);
		}
		fputc('\n', p->out);
		if (look->below)
			look->below(p, list, i);
	}
	p->failed |= scratch.failed;
	buf_free(&scratch);
	if (all > n)
		fprintf(p->out, "  and %zu more%s\n", all - n, look->more ? look->more : "");
}
