/* hp_import.h - convert classic heap profiles (PROGRAM.hp) to eventlogs.
 *
 * A .hp file is text: JOB "…", then for each sample a line BEGIN_SAMPLE seconds, lines NAME<tab>bytes, and a line
 * END_SAMPLE seconds. It is converted to an eventlog with the same samples in an unlinked temporary file, so that every
 * pane and export handles it like any other log. Times in a .hp file are seconds of mutator time, not of wall-clock
 * time; the eventlog has the same times, in ns. The empty samples at the start and end of the file are omitted. MARK
 * lines become markers. Lines that cannot be parsed are skipped. If the file ends within a sample, no
 * HEAP_PROF_SAMPLE_END is written for it. */
#ifndef EVL_HP_IMPORT_H
#define EVL_HP_IMPORT_H

#include "bytes/decompress.h"

/* Report whether the data starts like a .hp file. */
bool hp_is(const uint8_t *data, uint64_t len);

/* Convert the data and pass the eventlog to put, piece by piece. put returns 0, or a code that ends the conversion.
 * Return 0, that code, or EVL_NOMEM. */
typedef int hp_put(void *ctx, const char *bytes, size_t len);
int hp_rewrite(const uint8_t *data, uint64_t len, hp_put *put, void *ctx) EVL_MUST_USE;

/* Replace *src with the converted file; leave it unchanged if it is not a .hp file. watch may be NULL; the path is for
 * messages. Return 0, or EVL_IO, EVL_CANCELLED or EVL_NOMEM with err filled and *src closed. */
int hp_open(
	struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err) EVL_MUST_USE;

#endif
