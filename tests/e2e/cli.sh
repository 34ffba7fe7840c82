#!/usr/bin/env bash
# The command line as a user meets it: what each wrong and right call ends with, and what it says. No engine must be
# installed: hunts here use `scripted`, the engine for tests with planted faults, and `quiet`, the same without them.
set -u
root=$PWD
program=${EDGEWISE:?names the program}
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 1
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state NO_COLOR=1
export EDGEWISE_ENGINES=$work/engines
cp -r "$root/engines" engines
mkdir engines/quiet
sed -e '/^when/d' -e 's/^name = .*/name = quiet/' engines/scripted/profile.ini >engines/quiet/profile.ini
failed=0 checked=0

# check CODE PATTERN ARGUMENT…: the exit code, and an extended regular expression that its output must match.
check() {
  local code=$1 pattern=$2 got output
  shift 2
  output=$("$program" "$@" 2>&1 </dev/null)
  got=$?
  checked=$((checked + 1))
  if [ "$got" != "$code" ] || ! grep -Eq -- "$pattern" <<<"$output"; then
    failed=$((failed + 1))
    printf 'edgewise %s\n  ended with %s, wanted %s and /%s/; it said:\n%s\n' "$*" "$got" "$code" "$pattern" "$output"
  fi
}

# ---- help
check 0 'usage: edgewise COMMAND' --help
check 0 '^edgewise [0-9]+\.' --version
check 0 'usage: edgewise hunt' hunt --help
check 0 'usage: edgewise show FINDING' help show
for command in generate format run replay show report status retest bisect mute unmute engines doctor oracles explain bench; do
  check 0 "usage: edgewise $command" "$command" --help
done

# ---- wrong usage
check 64 'a command is wanted; see: edgewise --help'
check 64 "no command 'hnut'; did you mean 'hunt'" hnut
check 64 'hunt has no option --tme; did you mean --time' hunt --tme 3s
check 64 'hunt has no option --zzzzzzz; see' hunt --zzzzzzz
check 64 'show has no option --seed' show x --seed 3
check 64 "options have two dashes" hunt -t
check 64 "there is no engine 'neo'; did you mean 'neo4j'\? Else there are: .*graphqlite" hunt neo
check 64 "there is no engine 'oracle'; there are: " hunt oracle
check 64 "did you mean 'graphqlite'" hunt grapqlite
check 64 "there is no engine '../x'" hunt ../x
check 64 'is no version' hunt scripted@
check 64 'no engine that can be run' hunt opencypher
check 64 "no oracle 'partion'; did you mean 'partition'" hunt scripted --oracle partion
check 64 'does not speak' hunt scripted --oracle datalog
check 64 'no oracle is named' hunt scripted --oracle ,
check 64 "--tests wants a whole number, not 'abc'" hunt scripted --tests abc
check 64 "--tests wants a whole number, not '-1'" hunt scripted --tests -1
check 64 "--seed wants a whole number" hunt scripted --seed 18446744073709551616
check 64 '--workers is from 1' hunt scripted --workers 0
check 64 '--time wants DURATION behind it' hunt scripted --time
check 64 '--time wants a duration such as' hunt scripted --time soon
check 64 '--time wants a duration such as' hunt scripted --time 0
check 64 '--ui is one of auto\|screen\|line\|none' hunt scripted --ui big
check 64 'one argument too many' hunt scripted another
check 64 'replay wants FINDING' replay
check 64 'there is no finding .abc.' show abc
check 64 "there is no folder 'no/where'" replay no/where
check 64 'there is no run' report no/where
check 64 "there is no language 'prolog'; there are: cypher" generate prolog
check 64 'speaks datalog, not cypher' generate cypher --engine z3
check 64 'is no oracle, no relation and no engine' explain nonsense
check 64 'engines wants' engines lst
check 64 'is no version' hunt scripted@2/3
check 0 'installed already' engines install scripted
check 64 "there is no measurement 'speed'" bench speed

# ---- what is not there
check 2 'engine graphqlite@0\.0\.0 is not installed; run: edgewise engines install graphqlite@0\.0\.0' hunt graphqlite@0.0.0
EDGEWISE_ENGINES=$work/none check 2 'EDGEWISE_ENGINES names no folder' hunt

# ---- input that cannot be read
mkdir -p bad/empty bad/truncated bad/other
printf '{"format": 1, "id": "0123' >bad/truncated/finding.json
printf '{"format": 99}' >bad/other/finding.json
check 65 'it has no finding.json' show bad/empty
check 65 'finding.json' show bad/truncated
check 65 'finding.json' replay bad/truncated
check 65 'another format' replay bad/other
printf '[hunt]\ntimes = 3s\n' >bad/config.ini
check 65 'config.ini:2: .*did you mean --time' hunt scripted --config bad/config.ini
check 65 'No such file' hunt scripted --config bad/none.ini

