-- wrong answer: a query and its parts return different rows: MATCH (n) RETURN n.i AS x
-- graphqlite 0.12.0, package graphqlite, found by edgewise (0123456789ab, confirmed)
-- Claim: the first run returns what the others return together.
-- To run it: LD_LIBRARY_PATH=FOLDER sqlite3 :memory: < repro.sql
-- FOLDER is where the engine's library is: graphqlite.so of the package. Or give .load the path below.
.bail off
.load graphqlite
-- Data
SELECT cypher('CREATE (:A {i: 1}), (:A {i: 2}), (:A)');
-- Run 1
SELECT cypher('MATCH (n) RETURN n.i AS x');
-- Run 2
SELECT cypher('MATCH (n) WITH * WHERE n.i > 1 RETURN n.i AS x');
-- Run 3
SELECT cypher('MATCH (n) WITH * WHERE NOT (n.i > 1) RETURN n.i AS x');
-- Run 4
SELECT cypher('MATCH (n) WITH * WHERE (n.i > 1) IS NULL RETURN n.i AS x');
