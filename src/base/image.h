/* image.h - save tables to a file, load them from the mapped file, and copy them, with one function per table for all.
 *
 * The function X_image(im, x) calls one of the functions below for each member of x that is to be saved and loaded.
 * While saving, that function writes the member; while loading, it fills it in. Loaded arrays point into the map: no
 * row is copied. The file may be corrupt: counts are compared with the number of bytes left before anything is
 * allocated, and each value used as an index must be checked with image_require. Never write to a loaded table, and do
 * not free it: image_free frees all memory that loading allocated. */
#ifndef EVL_IMAGE_H
#define EVL_IMAGE_H

#include "base/rows.h"

enum { IMAGE_ALIGN = 64 };

/* Report whether rows [from, to) of a loaded array have only values that are below the bounds (image_check_later). Rows
 * before `from` may be read, too. */
typedef bool image_check(const void *rows, size_t from, size_t to, const uint64_t bounds[2]);

/* An array to be checked when all tables are loaded. */
struct image_later {
	const uint8_t *rows;
	size_t n, width;
	image_check *check;
	uint64_t bounds[2];
};

struct image {
	bool loads;  /* true while loading, false while saving and copying */
	bool copies; /* true while copying */
	/* loading: the file is corrupt; saving: `put` failed; copying: memory ran out. Once set, nothing more is loaded or
	 * saved, but the rest is copied */
	bool bad;
	const uint8_t *p; /* loading: the mapped file */
	uint64_t len, at; /* len: bytes of the map; at: offset of the next byte to load or save */
	void **made;      /* memory allocated by image_new */
	size_t n_made, room;
	struct image_later *later; /* in order of address, which is the order in which they are loaded */
	size_t n_later, later_room;
	bool (*put)(void *ctx, const void *bytes, size_t n); /* saving: writes n bytes */
	void *ctx;
};

/* Start to load from a map of `len` bytes, which must outlive the loaded tables; start to save through `put`, which
 * returns false to report an error; or start to copy. */
void image_load(struct image *im, const uint8_t *p, uint64_t len);
void image_save(struct image *im, bool (*put)(void *ctx, const void *bytes, size_t n), void *ctx);
void image_copy(struct image *im);
void image_free(struct image *im);

/* Save or load a value of n bytes; a load from a bad image gives zeros. IMAGE_VALUE takes a variable. Do not use these
 * for structs that contain a bool or an enum. */
void image_bytes(struct image *im, void *value, size_t n);
#define IMAGE_VALUE(im, x) image_bytes((im), (void *)&(x), sizeof(x))

/* Save or load a bool. */
void image_bool(struct image *im, bool *value);
void image_flag(struct image *im, atomic_bool *value);

/* Save or load a number; the image is bad if the number exceeds `most`. */
void image_size(struct image *im, size_t *value, uint64_t most);

/* Return whether X_image is to set the pointers in a table to the results of the functions below: while loading and copying. */
static inline bool image_fills(const struct image *im) { return im->loads || im->copies; }

/* Return whether to go on with the parts of a table: until the image is bad, except while copying. */
static inline bool image_goes_on(const struct image *im) { return im->copies || !im->bad; }

/* Mark the image as bad unless `is_so`. Return whether the image is still good. */
bool image_require(struct image *im, bool is_so);

/* While loading, defer the check of the n rows of an array in the map, so that each row is read once for its checksum
 * and for this. Until then, nothing may rely on the values of the rows. image_check_between checks the deferred rows
 * that start in a part of the map, and returns false if one is bad; any thread may call it. */
void image_check_later(
	struct image *im, const void *rows, size_t n, size_t width, image_check *check, uint64_t a, uint64_t b);
bool image_check_between(const struct image *im, const uint8_t *from, const uint8_t *to);

/* Save or load an array of n items of `width` bytes, aligned to IMAGE_ALIGN. When loading, return its address in the
 * map, or NULL if the image is bad; when saving, return `items`; when copying, return a copy, or NULL if n is 0. */
void *image_array(struct image *im, const void *items, uint64_t n, size_t width);

/* Allocate n zeroed items of `width` bytes that live as long as the image; only for loading. Return NULL, and mark the
 * image as bad, if memory ran out. */
void *image_new(struct image *im, size_t n, size_t width);

/* Replace *pointer, which is not saved, by a copy of n items when copying; NULL stays NULL. */
void image_own(struct image *im, void **pointer, size_t n, size_t width);

/* Save or load whether *pointer is not NULL, and return that. When loading, set *pointer to `width` zeroed bytes if the
 * saved pointer was not NULL, else to NULL; when copying, set it to a copy of the bytes. */
bool image_optional(struct image *im, void **pointer, size_t width);

/* The same for *slot, an atomic pointer; set object to it. */
#define IMAGE_ATOMIC(im, slot, object, width)                                                                          \
	((object) = (im)->loads ? NULL : load_acquire(slot), image_optional((im), (void **)&(object), (width)),        \
		image_fills(im) ? atomic_store((slot), (object)) : (void)0, (object) != NULL)

/* Save or load all rows of a table whose rows have `width` bytes. */
void image_rows(struct image *im, struct rows *r, size_t width);

/* Return the rows of a loaded table as one array, or NULL if it has no rows. */
static inline const void *image_rows_of(const struct rows *r) { return rows_count(r) ? rows_at(r, 0) : NULL; }

/* Save or load an array of `room` numbers without the zeros at its end; when loading, *numbers receives a copy of full
 * length. Return the number of items before those zeros. */
size_t image_numbers(struct image *im, uint64_t **numbers, size_t room);

#endif
