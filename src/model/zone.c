/* zone.c: what a named time zone's clock shows. The table is zones.def. */
#include "model/zone.h"

#include "model/temporal.h"

#define FOREVER INT32_MAX
enum rules { NONE, UNKNOWN, EUROPE, BRITAIN, AMERICA, AUSTRALIA };
enum reference { UTC, STANDARD, WALL };

static const struct era {
  const char *zone;
  int32_t year, month, day, second; /* when it ends */
  int32_t offset;
  enum rules rules;
} eras[] = {
#define ERA(zone, year, month, day, second, offset, rules) {zone, year, month, day, second, offset, rules},
#include "model/zones.def"
#undef ERA
};

static const struct alias {
  const char *name, *zone;
} aliases[] = {
#define ALIAS(name, zone) {name, zone},
#include "model/zones.def"
#undef ALIAS
};

static const struct rule {
  enum rules rules;
  int32_t first, last, month, day, second;
  enum reference reference;
  int32_t saving;
} rules[] = {
#define RULE(rules, first, last, month, day, second, reference, saving) \
  {rules, first, last, month, day, second, reference, saving},
#include "model/zones.def"
#undef RULE
};

/* ---- reading ---- */

static bool two_digits(struct ew_span text, size_t at, int32_t bound, int32_t *number) {
  if (at + 2 > text.length) return false;
  int32_t tens = text.bytes[at] - '0', ones = text.bytes[at + 1] - '0', both = tens * 10 + ones;
  if (tens < 0 || tens > 9 || ones < 0 || ones > 9 || both >= bound) return false;
  *number = both;
  return true;
}

size_t ew_offset_read(struct ew_span text, int32_t *offset) {
  *offset = 0;
  if (text.length && text.bytes[0] == 'Z') return 1;
  int32_t hours, minutes = 0, seconds = 0;
  if (!text.length || (text.bytes[0] != '+' && text.bytes[0] != '-') || !two_digits(text, 1, 19, &hours)) return 0;
  size_t at = 3, gap = at < text.length && text.bytes[at] == ':' ? 1 : 0;
  if (two_digits(text, at + gap, 60, &minutes)) {
    at += gap + 2;
    bool apart = at < text.length && text.bytes[at] == ':';
    if (apart == (gap == 1) && two_digits(text, at + gap, 60, &seconds)) at += gap + 2;
  }
  int32_t east = hours * 3600 + minutes * 60 + seconds;
  *offset = text.bytes[0] == '-' ? -east : east;
  return east <= EW_OFFSET_MAX ? at : 0;
}

/* The first era of a zone. */
static const struct era *find_zone(const char *name) {
  for (size_t i = 0; i < EW_COUNT(eras); i++)
    if (strcmp(eras[i].zone, name) == 0) return &eras[i];
  return NULL;
}

/* The table's own spelling of a name, which lives as long as we do. */
static const char *find_name(struct ew_span name, const struct era **zone) {
  for (size_t i = 0; i < EW_COUNT(aliases); i++) {
    if (!ew_span_is(name, aliases[i].name)) continue;
    *zone = find_zone(aliases[i].zone);
    return aliases[i].name;
  }
  for (size_t i = 0; i < EW_COUNT(eras); i++) {
    if (!ew_span_is(name, eras[i].zone)) continue;
    *zone = &eras[i];
    return eras[i].zone;
  }
  return NULL;
}

bool ew_zone_read(struct ew_execution *run, struct ew_span text, struct ew_zone *zone) {
  *zone = (struct ew_zone){0, EW_SPAN("")};
  size_t length = ew_offset_read(text, &zone->offset);
  if (length && length == text.length) return true;
  const struct era *found;
  const char *name = find_name(text, &found);
  if (name) {
    *zone = (struct ew_zone){0, ew_span_of(name)};
    return true;
  }
  bool plausible = text.length && memchr(text.bytes, '/', text.length);
  ew_run_fail(run, plausible ? EW_FAULT_UNSUPPORTED : EW_FAULT_ARGUMENT_VALUE, "the model knows no time zone '%.*s'",
              EW_SPAN_ARGS(text));
  return false;
}

