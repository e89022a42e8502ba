/* export_list.h - a list as a table on the screen shows it, filtered and sorted, for the exporter of CSV. */
#ifndef EVL_EXPORT_LIST_H
#define EVL_EXPORT_LIST_H

#include "table/table.h"

struct export_list {
	/* Kind of a list that is made from a range; NULL: the rows of the table events that `keep` accepts or, without it,
	 * those of the export's SQL statement. */
	const struct table_kind *kind;
	bool (*keep)(void *made, uint32_t chain, const struct frame *f);
	struct table_range range; /* its log is that of the export */
	/* A list that is made already, instead of the range, or the context of `keep`; the export job drops it. NULL: none. */
	void *made;
	void (*drop)(void *made);
	int column; /* sort column; -1: none */
	bool falling, deep;
	char filter[TABLE_FILTER];
};

static inline void export_list_drop(const struct export_list *list)
{
	if (list && list->drop)
		list->drop(list->made);
}

#endif
