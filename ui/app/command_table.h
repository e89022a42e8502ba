/* command_table.h - the rows of command.def, for help and documentation. */
#ifndef EVTUI_COMMAND_TABLE_H
#define EVTUI_COMMAND_TABLE_H

#include <stddef.h>

struct command_row {
	const char *name, *args, *help;
};

/* In the order of the table. */
const struct command_row *command_rows(size_t *n);

#endif
