# evtui: make builds ./evtui; make help lists what else there is.
# Variables: CC, CFLAGS (such as '-O0 -g'), SAN=address,undefined | thread, COVERAGE=1, WERROR=1, CODECS=, HARDEN=, STATIC=1, MUSL=1, PORTABLE=1, V=1, DESTDIR, PREFIX (or prefix).

VERSION := 0.1.0
CFLAGS  ?=
PREFIX  ?= /usr/local
prefix  ?= $(PREFIX)
bindir  ?= $(prefix)/bin
mandir  ?= $(prefix)/share/man
zshdir  ?= $(prefix)/share/zsh/site-functions
libdir  ?= $(prefix)/lib

# --- tools and flags -----------------------------------------------------------------------------------------------
# As many jobs as processors, unless asked for another number.
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell getconf _NPROCESSORS_ONLN)
endif

comma := ,
B     := build/$(notdir $(firstword $(CC)))$(if $(STATIC),-static)$(if $(PORTABLE),-portable)$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COVERAGE),-coverage)
Q     := $(if $(V),,@)
# The line of a step, printed by make: no process is started for it.
say    = $(if $(V),,$(info $()  $(1)	$(2))@)

# src/sys alone uses more than POSIX; PORTABLE=1 builds it without. Tests may use anything.
STD    = -std=c11 $(if $(filter tests/%$(if $(PORTABLE),, src/sys/%),$<),-D_GNU_SOURCE,-D_XOPEN_SOURCE=700) $(if $(PORTABLE),-DPORTABLE) $(if $(STATIC),-DSTATIC_PROGRAM) -pthread
WARN  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2 -Werror=implicit-function-declaration
# A sanitizer's finding ends the program, as it would be lost on a terminal.
SANF  := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# Hardening; docs/robustness.md has its cost. HARDEN= disables it.
OPTIMISED  := $(if $(CFLAGS),$(filter -Og -O1 -O2 -O3 -Os,$(CFLAGS)),yes)
X86        := $(filter x86_64%,$(shell $(CC) -dumpmachine))
HARDEN     := -fPIE -fstack-protector-strong -fstack-clash-protection $(if $(X86),$(if $(STATIC),-fcf-protection=none,-fcf-protection)) \
	$(if $(OPTIMISED),$(if $(SAN)$(findstring _FORTIFY_SOURCE,$(CFLAGS) $(CPPFLAGS)),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)) \
	$(if $(STATIC),-ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables)
# MUSL=1 CC=musl-gcc: Debian's static libraries with musl's C library (src/sys/musl.c); its crt1.o makes no position-independent one.
MULTIARCH  := $(if $(MUSL),$(shell gcc -print-multiarch))
MUSL_LIB   := /usr/lib/$(MULTIARCH:-gnu=-musl)
MUSL_CC    := $(if $(MUSL),-idirafter /usr/include -idirafter /usr/include/$(MULTIARCH))
HARDEN_LD  := $(if $(STATIC),$(if $(MUSL),-static -nostartfiles -L$(MUSL_LIB) -L/usr/lib/$(MULTIARCH) $(MUSL_LIB)/crt1.o $(MUSL_LIB)/crti.o,-static-pie -Wl$(comma)-z$(comma)pack-relative-relocs$(comma)-z$(comma)noseparate-code) \
	-Wl$(comma)--gc-sections$(comma)--no-eh-frame-hdr -Ttests/tools/static.ld) $(if $(HARDEN),$(if $(STATIC),,-pie) -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now$(comma)-z$(comma)noexecstack)
