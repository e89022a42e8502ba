#include "threads/lane_filter.h"

#include "base/utf8.h"
#include "log/log.h"
#include "sched/thread_state.h"

#include <stdio.h>

static const struct {
	const char *word;
	enum thread_state state;
} states[] = {{"running", THREAD_RUNNING}, {"runnable", THREAD_RUNNABLE}, {"blocked", THREAD_BLOCKED},
	{"foreign", THREAD_FOREIGN}};

/* The word of state or reason i; NULL after the last, "" if it is not a wait. */
static const char *state_word(size_t i)
{
	uint8_t stop = (uint8_t)(i - countof(states));
	if (i < countof(states))
		return states[i].word;
	return stop >= STOP_REASONS ? NULL : stop == STOP_FINISHED ? "finished" : thread_stop_word(stop);
}

/* Each word once. */
static void state_words(UNUSED const void *ctx, struct filter_offers *offers)
{
	const char *word, *other;
	for (size_t i = 0; (word = state_word(i)); i++) {
		size_t same = 0;
		while (same < i && (other = state_word(same)) && strcmp(other, word) != 0)
			same++;
		if (*word && same == i)
			filter_offer(offers, word);
	}
}

/* The labels of the first threads that are one plain word. */
static void labels(const void *ctx, struct filter_offers *offers)
{
	enum { MOST = 4096, WORD = 64 };
	const struct evl_log *log = ctx;
	uint32_t id = 0;
	for (int i = 0; log && i < MOST && threads_next(&log->threads, id, &id); i++) {
		char word[WORD];
		struct evl_str label = evl_label(log, id);
		bool plain = label.len && label.len < sizeof word && utf8_plain_run(label) == label.len
			&& !memchr(label.p, ' ', label.len);
		snprintf(word, sizeof word, "%.*s", (int)label.len, (const char *)label.p);
		if (plain)
			filter_offer(offers, word);
	}
}

enum { CAP, LABEL, RUN, RUNNABLE_WAIT, STATE, THREAD, WAKEUPS, WAIT, FIELDS };

static const struct filter_field fields[FIELDS] = {
	[CAP] = {"cap", "cap:2 or cap:0-3", FILTER_NUMBER, .unit = UNIT_COUNT},
	[LABEL] = {"label", "label~worker", FILTER_TEXT, .values = labels},
	[RUN] = {"run", "run>5% or run>2ms", FILTER_NUMBER, UNIT_NS, .shares = true},
	[RUNNABLE_WAIT] = {"runnable_wait", "runnable_wait>5% or runnable_wait>2ms", FILTER_NUMBER, UNIT_NS,
		.shares = true},
	[STATE] = {"state", "state:mvar", FILTER_CHOICE, .values = state_words},
	[THREAD] = {"thread", "thread:26", FILTER_NUMBER, .unit = UNIT_COUNT},
	[WAKEUPS] = {"wakeups", "wakeups>100", FILTER_NUMBER, .unit = UNIT_COUNT},
	/* The former name of runnable_wait; in the table of threads it is the longest time blocked. */
	[WAIT] = {"wait", "runnable_wait>5% or runnable_wait>2ms", FILTER_NUMBER, UNIT_NS, .shares = true}};

static const char *const words[] = {"idle", NULL};

const struct filter_fields lane_filter_fields = {fields, FIELDS, words, .open = true};

static bool is_word(const struct filter *f, const struct filter_term *t, const char *word)
{
	return t->field < 0 && strcmp(f->text + t->at, word) == 0;
}

static bool is_idle(const struct filter *f, const struct filter_term *t) { return is_word(f, t, "idle"); }

/* The lane of threads without a label has this name, in two words or in one. */
static bool is_no_label(const struct filter *f, const struct filter_term *t)
{
	return is_word(f, t, "no") || is_word(f, t, "label") || is_word(f, t, "no label");
}

bool lane_filter_needs_sums(const struct filter *f)
{
	for (size_t i = 0; i < f->n; i++) {
		const struct filter_term *t = &f->terms[i];
		if (is_idle(f, t) || (t->field >= 0 && t->field != LABEL && t->field != THREAD))
			return true;
	}
	return false;
}

static bool name_holds(const struct filter *f, const struct filter_term *t, const struct lane_facts *facts)
{
	char id[16];
	struct evl_str label = facts->label;
	int len = snprintf(id, sizeof id, "%u", facts->thread);
	label.len = min_u64(label.len, FILTER_TEXT_MOST);
	return filter_text(f, t, label) || (!label.len && is_no_label(f, t))
		|| (t->field < 0 && filter_text(f, t, (struct evl_str){(const uint8_t *)id, (size_t)len}));
}

static bool time_holds(const struct filter_term *t, uint64_t ns, uint64_t window)
{
	return filter_number(t, t->share ? (window ? (double)ns / (double)window : 0) : (double)ns);
}

static bool state_holds(const struct filter *f, const struct filter_term *t, const struct lane_facts *facts)
{
	const char *word;
	for (size_t i = 0; (word = state_word(i)); i++) {
		bool was = i < countof(states) ? facts->states >> states[i].state & 1
					       : facts->stops >> (i - countof(states)) & 1;
		if (was && *word && filter_choice(f, t, word))
			return t->op != FILTER_IS_NOT;
	}
	return t->op == FILTER_IS_NOT;
}

static enum filter_answer holds(void *ctx, const struct filter *f, const struct filter_term *t)
{
	const struct lane_facts *facts = ctx;
	bool held, idle = is_idle(f, t);
	if (facts->is_cap && !idle && t->field != CAP && t->field != RUN)
		return FILTER_MAYBE;
	switch (t->field) {
	case CAP: held = filter_number(t, facts->cap); break;
	case THREAD: held = filter_number(t, facts->thread); break;
	case RUN: held = time_holds(t, facts->run_ns, facts->window_ns); break;
	case RUNNABLE_WAIT:
	case WAIT: held = time_holds(t, facts->wait_ns, facts->window_ns); break;
	case WAKEUPS: held = filter_number(t, facts->wakeups); break;
	case STATE: held = state_holds(f, t, facts); break;
	default: held = idle ? facts->run_ns == 0 : name_holds(f, t, facts);
	}
	return held ? FILTER_YES : FILTER_NO;
}

bool lane_filter_keeps(const struct filter *f, const struct lane_facts *facts)
{
	return filter_ask(f, holds, (void *)(uintptr_t)facts) != FILTER_NO;
}
