/* Every kind of malformed input known from the format's history (rows 1 to 48): how it is read, and the note that it
 * leaves. The details of many have separate tests: in test_damage, test_event_text, test_schema. */
#include "shown.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static struct built b;

enum { NONE = -1 };

/* --- what logs are made of --- */

static void say(uint64_t t, const char *text) { put(&b, t, EVL_USER_MSG, "s", text); }

/* Its marker and three messages: 4 events. */
static void block(uint16_t cap, uint64_t t)
{
	block_begin(&b, cap, t);
	say(t + 1, "one");
	say(t + 2, "two");
	say(t + 3, "three");
	block_end(&b, t + 10);
}

static void begin(void)
{
	b = log_begin();
	block_begin(&b, 0, 100);
}

/* The last event of the block, after what is odd; then another block: 2 + 4 events, with the marker. */
static void finish(void)
{
	say(105, "behind");
	block_end(&b, 110);
	block(1, 200);
	log_end(&b);
}

/* An event whose payload is these bytes. */
static void put_bytes(uint64_t t, uint16_t tag, bool variable, const char *bytes, size_t len)
{
	add_number(&b, tag, 2);
	add_number(&b, t, 8);
	if (variable)
		add_number(&b, len, 2);
	add_bytes(&b, bytes, len);
}
#define PUT_VARIABLE(tag, literal) put_bytes(101, tag, true, literal, sizeof(literal) - 1)

/* A log whose header declares one type more, or one again. */
static void declare(uint16_t tag, uint16_t size, const char *desc, const char *extra)
{
	b = log_begin();
	b.len -= 12; /* hete hdre datb */
	add_word(&b, "etb\0");
	add_number(&b, tag, 2);
	add_number(&b, size, 2);
	add_number(&b, strlen(desc), 4);
	add_bytes(&b, desc, strlen(desc));
	add_number(&b, strlen(extra), 4);
	add_bytes(&b, extra, strlen(extra));
	add_word(&b, "ete\0");
	add_bytes(&b, "hetehdredatb", 12);
	block_begin(&b, 0, 100);
}

/* A log whose header declares a type that there is with another size. */
static void resize(uint16_t tag, uint16_t size)
{
	const uint8_t record[] = {'e', 't', 'b', 0, (uint8_t)(tag >> 8), (uint8_t)tag};
	b = log_begin();
	uint8_t *found = memmem(b.data, b.len, record, sizeof record);
	assert_non_null(found);
	patch(&b, (size_t)(found - b.data) + sizeof record, size, 2);
	block_begin(&b, 0, 100);
}

static size_t header_len(void)
{
	struct built h = log_begin();
	free(h.data);
	return h.len;
}

static void add_header(void)
{
	struct built h = log_begin();
	add_bytes(&b, h.data, h.len);
	free(h.data);
}

static void only(const char *bytes, size_t len)
{
	b = (struct built){0};
	add_bytes(&b, bytes, len);
}

static void broken_at(size_t at)
{
	b = log_begin();
	b.data[at] ^= 0x20;
}

/* --- headers --- */

static void header_cut(void)
{
	b = log_begin();
	b.len /= 2;
}
static void text(void) { only("hello, world\n", 13); }
static void gzip(void) { only("\x1f\x8b\x08 and so on", 13); }
static void lfs(void) { only("version https://git-lfs.github.com/spec/v1\n", 43); }
static void no_types(void) { broken_at(4); }
static void bad_type(void) { broken_at(8); }
static void bad_types_end(void) { broken_at(header_len() - 12); }
static void bad_header_end(void) { broken_at(header_len() - 8); }
static void bad_data_begin(void) { broken_at(header_len() - 4); }
static void header_only(void) { b = log_begin(); }

static void bad_type_end(void)
{
	b = log_begin();
	uint8_t *end = memmem(b.data, b.len, "ete\0", 4);
	assert_non_null(end);
	*end = 'x';
}

static void marker_first(void)
{
	b = (struct built){0};
	block_begin(&b, 0, 0);
	patch(&b, 10, BLOCK_HEAD + header_len(), 4);
	add_header();
	block(0, 100);
	log_end(&b);
}

