/* screenshot.h - write a canvas to a file as plain text, text with colour escapes, or SVG */
#ifndef EVTUI_SCREENSHOT_H
#define EVTUI_SCREENSHOT_H

#include "base/buf.h"
#include "base/err.h"
#include "draw/canvas.h"

struct screenshot {
	const struct canvas *canvas;
	enum theme theme;
	int colours; /* 0, 8, 16 or 256 */
};

/* Write the file in the format of its extension: .txt, .ans or .svg. force: replace an existing file, atomically.
 * Return 0; or EVL_USAGE, EVL_IO or EVL_NOMEM with *err filled. */
int screenshot_write(const struct screenshot *s, const char *path, bool force, struct evl_err *err) EVL_MUST_USE;

/* Append the screen as SVG. */
void screenshot_svg(const struct screenshot *s, struct buf *out);

#endif
