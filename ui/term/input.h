/* input.h - bytes from the terminal to named keys ("<C-d>", "]"), mouse events and replies; the only user of
 * libtermkey.
 *
 * libtermkey 0.22 can be crashed by terminal bytes, so only complete, known sequences reach it: input_guard.h
 * filters them. Also owns the ESC timeout and bracketed paste.
 *
 * Keys have the names that keymap.def uses: "h", "]", "<Left>", "<C-d>", "<S-Left>", "<M-x>", "<F1>", "<Esc>",
 * "<Enter>", "<Space>", "<Tab>", "<S-Tab>", "<BS>", "<Home>", "<End>", "<PgUp>", "<PgDn>", "<Ins>", "<Del>", "<lt>"
 * for "<". Modifiers are in the order M- C- S-; S- only before keys that have a name. Printable characters are
 * themselves, in UTF-8. */
#ifndef EVTUI_INPUT_H
#define EVTUI_INPUT_H

#include "base/base.h"

enum key_kind { KEY_NAME, KEY_PASTE, KEY_REPLY, KEY_PRESS, KEY_DRAG, KEY_RELEASE, KEY_WHEEL, KEY_MOVE };

/* A reply of the terminal to tty_query. */
enum reply {
	REPLY_LIGHT,
	REPLY_DARK, /* its background is */
	REPLY_SYNC, /* it can hold back what is drawn until a frame is whole (mode 2026) */
	REPLY_KEYS, /* it speaks the keyboard protocol of kitty */
	REPLY_END,  /* it has answered all that it knows */
};

struct key {
	enum key_kind kind;
	char name[24];        /* KEY_NAME; "" otherwise */
	int y, x;             /* mouse: cell, from 0; may lie outside of the screen */
	int button;           /* mouse: 1 left, 2 middle, 3 right; wheel: -1 up, +1 down, -2 left, +2 right */
	int mods;             /* MOD_… bits, of keys and of mouse events */
	enum reply reply;     /* KEY_REPLY */
	struct evl_str paste; /* KEY_PASTE: one line of clean UTF-8, at most 8 KiB; valid until the next input_* call */
};

enum { MOD_SHIFT = 1, MOD_ALT = 2, MOD_CTRL = 4 };

struct input;

/* NULL when memory is out. term: as tty_traits says, never NULL. */
struct input *input_new(const char *term, bool utf8);
void input_free(struct input *in);

/* Bytes from the terminal, in any fragments. */
void input_push(struct input *in, const uint8_t *bytes, size_t len);

/* The next key, false when there is none yet. */
bool input_next(struct input *in, struct key *out);

/* Report whether an incomplete sequence (a lone ESC) is pending. If nothing arrives for input_wait_ms, call
 * input_timeout, which accepts the bytes as they are, then input_next. It may stay pending: a truncated sequence
 * that was not typed has a second. */
bool input_pending(const struct input *in);
int input_wait_ms(const struct input *in); /* 25; 100 over SSH; ESCDELAY overrides */
void input_timeout(struct input *in);
void input_set_wait(struct input *in, int ms);

/* "0.22": of libtermkey. */
const char *input_library(void);

#endif
