/* pass_steps.c: leaves out steps of the recipe, which only its oracle can tell apart. */
#include "reduce/edit.h"

bool ew_pass_steps(struct ew_reduction *reduction) {
  bool helped = false;
  if (!reduction->oracle || !reduction->oracle->shorten) return false;
  for (size_t which = 0; !ew_edit_done(reduction);) {
    struct ew_case candidate = reduction->best;
    if (!reduction->oracle->shorten(&reduction->best, which, reduction->arena, &candidate.recipe)) break;
    if (ew_edit_try(reduction, &candidate))
      helped = true;
    else
      which++;
  }
  return helped;
}
