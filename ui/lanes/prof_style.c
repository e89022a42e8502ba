#include "lanes/prof_style.h"

#include "draw/text.h"

#include <stdio.h>

enum { SEPARATOR = 0x258f, FILL = 0x2591 };

/* Its own of the run-time system, by label. */
static const struct {
	const char *label;
	enum style style;
} own[] = {{"GC", ST_MINOR}, {"IDLE", ST_IDLE}, {"SYSTEM", ST_STOPPED}};

static enum style style_of(const struct prof_names *names, uint32_t name)
{
	struct evl_str module = prof_module(names, name);
	uint32_t hash = 2166136261;
	for (size_t i = 0; names->items[name].is_rts && i < countof(own); i++)
		if (str_is(prof_label(names, name), own[i].label))
			return own[i].style;
	module = module.len ? module : prof_label(names, name);
	for (size_t i = 0; i < module.len; i++)
		hash = (hash ^ module.p[i]) * 16777619;
	return (enum style)(ST_BAND_0 + (hash ^ hash >> 15) % STYLE_BANDS);
}

static struct pen pen_of(const struct prof_look *look, uint32_t name, bool here)
{
	enum style style = style_of(look->names, name);
	bool found = look->found && look->found[name];
	uint8_t attr =
		(uint8_t)((here || found ? ATTR_BOLD : 0) | (name == look->selected && !here ? ATTR_UNDERLINE : 0));
	style = here ? ST_HIGHLIGHT : found ? ST_KEY : style;
	return (struct pen){(uint8_t)style_label(style, look->theme), (uint8_t)style, attr};
}

/* " name 33.5%", " name", " na…" or nothing. */
static void put_label(const struct prof_look *look, struct canvas *c, int y, int x, int width, struct pen pen,
	uint32_t name, uint64_t samples)
{
	struct evl_str label = prof_label(look->names, name);
	char share[TEXT_ROOM];
	int taken = text_width(label, c->ascii), room = width - 1;
	if (room < 2 && taken > room)
		return;
	x += canvas_text(c, y, x + 1, room, pen, label) + 2;
	text_share(share, look->total ? (double)samples / (double)look->total : 0);
	if (look->total && taken + 1 + (int)strlen(share) + 1 <= room)
		canvas_str(c, y, x, (int)strlen(share), pen, share);
}

void prof_frame(const struct prof_look *look, struct canvas *c, int y, int x, int width, uint32_t name,
	uint64_t samples, bool here, bool beside)
{
	struct pen pen = pen_of(look, name, here);
	bool plain = c->mono || c->few;
	if (c->mono) /* no colours tell frames from the page: the selected one is reversed, others are hatched */
		pen = (struct pen){ST_TEXT, ST_PAGE, (uint8_t)(pen.attr | (here ? ATTR_REVERSE : 0))};
	canvas_fill(c, y, x, 1, width, pen.bg);
	for (int i = 0; c->mono && i < width; i++)
		canvas_glyph(c, y, x + i, here ? pen : PEN(ST_DIM), here ? ' ' : FILL, here ? ' ' : '-');
	if (beside || plain)
		canvas_glyph(c, y, x, (struct pen){c->mono ? ST_TEXT : ST_LABEL_DARK, pen.bg, 0}, SEPARATOR, '|');
	put_label(look, c, y, x, width, pen, name, samples);
}
