/* Texts about data that a log lacks, in each report and pane: of each kind of data, for logs that have it, that have none in
 * the range, that recorded it although nothing happened, that did not record it, and that are cut. No advice names a flag that
 * the program ran with, and each text says which it is: none in this range, none in this log, or not recorded. */
#include "paned.h"
#include "report/abilities.h"

#include <stdio.h>
#include <unistd.h>

/* Nothing happens in [FROM, TO). */
enum { MS = 1000000, LENGTH = 100 * MS, FROM = 10 * MS, TO = 50 * MS, AT = 60 * MS, ROWS = 60, COLS = 200 };

static void put_runs(struct built *b)
{
	put(b, AT, EVL_CREATE_THREAD, "4", 1u);
	put_run(b, AT, 1);
	put_stop(b, AT + MS, 1, STOP_YIELD);
}
static void put_labels(struct built *b)
{
	put_runs(b);
	put(b, AT + MS, EVL_THREAD_LABEL, "4s", 1u, "worker");
}
static void put_tasks(struct built *b) { put(b, AT, EVL_TASK_CREATE, "828", (uint64_t)1, 0u, (uint64_t)4711); }
static void put_gcs(struct built *b) { put_gc(b, AT, AT + MS, AT + 2 * MS, 0); }
static void put_sizes(struct built *b)
{
	put(b, AT, EVL_HEAP_ALLOCATED, "48", 0u, (uint64_t)1000);
	put(b, AT, EVL_HEAP_SIZE, "48", 0u, (uint64_t)1000);
	put(b, AT, EVL_HEAP_LIVE, "48", 0u, (uint64_t)1000);
}
static void put_cycle(struct built *b)
{
	put(b, AT, EVL_CONC_MARK_BEGIN, "");
	put(b, AT + MS, EVL_CONC_MARK_END, "4", 10u);
}
static void put_counters(struct built *b)
{
	put(b, AT, EVL_SPARK_COUNTERS, "8888888", (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0, (uint64_t)0,
		(uint64_t)0, (uint64_t)0);
	put(b, AT + MS, EVL_SPARK_COUNTERS, "8888888", (uint64_t)5, (uint64_t)0, (uint64_t)0, (uint64_t)5, (uint64_t)0,
		(uint64_t)0, (uint64_t)0);
}
static void put_sparks(struct built *b)
{
	put(b, AT, EVL_SPARK_CREATE, "");
	put(b, AT, EVL_SPARK_RUN, "");
}
static void put_spans(struct built *b)
{
	put(b, AT, EVL_USER_MSG, "s", "START job");
	put(b, AT + MS, EVL_USER_MSG, "s", "STOP job");
}
static void put_phases(struct built *b) { put(b, AT, EVL_USER_MARKER, "s", "phase"); }
static void put_census(struct built *b)
{
	put(b, AT, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)100, "Map", 0u);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
}
static void put_causes(struct built *b)
{
	put(b, AT, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_COST_CENTRE, "1814", 0u, (uint64_t)100, 1u, 7u);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
}
static void put_lines(struct built *b)
{
	put(b, AT, EVL_IPE, "8s1s1s1s1s1s1", (uint64_t)4096, "go", 0u, "1", 0u, "", 0u, "", 0u, "Main", 0u, "a.hs:1:1",
		0u);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u, (uint64_t)100, "0x1000", 0u);
	put(b, AT, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
}
static void put_ticky(struct built *b) { put(b, AT, EVL_TICKY_BEGIN_SAMPLE, ""); }
static void put_samples(struct built *b)
{
	put(b, 1, EVL_HEAP_PROF_COST_CENTRE, "4s1s1s11", 7u, "go", 0u, "Main", 0u, "x", 0u, 0u);
	put(b, AT, EVL_PROF_SAMPLE_COST_CENTRE, "48144", 0u, (uint64_t)1, 2u, 7u, 1u);
}

/* flag: as an argument; all: `-l` arguments without and with the class. The words "+RTS FLAG" are never in the title: another
 * argument is between them. metric: one that is unknown without the data, or NULL. absence: its texts, or ABSENCES. */
