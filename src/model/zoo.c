/* zoo.c: the plants by name. */
#include "model/zoo.h"

const struct ew_plant_entry ew_plant_entries[EW_PLANTS] = {
#define PLANT(identifier, name, class, area, breaks, script, right, wrong) \
  [EW_PLANT_##identifier] = {name, EW_PLANT_CLASS_##class, area, breaks, script, right, wrong},
#include "model/zoo.def"
#undef PLANT
};

const char *ew_plant_class_name(enum ew_plant_class class) {
  static const char *const names[] = {
      [EW_PLANT_CLASS_LOGIC] = "logic", [EW_PLANT_CLASS_LOST_WRITE] = "lost-write",
      [EW_PLANT_CLASS_ERROR] = "error", [EW_PLANT_CLASS_CRASH] = "crash",
      [EW_PLANT_CLASS_HANG] = "hang",   [EW_PLANT_CLASS_SLOW] = "slow",
  };
  return names[class];
}

bool ew_plant_find(struct ew_span name, enum ew_plant *plant) {
  for (size_t i = 0; i < EW_PLANTS; i++) {
    if (!ew_span_is(name, ew_plant_entries[i].name)) continue;
    *plant = (enum ew_plant)i;
    return true;
  }
  return false;
}

bool ew_plants_read(struct ew_plants *plants, struct ew_span list, struct ew_span *unknown) {
  for (size_t at = 0; at < list.length;) {
    const char *comma = memchr(list.bytes + at, ',', list.length - at);
    size_t length = comma ? (size_t)(comma - list.bytes) - at : list.length - at;
    struct ew_span name = {list.bytes + at, length};
    enum ew_plant plant;
    at += length + 1;
    if (!length) continue;
    if (!ew_plant_find(name, &plant)) {
      *unknown = name;
      return false;
    }
    ew_plants_add(plants, plant);
  }
  return true;
}
