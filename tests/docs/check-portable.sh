#!/bin/sh
# What only Linux or glibc has is used in src/sys alone, and src/sys builds without it: make PORTABLE=1.
cd "$(dirname "$0")/../.." || exit 2
passed=0
failed=0
check() { # check WHAT COMMAND…: the command succeeds
	what=$1
	shift
	if out=$("$@" 2>&1); then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		printf 'not so: %s\n%s\n' "$what" "$out"
	fi
}

elsewhere() { find src ui -path src/sys -prune -o -name '*.[ch]' -print | sort; }
none() { # none PATTERN: no line outside of src/sys, comments left out
	elsewhere | xargs awk -v pattern="$1" '
		{ line = $0; sub(/\/\*.*/, "", line); sub(/^ \* .*/, "", line) }
		line ~ pattern { print FILENAME ":" FNR ": " $0; bad = 1 }
		END { exit bad }'
}

headers='# *include *<(linux/|asm/|sys/(epoll|eventfd|inotify|memfd|pidfd|prctl|ptrace|random|sendfile|signalfd|syscall|sysinfo|sysmacros|timerfd|vfs|xattr|auxv)[.]h|malloc[.]h|error[.]h|features[.]h|byteswap[.]h|endian[.]h|sched[.]h)'
linux='(^|[^A-Za-z0-9_])(memfd_create|eventfd(_read|_write)?|epoll_[a-z0-9]+|inotify_[a-z0-9_]+|pidfd_[a-z_]+|prctl|ptrace|syscall|mincore|madvise|mremap|fallocate|getrandom|close_range|splice|signalfd|timerfd_[a-z]+|gettid|setns|unshare|statx|[lf]?getxattr|[lf]?setxattr|accept4) *[(]'
gnu='(^|[^A-Za-z0-9_])(asprintf|vasprintf|memmem|memrchr|mempcpy|rawmemchr|strchrnul|strcasestr|strverscmp|qsort_r|pipe2|dup3|mkostemps?|ptsname_r|cfmakeraw|usleep|canonicalize_file_name|malloc_trim|mallopt|mallinfo2?|pthread_[a-z]+_np|pthread_cond_clockwait|basename_r|getline_r|secure_getenv|euidaccess|error_at_line) *[(]'
names='(^|[^A-Za-z0-9_])(O_TMPFILE|O_PATH|MAP_ANONYMOUS|MAP_NORESERVE|MAP_POPULATE|MADV_[A-Z_]+|F_SETPIPE_SZ|SEEK_(DATA|HOLE)|FNM_CASEFOLD|DT_DIR|SOCK_CLOEXEC|PR_SET_[A-Z_]+|SYS_[a-z0-9_]+|__linux__|__GLIBC__|_GNU_SOURCE|_DEFAULT_SOURCE)([^A-Za-z0-9_]|$)'

check 'headers of Linux and glibc are included in src/sys alone' none "$headers"
check 'calls of Linux are made in src/sys alone' none "$linux"
check 'functions of glibc are called in src/sys alone' none "$gnu"
check 'names of Linux and glibc are used in src/sys alone' none "$names"
check '/proc is read in src/sys alone' none '"[^"]*/proc/'

portable() { "${CC:-gcc}" -std=c11 -D_XOPEN_SOURCE=700 -DPORTABLE -pthread -Wall -Wextra -Werror -Isrc -fsyntax-only src/sys/*.c; }
check 'src/sys builds with POSIX alone' portable

functions() { sed -n 's/^[a-z][a-z_0-9 ]*[ *]\([a-z_]*\)(.*/\1/p' "$@" | grep -E '^(sys|waker)_' | sort; }
both() {
	functions src/sys/system.h | sort -u >"${TMPDIR:-/tmp}/wanted.$$"
	for side in linux posix; do
		functions src/sys/system_$side.c src/sys/system.c | comm -23 "${TMPDIR:-/tmp}/wanted.$$" - | sed "s/^/$side lacks /"
	done >"${TMPDIR:-/tmp}/lacks.$$"
	cat "${TMPDIR:-/tmp}/lacks.$$"
	[ -s "${TMPDIR:-/tmp}/wanted.$$" ] && [ ! -s "${TMPDIR:-/tmp}/lacks.$$" ]
	status=$?
	rm -f "${TMPDIR:-/tmp}/wanted.$$" "${TMPDIR:-/tmp}/lacks.$$"
	return $status
}
check 'both sides have all of system.h' both

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
