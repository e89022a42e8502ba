#include "exe/exe.h"

#include "base/gallop.h"
#include "base/idmap.h"
#include "exe/debug_lines.h"
#include "exe/ipe_buffers.h"
#include "exe/symbol_name.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOOK_UP = 4096, CHUNK = 64 << 10, TABLE = 16, PROFILED_TABLE = 32, PAGE = 4096 };

/* Texts that never move. */
struct chunk {
	struct chunk *next;
	size_t used, room;
	char bytes[];
};

struct exe {
	struct exe *former;
	struct exe *library; /* a shared one of GHC's that it was linked with, and so on; NULL: no more */
	char *path;
	struct elf_file file, debug; /* debug: of its symbols, where it was stripped */
	const struct elf_symbols *symbols;
	struct ipe_buffers map;
	struct ipedb *db; /* NULL: none */
	uint64_t slide;   /* addresses of the run minus those of the file */
	uint64_t table;   /* bytes of an info table: its code follows */
	char reason[320]; /* of exe_check */

	pthread_mutex_t work; /* one question at a time */
	struct symbol_name symbol;
	pthread_mutex_t lock; /* of what follows */
	struct rows names;    /* struct exe_name */
	struct idmap by_id;
	struct chunk *chunks;
	size_t texts;
};

/* --- opening ------------------------------------------------------------------------------------------------------- */

/* One without any names; NULL when memory is out. */
static struct exe *make(const char *path)
{
	struct exe *x = calloc(1, sizeof *x);
	if (!x || !(x->path = strdup(path))) {
		free(x);
		return NULL;
	}
	pthread_mutex_init(&x->work, NULL);
	pthread_mutex_init(&x->lock, NULL);
	rows_init(&x->names, sizeof(struct exe_name));
	x->table = TABLE;
	x->file.source.slot = x->debug.source.slot = -1;
	x->symbols = &x->file.symbols;
	x->map.f = &x->file;
	return x;
}

