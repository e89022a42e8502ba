#include "state/bookmarks.h"

static bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

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

bool bookmarks_equal(const struct bookmarks *a, const struct bookmarks *b)
{
	return a->n_ranges == b->n_ranges && memcmp(a->t, b->t, sizeof a->t) == 0
		&& memcmp(a->set, b->set, sizeof a->set) == 0
		&& memcmp(a->ranges, b->ranges, (size_t)a->n_ranges * sizeof *a->ranges) == 0;
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

static uint64_t distance(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

char bookmarks_nearest(const struct bookmarks *b, uint64_t t)
{
	int best = -1;
	for (int i = 0; i < BOOKMARKS; i++)
		if (b->set[i] && (best < 0 || distance(b->t[i], t) < distance(b->t[best], t)))
			best = i;
	return best < 0 ? '\0' : (char)('a' + best);
}

/* --- ranges --- */

const struct named_range *bookmarks_range(const struct bookmarks *b, const char *name)
{
	for (int i = 0; i < b->n_ranges; i++)
		if (strcmp(b->ranges[i].name, name) == 0)
			return &b->ranges[i];
	return NULL;
}

static const char *why_no_name(const char *name)
{
	if (!*name)
		return "a range needs a name";
	if (strlen(name) >= RANGE_NAME)
		return "the name is too long";
	for (; *name; name++)
		if ((unsigned char)*name <= ' ' || *name == 0x7f)
			return "a name cannot contain blanks";
	return NULL;
}

const char *bookmarks_add_range(struct bookmarks *b, const char *name, uint64_t from, uint64_t to)
{
	const struct named_range *former = bookmarks_range(b, name);
	const char *why = why_no_name(name);
	if (why)
		return why;
	if (from >= to)
		return "the range is empty";
	if (!former && b->n_ranges == RANGES)
		return "too many ranges";
	struct named_range *range = &b->ranges[former ? former - b->ranges : b->n_ranges];
	*range = (struct named_range){.from = from, .to = to};
	memcpy(range->name, name, strlen(name) + 1);
	b->n_ranges += !former;
	return NULL;
}

void bookmarks_remove_range(struct bookmarks *b, const char *name)
{
	const struct named_range *range = bookmarks_range(b, name);
	if (!range)
		return;
	int i = (int)(range - b->ranges);
	memmove(&b->ranges[i], &b->ranges[i + 1], (size_t)(b->n_ranges - i - 1) * sizeof *b->ranges);
	b->n_ranges--;
}
