/* Every event as `ghc-events show` says it, and as JSON. */
#include "base/json.h"
#include "format/decode.h"
#include "format/schema.h"
#include "show/event_text.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { OLD = -2 }; /* size: the payload's own, a layout of older GHCs; else fixed or variable as today */

/* payload: hexadecimal digits, and 'text' as it is. */
static const struct {
	uint16_t tag;
	int32_t size;
	const char *payload, *text;
} events[] = {
	{0, 0, "00000007", "creating thread 7"},
	{1, 0, "ffffffff", "running thread 4294967295"},
	{2, 0, "00000007 0000 00000000", "stopping thread 7 (No stop thread status)"},
	{2, 0, "00000007 0001 00000000", "stopping thread 7 (heap overflow)"},
	{2, 0, "00000007 0002 00000400", "stopping thread 7 (stack overflow, size 1024)"},
	{2, 0, "00000007 0003 00000009", "stopping thread 7 (thread yielding)"},
	{2, 0, "00000007 0004 00000009", "stopping thread 7 (status 4)"},
	{2, 0, "00000007 0005 00000000", "stopping thread 7 (thread finished)"},
	{2, 0, "00000007 0006 00000000", "stopping thread 7 (making a foreign call)"},
	{2, 0, "00000007 0007 00000000", "stopping thread 7 (blocked on an MVar)"},
	{2, 0, "00000007 0008 00000009", "stopping thread 7 (blocked on black hole owned by thread 9)"},
	{2, 0, "00000007 0009 00000000", "stopping thread 7 (blocked on I/O read)"},
	{2, 0, "00000007 000a 00000000", "stopping thread 7 (blocked on I/O write)"},
	{2, 0, "00000007 000b 00000000", "stopping thread 7 (blocked on threadDelay)"},
	{2, 0, "00000007 000c 00000000", "stopping thread 7 (blocked in STM retry)"},
	{2, 0, "00000007 000d 00000000", "stopping thread 7 (blocked on asyncDoProc)"},
	{2, 0, "00000007 0010 00000000", "stopping thread 7 (status 16)"},
	{2, 0, "00000007 0012 00000000", "stopping thread 7 (blocked in throwTo)"},
	{2, 0, "00000007 0013 00000000", "stopping thread 7 (No stop thread status)"},
	{2, 0, "00000007 0014 00000000", "stopping thread 7 (blocked reading an MVar)"},
	{2, 0, "00000007 0015 00000000", "stopping thread 7 (status 21)"},
	{2, 0, "00000007 ffff 00000000", "stopping thread 7 (status 65535)"},
	{2, OLD, "00000007 0003", "as declared"},
	{3, 0, "00000007", "thread 7 is runnable"},
	{4, 0, "00000007 0003", "migrating thread 7 to cap 3"},
	{5, 0, "00000007", "as declared"},
	{6, 0, "00000007 0003", "as declared"},
	{7, 0, "", "as declared"},
	{8, 0, "00000007 0003", "waking up thread 7 on cap 3"},
	{9, 0, "", "starting GC"},
	{10, 0, "", "finished GC"},
	{11, 0, "", "requesting sequential GC"},
	{12, 0, "", "requesting parallel GC"},
	{13, 0, "", "as declared"},
	{14, 0, "", "as declared"},
	{15, 0, "00000007", "creating spark thread 7"},
	{16, 0, "'cap 0: '", "cap 0: "},
	{17, 0, "0004", "startup: 4 capabilities"},
	{18, 0, "00000018 0000000000000064 ffff", "event block: cap 65535, end time: 100\n"},
	{19, 0, "'grüße'", "grüße"},
	{19, 0, "'a' ff 'b' c3", "a\\xffb\\xc3"},
	{19, 0, "1b '[2J' 0a", "\033[2J\n"},
	{19, 0, "", ""},
	{20, 0, "", "GC idle"},
	{21, 0, "", "GC working"},
	{22, 0, "", "GC done"},
	{23, 0, "'7.' e9", "compiler version is 7.é"},
	{24, 0, "'x'", "program invocation: x"},
	{25, 0, "00000001 0001", "created capset 1 of type CapsetCustom"},
	{25, 0, "00000001 0002", "created capset 1 of type CapsetOsProcess"},
	{25, 0, "00000001 0003", "created capset 1 of type CapsetClockDomain"},
	{25, 0, "00000001 0000", "created capset 1 of type CapsetUnknown"},
	{25, 0, "00000001 0004", "created capset 1 of type CapsetUnknown"},
	{26, 0, "00000001", "deleted capset 1"},
	{27, 0, "00000001 0003", "assigned cap 3 to capset 1"},
	{28, 0, "00000001 0003", "removed cap 3 from capset 1"},
	{29, 0, "00000000 'GHC-9.10.3 rts_thr'", "capset 0: RTS version \"GHC-9.10.3 rts_thr\""},
	{30, 0, "00000000 './a' 00 00 '-b' 00", "capset 0: args: [\"./a\",\"\",\"-b\"]"},
	{30, 0, "00000000 'a' 00 00", "capset 0: args: [\"a\"]"},
	{30, 0, "00000000 00", "capset 0: args: [\"\"]"},
	{30, 0, "00000000", "capset 0: args: [\"\"]"},
	{30, 0, "00000000 '\"' 5c 0a 1b 7f 'é7é' 0e 'H' 0e 'I' ff",
		"capset 0: args: [\"\\\"\\\\\\n\\ESC\\DEL\\233\\&7\\233\\SO\\&H\\SOI\\xff\"]"},
	{30, 0, "00000000 01 07 08 09 0b 0c 0d 1f", "capset 0: args: [\"\\SOH\\a\\b\\t\\v\\f\\r\\US\"]"},
	{31, 0, "00000000 'A=b' 00", "capset 0: env: [\"A=b\"]"},
	{32, 0, "00000000 00000539", "capset 0: pid 1337"},
	{33, 0, "00000000 00000539", "capset 0: parent pid 1337"},
	{34, 0,
		"0000000000000001 0000000000000002 0000000000000003 0000000000000004 0000000000000005 0000000000000006"
		"0000000000000007",
		"spark stats: 1 created, 4 converted, 7 remaining (3 overflowed, 2 dud, 5 GC'd, 6 fizzled)"},
	{35, 0, "", "spark created"},
	{36, 0, "", "dud spark discarded"},
	{37, 0, "", "overflowed spark discarded"},
	{38, 0, "", "running a local spark"},
	{39, 0, "0003", "stealing a spark from cap 3"},
	{40, 0, "", "spark fizzled"},
	{41, 0, "", "spark GCed"},
	{42, 0, "'abc' 00000009", "Interned string: \"abc\" with id 9"},
	{43, 0, "00000001 000000005ddc3d00 075bcd15", "capset 1: wall clock time 1574714624s 123456789ns (unix epoch)"},
	{44, 0, "00000007 'main'", "thread 7 has label \"main\""},
	{45, 0, "0003", "created cap 3"},
	{46, 0, "0003", "deleted cap 3"},
	{47, 0, "0003", "disabled cap 3"},
	{48, 0, "0003", "enabled cap 3"},
	{49, 0, "00000000 ffffffffffffffff", "allocated on heap capset 0: 18446744073709551615 total bytes till now"},
	{50, 0, "00000000 0000000000100000", "size of heap capset 0: 1048576 bytes"},
	{51, 0, "00000000 0000000000100000", "live data in heap capset 0: 1048576 bytes"},
	{52, 0, "00000000 0002 0000000000000000 0000000000400000 0000000000100000 0000000000001000",
		"heap stats for heap capset 0: generations 2, 0 bytes max heap size, 4194304 bytes alloc area size, "
		"1048576 bytes mblock size, 4096 bytes block size"},
	{53, 0,
		"00000000 0001 000000000000000a 000000000000000b 000000000000000c 0000000d 000000000000000e "
		"000000000000000f 0000000000000010",
		"GC stats for heap capset 0: generation 1, 10 bytes copied, 11 bytes slop, 12 bytes fragmentation, "
		"13 par threads, 14 bytes max par copied, 15 bytes total par copied, 16 bytes balanced par copied"},
	{53, OLD,
		"00000000 0001 000000000000000a 000000000000000b 000000000000000c 0000000d 000000000000000e "
		"000000000000000f",
		"GC stats for heap capset 0: generation 1, 10 bytes copied, 11 bytes slop, 12 bytes fragmentation, "
		"13 par threads, 14 bytes max par copied, 15 bytes total par copied"},
	{54, 0, "", "all caps stopped for GC"},
	{55, 0, "00007f00abcdef12 0003 0000000000000539",
		"task 0x7f00abcdef12 created on cap 3 with OS kernel thread 1337"},
	{56, 0, "00007f00abcdef12 0003 0004", "task 0x7f00abcdef12 migrated from cap 3 to cap 4"},
	{57, 0, "0000000000000000", "task 0x0 deleted"},
	{58, 0, "'start'", "marker: start"},
	{59, 0, "", "as declared"},
	{60, 0, "", "starting to receive"},
	{61, 0, "", "stop receiving"},
	{62, 0, "00000005", "creating process 5"},
	{63, 0, "00000005", "killing process 5"},
	{64, 0, "00000007 00000005", "assigning thread 7 to process 5"},
	{65, 0, "0002 0000000000000064", "creating machine 2 at 100"},
	{66, 0, "0002", "killing machine 2"},
	{67, 0, "57 00000001 00000002 0003 00000004 00000005",
		"sending message with tag DataMes from process 1, thread 2 to machine 3, process 4 on inport 5"},
	{67, 0, "4f 00000001 00000002 0003 00000004 00000005",
		"sending message with tag 79 from process 1, thread 2 to machine 3, process 4 on inport 5"},
	{68, 0, "50 00000001 00000002 0003 00000004 00000005 00000006",
		"receiving message with tag Ready at process 1, inport 2 from machine 3, process 4, thread 5 with size "
		"6"},
	{69, 0, "5c 00000001 00000002 00000003 00000004",
		"sending/receiving message with tag Packet from process 1, thread 2 to process 3 on inport 4"},
	{69, 0, "5d 00000001 00000002 00000003 00000004",
		"sending/receiving message with tag 93 from process 1, thread 2 to process 3 on inport 4"},
	{90, 0, "00000000 00000001 00000002 00000003", "memory returned (mblocks): current(1) needed(2) returned(3)"},
	{91, 0, "00000000 0000000000001000", "blocks size of heap capset 0: 4096 bytes"},
	{100, 0, "00000000000000ff 00000010", "Start a parallel conjunction 0xff, static_id: 16"},
	{101, 0, "00000000000000ff", "End par conjunction: 0xff"},
	{102, 0, "00000000000000ff", "End par conjunct: 0xff"},
	{103, 0, "00000000000000ff 00000010", "Create spark for conjunction: 0xff spark: 0x10"},
	{104, 0, "00000000000000ff 00000010", "Create future 0xff named 16"},
	{105, 0, "00000000000000ff", "Wait didn't suspend for future: 0xff"},
	{106, 0, "00000000000000ff", "Wait suspended on future: 0xff"},
	{107, 0, "00000000000000ff", "Signaled future 0xff"},
	{108, 0, "", "Looking for global thread to resume"},
	{109, 0, "", "Trying to steal a spark"},
	{110, 0, "00000007", "Releasing thread 7 to the free pool"},
	{111, 0, "", "Capability going to sleep"},
	{112, 0, "", "Looking for a local spark to execute"},
	{113, 0, "", "About to call the program entry point"},
	{140, 0, "00000001 'cycles'", "perf event 1 named \"cycles\""},
	{141, 0, "00000001 0000000000000539 0000000000000063",
		"perf event counter 1 incremented by 100 in OS thread 1337"},
	{142, 0, "00000001 0000000000000539", "perf event tracepoint 1 reached in OS thread 1337"},
	{160, 0, "00 0000000005f5e100 00000007 00 00 00 00 00 00 00",
		"start heap profiling 0 at sampling period 100000000 broken down by closure type"},
	{160, 0, "00 0000000005f5e100 00000009 00 'a' 00 00 00 00 00 'drag' 00",
		"start heap profiling 0 at sampling period 100000000 broken down by era filtered by a, drag, "},
	{160, 0, "00 0000000000000000 0000000a 00 00 00 00 00 00 00",
		"start heap profiling 0 at sampling period 0 broken down by breakdown 10"},
	{160, 0, "00 0000000000000000 00000000",
		"start heap profiling 0 at sampling period 0 broken down by breakdown 0"},
	{161, 0, "00000009 'f' 00 'M' 00 'M.hs:1' 00 01", "cost centre 9 f in M at M.hs:1 CAF"},
	{161, 0, "00000009 'f' 00 'M' 00 'M.hs:1' 00 02", "cost centre 9 f in M at M.hs:1"},
	{162, 0, "0000000000000009", "start heap prof sample 9"},
	{163, 0, "00 0000000000000020 02 00000007 00000001",
		"heap prof sample 0, residency 32, cost centre stack 7, 1"},
	{163, 0, "00 0000000000000020 00", "heap prof sample 0, residency 32, cost centre stack "},
	{164, 0, "00 0000000000000020 'THUNK' 00", "heap prof sample 0, residency 32, label THUNK"},
	{165, 0, "0000000000000009", "end prof sample 9"},
	{166, 0, "0000000000000009 0000000000000064", "start heap prof sample 9 at time 100"},
	{167, 0, "00010003 0000000000000009 01 00000007", "cap no 3, prof sample 9, cost centre stack 7"},
	{168, 0, "0000000000989680", "start time profiling, tick interval 10000000 (ns)"},
	{169, 0, "00000000004a1b20 'x_info' 00 '021' 00 'T' 00 'x' 00 'M' 00 'M.hs:1' 00",
		"Info Table: 4a1b20:21:x_info - M.hs:1"},
	{169, 0, "00000000004a1b20 'x_info' 00 'FUN' 00 'T' 00 'x' 00 'M' 00 'M.hs:1' 00",
		"Info Table: 4a1b20:FUN:x_info - M.hs:1"},
	{181, 0, "'a' 00 'é' ff e2808b e29883 cdb8", "binary message a.é..☃."},
	{200, 0, "", "concurrent mark began"},
	{201, 0, "00000009", "concurrent mark ended: marked 9 objects"},
	{202, 0, "", "post-mark synchronization began"},
	{203, 0, "", "post-mark synchronization ended"},
	{204, 0, "", "concurrent sweep began"},
	{205, 0, "", "concurrent sweep ended"},
	{206, 0, "0003", "update remembered set flushed by 3"},
	{207, 0, "0018 00000001 00000002 00000003",
		"nonmoving heap census 24: 1 active segments, 2 filled segments, 3 live blocks"},
	{207, OLD, "05 00000001 00000002 00000003",
		"nonmoving heap census 32: 1 active segments, 2 filled segments, 3 live blocks"},
	{207, OLD, "10 00000001 00000002 00000003",
		"nonmoving heap census 0: 1 active segments, 2 filled segments, 3 live blocks"},
	{208, 0, "00000001 00000002", "nonmoving segments pruned: 1 pruned segments, 2 free segments retained"},
	{210, 0, "0000000000000009 0002 '>L' 00 'f' 00",
		"ticky counter definition 9, arity: 2, def kinds: >L, name: f, itbl: 0"},
	{210, 0, "0000000000000009 0002 '>L' 00 'f' 00 00000000004a1b20 '{}' 00",
		"ticky counter definition 9, arity: 2, def kinds: >L, name: f, itbl: 4a1b20"},
	{211, 0, "0000000000000009 0000000000000001 0000000000000002 0000000000000003",
		"ticky counter sample 9: entry count: 1, 2 allocs, 3 allocd"},
	{212, 0, "", "ticky begin counter sample"},
};

