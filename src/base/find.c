#include "base/find.h"

void *find_bytes(const void *bytes, size_t len, const void *what, size_t n)
{
	const uint8_t *p = bytes, *w = what;
	if (len < n)
		return NULL;
	for (const uint8_t *end = p + (len - n) + 1; p < end && (p = memchr(p, w[0], (size_t)(end - p))); p++)
		if (n == 1 || memcmp(p + 1, w + 1, n - 1) == 0)
			return (void *)(uintptr_t)p;
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

bool find_folded(const char *text, const char *word)
{
	for (; *text || !*word; text++) {
		size_t n = 0;
		while (word[n] && lower(text[n]) == lower(word[n]))
			n++;
		if (!word[n])
			return true;
	}
	return false;
}
