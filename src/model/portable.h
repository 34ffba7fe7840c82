/* portable.h: what libm computes, by sums and products alone: the same bits on every machine, right in the first ten
   digits or so. For runs whose results decide what is generated next (ew_model_options.portable): libm's last digits
   must not. For this room only. */
#ifndef EW_MODEL_PORTABLE_H
#define EW_MODEL_PORTABLE_H

#include <math.h>

double ew_portable_exp(double x);
double ew_portable_log(double x);
double ew_portable_log10(double x);
double ew_portable_sin(double x);
double ew_portable_cos(double x);
double ew_portable_tan(double x);
double ew_portable_asin(double x);
double ew_portable_acos(double x);
double ew_portable_atan(double x);
double ew_portable_sinh(double x);
double ew_portable_cosh(double x);
double ew_portable_tanh(double x);
double ew_portable_atan2(double y, double x);
double ew_portable_pow(double x, double y);

/* EW_REAL(run, sin, x), EW_REAL(run, pow, x, y) */
#define EW_REAL(run, name, ...) ((run)->portable ? ew_portable_##name(__VA_ARGS__) : name(__VA_ARGS__))

#endif
