/* tests/experiments/test_spectrum.c -- spectra measured from steps, held against closed amplification matrices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/spectrum/spectrum.h"

#include <complex.h>
#include <delassus/scheme.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RATIOS = 7 };
static const double ratios[RATIOS] = {1e-3, 0.01, 0.1, 0.25, 1, 10, 100};
static const double pi = 3.14159265358979323846, zeta = 0.05;

static dls_spectrum_point measure(const char *scheme, double ratio, double damping, double frequency)
{
  const dls_spectrum_oscillator oscillator = {damping, frequency};
  dls_scheme_choice choice;
  dls_spectrum_point point;
  dls_error err = {0};
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_spectrum_measure(&choice, ratio, &oscillator, &point, &err), err);
  return point;
}

static double value(const char *scheme, double ratio, dls_spectrum_of of)
{
  return measure(scheme, ratio, 0, 0.5).values[of];
}

/* --- closed matrices --- */

static void assert_matrix(const char *scheme, double ratio, double damping, const double *A)
{
  const dls_spectrum_point p = measure(scheme, ratio, damping, 0.5);
  double largest = 0;
  assert_int_equal(p.states, 2);
  for (int i = 0; i < 4; i++) {
    largest = fmax(largest, fabs(A[i]));
  }
  const double tolerance = 1e-10 * fmax(largest, 1);
  for (int i = 0; i < 4; i++) {
    assert_close(p.matrix[i], A[i], tolerance);
  }
  assert_close(p.re[0] + p.re[1], A[0] + A[3], tolerance);
  assert_close(p.im[0] + p.im[1], 0, tolerance);
  assert_close(p.re[0] * p.re[1] - p.im[0] * p.im[1], A[0] * A[3] - A[1] * A[2], tolerance * fmax(largest, 1));
  assert_true(hypot(p.re[0], p.im[0]) >= hypot(p.re[1], p.im[1]));
}

/* R(Z), Z = omega h [0 1; -1 -2 zeta], for R = (n0 + n1 z + n2 z^2 + n3 z^3)/(d0 + ...): (q, v/omega) of a step. */
static void rational(const double *n, const double *d, double wh, double damping, double *A)
{
  const double Z[4] = {0, wh, -wh, -2 * damping * wh};
  double N[4] = {n[3], 0, 0, n[3]}, D[4] = {d[3], 0, 0, d[3]};
  for (int k = 2; k >= 0; k--) { /* Horner */
    double *const both[] = {N, D};
    const double c[] = {n[k], d[k]};
    for (int s = 0; s < 2; s++) {
      double *P = both[s];
      const double Q[4] = {P[0] * Z[0] + P[1] * Z[2] + c[s], P[0] * Z[1] + P[1] * Z[3],
                           P[2] * Z[0] + P[3] * Z[2], P[2] * Z[1] + P[3] * Z[3] + c[s]};
      memcpy(P, Q, sizeof Q);
    }
  }
  const double det = D[0] * D[3] - D[1] * D[2];
  const double inverse[4] = {D[3] / det, -D[1] / det, -D[2] / det, D[0] / det};
  for (int i = 0; i < 4; i++) {
    A[i] = inverse[i / 2 * 2] * N[i % 2] + inverse[i / 2 * 2 + 1] * N[i % 2 + 2];
  }
}

static void assert_rational(const char *scheme, const double *n, const double *d, double damping)
{
  for (int i = 0; i < RATIOS; i++) {
    double A[4];
    rational(n, d, 2 * pi * ratios[i], damping, A);
    assert_matrix(scheme, ratios[i], damping, A);
  }
}

DLS_TEST(theta_methods_have_their_matrix)
{
  for (int i = 0; i <= 5; i++) {
    char scheme[60];
    const double theta = 0.5 + 0.1 * i;
    snprintf(scheme, sizeof scheme, "moreau-jean:theta=%.17g", theta);
    assert_rational(scheme, (double[]){1, 1 - theta, 0, 0}, (double[]){1, -theta, 0, 0}, zeta);
  }
}

