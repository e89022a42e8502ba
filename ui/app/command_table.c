#include "app/command_table.h"

static const struct command_row rows[] = {
#define COMMAND(name, args, needs, when, completes, help) {#name, args, help},
#include "app/command.def"
#undef COMMAND
};

const struct command_row *command_rows(size_t *n)
{
	*n = sizeof rows / sizeof *rows;
	return rows;
}
