/* Executables made here: symbols, near names, the info table map in all its layouts, and whether one is the program. */
#include "elfs.h"
#include "exe/exe.h"
#include "exe/symbol_name.h"

#include "sys/system.h"
#include <setjmp.h>
#include <stdarg.h>

#include <stdio.h>
#include <unistd.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include <cmocka.h>

enum { CODE = SHF_ALLOC | SHF_EXECINSTR, DATA = SHF_ALLOC | SHF_WRITE };

/* --- symbols ------------------------------------------------------------------------------------------------------- */

static void symbols_are_decoded(void **state)
{
	static const struct {
		const char *symbol, *package, *module, *name;
	} rows[] = {
		{"Main_go15_info", "", "Main", "go15"},
		{"ghczmprim_GHCziTypes_Izh_con_info", "ghc-prim", "GHC.Types", "I#"},
		{"ghczmprim_GHCziTypes_Izh_Main_3_con_info", "ghc-prim", "GHC.Types", "I#_Main_3"},
		{"ghczmprim_GHCziTupleziPrim_Z2T_con_info", "ghc-prim", "GHC.Tuple.Prim", "(,)"},
		{"ghczmprim_GHCziTuple_Z0T_con_info", "ghc-prim", "GHC.Tuple", "()"},
		{"ghczmprim_GHCziTuple_Z1H_con_info", "ghc-prim", "GHC.Tuple", "(# #)"},
		{"ghczmprim_GHCziTuple_Z3H_con_info", "ghc-prim", "GHC.Tuple", "(#,,#)"},
		{"containerszm0zi6zi7_DataziMapziInternal_Bin_con_info", "containers-0.6.7", "Data.Map.Internal",
			"Bin"},
		{"HUnitzm1zi6_TestziHUnit_test_info", "HUnit-1.6", "Test.HUnit", "test"},
		{"base_GHCziBase_zdfMonadIOzuzdczgzgze_info", "base", "GHC.Base", "$fMonadIO_$c>>="},
		{"AtlasziOps_ZCz7eUzg_con_info", "", "Atlas.Ops", ":~>"},
		{"ActorsziShape_ZCz0d7UZC_con_info", "", "Actors.Shape", ":×:"},
		{"Main_zza_static_info", "", "Main", "za"}, {"stg_MUT_VAR_CLEAN_info", "", "", "stg_MUT_VAR_CLEAN"},
		{"stg_ap_pp_info", "", "", "stg_ap_pp"}, {"memcpy", "", "", "memcpy"},
		{"Main_zy_info", "", "", "Main_zy"},                /* no such code */
		{"Main_z110000U_info", "", "", "Main_z110000U"},    /* no such character */
		{"Main_zd800U_info", "", "Main", "$800U"},          /* zd is a dollar */
		{"Main_z0d800U_info", "", "", "Main_z0d800U"},      /* a surrogate */
		{"Main_Z99999999T_info", "", "", "Main_Z99999999T"} /* too wide */
	};
	struct symbol_name n = {0};
	(void)state;
	for (size_t i = 0; i < countof(rows); i++) {
		struct evl_str symbol = {(const uint8_t *)rows[i].symbol, strlen(rows[i].symbol)};
		assert_true(symbol_name(&n, symbol));
		if (!str_is(symbol_package(&n), rows[i].package) || !str_is(symbol_module(&n), rows[i].module)
			|| !str_is(symbol_own(&n), rows[i].name))
			fail_msg("%s is %.*s", rows[i].symbol, (int)n.text.len, n.text.p);
	}
	buf_free(&n.text);
}

/* --- names --------------------------------------------------------------------------------------------------------- */

/* Closures at these places of .text: a local one of f, f itself, a local one of nothing that follows. */
enum { LOCAL, F, LOCAL_OF_CON, CON, LAST, CLOSURES };

static uint64_t table_at(uint64_t text, unsigned closure) { return text + (uint64_t)closure * ELF_CLOSURE; }

struct program {
	struct made_elf elf;
	uint64_t text, ids[CLOSURES];
	bool moved;      /* pointers are 0, and in relocations only */
	struct buf rela; /* these */
};

/* Append a pointer to a section that starts at an address. */
static void put_pointer(struct program *p, struct buf *out, uint64_t begin, uint64_t pointer)
{
	enum { RELATIVE = 8 };
	if (p->moved) {
		elf_le(&p->rela, begin + out->len, 8);
		elf_le(&p->rela, RELATIVE, 8);
		elf_le(&p->rela, pointer, 8);
	}
	elf_le(out, p->moved ? 0 : pointer, 8);
}

