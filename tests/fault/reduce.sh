#!/usr/bin/env bash
# SIGKILL of `edgewise reduce` at random moments: the finding is as it was, or the reduced one, in all of its files; it shows again.
# KILLS=200 for the full form.
set -u
. tests/fault/common.sh
kills=${KILLS:-25}

engine scripted '/^when/{/internal/!d}'
edgewise hunt scripted --seed 3 --tests 400 --workers 1 --oracle survive --reduce-time 0.001ms --ui none --out "$work/run" \
  >"$work/log" 2>&1
first=$(grep -l 'no plan for toUpper' "$work"/run/findings/*/finding.json | head -1)
[ -n "$first" ] || { echo "no finding to reduce: $(cat "$work/log")"; exit 1; }
first=${first%/finding.json}
id=${first##*/}
cp -r "$first" "$work/original"

# In all of its files the finding is the one that was, or all of them are new.
check_whole() { # check_whole FOLDER
  local same=0 file
  for file in "$work/original"/*; do
    cmp -s "$file" "$1/${file##*/}" && same=$((same + 1))
  done
  [ "$(ls "$1" | wc -l)" = "$(ls "$work/original" | wc -l)" ] || wrong "files: $(ls -a "$1")"
  case $same in
    0) reduced=$((reduced + 1)) ;;
    3) intact=$((intact + 1)) ;;
    *) wrong "$same of 3 files are the old ones" ;;
  esac
}

reduced=0 intact=0
for i in $(seq "$kills"); do
  rm -rf "$first"
  cp -r "$work/original" "$first"
  delay=$(printf '0.%03d' $((RANDOM % 200)))
  env "$mark" "$program" reduce "$first" >"$work/log" 2>&1 &
  reducing=$!
  sleep "$delay"
  kill -KILL "$reducing" 2>/dev/null
  wait "$reducing" 2>/dev/null
  check_no_process
  check_database "$work/run"
  check_whole "$first"
  echo "found $id " >"$work/announced"
  check_announced "$work/run" "$work/announced"
  [ "$failed" = 0 ] || { echo "kill $i after $delay s:"; cat "$work/log"; exit 1; }
done

edgewise reduce "$first" >"$work/log" 2>&1 || wrong "after all that: $(cat "$work/log")"
[ "$(ls -A "$work/run/findings" | grep -c "$id")" = 1 ] || wrong "left behind: $(ls -A "$work/run/findings")"
echo "reduce: $kills kills, $intact times the finding was as before, $reduced times reduced"
[ "$intact" -gt 0 ] || wrong "no kill came in time"
[ "$failed" = 0 ]
