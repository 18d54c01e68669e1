/* test_tdg.c -- time-discontinuous Galerkin schemes of degree 1: orders, contact forces, impulses, stability.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact_error.h"
#include "newmark_systems.h"
#include <stdio.h>
#include <string.h>

static const char *const schemes[] = {"tdg-d1-minus", "tdg-d1-minus:level=velocity", "tdg-d1-minus-implicit"};
enum { SCHEMES = 3 };
static const double pi = 3.14159265358979324;
/* Pressed by 2.5 N, released at t = acos(-2/3) / 2 = 1.150, back at 2.832. */
static const char lift_off[] = "impacting-oscillator:q0=0,f=-1,amplitude=1.5,omega=2,phase=3.14159265358979324";

static void assert_order(test_study study, double low, double high)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    study.scheme = schemes[s];
    const dls_fit fit = dls_test_order(study);
    if (!(fit.order >= low && fit.order <= high)) {
      fail_msg("%s, %s, %s of %s: order %g is not in [%g, %g]", schemes[s], study.model, study.norm, study.of,
               fit.order, low, high);
    }
  }
}

DLS_TEST(order_without_impacts_is_two)
{
  static const char model[] = "impacting-oscillator:k=9,c=0.4,amplitude=2,omega=3,phase=0.5,q0=2";
  assert_order((test_study){model, NULL, "grid-max", "q", 0.5, 2e-2, 2e-4, 6, 1}, 1.98, 2.02);
  assert_order((test_study){model, NULL, "grid-max", "v", 0.5, 2e-2, 2e-4, 6, 1}, 1.98, 2.02);
  assert_order((test_study){"bouncing-pendulum", NULL, "grid-max", "q", 0.4, 2e-2, 2e-4, 6, 1}, 1.97, 2.03);
}

DLS_TEST(order_through_a_lift_off_is_two)
{
  assert_order((test_study){lift_off, NULL, "grid-max", "q", 2.6, 2e-2, 2e-4, 8, 4}, 1.9, 2.1);
  assert_order((test_study){lift_off, NULL, "grid-max", "v", 2.6, 2e-2, 2e-4, 8, 4}, 1.95, 2.05);
  assert_order((test_study){lift_off, NULL, "l1", "v", 2.6, 2e-2, 2e-4, 8, 4}, 1.95, 2.05);
}

DLS_TEST(order_with_impacts_is_one)
{
  static const char *const of[] = {"q", "v"};
  for (size_t i = 0; i < 2; i++) {
    assert_order((test_study){"bouncing-ball", NULL, "grid-l1", of[i], 4, 3e-2, 3e-4, 8, 8}, 0.85, 1.15);
    assert_order((test_study){"impacting-oscillator", NULL, "grid-l1", of[i], 10, 3e-2, 3e-4, 8, 8}, 0.85,
                 1.15);
  }
}

DLS_TEST(both_levels_agree_for_a_single_mass)
{
  test_run a = dls_test_run(lift_off, schemes[0], 0.01, 2.6);
  test_run b = dls_test_run(lift_off, schemes[1], 0.01, 2.6);
  assert_int_equal(a.traj->rows, b.traj->rows);
  for (size_t i = 0; i < a.traj->rows * a.traj->columns; i++) {
    assert_close(a.traj->data[i], b.traj->data[i], 4e-15);
  }
  assert_int_equal(a.traj->event_count, 2); /* start in contact, lift-off */
  assert_int_equal(a.traj->events[0].kind, DLS_LANDING);
  assert_int_equal(a.traj->events[1].kind, DLS_LIFT_OFF);
  assert_between(a.traj->events[1].t - acos(-2. / 3) / 2, 0, 0.01 + 1e-12);
  dls_test_free(&a);
  dls_test_free(&b);
}

/* Contact i carries the weight of the beads above; the wedge has only one of its two contacts pressed. */
DLS_TEST(lasting_contacts_carry_their_loads)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    test_run run = dls_test_run("bead-column:gap=0,e=0.5", schemes[s], 0.01, 1);
    for (size_t i = 0; i < 10; i++) {
      assert_close(run.sim->lambda[i], 9.81 * (double)(10 - i), 1e-11);
      assert_close(run.sim->q[i], run.sys->q0[i], 1e-13);
      assert_close(run.sim->p[i], 0, 0);
    }
    assert_int_equal(run.traj->rows, 101); /* no jumps */
    dls_test_free(&run);
    run = dls_test_run("wedge", schemes[s], 0.01, 1);
    assert_close(run.sim->lambda[0], 1, 1e-13);
    assert_close(run.sim->lambda[1], 0, 0);
    assert_close(run.sim->g[1], 0.6 / 2, 1e-12);
    assert_close(run.sim->g[0], 0, 1e-13);
    dls_test_free(&run);
  }
}

