/* The list of all lanes: order, scrolling, what the user does to it; the filter's language; lists of threads and the
 * job that makes them. */
#include "lanes/lane_threads.h"
#include "lanes/lanes.h"
#include "lanes/lanes_edit.h"
#include "lanes/lanes_private.h"
#include "logs.h"
#include "threads/lane_filter.h"

#include <stdio.h>

enum { THREADS = 200 };

/* A log of n capabilities. Threads 1 … THREADS are created on cap 0; those with odd ids are worker-ID. Thread i runs
 * i us from i ms on, then finishes. */
static struct built many(unsigned n_caps)
{
	struct built b = log_begin();
	block_begin(&b, 0, 500);
	for (unsigned i = 1; i <= THREADS; i++) {
		char label[32];
		snprintf(label, sizeof label, "worker-%u", i);
		put(&b, 500 + i, EVL_CREATE_THREAD, "4", i);
		if (i % 2)
			put(&b, 500 + i, EVL_THREAD_LABEL, "4s", i, label);
	}
	for (unsigned i = 1; i <= THREADS; i++) {
		put_run(&b, i * 1000000, i);
		put_stop(&b, i * 1000000 + i * 1000, i, 5);
	}
	block_end(&b, 300000000);
	for (unsigned cap = 1; cap < n_caps; cap++) {
		block_begin(&b, (uint16_t)cap, 600);
		put(&b, 700, EVL_USER_MSG, "s", "x");
		block_end(&b, 300000000);
	}
	log_end(&b);
	return b;
}

static bool all(void *ctx, const struct lane *lane)
{
	(void)ctx;
	(void)lane;
	return true;
}

static const struct lane_place at = {.rows = 24};

struct fixture {
	struct built bytes;
	struct evl_log *log;
	struct lanes l;
};

/* A list with a separate base. */
static void list_threads(struct fixture *f, const struct thread_list_ask *ask, const struct thread_shares *sums)
{
	struct thread_choice choice = thread_choice(f->log, ask, sums);
	struct thread_base *base = thread_order_new(&choice, NULL);
	assert_non_null(base);
	thread_list_free(&f->l.threads);
	assert_int_equal(thread_list_make(&f->l.threads, base, &choice, sums), 0);
	thread_order_drop(base);
	filter_free(&choice.filter);
}

static void make_list(struct fixture *f)
{
	struct thread_list_ask ask;
	lanes_fill_ask(&f->l, &ask);
	ask.t1 = 300000000;
	ask.whole = true;
	list_threads(f, &ask, NULL);
}

static struct fixture begin(unsigned n_caps)
{
	struct fixture f = {.bytes = many(n_caps)};
	f.log = walked(&f.bytes);
	lanes_init(&f.l, f.log, lane_kinds);
	f.l.ask.patterns = false; /* no groups but those that are asked for */
	make_list(&f);
	assert_true(lanes_compose(&f.l, &at, true, all, NULL));
	return f;
}

static void end(struct fixture *f)
{
	lanes_free(&f->l);
	done(f->log, &f->bytes);
}

static void check(struct lane lane, const struct lane_ops *ops, uint32_t index)
{
	assert_ptr_equal(lane.ops, ops);
	assert_int_equal(lane.index, index);
}

static size_t position(const struct lanes *l, const struct lane_ops *ops, uint32_t index)
{
	for (size_t i = 0; i < lanes_count(l); i++)
		if (lanes_at(l, i).ops == ops && lanes_at(l, i).index == index)
			return i;
	return SIZE_MAX;
}

/* --- order and positions --- */

static void order_of_lanes(void **state)
{
	(void)state;
	struct fixture f = begin(4);
	check(lanes_at(&f.l, 0), &lane_markers, 0);
	check(*lanes_selected(&f.l), &lane_cap, 0);
	size_t caps = position(&f.l, &lane_cap, 0), header = position(&f.l, &lane_threads, 0);
	assert_int_equal(caps, f.l.n_top);
	check(lanes_at(&f.l, caps + 3), &lane_cap, 3);
	check(lanes_at(&f.l, header + 1), &lane_thread, THREADS); /* ran most */
	check(lanes_at(&f.l, header + THREADS), &lane_thread, 1);
	assert_int_equal(lanes_count(&f.l), header + 1 + THREADS);
	assert_null(lanes_at(&f.l, lanes_count(&f.l)).ops);
	end(&f);
}

/* --- more threads than are listed --- */

static const struct thread_part *part_of(const struct thread_base *b) { return &b->parts[PART_REST]; }

/* The first `most` of the order are listed, the rest counted; what does something in the window is there all the same. */
static void the_list_has_a_ceiling(void **state)
{
	enum { LISTED = 20 };
	(void)state;
	struct fixture f = begin(1);
	struct thread_sum active = {.thread = 7, .run_ns = 5};
	struct thread_shares sums = {.sums = &active, .n_sums = 1};
	for (enum thread_order order = ORDER_RUN; order < ORDERS; order++) {
		struct thread_list_ask ask;
		struct thread_list list;
		size_t part, place;
		lanes_fill_ask(&f.l, &ask);
		ask.order = order;
		snprintf(ask.filter, sizeof ask.filter, "%s", "worker");
		struct thread_choice choice = thread_choice(f.log, &ask, true), unbound = choice;
		assert_int_equal(choice.most, THREADS_LISTED);
		choice.most = LISTED;
		struct thread_base *base = thread_order_new(&choice, NULL), *whole = thread_order_new(&unbound, NULL);
		assert_int_equal(part_of(whole)->n, THREADS / 2);
		assert_int_equal(part_of(whole)->more, 0);
		assert_int_equal(base->all, THREADS);
		assert_int_equal(part_of(base)->n, LISTED);
		assert_int_equal(part_of(base)->more, THREADS / 2 - LISTED);
		for (uint32_t i = 0; i < THREADS / 2; i++) {
			assert_int_equal(thread_order_rank(whole, PART_REST, part_of(whole)->ids[i]), i);
			assert_int_equal(thread_order_rank(base, PART_REST, part_of(whole)->ids[i]),
				i < LISTED ? i : THREAD_UNLISTED);
		}
		assert_memory_equal(part_of(base)->ids, part_of(whole)->ids, LISTED * sizeof(uint32_t));
		assert_int_equal(thread_list_make(&list, base, &choice, &sums), 0);
		assert_true(thread_list_find(&list, 7, &part, &place));
		assert_int_equal(thread_list_at(&list, part, place), 7);
		assert_int_equal(list.n, LISTED + (thread_order_rank(base, PART_REST, 7) == THREAD_UNLISTED));
		thread_list_free(&list);
		thread_order_drop(base);
		thread_order_drop(whole);
		filter_free(&choice.filter);
	}
	end(&f);
}

