/* reduce.c: the passes in turn, until a whole round helps no more. */
#include "reduce/reduce.h"

#include "contract/language.h"
#include "reduce/edit.h"

typedef bool (*pass)(struct ew_reduction *reduction);

void ew_reduce(struct ew_reduction *reduction, const struct ew_case *test) {
  static const pass passes[] = {
#define PASS(name, summary) ew_pass_##name,
#include "reduce/pass.def"
#undef PASS
  };
  reduction->best = *test;
  ew_map_init(&reduction->refused);
  reduction->strict = test->language->check(test, true);
  bool helped = true;
  while (helped && !ew_edit_done(reduction)) {
    helped = false;
    for (size_t i = 0; i < EW_COUNT(passes) && !ew_edit_done(reduction); i++)
      while (passes[i](reduction)) helped = true;
  }
  ew_map_release(&reduction->refused);
}
