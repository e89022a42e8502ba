/* logs.h - small logs built in memory, event by event, for unit tests of the library.
 *
 *   struct built b = log_begin();            all event types of the schema, declared as today
 *   block_begin(&b, CAP, T);
 *   put(&b, T, EVL_RUN_THREAD, "4", 7);      "4": a u32, "2" "8" "1" likewise; "s": a text to the end of the payload
 *   block_end(&b, END_T);
 *   log_end(&b);                             DATA_END
 */
#ifndef TESTS_LOGS_H
#define TESTS_LOGS_H

#include "format/schema.h"
#include "log/log.h"
#include "sched/thread_state.h"
#include "sys/system.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#if defined PORTABLE && defined __GLIBC__
#include <malloc.h>
#endif

/* Report whether an emulator (qemu-user 7.2) runs this program: it says that pages are populated where there are none. */
static inline bool is_emulated(void)
{
#ifdef MADV_POPULATE_READ
	const size_t size = 4096;
	void *none = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return none != MAP_FAILED && munmap(none, size) == 0 && madvise(none, size, MADV_POPULATE_READ) == 0;
#else
	return false;
#endif
}

/* Report whether memory can be measured: sanitizers, valgrind and emulators take more. */
static inline bool memory_is_ours(void)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
	return false;
#else
	const char *preloaded = getenv("LD_PRELOAD");
	return (!preloaded || !strstr(preloaded, "/vgpreload_")) && !is_emulated();
#endif
}

/* Keep the heap as the program does, so that a large table costs only what is used of it; also with PORTABLE, where
 * sys_heap_frugal does nothing: else glibc clears such tables whole, thousands of times. */
__attribute__((constructor)) static inline void keep_heap(void)
{
	sys_heap_frugal();
#if defined PORTABLE && defined __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}

struct built {
	uint8_t *data;
	size_t len, room, block;
};

static inline void add_bytes(struct built *b, const void *bytes, size_t len)
{
	while (b->len + len > b->room) {
		b->room = b->room ? 2 * b->room : 4096;
		b->data = realloc(b->data, b->room);
		assert_non_null(b->data);
	}
	memcpy(b->data + b->len, bytes, len);
	b->len += len;
}

static inline void add_number(struct built *b, uint64_t value, int width)
{
	uint8_t bytes[8];
	for (int i = 0; i < width; i++)
		bytes[i] = (uint8_t)(value >> 8 * (width - 1 - i));
	add_bytes(b, bytes, (size_t)width);
}

static inline void add_word(struct built *b, const char *word) { add_bytes(b, word, 4); }

static inline struct built log_begin(void)
{
	struct built b = {0};
	size_t n;
	const struct schema *rows = schema_rows(&n);
	add_word(&b, "hdrb");
	add_word(&b, "hetb");
	for (size_t i = 0; i < n; i++) {
		if (rows[i].until)
			continue; /* the layout of an older GHC */
		add_word(&b, "etb\0");
		add_number(&b, rows[i].tag, 2);
		add_number(&b, rows[i].variable ? 0xffff : rows[i].size, 2);
		add_number(&b, strlen(rows[i].name), 4);
		add_bytes(&b, rows[i].name, strlen(rows[i].name));
		add_number(&b, 0, 4);
		add_word(&b, "ete\0");
	}
	add_word(&b, "hete");
	add_word(&b, "hdre");
	add_word(&b, "datb");
	return b;
}

static inline void block_begin(struct built *b, uint16_t cap, uint64_t t)
{
	b->block = b->len;
	add_number(b, EVL_BLOCK_MARKER, 2);
	add_number(b, t, 8);
	add_number(b, 0, 4);
	add_number(b, 0, 8);
	add_number(b, cap, 2);
}

static inline void patch(struct built *b, size_t at, uint64_t value, int width)
{
	for (int i = 0; i < width; i++)
		b->data[at + (size_t)i] = (uint8_t)(value >> 8 * (width - 1 - i));
}

static inline void block_end(struct built *b, uint64_t end_t)
{
	patch(b, b->block + 10, b->len - b->block, 4);
	patch(b, b->block + 14, end_t, 8);
}

/* An event; each letter of `form` takes an argument: uint64_t-sized for numbers pass as unsigned, const char * for s. */
static inline void put(struct built *b, uint64_t t, uint16_t tag, const char *form, ...)
{
	va_list args;
	size_t head = b->len;
	bool variable = schema_find(tag, -1) != NULL;
	add_number(b, tag, 2);
	add_number(b, t, 8);
	if (variable)
		add_number(b, 0, 2);
	size_t payload = b->len;
	va_start(args, form);
	for (; *form; form++) {
		if (*form == 's') {
			const char *s = va_arg(args, const char *);
			add_bytes(b, s, strlen(s));
		} else if (*form == '8') {
			add_number(b, va_arg(args, uint64_t), 8);
		} else {
			add_number(b, va_arg(args, unsigned), *form - '0');
		}
	}
	va_end(args);
	if (variable)
		patch(b, head + 10, b->len - payload, 2);
}

static inline void log_end(struct built *b) { add_number(b, 0xffff, 2); }

/* The common events in short. */
static inline void put_run(struct built *b, uint64_t t, unsigned thread) { put(b, t, EVL_RUN_THREAD, "4", thread); }
static inline void put_stop(struct built *b, uint64_t t, unsigned thread, unsigned status)
{
	put(b, t, EVL_STOP_THREAD, "424", thread, status, 0u);
}

/* A whole GC of generation gen led by the capability of the open block: request, start, work, statistics, end. As GHC
 * writes it, the statistics come before the end and are a little later. */
static inline void put_gc_by(
	struct built *b, uint64_t request, uint64_t start, uint64_t end, unsigned gen, unsigned gc_threads)
{
	if (request)
		put(b, request, EVL_REQUEST_PAR_GC, "");
	put(b, start, EVL_GC_START, "");
	put(b, start, EVL_GC_WORK, "");
	put(b, end + 2, EVL_GC_GLOBAL_SYNC, "");
	put(b, end + 3, EVL_GC_STATS_GHC, "428884888", 0u, gen, (uint64_t)1, (uint64_t)2, (uint64_t)3, gc_threads,
		(uint64_t)4, (uint64_t)5, (uint64_t)6);
	put(b, end, EVL_GC_END, "");
}

static inline void put_gc(struct built *b, uint64_t request, uint64_t start, uint64_t end, unsigned gen)
{
	put_gc_by(b, request, start, end, gen, 1);
}

/* Open and walk it; the bytes are those of b and must stay. */
static inline struct evl_log *walked(const struct built *b)
{
	struct evl_log *log;
	struct evl_err err = {0};
	if (evl_open_memory(&log, b->data, b->len, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

/* The same for a file. */
static inline struct evl_log *walked_file(const char *path)
{
	struct evl_log *log;
	struct evl_err err = {0};
	if (evl_open(&log, path, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	return log;
}

static inline void done(struct evl_log *log, struct built *b)
{
	evl_close(log);
	free(b->data);
}

/* Decode an event that was logged by capability cap. Return false if it does not concern the state of a thread. */
static inline bool thread_event_read(
	const struct header *h, uint16_t cap, const struct frame *f, struct thread_event *out)
{
	if (f->tag > EVL_THREAD_WAKEUP || !(thread_tags_read(h) >> f->tag & 1))
		return false;
	thread_event_decode(h, cap, f, out);
	return true;
}

#endif
