/* zoo.h: bugs planted in the model, one bit each.

   The honest code asks `ew_planted(model, EW_PLANT_x)` at the very place, when it compiles or when it runs, and leaves the
   wrong behaviour to a function in planted_*.c. */
#ifndef EW_MODEL_ZOO_H
#define EW_MODEL_ZOO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"

enum ew_plant {
#define PLANT(identifier, name, class, area, breaks, script, right, wrong) EW_PLANT_##identifier,
#include "model/zoo.def"
#undef PLANT
  EW_PLANTS
};

enum ew_plant_class {
  EW_PLANT_CLASS_LOGIC,
  EW_PLANT_CLASS_LOST_WRITE,
  EW_PLANT_CLASS_ERROR,
  EW_PLANT_CLASS_CRASH,
  EW_PLANT_CLASS_HANG,
  EW_PLANT_CLASS_SLOW,
};

struct ew_plant_entry {
  const char *name;
  enum ew_plant_class class;
  const char *area, *breaks, *script, *right, *wrong;
};

extern const struct ew_plant_entry ew_plant_entries[EW_PLANTS];

const char *ew_plant_class_name(enum ew_plant_class class); /* "lost-write" */

/* A set of plants; zeroed it is empty. */
struct ew_plants {
  bool any;
  uint64_t bits[(EW_PLANTS + 63) / 64];
};

static inline bool ew_plants_have(const struct ew_plants *plants, enum ew_plant plant) {
  return plants->bits[plant / 64] >> plant % 64 & 1;
}
static inline void ew_plants_add(struct ew_plants *plants, enum ew_plant plant) {
  plants->bits[plant / 64] |= UINT64_C(1) << plant % 64;
  plants->any = true;
}

static inline bool ew_plants_any(const struct ew_plants *plants) { return plants->any; }

/* What plants remember. */
struct ew_planted_state {
  uint64_t work;        /* done by slow ones, which count no steps */
  struct ew_map stale;  /* ids of nodes that an index has under a label that they lost */
  struct ew_map counts; /* what SKIP and LIMIT were when a statement was first run, by its hash */
};

/* False where there is none of that name. */
bool ew_plant_find(struct ew_span name, enum ew_plant *plant);
/* Adds all of a list "NAME,NAME"; false, and the first unknown one in `*unknown`, where there is one. */
bool ew_plants_read(struct ew_plants *plants, struct ew_span list, struct ew_span *unknown);

#endif
