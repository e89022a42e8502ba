#include "heap/census_values.h"

#include "heap/breakdown.h"

#include <stdlib.h>

enum { LOOK_UP = 1024 }; /* bands between two looks at cancel */

void census_values_free(struct census_values *v)
{
	free_all(v->bytes, v->numbers);
	if (v->members)
		census_values_free(v->members);
	free(v->members);
	*v = (struct census_values){0};
}

static void clear(struct census_values *v)
{
	for (size_t i = 0; i < v->n; i++)
		v->bytes[v->numbers[i]] = 0;
	v->n = 0;
	v->rest = v->total = v->bands = v->foreign = 0;
}

static bool make_room(struct census_values *v, size_t n)
{
	size_t room = v->room ? v->room : 256;
	while (room < n)
		room *= 2;
	if (room == v->room)
		return true;
	uint64_t *bytes = realloc(v->bytes, room * sizeof *bytes);
	v->bytes = bytes ? bytes : v->bytes;
	uint32_t *numbers = bytes ? realloc(v->numbers, room * sizeof *numbers) : NULL;
	v->numbers = numbers ? numbers : v->numbers;
	if (!numbers)
		return false;
	memset(bytes + v->room, 0, (room - v->room) * sizeof *bytes);
	v->room = room;
	return true;
}

/* once: of equal bands, only what the larger has more than the others counts. False: memory is out. */
static bool take(struct census_values *v, struct bands *bands, const struct census_band *band, bool once)
{
	uint32_t number = bands_number(bands, band);
	uint64_t more = band->bytes;
	if (bands->out_of_memory)
		return false;
	if (number == BANDS_REST) {
		v->rest = add_or_max(v->rest, more);
	} else {
		if (!make_room(v, (size_t)number + 1))
			return false;
		more = once ? sub_or_0(more, v->bytes[number]) : more;
		if (v->bytes[number] == 0 && more)
			v->numbers[v->n++] = number;
		v->bytes[number] = add_or_max(v->bytes[number], more);
	}
	v->bands++;
	v->total = add_or_max(v->total, more);
	return true;
}

static int read_bands(struct census_values *v, struct bands *bands, const struct census *c, const struct blocks *b,
	size_t sample, uint8_t profile, const atomic_bool *cancel)
{
	struct census_reader reader;
	struct census_band band;
	unsigned since = 0;
	bool once = c->profiles[profile].breakdown == BY_CLOSURE_TYPE;
	int result = is_cancelled(cancel) ? EVL_CANCELLED : 0; /* samples of few bands are many */
	clear(v);
	census_read(&reader, c, b, census_at(c, sample));
	while (result == 0 && census_next(&reader, &band)) {
		if (band.profile != profile)
			v->foreign++;
		else if (!take(v, bands, &band, once))
			result = EVL_NOMEM;
		if (++since % LOOK_UP == 0 && is_cancelled(cancel))
			result = EVL_CANCELLED;
	}
	if (result < 0)
		clear(v);
	return result;
}

/* Add up the bands of each group. */
static int read_groups(struct census_values *v, struct bands *groups, const struct census *c, const struct blocks *b,
	size_t sample, uint8_t profile, const atomic_bool *cancel)
{
	clear(v);
	if (!v->members && !(v->members = calloc(1, sizeof *v->members)))
		return EVL_NOMEM;
	struct census_values *of = v->members;
	int result = make_room(v, bands_count(groups)) ? 0 : EVL_NOMEM;
	result = result ? result : read_bands(of, groups->members, c, b, sample, profile, cancel);
	if (result < 0)
		return result;
	for (size_t i = 0; i < of->n; i++) {
		uint32_t group = groups->group_of[of->numbers[i]];
		uint64_t more = of->bytes[of->numbers[i]];
		if (v->bytes[group] == 0 && more)
			v->numbers[v->n++] = group;
		v->bytes[group] = add_or_max(v->bytes[group], more);
	}
	v->rest = of->rest;
	v->total = of->total;
	v->bands = of->bands;
	v->foreign = of->foreign;
	return 0;
}

int census_values_read(struct census_values *v, struct bands *bands, const struct census *c, const struct blocks *b,
	size_t sample, uint8_t profile, const atomic_bool *cancel)
{
	return bands->members ? read_groups(v, bands, c, b, sample, profile, cancel)
			      : read_bands(v, bands, c, b, sample, profile, cancel);
}
