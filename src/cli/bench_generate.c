/* bench_generate.c: sizes as CONTRACT.md counts them: a string literal is two bytes, the labels of an element are one. */
#include "cli/bench_generate.h"

#include <regex.h>

#include "base/deadline.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/map.h"
#include "cli/engines.h"
#include "generate/cypher_world.h"
#include "generate/generate.h"
#include "lang/cypher/node.h"

enum {
  RATE_TIME = EW_SECOND,
  QUALITY_CASES = 4000,
  CONSTRUCT_STATEMENTS = 20000,
  CONSTRUCTS_MAX = 100,
  BATCH = 64,
  FILE_BYTES_MAX = 1 << 20
};

/* Cases of one sort, one after the other. */
struct flow {
  const struct ew_generator *generator;
  const struct ew_profile *profile;
  struct ew_generate_options options;
  uint64_t seed, number;
  struct ew_arena scene_arena, arena;
  struct ew_scene scene;
  void *world;
};

static void open_flow(struct flow *flow, const struct ew_profile *profile, struct ew_generate_options options,
                      uint64_t seed) {
  *flow = (struct flow){.profile = profile, .options = options, .seed = seed};
  for (size_t i = 0; ew_generators[i]; i++)
    if (ew_span_is(profile->language, ew_generators[i]->language->name)) flow->generator = ew_generators[i];
  ew_arena_init(&flow->scene_arena);
  ew_arena_init(&flow->arena);
}

static void close_flow(struct flow *flow) {
  flow->generator->release(flow->world);
  ew_arena_release(&flow->scene_arena);
  ew_arena_release(&flow->arena);
}

/* The next case's program, in the arena of the flow. Few give none. */
static struct ew_program next_program(struct flow *flow) {
  uint64_t number = flow->number++;
  ew_arena_reset(&flow->arena);
  struct ew_random root = ew_random_from(ew_hash_mix(flow->seed, number));
  if (number % EW_CASES_PER_SCENE == 0) {
    struct ew_random random = ew_random_split(&root, "scene", 0);
    ew_arena_reset(&flow->scene_arena);
    flow->scene = flow->generator->scene(&flow->scene_arena, flow->profile, &flow->options, &random);
    flow->world = flow->generator->prepare(flow->world, flow->profile, &flow->options, &flow->scene);
  }
  struct ew_random random = ew_random_split(&root, "case", 0);
  struct ew_builder builder = {&flow->arena, 1};
  struct ew_draw draw = {
      .builder = &builder, .random = &random, .purpose = EW_PURPOSE_ANY, .number = number, .key = flow->seed};
  const struct ew_node *base = flow->generator->base(flow->world, &draw);
  if (!base) return (struct ew_program){0};
  return flow->generator->language->ask(&flow->arena, &flow->scene, base, flow->profile);
}

static double rate_of(const struct ew_profile *profile, struct ew_generate_options options, uint64_t seed) {
  struct flow flow;
  size_t statements = 0;
  open_flow(&flow, profile, options, seed);
  int64_t began = ew_cpu_now(), used = 0;
  while (used < RATE_TIME) {
    for (int i = 0; i < BATCH; i++) statements += next_program(&flow).count;
    used = ew_cpu_now() - began;
  }
  close_flow(&flow);
  return (double)statements / ((double)used / (double)EW_SECOND);
}

/* ---- sizes ---- */

static size_t bytes_of(struct ew_span text) {
  size_t bytes = 0;
  for (size_t i = 0; i < text.length; i++) {
    char quote = text.bytes[i];
    bytes++;
    if (quote != '\'' && quote != '"') continue;
    for (i++; i < text.length && text.bytes[i] != quote; i++) i += text.bytes[i] == '\\';
    bytes++;
  }
  return bytes;
}

static enum ew_walk count_labels(const struct ew_node *node, struct ew_place place, void *context) {
  size_t *bytes = context;
  (void)place;
  if (cypher_is(node, CYPHER_label_colons)) {
    struct ew_list labels = CYPHER_AS(label_colons, node)->labels.list;
    for (size_t i = 1; i < labels.count; i++)
      if (cypher_is(labels.items[i], CYPHER_label)) *bytes += 1 + CYPHER_AS(label, labels.items[i])->name.name.length;
  }
  return EW_WALK_ON;
}

struct tally {
  size_t statements, bytes, dependencies, queries, nonempty, failed;
  struct ew_map texts;
};

