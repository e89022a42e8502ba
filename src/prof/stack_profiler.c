#include "prof/stack_profiler.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_SLOTS = 1 << 8 };

/* --- messages ------------------------------------------------------------------------------------------------------ */

static bool parse_stack(struct evl_str p, struct call_message *out)
{
	enum { HEAD = 10 };
	if (p.len < HEAD)
		return false;
	out->cap = be32(p.p);
	out->thread = be32(p.p + 4);
	out->n = be16(p.p + 8);
	out->entries = (struct evl_str){p.p + HEAD, p.len - HEAD};
	return true;
}

static bool parse_text(struct evl_str p, struct call_message *out)
{
	enum { HEAD = 10 };
	if (p.len < HEAD)
		return false;
	size_t len = be16(p.p + 8), room = p.len - HEAD;
	out->id = be64(p.p);
	out->text = (struct evl_str){p.p + HEAD, len < room ? len : room};
	return true;
}

/* The file comes last: earlier releases had one more id between it and the column. */
static bool parse_place(struct evl_str p, struct call_message *out)
{
	enum { LEAST = 24 };
	if (p.len < LEAST)
		return false;
	out->id = be64(p.p);
	out->line = be32(p.p + 8);
	out->column = be32(p.p + 12);
	out->file = be64(p.p + p.len - 8);
	return true;
}

bool call_message_parse(struct evl_str payload, struct call_message *out)
{
	enum { FIRST = 0xffca };
	static bool (*const parse[])(struct evl_str p, struct call_message * out) = {[CALL_STACK] = parse_stack,
		[CALL_PART] = parse_stack,
		[CALL_TEXT] = parse_text,
		[CALL_PLACE] = parse_place};
	if (payload.len < 2 || be16(payload.p) < FIRST || be16(payload.p) >= FIRST + countof(parse))
		return false;
	*out = (struct call_message){.form = (enum call_form)(be16(payload.p) - FIRST)};
	return parse[out->form]((struct evl_str){payload.p + 2, payload.len - 2}, out);
}

bool call_next(struct evl_str *entries, struct call_frame *out)
{
	static const size_t lengths[] = {0, 9, 9, 17};
	uint8_t kind = entries->len ? *entries->p : 0;
	if (kind == 0 || kind > CALL_PLACED || entries->len < lengths[kind])
		return false;
	*out = (struct call_frame){
		.kind = kind, .id = be64(entries->p + 1), .place = kind == CALL_PLACED ? be64(entries->p + 9) : 0};
	*entries = (struct evl_str){entries->p + lengths[kind], entries->len - lengths[kind]};
	return true;
}

/* --- frames -------------------------------------------------------------------------------------------------------- */

int call_frames_init(struct call_frames *f)
{
	*f = (struct call_frames){.n_slots = FIRST_SLOTS,
		.slots = calloc(FIRST_SLOTS, sizeof *f->slots),
		.texts = calloc(MAX_CALL_IDS, sizeof *f->texts),
		.places = calloc(MAX_CALL_IDS, sizeof *f->places)};
	rows_init(&f->frames, sizeof(struct call_frame));
	pthread_mutex_init(&f->lock, NULL);
	return f->slots && f->texts && f->places ? 0 : EVL_NOMEM;
}

void call_frames_free(struct call_frames *f)
{
	if (f->n_slots == 0)
		return;
	rows_free(&f->frames);
	free_all(f->slots, f->texts, f->places);
	pthread_mutex_destroy(&f->lock);
	*f = (struct call_frames){0};
}

static const struct call_frame *frame_at(const struct call_frames *f, size_t i) { return rows_at(&f->frames, i); }

static uint32_t *slot_in(const struct call_frames *f, uint32_t *slots, size_t n_slots, const struct call_frame *frame)
{
	uint64_t h = (frame->id * 0x9e3779b97f4a7c15 ^ frame->place) * 0xd6e8feb86659fd93 + frame->kind;
	size_t at = (size_t)(h ^ h >> 32) & (n_slots - 1);
	for (; slots[at]; at = (at + 1) & (n_slots - 1)) {
		const struct call_frame *other = frame_at(f, slots[at] - 1);
		if (other->id == frame->id && other->place == frame->place && other->kind == frame->kind)
			break;
	}
	return &slots[at];
}

