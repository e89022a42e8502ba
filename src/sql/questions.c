#include "sql/questions.h"

#include "base/order.h"
#include "sys/retry.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static const struct question bundled[] = {
#define QUESTION(name, text) {name, "", text},
#include "sql/questions.inc"
#undef QUESTION
};

bool questions_is_name(const char *text)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	return *text && !text[strspn(text, allowed)];
}

/* Take over what was allocated; NULL with it freed where there is no memory to keep it. */
static char *keep(struct questions *q, char *text)
{
	char **more = text ? realloc(q->kept, (q->n_kept + 1) * sizeof *more) : NULL;
	if (!more) {
		free(text);
		return NULL;
	}
	q->kept = more;
	return q->kept[q->n_kept++] = text;
}

/* The text of the comment on the first line. */
static int set_about(struct questions *q, struct question *item)
{
	const char *p = item->text;
	item->about = "";
	if (p[0] != '-' || p[1] != '-')
		return 0;
	p += 2 + strspn(p + 2, " \t");
	return (item->about = keep(q, strndup(p, strcspn(p, "\r\n")))) ? 0 : EVL_NOMEM;
}

static int put(struct questions *q, const struct question *item)
{
	struct question *had = (struct question *)questions_find(q, item->name);
	if (!had) {
		struct question *more = realloc(q->items, (q->n + 1) * sizeof *more);
		if (!more)
			return EVL_NOMEM;
		q->items = more;
		had = &q->items[q->n++];
	}
	*had = *item;
	return set_about(q, had);
}

/* The whole file, NUL-terminated; NULL: it cannot be had, is too large, or is no text. */
static char *read_file(int dir, const char *name)
{
	enum { MOST = 64 << 10 };
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char *text = fd >= 0 ? malloc(MOST + 1) : NULL;
	size_t len = 0;
	ssize_t got = text ? 1 : -1;
	while (got > 0 && len <= MOST && (got = read_again(fd, text + len, MOST + 1 - len)) > 0)
		len += (size_t)got;
	if (fd >= 0)
		close(fd);
	if (got < 0 || len > MOST || memchr(text, 0, len)) {
		free(text);
		return NULL;
	}
	text[len] = '\0';
	return text;
}

static int put_file(struct questions *q, int dir, const char *file)
{
	size_t len = strlen(file);
	if (len < 5 || strcmp(file + len - 4, ".sql") != 0)
		return 0;
	char *name = strndup(file, len - 4), *text = name && questions_is_name(name) ? read_file(dir, file) : NULL;
	if (name && !text) {
		free(name);
		return 0;
	}
	name = keep(q, name);
	text = keep(q, text);
	return name && text ? put(q, &(struct question){.name = name, .text = text}) : EVL_NOMEM;
}

static int put_folder(struct questions *q, const char *folder)
{
	enum { MOST = 1000 };
	DIR *dir = opendir(folder);
	int result = 0;
	for (const struct dirent *entry; dir && result == 0 && q->n < MOST && (entry = readdir(dir));)
		result = put_file(q, dirfd(dir), entry->d_name);
	if (dir)
		closedir(dir);
	return result;
}

COMPARE_BY(by_name, struct question, strcmp(x->name, y->name));

int questions_open(struct questions *q, const char *folder)
{
	int result = 0;
	*q = (struct questions){0};
	for (size_t i = 0; i < countof(bundled) && result == 0; i++)
		result = put(q, &bundled[i]);
	if (result == 0 && folder)
		result = put_folder(q, folder);
	if (q->n)
		qsort(q->items, q->n, sizeof *q->items, by_name);
	return result;
}

void questions_free(struct questions *q)
{
	for (size_t i = 0; i < q->n_kept; i++)
		free(q->kept[i]);
	free_all(q->kept, q->items);
	*q = (struct questions){0};
}

const struct question *questions_find(const struct questions *q, const char *name)
{
	for (size_t i = 0; i < q->n; i++)
		if (strcmp(q->items[i].name, name) == 0)
			return &q->items[i];
	return NULL;
}
