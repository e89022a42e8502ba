/* clipboard.h - copy text to the clipboard: by the terminal (OSC 52), to tmux's buffer, or to a file (--copy-file) */
#ifndef EVTUI_CLIPBOARD_H
#define EVTUI_CLIPBOARD_H

#include "base/buf.h"

enum { CLIPBOARD_MOST = 74994 /* bytes that terminals accept: xterm's limit before base64 */, CLIPBOARD_SAY = 256 };

/* Copy sanitised text. file: also replace the contents of this file by the text and a newline; NULL: none. say:
 * receives a message for the user, CLIPBOARD_SAY bytes. Return false if the text was copied nowhere. Never blocks
 * for long. */
bool clipboard_copy(struct evl_str text, const char *file, char *say);

/* Store the text in tmux's buffer. Return 0, or 1 on failure. The runner process (runner.h) calls it. */
int clipboard_tmux(const void *text, size_t len);

/* Append the escape sequence that copies the text. in_screen: for a terminal inside of GNU screen, which only passes
 * short pieces. */
void clipboard_sequence(struct evl_str text, bool in_screen, struct buf *out);

#endif
