/* picture.h - the screen as an SVG file. */
#ifndef PTY_PICTURE_H
#define PTY_PICTURE_H

#include "terminal.h"
#include <stdio.h>

/* As on a dark page, or a light one. */
void picture_write(FILE *f, const struct terminal *t, bool light);

#endif
