/* write.h: writing to the graph with the rules of the language: what CREATE, MERGE, SET and FOREACH share. For this
   room only. */
#ifndef EW_MODEL_WRITE_H
#define EW_MODEL_WRITE_H

#include "model/pattern.h"

/* A pattern to be created: which of its elements are new, and their labels and types. */
struct ew_creation;
struct ew_changes;

const struct ew_creation *ew_compile_creation(struct ew_compiler *compiler, const struct ew_pattern *pattern);
/* Creates what is new for the row at hand and puts it into its slots. */
void ew_create(struct ew_execution *run, const struct ew_creation *creation);

const struct ew_changes *ew_compile_change_list(struct ew_compiler *compiler, struct ew_list changes);
void ew_apply_changes(struct ew_execution *run, const struct ew_changes *changes);

/* A plant: properties are not set to null. */
void ew_changes_skip_nulls(const struct ew_changes *changes);

/* Sets one property; a value that cannot be stored fails. Null removes. */
void ew_write_property(struct ew_execution *run, struct ew_value element, struct ew_span key, struct ew_value value);

#endif