DLS_TEST(gauss_and_radau_are_pade_approximants)
{
  assert_rational("rk-moreau:method=gauss2", (double[]){1, 0.5, 0, 0}, (double[]){1, -0.5, 0, 0}, zeta);
  assert_rational("rk-moreau:method=gauss4", (double[]){12, 6, 1, 0}, (double[]){12, -6, 1, 0}, zeta);
  assert_rational("rk-moreau:method=radau3", (double[]){6, 2, 0, 0}, (double[]){6, -4, 1, 0}, zeta);
  assert_rational("rk-moreau:method=radau5", (double[]){60, 24, 3, 0}, (double[]){60, -36, 9, -1}, zeta);
}

DLS_TEST(energy_preserving_is_the_trapezoidal_rule)
{
  assert_rational("energy-preserving", (double[]){1, 0.5, 0, 0}, (double[]){1, -0.5, 0, 0}, zeta);
}

/* R(z) = (12 + 2 (3 - a) z + (1 - a) z^2) / (12 - 2 (3 + a) z + (1 + a) z^2), derived from (47) of Lens & Cardona. */
DLS_TEST(decaying_schemes_have_their_matrix)
{
  static const char *const names[] = {"tdg-alpha", "alpha-kappa"};
  for (int i = 0; i < 8; i++) {
    static const double alphas[] = {0, 1.0 / 9, 0.25, 1};
    const double a = alphas[i / 2];
    char scheme[60];
    snprintf(scheme, sizeof scheme, "%s:alpha=%.17g", names[i % 2], a);
    assert_rational(scheme, (double[]){12, 2 * (3 - a), 1 - a, 0}, (double[]){12, -2 * (3 + a), 1 + a, 0}, 0);
  }
}

/* Newmark: (q, v/omega) with a = -omega^2 q - 2 zeta omega v eliminated. */
DLS_TEST(newmark_has_its_matrix)
{
  static const double pairs[][2] = {{0.5, 0.25},     {0.5, 0},    {0.5, 1.0 / 6},
                                    {0.5, 1.0 / 12}, {0.9, 0.49}, {1, 0.5625}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
    for (int i = 0; i < RATIOS; i++) {
      const double gamma = pairs[k][0], beta = pairs[k][1], x = 2 * pi * ratios[i], c = 2 * zeta * x;
      /* [1 + b x^2, b c x; g x, 1 + g c] (q', w') = [1 - (1/2 - b) x^2, x - (1/2 - b) c x; -(1 - g) x, 1 - (1 - g) c], w = v/omega */
      const double L[4] = {1 + beta * x * x, beta * c * x, gamma * x, 1 + gamma * c};
      const double R[4] = {1 - (0.5 - beta) * x * x, x - (0.5 - beta) * c * x, -(1 - gamma) * x,
                           1 - (1 - gamma) * c};
      const double det = L[0] * L[3] - L[1] * L[2];
      const double A[4] = {(L[3] * R[0] - L[1] * R[2]) / det, (L[3] * R[1] - L[1] * R[3]) / det,
                           (L[0] * R[2] - L[2] * R[0]) / det, (L[0] * R[3] - L[2] * R[1]) / det};
      char scheme[100];
      snprintf(scheme, sizeof scheme, "nonsmooth-newmark:gamma=%.17g,beta=%.17g,stability=ignore", gamma, beta);
      assert_matrix(scheme, ratios[i], zeta, A);
    }
  }
}

/* --- schemes that keep an acceleration: the characteristic polynomial of (q, h v, h^2 a) --- */

typedef struct alphas {
  double am, af, beta, gamma;
  bool kh;
} alphas;

static double det3(const double *A)
{
  return A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
         A[2] * (A[3] * A[7] - A[4] * A[6]);
}

/* Rows: q' = q + v + (1/2 - b) a + b a', v' = v + (1 - g) a + g a', and the collocation; lengths of time in h. */
static void alpha_matrix(const alphas *s, double x, double *A)
{
  const double c = 2 * zeta * x, k = x * x, damp1 = s->kh ? 1 - s->am : 1 - s->af,
               damp0 = s->kh ? s->am : s->af;
  const double L[9] = {1, 0, -s->beta, 0, 1, -s->gamma, (1 - s->af) * k, damp1 * c, 1 - s->am};
  const double R[9] = {1, 1, 0.5 - s->beta, 0, 1, 1 - s->gamma, -s->af * k, -damp0 * c, -s->am};
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < 3; i++) { /* Cramer */
      double B[9];
      memcpy(B, L, sizeof B);
      for (int row = 0; row < 3; row++) {
        B[3 * row + i] = R[3 * row + j];
      }
      A[3 * i + j] = det3(B) / det3(L);
    }
  }
}

