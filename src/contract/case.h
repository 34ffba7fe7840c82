/* case.h: a test before it is run: a scene, a base query, and the choices an oracle made. All of it trees, stored whole. */
#ifndef EW_CONTRACT_CASE_H
#define EW_CONTRACT_CASE_H

#include "contract/program.h"

struct ew_language;

/* A case is a pure function of its key. */
struct ew_case_key {
  uint32_t generator; /* version of the generators: EW_GENERATOR_VERSION */
  uint64_t seed;
  uint64_t number;
  uint64_t shape; /* hash of profile and of the options that shape generation */
};

uint64_t ew_case_key_hash(const struct ew_case_key *key);

/* Schema, data, and statements that change it before the base query; loading it is dear, so many cases share one. Every tree
   is of the case's language; `schema` and `data` may be NULL. */
struct ew_scene {
  const struct ew_node *schema, *data;
  struct ew_list statements;
};

/* The recorded choices of an oracle: trees of the language and numbers (ids of nodes, picks), meaning what the oracle says. */
struct ew_recipe {
  struct ew_list trees;
  const int64_t *numbers;
  size_t number_count;
};

struct ew_case {
  struct ew_case_key key;
  const struct ew_language *language;
  struct ew_scene scene;
  const struct ew_node *base; /* one statement, or several that are run one after the other */
  struct ew_recipe recipe;
};

/* Copies all that the case points to into `arena`. */
struct ew_case ew_case_clone(struct ew_arena *arena, const struct ew_case *original);

void ew_case_write_json(struct ew_json_writer *writer, const struct ew_case *test);
/* The language is looked up by its stored name among `languages`, a list that ends with NULL. */
enum ew_status ew_case_read_json(struct ew_arena *arena, const struct ew_language *const *languages,
                                 const struct ew_json *json, struct ew_case *test, struct ew_error *error) EW_CHECKED;

/* Twelve hexadecimal digits and NUL. */
struct ew_finding_id {
  char text[13];
};
struct ew_finding_id ew_finding_id(const struct ew_case_key *key, const char *oracle);

#endif
