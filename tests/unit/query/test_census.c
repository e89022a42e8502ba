/* The heap census: where samples are, at what times, what they count; breakdowns; curves and growth. */
#include "logs.h"

#include "heap/census_roots.h"
#include "heap/census_tree.h"
#include "heap/census_window.h"
#include "query/census_label.h"

#include <math.h>
#include <stdio.h>

enum { SECOND = 1000000000 };

static void put_begin(struct built *b, unsigned profile, unsigned breakdown, const char *biography)
{
	put(b, 10, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", profile, (uint64_t)100, breakdown, "", 0u, "", 0u, "", 0u,
		"", 0u, "", 0u, "", 0u, biography, 0u);
}

static void put_sample(struct built *b, uint64_t t) { put(b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0); }
static void put_end(struct built *b, uint64_t t) { put(b, t, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0); }
static void put_band(struct built *b, uint64_t t, unsigned profile, uint64_t bytes, const char *label)
{
	put(b, t, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", profile, bytes, label, 0u);
}
static void put_stack(struct built *b, uint64_t t, uint64_t bytes, unsigned a, unsigned c)
{
	put(b, t, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "18144", 0u, bytes, 2u, a, c);
}

static struct built global_begin(void)
{
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	return b;
}

static struct evl_log *global_end(struct built *b)
{
	block_end(b, (uint64_t)100 * SECOND);
	log_end(b);
	return walked(b);
}

static struct census_survey surveyed(const struct evl_log *log, uint8_t profile)
{
	struct census_survey s;
	struct census_run run = {.census = &log->census, .blocks = &log->blocks, .profile = profile};
	assert_int_equal(census_survey(&s, &run), 0);
	return s;
}

static uint64_t bytes_of(
	const struct evl_log *log, struct census_survey *s, uint8_t profile, size_t sample, const char *label)
{
	struct census_values v = {0};
	assert_int_equal(
		census_values_read(&v, &s->bands, &log->census, &log->blocks, s->samples[sample], profile, NULL), 0);
	struct band *band = bands_find(&s->bands, (struct evl_str){(const uint8_t *)label, strlen(label)});
	assert_non_null(band);
	uint64_t bytes = census_bytes(&v, band->number);
	census_values_free(&v);
	return bytes;
}

/* --- samples ------------------------------------------------------------------------------------------------------- */

static void equal_labels_of_a_sample_are_summed(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_sample(&b, 100);
	put_band(&b, 101, 0, 7, "a");
	put_band(&b, 101, 0, 5, "b");
	put(&b, 102, EVL_TASK_DELETE, "8", (uint64_t)1); /* other events may be between bands */
	put_band(&b, 103, 0, 30, "a");
	put_end(&b, 104);
	struct evl_log *log = global_end(&b);
	assert_int_equal(census_count(&log->census), 1);
	assert_int_equal(census_at(&log->census, 0)->t, 100);
	struct census_survey s = surveyed(log, 0);
	assert_int_equal(bands_count(&s.bands), 2);
	assert_int_equal(s.totals[0], 42);
	assert_int_equal(bytes_of(log, &s, 0, 0, "a"), 37);
	assert_int_equal(bytes_of(log, &s, 0, 0, "b"), 5);
	census_survey_free(&s);
	done(log, &b);
}

/* GHC may write a band twice there: it is one, the larger. */
static void equal_closure_types_are_one(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_begin(&b, 0, 7, "");
	put_begin(&b, 1, 3, "");
	put_sample(&b, 100);
	for (unsigned profile = 0; profile < 2; profile++) {
		put_band(&b, 101, profile, 7, "a");
		put_band(&b, 101, profile, 5, "b");
		put_band(&b, 103, profile, 30, "a");
		put_band(&b, 103, profile, 5, "b");
		put_band(&b, 103, profile, 9, "a");
	}
	put_end(&b, 104);
	struct evl_log *log = global_end(&b);
	struct census_survey types = surveyed(log, 0), closures = surveyed(log, 1);
	assert_int_equal(types.totals[0], 35);
	assert_int_equal(bytes_of(log, &types, 0, 0, "a"), 30);
	assert_int_equal(bytes_of(log, &types, 0, 0, "b"), 5);
	assert_int_equal(closures.totals[0], 56);
	assert_int_equal(bytes_of(log, &closures, 1, 0, "a"), 46);
	census_survey_free(&types);
	census_survey_free(&closures);
	done(log, &b);
}

/* GHCs before 8.10 wrote no ends: a sample goes on to the next one. */
static void samples_without_ends(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_sample(&b, 100);
	put_band(&b, 101, 0, 1, "a");
	put_sample(&b, 200);
	put_band(&b, 201, 0, 2, "a");
	struct evl_log *log = global_end(&b);
	struct census_survey s = surveyed(log, 0);
	assert_int_equal(s.n, 2);
	assert_int_equal(s.totals[0], 1);
	assert_int_equal(s.totals[1], 2);
	assert_false(census_is_cut(&log->census, 0, false));
	assert_false(census_is_cut(&log->census, 1, false));
	assert_true(census_is_cut(&log->census, 1, true)); /* unknown in a log without an end */
	census_survey_free(&s);
	done(log, &b);
}

static void a_sample_without_its_end_is_cut(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_sample(&b, 100);
	put_end(&b, 110);
	put_sample(&b, 200);
	put_band(&b, 201, 0, 2, "a");
	struct evl_log *log = global_end(&b);
	assert_int_equal(census_count(&log->census), 2);
	assert_false(census_is_cut(&log->census, 0, false));
	assert_true(census_is_cut(&log->census, 1, false));
	done(log, &b);
}

static void biographical_samples_lie_at_the_times_that_they_say(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_begin(&b, 0, 6, "");
	for (uint64_t i = 0; i < 3; i++) {
		put(&b, 900 + i, EVL_HEAP_BIO_PROF_SAMPLE_BEGIN, "88", (uint64_t)3, 100 * (i + 1));
		put_band(&b, 900 + i, 0, 10, "VOID");
		put_end(&b, 900 + i);
	}
	struct evl_log *log = global_end(&b);
	struct program_facts facts = program_get(&log->program);
	struct breakdown_found announced = census_breakdown(&log->census, &log->blocks, &facts, 0);
	assert_int_equal(announced.by, BY_BIOGRAPHY);
	assert_false(announced.by_index);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(census_at(&log->census, i)->t, 100 * (i + 1));
	done(log, &b);
}

/* Only what is in a phase of its life is counted, so samples come at the end of the run, without their times. */
static void samples_of_a_phase_have_no_times(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_begin(&b, 0, 1, "drag");
	for (uint64_t i = 0; i < 4; i++) {
		put_sample(&b, 9000 + i);
		put_stack(&b, 9000 + i, 10, 1, 2);
		put_end(&b, 9000 + i);
	}
	struct evl_log *log = global_end(&b);
	struct program_facts facts = program_get(&log->program);
	struct breakdown_found announced = census_breakdown(&log->census, &log->blocks, &facts, 0);
	assert_true(announced.by_index);
	struct census_survey s = surveyed(log, 0);
	struct census_axis axis = {&log->census, s.samples, s.n, 0, 8000, announced.by_index};
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(census_axis_time(&axis, i), 1000 + 2000 * i);
	assert_int_equal(census_axis_before(&axis, 3000), 1);
	assert_int_equal(census_axis_at(&axis, 3000), 1);
	assert_int_equal(census_axis_at(&axis, 0), 0); /* before the first: the first */
	assert_int_equal(census_axis_at(&axis, UINT64_MAX), 3);
	census_survey_free(&s);
	done(log, &b);
}

static void profiles_are_kept_apart(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_begin(&b, 0, 7, "");
	put_begin(&b, 9, 3, "");
	put_sample(&b, 100);
	put_band(&b, 101, 0, 1, "a");
	put_band(&b, 101, 9, 2, "a");
	put_end(&b, 102);
	put_sample(&b, 200);
	put_band(&b, 201, 9, 4, "b");
	put_end(&b, 202);
	put_sample(&b, 300); /* of nothing: of all */
	put_end(&b, 302);
	struct evl_log *log = global_end(&b);
	assert_int_equal(census_profile_from(&log->census, &log->blocks, 0), 0);
	assert_int_equal(census_profile_from(&log->census, &log->blocks, 1), 9);
	assert_int_equal(census_profile_from(&log->census, &log->blocks, 10), CENSUS_PROFILES);
	struct census_survey first = surveyed(log, 0), second = surveyed(log, 9);
	assert_int_equal(first.n, 2);
	assert_int_equal(first.samples[1], 2);
	assert_int_equal(first.totals[0], 1);
	assert_int_equal(second.n, 3);
	assert_int_equal(second.totals[1], 4);
	census_survey_free(&first);
	census_survey_free(&second);
	done(log, &b);
}

/* A stack deeper than its payload, a label without its NUL, a payload that is too short for its numbers. */
static void damaged_bands_are_survived(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_sample(&b, 100);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "18144", 0u, (uint64_t)5, 200u, 1u, 2u);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_STRING, "18s", 0u, (uint64_t)6, "open");
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_STRING, "14", 0u, 1u);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_STRING, "18", 0u, UINT64_MAX);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_STRING, "18", 0u, UINT64_MAX);
	put_end(&b, 102);
	struct evl_log *log = global_end(&b);
	struct census_survey s = surveyed(log, 0);
	assert_int_equal(bands_count(&s.bands), 3);
	assert_int_equal(bands_at(&s.bands, 0)->hh.keylen, 8); /* as deep as there is room for */
	assert_true(s.totals[0] == UINT64_MAX);
	assert_int_equal(bytes_of(log, &s, 0, 0, "open"), 6);
	census_survey_free(&s);
	done(log, &b);
}

