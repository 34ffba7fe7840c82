/* regex.c: regular expressions in the syntax of Java, as far as a machine without memory can follow them.

   A pattern becomes a program; all the places where the program may be move through the text together, so that time
   is the length of the text by the length of the program, whatever the pattern. Lookaround and references back are
   not regular, and not here. */
#include "model/regex.h"

#include "base/utf8.h"

enum { PROGRAM_MAX = 4000, NESTING_MAX = 100, RANGES_MAX = 64 };

enum operation { MATCH, ANY, CLASS, SPLIT, JUMP, START, END, WORD_EDGE, NO_WORD_EDGE };

struct range {
  uint32_t low, high;
};

struct instruction {
  enum operation operation;
  bool negated;         /* of a class */
  size_t x, y;          /* targets */
  struct range *ranges; /* of a class */
  size_t range_count;
};

struct regex {
  struct ew_execution *run;
  struct ew_span pattern;
  size_t at;
  bool failed, ignore_case, dot_all, multi_line;
  unsigned depth;
  struct instruction *program;
  size_t count;
};

static void parse_alternatives(struct regex *regex);

static bool more(const struct regex *regex) { return regex->at < regex->pattern.length; }
static char peek(const struct regex *regex) { return more(regex) ? regex->pattern.bytes[regex->at] : '\0'; }
static bool accept(struct regex *regex, char c) {
  if (!more(regex) || peek(regex) != c) return false;
  regex->at++;
  return true;
}

static void fail(struct regex *regex, const char *why) {
  regex->failed = true;
  ew_run_fail(regex->run, EW_FAULT_ARGUMENT_VALUE, "a regular expression %s", why);
}

static struct instruction *emit(struct regex *regex, enum operation operation) {
  static struct instruction nowhere;
  if (regex->count >= PROGRAM_MAX) {
    fail(regex, "is too long");
    return &nowhere;
  }
  struct instruction *instruction = &regex->program[regex->count++];
  *instruction = (struct instruction){.operation = operation};
  return instruction;
}

/* ---- classes ---- */

static void add_range(struct regex *regex, struct instruction *class, uint32_t low, uint32_t high) {
  if (!class->ranges) class->ranges = EW_NEW_ARRAY(regex->run->arena, struct range, RANGES_MAX);
  if (class->range_count == RANGES_MAX)
    fail(regex, "has a class that is too large");
  else
    class->ranges[class->range_count++] = (struct range){low, high};
}

/* \d \w \s and their opposites; false for another letter. */
static bool add_named(struct regex *regex, struct instruction *class, char letter) {
  static const struct {
    char letter;
    struct range ranges[6];
  } named[] = {
      {'d', {{'0', '9'}}},
      {'w', {{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}},
      {'s', {{'\t', '\r'}, {' ', ' '}}},
      {'D', {{1, '0' - 1}, {'9' + 1, 0x10ffff}}},
      {'W', {{1, '0' - 1}, {'9' + 1, 'A' - 1}, {'Z' + 1, '_' - 1}, {'_' + 1, 'a' - 1}, {'z' + 1, 0x10ffff}}},
      {'S', {{1, '\t' - 1}, {'\r' + 1, ' ' - 1}, {' ' + 1, 0x10ffff}}},
  };
  for (size_t i = 0; i < EW_COUNT(named); i++) {
    if (named[i].letter != letter) continue;
    for (size_t k = 0; k < EW_COUNT(named[i].ranges) && named[i].ranges[k].high; k++)
      add_range(regex, class, named[i].ranges[k].low, named[i].ranges[k].high);
    return true;
  }
  return false;
}

/* The character behind a backslash. */
static uint32_t escaped(struct regex *regex) {
  uint32_t c = more(regex) ? ew_utf8_next(regex->pattern, &regex->at) : 0;
  switch (c) {
    case 't': return '\t';
    case 'n': return '\n';
    case 'r': return '\r';
    case 'f': return '\f';
    default:
      if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || !c)
        fail(regex, "has an escape that the model does not know");
      return c;
  }
}

static void parse_class(struct regex *regex) {
  struct instruction *class = emit(regex, CLASS);
  class->negated = accept(regex, '^');
  bool first = true;
  while (!regex->failed && more(regex) && (first || peek(regex) != ']')) {
    first = false;
    uint32_t low = ew_utf8_next(regex->pattern, &regex->at);
    if (low == '[' || (low == '&' && peek(regex) == '&')) fail(regex, "has a class within a class");
    if (low == '\\' && add_named(regex, class, peek(regex))) {
      regex->at++;
      continue;
    }
    if (low == '\\') low = escaped(regex);
    uint32_t high = low;
    if (peek(regex) == '-' && regex->at + 1 < regex->pattern.length && regex->pattern.bytes[regex->at + 1] != ']') {
      regex->at++;
      high = ew_utf8_next(regex->pattern, &regex->at);
      if (high == '\\') high = escaped(regex);
      if (high < low) fail(regex, "has a range that goes backwards");
    }
    add_range(regex, class, low, high);
  }
  if (!accept(regex, ']')) fail(regex, "has a class without an end");
}

