/* symbol_name.h - decode the symbols of GHC (z-encoding): "ghczmprim_GHCziTypes_Izh_con_info" to package, module and name. */
#ifndef EVL_SYMBOL_NAME_H
#define EVL_SYMBOL_NAME_H

#include "base/buf.h"

enum { SYMBOL_MOST = 4096 }; /* bytes of a symbol; longer ones have no name */

/* Append the text of a z-encoded word: "zdfShowBox" is "$fShowBox". False where it is no such word; then part of it may
 * have been appended. */
bool zdecode(struct evl_str word, struct buf *out) EVL_MUST_USE;

/* Does the symbol name an info table ("…_info")? */
bool symbol_is_info(struct evl_str symbol);

/* The decoded parts, in one text. Symbols of the run-time system and of C have no module: their name is the symbol itself,
 * without "_info". */
struct symbol_name {
	struct buf text;
	size_t package, module, name; /* bytes of each, in this order in the text */
};

/* Decode; the text is replaced. False when memory is out. */
bool symbol_name(struct symbol_name *n, struct evl_str symbol) EVL_MUST_USE;

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
