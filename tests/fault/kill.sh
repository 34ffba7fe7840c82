#!/usr/bin/env bash
# SIGKILL of the supervisor at random moments: what was announced is on disk and shows again, run.db opens, no process is left.
# KILLS=30 for the full form.
set -u
. tests/fault/common.sh
kills=${KILLS:-8}
announced=0

for i in $(seq "$kills"); do
  run=$work/run$i log=$work/log$i
  delay=$(printf '%d.%03d' $((RANDOM % 2)) $((RANDOM % 1000)))
  env "$mark" "$program" hunt scripted --seed "$i" --workers 2 --out "$run" --reduce-time 1s --ui line >"$log" 2>&1 &
  hunt=$!
  sleep "$delay"
  kill -KILL "$hunt"
  wait "$hunt" 2>/dev/null
  check_no_process
  check_database "$run"
  check_announced "$run" "$log"
  count=$(grep -c '^found ' "$log")
  announced=$((announced + count))
  [ "$failed" = 0 ] || { echo "kill $i after $delay s, $count announced:"; cat "$log"; exit 1; }
  rm -rf "$run" "$XDG_STATE_HOME"
done

echo "kill: $kills kills, $announced findings announced before them"
[ "$announced" -gt 0 ] || { echo "nothing was announced, so nothing was tested"; exit 1; }
