#include "base/json.h"

#include "base/decimal.h"
#include "base/utf8.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void value(struct json *j)
{
	if (j->comma)
		buf_char(j->out, ',');
	j->comma = true;
}

void json_open(struct json *j, char bracket)
{
	value(j);
	buf_char(j->out, bracket);
	j->comma = false;
}

void json_close(struct json *j, char bracket)
{
	buf_char(j->out, bracket);
	j->comma = true;
}

void json_key(struct json *j, const char *name)
{
	value(j);
	buf_char(j->out, '"');
	buf_cstr(j->out, name);
	buf_lit(j->out, "\":");
	j->comma = false;
}

void json_null(struct json *j)
{
	value(j);
	buf_lit(j->out, "null");
}

void json_bool(struct json *j, bool v)
{
	value(j);
	buf_cstr(j->out, v ? "true" : "false");
}

void json_u64(struct json *j, uint64_t v)
{
	value(j);
	buf_decimal(j->out, v);
}

void json_i64(struct json *j, int64_t v)
{
	value(j);
	buf_signed(j->out, v);
}

/* printf puts the locale's decimal point, of one or more bytes, between the digits. */
static void put_with_point(struct buf *out, const char *digits)
{
	static const char own[] = "0123456789+-e";
	size_t whole = strspn(digits, own), point = strcspn(digits + whole, own);
	buf_put(out, digits, whole);
	if (point)
		buf_char(out, '.');
	buf_cstr(out, digits + whole + point);
}

/* Append the digits, at most 17 from n, of a number of the order 10^order: as printf's %g, without zeros at the end. */
static void put_digits(struct buf *out, uint64_t n, int order)
{
	enum { FIXED = -4, WIDTH = 3 * DECIMAL_ROOM };
	char digits[2 * DECIMAL_ROOM] = {0}, *end = decimal_put(digits, n);
	if (!buf_fits(out, WIDTH))
		return;
	char *p = out->p + out->len;
	while (end[-1] == '0')
		end--;
	size_t len = (size_t)(end - digits),
	       whole = min_u64(order < FIXED ? 1 : (size_t)(order < 0 ? 0 : order + 1), len);
	memcpy(p, "0.0000", 6); /* copies of a constant size are no calls; what is too much is overwritten */
	p += order < 0 && order >= FIXED ? 1 - order : 0;
	memcpy(p, digits, DECIMAL_ROOM);
	p += whole;
	if (whole && whole < len)
		*p++ = '.';
	memcpy(p, digits + whole, DECIMAL_ROOM);
	p += len - whole;
	if (order < FIXED) {
		*p++ = 'e';
		*p++ = '-';
		*p++ = (char)('0' + -order / 10);
		*p++ = (char)('0' + -order % 10);
	}
	out->len = (size_t)(p - out->p);
}

/* A number m / 2^scale, m of 53 bits. */
struct binary {
	uint64_t m;
	int scale;
};

/* *n = v × 10^places, rounded to a whole number, a tie to the even one. Return whether v is the number that is nearest to
 * n / 10^places. 5^places of at most 64 bits, m of 53, and n × 2^(scale - places) fit in 128. */
static bool round_at(const struct binary *v, int places, uint64_t five, uint64_t *n)
{
	const int shift = v->scale - places;
	const unsigned __int128 exact = (unsigned __int128)v->m * five, half = (unsigned __int128)1 << (shift - 1),
				rounded = exact + half;
	*n = (uint64_t)(rounded >> shift);
	if (!(rounded & (2 * half - 1)))
		*n &= ~1ull;
	const unsigned __int128 back = (unsigned __int128)*n << shift;
	const bool above_it = back > exact; /* below a power of 2 the numbers are twice as dense */
	return (above_it ? 2 * (back - exact) : (v->m & (v->m - 1) ? 2 : 4) * (exact - back)) < five;
}

/* As json_double for numbers of usual size that are not whole, in whole numbers: with 15 digits, or with 16 or 17 if v is not
 * the nearest number to fewer. */
