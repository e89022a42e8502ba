#include "draw/text.h"
#include "lanes/parts.h"
#include "query/gc_detail.h"

#include <stdio.h>

void line_thinned(struct line *l, const struct evl_log *log)
{
	char text[TEXT_ROOM + 48], bytes[TEXT_ROOM];
	snprintf(text, sizeof text, "  (the largest of each %s of log)",
		text_bytes(bytes, 1ull << log->downsample_shift));
	if (log->downsample_shift && line_room(l) > (int)strlen(text))
		line_put(l, ST_DIM, false, text);
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

void line_thread(struct line *l, const struct evl_log *log, uint32_t thread)
{
	struct evl_str label = evl_label(log, thread);
	char text[32];
	snprintf(text, sizeof text, "thread %u", thread);
	line_put(l, ST_EM, true, text);
	if (label.len == 0)
		return;
	line_put(l, ST_EM, true, " “");
	line_text(l, ST_EM, true, label);
	line_put(l, ST_EM, true, "”");
}

void line_gc_late(struct line *l, const struct evl_log *log, const struct gc_row *gc)
{
	enum { WIDE = 60 };
	struct gc_late late;
	char text[48];
	gc_late(log, gc, &late);
	if (!late.found)
		return;
	if (line_room(l) < WIDE) {
		snprintf(text, sizeof text, "  late: cap %u, thr %u", late.cap, late.thread);
		line_put(l, ST_DIM, false, text);
		return;
	}
	snprintf(text, sizeof text, "cap %u ", late.cap);
	line_put(l, ST_DIM, false, late.some ? "  kept by, of some, " : "  kept by ");
	line_put(l, ST_TEXT, false, text);
	line_thread(l, log, late.thread);
	line_put(l, ST_DIM, false, " for ");
	line_duration(l, ST_SYNC, late.after);
}
