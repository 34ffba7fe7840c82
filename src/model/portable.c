/* portable.c: see the header. Of libm only functions whose results are exact are called: fabs, fmod, frexp, ldexp, sqrt. */
#include "model/portable.h"

#include <stdbool.h>

#define PI 3.141592653589793
#define LN2 0.6931471805599453
#define LN10 2.302585092994046

enum { TERMS = 22 };

double ew_portable_exp(double x) {
  if (isnan(x)) return x;
  if (x > 709.7) return (double)INFINITY;
  if (x < -745) return 0;
  int halves = (int)(x / LN2);
  double rest = x - halves * LN2, term = 1, sum = 1;
  for (int i = 1; i < TERMS; i++) sum += term *= rest / i;
  return ldexp(sum, halves);
}

double ew_portable_log(double x) {
  int exponent;
  if (isnan(x) || x < 0) return (double)NAN;
  if (x == 0) return -(double)INFINITY;
  if (isinf(x)) return x;
  double mantissa = frexp(x, &exponent); /* half to one */
  double ratio = (mantissa - 1) / (mantissa + 1), power = ratio, sum = 0;
  for (int i = 1; i < 2 * TERMS; i += 2, power *= ratio * ratio) sum += power / i;
  return 2 * sum + exponent * LN2;
}

double ew_portable_log10(double x) { return ew_portable_log(x) / LN10; }

double ew_portable_sin(double x) {
  if (isnan(x) || isinf(x)) return (double)NAN;
  x = fmod(x, 2 * PI);
  if (x > PI) x -= 2 * PI;
  if (x < -PI) x += 2 * PI;
  double term = x, sum = x;
  for (int i = 2; i < 2 * TERMS; i += 2) sum += term *= -x * x / (i * (i + 1));
  return sum;
}

double ew_portable_cos(double x) { return ew_portable_sin(fmod(x, 2 * PI) + PI / 2); }
double ew_portable_tan(double x) { return ew_portable_sin(x) / ew_portable_cos(x); }

double ew_portable_atan(double x) {
  if (isnan(x)) return x;
  bool large = fabs(x) > 1;
  double a = large ? 1 / x : x;
  a = a / (1 + sqrt(1 + a * a)); /* half the angle, twice: the series needs small numbers */
  a = a / (1 + sqrt(1 + a * a));
  double power = a, sum = 0;
  for (int i = 1; i < 2 * TERMS; i += 2, power *= -a * a) sum += power / i;
  sum *= 4;
  return !large ? sum : x > 0 ? PI / 2 - sum : -PI / 2 - sum;
}

double ew_portable_asin(double x) {
  if (isnan(x) || x < -1 || x > 1) return (double)NAN;
  return fabs(x) == 1 ? x * PI / 2 : ew_portable_atan(x / sqrt(1 - x * x));
}

double ew_portable_acos(double x) { return PI / 2 - ew_portable_asin(x); }
double ew_portable_sinh(double x) { return (ew_portable_exp(x) - ew_portable_exp(-x)) / 2; }
double ew_portable_cosh(double x) { return (ew_portable_exp(x) + ew_portable_exp(-x)) / 2; }

double ew_portable_tanh(double x) {
  if (fabs(x) > 20) return x > 0 ? 1 : -1;
  return ew_portable_sinh(x) / ew_portable_cosh(x);
}

double ew_portable_atan2(double y, double x) {
  if (isnan(x) || isnan(y)) return (double)NAN;
  if (x == 0 && y == 0) return signbit(x) ? (signbit(y) ? -PI : PI) : y;
  if (isinf(x) && isinf(y)) return (x > 0 ? PI / 4 : 3 * PI / 4) * (y > 0 ? 1 : -1);
  if (x == 0) return y > 0 ? PI / 2 : -PI / 2;
  double angle = ew_portable_atan(y / x);
  return x > 0 ? angle : signbit(y) ? angle - PI : angle + PI;
}

static bool is_whole(double x) { return fmod(x, 1) == 0; }

double ew_portable_pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (isnan(x) || isnan(y)) return (double)NAN;
  bool odd = is_whole(y) && fabs(fmod(y, 2)) == 1;
  if (x < 0 && !is_whole(y) && !isinf(y) && !isinf(x)) return (double)NAN;
  if (is_whole(y) && fabs(y) <= 64) { /* exact where the powers are */
    double product = 1;
    for (int i = 0; i < (int)fabs(y); i++) product *= x;
    return y < 0 ? 1 / product : product;
  }
  if (x == -1 && isinf(y)) return 1;
  double size = x == 0 ? (y > 0 ? 0 : (double)INFINITY) : ew_portable_exp(y * ew_portable_log(fabs(x)));
  return signbit(x) && odd ? -size : size;
}
