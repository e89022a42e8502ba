/* static_libs.c - for a static program: functions that the libraries it is linked with lack or can do without. */
#include "base/base.h"

#if defined STATIC_PROGRAM
#include <search.h>
#include <stdlib.h>

/* --- elfutils ------------------------------------------------------------------------------------------------------
 * libdw.a and libelf.a of 0.192 call these functions, which Debian 13 does not package. */

/* A tree of search.h. A lock follows, which Debian's build does not use. */
struct search_tree {
	void *root;
};

typedef int order(const void *a, const void *b);

/* Weak: libraries that have these functions use their own. */
#define WEAK __attribute__((weak))
void tdestroy(void *root, void (*free_node)(void *));
WEAK void eu_search_tree_init(struct search_tree *tree);
WEAK void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *));
WEAK void *eu_tsearch(const void *key, struct search_tree *tree, order *compare);
WEAK void *eu_tfind(const void *key, struct search_tree *tree, order *compare);
WEAK void *eu_tdelete(const void *key, struct search_tree *tree, order *compare);
WEAK void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *));

void eu_search_tree_init(struct search_tree *tree) { tree->root = NULL; }
void *eu_tsearch(const void *key, struct search_tree *tree, order *compare)
{
	return tsearch(key, &tree->root, compare);
}
void *eu_tfind(const void *key, struct search_tree *tree, order *compare) { return tfind(key, &tree->root, compare); }
void *eu_tdelete(const void *key, struct search_tree *tree, order *compare)
{
	return tdelete(key, &tree->root, compare);
}

void eu_tdestroy(struct search_tree *tree, void (*free_node)(void *))
{
	tdestroy(tree->root, free_node);
	tree->root = NULL;
}

void eu_search_tree_fini(struct search_tree *tree, void (*free_node)(void *)) { eu_tdestroy(tree, free_node); }

/* --- zstd ----------------------------------------------------------------------------------------------------------
 * The decompressors of zstd 0.5 to 0.7 (2016) would add 0.1 MB: data of these formats is reported as damaged. */

#define OLD_FORMAT(v)                                                                                                  \
	void *ZSTDv##v##_createDCtx(void);                                                                             \
	size_t ZSTDv##v##_freeDCtx(void *d);                                                                           \
	size_t ZSTDv##v##_decompress_usingDict(                                                                        \
		void *d, void *to, size_t room, const void *from, size_t n, const void *dict, size_t dict_n);          \
	size_t ZSTDv##v##_getFrameParams(void *out, const void *from, size_t n);                                       \
	void ZSTDv##v##_findFrameSizeInfoLegacy(const void *from, size_t n, size_t *packed, unsigned long long *most); \
	void *ZBUFFv##v##_createDCtx(void);                                                                            \
	size_t ZBUFFv##v##_freeDCtx(void *d);                                                                          \
	size_t ZBUFFv##v##_decompressInitDictionary(void *d, const void *dict, size_t n);                              \
	size_t ZBUFFv##v##_decompressContinue(void *d, void *to, size_t *room, const void *from, size_t *n);           \
	void *ZSTDv##v##_createDCtx(void) { return NULL; }                                                             \
	size_t ZSTDv##v##_freeDCtx(UNUSED void *d) { return 0; }                                                       \
	size_t ZSTDv##v##_decompress_usingDict(UNUSED void *d, UNUSED void *to, UNUSED size_t room,                    \
		UNUSED const void *from, UNUSED size_t n, UNUSED const void *dict, UNUSED size_t dict_n)               \
	{                                                                                                              \
		return (size_t)-1;                                                                                     \
	}                                                                                                              \
	size_t ZSTDv##v##_getFrameParams(UNUSED void *out, UNUSED const void *from, UNUSED size_t n)                   \
	{                                                                                                              \
		return (size_t)-1;                                                                                     \
	}                                                                                                              \
	void ZSTDv##v##_findFrameSizeInfoLegacy(                                                                       \
		UNUSED const void *from, UNUSED size_t n, size_t *packed, unsigned long long *most)                    \
	{                                                                                                              \
		*packed = (size_t)-1;                                                                                  \
		*most = (unsigned long long)-2;                                                                        \
	}                                                                                                              \
	void *ZBUFFv##v##_createDCtx(void) { return NULL; }                                                            \
	size_t ZBUFFv##v##_freeDCtx(UNUSED void *d) { return 0; }                                                      \
	size_t ZBUFFv##v##_decompressInitDictionary(UNUSED void *d, UNUSED const void *dict, UNUSED size_t n)          \
	{                                                                                                              \
		return (size_t)-1;                                                                                     \
	}                                                                                                              \
	size_t ZBUFFv##v##_decompressContinue(                                                                         \
		UNUSED void *d, UNUSED void *to, UNUSED size_t *room, UNUSED const void *from, UNUSED size_t *n)       \
	{                                                                                                              \
		return (size_t)-1;                                                                                     \
	}
OLD_FORMAT(05)
OLD_FORMAT(06)
OLD_FORMAT(07)

/* --- the unwinder ---------------------------------------------------------------------------------------------------
 * The C library refers to it where a thread is cancelled, or leaves by pthread_exit: here none does. It would add 32 KB,
 * and the tables of all functions (tests/tools/static.ld). */

#define UNWINDER(name)                                                                                                 \
	void name(void);                                                                                               \
	void name(void) { abort(); }
UNWINDER(_Unwind_Backtrace)
UNWINDER(_Unwind_ForcedUnwind)
UNWINDER(_Unwind_GetCFA)
UNWINDER(_Unwind_GetIP)
UNWINDER(_Unwind_Resume)
UNWINDER(__gcc_personality_v0)
#else
typedef int static_libs_is_not_used;
#endif
