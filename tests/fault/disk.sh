#!/usr/bin/env bash
# A disk that gets full during a hunt: exit code 74, a message that names the file, and nothing that was announced is lost.
set -u
. tests/fault/common.sh

check_full() { # check_full NAME RUN LOG CODE
  [ "$4" = 74 ] || { wrong "$1: the hunt ended with $4"; cat "$3"; }
  grep -Eq "^edgewise: cannot write $2/" "$3" || { wrong "$1: no message that says what"; cat "$3"; }
  check_no_process
  check_database "$2"
  check_announced "$2" "$3"
  echo "disk: $1: $(grep -c '^found ' "$3") announced, then: $(grep '^edgewise: cannot' "$3")"
}

# A limit on the size of files: findings with large answers do not fit, and the small ones before them do.
engine large 's/=> FILL 1$/=> FILL 10000/'
(
  ulimit -f 400 # KiB; an engine host needs about 350 for itself
  env "$mark" "$program" hunt large --seed 1 --workers 2 --time 60s --reduce-time 1s --out "$work/limited" --ui line
) >"$work/log" 2>&1
check_full "a limit on files" "$work/limited" "$work/log" $?

# A file system of its own, where we may make one.
mkdir "$work/small"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=600k tmpfs "$work/small" 2>/dev/null; then
  mounted=$work/small
  edgewise hunt scripted --seed 1 --workers 2 --time 60s --reduce-time 1s --out "$work/small/run" --ui line >"$work/log" 2>&1
  check_full "a small file system" "$work/small/run" "$work/log" $?
else
  echo "disk: no file system of our own here: that part is left out"
fi
exit "$failed"
