/* Any line as a filter, and as a pattern, on a few events: it is refused with a word, or it answers, twice the same. */
#include "fuzz.h"

#include "format/schema.h"
#include "show/event_filter.h"

static struct header header;

static struct evl_str say(void *ctx)
{
	(void)ctx;
	return EVL_STR("STOP_THREAD thread 26  blocked on an MVar \xff\x1b[0m “w\0rker”");
}

/* A header that declares RUN_THREAD and USER_MSG, as an eventlog begins. */
static void make_header(void)
{
	static const uint8_t bytes[] = "hdrbhetb"
				       "etb\0"
				       "\0\1"
				       "\0\4"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "etb\0"
				       "\0\x13"
				       "\xff\xff"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "hetehdredatb";
	struct evl_err err;
	check(header.n || header_parse(&header, bytes, sizeof bytes - 1, &err) == 0);
}

static unsigned answers(const struct event_filter *f)
{
	static const uint8_t run[] = {0, 0, 0, 26}, message[] = "some text";
	const struct frame frames[] = {{.tag = EVL_RUN_THREAD, .t = 5, .payload = {run, sizeof run}},
		{.tag = EVL_USER_MSG, .t = 500000000, .payload = {message, sizeof message - 1}},
		{.tag = 60000, .t = 1}};
	unsigned bits = 0;
	for (size_t i = 0; i < countof(frames); i++) {
		struct event_subject s = {
			.header = &header, .frame = &frames[i], .cap = i ? EVL_NO_CAP : 2, .say = say};
		bits |= (unsigned)event_filter_keeps(f, &s) << i;
	}
	return bits;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { ROOM = 256 };
	static const struct time_expr when = {.last = 1000000000, .wall_ns = 1763655000000000000};
	struct event_filter filter;
	struct pattern pattern;
	struct evl_err err = {0};
	char line[ROOM];
	size_t len = size < ROOM - 1 ? size : ROOM - 1;
	make_header();
	if (len)
		memcpy(line, data, len);
	line[len] = 0;
	int result = event_filter_init(&filter, line, &when, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result == 0) {
		check(answers(&filter) == answers(&filter));
		event_filter_free(&filter);
	}
	err = (struct evl_err){0};
	result = pattern_init(&pattern, (struct evl_str){data, size}, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]));
	if (result == 0) {
		check(pattern_in(&pattern, say(NULL)) == pattern_in(&pattern, say(NULL)));
		pattern_free(&pattern);
	}
	return 0;
}