static void program_of(struct program *p, uint16_t type, uint32_t first_type, const char *ghc)
{
	struct buf text = {0};
	p->moved = type == ET_DYN;
	p->rela = (struct buf){0};
	elf_start(&p->elf, type);
	p->text = elf_next(&p->elf);
	for (unsigned i = 0; i < CLOSURES; i++) {
		elf_table(&text, first_type + i);
		p->ids[i] = table_at(p->text, i);
	}
	unsigned code = elf_add(&p->elf, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	elf_sign(&p->elf, "Main_f_info", p->ids[F] + ELF_TABLE, code);
	elf_sign(&p->elf, "ghczmprim_GHCziTypes_Izh_con_info", p->ids[CON] + ELF_TABLE, code);
	elf_sign(&p->elf, "Main_f_closure", p->ids[LAST] + ELF_TABLE, code);
	buf_clear(&text);
	buf_put(&text, "GCC: 12", 8);
	buf_put(&text, ghc, strlen(ghc) + 1);
	elf_add(&p->elf, ".comment", SHT_PROGBITS, 0, text.p, text.len);
	buf_free(&text);
}

static void program_start(struct program *p, uint16_t type, uint32_t first_type)
{
	program_of(p, type, first_type, "GHC 9.10.3");
}

static struct exe *program_open(struct program *p)
{
	struct source source;
	struct evl_err err = {0};
	struct exe *exe;
	if (p->rela.len)
		elf_add(&p->elf, ".rela.dyn", SHT_RELA, SHF_ALLOC, p->rela.p, p->rela.len);
	buf_free(&p->rela);
	elf_finish(&p->elf);
	source_from_memory(&source, p->elf.bytes.p, p->elf.bytes.len);
	if (exe_from(&exe, &source, "prog", &err) < 0)
		fail_msg("%s", err.text);
	return exe;
}

static void program_close(struct program *p, struct exe *exe)
{
	exe_close(exe);
	elf_drop(&p->elf);
}

static struct exe_evidence evidence(const uint64_t *ids, size_t n, bool profiled)
{
	return (struct exe_evidence){.ids = ids, .n = n, .profiled = profiled};
}

/* Check, and look the names up if it is the program. */
static const char *check_with(struct exe *exe, const uint64_t *ids, size_t n, bool profiled)
{
	struct exe_evidence e = evidence(ids, n, profiled);
	const char *why = exe_check(exe, &e);
	if (!why)
		assert_int_equal(exe_resolve(exe, ids, n, NULL), 0);
	return why;
}

static void is_named(struct exe *exe, uint64_t id, enum exe_how how, const char *full, const char *label)
{
	const struct exe_name *name = exe_find(exe, id);
	if (!full) {
		assert_null(name);
		return;
	}
	assert_non_null(name);
	if (!str_is(name->full, full) || !str_is(name->entry.label, label))
		fail_msg("%.*s and %.*s, not %s and %s", (int)name->full.len, (const char *)name->full.p,
			(int)name->entry.label.len, (const char *)name->entry.label.p, full, label);
	assert_int_equal(name->how, how);
	assert_int_equal(name->entry.id, id);
}

static void symbols_name_their_tables_and_those_before(void **state)
{
	struct program p;
	(void)state;
	program_start(&p, ET_EXEC, 8);
	struct exe *exe = program_open(&p);
	struct exe_evidence e = evidence(p.ids, CLOSURES, false);
	e.ghc = EVL_STR("9.10.3");
	assert_null(exe_check(exe, &e));
	assert_int_equal(exe_resolve(exe, p.ids, CLOSURES, NULL), 0);
	is_named(exe, p.ids[F], EXE_SYMBOL, "Main.f", "f");
	is_named(exe, p.ids[CON], EXE_SYMBOL, "GHC.Types.I#", "I#");
	is_named(exe, p.ids[LOCAL], EXE_NEAR, "in Main.f -48", "in f -48");
	is_named(exe, p.ids[LOCAL_OF_CON], EXE_NEAR, "in GHC.Types.I# -48", "in I# -48");
	is_named(exe, p.ids[LAST], EXE_NEAR, "in GHC.Types.I# +48", "in I# +48"); /* a closure is no info table */
	uint64_t outside[] = {1, p.text - 4096, UINT64_MAX, p.text + 1};
	assert_int_equal(exe_resolve(exe, outside, countof(outside), NULL), 0);
	is_named(exe, 1, EXE_UNKNOWN, NULL, NULL);
	is_named(exe, p.text - 4096, EXE_UNKNOWN, NULL, NULL);
	is_named(exe, UINT64_MAX, EXE_UNKNOWN, NULL, NULL);
	is_named(exe, p.text + 1, EXE_NEAR, "in Main.f -47", "in f -47");
	atomic_bool cancel = true;
	assert_int_equal(exe_resolve(exe, (uint64_t[]){p.text + 2}, 1, &cancel), EVL_CANCELLED);
	program_close(&p, exe);
}

/* All symbols of a table in any order: what one pass finds is what a slow search finds. */
static void nearest_of_many(void **state)
{
	enum { N = 400 };
	struct made_elf m;
	struct buf text = {0};
	struct source source;
	struct exe *exe;
	uint64_t values[N], ids[N];
	bool has[N];
	char name[32];
	(void)state;
	srand(7);
	elf_start(&m, ET_EXEC);
	uint64_t at = elf_next(&m);
	for (int i = 0; i < N; i++) {
		elf_table(&text, 8);
		ids[i] = at + (uint64_t)i * ELF_CLOSURE;
		has[i] = rand() % 5 == 0;
	}
	unsigned code = elf_add(&m, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	for (int k = 0; k < N; k++) { /* a shuffled order: 7 and N have no common divisor */
		int i = 7 * k % N;
		values[i] = ids[i] + ELF_TABLE;
		snprintf(name, sizeof name, "Main_f%d_info", i);
		if (has[i])
			elf_sign(&m, name, values[i], code);
	}
	elf_finish(&m);
	source_from_memory(&source, m.bytes.p, m.bytes.len);
	assert_int_equal(exe_from(&exe, &source, "prog", NULL), 0);
	assert_int_equal(exe_resolve(exe, ids, N, NULL), 0);
	for (int i = 0; i < N; i++) {
		int owner = i;
		while (owner < N && !has[owner])
			owner++;
		if (owner == N)
			for (owner = i; !has[owner];)
				owner--;
		int64_t off = (int64_t)(ids[i] - ids[owner]);
		if (off)
			snprintf(name, sizeof name, "in Main.f%d %+lld", owner, (long long)off);
		else
			snprintf(name, sizeof name, "Main.f%d", owner);
		const struct exe_name *found = exe_find(exe, ids[i]);
		assert_non_null(found);
		if (!str_is(found->full, name))
			fail_msg("%d: %.*s, not %s", i, (int)found->full.len, (const char *)found->full.p, name);
	}
	exe_close(exe);
	elf_drop(&m);
	buf_free(&text);
}

/* --- is it the program? -------------------------------------------------------------------------------------------- */

static void other_programs_are_refused(void **state)
{
	struct program p;
	uint64_t far[] = {0x7f0000001000, 0x7f0000002000};
	(void)state;
	program_start(&p, ET_EXEC, 8);
	struct exe *exe = program_open(&p);
	struct exe_evidence e = evidence(p.ids, CLOSURES, false);
	e.ghc = EVL_STR("9.6.6");
	assert_string_equal(exe_check(exe, &e), "was compiled by GHC 9.10.3, but the log is of GHC 9.6.6");
	e.ghc = EVL_STR("9.10.3");
	e.ids = far;
	e.n = countof(far);
	assert_non_null(strstr(exe_check(exe, &e), "another program"));
	e.n = 0;
	assert_non_null(strstr(exe_check(exe, &e), "cannot be compared"));
	e.ids = (uint64_t[]){p.ids[0], p.ids[1] + 8, p.ids[2] + 20, p.ids[3] + 24, p.ids[4] + 32};
	e.n = CLOSURES;
	assert_non_null(strstr(exe_check(exe, &e), "another build"));
	is_named(exe, p.ids[0], EXE_UNKNOWN, NULL, NULL);
	program_close(&p, exe);

	program_start(&p, ET_EXEC, 8);
	p.elf.stripped = true;
	exe = program_open(&p);
	e = evidence(p.ids, CLOSURES, false);
	e.ghc = EVL_STR("9.10.3");
	assert_non_null(strstr(exe_check(exe, &e), "stripped"));
	program_close(&p, exe);
}

/* The build-id that the user gave decides before all else; if it is right, a single address is enough. */
static void build_ids(void **state)
{
	static const char note[] = "\4\0\0\0\4\0\0\0\3\0\0\0GNU\0\1\xab\xcd\xef";
	static const uint8_t right[] = {1, 0xab, 0xcd, 0xef}, wrong[] = {1, 0xab, 0xcd, 0xee, 0xff};
	struct program p;
	(void)state;
	program_start(&p, ET_EXEC, 8);
	elf_add(&p.elf, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, sizeof note - 1);
	struct exe *exe = program_open(&p);
	assert_true(str_order(exe_abilities(exe).build_id, (struct evl_str){right, sizeof right}) == 0);
	struct exe_evidence e = evidence(p.ids, CLOSURES, false);
	e.build_id = (struct evl_str){wrong, sizeof wrong};
	assert_string_equal(exe_check(exe, &e), "has the build-id 01abcdef, not 01abcdeeff");
	e.build_id = (struct evl_str){right, sizeof right};
	assert_null(exe_check(exe, &e));
	uint64_t one = p.ids[LOCAL]; /* no symbol is at it */
	e.ids = &one;
	e.n = 1;
	assert_null(exe_check(exe, &e));
	program_close(&p, exe);

	program_start(&p, ET_EXEC, 8);
	exe = program_open(&p);
	e.build_id = (struct evl_str){0};
	e.ids = &one;
	assert_non_null(strstr(exe_check(exe, &e), "too few addresses"));
	e = evidence(p.ids, CLOSURES, false);
	e.build_id = (struct evl_str){right, sizeof right};
	assert_string_equal(exe_check(exe, &e), "has no build-id to compare with 01abcdef");
	program_close(&p, exe);
}

/* Profiled info tables are 16 bytes longer. */
static void profiled_tables(void **state)
{
	struct made_elf m;
	struct buf text = {0};
	struct source source;
	struct exe *exe;
	uint64_t ids[6];
	(void)state;
	elf_start(&m, ET_EXEC);
	uint64_t at = elf_next(&m);
	for (unsigned i = 0; i < countof(ids); i++) {
		ids[i] = at + text.len;
		buf_put(&text, (char[16]){0}, 16);
		elf_table(&text, 8 + i);
	}
	unsigned code = elf_add(&m, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	elf_sign(&m, "Main_f_info", ids[2] + 32, code);
	elf_finish(&m);
	source_from_memory(&source, m.bytes.p, m.bytes.len);
	assert_int_equal(exe_from(&exe, &source, "prog", NULL), 0);
	assert_non_null(check_with(exe, ids, countof(ids), false));
	assert_null(check_with(exe, ids, countof(ids), true));
	is_named(exe, ids[2], EXE_SYMBOL, "Main.f", "f");
	exe_close(exe);
	elf_drop(&m);
	buf_free(&text);
}

/* A position-independent one is used where the addresses prove one slide, else refused. */
static void slides(void **state)
{
	enum { N = 600, SHOWN = 40 };
	const uint64_t slide = 0x55939f869000;
	struct made_elf m;
	struct buf text = {0};
	struct source source;
	struct exe *exe;
	uint64_t ids[SHOWN];
	char name[32];
	(void)state;
	elf_start(&m, ET_DYN);
	uint64_t at = elf_next(&m);
	for (int i = 0; i < N; i++) {
		for (int k = rand() % 5; k > 0; k--)
			buf_put(&text, "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc", 8);
		snprintf(name, sizeof name, "Main_f%d_info", i);
		elf_sign(&m, name, at + text.len + ELF_TABLE, 1);
		if (i % (N / SHOWN) == 3)
			ids[i / (N / SHOWN)] = at + text.len + slide;
		elf_table(&text, 1 + (uint32_t)i % 60);
	}
	elf_add(&m, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	elf_finish(&m);
	source_from_memory(&source, m.bytes.p, m.bytes.len);
	assert_int_equal(exe_from(&exe, &source, "prog", NULL), 0);
	assert_null(check_with(exe, ids, SHOWN, false));
	is_named(exe, ids[2], EXE_SYMBOL, "Main.f33", "f33");
	assert_non_null(strstr(check_with(exe, ids, 3, false), "position-independent"));
	for (int i = 0; i < SHOWN; i++)
		ids[i] += 8 * (uint64_t)(i % 7);
	assert_non_null(strstr(check_with(exe, ids, SHOWN, false), "position-independent"));
	exe_close(exe);
	elf_drop(&m);
	buf_free(&text);
}

/* --- the map ------------------------------------------------------------------------------------------------------- */

static const struct map_entry entries[] = {{0, "go_info", "16", "Int -> Int", "go", "Main", "src/Main.hs", "12:3-9"},
	{0, "block_c1_info", "53", "", "", "Main", "", ""},
	{0, "sat_s1_info", "8", "forall a.\n  a", "f.\xc3\x97", "Main", "src/Main.hs", "(12,9)-(14,20)"}};
enum { ENTRIES = countof(entries) };

static void put_packed(struct buf *out, const struct buf *plain, enum map_layout layout, bool packed)
{
	if (layout == MAP_SECTION)
		buf_put(out, "\0EPI\0EPI", 8);
#ifdef HAVE_ZSTD
	if (packed) {
		char room[4096];
		size_t n = ZSTD_compress(room, sizeof room, plain->p, plain->len, 3);
		assert_false(ZSTD_isError(n));
		buf_put(out, room, n);
		return;
	}
#endif
	(void)packed;
	buf_put(out, plain->p, plain->len);
}

static bool is_inline(enum map_layout layout) { return layout == MAP_9_4 || layout == MAP_9_6; }

/* The pointers of GHC 9.4 and 9.6 are left out. */
static void put_entries(struct buf *out, struct buf *strings, enum map_layout layout, size_t n)
{
	char place[64];
	for (size_t i = 0; i < n; i++) {
		const struct map_entry *e = &entries[i];
		snprintf(place, sizeof place, "%s:%s", e->file, e->span);
		if (is_inline(layout))
			elf_le(out, 0, 8);
		elf_le(out, elf_string(strings, e->table), 4);
		elf_le(out, layout >= MAP_9_10 ? (uint64_t)atoi(e->closure) : elf_string(strings, e->closure), 4);
		elf_le(out, elf_string(strings, e->type), 4);
		elf_le(out, elf_string(strings, e->label), 4);
		if (layout < MAP_9_10)
			elf_le(out, elf_string(strings, e->module), 4);
		elf_le(out, elf_string(strings, layout == MAP_9_4 ? place : e->file), 4);
		if (layout == MAP_9_4)
			continue;
		elf_le(out, elf_string(strings, e->span), 4);
		if (layout < MAP_9_10)
			elf_le(out, 0, 4);
	}
}

/* GHC 9.2: a struct of pointers per table. */
static void add_singles(struct program *p)
{
	struct buf data = {0}, strings = {0};
	size_t at[ENTRIES][6];
	char place[64];
	for (size_t i = 0; i < ENTRIES; i++) {
		const struct map_entry *e = &entries[i];
		snprintf(place, sizeof place, "%s:%s", e->file, e->span);
		const char *texts[] = {e->table, e->closure, e->type, e->label, e->module, place};
		for (size_t k = 0; k < countof(texts); k++)
			at[i][k] = elf_string(&strings, texts[k]);
	}
	uint64_t rodata = elf_next(&p->elf);
	elf_add(&p->elf, ".rodata", SHT_PROGBITS, SHF_ALLOC, strings.p, strings.len);
	uint64_t base = elf_next(&p->elf);
	for (size_t i = 0; i < ENTRIES; i++) {
		char name[64];
		snprintf(name, sizeof name, "%s_Main_ipe", entries[i].table);
		elf_sign(&p->elf, name, base + data.len, p->elf.n);
		put_pointer(p, &data, base, p->ids[i] + ELF_TABLE);
		for (size_t k = 0; k < countof(at[i]); k++)
			put_pointer(p, &data, base, rodata + at[i][k]);
		elf_le(&data, 0, 8);
	}
	elf_add(&p->elf, ".data", SHT_PROGBITS, DATA, data.p, data.len);
	buf_free(&data);
	buf_free(&strings);
}

/* With the first n entries. */
static void add_map(struct program *p, enum map_layout layout, bool packed, size_t n)
{
	struct buf plain = {0}, strings = {0}, tables = {0}, out = {0}, node = {0};
	if (layout == MAP_9_2) {
		add_singles(p);
		return;
	}
	put_entries(&plain, &strings, layout, n);
	uint32_t unit = elf_string(&strings, "main"), module = elf_string(&strings, "Main");
	put_packed(&out, &strings, layout, packed);
	uint64_t at_strings = elf_next(&p->elf);
	elf_add(&p->elf, layout == MAP_SECTION ? ".ipe" : ".rodata", SHT_PROGBITS, SHF_ALLOC, out.p, out.len);
	buf_clear(&out);
	put_packed(&out, &plain, layout, packed);
	uint64_t at_entries = elf_next(&p->elf);
	elf_add(&p->elf, layout == MAP_SECTION ? ".ipe" : ".rodata", SHT_PROGBITS, SHF_ALLOC, out.p, out.len);
	uint64_t at_tables = elf_next(&p->elf);
	for (size_t i = 0; i < n && !is_inline(layout); i++)
		put_pointer(p, &tables, at_tables, p->ids[i] + ELF_TABLE);
	elf_add(&p->elf, ".data.tables", SHT_PROGBITS, DATA, tables.p, tables.len);
	uint64_t at_node = elf_next(&p->elf);
	elf_le(&node, 0, 8);
	if (layout == MAP_SECTION)
		elf_le(&node, 0, 8);
	if (is_inline(layout)) {
		put_pointer(p, &node, at_node, at_strings);
		elf_le(&node, n, 8);
		for (size_t i = 0, size = plain.len / n; i < n; i++) {
			put_pointer(p, &node, at_node, p->ids[i] + ELF_TABLE);
			buf_put(&node, plain.p + i * size + 8, size - 8);
		}
	} else {
		elf_le(&node, packed, 8);
		elf_le(&node, n, 8);
		put_pointer(p, &node, at_node, at_tables);
		put_pointer(p, &node, at_node, at_entries);
		elf_le(&node, plain.len, 8);
		put_pointer(p, &node, at_node, at_strings);
		elf_le(&node, strings.len, 8);
		elf_le(&node, layout == MAP_9_8 ? 0 : unit, 4);
		elf_le(&node, layout == MAP_9_8 ? 0 : module, 4);
	}
	elf_sign(&p->elf, "Main_ipe_buf", at_node, elf_add(&p->elf, ".data", SHT_PROGBITS, DATA, node.p, node.len));
	buf_free(&plain);
	buf_free(&strings);
	buf_free(&tables);
	buf_free(&out);
	buf_free(&node);
}

struct seen {
	const struct program *p;
	size_t n;
};

static bool see(void *ctx, const struct ipe_entry *entry)
{
	struct seen *seen = ctx;
	const struct map_entry *e = &entries[seen->n];
	char place[64];
	snprintf(place, sizeof place, "%s:%s", e->file, e->span);
	assert_int_equal(entry->id, seen->p->ids[seen->n]);
	assert_true(str_is(entry->table, e->table));
	assert_true(str_is(entry->closure, e->closure));
	assert_true(str_is(entry->type, e->type));
	assert_true(str_is(entry->label, e->label));
	assert_true(str_is(entry->module, e->module));
	assert_true(str_is(entry->location, place));
	seen->n++;
	return true;
}

/* The entries of a program, seen at its addresses moved by the slide. */
static void read_map(enum map_layout layout, bool packed, uint64_t slide)
{
	struct program p;
	program_start(&p, slide ? ET_DYN : ET_EXEC, 8);
	add_map(&p, layout, packed, ENTRIES);
	struct exe *exe = program_open(&p);
	struct seen seen = {.p = &p};
	for (size_t i = 0; i < countof(p.ids); i++)
		p.ids[i] += slide;
	assert_null(check_with(exe, p.ids, CLOSURES, false));
	assert_int_equal(exe_each(exe, see, &seen), 0);
	assert_int_equal(seen.n, ENTRIES);
	is_named(exe, p.ids[0], EXE_MAP, "go", "go");
	is_named(exe, p.ids[1], EXE_MAP, "block_c1_info", "");
	is_named(exe, p.ids[2], EXE_MAP, "f.\xc3\x97", "f.\xc3\x97");
	is_named(exe, p.ids[3], EXE_SYMBOL, "GHC.Types.I#", "I#");
	program_close(&p, exe);
}

/* One entry alone: the compiler's version tells how GHC 9.4 and 9.6 lay it out. */
static void maps_of_one_entry(void **state)
{
	static const struct {
		enum map_layout layout;
		const char *ghc;
	} rows[] = {{MAP_9_4, "GHC 9.4.8"}, {MAP_9_6, "GHC 9.6.6"}};
	(void)state;
	for (size_t i = 0; i < countof(rows); i++) {
		struct program p;
		struct seen seen = {.p = &p};
		program_of(&p, ET_EXEC, 8, rows[i].ghc);
		add_map(&p, rows[i].layout, false, 1);
		struct exe *exe = program_open(&p);
		assert_null(check_with(exe, p.ids, CLOSURES, false));
		assert_int_equal(exe_each(exe, see, &seen), 0);
		assert_int_equal(seen.n, 1);
		program_close(&p, exe);
	}
}

/* A linker may write pointers into relocations only. */
static void pointers_in_relocations(void **state)
{
	(void)state;
	for (enum map_layout layout = MAP_9_2; layout < MAP_LAYOUTS; layout++)
		read_map(layout, false, 0x55939f869000);
}

static void maps_of_all_layouts(void **state)
{
	(void)state;
	for (enum map_layout layout = MAP_9_2; layout < MAP_LAYOUTS; layout++)
		read_map(layout, false, 0);
#ifdef HAVE_ZSTD
	for (enum map_layout layout = MAP_9_8; layout < MAP_LAYOUTS; layout++)
		read_map(layout, true, 0);
#endif
}

/* --- damage -------------------------------------------------------------------------------------------------------- */

/* Every byte of an executable may be anything: each is set to some others, and the file cut everywhere. */
static void look_at(const uint8_t *bytes, size_t len, const uint64_t *ids)
{
	struct source source;
	struct exe *exe;
	source_from_memory(&source, bytes, len);
	if (exe_from(&exe, &source, "prog", NULL) < 0)
		return;
	const char *why = check_with(exe, ids, CLOSURES, false);
	(void)why;
	if (exe_resolve(exe, ids, CLOSURES, NULL) == 0)
		for (int i = 0; i < CLOSURES; i++)
			exe_find(exe, ids[i]);
	exe_close(exe);
}

static void any_damage_is_survived(void **state)
{
	static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0xff};
	(void)state;
	for (enum map_layout layout = MAP_9_2; layout < MAP_LAYOUTS; layout++) {
		struct program p;
		program_start(&p, ET_EXEC, 8);
		add_map(&p, layout, layout == MAP_9_8, ENTRIES);
		elf_finish(&p.elf);
		uint8_t *bytes = malloc(p.elf.bytes.len);
		for (size_t i = 0; i < p.elf.bytes.len; i++) {
			memcpy(bytes, p.elf.bytes.p, p.elf.bytes.len);
			bytes[i] = odd[i % countof(odd)];
			look_at(bytes, p.elf.bytes.len, p.ids);
			bytes[i] ^= 1u << i % 8;
			look_at(bytes, p.elf.bytes.len, p.ids);
			look_at((const uint8_t *)p.elf.bytes.p, i, p.ids);
		}
		free(bytes);
		elf_drop(&p.elf);
	}
}

/* --- files --------------------------------------------------------------------------------------------------------- */

static void save(const char *path, const struct buf *bytes)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes->p, 1, bytes->len, f), bytes->len);
	assert_int_equal(fclose(f), 0);
}