/* The bounce that does not leave the floor in a step is the last. */
DLS_TEST(a_ball_comes_to_rest_and_does_not_sink)
{
  const double h = 0.01;
  for (size_t s = 0; s < SCHEMES; s++) {
    test_run run = dls_test_run("bouncing-ball", schemes[s], h, 20);
    assert_close(run.sim->v[0], 0, 1e-15);
    assert_close(run.sim->lambda[0], 2, 1e-13);
    assert_int_equal(run.sim->status[0], 1);
    assert_between(run.sim->q[0], -0.5 * 2 * h * h, 0); /* the last bounces are of order h^2 */
    const dls_event *last = &run.traj->events[run.traj->event_count - 1];
    assert_int_equal(last->kind, DLS_LANDING);
    assert_between(last->t, 2.8, 3.2); /* 3 is exact */
    assert_between((double)run.sim->work.impacts, 4, 8);
    dls_test_free(&run);
  }
}

/* U- is that of the step that jumps: the row before. */
DLS_TEST(an_impulse_works_on_the_left_limit)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    test_run run = dls_test_run("bouncing-ball:e=0.7", schemes[s], 0.013, 2);
    size_t impacts = 0;
    for (size_t i = 1; i < run.traj->rows; i++) {
      if (dls_test_value(&run, i, "t") == dls_test_value(&run, i - 1, "t")) {
        const double before = dls_test_value(&run, i - 1, "v0");
        const double after = dls_test_value(&run, i, "v0");
        const double work = 0.5 * (after * after - before * before);
        assert_close(after, -0.7 * before, 1e-15);
        assert_close(work, 0.5 * (1 - 0.7) * before * dls_test_value(&run, i, "p0"), 4e-15);
        assert_close(dls_test_value(&run, i - 1, "g0"), dls_test_value(&run, i, "g0"), 0);
        impacts++;
      }
    }
    assert_int_equal(impacts, run.sim->work.impacts);
    assert_between((double)impacts, 1, 10);
    dls_test_free(&run);
  }
}

/* Values of n columns "name0", ... of a row. */
static void row_values(const test_run *run, size_t row, const char *name, size_t n, double *x)
{
  char column[40];
  for (size_t i = 0; i < n; i++) {
    snprintf(column, sizeof column, "%s%zu", name, i);
    x[i] = dls_test_value(run, row, column);
  }
}

/* M (v- - v) = (h/2) (F + F(t', q', w)) + (h/2) H (lambda+ + lambda-) with w = 2 (q' - q)/h - v: the prediction of the
 * half-explicit schemes, and v- itself of the implicit one. They leave the lambdas out if a contact closes; it
 * has h lambda- in place of their sum. */
static void check_left_limit(const test_run *run, size_t row, size_t past, bool implicit)
{
  enum { MOST = 20 };
  const dls_system *sys = run->sys;
  const double t = dls_test_value(run, past, "t");
  const double h = dls_test_value(run, row, "t") - t;
  double q[MOST], v[MOST], q_next[MOST], v_left[MOST], F[MOST], F_next[MOST], change[MOST] = {0};
  double lambda[MOST], lambda_left[MOST], status[MOST], status_next[MOST];
  row_values(run, past, "q", sys->n, q);
  row_values(run, past, "v", sys->n, v);
  row_values(run, past, "lambda", sys->m, lambda);
  row_values(run, past, "status", sys->m, status);
  row_values(run, row, "q", sys->n, q_next);
  row_values(run, row, "v", sys->n, v_left);
  row_values(run, row, "lambda", sys->m, lambda_left);
  row_values(run, row, "status", sys->m, status_next);
  bool closes = false;
  for (size_t j = 0; j < sys->m; j++) {
    closes = closes || status_next[j] > status[j];
  }
  dls_system_force(sys, t, q, v, F);
  for (size_t i = 0; i < sys->n; i++) {
    v_left[i] -= v[i];
    v[i] = 2 / h * (q_next[i] - q[i]) - v[i];
  }
  dls_system_force(sys, t + h, q_next, v, F_next);
  dls_matrix_multiply(sys->M, 1, v_left, change);
  for (size_t j = 0; j < sys->m; j++) {
    const double mean = implicit ? lambda_left[j] : closes ? 0 : (lambda[j] + lambda_left[j]) / 2;
    assert_true(implicit || !closes || lambda_left[j] == 0);
    dls_matrix_column_add(sys->H, j, -h * mean, change);
  }
  for (size_t i = 0; i < sys->n; i++) {
    assert_close(change[i], h / 2 * (F[i] + F_next[i]), 1e-12);
  }
}

