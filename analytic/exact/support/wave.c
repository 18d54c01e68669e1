/* analytic/exact/support/wave.c -- see wave.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/wave.h"
#include "analytic/exact/support/trigonometry.h"
#include <float.h>
#include <math.h>

/* Double root: x differs from 0 by less than this part of its height since the start. */
#define GRAZING (256 * LDBL_EPSILON)
static const long double third_part = 1.0L / 3;
/* Squares between these have all their digits in double. */
static const double least_square = 1e-290, largest_square = 1e290;

/* (y - sin y)/y^3: series below 1, where the subtraction would lose digits. */
static long double sine_rest(long double y, long double sine)
{
  if (y > 1) {
    return (y - sine) / (y * y * y);
  }
  long double term = 1.0L / 6, sum = term;
  for (int k = 4; fabsl(term) > LDBL_EPSILON * sum / 4; k += 2) {
    term *= -y * y / (k * (k + 1));
    sum += term;
  }
  return sum;
}

dls_wave_shape dls_wave_shape_at(long double omega, long double s)
{
  const long double y = omega * s, half = sinl(y / 2), sine = sinl(y), rest = sine_rest(y, sine);
  const long double sinc = y > 0 ? sine / y : 1;                   /* sin y / y */
  const long double chord = y > 0 ? half * half / (y * y / 4) : 1; /* (1 - cos y) / (y^2/2) */
  return (dls_wave_shape){
      .s = s, .C = s * s / 2 * chord, .S = s * s * s * rest, .sinc = sinc, .cosine = cosl(y)};
}

dls_wave_shape dls_wave_row_shape(long double omega, long double s)
{
  const long double y = omega * s, half_square = s * s * 0.5L;
  const double z = (double)y * (double)y;
  if (z < 0.25) { /* 1 - cos y = y^2/2 (1 - c), y - sin y = y^3/6 (1 - d) */
    const double c = z / 12 * (1 - z / 30 * (1 - z / 56 * (1 - z / 90 * (1 - z / 132 * (1 - z / 182)))));
    const double d = z / 20 * (1 - z / 42 * (1 - z / 72 * (1 - z / 110 * (1 - z / 156 * (1 - z / 210)))));
    return (dls_wave_shape){.s = s,
                            .C = half_square - half_square * c,
                            .S = s * half_square * third_part * (1 - (long double)d),
                            .sinc = 1 - (long double)(z / 6 * (1 - d)),
                            .cosine = 1 - (long double)(z / 2 * (1 - c))};
  }
  const dls_sine_cosine at = dls_sine_cosine_of(y);
  const long double per_y = 1 / y, per_omega = s * per_y, C = (1 - at.cosine) * per_omega * per_omega;
  return (dls_wave_shape){.s = s,
                          .C = C,
                          .S = (y - at.sine) * per_omega * per_omega * per_omega,
                          .sinc = at.sine * per_y,
                          .cosine = at.cosine};
}

dls_wave_state dls_wave_at(const dls_wave *wave, long double s)
{
  const dls_wave_shape at = dls_wave_shape_at(wave->omega, s);
  return dls_wave_with(wave, &at);
}

/* max |x'''| */
static long double third(const dls_wave *wave)
{
  return hypotl(wave->omega * wave->a, wave->b);
}

long double dls_wave_fourth(const dls_wave *wave)
{
  return wave->omega * third(wave);
}

long double dls_wave_fifth(const dls_wave *wave)
{
  return wave->omega * wave->omega * third(wave);
}

/* max |x''| and max |x'''|, over all s */
typedef struct bounds {
  long double second, third;
} bounds;

static bounds bounds_of(const dls_wave *wave)
{
  const long double most = third(wave);
  return (bounds){fabsl(wave->p) + (wave->omega > 0 ? most / wave->omega : (long double)INFINITY), most};
}

/* Halves h until the root of safe_step may be h/2 or more. Double decides, with 2 % to spare: roots and quotients of long double in software take
 * a hundred times as long. */
static long double longest_part(const bounds *most, const dls_wave_state *at, long double longest)
{
  const double second = (double)most->second, slope = (double)most->third, whole = (double)longest;
  const double x = (double)at->x, d = (double)at->d, dd = fabs((double)at->dd);
  for (double part = 1;; part /= 2) {
    const double h = part * whole, near = dd + h * slope, M = second < near ? second : near;
    const double square = d * d + 2 * M * x, root = sqrt(square);
    const double y = d > 0 ? (d + root) / M : 2 * x / (root - d);
    if (!(square > least_square && square < largest_square && y < 0.49 * h)) {
      return longest * (long double)part;
    }
  }
}

/* A step from s on which x > 0 for sure: the root of x + x' y - M y^2/2, with M on [s, s + h], up to h. */
static long double safe_step(const bounds *most, const dls_wave_state *at, long double longest)
{
  for (long double h = longest_part(most, at, longest);; h /= 2) {
    const long double M = fminl(most->second, fabsl(at->dd) + h * most->third);
    const long double root = sqrtl(at->d * at->d + 2 * M * at->x);
    const long double y = at->d > 0 ? (at->d + root) / M : 2 * at->x / (root - at->d);
    if (!(y < h / 2)) {
      return y < h ? y : h;
    }
  }
}

/* A first step after x = x' = 0, with D > 0 the derivative of order lead and N the bound of the next one:
 * x >= D s^lead/lead! - N s^(lead + 1)/(lead + 1)! is positive for s < (lead + 1) D/N. */
static long double lift_step(const dls_wave *wave, unsigned lead, long double longest)
{
  const long double D = lead == 2 ? wave->p + wave->a : wave->b;
  const long double N = lead == 2 ? third(wave) : dls_wave_fourth(wave);
  return N > 0 ? fminl(longest, D / N) : longest;
}

bool dls_wave_first_zero(const dls_wave *wave, unsigned lead, long double s_max, long double *s, long double *d,
                         bool *grazes)
{
  const bounds most = bounds_of(wave);
  dls_wave_state at = dls_wave_at(wave, 0);
  long double here = 0, highest = wave->x0;
  if (lead >= 2) {
    here = lift_step(wave, lead, s_max);
    at = dls_wave_at(wave, here);
    highest = at.x;
  }
  while (here < s_max) {
    const long double step = at.x > 0 || here == 0 ? safe_step(&most, &at, s_max - here) : 0;
    if (step <= 4 * LDBL_EPSILON * here) {
      *grazes = at.d * at.d <= GRAZING * highest * fabsl(at.dd);
      *s = here - (*grazes && at.dd > 0 ? at.d / at.dd : at.x / at.d);
      *d = *grazes ? 0 : fminl(0, dls_wave_at(wave, *s).d);
      return *s <= s_max;
    }
    const bool falls = at.d < 0;
    here = step < s_max - here ? here + step : s_max;
    at = dls_wave_at(wave, here);
    highest = fmaxl(highest, at.x);
    if (falls && at.d >= 0 && at.x <= GRAZING * highest && at.d * at.d <= GRAZING * highest * at.dd) {
      *grazes = true; /* though the round-off of x at its minimum is positive */
      *s = here - at.d / at.dd;
      *d = 0;
      return true;
    }
  }
  return false;
}
