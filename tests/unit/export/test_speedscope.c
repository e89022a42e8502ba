/* speedscope: what its published schema demands, and what its reader needs beyond that: frames that exist, times that
 * do not fall, opens and closes in pairs. */
#include "logs.h"

#include "exported.h"

#include <jansson.h>

/* Members of an object: the required ones of a type, and no other than those and the optional ones. */
struct member {
	const char *name;
	json_type type;
	bool required;
};

static void assert_object(const json_t *object, const struct member *members, size_t n)
{
	size_t seen = 0;
	assert_true(json_is_object(object));
	for (size_t i = 0; i < n; i++) {
		const json_t *value = json_object_get(object, members[i].name);
		assert_true(value || !members[i].required);
		if (!value)
			continue;
		assert_int_equal(json_typeof(value), members[i].type);
		seen++;
	}
	assert_int_equal(json_object_size(object), seen);
}

static const char *text_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static json_int_t number_of(const json_t *object, const char *name)
{
	return json_integer_value(json_object_get(object, name));
}

static void assert_frames(const json_t *frames)
{
	static const struct member members[] = {{"name", JSON_STRING, true}, {"file", JSON_STRING, false},
		{"line", JSON_INTEGER, false}, {"col", JSON_INTEGER, false}};
	size_t i;
	json_t *frame;
	json_array_foreach(frames, i, frame) assert_object(frame, members, countof(members));
}

/* Return the number of events. */
static size_t assert_events(const json_t *profile, size_t n_frames)
{
	static const struct member members[] = {
		{"type", JSON_STRING, true}, {"frame", JSON_INTEGER, true}, {"at", JSON_INTEGER, true}};
	json_t *event, *events = json_object_get(profile, "events");
	json_int_t at = number_of(profile, "startValue"), open[STACK_DEPTH + 1];
	size_t i, n_open = 0;
	json_array_foreach(events, i, event)
	{
		json_int_t frame = number_of(event, "frame");
		assert_object(event, members, countof(members));
		assert_true(frame >= 0 && (size_t)frame < n_frames);
		assert_true(number_of(event, "at") >= at);
		at = number_of(event, "at");
		if (strcmp(text_of(event, "type"), "O") == 0) {
			assert_true(n_open < countof(open));
			open[n_open++] = frame;
		} else {
			assert_string_equal(text_of(event, "type"), "C");
			assert_true(n_open > 0);
			assert_int_equal(open[--n_open], frame);
		}
	}
	assert_int_equal(n_open, 0);
	assert_true(at <= number_of(profile, "endValue"));
	return i;
}

static size_t assert_profile(const json_t *profile, size_t n_frames)
{
	static const struct member members[] = {{"type", JSON_STRING, true}, {"name", JSON_STRING, true},
		{"unit", JSON_STRING, true}, {"startValue", JSON_INTEGER, true}, {"endValue", JSON_INTEGER, true},
		{"events", JSON_ARRAY, true}};
	assert_object(profile, members, countof(members));
	assert_string_equal(text_of(profile, "type"), "evented");
	assert_string_equal(text_of(profile, "unit"), "nanoseconds");
	return assert_events(profile, n_frames);
}

/* The export of a range, held against the schema. */
static json_t *checked(const struct evl_log *log, uint64_t from, uint64_t to)
{
	static const struct member members[] = {{"$schema", JSON_STRING, true}, {"shared", JSON_OBJECT, true},
		{"profiles", JSON_ARRAY, true}, {"name", JSON_STRING, false}, {"exporter", JSON_STRING, false},
		{"activeProfileIndex", JSON_INTEGER, false}};
	static const struct member shared[] = {{"frames", JSON_ARRAY, true}};
	char *text = exported(log, "speedscope", from, to);
	json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL), *profile;
	size_t i;
	free(text);
	assert_object(all, members, countof(members));
	assert_string_equal(text_of(all, "$schema"), "https://www.speedscope.app/file-format-schema.json");
	assert_object(json_object_get(all, "shared"), shared, countof(shared));
	json_t *frames = json_object_get(json_object_get(all, "shared"), "frames");
	assert_frames(frames);
	json_array_foreach(json_object_get(all, "profiles"), i, profile)
		assert_profile(profile, json_array_size(frames));
	return all;
}