static const struct kind {
	enum ability_id id;
	const char *flag, *off, *on;
	void (*put)(struct built *b);
	enum absence absence;
	const char *metric;
} kinds[] = {
	{ABILITY_scheduling, "-ls", "-l-s", "-l-au -ls", put_runs, ABSENCE_RUNS, "threads.created"},
	{ABILITY_labels, "-ls", "-l-s", "-l-au -ls", put_labels, ABSENCE_THREADS, NULL},
	{ABILITY_tasks, "-ls", "-l-s", "-l-au -ls", put_tasks, ABSENCE_TASKS, NULL},
	{ABILITY_gc, "-lg", "-l-g", "-l-au -lg", put_gcs, ABSENCE_GCS, "gc.n"},
	{ABILITY_sync, "-lg", "-l-g", "-l-au -lg", put_gcs, ABSENCE_REQUESTS, "gc.sync.max"},
	{ABILITY_sizes, "-lg", "-l-g", "-l-au -lg", put_sizes, ABSENCE_HEAP, "heap.max_live"},
	{ABILITY_nonmoving, "--nonmoving-gc", "-l", "-l --nonmoving-gc", put_cycle, ABSENCE_NONMOVING, NULL},
	{ABILITY_sparks, "-lp", "-l-p", "-l-au -lp", put_counters, ABSENCE_SPARKS, "sparks.created"},
	{ABILITY_each_spark, "-lf", "-l-p-f", "-l-au -lfp", put_sparks, ABSENCE_SPARKS, "sparks.created"},
	{ABILITY_spans, "-lu", "-l-u", "-l-ag -lu", put_spans, ABSENCE_SPANS, NULL},
	{ABILITY_phases, "-lu", "-l-u", "-l-ag -lu", put_phases, ABSENCE_PHASES, NULL},
	{ABILITY_heap_profile, "-hT", "-l", "-l -hT", put_census, ABSENCES, NULL},
	{ABILITY_heap_cause, "-hc", "-l", "-l -hc", put_causes, ABSENCES, NULL},
	{ABILITY_heap_source, "-hi", "-l", "-l -hi", put_lines, ABSENCES, NULL},
	{ABILITY_time_profile, "-p", "-l", "-l -p", put_samples, ABSENCES, NULL},
	{ABILITY_ticky, "-lT", "-l", "-l -lT", put_ticky, ABSENCE_TICKY, NULL},
};

enum what { HAS, NOT_IN_RANGE, NOTHING, NOT_RECORDED, CUT, WHATS };
static const char *const whats[] = {"has it", "none in the range", "nothing happened", "not recorded", "cut"};

/* The number of a heap profile's kind in a log; 0: it is none. */
static unsigned breakdown_of(enum ability_id id)
{
	return id == ABILITY_heap_profile ? 7 : id == ABILITY_heap_cause ? 1 : id == ABILITY_heap_source ? 8 : 0;
}

static void make(struct built *b, const struct kind *k, enum what what)
{
	char args[200];
	*b = log_begin();
	snprintf(args, sizeof args, "./p +RTS -S %s", what == NOT_RECORDED ? k->off : k->on);
	block_begin(b, EVL_NO_CAP, 1);
	put(b, 1, EVL_CAPSET_CREATE, "42", 0u, 1u);
	put(b, 1, EVL_RTS_IDENTIFIER, "4s", 0u,
		k->id == ABILITY_time_profile || k->id == ABILITY_heap_cause ? "GHC-9.10.3 rts_thr_p"
									     : "GHC-9.10.3 rts_thr");
	size_t at = b->len;
	put(b, 1, EVL_PROGRAM_ARGS, "4s1", 0u, args, 0u);
	for (size_t i = at + 16; i < b->len; i++) /* after the head and the capset */
		b->data[i] = b->data[i] == ' ' ? 0 : b->data[i];
	if (breakdown_of(k->id) && what != NOT_RECORDED)
		put(b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, breakdown_of(k->id), "", 0u, "",
			0u, "", 0u, "", 0u, "", 0u, "", 0u, "", 0u);
	const bool global = k->id == ABILITY_tasks || k->id == ABILITY_nonmoving; /* events of no capability */
	if (k->put && global && what != NOTHING && what != NOT_RECORDED)
		k->put(b);
	block_end(b, LENGTH);
	block_begin(b, 0, 2);
	put(b, 2, EVL_USER_MSG, "s", "first");
	if (k->put && !global && what != NOTHING && what != NOT_RECORDED)
		k->put(b);
	put(b, LENGTH, EVL_USER_MSG, "s", "last");
	block_end(b, LENGTH);
	if (what == CUT)
		b->len -= 5;
	else
		log_end(b);
}