static struct event_text say;
static uint8_t bytes[512];

static struct evl_str payload_of(const char *spec)
{
	size_t n = 0;
	while (*spec) {
		assert_true(n < sizeof bytes);
		unsigned byte;
		if (isspace((unsigned char)*spec)) {
			spec++;
		} else if (*spec == '\'') {
			for (spec++; *spec != '\''; spec++)
				bytes[n++] = (uint8_t)*spec;
			spec++;
		} else {
			assert_int_equal(sscanf(spec, "%2x", &byte), 1);
			bytes[n++] = (uint8_t)byte;
			spec += 2;
		}
	}
	return (struct evl_str){bytes, n};
}

static struct header_type type_of(uint16_t tag, int32_t size, size_t len)
{
	struct header_type type = {.tag = tag, .desc = EVL_STR("as declared")};
	type.schema = size == OLD ? NULL : schema_find(tag, -1);
	type.size = type.schema ? EVL_VARIABLE : (int32_t)len;
	if (!type.schema)
		type.schema = schema_find(tag, type.size);
	return type;
}

static void assert_said(const char *want)
{
	assert_false(say.out.failed);
	buf_char(&say.out, 0);
	assert_string_equal(say.out.p, want);
	buf_clear(&say.out);
}

static int set_up(void **state)
{
	(void)state;
	return event_text_init(&say, false);
}

