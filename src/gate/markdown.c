#include "gate/markdown.h"

#include "base/utf8.h"

void markdown_code(struct buf *out, struct evl_str text)
{
	buf_char(out, '`');
	while (text.len) {
		struct evl_str before = text;
		uint32_t cp = utf8_take(&text);
		if (cp == UTF8_BAD || utf8_unseen(cp))
			buf_lit(out, "\xef\xbf\xbd");
		else if (cp == '|')
			buf_lit(out, "\\|");
		else if (cp == '`')
			buf_char(out, '\'');
		else
			buf_put(out, before.p, before.len - text.len);
	}
	buf_char(out, '`');
}
