/* report_doctor.c - `evtui doctor`: abilities of a log, a program, the terminal and this build. */
#include "cli/report.h"

#include "base/json.h"
#include "bytes/source.h"
#include "cli/page.h"
#include "draw/say.h"
#include "draw/text.h"
#include "exe/exe.h"
#include "panes/program/presets.h"
#include "query/exe_match.h"
#include "report/abilities.h"
#include "sys/retry.h"
#include "sys/sandbox.h"
#include "term/input.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <unistd.h>

enum { NAME_WIDTH = 36 };

static void row(const struct page *p, const char *name, const char *format, ...) EVL_PRINTF(3, 4);
static void row(const struct page *p, const char *name, const char *format, ...)
{
	va_list args;
	int width = text_width(str_of(name), false);
	fprintf(p->out, "  %s%*s ", name, width < NAME_WIDTH ? NAME_WIDTH - width : 0, "");
	va_start(args, format);
	vfprintf(p->out, format, args);
	va_end(args);
	fputc('\n', p->out);
}

/* --- this build and this terminal ---------------------------------------------------------------------------------- */

static const struct {
	const char *name;
	bool has;
} codecs[] = {
#ifdef HAVE_ZLIB
	{"gzip", true},
#else
	{"gzip", false},
#endif
#ifdef HAVE_ZSTD
	{"zstd", true},
#else
	{"zstd", false},
#endif
#ifdef HAVE_LZMA
	{"xz", true},
#else
	{"xz", false},
#endif
};

static const char *codec_list(char *out, size_t room)
{
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; i < countof(codecs); i++)
		if (codecs[i].has)
			used += (size_t)snprintf(out + used, room - used, "%s%s", used ? ", " : "", codecs[i].name);
	return used ? out : "none";
}

/* Does the terminal's entry know its mouse, as the viewer asks for it? All but consoles do. */
static bool has_mouse(const struct tty_traits *t) { return t->colours >= 0 && strncmp(t->term, "linux", 5) != 0; }

static struct machine {
	bool terminal; /* standard output is one */
	bool usable;
	struct tty_traits traits;
	char why[160], size[32];
} machine;

void report_doctor_prepare(const struct options *o)
{
	int rows, cols;
	machine.terminal = isatty(STDOUT_FILENO);
	machine.usable = tty_describe(&o->tty, &machine.traits, machine.why, sizeof machine.why) == 0;
	tty_size(&rows, &cols);
	snprintf(machine.size, sizeof machine.size, "%dx%d", cols, rows);
}

static void put_machine(const struct page *p)
{
	const struct machine *m = &machine;
	char text[64];
	const char *asked = getenv("TERM"), *no = getenv("NO_COLOR");
	page_heading(p, "this evtui");
	row(p, "version", "%s", EVTUI_VERSION);
	row(p, "libraries", "ncurses %s, libtermkey %s, SQLite %s", m->traits.curses ? m->traits.curses : "unknown",
		input_library(), sqlite3_libversion());
	row(p, "compressed logs", "%s", codec_list(text, sizeof text));
	row(p, "confinement", "%s", sandbox_text(sandbox_held()));
	page_heading(p, "this terminal");
	row(p, "standard output",
		m->terminal ? "a terminal, %s" : "not a terminal (evtui LOG prints the output of evtui stats LOG)",
		m->size);
	if (!m->usable) {
		row(p, "TERM", "%s", m->why);
		return;
	}
	fputs("  TERM                                 ", p->out);
	page_text(p, str_of(asked && *asked ? asked : "not set"));
	fprintf(p->out, "%s%s\n", asked && strcmp(asked, m->traits.term) == 0 ? "" : "; used as ",
		asked && strcmp(asked, m->traits.term) == 0 ? "" : m->traits.term);
	row(p, "colours", m->traits.colours ? "%d%s" : "none%.0d%s", m->traits.colours,
		no && *no ? " (NO_COLOR is set)" : "");
	row(p, "characters", "%s", m->traits.ascii ? "ASCII: a UTF-8 locale (LANG=C.UTF-8) draws finer" : "UTF-8");
	row(p, "mouse", "%s", has_mouse(&m->traits) ? "yes" : "no");
}

static void json_put_answer(struct json *j, const char *key, bool known, bool v)
{
	json_key(j, key);
	known ? json_bool(j, v) : json_null(j);
}