static int set_up_printable(void **state)
{
	(void)state;
	return event_text_init(&say, true);
}

static int tear_down(void **state)
{
	(void)state;
	event_text_free(&say);
	return 0;
}

static void every_event(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(events); i++) {
		struct frame f = {.tag = events[i].tag, .payload = payload_of(events[i].payload)};
		struct header_type type = type_of(f.tag, events[i].size, f.payload.len);
		event_text_event(&say, &type, &f);
		assert_said(events[i].text);
	}
}

/* No row of the table is without an example above. */
static void no_event_is_missing(void **state)
{
	size_t n;
	const struct schema *rows = schema_rows(&n);
	(void)state;
	for (size_t i = 0; i < n; i++) {
		bool seen = false;
		for (size_t k = 0; k < countof(events) && !seen; k++)
			seen = events[k].tag == rows[i].tag && (events[k].size == OLD) == (rows[i].until != NULL);
		assert_true(seen);
	}
}

static void what_is_not_understood(void **state)
{
	struct frame f = {.tag = 44, .payload = payload_of("0000")};
	struct header_type short_label = {.tag = 44,
		.size = EVL_VARIABLE,
		.desc = EVL_STR("Thr\xe9"
				"ad label"),
		.schema = schema_find(44, -1)};
	struct header_type unknown = {.tag = 999, .size = 2, .desc = EVL_STR("Own event")};
	(void)state;
	event_text_event(&say, &short_label, &f);
	assert_said("Thr\\xe9"
		    "ad label");
	event_text_event(&say, &unknown, &f);
	assert_said("Own event");
}

