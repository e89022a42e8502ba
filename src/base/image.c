#include "base/image.h"

#include "base/gallop.h"

#include <stdlib.h>

void image_load(struct image *im, const uint8_t *p, uint64_t len)
{
	*im = (struct image){.loads = true, .p = p, .len = len};
}

void image_save(struct image *im, bool (*put)(void *ctx, const void *bytes, size_t n), void *ctx)
{
	*im = (struct image){.put = put, .ctx = ctx};
}

void image_copy(struct image *im) { *im = (struct image){.copies = true}; }

void image_free(struct image *im)
{
	for (size_t i = 0; i < im->n_made; i++)
		free(im->made[i]);
	free_all(im->made, im->later);
	*im = (struct image){0};
}

bool image_require(struct image *im, bool is_so)
{
	im->bad = im->bad || (!is_so && !im->copies);
	return !im->bad;
}

void image_check_later(
	struct image *im, const void *rows, size_t n, size_t width, image_check *check, uint64_t a, uint64_t b)
{
	if (!im->loads || im->bad || n == 0)
		return;
	if (image_require(im, GROW(im->later, im->n_later, im->later_room)))
		im->later[im->n_later++] = (struct image_later){rows, n, width, check, {a, b}};
}

/* The first row that starts at this address or after it. */
static size_t row_from(const struct image_later *l, const uint8_t *p)
{
	return p > l->rows ? min_u64(l->n, ((size_t)(p - l->rows) + l->width - 1) / l->width) : 0;
}

bool image_check_between(const struct image *im, const uint8_t *from, const uint8_t *to)
{
	BISECT(first, im->n_later, im->later[mid].rows + im->later[mid].n * im->later[mid].width <= from);
	for (; first < im->n_later && im->later[first].rows < to; first++) {
		const struct image_later *l = &im->later[first];
		size_t a = row_from(l, from), b = row_from(l, to);
		if (a < b && !l->check(l->rows, a, b, l->bounds))
			return false;
	}
	return true;
}

static void save(struct image *im, const void *bytes, size_t n)
{
	im->bad = im->bad || (n && !im->put(im->ctx, bytes, n));
	im->at += n;
}

void image_bytes(struct image *im, void *value, size_t n)
{
	if (im->copies)
		return;
	if (!im->loads) {
		save(im, value, n);
	} else if (image_require(im, n <= im->len - im->at)) {
		memcpy(value, im->p + im->at, n);
		im->at += n;
	} else {
		memset(value, 0, n);
	}
}

void image_bool(struct image *im, bool *value)
{
	uint8_t byte = *value;
	image_bytes(im, &byte, 1);
	if (im->loads)
		*value = byte != 0;
}

void image_flag(struct image *im, atomic_bool *value)
{
	bool is = atomic_load(value);
	image_bool(im, &is);
	if (im->loads)
		atomic_store(value, is);
}

void image_size(struct image *im, size_t *value, uint64_t most)
{
	uint64_t n = *value;
	image_bytes(im, &n, sizeof n);
	if (im->copies)
		return;
	n = image_require(im, n <= most) ? n : 0;
	if (im->loads)
		*value = (size_t)n;
}

static void align(struct image *im)
{
	static const uint8_t zeros[IMAGE_ALIGN];
	size_t pad = (size_t)(-im->at & (IMAGE_ALIGN - 1));
	if (!im->loads)
		save(im, zeros, pad);
	else if (image_require(im, pad <= im->len - im->at))
		im->at += pad;
}

/* Room for n items, with a copy of the first ones. */
static void *copy_of(struct image *im, const void *items, size_t n, size_t room, size_t width)
{
	void *copy = calloc(room, width);
	im->bad = im->bad || !copy;
	if (copy)
		memcpy(copy, items, n * width);
	return copy;
}

void image_own(struct image *im, void **pointer, size_t n, size_t width)
{
	if (im->copies && *pointer)
		*pointer = copy_of(im, *pointer, n, n ? n : 1, width);
}

