#include "gate/junit.h"

#include "base/utf8.h"

/* Code points that XML 1.0 allows. */
static bool allowed(uint32_t cp)
{
	return cp == '\t' || cp == '\n' || (cp >= 0x20 && cp <= 0xd7ff) || (cp >= 0xe000 && cp <= 0xfffd)
		|| cp >= 0x10000;
}

static void put_escaped(struct buf *out, struct evl_str s)
{
	while (s.len) {
		struct evl_str before = s;
		uint32_t cp = utf8_take(&s);
		if (cp == UTF8_BAD || !allowed(cp))
			buf_lit(out, "\xef\xbf\xbd");
		else if (cp == '<')
			buf_lit(out, "&lt;");
		else if (cp == '>')
			buf_lit(out, "&gt;");
		else if (cp == '&')
			buf_lit(out, "&amp;");
		else if (cp == '"')
			buf_lit(out, "&quot;");
		else if (cp == '\n')
			buf_lit(out, "&#10;");
		else if (cp == '\t')
			buf_lit(out, "&#9;");
		else
			buf_put(out, before.p, before.len - s.len);
	}
}

static void put_count(struct buf *out, const char *name, size_t n)
{
	buf_printf(out, " %s=\"", name);
	buf_decimal(out, n);
	buf_char(out, '"');
}

static void put_text(struct buf *out, const char *name, struct evl_str text)
{
	buf_printf(out, " %s=\"", name);
	put_escaped(out, text);
	buf_char(out, '"');
}

void junit_begin(struct junit *j, struct buf *out, const char *suite, size_t tests, size_t failures, size_t errors,
	size_t skipped)
{
	j->out = out;
	buf_lit(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n<testsuite");
	put_text(out, "name", str_of(suite));
	put_count(out, "tests", tests);
	put_count(out, "failures", failures);
	put_count(out, "errors", errors);
	put_count(out, "skipped", skipped);
	buf_lit(out, " time=\"0\">\n");
}

void junit_case(
	struct junit *j, struct evl_str class, struct evl_str name, enum junit_outcome outcome, struct evl_str message)
{
	static const char *const elements[] = {
		[JUNIT_FAILURE] = "failure", [JUNIT_ERROR] = "error", [JUNIT_SKIPPED] = "skipped"};
	struct buf *out = j->out;
	buf_lit(out, "<testcase");
	put_text(out, "name", name);
	put_text(out, "classname", class);
	buf_lit(out, " time=\"0\"");
	if (outcome == JUNIT_PASSED) {
		buf_lit(out, "/>\n");
		return;
	}
	buf_printf(out, "><%s", elements[outcome]);
	put_text(out, "message", message);
	if (outcome != JUNIT_SKIPPED)
		put_text(out, "type", str_of(outcome == JUNIT_FAILURE ? "worse" : "unknown"));
	buf_lit(out, "/></testcase>\n");
}

void junit_end(struct junit *j) { buf_lit(j->out, "</testsuite>\n</testsuites>\n"); }