static void say_and_expect(uint16_t tag, const char *payload, const char *want)
{
	struct frame f = {.tag = tag, .payload = payload_of(payload)};
	struct header_type type = type_of(tag, 0, f.payload.len);
	event_text_event(&say, &type, &f);
	assert_said(want);
}

/* The output never contains control sequences, whatever the field. */
static void on_a_terminal(void **state)
{
	(void)state;
	say_and_expect(19, "1b '[2J' 0d 0a 7f", "\\x1b[2J\\x0d\\x0a\\x7f");
	say_and_expect(19, "c29b 'é' e280ae e2808b ff f3a08081", "\\u{9b}é\\u{202e}\\u{200b}\\xff\\u{e0001}");
	say_and_expect(23, "9b 'x' 1b", "compiler version is \\u{9b}x\\x1b");
	say_and_expect(161, "00000009 'f' 00 1b 00 07 00 00", "cost centre 9 f in \\x1b at \\x07");
	say_and_expect(30, "00000000 1b c29b 00", "capset 0: args: [\"\\ESC\\155\"]");
	say_and_expect(169, "0000000000000001 'a' 00 1b 00 00 00 00 'b' 00", "Info Table: 1:\\x1b:a - b");
	say_and_expect(181, "1b c29b e280ae", "binary message ...");
	say_and_expect(18, "00000018 0000000000000064 0000", "event block: cap 0, end time: 100\n");
}

