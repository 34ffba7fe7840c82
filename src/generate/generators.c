/* generators.c: the table of generators, one per language. */
#include "generate/cypher.h"
#include "generate/datalog.h"
#include "generate/generate.h"

const struct ew_generator *const ew_generators[] = {&ew_generate_cypher, &ew_generate_datalog, NULL};

const struct ew_generator *ew_generator_find(const struct ew_language *language) {
  for (size_t i = 0; ew_generators[i]; i++)
    if (ew_generators[i]->language == language) return ew_generators[i];
  return NULL;
}
