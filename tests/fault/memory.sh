#!/usr/bin/env bash
# Memory does not grow with the number of tests: a hunt three times as long takes at most a tenth more.
# SHORT=20000 LONG=200000 for the full form.
set -u
. tests/fault/common.sh
short=${SHORT:-20000} long=${LONG:-60000}

if grep -q __asan_init "$program"; then
  echo "memory: a sanitizer keeps memory that was given back, so there is nothing to see"
  exit 77
fi
for tests in "$short" "$long"; do
  edgewise hunt quiet --seed 7 --tests "$tests" --workers 2 --out "$work/run$tests" --ui none >"$work/log" 2>&1 ||
    { wrong "the hunt ended with $?"; cat "$work/log"; }
done
before=$(number "$work/run$short" memory_bytes) after=$(number "$work/run$long" memory_bytes)
echo "memory: $before bytes after $short tests, $after after $long"
[ $((after * 10)) -le $((before * 11)) ] || wrong "memory grows"
exit "$failed"
