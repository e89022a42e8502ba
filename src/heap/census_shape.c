#include "heap/census_shape.h"

#include "base/units.h"

#include <math.h>
#include <stdio.h>

enum {
	TOLERANCE = 12,
	FLAT = 10,
	TOOTH = 3,
	STEP_PART = 50,
	STEP_POINTS = 2,
	END_PART = 20,
	LEAST = 3,
	GROW_POINTS = 5
};

/* --- straight pieces ----------------------------------------------------------------------------------------------- */

/* How far a point is from the line between two others, in bytes. */
static double distance(const struct shape_point *p, size_t a, size_t b, size_t i)
{
	double dt = (double)(p[b].t - p[a].t), part = dt > 0 ? (double)(p[i].t - p[a].t) / dt : 0;
	double at = (double)p[a].bytes + part * ((double)p[b].bytes - (double)p[a].bytes);
	return fabs((double)p[i].bytes - at);
}

/* Mark the points between a and b where the course turns. */
static void split(const struct shape_point *p, size_t a, size_t b, double tolerance, bool *turns)
{
	while (b - a > 1) {
		double most = 0;
		size_t at = a;
		for (size_t i = a + 1; i < b; i++)
			if (distance(p, a, b, i) > most) {
				most = distance(p, a, b, i);
				at = i;
			}
		if (most <= tolerance)
			return;
		turns[at] = true;
		split(p, a, at, tolerance, turns);
		a = at;
	}
}

static int direction(uint64_t from, uint64_t to, uint64_t flat)
{
	return to > from && to - from > flat ? 1 : from > to && from - to > flat ? -1 : 0;
}

/* Add a piece, or make the last one longer if it goes the same way. Steps stay by themselves. */
static void add(struct census_shape *s, struct shape_piece piece)
{
	struct shape_piece *last = s->n ? &s->pieces[s->n - 1] : NULL;
	if (last && ((last->dir == piece.dir && last->step == piece.step) || s->n == SHAPE_PIECES)) {
		last->to = piece.to;
		return;
	}
	s->pieces[s->n++] = piece;
}

static void cut(struct census_shape *s, const struct shape_point *p, size_t n)
{
	bool turns[SHAPE_POINTS] = {0};
	uint64_t range = s->high - s->low, flat = range / FLAT, all = p[n - 1].t - p[0].t;
	split(p, 0, n - 1, (double)range / TOLERANCE, turns);
	turns[n - 1] = true;
	for (size_t i = 1, from = 0; i < n; i++) {
		if (!turns[i])
			continue;
		struct shape_piece piece = {p[from], p[i], direction(p[from].bytes, p[i].bytes, flat), false};
		piece.step = piece.dir && n > 2 * LEAST
			&& (i - from <= STEP_POINTS || piece.to.t - piece.from.t <= all / STEP_PART);
		add(s, piece);
		from = i;
	}
	for (size_t i = 0; i < s->n; i++) /* gentle pieces together may be more than flat */
		if (s->pieces[i].dir == 0)
			s->pieces[i].dir = direction(s->pieces[i].from.bytes, s->pieces[i].to.bytes, flat);
}

/* --- what they amount to ------------------------------------------------------------------------------------------- */

static size_t count_teeth(const struct census_shape *s)
{
	uint64_t least = (s->high - s->low) / TOOTH;
	size_t up = 0, down = 0;
	uint64_t turn = s->pieces[0].from.bytes; /* the last extreme */
	int dir = 0;
	for (size_t i = 0; i < s->n; i++) {
		uint64_t to = s->pieces[i].to.bytes;
		if (to > turn && to - turn >= least && dir <= 0) {
			up++;
			dir = 1;
		} else if (turn > to && turn - to >= least && dir >= 0) {
			down++;
			dir = -1;
		}
		turn = dir > 0 ? max_u64(turn, to) : dir < 0 ? min_u64(turn, to) : turn;
	}
	return up < down ? up : down;
}

