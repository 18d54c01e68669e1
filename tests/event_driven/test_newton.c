/* test_newton.c -- BDF by blocks: Newton's matrix is that of the right-hand side whatever is closed; elastic bars.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "event_driven/event_integrator.h"
#include <string.h>

extern const dls_model dls_model_elastic_bar;

enum { MOST = 64 };

static const char *const bdf[] = {"method=bdf", NULL};

static double random_number(void) /* in (-1, 1) */
{
  static unsigned long long x = 88172645463325252ULL;
  x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return (double)(x >> 11) / 4503599627370496.0 - 1;
}

/* Largest entry of x - gamma (f(y + eps x) - f(y - eps x)) / (2 eps) - b, for x = N^-1 b and random y, b, relative to b. */
static double residual(dls_sim *sim, double gamma, double eps)
{
  dls_event_integrator *tr = sim->memory;
  double y[MOST], x[MOST], b[MOST], plus[MOST], minus[MOST], moved[MOST];
  assert_true(tr->method.size <= MOST);
  for (size_t i = 0; i < tr->method.size; i++) {
    y[i] = random_number();
    x[i] = b[i] = random_number();
  }
  bool fresh = true;
  assert_int_equal(dls_newton_setup(tr, 0.3, y, gamma, &fresh), 0);
  assert_true(fresh);
  for (size_t k = tr->state.active.count; k < tr->method.m; k++) { /* of none that is closed: not read */
    tr->work.x[k] = 1e3;
  }
  assert_int_equal(dls_newton_solve(tr, x), 0);
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < tr->method.size; i++) {
      moved[i] = y[i] + (side == 0 ? eps : -eps) * x[i];
    }
    assert_int_equal(dls_smooth_rhs(tr, 0.3, moved, side == 0 ? plus : minus), 0);
  }
  double worst = 0;
  for (size_t i = 0; i < tr->method.size; i++) {
    assert_true(isfinite(x[i]));
    worst = fmax(worst, fabs(x[i] - gamma * (plus[i] - minus[i]) / (2 * eps) - b[i]));
  }
  return worst;
}

static void assert_newton(dls_system *sys, size_t closed, double eps, double error)
{
  ed_run run = ed_start(sys, bdf);
  assert_ok(dls_sim_start(run.sim, &run.err), run.err);
  assert_int_equal(((dls_event_integrator *)run.sim->memory)->state.active.count, closed);
  for (double gamma = 1e-4; gamma < 2; gamma *= 10) {
    assert_between(residual(run.sim, gamma, eps), 0, error);
  }
  ed_end(&run);
}

/* Two contacts of three masses say the same, and a third is open. */
static dls_system *redundant(void)
{
  dls_system *sys = ed_masses(3, 3);
  sys->K = dls_matrix_dense(3, 3);
  sys->C = dls_matrix_diagonal(3);
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(sys->K, i, i, 2 + (double)i);
    dls_matrix_set(sys->C, i, i, 0.5);
    sys->w[i] = i == 2 ? 1 : 0;
    dls_matrix_set(sys->H, i == 2 ? 2 : 0, i, 1);
  }
  dls_matrix_set(sys->K, 0, 1, -1);
  dls_matrix_set(sys->K, 1, 0, -1);
  return sys;
}

DLS_TEST(newton_matrix_is_that_of_the_right_hand_side)
{
  const char *const bars[][5] = {{"n=10", "h0=1", "v0=0", NULL},
                                 {"n=10", "h0=0", "v0=0", "g=10", NULL},
                                 {"n=10", "h0=0", "v0=0", "beta=0.1", NULL},
                                 {"n=10", "h0=0", "v0=0", "mass=lumped", NULL}};
  for (size_t i = 0; i < 4; i++) {
    assert_newton(ed_model(&dls_model_elastic_bar, bars[i]), i > 0, 1, 1e-9);
  }
  assert_newton(ed_model(&dls_model_bead_column, (const char *const[]){"N=6", "gap=0", NULL}), 6, 1, 1e-11);
  assert_newton(ed_model(&dls_model_bouncing_ball, NULL), 0, 1, 1e-12);
  assert_newton(redundant(), 2, 1, 1e-12);
}

/* Masses on springs F = -q - q^3, coupled by F = v_0 v_1; the first lies on the floor. */
static void cubic_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -q[i] - q[i] * q[i] * q[i] - 0.1 * v[i] + sin(t);
  }
  F[0] -= 4;
  F[1] += v[0] * v[1];
}

static void cubic_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  (void)t, (void)v;
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(K, i, i, 1 + 3 * q[i] * q[i]);
  }
}

static void cubic_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)t, (void)q;
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(C, i, i, 0.1);
  }
  dls_matrix_set(C, 1, 0, -v[1]);
  dls_matrix_set(C, 1, 1, 0.1 - v[0]);
}

static void first_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = q[0];
}