/* ---- atoms ---- */

static void parse_flags(struct regex *regex) {
  while (more(regex) && peek(regex) != ')' && !regex->failed) {
    switch (regex->pattern.bytes[regex->at++]) {
      case 'i': regex->ignore_case = true; break;
      case 's': regex->dot_all = true; break;
      case 'm': regex->multi_line = true; break;
      case 'u': break;
      default: fail(regex, "has a group that the model does not know"); break;
    }
  }
  if (!accept(regex, ')')) fail(regex, "has a group without an end");
}

static void parse_group(struct regex *regex) {
  if (accept(regex, '?') && !accept(regex, ':')) {
    parse_flags(regex);
    return;
  }
  if (++regex->depth > NESTING_MAX) fail(regex, "nests too deeply");
  if (!regex->failed) parse_alternatives(regex);
  regex->depth--;
  if (!accept(regex, ')')) fail(regex, "has a group without an end");
}

static void parse_escape(struct regex *regex) {
  char letter = peek(regex);
  if (letter == 'b' || letter == 'B') {
    regex->at++;
    emit(regex, letter == 'b' ? WORD_EDGE : NO_WORD_EDGE);
    return;
  }
  struct instruction *class = emit(regex, CLASS);
  if (add_named(regex, class, letter)) {
    regex->at++;
    return;
  }
  uint32_t c = escaped(regex);
  add_range(regex, class, c, c);
}

static void parse_atom(struct regex *regex) {
  uint32_t c = ew_utf8_next(regex->pattern, &regex->at);
  switch (c) {
    case '.': emit(regex, ANY); break;
    case '[': parse_class(regex); break;
    case '(': parse_group(regex); break;
    case '\\': parse_escape(regex); break;
    case '^': emit(regex, START); break;
    case '$': emit(regex, END); break;
    case '*':
    case '+':
    case '?': fail(regex, "repeats nothing"); break;
    default: add_range(regex, emit(regex, CLASS), c, c); break;
  }
}

/* ---- repetition ---- */

/* A copy of the code from `start` to `end` at the end of the program, its targets moved with it. */
static void repeat(struct regex *regex, const struct instruction *code, size_t start, size_t count) {
  size_t shift = regex->count - start;
  for (size_t i = 0; i < count && !regex->failed; i++) {
    struct instruction *copy = emit(regex, code[i].operation);
    *copy = code[i];
    copy->x += shift;
    copy->y += shift;
  }
}

static bool parse_number(struct regex *regex, size_t *number) {
  size_t start = regex->at;
  for (*number = 0; peek(regex) >= '0' && peek(regex) <= '9' && *number < PROGRAM_MAX; regex->at++)
    *number = *number * 10 + (size_t)(peek(regex) - '0');
  return regex->at > start;
}

static bool parse_times(struct regex *regex, size_t *low, size_t *high) {
  if (accept(regex, '*')) return *low = 0, *high = SIZE_MAX, true;
  if (accept(regex, '+')) return *low = 1, *high = SIZE_MAX, true;
  if (accept(regex, '?')) return *low = 0, *high = 1, true;
  if (!accept(regex, '{')) return false;
  if (!parse_number(regex, low)) fail(regex, "has braces without a number");
  *high = *low;
  if (accept(regex, ',') && !parse_number(regex, high)) *high = SIZE_MAX;
  if (!accept(regex, '}')) fail(regex, "has braces without an end");
  if (*high < *low) fail(regex, "repeats fewer times than it must");
  return true;
}

/* Whether the whole text matches does not depend on which repetition is tried first, so lazy ones are like greedy
   ones. */
static void parse_repeated(struct regex *regex) {
  size_t start = regex->count, low, high;
  parse_atom(regex);
  while (!regex->failed && parse_times(regex, &low, &high)) {
    if (accept(regex, '+')) fail(regex, "has a possessive repetition");
    accept(regex, '?');
    size_t count = regex->count - start;
    struct instruction *code = EW_NEW_ARRAY(regex->run->arena, struct instruction, count);
    memcpy(code, regex->program + start, count * sizeof *code);
    regex->count = start;
    for (size_t i = 0; i < low && !regex->failed; i++) repeat(regex, code, start, count);
    if (high == SIZE_MAX && !regex->failed) {
      size_t split = regex->count;
      emit(regex, SPLIT)->x = split + 1;
      repeat(regex, code, start, count);
      emit(regex, JUMP)->x = split;
      regex->program[split].y = regex->count;
    }
    for (size_t i = low; high != SIZE_MAX && i < high && !regex->failed; i++) {
      size_t split = regex->count;
      emit(regex, SPLIT)->x = split + 1;
      repeat(regex, code, start, count);
      regex->program[split].y = regex->count;
    }
  }
}

