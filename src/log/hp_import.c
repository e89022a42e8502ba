#include "log/hp_import.h"

#include "base/buf.h"
#include "base/find.h"
#include "index/blocks.h"
#include "sys/anon_file.h"
#include "sys/retry.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { BODY = 1 << 20, NAME_MOST = 60000, NUMBER_ROOM = 64 };

/* The eventlog being written. */
struct hp {
	hp_put *put;
	void *ctx;
	struct buf body, out; /* of a block; all of it */
	struct buf empty;     /* empty samples that are the last ones unless others follow */
	uint64_t begin, t;    /* of the block; the latest time */
	uint64_t sample_t;
	bool in_sample, written; /* HEAP_PROF_SAMPLE_BEGIN is in the log */
	bool any;                /* some sample is */
};

/* --- the eventlog -------------------------------------------------------------------------------------------------- */

static void put_header(struct buf *b)
{
	static const uint16_t tags[] = {EVL_SHUTDOWN, EVL_BLOCK_MARKER, EVL_PROGRAM_ARGS, EVL_USER_MARKER,
		EVL_HEAP_PROF_SAMPLE_STRING, EVL_HEAP_PROF_SAMPLE_END, EVL_HEAP_PROF_SAMPLE_BEGIN,
		EVL_HEAP_BIO_PROF_SAMPLE_BEGIN};
	size_t n;
	const struct schema *rows = schema_rows(&n);
	buf_lit(b, "hdrbhetb");
	for (size_t i = 0; i < countof(tags); i++)
		for (size_t k = 0; k < n; k++) {
			if (rows[k].tag != tags[i] || rows[k].until)
				continue;
			buf_lit(b, "etb\0");
			buf_be(b, tags[i], 2);
			buf_be(b, rows[k].variable ? 0xffff : rows[k].size, 2);
			buf_be(b, strlen(rows[k].name), 4);
			buf_cstr(b, rows[k].name);
			buf_be(b, 0, 4);
			buf_lit(b, "ete\0");
		}
	buf_lit(b, "hetehdredatb");
}

static int flush(struct hp *hp)
{
	if (hp->out.failed || hp->body.failed || hp->empty.failed)
		return EVL_NOMEM;
	int result = hp->put(hp->ctx, hp->out.p, hp->out.len);
	buf_clear(&hp->out);
	return result;
}

static void put_event(struct buf *b, uint64_t t, uint16_t tag)
{
	buf_be(b, tag, 2);
	buf_be(b, t, 8);
}

/* Write HEAP_PROF_SAMPLE_BEGIN, as the sample's time is known now. */
static void put_begin(struct buf *b, uint64_t t)
{
	put_event(b, t, EVL_HEAP_BIO_PROF_SAMPLE_BEGIN);
	buf_be(b, 0, 8);
	buf_be(b, t, 8);
}

static void put_end(struct buf *b, uint64_t t)
{
	put_event(b, t, EVL_HEAP_PROF_SAMPLE_END);
	buf_be(b, 0, 8);
}

/* Something follows them: the empty samples count. */
static void keep_empty(struct hp *hp)
{
	buf_put(&hp->body, hp->empty.p, hp->empty.len);
	buf_clear(&hp->empty);
}

static int end_block(struct hp *hp)
{
	if (hp->body.len == 0)
		return 0;
	buf_be(&hp->out, EVL_BLOCK_MARKER, 2);
	buf_be(&hp->out, hp->begin, 8);
	buf_be(&hp->out, BLOCK_HEAD + hp->body.len, 4);
	buf_be(&hp->out, hp->t, 8);
	buf_be(&hp->out, EVL_NO_CAP, 2);
	buf_put(&hp->out, hp->body.p, hp->body.len);
	buf_clear(&hp->body);
	hp->begin = hp->t;
	return flush(hp);
}

static void begin_written(struct hp *hp)
{
	if (hp->written)
		return;
	keep_empty(hp);
	put_begin(&hp->body, hp->t);
	hp->written = hp->any = true;
}

