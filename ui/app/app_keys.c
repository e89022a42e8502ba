/* app_keys.c - pass a key press to the overlay, prompt, pane or program that owns it. */
#include "app/app_private.h"

#include "app/panes.h"
#include "panes/timeline/timeline.h"
#include "sys/clock.h"

#include <stdlib.h>

enum { READ_ROOM = 4096, READ_AT_ONCE = 16, COMPOSE_MS = 200 };

static void help_key(struct app *a, const char *key)
{
	struct keymap_state state = {0};
	enum action action = keymap_feed(&state, key, NULL);
	bool goes_on = action == ACT_COMMAND || (action > ACT_MORE && keymap_owner(action) == OWNER_SHOWS);
	bool leaves = strcmp(key, "<Esc>") == 0 || action == ACT_QUIT || action == ACT_HELP || action == ACT_CANCEL
		|| goes_on || (a->help.of_colours && action == ACT_COLOURS);
	if (a->help.typing)
		help_type(&a->help, key);
	else if (action == ACT_QUIT_NOW)
		app_leave(a, EXIT_SUCCESS);
	else if (leaves)
		a->help.open = false;
	else
		help_scroll(&a->help, action);
	if (!a->help.open && a->help.of_colours)
		a->host.shown = a->host.colours_from;
	if (!a->help.open && goes_on)
		app_act(a, action);
}

static void map_key(struct app *a, const char *key)
{
	char unknown[sizeof a->keys.typed], text[KEYMAP_TEXT];
	if (strcmp(key, "<Esc>") == 0) {
		if (!a->keys.typed[0])
			panes_escape(&a->host);
		a->keys.typed[0] = 0;
		return;
	}
	enum action action = keymap_feed(&a->keys, key, unknown);
	if (action == ACT_MORE) {
		a->chord_ms = app_now_ms(a);
		a->hinted = false;
	} else if (action == ACT_NONE) {
		pane_say(&a->host, true, "%s is not bound (? for help)", keymap_text(unknown, text));
	} else {
		app_act(a, action);
	}
}

/* Actions of clicks on hints, tabs and the finding above the timeline. */
static enum action clicked(const struct app *a, const struct key *key)
{
	if (key->kind != KEY_PRESS || key->button != 1 || !a->mouse.on)
		return ACT_NONE;
	if (a->host.shown == PANE_TIMELINE && mouse_on_finding(timeline_of(&a->host), key->y))
		return ACT_NEXT_FINDING;
	return key->y == 0                     ? mouse_hint(&a->host.tabs, key->x)
		: key->y == a->canvas.rows - 1 ? mouse_hint(&a->host.hints, key->x)
					       : ACT_NONE;
}

/* A pane without lanes: the wheel moves through it, and it may know what clicks mean. */
static enum action mouse_elsewhere(struct app *a, const struct key *key)
{
	struct pane_host *h = &a->host;
	bool edge = key->y == h->split_y || key->y == a->canvas.rows - 1;
	if (key->kind == KEY_WHEEL)
		return key->button < 0 ? ACT_UP : ACT_DOWN;
	if (key->kind == KEY_PRESS && key->button == 1 && a->mouse.on && !edge)
		panes_click(h, key->y - h->split_y, key->x, mouse_twice(&a->mouse, key, h->now_ms));
	return ACT_NONE;
}

/* The mouse: scrolls the help; else works on the pane, unless something is being typed. */
static void mouse(struct app *a, const struct key *key)
{
	struct pane_host *h = &a->host;
	const char *why = NULL;
	enum action action = clicked(a, key);
	h->now_ms = app_now_ms(a);
	if (h->split_y && key->kind != KEY_DRAG && key->kind != KEY_RELEASE
		&& key->y != h->split_y) /* the half under it */
		h->shown = key->y > h->split_y ? PANE_EVENTS : PANE_TIMELINE;
	if (a->help.open)
		help_scroll(&a->help, key->kind != KEY_WHEEL ? ACT_NONE : key->button < 0 ? ACT_UP : ACT_DOWN);
	else if (h->prompt.open || action != ACT_NONE)
		;
	else if (h->shown == PANE_TIMELINE)
		why = mouse_event(&a->mouse, timeline_of(h), &h->model, key, h->now_ms);
	else
		action = mouse_elsewhere(a, key);
	if (a->help.open || h->prompt.open)
		return;
	if (action != ACT_NONE)
		app_act(a, action);
	else
		pane_refuse(h, why);
}

