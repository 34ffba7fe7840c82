/* engine.h: the model as an engine, so that it can be hunted like any other. */
#ifndef EW_MODEL_ENGINE_H
#define EW_MODEL_ENGINE_H

#include "contract/engine.h"

/* Settings: the names of knobs (value/semantics.def), and `steps`. A budget that is spent is a timeout. */
extern const struct ew_adapter ew_adapter_model;

#endif
