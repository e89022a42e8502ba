#include "exe/symbol_name.h"

#include "base/find.h"
#include "base/utf8.h"

/* --- words --------------------------------------------------------------------------------------------------------- */

static char decoded(char first, uint8_t c)
{
	static const char lower[][2] = {{'z', 'z'}, {'a', '&'}, {'b', '|'}, {'c', '^'}, {'d', '$'}, {'e', '='},
		{'g', '>'}, {'h', '#'}, {'i', '.'}, {'l', '<'}, {'m', '-'}, {'n', '!'}, {'p', '+'}, {'q', '\''},
		{'r', '\\'}, {'s', '/'}, {'t', '*'}, {'u', '_'}, {'v', '%'}};
	static const char upper[][2] = {{'L', '('}, {'R', ')'}, {'M', '['}, {'N', ']'}, {'C', ':'}, {'Z', 'Z'}};
	const char(*codes)[2] = first == 'z' ? lower : upper;
	size_t n = first == 'z' ? countof(lower) : countof(upper);
	for (size_t i = 0; i < n; i++)
		if (codes[i][0] == (char)c)
			return codes[i][1];
	return 0;
}

/* "z7eU" is U+007E: hexadecimal, with a leading 0 where it would begin with a letter. */
static bool put_character(struct evl_str word, size_t *at, struct buf *out)
{
	enum { LAST = 0x10ffff, SURROGATES = 0xd800, AFTER = 0xe000 };
	uint32_t code = 0;
	char bytes[UTF8_MAX];
	size_t i = *at;
	for (; i < word.len && code <= LAST; i++) {
		uint8_t c = word.p[i];
		if (!is_digit(c) && (c < 'a' || c > 'f'))
			break;
		code = 16 * code + (uint32_t)(is_digit(c) ? c - '0' : c - 'a' + 10);
	}
	bool good = i < word.len && word.p[i] == 'U' && code && code <= LAST && (code < SURROGATES || code >= AFTER);
	if (good)
		buf_put(out, bytes, utf8_encode(code, bytes));
	*at = i + 1;
	return good;
}

/* "Z2T" is (,), "Z2H" is (#,#). */
static bool put_tuple(struct evl_str word, size_t *at, struct buf *out)
{
	enum { MOST = 64 };
	unsigned n = 0;
	size_t i = *at;
	for (; i < word.len && is_digit(word.p[i]) && n <= MOST; i++)
		n = 10 * n + word.p[i] - '0';
	if (n > MOST || i == word.len || (word.p[i] != 'T' && word.p[i] != 'H'))
		return false;
	bool unboxed = word.p[i] == 'H';
	buf_cstr(out, unboxed && n == 1 ? "(# " : unboxed ? "(#" : "(");
	for (unsigned k = 1; k < n; k++)
		buf_char(out, ',');
	buf_cstr(out, unboxed ? "#)" : ")");
	*at = i + 1;
	return true;
}

/* Append the decoded text of a z-encoded word: "zdfShowBox" becomes "$fShowBox". False: it is not z-encoded. */
static bool zdecode(struct evl_str word, struct buf *out)
{
	for (size_t i = 0; i < word.len;) {
		char c = (char)word.p[i++], meant;
		if (c != 'z' && c != 'Z') {
			buf_char(out, c);
			continue;
		}
		if (i == word.len)
			return false;
		if (is_digit(word.p[i])) {
			if (!(c == 'z' ? put_character : put_tuple)(word, &i, out))
				return false;
			continue;
		}
		if (!(meant = decoded(c, word.p[i++])))
			return false;
		buf_char(out, meant);
	}
	return true;
}

/* --- symbols ------------------------------------------------------------------------------------------------------- */

static bool cut_tail(struct evl_str *s, const char *tail)
{
	size_t len = strlen(tail);
	bool ends = s->len > len && memcmp(s->p + s->len - len, tail, len) == 0;
	s->len -= ends ? len : 0;
	return ends;
}

bool symbol_is_info(struct evl_str symbol) { return cut_tail(&symbol, "_info"); }

/* The part up to the next underline, which is taken away. */
static struct evl_str next_part(struct evl_str *rest)
{
	const uint8_t *end = rest->len ? memchr(rest->p, '_', rest->len) : NULL;
	struct evl_str part = {rest->p, end ? (size_t)(end - rest->p) : rest->len};
	size_t used = part.len + (end != NULL);
	rest->p += used;
	rest->len -= used;
	return part;
}

static bool is_upper(struct evl_str s) { return s.len && s.p[0] >= 'A' && s.p[0] <= 'Z'; }

/* [package_]Module_name[_unique]. False: it is not made so. */
static bool take_apart(struct symbol_name *n, struct evl_str symbol)
{
	struct buf *text = &n->text;
	struct evl_str rest = symbol, package = {0}, module = next_part(&rest);
	if (!is_upper(module) || find_word(module, "zm")) { /* a hyphen, which a package with a version has */
		package = module;
		module = next_part(&rest);
	}
	struct evl_str name = next_part(&rest);
	bool is_rts = str_is(package, "stg"); /* stg_MUT_VAR_CLEAN_info */
	if (is_rts || !is_upper(module) || name.len == 0 || !zdecode(package, text))
		return false;
	n->package = text->len;
	if (!zdecode(module, text))
		return false;
	n->module = text->len - n->package;
	if (!zdecode(name, text))
		return false;
	if (rest.len)
		buf_char(text, '_');
	return zdecode(rest, text);
}

bool symbol_name(struct symbol_name *n, struct evl_str symbol)
{
	buf_clear(&n->text);
	n->package = n->module = 0;
	if (cut_tail(&symbol, "_info") && !cut_tail(&symbol, "_con"))
		cut_tail(&symbol, "_static");
	if (!take_apart(n, symbol)) {
		buf_clear(&n->text);
		n->package = n->module = 0;
		buf_str(&n->text, symbol);
	}
	n->name = n->text.len - n->package - n->module;
	return !n->text.failed;
}
