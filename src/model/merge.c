/* merge.c: MERGE: for each row in turn, all matches of the pattern, or else the pattern created. Later rows see what
   earlier ones made. */
#include "model/planted.h"
#include "model/write.h"

struct merge {
  const struct ew_pattern *pattern;
  const struct ew_creation *creation;
  const struct ew_changes *on_create, *on_match;
};

struct finding {
  const struct ew_pattern *pattern;
  struct ew_table *out;
  int64_t first_new; /* id of the first node that this clause may have made */
};

static bool keep_match(struct ew_execution *run, void *context) {
  const struct finding *finding = context;
  if (ew_planted(run->model, EW_PLANT_merge_does_not_see_equal_number_of_other_type_from_earlier_row) &&
      ew_plant_overlooks(run, finding->pattern, finding->first_new))
    return true;
  ew_table_add_slots(run, finding->out);
  return !run->failed;
}

static void check_condition(struct ew_execution *run, const struct ew_condition *condition) {
  for (size_t i = 0; i < condition->count && !run->failed; i++)
    if (ew_evaluate(run, condition->values[i]).kind == EW_VALUE_NULL &&
        !ew_planted(run->model, EW_PLANT_merge_with_null_property_creates_node))
      ew_run_fail(run, EW_FAULT_MERGE_NULL, "MERGE with %.*s: null", EW_SPAN_ARGS(condition->keys[i]));
}

/* A null equals nothing, so that a pattern with one would be created again and again: an error. */
static void check_nulls(struct ew_execution *run, const struct ew_pattern *pattern) {
  for (size_t i = 0; i < pattern->path_count && !run->failed; i++) {
    const struct ew_path_element *path = &pattern->paths[i];
    for (size_t k = 0; k <= path->length; k++)
      if (path->nodes[k].slot >= pattern->first) check_condition(run, &path->nodes[k].condition);
    for (size_t k = 0; k < path->length; k++) check_condition(run, &path->relationships[k].condition);
  }
}

static void run_merge(struct ew_execution *run, const struct ew_step *step, const struct ew_table *in,
                      struct ew_table *out) {
  const struct merge *merge = step->detail;
  struct finding finding = {merge->pattern, out, run->graph->next_node};
  for (size_t i = 0; i < in->count && !run->failed; i++) {
    size_t before = out->count;
    ew_table_load(run, in, i);
    check_nulls(run, merge->pattern);
    if (!run->failed) ew_match(run, merge->pattern, keep_match, &finding);
    if (out->count > before) {
      for (size_t k = before; k < out->count && !run->failed; k++) {
        ew_table_load(run, out, k);
        ew_apply_changes(run, merge->on_match);
      }
    } else if (!run->failed) {
      ew_table_load(run, in, i);
      ew_create(run, merge->creation);
      ew_apply_changes(run, merge->on_create);
      ew_table_add_slots(run, out);
    }
  }
}

const struct ew_step *ew_compile_merge(struct ew_compiler *compiler, const struct ew_node *node) {
  const struct cypher_merge *source = CYPHER_AS(merge, node);
  struct merge *merge = EW_NEW(compiler->arena, struct merge);
  merge->pattern = ew_compile_pattern(compiler, (struct ew_list){&source->pattern.node, 1}, NULL);
  merge->creation = ew_compile_creation(compiler, merge->pattern);
  merge->on_create = ew_compile_change_list(compiler, source->on_create.list);
  merge->on_match = ew_compile_change_list(compiler, source->on_match.list);
  if (ew_planted(compiler->model, EW_PLANT_merge_on_match_set_null_keeps_property))
    ew_changes_skip_nulls(merge->on_match);
  if (ew_planted(compiler->model, EW_PLANT_undirected_merge_creates_second_relationship))
    ew_plant_merge(merge->pattern);
  return ew_step_new(compiler, run_merge, node, merge);
}
