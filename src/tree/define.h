/* define.h: the node table of a language, from its node.def. Included by one source file, behind the language's header. */

#define EW_TREE_STRING_(name) #name
#define EW_TREE_STRING(name) EW_TREE_STRING_(name)

#define CLASS(name)
#define NODE(kind, class, fields)
#define OPTION(name, spelling) spelling,
#define CHOICES(list, options) const char *const EW_TREE_CAT(EW_TREE_PREFIX, _##list, _text)[] = {options NULL};
#include EW_TREE_DEF
#undef NODE
#undef OPTION
#undef CHOICES

#define ONE(field, of) {.name = #field, .type = EW_FIELD_ONE, .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, of)},
#define OPT(field, of) {.name = #field, .type = EW_FIELD_OPT, .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, of)},
#define LIST(field, of) {.name = #field, .type = EW_FIELD_LIST, .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, of)},
#define SOME(field, of) \
  {.name = #field, .type = EW_FIELD_LIST, .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, of), .least = 1},
#define SEVERAL(field, of) \
  {.name = #field, .type = EW_FIELD_LIST, .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, of), .least = 2},
#define NAME(field) {.name = #field, .type = EW_FIELD_NAME},
#define OPTNAME(field) {.name = #field, .type = EW_FIELD_NAME, .optional = true},
#define NAMES(field) {.name = #field, .type = EW_FIELD_NAMES},
#define FLAG(field) {.name = #field, .type = EW_FIELD_FLAG},
#define CHOICE(field, list) \
  {.name = #field, .type = EW_FIELD_CHOICE, .choices = EW_TREE_CAT(EW_TREE_PREFIX, _##list, _text)},
#define NUMBER(field) {.name = #field, .type = EW_FIELD_NUMBER},
#define VALUE(field) {.name = #field, .type = EW_FIELD_VALUE},
#define CHOICES(list, options)
#define NODE(kind_, class_, fields_)                                   \
  [EW_TREE_CAT(EW_TREE_UPPER, _, kind_)] = {                           \
      .name = #kind_,                                                  \
      .code = EW_TREE_CAT(EW_TREE_UPPER, _, kind_),                    \
      .class = EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, class_),            \
      .size = sizeof(struct EW_TREE_CAT(EW_TREE_PREFIX, _, kind_)),    \
      .fields = {fields_{.type = EW_FIELD_END}},                       \
  },
const struct ew_kind EW_TREE_CAT(EW_TREE_PREFIX, _, kinds)[] = {
#include EW_TREE_DEF
};
#undef ONE
#undef OPT
#undef LIST
#undef SOME
#undef SEVERAL
#undef NAME
#undef OPTNAME
#undef NAMES
#undef FLAG
#undef CHOICE
#undef NUMBER
#undef VALUE
#undef CHOICES
#undef NODE
#undef CLASS

const struct ew_node_table EW_TREE_CAT(EW_TREE_PREFIX, _, table) = {
    .language = EW_TREE_STRING(EW_TREE_PREFIX),
    .kinds = EW_TREE_CAT(EW_TREE_PREFIX, _, kinds),
    .count = EW_COUNT(EW_TREE_CAT(EW_TREE_PREFIX, _, kinds)),
};
