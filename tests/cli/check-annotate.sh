#!/bin/sh
# `evtui annotate` as a program: its page, the list for editors (in vim, where there is one), JSON; --src, --exe, what it refuses.
. "$(dirname "$0")/common.sh"
prof=$logs/9.10.3-profmix-p-hc.eventlog
hi=$logs/9.10.3-leaky-hi-live.eventlog

page() { run 0 annotate $prof && grep -q '^source lines by cost$' "$tmp/out" &&
	grep -q '60.0% .* /home/hs/ev/src/shared/ProfMix.hs:31:54  Main.wordCount' "$tmp/out"; }
check 'the hot lines' page
source_beside() { # the line of the source, after its costs
	run 0 annotate --src $logs/src $prof ProfMix.hs &&
		grep -q '^ *60.0% *30 .* 31  wordCount = {-# SCC "word.count" #-}' "$tmp/out" &&
		[ "$(grep -c '^  ' "$tmp/out")" -ge "$(wc -l <$logs/src/ProfMix.hs)" ]
}
check 'a file with its costs' source_beside
not_found() { run 0 annotate $prof shared/ProfMix.hs && grep -q -- '--src' "$tmp/out" && grep -q ' 31  Main.wordCount' "$tmp/out"; }
check 'a file that is not here' not_found
check 'a file without samples' complains annotate $prof Nobody.hs
check 'a log without places' complains annotate $log

quickfix() { run 0 annotate --quickfix $prof && ! grep -qvE '^/home/hs/ev/src/shared/ProfMix.hs:[0-9]+:[0-9]+: [<0-9.]+% ' "$tmp/out" &&
	head -n 1 "$tmp/out" | grep -q '^/home/hs/ev/src/shared/ProfMix.hs:31:54: 60.0% 14 kB Main.wordCount'; }
check 'the list for editors' quickfix
found() { run 0 annotate --quickfix --src $logs/src $prof && head -n 1 "$tmp/out" | grep -q "^$PWD/$logs/src/ProfMix.hs:31:54: "; }
check 'paths of files that are here' found
in_vim() { # the first entry is loaded, and the cursor is on its line
	run 0 annotate --quickfix --src $logs/src $prof && cp "$tmp/out" "$tmp/errors" &&
		HOME=$tmp vim -Nu NONE -i NONE -n -es -S /dev/stdin >/dev/null 2>&1 <<-EOF
			cfile $tmp/errors
			call writefile([expand('%:t'), line('.'), col('.'), len(filter(getqflist(), 'v:val.valid'))], '$tmp/where')
			qall!
		EOF
	[ "$(tr '\n' ' ' <"$tmp/where")" = "ProfMix.hs 31 54 $(wc -l <"$tmp/errors") " ]
}
if command -v vim >/dev/null; then check 'vim goes to the line' in_vim; else echo 'vim is missing: not tried there'; fi

json() { run 0 annotate --json $prof && grep -q '^{"samples":50,"bytes":.*"line":31,"col":54,"name":"Main.wordCount.\\\\","samples":30,"time_share":0.6,' "$tmp/out"; }
check 'JSON' json
of_range() { run 0 annotate --json --from 10ms --to 20ms $prof && grep -q '^{"samples":' "$tmp/out" && ! grep -q '"samples":50,' "$tmp/out"; }
check 'of a range' of_range

# what is not the program is said, and changes nothing
not_it() { # not_it PROG WHY
	run 0 export csv --table census $hi && cp "$tmp/out" "$tmp/bare" && run 0 export csv --table census --exe "$1" $hi &&
		cmp "$tmp/out" "$tmp/bare" && grep -q "^evtui: $1.*$2.*names are not used" "$tmp/err" && [ "$(wc -l <"$tmp/err")" -eq 1 ]
}
: >"$tmp/empty"
printf '\177ELF\002\001\001' >"$tmp/cut"
check 'another program' not_it "$EVTUI" ''
check 'an empty file' not_it "$tmp/empty" 'empty'
check 'a cut file' not_it "$tmp/cut" 'not an executable'
check 'no file' not_it "$tmp/nothing" 'No such file'
check 'a directory' not_it "$tmp" ''

check 'two forms' refuses annotate --json --quickfix $prof
check 'no log' refuses annotate
check 'three words' refuses annotate $prof a b
check 'an option of another command' refuses annotate --type 'GC_*' $prof
count