static void on_key(struct app *a, const struct key *key)
{
	int cancels = a->cancels;
	if (key->kind == KEY_MOVE) {
		bool seen =
			a->host.shown == PANE_TIMELINE && a->host.views[PANE_TIMELINE] && !a->help.open && a->mouse.on;
		a->dirty |= seen && mouse_rests(timeline_of(&a->host), key);
		return;
	}
	if (key->kind != KEY_DRAG && key->kind != KEY_RELEASE) /* these go on with what a press began */
		pane_say(&a->host, false, "%s", "");
	a->dirty = a->answered = true;
	if (a->host.views[PANE_TIMELINE] && key->kind != KEY_RELEASE)
		timeline_of(&a->host)->word = NULL;
	if (key->kind >= KEY_PRESS) {
		a->keys.typed[0] = 0;
		a->cancels = 0;
		mouse(a, key);
		return;
	}
	if (a->host.prompt.open) {
		app_prompt_key(a, key);
	} else if (key->kind == KEY_NAME && a->help.open) {
		help_key(a, key->name);
	} else if (key->kind == KEY_NAME) {
		map_key(a, key->name);
	}
	if (a->cancels == cancels) /* only twice in a row counts */
		a->cancels = 0;
}

/* The background decides the theme, unless somebody has: the user, or time. An answer that comes late changes nothing that
 * is looked at. */
static void take_background(struct app *a, enum theme theme)
{
	enum { SOON_MS = 2000 };
	if (a->host.theme == THEME_SAFE && theme == THEME_DARK)
		return;
	bool soon = a->theme_open && app_now_ms(a) - a->asked_ms < SOON_MS;
	if (!soon || theme == a->host.theme || a->host.theme != a->traits.theme || a->colours != a->traits.colours)
		return;
	a->host.theme = a->traits.theme = theme;
	tty_colours(a->colours, theme);
	a->repaint = a->dirty = true;
}

/* Take a reply of the terminal. */
static void take_reply(struct app *a, enum reply reply)
{
	switch (reply) {
	case REPLY_LIGHT: take_background(a, THEME_LIGHT); break;
	case REPLY_DARK: take_background(a, THEME_DARK); break;
	case REPLY_SYNC: tty_holds_frames(); break;
	case REPLY_KEYS:
		tty_knows_keys();
		a->dirty = true;
		break;
	case REPLY_END: a->theme_open = false; break;
	}
}

/* Keys that arrive together act as if the screen had been drawn between them where the drawing decides their meaning: the
 * pages of the help, the rows of a pane that was not drawn yet, the events. A flood of keys does not wait for that. */
static bool is_drawn_first(const struct app *a)
{
	bool matters = a->help.open || a->host.shown != a->composed || a->host.shown == PANE_EVENTS;
	return a->dirty && matters && (a->sync || clock_ms() - a->input_ms < COMPOSE_MS);
}

void app_take_keys(struct app *a)
{
	struct key key;
	while (!a->leave && input_next(a->input, &key)) {
		if (key.kind == KEY_REPLY) {
			take_reply(a, key.reply);
			continue;
		}
		if (is_drawn_first(a))
			app_compose(a);
		if (!a->leave)
			on_key(a, &key);
	}
}

void app_read_keys(struct app *a)
{
	uint8_t bytes[READ_ROOM];
	int n = 1;
	a->key_ms = app_now_ms(a);
	a->input_ms = clock_ms();
	for (int i = 0; i < READ_AT_ONCE && n > 0; i++) { /* all that is there, then one frame for it */
		n = tty_read(bytes, sizeof bytes);
		if (n > 0)
			input_push(a->input, bytes, (size_t)n);
		app_take_keys(a);
	}
	a->answered = true;
	if (n < 0)
		app_leave(a, EXIT_SUCCESS);
}
