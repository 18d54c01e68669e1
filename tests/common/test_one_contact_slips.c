/* test_one_contact_slips.c -- the slips of one contact: as many as its equation has zeros, and several for an unsymmetric W.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/one_contact.h"
#include "contact_law.h"
#include <math.h>
#include <string.h>

static double det(double A[3][3])
{
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

/* r of slip with u_T = -a r_T, u_N = 0: (W + a diag(0, 1, 1)) r = -q, by Cramer's rule. @return |r_T| - mu r_N */
static double excess(const one_contact *c, double a)
{
  double A[3][3], r[3];
  for (size_t k = 0; k < 9; k++) {
    A[k % 3][k / 3] = c->W[k] + (k == 4 || k == 8 ? a : 0);
  }
  for (size_t j = 0; j < 3; j++) {
    double B[3][3];
    memcpy(B, A, sizeof A);
    for (size_t i = 0; i < 3; i++) {
      B[i][j] = -c->q[i];
    }
    r[j] = det(B) / det(A);
  }
  return hypot(r[1], r[2]) - c->mu * r[0];
}

/* Of a contact that does not stick. */
DLS_TEST(every_zero_in_space_is_a_slip)
{
  enum { MANY = 3000, FIRST = -12, LAST = 8, A_DECADE = 10 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t several = 0;
  for (int k = 0; k < MANY; k++) {
    one_contact c = one_contact_random(rng, 3);
    double r[3 * DLS_ONE_CONTACT_MOST], last = 1;
    size_t zeros = 0;
    c.q[0] = -fabs(c.q[0]);
    for (int i = FIRST * A_DECADE; i <= LAST * A_DECADE; i++) {
      const double next = excess(&c, pow(10, i / (double)A_DECADE));
      zeros += (last > 0) != (next > 0) && i > FIRST * A_DECADE;
      last = next;
    }
    assert_int_equal(dls_space_slips(c.W, c.q, c.mu, r), zeros);
    several += zeros > 1;
  }
  gsl_rng_free(rng);
  assert_between((double)several, 5, MANY);
}

/* An unsymmetric W, as of an implicit step: it may stick, or slip to either side. */
DLS_TEST(a_planar_contact_may_have_three_solutions)
{
  const double W[4] = {1, 3, 1, 1}, q[2] = {-1, -3}, mu = 0.5;
  const double expected[3][2] = {{2.0 / 3, 1.0 / 3}, {1, 0}, {2, -1}};
  double r[2 * DLS_ONE_CONTACT_MOST];
  assert_int_equal(dls_one_contact(2, W, q, mu, r), 3);
  for (size_t k = 0; k < 6; k++) {
    assert_close(r[k], expected[k / 2][k % 2], 1e-15);
  }
}

/* From a slip with an error of a tenth, and from any r. */
DLS_TEST(newtons_method_finds_the_slip_that_is_near)
{
  enum { MANY = 3000 };
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  size_t slips = 0, back = 0;
  for (int k = 0; k < MANY; k++) {
    one_contact c = one_contact_random(rng, 3);
    double r[3] = {0}, near[3], far[3], u[3];
    c.q[0] = -fabs(c.q[0]);
    dls_contact_exact(3, c.W, c.q, c.mu, r);
    for (size_t i = 0; i < 3; i++) {
      near[i] = r[i] * (1 + 0.1 * gsl_rng_uniform(rng));
      far[i] = 2 * gsl_rng_uniform(rng) - 1;
    }
    dls_contact_from(3, c.W, c.q, c.mu, near);
    dls_contact_from(3, c.W, c.q, c.mu, far);
    for (size_t i = 0; i < 3; i++) {
      u[i] = c.q[i] + c.W[i] * far[0] + c.W[3 + i] * far[1] + c.W[6 + i] * far[2];
    }
    assert_between(one_contact_violation(&c, far, u), 0, 1e-9);
    const double size = hypot(hypot(r[0], r[1]), r[2]);
    const double error = hypot(hypot(near[0] - r[0], near[1] - r[1]), near[2] - r[2]);
    slips += hypot(r[1], r[2]) > 0.999999 * c.mu * r[0];
    back += hypot(r[1], r[2]) > 0.999999 * c.mu * r[0] && error <= 1e-9 * size;
  }
  gsl_rng_free(rng);
  assert_between((double)slips, MANY / 4, MANY);
  assert_between((double)back, 0.99 * (double)slips, (double)slips);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_zero_in_space_is_a_slip),
      cmocka_unit_test(newtons_method_finds_the_slip_that_is_near),
      cmocka_unit_test(a_planar_contact_may_have_three_solutions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
