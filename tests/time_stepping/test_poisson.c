/* test_poisson.c -- Poisson's impact law: Kane's impact against compression and expansion solved by cases, several contacts,
 * bounces. Source: Glocker, Pfeiffer 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/problem.h>
#include <math.h>
#include <stdio.h>

typedef struct planar {
  double W[4], u[2]; /* column-major; before the impact */
} planar;

/* W and u of the contact of Kane's example, by hand for two degrees of freedom. */
static planar kane(const dls_system *sys)
{
  planar c = {0};
  double M[2][2], rows[2][2];
  for (size_t i = 0; i < 2; i++) {
    for (size_t k = 0; k < 2; k++) {
      M[i][k] = dls_matrix_get(sys->M, i, k);
    }
    rows[0][i] = dls_matrix_get(sys->H, i, 0);
    rows[1][i] = dls_matrix_get(sys->T, i, 0);
  }
  const double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  for (size_t i = 0; i < 2; i++) {
    c.u[i] = rows[i][0] * sys->v0[0] + rows[i][1] * sys->v0[1];
    for (size_t k = 0; k < 2; k++) {
      c.W[i + 2 * k] = (rows[i][0] * (M[1][1] * rows[k][0] - M[0][1] * rows[k][1]) +
                        rows[i][1] * (M[0][0] * rows[k][1] - M[1][0] * rows[k][0])) /
                       det;
    }
  }
  return c;
}

static void add(const planar *c, const double *p, double *u)
{
  u[0] += c->W[0] * p[0] + c->W[2] * p[1];
  u[1] += c->W[1] * p[0] + c->W[3] * p[1];
}

/* u := behind compression and expansion. */
static void by_cases(const planar *c, double e, double mu, double *u)
{
  double p[2 * DLS_ONE_CONTACT_MOST];
  u[0] = c->u[0];
  u[1] = c->u[1];
  assert_int_equal(dls_one_contact(2, c->W, u, mu, p), 1);
  add(c, p, u);
  const double given = e * p[0];
  const double free = u[1] + c->W[1] * given, wanted = -free / c->W[3]; /* along the tangent, to stick */
  const double most = mu * given, q[2] = {given, fabs(wanted) <= most ? wanted : copysign(most, wanted)};
  double after[2] = {u[0], u[1]};
  add(c, q, after);
  if (after[0] < 0) { /* it gives more, and stays */
    assert_true(dls_one_contact(2, c->W, u, mu, p) >= 1);
    assert_true(p[0] >= given);
    after[0] = u[0];
    after[1] = u[1];
    add(c, p, after);
  }
  u[0] = after[0];
  u[1] = after[1];
}

DLS_TEST(kanes_impact_is_compression_and_expansion)
{
  static const double cases[][2] = {{0.5, 0.5}, {0.5, 0.25}, {0.7, 0.25}, {0.7, 0.6},
                                    {1, 0.1},   {0, 0.5},    {1, 2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char model[80];
    snprintf(model, sizeof model, "kane poisson:e=%g,mu=%g", cases[i][0], cases[i][1]);
    static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "nonsmooth-newmark",
                                          "tdg-d1-minus", "three-level-alpha"};
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
      test_run run = dls_test_run(model, schemes[k], 1e-2, 1e-2);
      const planar c = kane(run.sys);
      double u[2];
      by_cases(&c, cases[i][0], cases[i][1], u);
      assert_close(dls_test_value(&run, run.traj->rows - 1, "u0"), u[0], 1e-12);
      assert_close(dls_test_value(&run, run.traj->rows - 1, "u0t"), u[1], 1e-12);
      dls_test_free(&run);
    }
  }
}

/* In a flight without coupling the normal velocity comes back e times, and friction is within mu of the whole impulse. */
DLS_TEST(bounces_are_newtons_where_nothing_couples)
{
  test_run poisson = dls_test_run("bounce-slip poisson", "moreau-jean", 1e-4, 1);
  test_run newton = dls_test_run("bounce-slip newton-coulomb", "moreau-jean", 1e-4, 1);
  for (size_t i = 0; i < newton.sys->n; i++) {
    assert_close(poisson.sim->q[i], newton.sim->q[i], 2e-3 * fabs(newton.sim->q[i]));
  }
  dls_test_free(&poisson);
  dls_test_free(&newton);
}

/* Several contacts at once, some of which give what they have and some more. */
DLS_TEST(many_contacts_find_who_gives_more)
{
  static const char *const models[] = {"rocking-block poisson:e=0.4", "woodpecker poisson",
                                       "block-pyramid poisson:e=0.3", "superball poisson"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    test_run run = dls_test_run(models[i], "moreau-jean:theta=1", 1e-3, 0.4);
    assert_true(run.sim->worst_gap > -0.02 * run.sys->length);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kanes_impact_is_compression_and_expansion),
      cmocka_unit_test(bounces_are_newtons_where_nothing_couples),
      cmocka_unit_test(many_contacts_find_who_gives_more),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