static void bad_description(void)
{
	declare(500, 0, "a\xff\xc3z", "");
	put(&b, 101, 500, "");
	finish();
}

static void extra_information(void)
{
	declare(500, 0, "new", "never written by any GHC");
	put(&b, 101, 500, "");
	finish();
}

static void declared_twice(void)
{
	declare(EVL_RUN_THREAD, 8, "Run thread", "");
	put(&b, 101, EVL_RUN_THREAD, "44", 7u, 0u);
	finish();
}

static void negative_size(void)
{
	static char zeros[0xfffe];
	declare(500, 0xfffe, "a large event", "");
	put_bytes(101, 500, false, zeros, sizeof zeros);
	finish();
}

/* --- the end --- */

static void last_event_cut(void)
{
	begin();
	say(101, "one");
	block_end(&b, 110);
	b.len--;
}
static void no_end(void)
{
	b = log_begin();
	block(0, 100);
}
static void zero_tail(void)
{
	static const char zeros[4096];
	begin();
	finish();
	add_bytes(&b, zeros, sizeof zeros);
}
static void garbage_after(void)
{
	begin();
	finish();
	add_bytes(&b, "and this on its standard output", 31);
}
static void second_log(void)
{
	begin();
	finish();
	add_header();
	block(0, 300);
	log_end(&b);
}

/* --- tags, lengths, texts --- */

static void undeclared(void)
{
	begin();
	add_number(&b, 99, 2);
	add_number(&b, 101, 8);
	finish();
}
static void undeclared_large(void)
{
	begin();
	add_number(&b, 26724, 2);
	add_number(&b, 101, 8);
	finish();
}
static void no_nul(void)
{
	begin();
	PUT_VARIABLE(EVL_HEAP_PROF_SAMPLE_STRING, "\0\0\0\0\0\0\0\0\7label");
	finish();
}
static void too_short(void)
{
	begin();
	PUT_VARIABLE(EVL_HEAP_PROF_SAMPLE_STRING, "\0\0\0");
	finish();
}
static void too_long(void)
{
	begin();
	PUT_VARIABLE(EVL_HEAP_PROF_SAMPLE_STRING, "\0\0\0\0\0\0\0\0\7label\0and more that nobody knows");
	finish();
}

static void four_bytes_missing(void)
{
	static const uint16_t tags[] = {EVL_THREAD_LABEL, EVL_RTS_IDENTIFIER, EVL_PROGRAM_ARGS, EVL_PROGRAM_ENV};
	begin();
	for (size_t i = 0; i < countof(tags); i++)
		put_bytes(101, tags[i], true, "\0\0", 2);
	finish();
}

static void short_intern(void)
{
	begin();
	PUT_VARIABLE(EVL_INTERN_STRING, "\0\1");
	finish();
}

static void deep_stack(void)
{
	begin();
	PUT_VARIABLE(EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "\0\0\0\0\0\0\0\0\7\xc8\0\0\0\3\0\0\0\4");
	PUT_VARIABLE(EVL_PROF_SAMPLE_COST_CENTRE, "\0\0\0\0\0\0\0\0\0\0\0\5\xc8\0\0\0\3\0\0\0\4");
	finish();
}

static void bad_text(void)
{
	begin();
	say(101, "a\xff\xc3z");
	put(&b, 102, EVL_THREAD_LABEL, "4s", 3u, "\x80");
	put(&b, 103, EVL_PROGRAM_ARGS, "4s", 0u, "\xfe");
	finish();
}

static void bad_binary(void)
{
	begin();
	PUT_VARIABLE(EVL_USER_BINARY_MSG, "a\xff\x01z");
	finish();
}
static void controls(void)
{
	begin();
	say(101, "\x1b[31mred\a\x7f");
	finish();
}

/* --- numbers --- */

static void statuses(void)
{
	static const unsigned odd[] = {4, 14, 15, 16, 17, 21, 65535};
	begin();
	for (size_t i = 0; i < countof(odd); i++)
		put_stop(&b, 101, 7, odd[i]);
	finish();
}