static void moving_stays_in_the_list(void **state)
{
	(void)state;
	struct fixture f = begin(2);
	lanes_move(&f.l, -1000000);
	assert_int_equal(f.l.position, 0);
	lanes_move(&f.l, INT32_MAX);
	check(*lanes_selected(&f.l), &lane_thread, 1);
	lanes_move(&f.l, 1);
	check(*lanes_selected(&f.l), &lane_thread, 1);
	assert_true(lanes_select(&f.l, &lane_thread, 77));
	check(*lanes_selected(&f.l), &lane_thread, 77);
	assert_false(lanes_select(&f.l, &lane_thread, THREADS + 1));
	check(*lanes_selected(&f.l), &lane_thread, 77);
	end(&f);
}

/* --- the screen --- */

static void check_layout(struct lanes *l, int y, int rows)
{
	struct placed_lane placed[256];
	size_t n = lanes_layout(l, y, y + rows, placed, countof(placed));
	bool seen = false;
	int used = y;
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(placed[i].y, used);
		assert_true(placed[i].lane.rows >= 1);
		assert_true(i == 0 || placed[i].position > placed[i - 1].position);
		used += placed[i].lane.rows;
		seen = seen || placed[i].position == l->position;
	}
	assert_true(used <= y + rows);
	assert_true(seen || rows < 2);
	assert_true(used == y + rows || placed[n - 1].position == lanes_count(l) - 1);
}

static void the_selected_lane_is_on_the_screen(void **state)
{
	(void)state;
	struct fixture f = begin(6);
	int64_t steps[] = {1, 7, -3, 60, 1000, -1, -20, -1000, 90};
	for (int rows = 2; rows < 70; rows++)
		for (size_t i = 0; i < countof(steps); i++) {
			lanes_move(&f.l, steps[i]);
			check_layout(&f.l, 5, rows);
		}
	end(&f);
}

/* The first lane does not scroll: to go there shows the first of the others again; to select it by a click does not. */
static void the_first_lane_is_above_all(void **state)
{
	(void)state;
	struct fixture f = begin(2);
	struct placed_lane placed[24];
	lanes_move(&f.l, 1000);
	lanes_layout(&f.l, 3, 15, placed, countof(placed));
	size_t scrolled = f.l.shown_first;
	assert_true(scrolled > f.l.n_top);
	lanes_select(&f.l, &lane_gc, 0);
	lanes_layout(&f.l, 3, 15, placed, countof(placed));
	assert_int_equal(f.l.shown_first, scrolled);
	lanes_move(&f.l, -1000);
	lanes_layout(&f.l, 3, 15, placed, countof(placed));
	assert_int_equal(f.l.shown_first, f.l.n_top);
	end(&f);
}

static void many_pins_leave_room_to_scroll(void **state)
{
	(void)state;
	struct fixture f = begin(2);
	for (uint32_t i = 1; i <= 40; i++) {
		assert_true(lanes_select(&f.l, &lane_thread, i));
		assert_null(lanes_pin(&f.l));
		assert_true(lanes_compose(&f.l, &at, true, all, NULL));
	}
	lanes_move(&f.l, 1000000);
	for (int rows = 2; rows < 40; rows++)
		check_layout(&f.l, 0, rows);
	end(&f);
}

/* --- what the user does --- */

static void pin_hide_and_show(void **state)
{
	(void)state;
	struct fixture f = begin(4);
	assert_non_null(lanes_only_pinned(&f.l)); /* nothing is */
	lanes_select(&f.l, &lane_cap, 2);
	assert_null(lanes_pin(&f.l));
	lanes_select(&f.l, &lane_thread, 50);
	assert_null(lanes_pin(&f.l));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_true(position(&f.l, &lane_cap, 2) < f.l.n_top);
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 50);
	make_list(&f); /* and it is not in the list a second time */
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(f.l.threads.n, THREADS - 1);
	check(*lanes_selected(&f.l), &lane_thread, 50);
	assert_null(lanes_only_pinned(&f.l));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(lanes_count(&f.l), f.l.n_top);
	assert_null(lanes_only_pinned(&f.l));
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_select(&f.l, &lane_cap, 1);
	assert_null(lanes_hide(&f.l));
	lanes_select(&f.l, &lane_thread, 60);
	assert_null(lanes_hide(&f.l));
	make_list(&f);
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(position(&f.l, &lane_cap, 1), SIZE_MAX);
	assert_int_equal(position(&f.l, &lane_thread, 60), SIZE_MAX);
	assert_null(lanes_show_all(&f.l));
	make_list(&f);
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_true(position(&f.l, &lane_cap, 1) < SIZE_MAX);
	assert_true(position(&f.l, &lane_thread, 60) < SIZE_MAX);
	end(&f);
}

