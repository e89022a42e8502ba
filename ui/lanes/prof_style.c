#include "lanes/prof_style.h"

#include "draw/text.h"
#include "prof/cost_centres.h"

#include <stdio.h>

enum { SEPARATOR = 0x258f, FILL = 0x2591 };

/* Colours of the run-time system and of kinds of time, by the start of their labels. */
static const struct {
	const char *label;
	enum style style;
} own[] = {{"GC", ST_MINOR}, {"IDLE", ST_IDLE}, {"SYSTEM", ST_STOPPED}, {"on CPU", ST_RUN}, {"in pauses", ST_MINOR},
	{"waiting for a capability", ST_RUNNABLE}, {"blocked", ST_BLOCKED}, {"sleeping", ST_IDLE},
	{"in foreign calls", ST_FOREIGN}, {"not known", ST_IDLE}, {"estimated", ST_STOPPED}};

static uint32_t hash_text(uint32_t hash, struct evl_str s)
{
	for (size_t i = 0; i < s.len; i++)
		hash = (hash ^ s.p[i]) * 16777619;
	return hash;
}

enum style prof_style_of(const struct prof_look *look, uint32_t name)
{
	const struct prof_names *names = look->names;
	struct evl_str module = prof_module(names, name);
	uint32_t hash = 2166136261;
	for (size_t i = 0; names->items[name].is_rts && i < countof(own); i++)
		if (str_begins(prof_label(names, name), own[i].label))
			return own[i].style;
	hash = hash_text(hash, module);
	if (!look->by_module || module.len == 0)
		hash = hash_text(hash, prof_label(names, name));
	return (enum style)(ST_BAND_0 + (hash ^ hash >> 15) % STYLE_BANDS);
}

const char *prof_counts(struct evl_str label, struct evl_str module)
{
	static const struct {
		const char *label, *what;
	} built_in[] = {{"GC", "collections"}, {"SYSTEM", "the RTS's work; without -threaded also sleep"},
		{"IDLE", "the capability is idle"}, {"OVERHEAD_of", "the profiler's work"}};
	for (size_t i = 0; i < countof(built_in); i++)
		if (cost_centre_is_built_in(label, module) && str_is(label, built_in[i].label))
			return built_in[i].what;
	return "";
}

static struct pen pen_of(const struct prof_look *look, uint32_t name, enum style paint, bool here)
{
	enum style style = paint != ST_PAGE ? paint : prof_style_of(look, name);
	bool found = look->found && look->found[name];
	uint8_t attr =
		(uint8_t)((here || found ? ATTR_BOLD : 0) | (name == look->selected && !here ? ATTR_UNDERLINE : 0));
	style = here ? ST_HIGHLIGHT : found ? ST_KEY : style;
	return (struct pen){(uint8_t)style_label(style, look->theme), (uint8_t)style, attr};
}

/* " x120", or nothing. */
static const char *put_times(char *out, const struct canvas *c, uint32_t times)
{
	out[0] = '\0';
	if (times > 1)
		snprintf(out, TEXT_ROOM, c->ascii ? " x%u" : " ×%u", times);
	return out;
}

int prof_put_name(const struct prof_names *names, struct canvas *c, int y, int x, int width, struct pen pen,
	uint32_t name, uint32_t times)
{
	char folded[TEXT_ROOM];
	struct evl_str sign = {(const uint8_t *)put_times(folded, c, times), strlen(folded)};
	int sign_w = text_width(sign, c->ascii), most = width - sign_w > 2 ? width - sign_w : width;
	int used = canvas_name(c, y, x, most, pen, prof_label(names, name));
	if (most < width)
		used += canvas_text(c, y, x + used, width - used, pen, sign);
	return used;
}

/* " name 33.5%", " name", " na…" or nothing. */
static void put_label(const struct prof_look *look, struct canvas *c, int y, int x, int width, struct pen pen,
	uint32_t name, uint64_t samples, uint32_t times)
{
	char share[TEXT_ROOM], folded[TEXT_ROOM];
	int room = width - 1,
	    taken = text_width(prof_label(look->names, name), c->ascii) + (int)strlen(put_times(folded, c, times));
	if (room < 2 && taken > room)
		return;
	x += prof_put_name(look->names, c, y, x + 1, room, pen, name, times) + 2;
	text_share(share, look->total ? (double)samples / (double)look->total : 0);
	if (look->total && taken + 1 + (int)strlen(share) + 1 <= room)
		canvas_str(c, y, x, (int)strlen(share), pen, share);
}

void prof_frame(const struct prof_look *look, struct canvas *c, int y, int x, int width, uint32_t name,
	uint64_t samples, uint32_t times, enum style paint, bool here, bool beside)
{
	struct pen pen = pen_of(look, name, paint, here);
	bool plain = c->mono || c->few;
	if (c->mono) /* no colours tell frames from the page: the selected one is reversed, others are hatched */
		pen = (struct pen){ST_TEXT, ST_PAGE, (uint8_t)(pen.attr | (here ? ATTR_REVERSE : 0))};
	canvas_fill(c, y, x, 1, width, pen.bg);
	for (int i = 0; c->mono && i < width; i++)
		canvas_glyph(c, y, x + i, here ? pen : PEN(ST_DIM), here ? ' ' : FILL, here ? ' ' : '-');
	if (beside || plain)
		canvas_glyph(c, y, x, (struct pen){c->mono ? ST_TEXT : ST_LABEL_DARK, pen.bg, 0}, SEPARATOR, '|');
	put_label(look, c, y, x, width, pen, name, samples, times);
}