int exe_from(struct exe **out, struct source *source, const char *path, struct evl_err *err)
{
	struct exe *x = *out = make(path);
	if (!x) {
		source_close(source);
		return evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	int result = elf_file_from(&x->file, source, path, err);
	if (result == 0) {
		bool apart = !elf_section(&x->file, ".symtab") && elf_debug_open(&x->file, path, &x->debug);
		x->symbols = apart ? &x->debug.symbols : &x->file.symbols;
		result = ipe_buffers_begin(&x->map, &x->file, x->symbols);
		if (result < 0)
			evl_fail(err, result, EVL_NO_OFFSET, "%s: out of memory", path);
	}
	if (result < 0) {
		exe_close(x);
		*out = NULL;
	}
	return result;
}

int exe_add_ipedb(struct exe *x, const char *path, struct evl_err *err)
{
	struct source source;
	int result = source_open(&source, path, err);
	return result < 0 ? result : ipedb_open(&x->db, &source, path, err);
}

int exe_from_ipedb(struct exe **out, const char *path, struct evl_err *err)
{
	struct exe *x = *out = make(path);
	int result =
		x ? exe_add_ipedb(x, path, err) : evl_fail(err, EVL_NOMEM, EVL_NO_OFFSET, "%s: out of memory", path);
	if (result < 0) {
		exe_close(x);
		*out = NULL;
	}
	return result;
}

int exe_open(struct exe **exe, const char *path, struct evl_err *err)
{
	struct source source;
	*exe = NULL;
	int result = elf_source_open(&source, path, err);
	return result < 0 ? result : exe_from(exe, &source, path, err);
}

static void close_one(struct exe *x)
{
	if (x->library)
		close_one(x->library);
	ipe_buffers_free(&x->map);
	ipedb_close(x->db);
	elf_file_close(&x->debug);
	elf_file_close(&x->file);
	buf_free(&x->symbol.text);
	rows_free(&x->names);
	idmap_free(&x->by_id);
	for (struct chunk *c = x->chunks, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	pthread_mutex_destroy(&x->work);
	pthread_mutex_destroy(&x->lock);
	free_all(x->path, x);
}

void exe_close(struct exe *x)
{
	for (struct exe *former; x; x = former) {
		former = x->former;
		close_one(x);
	}
}

void exe_after(struct exe *x, struct exe *former) { x->former = former; }

const char *exe_path(const struct exe *x) { return x->path; }

struct exe_abilities exe_abilities(const struct exe *x)
{
	return (struct exe_abilities){.map = x->map.n > 0,
		.symbols = x->symbols->n > 0,
		.debug = elf_section(&x->file, ".debug_info") || elf_section(&x->debug, ".debug_info"),
		.moves = x->file.moves,
		.build_id = elf_build_id(&x->file)};
}

/* --- names --------------------------------------------------------------------------------------------------------- */

/* Make a permanent copy; empty, and return false, if it does not fit. Call it under the lock. */
static bool keep(struct exe *x, struct evl_str *text)
{
	struct chunk *c = x->chunks;
	if (text->len == 0)
		return true;
	if (text->len > EXE_TEXTS - x->texts)
		return false;
	if (!c || c->room - c->used < text->len) {
		size_t room = text->len > CHUNK ? text->len : CHUNK;
		if (!(c = malloc(sizeof *c + room)))
			return false;
		*c = (struct chunk){.next = x->chunks, .room = room};
		x->chunks = c;
	}
	text->p = memcpy(c->bytes + c->used, text->p, text->len);
	c->used += text->len;
	x->texts += text->len;
	return true;
}

/* False when memory or room is out. */
static bool add_name(struct exe *x, const struct exe_name *name)
{
	struct exe_name row = *name;
	struct ipe_entry *e = &row.entry;
	struct evl_str *const texts[] = {
		&e->table, &e->closure, &e->type, &e->label, &e->module, &e->location, &row.full};
	pthread_mutex_lock(&x->lock);
	size_t n = rows_count(&x->names);
	bool good = n < EXE_NAMES;
	for (size_t i = 0; i < countof(texts); i++)
		good = good && keep(x, texts[i]);
	good = good && rows_add(&x->names, &row) && idmap_put(&x->by_id, e->id, (uint32_t)n);
	pthread_mutex_unlock(&x->lock);
	return good;
}

static const struct exe_name *look_up(struct exe *x, uint64_t id)
{
	uint32_t place;
	pthread_mutex_lock(&x->lock);
	const struct exe_name *found = idmap_find(&x->by_id, id, &place) ? rows_at(&x->names, place) : NULL;
	pthread_mutex_unlock(&x->lock);
	return found;
}

const struct exe_name *exe_find(struct exe *x, uint64_t id)
{
	for (; x; x = x->library) {
		const struct exe_name *found = look_up(x, id);
		if (found && found->how != EXE_UNKNOWN)
			return found;
	}
	return NULL;
}

/* --- a question ---------------------------------------------------------------------------------------------------- */

/* The symbols nearest to an address: their addresses, and index + 1 (0: none). */
struct near {
	uint64_t before, after;
	uint32_t at_name, before_name, after_name;
};

/* An address that is looked for, by its code. */
struct look {
	uint64_t id, code;
	uint32_t name; /* the symbol that names it, + 1 (0: none); offset: from that */
	int64_t offset;
	enum exe_how how;
	size_t texts;             /* of debug information: where they begin in the question's */
	uint16_t function, place; /* bytes of each */
	bool named;
};

struct question {
	struct exe *x;
	struct look *looks; /* by code */
	uint64_t *codes;    /* of them; a million symbols are searched for here, so these are small: */
	struct near *near;
	size_t n;
	uint32_t *starts; /* the first code in each of `parts` equal stretches, and n */
	uint64_t parts;
	unsigned shift; /* bits of the length of a stretch */
	const atomic_bool *cancel;
	struct buf texts;
};

static void release(const struct exe *x)
{
	elf_release(&x->file);
	elf_release(&x->debug);
}

/* Called after each symbol or entry. */
static bool stops_at(const struct question *q, uint64_t i)
{
	if (i % ELF_RELEASE == 0)
		release(q->x);
	return i % LOOK_UP == 0 && is_cancelled(q->cancel);
}

ORDER_BY(by_code, struct look, code);

/* Divide the codes, so that a search looks at a few of them. */
static bool divide(struct question *q)
{
	enum { PARTS = 1 << 16 };
	uint64_t range = q->n ? q->codes[q->n - 1] - q->codes[0] : 0;
	while (range >> q->shift >= PARTS || range >> q->shift > 2 * q->n)
		q->shift++;
	q->parts = (range >> q->shift) + 1;
	q->starts = malloc((q->parts + 1) * sizeof *q->starts);
	for (uint64_t part = 0, i = 0; q->starts && part <= q->parts; part++) {
		while (i < q->n && (q->codes[i] - q->codes[0]) >> q->shift < part)
			i++;
		q->starts[part] = (uint32_t)i;
	}
	return q->starts;
}

/* The first whose code is at or after the address. */
static size_t first_at(const struct question *q, uint64_t code)
{
	if (q->n == 0 || code <= q->codes[0])
		return 0;
	uint64_t part = (code - q->codes[0]) >> q->shift;
	if (part >= q->parts)
		return q->n;
	const uint64_t *codes = q->codes + q->starts[part];
	BISECT(low, q->starts[part + 1] - q->starts[part], codes[mid] < code);
	return q->starts[part] + low;
}

static int ask_map(struct question *q)
{
	struct exe *x = q->x;
	uint64_t code;
	ipe_buffers_rewind(&x->map);
	for (uint64_t i = 1; ipe_buffers_next(&x->map, &code); i++) {
		struct exe_name name = {.how = EXE_MAP};
		size_t at = first_at(q, code);
		if (stops_at(q, i))
			return EVL_CANCELLED;
		if (at == q->n || q->looks[at].code != code || q->looks[at].named
			|| !ipe_buffers_entry(&x->map, &name.entry))
			continue;
		name.entry.id = q->looks[at].id;
		name.full = name.entry.label.len ? name.entry.label : name.entry.table;
		q->looks[at].named = add_name(x, &name);
	}
	return 0;
}

static int ask_db(struct question *q)
{
	struct exe *x = q->x;
	for (size_t i = 0; i < q->n; i++) {
		struct exe_name name = {.how = EXE_MAP};
		struct look *l = &q->looks[i];
		if (stops_at(q, i))
			return EVL_CANCELLED;
		if (l->named || !ipedb_find(x->db, l->id, &name.entry))
			continue;
		name.full = name.entry.label.len ? name.entry.label : name.entry.table;
		l->named = add_name(x, &name);
	}
	return 0;
}

static void take_line(void *ctx, size_t i, struct evl_str function, struct evl_str place)
{
	struct question *q = ctx;
	struct look *l = &q->looks[i];
	if (l->named || l->function || l->place || function.len > UINT16_MAX || place.len > UINT16_MAX)
		return;
	l->texts = q->texts.len;
	buf_str(&q->texts, function);
	buf_str(&q->texts, place);
	if (q->texts.failed)
		return;
	l->function = (uint16_t)function.len;
	l->place = (uint16_t)place.len;
}

/* The debug information is in the program, or in the file that it was moved to by stripping. */
static void ask_debug(struct question *q)
{
	debug_lines(&q->x->file, q->codes, q->n, q->cancel, take_line, q);
	if (q->x->debug.elf)
		debug_lines(&q->x->debug, q->codes, q->n, q->cancel, take_line, q);
}

static bool is_beside(const struct elf_file *f, uint64_t a, uint64_t b)
{
	const struct elf_section *s = elf_section_at(f, a);
	return s && b >= s->addr && b - s->addr < s->size;
}

/* Take a symbol where it is nearer than those before it; its name is read only then. */
static void take_symbol(struct question *q, const struct elf_symbol *s, uint32_t number)
{
	const struct elf_symbols *symbols = q->x->symbols;
	size_t i = first_at(q, s->value);
	struct near *at = i < q->n && q->codes[i] == s->value ? &q->near[i] : NULL;
	struct near *last = i ? &q->near[i - 1] : NULL;
	struct near *next = i + (at != NULL) < q->n ? &q->near[i + (at != NULL)] : NULL;
	if (at && at->at_name)
		at = NULL;
	if (last && last->after_name && last->after <= s->value)
		last = NULL;
	if (next && next->before_name && next->before >= s->value)
		next = NULL;
	if ((!at && !last && !next) || !symbol_is_info(elf_symbol_name(symbols, s, SYMBOL_MOST)))
		return;
	if (at)
		at->at_name = number + 1;
	if (last) {
		last->after = s->value;
		last->after_name = number + 1;
	}
	if (next) {
		next->before = s->value;
		next->before_name = number + 1;
	}
}

/* A symbol is near to all addresses up to the next one. */
static void spread(struct question *q)
{
	for (size_t i = 1; i < q->n; i++) {
		struct near *l = &q->near[i], *from = &q->near[i - 1];
		uint32_t name = from->at_name ? from->at_name : from->before_name;
		uint64_t value = from->at_name ? q->codes[i - 1] : from->before;
		if (name && (!l->before_name || l->before < value)) {
			l->before = value;
			l->before_name = name;
		}
	}
	for (size_t i = q->n; i-- > 1;) {
		struct near *l = &q->near[i - 1], *from = &q->near[i];
		uint32_t name = from->at_name ? from->at_name : from->after_name;
		uint64_t value = from->at_name ? q->codes[i] : from->after;
		if (name && (!l->after_name || l->after > value)) {
			l->after = value;
			l->after_name = name;
		}
	}
}

static struct evl_str text_of(const struct buf *b, size_t from, size_t to)
{
	return (struct evl_str){(const uint8_t *)b->p + from, to - from};
}

/* "Main.go15", or only "go15". */
static void put_symbol(struct buf *out, const struct symbol_name *n, bool module)
{
	if (module && symbol_module(n).len) {
		buf_str(out, symbol_module(n));
		buf_char(out, '.');
	}
	buf_str(out, symbol_own(n));
}

/* One form of the name: "go15"; "in go15 -456" where it is the nearest symbol's; of debug information "waiting", and, with
 * modules, "Main.waiting in Main.go15 -456". */
static void put_form(
	struct buf *out, const struct exe_name *name, const struct symbol_name *n, struct evl_str function, bool module)
{
	char by[32] = "";
	bool near = name->how == EXE_NEAR || (name->how == EXE_DEBUG && module);
	if (name->how == EXE_DEBUG && module && symbol_module(n).len) {
		buf_str(out, symbol_module(n));
		buf_char(out, '.');
	}
	if (name->how == EXE_DEBUG)
		buf_str(out, function);
	if (near) {
		buf_cstr(out, name->how == EXE_DEBUG ? " in " : "in ");
		snprintf(by, sizeof by, " %+lld", (long long)name->offset);
	}
	if (near || name->how == EXE_SYMBOL)
		put_symbol(out, n, module);
	buf_cstr(out, by);
}

/* Take the symbol at the address, else the one after it, else the one before it, all in one section of code. */
static void choose(const struct question *q, struct look *l, const struct near *near)
{
	const struct elf_file *f = &q->x->file;
	const struct elf_section *s = elf_section_at(f, l->code);
	bool in_code = s && s->is_code;
	l->how = l->function ? EXE_DEBUG : EXE_NEAR;
	if (near->at_name) {
		l->how = EXE_SYMBOL;
		l->name = near->at_name;
	} else if (in_code && near->after_name && is_beside(f, l->code, near->after)) {
		l->name = near->after_name;
		l->offset = (int64_t)(l->code - near->after);
	} else if (in_code && near->before_name && is_beside(f, l->code, near->before)) {
		l->name = near->before_name;
		l->offset = (int64_t)(l->code - near->before);
	}
}

/* By the chosen symbols, so that their names are read in the order of the file. */
ORDER_BY(by_name, struct look, name);

static bool name_look(struct question *q, const struct look *l)
{
	struct exe *x = q->x;
	struct exe_name name = {.how = l->how, .offset = l->offset, .entry = {.id = l->id}};
	struct buf text = {0};
	size_t place = l->texts + l->function;
	if (!l->name)
		return add_name(x, &(struct exe_name){.entry = {.id = l->id}});
	struct elf_symbol s = elf_symbol(x->symbols, l->name - 1);
	name.entry.table = elf_symbol_name(x->symbols, &s, SYMBOL_MOST);
	if (!symbol_name(&x->symbol, name.entry.table))
		return false;
	if (l->place)
		name.entry.location = text_of(&q->texts, place, place + l->place);
	name.entry.module = symbol_module(&x->symbol);
	struct evl_str function = l->function ? text_of(&q->texts, l->texts, place) : (struct evl_str){0};
	put_form(&text, &name, &x->symbol, function, false);
	size_t label = text.len;
	put_form(&text, &name, &x->symbol, function, true);
	name.entry.label = text_of(&text, 0, label);
	name.full = text_of(&text, label, text.len);
	bool good = !text.failed && add_name(x, &name);
	buf_free(&text);
	return good;
}

static int ask_symbols(struct question *q)
{
	for (uint32_t i = 0; i < q->x->symbols->n && i < UINT32_MAX; i++) {
		struct elf_symbol s = elf_symbol(q->x->symbols, i);
		if (elf_symbol_is_code(q->x->symbols, &s))
			take_symbol(q, &s, i);
		if (stops_at(q, i))
			return EVL_CANCELLED;
	}
	spread(q);
	for (size_t i = 0; i < q->n; i++)
		choose(q, &q->looks[i], &q->near[i]);
	qsort(q->looks, q->n, sizeof *q->looks, by_name);
	for (size_t i = 0; i < q->n; i++) {
		if (!q->looks[i].named)
			q->looks[i].named = name_look(q, &q->looks[i]);
		if (i % ELF_SCATTERED == 0)
			release(q->x);
	}
	release(q->x);
	return 0;
}

/* Those that are asked for the first time. EVL_NOMEM. */
static int prepare(struct question *q, const uint64_t *ids, size_t n)
{
	struct exe *x = q->x;
	q->looks = calloc(n ? n : 1, sizeof *q->looks);
	q->codes = malloc((n ? n : 1) * sizeof *q->codes);
	q->near = calloc(n ? n : 1, sizeof *q->near);
	if (!q->looks || !q->codes || !q->near)
		return EVL_NOMEM;
	for (size_t i = 0; i < n; i++)
		if (!look_up(x, ids[i]))
			q->looks[q->n++] = (struct look){.id = ids[i], .code = ids[i] - x->slide + x->table};
	qsort(q->looks, q->n, sizeof *q->looks, by_code);
	size_t kept = 0;
	for (size_t i = 0; i < q->n; i++)
		if (i == 0 || q->looks[i].code != q->looks[kept - 1].code)
			q->looks[kept++] = q->looks[i];
	q->n = kept;
	for (size_t i = 0; i < kept; i++)
		q->codes[i] = q->looks[i].code;
	return divide(q) ? 0 : EVL_NOMEM;
}

static int resolve_one(struct exe *x, const uint64_t *ids, size_t n, const atomic_bool *cancel)
{
	struct question q = {.x = x, .cancel = cancel};
	pthread_mutex_lock(&x->work);
	int result = prepare(&q, ids, n);
	if (result == 0 && q.n) {
		result = ask_map(&q);
		result = result == 0 && x->db ? ask_db(&q) : result;
		if (result == 0)
			ask_debug(&q);
		result = result ? result : ask_symbols(&q);
	}
	pthread_mutex_unlock(&x->work);
	free_all(q.looks, q.codes, q.starts, q.near);
	buf_free(&q.texts);
	return result;
}

int exe_resolve(struct exe *x, const uint64_t *ids, size_t n, const atomic_bool *cancel)
{
	int result = 0;
	for (; x && result == 0; x = x->library)
		result = resolve_one(x, ids, n, cancel);
	return result;
}

int exe_each(struct exe *x, bool (*take)(void *ctx, const struct ipe_entry *entry), void *ctx)
{
	struct ipe_entry entry;
	uint64_t code;
	bool on = true;
	pthread_mutex_lock(&x->work);
	ipe_buffers_rewind(&x->map);
	while (on && ipe_buffers_next(&x->map, &code)) {
		if (!ipe_buffers_entry(&x->map, &entry))
			continue;
		entry.id = code - x->table + x->slide;
		on = take(ctx, &entry);
	}
	pthread_mutex_unlock(&x->work);
	return on ? 0 : EVL_CANCELLED;
}

/* --- is it the right one? ------------------------------------------------------------------------------------------ */

/* How many of the addresses lie in its code, and look there like an info table: its closure's type is a small number. */
struct fit {
	size_t inside, good;
};

static bool looks_like_table(const struct exe *x, uint64_t table)
{
	enum { TYPE = 8, TYPES = 64 };
	const uint8_t *p = elf_at(&x->file, table + x->table - TABLE + TYPE, 4);
	return p && le32(p) >= 1 && le32(p) <= TYPES;
}

static struct fit fit_at(const struct exe *x, const struct exe_evidence *e, uint64_t slide)
{
	struct fit fit = {0};
	for (size_t i = 0; i < e->n; i++) {
		const struct elf_section *s = elf_section_at(&x->file, e->ids[i] - slide);
		if (!s || !s->is_code)
			continue;
		fit.inside++;
		fit.good += looks_like_table(x, e->ids[i] - slide);
	}
	return fit;
}

/* All but one in fifty: a log may be damaged. */
static bool fits(struct fit fit) { return fit.inside && fit.good * 50 >= fit.inside * 49; }

/* --- where a position-independent one was loaded ------------------------------------------------------------------- */

enum { SLIDES = 1 << 18, SAMPLE = 64, TRIED = 16, VOTES = 4, INSIDE = 8 };

struct vote {
	uint64_t slide;
	size_t n;
};

struct votes {
	uint64_t slides[SLIDES];
	size_t n;
	uint64_t ids[SAMPLE]; /* some of the evidence */
	size_t n_ids;
};

/* Where the table could lie so that one of the addresses is its: a program moves by whole pages. */
static void vote_for(struct votes *v, uint64_t table)
{
	for (size_t i = 0; i < v->n_ids; i++)
		if ((v->ids[i] - table) % PAGE == 0 && v->n < SLIDES)
			v->slides[v->n++] = v->ids[i] - table;
}

static void vote(struct exe *x, struct votes *v)
{
	uint64_t code;
	ipe_buffers_rewind(&x->map);
	while (ipe_buffers_next(&x->map, &code))
		vote_for(v, code - x->table);
	for (uint64_t i = 0; i < x->symbols->n && v->n < SLIDES; i++) {
		struct elf_symbol s = elf_symbol(x->symbols, i);
		if (elf_symbol_is_code(x->symbols, &s) && symbol_is_info(elf_symbol_name(x->symbols, &s, SYMBOL_MOST)))
			vote_for(v, s.value - x->table);
	}
}

/* The slides with most votes, the best first. */
static size_t count_votes(struct votes *v, struct vote best[TRIED])
{
	size_t n = 0;
	qsort(v->slides, v->n, sizeof *v->slides, by_u64);
	for (size_t i = 0, end; i < v->n; i = end) {
		for (end = i + 1; end < v->n && v->slides[end] == v->slides[i];)
			end++;
		size_t at = n < TRIED ? n : TRIED - 1;
		if (n == TRIED && best[at].n >= end - i)
			continue;
		for (; at > 0 && best[at - 1].n < end - i; at--)
			best[at] = best[at - 1];
		best[at] = (struct vote){v->slides[i], end - i};
		n += n < TRIED;
	}
	return n;
}

/* Proved where the addresses agree on one slide and all of them fit there. EVL_NOMEM. */
static int find_slide(struct exe *x, const struct exe_evidence *e, bool *found)
{
	struct vote best[TRIED];
	struct votes *v = calloc(1, sizeof *v);
	*found = false;
	if (!v)
		return EVL_NOMEM;
	for (size_t i = 0; i < SAMPLE && i < e->n; i++)
		v->ids[v->n_ids++] = e->ids[e->n <= SAMPLE ? i : i * (e->n / SAMPLE)];
	vote(x, v);
	size_t n = count_votes(v, best), fitting = 0;
	for (size_t i = 0; i < n; i++) {
		struct fit fit = fit_at(x, e, best[i].slide);
		bool all = best[i].n >= fit.inside; /* each of them has a symbol there: few are enough */
		if (best[i].n < VOTES || (fit.inside < INSIDE && !all) || !fits(fit))
			continue;
		fitting++;
		x->slide = best[i].slide;
	}
	*found = fitting == 1;
	free(v);
	return 0;
}

static size_t count_named(struct exe *x, const struct exe_evidence *e)
{
	size_t n = 0;
	for (size_t i = 0; i < e->n; i++) {
		const struct exe_name *name = exe_find(x, e->ids[i]);
		n += name && (name->how == EXE_MAP || name->how == EXE_SYMBOL);
	}
	return n;
}

static bool has_names(const struct exe *x)
{
	for (uint64_t i = 0; i < x->symbols->n; i++) {
		struct elf_symbol s = elf_symbol(x->symbols, i);
		if (elf_symbol_is_code(x->symbols, &s) && symbol_is_info(elf_symbol_name(x->symbols, &s, SYMBOL_MOST)))
			return true;
	}
	return x->map.n > 0;
}

static const char *check_one(struct exe *x, const struct exe_evidence *e)
{
	enum { FEW = 4 }; /* by chance one in five looks like a table */
	struct evl_str ghc = elf_ghc(&x->file);
	bool moved = false;
	x->table = e->profiled ? PROFILED_TABLE : TABLE;
	x->slide = 0;
	if (e->ghc.len && ghc.len && str_order(ghc, e->ghc) != 0) {
		snprintf(x->reason, sizeof x->reason, "was compiled by GHC %.*s, but the log is of GHC %.*s",
			(int)min_u64(ghc.len, 32), (const char *)ghc.p, (int)min_u64(e->ghc.len, 32),
			(const char *)e->ghc.p);
		return x->reason;
	}
	if (!has_names(x))
		return "has no symbols of Haskell code (stripped, or not compiled by GHC)";
	if (e->n == 0)
		return "cannot be compared: the log has no addresses";
	if (x->file.moves && find_slide(x, e, &moved) < 0)
		return evl_strerror(EVL_NOMEM);
	if (x->file.moves && !moved)
		return "is position-independent, and the log does not prove where it was loaded";
	struct fit fit = fit_at(x, e, x->slide);
	if (fit.inside == 0)
		return "is another program: none of the log's addresses are in it";
	if (!fits(fit)) {
		snprintf(x->reason, sizeof x->reason,
			"is another program or another build: %zu of %zu addresses of the log are not info tables in "
			"it",
			fit.inside - fit.good, fit.inside);
		return x->reason;
	}
	if (fit.inside >= FEW || e->build_id.len)
		return NULL;
	int result = exe_resolve(x, e->ids, e->n, e->cancel);
	if (result < 0)
		return evl_strerror(result);
	if (count_named(x, e) == 0)
		return "cannot be verified: the log has too few addresses";
	return NULL;
}

/* --- shared libraries ---------------------------------------------------------------------------------------------- */

enum { LIBRARIES_MOST = 256, DIRECTORIES_MOST = 512 };

/* Leave out the addresses that lie in its code. */
static void leave_out(const struct exe *x, uint64_t *ids, size_t *n)
{
	size_t kept = 0;
	for (size_t i = 0; i < *n; i++)
		if (!elf_section_at(&x->file, ids[i] - x->slide))
			ids[kept++] = ids[i];
	*n = kept;
}

/* The file of a library in the directories that the program names, "$ORIGIN" being its own. */
static struct exe *open_library(const struct exe *x, struct evl_str name)
{
	static const char origin[] = "$ORIGIN";
	struct evl_str dirs = elf_library_path(&x->file), left = {0};
	const char *slash = strrchr(x->path, '/');
	char path[4096];
	for (int i = 0; i < DIRECTORIES_MOST && dirs.len; i++) {
		const uint8_t *colon = memchr(dirs.p, ':', dirs.len);
		struct evl_str dir = {dirs.p, colon ? (size_t)(colon - dirs.p) : dirs.len};
		dirs = colon ? (struct evl_str){colon + 1, dirs.len - dir.len - 1} : left;
		bool own = dir.len >= sizeof origin - 1 && memcmp(dir.p, origin, sizeof origin - 1) == 0;
		size_t skip = own ? sizeof origin - 1 : 0;
		int n = snprintf(path, sizeof path, "%.*s%.*s/%.*s", own && slash ? (int)(slash - x->path) : 0, x->path,
			(int)(dir.len - skip), (const char *)dir.p + skip, (int)name.len, (const char *)name.p);
		struct exe *library;
		if (n > 0 && n < (int)sizeof path && exe_open(&library, path, NULL) == 0)
			return library;
	}
	return NULL;
}

/* Add GHC's libraries, each where the addresses that are left prove that it is the one, and where it was loaded. EVL_NOMEM. */
static int add_libraries(struct exe *x, const struct exe_evidence *e)
{
	struct exe **last = &x->library;
	struct exe_evidence left = *e;
	struct evl_str name;
	uint64_t at = 0, *ids = malloc((e->n ? e->n : 1) * sizeof *ids);
	if (!ids)
		return EVL_NOMEM;
	memcpy(ids, e->ids, e->n * sizeof *ids);
	left.ids = ids;
	left.build_id = (struct evl_str){0};
	leave_out(x, ids, &left.n);
	for (int i = 0; i < LIBRARIES_MOST && left.n && elf_next_needed(&x->file, &at, &name); i++) {
		bool of_ghc = name.len > 5 && memcmp(name.p, "libHS", 5) == 0 && !memchr(name.p, '/', name.len);
		struct exe *library = of_ghc ? open_library(x, name) : NULL;
		if (library && !check_one(library, &left)) {
			leave_out(library, ids, &left.n);
			*last = library;
			last = &library->library;
		} else {
			exe_close(library);
		}
		if (is_cancelled(e->cancel))
			break;
	}
	free(ids);
	return 0;
}

/* Has the executable another build-id than it must have? If so, x->reason says it. */
static bool is_other_build(struct exe *x, struct evl_str wanted)
{
	struct evl_str id = elf_build_id(&x->file);
	struct buf text = {0};
	if (wanted.len == 0 || (id.len && str_order(id, wanted) == 0))
		return false;
	buf_cstr(&text, id.len ? "has the build-id " : "has no build-id to compare with ");
	if (id.len) {
		buf_hex_bytes(&text, id);
		buf_cstr(&text, ", not ");
	}
	buf_hex_bytes(&text, wanted);
	buf_char(&text, 0);
	snprintf(x->reason, sizeof x->reason, "%s", text.failed ? "has another build-id" : text.p);
	buf_free(&text);
	return true;
}

const char *exe_check(struct exe *x, const struct exe_evidence *e)
{
	if (is_other_build(x, e->build_id))
		return x->reason;
	const char *why = check_one(x, e);
	if (!why && add_libraries(x, e) < 0)
		return evl_strerror(EVL_NOMEM);
	return why;
}
