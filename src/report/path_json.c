#include "report/path_json.h"

#include "base/json.h"

enum { THREADS_LISTED = 1000 };

static void put_label(struct json *j, const struct evl_log *log, uint32_t thread)
{
	json_key(j, "label");
	if (threads_label_at(&log->threads, thread))
		json_str(j, evl_label(log, thread));
	else
		json_null(j);
}

static void put_parts(struct json *j, const uint64_t *ns)
{
	for (int part = 0; part < PATH_PART_COUNT; part++)
		json_put_u64(j, path_part_key((enum path_part)part), ns[part]);
}

static size_t put_threads(struct json *j, const struct evl_log *log, const struct path *p)
{
	size_t n = p->n_threads < THREADS_LISTED ? p->n_threads : THREADS_LISTED;
	json_put_open(j, "threads", '[');
	for (size_t i = 0; i < n; i++) {
		json_open(j, '{');
		json_put_u64(j, "thread", p->threads[i].thread);
		put_label(j, log, p->threads[i].thread);
		json_put_u64(j, "total_ns", p->threads[i].total_ns);
		put_parts(j, p->threads[i].ns);
		json_close(j, '}');
	}
	json_close(j, ']');
	return n;
}

static void put_segments(struct json *j, const struct path *p)
{
	json_put_open(j, "segments", '[');
	for (size_t i = 0; i < p->n_segments; i++) {
		const struct path_segment *s = &p->segments[i];
		json_open(j, '{');
		json_put_u64(j, "from_ns", s->from);
		json_put_u64(j, "to_ns", s->to);
		json_put_u64(j, "thread", s->thread);
		json_put_cstr(j, "what", path_what_name((enum path_what)s->what));
		json_put_known(j, "cap", s->what == PATH_RUN, s->cap);
		json_close(j, '}');
	}
	json_close(j, ']');
}

void path_json(const struct evl_log *log, const struct path *p, struct buf *out)
{
	struct json j = {.out = out};
	json_open(&j, '{');
	json_put_u64(&j, "from_ns", p->from);
	json_put_u64(&j, "to_ns", p->to);
	if (p->windows) {
		json_put_u64(&j, "windows", p->windows);
		json_put_u64(&j, "windows_ns", p->covered);
	}
	json_put_u64(&j, "thread", p->thread);
	put_label(&j, log, p->thread);
	json_put_open(&j, "parts", '{');
	put_parts(&j, p->ns);
	json_close(&j, '}');
	json_put_u64(&j, "hops", p->hops);
	size_t listed = put_threads(&j, log, p);
	json_put_u64(&j, "threads_not_listed", p->n_threads - listed + p->threads_not_listed);
	put_segments(&j, p);
	json_put_u64(&j, "segments_not_listed", p->segments_not_listed);
	json_close(&j, '}');
	buf_char(out, '\n');
}
