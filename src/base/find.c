#include "base/find.h"

void *find_bytes(const void *bytes, size_t len, const void *what, size_t n)
{
	const uint8_t *p = bytes, *w = what;
	if (len < n)
		return NULL;
	for (const uint8_t *last = p + n - 1; (last = memchr(last, w[n - 1], (size_t)(p + len - last))); last++)
		if (memcmp(last - (n - 1), w, n - 1) == 0)
			return (void *)(uintptr_t)(last - (n - 1));
	return NULL;
}

void *find_last_byte(const void *bytes, int byte, size_t len)
{
	const uint8_t *p = bytes;
	while (len > 0)
		if (p[--len] == byte)
			return (void *)(uintptr_t)(p + len);
	return NULL;
}

bool find_word(struct evl_str bytes, const char *word)
{
	return bytes.len && find_bytes(bytes.p, bytes.len, word, strlen(word)) != NULL;
}

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; }

static bool is_letter(char c) { return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9'); }

bool find_start(const char *text, const char *start)
{
	for (bool inside = false; *text || !*start; inside = is_letter(*text++)) {
		size_t n = 0;
		while (start[n] && lower(text[n]) == lower(start[n]))
			n++;
		if (!start[n] && !(inside && is_letter(*start)))
			return true;
	}
	return false;
}