/* --- breakdowns ---------------------------------------------------------------------------------------------------- */

static struct breakdown_found told_of(const char *label, const char *args, int number)
{
	struct built b = global_begin();
	struct breakdown_found announced;
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.10.3 rts_thr_p");
	size_t at = b.len;
	put(&b, 2, EVL_PROGRAM_ARGS, "4s1", 0u, args, 0u);
	for (size_t i = at + 16; i < b.len; i++) /* after the head and the capset */
		b.data[i] = b.data[i] == ' ' ? 0 : b.data[i];
	if (number >= 0)
		put_begin(&b, 0, (unsigned)number, "");
	put_sample(&b, 100);
	if (label)
		put_band(&b, 101, 0, 7, label);
	else
		put_stack(&b, 101, 7, 1, 2);
	put_end(&b, 102);
	struct evl_log *log = global_end(&b);
	struct program_facts facts = program_get(&log->program);
	announced = census_breakdown(&log->census, &log->blocks, &facts, 0);
	done(log, &b);
	return announced;
}

static void the_begin_tells(void **state)
{
	(void)state;
	assert_int_equal(told_of("x", "p +RTS -hc", 2).by, BY_MODULE);
	assert_int_equal(told_of("0x40", "p", 8).by, BY_INFO_TABLE);
	assert_int_equal(told_of("a", "p", 12).by, BY_TEXT);
	assert_int_equal(told_of("a", "p", 0).by, BY_TEXT);
	assert_false(told_of("x", "p", 2).guessed);
}