static void parse_alternatives(struct regex *regex) {
  size_t start = regex->count;
  while (!regex->failed && more(regex) && peek(regex) != ')' && peek(regex) != '|') parse_repeated(regex);
  if (regex->failed || !accept(regex, '|')) return;
  /* split; first; jump; rest */
  size_t count = regex->count - start;
  struct instruction *code = EW_NEW_ARRAY(regex->run->arena, struct instruction, count);
  memcpy(code, regex->program + start, count * sizeof *code);
  regex->count = start;
  emit(regex, SPLIT)->x = start + 1;
  repeat(regex, code, start, count);
  size_t jump = regex->count;
  emit(regex, JUMP);
  if (!regex->failed) regex->program[start].y = regex->count;
  if (!regex->failed) parse_alternatives(regex);
  if (!regex->failed) regex->program[jump].x = regex->count;
}

/* ---- running ---- */

static uint32_t fold(uint32_t c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

static bool in_class(const struct regex *regex, const struct instruction *class, uint32_t c) {
  bool in = false;
  for (size_t i = 0; i < class->range_count && !in; i++) {
    struct range range = class->ranges[i];
    in = c >= range.low && c <= range.high;
    if (!in && regex->ignore_case) {
      uint32_t lower = fold(c), upper = lower >= 'a' && lower <= 'z' ? lower - ('a' - 'A') : lower;
      in = (lower >= range.low && lower <= range.high) || (upper >= range.low && upper <= range.high);
    }
  }
  return in != class->negated;
}

static bool is_word(struct ew_span text, size_t at) {
  char c = at < text.length ? text.bytes[at] : ' ';
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}

/* Where the program may be, each place once. */
struct places {
  size_t *items;
  size_t count;
  bool *has;
};

static bool holds_here(const struct regex *regex, enum operation operation, struct ew_span text, size_t at) {
  bool edge = (at > 0 && is_word(text, at - 1)) != is_word(text, at);
  switch (operation) {
    case START: return at == 0 || (regex->multi_line && text.bytes[at - 1] == '\n');
    case END: return at == text.length || (regex->multi_line && text.bytes[at] == '\n');
    case WORD_EDGE: return edge;
    default: return !edge;
  }
}

/* Adds a place and all that it leads to without reading. `stack` has room for the whole program twice. */
static void add_place(const struct regex *regex, struct places *places, size_t place, struct ew_span text, size_t at,
                      size_t *stack) {
  size_t depth = 0;
  stack[depth++] = place;
  while (depth) {
    size_t next = stack[--depth];
    if (places->has[next]) continue;
    places->has[next] = true;
    const struct instruction *instruction = &regex->program[next];
    switch (instruction->operation) {
      case JUMP: stack[depth++] = instruction->x; break;
      case SPLIT:
        stack[depth++] = instruction->y;
        stack[depth++] = instruction->x;
        break;
      case START:
      case END:
      case WORD_EDGE:
      case NO_WORD_EDGE:
        if (holds_here(regex, instruction->operation, text, at)) stack[depth++] = next + 1;
        break;
      default: places->items[places->count++] = next; break;
    }
  }
}

static bool run_program(struct regex *regex, struct ew_span text) {
  struct ew_arena *arena = regex->run->arena;
  struct places now = {EW_NEW_ARRAY(arena, size_t, regex->count), 0, EW_NEW_ARRAY(arena, bool, regex->count)};
  struct places next = {EW_NEW_ARRAY(arena, size_t, regex->count), 0, EW_NEW_ARRAY(arena, bool, regex->count)};
  size_t *stack = EW_NEW_ARRAY(arena, size_t, 2 * regex->count + 2);
  add_place(regex, &now, 0, text, 0, stack);
  for (size_t at = 0; at < text.length && now.count && ew_run_spend(regex->run, 1 + now.count);) {
    uint32_t c = ew_utf8_next(text, &at);
    next.count = 0;
    memset(next.has, 0, regex->count * sizeof *next.has);
    for (size_t i = 0; i < now.count; i++) {
      const struct instruction *instruction = &regex->program[now.items[i]];
      bool any = instruction->operation == ANY && (regex->dot_all || (c != '\n' && c != '\r'));
      if (any || (instruction->operation == CLASS && in_class(regex, instruction, c)))
        add_place(regex, &next, now.items[i] + 1, text, at, stack);
    }
    struct places swap = now;
    now = next;
    next = swap;
  }
  for (size_t i = 0; i < now.count; i++)
    if (regex->program[now.items[i]].operation == MATCH) return true;
  return false;
}

struct ew_value ew_regex_matches(struct ew_execution *run, struct ew_span pattern, struct ew_span text) {
  struct ew_arena_mark mark = ew_arena_mark(run->arena);
  struct regex regex = {.run = run, .pattern = pattern};
  regex.program = EW_NEW_ARRAY(run->arena, struct instruction, PROGRAM_MAX);
  parse_alternatives(&regex);
  if (!regex.failed && more(&regex)) fail(&regex, "has a bracket too many");
  emit(&regex, MATCH);
  bool matches = !regex.failed && !run->failed && run_program(&regex, text);
  ew_arena_rewind(run->arena, mark);
  return run->failed ? ew_null() : ew_boolean(matches);
}
