#include "threads/lane_filter.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MILLION = 1000000 };

/* --- reading --- */

static const struct {
	const char *name;
	enum filter_kind kind;
} bounds[] = {{"run", FILTER_RUN}, {"wait", FILTER_WAIT}, {"wakeups", FILTER_WAKEUPS}};

/* "5%" or "2ms" or "100". False where it is not finished or nothing of the kind. */
static bool read_amount(const char *text, struct filter_term *term)
{
	static const struct {
		const char *unit;
		double factor;
		bool share;
	} units[] = {{"%", MILLION / 100, true}, {"", 1, false}, {"ns", 1, false}, {"us", 1e3, false},
		{"ms", 1e6, false}, {"s", 1e9, false}};
	char *end;
	if (!isdigit((unsigned char)*text) && *text != '.')
		return false;
	double value = strtod(text, &end);
	for (size_t i = 0; i < countof(units); i++) {
		if (strcmp(end, units[i].unit) != 0)
			continue;
		double amount = value * units[i].factor;
		term->from = amount < 1e18 ? (uint64_t)amount : (uint64_t)1e18;
		term->share = units[i].share;
		return true;
	}
	return false;
}

static bool read_bound(const char *word, struct filter_term *term, bool *finished)
{
	for (size_t i = 0; i < countof(bounds); i++) {
		size_t len = strlen(bounds[i].name);
		if (strncmp(word, bounds[i].name, len) != 0 || (word[len] != '>' && word[len] != '<'))
			continue;
		term->kind = bounds[i].kind;
		term->less = word[len] == '<';
		*finished = read_amount(word + len + 1, term);
		return true;
	}
	return false;
}

/* "0-3" or "2" */
static bool read_caps(const char *text, struct filter_term *term)
{
	char *end;
	if (!isdigit((unsigned char)*text))
		return false;
	term->kind = FILTER_CAP;
	term->from = term->to = strtoull(text, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		term->to = strtoull(end + 1, &end, 10);
	return *end == '\0' || strcmp(end, "-") == 0;
}

static void read_text(const char *word, struct filter_term *term)
{
	term->kind = FILTER_TEXT;
	term->len = (size_t)snprintf(term->word, sizeof term->word, "%s", word);
	if (term->len >= sizeof term->word)
		term->len = sizeof term->word - 1;
	for (size_t i = 0; i < term->len; i++)
		term->exact_case = term->exact_case || isupper((unsigned char)term->word[i]);
}

/* One term from the word; next: the word behind it, "" at the end. Returns how many words were used; *finished: the
 * term says something. */
static int read_term(const char *word, const char *next, struct filter_term *term, bool *finished)
{
	static const char state[] = "state:";
	*term = (struct filter_term){.negated = *word == '!'};
	*finished = true;
	word += term->negated;
	if (strcmp(word, "cap") == 0 && read_caps(next, term))
		return 2;
	if (strncmp(word, "cap:", 4) == 0) {
		*finished = read_caps(word + 4, term);
	} else if (strcmp(word, "idle") == 0) {
		term->kind = FILTER_IDLE;
	} else if (strncmp(word, state, sizeof state - 1) == 0) {
		read_text(word + sizeof state - 1, term);
		term->kind = FILTER_STATE;
		*finished = term->len > 0;
	} else if (!read_bound(word, term, finished)) {
		read_text(word, term);
		*finished = term->len > 0;
	}
	return 1;
}

void lane_filter_parse(struct lane_filter *f, const char *text)
{
	char copy[256], *words[FILTER_TERMS * 2 + 1], *rest = copy;
	int n = 0;
	*f = (struct lane_filter){0};
	snprintf(copy, sizeof copy, "%s", text);
	while (n < FILTER_TERMS && (words[n] = strtok_r(n ? NULL : copy, " ", &rest)))
		n++;
	for (int i = 0; i < n;) {
		bool finished;
		i += read_term(words[i], i + 1 < n ? words[i + 1] : "", &f->terms[f->n], &finished);
		f->n += finished;
	}
}

bool lane_filter_needs_sums(const struct lane_filter *f)
{
	for (int i = 0; i < f->n; i++)
		if (f->terms[i].kind != FILTER_TEXT)
			return true;
	return false;
}

/* --- asking --- */

static bool same(const struct filter_term *term, uint8_t a, char b)
{
	return term->exact_case ? a == (uint8_t)b : tolower(a) == tolower((unsigned char)b);
}

static bool contains(const struct filter_term *term, const uint8_t *p, size_t len)
{
	for (size_t at = 0; at + term->len <= len; at++) {
		size_t i = 0;
		while (i < term->len && same(term, p[at + i], term->word[i]))
			i++;
		if (i == term->len)
			return true;
	}
	return false;
}

static bool text_holds(const struct filter_term *term, const struct lane_facts *facts)
{
	enum { LABEL_CAP = 4096 };
	char id[16];
	int len = snprintf(id, sizeof id, "%u", facts->thread);
	size_t label = facts->label.len < LABEL_CAP ? facts->label.len : LABEL_CAP;
	return contains(term, facts->label.p, label) || contains(term, (const uint8_t *)id, (size_t)len);
}

static bool bound_holds(const struct filter_term *term, uint64_t value, uint64_t window)
{
	if (term->share)
		value = window ? (uint64_t)((unsigned __int128)value * MILLION / window) : 0;
	return term->less ? value < term->from : value > term->from;
}

static bool begins(const struct filter_term *term, const char *word)
{
	return strncmp(word, term->word, term->len) == 0;
}

static bool state_holds(const struct filter_term *term, const struct lane_facts *facts)
{
	static const struct {
		const char *word;
		enum thread_state state;
	} states[] = {{"running", THREAD_RUNNING}, {"runnable", THREAD_RUNNABLE}, {"blocked", THREAD_BLOCKED},
		{"foreign", THREAD_FOREIGN}};
	for (size_t i = 0; i < countof(states); i++)
		if (begins(term, states[i].word) && (facts->states & 1u << states[i].state))
			return true;
	if (begins(term, "finished") && (facts->stops & 1u << STOP_FINISHED))
		return true;
	for (uint8_t stop = 0; stop < STOP_REASONS; stop++)
		if ((facts->stops & 1u << stop) && *thread_stop_word(stop) && begins(term, thread_stop_word(stop)))
			return true;
	return false;
}

static bool holds(const struct filter_term *term, const struct lane_facts *facts)
{
	switch (term->kind) {
	case FILTER_CAP: return facts->cap >= term->from && facts->cap <= term->to;
	case FILTER_IDLE: return facts->run_ns == 0;
	case FILTER_RUN: return bound_holds(term, facts->run_ns, facts->window_ns);
	case FILTER_WAIT: return bound_holds(term, facts->wait_ns, facts->window_ns);
	case FILTER_WAKEUPS: return bound_holds(term, facts->wakeups, 0);
	case FILTER_STATE: return state_holds(term, facts);
	default: return text_holds(term, facts);
	}
}

static bool concerns_caps(enum filter_kind kind)
{
	return kind == FILTER_CAP || kind == FILTER_IDLE || kind == FILTER_RUN;
}

bool lane_filter_keeps(const struct lane_filter *f, const struct lane_facts *facts)
{
	for (int i = 0; i < f->n; i++) {
		const struct filter_term *term = &f->terms[i];
		if ((!facts->is_cap || concerns_caps(term->kind)) && holds(term, facts) == term->negated)
			return false;
	}
	return true;
}