/* What remains of omega^2 h^2 by rounding; and what Krenk and Hogsberg's third state shows of itself at small steps, where neither a
 * start nor a force sets it off: a part (omega h)^3 of the motion. The eigenvalue of the motion is not touched by that. */
static double accuracy(const alphas *s, double ratio)
{
  const double x = 2 * pi * ratio;
  return s->kh && ratio < 0.1 ? 2e-8 : fmax(1e-10, 16 * DBL_EPSILON * x * x);
}

static void assert_polynomial(const char *scheme, const alphas *s)
{
  for (int i = 0; i < RATIOS; i++) {
    double A[9];
    alpha_matrix(s, 2 * pi * ratios[i], A);
    const dls_spectrum_point p = measure(scheme, ratios[i], zeta, 0.5);
    assert_int_equal(p.states, 3);
    const double complex l0 = p.re[0] + I * p.im[0], l1 = p.re[1] + I * p.im[1], l2 = p.re[2] + I * p.im[2];
    const double complex motion = p.principal_re + I * p.principal_im;
    const double trace = A[0] + A[4] + A[8], tolerance = accuracy(s, ratios[i]);
    const double minors = A[0] * A[4] - A[1] * A[3] + A[0] * A[8] - A[2] * A[6] + A[4] * A[8] - A[5] * A[7];
    assert_close(creal(l0 + l1 + l2), trace, tolerance);
    assert_close(creal(l0 * l1 + l0 * l2 + l1 * l2), minors, tolerance);
    assert_close(creal(l0 * l1 * l2), det3(A), tolerance);
    assert_close(cabs(((motion - trace) * motion + minors) * motion - det3(A)), 0,
                 ratios[i] > 10 ? tolerance : 1e-12);
  }
}

static alphas of_radius(double rho, bool kh)
{
  const double am = (2 * rho - 1) / (rho + 1), af = rho / (rho + 1), gamma = 0.5 + af - am;
  return (alphas){am, af, 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma, kh};
}

DLS_TEST(alpha_schemes_have_their_polynomial)
{
  static const double radii[] = {0.3, 0.6, 0.8, 0.95};
  for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
    char scheme[80];
    const alphas plain = of_radius(radii[i], false), kh = of_radius(radii[i], true);
    snprintf(scheme, sizeof scheme, "nonsmooth-generalized-alpha:rho_inf=%.17g", radii[i]);
    assert_polynomial(scheme, &plain);
    snprintf(scheme, sizeof scheme, "three-level-alpha:rho_inf=%.17g", radii[i]);
    assert_polynomial(scheme, &plain);
    snprintf(scheme, sizeof scheme, "nonsmooth-kh-generalized-alpha:rho_inf=%.17g", radii[i]);
    assert_polynomial(scheme, &kh);
  }
  assert_polynomial("nonsmooth-hht:alpha=0.1", &(alphas){0, 0.1, 0.25 * 1.21, 0.6, false});
  assert_polynomial("nonsmooth-hht:alpha=0.25", &(alphas){0, 0.25, 0.25 * 1.5625, 0.75, false});
}

/* --- formulas of two steps --- */

/* The roots of a x^2 + b x + c for each eigenvalue z = h omega (-zeta +- i sqrt(1 - zeta^2)), all a step has. */
static void assert_two_step_roots(const char *scheme, double ratio, double damping,
                                  double complex (*coefficient)(int power, double complex z))
{
  const dls_spectrum_point p = measure(scheme, ratio, damping, 0.5);
  assert_int_equal(p.states, 4);
  for (int i = 0; i < 4; i++) {
    const double sign = i < 2 ? 1 : -1;
    const double complex z = 2 * pi * ratio * (-damping + I * sign * sqrt(1 - damping * damping));
    const double complex a = coefficient(2, z), b = coefficient(1, z), c = coefficient(0, z);
    const double complex square = csqrt(b * b - 4 * a * c);
    const double complex root = (-b + (i % 2 == 0 ? square : -square)) / (2 * a);
    double nearest = INFINITY;
    for (int k = 0; k < 4; k++) {
      nearest = fmin(nearest, cabs(p.re[k] + I * p.im[k] - root));
    }
    assert_close(nearest, 0, fmax(1e-10, 16 * DBL_EPSILON * cabs(z * z)));
  }
}