/* Symbols that were stripped into a separate file are found by the build-id, and by name in the program's folder. */
static void debug_files(void **state)
{
	static const char note[] = "\4\0\0\0\10\0\0\0\3\0\0\0GNU\0abcdefgh";
	static const char link[] = "prog.debug\0\0\0\0\0";
	char dir[] = "/tmp/evtui-exe-XXXXXX", path[64], debug[64];
	struct program p;
	struct exe *exe;
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
	snprintf(debug, sizeof debug, "%s/prog.debug", dir);
	for (int same = 0; same < 2; same++) {
		program_start(&p, ET_EXEC, 8);
		elf_add(&p.elf, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, sizeof note - 1);
		elf_finish(&p.elf);
		save(debug, &p.elf.bytes);
		elf_drop(&p.elf);
		program_start(&p, ET_EXEC, 8);
		p.elf.stripped = true;
		elf_add(&p.elf, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, sizeof note - 1 - (same ? 0 : 1));
		elf_add(&p.elf, ".gnu_debuglink", SHT_PROGBITS, 0, link, sizeof link);
		elf_finish(&p.elf);
		save(path, &p.elf.bytes);
		assert_int_equal(exe_open(&exe, path, NULL), 0);
		const char *why = check_with(exe, p.ids, CLOSURES, false);
		if (same) {
			assert_null(why);
			is_named(exe, p.ids[F], EXE_SYMBOL, "Main.f", "f");
		} else {
			assert_non_null(strstr(why, "stripped"));
		}
		exe_close(exe);
		elf_drop(&p.elf);
	}
	unlink(path);
	unlink(debug);
	rmdir(dir);
}

