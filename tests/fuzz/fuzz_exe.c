/* Any bytes as an executable: it is compared with addresses, asked for names, and its info table map is read. */
#include "fuzz.h"

#include "exe/exe.h"
#include "exe/symbol_name.h"

enum { IDS = 48, FIRST = 0x400040, CLOSURE = 48 };

static uint64_t sum_of(const struct ipe_entry *e)
{
	const struct evl_str texts[] = {e->table, e->closure, e->type, e->label, e->module, e->location};
	uint64_t sum = 0;
	for (size_t i = 0; i < countof(texts); i++)
		sum += fuzz_seed(texts[i].p, texts[i].len);
	return sum;
}

struct seen {
	uint64_t n, sum;
};

static bool see(void *ctx, const struct ipe_entry *entry)
{
	struct seen *seen = ctx;
	seen->sum += sum_of(entry);
	return ++seen->n < 100000;
}

static void ask(struct exe *exe, const uint64_t *ids, bool profiled, struct evl_str ghc)
{
	const char *why =
		exe_check(exe, &(struct exe_evidence){.ids = ids, .n = IDS, .ghc = ghc, .profiled = profiled});
	check(!why || *why);
	check(exe_resolve(exe, ids, IDS, NULL) == 0);
	for (int i = 0; i < IDS; i++) {
		const struct exe_name *name = exe_find(exe, ids[i]);
		check(!name || (name->entry.id == ids[i] && name->how != EXE_UNKNOWN));
		if (name)
			sum_of(&name->entry);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct source source;
	struct exe *exe;
	struct symbol_name name = {0};
	uint64_t ids[IDS], seed = fuzz_seed(data, len);
	struct seen seen = {0};
	check(symbol_name(&name, (struct evl_str){data, len < SYMBOL_MOST ? len : SYMBOL_MOST}));
	buf_free(&name.text);
	uint8_t *bytes = malloc(len + 1); /* libelf writes to the headers */
	check(bytes != NULL);
	memcpy(bytes, data, len);
	source_from_memory(&source, bytes, len);
	if (exe_from(&exe, &source, "prog", NULL) < 0) {
		free(bytes);
		return 0;
	}
	for (uint64_t i = 0; i < IDS; i++)
		ids[i] = i < IDS / 2 ? FIRST + i * CLOSURE : fuzz_random(&seed) % (4 * len + 1) + (i % 2 ? FIRST : 0);
	ask(exe, ids, len & 1, len & 2 ? EVL_STR("9.10.3") : (struct evl_str){0});
	check(exe_each(exe, see, &seen) == 0 || seen.n == 100000);
	exe_close(exe);
	free(bytes);
	return 0;
}
