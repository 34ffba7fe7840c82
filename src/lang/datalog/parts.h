/* parts.h: what the files of this folder share among themselves. Other rooms use datalog.h. */
#ifndef EW_LANG_DATALOG_PARTS_H
#define EW_LANG_DATALOG_PARTS_H

#include "lang/datalog/datalog.h"

/* ---- print_smtlib.c ---- */

/* Any tree as SMT-LIB text with µZ's commands. */
void ew_datalog_print(struct ew_text *text, const struct ew_node *tree, const struct ew_profile *profile);
/* The program with the facts between its declarations and its rules; `facts` may be NULL. */
void ew_datalog_print_whole(struct ew_text *text, const struct ew_node *program, const struct ew_node *facts);

/* ---- look.c: looking things up in a program ---- */

/* NULL where the program declares no such relation. */
const struct datalog_relation *ew_datalog_relation(const struct datalog_program *program, struct ew_span name);
/* The width that the first positive atom with the variable gives it; 0 where the rule binds it nowhere. */
int64_t ew_datalog_variable_bits(const struct datalog_program *program, const struct datalog_rule *rule,
                                 struct ew_span name);
/* Whether computing relation `from` needs relation `to`: directly, or through the rules of others. */
bool ew_datalog_depends(const struct datalog_program *program, struct ew_span from, struct ew_span to);

/* ---- check.c, shape.c ---- */

bool ew_datalog_check(const struct ew_case *test, bool strict);
void ew_datalog_shape(struct ew_text *text, const struct ew_node *tree);
void ew_datalog_features(const struct ew_node *tree, void (*found)(void *context, const char *feature), void *context);

/* ---- step_addeq.c ---- */

extern const struct ew_rule_step ew_datalog_addeq;

#endif
