#include "bytes/decompress.h"

#include "base/units.h"
#include "format/header.h"
#include "sys/anon_file.h"
#include "sys/retry.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { OUT_BYTES = 1 << 20 };

/* Compressed bytes on their way to a file. */
struct unpacking {
	const uint8_t *in;
	uint64_t len, at; /* at: taken so far */
	uint8_t *out;     /* OUT_BYTES that a codec fills */
	int fd;
	bool truncated; /* the input ends early, or makes no sense from here on */
	uint64_t done;  /* bytes that came out */
	uint8_t head[HEADER_LOOK];
	struct evl_err why; /* why no more is unpacked */
	const struct decompress_watch *watch;
	uint8_t *first; /* unpack_head: `room` bytes are wanted here, and no file; NULL: all, in the file */
	size_t room;
};

static uint64_t most(const struct unpacking *s) { return s->watch && s->watch->most ? s->watch->most : UNPACK_MOST; }

/* May n more bytes come out? Looks at the first ones of all, and at the disk now and then. */
static int admit(struct unpacking *s, size_t n)
{
	enum { SMALL = 256 << 20, LOOK_EVERY = 64 << 20 };
	uint64_t before = s->done, had = min_u64(before, HEADER_LOOK);
	s->done += n;
	if (had < HEADER_LOOK && n > 0) {
		memcpy(s->head + had, s->out, (size_t)min_u64(HEADER_LOOK - had, n));
		if (s->done >= HEADER_LOOK && !(s->watch && s->watch->any)
			&& header_look(s->head, HEADER_LOOK, &s->why) < 0)
			return s->why.code;
	}
	if (s->done > most(s))
		return evl_fail(&s->why, EVL_IO, EVL_NO_OFFSET, "unpacks to more than %s, the limit of --spool-max",
			as_bytes(most(s)));
	if (s->done > SMALL && s->done / UNPACK_RATIO > s->len)
		return evl_fail(&s->why, EVL_IO, EVL_NO_OFFSET,
			"unpacks to more than %d times its size, which no log does", UNPACK_RATIO);
	if (s->done / LOOK_EVERY != before / LOOK_EVERY && anon_file_disk_full(s->fd))
		return evl_fail(&s->why, EVL_IO, EVL_NO_OFFSET, "cannot be unpacked: the disk of %.80s is almost full",
			anon_file_dir());
	return 0;
}

/* Write the first n bytes of `out`. Return 0, EVL_IO with errno or s->why, EVL_NOT_A_LOG, or EVL_CANCELLED. Unused
 * if no codec is built in. */
static int __attribute__((unused)) flush(struct unpacking *s, size_t n)
{
	if (s->first) {
		size_t taken = min_u64(n, s->room - s->done);
		memcpy(s->first + s->done, s->out, taken);
		s->done += taken;
		return s->done < s->room ? 0 : EVL_CANCELLED;
	}
	int result = admit(s, n);
	if (result < 0)
		return result;
	if (!write_all(s->fd, s->out, n))
		return EVL_IO;
	bool on = !s->watch || s->watch->tell(s->watch->ctx, s->at, s->len);
	return on ? 0 : EVL_CANCELLED;
}

/* --- codecs: 0, or what flush says, or EVL_NOMEM ------------------------------------------------------------------ */

#ifdef HAVE_ZLIB
#include <zlib.h>

/* gzip files may be concatenated; anything else after the end is padding. */
static bool another_member(const struct unpacking *s)
{
	return s->len - s->at >= 2 && s->in[s->at] == 0x1f && s->in[s->at + 1] == 0x8b;
}

static int unpack_gzip(struct unpacking *s)
{
	enum { GZIP_ONLY = 16, MOST = 1 << 30 };
	z_stream z = {0};
	bool more = true;
	int result = inflateInit2(&z, GZIP_ONLY + MAX_WBITS) == Z_OK ? 0 : EVL_NOMEM;
	while (result == 0 && more) {
		uInt offered = (uInt)min_u64(s->len - s->at, MOST);
		z.next_in = (Bytef *)(uintptr_t)(s->in + s->at);
		z.avail_in = offered;
		z.next_out = s->out;
		z.avail_out = OUT_BYTES;
		int status = inflate(&z, Z_NO_FLUSH);
		s->at += offered - z.avail_in;
		result = status == Z_MEM_ERROR ? EVL_NOMEM : flush(s, OUT_BYTES - z.avail_out);
		s->truncated = status != Z_OK && status != Z_STREAM_END;
		more = status == Z_OK || (status == Z_STREAM_END && another_member(s) && inflateReset(&z) == Z_OK);
	}
	inflateEnd(&z);
	return result;
}
#else
#define unpack_gzip NULL
#endif

#ifdef HAVE_ZSTD
#include <zstd.h>

