/* The nonmoving collector: phases out of real and broken orders of events, columns, the way from one to the next. */
#include "logs.h"

#include <stdio.h>

/* One event: m M mark start and end, s S sync, w W sweep. */
static void put_phase(struct built *b, uint64_t t, char c)
{
	static const struct {
		char letter;
		uint16_t tag;
	} tags[] = {{'m', EVL_CONC_MARK_BEGIN}, {'M', EVL_CONC_MARK_END}, {'s', EVL_CONC_SYNC_BEGIN},
		{'S', EVL_CONC_SYNC_END}, {'w', EVL_CONC_SWEEP_BEGIN}, {'W', EVL_CONC_SWEEP_END}};
	for (size_t i = 0; i < countof(tags); i++)
		if (tags[i].letter == c)
			put(b, t, tags[i].tag, c == 'M' ? "4" : "", 1u);
}

/* A log with these events in the global buffer, one every 10 ns from 10 on; a dot is no event. */
static struct built story(const char *events)
{
	struct built b = log_begin();
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	put_stop(&b, 1000, 1, 5);
	block_end(&b, 1000);
	block_begin(&b, EVL_NO_CAP, 0);
	for (uint64_t t = 10; *events; t += 10)
		put_phase(&b, t, *events++);
	block_end(&b, 1000);
	log_end(&b);
	return b;
}

/* The phases as text: "mark 10-20 sync 30-? …", an aborted one with `!`. */
static char *announced(const struct evl_log *log, char *out, size_t room)
{
	static const char *const names[] = {"mark", "sync", "sweep"};
	struct nm_phase p;
	size_t used = 0;
	out[0] = '\0';
	for (uint64_t t = 0; nonmoving_after(&log->nonmoving, t, &p); t = p.start) {
		used += (size_t)snprintf(
			out + used, room - used, "%s%s %d-", used ? " " : "", names[p.kind], (int)p.start);
		if (p.end == NM_OPEN)
			used += (size_t)snprintf(out + used, room - used, "?");
		else
			used += (size_t)snprintf(out + used, room - used, "%d%s", (int)p.end, p.aborted ? "!" : "");
	}
	return out;
}

static void stories(void **state)
{
	static const struct {
		const char *events, *phases;
		unsigned anomalies;
	} cases[] = {
		{"mMsSwW", "mark 10-20 sync 30-40 sweep 50-60", 0},
		{"mMmMsSwW", "mark 10-20 mark 30-40 sync 50-60 sweep 70-80", 0},
		/* today's GHCs post syncs twice, and mark within them */
		{"mMssmMmMSSwW", "mark 10-20 sync 30-90 sweep 110-120", 0},
		/* marking without end within the sync, which is cancelled */
		{"mMssmSSmMssSSwW", "mark 10-20 sync 30-60! mark 80-90 sync 100-120 sweep 140-150", 0},
		/* a mark that ran out of its budget has no end */
		{"mmsSwW", "mark 10-20 mark 20-30 sync 30-40 sweep 50-60", 0},
		/* not concurrent: no sync */
		{"mMwWmMwW", "mark 10-20 sweep 30-40 mark 50-60 sweep 70-80", 0},
		/* shutdown after marking; cut within each phase */
		{"mM", "mark 10-20", 0},
		{"m", "mark 10-?", 0},
		{"mMs", "mark 10-20 sync 30-?", 0},
		{"mMsSw", "mark 10-20 sync 30-40 sweep 50-?", 0},
		/* the log began within a phase */
		{"MsSwW", "sync 20-30 sweep 40-50", 1},
		{"WmM", "mark 20-30", 1},
		{"SSwW", "sweep 30-40", 0},
		/* lost events: what comes next ends what was open, and is counted */
		{"mwW", "mark 10-20 sweep 20-30", 1},
		{"mswW", "mark 10-20 sync 20-30 sweep 30-40", 1},
		{"wmM", "sweep 10-20 mark 20-30", 1},
		{"wsS", "sweep 10-20 sync 20-30", 1},
		{"wM", "sweep 10-20", 1},
		{"mS", "mark 10-20", 1},
		{"mW", "mark 10-20", 1},
		{"sW", "sync 10-20", 1},
	};
	char text[500];
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct built b = story(cases[i].events);
		struct evl_log *log = walked(&b);
		assert_string_equal(announced(log, text, sizeof text), cases[i].phases);
		assert_int_equal(log->nonmoving.anomalies, cases[i].anomalies);
		done(log, &b);
	}
}

/* An event earlier than the one before, and one in the block of a capability, change nothing. */
static void misplaced_events(void **state)
{
	char text[100];
	struct built b = log_begin();
	(void)state;
	block_begin(&b, 0, 0);
	put_run(&b, 1, 1);
	put_phase(&b, 5, 'w');
	put_stop(&b, 1000, 1, 5);
	block_end(&b, 1000);
	block_begin(&b, EVL_NO_CAP, 0);
	put_phase(&b, 50, 'm');
	put_phase(&b, 40, 'M');
	put_phase(&b, 60, 'M');
	block_end(&b, 1000);
	log_end(&b);
	struct evl_log *log = walked(&b);
	assert_string_equal(announced(log, text, sizeof text), "mark 50-60");
	assert_int_equal(log->nonmoving.anomalies, 2);
	done(log, &b);
}

static void rows_know_their_events(void **state)
{
	struct built b = story("mMssSSwW");
	struct evl_log *log = walked(&b);
	static const uint16_t tags[] = {EVL_CONC_MARK_BEGIN, EVL_CONC_SYNC_BEGIN, EVL_CONC_SWEEP_BEGIN};
	struct nm_phase p;
	(void)state;
	for (uint64_t t = 0; nonmoving_after(&log->nonmoving, t, &p); t = p.start) {
		struct frame f;
		assert_int_equal(frame_read(&log->header, log->source.data, p.off, log->source.len, &f), FRAME_OK);
		assert_int_equal(f.tag, tags[p.kind]);
		assert_int_equal(f.t, p.start);
	}
	done(log, &b);
}

