#!/usr/bin/env bash
# `edgewise format` and `edgewise run`: Cypher as a user has it, in and out.
set -u
program=${EDGEWISE:?names the program}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failed=0 checked=0

# check NAME CODE WANTED COMMAND…: the exit code, and all of what it says, on both channels.
check() {
  local name=$1 code=$2 wanted=$3 output got
  shift 3
  output=$("$program" "$@" 2>&1)
  got=$?
  checked=$((checked + 1))
  if [ "$got" != "$code" ] || [ "$output" != "$wanted" ]; then
    failed=$((failed + 1))
    printf '%s: edgewise %s\n  ended with %s, wanted %s\n' "$name" "$*" "$got" "$code"
    diff <(printf '%s\n' "$wanted") <(printf '%s\n' "$output")
  fi
}

# ---- format
cat >messy.cypher <<'END'
// the graph
match (n:A{x:1})--( m ) /* both ways */ where n.x=1 AND(m.y>2)
  return  n . x as  `x`, count( * );;

create (:`a b` {s: "it's"})
END
clean="MATCH (n:A {x: 1})--(m) WHERE n.x = 1 AND m.y > 2 RETURN n.x AS x, count(*);
CREATE (:\`a b\` {s: 'it\\'s'});"
check "comments and blanks go" 0 "$clean" format messy.cypher
check "standard input" 0 "$clean" format <messy.cypher
printf '%s\n' "$clean" >clean.cypher
check "what was printed stays as it is" 0 "$clean" format clean.cypher
lines='MATCH (n) RETURN n
CREATE (a) RETURN a'
printf '%s\n' "$lines" >lines.cypher
check "one a line" 0 "$lines" format lines.cypher
check "one that is spread over lines" 0 "CREATE (a) CREATE (a)-[:T]->(b)" format < <(printf 'CREATE (a)\nCREATE (a)-[:T]->(b);\n')
check "nothing is nothing" 0 "" format </dev/null

printf 'RETURN 1;\n\nMATCH (n RETURN n\n' >wrong.cypher
check "line, column, what was expected, caret" 65 \
  "edgewise: wrong.cypher: line 3, column 10: found 'RETURN', expected ':', IS, '{', WHERE or ')' (UnexpectedSyntax)
  MATCH (n RETURN n
           ^" format wrong.cypher
printf 'RETURN 1\nRETURN 2 +\n' >open.cypher
check "the error that is further on is shown" 65 \
  "edgewise: open.cypher: line 2, column 11: found the end of the text, expected an expression (UnexpectedSyntax)
  RETURN 2 +
            ^" format open.cypher
printf 'CREATE INDEX FOR (n:A) ON (n.x)' >index.cypher
check "as an engine spells it" 0 'CREATE INDEX ON :A(x)' format index.cypher --engine memgraph
printf 'RETURN 1;\nMATCH (n:!A)\nRETURN n' >negation.cypher
check "in another dialect" 65 'edgewise: line 2: memgraph does not have the pattern label_negation' \
  format --engine memgraph negation.cypher
check "no such engine" 64 "edgewise: z3 speaks datalog, not cypher" format --engine z3 negation.cypher
check "no such file" 64 "edgewise: cannot read none.cypher: No such file or directory" format none.cypher
head -c 100000 /dev/zero | tr '\0' '(' >deep.cypher
"$program" format deep.cypher >deep.txt 2>&1
if [ $? != 65 ] || ! grep -q 'nests too deeply\|expected' deep.txt; then
  echo "brackets without end: $(head -c 300 deep.txt)"
  failed=$((failed + 1))
fi

# ---- run
cat >graph.cypher <<'END'
CREATE (a:A {x: 1})-[:T]->(b:B {x: 2}), (b)-[:T]->(a);
MATCH (n) RETURN n.x + 0,  n . x  AS x ORDER BY x;
MATCH (n)-->(:B) RETURN count( * )
END
check "tables" 0 "> CREATE (a:A {x: 1})-[:T]->(b:B {x: 2}), (b)-[:T]->(a)
nodes created: 2, relationships created: 2, properties set: 2, labels added: 2

> MATCH (n) RETURN n.x + 0, n.x AS x ORDER BY x
n.x + 0 | x
--------+--
1       | 1
2       | 2

> MATCH (n)-->(:B) RETURN count(*)
count( * )
----------
1" run graph.cypher

printf 'CREATE (:A)-[:T]->(:B);\nMATCH (n) WHERE EXISTS { MATCH (n)-->(m) RETURN m } RETURN n:A\n' >explain.cypher
check "rows clause by clause" 0 "> CREATE (:A)-[:T]->(:B)
  rows  clause
     1  CREATE (:A)-[:T]->(:B)
nodes created: 2, relationships created: 1, labels added: 2

> MATCH (n) WHERE EXISTS { MATCH (n)-->(m) RETURN m } RETURN n:A
  rows  clause
     1    MATCH (n)-->(m)  (2 times)
     1    RETURN m  (2 times)
     1  MATCH (n) WHERE EXISTS { MATCH (n)-->(m) RETURN m }
     1  RETURN n:A
n:A
----
true" run explain.cypher --explain

if ! "$program" run graph.cypher --json | python3 -c '
import json, sys
lines = [json.loads(line) for line in sys.stdin]
assert len(lines) == 3, lines
assert lines[0]["counters"]["nodes_created"] == 2, lines[0]
assert lines[1]["result"]["columns"] == ["n.x + 0", "x"], lines[1]
assert lines[1]["result"]["rows"] == [[1, 1], [2, 2]], lines[1]
assert lines[1]["ordered"] is True, lines[1]
'; then
  echo "--json is not as it must be"
  failed=$((failed + 1))
fi

printf 'CREATE (:A);\nRETURN 1 / 0;\nRETURN 2\n' >fails.cypher
check "an error ends it" 1 "> CREATE (:A)
nodes created: 1, labels added: 1

> RETURN 1 / 0
ArithmeticError at run time: DivisionByZero: division by zero" run fails.cypher
printf 'RETURN nobody' >static.cypher
check "an error before it runs" 1 "> RETURN nobody
SyntaxError at compile time: UndefinedVariable: a variable is used that is not bound here: nobody" run static.cypher
check "a file that cannot be parsed" 65 \
  "edgewise: wrong.cypher: line 3, column 10: found 'RETURN', expected ':', IS, '{', WHERE or ')' (UnexpectedSyntax)
  MATCH (n RETURN n
           ^" run wrong.cypher

echo "cypher.sh: $checked checks, $failed failed"
[ "$failed" = 0 ]
