/* Two logs by the same stacks: each stack has the samples that each log has of it, by the text of its frames. */
#include "logs.h"

#include "jobs/two_profiles.h"
#include "prof/prof_window.h"

#include <stdlib.h>

struct opened {
	struct evl_log *log;
	struct prof_names names;
	struct prof_window window;
};

static struct opened open_profile(const char *path)
{
	struct opened o = {.log = walked_file(path)};
	const struct prof *p = evl_profile(o.log);
	const struct prof_naming naming = evl_naming(o.log);
	assert_int_equal(prof_names_make(&o.names, p, &naming), 0);
	assert_int_equal(prof_window_make(&o.window, p, &o.log->blocks, 0, UINT64_MAX, 1, PROF_ALL_CAPS, NULL), 0);
	return o;
}

static void close_profile(struct opened *o)
{
	prof_names_free(&o->names);
	prof_window_free(&o->window);
	evl_close(o->log);
}

static struct one_profile one_of(const struct opened *o)
{
	return (struct one_profile){&evl_profile(o->log)->stacks, &o->names, o->window.self, o->window.n_nodes};
}

static char *path_text(const struct stacks *stacks, const struct prof_names *names, uint32_t node)
{
	struct buf out = {0};
	for (; node != STACK_ROOT; node = stacks_at(stacks, node)->parent) {
		prof_frame_text(&out, names, names->of_node[node]);
		buf_char(&out, ';');
	}
	buf_char(&out, '\0');
	assert_false(out.failed);
	return out.p;
}

/* Samples of all nodes with this text. */
static uint64_t samples_of(
	const char *text, const struct stacks *stacks, const struct prof_names *names, const uint64_t *self, uint32_t n)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < n; i++) {
		char *path = self[i] ? path_text(stacks, names, i) : NULL;
		sum += path && strcmp(path, text) == 0 ? self[i] : 0;
		free(path);
	}
	return sum;
}

static void check(const struct one_profile *one, const struct two_profiles *two, const uint64_t *self, uint64_t total)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < one->n; i++) {
		if (one->self[i] == 0)
			continue;
		char *text = path_text(one->stacks, one->names, i);
		assert_int_equal(samples_of(text, &two->stacks, &two->names, self, two->n),
			samples_of(text, one->stacks, one->names, one->self, one->n));
		free(text);
	}
	for (uint32_t i = 0; i < two->n; i++)
		all += self[i];
	assert_int_equal(all, total);
}

static void compare(const char *a, const char *b, bool same)
{
	struct opened x = open_profile(a), y = open_profile(b);
	const struct one_profile now = one_of(&x), base = one_of(&y);
	struct two_profiles two;
	struct prof_names names;
	assert_int_equal(two_profiles_make(&two, &names, &now, &base), 0);
	check(&now, &two, two.self, x.window.total);
	check(&base, &two, two.base, y.window.total);
	for (uint32_t i = 0; i < x.names.n; i++)
		assert_int_equal(str_order(prof_label(&names, i), prof_label(&x.names, i)), 0);
	assert_int_equal(same, names.n == x.names.n);
	for (uint32_t i = 0; same && i < two.n; i++)
		assert_int_equal(two.self[i], two.base[i]);
	two_profiles_free(&two);
	prof_names_free(&names);
	close_profile(&x);
	close_profile(&y);
}

static void stacks_have_the_samples_of_each_log(void **state)
{
	(void)state;
	compare("tests/logs/9.6.6-profmix-p.eventlog", "tests/logs/9.10.3-profmix-p-hc.eventlog", false);
	compare("tests/logs/9.10.3-profmix-p-hc.eventlog", "tests/logs/9.6.6-profmix-p.eventlog", false);
	compare("tests/logs/9.0.2-shares-p.eventlog", "tests/logs/9.0.2-quarry-p-N2.eventlog", false);
}

static void a_log_is_like_itself(void **state)
{
	(void)state;
	compare("tests/logs/9.6.6-profmix-p.eventlog", "tests/logs/9.6.6-profmix-p.eventlog", true);
	compare("tests/logs/9.0.2-quarry-p-N2.eventlog", "tests/logs/9.0.2-quarry-p-N2.eventlog", true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stacks_have_the_samples_of_each_log), cmocka_unit_test(a_log_is_like_itself)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
