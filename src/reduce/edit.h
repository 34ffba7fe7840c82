/* edit.h: the trees of a case by number, and trying a changed one. Shared by the passes. */
#ifndef EW_REDUCE_EDIT_H
#define EW_REDUCE_EDIT_H

#include "reduce/reduce.h"

/* A case's trees: base, data, statements of the scene, trees of the recipe. NULL where there is none. */
size_t ew_edit_count(const struct ew_case *test);
const struct ew_node *ew_edit_tree(const struct ew_case *test, size_t number);
/* The case with that tree replaced; the rest is shared. */
struct ew_case ew_edit_with(struct ew_arena *arena, const struct ew_case *test, size_t number,
                            const struct ew_node *tree);

/* Whether the budget is used up. */
bool ew_edit_done(const struct ew_reduction *reduction);

/* Asks whether the candidate still violates, unless it was asked before or makes no sense; if so it becomes the best one. Under
   `reduction->fresh`, a candidate that only its recipe does not fit is asked with a few fresh ones. */
bool ew_edit_try(struct ew_reduction *reduction, const struct ew_case *candidate);
/* The same for one changed tree. NULL is refused. */
bool ew_edit_try_tree(struct ew_reduction *reduction, size_t number, const struct ew_node *tree);

/* A builder whose new ids follow those of the tree. */
struct ew_builder ew_edit_builder(const struct ew_reduction *reduction, const struct ew_node *tree);

/* Calls `step` for every node of every tree, parents first, and says whether any call helped. The tree may change under it, so
   `step` gets the number of the tree and the id of a node that was there at the start of the sweep. */
bool ew_edit_each_node(struct ew_reduction *reduction,
                       bool (*step)(struct ew_reduction *reduction, size_t number, uint64_t id));
/* The same for every field of every node that is of one of the types: EW_EDIT(EW_FIELD_OPT) | EW_EDIT(EW_FIELD_NAME). */
#define EW_EDIT(type) (1u << (type))
bool ew_edit_each_field(struct ew_reduction *reduction, unsigned types,
                        bool (*step)(struct ew_reduction *reduction, size_t number, uint64_t id, size_t field));

/* A pass: one sweep over the best case. Whether it made it smaller. */
#define PASS(name, summary) bool ew_pass_##name(struct ew_reduction *reduction);
#define LAST(name, summary) PASS(name, summary)
#include "reduce/pass.def"
#undef PASS
#undef LAST

#endif