/* Was a contact made to approach by the impacts of others in the jump of a row? */
static bool struck(const test_run *run, size_t row, const double *before)
{
  const double t = dls_test_value(run, row, "t");
  for (size_t k = 0; k < run->traj->event_count; k++) {
    const dls_event *event = &run->traj->events[k];
    if (event->t == t && event->kind == DLS_IMPACT && fabs(event->u_minus - before[event->contact]) > 1e-12) {
      return true;
    }
  }
  return false;
}

/* M (v+ - v-) = H L and the law, with e where the contact was open at the node before and else 0; if one of those that
 * separate is struck, one problem follows another, of which only the sum is known. */
static size_t check_jump(const test_run *run, size_t row, size_t past, size_t *followed)
{
  enum { MOST = 20 };
  const dls_system *sys = run->sys;
  double v[MOST], next[MOST], p[MOST], before[MOST], after[MOST], status[MOST];
  size_t stopped = 0;
  row_values(run, row - 1, "v", sys->n, v);
  row_values(run, row, "v", sys->n, next);
  row_values(run, row - 1, "u", sys->m, before);
  row_values(run, row, "u", sys->m, after);
  row_values(run, row, "p", sys->m, p);
  row_values(run, past, "status", sys->m, status);
  const bool one_problem = !struck(run, row, before);
  double work = 0;
  double energy = 0;
  double change[MOST] = {0};
  *followed += !one_problem;
  for (size_t i = 0; i < sys->n; i++) {
    v[i] = next[i] - v[i];
  }
  dls_matrix_multiply(sys->M, 1, v, change);
  for (size_t i = 0; i < sys->n; i++) {
    energy += change[i] * (next[i] - 0.5 * v[i]);
  }
  for (size_t j = 0; j < sys->m; j++) {
    dls_matrix_column_add(sys->H, j, -p[j], change);
    const double e = status[j] == 0 && before[j] < 0 ? sys->e[j] : 0;
    assert_true(p[j] >= 0);
    if (one_problem) {
      assert_close(p[j] * (after[j] + e * before[j]), 0, 1e-12);
      assert_true(p[j] == 0 || after[j] + e * before[j] >= -1e-12);
    }
    assert_true(p[j] == 0 || after[j] >= -1e-12);
    work += 0.5 * (1 - e) * before[j] * p[j];
    stopped += p[j] > 0 && status[j] != 0 && sys->e[j] > 0;
  }
  for (size_t i = 0; i < sys->n; i++) {
    assert_close(change[i], 0, 1e-12);
  }
  if (one_problem) {
    assert_close(energy, work, 1e-12);
  }
  assert_true(energy <= 1e-12);
  return stopped;
}

DLS_TEST(jumps_of_coupled_contacts_obey_the_law)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    size_t jumps = 0;
    size_t stopped = 0; /* impulses with e = 0 on contacts that were closed before */
    size_t followed = 0;
    for (int seed = 1; seed <= 6; seed++) {
      char model[80];
      snprintf(model, sizeof model, "random-linear:n=8,m=4,e=0.7,seed=%d", seed);
      test_run run = dls_test_run(model, schemes[s], 0.01, 6);
      for (size_t i = 2; i < run.traj->rows; i++) {
        if (dls_test_value(&run, i, "t") == dls_test_value(&run, i - 1, "t")) {
          check_left_limit(&run, i - 1, i - 2, s == 2);
          stopped += check_jump(&run, i, i - 2, &followed);
          jumps++;
        }
      }
      dls_test_free(&run);
    }
    assert_between((double)jumps, 20, 2000);
    assert_between((double)stopped, 3, 1000);
    assert_between((double)followed, 1, 0.1 * (double)jumps);
  }
}

/* Amplitude of a free vibration about q = 1 after 40 steps with h omega = phase; 1e-3 at the start. */
static double vibration(const char *scheme, double phase)
{
  const double h = phase / 100;
  test_run run = dls_test_run("impacting-oscillator:k=1e4,f=1e4,q0=1.001", scheme, h, 40 * h);
  double most = 0;
  for (size_t i = 0; i < run.traj->rows; i++) {
    most = fmax(most, fabs(dls_test_value(&run, i, "q0") - 1));
  }
  dls_test_free(&run);
  return most;
}