/* ---- rules ---- */

static int64_t era_end(const struct era *era) {
  if (era->year == FOREVER) return INT64_MAX;
  int64_t day = 0;
  ew_civil_to_day((struct ew_civil){era->year, era->month, era->day}, &day);
  return day * EW_DAY_SECONDS + era->second;
}

/* When a rule applies in a year: seconds since 1970, UTC. Where the wall's clock counts, saving ends while it is on. */
static int64_t rule_time(const struct rule *rule, int64_t year, int32_t offset) {
  int64_t day = ew_first_day(year, rule->month) + rule->day - 1;
  day += (7 - ew_week_from_day(day).weekday) % 7;
  int64_t time = day * EW_DAY_SECONDS + rule->second;
  if (rule->reference == UTC) return time;
  return time - offset - (rule->reference == WALL && !rule->saving ? 3600 : 0);
}

static int32_t saving_at(const struct era *era, int64_t seconds) {
  int64_t year = ew_civil_from_day(ew_floor_divide(seconds + era->offset, EW_DAY_SECONDS)).year, latest = INT64_MIN;
  int32_t saving = 0;
  for (size_t i = 0; i < EW_COUNT(rules); i++) {
    if (rules[i].rules != era->rules) continue;
    for (int64_t y = year - 1; y <= year; y++) {
      if (y < rules[i].first || (rules[i].last != FOREVER && y > rules[i].last)) continue;
      int64_t time = rule_time(&rules[i], y, era->offset);
      if (time > seconds || time < latest) continue;
      latest = time;
      saving = rules[i].saving;
    }
  }
  return saving;
}

bool ew_zone_at(struct ew_execution *run, struct ew_zone *zone, int64_t seconds) {
  if (!zone->name.length) return true;
  const struct era *era = NULL;
  if (find_name(zone->name, &era))
    while (seconds >= era_end(era)) era++;
  if (!era || era->rules == UNKNOWN) {
    ew_run_fail(run, EW_FAULT_UNSUPPORTED, "the model does not know what the clocks of %.*s showed then",
                EW_SPAN_ARGS(zone->name));
    return false;
  }
  zone->offset = era->offset + saving_at(era, seconds);
  return true;
}

/* Whether a clock that is `offset` ahead shows that local time when it is `offset` ahead. */
static bool fits(struct ew_execution *run, const struct ew_zone *zone, int64_t local, int32_t offset) {
  struct ew_zone then = *zone;
  return ew_zone_at(run, &then, local - offset) && then.offset == offset;
}

bool ew_zone_place(struct ew_execution *run, struct ew_zone *zone, struct ew_day_time *local, const int32_t *wanted) {
  if (!zone->name.length) return true;
  int64_t seconds = local->day * EW_DAY_SECONDS + local->nanoseconds / EW_SECOND;
  struct ew_zone before = *zone, after = *zone;
  if (!ew_zone_at(run, &before, seconds - EW_DAY_SECONDS) || !ew_zone_at(run, &after, seconds + EW_DAY_SECONDS))
    return false;
  if (wanted && fits(run, zone, seconds, *wanted)) {
    zone->offset = *wanted;
  } else if (fits(run, zone, seconds, before.offset)) {
    zone->offset = before.offset;
  } else {
    zone->offset = after.offset;
    if (fits(run, zone, seconds, after.offset)) return !run->failed;
    local->nanoseconds += (after.offset - before.offset) * EW_SECOND;
    local->day += ew_floor_divide(local->nanoseconds, EW_DAY);
    local->nanoseconds = ew_floor_modulo(local->nanoseconds, EW_DAY);
  }
  return !run->failed;
}