static void brought_threads_are_at_the_top(void **state)
{
	(void)state;
	struct fixture f = begin(4);
	struct placed_lane placed[24];
	struct model_place was = {0};
	lanes_select(&f.l, &lane_thread, 70);
	assert_null(lanes_pin(&f.l));
	lanes_select(&f.l, &lane_thread, 40);
	assert_null(lanes_hide(&f.l));
	lanes_move(&f.l, 1000); /* far down, where the first lane that scrolls is no capability */
	make_list(&f);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	const struct lane selected = *lanes_selected(&f.l);
	const size_t first = f.l.shown_first;
	lanes_note(&f.l, &was);
	lanes_bring(&f.l, (const uint32_t[]){50, 70, 40}, 3);
	check(*lanes_selected(&f.l), &lane_thread, 50);
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(
		f.l.threads.n, THREADS - 2); /* they are in the list, too, without the pinned and the hidden one */
	check(*lanes_selected(&f.l), &lane_thread, 50);
	check(lanes_at(&f.l, f.l.n_top - 3), &lane_thread, 70);
	check(lanes_at(&f.l, f.l.n_top - 2), &lane_thread, 50);
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 40);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	check(placed[f.l.n_top].lane, &lane_cap, 0);
	lanes_bring(&f.l, NULL, 0);
	lanes_restore(&f.l, &was);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	check(*lanes_selected(&f.l), &lane_thread, selected.index);
	assert_int_equal(f.l.shown_first, first);
	assert_int_equal(position(&f.l, &lane_thread, 40), SIZE_MAX); /* hidden again */
	lanes_bring(&f.l, (const uint32_t[]){60, 30}, 2);
	assert_null(lanes_pin(&f.l)); /* one of them, which stays, once */
	make_list(&f);
	lanes_compose(&f.l, &at, true, all, NULL);
	check(lanes_at(&f.l, f.l.n_top - 3), &lane_thread, 70);
	check(lanes_at(&f.l, f.l.n_top - 2), &lane_thread, 60);
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 30);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	lanes_select(&f.l, &lane_thread, 30); /* its place in the list is off the screen: capabilities stay on it */
	lanes_show_first(&f.l);
	lanes_compose(&f.l, &at, true, all, NULL);
	check(*lanes_selected(&f.l), &lane_cap, 0);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	check(placed[f.l.n_top].lane, &lane_cap, 0);
	end(&f);
}

/* A brought thread whose place in the list is on the screen stays selected, and lanes that were scrolled stay where they are. */
static void brought_threads_go_back(void **state)
{
	(void)state;
	struct fixture f = begin(4);
	struct placed_lane placed[40];
	lanes_layout(&f.l, 0, 40, placed, countof(placed));
	const struct lane seen = placed[35].lane;
	assert_ptr_equal(seen.ops, &lane_thread);
	lanes_bring(&f.l, &seen.index, 1);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 40, placed, countof(placed));
	lanes_bring(&f.l, NULL, 0);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 40, placed, countof(placed));
	check(*lanes_selected(&f.l), &lane_thread, seen.index);
	check(placed[f.l.n_top].lane, &lane_cap, 0);
	lanes_bring(&f.l, (const uint32_t[]){90, 91, 92}, 3);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	lanes_move(&f.l, 30);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	const struct lane first = placed[f.l.n_top].lane;
	lanes_bring(&f.l, NULL, 0);
	lanes_compose(&f.l, &at, true, all, NULL);
	lanes_layout(&f.l, 0, 20, placed, countof(placed));
	check(placed[f.l.n_top].lane, first.ops, first.index);
	end(&f);
}

static void lanes_move_and_grow(void **state)
{
	(void)state;
	struct fixture f = begin(4);
	lanes_select(&f.l, &lane_cap, 1);
	assert_null(lanes_shift(&f.l, 1));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(position(&f.l, &lane_cap, 2) + 1, position(&f.l, &lane_cap, 1));
	check(*lanes_selected(&f.l), &lane_cap, 1);
	assert_null(lanes_grow(&f.l, 1));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(lanes_at(&f.l, position(&f.l, &lane_cap, 1)).rows, 2);
	assert_null(lanes_grow(&f.l, -1));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_non_null(lanes_grow(&f.l, -1));
	lanes_select(&f.l, &lane_thread, 9);
	assert_non_null(lanes_shift(&f.l, 1)); /* sorted */
	assert_null(lanes_grow(&f.l, 1));
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(lanes_selected(&f.l)->rows, 2);
	lanes_select(&f.l, &lane_markers, 0);
	assert_non_null(lanes_pin(&f.l));
	end(&f);
}

static void renew(struct fixture *f)
{
	make_list(f);
	assert_true(lanes_compose(&f->l, &at, true, all, NULL));
}

/* The threads under the header in their order, as positions give them; each is found where it is. */
static size_t listed(const struct fixture *f, struct lane *out)
{
	size_t n = 0, from = position(&f->l, &lane_threads, 0) + 1;
	for (size_t i = from; i < lanes_count(&f->l); i++) {
		struct lanes copy = f->l;
		out[n] = lanes_at(&f->l, i);
		assert_non_null(out[n].ops);
		assert_true(lanes_select(&copy, out[n].ops, out[n].index));
		assert_int_equal(copy.position, i);
		n++;
	}
	return n;
}