static void json_machine(struct json *j)
{
	const struct machine *m = &machine;
	json_put_open(j, "evtui", '{');
	json_put_text(j, "version", str_of(EVTUI_VERSION));
	json_put_text(j, "ncurses", str_of(m->traits.curses));
	json_put_text(j, "termkey", str_of(input_library()));
	json_put_text(j, "sqlite", str_of(sqlite3_libversion()));
	json_put_open(j, "codecs", '[');
	for (size_t i = 0; i < countof(codecs); i++)
		if (codecs[i].has)
			json_cstr(j, codecs[i].name);
	json_close(j, ']');
	json_put_open(j, "sandbox", '{');
	json_put_bool(j, "files", sandbox_held() & SANDBOX_FILES);
	json_put_bool(j, "calls", sandbox_held() & SANDBOX_CALLS);
	json_close(j, '}');
	json_close(j, '}');
	json_put_open(j, "terminal", '{');
	json_put_bool(j, "is_terminal", m->terminal);
	json_put_text(j, "term", str_of(m->usable ? m->traits.term : NULL));
	json_put_known(j, "colours", m->usable, (uint64_t)m->traits.colours);
	json_put_answer(j, "utf8", m->usable, m->traits.utf8);
	json_put_answer(j, "mouse", m->usable, m->usable && has_mouse(&m->traits));
	json_close(j, '}');
}

/* --- a log --------------------------------------------------------------------------------------------------------- */

/* "+RTS -lf; build with -threaded" */
static void put_remedy(const struct page *p, const struct ability *a)
{
	if (a->flag)
		fprintf(p->out, "+RTS %s", a->flag);
	if (a->build)
		fprintf(p->out, "%sbuild with %s", a->flag ? ", " : "", a->build);
	if (a->detail)
		fprintf(p->out, "%s%s", a->flag || a->build ? ": " : "", a->detail);
	fputc('\n', p->out);
}

static void put_abilities(
	const struct page *p, const struct evl_log *log, enum ability_state state, const char *heading)
{
	bool any = false;
	for (enum ability_id id = 0; id < ABILITIES; id++) {
		struct ability a = ability_of_log(log, id);
		if (a.state != state)
			continue;
		if (!any)
			page_heading(p, heading);
		any = true;
		fprintf(p->out, "  %-*s", state == ABILITY_SHOWN ? 0 : NAME_WIDTH + 1, a.name);
		put_remedy(p, &a);
	}
}

/* False when memory is out. */
static bool put_args(const struct page *p, struct evl_str args)
{
	struct buf text = {0};
	for (size_t i = 0; i < args.len; i++)
		buf_char(&text, args.p[i] ? (char)args.p[i] : ' ');
	bool good = !text.failed;
	if (good)
		page_text(p, (struct evl_str){(const uint8_t *)text.p, text.len});
	buf_free(&text);
	return good;
}

static const char *program_path(const struct evl_log *log)
{
	struct exe *exe = atomic_load(&log->exe);
	return exe ? exe_path(exe) : NULL;
}

/* Addresses of info tables that the log does not name. */
static void put_names(const struct page *p, const struct evl_log *log)
{
	const char *exe = program_path(log);
	char n[TEXT_ROOM];
	if (log->ipe.entries)
		row(p, "info tables", "%s named by the log", text_count(n, log->ipe.entries));
	if (!exe_is_wanted(log))
		return;
	fprintf(p->out, "  %-36s ", "other addresses");
	if (exe)
		fputs("named by ", p->out);
	page_text(p,
		exe ? str_of(exe) : EVL_STR("without names: --exe PROG names them, and a build with -finfo-table-map"));
	fputc('\n', p->out);
}

/* False when memory is out, as in put_program(). */
static bool put_log(const struct page *p, const struct evl_log *log)
{
	bool good = true;
	struct program_facts facts = program_get(&log->program);
	page_heading(p, "this log");
	fputs("  file                                 ", p->out);
	page_text(p, str_of(log->path));
	fprintf(p->out, ", %s\n  program                              ", as_bytes(log->source.len));
	if (facts.program.len)
		good = put_args(p, facts.program);
	else
		fputs("not named in the log", p->out);
	fputs("\n  run-time system                      ", p->out);
	page_text(p, facts.rts.len ? facts.rts : EVL_STR("not named in the log"));
	fputc('\n', p->out);
	row(p, "clock", "%s", facts.wall_ns ? "wall clock and time since the start" : "time since the start only");
	if (log->damage.n)
		row(p, "damage", "%zu damaged or odd place%s; evtui stats lists them", log->damage.n,
			log->damage.n == 1 ? "" : "s");
	if (evl_unfinished(log))
		row(p, "end", "%s", "missing: the program was killed or is still running (--follow)");
	put_names(p, log);
	put_abilities(p, log, ABILITY_SHOWN, "recorded");
	put_abilities(p, log, ABILITY_NONE, "it would also show, but the log has none");
	put_abilities(p, log, ABILITY_UNKNOWN, "it does not contain");
	put_abilities(p, log, ABILITY_NOT_RECORDED, "not recorded; to record, use");
	return good;
}

