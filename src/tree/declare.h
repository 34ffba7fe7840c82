/* declare.h: turns a language's node.def into an enum of classes, an enum of kinds, one struct per kind and one enum per list of
   choices. No include guard: a language's header includes it once, after saying who it is:

       #define EW_TREE_PREFIX cypher
       #define EW_TREE_UPPER CYPHER
       #define EW_TREE_DEF "lang/cypher/node.def"
       #include "tree/declare.h"       // and in one source file "tree/define.h", for the table

   What a node.def may hold (types of fields: tree/tree.h):
       CLASS(EXPR)                                          a class of nodes
       CHOICES(sign, OPTION(PLUS, "+") OPTION(MINUS, "-"))  what a CHOICE field picks from, with its spelling
       NODE(unary, EXPR, CHOICE(sign, sign) ONE(operand, EXPR))
   LIST is any number of nodes, SOME one or more, SEVERAL two or more; OPTNAME is a NAME that may be empty.
   No field is called `kind` or `id`: those are the head's in the stored form.
   This gives CYPHER_CLASS_EXPR, CYPHER_PLUS, enum cypher_sign, cypher_sign_text[], CYPHER_unary, struct cypher_unary,
   cypher_kinds[] and cypher_table. */

#define EW_TREE_CAT_(a, b, c) a##b##c
#define EW_TREE_CAT(a, b, c) EW_TREE_CAT_(a, b, c)

#define NODE(kind, class, fields)
#define CHOICES(list, options)
#define CLASS(name) EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, name),
enum EW_TREE_CAT(EW_TREE_PREFIX, _, class) {
  EW_TREE_CAT(EW_TREE_UPPER, _CLASS_, ANY),
#include EW_TREE_DEF
};
#undef NODE
#undef CHOICES
#undef CLASS

#define NODE(kind, class, fields) EW_TREE_CAT(EW_TREE_UPPER, _, kind),
#define CHOICES(list, options)
#define CLASS(name)
enum EW_TREE_CAT(EW_TREE_PREFIX, _, kind) {
#include EW_TREE_DEF
};
#undef NODE
#undef CHOICES

#define NODE(kind, class, fields)
#define OPTION(name, spelling) EW_TREE_CAT(EW_TREE_UPPER, _, name),
#define CHOICES(list, options)                           \
  enum EW_TREE_CAT(EW_TREE_PREFIX, _, list) { options }; \
  extern const char *const EW_TREE_CAT(EW_TREE_PREFIX, _##list, _text)[];
#include EW_TREE_DEF
#undef NODE
#undef OPTION
#undef CHOICES

#define ONE(name, class) union ew_field name;
#define OPT(name, class) union ew_field name;
#define LIST(name, class) union ew_field name;
#define SOME(name, class) union ew_field name;
#define SEVERAL(name, class) union ew_field name;
#define NAME(name) union ew_field name;
#define OPTNAME(name) union ew_field name;
#define NAMES(name) union ew_field name;
#define FLAG(name) union ew_field name;
#define CHOICE(name, list) union ew_field name;
#define NUMBER(name) union ew_field name;
#define VALUE(name) union ew_field name;
#define CHOICES(list, options)
#define NODE(kind, class, fields)                                                     \
  struct EW_TREE_CAT(EW_TREE_PREFIX, _, kind) {                                       \
    struct ew_node head;                                                              \
    fields                                                                            \
  };                                                                                  \
  _Static_assert(sizeof(struct EW_TREE_CAT(EW_TREE_PREFIX, _, kind)) <=               \
                     sizeof(struct ew_node) + EW_FIELDS_MAX * sizeof(union ew_field), \
                 "raise EW_FIELDS_MAX");
#include EW_TREE_DEF
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

extern const struct ew_kind EW_TREE_CAT(EW_TREE_PREFIX, _, kinds)[];
extern const struct ew_node_table EW_TREE_CAT(EW_TREE_PREFIX, _, table);