static void breakdowns(void)
{
	begin();
	put(&b, 101, EVL_HEAP_PROF_BEGIN, "184", 0u, (uint64_t)5, 0u);
	put(&b, 101, EVL_HEAP_PROF_BEGIN, "184", 0u, (uint64_t)5, 42u);
	finish();
}

/* In the layout of 8.10: log2 of the block size in a byte. */
static void census_of_old(void)
{
	resize(EVL_NONMOVING_HEAP_CENSUS, 13);
	put_bytes(101, EVL_NONMOVING_HEAP_CENSUS, false, "\x40\0\0\0\1\0\0\0\2\0\0\0\3", 13);
	finish();
}

static void eden_tag(void)
{
	begin();
	put(&b, 101, EVL_SEND_MESSAGE, "144244", 7u, 1u, 1u, 1u, 1u, 1u);
	finish();
}
static void capset_type(void)
{
	begin();
	put(&b, 101, EVL_CAPSET_CREATE, "42", 1u, 9u);
	finish();
}

static void put_ipe(const char *closure_type, size_t label)
{
	size_t head = b.len;
	put_bytes(101, EVL_IPE, true,
		"\0\0\0\0\0\0\0\x40"
		"table",
		14);
	add_bytes(&b, closure_type, strlen(closure_type) + 1);
	add_bytes(&b, "Type", 5);
	for (size_t i = 0; i < label; i++)
		add_bytes(&b, "x", 1);
	add_bytes(&b, "\0Main\0Main.hs:1:2", 18);
	patch(&b, head + 10, (b.len - head - 12) & 0xffff, 2);
}

static void ipe_type(void)
{
	begin();
	put_ipe("thunk", 3);
	finish();
}
static void ipe_wrapped(void)
{
	begin();
	put_ipe("21", 70000);
	finish();
}

/* --- sizes of types --- */

static void larger(void)
{
	resize(EVL_STOP_THREAD, 12);
	put(&b, 101, EVL_STOP_THREAD, "4242", 7u, 3u, 0u, 9u);
	finish();
}
static void smaller(void)
{
	resize(EVL_CREATE_THREAD, 2);
	put(&b, 101, EVL_CREATE_THREAD, "2", 7u);
	finish();
}
static void flipped(void)
{
	resize(EVL_CREATE_THREAD, 0xffff);
	PUT_VARIABLE(EVL_CREATE_THREAD, "\0\0\0\7");
	finish();
}
static void flipped_text(void)
{
	resize(EVL_USER_MSG, 2);
	put_bytes(101, EVL_USER_MSG, false, "hi", 2);
	block_end(&b, 110);
	log_end(&b);
}
/* Of two bytes more, in both blocks. */
static void larger_marker(void)
{
	resize(EVL_BLOCK_MARKER, 16);
	for (unsigned cap = 0; cap < 2; cap++) {
		if (cap)
			block_begin(&b, 1, 200);
		add_number(&b, 0, 2);
		say(100 + 100 * cap + 1, "one");
		block_end(&b, 100 + 100 * cap + 10);
	}
	log_end(&b);
}

static void unknown(void)
{
	declare(500, 2, "Something new", "");
	put(&b, 101, 500, "2", 0xbeefu);
	finish();
}

/* --- blocks --- */

static void sized(uint32_t size)
{
	b = log_begin();
	block(0, 100);
	patch(&b, b.block + 10, size, 4);
	block(1, 200);
	block(0, 300);
	log_end(&b);
}

static void size_0(void) { sized(0); }
static void size_10(void) { sized(10); }
static void size_large(void) { sized(1000000); }
static void size_4_gib(void) { sized(UINT32_MAX); }

static void nested(void)
{
	begin();
	size_t outer = b.block;
	say(101, "outer");
	block(1, 102);
	b.block = outer;
	block_end(&b, 200);
	log_end(&b);
}

static void outside(void)
{
	b = log_begin();
	put(&b, 5, EVL_STARTUP, "2", 4u);
	block(0, 100);
	say(150, "of nobody");
	log_end(&b);
}

static void huge_time(void)
{
	begin();
	say((uint64_t)1 << 62, "cannot be");
	finish();
}

