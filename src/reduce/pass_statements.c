/* pass_statements.c: drops statements of the scene, and the whole of its data, by ever smaller pieces. */
#include "reduce/ddmin.h"
#include "reduce/edit.h"

static struct ew_list without(struct ew_arena *arena, struct ew_list list, size_t from, size_t count) {
  const struct ew_node **items = EW_NEW_ARRAY(arena, const struct ew_node *, list.count + 1);
  size_t kept = 0;
  for (size_t i = 0; i < list.count; i++)
    if (i < from || i >= from + count) items[kept++] = list.items[i];
  return (struct ew_list){items, kept};
}

static bool drop_piece(void *context, size_t from, size_t count) {
  struct ew_reduction *reduction = context;
  struct ew_case candidate = reduction->best;
  candidate.scene.statements = without(reduction->arena, candidate.scene.statements, from, count);
  return ew_edit_try(reduction, &candidate);
}

static size_t left(void *context) {
  const struct ew_reduction *reduction = context;
  return ew_edit_done(reduction) ? 0 : reduction->best.scene.statements.count;
}

static bool drop_data(struct ew_reduction *reduction) {
  struct ew_case candidate = reduction->best;
  if (!candidate.scene.data) return false;
  candidate.scene.data = NULL;
  return ew_edit_try(reduction, &candidate);
}

bool ew_pass_statements(struct ew_reduction *reduction) {
  bool helped = drop_data(reduction);
  return ew_ddmin(&(struct ew_ddmin){left, drop_piece, reduction, 0}) || helped;
}
