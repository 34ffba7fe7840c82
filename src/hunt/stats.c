/* stats.c: counting, adding up, and stats.json. */
#include "hunt/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/hash.h"
#include "oracle/oracles.h"

/* ---- counting ---- */

/* CONTRACT: bytes are counted with every string literal as two bytes. */
static size_t counted_bytes(struct ew_span text) {
  size_t bytes = 0;
  for (size_t at = 0; at < text.length; at++) {
    bytes++;
    if (text.bytes[at] != '\'') continue;
    for (at++; at < text.length && text.bytes[at] != '\''; at++)
      if (text.bytes[at] == '\\') at++;
    bytes++;
  }
  return bytes;
}

/* HyperLogLog with 4,096 registers: about 1.6 % off, in flat memory. */
static void see(struct ew_stats *stats, uint64_t hash) {
  size_t slot = (size_t)(hash >> 52);
  uint64_t rest = hash << 12 | UINT64_C(1) << 11;
  uint8_t rank = (uint8_t)(__builtin_clzll(rest) + 1);
  if (rank > stats->seen[slot]) stats->seen[slot] = rank;
}

static uint64_t estimate_seen(const struct ew_stats *stats) {
  double sum = 0, registers = (double)EW_COUNT(stats->seen);
  size_t zeros = 0;
  for (size_t i = 0; i < EW_COUNT(stats->seen); i++) {
    sum += ldexp(1, -stats->seen[i]);
    zeros += stats->seen[i] == 0;
  }
  double estimate = 0.7213 / (1 + 1.079 / registers) * registers * registers / sum;
  if (estimate < 2.5 * registers && zeros) estimate = registers * log(registers / (double)zeros);
  return (uint64_t)(estimate + 0.5);
}

void ew_stats_statement(struct ew_stats *stats, struct ew_span text, size_t dependencies) {
  stats->statements++;
  stats->bytes += counted_bytes(text);
  stats->dependencies += dependencies;
  see(stats, ew_hash_span(text, 0));
}

void ew_stats_cause(struct ew_stats *stats, struct ew_span text) {
  size_t length = text.length < EW_STATS_CAUSE_BYTES - 1 ? text.length : EW_STATS_CAUSE_BYTES - 1;
  for (size_t i = 0; i < EW_STATS_CAUSES; i++) {
    struct ew_cause *cause = &stats->causes[i];
    if (!cause->text[0]) memcpy(cause->text, text.bytes, length);
    if (strlen(cause->text) != length || memcmp(cause->text, text.bytes, length) != 0) continue;
    cause->count++;
    return;
  }
}

/* Open addressing; the table is larger than any language's list of constructs. */
void ew_stats_feature(struct ew_stats *stats, const char *name) {
  size_t length = strlen(name);
  if (length >= EW_STATS_FEATURE_BYTES) return;
  size_t slot = (size_t)ew_hash_bytes(name, length, 0) % EW_STATS_FEATURES;
  for (size_t i = 0; i < EW_STATS_FEATURES; i++, slot = (slot + 1) % EW_STATS_FEATURES) {
    struct ew_feature *feature = &stats->features[slot];
    if (!feature->name[0]) memcpy(feature->name, name, length + 1);
    if (strcmp(feature->name, name) != 0) continue;
    feature->count++;
    return;
  }
}

/* ---- adding up ---- */

static void add_causes(struct ew_stats *into, const struct ew_stats *from) {
  for (size_t i = 0; i < EW_STATS_CAUSES && from->causes[i].text[0]; i++) {
    for (size_t k = 0; k < EW_STATS_CAUSES; k++) {
      struct ew_cause *cause = &into->causes[k];
      if (!cause->text[0]) memcpy(cause->text, from->causes[i].text, sizeof cause->text);
      if (strcmp(cause->text, from->causes[i].text) != 0) continue;
      cause->count += from->causes[i].count;
      break;
    }
  }
}

static void add_features(struct ew_stats *into, const struct ew_stats *from) {
  for (size_t i = 0; i < EW_STATS_FEATURES; i++) {
    const struct ew_feature *feature = &from->features[i];
    if (!feature->name[0] || !feature->count) continue;
    ew_stats_feature(into, feature->name);
    size_t slot = (size_t)ew_hash_bytes(feature->name, strlen(feature->name), 0) % EW_STATS_FEATURES;
    while (strcmp(into->features[slot].name, feature->name) != 0) slot = (slot + 1) % EW_STATS_FEATURES;
    into->features[slot].count += feature->count - 1;
  }
}