static void back_in_time(void)
{
	b = log_begin();
	block(0, 500);
	block(0, 100);
	log_end(&b);
}
static void odd_caps(void)
{
	b = log_begin();
	block(65534, 100);
	block(0, 100);
	block(5000, 100);
	log_end(&b);
}

/* A second program wrote its blocks over the middle of the first one's file, and the rest of a block follows. */
static void two_programs(void)
{
	b = log_begin();
	block(0, 100);
	size_t at = b.len;
	block(0, 200);
	block(0, 300);
	block(0, 400);
	block(0, 500);
	size_t end = b.len;
	struct built second = log_begin();
	struct built first = b;
	b = second;
	b.len = 0;
	block(1, 150);
	block(1, 160);
	memcpy(first.data + at + BLOCK_HEAD + 5, b.data, b.len);
	free(b.data);
	b = first;
	b.len = end;
	log_end(&b);
}

/* Two threads wrote into one buffer: some bytes in the middle of a block are of neither. */
static void mangled(void)
{
	begin();
	say(101, "before");
	add_bytes(&b, "\x5a\xa5\x5a\xa5\x5a", 5);
	finish();
}

/* --- what machines must stand --- */

static void strange_lives(void)
{
	begin();
	put_run(&b, 101, 0);
	put_stop(&b, 102, 0, 5);
	put_run(&b, 102, 0);
	put_stop(&b, 103, 9, 3);
	put(&b, 103, EVL_GC_END, "");
	put(&b, 103, EVL_CONC_MARK_END, "4", 1u);
	finish();
}

static void counters(void)
{
	begin();
	put(&b, 101, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)1000);
	put(&b, 102, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)300);
	for (uint64_t k = 2; k > 0; k--)
		put(&b, 102, EVL_SPARK_COUNTERS, "8888888", 10 * k, k, k, k, k, k, k);
	finish();
}

static void tasks_twice(void)
{
	begin();
	put(&b, 101, EVL_TASK_CREATE, "828", (uint64_t)77, 0u, (uint64_t)1);
	put(&b, 102, EVL_TASK_DELETE, "8", (uint64_t)77);
	put(&b, 102, EVL_TASK_DELETE, "8", (uint64_t)77);
	put(&b, 103, EVL_TASK_CREATE, "828", (uint64_t)77, 0u, (uint64_t)2);
	finish();
}

/* --- rows that one log in memory is not enough for --- */

/* A file without a name that holds these bytes at this offset, and zeros before. */
static int file_with(const void *bytes, size_t len, off_t at)
{
	int fd = memfd_create("evtui-test", MFD_CLOEXEC);
	assert_true(fd >= 0 && pwrite(fd, bytes, len, at) == (ssize_t)len);
	return fd;
}

static void empty_file(void)
{
	struct source src;
	struct evl_err err;
	int fd = file_with("", 0, 0);
	assert_int_equal(source_from_fd(&src, fd, "log", &err), EVL_EMPTY);
	assert_string_equal(err.text, "log: empty");
	close(fd);
}

/* Three blocks of 2 GiB and a small one: events after 2^32 bytes are read, the holes between are noted. */
static void larger_than_32_bits(void)
{
	const uint64_t step = (uint64_t)2 << 30;
	struct source src;
	struct evl_err err;
	struct evl_log *log = calloc(1, sizeof *log);
	b = log_begin();
	uint64_t first = b.len;
	int fd = file_with(b.data, b.len, 0);
	for (unsigned k = 0; k < 4; k++) {
		b.len = 0;
		block((uint16_t)k, 100 + 100 * k);
		if (k < 3)
			patch(&b, 10, step, 4);
		assert_true(pwrite(fd, b.data, b.len, (off_t)(first + k * step)) == (ssize_t)b.len);
	}
	assert_int_equal(source_from_fd(&src, fd, "log", &err), 0);
	close(fd);
	free(log);
	assert_int_equal(evl_open_memory(&log, src.data, src.len, &err), 0);
	assert_int_equal(evl_start(log, NULL, NULL), 0);
	assert_int_equal(evl_wait(log), 0);
	assert_int_equal(evl_progress(log).events, 16);
	assert_int_equal(log->damage.n, 3);
	assert_int_equal(log->damage.items[2].reason, DAMAGE_ZEROS);
	assert_true(log->damage.items[2].off > (uint64_t)1 << 32);
	assert_int_equal(log->damage.items[2].off + log->damage.items[2].len, first + 3 * step);
	done(log, &b);
	source_close(&src);
}

