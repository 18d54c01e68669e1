/* test_solid_element.c -- quadrilaterals in plane strain: force and tangent belong to the energy, a patch of them has linear
 * displacements exactly, rigid motions cost nothing, and what the conserving force promises.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/solid_element.h"
#include <math.h>
#include <string.h>

static const dls_solid_material material = {.lambda = 1.7, .mu = 0.9, .rho = 1.3};
enum { N = DLS_QUAD_SIZE, TRIALS = 10 };

/* [-1, 1], the same in every run */
static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* A quadrilateral that is no parallelogram, without load. */
static dls_quad any_quad(unsigned *seed)
{
  static const double square[N] = {0, 0, 1, 0, 1, 1, 0, 1};
  double X[N];
  dls_quad quad;
  for (int i = 0; i < N; i++) {
    X[i] = square[i] + 0.2 * any(seed);
  }
  assert_true(dls_quad_create(X, &quad));
  return quad;
}

static void any_state(unsigned *seed, double *x)
{
  for (int i = 0; i < N; i++) {
    x[i] = 2 * any(seed);
  }
}

typedef struct moved {
  const dls_quad *quad;
  const double *a, *x;
  int i, row, what; /* what: 0: energy; 1: force; 2: conserving force */
} moved;

static double value_at(double s, const moved *m)
{
  double x[N], f[N];
  memcpy(x, m->x, sizeof x);
  x[m->i] += s;
  if (m->what == 0) {
    return dls_quad_energy(m->quad, &material, x);
  }
  if (m->what == 1) {
    dls_quad_force(m->quad, &material, x, f);
  } else {
    dls_quad_conserving_force(m->quad, &material, m->a, x, f);
  }
  return f[m->row];
}

/* Four points: exact for polynomials of degree 4, which energy is, so that h may be large. */
static double slope(const moved *m)
{
  const double h = 0.5;
  return (8 * (value_at(h, m) - value_at(-h, m)) - value_at(2 * h, m) + value_at(-2 * h, m)) / (12 * h);
}

static double norm(const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sqrt(sum);
}

DLS_TEST(force_and_tangent_are_derivatives_of_the_energy)
{
  unsigned seed = 1;
  for (int k = 0; k < TRIALS; k++) {
    const dls_quad quad = any_quad(&seed);
    double x[N], f[N], K[N * N];
    any_state(&seed, x);
    dls_quad_force(&quad, &material, x, f);
    dls_quad_stiffness(&quad, &material, x, K);
    const double size = norm(K, N * N);
    for (int i = 0; i < N; i++) {
      moved m = {.quad = &quad, .x = x, .i = i};
      assert_close(f[i], slope(&m), 1e-12 * norm(f, N));
      for (m.what = 1, m.row = 0; m.row < N; m.row++) {
        assert_close(K[m.row * N + i], slope(&m), 1e-12 * size);
      }
    }
  }
}

DLS_TEST(the_conserving_force_gives_the_difference_of_the_energy)
{
  unsigned seed = 2;
  for (int k = 0; k < TRIALS; k++) {
    const dls_quad quad = any_quad(&seed);
    double a[N], b[N], f[N], back[N], at[N], middle[N], K[N * N], work = 0, rule = 0, pull[2] = {0}, turn = 0;
    any_state(&seed, a);
    any_state(&seed, b);
    dls_quad_conserving_force(&quad, &material, a, b, f);
    dls_quad_conserving_force(&quad, &material, b, a, back);
    dls_quad_conserving_stiffness(&quad, &material, a, b, K);
    for (int i = 0; i < N; i++) {
      middle[i] = 0.5 * (a[i] + b[i]);
      work += f[i] * (b[i] - a[i]);
      pull[i % 2] += f[i];
      assert_close(f[i], back[i], 1e-13);
      moved m = {.quad = &quad, .a = a, .x = b, .i = i, .what = 2};
      for (m.row = 0; m.row < N; m.row++) {
        assert_close(K[m.row * N + i], slope(&m), 1e-12 * norm(K, N * N));
      }
    }
    const double gain = dls_quad_energy(&quad, &material, b) - dls_quad_energy(&quad, &material, a);
    assert_close(work, gain, 1e-13 * (1 + fabs(gain)));
    dls_quad_force(&quad, &material, middle, at);
    for (int i = 0; i < N; i += 2) { /* moments at the middle */
      turn += middle[i] * f[i + 1] - middle[i + 1] * f[i];
      rule += at[i] * (b[i] - a[i]) + at[i + 1] * (b[i + 1] - a[i + 1]);
    }
    assert_true(fabs(rule - gain) > 1e-3 * fabs(gain)); /* the midpoint rule does not */
    assert_close(turn, 0, 1e-12);
    assert_close(pull[0], 0, 1e-13);
    assert_close(pull[1], 0, 1e-13);
    dls_quad_conserving_force(&quad, &material, a, a, back); /* at one state it is the force */
    dls_quad_force(&quad, &material, a, at);
    for (int i = 0; i < N; i++) {
      assert_close(back[i], at[i], 1e-13);
    }
  }
}

