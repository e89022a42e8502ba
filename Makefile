# make            build ./evtui
# make demo       install what is missing, build, open the bundled sample log
# make test       install what is missing, build, run all tests
# Further: deps, test-all, coverage, bench, fuzz-NAME TIME=60, fuzz-all TIME=60, golden, docs, pictures, tidy, format, install, uninstall, clean.
# Variables: CC, CFLAGS, SAN=address,undefined | thread, COVERAGE=1, HARDEN=, V=1, DESTDIR, prefix.

VERSION := 0.1.0
CFLAGS  ?= -O2 -g
prefix  ?= /usr/local
bindir  ?= $(prefix)/bin
mandir  ?= $(prefix)/share/man

# --- tools and flags -----------------------------------------------------------------------------------------------
comma := ,
B     := build/$(notdir $(firstword $(CC)))$(if $(SAN),-$(subst $(comma),-,$(SAN)))$(if $(COVERAGE),-coverage)
Q     := $(if $(V),,@)
say    = $(if $(V),,@printf '  %-7s %s\n' '$(1)' '$(2)' &&)

STD   := -std=c11 -D_GNU_SOURCE -pthread
WARN  := -Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wformat=2
# What a sanitizer finds ends the program: in a terminal nobody would read it.
SANF  := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# What makes a mistake harder to use: docs/robustness.md says what it costs. HARDEN= leaves it out.
OPTIMISED  := $(filter -O1 -O2 -O3 -Os,$(CFLAGS))
X86        := $(filter x86_64,$(shell uname -m))
HARDEN     := -fPIE -fstack-protector-strong -fstack-clash-protection $(if $(X86),-fcf-protection) \
	$(if $(OPTIMISED),$(if $(SAN),,-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2))
HARDEN_LD  := $(if $(HARDEN),-pie -Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now$(comma)-z$(comma)noexecstack)
COVER      := $(if $(COVERAGE),--coverage)
BASE   = $(STD) $(WARN) $(CFLAGS) $(HARDEN) $(SANF) $(COVER) $(DEFS) $(CPPFLAGS) -Isrc $(LIB_CFLAGS) -MMD -MP

PKG     := $(shell command -v pkg-config 2>/dev/null)
pkgs     = $(if $(PKG),$(shell $(PKG) $(1) $(2) 2>/dev/null))
UI_PKGS := ncursesw termkey
LIB_CFLAGS := $(call pkgs,--cflags-only-I,libutf8proc)
UI_CFLAGS  := $(call pkgs,--cflags-only-I,$(UI_PKGS))
UI_LIBS    := $(call pkgs,--libs,$(UI_PKGS)) -lm
UTF8       := $(call pkgs,--libs,libutf8proc)
VT_LIBS    := $(call pkgs,--libs,vterm)
CMOCKA     := $(call pkgs,--libs,cmocka)
JANSSON    := $(call pkgs,--libs,jansson)

# Codecs of compressed logs: each is optional.
has         = $(if $(PKG),$(shell $(PKG) --exists $(2) && echo -DHAVE_$(1)))
CODECS     := $(call has,ZLIB,zlib) $(call has,ZSTD,libzstd) $(call has,LZMA,liblzma)
LIBS       := $(UTF8) $(if $(findstring ZLIB,$(CODECS)),$(call pkgs,--libs,zlib)) \
	$(if $(findstring ZSTD,$(CODECS)),$(call pkgs,--libs,libzstd)) \
	$(if $(findstring LZMA,$(CODECS)),$(call pkgs,--libs,liblzma)) -lm
DEFS       := -DEVTUI_VERSION='"$(VERSION)"' $(CODECS) $(if $(SAN)$(COVERAGE),-DNO_SANDBOX)

# --- what is built -------------------------------------------------------------------------------------------------
LIB_OBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard src/*/*.c))
UI_OBJ   := $(patsubst %.c,$(B)/%.o,$(wildcard ui/*.c ui/*/*.c ui/*/*/*.c))
# everything of ui/ but main(), so that unit tests can link it
UI_PARTS := $(filter-out $(B)/ui/main.o,$(UI_OBJ))
UNIT     := $(patsubst tests/unit/%.c,$(B)/%,$(wildcard tests/unit/test_*.c))
FUZZERS  := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYS  := $(FUZZERS:%=$(B)/replay_%)

.PHONY: all demo deps test check bench golden docs tidy format install uninstall clean
.SECONDARY:
.DEFAULT_GOAL := all

all: evtui

# ./evtui is the program of the last build, whatever its compiler or sanitizer
evtui: $(B)/evtui
	$(Q)cmp -s $< $@ || { printf '  %-7s %s\n' COPY $@ && cp -f $< $@; }