static void else_the_arguments(void **state)
{
	(void)state;
	assert_int_equal(told_of("x", "p +RTS -l -hd", -1).by, BY_CLOSURE);
	assert_int_equal(told_of("x", "p +RTS -hy -hm -RTS -hd", -1).by, BY_MODULE);
	assert_int_equal(told_of("x", "p -hd +RTS -h", -1).by, BY_COST_CENTRE); /* of a profiled program */
	assert_int_equal(told_of("x", "p +RTS -hd --RTS +RTS -hm", -1).by, BY_CLOSURE);
	assert_true(told_of("x", "p +RTS -hd -hbdrag", -1).by_index);
}

static void else_the_bands(void **state)
{
	(void)state;
	assert_int_equal(told_of(NULL, "p", -1).by, BY_COST_CENTRE);
	assert_int_equal(told_of("0x4af0", "p", -1).by, BY_INFO_TABLE);
	assert_int_equal(told_of("LAG", "p", -1).by, BY_BIOGRAPHY);
	assert_int_equal(told_of("12", "p", -1).by, BY_ERA);
	assert_int_equal(told_of("ghc-prim:GHC.Types.:", "p", -1).by, BY_CLOSURE_TYPE);
	assert_int_equal(told_of("some thing", "p", -1).by, BY_UNKNOWN);
	assert_true(told_of("LAG", "p", -1).guessed);
}

