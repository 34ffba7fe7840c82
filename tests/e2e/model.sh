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
check '^fuzz: 3000 statements, 0 problems' bench fuzz --tests 3000
exit $failed
