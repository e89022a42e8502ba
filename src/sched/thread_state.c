#include "sched/thread_state.h"

#include <assert.h>

static const struct stop {
	char letter;
	const char *word, *reason, *text;
} stops[STOP_REASONS] = {
#define STOP(number, id, state, letter, word, reason, text) [STOP_##id] = {letter, word, reason, text},
#include "sched/stops.def"
#undef STOP
};

/* A reason without a row is an unknown one. */
static const struct stop *find(uint8_t stop)
{
	return &stops[stop < STOP_REASONS && stops[stop].word ? stop : STOP_OTHER];
}

char thread_stop_letter(uint8_t stop) { return find(stop)->letter; }

const char *thread_stop_word(uint8_t stop) { return find(stop)->word; }

uint8_t thread_block_reason(uint8_t stop) { return stop < STOP_REASONS && stops[stop].reason ? stop : STOP_OTHER; }

const char *thread_block_name(uint8_t reason)
{
	assert(stops[STOP_OTHER].reason); /* what all others are counted for has a name */
	return stops[thread_block_reason(reason)].reason;
}

const char *thread_stop_text(uint16_t status) { return status < STOP_REASONS ? stops[status].text : NULL; }

/* GHC 7.8.1 and 7.8.2 had put a reason in the middle; they are told by declaring USER_MARKER but not the tag after. */
uint8_t thread_stop_look_up(const struct header *h, uint16_t status)
{
	enum { BEHIND_USER_MARKER = EVL_USER_MARKER + 1 };
	static const uint8_t then[] = {[8] = STOP_MVAR_READ,
		[9] = STOP_BLACK_HOLE,
		[10] = STOP_READ,
		[11] = STOP_WRITE,
		[12] = STOP_DELAY,
		[13] = STOP_STM,
		[14] = STOP_ASYNC,
		[19] = STOP_THROWTO,
		[20] = STOP_MIGRATING};
	bool shifted = h->quick[EVL_USER_MARKER] != HEADER_ODD && h->quick[BEHIND_USER_MARKER] == HEADER_ODD;
	if (shifted && status < countof(then) && then[status])
		return then[status];
	return status < STOP_REASONS ? (uint8_t)status : STOP_OTHER;
}

static bool change(struct thread_pos *pos, enum thread_state state, const struct thread_event *e)
{
	bool changed = pos->state != state || pos->stop != e->stop;
	if (changed)
		pos->since = e->t;
	pos->state = (uint8_t)state;
	pos->stop = e->stop;
	return changed;
}

bool thread_step(struct thread_pos *pos, const struct thread_event *e)
{
	bool waits = pos->state == THREAD_BLOCKED || pos->state == THREAD_UNKNOWN || pos->state == THREAD_ABSENT;
	switch (e->tag) {
	case EVL_CREATE_THREAD:
		if (pos->state != THREAD_ABSENT && pos->state != THREAD_UNKNOWN)
			return false;
		pos->cap = e->cap;
		return change(pos, THREAD_RUNNABLE, e);
	case EVL_RUN_THREAD: pos->cap = e->cap; return change(pos, THREAD_RUNNING, e);
	case EVL_STOP_THREAD:
		if (pos->state == THREAD_RUNNING && pos->cap != e->cap)
			return false;
		pos->cap = e->cap;
		return change(pos, thread_state_after(e->stop), e);
	case EVL_THREAD_WAKEUP:
	case EVL_THREAD_RUNNABLE:
		if (!waits || (pos->state == THREAD_ABSENT && pos->stop == STOP_FINISHED))
			return false;
		pos->cap = e->to_cap;
		return change(pos, THREAD_RUNNABLE, e);
	case EVL_MIGRATE_THREAD:
		if (pos->state != THREAD_RUNNING)
			pos->cap = e->to_cap;
		return false;
	default: return false;
	}
}

bool thread_lost(struct thread_pos *pos, uint16_t cap, uint64_t t)
{
	struct thread_event nothing = {.t = t};
	return pos->state == THREAD_RUNNING && pos->cap == cap && change(pos, THREAD_UNKNOWN, &nothing);
}