static void sets_of_roots(void **state)
{
	(void)state;
	struct breakdown_found commas = told_of("hsc,eps", "p", 10), dashes = told_of("hsc-eps", "p", 8);
	assert_int_equal(commas.by, BY_ROOTS);
	assert_int_equal(commas.join, ',');
	assert_int_equal(dashes.by, BY_ROOTS);
	assert_int_equal(dashes.join, '-');
	assert_int_equal(told_of("hsc", "p", 8).by, BY_TEXT);
	assert_int_equal(told_of("hsc", "p +RTS -ho", 10).by, BY_ROOTS);
}

/* --- courses ------------------------------------------------------------------------------------------------------- */

/* Ten samples, a second apart: "up" grows by 1000 bytes a second, "even" stays, "late" comes with the sixth. */
static struct evl_log *a_course(struct built *b)
{
	*b = global_begin();
	put_begin(b, 0, 7, "");
	for (uint64_t i = 0; i < 10; i++) {
		uint64_t t = (i + 1) * SECOND;
		put_sample(b, t);
		put_band(b, t, 0, 5000, "even");
		put_band(b, t, 0, 1000 * (i + 1), "up");
		if (i >= 5)
			put_band(b, t, 0, 300, "late");
		put_end(b, t);
	}
	return global_end(b);
}

static struct census_window looked_through(const struct evl_log *log, struct census_survey *s, size_t from, size_t to)
{
	struct census_axis axis = {&log->census, s->samples, s->n, 0, (uint64_t)11 * SECOND, false};
	struct census_run run = {.census = &log->census, .blocks = &log->blocks};
	struct census_window w;
	assert_int_equal(census_window(&w, s, &axis, from, to, &run), 0);
	return w;
}

static const struct band_course *course_of(const struct census_window *w, struct census_survey *s, const char *label)
{
	return &w->courses[bands_find(&s->bands, (struct evl_str){(const uint8_t *)label, strlen(label)})->number];
}

static void growth_is_the_slope_of_the_line_through_the_samples(void **state)
{
	struct built b;
	struct evl_log *log = a_course(&b);
	struct census_survey s = surveyed(log, 0);
	struct census_window w = looked_through(log, &s, 0, 10);
	(void)state;
	struct census_growth up = census_growth(&w, course_of(&w, &s, "up"));
	assert_true(up.known && fabs(up.slope - 1000) < 1e-6 && fabs(up.r2 - 1) < 1e-9);
	struct census_growth even = census_growth(&w, course_of(&w, &s, "even"));
	assert_true(even.known && fabs(even.slope) < 1e-6 && isnan(even.r2));
	/* absent counts as 0: five zeros, five times 300 */
	struct census_growth late = census_growth(&w, course_of(&w, &s, "late"));
	assert_true(fabs(late.slope - 300 * 12.5 / 82.5) < 1e-6);
	assert_true(fabs(late.r2 - 12.5 * 12.5 / (82.5 * 2.5)) < 1e-9);
	assert_int_equal(course_of(&w, &s, "up")->peak, 10000);
	assert_int_equal(course_of(&w, &s, "up")->peak_at, 9);
	assert_int_equal(course_of(&w, &s, "late")->n, 5);
	assert_true(fabs(census_mean(&w, course_of(&w, &s, "late")) - 150) < 1e-9);
	census_window_free(&w);
	w = looked_through(log, &s, 8, 10);
	assert_false(census_growth(&w, course_of(&w, &s, "up")).known); /* two samples make any line */
	census_window_free(&w);
	census_survey_free(&s);
	done(log, &b);
}