static double complex bdf2(int power, double complex z)
{
  return power == 2 ? 3 - 2 * z : power == 1 ? -4 : 1;
}

static double complex adams(int power, double complex z)
{
  return power == 2 ? 12 - 5 * z : power == 1 ? -(12 + 8 * z) : z;
}

DLS_TEST(formulas_of_two_steps_have_their_roots)
{
  for (int i = 0; i < RATIOS; i++) {
    for (int damped = 0; damped <= 1; damped++) {
      assert_two_step_roots("nonsmooth-bdf2", ratios[i], damped * zeta, bdf2);
      assert_two_step_roots("nonsmooth-adams", ratios[i], damped * zeta, adams);
    }
  }
}

/* |lambda| = 1 + (omega h)^4/24 + ...: the motion of an oscillator grows in every step, however short. */
DLS_TEST(adams_grows_with_the_fourth_power)
{
  for (int i = 2; i < 6; i++) {
    const double x = 0.04 * i;
    const double growth = value("nonsmooth-adams", x / (2 * pi), DLS_SPECTRUM_RADIUS) - 1;
    assert_close(growth * 24 / (x * x * x * x), 1, x * x);
  }
}

/* --- measures --- */

/* tan(omega' h / 2) = omega h / 2 for the trapezoidal rule; the explicit central differences have sin in its place. */
DLS_TEST(period_errors_are_those_of_closed_forms)
{
  for (int i = 0; i < 3; i++) {
    const double x = 2 * pi * ratios[i], explicit_angle = 2 * asin(x / 2);
    assert_close(value("moreau-jean", ratios[i], DLS_SPECTRUM_PERIOD), x / (2 * atan(x / 2)) - 1, 1e-11);
    assert_close(value("schatzman-paoli", ratios[i], DLS_SPECTRUM_PERIOD), x / explicit_angle - 1, 1e-10);
    assert_close(value("moreau-jean", ratios[i], DLS_SPECTRUM_DAMPING), 0, 1e-11);
    assert_close(value("moreau-jean", ratios[i], DLS_SPECTRUM_RADIUS), 1, 1e-14);
  }
}

/* Lens & Cardona 2007, Fig. 19: with rho_inf = (1 - alpha)/(1 + alpha). */
DLS_TEST(period_errors_of_hht)
{
  assert_close(value("nonsmooth-hht:alpha=0.11111111111111111", 0.1, DLS_SPECTRUM_PERIOD), 4.017e-2, 5e-6);
  assert_close(value("nonsmooth-hht:alpha=0.25", 0.1, DLS_SPECTRUM_PERIOD), 4.579e-2, 5e-6);
  assert_close(value("nonsmooth-hht:alpha=0.33333333333333331", 0.1, DLS_SPECTRUM_PERIOD), 4.672e-2, 5e-6);
}

static double slope(const char *scheme, dls_spectrum_of of)
{
  return log2(value(scheme, 0.02, of) / value(scheme, 0.01, of));
}

/* Period errors of order 2, damping of order 3 where the scheme has order 2; of orders 4 and 3 of the decaying one. */
DLS_TEST(orders_of_period_and_damping)
{
  assert_between(slope("nonsmooth-hht:alpha=0.1", DLS_SPECTRUM_PERIOD), 1.97, 2.03);
  assert_between(slope("nonsmooth-hht:alpha=0.1", DLS_SPECTRUM_DAMPING), 2.95, 3.05);
  assert_between(slope("nonsmooth-generalized-alpha:rho_inf=0.6", DLS_SPECTRUM_DAMPING), 2.95, 3.05);
  assert_between(slope("nonsmooth-newmark:gamma=0.9,beta=0.49", DLS_SPECTRUM_DAMPING), 0.97, 1.03);
  assert_between(slope("alpha-kappa:alpha=1", DLS_SPECTRUM_DAMPING), 2.95, 3.05);
  assert_between(slope("alpha-kappa:alpha=1", DLS_SPECTRUM_PERIOD), 3.95, 4.05);
}