static bool is_word_end(char c) { return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')); }

/* Is a flag advised in a text: "+RTS -lg", "+RTS -l -hT"? Classes may be advised together: "-lsg". */
static bool advises(const char *text, const char *flag)
{
	const bool is_class = flag[1] == 'l';
	for (const char *p = text; (p = strstr(p, "+RTS -")) != NULL; p++) {
		const char *arg = p + strlen("+RTS ");
		if (strncmp(arg, "-l ", 3) == 0)
			arg += 3;
		if (!is_class && strncmp(arg, flag, strlen(flag)) == 0 && is_word_end(arg[strlen(flag)]))
			return true;
		if (is_class && strncmp(arg, "-l", 2) == 0)
			for (arg += 2; !is_word_end(*arg); arg++)
				if (*arg == flag[2])
					return true;
	}
	return false;
}

static char *run(const char *command)
{
	struct buf out = {0};
	char bytes[4096];
	FILE *f = popen(command, "r");
	assert_non_null(f);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;)
		buf_put(&out, bytes, n);
	pclose(f);
	buf_char(&out, 0);
	assert_false(out.failed);
	return out.p;
}

static void expect_no_advice(const struct kind *k, enum what what, const char *where, const char *text)
{
	if (what != NOT_RECORDED && advises(text, k->flag))
		fail_msg("%s of a log with %s (%s) advises it: %s", where, k->on, whats[what], text);
}

/* The commands and tables that can lack something. */
static void expect_commands(const struct kind *k, enum what what, const struct built *b)
{
	static const char *const commands[] = {"stats %s LOG", "stats --json %s LOG", "export %s speedscope LOG",
		"export %s folded LOG", "export %s hp LOG", "export %s csv --table gc LOG",
		"export %s csv --table spans LOG", "profile %s LOG", "path %s LOG", "doctor LOG",
		"check %s --fail-if 'gc.n>9' --fail-if 'sparks.created>9' --fail-if 'threads.created>9' "
		"--fail-if 'heap.max_live>9' --fail-if 'gc.sync.max>9' LOG",
		"query \"SELECT * FROM metrics WHERE value IS NULL\" LOG"};
	char path[] = "/tmp/evtui-absence-XXXXXX", command[600];
	int fd = mkstemp(path);
	assert_true(fd >= 0 && write(fd, b->data, b->len) == (ssize_t)b->len && close(fd) == 0);
	for (size_t i = 0; i < countof(commands); i++) {
		const char *range = what == NOT_IN_RANGE ? "--from=10ms --to=50ms" : "";
		const char *dots = strstr(commands[i], "%s"), *log = strstr(commands[i], "LOG");
		const char *begin = dots ? dots + 2 : commands[i];
		snprintf(command, sizeof command, "./evtui %.*s%s%.*s%s 2>&1", dots ? (int)(dots - commands[i]) : 0,
			commands[i], dots ? range : "", (int)(log - begin), begin, path);
		char *text = run(command);
		expect_no_advice(k, what, command, text);
		free(text);
	}
	if (k->metric) {
		snprintf(command, sizeof command,
			"./evtui query --csv \"SELECT count(*) FROM metrics WHERE name = '%s' AND value IS NOT NULL\" "
			"%s "
			"2>&1 | tail -n 1",
			k->metric, path);
		char *text = run(command);
		if (atoi(text) != (what != NOT_RECORDED && what != NOTHING))
			fail_msg("%s of a log with %s (%s): %s", k->metric, k->on, whats[what], text);
		free(text);
	}
	unlink(path);
}