/* Earlier data stays; missing data reads as zeros and is noted. */
static void cut_while_mapped(void)
{
	struct source src;
	struct evl_err err;
	char filler[5000];
	memset(filler, 'x', sizeof filler);
	filler[sizeof filler - 1] = 0;
	begin();
	say(101, "early");
	say(102, filler);
	finish();
	int fd = file_with(b.data, b.len, 0);
	assert_int_equal(source_from_fd(&src, fd, "log", &err), 0);
	assert_false(source_vanished(&src));
	assert_int_equal(ftruncate(fd, 4096), 0);
	uint8_t *copy = malloc(src.len);
	assert_non_null(copy);
	memcpy(copy, src.data, src.len);
	assert_memory_equal(copy, b.data, 4096);
	for (uint64_t i = 4096 * (1 + (uint64_t)(b.len > 8192)); i < src.len; i++)
		assert_int_equal(copy[i], 0);
	assert_true(source_vanished(&src));
	free(copy);
	free(b.data);
	source_close(&src);
	close(fd);
}

/* --- the table --- */

static const struct row {
	unsigned number; /* in the paper */
	const char *input;
	void (*build)(void);
	void (*check)(void); /* instead of the following */
	int code;            /* refused: why */
	const char *why;     /* with these words; NULL: whatever they are */
	unsigned events;     /* else: that are shown and counted, markers too */
	int reason;          /* of the first damage; NONE: there is none */
	const char *shows;   /* in the output of show; NULL: nothing special */
	const char *prints;  /* in that for a terminal */
	bool unfinished;
} rows[] = {
	{1, "an empty file", .check = empty_file},
	{2, "a header that is cut", header_cut, .reason = DAMAGE_HEADER, .unfinished = true},
	{3, "no magic", text, .code = EVL_NOT_A_LOG, .why = "does not start with \"hdrb\""},
	{3, "gzip", gzip, .code = EVL_NOT_A_LOG, .why = "gzip"},
	{3, "a pointer of Git LFS", lfs, .code = EVL_NOT_A_LOG, .why = "Git LFS"},
	{4, "a block marker before the header", marker_first, .events = 4, .reason = NONE},
	{5, "no begin of the types", no_types, .code = EVL_NOT_A_LOG, .why = "at byte 4"},
	{5, "no begin of a type", bad_type, .code = EVL_NOT_A_LOG, .why = "at byte 8"},
	{5, "no end of a type", bad_type_end, .code = EVL_NOT_A_LOG, .why = "an event type that does not end at byte"},
	{5, "no end of the types", bad_types_end, .code = EVL_NOT_A_LOG, .why = "at byte"},
	{5, "no end of the header", bad_header_end, .code = EVL_NOT_A_LOG, .why = "at byte"},
	{5, "no begin of the data", bad_data_begin, .code = EVL_NOT_A_LOG, .why = "at byte"},
	{6, "a description that is not UTF-8", bad_description, .events = 7, .reason = NONE,
		.shows = "101: cap 0: a\\xff\\xc3z\n"},
	{7, "extra information in a type", extra_information, .events = 7, .reason = NONE,
		.shows = "101: cap 0: new\n"},
	{8, "a type declared twice", declared_twice, .events = 7, .reason = DAMAGE_TWICE,
		.shows = "running thread 7\n"},
	{9, "a negative size", negative_size, .events = 7, .reason = NONE, .shows = "a large event\n"},
	{10, "a header and nothing else", header_only, .reason = NONE, .unfinished = true},
	{11, "the last event cut", last_event_cut, .events = 1, .reason = DAMAGE_CUT, .unfinished = true},
	{12, "no end of the data", no_end, .events = 4, .reason = NONE, .unfinished = true},
	{13, "a tail of zeros", zero_tail, .events = 6, .reason = DAMAGE_ZEROS},
	{14, "a tag that is not declared", undeclared, .events = 6, .reason = DAMAGE_UNDECLARED},
	{15, "a tag beyond all that are", undeclared_large, .events = 6, .reason = DAMAGE_UNDECLARED},
	{16, "bytes after the end", garbage_after, .events = 6, .reason = DAMAGE_TRAILING},
	{16, "a second log after the end", second_log, .events = 10, .reason = DAMAGE_SECOND},
	{17, "a string without NUL", no_nul, .events = 7, .reason = NONE, .shows = "residency 7, label label\n"},
	{18, "a payload too short for its fields", too_short, .events = 7, .reason = NONE,
		.shows = "105: cap 0: behind\n"},
	{19, "a payload longer than its fields", too_long, .events = 7, .reason = NONE,
		.shows = "residency 7, label label\n"},
	{20, "no room for the number before a text", four_bytes_missing, .events = 10, .reason = NONE,
		.shows = "105: cap 0: behind\n"},
	{21, "an interned string without its number", short_intern, .events = 7, .reason = NONE,
		.shows = "105: cap 0: behind\n"},
	{22, "a stack deeper than its payload", deep_stack, .events = 8, .reason = NONE,
		.shows = "105: cap 0: behind\n"},
	{23, "text that is not UTF-8", bad_text, .events = 9, .reason = NONE, .shows = "101: cap 0: a\\xff\\xc3z\n"},
	{24, "a binary message that is not UTF-8", bad_binary, .events = 7, .reason = NONE,
		.shows = "binary message a..z\n"},
	{25, "what a terminal would obey", controls, .events = 7, .reason = NONE, .shows = "\x1b[31mred\a",
		.prints = "101: cap 0: \\x1b[31mred\\x07\\x7f\n"},
	{26, "an unknown stop status", statuses, .events = 13, .reason = NONE, .shows = "thread 7 (status 65535)\n"},
	{27, "an unknown breakdown", breakdowns, .events = 8, .reason = NONE, .shows = "broken down by breakdown 42"},
	{28, "a census of a power too large", census_of_old, .events = 7, .reason = NONE,
		.shows = "census 0: 1 active"},
	{29, "a message tag that Eden does not know", eden_tag, .events = 7, .reason = NONE,
		.shows = "message with tag 7 "},
	{30, "a closure type that is no number", ipe_type, .events = 7, .reason = NONE,
		.shows = "Info Table: 40:thunk:table"},
	{31, "an unknown type of capset", capset_type, .events = 7, .reason = NONE, .shows = "type CapsetUnknown\n"},
	{32, "a fixed size larger than known", larger, .events = 7, .reason = NONE,
		.shows = "thread 7 (thread yielding)\n"},
	{32, "a block marker larger than known", larger_marker, .events = 4, .reason = NONE,
		.shows = "201: cap 1: one\n"},
	{33, "a fixed size smaller than known", smaller, .events = 7, .reason = NONE,
		.shows = "101: cap 0: CREATE_THREAD\n"},
	{33, "variable instead of fixed", flipped, .events = 7, .reason = NONE, .shows = "101: cap 0: CREATE_THREAD\n"},
	{33, "fixed instead of variable", flipped_text, .events = 2, .reason = NONE, .shows = "101: cap 0: USER_MSG\n"},
	{34, "an unknown type", unknown, .events = 7, .reason = NONE, .shows = "101: cap 0: Something new\n"},
	{35, "a block of size 0", size_0, .events = 12, .reason = NONE},
	{35, "a block of size 10", size_10, .events = 12, .reason = NONE},
	{36, "a block larger than it is", size_large, .events = 12, .reason = NONE},
	{36, "a block larger than the file", size_4_gib, .events = 12, .reason = NONE},
	{37, "a block inside of a block", nested, .events = 6, .reason = DAMAGE_NESTED},
	{38, "events outside of blocks", outside, .events = 6, .reason = NONE, .shows = "\n150: of nobody\n"},
	{39, "a time that cannot be", huge_time, .events = 6, .reason = DAMAGE_TIME},
	{39, "blocks that go back in time", back_in_time, .events = 8, .reason = NONE},
	{40, "capabilities of any number", odd_caps, .events = 12, .reason = NONE, .shows = "cap 65534: one\n"},
	{41, "the blocks of two programs", two_programs, .events = 4 + 1 + 8 + 4, .reason = DAMAGE_MARKER,
		.shows = "\n161: cap 1: one\n"},
	{42, "mangled bytes in a block", mangled, .events = 7, .reason = DAMAGE_UNDECLARED,
		.shows = "101: cap 0: before\n"},
	{43, "an info table whose length wrapped", ipe_wrapped, .events = 7, .reason = NONE,
		.shows = "105: cap 0: behind\n"},
	{44, "more than 2^32 bytes", .check = larger_than_32_bits},
	{45, "a file that is cut while it is read", .check = cut_while_mapped},
	{46, "lives that cannot be", strange_lives, .events = 12, .reason = NONE},
	{47, "counters that fall", counters, .events = 10, .reason = NONE},
	{48, "a task deleted twice, its id used again", tasks_twice, .events = 10, .reason = NONE},
};