static void json_log(struct json *j, const struct evl_log *log)
{
	struct program_facts facts = program_get(&log->program);
	json_put_open(j, "log", '{');
	json_put_text(j, "file", str_of(log->path));
	json_put_u64(j, "bytes", log->source.len);
	json_put_text(j, "program", program_program(&facts));
	json_put_text(j, "rts", facts.rts);
	json_put_text(j, "ghc", program_ghc(&facts));
	json_put_bool(j, "wall_clock", facts.wall_ns != 0);
	json_put_bool(j, "unfinished", evl_unfinished(log));
	json_put_u64(j, "damaged_places", log->damage.n);
	json_put_u64(j, "ipe_entries", log->ipe.entries);
	json_put_bool(j, "unnamed_addresses", exe_is_wanted(log));
	json_put_text(j, "exe", str_of(program_path(log)));
	json_key(j, "abilities");
	abilities_json(log, j);
	json_close(j, '}');
}

/* --- a program ----------------------------------------------------------------------------------------------------- */

struct subject {
	const char *path;
	struct rts_probe rts;
	struct exe_abilities exe;
	struct buf build_id; /* in hexadecimal; empty: none */
};

static const char *takes_name(enum rts_takes takes)
{
	static const char *const names[] = {
		[RTS_TAKES_NONE] = "none", [RTS_TAKES_SOME] = "some", [RTS_TAKES_ALL] = "all"};
	return names[takes];
}

static bool put_preset(const struct page *p, const struct subject *s, enum preset preset)
{
	unsigned lacks;
	struct buf text = {0};
	const char *flags = preset_flags(preset, &s->rts, s->exe.map, &lacks);
	if (flags)
		buf_cstr(&text, flags);
	else
		preset_advice(&text, lacks & ~(unsigned)LACKS_THREADED, BUILD_GHC);
	while (text.len && text.p[text.len - 1] == '\n')
		text.len--;
	fprintf(p->out, "  --preset %-27s %s%.*s\n", preset_name(preset), flags ? "+RTS " : "", (int)text.len,
		text.failed ? "" : text.p);
	bool good = !text.failed;
	buf_free(&text);
	return good;
}

static bool put_program(const struct page *p, const struct subject *s)
{
	bool good = true;
	static const char *const takes[] = {"unknown: it did not answer +RTS --info (built with -rtsopts=ignore?)",
		"none: built with -rtsopts=none", "the safe ones, of the event log among them (-rtsopts allows all)",
		"all"};
	const struct rts_probe *r = &s->rts;
	page_heading(p, "this program");
	fputs("  file                                 ", p->out);
	page_text(p, str_of(s->path));
	fputc('\n', p->out);
	if (!r->haskell) {
		row(p, "run-time system", "%s", "not GHC's: it writes no eventlog");
		return true;
	}
	row(p, "GHC", "%s", r->ghc[0] ? r->ghc : "unknown");
	row(p, "run-time system", "%s%s%s", r->way[0] ? r->way : "unknown", r->with[0] ? ", always with " : "",
		r->with);
	row(p, "RTS options", "%s", takes[r->takes]);
	if (r->way[0]) {
		row(p, "several cores, GC syncs, sparks", "%s", r->threaded ? "yes" : "no: build with -threaded");
		row(p, "eventlog", "%s", r->logs ? "yes" : "no: build with -eventlog (before GHC 9.4)");
		row(p, "time profile, heap by cost centre", "%s", r->profiled ? "yes" : "no: build with -prof");
	}
	row(p, "heap by source line", "%s",
		s->exe.map                                ? "yes: it has an info table map"
			: r->ghc[0] && !preset_may_map(r) ? "no: this GHC is too old for it"
							  : "no: build with -finfo-table-map");
	row(p, "names of addresses", "%s%s", s->exe.symbols ? "by symbols" : "none: it was stripped",
		s->exe.debug ? ", source lines by debug information" : "");
	row(p, "build-id", "%.*s", s->build_id.len ? (int)s->build_id.len : 4,
		s->build_id.len ? s->build_id.p : "none");
	page_heading(p, "recording (evtui --preset NAME -- PROGRAM)");
	for (enum preset preset = PRESET_NONE + 1; preset < PRESETS; preset++)
		good = put_preset(p, s, preset) && good;
	return good;
}

