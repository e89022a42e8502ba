#include "term/keymap.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The title of each section under a name that the rows can use. */
#define SECTION(name, title) static const char title_##name[] = title;
#define ALSO(action, keys)
#define KEY(action, owner, section, keys, hint, help)
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY

static const struct keymap_row rows[] = {
#define SECTION(name, title)
#define ALSO(action, keys)
#define KEY(action, owner, section, keys, hint, help) {ACT_##action, OWNER_##owner, title_##section, keys, hint, help},
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
};

const struct keymap_row *keymap_rows(size_t *n)
{
	*n = sizeof rows / sizeof *rows;
	return rows;
}

enum keymap_owner keymap_owner(enum action action)
{
	assert(action > ACT_MORE && action < ACT_COUNT);
	return rows[action - ACT_MORE - 1].owner;
}

int64_t keymap_scroll(enum action action, int shown, int64_t end)
{
	int64_t page = shown > 1 ? shown - 1 : 1, half = (page + 1) / 2;
	switch (action) {
	case ACT_DOWN: return 1;
	case ACT_UP: return -1;
	case ACT_HALF_DOWN: return half;
	case ACT_HALF_UP: return -half;
	case ACT_PAGE_DOWN: return page;
	case ACT_PAGE_UP: return -page;
	case ACT_START: return -end;
	case ACT_END: return end;
	default: return 0;
	}
}

static const struct also {
	enum action action;
	const char *keys;
} more[] = {
#define SECTION(name, title)
#define ALSO(action, keys) {ACT_##action, keys},
#define KEY(action, owner, section, keys, hint, help)
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
};

static const struct keymap_note notes[] = {
#define SECTION(name, title)
#define ALSO(action, keys)
#define KEY(action, owner, section, keys, hint, help)
#define NOTE(pane, keys, hint, help) {KEYMAP_##pane, keys, hint, help},
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
#undef NOTE
};

const struct keymap_note *keymap_notes(size_t *n)
{
	*n = sizeof notes / sizeof *notes;
	return notes;
}

char *keymap_text(const char *keys, char *out)
{
	size_t n = 0;
	while (*keys && n + 1 < KEYMAP_TEXT) {
		bool less = strncmp(keys, "<lt>", 4) == 0;
		out[n++] = *keys;
		keys += less ? 4 : 1;
	}
	out[n] = '\0';
	return out;
}

const char *keymap_title(enum keymap_pane pane)
{
	static const char *const titles[] = {[KEYMAP_TIMELINE] = "TIMELINE",
		[KEYMAP_HEAP] = "HEAP",
		[KEYMAP_PROFILE] = "PROFILE",
		[KEYMAP_EVENTS] = "EVENTS",
		[KEYMAP_STATS] = "STATS",
		[KEYMAP_OUTPUT] = "OUTPUT",
		[KEYMAP_QUERY] = "QUERY",
		[KEYMAP_MARKS] = "MARKS"};
	return titles[pane];
}

/* How much of the sequence p, `len` bytes, was typed; 0: it is another one. */
static size_t matched(const char *p, size_t len, const char *typed, char *letter)
{
	static const char any[] = "{a-z}";
	size_t i = 0;
	for (; *typed && i < len; typed++) {
		bool is_any = strncmp(p + i, any, sizeof any - 1) == 0;
		if (is_any ? *typed < 'a' || *typed > 'z' : p[i] != *typed)
			return 0;
		*letter = is_any ? *typed : *letter;
		i += is_any ? sizeof any - 1 : 1;
	}
	return *typed ? 0 : i;
}

/* Does one of the blank-separated sequences begin with what was typed; and is it all of it? */
static bool begins(const char *keys, const char *typed, bool *whole, char *letter)
{
	for (const char *p = keys; *p; p += strcspn(p, " "), p += strspn(p, " ")) {
		size_t len = strcspn(p, " "), n = matched(p, len, typed, letter);
		if (n == 0)
			continue;
		*whole = len == n;
		return true;
	}
	return false;
}

char *keymap_elsewhere(enum action action, enum keymap_pane shown, char *out)
{
	const struct keymap_row *row = &rows[action - ACT_MORE - 1];
	int n = 0;
	char key[KEYMAP_TEXT], letter;
	bool works[KEYMAP_PANES] = {[KEYMAP_TIMELINE] = row->section == title_LANES};
	snprintf(key, sizeof key, "%.*s", (int)strcspn(row->keys, " "), row->keys);
	for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
		bool whole = false;
		works[notes[i].pane] |= begins(notes[i].keys, key, &whole, &letter) && whole;
	}
	out[0] = '\0';
	if (works[shown])
		return out;
	for (enum keymap_pane pane = 0; pane < KEYMAP_PANES && n < KEYMAP_TEXT; pane++) {
		if (!works[pane])
			continue;
		n += n ? snprintf(out + n, (size_t)(KEYMAP_TEXT - n), ", ")
		       : snprintf(out, KEYMAP_TEXT, "; %s works in: ", key);
		for (const char *p = keymap_title(pane); *p && n + 1 < KEYMAP_TEXT; p++)
			out[n++] = (char)tolower((unsigned char)*p);
		if (n < KEYMAP_TEXT)
			out[n] = '\0';
	}
	return out;
}

enum action keymap_feed(struct keymap_state *s, const char *key, char *unknown)
{
	enum { ROWS = sizeof rows / sizeof *rows, ALL = ROWS + sizeof more / sizeof *more };
	size_t used = strlen(s->typed);
	snprintf(s->typed + used, sizeof s->typed - used, "%s", key);
	enum action action = ACT_NONE;
	for (size_t i = 0; i < ALL && action != ACT_MORE; i++) {
		bool whole, row = i < ROWS;
		if (!begins(row ? rows[i].keys : more[i - ROWS].keys, s->typed, &whole, &s->letter))
			continue;
		action = !whole ? ACT_MORE : row ? rows[i].action : more[i - ROWS].action;
		if (whole)
			break;
	}
	if (action == ACT_MORE)
		return action;
	if (unknown)
		memcpy(unknown, s->typed, sizeof s->typed);
	s->typed[0] = 0;
	return action;
}
