/* mkdocs - what follows from the table of events: mkdocs events | dict | sample | sample-old
 *
 * events: docs/events.md. dict: a dictionary for fuzzing. sample: one event of every type as input for mklog, each
 * field with a different value; sample-old: likewise for the layouts of older GHCs. */
#include "format/schema.h"

#include <stdio.h>

static const char *const kind_names[] = {
#define K(name, width) #name,
	EVL_KINDS(K)
#undef K
};

static const char *const kind_texts[] = {
	[EVL_K_u8] = "number",
	[EVL_K_u16] = "number",
	[EVL_K_u32] = "number",
	[EVL_K_u64] = "number",
	[EVL_K_tid] = "id of a Haskell thread",
	[EVL_K_cap] = "number of a capability; 65535: none",
	[EVL_K_capset] = "id of a set of capabilities",
	[EVL_K_task] = "OS thread; hexadecimal in texts",
	[EVL_K_addr] = "address or other number; hexadecimal in texts",
	[EVL_K_bytes] = "size in bytes",
	[EVL_K_sbytes] = "size in bytes, signed",
	[EVL_K_ns] = "time in nanoseconds",
	[EVL_K_status] = "why a thread stopped",
	[EVL_K_str] = "text up to the end of the payload",
	[EVL_K_zstr] = "text up to a NUL",
	[EVL_K_strs] = "texts up to the end of the payload, each followed by a NUL; in JSON an array",
	[EVL_K_stack] = "u8 depth and as many u32 ids of cost centres, innermost first; in JSON an array of ids",
	[EVL_K_raw] = "any bytes up to the end of the payload; in JSON a string of hexadecimal digits",
	[EVL_K_istr] = "text up to 4 bytes before the end of the payload",
};

static const char *const group_names[] = {
	[EVL_SCHED] = "threads",
	[EVL_GC] = "garbage collection",
	[EVL_HEAP] = "heap",
	[EVL_SPARK] = "sparks",
	[EVL_USER] = "messages",
	[EVL_META] = "program",
	[EVL_TASK] = "OS threads",
	[EVL_HEAP_PROF] = "heap profile",
	[EVL_TIME_PROF] = "time profile",
	[EVL_NONMOVING] = "nonmoving collector",
	[EVL_TICKY] = "ticky",
	[EVL_EDEN] = "Eden",
	[EVL_MERCURY] = "Mercury",
	[EVL_PERF] = "perf",
};

/* --- docs/events.md ----------------------------------------------------------------------------------------------- */

static void print_kinds(void)
{
	puts("## Kinds of fields\n\n| Kind | Bytes | Meaning |\n|---|---:|---|");
	for (size_t i = 0; i < countof(kind_texts); i++) {
		unsigned width = schema_width((enum evl_kind)i);
		printf("| %s | ", kind_names[i]);
		printf(width ? "%u" : "–", width);
		printf(" | %s |\n", kind_texts[i]);
	}
}

static void print_version(const char *until)
{
	for (; *until; until++)
		putchar(*until == '_' ? '.' : *until);
}

/* A sentence as code; the newline that ends one of them is left out. */
static void print_sentence(const char *text)
{
	if (!text) {
		printf("the file's own description of the type");
		return;
	}
	putchar('`');
	for (; *text; text++)
		if (*text != '\n')
			putchar(*text);
	putchar('`');
}

static void print_row(const struct schema *s)
{
	printf("| %u | %s", s->tag, s->name);
	if (s->until) {
		printf(" (until GHC ");
		print_version(s->until);
		putchar(')');
	}
	printf(" | %s | ", group_names[s->group]);
	if (s->variable)
		printf("variable");
	else
		printf("%u", s->size);
	printf(" | ");
	for (int i = 0; i < s->n_fields; i++)
		printf("%s%s `%s`", i ? ", " : "", kind_names[s->fields[i].kind], s->fields[i].name);
	printf(" | ");
	print_sentence(s->text);
	puts(" |");
}

