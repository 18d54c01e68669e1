/* experiments/measures/spectrum/spectrum.c -- eigenvalues of one step of a scheme; period error, damping and response from them.
 * Source of the measures: T. J. R. Hughes 1987, The Finite Element Method, chapter 9.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/spectrum/spectrum_runs.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

const char *const dls_spectrum_names[] = {"radius", "period", "damping", "response", NULL};
static const double pi = 3.14159265358979323846;
static const double small = 1e-10; /* relative: above the residual of Newton's methods */
enum { SETTLED = 2 };              /* from this node on, the start under load does not affect the steps */

typedef struct measurement {
  const dls_scheme_choice *choice;
  const dls_spectrum_oscillator *oscillator;
  dls_spectrum_nodes runs[DLS_SPECTRUM_RUNS];
} measurement;

/* Of a step from states of size 1: forces are omega^2 h^2 times as large as what they change. */
static double rounding(const dls_spectrum_point *point)
{
  const double x = 2 * pi * point->ratio;
  return 16 * DBL_EPSILON * x * x;
}

static dls_status simulate(measurement *m, const dls_spectrum_point *point, int first, int last, size_t steps,
                           dls_error *err)
{
  dls_status status = DLS_OK;
  for (int run = first; run <= last && status == DLS_OK; run++) {
    status = dls_spectrum_simulate(m->choice, point->ratio, m->oscillator, run, steps, &m->runs[run], err);
  }
  return status;
}

/* Is a step from two states at once the sum of the steps from each? */
static dls_status check_linear(const measurement *m, const dls_spectrum_point *point, dls_error *err)
{
  const double *q = m->runs[DLS_FROM_Q].y, *v = m->runs[DLS_FROM_V].y, *both = m->runs[DLS_FROM_BOTH].y;
  for (size_t i = 2; i < 6; i++) {
    const double sum = 0.6 * q[i] - 0.8 * v[i], scale = 1 + fabs(q[i]) + fabs(v[i]);
    if (!(fabs(sum - both[i]) <= 10 * (small + rounding(point)) * scale)) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                      "scheme %s is not linear: a step from the sum of two states differs by %.3g from the "
                      "sum of the steps, so it has no spectrum",
                      m->choice->scheme->name, fabs(sum - both[i]));
    }
  }
  return DLS_OK;
}

/* Do q and v at a node determine the next node? Then the first nodes are the columns of the matrix. */
static bool is_closed(const measurement *m, dls_spectrum_point *out)
{
  double *A = out->matrix, largest = 0;
  for (size_t i = 0; i < 4; i++) {
    A[i] = m->runs[i % 2 == 0 ? DLS_FROM_Q : DLS_FROM_V].y[2 + i / 2];
    largest = fmax(largest, fabs(A[i]));
  }
  for (int run = DLS_FROM_Q; run <= DLS_FROM_PULSE; run++) {
    const double *y = m->runs[run].y + 2, scale = fabs(y[0]) + fabs(y[1]);
    for (size_t i = 0; i < 2; i++) {
      const double next = A[2 * i] * y[0] + A[2 * i + 1] * y[1];
      if (!(fabs(next - y[2 + i]) <= small * largest * scale + rounding(out))) {
        return false;
      }
    }
  }
  return true;
}

/* Roots of lambda^2 - tr A lambda + det A, the larger one without cancellation. */
static void find_two(dls_spectrum_point *out)
{
  const double *A = out->matrix, half = (A[0] + A[3]) / 2, det = A[0] * A[3] - A[1] * A[2],
               difference = (A[0] - A[3]) / 2, square = difference * difference + A[1] * A[2];
  out->states = 2;
  if (square < 0) {
    out->re[0] = out->re[1] = half;
    out->im[0] = sqrt(-square);
    out->im[1] = -out->im[0];
  } else {
    out->re[0] = half + copysign(sqrt(square), half);
    out->re[1] = out->re[0] != 0 ? det / out->re[0] : 0;
    out->im[0] = out->im[1] = 0;
  }
}

static void sort(dls_spectrum_point *p)
{
  for (size_t i = 0; i < p->states; i++) {
    for (size_t j = i; j > 0 && hypot(p->re[j], p->im[j]) > hypot(p->re[j - 1], p->im[j - 1]); j--) {
      const double re = p->re[j], im = p->im[j];
      p->re[j] = p->re[j - 1];
      p->im[j] = p->im[j - 1];
      p->re[j - 1] = re;
      p->im[j - 1] = im;
    }
  }
}

/* The eigenvalue with im > 0 that is nearest to the exact one; while steps are longer than half a period, that of largest
 * modulus. */
