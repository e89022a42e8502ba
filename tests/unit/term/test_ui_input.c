/* Terminal bytes to keys. Bytes that crash or confuse libtermkey 0.22 never reach it. */
#include "term/input.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct input *fresh(const char *term)
{
	unsetenv("ESCDELAY");
	unsetenv("SSH_CONNECTION");
	struct input *in = input_new(term, true);
	assert_non_null(in);
	return in;
}

static size_t describe(char *out, size_t room, const struct key *key)
{
	static const char *const kinds[] = {[KEY_PRESS] = "press",
		[KEY_DRAG] = "drag",
		[KEY_RELEASE] = "release",
		[KEY_WHEEL] = "wheel",
		[KEY_MOVE] = "move"};
	if (key->kind == KEY_NAME)
		return (size_t)snprintf(out, room, "%s ", key->name);
	if (key->kind == KEY_PASTE)
		return (size_t)snprintf(out, room, "paste(%.*s) ", (int)key->paste.len, (const char *)key->paste.p);
	static const char *const replies[] = {[REPLY_LIGHT] = "light",
		[REPLY_DARK] = "dark",
		[REPLY_SYNC] = "sync",
		[REPLY_KEYS] = "keys",
		[REPLY_END] = "end"};
	if (key->kind == KEY_REPLY)
		return (size_t)snprintf(out, room, "says(%s) ", replies[key->reply]);
	return (size_t)snprintf(
		out, room, "%s(%d@%d,%d/%d) ", kinds[key->kind], key->button, key->x, key->y, key->mods);
}

/* All keys there are, as one line. */
static const char *taken(struct input *in)
{
	static char line[8192];
	size_t len = 0;
	struct key key;
	line[0] = '\0';
	while (input_next(in, &key))
		len += describe(line + len, sizeof line - len, &key);
	if (len > 0)
		line[len - 1] = '\0';
	return line;
}

static void push(struct input *in, struct evl_str s) { input_push(in, s.p, s.len); }

/* The keys of some bytes on an xterm; at once and byte by byte, which must be the same. */
static const char *keys(struct evl_str s)
{
	static char whole[8192];
	struct input *in = fresh("xterm-256color");
	push(in, s);
	snprintf(whole, sizeof whole, "%s", taken(in));
	for (size_t i = 0; i < s.len; i++)
		input_push(in, s.p + i, 1);
	assert_string_equal(taken(in), whole);
	input_free(in);
	return whole;
}

#define KEYS(bytes) keys(EVL_STR(bytes))

static void characters(void **state)
{
	(void)state;
	assert_string_equal(KEYS("hJ]?:/"), "h J ] ? : /");
	assert_string_equal(KEYS("<> "), "<lt> > <Space>");
	assert_string_equal(KEYS("é漢👍"), "é 漢 👍");
	assert_string_equal(KEYS("\t\r\x7f"), "<Tab> <Enter> <BS>");
	assert_string_equal(
		KEYS("\0\x01\x08\n\x1a\x1c\x1d\x1e\x1f"), "<C-Space> <C-a> <C-h> <C-j> <C-z> <C-\\> <C-]> <C-^> <C-_>");
}