static void print_events(const struct schema *rows, size_t n)
{
	puts("# Event types\n"
	     "\n"
	     "`make docs` writes this page from `src/format/events.def`.\n"
	     "\n"
	     "evtui can read these events. The fields are the keys of `evtui show --json`, after `t` (ns), `cap` "
	     "(of the block; null:\n"
	     "none), `tag` and `name`. All numbers are big-endian. The sizes are those of the payload; if a log "
	     "declares a larger size, the\n"
	     "surplus is ignored. Texts at the end may be missing. An unknown event is shown with its description "
	     "in the log's header, in\n"
	     "JSON as `desc`, and its payload as `raw`. `raw` is also written if a text is not UTF-8.\n"
	     "\n"
	     "The sentence is what `evtui show` prints. In `{field:form}`, the form says how the value is "
	     "written, such as in words or as a\n"
	     "list.\n");
	print_kinds();
	puts("\n## Types\n\n| Tag | Name | About | Bytes | Fields | Sentence |\n|---:|---|---|---:|---|---|");
	for (size_t i = 0; i < n; i++)
		print_row(&rows[i]);
}

/* --- the dictionary ----------------------------------------------------------------------------------------------- */

static void print_be16(unsigned v) { printf("\\x%02x\\x%02x", v >> 8 & 0xff, v & 0xff); }

static void print_dict(const struct schema *rows, size_t n)
{
	puts("# Written by `make docs` from src/format/events.def.");
	static const char *const markers[] = {
		"hdrb", "hetb", "etb\\x00", "ete\\x00", "hete", "hdre", "datb", "\\xff\\xff"};
	for (size_t i = 0; i < countof(markers); i++)
		printf("\"%s\"\n", markers[i]);
	for (size_t i = 0; i < n; i++) {
		if (!rows[i].until) {
			printf("tag_%s=\"", rows[i].name);
			print_be16(rows[i].tag);
			puts("\"");
		}
		const char *until = rows[i].until ? rows[i].until : "";
		printf("type_%s%s%s=\"etb\\x00", rows[i].name, *until ? "_" : "", until);
		print_be16(rows[i].tag);
		print_be16(rows[i].variable ? 0xffff : rows[i].size);
		puts("\"");
	}
}

/* --- samples ------------------------------------------------------------------------------------------------------ */

/* Every byte different, the highest bit set: order and sign show. */
static unsigned long long sample_number(unsigned width, int field)
{
	unsigned long long v = 0;
	for (unsigned i = 0; i < width; i++)
		v = v << 8 | (0x81u + (unsigned)field + i);
	return v;
}

static void print_sample_field(const struct schema_field *f, int i)
{
	unsigned width = schema_width(f->kind);
	printf(" %s=", f->name);
	if (width)
		printf("%llu", sample_number(width, i));
	else if (f->kind == EVL_K_stack)
		printf("[4042322160, %d, 0]", i);
	else if (f->kind == EVL_K_strs)
		printf("[\"./%s\", \"\", \"\\\"\\\\ \\u00e9 7\", \"\\u000eH\"]", f->name);
	else if (f->kind == EVL_K_raw)
		printf("\"00ff41c3a9e2808b\"");
	else
		printf("\"%s \\u00e9 \\u0416 \\ud83d\\ude00 \\\" \\\\\"", f->name);
}

static void print_sample(const struct schema *rows, size_t n, bool old)
{
	unsigned t = 1000;
	for (size_t i = 0; i < n; i++)
		if (old && rows[i].until)
			printf("type %u %u\n", rows[i].tag, rows[i].size);
	printf("%u STARTUP caps=2\n%u BLOCK_MARKER cap_no=0\n", t, t);
	for (size_t i = 0; i < n; i++) {
		if (rows[i].tag == EVL_BLOCK_MARKER || old != (rows[i].until != NULL))
			continue;
		printf("%u %s", ++t, rows[i].name);
		for (int k = 0; k < rows[i].n_fields; k++)
			print_sample_field(&rows[i].fields[k], k);
		putchar('\n');
	}
	printf("%u BLOCK_MARKER cap_no=65535\n", t);
	printf("%u USER_MARKER text=\"\\xff \\x80 bad\"\n%u USER_MSG text=\"\"\n", t + 1, t + 2);
}

int main(int argc, char **argv)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	const char *what = argc == 2 ? argv[1] : "";
	if (strcmp(what, "events") == 0) {
		print_events(rows, n);
	} else if (strcmp(what, "dict") == 0) {
		print_dict(rows, n);
	} else if (strcmp(what, "sample") == 0 || strcmp(what, "sample-old") == 0) {
		print_sample(rows, n, what[6] != 0);
	} else {
		fputs("usage: mkdocs events | dict | sample | sample-old\n", stderr);
		return 2;
	}
	return fflush(stdout) ? 1 : 0;
}
