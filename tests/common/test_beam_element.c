/* test_beam_element.c -- planar beam elements: force and tangent belong to the energy, rigid motions cost none, and what the
 * conserving force promises. SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/beam_element.h"
#include <math.h>
#include <string.h>

static const dls_beam_section section = {.EA = 1.7, .GA = 0.9, .EI = 1.3, .rhoA = 2, .rhoI = 0.3};
static const double length = 0.7;
enum { TRIALS = 10 };

/* [-1, 1], the same in every run */
static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void any_state(unsigned *seed, double *x)
{
  for (size_t i = 0; i < DLS_BEAM_MOST; i++) {
    x[i] = 2 * any(seed);
  }
}

/* Six points: error h^6. */
static double slope(double (*f)(double at, void *data), void *data)
{
  const double h = 0.01;
  return (45 * (f(h, data) - f(-h, data)) - 9 * (f(2 * h, data) - f(-2 * h, data)) + f(3 * h, data) -
          f(-3 * h, data)) /
         (60 * h);
}

typedef struct moved {
  dls_beam_kind kind;
  const double *a, *x;
  size_t i, row;
  int what; /* 0: energy; 1: force; 2: conserving force */
} moved;

static double value_at(double s, void *data)
{
  const moved *m = data;
  double x[DLS_BEAM_MOST], f[DLS_BEAM_MOST];
  memcpy(x, m->x, sizeof x);
  x[m->i] += s;
  if (m->what == 0) {
    return dls_beam_energy(m->kind, &section, length, x);
  }
  if (m->what == 1) {
    dls_beam_force(m->kind, &section, length, x, f);
  } else {
    dls_beam_conserving_force(m->kind, &section, length, m->a, x, f);
  }
  return f[m->row];
}

static void force_and_tangent_are_derivatives_of_the_energy(void **state)
{
  (void)state;
  unsigned seed = 1;
  for (int k = 0; k < 2 * TRIALS; k++) {
    const dls_beam_kind kind = k % 2 == 0 ? DLS_BEAM_ANGLE : DLS_BEAM_DIRECTORS;
    const size_t n = 2 * dls_beam_node_size(kind);
    double x[DLS_BEAM_MOST], f[DLS_BEAM_MOST], K[DLS_BEAM_MOST * DLS_BEAM_MOST];
    any_state(&seed, x);
    dls_beam_force(kind, &section, length, x, f);
    dls_beam_stiffness(kind, &section, length, x, K);
    for (size_t i = 0; i < n; i++) {
      moved m = {.kind = kind, .x = x, .i = i};
      assert_close(f[i], slope(value_at, &m), 1e-9);
      for (m.what = 1, m.row = 0; m.row < n; m.row++) {
        assert_close(K[m.row * n + i], slope(value_at, &m), 1e-9);
      }
    }
  }
}

/* Forces have no resultant and, of directors, no moment at the middle, of r x f and d x f alike. */
static void assert_no_resultant(dls_beam_kind kind, const double *a, const double *b, const double *f)
{
  const size_t node = dls_beam_node_size(kind);
  double turn = 0;
  for (size_t i = 0; i < 2; i++) {
    assert_close(f[i] + f[node + i], 0, 1e-14);
  }
  for (size_t i = 0; kind == DLS_BEAM_DIRECTORS && i < 2 * node; i += 2) {
    turn += 0.5 * (a[i] + b[i]) * f[i + 1] - 0.5 * (a[i + 1] + b[i + 1]) * f[i];
  }
  assert_close(turn, 0, 1e-13);
}

static void assert_conserves(dls_beam_kind kind, const double *a, const double *b)
{
  double f[DLS_BEAM_MOST], back[DLS_BEAM_MOST], at[DLS_BEAM_MOST], K[DLS_BEAM_MOST * DLS_BEAM_MOST], work = 0;
  const size_t n = 2 * dls_beam_node_size(kind);
  dls_beam_conserving_force(kind, &section, length, a, b, f);
  dls_beam_conserving_force(kind, &section, length, b, a, back);
  dls_beam_conserving_stiffness(kind, &section, length, a, b, K);
  for (size_t i = 0; i < n; i++) {
    work += f[i] * (b[i] - a[i]);
    assert_close(f[i], back[i], 1e-14);
    moved m = {.kind = kind, .a = a, .x = b, .i = i, .what = 2};
    for (m.row = 0; m.row < n; m.row++) {
      assert_close(K[m.row * n + i], slope(value_at, &m), 1e-9);
    }
  }
  assert_close(work, dls_beam_energy(kind, &section, length, b) - dls_beam_energy(kind, &section, length, a),
               1e-13);
  assert_no_resultant(kind, a, b, f);
  dls_beam_conserving_force(kind, &section, length, a, a, back); /* at one state it is the force */
  dls_beam_force(kind, &section, length, a, at);
  for (size_t i = 0; i < n; i++) {
    assert_close(back[i], at[i], 1e-14);
  }
}