static void fit(struct census_shape *s, const struct shape_point *p, size_t n)
{
	double st = 0, sx = 0, stt = 0, sxx = 0, stx = 0, first = (double)p[0].t;
	for (size_t i = 0; i < n; i++) {
		double t = ((double)p[i].t - first) / 1e9, x = (double)p[i].bytes;
		st += t;
		sx += x;
		stt += t * t;
		sxx += x * x;
		stx += t * x;
	}
	double m = (double)n, vt = stt - st * st / m, vx = sxx - sx * sx / m, c = stx - st * sx / m;
	s->slope = vt > 0 ? c / vt : 0;
	s->r2 = vt > 0 && vx > 0 ? fmin(c * c / (vt * vx), 1) : NAN;
}

/* Does the last change rise to the end? */
static void look_at_end(struct census_shape *s, const struct shape_point *p, size_t n)
{
	uint64_t all = p[n - 1].t - p[0].t;
	const struct shape_piece *last = &s->pieces[s->n - 1];
	if (s->kind != SHAPE_CHANGES || last->dir <= 0 || last->step || p[n - 1].t - last->to.t > all / END_PART)
		return;
	size_t from = 0;
	while (p[from].t < last->from.t)
		from++;
	if (n - from < GROW_POINTS)
		return;
	s->grows = true;
	s->since = last->from.t;
	fit(s, p + from, n - from);
	s->grows = s->slope > 0;
}

static bool is_one_step(const struct census_shape *s)
{
	size_t steps = 0, others = 0;
	for (size_t i = 0; i < s->n; i++) {
		steps += s->pieces[i].step && s->pieces[i].dir > 0;
		others += s->pieces[i].dir && !(s->pieces[i].step && s->pieces[i].dir > 0);
	}
	return steps == 1 && others == 0;
}

void census_shape(struct census_shape *out, const struct shape_point *points, size_t n)
{
	*out = (struct census_shape){.low = UINT64_MAX};
	n = n < SHAPE_POINTS ? n : SHAPE_POINTS;
	for (size_t i = 0; i < n; i++) {
		out->low = min_u64(out->low, points[i].bytes);
		out->high = max_u64(out->high, points[i].bytes);
	}
	if (n < LEAST || points[n - 1].t <= points[0].t) {
		out->low = n ? out->low : 0;
		return;
	}
	out->kind = out->high == 0 ? SHAPE_ABSENT : SHAPE_CHANGES;
	if (out->high == 0)
		return;
	if (out->high - out->low <= out->high / FLAT) {
		out->kind = SHAPE_FLAT;
		return;
	}
	cut(out, points, n);
	out->teeth = count_teeth(out);
	out->kind = out->teeth >= TOOTH ? SHAPE_SAWTOOTH : is_one_step(out) ? SHAPE_STEP : SHAPE_CHANGES;
	look_at_end(out, points, n);
}

/* --- in words ------------------------------------------------------------------------------------------------------ */

static const struct shape_piece *the_step(const struct census_shape *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->pieces[i].step)
			return &s->pieces[i];
	return &s->pieces[0];
}

/* Changes, without what is flat; at most this number, the last ones. */
static size_t last_changes(const struct census_shape *s, const struct shape_piece **out, size_t most)
{
	size_t n = 0;
	for (size_t i = s->n; i-- > 0 && n < most;)
		if (s->pieces[i].dir)
			out[n++] = &s->pieces[i];
	for (size_t i = 0; i < n / 2; i++) {
		const struct shape_piece *piece = out[i];
		out[i] = out[n - 1 - i];
		out[n - 1 - i] = piece;
	}
	return n;
}

