#!/bin/sh
# `evtui show` and `evtui stats` as programs: the bytes they print, their exit status, their errors.
. "$(dirname "$0")/common.sh"
events() { sed '1,/^Events:$/d' | grep .; } # without the header and the lines behind block markers

# --- show is what ghc-events prints, byte for byte ---
same_text() { run 0 show "$1" && gzip -dc "${1%.eventlog}.show.txt.gz" | cmp - "$tmp/out"; }
for text in "$logs"/*.show.txt.gz; do
	check "show ${text%.show.txt.gz}" same_text "${text%.show.txt.gz}.eventlog"
done
# Text that is not UTF-8, which ghc-events cannot show, is escaped.
no_utf8() { run 0 show $logs/9.0.2-messages-badutf.eventlog && grep -q '\\xff' "$tmp/out"; }
check 'show of text that is not UTF-8' no_utf8
cut_header() { run 0 show $logs/9.10.3-hello-fsize-header.eventlog && grep -q '^Event Types' "$tmp/out"; }
check 'show of a cut header' cut_header

# --- what is wanted of it ---
"$EVTUI" show $log | events >"$tmp/all"
range() {
	run 0 show --from 2ms --to=3ms $log && events <"$tmp/out" >"$tmp/got" &&
		awk -F: '$1 >= 2000000 && $1 < 3000000' "$tmp/all" | cmp - "$tmp/got" && [ -s "$tmp/got" ]
}
check '--from, --to' range
halves() {
	for t in '50%' 1.5ms 0 1h; do
		{ "$EVTUI" show --to $t $log | events; "$EVTUI" show --from $t $log | events; } | cmp - "$tmp/all" || return 1
	done
}
check 'two halves are the whole' halves
one_cap() { run 0 show --cap 1 $log && events <"$tmp/out" >"$tmp/got" && grep '^[0-9]*: cap 1: ' "$tmp/all" | cmp - "$tmp/got"; }
check '--cap' one_cap
one_type() { run 0 show --type 'gc_st*' --cap=0 $log && [ "$(events <"$tmp/out" | grep -vc 'starting GC\|GC stats')" -eq 0 ]; }
check '--type' one_type
lines() {
	run 0 show --json $log && [ "$(wc -l <"$tmp/out")" -eq "$(grep -c '^[0-9]*: ' "$tmp/all")" ] &&
		[ "$(grep -c '^{"t":[0-9]*,"cap":.*}$' "$tmp/out")" -eq "$(wc -l <"$tmp/out")" ]
}
check 'show --json: a line an event' lines

# --- the end of the output ---
early() { { "$EVTUI" show $log 2>"$tmp/err"; echo $? >"$tmp/status"; } | head -n 1; [ "$(cat "$tmp/status")" -eq 0 ] && [ ! -s "$tmp/err" ]; }
check 'a reader that leaves early' early
full() { "$EVTUI" "$@" >/dev/full 2>"$tmp/err"; [ $? -eq 1 ] && [ "$(wc -l <"$tmp/err")" -eq 1 ]; }
if [ -e /dev/full ]; then
	check 'a full disk, show' full show $log
	check 'a full disk, stats' full stats $log
fi

# --- stats ---
plain() { run 0 stats "$1" && [ -s "$tmp/out" ] && [ "$(LC_ALL=C tr -d '\012\040-\176\200-\377' <"$tmp/out" | wc -c)" -eq 0 ]; }
for name in "$logs"/*.eventlog; do
	check "stats $name" plain "$name"
done
coloured() { run 0 stats --color=always $log && grep -q "$(printf '\033')\[1m" "$tmp/out"; }
check 'stats --color=always' coloured
instead() { run 0 $log && cp "$tmp/out" "$tmp/want" && run 0 stats $log && cmp "$tmp/want" "$tmp/out"; }
check 'stats instead of the viewer' instead
of_range() { run 0 stats --json --from 25% --to 75% $log && grep -q '"range":{"from_ns":[1-9]' "$tmp/out"; }
check 'stats of a range' of_range

# --- compressed ---
# Streams: read to their end, then as any log.
mkfifo "$tmp/pipe"
piped() { cat $log >"$tmp/pipe" & run 0 show "$tmp/pipe" && events <"$tmp/out" | cmp - "$tmp/all"; }
stdin() { gzip -c $log | "$EVTUI" show - >"$tmp/out" && events <"$tmp/out" | cmp - "$tmp/all"; }
borrowed() { # the header of the log in front of the rest of it
	"$EVTUI" export log -o "$tmp/whole" --force $log && cmp "$tmp/whole" $log &&
		tail -c +3181 $log | "$EVTUI" show --header $log - >"$tmp/out" && events <"$tmp/out" | cmp - "$tmp/all"
}
check "a FIFO" piped
check "a stream without header" borrowed
check "nobody at a socket" complains show "unix:$tmp/nobody"
check "standard input is empty" complains show -

packed() { gzip -c $log >"$tmp/log.gz" && run 0 show "$tmp/log.gz" && events <"$tmp/out" | cmp - "$tmp/all" && [ ! -s "$tmp/err" ]; }
if unpacks gzip; then
	check 'a log in gzip' packed
	check 'standard input, compressed' stdin
fi

# --- wrong usage ---
for args in '--nonsense' 'show' 'show a b' "show --cap x $log" "show --cap 123456 $log" "show --type NO_SUCH $log" \
	"show --from never $log" "stats --to 5x $log" "show --from 2s --to 1s $log" "stats --cap 1 $log" "--json $log" \
	"show --ascii $log" "show --from +1s $log" "--color=blue $log" 'show --from'; do
	# shellcheck disable=SC2086  # words
	check "evtui $args: refused" refuses $args
done
: >"$tmp/empty"
# A letter that is no option is named, wherever it stands.
letter() { refuses $log -xV && grep -q ': -x ' "$tmp/err" && refuses -xh $log && grep -q ': -x ' "$tmp/err"; }
check 'the letter that is no option' letter
# The clock of the report is the one that @ is read on, wherever one lives.
one_clock() {
	began=$(TZ=America/New_York "$EVTUI" stats $log | awk '$1 == "started" { print $3 }') && [ -n "$began" ] &&
		(TZ=America/New_York run 0 show --from "@$began" $log && events <"$tmp/out" | cmp - "$tmp/all")
}
check 'stats and @ have one clock' one_clock
# Numbers have a point whatever the locale, where one with a comma can be made.
comma() {
	! localedef -f UTF-8 -i de_DE "$tmp/de_DE.UTF-8" ||
		(LOCPATH=$tmp LC_ALL=de_DE.UTF-8 run 0 stats $log && grep -q '[0-9][.][0-9]%' "$tmp/out")
}
check 'stats in a German locale' comma
for name in "$tmp/none" "$tmp/empty" "$tmp" /dev/null README.md Makefile; do
	check "show $name: an error" complains show "$name"
done

count