DLS_TEST(rigid_motions_cost_nothing_and_stresses_turn_along)
{
  static const double X[N] = {0.1, -0.2, 1.2, 0.1, 0.9, 1.3, -0.1, 0.8};
  dls_quad quad;
  assert_true(dls_quad_create(X, &quad));
  for (int k = 0; k < 24; k++) {
    const double angle = 0.7 * k - 8, c = cos(angle), s = sin(angle), stretch = 0.2;
    double x[N], f[N], y[N], stress[3];
    for (int a = 0; a < N; a += 2) {
      const double along = (1 + stretch) * X[a];
      x[a] = 3 - k + c * X[a] - s * X[a + 1];
      x[a + 1] = 0.2 * k + s * X[a] + c * X[a + 1];
      y[a] = c * along - s * X[a + 1];
      y[a + 1] = s * along + c * X[a + 1];
    }
    assert_close(dls_quad_energy(&quad, &material, x), 0, 1e-28);
    dls_quad_force(&quad, &material, x, f);
    assert_close(norm(f, N), 0, 1e-13);
    dls_quad_stress(&quad, &material, y, stress);
    const double E = stretch + stretch * stretch / 2; /* F = R diag(1.2, 1) */
    const double along = (material.lambda + 2 * material.mu) * E * (1 + stretch),
                 across = material.lambda * E / (1 + stretch);
    assert_close(stress[0], c * c * along + s * s * across, 1e-13);
    assert_close(stress[1], s * s * along + c * c * across, 1e-13);
    assert_close(stress[2], c * s * (along - across), 1e-13);
  }
}

/* Five elements around a point, no two alike: with linear displacements of the others no force is left on the inner four. */
DLS_TEST(a_patch_has_linear_displacements)
{
  static const double X[8][2] = {{0, 0}, {2, 0}, {2, 3}, {0, 2}, {0.4, 0.7}, {1.4, 0.6}, {1.6, 2}, {0.3, 1.6}};
  static const int corner[5][4] = {{0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}, {4, 5, 6, 7}};
  static const double slope_of[2][2] = {{0.2, -0.4}, {0.5, -0.1}}; /* of displacements */
  double force[8][2] = {{0}}, size = 0;
  for (int e = 0; e < 5; e++) {
    double rest[N], x[N], f[N];
    dls_quad quad;
    for (int i = 0; i < N; i++) {
      const double *at = X[corner[e][i / 2]];
      rest[i] = at[i % 2];
      x[i] = at[i % 2] + slope_of[i % 2][0] * at[0] + slope_of[i % 2][1] * at[1];
    }
    assert_true(dls_quad_create(rest, &quad));
    dls_quad_force(&quad, &material, x, f);
    size = fmax(size, norm(f, N));
    for (int i = 0; i < N; i++) {
      force[corner[e][i / 2]][i % 2] += f[i];
    }
  }
  assert_true(size > 1);
  for (int a = 4; a < 8; a++) {
    assert_close(force[a][0], 0, 1e-13);
    assert_close(force[a][1], 0, 1e-13);
  }
}

DLS_TEST(the_mass_is_that_of_bilinear_interpolation)
{
  static const double X[N] = {1, 1, 4, 1, 4, 3, 1, 3}; /* 3 x 2 */
  static const double share[4] = {4, 2, 1, 2};         /* of rho A/36, by the way round the corners */
  dls_quad quad;
  double M[N * N];
  assert_true(dls_quad_create(X, &quad));
  dls_quad_mass(&quad, &material, M);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      const double part = i % 2 == j % 2 ? share[(i / 2 - j / 2 + 4) % 4] : 0;
      assert_close(M[N * i + j], material.rho * 6 / 36 * part, 1e-14);
    }
  }
}

DLS_TEST(quadrilaterals_without_area_are_refused)
{
  static const double clockwise[N] = {0, 0, 0, 1, 1, 1, 1, 0}, flat[N] = {0, 0, 1, 0, 2, 0, 1, 0},
                      dented[N] = {0, 0, 1, 0, 0.1, 0.1, 0, 1};
  dls_quad quad;
  assert_false(dls_quad_create(clockwise, &quad));
  assert_false(dls_quad_create(flat, &quad));
  assert_false(dls_quad_create(dented, &quad));
}

DLS_TEST(moduli_are_converted)
{
  const dls_solid_material m = dls_solid_of_modulus(2.6, 0.3, 7);
  assert_close(m.mu, 1, 1e-15);
  assert_close(m.lambda, 1.5, 1e-15);
  assert_close(m.rho, 7, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(force_and_tangent_are_derivatives_of_the_energy),
      cmocka_unit_test(the_conserving_force_gives_the_difference_of_the_energy),
      cmocka_unit_test(rigid_motions_cost_nothing_and_stresses_turn_along),
      cmocka_unit_test(a_patch_has_linear_displacements),
      cmocka_unit_test(the_mass_is_that_of_bilinear_interpolation),
      cmocka_unit_test(quadrilaterals_without_area_are_refused),
      cmocka_unit_test(moduli_are_converted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