void ew_stats_add(struct ew_stats *into, const struct ew_stats *from) {
#define STAT(name) into->name += from->name;
#include "hunt/stat.def"
#undef STAT
  for (size_t i = 0; i < EW_STATS_ORACLES; i++) {
    into->oracles[i].tests += from->oracles[i].tests;
    into->oracles[i].violations += from->oracles[i].violations;
    into->oracles[i].findings += from->oracles[i].findings;
  }
  add_causes(into, from);
  add_features(into, from);
  into->bytes += from->bytes;
  into->dependencies += from->dependencies;
  into->tool_cpu += from->tool_cpu;
  into->host_cpu += from->host_cpu;
  into->engine_time += from->engine_time;
  into->memory += from->memory;
  for (size_t i = 0; i < EW_COUNT(into->seen); i++)
    if (from->seen[i] > into->seen[i]) into->seen[i] = from->seen[i];
  into->distinct = estimate_seen(into);
}

/* ---- stats.json ---- */

const char *ew_hunt_phase_name(enum ew_hunt_phase phase) {
  static const char *const names[] = {
      [EW_PHASE_TESTING] = "testing", [EW_PHASE_FINISHING] = "finishing", [EW_PHASE_DONE] = "done"};
  return names[phase];
}

static void write_oracles(struct ew_json_writer *writer, const struct ew_stats *stats) {
  ew_json_key(writer, "oracles");
  ew_json_begin_object(writer);
  for (size_t i = 0; ew_oracles[i] && i < EW_STATS_ORACLES; i++) {
    const struct ew_oracle_stats *oracle = &stats->oracles[i];
    if (!oracle->tests && !oracle->violations) continue;
    ew_json_key(writer, ew_oracles[i]->name);
    ew_json_begin_object(writer);
    ew_json_put_unsigned(writer, "tests", oracle->tests);
    ew_json_put_unsigned(writer, "violations", oracle->violations);
    ew_json_put_unsigned(writer, "findings", oracle->findings);
    ew_json_end_object(writer);
  }
  ew_json_end_object(writer);
}

static void write_counts(struct ew_json_writer *writer, const struct ew_stats *stats) {
  ew_json_key(writer, "invalid_by_cause");
  ew_json_begin_object(writer);
  for (size_t i = 0; i < EW_STATS_CAUSES && stats->causes[i].text[0]; i++)
    ew_json_put_unsigned(writer, stats->causes[i].text, stats->causes[i].count);
  ew_json_end_object(writer);
  ew_json_key(writer, "features");
  ew_json_begin_object(writer);
  for (size_t i = 0; i < EW_STATS_FEATURES; i++)
    if (stats->features[i].count) ew_json_put_unsigned(writer, stats->features[i].name, stats->features[i].count);
  ew_json_end_object(writer);
}

static void write_engine(struct ew_json_writer *writer, const struct ew_hunt_facts *facts) {
  ew_json_key(writer, "engines");
  ew_json_begin_array(writer);
  ew_json_begin_object(writer);
  ew_json_put_span(writer, "name", facts->engine);
  ew_json_put_span(writer, "version", facts->version);
  ew_json_end_object(writer);
  ew_json_end_array(writer);
}

void ew_stats_write_json(struct ew_json_writer *writer, const struct ew_stats *stats,
                         const struct ew_hunt_facts *facts) {
  char seed[24];
  double statements = stats->statements ? (double)stats->statements : 1;
  double distinct = (double)stats->distinct / statements;
  snprintf(seed, sizeof seed, "%" PRIu64, facts->seed);
  ew_json_begin_object(writer);
  write_engine(writer, facts);
  ew_json_put_string(writer, "seed", seed);
  ew_json_put_double(writer, "seconds", facts->seconds);
  if (facts->limit > 0) ew_json_put_double(writer, "time_limit", facts->limit);
  ew_json_put_string(writer, "phase", ew_hunt_phase_name(facts->phase));
#define STAT(name) ew_json_put_unsigned(writer, #name, stats->name);
#include "hunt/stat.def"
#undef STAT
  ew_json_put_unsigned(writer, "findings", facts->findings);
  ew_json_put_unsigned(writer, "groups", facts->groups);
  ew_json_put_unsigned(writer, "new_groups", facts->new_groups);
  ew_json_put_unsigned(writer, "known_groups", facts->known_groups);
  ew_json_put_unsigned(writer, "muted_groups", facts->muted_groups);
  ew_json_put_unsigned(writer, "likely_causes", facts->likely_causes);
  ew_json_put_unsigned(writer, "seen_once", facts->seen_once);
  ew_json_put_double(writer, "tool_cpu_seconds", (double)stats->tool_cpu / 1e9);
  ew_json_put_double(writer, "host_cpu_seconds", (double)stats->host_cpu / 1e9);
  ew_json_put_double(writer, "engine_seconds", (double)stats->engine_time / 1e9);
  ew_json_put_unsigned(writer, "memory_bytes", stats->memory);
  ew_json_put_double(writer, "bytes", (double)stats->bytes / statements);
  ew_json_put_double(writer, "distinct", distinct > 1 ? 1 : distinct);
  ew_json_put_double(writer, "dependencies", (double)stats->dependencies / statements);
  write_oracles(writer, stats);
  write_counts(writer, stats);
  ew_json_end_object(writer);
}
