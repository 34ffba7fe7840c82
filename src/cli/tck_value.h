/* tck_value.h: the values that the TCK's tables state, and whether a result shows them.

       1, -1.5, NaN, 'text', null, [1, 2], {a: 1}, (:A:B {x: 1}), [:T {x: 1}], <(:A)-[:T]->(:B)<-[:T]-()>

   Elements have no identity there: they are what they show. Temporal values and durations are stated as strings. */
#ifndef EW_CLI_TCK_VALUE_H
#define EW_CLI_TCK_VALUE_H

#include "value/rows.h"

/* False where the text is not of the notation. */
bool ew_tck_value_read(struct ew_arena *arena, struct ew_span text, struct ew_value *value) EW_CHECKED;

/* Whether `actual` is what was stated; `any_list_order` takes lists as bags. */
bool ew_tck_value_matches(struct ew_value stated, struct ew_value actual, bool any_list_order);

#endif