static void lines(void **state)
{
	struct header_type types[] = {
		{.tag = 0, .size = 4, .desc = EVL_STR("Create thread")},
		{.tag = 19, .size = EVL_VARIABLE, .desc = EVL_STR("User message")},
		{.tag = 65534, .size = 65534, .desc = EVL_STR("")},
	};
	struct header h = {.types = types, .n = countof(types)};
	(void)state;
	event_text_header(&say, &h);
	assert_said("Event Types:\n0: Create thread (size 4)\n19: User message (size variable)\n65534:  (size 65534)\n"
		    "\nEvents:\n");
	event_text_prefix(&say, 0, 0);
	assert_said("0: cap 0: ");
	event_text_prefix(&say, INT64_MAX, 65534);
	assert_said("9223372036854775807: cap 65534: ");
	event_text_prefix(&say, 100, SAY_NO_CAP);
	assert_said("100: ");
}

/* The object of an event whose fields are all there, written field by field. */
static void slow_object(struct buf *out, const struct schema *row, const struct frame *f, uint16_t cap)
{
	struct evl_value values[EVL_MAX_FIELDS];
	struct json j = {.out = out};
	int n = decode(row, f->payload, values);
	json_open(&j, '{');
	json_put_u64(&j, "t", f->t);
	json_put_known(&j, "cap", cap != SAY_NO_CAP, cap);
	json_put_u64(&j, "tag", f->tag);
	json_key(&j, "name");
	json_cstr(&j, row->name);
	for (int i = 0; i < n; i++) {
		struct evl_str text = values[i].str, item;
		json_key(&j, row->fields[i].name);
		switch (row->fields[i].kind) {
		case EVL_K_str:
		case EVL_K_zstr:
		case EVL_K_istr: json_str(&j, text); break;
		case EVL_K_raw: json_hex(&j, text); break;
		case EVL_K_sbytes: json_i64(&j, (int64_t)values[i].u); break;
		case EVL_K_strs:
			json_open(&j, '[');
			while (decode_next_str(&text, &item))
				json_str(&j, item);
			json_close(&j, ']');
			break;
		case EVL_K_stack:
			json_open(&j, '[');
			for (size_t k = 0; k < text.len; k += 4)
				json_u64(&j, be32(text.p + k));
			json_close(&j, ']');
			break;
		default: json_u64(&j, values[i].u); break;
		}
	}
	json_close(&j, '}');
}