static void put_band(struct hp *hp, struct evl_str name, uint64_t bytes)
{
	name.len = name.len < NAME_MOST ? name.len : NAME_MOST;
	begin_written(hp);
	put_event(&hp->body, hp->t, EVL_HEAP_PROF_SAMPLE_STRING);
	buf_be(&hp->body, 1 + 8 + name.len + 1, 2);
	buf_be(&hp->body, 0, 1);
	buf_be(&hp->body, bytes, 8);
	buf_str(&hp->body, name);
	buf_char(&hp->body, 0);
}

/* --- the text ------------------------------------------------------------------------------------------------------ */

static struct evl_str next_line(struct evl_str *rest)
{
	const uint8_t *end = rest->len ? memchr(rest->p, '\n', rest->len) : NULL;
	size_t len = end ? (size_t)(end - rest->p) : rest->len;
	struct evl_str line = {rest->p, len};
	rest->p += len + (end != NULL);
	rest->len -= len + (end != NULL);
	return line;
}

/* Return the text after a word at the start of a line. */
static bool after(struct evl_str line, const char *word, struct evl_str *out)
{
	size_t n = strlen(word);
	if (line.len < n || memcmp(line.p, word, n) != 0)
		return false;
	*out = (struct evl_str){line.p + n, line.len - n};
	return true;
}

/* Seconds as ns: never before the start, never decreasing. */
static void take_time(struct hp *hp, struct evl_str text)
{
	enum { LONGEST = 1 << 30 };
	char number[NUMBER_ROOM] = "";
	memcpy(number, text.p, text.len < sizeof number ? text.len : sizeof number - 1);
	double seconds = strtod(number, NULL);
	if (isfinite(seconds) && seconds > 0 && seconds < LONGEST)
		hp->t = max_u64(hp->t, (uint64_t)llround(seconds * 1e9));
}

static bool parse_bytes(struct evl_str text, uint64_t *out)
{
	*out = 0;
	for (size_t i = 0; i < text.len; i++) {
		uint64_t digit = (uint64_t)(text.p[i] - '0'); /* of no digit: more than nine */
		if (digit > 9 || __builtin_mul_overflow(*out, 10, out) || __builtin_add_overflow(*out, digit, out))
			return false;
	}
	return text.len > 0;
}

/* NAME<tab>bytes. */
static void take_band(struct hp *hp, struct evl_str line)
{
	uint64_t bytes;
	const uint8_t *tab = line.len ? find_last_byte(line.p, '\t', line.len) : NULL;
	struct evl_str name = {line.p, tab ? (size_t)(tab - line.p) : 0};
	if (tab && hp->in_sample && parse_bytes((struct evl_str){tab + 1, line.len - name.len - 1}, &bytes))
		put_band(hp, name, bytes);
}

/* The program with its arguments, as the quoted text has them: parted by blanks. */
static void take_job(struct hp *hp, struct evl_str line)
{
	struct buf args = {0};
	struct evl_str text;
	if (!after(line, "JOB \"", &text))
		return;
	for (size_t i = 0; i < text.len && text.p[i] >= ' ' && args.len < NAME_MOST; i++) {
		bool quote = text.p[i] == '"', doubled = quote && i + 1 < text.len && text.p[i + 1] == '"';
		if (quote && !doubled)
			break;
		buf_char(&args, text.p[i] == ' ' ? 0 : (char)text.p[i]);
		i += doubled;
	}
	buf_char(&args, 0);
	put_event(&hp->body, hp->t, EVL_PROGRAM_ARGS);
	buf_be(&hp->body, 4 + args.len, 2);
	buf_be(&hp->body, 0, 4);
	buf_put(&hp->body, args.p, args.len);
	hp->body.failed = hp->body.failed || args.failed;
	buf_free(&args);
}

