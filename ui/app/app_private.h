/* app_private.h - state of the running viewer, shared by app*.c */
#ifndef EVTUI_APP_PRIVATE_H
#define EVTUI_APP_PRIVATE_H

#include "app/follow.h"
#include "app/help.h"
#include "app/script.h"
#include "log/log.h"
#include "panes/marks/marks_pane.h"
#include "panes/timeline/mouse.h"
#include "sys/system.h"
#include "term/input.h"
#include "term/tty.h"

struct app {
	struct pane_host host;
	struct tty_traits traits;
	struct canvas canvas; /* the screen as last drawn */
	struct input *input;
	struct help help;
	struct mouse mouse;
	const char *copy_file; /* NULL: none */
	struct following follow;
	struct script script;
	char failed[PANE_MESSAGE]; /* first error of --script or of the stream; "": none */
	bool child_told;           /* the end of the child was reported */
	bool unreadable;           /* the stream is not a log, or cannot be opened */
	int colours;               /* number of colours in use */
	struct keymap_state keys;
	struct lane jumped_from; /* lane that was selected before the last jump */
	struct waker waker;
	struct evl_progress drawn;  /* state of indexing at the last frame */
	int64_t chord_ms;           /* start of the pending chord (a key sequence such as ]g) */
	bool hinted;                /* the hint for the pending chord was drawn */
	int64_t key_ms;             /* time of the last key */
	int64_t input_ms;           /* real time of the last input bytes, also if `sync` */
	enum pane_kind composed;    /* pane that was drawn last */
	bool dirty, repaint, leave; /* draw a frame; send all of it; quit */
	bool answered;              /* input was handled since idleness was last reported to the test harness */
	bool theme_open;            /* the terminal has not answered yet which theme it has */
	int64_t asked_ms;           /* when the terminal was asked */
	bool held;                  /* news of a job waits to be drawn until no more keys arrive */
	/* A test harness drives the viewer (EVTUI_SYNC=1): time does not pass, and timers fire at once. */
	bool sync;
	/* Memory ran out, or a thread could not be started, for something that the viewer cannot do without. */
	bool out_of_memory;
	int cancels, status; /* times that Ctrl-C was pressed in a row; exit status */
};

/* Return CLOCK_MONOTONIC in milliseconds; 0 if a test harness drives the viewer. */
int64_t app_now_ms(const struct app *a);

/* Leave the event loop, and end the program with this exit status. */
void app_leave(struct app *a, int status);

/* Return the selected lane; its ops are NULL if none is selected. */
struct lane app_lane(const struct app *a);

/* Draw the screen on the canvas without showing it. It decides where later keys lead: what a page is, which rows there are. */
void app_compose(struct app *a);

/* app_act: run an action. app_prompt_key: handle a key typed at a prompt (app_actions.c). */
void app_act(struct app *a, enum action action);
void app_prompt_key(struct app *a, const struct key *key);

/* app_take_keys: handle the keys that were read. app_read_keys: read the terminal's input first (app_keys.c). */
void app_take_keys(struct app *a);
void app_read_keys(struct app *a);

/* app_run_settings: run the script's leading commands that need no log. app_run_next: after a frame, run the command
 * entered at the prompt, or else the next line of the script; return false if there is none or it has to wait for
 * the log. app_is_idle: return whether the last frame is complete and no job is running (app_commands.c). */
void app_run_settings(struct app *a);
bool app_run_next(struct app *a);
bool app_is_idle(const struct app *a);

#endif
