#!/usr/bin/env bash
# A hunt asks the same statements with any number of workers: the engine keeps a journal of all that it is asked.
set -u
. tests/fault/common.sh
tests=4000

engine noted "/^when/d; \$a journal = $work/journal"
for workers in 1 2 5; do
  edgewise hunt noted --seed 7 --tests "$tests" --workers "$workers" --out "$work/run$workers" --ui none >"$work/log" 2>&1 ||
    { wrong "the hunt ended with $?"; cat "$work/log"; }
  sort "$work/journal" >"$work/journal$workers"
  rm "$work/journal"
  cmp "$work/journal1" "$work/journal$workers" || wrong "$workers workers ask other statements than one"
  python3 - "$work/run1/stats.json" "$work/run$workers/stats.json" <<'END' || wrong "$workers workers have other numbers than one"
import json, sys
one, other = (json.load(open(path)) for path in sys.argv[1:])
names = "tests statements accepted agreed_errors refused queries nonempty bytes distinct dependencies features oracles"
differ = [name for name in names.split() if one[name] != other[name]]
sys.exit(f"{', '.join(differ)} differ" if differ else 0)
END
done
lines=$(wc -l <"$work/journal1")
[ "$lines" -gt "$tests" ] || wrong "only $lines statements in the journal"
[ "$failed" = 0 ] && echo "same_cases: $lines statements, the same with 1, 2 and 5 workers"
exit "$failed"