/* Call `see` for each row of each pane, in ASCII; with a range without data selected or none. */
static void see_panes(struct evl_log *log, bool range, void (*see)(void *ctx, const char *row), void *ctx)
{
	for (enum pane_kind pane = PANE_TIMELINE; pane < PANE_KINDS; pane++) {
		if (pane == PANE_OUTPUT) /* of a program that evtui runs */
			continue;
		paned_open(log, pane, ROWS, COLS);
		if (range)
			selection_set(&host.model.selection, FROM, TO);
		paned_draw();
		for (int page = 0; page < 4; page++) {
			char row[COLS + 1];
			for (int y = 0; y < canvas.rows; y++) {
				for (int x = 0; x < canvas.cols; x++)
					row[x] = (char)(canvas_at(&canvas, y, x)->ch & 0x7f);
				row[COLS] = '\0';
				see(ctx, row);
			}
			panes_act(&host, ACT_PAGE_DOWN);
			paned_draw();
		}
		paned_close();
	}
}

struct seen {
	const struct kind *k;
	enum what what;
};

static void see_no_advice(void *ctx, const char *row)
{
	const struct seen *seen = ctx;
	expect_no_advice(seen->k, seen->what, "a pane", row);
}

static void expect_texts(const struct kind *k, enum what what, const struct evl_log *log)
{
	struct ability a = ability_of_log(log, k->id);
	const bool seen = what != NOTHING && what != NOT_RECORDED && k->put;
	enum ability_state state = seen ? ABILITY_SHOWN : what == NOT_RECORDED ? ABILITY_NOT_RECORDED : ABILITY_NONE;
	if (a.state != state)
		fail_msg("ability %s, %s: %s", a.id, whats[what], a.state_name);
	assert_true(what == NOT_RECORDED || !a.flag);
	if (k->absence == ABSENCES)
		return;
	const char *text = absence_text(log, k->absence);
	bool told = seen ? strcmp(text, "none in this range") == 0
		: what == NOT_RECORDED
		? strstr(text, k->absence == ABSENCE_SPARKS ? "-lp" : k->flag) != NULL && !strstr(text, "none in this")
		: !strstr(text, "not recorded") && !strstr(text, "+RTS") && !strstr(text, "in this range");
	if (!told || strstr(text, "threaded")) /* the program is */
		fail_msg("ability %s, %s: %s", a.id, whats[what], text);
}

static void each_kind_of_each_ability(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(kinds); i++)
		for (enum what what = 0; what < WHATS; what++) {
			struct built b;
			make(&b, &kinds[i], what);
			struct evl_log *log = walked(&b);
			expect_texts(&kinds[i], what, log);
			expect_commands(&kinds[i], what, &b);
			see_panes(log, what == NOT_IN_RANGE, see_no_advice, &(struct seen){&kinds[i], what});
			done(log, &b);
		}
}

/* --- all kinds together ----------------------------------------------------------------------------------------------- */

/* A log of a program that recorded everything, or nothing but messages; with data of all kinds or none. HOLED: each block of
 * data is damaged in its middle. */
enum all { ALL, ALL_NOTHING, ALL_NOT_RECORDED, ALL_HOLED };
static const char *const alls[] = {"all", "nothing happened", "not recorded", "with holes"};