static int unpack_zstd(struct unpacking *s)
{
	ZSTD_DCtx *d = ZSTD_createDCtx();
	ZSTD_inBuffer in = {s->in, s->len, 0};
	int result = d ? 0 : EVL_NOMEM;
	for (bool more = true; result == 0 && more;) {
		ZSTD_outBuffer out = {s->out, OUT_BYTES, 0};
		size_t hint = ZSTD_decompressStream(d, &out, &in); /* 0: a frame is complete */
		bool drained = in.pos == in.size && out.pos < out.size;
		s->at = in.pos;
		s->truncated = ZSTD_isError(hint) || (drained && hint != 0);
		more = !s->truncated && !(in.pos == in.size && hint == 0);
		result = flush(s, out.pos);
	}
	ZSTD_freeDCtx(d);
	return result;
}
#else
#define unpack_zstd NULL
#endif

#ifdef HAVE_LZMA
#include <lzma.h>

static int unpack_xz(struct unpacking *s)
{
	lzma_stream x = LZMA_STREAM_INIT;
	enum { MOST_MEMORY = 256 << 20 }; /* xz -9 makes what takes 65 MiB */
	lzma_ret status = lzma_stream_decoder(&x, MOST_MEMORY, LZMA_CONCATENATED);
	int result = status == LZMA_OK ? 0 : EVL_NOMEM;
	x.next_in = s->in;
	x.avail_in = s->len;
	while (result == 0 && status == LZMA_OK) {
		x.next_out = s->out;
		x.avail_out = OUT_BYTES;
		status = lzma_code(&x, LZMA_FINISH);
		s->at = s->len - x.avail_in;
		s->truncated = status != LZMA_OK && status != LZMA_STREAM_END;
		result = status == LZMA_MEM_ERROR ? EVL_NOMEM : flush(s, OUT_BYTES - x.avail_out);
	}
	lzma_end(&x);
	return result;
}
#else
#define unpack_xz NULL
#endif

static const struct codec {
	struct evl_str magic;
	int (*run)(struct unpacking *s); /* NULL: not built in */
} codecs[] = {
	{{(const uint8_t *)"\x1f\x8b", 2}, unpack_gzip},
	{{(const uint8_t *)"\x28\xb5\x2f\xfd", 4}, unpack_zstd},
	{{(const uint8_t *)"\xfd"
			   "7zXZ",
		 6},
		unpack_xz},
};

static const struct codec *codec_of(const uint8_t *data, uint64_t len)
{
	for (size_t i = 0; i < countof(codecs); i++)
		if (codecs[i].run && len >= codecs[i].magic.len
			&& memcmp(data, codecs[i].magic.p, codecs[i].magic.len) == 0)
			return &codecs[i];
	return NULL;
}

bool unpack_knows(const uint8_t *data, uint64_t len) { return codec_of(data, len) != NULL; }

/* --- the file ----------------------------------------------------------------------------------------------------- */

static int run_codec(struct unpacking *s, const struct codec *codec, const char *path, struct evl_err *err)
{
	int result = codec->run(s), why = errno;
	if (s->watch) /* it has ended, successfully or not, followed by any padding */
		s->watch->tell(s->watch->ctx, s->len, s->len);
	errno = why;
	if (s->why.code)
		return evl_fail(err, result, s->why.off, "%s: %s", path, s->why.text);
	if (result == EVL_IO)
		return evl_fail(err, result, EVL_NO_OFFSET, "%s: cannot be unpacked to %s: %s", path, anon_file_dir(),
			strerror(errno));
	if (result < 0)
		return evl_fail(err, result, EVL_NO_OFFSET, "%s: %s", path, evl_strerror(result));
	if (lseek(s->fd, 0, SEEK_END) == 0)
		return evl_fail(err, EVL_NOT_A_LOG, s->at, "%s: the compressed file is empty", path);
	return 0;
}

/* Unpack into the file and map that. */
static int replace(
	struct source *src, struct unpacking *s, const struct codec *codec, const char *path, struct evl_err *err)
{
	struct source unpacked;
	int result = run_codec(s, codec, path, err);
	if (result == 0)
		result = source_from_fd(&unpacked, s->fd, path, err);
	source_close(src);
	if (result < 0)
		return result;
	*src = unpacked;
	src->truncated = s->truncated;
	return 0;
}

int unpack(struct source *src, const char *path, const struct decompress_watch *watch, struct evl_err *err)
{
	const struct codec *codec = codec_of(src->data, src->len);
	if (!codec)
		return 0;
	struct unpacking s = {.in = src->data, .len = src->len, .watch = watch, .fd = anon_file_open()};
	s.out = s.fd < 0 ? NULL : malloc(OUT_BYTES);
	int result;
	if (s.out) {
		result = replace(src, &s, codec, path, err);
	} else {
		source_close(src);
		result = evl_fail(err, EVL_IO, EVL_NO_OFFSET, "%s: cannot be unpacked to %s: %s", path, anon_file_dir(),
			strerror(errno));
	}
	free(s.out);
	if (s.fd >= 0)
		close(s.fd);
	return result;
}

size_t unpack_head(const uint8_t *data, uint64_t len, uint8_t *out, size_t room)
{
	const struct codec *codec = codec_of(data, len);
	struct unpacking s = {.in = data, .len = len, .fd = -1, .first = out, .room = room};
	if (!codec || room == 0 || !(s.out = malloc(OUT_BYTES)))
		return 0;
	int result = codec->run(&s);
	free(s.out);
	return result == EVL_NOMEM ? 0 : (size_t)s.done;
}
