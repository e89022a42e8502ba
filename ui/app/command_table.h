/* command_table.h - the rows of command.def, for help and documentation */
#ifndef EVTUI_COMMAND_TABLE_H
#define EVTUI_COMMAND_TABLE_H

#include <stddef.h>

/* Name of a command, its arguments as shown in the help, and its effect. */
struct command_row {
	const char *name, *args, *help;
};

/* Return all commands, in the order of command.def, and their number in *n. */
const struct command_row *command_rows(size_t *n);

#endif
