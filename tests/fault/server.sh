#!/usr/bin/env bash
# Managed servers that misbehave: each fault is an outcome within the deadline and in bounded memory, the hunt goes on, and nothing is left
# of the server when the hunt is over or killed.
set -u
. "$(dirname "$0")/common.sh"
python=$(command -v python3) || { echo "server.sh: needs python3"; exit 77; }

mkdir "$work/data"
export EDGEWISE_DATA=$work/data
folders() { find "$work/data" -mindepth 1 -maxdepth 1; }
servers() { pgrep -f "$work/.*fake_server.py" || :; }

fake() { # fake NAME FAULT [TIMES]: an engine whose servers do that
  mkdir -p "$work/engines/$1" "$work/cache/edgewise/engines/$1/1"
  cp tests/fault/fake_server.py "$work/cache/edgewise/engines/$1/1/"
  for time in $(seq "${3:-0}"); do : >"$work/cache/edgewise/engines/$1/1/fault-$time"; done
  sed -n '/^\[has\]/,$p' engines/falkordb/profile.ini >"$work/rest.ini"
  {
    printf '[engine]\nname = %s\nlanguage = cypher\nadapter = resp\nlibrary = fake_server.py\ndefault_version = 1\n' "$1"
    printf '[server]\nprogram = %s\narguments = {home}/fake_server.py {port} %s\nmemory_limit = 2048\n' "$python" "$2"
    printf 'crashed = *REDIS BUG REPORT START*\nexhausted = *Out Of Memory*\nstart_time = 10s\n'
    cat "$work/rest.ini"
  } >"$work/engines/$1/profile.ini"
}

check_nothing_left() { # check_nothing_left WHAT
  for _ in $(seq 60); do
    [ -n "$(servers)" ] || [ -n "$(folders)" ] || return 0
    sleep 0.05
  done
  wrong "$1: left: $(servers) $(folders | tr '\n' ' ')"
}

number() { sed -n "s/^  \"$2\": \([0-9]*\).*/\1/p" "$1/stats.json"; }

hunt() { # hunt NAME CODE OPTION…
  local name=$1 wanted=$2 code=0
  shift 2
  edgewise hunt "$name" --oracle survive --seed 1 --workers 1 --ui none --statement-time 300ms --reduce-time 1s --out "$work/run-$name" "$@" \
    >"$work/$name.log" 2>&1 || code=$?
  [ "$code" = "$wanted" ] || wrong "$name ended with $code, not $wanted: $(tail -n 5 "$work/$name.log")"
  check_nothing_left "$name"
}

fake none none
hunt none 0 --tests 200
[ "$(number "$work/run-none" accepted)" -ge 150 ] || wrong "none: $(cat "$work/run-none/stats.json")"

# What each fault is, and whether it is one for `survive`. It shows once, so most are flaky: no finding.
for fault in garbage half endless silent exit crash exhausted ping; do
  fake "$fault" "$fault" 1
  hunt "$fault" 0 --tests 30
  [ "$(number "$work/run-$fault" tests)" -ge 20 ] || wrong "$fault: the hunt did not go on: $(tail -n 3 "$work/$fault.log")"
done
# A crash with a trace, and bytes that make no sense, are kept though seen once.
for fault in crash garbage; do [ "$(number "$work/run-$fault" seen_once)" = 1 ] || wrong "$fault: $(cat "$work/run-$fault/stats.json")"; done
cat "$work"/run-crash/findings/*/report.md | grep -q '^FakeTop$' || wrong "crash: no frame in its report"
[ "$(number "$work/run-crash" crashes)" -ge 1 ] || wrong "crash: not counted"
for fault in silent ping; do [ "$(number "$work/run-$fault" hangs)" -ge 1 ] || wrong "$fault: no hang is counted"; done
[ "$(number "$work/run-exhausted" crashes)" = 0 ] || wrong "exhausted: want of memory was taken for a crash"
memory=$(number "$work/run-endless" memory_bytes)
[ "$memory" -lt 400000000 ] || wrong "endless: $memory bytes of memory"

# It never starts: exit code 2, soon, with its last words.
fake refuse refuse
began=$SECONDS
hunt refuse 2 --tests 10
[ $((SECONDS - began)) -lt 40 ] || wrong "refuse: it took $((SECONDS - began)) s to give up"
grep -q 'I will not start today' "$work/refuse.log" || wrong "refuse: $(cat "$work/refuse.log")"

# Servers that others kill, again and again: no finding, the hunt goes on.
fake victim none
env "$mark" "$program" hunt victim --oracle survive --seed 2 --workers 2 --time 8s --ui none --out "$work/run-victim" >"$work/victim.log" 2>&1 &
hunter=$!
kills=0
for _ in $(seq 12); do
  sleep 0.5
  victim=$(servers | head -n 1)
  if [ -n "$victim" ]; then kill -9 "$victim" 2>/dev/null && kills=$((kills + 1)); fi
done
code=0
wait "$hunter" || code=$?
[ "$code" = 0 ] || wrong "victim: ended with $code: $(tail -n 5 "$work/victim.log")"
[ "$kills" -ge 5 ] || wrong "victim: only $kills servers could be killed"
[ "$(number "$work/run-victim" restarts)" -ge 3 ] || wrong "victim: $(number "$work/run-victim" restarts) restarts after $kills kills"
[ "$(number "$work/run-victim" crashes)" = 0 ] || wrong "victim: our kills were taken for crashes"
check_nothing_left victim

# The hunt itself is killed: its servers and their folders go with it.
env "$mark" "$program" hunt victim --oracle survive --seed 3 --workers 2 --ui none --out "$work/run-killed" >"$work/killed.log" 2>&1 &
hunter=$!
sleep 2
[ -n "$(servers)" ] || wrong "killed: no server came up: $(cat "$work/killed.log")"
kill -9 "$hunter"
wait "$hunter" 2>/dev/null
check_nothing_left killed

[ "$failed" = 0 ] && echo "server.sh: fine"
exit "$failed"
