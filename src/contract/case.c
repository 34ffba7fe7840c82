/* case.c: keys, ids, and the stored form of a case. */
#include "contract/case.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"
#include "contract/language.h"

uint64_t ew_case_key_hash(const struct ew_case_key *key) {
  uint64_t hash = ew_hash_mix(key->generator, key->seed);
  return ew_hash_mix(ew_hash_mix(hash, key->number), key->shape);
}

struct ew_finding_id ew_finding_id(const struct ew_case_key *key, const char *oracle) {
  uint64_t hash = ew_hash_bytes(oracle, strlen(oracle), ew_case_key_hash(key));
  struct ew_finding_id id;
  snprintf(id.text, sizeof id.text, "%012" PRIx64, hash >> 16);
  return id;
}

/* ---- copying ---- */

static const struct ew_node *clone(struct ew_arena *arena, const struct ew_node *tree) {
  return tree ? ew_tree_clone(arena, tree) : NULL;
}

static struct ew_list clone_list(struct ew_arena *arena, struct ew_list list) {
  const struct ew_node **items = EW_NEW_ARRAY(arena, const struct ew_node *, list.count + 1);
  for (size_t i = 0; i < list.count; i++) items[i] = ew_tree_clone(arena, list.items[i]);
  return (struct ew_list){items, list.count};
}

struct ew_case ew_case_clone(struct ew_arena *arena, const struct ew_case *original) {
  struct ew_case copy = *original;
  copy.scene.schema = clone(arena, original->scene.schema);
  copy.scene.data = clone(arena, original->scene.data);
  copy.scene.statements = clone_list(arena, original->scene.statements);
  copy.base = clone(arena, original->base);
  copy.recipe.trees = clone_list(arena, original->recipe.trees);
  int64_t *numbers = EW_NEW_ARRAY(arena, int64_t, original->recipe.number_count + 1);
  for (size_t i = 0; i < original->recipe.number_count; i++) numbers[i] = original->recipe.numbers[i];
  copy.recipe.numbers = numbers;
  return copy;
}

/* ---- stored form ---- */

/* 64-bit numbers as text: JSON readers elsewhere keep only 53 bits. */
static void put_number(struct ew_json_writer *writer, const char *key, uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, number);
  ew_json_put_string(writer, key, text);
}

static void put_tree(struct ew_json_writer *writer, const char *key, const struct ew_node *tree) {
  if (!tree) return;
  ew_json_key(writer, key);
  ew_tree_write_json(writer, tree);
}

static void put_list(struct ew_json_writer *writer, const char *key, struct ew_list list) {
  ew_json_key(writer, key);
  ew_json_begin_array(writer);
  for (size_t i = 0; i < list.count; i++) ew_tree_write_json(writer, list.items[i]);
  ew_json_end_array(writer);
}

void ew_case_write_json(struct ew_json_writer *writer, const struct ew_case *test) {
  ew_json_begin_object(writer);
  ew_json_put_string(writer, "language", test->language->name);
  ew_json_put_unsigned(writer, "generator", test->key.generator);
  put_number(writer, "seed", test->key.seed);
  put_number(writer, "number", test->key.number);
  put_number(writer, "shape", test->key.shape);
  put_tree(writer, "schema", test->scene.schema);
  put_tree(writer, "data", test->scene.data);
  put_list(writer, "statements", test->scene.statements);
  put_tree(writer, "base", test->base);
  ew_json_key(writer, "recipe");
  ew_json_begin_object(writer);
  put_list(writer, "trees", test->recipe.trees);
  ew_json_key(writer, "numbers");
  ew_json_begin_array(writer);
  for (size_t i = 0; i < test->recipe.number_count; i++) ew_json_integer(writer, test->recipe.numbers[i]);
  ew_json_end_array(writer);
  ew_json_end_object(writer);
  ew_json_end_object(writer);
}

struct reader {
  struct ew_arena *arena;
  const struct ew_node_table *table;
  struct ew_error *error;
};

static uint64_t get_number(const struct ew_json *json, const char *key) {
  char text[24];
  struct ew_span span = ew_json_get_string(json, key, EW_SPAN("0"));
  snprintf(text, sizeof text, "%.*s", EW_SPAN_ARGS(span));
  return strtoull(text, NULL, 10);
}

static enum ew_status get_tree(struct reader *reader, const struct ew_json *json, const char *key,
                               const struct ew_node **tree) {
  const struct ew_json *member = ew_json_member(json, key);
  *tree = NULL;
  if (!member) return EW_OK;
  return ew_tree_read_json(reader->arena, reader->table, member, tree, reader->error);
}

static enum ew_status get_list(struct reader *reader, const struct ew_json *json, const char *key,
                               struct ew_list *list) {
  const struct ew_json *member = ew_json_member(json, key);
  *list = (struct ew_list){0};
  if (!member) return EW_OK;
  if (member->kind != EW_JSON_ARRAY) return ew_fail(reader->error, EW_BAD, "a stored case: '%s' must be a list", key);
  const struct ew_node **items = EW_NEW_ARRAY(reader->arena, const struct ew_node *, member->count + 1);
  for (size_t i = 0; i < member->count; i++) {
    enum ew_status status =
        ew_tree_read_json(reader->arena, reader->table, &member->items[i], &items[i], reader->error);
    if (status) return status;
  }
  *list = (struct ew_list){items, member->count};
  return EW_OK;
}

static enum ew_status get_recipe(struct reader *reader, const struct ew_json *json, struct ew_recipe *recipe) {
  const struct ew_json *numbers = ew_json_member(json, "numbers");
  enum ew_status status = get_list(reader, json, "trees", &recipe->trees);
  if (status || !numbers || numbers->kind != EW_JSON_ARRAY) return status;
  int64_t *items = EW_NEW_ARRAY(reader->arena, int64_t, numbers->count + 1);
  for (size_t i = 0; i < numbers->count; i++)
    items[i] = numbers->items[i].kind == EW_JSON_INTEGER ? numbers->items[i].integer : 0;
  recipe->numbers = items;
  recipe->number_count = numbers->count;
  return EW_OK;
}

enum ew_status ew_case_read_json(struct ew_arena *arena, const struct ew_language *const *languages,
                                 const struct ew_json *json, struct ew_case *test, struct ew_error *error) {
  *test = (struct ew_case){0};
  struct ew_span name = ew_json_get_string(json, "language", EW_SPAN(""));
  for (size_t i = 0; languages[i]; i++)
    if (ew_span_is(name, languages[i]->name)) test->language = languages[i];
  if (!test->language) return ew_fail(error, EW_BAD, "a stored case: no language is called '%.*s'", EW_SPAN_ARGS(name));
  test->key = (struct ew_case_key){
      .generator = (uint32_t)ew_json_get_integer(json, "generator", 0),
      .seed = get_number(json, "seed"),
      .number = get_number(json, "number"),
      .shape = get_number(json, "shape"),
  };
  struct reader reader = {arena, test->language->table, error};
  enum ew_status status = get_tree(&reader, json, "schema", &test->scene.schema);
  if (!status) status = get_tree(&reader, json, "data", &test->scene.data);
  if (!status) status = get_list(&reader, json, "statements", &test->scene.statements);
  if (!status) status = get_tree(&reader, json, "base", &test->base);
  if (!status) status = get_recipe(&reader, ew_json_member(json, "recipe"), &test->recipe);
  if (!status && !test->base) status = ew_fail(error, EW_BAD, "a stored case: the base query is missing");
  return status;
}