COVER      := $(if $(COVERAGE),--coverage)
# Without CFLAGS: -O2 for what all events or all cells pass through (docs/performance.md has the counts), -Og, which builds
# in two thirds of the time, for the rest (where gcc takes what it does not follow for uninitialized).
O2 := $(addprefix src/,statistics/% base/buf% base/json% base/idmap% base/rows% base/utf8% base/descend% format/% index/% gc/% sched/% show/% prof/prof.c \
	prof/stacks% prof/prof_window% heap/heap.c heap/census_% log/log_tables% log/event_counts% log/index_cache% program/messages% program/span% \
	query/sched_% query/thread_% query/path% query/gc_detail% \
	query/span_budget% query/contention% query/phases% rows/rows.c base/cell% rows/rows_events% rows/rows_lists% rows/rows_census% table/gc_% table/table% table/lists% table/thread_table% sql/sql_table% export/proto% \
	export/export_perfetto% export/intern% export/export_sqlite% export/sqlite_pages% export/dataset% prof/prof_names% prof/cost_centres%) ui/draw/% ui/lanes/cells% ui/term/sgr%
# Sums of products of 64 bits, which SSE2 lacks: in vectors they take twice the time.
SCALAR := src/log/index_cache.c
# The static program is at most 5 MB: no padding, and -O2 for little more than the index.
SMALL := $(if $(STATIC),$(addprefix src/,export/% table/% rows/% query/% sql/% show/% prof/% heap/census_% log/index_cache% base/cell%))
OPTIMISE = $(if $(CFLAGS),,$(if $(filter-out $(SMALL),$(filter $(O2),$<)),-O2$(if $(STATIC), -falign-functions=1 -falign-jumps=1 -falign-loops=1 -falign-labels=1),$(if $(STATIC),-Os,-Og) -Wno-maybe-uninitialized))
BASE   = $(STD) $(WARN) $(OPTIMISE) $(if $(filter $(SCALAR),$<),-fno-tree-vectorize) $(CFLAGS) $(HARDEN) -fvisibility=hidden $(if $(WERROR),-Werror) $(SANF) $(COVER) $(DEFS) $(CPPFLAGS) $(MUSL_CC)
PLACES = -Isrc $(if $(filter src/%,$<),,-Iui $(UI_CFLAGS)) $(if $(filter tests/%,$<),-I. -Itests/unit) $(LIB_CFLAGS) -MMD -MP

# The headers that most sources include, compiled once for each optimisation: a tenth of the build. Only by gcc (ccache
# would not know what is in them), and only in the build without other flags, so that others notice a missing include.
PRELUDE := assert errno inttypes math pthread stdarg stdatomic stdbool stddef stdint stdio stdlib string sys/mman sys/stat time unistd
ifeq ($(CFLAGS)$(SAN)$(COVERAGE)$(STATIC),)
USE_PRELUDE := $(shell case "$(CC) $$(readlink -f "$$(command -v $(firstword $(CC)))")" in (*ccache*) ;; \
	(*) LC_ALL=C $(CC) -v 2>&1 | sed -n '/^gcc version/s/.*/yes/p' ;; esac)
endif
prelude = $(if $(USE_PRELUDE),$(if $(filter src/sys/%,$<),,$(B)/prelude$(if $(filter tests/%,$<),-tests,$(firstword $(OPTIMISE))).h))

PKG     := $(shell command -v pkg-config 2>/dev/null)
pkgs     = $(if $(PKG),$(shell $(PKG) $(if $(STATIC),--static) $(1) $(2) 2>/dev/null))
UI_PKGS := ncursesw termkey $(if $(STATIC),unibilium)
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
	$(if $(findstring LZMA,$(CODECS)),$(call pkgs,--libs,liblzma)) -lm $(if $(MUSL),$(MUSL_LIB)/crtn.o)
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

.PHONY: all help demo deps test check bench golden docs tidy format install uninstall clean dist deb static
.SECONDARY:
.DEFAULT_GOAL := all

all: evtui $(B)/libevl.a ## build ./evtui and the library, build/cc/libevl.a

help: ## list the targets
	$(Q)sed -n 's/^\([a-z][a-z%-]*\):.*## /make \1	/p' Makefile | expand -t 18
	$(Q)sed -n '/^# Variables/,/^$$/s/^# //p' Makefile