static void weigh(struct tally *tally, const struct ew_language *language, const struct ew_statement *statement) {
  size_t repeated = 0;
  uint64_t hash = ew_hash_span(statement->text, 0);
  tally->statements++;
  if (ew_span_is(ew_span_of(language->name), "cypher")) ew_tree_walk(statement->tree, count_labels, &repeated);
  tally->bytes += bytes_of(statement->text) - repeated;
  if (language->dependencies) tally->dependencies += language->dependencies(statement->tree);
  ew_map_add(&tally->texts, ew_map_key_number(&hash), NULL);
}

/* ---- on the model ---- */

/* Runs the statements of a case one after the other; the world is as before afterwards. */
static void judge(struct flow *flow, struct tally *tally, struct ew_program program) {
  static const struct ew_model_limits limits = {.steps = 300000, .rows = 20000, .bytes = 16 << 20};
  struct ew_cypher_world *world = flow->world;
  struct ew_graph_mark mark = ew_graph_begin(&world->model.graph);
  for (size_t i = 0; i < program.count; i++) {
    const struct ew_statement *statement = &program.statements[i];
    struct ew_model_options options = {.semantics = &flow->profile->semantics,
                                       .limits = &limits,
                                       .parameters = statement->parameters,
                                       .parameter_count = statement->parameter_count};
    struct ew_model_result result;
    ew_model_execute(&world->model, statement->tree, &options, &flow->arena, &result);
    tally->failed += result.error.code != EW_FAULT_NONE;
    if (!statement->columns.count) continue;
    tally->queries++;
    tally->nonempty += !result.error.code && result.rows.row_count > 0;
  }
  ew_graph_rollback(&world->model.graph, mark);
  if (world->model.schema.constraints.count) ew_catalog_reset(&world->model.schema);
}

static void take_stock(const struct ew_profile *profile, struct ew_generate_options options, uint64_t seed,
                       struct tally *tally) {
  struct flow flow;
  *tally = (struct tally){0};
  ew_map_init(&tally->texts);
  open_flow(&flow, profile, options, seed);
  bool cypher = ew_span_is(profile->language, "cypher");
  for (int i = 0; i < QUALITY_CASES; i++) {
    struct ew_program program = next_program(&flow);
    for (size_t k = 0; k < program.count; k++) weigh(tally, flow.generator->language, &program.statements[k]);
    if (cypher) judge(&flow, tally, program);
  }
  close_flow(&flow);
}

static double share(size_t part, size_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0; }

static void write_tally(struct ew_text *text, const struct tally *tally, double rate) {
  ew_text_add_format(
      text, "%9.0f/s %6.0f bytes %5.1f dependencies  distinct %6.2f %%  with rows %5.1f %%  failed %4.1f %%\n", rate,
      (double)tally->bytes / (double)tally->statements, (double)tally->dependencies / (double)tally->statements,
      share(tally->texts.count, tally->statements), share(tally->nonempty, tally->queries),
      share(tally->failed, tally->statements));
}

/* ---- constructs ---- */

struct constructs {
  char *lines[CONSTRUCTS_MAX];
  regex_t patterns[CONSTRUCTS_MAX];
  bool found[CONSTRUCTS_MAX];
  size_t count;
};

static enum ew_status read_constructs(struct constructs *constructs, struct ew_text *file, struct ew_error *error) {
  struct ew_text path = {0};
  enum ew_status status = ew_engines_folder(&path, error);
  ew_text_add_string(&path, "/../bench/constructs.txt");
  if (!status) status = ew_file_read(path.bytes, FILE_BYTES_MAX, file, error);
  ew_text_release(&path);
  if (status) return status;
  for (char *line = file->bytes, *end; line && *line; line = end) {
    end = strchr(line, '\n');
    if (end) *end++ = '\0';
    if (!*line || constructs->count == CONSTRUCTS_MAX) continue;
    if (regcomp(&constructs->patterns[constructs->count], line, REG_EXTENDED | REG_NOSUB))
      return ew_fail(error, EW_BAD, "bench/constructs.txt: '%s' is no regular expression", line);
    constructs->lines[constructs->count++] = line;
  }
  return EW_OK;
}

static void look_for(struct constructs *constructs, struct flow *flow, size_t statements) {
  while (statements) {
    struct ew_program program = next_program(flow);
    for (size_t i = 0; i < program.count && statements; i++, statements--) {
      const char *text = ew_arena_string(&flow->arena, program.statements[i].text);
      for (size_t k = 0; k < constructs->count; k++)
        if (!constructs->found[k]) constructs->found[k] = !regexec(&constructs->patterns[k], text, 0, NULL, 0);
    }
  }
}