static void bands_are_ranked_by_size(void **state)
{
	struct built b;
	struct evl_log *log = a_course(&b);
	struct census_survey s = surveyed(log, 0);
	(void)state;
	assert_int_equal(bands_find(&s.bands, EVL_STR("up"))->rank, 0);
	assert_int_equal(bands_find(&s.bands, EVL_STR("even"))->rank, 1);
	assert_int_equal(bands_find(&s.bands, EVL_STR("late"))->rank, 2);
	assert_int_equal(s.largest, 15300);
	census_survey_free(&s);
	done(log, &b);
}

static void a_picture_shows_the_largest_sample_of_a_column(void **state)
{
	struct built b;
	struct evl_log *log = a_course(&b);
	struct census_survey s = surveyed(log, 0);
	struct census_axis axis = {&log->census, s.samples, s.n, 0, (uint64_t)11 * SECOND, false};
	struct census_run run = {.census = &log->census, .blocks = &log->blocks};
	struct census_knot knots[4];
	size_t which[4];
	(void)state;
	size_t n = census_knots(&s, &axis, (uint64_t)3 * SECOND, (uint64_t)7 * SECOND, 2, knots, which);
	assert_int_equal(n, 4); /* the neighbour before, two columns, the neighbour after */
	const size_t want[] = {1, 3, 5, 6};
	for (size_t i = 0; i < n; i++)
		assert_int_equal(which[i], want[i]);
	struct census_slots slots = {.bands = {bands_find(&s.bands, EVL_STR("up"))->number}, .n = 1};
	assert_int_equal(census_knots_fill(knots, which, n, &slots, &s, &run), 0);
	assert_int_equal(knots[2].parts[0], 6000);
	assert_int_equal(knots[2].parts[CENSUS_SLOTS - 1], 5300);
	assert_int_equal(knots[2].total, 11300);
	bool hidden[] = {true, false, false}; /* "even", which came first */
	slots.hidden = hidden;
	assert_int_equal(census_knots_fill(knots, which, n, &slots, &s, &run), 0);
	assert_int_equal(knots[2].parts[CENSUS_SLOTS - 1], 300);
	assert_int_equal(knots[2].total, 6300);
	census_survey_free(&s);
	done(log, &b);
}

static void rough_numbers_are_right_to_half_a_percent(void **state)
{
	(void)state;
	uint16_t last = 0;
	for (uint64_t v = 0; v < UINT64_MAX / 3; v += v / 4 + 1) {
		uint16_t rough = census_rough(v);
		uint64_t smooth = census_smooth(rough);
		assert_true(rough >= last && smooth <= v && v - smooth <= v / 512);
		last = rough;
	}
}

static void a_survey_can_be_stopped(void **state)
{
	struct built b;
	struct evl_log *log = a_course(&b);
	atomic_bool cancel = true;
	struct census_survey s;
	struct census_run run = {.census = &log->census, .blocks = &log->blocks, .cancel = &cancel};
	(void)state;
	int result = census_survey(&s, &run); /* so small a log is read between two looks */
	if (result == 0)
		census_survey_free(&s);
	assert_true(result == 0 || result == EVL_CANCELLED);
	done(log, &b);
}

/* --- many bands ---------------------------------------------------------------------------------------------------- */

