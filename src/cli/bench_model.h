/* bench_model.h: how fast the model is: `edgewise bench model`. */
#ifndef EW_CLI_BENCH_MODEL_H
#define EW_CLI_BENCH_MODEL_H

#include "base/text.h"

/* Evaluates the parsed one-hop.cypher on graph20.cypher (both in bench/), and says where the time goes. The last line is
   "model: N evaluations per CPU-second". EW_MISSING where bench/ is not beside the folder of engines. */
enum ew_status ew_bench_model(struct ew_text *text, struct ew_error *error) EW_CHECKED;

#endif