static void assert_refused(const struct row *row)
{
	struct evl_log *log;
	struct evl_err err;
	assert_int_equal(evl_open_memory(&log, b.data, b.len, &err), row->code);
	assert_null(log);
	if (row->why && !strstr(err.text, row->why))
		fail_msg("«%s» says: %s", row->input, err.text);
}

static void assert_shown(const struct row *row, const char *want, bool printable)
{
	char *out = shown_with(&b, &(struct show_options){.printable = printable, .want = MERGE_ALL});
	if (want && !strstr(out, want))
		fail_msg("«%s»: %s is missing in\n%s", row->input, want, out);
	free(out);
}

/* Notes of the tables only. */
static void assert_tables(const struct row *row, const struct evl_log *log)
{
	uint64_t first, last;
	if (row->build == huge_time) {
		assert_true(evl_range(log, &first, &last));
		assert_int_equal(last, 203);
	} else if (row->build == odd_caps) {
		assert_int_equal(log->n_caps, 3);
	} else if (row->build == strange_lives) {
		assert_int_equal(log->threads.anomalies, 1);
		assert_null(gcs_after(&log->gcs, 0, GC_ALL));
	} else if (row->build == counters) {
		assert_int_equal(heap_allocated(&log->heap), 1300);
	} else if (row->build == tasks_twice) {
		assert_int_equal(tasks_count(&log->tasks), 2);
	} else if (row->build == unknown) {
		char *out = shown_with(&b, &(struct show_options){.json = true, .want = MERGE_ALL});
		assert_non_null(strstr(out, "\"raw\":\"beef\""));
		free(out);
	}
}