static void of_too_many_bands_the_larger_half_stays(void **state)
{
	struct bands bands;
	char label[16];
	(void)state;
	bands_init(&bands);
	static char labels[1000][16];
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(labels[i], sizeof labels[i], "band %u", i);
		struct census_band band = {.key = {(const uint8_t *)labels[i], strlen(labels[i])}, .off = i};
		uint32_t number = bands_number(&bands, &band);
		assert_int_equal(number, i);
		bands_at(&bands, number)->sum = i;
	}
	assert_int_equal(bands_prune(&bands), 0);
	assert_int_equal(bands_count(&bands), 500);
	assert_int_equal(bands.dropped, 500);
	for (unsigned i = 0; i < 1000; i++) {
		snprintf(label, sizeof label, "band %u", i);
		struct band *band = bands_find(&bands, (struct evl_str){(const uint8_t *)label, strlen(label)});
		assert_int_equal(band != NULL, i >= 500);
		if (band)
			assert_int_equal(band->sum, i);
	}
	bands.frozen = true;
	struct census_band new_one = {.key = EVL_STR("new")};
	assert_true(bands_number(&bands, &new_one) == BANDS_REST);
	bands_free(&bands);
}

/* --- stacks and roots ---------------------------------------------------------------------------------------------- */

static void stacks_make_a_tree(void **state)
{
	struct built b = global_begin();
	(void)state;
	put(&b, 5, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", 1u, "main", 0u, "Main", 0u, "src/Main.hs:3:1-9", 0u, 0u);
	put(&b, 5, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", 2u, "go", 0u, "Main", 0u, "src/Main.hs:5:1-9", 0u, 0u);
	put(&b, 5, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", 3u, "CAF", 0u, "Lib", 0u, "<entire-module>", 0u, 1u);
	put_sample(&b, 100);
	put_stack(&b, 101, 10, 2, 1); /* go, called by main */
	put_stack(&b, 101, 100, 2, 3);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "1814", 0u, (uint64_t)5, 1u, 1u);
	put(&b, 101, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "181", 0u, (uint64_t)3, 0u); /* MAIN itself */
	put_end(&b, 102);
	struct evl_log *log = global_end(&b);
	struct census_survey s = surveyed(log, 0);
	struct census_values v = {0};
	struct census_tree tree;
	struct buf text = {0};
	assert_int_equal(census_values_read(&v, &s.bands, &log->census, &log->blocks, 0, 0, NULL), 0);
	assert_int_equal(census_tree(&tree, &v, &s.bands), 0);
	static const struct census_node want[] = {
		{0, 0, 3, 118}, {3, 1, 0, 100}, {2, 2, 100, 100}, {1, 1, 5, 15}, {2, 2, 10, 10}};
	assert_int_equal(tree.n, countof(want));
	for (size_t i = 0; i < tree.n; i++)
		assert_memory_equal(&tree.nodes[i], &want[i], sizeof want[i]);
	const struct prof_naming names = evl_naming(log);
	census_label(&names, bands_at(&s.bands, 0), &text);
	buf_char(&text, ' ');
	census_label(&names, bands_at(&s.bands, 1), &text);
	buf_char(&text, ' ');
	census_label(&names, bands_at(&s.bands, 3), &text);
	buf_char(&text, 0);
	assert_string_equal(text.p, "go/main go/Lib.CAF MAIN");
	struct evl_str location = census_location(&names, bands_at(&s.bands, 0));
	assert_int_equal(location.len, strlen("src/Main.hs:5:1-9"));
	buf_free(&text);
	census_tree_free(&tree);
	census_values_free(&v);
	census_survey_free(&s);
	done(log, &b);
}

static void roots_hold_alone_and_together(void **state)
{
	struct built b = global_begin();
	(void)state;
	put_sample(&b, 100);
	put_band(&b, 101, 0, 1, "a");
	put_band(&b, 101, 0, 20, "a,b");
	put_band(&b, 101, 0, 300, "b");
	put_band(&b, 101, 0, 4000, "a,b,c");
	put_end(&b, 102);
	struct evl_log *log = global_end(&b);
	struct census_survey s = surveyed(log, 0);
	struct census_values v = {0};
	struct census_roots roots;
	uint64_t shared[MOST_ROOTS];
	assert_int_equal(census_values_read(&v, &s.bands, &log->census, &log->blocks, 0, 0, NULL), 0);
	census_roots(&roots, &v, &s.bands, ',');
	assert_int_equal(roots.n, 3);
	assert_memory_equal(roots.roots[0].name.p, "b", 1); /* the larger first */
	assert_int_equal(roots.roots[0].own, 300);
	assert_int_equal(roots.roots[0].shared, 4020);
	assert_int_equal(roots.roots[1].own, 1);
	assert_int_equal(roots.roots[1].shared, 4020);
	assert_int_equal(roots.roots[2].own, 0);
	census_roots_shared(&roots, &v, &s.bands, ',', EVL_STR("a"), shared);
	assert_int_equal(shared[0], 4020); /* with b */
	assert_int_equal(shared[1], 0);    /* with itself */
	assert_int_equal(shared[2], 4000); /* with c */
	census_values_free(&v);
	census_survey_free(&s);
	done(log, &b);
}

/* --- info tables --------------------------------------------------------------------------------------------------- */

static void put_ipe(struct built *b, uint64_t id, const char *label, const char *location)
{
	put(b, 5, EVL_IPE, "8s1s1s1s1s1s1", id, "table_info", 0u, "16", 0u, "Int", 0u, label, 0u, "Main", 0u, location,
		0u);
}

static void assert_resolved(const char *rts, uint64_t id)
{
	struct built b = global_begin();
	struct buf text = {0};
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, rts);
	put_ipe(&b, id, "go", "src/Main.hs:88:13-41");
	put_ipe(&b, id + 64, "", "");
	put_begin(&b, 0, 8, "");
	put_sample(&b, 100);
	put_band(&b, 101, 0, 1, "0x4af0");
	put_band(&b, 101, 0, 2, "0x4b30");
	put_band(&b, 101, 0, 3, "0x99");
	put_end(&b, 102);
	struct evl_log *log = global_end(&b);
	assert_int_equal(log->ipe.entries, 2);
	struct census_survey s = surveyed(log, 0);
	assert_int_equal(census_resolve(&s.bands, log, NULL), 0);
	const struct prof_naming names = evl_naming(log);
	for (uint32_t i = 0; i < 3; i++) {
		census_label(&names, bands_at(&s.bands, i), &text);
		buf_char(&text, i < 2 ? '|' : 0);
	}
	assert_string_equal(text.p, "go Main:88:13-41|table_info Main|0x99");
	buf_free(&text);
	census_survey_free(&s);
	done(log, &b);
}

static void addresses_become_places_in_the_source(void **state)
{
	(void)state;
	assert_resolved("GHC-9.10.3 rts_thr", 0x4af0);
	assert_resolved("GHC-9.4.3 rts_thr", 0x4b00); /* which wrote the address of the code */
	assert_resolved("GHC-9.4.3 rts_p", 0x4b10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_labels_of_a_sample_are_summed),
		cmocka_unit_test(equal_closure_types_are_one),
		cmocka_unit_test(samples_without_ends),
		cmocka_unit_test(a_sample_without_its_end_is_cut),
		cmocka_unit_test(biographical_samples_lie_at_the_times_that_they_say),
		cmocka_unit_test(samples_of_a_phase_have_no_times),
		cmocka_unit_test(profiles_are_kept_apart),
		cmocka_unit_test(damaged_bands_are_survived),
		cmocka_unit_test(the_begin_tells),
		cmocka_unit_test(else_the_arguments),
		cmocka_unit_test(else_the_bands),
		cmocka_unit_test(sets_of_roots),
		cmocka_unit_test(growth_is_the_slope_of_the_line_through_the_samples),
		cmocka_unit_test(bands_are_ranked_by_size),
		cmocka_unit_test(a_picture_shows_the_largest_sample_of_a_column),
		cmocka_unit_test(rough_numbers_are_right_to_half_a_percent),
		cmocka_unit_test(a_survey_can_be_stopped),
		cmocka_unit_test(of_too_many_bands_the_larger_half_stays),
		cmocka_unit_test(stacks_make_a_tree),
		cmocka_unit_test(roots_hold_alone_and_together),
		cmocka_unit_test(addresses_become_places_in_the_source),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