static bool put_exactly(struct buf *out, double v)
{
	enum { MANTISSA = 52, BIAS = 1075, EXPONENTS = 0x7ff, MOST_DIGITS = 17, LEAST_ORDER = -11 };
	static const double above[] = {1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3,
		1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
	static const uint64_t fives[] = {1ull, 5ull, 25ull, 125ull, 625ull, 3125ull, 15625ull, 78125ull, 390625ull,
		1953125ull, 9765625ull, 48828125ull, 244140625ull, 1220703125ull, 6103515625ull, 30517578125ull,
		152587890625ull, 762939453125ull, 3814697265625ull, 19073486328125ull, 95367431640625ull,
		476837158203125ull, 2384185791015625ull, 11920928955078125ull, 59604644775390625ull,
		298023223876953125ull, 1490116119384765625ull, 7450580596923828125ull};
	const double size = fabs(v);
	uint64_t bits, n, fewer;
	if (!(size >= 1e-11 && size < 1e15))
		return false;
	memcpy(&bits, &size, sizeof bits);
	const int exponent = (int)(bits >> MANTISSA & EXPONENTS);
	const struct binary number = {(bits & ((1ull << MANTISSA) - 1)) | 1ull << MANTISSA, BIAS - exponent};
	/* log10(2) is 1233 / 4096; the offsets make the quotient positive */
	int order = (exponent - (BIAS - MANTISSA) + 4096) * 1233 / 4096 - 1233;
	order = order < LEAST_ORDER ? LEAST_ORDER : order;
	while (size >= above[order - LEAST_ORDER])
		order++;
	const int places = MOST_DIGITS - 1 - order;
	round_at(&number, places, fives[places], &n);
	/* Half the distance to the next number, in units of the last digit, tells whether fewer digits can do. */
	const uint64_t half = (fives[places] >> (number.scale - places) >> 1) + 2;
	for (unsigned drop = 2, ten = 100; drop > 0; drop--, ten /= 10) {
		const uint64_t rest = n % ten;
		if ((rest <= half || ten - rest <= half)
			&& round_at(&number, places - (int)drop, fives[places - (int)drop], &fewer)) {
			n = fewer;
			break;
		}
	}
	if (v < 0)
		buf_char(out, '-');
	put_digits(out, n, order);
	return true;
}

void json_double(struct json *j, double v)
{
	if (!isfinite(v)) {
		json_null(j);
		return;
	}
	if (fabs(v) < 1e15 && v == (double)(int64_t)v && !(v == 0 && signbit(v))) { /* most are whole numbers */
		json_i64(j, (int64_t)v);
		return;
	}
	char digits[40];
	value(j);
	if (put_exactly(j->out, v))
		return;
	for (int precision = 15; precision <= 17; precision++) {
		snprintf(digits, sizeof digits, "%.*g", precision, v);
		if (strtod(digits, NULL) == v)
			break;
	}
	put_with_point(j->out, digits);
}

static void put_unit(struct buf *out, uint32_t unit)
{
	uint8_t bytes[] = {(uint8_t)(unit >> 8), (uint8_t)unit};
	buf_lit(out, "\\u");
	buf_hex_bytes(out, (struct evl_str){bytes, sizeof bytes});
}

/* Invisible code points are escaped: every reader decodes them, no terminal obeys them. */
static void put_escaped(struct buf *out, struct evl_str *s)
{
	struct evl_str before = *s;
	uint32_t cp = utf8_take(s);
	if (cp == UTF8_BAD) {
		buf_lit(out, "\xef\xbf\xbd");
	} else if (cp == '\n') {
		buf_lit(out, "\\n");
	} else if (cp == '\t') {
		buf_lit(out, "\\t");
	} else if (!utf8_unseen(cp)) {
		buf_put(out, before.p, before.len - s->len);
	} else if (cp < 0x10000) {
		put_unit(out, cp);
	} else {
		put_unit(out, 0xd800 + ((cp - 0x10000) >> 10));
		put_unit(out, 0xdc00 + (cp & 0x3ff));
	}
}

void json_str(struct json *j, struct evl_str s)
{
	value(j);
	buf_char(j->out, '"');
	while (s.len) {
		size_t run = utf8_run_without(s, '"', '\\');
		buf_put(j->out, s.p, run);
		s.p += run;
		s.len -= run;
		if (s.len == 0)
			break;
		if (*s.p == '"' || *s.p == '\\')
			buf_char(j->out, '\\');
		put_escaped(j->out, &s);
	}
	buf_char(j->out, '"');
}

void json_cstr(struct json *j, const char *s) { json_str(j, str_of(s)); }

void json_hex(struct json *j, struct evl_str bytes)
{
	value(j);
	buf_char(j->out, '"');
	buf_hex_bytes(j->out, bytes);
	buf_char(j->out, '"');
}

void json_put_open(struct json *j, const char *key, char bracket)
{
	json_key(j, key);
	json_open(j, bracket);
}

void json_put_null(struct json *j, const char *key)
{
	json_key(j, key);
	json_null(j);
}

void json_put_bool(struct json *j, const char *key, bool v)
{
	json_key(j, key);
	json_bool(j, v);
}

void json_put_str(struct json *j, const char *key, struct evl_str s)
{
	json_key(j, key);
	json_str(j, s);
}

void json_put_cstr(struct json *j, const char *key, const char *s)
{
	json_key(j, key);
	if (s)
		json_cstr(j, s);
	else
		json_null(j);
}

void json_put_u64(struct json *j, const char *key, uint64_t v)
{
	json_key(j, key);
	json_u64(j, v);
}

void json_put_double(struct json *j, const char *key, double v)
{
	json_key(j, key);
	json_double(j, v);
}

void json_put_known(struct json *j, const char *key, bool known, uint64_t v)
{
	json_key(j, key);
	if (known)
		json_u64(j, v);
	else
		json_null(j);
}

void json_put_text(struct json *j, const char *key, struct evl_str s)
{
	json_key(j, key);
	if (s.len)
		json_str(j, s);
	else
		json_null(j);
}
