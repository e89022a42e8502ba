/* symbol_name.h - decode GHC's symbols (z-encoding): "ghczmprim_GHCziTypes_Izh_con_info" to package, module and
 * name. */
#ifndef EVL_SYMBOL_NAME_H
#define EVL_SYMBOL_NAME_H

#include "base/buf.h"

enum { SYMBOL_MOST = 4096 }; /* longest symbol decoded, in bytes */

/* Report whether a symbol names an info table: it ends in "_info". */
bool symbol_is_info(struct evl_str symbol);

/* A decoded symbol. Symbols of the run-time system and of C have no module; their name is the symbol itself without
 * "_info". */
struct symbol_name {
	struct buf text;
	size_t package, module, name; /* length in bytes of each part, in this order in `text` */
};

/* Decode a symbol into *n, reusing its buffer. Return false if memory ran out. */
bool symbol_name(struct symbol_name *n, struct evl_str symbol) EVL_MUST_USE;

/* Return a part of the decoded symbol, borrowed from n: package, module, or name. */
static inline struct evl_str symbol_package(const struct symbol_name *n)
{
	return (struct evl_str){(const uint8_t *)n->text.p, n->package};
}
static inline struct evl_str symbol_module(const struct symbol_name *n)
{
	return (struct evl_str){(const uint8_t *)n->text.p + n->package, n->module};
}
static inline struct evl_str symbol_own(const struct symbol_name *n)
{
	return (struct evl_str){(const uint8_t *)n->text.p + n->package + n->module, n->name};
}

#endif
