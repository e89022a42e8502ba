/* hp_import.h - convert classic heap profiles (PROGRAM.hp) to eventlogs.
 *
 * A .hp file is text: JOB "…", then BEGIN_SAMPLE seconds, lines NAME<tab>bytes, END_SAMPLE seconds. It is rewritten
 * as an eventlog with the same samples in an unlinked temporary file, so that every pane and export handles it like
 * any other log. Its times are seconds of mutator time, not wall-clock time: the run-time system writes them so. The
 * empty samples that it writes at both ends are left out. MARKs become markers. Lines that make no sense are
 * skipped; a file that ends within a sample leaves that sample without its end. */
#ifndef EVL_HP_IMPORT_H
#define EVL_HP_IMPORT_H

#include "bytes/decompress.h"

/* Does the text begin as such files do? */
bool hp_is(const uint8_t *data, uint64_t len);

/* Hand on the eventlog, piece by piece. put: a code to stop with, else 0. EVL_NOMEM. */
typedef int hp_put(void *ctx, const char *bytes, size_t len);
int hp_rewrite(const uint8_t *data, uint64_t len, hp_put *put, void *ctx) EVL_MUST_USE;

/* Replace *src by the eventlog; leave it alone where it is no such file. watch may be NULL. EVL_IO, EVL_CANCELLED or
 * EVL_NOMEM with err filled; then *src is closed. */
int hp_open(
	struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

#endif
