#!/usr/bin/env bash
# The model against openCypher's TCK. What does not pass stands in failing.txt, with its reason: a scenario that fails and is
# not there, or is there and passes, fails this test. Skipped where tools/tck has not put the TCK into the cache.
#
# After a change that is meant:  build/edgewise bench tck --list >tests/tck/failing.txt  and put the reasons into words
set -u
program=${EDGEWISE:?names the program}
listed=tests/tck/failing.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

complain() { # complain TITLE FILE: where FILE has lines
  if [ ! -s "$2" ]; then return; fi
  printf '%s\n' "$1"
  cat "$2"
  failed=1
}

"$program" bench tck --list >"$work/report" 2>"$work/message"
code=$?
if [ "$code" = 2 ]; then
  cat "$work/message"
  exit 77
fi
if [ "$code" != 0 ]; then
  cat "$work/report" "$work/message"
  echo "bench tck ended with $code"
  exit 1
fi

grep -v '^#' "$work/report" | LC_ALL=C sort >"$work/fails"
grep -v -e '^#' -e '^$' "$listed" | LC_ALL=C sort >"$work/listed"
LC_ALL=C comm -23 "$work/fails" "$work/listed" >"$work/new"
LC_ALL=C comm -13 "$work/fails" "$work/listed" >"$work/gone"
complain "these fail and are not in $listed:" "$work/new"
complain "these are in $listed and pass:" "$work/gone"

# Figures: every text that should parse does; 95 in 100 of the static errors; and the line that ends it all.
tail -n 3 "$work/report"
awk '
  /^# texts: / { texts = $3 == $5 }
  /^# syntax errors: / { errors = $4 * 100 >= $6 * 95 }
  /^# tck: [0-9]+ of 3897 scenarios$/ { last = NR }
  END { exit !(texts && errors && last == NR) }
' "$work/report" || { echo "a figure is not as it must be"; failed=1; }
exit "$failed"
