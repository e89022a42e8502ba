#include "parts.h"
#include "text.h"

#include <stdio.h>

void line_text(struct line *l, enum style style, bool bold, struct evl_str text)
{
	struct pen pen = {(uint8_t)style, l->bg, bold ? ATTR_BOLD : 0};
	l->x += canvas_text(l->c, l->y, l->x, line_room(l), pen, text);
}

void line_put(struct line *l, enum style style, bool bold, const char *text)
{
	line_text(l, style, bold, (struct evl_str){(const uint8_t *)text, strlen(text)});
}

void line_skip(struct line *l, int cols)
{
	l->x += cols;
}

void line_duration(struct line *l, enum style style, uint64_t ns)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, text_duration(text, ns));
}

void line_bytes(struct line *l, enum style style, uint64_t bytes)
{
	char text[TEXT_ROOM];
	line_put(l, style, false, text_bytes(text, bytes));
}

void line_gc(struct line *l, const struct evl_log *log, const struct gc_row *gc)
{
	char text[48];
	bool major = gc_is_major(&log->gcs, gc);
	if (gc->gen == GC_GEN_UNKNOWN)
		snprintf(text, sizeof text, "GC");
	else
		snprintf(text, sizeof text, "%s GC gen %u", major ? "major" : "minor", (unsigned)gc->gen);
	line_put(l, major ? ST_WARN : ST_MINOR, true, text);
}

void line_share(struct line *l, enum style style, const char *name, uint64_t part, uint64_t all)
{
	char text[TEXT_ROOM];
	line_skip(l, 2);
	line_put(l, style, false, name);
	line_put(l, style, false, text_share(text, (double)part / (double)(all ? all : 1)));
}
