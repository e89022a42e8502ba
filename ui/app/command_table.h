/* command_table.h - what command.def says of each command, for help. */
#ifndef EVTUI_COMMAND_TABLE_H
#define EVTUI_COMMAND_TABLE_H

#include <stddef.h>

struct command_row {
	const char *name, *args, *help;
};

/* In the order of the table. */
const struct command_row *command_rows(size_t *n);

#endif
