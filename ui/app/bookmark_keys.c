#include "app/bookmark_keys.h"

#include "panes/timeline/selection_keys.h"

#include <stdio.h>

void bookmark_keys_load(struct bookmark_keys *k, struct pane_host *h)
{
	pane_refuse(h, bookmarks_load(&k->file, h->log, &h->model.marks));
}

static void keep(const struct bookmark_keys *k, struct pane_host *h, const char *done)
{
	char text[PANE_MESSAGE];
	const char *why = bookmarks_save(&k->file, &h->model.marks);
	snprintf(text, sizeof text, "%s%s%s", done, why ? ", but not kept: " : "", why ? why : "");
	pane_say(h, why != NULL, "%s", text);
}

static void set(const struct bookmark_keys *k, struct pane_host *h, char letter)
{
	char text[32];
	if (!h->model.ranged || !bookmarks_set(&h->model.marks, letter, h->model.at.cursor)) {
		pane_say(h, true, "there are no events");
		return;
	}
	snprintf(text, sizeof text, "mark %c is set", letter);
	keep(k, h, text);
}

static void go_to(struct pane_host *h, char letter)
{
	uint64_t t;
	if (bookmarks_get(&h->model.marks, letter, &t))
		model_goto(&h->model, t, h->now_ms);
	else
		pane_say(h, true, "mark %c is not set (m%c sets it)", letter, letter);
}

static bool any(const struct bookmarks *b) { return bookmarks_nearest(b, 0) || b->n_ranges; }

static void list(struct bookmark_keys *k, struct pane_host *h)
{
	k->list = (struct bookmark_list){.open = any(&h->model.marks)};
	if (!k->list.open)
		pane_say(h, true, "no marks yet (m and a letter sets one; :range NAME saves a range)");
}

void bookmark_keys_act(struct bookmark_keys *k, struct pane_host *h, enum action action, char letter)
{
	switch (action) {
	case ACT_MARK: set(k, h, letter); break;
	case ACT_TO_MARK: go_to(h, letter); break;
	default: list(k, h);
	}
}

void bookmark_keys_select(struct model *m, const struct named_range *range, int64_t now_ms)
{
	uint64_t from = range->from, to = range->to;
	if (from < m->at.t0 || to > m->at.t1)
		select_fit(m, from, to, now_ms);
	model_goto(m, from, now_ms);
	selection_set(&m->selection, from, to);
}

static void remove_choice(struct bookmark_keys *k, struct pane_host *h, const struct marks_choice *choice)
{
	char text[PANE_MESSAGE];
	if (choice->letter) {
		snprintf(text, sizeof text, "mark %c is removed", choice->letter);
		bookmarks_remove(&h->model.marks, choice->letter);
	} else {
		snprintf(text, sizeof text, "range %s is removed", choice->range->name);
		bookmarks_remove_range(&h->model.marks, choice->range->name);
	}
	k->list.open = any(&h->model.marks);
	keep(k, h, text);
}

void bookmark_keys_list(struct bookmark_keys *k, struct pane_host *h, const char *key)
{
	struct marks_choice choice = marks_view_key(&k->list, &h->model.marks, key);
	if (choice.what == MARKS_REMOVE)
		remove_choice(k, h, &choice);
	else if (choice.what == MARKS_GO && choice.letter)
		go_to(h, choice.letter);
	else if (choice.what == MARKS_GO)
		bookmark_keys_select(&h->model, choice.range, h->now_ms);
}