static void a_real_log(void **state)
{
	(void)state;
	struct evl_log *log = walked_file("tests/logs/9.0.2-quarry-p-N2.eventlog");
	uint64_t first, last, middle;
	assert_true(evl_range(log, &first, &last));
	middle = first + (last - first) / 2;
	json_t *all = checked(log, 0, UINT64_MAX), *half = checked(log, middle, UINT64_MAX);
	json_t *profiles = json_object_get(all, "profiles"),
	       *second = json_array_get(json_object_get(half, "profiles"), 0);
	assert_int_equal(json_array_size(profiles), 2);
	assert_string_equal(text_of(json_array_get(profiles, 1), "name"), "cap 1");
	assert_int_equal(number_of(json_array_get(profiles, 0), "startValue"), first);
	assert_int_equal(number_of(second, "startValue"), middle);
	assert_true(json_array_size(json_object_get(second, "events"))
		< json_array_size(json_object_get(json_array_get(profiles, 0), "events")));
	json_decref(all);
	json_decref(half);
	evl_close(log);
}

static void put_sample(struct built *b, uint64_t t, unsigned cap, uint64_t tick, unsigned centre)
{
	put(b, t, EVL_PROF_SAMPLE_COST_CENTRE, "4814", cap, tick, 1u, centre);
}

/* Where an event of the only profile lies, and what it is. */
static void assert_event(const json_t *all, size_t i, const char *type, json_int_t at)
{
	json_t *event =
		json_array_get(json_object_get(json_array_get(json_object_get(all, "profiles"), 0), "events"), i);
	assert_string_equal(text_of(event, "type"), type);
	assert_int_equal(number_of(event, "at"), at);
}

static void gaps_of_ticks_are_empty(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	put(&b, 1, EVL_PROF_BEGIN, "8", (uint64_t)100);
	put_sample(&b, 1000, 0, 1, 5);
	put_sample(&b, 1100, 0, 2, 5);  /* the same: one frame goes on */
	put_sample(&b, 9000, 0, 80, 5); /* no samples in between */
	put_sample(&b, 9100, 0, 81, 6);
	block_end(&b, 20000);
	struct evl_log *log = walked(&b);
	json_t *all = checked(log, 0, UINT64_MAX);
	assert_event(all, 0, "O", 1000); /* MAIN */
	assert_event(all, 1, "O", 1000);
	assert_event(all, 2, "C", 1200);
	assert_event(all, 3, "C", 1200);
	assert_event(all, 4, "O", 9000);
	assert_event(all, 6, "C", 9100); /* MAIN stays */
	assert_event(all, 7, "O", 9100);
	assert_event(all, 9, "C", 9200);
	json_decref(all);
	done(log, &b);
}

static void times_that_run_backwards(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, EVL_NO_CAP, 0);
	for (unsigned i = 0; i < 50; i++)
		put_sample(&b, 100 + (i * 37 % 50) * 10, 0, i * 7 % 50, i % 3);
	block_end(&b, 1000);
	struct evl_log *log = walked(&b);
	json_decref(checked(log, 0, UINT64_MAX));
	json_decref(checked(log, 200, 300));
	done(log, &b);
}

static void nothing_sampled(void **state)
{
	(void)state;
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 100, 1);
	block_end(&b, 1000);
	struct evl_log *log = walked(&b);
	struct buf all = {0};
	struct export x = {.log = log, .to = UINT64_MAX, .put = keep_bytes, .ctx = &all};
	assert_int_equal(export_run(export_find("speedscope"), &x), EVL_EMPTY);
	assert_non_null(strstr(x.why, "no samples"));
	assert_int_equal(all.len, 0);
	done(log, &b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_log),
		cmocka_unit_test(gaps_of_ticks_are_empty),
		cmocka_unit_test(times_that_run_backwards),
		cmocka_unit_test(nothing_sampled),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
