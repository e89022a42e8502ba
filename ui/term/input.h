/* input.h - decode bytes from the terminal to named keys ("<C-d>", "]"), mouse events and replies, with libtermkey
 *
 * libtermkey 0.22 can crash on certain bytes, so it gets only complete, known sequences, filtered by input_guard.h.
 * This file also implements the timeout after ESC and bracketed paste. No other file uses libtermkey.
 *
 * Keys have the names that keymap.def uses: "h", "]", "<Left>", "<C-d>", "<S-Left>", "<M-x>", "<F1>", "<Esc>",
 * "<Enter>", "<Space>", "<Tab>", "<S-Tab>", "<BS>", "<Home>", "<End>", "<PgUp>", "<PgDn>", "<Ins>", "<Del>", "<lt>"
 * for "<". Modifiers come in the order M- C- S-; S- only before keys that have a name. A printable character is its
 * own name, in UTF-8. */
#ifndef EVTUI_INPUT_H
#define EVTUI_INPUT_H

#include "base/base.h"

/* Kinds of input. KEY_PRESS to KEY_MOVE are mouse events. */
enum key_kind { KEY_NAME, KEY_PASTE, KEY_REPLY, KEY_PRESS, KEY_DRAG, KEY_RELEASE, KEY_WHEEL, KEY_MOVE };

/* A reply of the terminal to tty_query. */
enum reply {
	REPLY_LIGHT, /* the background is light */
	REPLY_DARK,  /* the background is dark */
	REPLY_SYNC,  /* supports synchronized output (mode 2026): it can wait for a complete frame before drawing */
	REPLY_KEYS,  /* supports kitty's keyboard protocol */
	REPLY_END,   /* sent after all other replies */
};

/* A decoded key, paste, reply or mouse event. */
struct key {
	enum key_kind kind;
	char name[24];    /* if KEY_NAME; else "" */
	int y, x;         /* mouse: cell, from 0; may be outside of the screen */
	int button;       /* mouse: 1 left, 2 middle, 3 right; wheel: -1 up, +1 down, -2 left, +2 right */
	int mods;         /* MOD_… bits, of keys and mouse events */
	enum reply reply; /* if KEY_REPLY */
	/* If KEY_PASTE: one line of sanitised UTF-8, at most 8 KiB; valid until the next input_… call. */
	struct evl_str paste;
};

enum { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CTRL = 4 };

struct input;

/* Create a decoder. term: tty_traits.term, never NULL. utf8: the terminal sends UTF-8. Return NULL if memory ran
 * out. */
struct input *input_new(const char *term, bool utf8);
void input_free(struct input *in);

/* Add bytes from the terminal, in pieces of any size. */
void input_push(struct input *in, const uint8_t *bytes, size_t len);

/* Get the next key. Return false if none is complete. */
bool input_next(struct input *in, struct key *out);

/* input_pending: return whether an incomplete sequence, such as a lone ESC, is waiting for more bytes. If none
 * arrive for input_wait_ms milliseconds, call input_timeout, which takes the bytes as they are, then input_next.
 * Input may still be pending afterwards, because sequences that cannot have been typed wait up to a second. */
bool input_pending(const struct input *in);
int input_wait_ms(const struct input *in); /* 25; 100 over SSH; the environment variable ESCDELAY overrides both */
void input_timeout(struct input *in);
void input_set_wait(struct input *in, int ms);

/* Return the version of libtermkey: "0.22". */
const char *input_library(void);

#endif
