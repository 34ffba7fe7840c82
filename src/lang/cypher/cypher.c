/* cypher.c: the table of the language. */
#include "lang/cypher/cypher.h"

#include "lang/cypher/dialect.h"
#include "lang/cypher/print.h"

const struct ew_language ew_cypher = {
    .name = "cypher",
    .extension = "cypher",
    .table = &cypher_table,
    .print = ew_cypher_print,
    .load = ew_cypher_load,
    .ask = ew_cypher_ask,
    .state = ew_cypher_state,
    .changes = ew_cypher_changes,
    .may_fail = ew_cypher_may_fail,
    .check = ew_cypher_check,
    .simplest = ew_cypher_simplest,
    .check_profile = ew_cypher_check_profile,
    .lacks = ew_cypher_lacks,
    .features = ew_cypher_features,
    .marks = ew_cypher_marks,
    .shape = ew_cypher_shape,
    .dependencies = ew_cypher_dependencies,
    .partition = &ew_cypher_partition,
};
