#!/usr/bin/env bash
# FalkorDB: values of every type come back from a server that `engines start` keeps, a short hunt on servers of ours leaves nothing behind,
# kills of its servers are not taken for bugs, and a server that is not ours is only written to when it is empty, and left so. Only with
# EDGEWISE_LIVE=servers (make test-live), and where falkordb is installed.
set -eu

version=4.22.1
home=${XDG_CACHE_HOME:-$HOME/.cache}/edgewise/engines/falkordb/$version
if [ "${EDGEWISE_LIVE:-}" != servers ]; then
  echo "falkordb.sh: only with EDGEWISE_LIVE=servers"
  exit 77
fi
if [ ! -x "$home/falkordb.so" ]; then
  echo "falkordb.sh: falkordb $version is not installed; run: edgewise engines install falkordb@$version"
  exit 77
fi

scratch=$(mktemp -d)
mkdir "$scratch/data"
export EDGEWISE_DATA=$scratch/data XDG_STATE_HOME=$scratch/state
finish() {
  "$EDGEWISE" engines stop "falkordb@$version" >/dev/null 2>&1 || :
  rm -rf "$scratch"
}
trap finish EXIT

fail() {
  echo "falkordb.sh: $*" >&2
  exit 1
}

number() { sed -n "s/^  \"$2\": \([0-9]*\).*/\1/p" "$1/stats.json"; }

hunt() { # hunt FOLDER ARGUMENT…: prints the exit code
  local folder=$1 code=0
  shift
  "$EDGEWISE" hunt "$@" --seed 1 --reduce-time 2s --ui none --out "$folder" >"$folder.log" 2>&1 || code=$?
  echo "$code"
}

nothing_left() {
  for _ in $(seq 60); do
    [ -n "$(ls "$scratch/data")" ] || return 0
    sleep 0.05
  done
  fail "left: $(ls "$scratch/data")"
}

# A hunt of ten seconds, whose servers are killed now and then.
"$EDGEWISE" hunt "falkordb@$version" --oracle survive --time 10s --workers 2 --seed 1 --reduce-time 1s --ui none --out "$scratch/own" >"$scratch/own.log" 2>&1 &
hunter=$!
for _ in 1 2 3; do
  sleep 2.5
  victim=$(pgrep -f "$home/redis-server" | head -n 1) || :
  if [ -n "$victim" ]; then kill -9 "$victim" || :; fi
done
code=0
wait "$hunter" || code=$?
[ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$scratch/own.log"; fail "hunt falkordb ended with $code"; }
statements=$(number "$scratch/own" statements)
[ "$statements" -ge 200 ] || fail "only $statements statements"
[ $((100 * $(number "$scratch/own" refused))) -le $((10 * statements)) ] || fail "FalkorDB refuses more than a tenth"
[ $((100 * $(number "$scratch/own" accepted))) -ge $((60 * statements)) ] || fail "FalkorDB accepts less than 60 %"
if grep -l 'signal 9' "$scratch"/own/findings/*/report.md 2>/dev/null; then fail "our kill became a finding"; fi
[ -s "$scratch/own/logs/server-0.log" ] || fail "the server's log was not kept"
nothing_left

# A server that stays, and is hunted as one that is not ours.
"$EDGEWISE" engines start "falkordb@$version" >"$scratch/start.log" || fail "it does not start: $(cat "$scratch/start.log")"
address=$(sed -n 's/.* runs at //p' "$scratch/start.log")
password=$scratch/state/edgewise/servers/falkordb@$version.password
"$EDGEWISE" engines list | grep -q "$address" || fail "engines list does not show it"
build=$(dirname "$EDGEWISE")
[ -x "$build/tests/unit/test_resp" ] || ninja -C "$build" tests/unit/test_resp >/dev/null
EDGEWISE_PASSWORD=$(cat "$password") "$build/tests/unit/test_resp" --session "${address##*:}" >"$scratch/session.txt"
cmp "$scratch/session.txt" "tests/wire/resp-falkordb-$version.txt" || fail "values come back otherwise than they did"
code=$(hunt "$scratch/full" "$address" --profile falkordb --password-file "$password" --tests 20)
[ "$code" = 64 ] || fail "a server that holds something was written to (exit code $code)"
# Read-only queries: a server that is not ours is not started again when it crashes.
code=$(hunt "$scratch/other" "$address" --profile falkordb --password-file "$password" --oracle partition --style predicate --dials mutations=0 --tests 40 --wipe)
[ "$code" = 0 ] || [ "$code" = 1 ] || { cat "$scratch/other.log"; fail "hunt $address ended with $code"; }
code=$(hunt "$scratch/nobody" "$address" --profile falkordb --tests 20)
[ "$code" = 64 ] || fail "it let us in without a password (exit code $code)"
if grep -rqF "$(cat "$password")" "$scratch"/other "$scratch"/*.log; then fail "the password is in a file of the run"; fi
"$EDGEWISE" engines stop "falkordb@$version" >/dev/null || fail "it does not stop"
nothing_left
echo "falkordb.sh: fine"