static void json_program(struct json *j, const struct subject *s)
{
	const struct rts_probe *r = &s->rts;
	json_put_open(j, "program", '{');
	json_put_text(j, "file", str_of(s->path));
	json_put_bool(j, "haskell", r->haskell);
	json_put_text(j, "ghc", str_of(r->ghc));
	json_put_text(j, "way", str_of(r->way));
	json_put_text(j, "with_rtsopts", str_of(r->with));
	json_put_text(j, "rtsopts", str_of(takes_name(r->takes)));
	json_put_bool(j, "threaded", r->threaded);
	json_put_answer(j, "profiled", r->way[0], r->profiled);
	json_put_answer(j, "eventlog", r->way[0], r->logs);
	json_put_bool(j, "info_table_map", s->exe.map);
	json_put_bool(j, "symbols", s->exe.symbols);
	json_put_bool(j, "debug_information", s->exe.debug);
	json_put_text(j, "build_id", (struct evl_str){(const uint8_t *)s->build_id.p, s->build_id.len});
	json_put_open(j, "presets", '{');
	for (enum preset preset = PRESET_NONE + 1; preset < PRESETS && r->haskell; preset++) {
		unsigned lacks;
		json_put_text(j, preset_name(preset), str_of(preset_flags(preset, r, s->exe.map, &lacks)));
	}
	json_close(j, '}');
	json_close(j, '}');
}

/* --- all ----------------------------------------------------------------------------------------------------------- */

static int print(const struct options *o, const struct evl_log *log, const struct subject *s)
{
	struct out out = out_open();
	struct buf text = {0};
	struct json j = {.out = &text};
	struct page page;
	if (o->json) {
		json_open(&j, '{');
		json_put_u64(&j, "schema", 1);
		if (log)
			json_log(&j, log);
		if (s)
			json_program(&j, s);
		json_machine(&j);
		json_close(&j, '}');
		buf_char(&text, '\n');
		return out_text(&out, &text) < 0 ? report_fail(log, EVL_NOMEM) : out_status(&out);
	}
	bool good = page_open(&page, o), closed = false;
	if (good) {
		good = !log || put_log(&page, log);
		good = (!s || put_program(&page, s)) && good;
		put_machine(&page);
		closed = page_close(&page);
	}
	if (!good || !closed) {
		if (closed)
			free(page.text);
		say_error("%s", evl_strerror(EVL_NOMEM));
		return EXIT_FAILURE;
	}
	size_t skip = page.len && page.text[0] == '\n';
	out_put(&out, page.text + skip, page.len - skip);
	free(page.text);
	return out_status(&out);
}

/* A file of that name, else a program on $PATH. */
bool report_doctor_is_program(const char *name, char *out)
{
	char head[4];
	bool is_elf = false, here = strchr(name, '/') || access(name, F_OK) == 0;
	if (here) {
		snprintf(out, EXE_PATH, "%s%s", strchr(name, '/') ? "" : "./", name);
	} else if (!rts_probe_find(name, out)) {
		*out = '\0';
		return false;
	}
	int fd = open_again(out, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	if (fd >= 0) {
		is_elf = read_again(fd, head, sizeof head) == sizeof head && memcmp(head, "\177ELF", sizeof head) == 0;
		close(fd);
	}
	return is_elf;
}

int report_doctor_program(const struct options *o, const char *path)
{
	struct exe *exe;
	struct evl_err err;
	struct subject s = {.path = path, .rts = rts_probe_all(path)};
	const char *const more[] = {path, "/usr/lib/debug"};
	sandbox_enter(&(struct sandbox_files){.more = more, .n_more = countof(more)});
	if (exe_open(&exe, path, &err) < 0)
		return report_err(&err);
	s.exe = exe_abilities(exe);
	buf_hex_bytes(&s.build_id, s.exe.build_id);
	int status = print(o, NULL, &s);
	buf_free(&s.build_id);
	exe_close(exe);
	return status;
}

int report_doctor(struct evl_log *log, const struct options *o)
{
	int result = log ? report_walk_named(log, o) : 0;
	return result < 0 ? report_fail(log, result) : print(o, log, NULL);
}
