/* language.h: all that the rooms above know of a language: a table of functions and a node table. */
#ifndef EW_CONTRACT_LANGUAGE_H
#define EW_CONTRACT_LANGUAGE_H

#include "base/random.h"
#include "contract/case.h"
#include "contract/profile.h"
#include "contract/relation.h"

/* Which part of a partition a query is to return. */
enum ew_part { EW_PART_TRUE, EW_PART_FALSE, EW_PART_UNKNOWN, EW_PARTS };

/* What the oracle `partition` needs. NULL in a language that has no predicates. */
struct ew_partition_words {
  unsigned parts; /* EW_PARTS, or 2 where there is no third value */
  /* The base query with `predicate` (true, false, unknown) asked of the rows that reach its last projection. */
  const struct ew_node *(*restrict_to)(struct ew_builder *builder, const struct ew_node *base,
                                       const struct ew_node *predicate, enum ew_part part);
  /* How the answers of the parts combine to that of `base`; false where they do not partition. */
  bool (*combiner)(const struct ew_node *base, enum ew_combiner *combiner);
};

/* What the oracle `datalog` needs: steps on rules that leave a program's meaning as it is, or widen or narrow it. */
struct ew_rule_step {
  const char *name; /* "addEQ" */
  /* Draws a step for the program and records it; false where it applies nowhere. */
  bool (*choose)(struct ew_builder *builder, const struct ew_node *program, struct ew_random *random,
                 struct ew_recipe *recipe);
  /* The program after the recorded step; NULL where the step does not apply to it (any more). */
  const struct ew_node *(*apply)(struct ew_builder *builder, const struct ew_node *program,
                                 const struct ew_recipe *recipe);
  int direction; /* 0: same; 1: the new program derives at least as much; -1: at most as much */
};

#define EW_MARK_CLAUSE "clause "
#define EW_MARK_VALUE "value "
#define EW_MARK_CONSTANT "constant "
#define EW_MARK_PATTERN "pattern "
#define EW_MARK_CARRIER "carrier "

struct ew_language {
  const char *name;      /* "cypher" */
  const char *extension; /* of files in it: "cypher" */
  const struct ew_node_table *table;

  /* Appends `tree` as text, as this engine spells it. Profile NULL is the standard. */
  void (*print)(struct ew_text *text, const struct ew_node *tree, const struct ew_profile *profile);
  /* Statements that build the scene on an empty engine. */
  struct ew_program (*load)(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_profile *profile);
  /* The program that asks the base query (or a rewriting of it) on a loaded scene. */
  struct ew_program (*ask)(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_node *query,
                           const struct ew_profile *profile);
  /* Statements that read back all of the data, so that two states can be compared; NULL where the language has none. */
  struct ew_program (*state)(struct ew_arena *arena, const struct ew_profile *profile);
  /* Whether running the tree may change the data; NULL where nothing can. */
  bool (*changes)(const struct ew_node *tree);
  /* Whether values in the data may make it fail; NULL where nothing is known. */
  bool (*may_fail)(const struct ew_node *tree);
  /* Whether a case makes sense: names are bound, what must be aliased is, the recipe's trees fit; where `strict`, operands and
     arguments have the right types too. Reducers ask before an engine is. */
  bool (*check)(const struct ew_case *test, bool strict);
  /* What may stand in the place of `node` and is simpler, simplest first, made anew; NULL behind the last. May be NULL itself. */
  const struct ew_node *(*simplest)(struct ew_builder *builder, const struct ew_node *node, size_t which);
  /* EW_BAD with file, line and reason where a profile names what the language does not have. May be NULL. */
  enum ew_status (*check_profile)(const struct ew_profile *profile, struct ew_error *error);
  /* Whether the tree has something that the profile has not; `what`, which may be NULL, gets words for the first. May be NULL. */
  bool (*lacks)(const struct ew_node *tree, const struct ew_profile *profile, struct ew_text *what);
  /* Names for constructs in the tree, counted as `features`; calls `found` for each occurrence. */
  void (*features)(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context);
  /* The features of a reduced tree that tell its cause: without what nearly every tree has. Those of its clauses begin with
     EW_MARK_CLAUSE; those that matter only to single values, such as which aggregate it is, with EW_MARK_VALUE; kinds of
     constants with EW_MARK_CONSTANT; those of what is matched with EW_MARK_PATTERN. EW_MARK_CARRIER, first or behind
     EW_MARK_CLAUSE: what any bug may be met in. NULL: all features do. */
  void (*marks)(const struct ew_node *tree, void (*found)(void *context, const char *mark), void *context);
  /* The shape of a tree with names and constants taken out: what a fingerprint of a logic bug hashes. */
  void (*shape)(struct ew_text *text, const struct ew_node *tree);
  /* Dependencies as the Dinkel paper counts them; NULL where the notion does not exist. */
  size_t (*dependencies)(const struct ew_node *tree);

  const struct ew_partition_words *partition;
  const struct ew_rule_step *const *steps; /* ends with NULL; NULL where there are none */
};

#endif