/* The table is kept half empty. */
static bool grow(struct call_frames *f, size_t n)
{
	if (2 * (n + 1) <= f->n_slots)
		return true;
	uint32_t *slots = oom_note(calloc(2 * f->n_slots, sizeof *slots));
	if (!slots)
		return false;
	for (size_t i = 0; i < n; i++)
		*slot_in(f, slots, 2 * f->n_slots, frame_at(f, i)) = (uint32_t)i + 1;
	free(f->slots);
	f->slots = slots;
	f->n_slots *= 2;
	return true;
}

static uint32_t add(struct call_frames *f, const struct call_frame *frame)
{
	size_t n = rows_count(&f->frames);
	if (n >= MAX_STACKS || !grow(f, n) || !rows_add(&f->frames, frame))
		return STACK_NO_FRAME;
	*slot_in(f, f->slots, f->n_slots, frame) = (uint32_t)n + 1;
	return (uint32_t)n;
}

uint32_t call_frames_id(struct call_frames *f, const struct call_frame *frame, bool adds)
{
	pthread_mutex_lock(&f->lock);
	uint32_t found = *slot_in(f, f->slots, f->n_slots, frame), id = found - 1;
	if (!found)
		id = adds ? add(f, frame) : STACK_NO_FRAME;
	pthread_mutex_unlock(&f->lock);
	return id;
}

/* --- looking up ids ------------------------------------------------------------------------------------------------ */

void call_frames_define(struct call_frames *f, const struct call_message *m, uint64_t off)
{
	_Atomic uint64_t *table = m->form == CALL_TEXT ? f->texts : m->form == CALL_PLACE ? f->places : NULL;
	if (table && m->id < MAX_CALL_IDS)
		store_relaxed(&table[m->id], off);
}

static bool read_definition(
	const _Atomic uint64_t *table, const struct blocks *b, uint64_t id, struct call_message *out)
{
	struct frame f;
	uint64_t off = id < MAX_CALL_IDS ? load_relaxed(&table[id]) : 0;
	return off && frame_read(b->header, b->data, off, b->len, &f) == FRAME_OK && f.tag == EVL_USER_BINARY_MSG
		&& call_message_parse(f.payload, out);
}

bool call_text(const struct call_frames *f, const struct blocks *b, uint64_t id, struct evl_str *out)
{
	struct call_message m;
	if (!read_definition(f->texts, b, id, &m) || m.form != CALL_TEXT)
		return false;
	*out = m.text;
	return true;
}

bool call_place(const struct call_frames *f, const struct blocks *b, uint64_t id, char *out)
{
	enum { FILE_ROOM = CALL_PLACE_ROOM - 32 };
	struct call_message m;
	struct evl_str file;
	if (!read_definition(f->places, b, id, &m) || m.form != CALL_PLACE || !call_text(f, b, m.file, &file))
		return false;
	int len = (int)(file.len < FILE_ROOM ? file.len : FILE_ROOM);
	memcpy(out, file.p, (size_t)len);
	snprintf(out + len, CALL_PLACE_ROOM - (size_t)len, ":%u:%u", m.line, m.column);
	return true;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void definitions_image(struct image *im, _Atomic uint64_t **table, uint64_t len)
{
	uint64_t *numbers = (uint64_t *)(uintptr_t)*table;
	size_t n = image_numbers(im, &numbers, MAX_CALL_IDS);
	*table = (_Atomic uint64_t *)(uintptr_t)numbers;
	for (size_t i = 0; im->loads && !im->bad && i < n; i++)
		image_require(im, numbers[i] < len);
}

/* The slots are made again. */
void call_frames_image(struct image *im, struct call_frames *f, uint64_t len)
{
	if (im->loads)
		*f = (struct call_frames){.n_slots = FIRST_SLOTS};
	image_rows(im, &f->frames, sizeof(struct call_frame));
	definitions_image(im, &f->texts, len);
	definitions_image(im, &f->places, len);
	size_t n = rows_count(&f->frames);
	image_require(im, n <= MAX_STACKS);
	image_own(im, (void **)&f->slots, f->n_slots, sizeof *f->slots);
	if (image_fills(im))
		pthread_mutex_init(&f->lock, NULL);
	if (!im->loads)
		return;
	while (f->n_slots < 2 * (n + 1))
		f->n_slots *= 2;
	f->slots = image_new(im, f->n_slots, sizeof *f->slots);
	for (size_t i = 0; i < n && image_require(im, frame_at(f, i)->kind <= CALL_PLACED); i++)
		*slot_in(f, f->slots, f->n_slots, frame_at(f, i)) = (uint32_t)i + 1;
}
