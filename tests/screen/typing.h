/* typing.h - text with <Enter>, <S-Left>, <C-d> … to what a terminal sends for it. */
#ifndef PTY_TYPING_H
#define PTY_TYPING_H

#include "terminal.h"

/* False, and nothing more typed, at a key that has no such name; *bad is then its name in the text. */
bool typing_text(struct terminal *t, const char *text, const char **bad);

#endif
