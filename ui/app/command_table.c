#include "app/command_table.h"

static const struct command_row rows[] = {
#define C(name, args, needs, when, completes, help) {#name, args, help},
#include "app/command.def"
#undef C
};

const struct command_row *command_rows(size_t *n)
{
	*n = sizeof rows / sizeof *rows;
	return rows;
}