static void find_principal(dls_spectrum_point *p, double zeta)
{
  const double wh = 2 * pi * p->ratio;
  const double complex exact = cexp((-zeta + I * sqrt(1 - zeta * zeta)) * wh);
  double nearest = INFINITY;
  p->principal_re = p->principal_im = NAN;
  for (size_t i = 0; i < p->states; i++) {
    const double complex root = p->re[i] + I * p->im[i];
    const double distance = wh < pi ? cabs(root - exact) : -cabs(root);
    if (p->im[i] > 0 && distance < nearest) {
      nearest = distance;
      p->principal_re = p->re[i];
      p->principal_im = p->im[i];
    }
  }
}

static void read_roots(dls_spectrum_point *p, double zeta)
{
  find_principal(p, zeta);
  const double modulus = hypot(p->principal_re, p->principal_im),
               angle = atan2(p->principal_im, p->principal_re), exact = 2 * pi * p->ratio;
  p->values[DLS_SPECTRUM_RADIUS] = hypot(p->re[0], p->im[0]);
  p->values[DLS_SPECTRUM_PERIOD] = exact * sqrt(1 - zeta * zeta) / angle - 1;
  p->values[DLS_SPECTRUM_DAMPING] = 0 - log(modulus) / angle - zeta / sqrt(1 - zeta * zeta); /* no -0 */
}

/* Coefficients of prod (x - root), from that of x^0 on. */
static void make_polynomial(const dls_spectrum_point *p, double complex *c)
{
  c[0] = 1;
  for (size_t i = 0; i < p->states; i++) {
    const double complex root = p->re[i] + I * p->im[i];
    c[i + 1] = c[i];
    for (size_t j = i; j > 0; j--) {
      c[j] = c[j - 1] - root * c[j];
    }
    c[0] *= -root;
  }
}

/* Y of the steady motion Y z^k under the load z^k, z = exp(i Omega h). The polynomial P of the eigenvalues annihilates the
 * transient: applied to the nodes from k on, it gives P(z) Y z^k. */
static double complex steady(const measurement *m, const dls_spectrum_point *p)
{
  const double complex z = cexp(2 * pi * I * m->oscillator->frequency * p->ratio);
  double complex c[DLS_SPECTRUM_STATES + 1], sum = 0, at = 0, power = 1;
  make_polynomial(p, c);
  for (size_t i = 0; i <= p->states; i++) {
    const size_t k = 2 * (SETTLED + i);
    sum += c[i] * (m->runs[DLS_UNDER_COSINE].y[k] + I * m->runs[DLS_UNDER_SINE].y[k]);
    at += c[i] * power;
    power *= z;
  }
  return sum / (at * cpow(z, SETTLED));
}

/* Y over 1 / (1 - r^2 + 2 i zeta r), the exact amplitude at r = Omega/omega. */
static void read_response(const measurement *m, dls_spectrum_point *p)
{
  const double r = m->oscillator->frequency, zeta = m->oscillator->damping;
  const double complex ratio = steady(m, p) * (1 - r * r + 2 * I * zeta * r);
  const bool bounded = r != 1 || zeta > 0;
  p->values[DLS_SPECTRUM_RESPONSE] = bounded ? cabs(ratio) : NAN;
  p->phase = bounded ? carg(ratio) : NAN;
}

static dls_status find_roots(measurement *m, dls_spectrum_point *out, dls_error *err)
{
  dls_status status = simulate(m, out, DLS_FROM_Q, DLS_FROM_BOTH, 2, err);
  if (status == DLS_OK) {
    status = check_linear(m, out, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  if (is_closed(m, out)) {
    find_two(out);
    return DLS_OK;
  }
  status = simulate(m, out, DLS_FROM_Q, DLS_FROM_PULSE, DLS_SPECTRUM_STEPS, err);
  return status == DLS_OK ? dls_spectrum_realize(m->runs, small + rounding(out), out, err) : status;
}

dls_status dls_spectrum_measure(const dls_scheme_choice *choice, double ratio,
                                const dls_spectrum_oscillator *oscillator, dls_spectrum_point *out,
                                dls_error *err)
{
  measurement m = {.choice = choice, .oscillator = oscillator};
  *out = (dls_spectrum_point){.ratio = ratio};
  for (size_t i = 0; i < DLS_SPECTRUM_QUANTITIES; i++) {
    out->values[i] = NAN;
  }
  out->phase = out->principal_re = out->principal_im = NAN;
  dls_status status = find_roots(&m, out, err);
  if (status == DLS_OK) {
    sort(out);
    read_roots(out, oscillator->damping);
    status = simulate(&m, out, DLS_UNDER_COSINE, DLS_UNDER_SINE, SETTLED + out->states, err);
  }
  if (status == DLS_OK) {
    read_response(&m, out);
  }
  return status;
}