DLS_TEST(the_explicit_ones_are_stable_up_to_two)
{
  for (size_t s = 0; s < 2; s++) {
    assert_between(vibration(schemes[s], 1.99), 0.999e-3, 1.001e-3);
    assert_between(vibration(schemes[s], 2.01), 0.5, 5); /* 1e-3 * 1.22^40 / 2 = 1.4: at the wall */
  }
  assert_between(vibration(schemes[2], 2.01), 0.999e-3, 1e-3 + 1e-14);
  assert_between(vibration(schemes[2], 1e4), 0.999e-3, 1e-3 + 1e-14);
}

/* Energy of two balls with a stiff spring between them, per mass: it never grows. */
DLS_TEST(the_implicit_one_dissipates_through_stiff_impacts)
{
  const double k = 1e8;
  test_run run = dls_test_run("two-ball-oscillator:k=1e8", schemes[2], 1e-2, 5); /* h omega = 140 */
  double last = HUGE_VAL;
  for (size_t i = 0; i < run.traj->rows; i++) {
    double q[2], v[2];
    row_values(&run, i, "q", 2, q);
    row_values(&run, i, "v", 2, v);
    const double stretch = q[1] - q[0] - 1;
    const double energy =
        0.5 * (v[0] * v[0] + v[1] * v[1]) + 9.81 * (q[0] + q[1]) + 0.5 * k * stretch * stretch;
    assert_true(energy <= last + 1e-6);
    last = energy;
  }
  assert_between(last, 9.81 * 0.9, 3 * 9.81); /* at rest on the floor: 9.81 */
  assert_between((double)run.sim->work.impacts, 2, 200);
  assert_int_equal(run.sim->work.factorizations, 2); /* of M and S */
  assert_int_equal(run.sim->work.newton_iterations, 0);
  dls_test_free(&run);
}

/* A mass in polar coordinates (r, phi), at a wall x = 1, under the force -cos t towards it; y' = 1. The mass matrix,
 * the gradient and the forces all vary; it slides at x = 1 until t = pi/2, then x = 1 + (t - pi/2) + cos t. */
static void polar_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  (void)sys;
  dls_matrix_set(M, 0, 0, 1);
  dls_matrix_set(M, 1, 1, q[0] * q[0]);
}

static void polar_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  F[0] = q[0] * v[1] * v[1] - cos(t) * cos(q[1]);
  F[1] = -2 * q[0] * v[0] * v[1] + cos(t) * q[0] * sin(q[1]);
}

static void polar_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  (void)sys;
  dls_matrix_set(K, 0, 0, -v[1] * v[1]);
  dls_matrix_set(K, 0, 1, -cos(t) * sin(q[1]));
  dls_matrix_set(K, 1, 0, 2 * v[0] * v[1] - cos(t) * sin(q[1]));
  dls_matrix_set(K, 1, 1, -cos(t) * q[0] * cos(q[1]));
}

static void polar_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)sys, (void)t;
  dls_matrix_set(C, 0, 1, -2 * q[0] * v[1]);
  dls_matrix_set(C, 1, 0, 2 * q[0] * v[1]);
  dls_matrix_set(C, 1, 1, 2 * q[0] * v[0]);
}

static void polar_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = q[0] * cos(q[1]) - 1;
}

static void polar_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  (void)sys;
  dls_matrix_set(H, 0, 0, cos(q[1]));
  dls_matrix_set(H, 1, 0, -q[0] * sin(q[1]));
}

static void polar_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  (void)sys;
  c[0] = -2 * v[0] * v[1] * sin(q[1]) - q[0] * v[1] * v[1] * cos(q[1]);
}