static void named_keys(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b[A\x1bOB\x1b[C\x1bOD"), "<Up> <Down> <Right> <Left>");
	assert_string_equal(KEYS("\x1b[H\x1bOF\x1b[1~\x1b[4~\x1b[5~\x1b[6~\x1b[2~\x1b[3~"),
		"<Home> <End> <Home> <End> <PgUp> <PgDn> <Ins> <Del>");
	assert_string_equal(
		KEYS("\x1b[Z\x1b[1;2D\x1b[1;5C\x1b[1;3A\x1b[5;6~"), "<S-Tab> <S-Left> <C-Right> <M-Up> <C-S-PgUp>");
	assert_string_equal(KEYS("\x1bOP\x1b[15~\x1b[24~\x1b[1;2R"), "<F1> <F5> <F12> <S-F3>");
	assert_string_equal(KEYS("\x1bOM"), "<Enter>"); /* of the keypad */
}

static void alt(void **state)
{
	(void)state;
	assert_string_equal(
		KEYS("\x1bx\x1b\r\x1b\x7f\x1b<\x1bé\x1b\x02"), "<M-x> <M-Enter> <M-BS> <M-lt> <M-é> <M-C-b>");
	assert_string_equal(KEYS("\x1b\x1b[A"), "<Esc> <Up>");
}

static void kitty_and_other_keys(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b[27u\x1b[9;2u\x1b[120;3u\x1b[104;5u"), "<Esc> <S-Tab> <M-x> <C-h>");
	assert_string_equal(KEYS("\x1b[97:65;2:1u"), "A"); /* sub-parameters do not become digits */
	assert_string_equal(KEYS("\x1b[27;5;9~"), "<C-Tab>");
	assert_string_equal(KEYS("\x1b[57358uq"), "q"); /* private use */
	assert_string_equal(KEYS("\x1b[55296u\x1b[9999999uq"), "q");
}

static void a_lone_escape_needs_time(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	assert_int_equal(input_wait_ms(in), 25);
	assert_false(input_pending(in));
	push(in, EVL_STR("\x1b"));
	assert_string_equal(taken(in), "");
	assert_true(input_pending(in));
	push(in, EVL_STR("[C"));
	assert_string_equal(taken(in), "<Right>");
	assert_false(input_pending(in));
	push(in, EVL_STR("\x1b"));
	taken(in);
	input_timeout(in);
	push(in, EVL_STR("[C"));
	assert_string_equal(taken(in), "<Esc> [ C");
	input_free(in);
}

static void introducers_may_be_typed(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	static const char *const cases[][2] = {
		{"\x1b[", "<M-[>"}, {"\x1bO", "<M-O>"}, {"\x1b]", "<M-]>"}, {"\x1bP", "<M-P>"}};
	for (size_t i = 0; i < countof(cases); i++) {
		push(in, (struct evl_str){(const uint8_t *)cases[i][0], 2});
		assert_string_equal(taken(in), "");
		input_timeout(in);
		assert_string_equal(taken(in), cases[i][1]);
	}
	input_free(in);
}

/* The rest of a cut sequence must not be typed: it has a second; then it is dropped. */
static void cut_sequences_wait_longer(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	static const char *const cases[] = {"\x1b[<0;10", "\x1b]11;rgb", "\x1b[200", "\xe6\xbc", "\x1b[M!"};
	for (size_t i = 0; i < countof(cases); i++) {
		push(in, (struct evl_str){(const uint8_t *)cases[i], strlen(cases[i])});
		assert_string_equal(taken(in), "");
		input_timeout(in);
		assert_string_equal(taken(in), "");
		assert_true(input_pending(in));
		for (int ms = 0; ms < 1000; ms += input_wait_ms(in))
			input_timeout(in);
		assert_false(input_pending(in));
		push(in, EVL_STR("q"));
		assert_string_equal(taken(in), "q");
	}
	input_free(in);
}

static void wait_follows_the_link(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	input_free(in);
	setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22", 1);
	in = input_new("xterm", true);
	assert_int_equal(input_wait_ms(in), 100);
	input_free(in);
	setenv("ESCDELAY", "40", 1);
	in = input_new("xterm", true);
	assert_int_equal(input_wait_ms(in), 40);
	input_free(in);
}

static void mice(void **state)
{
	(void)state;
	assert_string_equal(
		KEYS("\x1b[<0;10;5M\x1b[<32;11;5M\x1b[<0;12;5m"), "press(1@9,4/0) drag(1@10,4/0) release(1@11,4/0)");
	assert_string_equal(KEYS("\x1b[<1;1;1M\x1b[<2;1;1M"), "press(2@0,0/0) press(3@0,0/0)");
	assert_string_equal(KEYS("\x1b[<64;3;4M\x1b[<65;3;4M\x1b[<66;3;4M\x1b[<67;3;4M"),
		"wheel(-1@2,3/0) wheel(1@2,3/0) wheel(-2@2,3/0) wheel(2@2,3/0)");
	assert_string_equal(
		KEYS("\x1b[<4;1;1M\x1b[<8;1;1M\x1b[<80;1;1M"), "press(1@0,0/1) press(1@0,0/2) wheel(-1@0,0/4)");
	assert_string_equal(KEYS("\x1b[<0;500;2000M"), "press(1@499,1999/0)"); /* beyond the bits of old reports */
	assert_string_equal(KEYS("\x1b[<35;9;7M"), "move(0@8,6/0)");           /* no button is down */
}

static void odd_mouse_reports_are_dropped(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b[<3;9;9Mq"), "q");   /* no button, no motion */
	assert_string_equal(KEYS("\x1b[<64;1;1mq"), "q");  /* a wheel is not released */
	assert_string_equal(KEYS("\x1b[<128;1;1Mq"), "q"); /* button 8 */
	assert_string_equal(KEYS("\x1b[<0;0;5M\x1b[<0;5M\x1b[<0;5;5;5M\x1b[<;;M\x1b[<0;12345678;1Mq"), "q");
	assert_string_equal(KEYS("\x1b[M !!q\x1b[M\x1b[Ar"), "q r"); /* X10: three bytes of any value */
}

/* Rows of the table of defects that the guard is there for. */
static void hostile_sequences(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b[1$Aq"), "q");
	assert_string_equal(KEYS("\x1b[?Aq"), "q");
	assert_string_equal(KEYS("\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17Aq"), "q");
	assert_string_equal(KEYS("\x1b[?62;1;2;4;6;9;15;16;17;18;21;22;28;29;30;31;32cq"), "says(end) q");
	assert_string_equal(KEYS("\x1b[;2u\x1b[u\x1b[27;~\x1b[27~\x1b[~\x1b[;;;Aq"), "q");
	assert_string_equal(KEYS("\x1b[?2026;2$y\x1b[24;80Rq"), "says(sync) q");
	assert_string_equal(KEYS("\x1b[1;129A\x1b[1;9999999B"), "<Up> <M-C-Down>");
	assert_string_equal(KEYS("\x1b[99999999999Aq"), "q");
	assert_string_equal(KEYS("\x1b[I\x1b[Oq"), "q"); /* focus */
	assert_string_equal(KEYS("\x1b[[A\x1b[[E"), "<F1> <F5>");
	assert_string_equal(KEYS("\x1b[[Zq"), "q");
	assert_string_equal(KEYS("\x9b"
				 "31m\xc0\xaf\xed\xa0\x80\xff"),
		"3 1 m");
	assert_string_equal(KEYS("\u202e\ufeff\ue000q"), "q");
}

static void strings_are_swallowed(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b]10;rgb:1e1e/1e1e/1e1e\aq\x1b]0;a title\x1b\\r"), "q r");
	assert_string_equal(KEYS("\x1bP>|xterm(379)\x1b\\\x1b_Gi=1\x1b\\\x1b^x\x1b\\\x1bXx\x1b\\q"), "q");
	assert_string_equal(KEYS("\x1b]52;c;AAAA\x18q"), "q");
	assert_string_equal(KEYS("\x1b]0;never ended\x1b[Aq"), "<Up> q"); /* a key ends it */
}

static void the_terminal_answers(void **state)
{
	(void)state;
	assert_string_equal(KEYS("\x1b]11;rgb:1e1e/1e1e/1e1e\aq"), "says(dark) q");
	assert_string_equal(KEYS("\x1b]11;rgb:ffff/fafa/f0f0\x1b\\q"), "says(light) q");
	assert_string_equal(KEYS("\x1b]11;rgb:f/f/f\a\x1b]11;rgb:000/fff/fff\a"), "says(light) says(light)");
	assert_string_equal(KEYS("\x1b[?2026;1$y\x1b[?2026;0$y\x1b[?2026;4$yq"), "says(sync) q");
	assert_string_equal(
		KEYS("\x1b[?0u\x1b[?u\x1b[?31u\x1b[?62;4cq"), "says(keys) says(keys) says(keys) says(end) q");
	/* what is no answer, cut, or too long */
	static const struct evl_str none[] = {EVL_STR("\x1b]11;rgb:ff/ff\aq"), EVL_STR("\x1b]11;rgb:12345/0/0\aq"),
		EVL_STR("\x1b]11;rgb:0/0/0/0\aq"), EVL_STR("\x1b]11;\aq"), EVL_STR("\x1b]\aq"),
		EVL_STR("\x1b]11;rgb:0/0/g\aq")};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		assert_string_equal(keys(none[i]), "q");
	assert_string_equal(KEYS("\x1b]11;rgb:0/0/0\x1b[Aq"), "<Up> q");
	char many[600];
	memset(many, '1', sizeof many);
	memcpy(many, "\x1b]11;", 5);
	memcpy(many + sizeof many - 2, "\aq", 2);
	assert_string_equal(keys((struct evl_str){(const uint8_t *)many, sizeof many}), "q");
	memcpy(many, "\x1b[?", 3);
	memset(many + 3, '1', sizeof many - 3);
	memcpy(many + sizeof many - 2, "cq", 2);
	assert_string_equal(keys((struct evl_str){(const uint8_t *)many, sizeof many}), "q");
	assert_string_equal(KEYS("\x1b[?6\x01"
				 "2cq"),
		"q");
}

static void a_paste_is_one_clean_line(void **state)
{
	(void)state;
	assert_string_equal(KEYS("a\x1b[200~one\r\ntwo\tthree\x1b[201~b"), "a paste(one two three) b");
	assert_string_equal(KEYS("\x1b[200~q\x1b[31m\x01\x9b\u202e\xff\x1b[201\x7f\x1b[201~"), "paste(q[31m[201)");
	assert_string_equal(KEYS("\x1b[200~\x1b\x1b[201~"), "");
	assert_string_equal(KEYS("\x1b[201~q"), "q");
}

static void a_paste_is_capped(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	push(in, EVL_STR("\x1b[200~"));
	for (int i = 0; i < 100000; i++)
		push(in, EVL_STR("漢"));
	push(in, EVL_STR("\x1b[201~q"));
	struct key key;
	assert_true(input_next(in, &key));
	assert_int_equal(key.kind, KEY_PASTE);
	assert_in_range(key.paste.len, 8192 - 3, 8192);
	assert_int_equal(key.paste.len % 3, 0);
	assert_string_equal(taken(in), "q");
	input_free(in);
}

static void a_paste_without_end_ends(void **state)
{
	(void)state;
	struct input *in = fresh("xterm");
	push(in, EVL_STR("\x1b[200~lost"));
	assert_string_equal(taken(in), "");
	for (int ms = 0; ms < 2000; ms += input_wait_ms(in)) {
		assert_true(input_pending(in));
		input_timeout(in);
	}
	push(in, EVL_STR("q"));
	assert_string_equal(taken(in), "paste(lost) q");
	input_free(in);
}

static void without_utf8_there_is_ascii(void **state)
{
	(void)state;
	struct input *in = input_new("xterm", false);
	assert_non_null(in);
	push(in, EVL_STR("aé\x1b[200~b漢c\x1b[201~"));
	assert_string_equal(taken(in), "a paste(bc)");
	input_free(in);
}

static void any_terminal_will_do(void **state)
{
	(void)state;
	static const char *const terms[] = {"xterm", "xterm-256color", "linux", "vt100", "screen-256color", "dumb",
		"nowhere", "", "../../etc/passwd"};
	for (size_t i = 0; i < countof(terms); i++) {
		struct input *in = fresh(terms[i]);
		push(in, EVL_STR("j\x1b[A\x1b[<0;10;5M"));
		assert_string_equal(taken(in), "j <Up> press(1@9,4/0)");
		input_free(in);
	}
	input_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters),
		cmocka_unit_test(named_keys),
		cmocka_unit_test(alt),
		cmocka_unit_test(kitty_and_other_keys),
		cmocka_unit_test(a_lone_escape_needs_time),
		cmocka_unit_test(introducers_may_be_typed),
		cmocka_unit_test(cut_sequences_wait_longer),
		cmocka_unit_test(wait_follows_the_link),
		cmocka_unit_test(mice),
		cmocka_unit_test(odd_mouse_reports_are_dropped),
		cmocka_unit_test(hostile_sequences),
		cmocka_unit_test(strings_are_swallowed),
		cmocka_unit_test(the_terminal_answers),
		cmocka_unit_test(a_paste_is_one_clean_line),
		cmocka_unit_test(a_paste_is_capped),
		cmocka_unit_test(a_paste_without_end_ends),
		cmocka_unit_test(without_utf8_there_is_ascii),
		cmocka_unit_test(any_terminal_will_do),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