static enum ew_status write_constructs(struct ew_text *text, const struct ew_profile *profile, uint64_t seed,
                                       struct ew_error *error) {
  static const enum ew_style styles[] = {EW_STYLE_RICH, EW_STYLE_SCRIPT};
  struct ew_generate_options options = ew_generate_options_standard;
  static struct constructs constructs;
  struct ew_text file = {0};
  size_t missing = 0;
  constructs = (struct constructs){0};
  enum ew_status status = read_constructs(&constructs, &file, error);
  for (size_t i = 0; i < EW_COUNT(styles) && !status; i++) {
    struct flow flow;
    options.style = styles[i];
    open_flow(&flow, profile, options, seed);
    look_for(&constructs, &flow, CONSTRUCT_STATEMENTS / EW_COUNT(styles));
    close_flow(&flow);
  }
  for (size_t i = 0; i < constructs.count; i++) missing += !constructs.found[i];
  if (!status) {
    ew_text_add_format(text, "constructs: %zu of %zu in %d statements", constructs.count - missing, constructs.count,
                       CONSTRUCT_STATEMENTS);
    for (size_t i = 0; i < constructs.count; i++)
      if (!constructs.found[i]) ew_text_add_format(text, "; no %s", constructs.lines[i]);
    ew_text_add_string(text, "\n");
  }
  for (size_t i = 0; i < constructs.count; i++) regfree(&constructs.patterns[i]);
  ew_text_release(&file);
  return status;
}

/* ---- the benchmarks ---- */

static const struct {
  const char *name;
  enum ew_style style;
  enum ew_tracking state;
} sorts[] = {
    {"predicate summary", EW_STYLE_PREDICATE, EW_TRACK_SUMMARY},
    {"predicate exact", EW_STYLE_PREDICATE, EW_TRACK_EXACT},
    {"script summary", EW_STYLE_SCRIPT, EW_TRACK_SUMMARY},
    {"script exact", EW_STYLE_SCRIPT, EW_TRACK_EXACT},
    {"rich exact", EW_STYLE_RICH, EW_TRACK_EXACT},
    {"rich summary", EW_STYLE_RICH, EW_TRACK_SUMMARY},
};

enum ew_status ew_bench_generate(struct ew_text *text, const struct ew_profile *profile, uint64_t seed,
                                 struct ew_error *error) {
  struct ew_generate_options options = ew_generate_options_standard;
  bool cypher = ew_span_is(profile->language, "cypher");
  struct tally tally;
  double rate = 0, bytes = 0;
  for (size_t i = cypher ? 0 : EW_COUNT(sorts) - 1; i < EW_COUNT(sorts); i++) {
    options.style = sorts[i].style;
    options.state = sorts[i].state;
    rate = rate_of(profile, options, seed);
    take_stock(profile, options, seed, &tally);
    bytes = (double)tally.bytes / (double)tally.statements;
    ew_text_add_format(text, "%-18s", cypher ? sorts[i].name : "programs");
    write_tally(text, &tally, rate);
    ew_map_release(&tally.texts);
  }
  enum ew_status status = cypher ? write_constructs(text, profile, seed, error) : EW_OK;
  if (!status) ew_text_add_format(text, "generate: %.0f statements a CPU second, %.0f bytes on average\n", rate, bytes);
  return status;
}

enum ew_status ew_bench_ablation(struct ew_text *text, const struct ew_profile *profile, uint64_t seed,
                                 struct ew_error *error) {
  static const struct {
    const char *name;
    bool without_summary, without_context;
  } switches[] = {
      {"all", false, false}, {"no summary", true, false}, {"no context", false, true}, {"neither", true, true}};
  if (!ew_span_is(profile->language, "cypher"))
    return ew_fail(error, EW_USAGE, "%.*s does not speak Cypher", EW_SPAN_ARGS(profile->name));
  double most = 0, least = 0;
  for (size_t i = 0; i < EW_COUNT(switches); i++) {
    struct ew_generate_options options = ew_generate_options_standard;
    struct tally tally;
    options.style = EW_STYLE_RICH;
    options.state = EW_TRACK_SUMMARY;
    options.without_summary = switches[i].without_summary;
    options.without_context = switches[i].without_context;
    double rate = rate_of(profile, options, seed);
    take_stock(profile, options, seed, &tally);
    least = (double)tally.dependencies / (double)tally.statements;
    if (!i) most = least;
    ew_text_add_format(text, "%-18s", switches[i].name);
    write_tally(text, &tally, rate);
    ew_map_release(&tally.texts);
  }
  ew_text_add_format(text, "ablation: %.1f dependencies with all, %.1f with neither\n", most, least);
  return EW_OK;
}
