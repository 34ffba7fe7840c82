/* pass_fresh.c: drops from the base what the recipe needs, which the other passes cannot, and draws other recipes for what is left:
   a predicate on n stands in the way of dropping n, but another predicate may show the same. */
#include "reduce/edit.h"

bool ew_pass_fresh(struct ew_reduction *reduction) {
  if (!reduction->oracle || !reduction->oracle->recompose || !reduction->generator) return false;
  reduction->fresh = true;
  bool helped = ew_pass_items(reduction);
  helped = ew_pass_hoist(reduction) || helped;
  reduction->fresh = false;
  return helped;
}
