/* evl.c - functions of the public interface (evl.h) that use several rooms. */
#include "evl.h"

#include "format/decode.h"
#include "log/log.h"
#include "report/figures.h"
#include "show/event_merge.h"
#include "show/event_text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

size_t evl_caps(const struct evl_log *log) { return log->n_caps; }

bool evl_thread_next(const struct evl_log *log, uint32_t after, struct evl_thread *out)
{
	uint32_t id;
	const struct thread_row *row = threads_next(&log->threads, after, &id);
	if (!row)
		return false;
	*out = (struct evl_thread){.id = id,
		.runs = atomic_load(&row->runs),
		.born_ns = atomic_load(&row->born),
		.died_ns = atomic_load(&row->died),
		.run_ns = atomic_load(&row->run_ns),
		.label = evl_label(log, id)};
	return true;
}

int evl_pauses(const struct evl_log *log, uint64_t from, uint64_t to, struct evl_pause *out, int n)
{
	const struct gc_row *row = NULL;
	int found = 0;
	while (found < n && (row = gcs_longest(&log->gcs, from, to, row)))
		out[found++] = (struct evl_pause){.start_ns = row->start,
			.pause_ns = gc_pause(row),
			.sync_ns = row->sync,
			.cap = row->cap,
			.generation = row->gen == GC_GEN_UNKNOWN ? -1 : row->gen,
			.major = gc_is_major(&log->gcs, row)};
	return found;
}

/* --- metrics --- */

struct evl_metrics {
	struct figures figures;
};

int evl_metrics_make(struct evl_metrics **out, const struct evl_log *log, uint64_t from, uint64_t to, bool deep)
{
	struct evl_metrics *m = malloc(sizeof *m);
	const struct figures_ask ask = {.from = from, .to = to, .deep = deep};
	int result = m ? figures_make(&m->figures, log, &ask) : EVL_NOMEM;
	if (result < 0) {
		free(m);
		m = NULL;
	}
	*out = m;
	return result;
}

void evl_metrics_free(struct evl_metrics *m)
{
	if (m)
		figures_free(&m->figures);
	free(m);
}

double evl_metric(const struct evl_metrics *m, const char *name)
{
	enum metric metric = metric_find(str_of(name));
	return metric < METRICS ? m->figures.values[metric] : NAN;
}

/* --- events --- */

struct evl_events {
	const struct evl_log *log;
	struct event_merge merge;
	struct event_text text;
	struct frame frame; /* the event given last */
	const struct header_type *type;
	uint16_t cap;
	struct evl_value values[EVL_MAX_FIELDS];
	int n_values;
};

struct evl_events *evl_events_begin(const struct evl_log *log, uint64_t from, uint64_t to, int cap)
{
	const struct event_merge_want want = {.from = from, .to = to, .cap = cap};
	struct evl_events *e = calloc(1, sizeof *e);
	if (!e)
		return NULL;
	e->log = log;
	if (event_text_init(&e->text, false) < 0) {
		free(e);
		return NULL;
	}
	if (event_merge_begin(&e->merge, &log->blocks, &want) < 0) {
		event_text_free(&e->text);
		free(e);
		return NULL;
	}
	return e;
}

bool evl_events_next(struct evl_events *e, struct evl_event *out)
{
	const struct block *block;
	if (!event_merge_next(&e->merge, &e->frame, &block))
		return false;
	e->cap = e->log->blocks.chains[block->chain].cap;
	e->type = header_of(&e->log->header, e->frame.tag);
	const struct schema *schema = e->type->schema;
	e->n_values = schema ? decode(schema, e->frame.payload, e->values) : 0;
	*out = (struct evl_event){.t = e->frame.t,
		.off = e->frame.off,
		.cap = e->cap == EVL_NO_CAP ? -1 : e->cap,
		.tag = e->frame.tag,
		.name = schema_name(e->frame.tag),
		.payload = e->frame.payload};
	return true;
}

int evl_events_end(struct evl_events *e)
{
	int result = e && (e->merge.failed || e->text.out.failed) ? EVL_NOMEM : 0;
	if (e) {
		event_merge_end(&e->merge);
		event_text_free(&e->text);
	}
	free(e);
	return result;
}

/* The text that was appended, without the newlines after it. */
static const char *finished(struct event_text *text)
{
	struct buf *out = &text->out;
	while (out->len && out->p[out->len - 1] == '\n')
		out->len--;
	buf_put(out, "", 1);
	return out->failed ? "" : out->p;
}

const char *evl_event_text(struct evl_events *e)
{
	assert(e->type); /* an event was given */
	buf_clear(&e->text.out);
	event_text_prefix(&e->text, e->frame.t, e->cap);
	event_text_event(&e->text, e->type, &e->frame);
	return finished(&e->text);
}

const char *evl_event_json(struct evl_events *e)
{
	assert(e->type);
	buf_clear(&e->text.out);
	event_text_json(&e->text, e->type, &e->frame, e->cap);
	return finished(&e->text);
}

/* The value of a field of the event given last; NULL where it has no such field. */
static const struct evl_value *field(const struct evl_events *e, const char *name, bool text)
{
	int i = e->type && e->type->schema ? decode_field(e->type->schema, name) : -1;
	if (i < 0 || i >= e->n_values)
		return NULL;
	bool is_text = schema_width(e->type->schema->fields[i].kind) == 0;
	return is_text == text ? &e->values[i] : NULL;
}

bool evl_event_number(const struct evl_events *e, const char *name, uint64_t *out)
{
	const struct evl_value *value = field(e, name, false);
	*out = value ? value->u : 0;
	return value;
}

bool evl_event_string(const struct evl_events *e, const char *name, struct evl_str *out)
{
	const struct evl_value *value = field(e, name, true);
	*out = value ? value->str : (struct evl_str){0};
	return value;
}