static dls_system *cubic(void)
{
  dls_system *sys = ed_masses(3, 1);
  sys->linear = false;
  sys->K = dls_matrix_diagonal(3);
  sys->C = dls_matrix_band(3, 1, 1);
  sys->force = cubic_force;
  sys->stiffness = cubic_stiffness;
  sys->damping = cubic_damping;
  sys->gap = first_gap;
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[1] = sys->q0[2] = 1;
  return sys;
}

DLS_TEST(newton_matrix_of_a_nonlinear_system_is_its_derivative)
{
  assert_newton(cubic(), 1, 1e-4, 1e-6);
  ed_run adams = ed_system(cubic(), 10, NULL);
  ed_run stiff = ed_system(cubic(), 10, bdf);
  for (size_t i = 0; i < 3; i++) {
    assert_close(stiff.sim->q[i], adams.sim->q[i], 1e-7);
  }
  const dls_work *work = &stiff.sim->work;
  assert_in_range(work->jacobian_evals, 10, work->steps / 10);
  assert_in_range(work->factorizations, work->jacobian_evals, work->steps / 10);
  ed_end(&adams);
  ed_end(&stiff);
}

/* Impact at t = 1/2, contact, release after about 2 L/c, flight. */
DLS_TEST(bar_moves_alike_by_bdf_and_adams)
{
  const char *const bars[][3] = {{"n=10", NULL}, {"n=10", "beta=0.01", NULL}};
  for (size_t i = 0; i < 2; i++) {
    ed_run adams = ed_system(ed_model(&dls_model_elastic_bar, bars[i]), 2, NULL);
    ed_run stiff = ed_system(ed_model(&dls_model_elastic_bar, bars[i]), 2, bdf);
    assert_int_equal(stiff.traj->event_count, adams.traj->event_count);
    assert_int_equal(ed_count(&stiff, DLS_LIFT_OFF), ed_count(&adams, DLS_LIFT_OFF));
    assert_true(ed_count(&stiff, DLS_LIFT_OFF) >= 1);
    for (size_t k = 0; k < stiff.traj->event_count; k++) {
      assert_int_equal(stiff.traj->events[k].kind, adams.traj->events[k].kind);
      assert_close(stiff.traj->events[k].t, adams.traj->events[k].t, 1e-8);
    }
    assert_close(ed_event(&stiff, DLS_LIFT_OFF, 0)->t, 0.5 + 2. / 3, 0.1);
    for (size_t j = 0; j < stiff.sys->n; j++) {
      assert_close(stiff.sim->q[j], adams.sim->q[j], 1e-7);
      assert_close(stiff.sim->v[j], adams.sim->v[j], 1e-5);
    }
    const dls_work *work = &stiff.sim->work;
    assert_int_equal(work->jacobian_evals, 0); /* K and C are constant */
    assert_in_range(work->factorizations, 5, work->steps / 20);
    assert_in_range(work->newton_iterations, work->steps, 5 * work->steps / 4);
    ed_end(&adams);
    ed_end(&stiff);
  }
}

static dls_matrix *stored_as(const dls_matrix *A, dls_storage storage)
{
  const size_t n = dls_matrix_rows(A);
  dls_matrix *B = storage == DLS_DENSE ? dls_matrix_dense(n, n) : dls_matrix_sparse(n, n, 3 * n);
  assert_non_null(B);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; i++) {
      assert_int_equal(dls_matrix_set(B, i, j, dls_matrix_get(A, i, j)), DLS_OK);
    }
  }
  return B;
}

DLS_TEST(storage_of_the_matrices_does_not_matter)
{
  const char *const bar[] = {"n=10", "beta=0.01", NULL};
  const dls_storage storages[] = {DLS_DENSE, DLS_SPARSE};
  ed_run band = ed_system(ed_model(&dls_model_elastic_bar, bar), 1.5, bdf);
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = ed_model(&dls_model_elastic_bar, bar);
    dls_matrix **terms[] = {&sys->M, &sys->K, &sys->C};
    for (size_t i = 0; i < 3; i++) {
      dls_matrix *other = stored_as(*terms[i], storages[k]);
      dls_matrix_destroy(*terms[i]);
      *terms[i] = other;
    }
    ed_run run = ed_system(sys, 1.5, bdf);
    assert_int_equal(run.traj->event_count, band.traj->event_count);
    for (size_t i = 0; i < sys->n; i++) {
      assert_close(run.sim->q[i], band.sim->q[i], 1e-9);
    }
    ed_end(&run);
  }
  ed_end(&band);
}

/* Damping takes all motion away: -E u_XX = -rho g, nodes exact: q = -(rho g/E)(L X - X^2/2); the floor bears the weight. */
DLS_TEST(damped_bar_comes_to_rest_under_its_weight)
{
  const char *const bar[] = {"n=100", "h0=0", "v0=0", "g=10", "beta=0.1", NULL};
  const char *const settings[] = {"method=bdf", "tol=1e-8", NULL};
  ed_run run = ed_system(ed_model(&dls_model_elastic_bar, bar), 40, settings);
  for (size_t i = 0; i <= 100; i++) {
    const double X = 0.1 * (double)i;
    assert_close(run.sim->q[i], -10. / 900 * (10 * X - 0.5 * X * X), 1e-8);
    assert_close(run.sim->v[i], 0, 1e-7);
  }
  assert_close(run.sim->lambda[0], 100, 1e-6);
  assert_int_equal(run.sim->status[0], 1);
  assert_in_range(run.sim->work.steps, 100, 5000);
  ed_end(&run);
}

