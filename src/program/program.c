#include "program/program.h"

#include "base/find.h"
#include "format/decode.h"

#include <stdlib.h>

void program_init(struct program *n)
{
	*n = (struct program){0};
	pthread_mutex_init(&n->lock, NULL);
}

void program_free(struct program *n)
{
	free_all((void *)(uintptr_t)n->facts.program.p, (void *)(uintptr_t)n->facts.rts.p);
	pthread_mutex_destroy(&n->lock);
}

/* Keep a copy of the first text that comes: it lives as long as the log, so readers may hold on to it. */
static void keep(struct evl_str *to, struct evl_str from)
{
	uint8_t *copy = to->p || from.len == 0 ? NULL : oom_note(malloc(from.len));
	if (!copy)
		return;
	memcpy(copy, from.p, from.len);
	*to = (struct evl_str){copy, from.len};
}

static void take(struct program_facts *facts, const struct frame *f, const struct evl_value *v)
{
	enum { FIRST, SECOND, THIRD, FOURTH }; /* fields in the order of the table */
	switch (f->tag) {
	case EVL_PROGRAM_ARGS: keep(&facts->program, v[SECOND].str); break;
	case EVL_RTS_IDENTIFIER: keep(&facts->rts, v[SECOND].str); break;
	case EVL_WALL_CLOCK_TIME:
		if (!facts->wall_ns && v[SECOND].u < INT64_MAX / 1000000000)
			facts->wall_ns = sub_or_0(v[SECOND].u * 1000000000 + v[THIRD].u, f->t);
		break;
	case EVL_OSPROCESS_PID: facts->pid = (uint32_t)v[SECOND].u; break;
	case EVL_CAP_CREATE: facts->caps_created++; break;
	case EVL_HEAP_PROF_BEGIN: facts->breakdown = (uint32_t)v[THIRD].u; break;
	case EVL_HEAP_INFO_GHC:
		facts->generations = (uint32_t)v[SECOND].u;
		facts->max_heap = v[THIRD].u;
		facts->alloc_area = v[FOURTH].u;
		break;
	default: break;
	}
}

bool program_wants(uint16_t tag)
{
	return tag == EVL_PROGRAM_ARGS || tag == EVL_RTS_IDENTIFIER || tag == EVL_WALL_CLOCK_TIME
		|| tag == EVL_OSPROCESS_PID || tag == EVL_CAP_CREATE || tag == EVL_HEAP_INFO_GHC
		|| tag == EVL_HEAP_PROF_BEGIN;
}

void program_event(struct program *n, const struct header *h, const struct frame *f)
{
	struct evl_value values[EVL_MAX_FIELDS];
	if (!program_wants(f->tag) || decode(header_of(h, f->tag)->schema, f->payload, values) < 0)
		return;
	pthread_mutex_lock(&n->lock);
	take(&n->facts, f, values);
	pthread_mutex_unlock(&n->lock);
}

struct program_facts program_get(const struct program *n)
{
	pthread_mutex_t *lock = (pthread_mutex_t *)(uintptr_t)&n->lock;
	pthread_mutex_lock(lock);
	struct program_facts facts = n->facts;
	pthread_mutex_unlock(lock);
	return facts;
}

struct evl_str program_program(const struct program_facts *facts)
{
	struct evl_str rest = facts->program, program;
	if (!decode_next_str(&rest, &program))
		return (struct evl_str){0};
	const uint8_t *slash = program.len ? find_last_byte(program.p, '/', program.len) : NULL;
	if (slash && slash + 1 < program.p + program.len) {
		program.len -= (size_t)(slash + 1 - program.p);
		program.p = slash + 1;
	}
	return program;
}

struct evl_str program_ghc(const struct program_facts *facts)
{
	struct evl_str rts = facts->rts, prefix = EVL_STR("GHC-");
	if (rts.len <= prefix.len || memcmp(rts.p, prefix.p, prefix.len) != 0)
		return (struct evl_str){0};
	rts.p += prefix.len;
	rts.len -= prefix.len;
	const uint8_t *space = memchr(rts.p, ' ', rts.len);
	if (space)
		rts.len = (size_t)(space - rts.p);
	return rts;
}

/* --- as a file ------------------------------------------------------------------------------------------------------- */

static void text_image(struct image *im, struct evl_str *text)
{
	enum { LONGEST = 1 << 16 }; /* of an event */
	size_t n = text->len;
	image_size(im, &n, LONGEST);
	const uint8_t *bytes = n ? image_array(im, text->p, n, 1) : NULL;
	if (im->copies)
		*text = (struct evl_str){bytes, bytes ? n : 0};
	if (im->loads && bytes) {
		keep(text, (struct evl_str){bytes, n});
		image_require(im, text->p);
	}
}

void program_image(struct image *im, struct program *n)
{
	struct program_facts *f = &n->facts;
	if (im->copies)
		pthread_mutex_init(&n->lock, NULL);
	text_image(im, &f->program);
	text_image(im, &f->rts);
	IMAGE_VALUE(im, f->wall_ns);
	IMAGE_VALUE(im, f->pid);
	IMAGE_VALUE(im, f->generations);
	IMAGE_VALUE(im, f->breakdown);
	IMAGE_VALUE(im, f->alloc_area);
	IMAGE_VALUE(im, f->max_heap);
	IMAGE_VALUE(im, f->caps_created);
}