static void groups_are_made_opened_and_dissolved(void **state)
{
	(void)state;
	struct fixture f = begin(2);
	struct lane got[THREADS + 4];
	size_t all_of;
	lanes_select(&f.l, &lane_thread, 5);
	assert_non_null(lanes_expand(&f.l)); /* Enter goes into a thread instead */
	assert_null(lanes_regroup(&f.l));
	renew(&f);
	check(*lanes_selected(&f.l), &lane_group, 0);
	assert_string_equal(f.l.ask.folds[0], "worker-#");
	assert_int_equal(lanes_group_size(&f.l, 0, &all_of), THREADS / 2);
	assert_int_equal(all_of, THREADS / 2);
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	check(got[0], &lane_group, 0); /* together its threads ran longest */
	check(got[1], &lane_thread, THREADS);
	assert_null(lanes_expand(&f.l));
	assert_int_equal(listed(&f, got), 1 + THREADS);
	for (uint32_t i = 0; i < THREADS / 2; i++) { /* its threads follow it, then all others */
		check(got[1 + i], &lane_thread, THREADS - 1 - 2 * i);
		check(got[1 + THREADS / 2 + i], &lane_thread, THREADS - 2 * i);
	}
	lanes_select(&f.l, &lane_thread, 77); /* R on one of them closes the group */
	assert_null(lanes_regroup(&f.l));
	check(*lanes_selected(&f.l), &lane_group, 0);
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	assert_true(lanes_select(&f.l, &lane_thread, 77)); /* a jump to it brings it to the top */
	assert_false(lanes_group_is_open(&f.l, 0));
	check(*lanes_selected(&f.l), &lane_thread, 77);
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 77);
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	assert_true(lanes_select(&f.l, &lane_thread, 75)); /* another one takes its place */
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 75);
	assert_int_equal(f.l.n_brought, 1);
	lanes_show_first(&f.l);
	check(*lanes_selected(&f.l), &lane_group, 0);
	lanes_select(&f.l, &lane_group, 0); /* all of the group, and none */
	assert_null(lanes_expand(&f.l));
	assert_int_equal(listed(&f, got), 1 + THREADS);
	assert_null(lanes_expand(&f.l));
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	lanes_select(&f.l, &lane_thread, 6); /* has no label: those without are a group too */
	assert_null(lanes_regroup(&f.l));
	renew(&f);
	assert_int_equal(listed(&f, got), 2);
	lanes_select(&f.l, &lane_group, 0);
	assert_null(lanes_regroup(&f.l));
	renew(&f);
	assert_int_equal(f.l.ask.n_folds, 1);
	assert_string_equal(f.l.ask.folds[0], "");
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	lanes_add_group(&f.l, "worker-#"); /* dissolved: it does not come back by itself */
	assert_int_equal(f.l.ask.n_folds, 1);
	lanes_select(&f.l, &lane_threads, 0);
	assert_null(lanes_expand(&f.l)); /* the whole list is closed */
	lanes_compose(&f.l, &at, true, all, NULL);
	assert_int_equal(lanes_count(&f.l), position(&f.l, &lane_threads, 0) + 1);
	end(&f);
}

/* A filter opens the groups of which it keeps a part, and shows none of those of which it keeps nothing. */
static void a_filter_finds_members(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	struct lane got[THREADS + 4];
	size_t all_of;
	lanes_add_group(&f.l, "worker-#");
	snprintf(f.l.ask.filter, sizeof f.l.ask.filter, "worker-7");
	renew(&f);
	assert_int_equal(listed(&f, got), 7); /* 7 71 73 75 77 79, which are odd and under 200 */
	check(got[0], &lane_group, 0);
	check(got[1], &lane_thread, 79);
	check(got[6], &lane_thread, 7);
	assert_int_equal(lanes_group_size(&f.l, 0, &all_of), 6);
	assert_int_equal(all_of, THREADS / 2);
	lanes_select(&f.l, &lane_group, 0);
	assert_null(lanes_expand(&f.l)); /* closed, until the filter is another one */
	assert_int_equal(listed(&f, got), 1);
	lanes_refilter(&f.l);
	assert_int_equal(listed(&f, got), 7);
	snprintf(f.l.ask.filter, sizeof f.l.ask.filter, "worker");
	renew(&f);
	assert_int_equal(listed(&f, got), 1); /* all of them: it stays as it is */
	snprintf(f.l.ask.filter, sizeof f.l.ask.filter, "thread:8");
	renew(&f);
	assert_int_equal(listed(&f, got), 1);
	check(got[0], &lane_thread, 8);
	end(&f);
}

/* Patterns find the threads of closed groups, which stay closed; a group can be higher. */
static void closed_groups_can_be_pinned_from(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	struct lane got[THREADS + 4];
	const char *why;
	lanes_add_group(&f.l, "worker-#");
	renew(&f);
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	assert_int_equal(lanes_glob(&f.l, "worker-1?", lanes_pin, &why), 5);
	assert_null(why);
	assert_int_equal(f.l.n_pinned, 5);
	assert_false(lanes_group_is_open(&f.l, 0));
	renew(&f);
	assert_int_equal(listed(&f, got), 1 + THREADS / 2);
	lanes_select(&f.l, &lane_group, 0);
	assert_non_null(lanes_grow(&f.l, -1));
	assert_null(lanes_grow(&f.l, 1));
	assert_int_equal(lanes_at(&f.l, f.l.position).rows, 2);
	assert_null(lanes_grow(&f.l, -1));
	end(&f);
}

/* The threads of a finding stay at the top, but for those that are named; the selected lane stays so where it is not hidden. */
static void brought_threads_stay_while_others_are_hidden(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	const char *why;
	lanes_add_group(&f.l, "worker-#");
	renew(&f);
	lanes_bring(&f.l, (const uint32_t[]){51, 53, 55}, 3);
	renew(&f);
	check(*lanes_selected(&f.l), &lane_thread, 51);
	assert_int_equal(lanes_glob(&f.l, "worker-1?", lanes_hide, &why), 5);
	assert_int_equal(lanes_glob(&f.l, "53", lanes_hide, &why), 1);
	assert_int_equal(lanes_glob(&f.l, "57", lanes_pin, &why), 1);
	assert_null(why);
	renew(&f);
	assert_int_equal(f.l.n_hidden, 6);
	check(*lanes_selected(&f.l), &lane_thread, 51);
	check(lanes_at(&f.l, f.l.n_top - 3), &lane_thread, 57);
	check(lanes_at(&f.l, f.l.n_top - 2), &lane_thread, 51);
	check(lanes_at(&f.l, f.l.n_top - 1), &lane_thread, 55);
	assert_int_equal(lanes_glob(&f.l, "51", lanes_hide, &why), 1);
	renew(&f);
	check(*lanes_selected(&f.l), &lane_thread, 55); /* it is now at that position */
	assert_int_equal(f.l.n_brought, 1);
	end(&f);
}

