#!/usr/bin/env bash
# `edgewise reduce`: a script of the user's own by a program of the user's own, and a stored finding on its engine.
set -u
program=${EDGEWISE:?names the program}
case $program in /*) ;; *) program=$PWD/$program ;; esac
engines=$PWD/engines
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 checked=0

# check NAME CODE WANTED COMMAND…: the exit code, and what is on standard output; standard error goes to the file `said`.
check() {
  local name=$1 code=$2 wanted=$3 output got
  shift 3
  output=$("$program" "$@" 2>said)
  got=$?
  checked=$((checked + 1))
  if [ "$got" != "$code" ] || [ "$output" != "$wanted" ]; then
    failed=$((failed + 1))
    printf '%s: edgewise %s\n  ended with %s, wanted %s; said: %s\n' "$name" "$*" "$got" "$code" "$(cat said)"
    diff <(printf '%s\n' "$wanted") <(printf '%s\n' "$output")
  fi
}

wrong() {
  failed=$((failed + 1))
  echo "$*"
}

# judge NAME COMMAND…: a program that is content where the command is, with the script in $1
judge() {
  local name=$1
  shift
  printf '#!/bin/sh\n%s\n' "$*" >"$name"
  chmod +x "$name"
}

# ---- a script
cat >script.cypher <<'END'
CREATE (ann:Person {name: 'Ann', age: 3})-[:KNOWS {since: 2001}]->(bob:Person {name: 'Bob'});
CREATE INDEX FOR (n:Person) ON (n.name);
MATCH (n:Person) WHERE n.age > 2 AND (n.name = 'Ann' XOR true) RETURN n.name, count(*) AS c ORDER BY c DESC LIMIT 3;
MATCH (n) DETACH DELETE n
END
judge has-xor 'grep -q XOR "$1"'
check "one operator" 0 "MATCH () WHERE null XOR null RETURN null;" reduce script.cypher --test ./has-xor
grep -q '^edgewise: [0-9]* bytes, now 42; [0-9]* tries$' said || wrong "it does not say what it did: $(cat said)"
judge has-since 'grep -q since "$1"'
check "one property" 0 "CREATE ()-[:R {since: null}]->();" reduce script.cypher --test ./has-since
judge has-both 'grep -q KNOWS "$1" && grep -q "DELETE" "$1"'
check "two statements" 0 "CREATE ()-[:KNOWS]->();
DELETE null;" reduce script.cypher --test ./has-both
judge anything true
check "nothing is left where anything will do" 0 "" reduce script.cypher --test ./anything
check "to a file" 0 "" reduce script.cypher --test ./has-xor --out small.cypher
[ "$(cat small.cypher)" = "MATCH () WHERE null XOR null RETURN null;" ] || wrong "--out wrote: $(cat small.cypher)"
check "a program in PATH" 0 "" reduce script.cypher --test true

# The program gets one argument, a file that it may do with as it likes; no shell ever sees it.
mkdir 'a b; touch x'
judge shows-path 'printf "%s\n" "$#" "$1" >>seen; grep -q XOR "$1"; code=$?; rm -f "$1"; exit $code'
TMPDIR="$work/a b; touch x" check "an odd path" 0 "MATCH () WHERE null XOR null RETURN null;" reduce script.cypher --test ./shows-path
[ "$(sort -u seen | wc -l)" = 2 ] && [ ! -e x ] || wrong "the path was seen as: $(sort -u seen)"
[ -z "$(ls 'a b; touch x')" ] || wrong "left behind: $(ls -R 'a b; touch x')"

# What cannot be checked is reduced all the same; what is right stays right.
printf 'RETURN nobody + 1 AS a, 2 AS b;\n' >unbound.cypher
judge has-nobody 'grep -q nobody "$1"'
check "names that are not bound" 0 "RETURN nobody;" reduce unbound.cypher --test ./has-nobody
judge keeps-right '"'"$program"'" run "$1" >/dev/null 2>&1 && grep -q "count" "$1"'
check "it still runs" 0 "RETURN count(*);" reduce script.cypher --test ./keeps-right

judge never false
check "of no interest" 65 "" reduce script.cypher --test ./never
check "no such program" 64 "" reduce script.cypher --test ./none
check "no such file" 64 "" reduce none.cypher --test ./has-xor
printf 'MATCH (n RETURN n' >wrong.cypher
check "no Cypher" 65 "" reduce wrong.cypher --test ./has-xor
check "no such finding" 64 "" reduce 0123456789ab
check "--out without --test" 64 "" reduce 0123456789ab --out x

# Ctrl-C gives the smallest so far.
judge slow 'sleep 0.2; grep -q XOR "$1"'
"$program" reduce script.cypher --test ./slow >partly 2>said &
reducing=$!
sleep 1.5
kill -INT "$reducing"
wait "$reducing" || wrong "Ctrl-C: ended with $?"
if ! grep -q XOR partly || [ "$(wc -c <partly)" -ge "$(wc -c <script.cypher)" ]; then wrong "Ctrl-C: $(cat partly)"; fi

# ---- a finding
export XDG_CACHE_HOME=$work/cache
mkdir -p engines/scripted
sed '/^when/{/internal/!d}' "$engines/scripted/profile.ini" >engines/scripted/profile.ini
export EDGEWISE_ENGINES=$work/engines
"$program" hunt scripted --oracle survive,partition --seed 3 --tests 400 --workers 1 --reduce-time 0.001ms --ui none --out run >log 2>&1
finding=$(grep -l 'no plan for toUpper' run/findings/*/finding.json | head -1)
finding=${finding%/finding.json}
[ -n "$finding" ] || { wrong "no finding to reduce: $(cat log)"; exit 1; }
number() { python3 -c 'import json, sys; print(int(json.load(open(sys.argv[1]))[sys.argv[2]]))' "$finding/finding.json" "$1"; }
before=$(number bytes_after)
[ "$(number reduced)" = 0 ] || wrong "reduced in no time"
echo mine >"$finding/notes.txt"
"$program" reduce "$finding" >said 2>&1 || wrong "reduce: $(cat said)"
after=$(number bytes_after)
[ "$(number reduced)" = 1 ] && [ "$before" -gt 200 ] && [ "$after" -lt 80 ] || wrong "$before bytes became $after: $(cat said)"
grep -q 'toUpper(null)' "$finding"/repro.* || wrong "the repro is another one: $(cat "$finding"/repro.*)"
grep -q 'toUpper(null)' "$finding/report.md" || wrong "the report is another one"
[ "$(cat "$finding/notes.txt")" = mine ] || wrong "a file of the user's is gone"
"$program" replay "$finding" >said 2>&1
[ $? = 1 ] || wrong "it does not show again: $(cat said)"
in_database=$(python3 -c 'import sqlite3, sys
print(sqlite3.connect("run/run.db").execute("SELECT bytes FROM findings WHERE id = ?", sys.argv[1:]).fetchone()[0])' "${finding##*/}")
[ "$in_database" = "$after" ] || wrong "run.db has $in_database bytes"
"$program" reduce "$finding" >said 2>&1 || wrong "again: $(cat said)"
[ "$(number bytes_after)" = "$after" ] || wrong "again, it became $(number bytes_after) bytes"
cp -r "$finding" alone
(cd alone && "$program" reduce .) >said 2>&1 || wrong "apart from its run: $(cat said)"
[ -z "$(find . -name '.*.new*')" ] || wrong "left behind: $(find . -name '.*.new*')"
mkdir -p other/scripted
sed '/^when/d' "$engines/scripted/profile.ini" >other/scripted/profile.ini
cp -r alone kept
EDGEWISE_ENGINES=$work/other "$program" reduce alone >said 2>&1
[ $? = 2 ] || wrong "an engine that does not show it: $(cat said)"
diff -r alone kept || wrong "a finding that is not seen has changed"

echo "reduce.sh: $checked checks, $failed failed"
[ "$failed" = 0 ]