/* A cell of CSV is the line in quotes, its own quotes doubled. */
static void assert_cell_is(
	const struct header_type *type, const struct frame *f, uint16_t cap, const char *line, size_t len)
{
	struct buf want = {0}, got = {0};
	buf_char(&want, '"');
	for (size_t i = 0; i < len; i++) {
		if (line[i] == '"')
			buf_char(&want, '"');
		buf_char(&want, line[i]);
	}
	buf_char(&want, '"');
	buf_lit(&got, "before,");
	event_text_csv(&say, &got, type, f, cap);
	assert_int_equal(got.len, want.len + 7);
	assert_memory_equal(got.p + 7, want.p, want.len);
	buf_free(&want);
	buf_free(&got);
}

static void json_of_every_event(void **state)
{
	(void)state;
	for (size_t i = 0; i < countof(events); i++) {
		struct frame f = {.tag = events[i].tag, .t = 12345678901, .payload = payload_of(events[i].payload)};
		struct header_type type = type_of(f.tag, events[i].size, f.payload.len);
		struct evl_value values[EVL_MAX_FIELDS];
		struct buf want = {0};
		if (!type.schema || decode(type.schema, f.payload, values) < 0)
			continue;
		slow_object(&want, type.schema, &f, 65534);
		event_text_json(&say, &type, &f, 65534);
		if (!strstr((buf_char(&say.out, '\0'), say.out.p), ",\"raw\":")) {
			assert_int_equal(say.out.len, want.len + 2);
			assert_memory_equal(say.out.p, want.p, want.len);
		}
		assert_cell_is(&type, &f, 65534, say.out.p, say.out.len - 2);
		buf_clear(&say.out);
		buf_free(&want);
	}
}

