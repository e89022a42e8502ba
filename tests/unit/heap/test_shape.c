/* Courses of bands in words: planted causes are found, at any scale of time and size, and under noise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "heap/census_shape.h"

#include <math.h>
#include <string.h>

enum { POINTS = 100 };
#define MS 1000000ull
#define MB 1000000.0

static uint64_t seed = 7;

/* -1 … 1 */
static double noise(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(seed >> 11) / (double)(1ull << 52) - 1;
}

/* Values of a course by its part of the time, 0 … 1. */
static double ramp_then_flat(double x) { return x < 0.1 ? 21 : x > 0.6 ? 256 : 21 + 235 * (x - 0.1) / 0.5; }
static double one_step(double x) { return x < 0.3 ? 1 : 4; }
static double teeth(double x) { return 2 + 8 * fmod(x * 6, 1); }
static double flat(double x) { return 30 + x; }
static double grows(double x) { return x < 0.4 ? 5 : 5 + 100 * (x - 0.4); }
static double spike(double x) { return x > 0.5 && x < 0.6 ? 50 : 0; }
static double absent(double x) { return 0 * x; }
static double all_the_time(double x) { return 1 + 200 * x; }

static const struct planted {
	double (*course)(double x);
	enum shape_kind kind;
	const char *text, *brief; /* of 100 points in 1 s */
	bool grows;
} planted[] = {{ramp_then_flat, SHAPE_CHANGES, "rose 21 MB → 254 MB from 101 ms to 596 ms, flat since",
		       "flat since 596 ms", false},
	{one_step, SHAPE_STEP, "one step of 3.0 MB at 303 ms", "step at 303 ms", false},
	{teeth, SHAPE_SAWTOOTH, NULL, "saw-tooth ×6", false}, {flat, SHAPE_FLAT, "flat at 31 MB", "flat", false},
	{grows, SHAPE_CHANGES, "rose 5.4 MB → 65 MB from 404 ms to 1.00 s, rising until the last sample",
		"rises since 404 ms", true},
	{spike, SHAPE_CHANGES, "rose 0 B → 50 MB at 505 ms, fell to 0 B at 606 ms, zero since", "zero since 606 ms",
		false},
	{absent, SHAPE_ABSENT, "not there", "", false},
	{all_the_time, SHAPE_CHANGES, "rose 1.0 MB → 201 MB from 0 s to 1.00 s, rising until the last sample",
		"rises since 0 s", true}};

static struct census_shape shape_of(const struct planted *p, uint64_t origin, double time, double size, double noisy)
{
	struct shape_point points[POINTS];
	struct census_shape s;
	for (int i = 0; i < POINTS; i++) {
		double x = (double)i / (POINTS - 1), at = p->course(x);
		points[i].t = origin + (uint64_t)(x * time * 1000 * (double)MS);
		points[i].bytes = (uint64_t)fmax(0, (at + noisy * noise() * (at > 0)) * size * MB);
	}
	census_shape(&s, points, POINTS);
	return s;
}

static void planted_courses_are_told(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(planted); i++) {
		char text[SHAPE_TEXT];
		struct census_shape s = shape_of(&planted[i], 0, 1, 1, 0);
		assert_int_equal(s.kind, planted[i].kind);
		assert_int_equal(s.grows, planted[i].grows);
		if (planted[i].text)
			assert_string_equal(census_shape_text(text, &s), planted[i].text);
		assert_string_equal(census_shape_brief(text, &s), planted[i].brief);
	}
}

static void at_any_scale(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(planted); i++)
		for (double time = 0.001; time < 1e5; time *= 100)
			for (double size = 0.01; size < 1e6; size *= 100) {
				struct census_shape s = shape_of(&planted[i], 123, time, size, 0);
				assert_int_equal(s.kind, planted[i].kind);
				assert_int_equal(s.grows, planted[i].grows);
			}
}

/* Noise of a fiftieth of the range changes neither kind nor growth, and moves the ends of a ramp by a twentieth of the time. */
static void under_noise(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(planted); i++)
		for (int round = 0; round < 20; round++) {
			double range = planted[i].course == flat ? 30 : planted[i].course == one_step ? 3 : 50;
			struct census_shape s = shape_of(&planted[i], 0, 1, 1, range / 50);
			assert_int_equal(s.kind, planted[i].kind);
			assert_int_equal(s.grows, planted[i].grows);
			if (planted[i].course == grows)
				assert_true(s.since > 330 * MS && s.since < 470 * MS);
		}
}

/* The slope of what still grows is that of a line through its points alone. */
static void slope_of_what_grows(void **state)
{
	(void)state;
	struct census_shape s = shape_of(&planted[4], 0, 1, 1, 0);
	assert_true(s.slope > 99 * MB && s.slope < 101 * MB);
	assert_true(s.r2 > 0.99);
}

static void few_points(void **state)
{
	struct census_shape s;
	char text[SHAPE_TEXT];
	const struct shape_point points[] = {{10, 5}, {20, 1000}, {30, 1000}, {30, 7}};
	(void)state;
	for (size_t n = 0; n < 3; n++) {
		census_shape(&s, points, n);
		assert_int_equal(s.kind, SHAPE_UNKNOWN);
		assert_non_null(strstr(census_shape_text(text, &s), "unknown"));
	}
	census_shape(&s, points, 4); /* two at one time */
	census_shape_text(text, &s);
	const struct shape_point big[] = {{0, 0}, {1, UINT64_MAX}, {UINT64_MAX, 3}, {UINT64_MAX, UINT64_MAX}};
	census_shape(&s, big, 4);
	census_shape_text(text, &s);
	census_shape_brief(text, &s);
}

/* Any course at all: no text is too long, every text ends. */
static void any_course(void **state)
{
	struct shape_point points[SHAPE_POINTS];
	char text[SHAPE_TEXT];
	(void)state;
	for (int round = 0; round < 300; round++) {
		for (size_t i = 0; i < SHAPE_POINTS; i++) {
			points[i].t = i * 1000 + (uint64_t)(400 * (noise() + 1));
			points[i].bytes = (uint64_t)(pow(2, 30 * fabs(noise())) * (round % 7 == 0 ? 1 : fabs(noise())));
		}
		struct census_shape s;
		census_shape(&s, points, SHAPE_POINTS - (size_t)round % 250);
		assert_true(s.n <= SHAPE_PIECES);
		assert_true(strlen(census_shape_text(text, &s)) < SHAPE_TEXT);
		assert_true(strlen(census_shape_brief(text, &s)) < 40);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(planted_courses_are_told), cmocka_unit_test(at_any_scale),
		cmocka_unit_test(under_noise), cmocka_unit_test(slope_of_what_grows), cmocka_unit_test(few_points),
		cmocka_unit_test(any_course)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
