/* test_joint_edges.c -- joints at their limits: motions without inertia, equations without a gradient, equations that are far away,
 * and values that are no numbers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/joints.h>
#include <math.h>
#include <string.h>

typedef struct fixture {
  dls_system *sys;
  dls_factor *A;
  dls_joints *J;
} fixture;

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
}

typedef void equations(const dls_system *sys, double t, const double *q, double *phi);
typedef void gradients(const dls_system *sys, double t, const double *q, dls_matrix *G);

/* A = diag(1, last). */
static void begin(fixture *f, size_t n, size_t r, double last, equations *joint, gradients *gradient)
{
  *f = (fixture){.sys = dls_system_create(n, 0)};
  f->sys->M = dls_matrix_diagonal(n);
  f->sys->G = dls_matrix_dense(n, r);
  f->sys->r = r;
  f->sys->force = no_force;
  f->sys->joint = joint;
  f->sys->joint_gradient = gradient;
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(f->sys->M, i, i, i + 1 == n ? last : 1);
  }
  f->A = dls_factor_create((const dls_matrix *const[]){f->sys->M}, 1);
  f->J = dls_joints_create(f->sys, f->A);
  assert_non_null(f->J);
  assert_int_equal(dls_factor_sum(f->A, (const double[]){1}, NULL), last > 0 ? DLS_OK : DLS_ERR_SINGULAR);
}

static void end(fixture *f)
{
  dls_joints_destroy(f->J);
  dls_factor_destroy(f->A);
  dls_system_destroy(f->sys);
}

/* q_1 = 1, with a gradient that is said to turn from the second to the first coordinate. */
static void turning(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  phi[0] = q[1] - 1;
}

static void turned(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  dls_matrix_set(G, 0, 0, q[1] == 0 ? 0 : 1);
  dls_matrix_set(G, 1, 0, q[1] == 0 ? 1 : 0);
}

/* The second coordinate has no inertia: it may be held, not free. */
DLS_TEST(free_motions_without_inertia_are_told)
{
  fixture f;
  dls_error err = {0};
  const double held[2] = {0, 0}, free[2] = {0, 1};
  double q[2] = {0, 0};
  begin(&f, 2, 1, 0, turning, turned);
  assert_ok(dls_joints_at(f.J, 0, held, &err), err);
  assert_int_equal(dls_joints_at(f.J, 0, free, &err), DLS_ERR_SINGULAR);
  assert_non_null(strstr(err.text, "no inertia"));
  err.text[0] = 0;
  assert_int_equal(dls_joints_project_q(f.J, 0, q, &err), DLS_ERR_SINGULAR); /* behind the first step */
  assert_close(q[1], 1, 1e-15);
  assert_non_null(strstr(err.text, "no inertia"));
  end(&f);
}

static void nothing(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)t, (void)q;
  memset(phi, 0, sys->r * sizeof *phi);
}

static void nowhere(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)t, (void)q;
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(G, i, 0, 0);
  }
}

/* x = A^-1 f, mu = 0, whatever is asked of the equation. */
DLS_TEST(an_equation_without_a_gradient_holds_nothing)
{
  fixture f;
  dls_error err = {0};
  double x[2] = {3, 8}, mu = 1;
  begin(&f, 2, 1, 4, nothing, nowhere);
  assert_ok(dls_joints_at(f.J, 0, f.sys->q0, &err), err);
  assert_int_equal(dls_joints_redundant(f.J), 1);
  dls_joints_solve(f.J, x, &(const double){5}, &mu);
  assert_close(x[0], 3, 1e-15);
  assert_close(x[1], 2, 1e-15);
  assert_close(mu, 0, 0);
  end(&f);
}

static void no_number(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  phi[0] = q[0];
  phi[1] = NAN;
  phi[2] = 1e9;
}

static void one_each(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)t, (void)q;
  for (size_t i = 0; i < sys->r; i++) {
    dls_matrix_set(G, i, i, 1);
  }
}

DLS_TEST(what_is_no_number_is_the_worst)
{
  fixture f;
  dls_error err = {0};
  size_t worst = 9;
  double q[3] = {1, 0, 0};
  begin(&f, 3, 3, 1, no_number, one_each);
  assert_ok(dls_joints_at(f.J, 0, q, &err), err);
  assert_true(isnan(dls_joints_distance(f.J, &worst)));
  assert_int_equal(worst, 1);
  assert_int_equal(dls_joints_project_q(f.J, 0, q, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "joint equation 1 cannot be met"));
  end(&f);
}

static void square(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)sys, (void)t;
  phi[0] = q[0] * q[0] - 1;
}

static void slope(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  dls_matrix_set(G, 0, 0, 2 * q[0]);
}

/* q^2 = 1 from far away: Newton's method halves q, and then doubles its digits. */
static int projections(double q)
{
  int steps = 0;
  for (; fabs(q * q - 1) / (2 * fabs(q)) >= 1e-9; steps++) {
    q = (q + 1 / q) / 2;
  }
  return steps;
}

DLS_TEST(thirty_projections_are_enough_or_are_told)
{
  for (double q0 = 1e3; q0 < 1e13; q0 *= 1.7) {
    fixture f;
    dls_error err = {0};
    double q = q0;
    begin(&f, 1, 1, 1, square, slope);
    const dls_status status = dls_joints_project_q(f.J, 0, &q, &err);
    assert_int_equal(status, projections(q0) <= 30 ? DLS_OK : DLS_ERR_NOCONV);
    if (status == DLS_OK) {
      assert_close(q, 1, 1e-9);
    } else {
      assert_non_null(strstr(err.text, "is left of it after 30 projections"));
    }
    end(&f);
  }
  assert_int_equal(projections(1e3 * pow(1.7, 21)),
                   30); /* both sides of the limit, and the limit, are among these */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_motions_without_inertia_are_told),
      cmocka_unit_test(an_equation_without_a_gradient_holds_nothing),
      cmocka_unit_test(what_is_no_number_is_the_worst),
      cmocka_unit_test(thirty_projections_are_enough_or_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