/* A label of many threads is a group from the start, and so are many threads without one; the job finds them. */
static void labels_of_many_are_groups(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	struct thread_job_ask ask = {.cols = 10};
	f.l.ask.patterns = true;
	lanes_fill_ask(&f.l, &ask.list);
	ask.list.t1 = 300000000;
	ask.list.whole = true;
	f.l.job = thread_job_new(f.log, NULL, NULL);
	thread_job_ask(f.l.job, &ask);
	assert_true(thread_job_wait(f.l.job, -1));
	thread_list_free(&f.l.threads);
	assert_true(thread_job_take_list(f.l.job, &f.l.threads));
	lanes_relist(&f.l);
	assert_int_equal(f.l.ask.n_folds, 2);
	uint32_t labelled = *f.l.ask.folds[0] ? 0 : 1;
	assert_string_equal(f.l.ask.folds[labelled], "worker-#");
	assert_string_equal(f.l.ask.folds[1 - labelled], "");
	assert_false(f.l.ask.patterns);
	lanes_fill_ask(&f.l, &ask.list);
	ask.list.t1 = 300000000;
	ask.list.whole = true;
	thread_job_ask(f.l.job, &ask);
	assert_true(thread_job_wait(f.l.job, -1));
	assert_true(thread_job_take_list(f.l.job, &f.l.threads));
	lanes_relist(&f.l);
	assert_int_equal(f.l.threads.parts[f.l.folds[0].part].n, THREADS / 2);
	assert_int_equal(f.l.threads.parts[f.l.folds[1].part].n, THREADS / 2);
	uint64_t run[2] = {0}; /* the longest with and without a label */
	uint32_t thread = 0;
	while (threads_next(&f.log->threads, thread, &thread)) {
		uint64_t *longest = &run[evl_label(f.log, thread).len == 0];
		*longest = max_u64(*longest, thread_total_run(f.log, thread));
	}
	assert_false(lanes_group_is_open(&f.l, labelled));
	/* it is open if it is what runs, and small */
	assert_int_equal(lanes_group_is_open(&f.l, 1 - labelled), run[1] > run[0] && THREADS / 2 <= PATTERN_FEW);
	end(&f);
}

