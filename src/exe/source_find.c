#include "exe/source_find.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* DIR/PATH, if it is a regular file. */
static bool try_in(const char *dir, size_t dir_len, const char *path, char *out)
{
	char joined[2 * SOURCE_PATH], *real;
	struct stat st;
	int n = snprintf(joined, sizeof joined, "%.*s%s%s", (int)dir_len, dir, dir_len ? "/" : "", path);
	if (n < 0 || n >= (int)sizeof joined || !(real = realpath(joined, NULL)))
		return false;
	bool good = strlen(real) < SOURCE_PATH && stat(real, &st) == 0 && S_ISREG(st.st_mode);
	if (good)
		memcpy(out, real, strlen(real) + 1);
	free(real);
	return good;
}

/* In the directory of a file, and in each above it. */
static bool try_above(const char *file, const char *path, char *out)
{
	char *real = file ? realpath(file, NULL) : NULL;
	bool found = false;
	for (char *slash; !found && real && *path != '/' && (slash = strrchr(real, '/'));) {
		*slash = 0;
		found = try_in(slash == real ? "/" : real, slash == real ? 1 : (size_t)(slash - real), path, out);
	}
	free(real);
	return found;
}

/* Under the path, then under what is left of it without its first directories: where the tree begins elsewhere. */
static bool try_ends(const char *dir, const char *path, char *out)
{
	for (; path; path = strchr(path, '/')) {
		path += strspn(path, "/");
		if (*path && try_in(dir, strlen(dir), path, out))
			return true;
	}
	return false;
}

bool source_find(struct evl_str path, const struct source_places *places, char *out)
{
	char text[SOURCE_PATH];
	if (path.len == 0 || path.len >= sizeof text || memchr(path.p, 0, path.len))
		return false;
	memcpy(text, path.p, path.len);
	text[path.len] = 0;
	return (places->dir && *places->dir && try_ends(places->dir, text, out)) || try_in("", 0, text, out)
		|| try_above(places->exe, text, out) || try_above(places->log, text, out);
}