/* Radii at infinite frequency. */
DLS_TEST(radii_at_infinity)
{
  assert_close(value("nonsmooth-generalized-alpha:rho_inf=0.6", 1e3, DLS_SPECTRUM_RADIUS), 0.6, 1e-2);
  assert_close(value("alpha-kappa:alpha=0.25", 1e3, DLS_SPECTRUM_RADIUS), 0.6, 1e-2);
  assert_close(value("nonsmooth-newmark:gamma=0.9,beta=0.49", 1e3, DLS_SPECTRUM_RADIUS), 3.0 / 7, 1e-2);
  assert_between(value("alpha-kappa:alpha=1", 1e3, DLS_SPECTRUM_RADIUS), 0, 1e-3);
}

/* Under z^k, z = exp(i y), y = Omega h, the trapezoidal rule has D = 2 (z - 1)/(h (z + 1)) = i (2/h) tan(y/2) in place of d/dt, so its
 * amplitude is 1/(1 - T^2 + 2 i zeta T), T = 2 tan(y/2)/(omega h), where the exact one has r = Omega/omega in place of T. */
DLS_TEST(response_of_the_trapezoidal_rule)
{
  static const double cases[][2] = {{0, 0.5}, {zeta, 0.5}, {zeta, 1}}; /* damping ratio, r */
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      const double damping = cases[k][0], r = cases[k][1], x = 2 * pi * ratios[i], T = 2 * tan(r * x / 2) / x;
      const dls_spectrum_point p = measure("moreau-jean", ratios[i], damping, r);
      const double exact = hypot(1 - r * r, 2 * damping * r), own = hypot(1 - T * T, 2 * damping * T);
      const double ahead = atan2(2 * damping * r, 1 - r * r) - atan2(2 * damping * T, 1 - T * T);
      assert_close(p.values[DLS_SPECTRUM_RESPONSE], exact / own, 1e-9);
      assert_close(remainder(p.phase - ahead, 2 * pi), 0, 1e-9);
    }
  }
  assert_true(
      isnan(measure("moreau-jean", 0.1, 0, 1).values[DLS_SPECTRUM_RESPONSE])); /* the exact one has no bound */
}

/* --- what has no spectrum --- */

static dls_status bend(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->q[0] += h * sim->v[0];
  sim->v[0] -= h * sin(sim->q[0]);
  return DLS_OK;
}

static const dls_option none[] = {{0}};
static const dls_scheme nonlinear = {.name = "bend",
                                     .summary = "not linear",
                                     .source = "this test",
                                     .options = none,
                                     .stepping = DLS_BY_STEP,
                                     .advance = bend};

DLS_TEST(what_is_not_linear_or_chooses_its_steps_is_refused)
{
  const dls_spectrum_oscillator oscillator = {0, 0.5};
  dls_scheme_choice choice = {&nonlinear, ""};
  dls_spectrum_point point;
  dls_error err = {0};
  assert_int_equal(dls_spectrum_measure(&choice, 0.1, &oscillator, &point, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "scheme bend is not linear: a step from the sum of two states differs by "));
  assert_ok(dls_scheme_choose("event-driven", &choice, &err), err);
  assert_int_equal(dls_spectrum_measure(&choice, 0.1, &oscillator, &point, &err), DLS_ERR_NOT_APPLICABLE);
  assert_string_equal(err.text,
                      "scheme event-driven chooses its own steps: it has no spectrum, which is that of a "
                      "step of fixed size");
}

/* Every scheme of the catalogue has a spectrum or says why not; those that have one are consistent: the motion has the
 * period of the oscillator for small steps. */
DLS_TEST(every_scheme_has_one_or_says_why_not)
{
  const dls_spectrum_oscillator oscillator = {zeta, 0.5};
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    dls_scheme_choice choice;
    dls_spectrum_point point;
    dls_error err = {0};
    assert_ok(dls_scheme_choose((*s)->name, &choice, &err), err);
    const dls_status status = dls_spectrum_measure(&choice, 1e-3, &oscillator, &point, &err);
    assert_int_equal(status, (*s)->stepping == DLS_BY_EVENT ? DLS_ERR_NOT_APPLICABLE : DLS_OK);
    if (status == DLS_OK) {
      assert_close(point.values[DLS_SPECTRUM_PERIOD], 0, 1e-3);
      assert_close(point.values[DLS_SPECTRUM_DAMPING], 0, 1e-2);
      assert_close(point.values[DLS_SPECTRUM_RESPONSE], 1, 1e-2);
    }
  }
}

/* --- studies --- */

