-- wrong answer: a query and its parts return different rows: MATCH (n) RETURN n.i AS x
-- graphqlite 0.12.0, package graphqlite, found by edgewise (0123456789ab, confirmed)
-- Claim: the first run returns what the others return together.
-- To run it: sqlite3 :memory: < repro.sql
-- The .load line wants the engine's library: it is in the package; give its path if it is elsewhere.
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
