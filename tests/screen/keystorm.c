#include "keystorm.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *action, *keys;
} table[] = {
#define SECTION(name, title)
#define ALSO(action, keys)                            {#action, keys},
#define KEY(action, owner, section, keys, hint, help) {#action, keys},
#define NOTE(...)
#include "term/keymap.def"
#undef SECTION
#undef ALSO
#undef KEY
#undef NOTE
};
enum { ROWS = sizeof table / sizeof *table };

uint32_t keystorm_random(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 16; }

static bool is_left_out(const char *action)
{
	static const char *const names[] = {"COMMAND", "EDIT", "EXPORT", "SUSPEND", "CANCEL", "QUIT", "QUIT_NOW"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i], action) == 0)
			return true;
	return false;
}

const char *keystorm_key(uint32_t *state)
{
	static char key[64];
	uint32_t row;
	do
		row = keystorm_random(state) % ROWS;
	while (is_left_out(table[row].action));
	const char *from = table[row].keys, *other = strchr(from, ' ');
	if (other && keystorm_random(state) % 2)
		from = other + 1;
	snprintf(key, sizeof key, "%.*s", (int)strcspn(from, " "), from);
	char *letter = strstr(key, "{a-z}");
	if (letter) {
		letter[0] = (char)('a'
			+ keystorm_random(state) % ('q' - 'a')); /* q would quit where the key before it is lost */
		letter[1] = 0;
	}
	return key;
}