static void make_all(struct built *b, enum all all)
{
	char args[200];
	*b = log_begin();
	snprintf(args, sizeof args, "./p +RTS -S %s",
		all == ALL_NOT_RECORDED ? "-l-a" : "-la -lT -ln -hT -hc -hi -p --nonmoving-gc");
	block_begin(b, EVL_NO_CAP, 1);
	put(b, 1, EVL_CAPSET_CREATE, "42", 0u, 1u);
	put(b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.10.3 rts_thr_p");
	size_t at = b->len;
	put(b, 1, EVL_PROGRAM_ARGS, "4s1", 0u, args, 0u);
	for (size_t i = at + 16; i < b->len; i++) /* after the head and the capset */
		b->data[i] = b->data[i] == ' ' ? 0 : b->data[i];
	if (all != ALL_NOT_RECORDED)
		put(b, 3, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 7u, "", 0u, "", 0u, "", 0u, "",
			0u, "", 0u, "", 0u, "", 0u);
	block_end(b, LENGTH);
	for (size_t i = 0; i < countof(kinds); i++) {
		const struct kind *k = &kinds[i];
		const bool global = k->id == ABILITY_tasks || k->id == ABILITY_nonmoving || breakdown_of(k->id);
		block_begin(b, global ? EVL_NO_CAP : (uint16_t)i, 2);
		put(b, 2, EVL_USER_MSG, "s", "first");
		size_t from = b->len;
		if (k->id == ABILITY_nonmoving && (all == ALL || all == ALL_HOLED))
			put(b, AT, EVL_NONMOVING_HEAP_CENSUS, "2444", 8u, 1u, 1u, 1u);
		bool is = k->put && (all == ALL || all == ALL_HOLED) && k->id != ABILITY_heap_cause
			&& k->id != ABILITY_heap_source;
		if (is)
			k->put(b);
		if (is && all == ALL_HOLED)
			memset(b->data + from, 0xfe, b->len - from);
		put(b, LENGTH, EVL_USER_MSG, "s", "last");
		block_end(b, LENGTH);
	}
	log_end(b);
}

struct of_all {
	enum all all;
	bool range;
	const char *const * not ;
	const char *most; /* is in many rows */
	size_t rows;
};

/* Apart from the arguments of the program, a name, a legend, and profiles of other kinds. */
static void see_all(void *ctx, const char *row)
{
	static const char *const others[] = {"+RTS -S -l", "as in +RTS -s", "FINDINGS", "+RTS -l -h"};
	struct of_all *a = ctx;
	for (size_t i = 0; i < countof(others); i++)
		if (strstr(row, others[i]))
			return;
	for (size_t i = 0; a->not [i]; i++)
		if (strstr(row, a->not [i]))
			fail_msg("of a log (%s)%s: %s", alls[a->all], a->range ? ", a range" : "", row);
	a->rows += strstr(row, a->most) != NULL;
}

static void panes_tell_why_there_is_nothing(void **state)
{
	static const char *const here[] = {"not recorded", "+RTS -", "in this log", "in this range", NULL},
				 *const elsewhere[] = {"not recorded", "+RTS -", "in this log", NULL},
				 *const nothing[] = {"not recorded", "+RTS -", "in this range", NULL},
				 *const untold[] = {"in this range", NULL},
				 *const lost[] = {"not recorded", "+RTS -", "none in this", "in this range", NULL};
	static const struct {
		enum all all;
		bool range;
		const char *const * not, *most;
	} cases[] = {{ALL, false, here, " job "}, {ALL, true, elsewhere, "none in this range"},
		{ALL_NOTHING, false, nothing, "none in this log"}, {ALL_NOTHING, true, nothing, "none in this log"},
		{ALL_NOT_RECORDED, false, untold, "not recorded"}, {ALL_NOT_RECORDED, true, untold, "not recorded"},
		{ALL_HOLED, false, lost, "none readable in this log"},
		{ALL_HOLED, true, lost, "none readable in this log"}};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct of_all a = {cases[i].all, cases[i].range, cases[i].not, cases[i].most, 0};
		struct built b;
		make_all(&b, a.all);
		struct evl_log *log = walked(&b);
		assert_int_equal(damage_lost(&log->damage) > 0, a.all == ALL_HOLED);
		see_panes(log, a.range, see_all, &a);
		if (a.rows < 8)
			fail_msg("%s is in %zu rows", a.most, a.rows);
		done(log, &b);
	}
}

static void advice_is_found(void **state)
{
	(void)state;
	assert_true(advises("none (+RTS -lsg)", "-lg") && advises("run +RTS -l -hT", "-hT"));
	assert_false(
		advises("+RTS -S -l-g -lg", "-lg") || advises("+RTS -ls", "-lg") || advises("+RTS -l -hTx", "-hT"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(advice_is_found),
		cmocka_unit_test(each_kind_of_each_ability), cmocka_unit_test(panes_tell_why_there_is_nothing)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