/* The highest mode decays at the rate beta omega^2/2 = 2160/s, omega^2 = 12 E/(rho l^2): no matter for BDF, the limit of
 * the steps of Adams. */
DLS_TEST(stiff_bar_takes_bdf_far_fewer_steps)
{
  const char *const bar[] = {"n=20", "h0=0", "v0=0", "g=10", "beta=0.1", NULL};
  ed_run adams = ed_system(ed_model(&dls_model_elastic_bar, bar), 4, (const char *const[]){"tol=1e-6", NULL});
  ed_run stiff = ed_system(ed_model(&dls_model_elastic_bar, bar), 4,
                           (const char *const[]){"tol=1e-6", "method=bdf", NULL});
  for (size_t i = 0; i <= 20; i++) {
    assert_close(stiff.sim->q[i], adams.sim->q[i], 1e-6);
  }
  assert_true(20 * stiff.sim->work.force_evals < adams.sim->work.force_evals);
  ed_end(&adams);
  ed_end(&stiff);
}

/* 3 10^5 unknowns: no square matrix of that order fits into any memory. */
DLS_TEST(long_bars_are_no_matter_of_memory)
{
  const char *const bar[] = {"n=100000", "h0=0", NULL};
  ed_run run = ed_start(ed_model(&dls_model_elastic_bar, bar), bdf);
  assert_ok(dls_sim_start(run.sim, &run.err), run.err);
  for (int k = 0; k < 5; k++) {
    assert_ok(dls_sim_advance(run.sim, 1, &run.err), run.err);
  }
  assert_int_equal(run.sim->status[0], 1);
  assert_in_range(run.sim->work.factorizations, 2, 10);
  assert_in_range(run.sim->work.newton_iterations, 5, 20);
  ed_end(&run);
}

/* The step's end is the next one's begin: what was evaluated last is not evaluated again, and only that. */
DLS_TEST(the_same_state_is_evaluated_once)
{
  ed_run run = ed_start(cubic(), NULL);
  assert_ok(dls_sim_start(run.sim, &run.err), run.err);
  dls_event_integrator *tr = run.sim->memory;
  const double q[] = {0, 0.3, -0.2};
  double v[] = {0, 0.5, 0.7}, a[2][3], lambda[2][1];
  assert_ok(dls_smooth_dynamics(tr, 0.1, q, v, a[0], lambda[0], &run.err), run.err);
  const size_t evaluations = run.sim->work.force_evals;
  assert_ok(dls_smooth_dynamics(tr, 0.1, q, v, a[1], lambda[1], &run.err), run.err);
  assert_int_equal(run.sim->work.force_evals, evaluations);
  assert_memory_equal(a[0], a[1], sizeof a[0]);
  assert_close(lambda[0][0], lambda[1][0], 0);
  v[2] = 0.9;
  assert_ok(dls_smooth_dynamics(tr, 0.1, q, v, a[1], lambda[1], &run.err), run.err);
  assert_int_equal(run.sim->work.force_evals, evaluations + 1);
  assert_close(a[1][2] - a[0][2], -0.1 * 0.2, 1e-15);
  ed_end(&run);
}

/* q'' = -4 q from 1. */
DLS_TEST(a_system_without_contacts_has_a_matrix_too)
{
  enum { N = 3 };
  dls_system *sys = dls_system_create(N, 0);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(N);
  sys->K = dls_matrix_diagonal(N);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->K, i, i, 4);
    sys->q0[i] = 1;
  }
  ed_run run = ed_system(sys, 1, bdf);
  assert_true(run.sim->work.newton_iterations > 0);
  for (size_t i = 0; i < N; i++) {
    assert_close(run.sim->q[i], cos(2), 1e-8);
    assert_close(run.sim->v[i], -2 * sin(2), 1e-8);
  }
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_system_without_contacts_has_a_matrix_too),
      cmocka_unit_test(newton_matrix_is_that_of_the_right_hand_side),
      cmocka_unit_test(newton_matrix_of_a_nonlinear_system_is_its_derivative),
      cmocka_unit_test(bar_moves_alike_by_bdf_and_adams),
      cmocka_unit_test(storage_of_the_matrices_does_not_matter),
      cmocka_unit_test(damped_bar_comes_to_rest_under_its_weight),
      cmocka_unit_test(stiff_bar_takes_bdf_far_fewer_steps),
      cmocka_unit_test(long_bars_are_no_matter_of_memory),
      cmocka_unit_test(the_same_state_is_evaluated_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