.PHONY: evtui

$(B)/evtui: $(UI_OBJ) $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(UI_LIBS) $(LIBS)

$(B)/libevl.a: $(LIB_OBJ)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^

$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(BASE) $(if $(filter-out src/%,$<),-Iui $(UI_CFLAGS)) $(if $(filter tests/%,$<),-I.) -c -o $@ $<

-include $(shell find $(B) -name '*.d' 2>/dev/null)

# --- tests ---------------------------------------------------------------------------------------------------------
# Unit tests of the library link the library only: a leaked layer does not link. Those of the face (test_ui_*) also
# link its parts.
$(B)/test_ui_%: $(B)/tests/unit/test_ui_%.o $(UI_PARTS) $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(CMOCKA) $(UI_LIBS) $(LIBS)
$(B)/test_%: $(B)/tests/unit/test_%.o $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(CMOCKA) $(JANSSON) $(LIBS)
# Their calls come through tests/unit/faults.c.
WRAPPED := malloc calloc realloc free strdup strndup asprintf __asprintf_chk open_memstream pthread_create write pwrite \
	read pread __read_chk __pread_chk close poll __poll_chk waitpid connect open fstat stat mmap madvise mincore lseek \
	ftruncate rename link mkdir mkostemp pipe2 eventfd memfd_create socket inotify_init1 inotify_add_watch pidfd_open fork
