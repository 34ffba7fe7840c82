/* printer.h: what the files of the printer share; nobody else includes it. */
#ifndef EW_LANG_CYPHER_PRINTER_H
#define EW_LANG_CYPHER_PRINTER_H

#include "lang/cypher/print.h"

struct ew_cypher_printer {
  struct ew_text *text;
  const struct ew_profile *profile; /* NULL is the standard */
  bool before_bar;                  /* a `|` follows: unless in parentheses, a label or a type would swallow it */
  size_t label_test_end; /* where the last label test in parentheses ended: it looks like the start of a pattern */
};

/* How tightly an expression binds, loosest first. What is printed for a level is at least as tight, or in parentheses.
   */
enum ew_cypher_level {
  EW_LEVEL_ANY,
  EW_LEVEL_OR,
  EW_LEVEL_XOR,
  EW_LEVEL_AND,
  EW_LEVEL_NOT,
  EW_LEVEL_COMPARE,
  EW_LEVEL_PREDICATE,
  EW_LEVEL_ADD,
  EW_LEVEL_MULTIPLY,
  EW_LEVEL_POWER,
  EW_LEVEL_UNARY,
  EW_LEVEL_POSTFIX,
};

#define EW_PUT(printer, literal) ew_text_add((printer)->text, EW_SPAN(literal))

void ew_cypher_print_expression(struct ew_cypher_printer *printer, const struct ew_node *node,
                                enum ew_cypher_level required);
/* With commas between them. */
void ew_cypher_print_expressions(struct ew_cypher_printer *printer, struct ew_list list);
void ew_cypher_print_names(struct ew_cypher_printer *printer, struct ew_names names, struct ew_span between);
/* A function or procedure, dots and all. */
void ew_cypher_print_callable(struct ew_cypher_printer *printer, struct ew_span name);
/* {key: value, …} of `entry` nodes. */
void ew_cypher_print_entries(struct ew_cypher_printer *printer, struct ew_list entries);
void ew_cypher_print_type(struct ew_cypher_printer *printer, const struct ew_node *type);
/* One of a map projection. */
void ew_cypher_print_projector(struct ew_cypher_printer *printer, const struct ew_node *projector);
/* An expression behind which a `|` comes. */
void ew_cypher_print_before_bar(struct ew_cypher_printer *printer, const struct ew_node *node);

void ew_cypher_print_path(struct ew_cypher_printer *printer, const struct ew_node *node);
void ew_cypher_print_paths(struct ew_cypher_printer *printer, struct ew_list paths);
void ew_cypher_print_element(struct ew_cypher_printer *printer, const struct ew_node *node);
void ew_cypher_print_length(struct ew_cypher_printer *printer, const struct ew_node *node);
/* A label expression with the colon before it. */
void ew_cypher_print_labels(struct ew_cypher_printer *printer, const struct ew_node *labels);

void ew_cypher_print_query(struct ew_cypher_printer *printer, const struct ew_node *query);
/* A query in the braces of a subquery; `bare` leaves out its MATCH. */
void ew_cypher_print_body(struct ew_cypher_printer *printer, const struct ew_node *query, bool bare);
void ew_cypher_print_clause(struct ew_cypher_printer *printer, const struct ew_node *clause);
/* Commands on indexes and constraints. */
void ew_cypher_print_command(struct ew_cypher_printer *printer, const struct ew_node *command);
/* Data and schema of a scene, for people. */
void ew_cypher_print_datum(struct ew_cypher_printer *printer, const struct ew_node *datum);

/* ` WHERE e`, or nothing. */
static inline void ew_cypher_print_where(struct ew_cypher_printer *printer, const struct ew_node *where) {
  if (!where) return;
  EW_PUT(printer, " WHERE ");
  ew_cypher_print_expression(printer, where, EW_LEVEL_ANY);
}

#endif