static dls_spectrum *run(const dls_spectrum_spec *spec)
{
  dls_spectrum *out = NULL;
  dls_error err = {0};
  assert_ok(dls_spectrum_run(spec, NULL, NULL, &out, &err), err);
  return out;
}

DLS_TEST(limits_of_stability)
{
  static const char *const names[] = {"schatzman-paoli",
                                      "nonsmooth-newmark:beta=0.16666666666666666,stability=ignore",
                                      "nonsmooth-hht", "naive-rk4"};
  /* omega h = 2, sqrt(12), none, sqrt(8) */
  const double expected[] = {1 / pi, sqrt(3) / pi, INFINITY, sqrt(2) / pi};
  static const double at[] = {0.1, 0.2};
  dls_scheme_choice choices[4];
  for (int i = 0; i < 4; i++) {
    assert_int_equal(dls_scheme_choose(names[i], &choices[i], NULL), DLS_OK);
  }
  dls_spectrum *s = run(&(dls_spectrum_spec){.schemes = choices,
                                             .labels = names,
                                             .scheme_count = 4,
                                             .first = 0.05,
                                             .last = 20,
                                             .levels = 15,
                                             .at = at,
                                             .at_count = 2,
                                             .oscillator = {0, 0.5}});
  assert_int_equal(s->point_count, 4 * 17);
  for (int i = 0; i < 4; i++) {
    if (isinf(expected[i])) {
      assert_true(isinf(s->limits[i]));
    } else {
      assert_close(s->limits[i], expected[i], 1e-6);
    }
    assert_non_null(dls_spectrum_find(s, (size_t)i, 0.1));
    assert_null(dls_spectrum_find(s, (size_t)i, 0.15));
  }
  for (size_t i = 1; i < s->point_count; i++) {
    assert_true(s->points[i].scheme > s->points[i - 1].scheme || s->points[i].ratio > s->points[i - 1].ratio);
  }
  dls_spectrum_destroy(s);
}

static bool stop(void *data, double done)
{
  (void)data;
  return done < 0.5;
}

DLS_TEST(an_interrupted_study_keeps_its_points)
{
  static const char *const name = "moreau-jean";
  dls_scheme_choice choice;
  dls_spectrum *s = NULL;
  dls_error err = {0};
  assert_ok(dls_scheme_choose(name, &choice, &err), err);
  const dls_spectrum_spec spec = {.schemes = &choice,
                                  .labels = &name,
                                  .scheme_count = 1,
                                  .first = 0.1,
                                  .last = 1,
                                  .levels = 10,
                                  .oscillator = {0, 0.5}};
  assert_int_equal(dls_spectrum_run(&spec, stop, NULL, &s, &err), DLS_ERR_INTERRUPTED);
  assert_int_equal(s->point_count, 5);
  assert_false(s->complete);
  char *text = NULL;
  size_t size = 0;
  FILE *table = open_memstream(&text, &size);
  assert_int_equal(dls_spectrum_table(s, NULL, table), DLS_OK);
  assert_int_equal(fclose(table), 0);
  assert_non_null(strstr(text, "\n# complete: no\n"));
  free(text);
  dls_spectrum_destroy(s);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(theta_methods_have_their_matrix),
      cmocka_unit_test(gauss_and_radau_are_pade_approximants),
      cmocka_unit_test(energy_preserving_is_the_trapezoidal_rule),
      cmocka_unit_test(decaying_schemes_have_their_matrix),
      cmocka_unit_test(newmark_has_its_matrix),
      cmocka_unit_test(alpha_schemes_have_their_polynomial),
      cmocka_unit_test(formulas_of_two_steps_have_their_roots),
      cmocka_unit_test(adams_grows_with_the_fourth_power),
      cmocka_unit_test(period_errors_are_those_of_closed_forms),
      cmocka_unit_test(period_errors_of_hht),
      cmocka_unit_test(orders_of_period_and_damping),
      cmocka_unit_test(radii_at_infinity),
      cmocka_unit_test(response_of_the_trapezoidal_rule),
      cmocka_unit_test(what_is_not_linear_or_chooses_its_steps_is_refused),
      cmocka_unit_test(every_scheme_has_one_or_says_why_not),
      cmocka_unit_test(limits_of_stability),
      cmocka_unit_test(an_interrupted_study_keeps_its_points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