/* Threads of three labels with digits, 11, 21 and 31 each, among thousands that share nothing. */
static void patterns_are_counted(void **state)
{
	static const char *const names[] = {"few", "just", "many"};
	enum { ALONE = 10000 };
	(void)state;
	struct built b = log_begin();
	uint32_t id = 1;
	struct thread_patterns got;
	char label[48];
	block_begin(&b, 0, 500);
	for (uint32_t i = 0; i < ALONE; i++) {
		for (uint32_t k = 0; k < countof(names); k++) {
			if (i % 300 != 0 || i / 300 >= 11 + 10 * k)
				continue;
			snprintf(label, sizeof label, "%s-%u", names[k], i);
			put(&b, 500, EVL_CREATE_THREAD, "4", id);
			put(&b, 500, EVL_THREAD_LABEL, "4s", id++, label);
		}
		for (uint32_t c = 0, n = i + 1; c < 4; c++, n /= 20)
			label[c] = (char)('a' + n % 20);
		label[4] = '\0';
		put(&b, 500, EVL_CREATE_THREAD, "4", id);
		put(&b, 500, EVL_THREAD_LABEL, "4s", id++, label);
	}
	block_end(&b, 300000000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	atomic_bool cancel = false;
	assert_int_equal(thread_patterns_find(log, &cancel, &got), 0);
	assert_int_equal(got.n, 2); /* though the table of counters was full */
	for (size_t i = 0; i < got.n; i++)
		assert_true(strcmp(got.names[i], "many-#") == 0 || strcmp(got.names[i], "just-#") == 0);
	atomic_store(&cancel, true);
	assert_int_equal(thread_patterns_find(log, &cancel, &got), EVL_CANCELLED);
	assert_int_equal(got.n, 0);
	done(log, &b);
}

static void many_capabilities_fold(void **state)
{
	(void)state;
	struct fixture f = begin(100);
	assert_int_equal(heat_caps(f.log), 16);
	assert_int_equal(position(&f.l, &lane_cap, 0), SIZE_MAX);
	check(*lanes_selected(&f.l), &lane_heat, 0);
	lanes_select(&f.l, &lane_heat, 6);
	assert_null(lanes_expand(&f.l));
	lanes_compose(&f.l, &at, true, all, NULL);
	size_t heat = position(&f.l, &lane_heat, 6);
	check(lanes_at(&f.l, heat + 1), &lane_cap, 96);
	check(lanes_at(&f.l, heat + 4), &lane_cap, 99);
	assert_int_equal(position(&f.l, &lane_cap, 95), SIZE_MAX);
	end(&f);
	f = begin(63);
	assert_true(position(&f.l, &lane_cap, 62) < SIZE_MAX);
	end(&f);
}

/* --- another lane: what it takes is a struct and a line in the registry --- */

static size_t one(const struct evl_log *log) { return log->n_caps > 0; }
static int two_rows(const struct lane_place *place) { return place->rows > 0 ? 2 : 0; }
static void draw_tide(const struct lane *lane, struct plot *p, const struct lane_place *place, struct canvas *c, int y)
{
	lane_label(place, c, y, lane->ops->name);
	for (int i = 0; i < p->cols; i++)
		canvas_lower(c, y, place->plot_x + i, i % 8 + 1, ST_RUN, ST_PAGE);
}
static const struct lane_ops lane_tide = {.name = "tide", .count = one, .rows = two_rows, .draw = draw_tide};
static const struct lane_ops *const tidal[] = {&lane_markers, &lane_tide, &lane_cap, NULL};

static void a_lane_is_added_in_ten_lines(void **state)
{
	(void)state;
	struct fixture f = begin(2);
	struct model m;
	struct plot plot = {0};
	struct canvas c = {0};
	struct placed_lane placed[32];
	struct lane_place place = {.rows = 24, .label_x = 1, .label_w = 8, .plot_x = 10, .cols = 20};
	lanes_free(&f.l);
	lanes_init(&f.l, f.log, tidal);
	assert_true(lanes_compose(&f.l, &place, true, all, NULL));
	model_init(&m, f.log);
	model_set_cols(&m, place.cols);
	assert_int_equal(canvas_resize(&c, 24, 40), 0);
	canvas_clear(&c);
	assert_true(plot_update(&plot, &m));
	size_t n = lanes_layout(&f.l, 0, 24, placed, countof(placed));
	check(placed[1].lane, &lane_tide, 0); /* in its place, as high as it wants to be, and not scrolled away */
	assert_int_equal(placed[2].y, placed[1].y + 2);
	check(placed[2].lane, &lane_cap, 0);
	assert_int_equal(f.l.n_top, 2);
	for (size_t i = 0; i < n; i++)
		if (placed[i].lane.ops == &lane_tide)
			placed[i].lane.ops->draw(&placed[i].lane, &plot, &place, &c, placed[i].y);
	char *text = canvas_dump(&c);
	assert_non_null(strstr(text, " tide     ▁▂▃▄▅▆▇"));
	free(text);
	assert_true(lanes_select(&f.l, &lane_tide, 0));
	assert_ptr_equal(lanes_pin(&f.l), lanes_pin(&f.l)); /* always at the top, and says so */
	assert_null(lanes_grow(&f.l, 1));
	assert_null(lanes_hide(&f.l));
	assert_true(lanes_compose(&f.l, &place, true, all, NULL));
	assert_int_equal(position(&f.l, &lane_tide, 0), SIZE_MAX);
	assert_null(lanes_show_all(&f.l));
	assert_true(lanes_compose(&f.l, &place, true, all, NULL));
	assert_int_equal(lanes_at(&f.l, position(&f.l, &lane_tide, 0)).rows, 3);
	canvas_free(&c);
	plot_free(&plot);
	end(&f);
}

/* --- lists --- */

static void orders_of_threads(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	for (int i = 0; i < ORDER_ID; i++)
		lanes_sort(&f.l);
	make_list(&f);
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(thread_list_at(&f.l.threads, PART_REST, i), i + 1);
	lanes_sort(&f.l); /* by name: worker-9 before worker-11, those without one last */
	make_list(&f);
	for (uint32_t i = 0; i < THREADS; i++)
		assert_int_equal(thread_list_at(&f.l.threads, PART_REST, i),
			i < THREADS / 2 ? 2 * i + 1 : 2 * (i - THREADS / 2) + 2);
	lanes_sort(&f.l);
	assert_int_equal(f.l.ask.order, ORDER_RUN);
	struct thread_list_ask ask = {.t0 = 10000000, .t1 = 20000000}; /* threads 10 … 19 run there */
	struct thread_shares sums;
	struct thread_shares_ask window = {.t0 = ask.t0, .t1 = ask.t1, .cols = 1, .sums = true};
	assert_int_equal(thread_shares_run(&sums, f.log, &window), 0);
	list_threads(&f, &ask, &sums);
	assert_true(f.l.threads.in_window);
	assert_int_equal(thread_list_at(&f.l.threads, PART_REST, 0), 19);
	assert_int_equal(thread_list_at(&f.l.threads, PART_REST, 9), 10);
	assert_int_equal(thread_list_at(&f.l.threads, PART_REST, 10), THREADS); /* then by the whole run */
	snprintf(ask.filter, sizeof ask.filter, "worker run>0 !15");
	list_threads(&f, &ask, &sums);
	assert_int_equal(f.l.threads.n, 4); /* 11 13 17 19 */
	assert_int_equal(f.l.threads.all, THREADS);
	thread_shares_free(&sums);
	end(&f);
}

static atomic_int woken;
static void wake(void *ctx)
{
	(void)ctx;
	atomic_fetch_add(&woken, 1);
}

static void the_job_answers(void **state)
{
	(void)state;
	struct fixture f = begin(1);
	struct thread_job *job = thread_job_new(f.log, wake, NULL);
	struct thread_job_ask ask = {
		.list = {.t0 = 0, .t1 = 300000000, .whole = true}, .cols = 30, .ids = {7, 100}, .n_ids = 2};
	struct thread_column cols[30], want[60];
	struct thread_list list = {0};
	struct thread_shares scan;
	assert_non_null(job);
	for (int round = 0; round < 50; round++) { /* windows that chase each other, then one that stays */
		ask.list.t1 = 300000000 - (uint64_t)(49 - round) * 1000;
		ask.list.whole = round == 49;
		thread_job_ask(job, &ask);
	}
	assert_true(thread_job_wait(job, -1));
	assert_true(thread_job_take_list(job, &list));
	assert_int_equal(list.n, THREADS);
	assert_int_equal(list.t1, 300000000);
	assert_false(thread_job_take_list(job, &list));
	assert_true(thread_job_news(job));
	assert_false(thread_job_news(job));
	assert_true(atomic_load(&woken) > 0);
	uint64_t first, last;
	assert_true(evl_range(f.log, &first, &last));
	struct thread_shares_ask direct = {.t1 = 300000000, .end = last + 1, .cols = 30, .ids = ask.ids, .n_ids = 2};
	assert_int_equal(thread_shares_run(&scan, f.log, &direct), 0);
	memcpy(want, scan.columns, sizeof want);
	assert_true(thread_job_columns(job, 7, false, cols, 30));
	assert_memory_equal(cols, want, sizeof cols);
	assert_true(thread_job_columns(job, 100, false, cols, 30));
	assert_memory_equal(cols, want + 30, sizeof cols);
	assert_false(thread_job_columns(job, 8, false, cols, 30));
	snprintf(ask.list.folds[0], LIST_NAME, "worker-#");
	ask.list.n_folds = 1;
	thread_job_ask(job, &ask);
	assert_true(thread_job_wait(job, -1));
	assert_true(thread_job_take_list(job, &list));
	assert_int_equal(list.parts[0].n, THREADS / 2);
	assert_int_equal(list.parts[PART_REST].n, THREADS / 2);
	assert_true(thread_job_columns(job, 0, true, cols, 30));
	uint64_t run = 0;
	for (int i = 0; i < 30; i++)
		run += cols[i].ns[THREAD_RUNNING];
	assert_int_equal(run, THREADS / 2 * (THREADS / 2) * 1000);                          /* 1 + 3 + 5 + … */
	thread_job_ask(job, &(struct thread_job_ask){.list = {.t1 = 1000000}, .cols = 10}); /* left in the middle */
	thread_job_free(job);
	thread_shares_free(&scan);
	thread_list_free(&list);
	end(&f);
}

/* The lane of a group adds up the threads that the filter keeps and that are neither hidden nor pinned, as the list does; the
 * threads are chosen here from what the log was made of. */
static void groups_sum_what_they_list(void **state)
{
	(void)state;
	static const struct {
		const char *filter;
		unsigned hidden, least, most;
		const char *label;
	} rows[] = {{"", 0, 0, THREADS, "worker"}, {"", 7, 0, THREADS, "worker"},
		{"worker-1", 0, 0, THREADS, "worker-1"}, {"worker-1", 11, 0, THREADS, "worker-1"},
		{"run>100us", 0, 101, THREADS, "worker"}, {"run>100us label~9", 109, 101, THREADS, "9"},
		{"run<50us", 3, 0, 49, "worker"}, {"state:mvar", 0, THREADS, 0, "worker"},
		{"run>100us", 0, 101, THREADS, "worker"}};
	struct fixture f = begin(1);
	struct thread_job *job = thread_job_new(f.log, wake, NULL);
	assert_non_null(job);
	for (unsigned part = 0; part < 2; part++) /* the whole run, and a part of it */
		for (size_t row = 0; row < countof(rows); row++) {
			struct thread_job_ask ask = {.list = {.t1 = part ? 150000000 : 300000000, .whole = !part},
				.cols = 30,
				.ids = {rows[row].hidden ? rows[row].hidden : 1},
				.n_ids = 1};
			struct thread_list list = {0};
			struct thread_column cols[30];
			uint64_t run = 0, want = 0, n = 0;
			snprintf(ask.list.folds[0], LIST_NAME, "worker-#");
			snprintf(ask.list.filter, LIST_FILTER, "%s", rows[row].filter);
			ask.list.n_folds = 1;
			ask.list.n_hidden = rows[row].hidden > 0;
			ask.list.hidden[0] = rows[row].hidden;
			thread_job_ask(job, &ask);
			assert_true(thread_job_wait(job, -1));
			assert_true(thread_job_take_list(job, &list));
			assert_true(thread_job_columns(job, 0, true, cols, 30));
			for (int i = 0; i < 30; i++)
				run += cols[i].ns[THREAD_RUNNING];
			for (unsigned i = 1; i <= THREADS; i += 2) {
				char label[32];
				unsigned us = i * 1000000 < ask.list.t1 ? i : 0;
				snprintf(label, sizeof label, "worker-%u", i);
				bool kept = us >= rows[row].least && us <= rows[row].most
					&& strstr(label, rows[row].label) && i != rows[row].hidden;
				n += kept;
				want += kept ? us * 1000 : 0;
			}
			assert_int_equal(list.parts[0].n, n);
			assert_int_equal(list.parts[0].key, want);
			assert_int_equal(run, want);
			thread_list_free(&list);
		}
	thread_job_free(job);
	end(&f);
}

/* --- the filter --- */

static bool keeps(const char *text, struct lane_facts facts)
{
	struct filter f;
	filter_parse(&f, &lane_filter_fields, text, NULL); /* what is wrong lets all pass */
	bool kept = lane_filter_keeps(&f, &facts);
	filter_free(&f);
	return kept;
}

static void filter_of_threads(void **state)
{
	(void)state;
	struct lane_facts t = {.thread = 42,
		.cap = 3,
		.label = EVL_STR("Worker-17"),
		.run_ns = 60,
		.wait_ns = 10,
		.window_ns = 1000,
		.wakeups = 5,
		.stops = 1u << STOP_MVAR,
		.states = 1u << THREAD_RUNNING | 1u << THREAD_BLOCKED};
	static const struct {
		const char *text;
		bool kept;
	} cases[] = {
		{"", true},
		{"   ", true},
		{"worker", true},
		{"Worker", true},
		{"WORKER", false},
		{"-17", true},
		{"42", true},
		{"43", false},
		{"!worker", false},
		{"!merge", true},
		{"worker 42", true},
		{"worker 43", false},
		{"cap 3", true},
		{"cap 0-2", false},
		{"cap 0-3", true},
		{"!cap 3", false},
		{"cap:2-4", true},
		{"cap 0-", true},
		{"cap:0-2 or worker", true},
		{"!(worker or cap:3)", false},
		{"(cap:0 or run>5%) state:mvar", true},
		{"label=worker-*", true},
		{"label=worker-#", true},
		{"label=*r-#", true},
		{"label=worker-1#", true},
		{"label=worker-#7", false},
		{"label=wor#", false},
		{"label=worker#", false},
		{"label==Worker-17", true},
		{"label==worker-17", false},
		{"label==Worker-*", false},
		{"label!=worker-17", false},
		{"label~\\v^w.*7$", true},
		{"thread:42 cap!=3", false},
		{"run<=60ns run>=60ns", true},
		{"worker (", true},
		{"idle", false},
		{"!idle", true},
		{"run>5%", true},
		{"run>6%", false},
		{"run<7%", true},
		{"run>50ns", true},
		{"run>1us", false},
		{"run>", true},
		{"run>5x", true},
		{"!run>5%", false},
		{"runnable_wait>0.5%", true},
		{"wait>0.5%", true},
		{"wakeups>4", true},
		{"wakeups>5", false},
		{"state:mvar", true},
		{"state:mv", true},
		{"state:stm", false},
		{"state:running", true},
		{"state:foreign", false},
		{"state:", true},
		{"!state:stm worker run>1%", true},
		{"state:zzz", true}, /* refused */
		{"state:MVAR", true},
		{"state~zzz", false},
		{"cap", false},
		{"run", false},
		{"!", true},
		{"no label", false},
		{"label", false},
	};
	for (size_t i = 0; i < countof(cases); i++)
		if (keeps(cases[i].text, t) != cases[i].kept)
			fail_msg("'%s' should %s", cases[i].text, cases[i].kept ? "pass" : "not pass");
	t.label = (struct evl_str){0}; /* its lane is "no label" */
	static const char *const found[] = {"no label", "\"no label\"", "label", "no", "42", "!worker"},
				 *const not_found[] = {"!label", "lab", "label~label", "no such"};
	for (size_t i = 0; i < countof(found); i++)
		assert_true(keeps(found[i], t));
	for (size_t i = 0; i < countof(not_found); i++)
		assert_false(keeps(not_found[i], t));
}

static void refused_filters(void **state)
{
	static const char *const cases[][2] = {
		{"state:foo",
			"column 1: invalid state \"foo\" (use running, runnable, blocked, foreign, other, finished, "
			"mvar, "
			"blackhole, read, write, delay, stm, async, throwto, completion)"},
		{"a state!=mvarx", "column 3: invalid state \"mvarx\" (use running, "},
		{"cap:3-1", "column 1: invalid cap \"3-1\" (use cap:2 or cap:0-3)"},
		{"wakeups>1.5", "column 1: invalid wakeups \"1.5\" (use wakeups>100)"},
		{"run:5%-2%", "column 1: invalid run \"5%-2%\" (use run>5% or run>2ms)"}};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct filter f;
		struct evl_err err = {0};
		assert_int_equal(filter_parse(&f, &lane_filter_fields, cases[i][0], &err), EVL_USAGE);
		err.text[min_u64(strlen(cases[i][1]), strlen(err.text))] = '\0';
		assert_string_equal(err.text, cases[i][1]);
		filter_free(&f);
	}
}