void *image_array(struct image *im, const void *items, uint64_t n, size_t width)
{
	void *found = (void *)(uintptr_t)items;
	if (im->copies)
		return n ? copy_of(im, items, (size_t)n, (size_t)n, width) : NULL;
	align(im);
	if (!im->loads) {
		save(im, items, (size_t)n * width);
		return found;
	}
	if (!image_require(im, n <= (im->len - im->at) / width))
		return NULL;
	found = (void *)(uintptr_t)(im->p + im->at);
	im->at += n * width;
	return found;
}

void *image_new(struct image *im, size_t n, size_t width)
{
	if (im->bad || !GROW(im->made, im->n_made, im->room)) {
		im->bad = true;
		return NULL;
	}
	void *made = calloc(n ? n : 1, width);
	if (image_require(im, made))
		im->made[im->n_made++] = made;
	return made;
}

bool image_optional(struct image *im, void **pointer, size_t width)
{
	bool is = *pointer;
	image_own(im, pointer, 1, width);
	image_bool(im, &is);
	if (im->copies)
		return *pointer;
	if (!im->loads)
		return is;
	*pointer = is ? image_new(im, 1, width) : NULL;
	return *pointer;
}

static void save_rows(struct image *im, const struct rows *r, size_t n)
{
	for (size_t i = 0; i < n;) {
		size_t here = min_u64(rows_beside(i), n - i);
		save(im, rows_at(r, i), here * r->width);
		i += here;
	}
}

/* Where the chunks are that n rows take: one after the other. */
static void load_rows(struct image *im, struct rows *r, size_t n)
{
	uint8_t *all = n ? image_array(im, NULL, n, r->width) : NULL, **few = NULL, **more = NULL;
	for (size_t k = 0, at = 0; all && k < ROWS_CHUNKS && at < n; at += (size_t)ROWS_FIRST << k++) {
		uint8_t ***list = k < ROWS_FEW ? &few : &more;
		if (!*list && !(*list = image_new(im, k < ROWS_FEW ? ROWS_FEW : ROWS_CHUNKS, sizeof **list)))
			return;
		(*list)[k] = all + at * r->width;
	}
	atomic_store(&r->chunks, few);
	atomic_store(&r->more, more);
	atomic_store(&r->n, im->bad ? 0 : n);
}

static void copy_rows(struct image *im, struct rows *r)
{
	struct rows from = *r;
	size_t n = rows_count(r);
	rows_init(r, from.width);
	for (size_t i = 0; i < n;) {
		size_t here = min_u64(rows_beside(i), n - i);
		uint8_t *to = rows_grow(r);
		if (!to) {
			im->bad = true;
			return;
		}
		memcpy(to, rows_at(&from, i), here * from.width);
		i += here;
		store_relaxed(&r->n, i);
	}
}

void image_rows(struct image *im, struct rows *r, size_t width)
{
	if (im->copies) {
		copy_rows(im, r);
		return;
	}
	size_t n = im->loads ? 0 : rows_count(r);
	image_size(im, &n, UINT32_MAX);
	if (im->loads) {
		rows_init(r, width);
		load_rows(im, r, n);
		return;
	}
	image_require(im, n == 0 || r->width == width);
	if (n)
		align(im);
	save_rows(im, r, n);
}

size_t image_numbers(struct image *im, uint64_t **numbers, size_t room)
{
	size_t n = !im->loads && *numbers ? room : 0;
	while (n && (*numbers)[n - 1] == 0)
		n--;
	if (im->copies) {
		*numbers = *numbers ? copy_of(im, *numbers, n, room, sizeof **numbers) : NULL;
		return n;
	}
	image_size(im, &n, room);
	const void *found = image_array(im, *numbers, n, sizeof **numbers);
	if (im->loads && (*numbers = image_new(im, room, sizeof **numbers)) && found)
		memcpy(*numbers, found, n * sizeof **numbers);
	return n;
}
