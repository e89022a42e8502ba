#!/bin/sh
# The library as installed for others: in an empty folder, with its header alone, the example of docs/ compiled
# against it and compared with evtui, no symbol of other names exported, nothing left by uninstall. B: build directory.
B=${B:-build/cc}
EVTUI=${EVTUI:-$B/evtui}
. "$(dirname "$0")/common.sh"
case $B in
*-*) echo "a build with sanitizers or coverage is not installed"; count; exit ;;
esac
cc=${CC:-cc}

installed() { make --no-print-directory B="$B" DESTDIR="$tmp/root" prefix=/usr install; }
self_contained() { echo '#include <evl.h>' | $cc -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only -I"$tmp/root/usr/include" -xc -; }
compiled() {
	flags=$(PKG_CONFIG_SYSROOT_DIR=$tmp/root PKG_CONFIG_PATH=$tmp/root/usr/lib/pkgconfig pkg-config --cflags --libs evl) &&
		$cc -std=c11 -Wall -Wextra -Werror docs/example.c $flags -o "$tmp/example"
}
only_evl_names() {
	names=$(readelf -sW "$tmp/root/usr/lib/libevl.a" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" && $8 !~ /^evl_/ { print $8 }')
	[ -z "$names" ] || { echo "$names"; return 1; }
}
declared_is_defined() { # each function of the header is in the archive
	grep -oE '\bevl_[a-z_]+\(' src/evl.h | tr -d '(' | sort -u >"$tmp/declared"
	readelf -sW "$tmp/root/usr/lib/libevl.a" | awk '$5 == "GLOBAL" && $6 == "DEFAULT" && $7 != "UND" { print $8 }' | sort -u >"$tmp/defined"
	grep -xFf "$tmp/defined" "$tmp/declared" | diff - "$tmp/defined"
}
same_as_evtui() { # LOG: pauses as in the table of collections, events as `show` prints them
	"$tmp/example" "$1" >"$tmp/example.out" || return 1
	{
		"$EVTUI" export csv --table gc "$1" | awk -F , '
			NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ print $at["pause_ns"], $at["start_ns"], ($at["gen"] == "" ? -1 : $at["gen"]) }' | sort -k1,1nr -k2,2n | head -n 10 |
			awk '{ printf "%12d ns  pause of %d ns, generation %d\n", $2, $1, $3 }'
		"$EVTUI" show "$1" | sed '1,/^Events:/d' | grep -a . | head -n 10
	} >"$tmp/evtui.out"
	diff "$tmp/evtui.out" "$tmp/example.out"
}
refused() { ! "$tmp/example" README.md && ! "$tmp/example" /nowhere; }
uninstalled() {
	make --no-print-directory B="$B" DESTDIR="$tmp/root" prefix=/usr uninstall && [ -z "$(ls "$tmp/root")" ]
}

check 'make install' installed
check 'the header compiles on its own' self_contained
check 'the example compiles' compiled
check 'the library exports names with evl_ only' only_evl_names
check 'the header declares what the library exports' declared_is_defined
for one in "$log" $logs/9.10.3-gcstorm-N64.eventlog $logs/hostile.eventlog assets/bazaar.eventlog; do
	check "the example says of $one what evtui says" same_as_evtui "$one"
done
check 'the example refuses what is no log' refused
check 'make uninstall leaves nothing' uninstalled
count
