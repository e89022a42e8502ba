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

static bool is_letter(char c) { return (lower_case(c) >= 'a' && lower_case(c) <= 'z') || is_digit(c); }

bool find_start(const char *text, const char *start)
{
	for (bool inside = false; *text || !*start; inside = is_letter(*text++)) {
		size_t n = 0;
		while (start[n] && lower_case(text[n]) == lower_case(start[n]))
			n++;
		if (!start[n] && !(inside && is_letter(*start)))
			return true;
	}
	return false;
}
