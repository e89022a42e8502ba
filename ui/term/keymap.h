/* keymap.h - key sequence to action (enum action), section and help, expanded from keymap.def. */
#ifndef EVTUI_KEYMAP_H
#define EVTUI_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

enum action {
	ACT_NONE, /* the sequence is not bound */
	ACT_MORE, /* the sequence has begun: another key must follow */
#define SECTION(name, title)
#define ALSO(action, keys)
#define KEY(action, owner, section, keys, hint, help) ACT_##action,
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
	ACT_COUNT
};

/* The part of the program that an action belongs to: keymap.def says which. */
enum keymap_owner { OWNER_PROGRAM, OWNER_MARKS, OWNER_SHOWS, OWNER_RANGE, OWNER_PANE, OWNER_MOVE, OWNER_TIME };
enum keymap_owner keymap_owner(enum action action);

struct keymap_row {
	enum action action;
	enum keymap_owner owner;
	const char *section; /* title of its group */
	const char *keys, *hint, *help;
};

/* The rows in the order of the table. */
const struct keymap_row *keymap_rows(size_t *n);

/* Meaning of keys in a pane other than the timeline, in the order of its hints. */
enum keymap_pane {
	KEYMAP_TIMELINE,
	KEYMAP_HEAP,
	KEYMAP_PROFILE,
	KEYMAP_EVENTS,
	KEYMAP_STATS,
	KEYMAP_OUTPUT,
	KEYMAP_QUERY,
	KEYMAP_PANES
};

struct keymap_note {
	enum keymap_pane pane;
	const char *keys, *hint, *help;
};
const struct keymap_note *keymap_notes(size_t *n);

/* Sequences as people read them: the key of a row is a name to the program, but on its cap stands a sign. Into out, which is
 * returned. */
enum { KEYMAP_TEXT = 96 };
char *keymap_text(const char *keys, char *out);

/* Its title in the help. */
const char *keymap_title(enum keymap_pane pane);

/* The keys typed so far. */
struct keymap_state {
	char typed[64];
	char letter; /* the character that matched {a-z} in the last complete sequence */
};

/* One more key, by its name. ACT_MORE: keep the state; anything else: the state is empty again, and an ACT_NONE leaves
 * the sequence in `unknown` (may be NULL; as long as `typed`). */
enum action keymap_feed(struct keymap_state *s, const char *key, char *unknown);

#endif
