/* reduce.c: the passes in turn, until a whole round helps no more; then those that only make it nicer to read. */
#include "reduce/reduce.h"

#include "contract/language.h"
#include "reduce/edit.h"

typedef bool (*pass)(struct ew_reduction *reduction);

static const pass passes[] = {
#define PASS(name, summary) ew_pass_##name,
#define LAST(name, summary)
#include "reduce/pass.def"
#undef PASS
#undef LAST
};

static const pass last_passes[] = {
#define PASS(name, summary)
#define LAST(name, summary) ew_pass_##name,
#include "reduce/pass.def"
#undef PASS
#undef LAST
};

static void to_fixpoint(struct ew_reduction *reduction) {
  bool helped = true;
  while (helped && !ew_edit_done(reduction)) {
    helped = false;
    for (size_t i = 0; i < EW_COUNT(passes) && !ew_edit_done(reduction); i++)
      while (passes[i](reduction)) helped = true;
  }
}

void ew_reduce(struct ew_reduction *reduction, const struct ew_case *test) {
  reduction->best = *test;
  ew_map_init(&reduction->refused);
  reduction->level = test->language->check(test, true)    ? EW_CHECK_TYPES
                     : test->language->check(test, false) ? EW_CHECK_NAMES
                                                          : EW_UNCHECKED;
  to_fixpoint(reduction);
  for (size_t i = 0; i < EW_COUNT(last_passes) && !ew_edit_done(reduction); i++) last_passes[i](reduction);
  ew_map_release(&reduction->refused);
}
