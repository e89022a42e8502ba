/* clipboard.h - copy text to the clipboard: OSC 52, tmux's buffer, or a file (--copy-file). */
#ifndef EVTUI_CLIPBOARD_H
#define EVTUI_CLIPBOARD_H

#include "base/buf.h"

enum { CLIPBOARD_MOST = 74994 /* bytes that terminals take: xterm's limit, base64 undone */, CLIPBOARD_SAY = 256 };

/* Copy clean text. file: is replaced by it, with a newline at its end; NULL: none. say: the outcome, for the user.
 * Return false if the text was not copied anywhere. Never blocks for long. */
bool clipboard_copy(struct evl_str text, const char *file, char *say);

/* Hand the text to tmux: 0, or 1 where that fails. May be called by the runner (runner.h). */
int clipboard_tmux(const void *text, size_t len);

/* The sequence that hands the text to the terminal; where `screen` runs between them, in pieces that it lets through. */
void clipboard_sequence(struct evl_str text, bool in_screen, struct buf *out);

#endif