static void json(void **state)
{
	static const struct {
		uint16_t tag, cap;
		const char *payload, *line;
	} cases[] = {
		{9, 3, "", "{\"t\":5,\"cap\":3,\"tag\":9,\"name\":\"GC_START\"}\n"},
		{2, 0, "00000007 0002 00000400",
			"{\"t\":5,\"cap\":0,\"tag\":2,\"name\":\"STOP_THREAD\",\"thread\":7,\"status\":2,\"info\":1024}"
			"\n"},
		{49, SAY_NO_CAP, "00000000 ffffffffffffffff",
			"{\"t\":5,\"cap\":null,\"tag\":49,\"name\":\"HEAP_ALLOCATED\",\"capset\":0,"
			"\"bytes\":18446744073709551615}\n"},
		{30, 0, "00000000 './a' 00 00 '\"' 00",
			"{\"t\":5,\"cap\":0,\"tag\":30,\"name\":\"PROGRAM_ARGS\",\"capset\":0,\"args\":[\"./"
			"a\",\"\",\"\\\"\"]}\n"},
		{167, 0, "00000003 0000000000000009 02 00000007 ffffffff",
			"{\"t\":5,\"cap\":0,\"tag\":167,\"name\":\"PROF_SAMPLE_COST_CENTRE\",\"cap_no\":3,\"tick\":9,"
			"\"stack\":[7,4294967295]}\n"},
		{163, 0, "00 0000000000000001 00",
			"{\"t\":5,\"cap\":0,\"tag\":163,\"name\":\"HEAP_PROF_SAMPLE_COST_CENTRE\",\"profile\":0,"
			"\"bytes\":1,"
			"\"stack\":[]}\n"},
		{181, 0, "00ff41",
			"{\"t\":5,\"cap\":0,\"tag\":181,\"name\":\"USER_BINARY_MSG\",\"data\":\"00ff41\"}\n"},
		{19, 0, "'a' ff 1b 'é' 0a",
			"{\"t\":5,\"cap\":0,\"tag\":19,\"name\":\"USER_MSG\",\"text\":\"a\xef\xbf\xbd\\u001bé\\n\","
			"\"raw\":\"61ff1bc3a90a\"}\n"},
		{19, 0, "c29b e280ae f3a08081",
			"{\"t\":5,\"cap\":0,\"tag\":19,\"name\":\"USER_MSG\",\"text\":\"\\u009b\\u202e\\udb40\\udc01\"}"
			"\n"},
		/* a field that older GHCs did not write is not there */
		{161, 0, "00000009 'f' 00",
			"{\"t\":5,\"cap\":0,\"tag\":161,\"name\":\"HEAP_PROF_COST_CENTRE\",\"id\":9,\"label\":\"f\"}"
			"\n"},
		{44, 0, "0000",
			"{\"t\":5,\"cap\":0,\"tag\":44,\"name\":\"THREAD_LABEL\",\"desc\":\"as "
			"declared\",\"raw\":\"0000\"}\n"},
		{999, 0, "0102",
			"{\"t\":5,\"cap\":0,\"tag\":999,\"name\":null,\"desc\":\"as declared\",\"raw\":\"0102\"}\n"},
	};
	(void)state;
	for (size_t i = 0; i < countof(cases); i++) {
		struct frame f = {.tag = cases[i].tag, .t = 5, .payload = payload_of(cases[i].payload)};
		struct header_type type = type_of(f.tag, 0, f.payload.len);
		event_text_json(&say, &type, &f, cases[i].cap);
		assert_said(cases[i].line);
		assert_cell_is(&type, &f, cases[i].cap, cases[i].line, strlen(cases[i].line) - 1);
	}
}

/* A size that is too small for any layout, or variable where fixed is known: the name is still told. */
static void json_of_an_unknown_layout(void **state)
{
	struct frame f = {.tag = 1, .payload = payload_of("0007")};
	struct header_type type = {.tag = 1, .size = 2, .desc = EVL_STR("Run thread")};
	(void)state;
	event_text_json(&say, &type, &f, 0);
	assert_said("{\"t\":0,\"cap\":0,\"tag\":1,\"name\":\"RUN_THREAD\",\"desc\":\"Run thread\",\"raw\":\"0007\"}\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_event, set_up, tear_down),
		cmocka_unit_test(no_event_is_missing),
		cmocka_unit_test_setup_teardown(what_is_not_understood, set_up, tear_down),
		cmocka_unit_test_setup_teardown(on_a_terminal, set_up_printable, tear_down),
		cmocka_unit_test_setup_teardown(lines, set_up, tear_down),
		cmocka_unit_test_setup_teardown(json, set_up, tear_down),
		cmocka_unit_test_setup_teardown(json_of_every_event, set_up, tear_down),
		cmocka_unit_test_setup_teardown(json_of_an_unknown_layout, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
