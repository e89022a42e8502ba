/* image.h - tables as the bytes of a file: one function a table writes it and, from the mapped file, makes it again.
 *
 * X_image(im, x) visits all that the answers of a table need. Saving, it hands the bytes on; loading, it fills x, whose
 * arrays are then those of the map: nothing is copied row by row. The bytes may be anything: counts are compared with
 * what is left of them before anything is made, and whatever is used as an index must be checked (image_require). A table
 * that was loaded is never written to nor freed: image_free frees all that was made for all of them. */
#ifndef EVL_IMAGE_H
#define EVL_IMAGE_H

#include "base/rows.h"

enum { IMAGE_ALIGN = 64 };

struct image {
	bool loads;       /* else it saves */
	bool bad;         /* loading: the bytes are no such table; saving: they could not be handed on */
	const uint8_t *p; /* of the map … */
	uint64_t len, at; /* … or of what was saved, in bytes */
	void **made;      /* by image_new */
	size_t n_made, room;
	bool (*put)(void *ctx, const void *bytes, size_t n);
	void *ctx;
};

void image_load(struct image *im, const uint8_t *p, uint64_t len);
void image_save(struct image *im, bool (*put)(void *ctx, const void *bytes, size_t n), void *ctx);
void image_free(struct image *im);

/* A value of n bytes; zeros where the image is bad. IMAGE_VALUE: of a variable. Not for structs with a bool or an enum. */
void image_bytes(struct image *im, void *value, size_t n);
#define IMAGE_VALUE(im, x) image_bytes((im), (void *)&(x), sizeof(x))

void image_bool(struct image *im, bool *value);
void image_flag(struct image *im, atomic_bool *value);

/* A number that may not exceed `most`. */
void image_size(struct image *im, size_t *value, uint64_t most);

/* It makes no sense unless this is so. Return whether the image is good still. */
bool image_require(struct image *im, bool is_so);

/* n items of this width, aligned. Loading: return where they are in the map, NULL if the image is bad; else `items`. */
void *image_array(struct image *im, const void *items, uint64_t n, size_t width);

/* Loading: memory of zeros that lives as long as the image; NULL if there is none. */
void *image_new(struct image *im, size_t n, size_t width);

/* Is there something at *pointer? Loading: if so, memory for `width` bytes is put there. */
bool image_optional(struct image *im, void **pointer, size_t width);

/* All rows of a table, of this width. */
void image_rows(struct image *im, struct rows *r, size_t width);

/* All rows of a table that was loaded: they are one after the other. NULL: there are none. */
static inline const void *image_rows_of(const struct rows *r) { return rows_count(r) ? rows_at(r, 0) : NULL; }

/* An array of `room` numbers most of which, from some place on, are 0; loading, all of it is made. Return how many are before
 * that place. */
size_t image_numbers(struct image *im, uint64_t **numbers, size_t room);

#endif
