# make            build ./evtui
# make demo       install what is missing, build, open the bundled sample log
# make test       install what is missing, build, run all tests
# Further: deps, test-all, coverage, bench, fuzz-NAME TIME=60, fuzz-all TIME=60, golden, docs, codemap, pictures, tidy, format, install, uninstall, clean.
# Variables: CC, CFLAGS (such as '-O0 -g'), SAN=address,undefined | thread, COVERAGE=1, WERROR=1, CODECS=, HARDEN=, V=1, DESTDIR, PREFIX (or prefix).

VERSION := 0.1.0
CFLAGS  ?=
PREFIX  ?= /usr/local
prefix  ?= $(PREFIX)
bindir  ?= $(prefix)/bin
mandir  ?= $(prefix)/share/man
libdir  ?= $(prefix)/lib

# --- tools and flags -----------------------------------------------------------------------------------------------
# As many jobs as processors, unless asked for another number.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif

comma := ,
B     := build/$(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COVERAGE),-coverage)
Q     := $(if $(V),,@)
say    = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)' &&)

STD   := -std=c11 -D_GNU_SOURCE -pthread
WARN  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
# A sanitizer's finding ends the program, as it would be lost on a terminal.
SANF  := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# Hardening; docs/robustness.md has its cost. HARDEN= disables it.
OPTIMISED  := $(if $(CFLAGS),$(filter -O1 -O2 -O3 -Os,$(CFLAGS)),yes)
X86        := $(filter x86_64,$(shell uname -m))
HARDEN     := -fPIE -fstack-protector-strong -fstack-clash-protection $(if $(X86),-fcf-protection) \
	$(if $(OPTIMISED),$(if $(SAN),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDEN_LD  := $(if $(HARDEN),-pie -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now$(comma)-z$(comma)noexecstack)
COVER      := $(if $(COVERAGE),--coverage)
# Without CFLAGS: -O2 for the rooms that all events or all frames pass through, -O1 for the others, which builds in three
# quarters of the time.
O2_ROOMS := $(addprefix src/,base format sys bytes index gc sched program heap prof log show query) ui/draw ui/lanes
OPTIMISE = $(if $(CFLAGS),,$(if $(filter $(patsubst %/,%,$(dir $<)),$(O2_ROOMS)),-O2,-O1))
BASE   = $(STD) $(WARN) $(OPTIMISE) $(CFLAGS) $(HARDEN) $(if $(WERROR),-Werror) $(SANF) $(COVER) $(DEFS) $(CPPFLAGS) -Isrc $(LIB_CFLAGS) -MMD -MP

PKG     := $(shell command -v pkg-config 2>/dev/null)
pkgs     = $(if $(PKG),$(shell $(PKG) $(1) $(2) 2>/dev/null))
UI_PKGS := ncursesw termkey
LIB_CFLAGS := $(call pkgs,--cflags-only-I,libutf8proc libelf libdw)
UI_CFLAGS  := $(call pkgs,--cflags-only-I,$(UI_PKGS))
UI_LIBS    := $(call pkgs,--libs,$(UI_PKGS)) -lm
UTF8       := $(call pkgs,--libs,libutf8proc sqlite3)
VT_LIBS    := $(call pkgs,--libs,vterm)
CMOCKA     := $(call pkgs,--libs,cmocka)
JANSSON    := $(call pkgs,--libs,jansson)

# Codecs of compressed logs: each is optional.
has         = $(if $(PKG),$(shell $(PKG) --exists $(2) && echo -DHAVE_$(1)))
CODECS     := $(call has,ZLIB,zlib) $(call has,ZSTD,libzstd) $(call has,LZMA,liblzma)
LIBS       := $(UTF8) $(call pkgs,--libs,libdw libelf) $(if $(findstring ZLIB,$(CODECS)),$(call pkgs,--libs,zlib)) \
	$(if $(findstring ZSTD,$(CODECS)),$(call pkgs,--libs,libzstd)) \
	$(if $(findstring LZMA,$(CODECS)),$(call pkgs,--libs,liblzma)) -lm
DEFS       := -DEVTUI_VERSION='"$(VERSION)"' $(CODECS) $(if $(SAN)$(COVERAGE)$(NO_SANDBOX),-DNO_SANDBOX)

# --- what is built -------------------------------------------------------------------------------------------------
# Rooms, lowest floor first. A room is an archive; a program links archives from its own floor down.
ROOMS := $(shell sed '/^\#/d; s/[[:blank:]].*//' docs/rooms.txt)
archive = $(B)/rooms/$(subst /,-,$(1)).a
objects = $(patsubst %.c,$(B)/%.o,$(wildcard $(1)/*.c))
# UPTO_room: the archives of a room and of those below it, highest first
below :=
$(foreach r,$(ROOMS),$(eval below := $(call archive,$r) $(below))$(eval UPTO_$r := $(below)))
ALL_ROOMS := $(below)

LIB_OBJ  := $(foreach r,$(filter src/%,$(ROOMS)),$(call objects,$r))
SOURCES  := $(wildcard src/*/*.c ui/*.c ui/*/*.c ui/*/*/*.c)
UNIT     := $(wildcard tests/unit/*/test_*.c tests/unit/*/*/test_*.c)
FUZZERS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYS  := $(FUZZERS:%=$(B)/replay_%)

.PHONY: all demo deps test check bench golden docs tidy format install uninstall clean
.SECONDARY:
.DEFAULT_GOAL := all

all: evtui $(B)/libevl.a

# ./evtui is the program of the last build, whatever its compiler or sanitizer
evtui: $(B)/evtui
	$(Q)cmp -s $< $@ || { printf '  %-7s %s\n' COPY $@ && cp -f $< $@; }
.PHONY: evtui

# The one rule that links: objects and archives, then the libraries of LINK_LIBS.
LINK_LIBS = $(UI_LIBS) $(LIBS)
link = $(call say,LINK,$@)mkdir -p $(@D) && $(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ \
	$(filter %.o %.a,$^) $(LINK_LIBS)

$(B)/evtui: $(B)/ui/main.o $(ALL_ROOMS)
	$(link)

make_archive = $(call say,AR,$@)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^
$(B)/libevl.a: $(LIB_OBJ)
	$(make_archive)
define room_rule
$(call archive,$(1)): $(call objects,$(1))
	$$(make_archive)
endef
$(foreach r,$(ROOMS),$(eval $(call room_rule,$r)))

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(BASE) $(if $(filter src/%,$<),-fvisibility=hidden,-Iui $(UI_CFLAGS)) $(if $(filter tests/%,$<),-I. -Itests/unit) -c -o $@ $<

# Questions of assets/queries, as rows of QUESTION(name, text).
$(B)/gen/sql/questions.inc: $(wildcard assets/queries/*.sql) Makefile
	@mkdir -p $(@D)
	$(call say,WRITE,$@)for f in $(filter %.sql,$^); do printf 'QUESTION("%s",\n' "$$(basename $$f .sql)"; \
		sed 's/[\\"]/\\&/g; s/.*/\t"&\\n"/' $$f; echo ')'; done >$@.new && mv $@.new $@
$(B)/src/sql/questions.o: $(B)/gen/sql/questions.inc
$(B)/src/sql/questions.o: BASE += -I$(B)/gen

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# --- tests ---------------------------------------------------------------------------------------------------------
# tests/unit mirrors the rooms. A test links its room and those below it; one that opens a log (logs.h) at least src/log.
OPENS_LOG := $(shell grep -lE '^.include "(logs|shown|exported|everything)\.h"' $(UNIT) 2>/dev/null)
room_of  = $(filter src/$(1) ui/$(1),$(ROOMS))
floor_of = $(if $(and $(filter $(1),$(OPENS_LOG)),$(filter $(call archive,$(call room_of,$(2))),$(UPTO_src/log))),src/log,$(call room_of,$(2)))
test_name = $(B)/$(basename $(notdir $(1)))
define unit_rule
$(call test_name,$(1)): $(B)/$(1:.c=.o) $(UPTO_$(call floor_of,$(1),$(patsubst tests/unit/%/,%,$(dir $(1)))))
endef
$(foreach t,$(UNIT),$(eval $(call unit_rule,$t)))
UNIT_BIN := $(foreach t,$(UNIT),$(call test_name,$t))
$(UNIT_BIN): LINK_LIBS = $(CMOCKA) $(if $(findstring /ui-,$^),$(UI_LIBS)) $(JANSSON) $(LIBS)
$(UNIT_BIN):
	$(link)
# Their calls come through tests/unit/faults.c.
WRAPPED := malloc calloc realloc free strdup strndup asprintf __asprintf_chk open_memstream pthread_create write pwrite \
	read pread __read_chk __pread_chk close poll __poll_chk waitpid connect open fstat stat mmap madvise mincore lseek \
	ftruncate rename link linkat fchmod mkdir mkostemp pipe2 eventfd memfd_create socket inotify_init1 inotify_add_watch pidfd_open fork
FAULTY := $(addprefix $(B)/test_,faults faults_files ui_faults)
$(FAULTY) $(B)/evtui-interrupted: LDFLAGS += $(WRAPPED:%=-Wl$(comma)--wrap=%)
$(FAULTY): $(B)/tests/unit/faults.o
# The whole program with calls that are interrupted: tests/screen/check-interrupted.sh.
$(B)/evtui-interrupted: $(B)/ui/main.o $(B)/tests/unit/faults.o $(B)/tests/unit/interrupted.o $(ALL_ROOMS)
$(B)/replay_program $(B)/fuzz_program: LINK_LIBS = $(UI_LIBS) $(LIBS) $(call pkgs,--libs,zlib) -lutil
$(B)/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(ALL_ROOMS)
	$(link)
$(B)/evtui-interrupted:
	$(link)
# The whole program without its sandbox, which has no room for valgrind.
$(B)/plain/sandbox.o: ui/cli/sandbox.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$< without)$(CC) $(BASE) -DNO_SANDBOX -Iui $(UI_CFLAGS) -c -o $@ $<
$(B)/evtui-plain: $(B)/ui/main.o $(B)/plain/sandbox.o $(ALL_ROOMS)
	$(link)
$(B)/pty: LINK_LIBS = $(VT_LIBS) -lutil
$(B)/pty: $(patsubst %.c,$(B)/%.o,$(wildcard tests/screen/*.c))
	$(link)
TEST_TOOLS := $(addprefix $(B)/,evtui-interrupted pty figures keys replay pour damage warp prog mklog mkdocs mkmetrics mkglossary mkman mkkeys)

# Tests need the libraries that deps installs, so they are built by a second make that sees them.
test: deps
	$(Q)$(MAKE) --no-print-directory check

check: all $(UNIT_BIN) $(REPLAYS) $(TEST_TOOLS)
	$(Q)B=$(B) tests/run $(ONLY)

# The rest of what continuous integration runs: clang, a build without codecs, the tests under sanitizers.
ci:
	$(Q)EXTRA=clang tests/tools/deps
	$(Q)$(MAKE) --no-print-directory WERROR=1 CC=clang CFLAGS=-O0 build/clang/evtui build/clang/libevl.a
	$(Q)$(MAKE) --no-print-directory WERROR=1 CODECS= B=build/nocodecs CFLAGS=-O0 ONLY='tests/cli test_decompress test_faults_files test_stream replay' check
	$(Q)$(MAKE) --no-print-directory SAN=address,undefined CFLAGS='-O1 -g' check
.PHONY: ci

# Everything that takes longer: the tests under sanitizers and valgrind, long storms of keys, growth, FUZZ_TIME seconds of
# fuzzing the whole program, what reads the source.
test-all: deps
	$(Q)STORM=50 SOAK=60 TEST_LIMIT=3600 $(MAKE) --no-print-directory check
	$(Q)STORM=50 TEST_LIMIT=3600 $(MAKE) --no-print-directory SAN=address,undefined check
	$(Q)$(MAKE) --no-print-directory SAN=thread check
	$(Q)B=$(B) tests/tools/valgrind
	$(Q)B=$(B) tests/tools/growth
	$(Q)$(MAKE) --no-print-directory TIME=$(FUZZ_TIME) fuzz-program
	$(Q)$(MAKE) --no-print-directory tidy analyze
FUZZ_TIME ?= 600

# Compare with other programs that compute the same: figures of a data set in ClickHouse and DuckDB (tests/tools/engines), p of
# R's wilcox.test (Debian: r-base-core) on the committed table.
test-engines: all
	$(Q)tests/tools/engines
	$(Q)Rscript tests/tools/wilcoxon.R tests/unit/statistics/wilcoxon.tsv | \
		awk 'NR == FNR { r[NR] = $$1; next } !/^#/ { d = $$1 - r[++n]; if (d < 0) d = -d; if (d > 1e-9) bad++ } \
		END { printf "%d of %d values of p equal R\047s to 1e-9\n", n - bad, n; exit bad > 0 || n < 50 }' - tests/unit/statistics/wilcoxon.tsv
.PHONY: test-engines

# Lines and branches of src/ that the tests reach; what they do not is in build/coverage.
coverage:
	$(Q)$(MAKE) --no-print-directory COVERAGE=1 CFLAGS='-O1 -g' coverage-of
coverage-of:
	$(Q)find $(B) -name '*.gcda' -delete 2>/dev/null; $(MAKE) --no-print-directory check && tests/tools/coverage $(B)
.PHONY: test-all coverage coverage-of

golden: all $(B)/pty $(B)/prog
	$(Q)B=$(B) GOLDEN=1 tests/screen/run

# make fuzz-input TIME=60: coverage-guided fuzzing of one target; make fuzz-all: of all, one after another. A target
# without a corpus reads logs. New inputs stay in build/fuzz. Parts and tiles of the index are small there, so that
# small logs have many.
TIME ?= 60
FUZZ_SAN := fuzzer-no-link,address,undefined
# Without AddressSanitizer, which replaces the heap: large tables come from the system as they are used, zeros for free.
FUZZ_HEAP := glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=1073741824
FUZZ_B   := build/clang-$(subst $(comma),-,$(FUZZ_SAN))
FUZZ_OF   = $(MAKE) --no-print-directory CC=clang SAN=$(FUZZ_SAN) LDFLAGS=-fsanitize=fuzzer \
	CFLAGS='-O1 -g -fno-sanitize-recover=undefined -DINDEXER_LEAST=200 -DINDEXER_MOST=200 -DEVL_TILE_SHIFT=7 \
		-DSPARK_LARGE_LOG=20000'
fuzz-all: $(FUZZERS:%=fuzz-%)
fuzz-%: $(B)/mkdict
	@mkdir -p build/fuzz/$*
	$(Q)$< $* >build/fuzz/$*.dict 2>/dev/null || rm -f build/fuzz/$*.dict # those of languages come from their tables
	$(Q)$(FUZZ_OF) $(FUZZ_B)/fuzz_$*
	$(Q)top=$(CURDIR) dict=$(CURDIR)/tests/fuzz/reader.dict corpus=$(CURDIR)/tests/fuzz/corpus/reader; \
	for d in build/fuzz/$*.dict tests/fuzz/$*.dict; do [ ! -e $$d ] || dict=$$top/$$d; done; \
	[ ! -d tests/fuzz/corpus/$* ] || corpus=$$top/tests/fuzz/corpus/$*; \
	GLIBC_TUNABLES=$(FUZZ_HEAP) $(FUZZ_B)/fuzz_$* -max_total_time=$(TIME) -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=$$top/build/fuzz/$*- \
		-dict=$$dict $(FUZZ_ARGS_$*) $(FUZZ_ARGS) $$top/build/fuzz/$* $$corpus
# The whole program has a separate folder and clock, catches signals, and reports on standard error what it refuses.
FUZZ_ARGS_program := -timeout=0 -close_fd_mask=2 -detect_leaks=0 -entropic=0
$(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(ALL_ROOMS)
	$(link)
.PHONY: fuzz-all

bench: all $(B)/figures $(B)/keys
	$(Q)B=$(B) CC="$(CC)" tests/bench/run
$(B)/figures: $(B)/tests/bench/figures.o $(ALL_ROOMS)
	$(link)
$(B)/keys: LINK_LIBS = -lutil
$(B)/keys: $(B)/tests/bench/keys.o $(B)/tests/screen/home.o
	$(link)

# The screen in the README
pictures: all $(B)/pty
	$(Q)EVTUI=$(CURDIR)/evtui $(B)/pty docs/timeline.keys
.PHONY: pictures

# --- set-up, installation, care --------------------------------------------------------------------------------------
deps:
	$(Q)tests/tools/deps

demo: deps
	$(Q)$(MAKE) --no-print-directory all
	./evtui assets/bazaar.eventlog

LIBEVL_PKGS := libutf8proc sqlite3 libdw libelf $(if $(findstring ZLIB,$(CODECS)),zlib) $(if $(findstring ZSTD,$(CODECS)),libzstd) \
	$(if $(findstring LZMA,$(CODECS)),liblzma)
# Made each time, as the prefix may have changed.
.PHONY: $(B)/evl.pc
$(B)/evl.pc:
	@mkdir -p $(@D)
	$(Q)printf '%s\n' 'prefix=$(prefix)' 'includedir=$${prefix}/include' 'libdir=$(libdir)' '' 'Name: evl' \
		'Description: read GHC eventlogs' 'Version: $(VERSION)' 'Requires: $(strip $(LIBEVL_PKGS))' \
		'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -levl -lm -pthread' >$@

# Each file that is installed, as SOURCE:TARGET; the program alone is executable.
datadir ?= $(prefix)/share
docdir  ?= $(datadir)/doc/evtui
COMPLETIONS := $(addprefix $(B)/completions/,bash zsh fish)
DOCUMENTS   := README.md CHANGELOG.md LICENSE $(wildcard docs/*.md)
INSTALLED = evtui:$(bindir)/evtui docs/evtui.1:$(mandir)/man1/evtui.1 src/evl.h:$(prefix)/include/evl.h \
	$(B)/libevl.a:$(libdir)/libevl.a $(B)/evl.pc:$(libdir)/pkgconfig/evl.pc \
	$(B)/completions/bash:$(datadir)/bash-completion/completions/evtui \
	$(B)/completions/zsh:$(datadir)/zsh/site-functions/_evtui \
	$(B)/completions/fish:$(datadir)/fish/vendor_completions.d/evtui.fish \
	$(foreach f,$(DOCUMENTS),$f:$(docdir)/$(notdir $f)) $(foreach f,$(wildcard assets/ci/*),$f:$(docdir)/ci/$(notdir $f)) \
	$(foreach f,$(wildcard assets/queries/*.sql),$f:$(datadir)/evtui/queries/$(notdir $f))
install: all $(B)/evl.pc $(COMPLETIONS)
	$(Q)for f in $(INSTALLED); do mode=644; [ "$${f%%:*}" != evtui ] || mode=755; \
		install -D -m $$mode "$${f%%:*}" "$(DESTDIR)$${f#*:}" || exit 1; echo "  INSTALL $(DESTDIR)$${f#*:}"; done
# And the folders that are empty then.
uninstall:
	$(Q)for f in $(INSTALLED); do rm -f "$(DESTDIR)$${f#*:}"; d=$$(dirname "$(DESTDIR)$${f#*:}"); \
		while [ "$$d" != "$(DESTDIR)$(prefix)" ] && [ "$$d" != "$(DESTDIR)$(bindir)" ] && rmdir "$$d" 2>/dev/null; do d=$$(dirname "$$d"); done; done

# Completions for shells, from the tables of options.
$(B)/mkcompletions: LINK_LIBS = $(LIBS)
$(B)/mkcompletions: $(B)/tests/tools/mkcompletions.o $(B)/libevl.a
	$(link)
$(COMPLETIONS): $(B)/completions/%: $(B)/mkcompletions
	@mkdir -p $(@D)
	$(call say,WRITE,$@)$< $* >$@.new && mv $@.new $@

tidy: $(B)/gen/sql/questions.inc
	clang-tidy --quiet $(SOURCES) -- $(STD) $(DEFS) -I$(B)/gen -Isrc -Iui $(UI_CFLAGS)
	cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr -Isrc -Iui src ui

analyze: $(B)/gen/sql/questions.inc
	$(Q)for f in $(SOURCES); do gcc $(STD) -O1 $(DEFS) -I$(B)/gen -Isrc -Iui $(UI_CFLAGS) -fanalyzer -c -o /dev/null $$f || exit 1; done
.PHONY: analyze

format:
	clang-format -i $$(find src ui tests -name '*.[ch]')

clean:
	rm -rf build evtui

# --- what follows from the table of events ----------------------------------------------------------------------------
$(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/replay $(B)/pour $(B)/damage $(B)/warp: LINK_LIBS = $(LIBS)
$(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/replay $(B)/pour $(B)/damage $(B)/warp: $(B)/%: $(B)/tests/tools/%.o $(B)/libevl.a
	$(link)
$(B)/prog $(B)/mkdict $(B)/mkman $(B)/mkkeys $(B)/mkglossary: LINK_LIBS =
$(B)/prog $(B)/mkdict: $(B)/%: $(B)/tests/tools/%.o
	$(link)

# The manual page: keys and options from their tables.
$(B)/mkman: $(B)/tests/tools/mkman.o $(B)/ui/term/keymap.o
	$(link)

# Words as a page.
$(B)/mkglossary: $(B)/tests/tools/mkglossary.o $(B)/ui/draw/glossary.o
	$(link)

# Keys and commands as a page.
$(B)/mkkeys: $(B)/tests/tools/mkkeys.o $(B)/ui/term/keymap.o $(B)/ui/app/command_table.o
	$(link)
docs/keys.md: $(B)/mkkeys
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@

# The map of the tree in docs/design.md
codemap:
	$(Q)tests/tools/codemap
.PHONY: codemap

docs: codemap docs/events.md docs/metrics.md docs/glossary.md docs/keys.md tests/fuzz/reader.dict man
man: $(B)/mkman
	$(call say,WRITE,docs/evtui.1)$< docs/evtui.1 >$(B)/evtui.1 && mv $(B)/evtui.1 docs/evtui.1
.PHONY: man
docs/events.md: $(B)/mkdocs
	$(call say,WRITE,$@)$< events >$@.new && mv $@.new $@
docs/glossary.md: $(B)/mkglossary
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@
docs/metrics.md: $(B)/mkmetrics
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@
tests/fuzz/reader.dict: $(B)/mkdocs
	$(call say,WRITE,$@)$< dict >$@.new && mv $@.new $@


