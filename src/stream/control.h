/* control.h - what can be asked of a program that serves its log with eventlog-socket, if it was built to listen. It
 * answers nothing: what comes of it is seen in the log. */
#ifndef EVL_CONTROL_H
#define EVL_CONTROL_H

#include "base/base.h"

enum control { CONTROL_START_PROFILING = 1, CONTROL_STOP_PROFILING, CONTROL_START_HEAP, CONTROL_STOP_HEAP, CONTROL_CENSUS };

enum { CONTROL_ROOM = 32 };

/* The message, into out; its length. */
size_t control_message(enum control what, uint8_t out[CONTROL_ROOM]);

#endif
