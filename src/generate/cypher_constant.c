/* cypher_constant.c: constants of a type: such as occur in the data, common ones, and those at a boundary; and the
   parameters that stand for some of them. */
#include <math.h> /* isfinite */

#include "generate/cypher_expression.h"
#include "generate/values.h"
#include "lang/cypher/constant.h"

enum {
  BOUNDARY_PERCENT = 14,  /* of constants that are not taken from the data */
  FROM_DATA_PERCENT = 50, /* of constants: one that occurs in the graph */
  NULL_PERCENT = 3,       /* of constants */
  PARAMETER_PERCENT = 6,  /* of constants: a parameter in their place */
  ITEMS_MAX = 4,
  EMPTY_PERCENT = 8,        /* of lists */
  NULL_ITEM_PERCENT = 9,    /* of items of lists */
  AGAIN_PERCENT = 12,       /* of items of lists: what equals the one before */
  OTHER_NUMBER_PERCENT = 7, /* of numbers in lists: of the other type, so that 1 and 1.0 meet */
};

/* ---- values as expressions ---- */

/* Moments and points have no literals: a call with the text, or with the fields. */
static const struct ew_node *make_moment(struct ew_cypher_writer *writer, struct ew_value value) {
  const struct ew_node *argument;
  struct ew_span name = value.kind == EW_VALUE_POINT ? EW_SPAN("point") : ew_span_of(ew_value_constructor(value.kind));
  if (value.kind == EW_VALUE_POINT) {
    const struct ew_item items[] = {{EW_SPAN("x"), ew_float(value.point->x)},
                                    {EW_SPAN("y"), ew_float(value.point->y)},
                                    {EW_SPAN("srid"), ew_integer(value.point->srid)}};
    argument =
        ew_cypher_constant(writer->builder, (struct ew_value){.kind = EW_VALUE_MAP, .map = {items, EW_COUNT(items)}});
  } else {
    struct ew_text text = {0};
    ew_value_print_iso(&text, value);
    struct ew_span iso = ew_arena_copy(writer->builder->arena, ew_text_span(&text));
    ew_text_release(&text);
    argument = ew_cypher_constant(writer->builder, ew_string(iso));
  }
  return CYPHER(writer->builder, function, .name.name = name,
                .arguments.list = ew_list_of(writer->builder, &argument, 1));
}

const struct ew_node *ew_writer_constant(struct ew_cypher_writer *writer, struct ew_value value) {
  if (value.kind >= EW_VALUE_DATETIME && value.kind <= EW_VALUE_POINT) return make_moment(writer, value);
  return ew_cypher_constant(writer->builder, ew_writer_keep(writer, value));
}

/* ---- parameters ---- */

const struct ew_node *ew_writer_parameter(struct ew_cypher_writer *writer, struct ew_value value) {
  static const struct ew_span names[EW_CYPHER_PARAMETERS_MAX] = {{"p0", 2}, {"p1", 2}, {"p2", 2}, {"p3", 2},
                                                                 {"p4", 2}, {"p5", 2}, {"p6", 2}, {"p7", 2}};
  if (!writer->may_parameter || writer->parameter_count == EW_CYPHER_PARAMETERS_MAX) return NULL;
  struct ew_span name = names[writer->parameter_count];
  writer->parameters[writer->parameter_count++] = (struct ew_parameter){name, ew_writer_keep(writer, value)};
  return CYPHER(writer->builder, parameter, .name.name = name);
}

struct used {
  const struct ew_cypher_writer *writer;
  uint32_t parameters; /* bits */
};

static enum ew_walk mark_used(const struct ew_node *node, struct ew_place place, void *context) {
  struct used *used = context;
  (void)place;
  if (!cypher_is(node, CYPHER_parameter)) return EW_WALK_ON;
  for (size_t i = 0; i < used->writer->parameter_count; i++)
    if (ew_span_equal(CYPHER_AS(parameter, node)->name.name, used->writer->parameters[i].name))
      used->parameters |= (uint32_t)1 << i;
  return used->parameters + 1 == (uint32_t)1 << used->writer->parameter_count ? EW_WALK_STOP : EW_WALK_ON;
}

struct ew_list ew_writer_arguments(struct ew_cypher_writer *writer, const struct ew_node *body) {
  const struct ew_node *arguments[EW_CYPHER_PARAMETERS_MAX];
  struct used used = {.writer = writer};
  size_t count = 0;
  if (!writer->parameter_count) return (struct ew_list){0};
  ew_tree_walk(body, mark_used, &used);
  for (size_t i = 0; i < writer->parameter_count; i++) {
    if (!(used.parameters >> i & 1)) continue;
    const struct ew_node *value = ew_cypher_constant(writer->builder, writer->parameters[i].value);
    arguments[count++] =
        CYPHER(writer->builder, argument, .name.name = writer->parameters[i].name, .value.node = value);
  }
  return ew_list_of(writer->builder, arguments, count);
}

