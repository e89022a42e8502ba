/* log_image.h - save all tables of a log as sections of a file, and load them from the mapped file (image.h). */
#ifndef EVL_LOG_IMAGE_H
#define EVL_LOG_IMAGE_H

#include "log/log.h"

enum log_section {
	LOG_SECTION_BLOCKS,
	LOG_SECTION_TILES,
#define TABLE(section, type, member, init, image) LOG_SECTION_##section,
#include "log/log_tables.def"
	LOG_SECTION_FIGURES,
	LOG_SECTION_PROGRAM,
	LOG_SECTION_REPORT,
	LOG_SECTION_COUNT
};

/* Save or load the tables of one section. Load all sections in order, into a log whose header is parsed. */
void log_image(struct image *im, struct evl_log *log, enum log_section section);

/* Copy the tables of a log that is being indexed, between two parts, to a log that has the same chains and no tables. Return 0, or
 * EVL_NOMEM with tables to be freed. */
int log_image_copy(struct evl_log *log, const struct evl_log *from) EVL_MUST_USE;

/* After loading, create everything else that evl_begin (log_tables.h) creates. Return 0 or EVL_NOMEM. */
int log_image_complete(struct evl_log *log) EVL_MUST_USE;

/* Discard all tables loaded so far, so that the log is as before indexing. The memory of the image itself is not
 * freed. */
void log_image_drop(struct evl_log *log);

#endif
