#!/usr/bin/env bash
# The model in use: hunted like an engine it must be clean, and random statements must find nothing wrong with it.
set -u
program=${EDGEWISE:?names the program}
export EDGEWISE_ENGINES=$PWD/engines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# check WANTED COMMAND…: ends with 0, and says so somewhere.
check() {
  local wanted=$1 output code
  shift
  output=$("$program" "$@" 2>&1)
  code=$?
  if [ "$code" != 0 ] || ! grep -q -- "$wanted" <<<"$output"; then
    printf 'edgewise %s ended with %s, without "%s":\n%s\n' "$*" "$code" "$wanted" "$output"
    failed=1
  fi
}

check 'nothing found' hunt model --tests 2000 --seed 1 --ui none --out "$work/run"
# refuse WANTED COMMAND…: ends with 64 and says so.
refuse() {
  local wanted=$1 output code
  shift
  output=$("$program" "$@" 2>&1)
  code=$?
  if [ "$code" != 64 ] || ! grep -q -- "$wanted" <<<"$output"; then
    printf 'edgewise %s ended with %s, without "%s":\n%s\n' "$*" "$code" "$wanted" "$output"
    failed=1
  fi
}

# Parameters of a script, and bugs planted in the model.
cat >"$work/script.cypher" <<'END'
:param n => 1 + 1
RETURN $n * 21 AS answer; :param text => ';'
RETURN $text + $n AS joined ;; RETURN ':param n => 3' AS text
END
check '^42$' run "$work/script.cypher"
check "^';2'$" run "$work/script.cypher"
refuse 'near it are: xor-chain-evaluates-operands-twice-per-level' run "$work/script.cypher" --plant xor-chian-operands
refuse '--plant is for the model' hunt scripted --plant xor-chain-evaluates-operands-twice-per-level --out "$work/no"
check 'tests in' hunt model --plant index-entry-survives-label-removal --tests 20 --seed 1 --ui none --out "$work/planted"
grep -q '^plant = index-entry-survives-label-removal$' "$work/planted/config.ini" || failed=1
# What is open, and what is right all the same.
cat >"$work/open.cypher" <<'END'
UNWIND [1, 2, 2, 3] AS x CREATE (:N {i: x});
MATCH (n:N) RETURN n.i AS i ORDER BY i DESC SKIP 1 LIMIT 1;
MATCH (n:N) RETURN n.i AS i LIMIT 2;
MATCH (n:N) WITH n LIMIT 2 RETURN n.i AS i
END
check '^admissible: any 2 of these 4 rows:$' run "$work/open.cypher"
check '^admissible: any answer: SKIP or LIMIT cuts rows' run "$work/open.cypher"
check '"tiers": \[{"rows": 4,"take": 2}\]' run --json "$work/open.cypher"
check '^zoo grouping: precision 100.0 %' bench zoo --plant xor-with-unknown-comparison-read-as-false --tests 1000
check '^clean: 0 false alarms in' bench clean --tests 200
check '^fuzz: 3000 statements, 0 problems' bench fuzz --tests 3000
exit $failed
