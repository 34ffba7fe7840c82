/* datalog.c: the table of the language, and the one statement that a program is. */
#include "lang/datalog/parts.h"
#include "tree/define.h"

/* Facts travel with each program: µZ keeps no state between two texts. */
static struct ew_program load(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_profile *profile) {
  (void)arena;
  (void)scene;
  (void)profile;
  return (struct ew_program){0};
}

static struct ew_program ask(struct ew_arena *arena, const struct ew_scene *scene, const struct ew_node *query,
                             const struct ew_profile *profile) {
  static const struct ew_span columns[] = {{"relation", 8}, {"tuple", 5}};
  struct ew_text text = {0};
  (void)profile;
  ew_datalog_print_whole(&text, query, scene->data);
  struct ew_statement *statement = EW_NEW(arena, struct ew_statement);
  statement->text = ew_arena_copy(arena, ew_text_span(&text));
  statement->tree = query;
  statement->columns = (struct ew_names){columns, EW_COUNT(columns)};
  ew_text_release(&text);
  return (struct ew_program){statement, 1};
}

static const struct ew_rule_step *const steps[] = {&ew_datalog_addeq, NULL};

const struct ew_language ew_datalog = {
    .name = "datalog",
    .extension = "smt2",
    .table = &datalog_table,
    .print = ew_datalog_print,
    .load = load,
    .ask = ask,
    .check = ew_datalog_check,
    .features = ew_datalog_features,
    .shape = ew_datalog_shape,
    .steps = steps,
};
