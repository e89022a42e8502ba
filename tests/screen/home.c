/* home.c - see home.h */
#include "home.h"

#include "remove_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define countof(a) (sizeof(a) / sizeof *(a))

static const char *const in_home[] = {
	"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"};

static const char *const unset[] = {"LINES", "COLUMNS", "NO_COLOR", "TMUX", "STY", "SSH_CONNECTION", "SSH_TTY",
	"SSH_CLIENT", "COLORTERM", "COLORFGBG", "ESCDELAY", "TERMINFO", "LANG", "LC_CTYPE", "LANGUAGE", "EDITOR",
	"VISUAL"};

static const struct {
	const char *name, *value;
} fixed[] = {{"TERM", "xterm-256color"}, {"LC_ALL", "C.UTF-8"}, {"TZ", "UTC"}, {"EVTUI_SYNC", "1"}};

static char home[256];

static void remove_home(void) { remove_tree(home); }

int home_set_up(void)
{
	const char *tmp = getenv("TMPDIR");
	snprintf(home, sizeof home, "%.200s/pty-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	if (!mkdtemp(home))
		return -1;
	atexit(remove_home);
	for (size_t i = 0; i < countof(in_home); i++)
		setenv(in_home[i], home, 1);
	for (size_t i = 0; i < countof(unset); i++)
		unsetenv(unset[i]);
	for (size_t i = 0; i < countof(fixed); i++)
		setenv(fixed[i].name, fixed[i].value, 1);
	return 0;
}
