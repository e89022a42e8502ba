/* app_private.h - state of the running viewer, shared by app*.c: event loop (app.c), keys (app_keys.c), actions and
 * commands. */
#ifndef EVTUI_APP_PRIVATE_H
#define EVTUI_APP_PRIVATE_H

#include "app/bookmark_keys.h"
#include "app/follow.h"
#include "app/help.h"
#include "app/script.h"
#include "log/log.h"
#include "panes/timeline/mouse.h"
#include "sys/system.h"
#include "term/input.h"
#include "term/tty.h"

/* A number that is being typed before a key that moves along time. */
struct key_count {
	int n;               /* 0: none is */
	int64_t ms;          /* when its last key came */
	enum pane_kind from; /* the pane that its digits left */
	bool zero;           /* one of them was 0, whose own meaning waits */
};

struct app {
	struct pane_host host;
	struct tty_traits traits;
	struct canvas canvas;
	struct input *input;
	struct help help;
	struct mouse mouse;
	struct bookmark_keys marks;
	const char *copy_file; /* or NULL */
	struct following follow;
	struct script script;
	char failed[256]; /* the first error of --script, or of the stream; "": none */
	bool child_told;  /* the program's end was said */
	bool unreadable;  /* the stream is no log, or cannot be had */
	int colours;
	struct keymap_state keys;
	struct key_count count;
	struct lane jumped_from; /* the lane that was selected before the last jump */
	struct waker waker;
	struct evl_progress drawn; /* how far the log was read when it was last drawn */
	int64_t chord_ms;          /* when the pending chord began */
	bool hinted;               /* its hint was drawn */
	int64_t key_ms;            /* when the last key came */
	int64_t input_ms;          /* when the last bytes of keys came, also where a test harness drives */
	bool dirty, repaint, leave;
	bool answered;      /* somebody did something, and no idleness was announced since; news alone is no reason */
	bool theme_open;    /* the terminal may still say which one */
	int64_t asked_ms;   /* when it was asked */
	bool held;          /* there is news to draw, at the latest when the keys rest */
	bool sync;          /* a test harness drives: the clock stands still, nothing waits for a timer */
	bool out_of_memory; /* no memory, or no thread, for what there is no program without */
	int cancels, status;
};

/* CLOCK_MONOTONIC; 0 where a test harness drives. */
int64_t app_now_ms(const struct app *a);

/* End the loop, and the program with this status. */
void app_leave(struct app *a, int status);

/* The lane that is selected; ops NULL: none is. */
struct lane app_lane(const struct app *a);

/* Run an action, or handle a key typed at a prompt (app_actions.c). */
void app_act(struct app *a, enum action action);
void app_prompt_key(struct app *a, const struct key *key);

/* Take the keys that were read, or read what the terminal has and take them (app_keys.c). */
void app_take_keys(struct app *a);
void app_read_keys(struct app *a);

/* No key that takes the number came in time: treat its digits as separate keys. And: return after how many ms that
 * happens, or -1 if there is no number. */
void app_end_count(struct app *a);
int64_t app_count_due(const struct app *a);

/* Run commands: those that need no log; after a frame, an entered one, or the next line of a file, which may have to
 * wait for the log (true if there was one). And: report whether the last frame is complete and no job is running
 * (app_commands.c). */
void app_run_settings(struct app *a);
bool app_run_next(struct app *a);
bool app_is_idle(const struct app *a);

#endif
