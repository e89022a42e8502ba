/* named.h - a log of -hi and call stacks, with or without IPE events, and the program that wrote it. */
#ifndef TESTS_NAMED_H
#define TESTS_NAMED_H

#include "elfs.h"
#include "logs.h"
#include "query/exe_match.h"

#include <stdio.h>
#include <sys/stat.h>

enum { CLOSURES = 8, MAPPED = 3, SAMPLES = 4 };

static const struct {
	const char *label, *place;
} mapped[MAPPED] = {{"go", "src/Main.hs:12:3-9"}, {"", ":"}, {"f", "./src/Main.hs:(20,9)-(24,20)"}};

static uint64_t ids[CLOSURES];

static inline void save(const char *to, const void *bytes, size_t len)
{
	FILE *f = fopen(to, "wb");
	assert_true(f && fwrite(bytes, 1, len, f) == len && fclose(f) == 0);
	assert_int_equal(chmod(to, 0700), 0);
}

/* A program whose closures have an info table map (GHC 9.2's), or symbols, or neither. shift: its code begins later. */
static inline void make_program(const char *to, unsigned shift)
{
	struct made_elf m;
	struct buf code = {0}, strings = {0}, data = {0};
	uint64_t at[MAPPED][6];
	elf_start(&m, ET_EXEC);
	uint64_t text = elf_next(&m);
	for (unsigned i = 0; i < shift; i++)
		buf_char(&code, (char)0xcc);
	for (unsigned i = 0; i < CLOSURES; i++) {
		ids[i] = text + code.len;
		elf_table(&code, 8 + i);
	}
	unsigned section = elf_add(&m, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code.p, code.len);
	elf_sign(&m, "Main_con_con_info", ids[4] + ELF_TABLE, section);
	elf_sign(&m, "base_GHCziBase_map_info", ids[6] + ELF_TABLE, section);
	for (unsigned i = 0; i < MAPPED; i++) {
		const char *texts[] = {"table_info", "16", "Int", mapped[i].label, "Main", mapped[i].place};
		for (unsigned k = 0; k < countof(texts); k++)
			at[i][k] = elf_string(&strings, texts[k]);
	}
	uint64_t rodata = elf_next(&m);
	elf_add(&m, ".rodata", SHT_PROGBITS, SHF_ALLOC, strings.p, strings.len);
	uint64_t base = elf_next(&m);
	for (unsigned i = 0; i < MAPPED; i++) {
		elf_sign(&m, "table_info_Main_ipe", base + data.len, m.n);
		elf_le(&data, ids[i] + ELF_TABLE, 8);
		for (unsigned k = 0; k < countof(at[i]); k++)
			elf_le(&data, rodata + at[i][k], 8);
		elf_le(&data, 0, 8);
	}
	elf_add(&m, ".data", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, data.p, data.len);
	elf_finish(&m);
	save(to, m.bytes.p, m.bytes.len);
	elf_drop(&m);
	buf_free(&code);
	buf_free(&strings);
	buf_free(&data);
}

static inline struct built make_log(bool ipe)
{
	struct built b = log_begin();
	char key[32];
	block_begin(&b, 0xffff, 0);
	put(&b, 1, EVL_RTS_IDENTIFIER, "4s", 0u, "GHC-9.4.7 rts");
	for (unsigned i = 0; ipe && i < MAPPED; i++)
		put(&b, 5, EVL_IPE, "8s1s1s1s1s1s1", ids[i], "table_info", 0u, "16", 0u, "Int", 0u, mapped[i].label, 0u,
			"Main", 0u, mapped[i].place, 0u);
	put(&b, 10, EVL_HEAP_PROF_BEGIN, "184s1s1s1s1s1s1s1", 0u, (uint64_t)100, 8u, "", 0u, "", 0u, "", 0u, "", 0u, "",
		0u, "", 0u, "", 0u);
	for (unsigned s = 0; s < SAMPLES; s++) {
		uint64_t t = 1000000000ull * (s + 1);
		put(&b, t, EVL_HEAP_PROF_SAMPLE_BEGIN, "8", (uint64_t)0);
		for (unsigned i = 0; i <= CLOSURES; i++) {
			snprintf(key, sizeof key, "0x%llx",
				i < CLOSURES ? (unsigned long long)ids[i] : 0x7f0012345678ull);
			put(&b, t + 1, EVL_HEAP_PROF_SAMPLE_STRING, "18s1", 0u,
				(uint64_t)((i + 1) * 100 + s * (i == 2) * 1000), key, 0u);
		}
		put(&b, t + 2, EVL_HEAP_PROF_SAMPLE_END, "8", (uint64_t)0);
	}
	put(&b, 6000000000, EVL_USER_BINARY_MSG, "24421818", 0xffcau, 0u, 7u, 2u, 1u, ids[0], 1u, ids[5]);
	block_end(&b, 9000000000);
	return b;
}

static inline struct evl_err use(struct evl_log *log, const char *exe_path_)
{
	struct exe *exe;
	struct evl_err err = {0};
	if (exe_match(&exe, log, exe_path_, NULL, &err) == 0)
		evl_use_exe(log, exe);
	return err;
}

#endif
