/* function_math.c: numbers. What libm computes may differ in the last digits from machine to machine: comparisons allow
   for that. */
#include <math.h>

#include "base/random.h"
#include "model/function.h"
#include "model/number.h"
#include "model/portable.h"

#define FUNCTION(suffix) \
  struct ew_value ew_function_##suffix(struct ew_execution *run, const struct ew_value *arguments, size_t count)

/* False (and failed) where one is no number. */
static bool are_numbers(struct ew_execution *run, const struct ew_value *arguments, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (ew_is_number(arguments[i])) continue;
    ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "a number is wanted, no %s", ew_kind_text(arguments[i]));
    return false;
  }
  return true;
}

/* ---- float to float ---- */

static double square(double x) { return x * x; }

/* Outside of its domain a function is NaN, or null under the knob. */
static struct ew_value within(const struct ew_execution *run, bool domain, double result) {
  return domain || !run->semantics->domain_errors_are_null ? ew_float(result) : ew_null();
}

#define PI 3.141592653589793
#define E 2.718281828459045

/* A function of x. */
#define REAL_WITHIN(suffix, domain, expression)                \
  FUNCTION(suffix) {                                           \
    if (!are_numbers(run, arguments, count)) return ew_null(); \
    double x = ew_number_of(arguments[0]);                     \
    return within(run, domain, expression);                    \
  }
#define REAL(suffix, expression) REAL_WITHIN(suffix, true, expression)

REAL_WITHIN(acos, x >= -1 && x <= 1, EW_REAL(run, acos, x))
REAL_WITHIN(asin, x >= -1 && x <= 1, EW_REAL(run, asin, x))
REAL(atan, EW_REAL(run, atan, x))
REAL(cos, EW_REAL(run, cos, x))
REAL(cosh, EW_REAL(run, cosh, x))
REAL_WITHIN(cot, x != 0, 1 / EW_REAL(run, tan, x))
REAL(coth, 1 / EW_REAL(run, tanh, x))
REAL(degrees, 180 / PI * x)
REAL(exp, EW_REAL(run, exp, x))
REAL(haversin, square(EW_REAL(run, sin, x / 2)))
REAL_WITHIN(log, x > 0 || run->semantics->domain_errors_are_null < 2, EW_REAL(run, log, x))
REAL_WITHIN(log10, x > 0 || run->semantics->domain_errors_are_null < 2, EW_REAL(run, log10, x))
REAL(radians, PI / 180 * x)
REAL(sin, EW_REAL(run, sin, x))
REAL(sinh, EW_REAL(run, sinh, x))
REAL_WITHIN(sqrt, x >= 0, sqrt(x))
REAL(tan, EW_REAL(run, tan, x))
REAL(tanh, EW_REAL(run, tanh, x))

FUNCTION(atan2) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  return ew_float(EW_REAL(run, atan2, ew_number_of(arguments[0]), ew_number_of(arguments[1])));
}

FUNCTION(pow) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  return ew_float(EW_REAL(run, pow, ew_number_of(arguments[0]), ew_number_of(arguments[1])));
}

/* ---- constants and chance ---- */

FUNCTION(pi) {
  (void)run, (void)arguments, (void)count;
  return ew_float(PI);
}

FUNCTION(e) {
  (void)run, (void)arguments, (void)count;
  return ew_float(E);
}

static uint64_t draw(struct ew_execution *run) {
  struct ew_random random = {0, run->chance};
  ew_run_is_open(run, EW_OPEN_CHANCE);
  uint64_t number = ew_random_next(&random);
  run->chance = random.state;
  return number;
}

FUNCTION(random_number) {
  (void)arguments, (void)count;
  return ew_float((double)(draw(run) >> 11) * 0x1p-53);
}

FUNCTION(random_uuid) {
  (void)arguments, (void)count;
  uint64_t high = draw(run), low = draw(run);
  return ew_string(ew_arena_format(run->arena, "%08x-%04x-4%03x-%04x-%012llx", (unsigned)(high >> 32),
                                   (unsigned)(high >> 16 & 0xffff), (unsigned)(high & 0xfff),
                                   (unsigned)(low >> 50 | 0x8000), (unsigned long long)(low & 0xffffffffffff)));
}

/* ---- sign and size ---- */

FUNCTION(abs) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  if (arguments[0].kind == EW_VALUE_FLOAT) return ew_float(fabs(arguments[0].number));
  int64_t number = arguments[0].integer;
  if (number != INT64_MIN) return ew_integer(number < 0 ? -number : number);
  if (run->semantics->integer_overflow == 1) return arguments[0];
  if (run->semantics->integer_overflow == 2) return ew_float(0x1p63);
  return ew_run_fail(run, EW_FAULT_OVERFLOW, "an integer needs more than 64 bits");
}

FUNCTION(sign) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  double number = ew_number_of(arguments[0]);
  return ew_integer((number > 0) - (number < 0));
}

FUNCTION(is_nan) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  return ew_boolean(arguments[0].kind == EW_VALUE_FLOAT && isnan(arguments[0].number));
}

/* ---- rounding ---- */

static bool stays(const struct ew_execution *run, struct ew_value number) {
  return number.kind == EW_VALUE_INTEGER && run->semantics->rounding_keeps_integers;
}

static struct ew_value whole(const struct ew_execution *run, double number) {
  bool fits = number >= -0x1p63 && number < 0x1p63;
  return run->semantics->rounding_gives_integers && fits ? ew_integer((int64_t)number) : ew_float(number);
}

FUNCTION(ceil) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  return stays(run, arguments[0]) ? arguments[0] : whole(run, ceil(ew_number_of(arguments[0])));
}

FUNCTION(floor) {
  if (!are_numbers(run, arguments, count)) return ew_null();
  return stays(run, arguments[0]) ? arguments[0] : whole(run, floor(ew_number_of(arguments[0])));
}

/* Ties go up, whatever the sign. Not floor(x + 0.5), which is 1 for the float before a half. */
static double round_half_ceiling(double number) {
  double low = floor(number);
  return number - low < 0.5 ? low : low + 1;
}

static bool read_rounding(struct ew_value mode, enum ew_rounding *rounding) {
  static const char *const names[] = {"UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN"};
  for (size_t i = 0; mode.kind == EW_VALUE_STRING && i < EW_COUNT(names); i++) {
    if (!ew_span_is(mode.string, names[i])) continue;
    *rounding = (enum ew_rounding)i;
    return true;
  }
  return false;
}

/* round(number, places, mode): without a mode and without places ties go up, with places they go away from zero
   (Neo4j's manual, "round() with precision"). */
FUNCTION(round) {
  enum ew_rounding rounding = EW_ROUND_HALF_UP;
  if (!are_numbers(run, arguments, count < 2 ? count : 2)) return ew_null();
  if (count > 1 && (arguments[1].kind != EW_VALUE_INTEGER || arguments[1].integer < 0))
    return ew_run_fail(run, EW_FAULT_NUMBER_RANGE, "round() to places that are not 0, 1, 2 …");
  if (count > 2 && !read_rounding(arguments[2], &rounding))
    return ew_run_fail(run, EW_FAULT_ARGUMENT_VALUE, "round() has no such mode");
  if (stays(run, arguments[0])) return arguments[0];
  double number = ew_number_of(arguments[0]);
  int64_t places = count > 1 ? arguments[1].integer : 0;
  if (!isfinite(number)) return ew_float(number);
  if (count > 2 || places) return ew_float(ew_float_round(number, places, rounding));
  double rounded = run->semantics->round_half_away ? round(number) : round_half_ceiling(number);
  return ew_float(rounded == 0 ? 0.0 : rounded);
}