static void take_mark(struct hp *hp, struct evl_str time)
{
	keep_empty(hp);
	take_time(hp, time);
	put_event(&hp->body, hp->t, EVL_USER_MARKER);
	buf_be(&hp->body, 4, 2);
	buf_lit(&hp->body, "MARK");
}

static void begin_sample(struct hp *hp, struct evl_str time)
{
	take_time(hp, time);
	hp->in_sample = true;
	hp->written = false;
}

static void end_sample(struct hp *hp)
{
	if (hp->in_sample && !hp->written && hp->any) {
		put_begin(&hp->empty, hp->t);
		put_end(&hp->empty, hp->t);
	} else if (hp->written) {
		put_end(&hp->body, hp->t);
	}
	hp->in_sample = hp->written = false;
}

static void take_line(struct hp *hp, struct evl_str line)
{
	struct evl_str rest;
	if (after(line, "BEGIN_SAMPLE ", &rest))
		begin_sample(hp, rest);
	else if (after(line, "END_SAMPLE ", &rest))
		end_sample(hp);
	else if (after(line, "MARK ", &rest))
		take_mark(hp, rest);
	else
		take_band(hp, line);
}

static int finish(struct hp *hp)
{
	put_event(&hp->body, hp->t, EVL_SHUTDOWN); /* when the last sample of all was taken */
	int result = end_block(hp);
	buf_be(&hp->out, EVL_DATA_END, 2);
	return result ? result : flush(hp);
}

bool hp_is(const uint8_t *data, uint64_t len) { return len >= 5 && memcmp(data, "JOB \"", 5) == 0; }

int hp_rewrite(const uint8_t *data, uint64_t len, hp_put *put, void *ctx)
{
	struct hp hp = {.put = put, .ctx = ctx};
	struct evl_str rest = {data, len};
	put_header(&hp.out);
	take_job(&hp, next_line(&rest));
	int result = 0;
	while (result == 0 && rest.len) {
		take_line(&hp, next_line(&rest));
		if (hp.body.len + hp.empty.len < BODY)
			continue;
		keep_empty(&hp);
		result = end_block(&hp);
	}
	result = result ? result : finish(&hp);
	buf_free(&hp.empty);
	buf_free(&hp.body);
	buf_free(&hp.out);
	return result;
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

struct hp_target {
	int fd;
	const struct decompress_watch *watch;
	uint64_t done, total; /* about */
};

static int put_to_file(void *ctx, const char *bytes, size_t len)
{
	struct hp_target *target = ctx;
	if (!write_all(target->fd, bytes, len))
		return EVL_IO;
	target->done = min_u64(target->done + len, target->total);
	const struct decompress_watch *w = target->watch;
	return !w || w->tell(w->ctx, target->done, target->total) ? 0 : EVL_CANCELLED;
}

static int rewrite_to(
	int fd, struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err)
{
	struct hp_target target = {fd, watch, 0, src->len};
	struct source log;
	int result = hp_rewrite(src->data, src->len, put_to_file, &target), why = errno;
	if (watch)
		watch->tell(watch->ctx, src->len, src->len);
	if (result == EVL_IO)
		return evl_fail(err, result, EVL_NO_OFFSET, "%s: cannot be rewritten to %s: %s", path, anon_file_dir(),
			strerror(why));
	if (result < 0)
		return evl_fail(err, result, EVL_NO_OFFSET, "%s: %s", path, evl_strerror(result));
	result = source_from_fd(&log, fd, path, err);
	if (result < 0)
		return result;
	log.truncated = src->truncated;
	log.rewritten = true;
	source_close(src);
	*src = log;
	return 0;
}

int hp_open(struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err)
{
	if (!hp_is(src->data, src->len))
		return 0;
	int fd = anon_file_open();
	int result = fd >= 0 ? rewrite_to(fd, src, path, watch, err)
			     : evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: cannot be rewritten to %s: %s", path,
				     anon_file_dir(), strerror(errno));
	if (fd >= 0)
		close(fd);
	if (result < 0)
		source_close(src);
	return result;
}