static dls_system *polar_system(double x)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(2, 1);
  assert_non_null(sys);
  sys->M = dls_matrix_diagonal(2);
  sys->K = dls_matrix_dense(2, 2);
  sys->C = dls_matrix_dense(2, 2);
  sys->H = dls_matrix_dense(2, 1);
  sys->mass = polar_mass;
  sys->force = polar_force;
  sys->stiffness = polar_stiffness;
  sys->damping = polar_damping;
  sys->gap = polar_gap;
  sys->gradient = polar_gradient;
  sys->curvature = polar_curvature;
  sys->q0[0] = x;
  sys->v0[1] = 1 / x;
  sys->e[0] = 0.5;
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->M, 1, 1, 1);
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* Larger of the errors of x and y at t = 2. @param[out] force  error of lambda at t = 1 */
static double polar_error(const char *scheme, double h, double *force)
{
  dls_error err = {0};
  dls_system *sys = polar_system(1);
  dls_sim *sim = sim_of(sys, scheme);
  assert_ok(dls_sim_start(sim, &err), err);
  while (sim->t < 2 - h / 2) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    if (sim->t < pi / 2) {
      assert_int_equal(sim->status[0], 1); /* although g and U drift */
      assert_between(sim->p[0], 0, h * h); /* takes out drift only, not the load */
    }
    if (fabs(sim->t - 1) < h / 2) {
      *force = fabs(sim->lambda[0] - cos(sim->t));
    }
  }
  const double x = sim->q[0] * cos(sim->q[1]);
  const double y = sim->q[0] * sin(sim->q[1]);
  assert_true(sim->work.newton_iterations <= 6 * sim->work.steps); /* 5.4 at h = 0.04 */
  assert_int_equal(sim->work.impacts, 0);
  assert_int_equal(sim->work.events, 2); /* start in contact, lift-off */
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return fmax(fabs(x - (1 + 2 - pi / 2 + cos(2))), fabs(y - 2));
}

DLS_TEST(order_on_a_curved_contact_is_two)
{
  enum { LEVELS = 5 };
  for (size_t s = 0; s < SCHEMES; s++) {
    double h[LEVELS];
    double error[LEVELS];
    double force[LEVELS];
    for (size_t k = 0; k < LEVELS; k++) {
      h[k] = 0.04 * pow(0.5, (double)k);
      error[k] = polar_error(schemes[s], h[k], &force[k]);
    }
    dls_fit fit;
    dls_error err = {0};
    assert_ok(dls_fit_order(LEVELS, h, error, 1e-14, &fit, &err), err);
    assert_between(fit.order, 1.9, 2.1);
    assert_between(error[LEVELS - 1], 1e-7, 4e-6);
    assert_between(force[LEVELS - 1], 0, s == 1 ? 4e-4 : 1e-15); /* velocity level: H of order h apart */
  }
}

DLS_TEST(newton_failure_names_time_and_keeps_the_state)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-pendulum", "tdg-d1-minus-implicit:newton_max=1");
  const dls_run_spec spec = {.step = 0.1, .end = 1, .record = run.traj};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "tdg-d1-minus-implicit at t = 0: Newton's method left"));
  assert_close(run.sim->q[0], 0, 0);
  assert_close(run.sim->v[0], 0, 0);
  assert_int_equal(run.traj->rows, 1);
  dls_test_free(&run);
}

/* Within gap_tol the contact is closed at the start, above not; an approach there is an impact at t = 0. */
DLS_TEST(tolerances_decide_what_is_closed)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    char scheme[80];
    snprintf(scheme, sizeof scheme, "%s%sgap_tol=1", schemes[s], s == 1 ? "," : ":");
    test_run run = dls_test_run("bouncing-ball:q0=0.0005,v0=-1", scheme, 0.01, 0.01);
    assert_int_equal(run.sim->work.impacts, 1);
    assert_close(dls_test_value(&run, 0, "v0"), -1, 0);
    assert_close(dls_test_value(&run, 1, "v0"), 0.5, 1e-15);
    assert_close(dls_test_value(&run, 1, "t"), 0, 0);
    dls_test_free(&run);
    run = dls_test_run("bouncing-ball:q0=0.0005,v0=-1", schemes[s], 0.01, 0.01);
    assert_close(dls_test_value(&run, 1, "t"), 0.01, 0);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_without_impacts_is_two),
      cmocka_unit_test(order_through_a_lift_off_is_two),
      cmocka_unit_test(order_with_impacts_is_one),
      cmocka_unit_test(both_levels_agree_for_a_single_mass),
      cmocka_unit_test(lasting_contacts_carry_their_loads),
      cmocka_unit_test(a_ball_comes_to_rest_and_does_not_sink),
      cmocka_unit_test(an_impulse_works_on_the_left_limit),
      cmocka_unit_test(jumps_of_coupled_contacts_obey_the_law),
      cmocka_unit_test(the_explicit_ones_are_stable_up_to_two),
      cmocka_unit_test(the_implicit_one_dissipates_through_stiff_impacts),
      cmocka_unit_test(order_on_a_curved_contact_is_two),
      cmocka_unit_test(newton_failure_names_time_and_keeps_the_state),
      cmocka_unit_test(tolerances_decide_what_is_closed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
