#!/usr/bin/env bash
# Neo4j: a short hunt on a server of ours, which leaves nothing behind; then one on a server that is not ours, which must be empty
# and is left empty. Only with EDGEWISE_LIVE=servers (make test-live), and where neo4j is installed.
set -eu

version=2026.08.1
home=${XDG_CACHE_HOME:-$HOME/.cache}/edgewise/engines/neo4j/$version
if [ "${EDGEWISE_LIVE:-}" != servers ]; then
  echo "neo4j.sh: only with EDGEWISE_LIVE=servers"
  exit 77
fi
if [ ! -x "$home/neo4j" ]; then
  echo "neo4j.sh: neo4j $version is not installed; run: edgewise engines install neo4j@$version"
  exit 77
fi

scratch=$(mktemp -d)
server=
finish() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || :; wait "$server" 2>/dev/null || :; fi
  rm -rf "$scratch"
}
trap finish EXIT

fail() {
  echo "neo4j.sh: $*" >&2
  exit 1
}

number() { sed -n "s/^  \"$2\": \([0-9]*\).*/\1/p" "$1/stats.json"; }

hunt() { # hunt FOLDER ARGUMENT…: prints the exit code
  local folder=$1 code=0
  shift
  "$EDGEWISE" hunt "$@" --workers 1 --seed 1 --reduce-time 5s --ui none --out "$folder" >"$folder.log" 2>&1 || code=$?
  echo "$code"
}

code=$(hunt "$scratch/own" "neo4j@$version" --tests 60)
[ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$scratch/own.log"; fail "hunt neo4j ended with $code"; }
statements=$(number "$scratch/own" statements)
[ "$statements" -ge 50 ] || fail "only $statements statements"
[ $((100 * $(number "$scratch/own" refused))) -le $((10 * statements)) ] || fail "Neo4j refuses more than a tenth"
[ $((100 * $(number "$scratch/own" accepted))) -ge $((60 * statements)) ] || fail "Neo4j accepts less than 60 %"
if pgrep -f "$home/lib" >"$scratch/left"; then fail "a server was left: $(tr '\n' ' ' <"$scratch/left")"; fi

# A server that is not ours.
port=$((20000 + $$ % 20000))
mkdir -p "$scratch/home/conf"
sed -n 's/^file\.conf\/neo4j\.conf = //p' engines/neo4j/profile.ini | sed "s/{port}/$port/" >"$scratch/home/conf/neo4j.conf"
"$home/neo4j" "$scratch/home" >"$scratch/server.log" 2>&1 &
server=$!
for _ in $(seq 240); do
  grep -q 'Started\.' "$scratch/home/logs/neo4j.log" 2>/dev/null && break
  sleep 0.5
done
code=$(hunt "$scratch/other" "bolt://127.0.0.1:$port" --profile neo4j --tests 20)
[ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$scratch/other.log"; fail "hunt bolt:// ended with $code"; }
[ "$(number "$scratch/other" statements)" -ge 15 ] || fail "hunt bolt://: too few statements"
# It was left empty: else this would be refused.
code=$(hunt "$scratch/again" "bolt://127.0.0.1:$port" --profile neo4j --tests 1)
[ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$scratch/again.log"; fail "the database was not left empty"; }
echo "neo4j.sh: fine"
