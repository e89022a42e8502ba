#include "bookmarks.h"

static bool is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

bool bookmarks_set(struct bookmarks *b, char letter, uint64_t t)
{
	if (!is_letter(letter))
		return false;
	b->t[letter - 'a'] = t;
	b->set[letter - 'a'] = true;
	return true;
}

bool bookmarks_get(const struct bookmarks *b, char letter, uint64_t *t)
{
	if (!is_letter(letter) || !b->set[letter - 'a'])
		return false;
	*t = b->t[letter - 'a'];
	return true;
}

void bookmarks_remove(struct bookmarks *b, char letter)
{
	if (is_letter(letter))
		b->set[letter - 'a'] = false;
}

int bookmarks_letters(const struct bookmarks *b, char *out)
{
	int n = 0;
	for (int i = 0; i < BOOKMARKS; i++)
		if (b->set[i])
			out[n++] = (char)('a' + i);
	out[n] = '\0';
	return n;
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

char bookmarks_nearest(const struct bookmarks *b, uint64_t t)
{
	int best = -1;
	for (int i = 0; i < BOOKMARKS; i++)
		if (b->set[i] && (best < 0 || distance(b->t[i], t) < distance(b->t[best], t)))
			best = i;
	return best < 0 ? '\0' : (char)('a' + best);
}