/* Columns of all widths against the phases one by one. */
static void columns_are_sums(void **state)
{
	struct built b = story("mM.mMssmMSSwW..mmssSSmMsS.wW.....mMsSwWmM.w");
	struct evl_log *log = walked(&b);
	(void)state;
	for (uint64_t t0 = 0; t0 < 500; t0 += 3)
		for (uint64_t t1 = t0 + 1; t1 < 510; t1 += 7) {
			struct nm_column got, want = {.first = NM_OFF, .last = NM_OFF};
			struct nm_phase p;
			nonmoving_column(&log->nonmoving, t0, t1, &got);
			for (uint64_t t = 0; nonmoving_after(&log->nonmoving, t, &p); t = p.start) {
				want.ns[p.kind] += sub_or_0(min_u64(p.end, t1), max_u64(p.start, t0));
				want.n[p.kind] += p.start < t1 && p.end > t0;
				want.edges += p.start > t0 && p.start < t1;
				want.edges += p.end > t0 && p.end < t1;
				if (p.start <= t0 && p.end > t0)
					want.first = p.kind;
				if (p.start < t1 && p.end > t1 - 1)
					want.last = p.kind;
				if (p.start > t0 && p.start < t1)
					want.split = p.start;
				else if (p.end > t0 && p.end < t1)
					want.split = p.end;
			}
			assert_memory_equal(got.ns, want.ns, sizeof got.ns);
			assert_memory_equal(got.n, want.n, sizeof got.n);
			assert_int_equal(got.edges, want.edges);
			assert_int_equal(got.first, want.first);
			assert_int_equal(got.last, want.last);
			if (got.edges == 1)
				assert_int_equal(got.split, want.split);
		}
	done(log, &b);
}

static void there_and_back(void **state)
{
	struct built b = story("mMssSSwW");
	struct evl_log *log = walked(&b);
	const struct nonmoving *nm = &log->nonmoving;
	struct nm_phase p;
	(void)state;
	assert_true(nonmoving_any(nm));
	assert_false(nonmoving_before(nm, 10, &p));
	assert_true(nonmoving_before(nm, 11, &p));
	assert_int_equal(p.start, 10);
	assert_true(nonmoving_before(nm, UINT64_MAX, &p));
	assert_int_equal(p.kind, NM_SWEEP);
	assert_false(nonmoving_after(nm, p.start, &p));
	assert_false(nonmoving_at(nm, 9, &p));
	assert_true(nonmoving_at(nm, 10, &p));
	assert_true(nonmoving_at(nm, 19, &p));
	assert_false(nonmoving_at(nm, 20, &p));
	assert_true(nonmoving_at(nm, 45, &p));
	assert_int_equal(p.kind, NM_SYNC);
	done(log, &b);
}

static void flushes_pruned_census(void **state)
{
	struct built b = log_begin();
	struct point at;
	(void)state;
	for (uint16_t cap = 0; cap < 2; cap++) {
		block_begin(&b, cap, 0);
		put_run(&b, 1, 1);
		put(&b, 35u + cap, EVL_CONC_UPD_REM_SET_FLUSH, "2", (unsigned)cap);
		put_stop(&b, 100, 1, 5);
		block_end(&b, 100);
	}
	block_begin(&b, EVL_NO_CAP, 0);
	put_phase(&b, 30, 's');
	put_phase(&b, 40, 'S');
	put(&b, 50, EVL_NONMOVING_PRUNED_SEGMENTS, "44", 3u, 4u);
	put(&b, 60, EVL_NONMOVING_HEAP_CENSUS, "2444", 24u, 1u, 2u, 300u);
	put(&b, 61, EVL_NONMOVING_HEAP_CENSUS, "2444", 32u, 0u, 0u, 0u);
	block_end(&b, 100);
	log_end(&b);
	struct evl_log *log = walked(&b);
	struct nonmoving *nm = &log->nonmoving;
	struct nm_census census;
	assert_int_equal(points_in(&nm->flushes, 30, 40, NULL), 2);
	assert_true(points_after(&nm->pruned, 0, &at));
	assert_int_equal(at.t, 50);
	assert_false(nonmoving_census(&log->blocks, at.off, &census));
	assert_false(nonmoving_census(&log->blocks, UINT64_MAX, &census));
	assert_int_equal(points_count(&nm->census), 2);
	assert_true(points_after(&nm->census, 0, &at));
	assert_true(nonmoving_census(&log->blocks, at.off, &census));
	assert_int_equal(census.block_size, 24);
	assert_int_equal(census.active, 1);
	assert_int_equal(census.filled, 2);
	assert_int_equal(census.live, 300);
	done(log, &b);
}

static void what_it_asks_for(void **state)
{
	(void)state;
	unsigned wanted = 0;
	for (unsigned tag = 0; tag <= UINT16_MAX; tag++)
		wanted += nonmoving_wants((uint16_t)tag);
	assert_int_equal(wanted, 9);
	assert_true(nonmoving_wants(EVL_CONC_MARK_BEGIN) && nonmoving_wants(EVL_NONMOVING_PRUNED_SEGMENTS));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stories),
		cmocka_unit_test(misplaced_events),
		cmocka_unit_test(rows_know_their_events),
		cmocka_unit_test(columns_are_sums),
		cmocka_unit_test(there_and_back),
		cmocka_unit_test(flushes_pruned_census),
		cmocka_unit_test(what_it_asks_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
