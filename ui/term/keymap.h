/* keymap.h - key bindings: from key sequences to actions (enum action), sections and help (table: keymap.def) */
#ifndef EVTUI_KEYMAP_H
#define EVTUI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum action {
	ACT_NONE, /* the key sequence is not bound */
	ACT_MORE, /* the key sequence is incomplete: another key must follow */
#define SECTION(name, title)
#define ALSO(action, keys)
#define KEY(action, owner, section, keys, hint, help) ACT_##action,
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
	ACT_COUNT
};

/* Part of the program that handles an action, see keymap.def. */
enum keymap_owner { OWNER_PROGRAM, OWNER_MARKS, OWNER_SHOWS, OWNER_RANGE, OWNER_PANE, OWNER_MOVE, OWNER_TIME };
/* Return the owner of an action. */
enum keymap_owner keymap_owner(enum action action);

/* Return by how many rows an action moves in a list of which `shown` rows are visible, negative: up; 0 for other actions. end: by
 * how many it moves to an end of the list; 0: there these keys mean something else. */
int64_t keymap_scroll(enum action action, int shown, int64_t end);

/* A row of keymap.def. */
struct keymap_row {
	enum action action;
	enum keymap_owner owner;
	const char *section; /* title of its section in the help */
	const char *keys, *hint, *help;
};

/* Return all rows in the order of keymap.def, and their number in *n. */
const struct keymap_row *keymap_rows(size_t *n);

/* Panes in which some keys have a special meaning. */
enum keymap_pane {
	KEYMAP_TIMELINE,
	KEYMAP_HEAP,
	KEYMAP_PROFILE,
	KEYMAP_EVENTS,
	KEYMAP_STATS,
	KEYMAP_OUTPUT,
	KEYMAP_QUERY,
	KEYMAP_MARKS,
	KEYMAP_PANES
};

/* Meaning of keys in one pane. */
struct keymap_note {
	enum keymap_pane pane;
	const char *keys, *hint, *help;
};
/* Return all pane-specific meanings, those of each pane in the order of its hints, and their number in *n. */
const struct keymap_note *keymap_notes(size_t *n);

/* Write "; D works in: heap, profile" to out (KEYMAP_TEXT bytes): the timeline if the key is one of its lanes', and the panes
 * whose notes list it; nothing if there are none, or if the shown pane is one of them. Return out. */
char *keymap_elsewhere(enum action action, enum keymap_pane shown, char *out);

/* Write key sequences as shown to people ("←" for "<Left>") to out, KEYMAP_TEXT bytes. Return out. */
enum { KEYMAP_TEXT = 96 };
char *keymap_text(const char *keys, char *out);

/* Return the title of a pane's section in the help. */
const char *keymap_title(enum keymap_pane pane);

/* The keys typed so far. Initialize with zeros. */
struct keymap_state {
	char typed[64]; /* the keys of an incomplete sequence */
	char letter;    /* character that matched {a-z} in the last complete sequence */
};

/* Process another key, given by its name. Return ACT_MORE if more keys must follow. Otherwise return the action and
 * reset the state; for ACT_NONE, the unbound sequence is copied to `unknown` (as long as `typed`, may be NULL). */
enum action keymap_feed(struct keymap_state *s, const char *key, char *unknown);

#endif
