/* pass_literals.c: replaces literals by simpler ones of their kind: 0, 1, '', 'a', half a string, a number without its last digit.
   Each is simpler than what it stands for, so that the pass ends. */
#include "reduce/edit.h"

enum { SIMPLER_MAX = 5 };

struct simpler {
  struct ew_value values[SIMPLER_MAX];
  size_t count;
};

static void add(struct simpler *simpler, struct ew_value value) { simpler->values[simpler->count++] = value; }

static void simpler_integers(int64_t integer, struct simpler *simpler) {
  if (integer == 0) return;
  add(simpler, ew_integer(0));
  if (integer == 1) return;
  add(simpler, ew_integer(1));
  if (integer == INT64_MIN || integer == -1) return;
  if (integer < 0) add(simpler, ew_integer(-integer));
  if (integer / 10) add(simpler, ew_integer(integer / 10));
}

/* What compares as no number at all has no place in the order. */
static void simpler_floats(double number, struct simpler *simpler) {
  if (number == 0.0) return;
  add(simpler, ew_float(0.0));
  if (number == 1.0) return;
  add(simpler, ew_float(1.0));
  if (number < 0 && number != -1.0) add(simpler, ew_float(-number));
  if (number > 10 || number < -10) {
    if (number < 9e15 && number > -9e15) add(simpler, ew_float((double)((int64_t)number / 10)));
  } else if (number > 1 || number < -1) {
    double whole = (double)(int64_t)number;
    if (whole != number) add(simpler, ew_float(whole));
  }
}

/* Halves end between characters. */
static void simpler_strings(struct ew_span string, struct simpler *simpler) {
  if (!string.length) return;
  add(simpler, ew_string(EW_SPAN("")));
  if (string.length > 1) add(simpler, ew_string(EW_SPAN("a")));
  size_t half = string.length / 2;
  while (half < string.length && ((unsigned char)string.bytes[half] & 0xc0) == 0x80) half++;
  if (!half || half == string.length) return;
  add(simpler, ew_string((struct ew_span){string.bytes, half}));
  add(simpler, ew_string((struct ew_span){string.bytes + half, string.length - half}));
}

/* The simpler values worth trying for `value`, simplest first. */
static void find_simpler(struct ew_value value, struct simpler *simpler) {
  switch (value.kind) {
    case EW_VALUE_INTEGER: simpler_integers(value.integer, simpler); break;
    case EW_VALUE_FLOAT: simpler_floats(value.number, simpler); break;
    case EW_VALUE_STRING: simpler_strings(value.string, simpler); break;
    case EW_VALUE_BOOLEAN:
      if (value.boolean) add(simpler, ew_boolean(false));
      break;
    default: break;
  }
}

static bool simplify(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field) {
  const struct ew_node *tree = ew_edit_tree(&reduction->best, number), *node = ew_tree_find(tree, id);
  if (!node || node->kind->fields[field].type != EW_FIELD_VALUE) return false;
  struct simpler simpler = {0};
  find_simpler(*ew_node_fields(node)[field].value, &simpler);
  for (size_t i = 0; i < simpler.count && !ew_edit_done(reduction); i++) {
    union ew_field fields[EW_FIELDS_MAX];
    struct ew_builder builder = ew_edit_builder(reduction, tree);
    memcpy(fields, ew_node_fields(node), ew_kind_field_count(node->kind) * sizeof fields[0]);
    fields[field].value = ew_literal_of(&builder, simpler.values[i]);
    const struct ew_node *changed = ew_node_changed(&builder, node, fields);
    if (ew_edit_try_tree(reduction, number, ew_tree_replace(&builder, tree, id, changed))) return true;
  }
  return false;
}

bool ew_pass_literals(struct ew_reduction *reduction) {
  return ew_edit_each_field(reduction, EW_EDIT(EW_FIELD_VALUE), simplify);
}