static void filter_of_capabilities(void **state)
{
	(void)state;
	struct lane_facts cap = {.is_cap = true, .cap = 2, .run_ns = 0, .window_ns = 1000};
	assert_true(keeps("worker", cap)); /* says nothing of capabilities */
	assert_true(keeps("state:mvar", cap));
	assert_true(keeps("cap 0-3", cap));
	assert_false(keeps("cap 3-9", cap));
	assert_false(keeps("!idle", cap));
	assert_false(keeps("run>1%", cap));
}

static void hostile_filters(void **state)
{
	(void)state;
	char text[600];
	struct lane_facts t = {.thread = 1, .label = {NULL, 0}};
	memset(text, 'a', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_true(keeps(text, t)); /* not understood */
	for (size_t i = 0; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "! ", 2);
	assert_true(keeps(text, t));
	for (size_t i = 0; i + 2 < sizeof text; i += 2)
		memcpy(text + i, "1 ", 2);
	assert_true(keeps(text, t)); /* many terms */
	assert_true(keeps("cap 99999999999999999999999-99999999999999999999999 1", (struct lane_facts){.thread = 1})
		== false);
	assert_true(keeps("run>1e400s", t));
	assert_true(keeps("run<99999999999999999999s", t));
	char folded[LIST_NAME];
	thread_fold(folded, (struct evl_str){(const uint8_t *)text, sizeof text - 1});
	assert_int_equal(strlen(folded), LIST_NAME - 1);
	thread_fold(folded,
		EVL_STR("a12b345c\0"
			"6"));
	assert_string_equal(folded, "a#b#c#");
}

/* In little room two digits are left, rounded from the time itself: 4.449 ms is 4.4 ms, though 4.45 ms in more room. */
static void durations_in_little_room(void **state)
{
	(void)state;
	static const struct {
		uint64_t ns;
		const char *wide, *narrow;
	} times[] = {{4449000, "4.45 ms", "4.4 ms"}, {7000000, "7.00 ms", "7.0 ms"}, {12345678, "12.3 ms", "12 ms"},
		{9960000, "9.96 ms", "10 ms"}, {12570000000, "12.57 s", "13 s"}, {471000, "471 µs", "471 µs"},
		{101000000000, "1m 41s", "1m 41s"}, {0, "0 s", "0 s"}};
	char text[TEXT_ROOM];
	for (size_t i = 0; i < countof(times); i++) {
		assert_string_equal(lane_duration(text, times[i].ns, 7), times[i].wide);
		assert_string_equal(lane_duration(text, times[i].ns, 6), times[i].narrow);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(durations_in_little_room),
		cmocka_unit_test(order_of_lanes),
		cmocka_unit_test(the_list_has_a_ceiling),
		cmocka_unit_test(moving_stays_in_the_list),
		cmocka_unit_test(the_selected_lane_is_on_the_screen),
		cmocka_unit_test(the_first_lane_is_above_all),
		cmocka_unit_test(many_pins_leave_room_to_scroll),
		cmocka_unit_test(pin_hide_and_show),
		cmocka_unit_test(brought_threads_are_at_the_top),
		cmocka_unit_test(brought_threads_go_back),
		cmocka_unit_test(lanes_move_and_grow),
		cmocka_unit_test(groups_are_made_opened_and_dissolved),
		cmocka_unit_test(a_filter_finds_members),
		cmocka_unit_test(closed_groups_can_be_pinned_from),
		cmocka_unit_test(brought_threads_stay_while_others_are_hidden),
		cmocka_unit_test(labels_of_many_are_groups),
		cmocka_unit_test(patterns_are_counted),
		cmocka_unit_test(many_capabilities_fold),
		cmocka_unit_test(a_lane_is_added_in_ten_lines),
		cmocka_unit_test(orders_of_threads),
		cmocka_unit_test(the_job_answers),
		cmocka_unit_test(groups_sum_what_they_list),
		cmocka_unit_test(filter_of_threads),
		cmocka_unit_test(refused_filters),
		cmocka_unit_test(filter_of_capabilities),
		cmocka_unit_test(hostile_filters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
