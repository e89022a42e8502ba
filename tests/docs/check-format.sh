#!/bin/sh
# The sources are as clang-format 14 writes them (make format). Another release formats differently and is not asked.
cd "$(dirname "$0")/../.." || exit 2
format=$(command -v clang-format-14 || command -v clang-format)
case $("${format:-false}" --version 2>/dev/null) in
*' version 14.'*) ;;
*) echo "clang-format 14 is not installed: not checked"; exit 0 ;;
esac
find src ui tests -name '*.[ch]' | xargs "$format" --dry-run -Werror 2>"${TMPDIR:-/tmp}/format.$$"
status=$?
grep error: "${TMPDIR:-/tmp}/format.$$"
rm -f "${TMPDIR:-/tmp}/format.$$"
exit $status