static void the_conserving_force_gives_the_difference_of_the_energy(void **state)
{
  (void)state;
  unsigned seed = 2;
  for (int k = 0; k < 2 * TRIALS; k++) {
    double a[DLS_BEAM_MOST], b[DLS_BEAM_MOST];
    any_state(&seed, a);
    any_state(&seed, b);
    assert_conserves(k % 2 == 0 ? DLS_BEAM_ANGLE : DLS_BEAM_DIRECTORS, a, b);
  }
}

/* Below and above the turn from which on sin(z)/z is taken as it is written. */
static void small_turns_are_no_exception(void **state)
{
  (void)state;
  static const double by[] = {0, 1e-9, 1e-5, 1.9e-4, 2.1e-4, 1e-3};
  unsigned seed = 3;
  for (size_t k = 0; k < sizeof by / sizeof by[0]; k++) {
    double a[DLS_BEAM_MOST], b[DLS_BEAM_MOST];
    any_state(&seed, a);
    memcpy(b, a, sizeof b);
    b[0] += 0.1;
    b[2] += 2 * by[k];
    b[5] += 2 * by[k];
    assert_conserves(DLS_BEAM_ANGLE, a, b);
  }
}

/* An element of an arc: its ends turn from the chord by half the bend on either side. */
static void bend(dls_beam_kind kind, const double *r, double angle, double bend_by, double stretch, double *x)
{
  const size_t node = dls_beam_node_size(kind);
  for (size_t k = 0; k < 2; k++) {
    const double turn = angle + (k == 0 ? -0.5 : 0.5) * bend_by;
    x[k * node] = r[0] + (double)k * stretch * length * cos(angle);
    x[k * node + 1] = r[1] + (double)k * stretch * length * sin(angle);
    x[k * node + 2] = kind == DLS_BEAM_ANGLE ? turn : cos(turn);
    x[k * node + 3] = sin(turn); /* directors; else overwritten, or not looked at */
  }
}

static void rigid_motions_cost_nothing_and_strains_are_known(void **state)
{
  (void)state;
  for (int k = 0; k < 24; k++) {
    const dls_beam_kind kind = k % 2 == 0 ? DLS_BEAM_ANGLE : DLS_BEAM_DIRECTORS;
    const double r[2] = {3 - k, 0.2 * k}, angle = 0.7 * k - 8;
    double x[2 * DLS_BEAM_MOST], e[3], S[3];
    bend(kind, r, angle, 0, 1, x);
    assert_close(dls_beam_energy(kind, &section, length, x), 0, 1e-28);
    bend(kind, r, angle, 0.4, 1.1, x);
    dls_beam_strains(kind, length, x, e);
    dls_beam_stresses(kind, &section, length, x, S);
    const double chord = kind == DLS_BEAM_ANGLE ? 1 : cos(0.2); /* the mean of two directors is shorter */
    assert_close(e[0], 1.1 * chord - 1, 1e-14);
    assert_close(e[1], 0, 1e-14);
    assert_close(e[2], kind == DLS_BEAM_ANGLE ? 0.4 / length : sin(0.4) / length, 1e-14);
    assert_close(S[0], section.EA * e[0], 1e-15);
    assert_close(S[2], section.EI * e[2], 1e-15);
  }
}

static void the_mass_is_that_of_linear_interpolation(void **state)
{
  (void)state;
  for (int k = 0; k < 2; k++) {
    const dls_beam_kind kind = k == 0 ? DLS_BEAM_ANGLE : DLS_BEAM_DIRECTORS;
    const size_t node = dls_beam_node_size(kind), n = 2 * node;
    double M[DLS_BEAM_MOST * DLS_BEAM_MOST];
    dls_beam_mass(kind, &section, length, M);
    for (size_t i = 0; i < n * n; i++) {
      const size_t row = i / n, column = i % n;
      const double density = row % node < 2 ? section.rhoA : section.rhoI;
      const double weight = row % node != column % node ? 0 : row == column ? 1.0 / 3 : 1.0 / 6;
      assert_close(M[i], density * length * weight, 1e-15);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_and_tangent_are_derivatives_of_the_energy),
      cmocka_unit_test(the_conserving_force_gives_the_difference_of_the_energy),
      cmocka_unit_test(small_turns_are_no_exception),
      cmocka_unit_test(rigid_motions_cost_nothing_and_strains_are_known),
      cmocka_unit_test(the_mass_is_that_of_linear_interpolation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
