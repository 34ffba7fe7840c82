/* datalog.h: the language Datalog: relations, facts, rules with recursion, stratified negation and comparisons.

   Scene: `schema` NULL, `data` a tree `facts` or NULL, no statements. Base query: a tree `program`. One program is one
   statement, with its facts in it; its answer has a row (relation, tuple) for each tuple of each output. Recipes belong
   to the steps: what their numbers mean is said where they are made. */
#ifndef EW_LANG_DATALOG_DATALOG_H
#define EW_LANG_DATALOG_DATALOG_H

#include "contract/language.h"
#include "lang/datalog/node.h"

extern const struct ew_language ew_datalog;

#endif