FAULTY := $(addprefix $(B)/test_,faults faults_files ui_faults)
$(FAULTY): LDFLAGS += $(WRAPPED:%=-Wl$(comma)--wrap=%)
$(FAULTY): $(B)/tests/unit/faults.o
# The whole program with calls that are interrupted: tests/screen/check-interrupted.sh.
$(B)/evtui-interrupted: $(UI_OBJ) $(B)/libevl.a $(B)/tests/unit/faults.o $(B)/tests/unit/interrupted.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) $(WRAPPED:%=-Wl$(comma)--wrap=%) -pthread -o $@ $^ $(UI_LIBS) $(LIBS)
check: $(B)/evtui-interrupted
$(B)/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(UI_PARTS) $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(UI_LIBS) $(LIBS)
$(B)/pty: $(patsubst %.c,$(B)/%.o,$(wildcard tests/screen/*.c))
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(VT_LIBS) -lutil

# Tests need the libraries that deps installs, so they are built by a second make that sees them.
test: deps
	$(Q)$(MAKE) --no-print-directory check

check: all $(UNIT) $(REPLAYS) $(B)/pty $(B)/figures $(B)/keys
	$(Q)B=$(B) tests/run

# Everything that takes longer: the tests under sanitizers and valgrind, long storms of keys, what reads the source.
test-all: deps
	$(Q)STORM=50 SOAK=60 TEST_LIMIT=3600 $(MAKE) --no-print-directory check
	$(Q)STORM=50 TEST_LIMIT=3600 $(MAKE) --no-print-directory SAN=address,undefined check
	$(Q)$(MAKE) --no-print-directory SAN=thread check
	$(Q)B=$(B) tests/tools/valgrind
	$(Q)$(MAKE) --no-print-directory tidy analyze

# Lines and branches of src/ that the tests reach; what they do not is in build/coverage.
coverage:
	$(Q)$(MAKE) --no-print-directory COVERAGE=1 CFLAGS='-O1 -g' coverage-of
coverage-of:
	$(Q)find $(B) -name '*.gcda' -delete 2>/dev/null; $(MAKE) --no-print-directory check && tests/tools/coverage $(B)
.PHONY: test-all coverage coverage-of

golden: all $(B)/pty
	$(Q)B=$(B) GOLDEN=1 tests/screen/run

# make fuzz-input TIME=60: coverage-guided fuzzing of one target; make fuzz-all: of all, one after another. A target
# without a corpus of its own reads logs. What is found new stays in build/fuzz. Parts and tiles of the index are small
# there, so that small logs have many.
TIME ?= 60
FUZZ_SAN := fuzzer-no-link,address,undefined
# Without AddressSanitizer, which has a heap of its own: large tables come from the system as they are used, zeros for free.
FUZZ_HEAP := glibc.malloc.mmap_threshold=131072:glibc.malloc.trim_threshold=1073741824
FUZZ_B   := build/clang-$(subst $(comma),-,$(FUZZ_SAN))
FUZZ_OF   = $(MAKE) --no-print-directory CC=clang SAN=$(FUZZ_SAN) LDFLAGS=-fsanitize=fuzzer \
	CFLAGS='-O1 -g -fno-sanitize-recover=undefined -DINDEXER_LEAST=200 -DINDEXER_MOST=200 -DEVL_TILE_SHIFT=7'
fuzz-all: $(FUZZERS:%=fuzz-%)
fuzz-%: $(B)/mkdict
	@mkdir -p build/fuzz/$*
	$(Q)$< $* >build/fuzz/$*.dict 2>/dev/null || rm -f build/fuzz/$*.dict # those of languages come from their tables
	$(Q)$(FUZZ_OF) $(FUZZ_B)/fuzz_$*
	$(Q)dict=tests/fuzz/reader.dict corpus=tests/fuzz/corpus/reader; \
	for d in build/fuzz/$*.dict tests/fuzz/$*.dict; do [ ! -e $$d ] || dict=$$d; done; \
	[ ! -d tests/fuzz/corpus/$* ] || corpus=tests/fuzz/corpus/$*; \
	GLIBC_TUNABLES=$(FUZZ_HEAP) $(FUZZ_B)/fuzz_$* -max_total_time=$(TIME) -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=build/fuzz/$*- \
		-dict=$$dict $(FUZZ_ARGS) build/fuzz/$* $$corpus
$(B)/fuzz_%: $(B)/tests/fuzz/fuzz_%.o $(UI_PARTS) $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(UI_LIBS) $(LIBS)
.PHONY: fuzz-all

bench: all $(B)/figures $(B)/keys
	$(Q)B=$(B) CC="$(CC)" tests/bench/run
$(B)/figures: $(B)/tests/bench/figures.o $(UI_PARTS) $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(UI_LIBS) $(LIBS)

$(B)/keys: $(B)/tests/bench/keys.o $(B)/tests/screen/home.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -o $@ $^ -lutil

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

install: all
	install -D -m 755 evtui '$(DESTDIR)$(bindir)/evtui'
	install -D -m 644 docs/evtui.1 '$(DESTDIR)$(mandir)/man1/evtui.1'
uninstall:
	rm -f '$(DESTDIR)$(bindir)/evtui' '$(DESTDIR)$(mandir)/man1/evtui.1'

tidy:
	clang-tidy --quiet $(wildcard src/*/*.c ui/*.c ui/*/*.c ui/*/*/*.c) -- $(STD) $(DEFS) -Isrc -Iui $(UI_CFLAGS)
	cppcheck --quiet --std=c11 --enable=warning,portability --inline-suppr -Isrc -Iui src ui

analyze:
	$(Q)for f in src/*/*.c ui/*.c ui/*/*.c ui/*/*/*.c; do gcc $(STD) -O1 $(DEFS) -Isrc -Iui $(UI_CFLAGS) -fanalyzer -c -o /dev/null $$f || exit 1; done
.PHONY: analyze

format:
	clang-format -i $(wildcard src/*/*.[ch] ui/*.[ch] ui/*/*.[ch] ui/*/*/*.[ch] tests/*/*.[ch])

clean:
	rm -rf build evtui

# --- what follows from the table of events ----------------------------------------------------------------------------
$(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/replay $(B)/pour: $(B)/%: $(B)/tests/tools/%.o $(B)/libevl.a
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -pthread -o $@ $^ $(LIBS)

$(B)/prog: $(B)/tests/tools/prog.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -o $@ $^

# The manual page: keys and options from their tables.
$(B)/mkman: $(B)/tests/tools/mkman.o $(B)/ui/term/keymap.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -o $@ $^

# Keys and commands as a page.
$(B)/mkkeys: $(B)/tests/tools/mkkeys.o $(B)/ui/term/keymap.o $(B)/ui/app/command_table.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -o $@ $^
docs/keys.md: $(B)/mkkeys
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@

docs: docs/events.md docs/metrics.md docs/keys.md tests/fuzz/reader.dict man
man: $(B)/mkman
	$(call say,WRITE,docs/evtui.1)$< docs/evtui.1 >$(B)/evtui.1 && mv $(B)/evtui.1 docs/evtui.1
.PHONY: man
docs/events.md: $(B)/mkdocs
	$(call say,WRITE,$@)$< events >$@.new && mv $@.new $@
docs/metrics.md: $(B)/mkmetrics
	$(call say,WRITE,$@)$< >$@.new && mv $@.new $@
tests/fuzz/reader.dict: $(B)/mkdocs
	$(call say,WRITE,$@)$< dict >$@.new && mv $@.new $@

$(B)/mkdict: $(B)/tests/tools/mkdict.o
	$(call say,LINK,$@)$(CC) $(CFLAGS) $(SANF) $(COVER) $(HARDEN_LD) $(LDFLAGS) -o $@ $^

check: $(B)/replay $(B)/pour $(B)/prog $(B)/mklog $(B)/mkdocs $(B)/mkmetrics $(B)/mkman $(B)/mkkeys $(B)/figures
