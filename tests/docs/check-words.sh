#!/bin/sh
# Comments, strings and documents avoid the constructions in the table below: their number never exceeds $bound, which only
# goes down. (The tree had 1,593 of them when this was first measured.)
#
#   tests/docs/check-words.sh            count
#   tests/docs/check-words.sh --list     and show each, as FILE:LINE: RULE: sentence
cd "$(dirname "$0")/../.." || exit 2
bound=35

# An extended regular expression over whole words, a tab, and what to write instead. One that starts with ^ is matched at
# the start of a sentence, and only if the sentence is not a question.
rules() {
	cat <<'RULES'
^(What|Who|Whose|Whom|Whoever|Whatever) [^?]*$	name the thing: "the path", "the caller"
^(So|As) (many|much) 	give the number or the limit
^Of [^,]*(,|:)	verb or subject first
^(Nothing|None|Nobody) (of|that|is|but) 	say what happens
^Returns 	imperative: "Return"
behind	after, past, below, in the background
stands? (for|in|on|at|there|here|alone|before|beside|by|so|still|as|first|last|to)	is, means
stood	was
nobody	name it: no thread, no caller, not
(of|on) (its|their|one's|his|a) own	separate, private, dedicated
so (many|much)( as)?	N, at most N
gone	removed, closed, dropped
under way	in progress, running
(the|its|their|each|a|every|no|one|this|that|of|with) (begin|begins)	the start
what (must|may|can|shall) not be	what to reject
one (stands|wants|looks|sees|asks|has|knows|may|goes)	you, the user, the caller
as (it|they) (stands?|came|comes)	unchanged, verbatim
thereby|therein|thereof|whence|thence|hence|whereupon|anew|lest|ere|withal|beforehand|thereafter|nought|hither|thither|whither|whoever|whosoever	plain words
mend(s|ed|ing)?	fix, repair
(given|gives|give|giving) up	cancel, abandon
taken for	treated as
(at|by) hand	available, manually
(has|have|had) to do with	concerns
(is|are) called so	has that name
for (nothing|good|ever)	needlessly, permanently
left? (alone|over|behind)	unchanged, remaining
(a|one|each) (line|row|column|byte|bytes|bit|number|dot|profile|lock|block|rule|call) an? [a-z]+	"per"
beside	next to, as well as
comes? (of|along|to it|in between|into it)	say what happens
goes? (along|on with)	follow, continue
(told|tells?) apart	distinguished
in vain	without result
(asked|looked|waited|gone|come|known|seen|told|meant) (for|of|at|to) (by|there|here|once|again|nobody)	active verb
whose (turn|like)	the next one
no (further|more) (one|of them|there)	no more X
is no (more|longer there|other)	does not exist
bound to nothing	not bound
(who|which|that) is none	say what it is
the (many|most|least) of (it|them)	name it
RULES
}

# The prose of the files, one piece per line: FILE:LINE, a tab, the text. A piece is a comment, a string of several words,
# a paragraph or a list item; code in documents is left out.
pieces() {
	find src ui tests -name '*.[ch]' -o -name '*.def' -o -name '*.sh' ! -name check-words.sh |
		sort | xargs awk "$extract" Makefile README.md docs/*.md assets/*.md docs/evtui.1
	find src ui -name '*.md' | sort | xargs awk "$extract"
}
# shellcheck disable=SC2016
extract='
function flush() { if (text ~ /[A-Za-z]/) print file ":" start "\t" text; text = "" }
function add(s) { if (text == "") start = FNR; sub(/^[ \t]*(\*+|#+|>|\.[A-Z]+)?[ \t]*/, "", s); text = text (text == "" ? "" : " ") s }
FNR == 1 {
	flush(); file = FILENAME; in_comment = fenced = 0
	kind = file ~ /\.(c|h|def)$/ ? "c" : file ~ /\.(md|1)$/ ? "md" : "sh"
}
kind == "md" {
	if (/^```/) { flush(); fenced = !fenced; next }
	if (fenced || /^    / || /^$/ || /^\.(TP|PP|\\)/) { flush(); next }
	if (/^([*-]|[0-9]+\.|#|\|)/) flush()
	gsub(/`[^`]*`/, "`"); add($0)
	next
}
kind == "sh" {
	if (/^[ \t]*#[^!]/) add($0); else flush()
	next
}
{
	line = $0
	if (in_comment) {
		if ((i = index(line, "*/")) == 0) { add(line); next }
		add(substr(line, 1, i - 1)); flush(); in_comment = 0; line = substr(line, i + 2)
	}
	if (line ~ /^ *# *include/) next
	while (match(line, /\/\*|\/\/|"([^"\\]|\\.)*"|\047([^\047\\]|\\.)*\047/)) {
		token = substr(line, RSTART, RLENGTH); line = substr(line, RSTART + RLENGTH)
		if (token == "//") { add(line); flush(); next }
		if (token == "/*") {
			if ((i = index(line, "*/")) == 0) { add(line); in_comment = 1; next }
			add(substr(line, 1, i - 1)); flush(); line = substr(line, i + 2)
		} else if (token ~ /^".* / && text == "") { add(substr(token, 2, length(token) - 2)); flush() }
	}
}
END { flush() }'

hits=${TMPDIR:-/tmp}/words.$$
trap 'rm -f "$hits" "$hits.rules"' EXIT
rules >"$hits.rules"
pieces | awk -F '\t' -v rules="$hits.rules" '
	BEGIN { while ((getline rule <rules) > 0) { split(rule, part, "\t"); re[++n] = part[1] } }
	{
		m = split($2, sentence, /[.:;!] +/)
		for (i = 1; i <= m; i++) {
			plain = " " tolower(sentence[i]) " "
			gsub(/[^a-z0-9_\047 ]/, " ", plain)
			for (r = 1; r <= n; r++)
				if (re[r] ~ /^\^/) {
					if (sentence[i] ~ re[r]) print $1 ": " re[r] ": " sentence[i]
				} else
					for (rest = plain; match(rest, " (" re[r] ") "); rest = substr(rest, RSTART + RLENGTH - 1))
						print $1 ": " re[r] ": " sentence[i]
		}
	}' >"$hits"
[ "$1" != --list ] || cat "$hits"
count=$(wc -l <"$hits")
if [ "$count" -gt $bound ]; then
	echo "$count constructions of the table in $0, more than $bound: run it with --list and rewrite the new ones"
	echo "0 passed, 1 failed"
	exit 1
fi
echo "$count constructions of at most $bound"
echo "1 passed, 0 failed"