# ---- what cannot be written, before anything starts
printf 'a file' >file
check 74 'cannot make the folder file' hunt scripted --tests 1 --out file/run
check 74 'cannot make the folder /proc' hunt scripted --tests 1 --out /proc/edgewise
for call in --help 'generate cypher --count 1' oracles engines; do
  # shellcheck disable=SC2086
  "$program" $call >/dev/full 2>said
  got=$?
  checked=$((checked + 1))
  if [ "$got" != 74 ] || ! grep -q 'cannot write to standard output' said; then
    failed=$((failed + 1))
    echo "edgewise $call >/dev/full ended with $got, wanted 74; it said: $(cat said)"
  fi
done

# ---- what works
check 0 '^survive .*cypher' oracles
check 0 'relation sum: ' explain sum
check 0 'source: ' explain survive
check 0 'engine graphqlite' explain graphqlite
check 0 '^graphqlite +cypher' engines
check 0 '^generate ' bench
check 2 'no engine is installed; run: edgewise engines install' doctor
check 0 'MATCH|RETURN' generate cypher --count 5 --seed 7
check 0 'declare-rel' generate datalog --count 1
check 0 '3 tests in .* on quiet 1, seed 3: nothing found' hunt quiet --oracle survive,partition --tests 3 --seed 3 --workers 1 --ui line
check 0 '"findings": \[\]' report --format json
check 0 '0 findings in 0 groups' report
check 0 'runs/latest: done quiet 1, seed 3, ' status
check 64 'there is no run' status no/where
mkdir -p bad/run
printf '{"phase": "testing", "engines": 3, "seconds": ' >bad/run/stats.json
check 65 'stats.json cannot be read' status bad/run
printf '{"phase": "testing", "engines": 3, "seconds": 12, "tests": 1200, "time_limit": 60}' >bad/run/stats.json
check 0 'testing .* 0:12 of 1:00' status bad/run
touch -d '1 hour ago' bad/run/stats.json
check 0 'has not been heard of for 36' status bad/run
"$program" hunt quiet --oracle survive --seed 3 --time 20s --workers 1 --ui none --out slow >/dev/null 2>&1 &
hunt=$!
for _ in $(seq 50); do [ -f slow/stats.json ] && break; sleep 0.2; done
check 0 'slow: testing quiet 1, seed 3, .* of 0:20' status slow
kill -INT $hunt
wait $hunt
check 0 'slow: done quiet' status slow
check 64 'holds a run already' hunt quiet --tests 1 --out runs/latest
check 0 'seed 3: nothing found' hunt --config runs/latest/config.ini --out again --ui none

# ---- from a hunt to its findings
check 1 'on scripted 1, seed 3: [0-9]+ groups? of findings' hunt scripted --oracle survive,partition --tests 200 --seed 3 --ui none
id=$(ls runs/latest/findings | head -n 1)
check 0 'To reproduce' show "$id"
check 0 "Replay +edgewise replay $id" show "${id:0:6}"
check 1 'seen again' replay "$id"
check 1 'seen again' replay "runs/latest/findings/$id"
check 0 '[0-9]+ findings? in [0-9]+ groups?' report
check 0 "\"id\": \"$id\"" report runs/latest --format jsonl
check 0 '^# ' report --format markdown
check 64 'begin with|no finding' show 0123456789abcdef
cp -r "runs/latest/findings/$id" moved
sed -i 's/"engine": "scripted"/"engine": "gone"/' moved/finding.json
check 2 "there is no engine 'gone'" replay moved
check 0 'gone 1' show moved

same() { # same NAME COMMAND…: two runs write the same bytes
  local name=$1
  shift
  checked=$((checked + 1))
  if ! cmp -s <("$@") <("$@"); then
    failed=$((failed + 1))
    echo "$name: two runs differ"
  fi
}
same 'generate cypher' "$program" generate cypher --seed 9 --count 50
[ "$("$program" generate cypher --seed 9 --count 50 | wc -l)" = 50 ] || {
  failed=$((failed + 1))
  echo 'generate: not one statement a line'
}
for file in config.ini stats.json run.db; do
  [ -f "runs/latest/$file" ] || { failed=$((failed + 1)); echo "the run's folder has no $file"; }
done

echo "cli: $checked calls, $failed wrong"
[ "$failed" = 0 ]
