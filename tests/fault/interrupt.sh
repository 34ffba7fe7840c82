#!/usr/bin/env bash
# Ctrl-C and SIGTERM end a hunt with a summary, the exit code of what was found, and no process left.
set -u
. tests/fault/common.sh

interrupt() { # interrupt ENGINE SIGNAL CODE PATTERN
  local run=$work/$1-$2 log=$work/$1-$2.log code
  # A shell's background jobs ignore SIGINT; a program's children do not.
  env "$mark" python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$program" hunt "$1" --seed 5 --workers 2 --out "$run" --reduce-time 1s --ui line \
    >"$log" 2>&1 &
  sleep 2
  kill "-$2" $!
  wait $!
  code=$?
  [ "$code" = "$3" ] || wrong "$1, SIG$2: ended with $code, wanted $3"
  grep -Eq "$4" "$log" || wrong "$1, SIG$2: no line like /$4/"
  check_no_process
  check_database "$run"
  check_announced "$run" "$log"
  [ "$failed" = 0 ] || cat "$log"
}

interrupt quiet INT 0 'tests in .*, interrupted: nothing found'
interrupt scripted INT 1 'tests in .*, interrupted: [0-9]+ groups? of findings'
interrupt scripted TERM 1 'tests in .*, interrupted: [0-9]+ groups? of findings'
exit "$failed"