# ./evtui is the program of the last build, whatever its compiler or sanitizer
evtui: $(B)/evtui
	$(Q)cmp -s $< $@ || { printf '  %-7s %s\n' COPY $@ && cp -f $< $@; }
.PHONY: evtui

# The one rule that links: objects and archives, then the libraries of LINK_LIBS.
LINK_LIBS = $(UI_LIBS) $(LIBS)
link = $(call say,LINK,$@)mkdir -p $(@D) && $(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ \
	$(filter %.o %.a,$^) $(LINK_LIBS)

$(B)/evtui: $(B)/ui/main.o $(if $(MUSL),$(B)/src/sys/musl.o $(B)/src/sys/musl_heap.o) $(if $(STATIC),$(B)/src/sys/static_libs.o) $(ALL_ROOMS) $(if $(STATIC),tests/tools/static.ld)
	$(link)

make_archive = $(call say,AR,$@)mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^
$(B)/libevl.a: $(LIB_OBJ)
	$(make_archive)
define room_rule
$(call archive,$(1)): $(call objects,$(1))
	$$(make_archive)
endef
$(foreach r,$(ROOMS),$(eval $(call room_rule,$r)))

$(B)/%/:
	@mkdir -p $@
$(B)/prelude-Og.h.gch: OPTIMISE := -Og -Wno-maybe-uninitialized
$(B)/prelude-O2.h.gch: OPTIMISE := -O2
$(B)/prelude-tests.h.gch: OPTIMISE := -Og -Wno-maybe-uninitialized
$(B)/prelude-tests.h.gch: STD += -D_GNU_SOURCE
$(B)/prelude-%.h.gch: Makefile
	$(call say,CC,$(@:.gch=))mkdir -p $(@D) && printf '#include <%s.h>\n' $(PRELUDE) >$(@:.gch=) && $(CC) $(BASE) -x c-header -o $@ $(@:.gch=)

.SECONDEXPANSION:
$(B)/%.o: %.c Makefile | $$(@D)/ $(if $(USE_PRELUDE),$(B)/prelude-Og.h.gch $(B)/prelude-O2.h.gch $(B)/prelude-tests.h.gch)
	$(call say,CC,$<)$(CC) $(BASE) $(prelude:%=-include %) $(PLACES) -c -o $@ $<

# Questions of assets/queries, as rows of QUESTION(name, text).
$(B)/gen/sql/questions.inc: $(wildcard assets/queries/*.sql) Makefile
	@mkdir -p $(@D)
	$(call say,WRITE,$@)for f in $(filter %.sql,$^); do printf 'QUESTION("%s",\n' "$$(basename $$f .sql)"; \
		sed 's/[\\"]/\\&/g; s/.*/\t"&\\n"/' $$f; echo ')'; done >$@.new && mv $@.new $@
$(B)/src/sql/questions.o: $(B)/gen/sql/questions.inc
$(B)/src/sql/questions.o: BASE += -I$(B)/gen

# The sources that the index depends on: an index that was kept by another build (src/log/index_cache.h) is not used.
INDEX_SOURCES := $(wildcard $(foreach r,base format sys bytes index gc sched program exe heap prof log query report,src/$r/*.[ch] src/$r/*.def)) src/evl.h
$(B)/gen/log/index_build.h: $(INDEX_SOURCES) Makefile
	@mkdir -p $(@D)
	$(call say,WRITE,$@){ cat $(INDEX_SOURCES); echo '$(subst ','\'',$(DEFS) $(STD))'; } | cksum | sed 's/\([0-9]*\) \([0-9]*\).*/#define INDEX_BUILD (\1ull << 32 ^ \2ull)/' >$@.new && mv $@.new $@
$(B)/src/log/index_cache.o: $(B)/gen/log/index_build.h
$(B)/src/log/index_cache.o: BASE += -I$(B)/gen

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# --- tests ---------------------------------------------------------------------------------------------------------
# tests/unit mirrors the rooms. A test links its room and those below it; one that opens a log (logs.h) at least src/log.
OPENS_LOG := $(shell grep -lE '^.include "(logs|each_log|shown|exported|everything)\.h"' $(UNIT) 2>/dev/null)
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
WRAPPED := malloc calloc realloc free strdup strndup realpath asprintf __asprintf_chk open_memstream \
	pthread_create write pwrite read pread __read_chk __pread_chk close poll __poll_chk waitpid connect open fstat stat mmap madvise mincore lseek \
	ftruncate rename link linkat fchmod mkdir mkostemp pipe2 eventfd memfd_create socket inotify_init1 inotify_add_watch pidfd_open fork
FAULTY := $(addprefix $(B)/test_,faults faults_files faults_dataset ui_faults ui_faults_reports)
$(FAULTY) $(B)/evtui-interrupted: LDFLAGS += $(WRAPPED:%=-Wl$(comma)--wrap=%)
$(FAULTY): $(B)/tests/unit/faults.o
$(B)/test_ui_ready: LDFLAGS += -Wl,--wrap=evl_progress
# The whole program with calls that are interrupted: tests/screen/check-interrupted.sh.
$(B)/evtui-interrupted: $(B)/ui/main.o $(B)/tests/unit/faults.o $(B)/tests/unit/interrupted.o $(ALL_ROOMS)
$(B)/replay_program $(B)/fuzz_program: LINK_LIBS = $(UI_LIBS) $(LIBS) $(call pkgs,--libs,zlib) -lutil
$(B)/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(ALL_ROOMS)
	$(link)
$(B)/evtui-interrupted:
	$(link)
# The whole program without its sandbox, which has no room for valgrind.
$(B)/plain/sandbox.o: src/sys/sandbox.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$< without)$(CC) $(BASE) -DNO_SANDBOX $(PLACES) -c -o $@ $<
$(B)/evtui-plain: $(B)/ui/main.o $(B)/plain/sandbox.o $(ALL_ROOMS)
	$(link)
$(B)/pty: LINK_LIBS = $(VT_LIBS) -lutil
$(B)/pty: $(patsubst %.c,$(B)/%.o,$(wildcard tests/screen/*.c))
	$(link)
TEST_TOOLS := $(addprefix $(B)/,evtui-interrupted pty figures keys replay pour damage warp prog mklog mkdocs mkmetrics mkglossary mkman mkkeys mkcompletions)

# Tests need the libraries that deps installs, so they are built by a second make that sees them.
test: deps ## install missing packages, build, run all tests
	$(Q)$(MAKE) --no-print-directory check

check: all $(UNIT_BIN) $(REPLAYS) $(TEST_TOOLS) ## build and run all tests; ONLY=WORD: the tests whose names contain WORD
	$(Q)B=$(B) tests/run $(ONLY)

unit: $(UNIT_BIN) $(REPLAYS) ## build the unit tests and replays, for another processor (docs/HACKING.md)
.PHONY: unit

ci: ## further builds and tests of continuous integration: clang, no codecs, sanitizers
	$(Q)EXTRA=clang tests/tools/deps
	$(Q)$(MAKE) --no-print-directory WERROR=1 CC=clang CFLAGS=-O0 build/clang/evtui build/clang/libevl.a
	$(Q)$(MAKE) --no-print-directory WERROR=1 CODECS= B=build/nocodecs CFLAGS=-O0 ONLY='tests/cli test_decompress test_faults_files test_stream replay' check
	$(Q)$(MAKE) --no-print-directory SAN=address,undefined CFLAGS='-O1 -g' check
.PHONY: ci

test-all: deps ## slow tests: sanitizers, valgrind, storms of keys, growth, fuzzing
	$(Q)$(MAKE) --no-print-directory tidy analyze
	$(Q)$(MAKE) --no-print-directory valgrind
	$(Q)$(MAKE) --no-print-directory TIME=$(FUZZ_TIME) growth fuzz-program
	$(Q)TEST_LIMIT=3600 $(MAKE) --no-print-directory SAN=thread check
	$(Q)STORM=50 TEST_LIMIT=3600 $(MAKE) --no-print-directory SAN=address,undefined check
	$(Q)STORM=50 SOAK=60 TEST_LIMIT=3600 $(MAKE) --no-print-directory check
FUZZ_TIME ?= 600
growth valgrind: %: $(B)/evtui-plain $(B)/mklog $(UNIT_BIN)
	$(Q)B=$(B) tests/tools/$@
.PHONY: growth valgrind

# Compare with other programs that compute the same: figures of a data set in ClickHouse and DuckDB (tests/tools/engines), p of
# R's wilcox.test (Debian: r-base-core) on the committed table.
test-engines: all
	$(Q)tests/tools/engines
	$(Q)Rscript tests/tools/wilcoxon.R tests/unit/statistics/wilcoxon.tsv | \
		awk 'NR == FNR { r[NR] = $$1; next } !/^#/ { d = $$1 - r[++n]; if (d < 0) d = -d; if (d > 1e-9) bad++ } \
		END { printf "%d of %d values of p equal R\047s to 1e-9\n", n - bad, n; exit bad > 0 || n < 50 }' - tests/unit/statistics/wilcoxon.tsv
.PHONY: test-engines

test-shells: ## install bash, zsh and fish where they are missing, and ask them for the completions
	$(Q)EXTRA='bash zsh fish' tests/tools/deps
	$(Q)$(MAKE) --no-print-directory ONLY=check-completions check
.PHONY: test-shells

coverage: ## share of the lines and branches of src/ that the tests reach; build/coverage lists the others
	$(Q)$(MAKE) --no-print-directory COVERAGE=1 CFLAGS='-O1 -g' coverage-of
coverage-of:
	$(Q)find $(B) -name '*.gcda' -delete 2>/dev/null; $(MAKE) --no-print-directory check && tests/tools/coverage $(B)
.PHONY: test-all coverage coverage-of

golden: all $(B)/pty $(B)/prog ## rewrite the golden screens; ONLY=NAME: one of them
	$(Q)B=$(B) GOLDEN=1 tests/screen/run $(ONLY)

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
fuzz-all: $(FUZZERS:%=fuzz-%) ## run all fuzzers in turn, TIME seconds each; fuzz-NAME: run one
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

bench: all $(B)/figures $(B)/keys ## repeat the measurements of docs/performance.md
	$(Q)B=$(B) CC="$(CC)" tests/bench/run
$(B)/figures: $(B)/tests/bench/figures.o $(ALL_ROOMS)
	$(link)
$(B)/keys: LINK_LIBS = -lutil
$(B)/keys: $(B)/tests/bench/keys.o $(B)/tests/screen/home.o
	$(link)

pictures: all $(B)/pty ## redraw the picture of the README
	$(Q)EVTUI=$(CURDIR)/evtui $(B)/pty docs/timeline.keys
.PHONY: pictures

# --- set-up, installation, care --------------------------------------------------------------------------------------
deps: ## install the packages that the build and the tests need (apt-get)
	$(Q)tests/tools/deps

demo: deps ## install missing packages, build, open the bundled sample log
	$(Q)$(MAKE) --no-print-directory all
	./evtui assets/bazaar.eventlog

# A program that needs only the kernel of the machine. termkey needs unibilium.
MACHINE ?= $(shell $(CC) -dumpmachine | cut -d - -f 1)
STRIP   ?= strip
static: ## build evtui-linux-$(MACHINE), a static program for any Linux
	$(Q)EXTRA='libunibilium-dev:libunibilium.a libbz2-dev:libbz2.a' tests/tools/deps
	$(Q)$(MAKE) --no-print-directory STATIC=1 one-program
musl: ## build evtui-linux-$(MACHINE)-musl, the same with musl's C library
	$(Q)EXTRA='libunibilium-dev:libunibilium.a libbz2-dev:libbz2.a musl-tools:musl-gcc' tests/tools/deps
	$(Q)$(MAKE) --no-print-directory STATIC=1 MUSL=1 CC=musl-gcc one-program
# Before the compiler is installed, its machine is not known.
one-program: evtui-linux-$(MACHINE)$(if $(MUSL),-musl)
.PHONY: musl one-program
evtui-linux-$(MACHINE) evtui-linux-$(MACHINE)-musl: $(B)/evtui
	$(call say,STRIP,$@)$(STRIP) -o $@ $<

# --- packages ------------------------------------------------------------------------------------------------------------
# The sources as one file. With git what it tracks, else what is here but for what make makes.
DIST := build/evtui-$(VERSION).tar.gz
dist: ## write the sources to build/evtui-$(VERSION).tar.gz
	$(call say,TAR,$(DIST))mkdir -p build && git ls-files 2>/dev/null >build/dist.list && [ -s build/dist.list ] || \
		find . '(' -name build -o -name .git ')' -prune -o -type f -print | sed 's/^..//' | grep -vE '^(evtui|evtui-linux-.*|.*\.orig)$$' >build/dist.list
	$(Q)tar --sort=name --owner=0 --group=0 --numeric-owner --mtime='$(or $(SOURCE_DATE_EPOCH:%=@%),$(shell git log -1 --format=%cI 2>/dev/null),now)' \
		--transform='s|^|evtui-$(VERSION)/|' -cf - -T build/dist.list | gzip -9n >$(DIST).new && mv $(DIST).new $(DIST)

deb: dist ## build a Debian package, build/deb/evtui_….deb, for this release of Debian
	$(Q)EXTRA='build-essential:/usr/share/build-essential debhelper:dh' tests/tools/deps
	$(Q)rm -rf build/deb && mkdir -p build/deb && tar -xzf $(DIST) -C build/deb && cp -R assets/packaging/debian build/deb/evtui-$(VERSION)/
	$(Q)cd build/deb/evtui-$(VERSION) && env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS dpkg-buildpackage -us -uc -b -j$$(getconf _NPROCESSORS_ONLN)
	$(Q)rm -rf build/deb/evtui-$(VERSION) && ls build/deb/*.deb

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
	$(B)/completions/zsh:$(zshdir)/_evtui \
	$(B)/completions/fish:$(datadir)/fish/vendor_completions.d/evtui.fish \
	$(foreach f,$(DOCUMENTS),$f:$(docdir)/$(notdir $f)) $(foreach f,$(wildcard assets/ci/*),$f:$(docdir)/ci/$(notdir $f)) \
	$(foreach f,$(wildcard assets/queries/*.sql),$f:$(datadir)/evtui/queries/$(notdir $f))
install: all $(B)/evl.pc $(COMPLETIONS) ## install program, manual, completions, library and documentation to DESTDIR and PREFIX (/usr/local)
	$(Q)for f in $(INSTALLED); do mode=644; [ "$${f%%:*}" != evtui ] || mode=755; \
		install -D -m $$mode "$${f%%:*}" "$(DESTDIR)$${f#*:}" || exit 1; echo "  INSTALL $(DESTDIR)$${f#*:}"; done
# The first folders of /usr and /usr/local are the system's: they stay.
SYSTEM = $(filter /usr /usr/local,$(DESTDIR)$(prefix))
ABOVE  = $(if $(DESTDIR),$(DESTDIR:%/=%),$(patsubst %/,%,$(dir $(prefix))))
uninstall: ## remove the installed files, and folders that become empty
	$(Q)for f in $(INSTALLED); do d="$(DESTDIR)$${f#*:}"; rm -f "$$d"; \
		while d=$$(dirname "$$d"); [ "$$d" != "$(ABOVE)" ] && [ "$$(dirname "$$d")" != "$(SYSTEM)" ] && rmdir "$$d" 2>/dev/null; do :; done; done

# Completions for shells, from the tables of options.
$(B)/mkcompletions: LINK_LIBS = $(LIBS)
$(B)/mkcompletions: $(B)/tests/tools/mkcompletions.o $(B)/libevl.a
	$(link)
$(COMPLETIONS): $(B)/completions/%: $(B)/mkcompletions
	@mkdir -p $(@D)
	$(call say,WRITE,$@)$< $* >$@.new && mv $@.new $@

READ_AS = -std=c11 $(if $(filter src/sys/%,$*),-D_GNU_SOURCE,-D_XOPEN_SOURCE=700) -pthread $(DEFS) -I$(B)/gen -Isrc -Iui $(UI_CFLAGS)
TIDY    := $(SOURCES:%=tidy-%)
ANALYZE := $(SOURCES:%=analyze-%)
tidy: $(TIDY) ## run clang-tidy and cppcheck
	$(Q)cppcheck --quiet --error-exitcode=1 --std=c11 --enable=warning,portability --inline-suppr -Isrc -Iui src ui
$(TIDY): tidy-%: $(B)/gen/sql/questions.inc $(B)/gen/log/index_build.h
	$(Q)clang-tidy --quiet $* -- $(READ_AS)
# gcc 12 takes what a growing table keeps for a leak; clang-tidy, LeakSanitizer and valgrind look for leaks.
# gcc 12 takes a struct that a function returned for one that is not set.
ANALYZE-ui/chrome/overview.c := -Wno-analyzer-use-of-uninitialized-value
analyze: $(ANALYZE) ## run gcc -fanalyzer
$(ANALYZE): analyze-%: $(B)/gen/sql/questions.inc $(B)/gen/log/index_build.h
	$(Q)gcc $(READ_AS) -O1 -fanalyzer -Wno-analyzer-malloc-leak $(ANALYZE-$*) -Werror -c -o /dev/null $*
.PHONY: tidy analyze $(TIDY) $(ANALYZE)

format: ## run clang-format 14
	clang-format -i $$(find src ui tests -name '*.[ch]')

clean: ## remove all built files
	rm -rf build evtui

# --- what follows from the table of events ----------------------------------------------------------------------------
$(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/replay $(B)/pour $(B)/damage $(B)/warp: LINK_LIBS = $(LIBS)
$(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/replay $(B)/pour $(B)/damage $(B)/warp: $(B)/%: $(B)/tests/tools/%.o $(B)/libevl.a
	$(link)
$(B)/prog $(B)/mkdict $(B)/mkman $(B)/mkkeys $(B)/mkglossary: LINK_LIBS =
$(B)/prog $(B)/mkdict: $(B)/%: $(B)/tests/tools/%.o
	$(link)

# The manual page: keys and options from their tables.
$(B)/mkman: $(B)/tests/tools/mkman.o $(B)/ui/term/keymap.o $(B)/ui/cli/option_where.o
	$(link)

# Words as a page.
$(B)/mkglossary: $(B)/tests/tools/mkglossary.o $(B)/ui/draw/glossary.o
	$(link)

# Keys and commands as a page.
$(B)/mkkeys: $(B)/tests/tools/mkkeys.o $(B)/ui/term/keymap.o $(B)/ui/app/command_table.o
	$(link)
docs/keys.md: $(B)/mkkeys
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@

codemap: ## rewrite the map of the tree in docs/design.md
	$(Q)tests/tools/codemap
.PHONY: codemap

docs: codemap docs/events.md docs/metrics.md docs/glossary.md docs/keys.md tests/fuzz/reader.dict man ## rewrite all pages that are generated from tables, and the map
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