static void assert_read(const struct row *row)
{
	struct evl_log *log = walked(&b);
	char why[96];
	int reason = log->damage.n ? log->damage.items[0].reason : NONE;
	if (reason != row->reason)
		fail_msg("«%s»: %s", row->input,
			reason == NONE ? "nothing noted" : damage_text(&log->damage.items[0], why, sizeof why));
	if (shown_events(&b) != row->events || evl_progress(log).events != row->events)
		fail_msg("«%s»: %u events shown, %llu read, not %u", row->input, shown_events(&b),
			(unsigned long long)evl_progress(log).events, row->events);
	assert_int_equal(evl_unfinished(log), row->unfinished);
	assert_tables(row, log);
	evl_close(log);
}

static void every_row(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(rows); i++) {
		const struct row *row = &rows[i];
		if (row->check) {
			row->check();
			continue;
		}
		row->build();
		if (row->code) {
			assert_refused(row);
		} else {
			assert_read(row);
			assert_shown(row, row->shows, false);
			assert_shown(row, row->prints, true);
		}
		free(b.data);
	}
}

static void no_row_is_missing(void **state)
{
	enum { LAST = 48 };
	unsigned next = 1;
	(void)state;
	for (size_t i = 0; i < countof(rows); i++) {
		assert_in_range(rows[i].number, next - (i > 0), next);
		next = rows[i].number + 1;
	}
	assert_int_equal(next, LAST + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_row),
		cmocka_unit_test(no_row_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
