/* determinism.h: what a query's text says of its answer: whether it is one bag of rows, also in one order, or open, and
   which errors the data may cause. Careful: what it calls fixed is fixed; what it calls open may well be fixed on the
   data at hand, which only running it can tell. */
#ifndef EW_LANG_CYPHER_DETERMINISM_H
#define EW_LANG_CYPHER_DETERMINISM_H

#include "lang/cypher/node.h"

enum ew_cypher_open {
#define OPEN(name, words) EW_OPEN_##name,
#define FAILURE(name, words)
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  EW_OPENS
};

enum ew_cypher_failure {
#define OPEN(name, words)
#define FAILURE(name, words) EW_FAILURE_##name,
#include "lang/cypher/determinism.def"
#undef OPEN
#undef FAILURE
  EW_FAILURES
};

enum ew_cypher_answer {
  EW_ANSWER_OPEN,
  EW_ANSWER_BAG,   /* the same rows, in any order */
  EW_ANSWER_ORDER, /* the same rows in the same order */
};

/* What is seen in any part of a statement. */
struct ew_cypher_survey {
  uint32_t open;     /* bits of enum ew_cypher_open; EW_OPEN_REPRESENTATIVE is not among them */
  uint32_t failures; /* bits of enum ew_cypher_failure */
  bool writes;
  bool cuts;   /* with SKIP or LIMIT */
  bool merges; /* rows: with DISTINCT, an aggregate or UNION */
};

struct ew_cypher_survey ew_cypher_survey(const struct ew_node *tree);

struct ew_cypher_determinism {
  enum ew_cypher_answer answer;
  uint32_t open, failures;
  bool writes;
};

struct ew_cypher_determinism ew_cypher_determinism(const struct ew_node *statement);

const char *ew_cypher_open_words(enum ew_cypher_open open);
const char *ew_cypher_failure_words(enum ew_cypher_failure failure);

#endif
