#include "state/selection.h"

void selection_begin(struct selection *s, uint64_t t)
{
	*s = (struct selection){.on = true, .moving = true, .anchor = t, .end = t};
}

void selection_move(struct selection *s, uint64_t t)
{
	if (s->moving)
		s->end = t;
}

bool selection_keep(struct selection *s)
{
	s->moving = false;
	s->on = s->on && s->anchor != s->end;
	return s->on;
}

void selection_set(struct selection *s, uint64_t from, uint64_t to)
{
	*s = (struct selection){.on = to > from, .anchor = from, .end = to};
}

void selection_drop(struct selection *s)
{
	*s = (struct selection){0};
}

uint64_t selection_turn(struct selection *s)
{
	uint64_t end = s->anchor;
	s->anchor = s->end;
	s->end = end;
	return end;
}
