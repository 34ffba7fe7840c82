/* plants.c: from names to plants. Their names are sentences, so the ones with most words in common are near. */
#include "cli/plants.h"

enum { SHOWN = 5 };

/* How many of the words of `wrong` are in `name`. */
static size_t common_words(struct ew_span wrong, const char *name) {
  size_t common = 0;
  for (size_t at = 0; at < wrong.length;) {
    size_t length = 0;
    while (at + length < wrong.length && wrong.bytes[at + length] != '-') length++;
    common += length && memmem(name, strlen(name), wrong.bytes + at, length);
    at += length + 1;
  }
  return common;
}

static enum ew_status unknown_plant(struct ew_span wrong, struct ew_error *error) {
  struct ew_text near = {0};
  size_t most = 0, shown = 0;
  for (size_t i = 0; i < EW_PLANTS; i++) {
    size_t common = common_words(wrong, ew_plant_entries[i].name);
    if (common > most) most = common;
  }
  for (size_t i = 0; i < EW_PLANTS && shown < SHOWN; i++)
    if (most && common_words(wrong, ew_plant_entries[i].name) == most)
      ew_text_add_format(&near, "%s%s", shown++ ? ", " : "; near it are: ", ew_plant_entries[i].name);
  enum ew_status status =
      ew_fail(error, EW_USAGE, "there is no plant '%.*s' among %d%s", (int)(wrong.length < 80 ? wrong.length : 80),
              wrong.bytes, (int)EW_PLANTS, near.length ? near.bytes : "");
  ew_text_release(&near);
  return status;
}

enum ew_status ew_plants_settle(const char *list, struct ew_plants *plants, struct ew_error *error) {
  struct ew_span unknown;
  *plants = (struct ew_plants){0};
  if (!list || ew_plants_read(plants, ew_span_of(list), &unknown)) return EW_OK;
  return unknown_plant(unknown, error);
}

enum ew_status ew_engine_plant(struct ew_engine *engine, const char *list, struct ew_error *error) {
  struct ew_profile *profile = &engine->profile;
  struct ew_plants plants;
  if (!list) return EW_OK;
  if (!ew_span_is(profile->adapter, "model"))
    return ew_fail(error, EW_USAGE, "--plant is for the model, not for %.*s", EW_SPAN_ARGS(profile->name));
  enum ew_status status = ew_plants_settle(list, &plants, error);
  if (status) return status;
  struct ew_option *settings = EW_NEW_ARRAY(&engine->arena, struct ew_option, profile->setting_count + 1);
  for (size_t i = 0; i < profile->setting_count; i++) settings[i] = profile->settings[i];
  settings[profile->setting_count++] =
      (struct ew_option){EW_SPAN("plant"), ew_arena_copy(&engine->arena, ew_span_of(list))};
  profile->settings = settings;
  return EW_OK;
}