bool ew_cypher_can_be_sent(struct ew_value value) {
  switch (value.kind) {
    case EW_VALUE_NULL:
    case EW_VALUE_BOOLEAN:
    case EW_VALUE_INTEGER:
    case EW_VALUE_STRING: return true;
    case EW_VALUE_FLOAT: return isfinite(value.number);
    case EW_VALUE_LIST:
      for (size_t i = 0; i < value.list.count; i++)
        if (!ew_cypher_can_be_sent(value.list.items[i])) return false;
      return true;
    default: return false;
  }
}

const struct ew_node *ew_cypher_draw_given(struct ew_cypher_writer *writer, struct ew_value value) {
  const struct ew_node *parameter = NULL;
  if (writer->may_parameter && ew_writer_chance(writer, PARAMETER_PERCENT) && ew_cypher_can_be_sent(value))
    parameter = ew_writer_parameter(writer, value);
  return parameter ? parameter : ew_writer_constant(writer, value);
}

/* ---- values ---- */

static struct ew_value draw_scalar(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  enum ew_value_kind kind = ew_draw_kind(type);
  if (ew_writer_chance(writer, FROM_DATA_PERCENT)) {
    struct ew_values values = writer->world->values[kind];
    if (values.count) return values.items[ew_writer_below(writer, values.count)];
  }
  return ew_draw_value(writer->builder->arena, writer->random, (struct ew_property_type){.kind = kind},
                       BOUNDARY_PERCENT);
}

/* What equals the item before: itself, or the same number of the other type. */
static struct ew_value again(struct ew_cypher_writer *writer, struct ew_value value) {
  if (!ew_writer_has(writer, EW_HAS_FLOATS) || !ew_writer_chance(writer, 50)) return value;
  if (value.kind == EW_VALUE_INTEGER) return ew_float((double)value.integer);
  bool whole = value.kind == EW_VALUE_FLOAT && value.number > -0x1p53 && value.number < 0x1p53;
  return whole ? ew_integer((int64_t)value.number) : value;
}

static struct ew_value draw_list_value(struct ew_cypher_writer *writer, enum ew_draw_type element, unsigned depth) {
  size_t count = ew_writer_chance(writer, EMPTY_PERCENT) ? 0 : 1 + ew_writer_below(writer, ITEMS_MAX);
  struct ew_value *items = ew_arena_take(writer->builder->arena, ew_array_size(count, sizeof *items));
  for (size_t i = 0; i < count; i++) {
    enum ew_draw_type type = element == EW_DRAW_ANY ? ew_writer_draw_any(writer) : element;
    if (ew_writer_chance(writer, NULL_ITEM_PERCENT)) {
      items[i] = ew_null();
      continue;
    }
    if (ew_draw_is_list(type)) {
      if (depth)
        items[i] = draw_list_value(writer, ew_draw_element_of(type), depth - 1);
      else
        items[i] = ew_list(NULL, 0);
      continue;
    }
    if (i && ew_writer_chance(writer, AGAIN_PERCENT)) {
      items[i] = again(writer, items[i - 1]);
      continue;
    }
    if (ew_draw_is_number(type) && ew_writer_chance(writer, OTHER_NUMBER_PERCENT))
      type = type == EW_DRAW_INTEGER ? EW_DRAW_FLOAT : EW_DRAW_INTEGER;
    items[i] = draw_scalar(writer, type);
  }
  return ew_list(items, count);
}

const struct ew_node *ew_cypher_draw_constant(struct ew_cypher_writer *writer, enum ew_draw_type type) {
  if (type == EW_DRAW_ANY) type = ew_writer_below(writer, EW_DRAW_STRING + 1);
  if (ew_writer_chance(writer, NULL_PERCENT)) return ew_cypher_draw_given(writer, ew_null());
  if (ew_draw_is_scalar(type)) return ew_cypher_draw_given(writer, draw_scalar(writer, type));
  if (ew_draw_is_temporal(type) || type == EW_DRAW_POINT) return ew_cypher_draw_moment(writer, type);
  if (!ew_draw_is_list(type)) return ew_writer_null(writer);
  enum ew_draw_type element = ew_draw_element_of(type);
  if (ew_draw_is_scalar(element) || element == EW_DRAW_ANY)
    return ew_cypher_draw_given(writer, draw_list_value(writer, element, 1));
  if (!ew_draw_is_temporal(element) || !(writer->dialect->types & EW_DRAW_BIT(element)))
    return CYPHER(writer->builder, list, .items.list = {0});
  const struct ew_node *items[ITEMS_MAX];
  size_t count = 1 + ew_writer_below(writer, ITEMS_MAX);
  for (size_t i = 0; i < count; i++)
    items[i] =
        ew_writer_chance(writer, NULL_ITEM_PERCENT) ? ew_writer_null(writer) : ew_cypher_draw_moment(writer, element);
  return CYPHER(writer->builder, list, .items.list = ew_list_of(writer->builder, items, count));
}
