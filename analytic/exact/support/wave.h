/* analytic/exact/support/wave.h -- motions x'' = p + a cos(omega s) + b sin(omega s)/omega, and their first zero.
 *
 *   x(s) = x0 + x1 s + p s^2/2 + a C(s) + b S(s),   C = (1 - cos omega s)/omega^2,
 *                                                   S = (omega s - sin omega s)/omega^3
 * C and S are accurate relative to themselves for every omega s, omega = 0 included (s^2/2, s^3/6): x keeps its
 * digits on short flights, where x1 s leads. Everything is in long double.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WAVE_H
#define DELASSUS_WAVE_H

#include <stdbool.h>

typedef struct dls_wave {
  long double x0, x1;  /* value and slope at s = 0 */
  long double p, a, b; /* x'' = p + a cos + b sin/omega */
  long double omega;   /* >= 0 */
} dls_wave;

typedef struct dls_wave_state {
  long double x, d, dd; /* value, first and second derivative */
} dls_wave_state;

/** What all waves of one omega share at s. */
typedef struct dls_wave_shape {
  long double s, C, S;
  long double sinc, cosine; /* sin(omega s)/(omega s), cos(omega s) */
} dls_wave_shape;

/** At s >= 0. */
dls_wave_shape dls_wave_shape_at(long double omega, long double s);
/** The same, each member about 2^-55 off: for rows of tables, by few operations (trigonometry.h). */
dls_wave_shape dls_wave_row_shape(long double omega, long double s);

static inline dls_wave_state dls_wave_with(const dls_wave *wave, const dls_wave_shape *at)
{
  const long double s = at->s;
  return (dls_wave_state){
      .x = wave->x0 + s * wave->x1 + (wave->p * (s * s / 2) + wave->a * at->C) + wave->b * at->S,
      .d = wave->x1 + s * (wave->p + wave->a * at->sinc) + wave->b * at->C,
      .dd = wave->p + wave->a * at->cosine + wave->b * s * at->sinc,
  };
}

/** State s >= 0 after the start. */
dls_wave_state dls_wave_at(const dls_wave *wave, long double s);
/** max |x''''| and max |x'''''|, over all s. */
long double dls_wave_fourth(const dls_wave *wave);
long double dls_wave_fifth(const dls_wave *wave);
/**
 * The first s in (0, s_max] with x = 0; x(0) >= 0, and x > 0 right after it.
 * Steps of proven length from the left: with M >= |x''| on [s, s + h], x stays positive until
 * x + x' y - M y^2/2 = 0. They approach a simple root quadratically, pass a near miss, stop at a double root.
 * @param[in]  lead    order of the first derivative at the start that is not 0 (then > 0): 0, 1, 2 or 3; those
 *                     before it are taken as 0 whatever the rounding of a - p
 * @param[out] s       the root
 * @param[out] d       x' there, <= 0
 * @param[out] grazes  x = x' = 0 to rounding: d is then 0
 * @return false if there is none
 */
bool dls_wave_first_zero(const dls_wave *wave, unsigned lead, long double s_max, long double *s, long double *d,
                         bool *grazes);

#endif
