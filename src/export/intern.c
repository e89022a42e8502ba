/* intern.c - texts as numbers, in a hash table. */
#define HASH_NONFATAL_OOM              1
#define uthash_nonfatal_oom(not_added) ((not_added)->number = 0)
#include "export/intern.h"

#include <stdlib.h>
#include <uthash.h>

struct interned {
	UT_hash_handle hh;
	uint64_t number;
	char text[];
};

static struct interned *find(const struct interns *all, struct evl_str text)
{
	struct interned *found;
	HASH_FIND(hh, all->texts, text.len ? (const char *)text.p : "", text.len, found);
	return found;
}

uint64_t interns_find(const struct interns *all, struct evl_str text)
{
	const struct interned *found = find(all, text);
	return found ? found->number : 0;
}

uint64_t intern(struct interns *all, struct evl_str text, bool *is_new)
{
	struct interned *found = find(all, text);
	*is_new = !found;
	if (found)
		return found->number;
	found = malloc(sizeof *found + text.len);
	if (!found)
		return 0;
	if (text.len)
		memcpy(found->text, text.p, text.len);
	found->number = all->n + 1;
	HASH_ADD_KEYPTR(hh, all->texts, found->text, text.len, found);
	if (!found->number) {
		free(found);
		return 0;
	}
	return ++all->n;
}

void interns_free(struct interns *all)
{
	struct interned *i, *next = all->texts;
	HASH_CLEAR(hh, all->texts);
	for (; (i = next); free(i))
		next = i->hh.next;
	*all = (struct interns){0};
}
