/* prof_keys.h - what keys do in the profile pane. */
#ifndef EVTUI_PROF_KEYS_H
#define EVTUI_PROF_KEYS_H

#include "view.h"

/* False: the action does nothing of its own here. view: struct view_prof. */
bool prof_keys(void *view, struct view_host *h, enum action action);

#endif
