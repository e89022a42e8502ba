#include "report/path_json.h"

#include "table/lists.h"

enum { THREADS_LISTED = 1000 };

static void put_parts(struct json *j, const uint64_t *ns)
{
	for (int part = 0; part < PATH_PART_COUNT; part++)
		json_put_u64(j, path_part_key((enum path_part)part), ns[part]);
}

void path_json(const struct evl_log *log, const struct path *p, struct buf *out)
{
	struct json j = {.out = out};
	struct path_list list = {.of.log = log, .path = *p};
	json_open(&j, '{');
	json_put_u64(&j, "from_ns", p->from);
	json_put_u64(&j, "to_ns", p->to);
	if (p->windows) {
		json_put_u64(&j, "windows", p->windows);
		json_put_u64(&j, "windows_ns", p->covered);
	}
	json_put_u64(&j, "thread", p->thread);
	json_put_text(&j, "label", evl_label(log, p->thread));
	json_put_open(&j, "parts", '{');
	put_parts(&j, p->ns);
	json_close(&j, '}');
	json_put_u64(&j, "hops", p->hops);
	json_key(&j, "threads");
	table_json(&j, &path_threads_kind, &list, THREADS_LISTED);
	json_put_u64(&j, "threads_not_listed", sub_or_0(p->n_threads, THREADS_LISTED) + p->threads_not_listed);
	json_key(&j, "segments");
	table_json(&j, &path_list_kind, &list, SIZE_MAX);
	json_put_u64(&j, "segments_not_listed", p->segments_not_listed);
	json_close(&j, '}');
	buf_char(out, '\n');
}
