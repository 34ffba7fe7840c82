#!/usr/bin/env bash
# A short hunt on each embedded engine: GraphQLite gives confirmed findings that replay and whose script shows the same in the sqlite3
# shell; z3 takes nearly all that we write, and what it finds replays.
set -eu

cache=${XDG_CACHE_HOME:-$HOME/.cache}/edgewise/engines
library=$cache/graphqlite/0.12.0/graphqlite.so
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "hunt.sh: $*" >&2
  exit 1
}

number() { sed -n "s/^  \"$2\": \([0-9]*\).*/\1/p" "$1/stats.json"; }

hunt() { # hunt FOLDER ENGINE OPTION…
  local folder=$1 code=0
  shift
  "$EDGEWISE" hunt "$@" --ui none --out "$folder" >"$folder.log" 2>&1 || code=$?
  [ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$folder.log"; fail "hunt $* ended with $code"; }
  echo "$code"
}

replays() { # replays FOLDER COUNT: the first findings are seen again
  local id code
  for id in $(find "$1/findings" -mindepth 1 -maxdepth 1 -printf '%f\n' | sort | head -n "$2"); do
    grep -q '"state": "confirmed"' "$1/findings/$id/finding.json" || continue
    code=0
    "$EDGEWISE" replay "$1/findings/$id" >"$scratch/replay.log" 2>&1 || code=$?
    [ "$code" = 1 ] || { cat "$scratch/replay.log"; fail "replay of $id ended with $code"; }
  done
}

if [ -f "$library" ]; then
  [ "$(hunt "$scratch/graphqlite" graphqlite@0.12.0 --tests 640 --seed 1 --reduce-time 3s)" = 1 ] || fail "GraphQLite: nothing found"
  [ "$(number "$scratch/graphqlite" groups)" -ge 3 ] || fail "GraphQLite: fewer than three groups"
  replays "$scratch/graphqlite" 4
  command -v sqlite3 >/dev/null && { "$(dirname "$0")/repro.py" "$scratch/graphqlite" "$(dirname "$library")" || fail "scripts that do not show it"; }
else
  echo "hunt.sh: graphqlite 0.12.0 is not installed"
  exit 77
fi

hunt "$scratch/z3" z3 --tests 200 --seed 1 >/dev/null
statements=$(number "$scratch/z3" statements)
[ "$statements" -gt 100 ] || fail "z3: $statements statements"
[ $((100 * $(number "$scratch/z3" refused))) -le $((2 * statements)) ] || fail "z3 refuses more than 2 %"
replays "$scratch/z3" 2
echo "hunt.sh: fine"