static int put_change(char *out, size_t room, const struct shape_piece *p, bool first)
{
	char a[TEXT_ROOM], b[TEXT_ROOM], from[TEXT_ROOM], to[TEXT_ROOM];
	text_bytes(a, p->from.bytes);
	text_bytes(b, p->to.bytes);
	text_duration(from, p->from.t);
	text_duration(to, p->to.t);
	const char *verb = p->dir > 0 ? "rose" : "fell";
	if (p->step && first)
		return snprintf(out, room, "%s %s → %s at %s", verb, a, b, to);
	if (p->step)
		return snprintf(out, room, "%s to %s at %s", verb, b, to);
	if (first)
		return snprintf(out, room, "%s %s → %s from %s to %s", verb, a, b, from, to);
	return snprintf(out, room, "%s to %s from %s to %s", verb, b, from, to);
}

static void put_changes(char *out, const struct census_shape *s)
{
	enum { MOST = 3 };
	const struct shape_piece *changes[MOST];
	size_t n = last_changes(s, changes, MOST), len = 0, all = 0;
	for (size_t i = 0; i < s->n; i++)
		all += s->pieces[i].dir != 0;
	if (all > n)
		len = (size_t)snprintf(out, SHAPE_TEXT, "last %zu of %zu changes: ", n, all);
	for (size_t i = 0; i < n && len < SHAPE_TEXT; i++) {
		len += (size_t)snprintf(out + len, SHAPE_TEXT - len, "%s", i ? ", " : "");
		if (len < SHAPE_TEXT)
			len += (size_t)put_change(out + len, SHAPE_TEXT - len, changes[i], i == 0);
	}
	if (n && len < SHAPE_TEXT && s->pieces[s->n - 1].dir == 0)
		snprintf(out + len, SHAPE_TEXT - len, s->pieces[s->n - 1].to.bytes ? ", flat since" : ", zero since");
	else if (n && len < SHAPE_TEXT && s->grows)
		snprintf(out + len, SHAPE_TEXT - len, ", rising until the last sample");
}

char *census_shape_text(char *out, const struct census_shape *s)
{
	char at[TEXT_ROOM];
	*out = '\0';
	switch (s->kind) {
	case SHAPE_UNKNOWN: snprintf(out, SHAPE_TEXT, "unknown: fewer than three samples"); break;
	case SHAPE_ABSENT: snprintf(out, SHAPE_TEXT, "not there"); break;
	case SHAPE_FLAT: snprintf(out, SHAPE_TEXT, "flat at %s", as_bytes(s->high)); break;
	case SHAPE_STEP:
		snprintf(out, SHAPE_TEXT, "one step of %s at %s",
			as_bytes(the_step(s)->to.bytes - the_step(s)->from.bytes),
			text_duration(at, the_step(s)->to.t));
		break;
	case SHAPE_SAWTOOTH:
		snprintf(out, SHAPE_TEXT, "saw-tooth between %s and %s, %zu times", as_bytes(s->low), as_bytes(s->high),
			s->teeth);
		break;
	default: put_changes(out, s); break;
	}
	return out;
}

char *census_shape_brief(char *out, const struct census_shape *s)
{
	char at[TEXT_ROOM];
	const struct shape_piece *last;
	*out = '\0';
	switch (s->kind) {
	case SHAPE_FLAT: snprintf(out, SHAPE_TEXT, "flat"); break;
	case SHAPE_STEP: snprintf(out, SHAPE_TEXT, "step at %s", text_duration(at, the_step(s)->to.t)); break;
	case SHAPE_SAWTOOTH: snprintf(out, SHAPE_TEXT, "saw-tooth ×%zu", s->teeth); break;
	case SHAPE_CHANGES:
		if (last_changes(s, &last, 1) == 0)
			break;
		if (s->grows)
			snprintf(out, SHAPE_TEXT, "rises since %s", text_duration(at, s->since));
		else if (s->pieces[s->n - 1].dir)
			snprintf(out, SHAPE_TEXT, "%s at %s", last->dir > 0 ? "rose" : "fell",
				text_duration(at, last->to.t));
		else
			snprintf(out, SHAPE_TEXT, "%s since %s", s->pieces[s->n - 1].to.bytes ? "flat" : "zero",
				text_duration(at, last->to.t));
		break;
	default: break;
	}
	return out;
}
