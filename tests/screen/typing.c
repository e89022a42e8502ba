/* typing.c - see typing.h */
#include "typing.h"

#include <stdio.h>
#include <string.h>

#define countof(a) (sizeof(a) / sizeof *(a))

static const struct {
	const char *name;
	VTermKey key;
} named_keys[] = {{"Enter", VTERM_KEY_ENTER}, {"Tab", VTERM_KEY_TAB}, {"BS", VTERM_KEY_BACKSPACE},
	{"Esc", VTERM_KEY_ESCAPE}, {"Up", VTERM_KEY_UP}, {"Down", VTERM_KEY_DOWN}, {"Left", VTERM_KEY_LEFT},
	{"Right", VTERM_KEY_RIGHT}, {"Ins", VTERM_KEY_INS}, {"Del", VTERM_KEY_DEL}, {"Home", VTERM_KEY_HOME},
	{"End", VTERM_KEY_END}, {"PageUp", VTERM_KEY_PAGEUP}, {"PageDown", VTERM_KEY_PAGEDOWN},
	{"PgUp", VTERM_KEY_PAGEUP}, {"PgDn", VTERM_KEY_PAGEDOWN}};

static const struct {
	const char *name;
	char ch;
} named_chars[] = {{"Space", ' '}, {"lt", '<'}};

static VTermModifier take_modifiers(const char **name)
{
	int mods = VTERM_MOD_NONE;
	for (; (*name)[0] && (*name)[1] == '-' && (*name)[2]; *name += 2)
		mods |= **name == 'S'   ? VTERM_MOD_SHIFT
			: **name == 'C' ? VTERM_MOD_CTRL
			: **name == 'M' ? VTERM_MOD_ALT
					: 0;
	return (VTermModifier)mods;
}

/* Type the key of this name; false when there is none. */
static bool type_named(struct terminal *t, const char *name)
{
	VTermModifier mods = take_modifiers(&name);
	int function = 0;
	for (size_t i = 0; i < countof(named_keys); i++)
		if (!strcmp(name, named_keys[i].name))
			return vterm_keyboard_key(t->vt, named_keys[i].key, mods), true;
	for (size_t i = 0; i < countof(named_chars); i++)
		if (!strcmp(name, named_chars[i].name))
			return vterm_keyboard_unichar(t->vt, (uint32_t)named_chars[i].ch, mods), true;
	if (sscanf(name, "F%d", &function) == 1 && function >= 1 && function <= 12)
		return vterm_keyboard_key(t->vt, (VTermKey)VTERM_KEY_FUNCTION(function), mods), true;
	if (strlen(name) == 1 && mods)
		return vterm_keyboard_unichar(t->vt, (unsigned char)*name, mods), true;
	return false;
}

bool typing_text(struct terminal *t, const char *text, const char **bad)
{
	while (*text) {
		char name[16];
		int used = 0;
		if (sscanf(text, "<%15[^<>]>%n", name, &used) == 1 && used) {
			if (!type_named(t, name)) {
				*bad = text;
				return false;
			}
			text += used;
		} else {
			vterm_keyboard_unichar(t->vt, bytes_take_utf8(&text), VTERM_MOD_NONE);
		}
	}
	return true;
}
