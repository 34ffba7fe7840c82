/* answer.h: a program on the model, and what it says against what an engine said. */
#ifndef EW_CLI_ANSWER_H
#define EW_CLI_ANSWER_H

#include "cli/execute.h"
#include "contract/profile.h"

/* How the model ended. */
struct ew_answer {
  struct ew_query_error error; /* type is NULL where it gave rows */
  bool readable;               /* false: the model's parser refuses the text */
  bool limit;                  /* a budget was spent */
  uint32_t open;               /* bits of enum ew_open */
  struct ew_rows rows;
};

/* Runs the statements of a program one after the other under an engine's semantics; the answer is that of the first that fails,
   else of the last. All of it lives in `arena`, but elements are the graph's. */
void ew_answer_run(struct ew_model *model, const struct ew_program *program, const struct ew_semantics *semantics,
                   struct ew_arena *arena, struct ew_answer *answer);

enum ew_agreement {
  EW_AGREE,
  EW_NO_MATTER,    /* refused, timed out, died on its own: not about what the query means */
  EW_LEFT_OPEN,    /* the language leaves the answer open */
  EW_MODEL_FAILS,  /* and the engine gives rows */
  EW_ENGINE_FAILS, /* with an error that blames the query, and the model gives rows */
  EW_MORE_ROWS,    /* the engine has rows that the model has not, and all of the model's */
  EW_FEWER_ROWS,   /* the other way round */
  EW_OTHER_ROWS,   /* as many or not, each has some of its own */
  EW_OTHER_ORDER,  /* the same rows, and their order is certain */
};

/* Elements are compared by what they are made of, since their ids are the engine's affair. `difference` gets the rows that
   differ, in that form, and may be NULL. */
struct ew_difference {
  struct ew_rows model, engine;
};
enum ew_agreement ew_answer_compare(const struct ew_answer *answer, const struct ew_statement_outcome *outcome,
                                    bool ordered, const struct ew_semantics *semantics, struct ew_arena *arena,
                                    struct ew_difference *difference);

#endif
