/* Any line at the prompt: it is done, or refused with a word; the window stays a window of the run. Completion keeps
 * to its room. Commands that write files are excluded. */
#include "fuzz.h"

#include "app/command.h"
#include "app/panes.h"
#include "panes/timeline/timeline.h"

static struct pane_host view = {.theme = THEME_DARK, .pending = ""};
static struct command_host host;
static struct canvas screen;
static struct help help;
static struct mouse mouse_;
static struct bookmarks_file no_file;
static struct tty_traits traits;
static enum theme theme;
static int colours = 256;

static void wake(void *ctx) { (void)ctx; }

static void open_log(void)
{
	static const uint8_t bytes[] = "hdrbhetb"
				       "etb\0"
				       "\0\1"
				       "\0\4"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "etb\0"
				       "\0\x12"
				       "\0\x0e"
				       "\0\0\0\0"
				       "\0\0\0\0"
				       "ete\0"
				       "hetehdredatb"
				       "\0\x12"
				       "\0\0\0\0\0\0\0\1"
				       "\0\0\0\x34"
				       "\0\0\0\1\0\0\0\0"
				       "\0\0"
				       "\0\1"
				       "\0\0\0\0\0\0\0\2"
				       "\0\0\0\7"
				       "\0\1"
				       "\0\0\0\0\xff\xff\xff\xff"
				       "\0\0\0\x8";
	struct evl_log *log;
	check(evl_open_memory(&log, bytes, sizeof bytes - 1, NULL) == 0);
	check(evl_start(log, NULL, NULL) == 0 && evl_wait(log) == 0 && log->damage.n == 0);
	view.log = log;
	model_init(&view.model, log);
	view.wake = wake;
	check(panes_open(&view));
	host = (struct command_host){.view = &view,
		.model = &view.model,
		.timeline = timeline_of(&view),
		.help = &help,
		.mouse = &mouse_,
		.marks_file = &no_file,
		.canvas = &screen,
		.traits = &traits,
		.theme = &theme,
		.colours = &colours};
	host.input = input_new("xterm", true);
	check(host.input);
}

/* Of the commands those that write no file and start no program. */
static bool harmless(const char *line)
{
	static const char *const names[] = {"goto", "zoom", "filter", "pin", "hide", "sort", "mark", "range", "select",
		"origin", "theme", "set", "help", "q"};
	line += strspn(line, " \t\r:");
	size_t len = strcspn(line, " \t\r!");
	for (size_t i = 0; i < countof(names); i++)
		if (strncmp(line, names[i], len) == 0 && (len > 1 || *line == 'q'))
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	enum { ROOM = 600 };
	char line[ROOM + 1] = "", longer[ROOM + 100], say[COMMAND_SAY];
	struct evl_err err = {0};
	if (!view.log)
		open_log();
	memcpy(line, data, len < ROOM ? len : ROOM);
	command_waits(line);
	view.wait_for_jobs = true;
	command_complete(&view, line, longer, sizeof longer, say);
	check(strlen(longer) < sizeof longer && strlen(say) < sizeof say);
	if (!harmless(line))
		return 0;
	int result = command_run(&host, line, &err);
	check(result == 0 || (result == EVL_USAGE && err.text[0]) || result == EVL_IO);
	const struct model_place *at = &view.model.at;
	check(at->t0 < at->t1 && at->t0 >= view.model.first && at->cursor >= at->t0 && at->cursor < at->t1);
	return 0;
}
