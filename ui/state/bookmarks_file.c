#include "state/bookmarks_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum { FILE_ROOM = 16384 };

static const char magic[] = "evtui marks 1\n";

static uint64_t hash(uint64_t h, const void *bytes, size_t len)
{
	const uint8_t *p = bytes;
	for (size_t i = 0; i < len; i++)
		h = (h ^ p[i]) * 0x100000001b3u; /* FNV-1a */
	return h;
}

static bool identify(struct bookmarks_file *f, const struct evl_log *log)
{
	struct stat st;
	char name[64];
	const uint64_t basis = 0xcbf29ce484222325u;
	if (stat(log->path, &st) || !S_ISREG(st.st_mode))
		return false;
	uint64_t header = hash(basis, log->source.data, (size_t)min_u64(log->header.data_off, log->source.len));
	snprintf(f->identity, sizeof f->identity, "log %ju %ju %jd %016" PRIx64 "\n", (uintmax_t)st.st_dev,
		(uintmax_t)st.st_ino, (intmax_t)st.st_size, header);
	snprintf(name, sizeof name, "marks-%016" PRIx64, hash(basis, f->identity, strlen(f->identity)));
	return state_path(f->path, name);
}

static bool skip(const char **p, const char *text)
{
	size_t len = strlen(text);
	bool there = strncmp(*p, text, len) == 0;
	*p += there ? len : 0;
	return there;
}

/* " 123456" */
static bool take_time(const char **p, uint64_t *t)
{
	char *end;
	if ((*p)[0] != ' ' || (*p)[1] < '0' || (*p)[1] > '9')
		return false;
	errno = 0;
	*t = strtoull(*p + 1, &end, 10);
	*p = end;
	return errno == 0;
}

/* "a 123456\n" */
static bool take_mark(const char **p, struct bookmarks *out)
{
	char letter = *(*p)++;
	uint64_t t;
	return take_time(p, &t) && skip(p, "\n") && bookmarks_set(out, letter, t);
}

/* "range 123 456 NAME\n" */
static bool take_range(const char **p, struct bookmarks *out)
{
	char name[RANGE_NAME];
	uint64_t from, to;
	if (!take_time(p, &from) || !take_time(p, &to) || !skip(p, " "))
		return false;
	size_t len = strcspn(*p, "\n");
	if (len >= sizeof name)
		return false;
	memcpy(name, *p, len);
	name[len] = '\0';
	*p += len;
	return skip(p, "\n") && !bookmarks_range(out, name) && !bookmarks_add_range(out, name, from, to);
}

bool bookmarks_parse(const char *text, const char *identity, struct bookmarks *out)
{
	const char *p = text;
	*out = (struct bookmarks){0};
	bool good = skip(&p, magic) && skip(&p, identity);
	while (good && *p)
		good = skip(&p, "range") ? take_range(&p, out) : take_mark(&p, out);
	if (!good)
		*out = (struct bookmarks){0};
	return good;
}

const char *bookmarks_load(struct bookmarks_file *f, const struct evl_log *log, struct bookmarks *out)
{
	char text[FILE_ROOM];
	*f = (struct bookmarks_file){0};
	*out = (struct bookmarks){0};
	if (!identify(f, log)) {
		f->path[0] = '\0';
		return NULL;
	}
	int64_t n = state_read(f->path, text, sizeof text);
	if (n < 0)
		return errno == ENOENT || errno == ENOTDIR ? NULL : "the marks of this log cannot be read";
	if ((size_t)n == strlen(text) && bookmarks_parse(text, f->identity, out))
		return NULL;
	return "the file with the marks of this log is damaged; it is ignored";
}

const char *bookmarks_save(const struct bookmarks_file *f, const struct bookmarks *b)
{
	char text[FILE_ROOM], letters[BOOKMARKS + 1];
	if (!f->path[0])
		return "there is no folder to save it in";
	int used = snprintf(text, sizeof text, "%s%s", magic, f->identity), n = bookmarks_letters(b, letters);
	for (int i = 0; i < n; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "%c %" PRIu64 "\n", letters[i],
			b->t[letters[i] - 'a']);
	for (int i = 0; i < b->n_ranges; i++)
		used += snprintf(text + used, sizeof text - (size_t)used, "range %" PRIu64 " %" PRIu64 " %s\n",
			b->ranges[i].from, b->ranges[i].to, b->ranges[i].name);
	return state_write(f->path, text, (size_t)used) == 0 ? NULL : strerror(errno);
}
