# common.sh: what the fault tests share; they source it. They hunt two engines: `scripted`, with its planted faults, and `quiet`,
# the same without them.
program=${EDGEWISE:?names the program}
work=$(mktemp -d)
export XDG_STATE_HOME=$work/state # what other tests found is not known here
engine() { # engine NAME SED-SCRIPT: another engine, from the scripted one's profile
  mkdir -p "$work/engines/$1"
  sed -e "s/^name = .*/name = $1/" -e "$2" engines/scripted/profile.ini >"$work/engines/$1/profile.ini"
}
engine scripted ''
engine quiet '/^when/d'
export EDGEWISE_ENGINES=$work/engines XDG_CACHE_HOME=$work/cache NO_COLOR=1
mark=EDGEWISE_TEST_MARK=$$-$RANDOM$RANDOM # in the environment of each process that the program under test starts
mounted=
failed=0

clean_up() {
  [ -z "$mounted" ] || umount "$mounted"
  rm -rf "$work"
}
trap clean_up EXIT

edgewise() { env "$mark" "$program" "$@"; }

wrong() { # wrong TEXT…
  echo "WRONG: $*"
  failed=1
}

processes() { grep -lazF "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3 | while read -r process; do
  grep -q '^State:.*Z' "/proc/$process/status" 2>/dev/null || echo "$process"
done; }

# Within two seconds no process of the program is left.
check_no_process() {
  local left=
  for _ in $(seq 40); do
    left=$(processes)
    [ -n "$left" ] || return 0
    sleep 0.05
  done
  wrong "processes are left: $(for process in $left; do tr '\0' ' ' <"/proc/$process/cmdline"; echo "($process)"; done)"
}

check_database() { # check_database RUN: run.db opens and is whole
  [ -e "$1/run.db" ] || return 0
  local said
  said=$(python3 -c 'import sqlite3, sys
print(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()[0])' "$1/run.db" 2>&1)
  [ "$said" = ok ] || wrong "$1/run.db: $said"
}

# Every finding that was announced in LOG is in RUN and shows again; every folder of a finding is whole.
check_announced() { # check_announced RUN LOG
  local id code
  for id in $(sed -n 's/^found \([0-9a-f]*\) .*/\1/p' "$2"); do
    edgewise replay "$1/findings/$id" >"$work/replay" 2>&1
    code=$?
    [ "$code" = 1 ] || wrong "$id was announced; replay ends with $code: $(cat "$work/replay")"
  done
  [ -d "$1/findings" ] || return 0
  edgewise report "$1" >"$work/report" 2>&1 || wrong "report $1: $(cat "$work/report")"
}

number() { # number RUN NAME: a number of stats.json
  python3 -c 'import json, sys
print(json.load(open(sys.argv[1] + "/stats.json"))[sys.argv[2]])' "$1" "$2"
}