/* A library with a table for each of some functions, at random distances. */
static void save_library(const char *path, uint64_t *tables, int n)
{
	struct made_elf m;
	struct buf text = {0};
	char name[32];
	elf_start(&m, ET_DYN);
	uint64_t at = elf_next(&m);
	for (int i = 0; i < n; i++) {
		for (int k = rand() % 5; k > 0; k--)
			buf_put(&text, "\xcc\xcc\xcc\xcc\xcc\xcc\xcc\xcc", 8);
		snprintf(name, sizeof name, "Lib_f%d_info", i);
		tables[i] = at + text.len;
		elf_sign(&m, name, tables[i] + ELF_TABLE, 1);
		elf_table(&text, 1 + (uint32_t)i % 60);
	}
	elf_add(&m, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	elf_finish(&m);
	save(path, &m.bytes);
	elf_drop(&m);
	buf_free(&text);
}

/* A program that needs a library in the same folder: "$ORIGIN". */
static void save_user(const char *path, struct program *p)
{
	static const char strings[] = "\0libc.so\0libHSbase.so\0/none:$ORIGIN";
	const uint64_t dynamic[] = {DT_NEEDED, 1, DT_NEEDED, 9, DT_RUNPATH, 22, DT_NULL, 0};
	program_start(p, ET_EXEC, 8);
	elf_add(&p->elf, ".dynstr", SHT_STRTAB, SHF_ALLOC, strings, sizeof strings);
	elf_add(&p->elf, ".dynamic", SHT_DYNAMIC, SHF_ALLOC, dynamic, sizeof dynamic);
	elf_finish(&p->elf);
	save(path, &p->elf.bytes);
	elf_drop(&p->elf);
}

/* Addresses in a shared library have names where enough of them prove where it was loaded; else they have none. */
static void libraries(void **state)
{
	enum { TABLES = 600, SHOWN = 6 };
	const uint64_t slide = 0x7f9439f86000;
	char dir[] = "/tmp/evtui-exe-XXXXXX", path[64], library[64];
	uint64_t tables[TABLES], ids[CLOSURES + SHOWN];
	struct program p;
	struct exe *exe;
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
	snprintf(library, sizeof library, "%s/libHSbase.so", dir);
	save_library(library, tables, TABLES);
	save_user(path, &p);
	memcpy(ids, p.ids, sizeof p.ids);
	for (int i = 0; i < SHOWN; i++)
		ids[CLOSURES + i] = tables[7 + 97 * i] + slide;
	assert_int_equal(exe_open(&exe, path, NULL), 0);
	assert_null(check_with(exe, ids, countof(ids), false));
	is_named(exe, p.ids[F], EXE_SYMBOL, "Main.f", "f");
	is_named(exe, ids[CLOSURES], EXE_SYMBOL, "Lib.f7", "f7");
	is_named(exe, ids[CLOSURES + 5], EXE_SYMBOL, "Lib.f492", "f492");
	exe_close(exe);
	assert_int_equal(exe_open(&exe, path, NULL), 0);
	assert_null(check_with(exe, ids, CLOSURES + 3, false));
	is_named(exe, ids[CLOSURES], EXE_UNKNOWN, NULL, NULL);
	exe_close(exe);
	unlink(path);
	unlink(library);
	rmdir(dir);
}

/* A program with debug information, plain and in compressed sections (of the corpus of the fuzzers): functions without a
 * symbol of GHC's have a name, and all have a line. */
static void debug_information(void **state)
{
	static const char *const files[] = {"tests/fuzz/corpus/exe/debug", "tests/fuzz/corpus/exe/debug-zlib",
#ifdef HAVE_ZSTD
		"tests/fuzz/corpus/exe/debug-zstd"
#endif
	};
	static const struct {
		uint64_t code;
		enum exe_how how;
		const char *full, *label, *place;
	} rows[] = {{0x4000b0, EXE_SYMBOL, "Main.f", "f", "src/Main.c:3"},
		{0x4000bf, EXE_DEBUG, "Main.spawn in Main.g -18", "spawn", "src/Main.c:7"},
		{0x4000c9, EXE_DEBUG, "Main.spawn in Main.g -8", "spawn", "src/Main.c:8"},
		{0x4000d1, EXE_SYMBOL, "Main.g", "g", "src/Main.c:11"}};
	uint64_t ids[countof(rows)];
	(void)state;
	for (size_t i = 0; i < countof(rows); i++)
		ids[i] = rows[i].code - ELF_TABLE;
	for (size_t k = 0; k < countof(files); k++) {
		struct exe *exe;
		assert_int_equal(exe_open(&exe, files[k], NULL), 0);
		assert_int_equal(exe_resolve(exe, ids, countof(ids), NULL), 0);
		for (size_t i = 0; i < countof(rows); i++) {
			is_named(exe, ids[i], rows[i].how, rows[i].full, rows[i].label);
			struct evl_str place = exe_find(exe, ids[i])->entry.location;
			if (!str_is(place, rows[i].place))
				fail_msg("%s is at %.*s, not %s", rows[i].full, (int)place.len, (const char *)place.p,
					rows[i].place);
		}
		exe_close(exe);
	}
}

/* Pages of files that are in memory for this process; 0 where the system does not tell. */
static size_t pages_of_files(void)
{
	unsigned long all, shared = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	if (f && fscanf(f, "%*u %lu %lu", &all, &shared) != 2)
		shared = 0;
	if (f)
		fclose(f);
	return shared;
}

/* A question about a large file reads all its symbols, and keeps hardly any of its pages. */
static void little_stays_in_memory(void **state)
{
	enum { N = 100000, ASKED = 2000, KEPT = 1 << 20, LEAST = 8 << 20 };
	char dir[] = "/tmp/evtui-exe-XXXXXX", path[64], name[80];
	struct made_elf m;
	struct buf text = {0};
	struct exe *exe;
	uint64_t ids[ASKED];
	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/prog", dir);
	elf_start(&m, ET_EXEC);
	uint64_t at = elf_next(&m);
	for (int i = 0; i < N; i++)
		elf_table(&text, 8);
	unsigned code = elf_add(&m, ".text", SHT_PROGBITS, CODE, text.p, text.len);
	for (int i = 0; i < N; i++) {
		snprintf(name, sizeof name, "somezmpackagezm1zi2_DataziModuleziInternal_zdwfunction%d_info", i);
		elf_sign(&m, name, at + (uint64_t)i * ELF_CLOSURE + ELF_TABLE, code);
	}
	elf_finish(&m);
	save(path, &m.bytes);
	assert_true(m.bytes.len > LEAST);
	elf_drop(&m);
	buf_free(&text);
	for (int i = 0; i < ASKED; i++)
		ids[i] = at + (uint64_t)i * (N / ASKED) * ELF_CLOSURE;
	size_t before = pages_of_files();
	assert_int_equal(exe_open(&exe, path, NULL), 0);
	struct exe_evidence e = evidence(ids, ASKED, false);
	assert_null(exe_check(exe, &e));
	for (int i = 0; i < ASKED; i++) /* names are looked up when they are asked for */
		assert_null(exe_find(exe, ids[i]));
	assert_int_equal(exe_resolve(exe, ids, ASKED, NULL), 0);
	if (strcmp(sys_name(), "Linux") == 0)
		assert_in_range(pages_of_files(), 0, before + (size_t)(KEPT / sysconf(_SC_PAGESIZE)));
	is_named(exe, ids[1], EXE_SYMBOL, "Data.Module.Internal.$wfunction50", "$wfunction50");
	is_named(exe, ids[ASKED - 1], EXE_SYMBOL, "Data.Module.Internal.$wfunction99950", "$wfunction99950");
	exe_close(exe);
	unlink(path);
	rmdir(dir);
}

static void no_executables(void **state)
{
	static const char *const texts[] = {"\x7f"
					    "ELF",
		"#!/bin/sh\n",
		"\x7f"
		"ELF\1\1\1"};
	(void)state;
	for (size_t i = 0; i < countof(texts); i++) {
		struct source source;
		struct evl_err err = {0};
		struct exe *exe;
		char bytes[128] = "";
		strcpy(bytes, texts[i]);
		source_from_memory(&source, bytes, sizeof bytes);
		assert_true(exe_from(&exe, &source, "prog", &err) < 0);
		assert_null(exe);
		assert_non_null(strstr(err.text, "prog: not a"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(symbols_are_decoded),
		cmocka_unit_test(symbols_name_their_tables_and_those_before), cmocka_unit_test(nearest_of_many),
		cmocka_unit_test(other_programs_are_refused), cmocka_unit_test(build_ids),
		cmocka_unit_test(profiled_tables), cmocka_unit_test(slides), cmocka_unit_test(maps_of_all_layouts),
		cmocka_unit_test(maps_of_one_entry), cmocka_unit_test(pointers_in_relocations),
		cmocka_unit_test(any_damage_is_survived), cmocka_unit_test(debug_files),
		cmocka_unit_test(little_stays_in_memory), cmocka_unit_test(no_executables),
		cmocka_unit_test(debug_information), cmocka_unit_test(libraries)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
