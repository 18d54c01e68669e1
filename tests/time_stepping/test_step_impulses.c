/* test_step_impulses.c -- derivatives of the impulses of runs by step: against the balance of momentum, sum of p = M (v(T) - v(0)) - F T, and
 * closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/derivative_columns.h"
#include "tangent_steps.h"
#include <string.h>

/* The sum over the run of the column dX/dP; NaN: there is none. */
static double sum_of(const tangent_run *t, const char *of, const char *by)
{
  char name[40];
  snprintf(name, sizeof name, "d%s/d%s", of, by);
  const int column = dls_trajectory_column(t->run.traj, name);
  double sum = column < 0 ? NAN : 0;
  for (size_t i = 0; i < t->run.traj->rows && column >= 0; i++) {
    sum += dls_trajectory_at(t->run.traj, i, (size_t)column);
  }
  return sum;
}

/* A recorded run of a number of steps with its columns of derivatives. */
static tangent_run record(const char *model, const char *scheme, const char *tangent, const char *const *by,
                          double h, size_t steps)
{
  dls_error err = {0};
  dls_derivative_columns columns = {0};
  tangent_run t = prepare(model, scheme, tangent, by);
  differentiate(&t, tangent);
  assert_ok(dls_sim_differentiate_forces(t.run.sim, &err), err);
  const dls_run_spec spec = {.step = h,
                             .end = h * ((double)steps + 0.25),
                             .record = t.run.traj,
                             .watch = dls_derivative_columns_watch,
                             .watch_data = &columns};
  assert_ok(dls_run(t.run.sim, &spec, &err), err);
  assert_ok(dls_derivative_columns_join(&columns, t.run.sim, t.run.traj, &err), err);
  dls_derivative_columns_release(&columns);
  return t;
}

/* The ball with F = f = -2, m = 1, after its impact: sum of dp/dP = dv(T)/dP - dv(0)/dP - df/dP T. */
DLS_TEST(impulses_have_the_derivative_of_the_momentum)
{
  static const char *const schemes[] = {
      "moreau-jean",       "moreau-jean:theta=1",         "moreau-jean-variant",
      "nonsmooth-newmark", "nonsmooth-generalized-alpha", "nonsmooth-bdf2"};
  static const char *const by[] = {"v0", "e", "f", NULL};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 4; seed++) {
      const double h = random_step(4e-3, seed);
      tangent_run t = record("bouncing-ball", schemes[i], "plain", by, h, (size_t)(1.6 / h));
      const dls_tangent *x = t.run.sim->sensitivity->tangent;
      assert_close(sum_of(&t, "p0", "v0"), x[0].dv[0] - 1, 1e-6);
      assert_close(sum_of(&t, "p0", "e"), x[1].dv[0], 1e-6);
      assert_close(sum_of(&t, "p0", "f"), x[2].dv[0] - t.run.sim->t, 1e-6);
      assert_true(isnan(sum_of(&t, "a0", "e"))); /* there is no such column */
      release(&t);
    }
  }
}

/* Saltation: P = (1 + e) V with V = sqrt(4 q0) = 2 for rebounds; with e = 0 the sum is V - F (T - t1), and dV/dq0 = 2/V = 1 = F dt1/dq0. */
DLS_TEST(impulses_move_with_their_event)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "nonsmooth-newmark"};
  static const char *const by[] = {"q0", "e", NULL};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 6; seed++) {
      const double h = random_step(4e-3, seed);
      tangent_run t = record("bouncing-ball", schemes[i], "saltation", by, h, (size_t)(1.6 / h));
      assert_close(sum_of(&t, "p0", "q0"), 1.5, 2 * h);
      assert_close(sum_of(&t, "p0", "e"), 2, 2 * h);
      release(&t);
      t = record("bouncing-ball:e=0", schemes[i], "saltation", (const char *const[]){"q0", "f", NULL}, h,
                 (size_t)(1.6 / h));
      assert_close(sum_of(&t, "p0", "q0"), 0, 2 * h);
      assert_close(sum_of(&t, "p0", "f"), -t.run.sim->t, 2 * h); /* the ball has come to rest */
      release(&t);
    }
  }
}

/* A block slips up a plane, in the plane: its friction is mu m g cos(alpha), along -t, all the time. */
DLS_TEST(friction_has_its_impulse)
{
  static const char *const tangents[] = {"plain", "saltation", "difference:delta=1e-3"};
  static const char *const by[] = {"mu", "alpha", NULL};
  for (size_t i = 0; i < 3; i++) {
    for (unsigned seed = 0; seed < 4; seed++) {
      const double h = random_step(1e-3, seed);
      tangent_run t = record("incline:v0=-3", "moreau-jean", tangents[i], by, h, 200);
      const double *p = t.model.parameters;
      const dls_option *table = t.model.model->parameters;
      const double mu = p[dls_option_find(table, "mu")], alpha = p[dls_option_find(table, "alpha")],
                   weight = p[dls_option_find(table, "m")] * p[dls_option_find(table, "g")], T = t.run.sim->t;
      assert_close(sum_of(&t, "p0t", "mu") / (weight * cos(alpha) * T), 1, 1e-4);
      assert_close(sum_of(&t, "p0", "alpha") / (-weight * sin(alpha) * T), 1, 1e-4);
      assert_close(sum_of(&t, "p0t", "alpha") / (-mu * weight * sin(alpha) * T), 1, 1e-4);
      release(&t);
    }
  }
}

/* Two-step schemes: the impulse of one impact may be that of several steps. */
DLS_TEST(saltation_refuses_impulses_of_several_steps)
{
  dls_error err = {0};
  tangent_run t = prepare("bouncing-ball", "schatzman-paoli", "saltation", (const char *const[]){"e", NULL});
  differentiate(&t, "saltation");
  assert_int_equal(dls_sim_differentiate_forces(t.run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "scheme schatzman-paoli keeps more than a state from step to step"));
  assert_null(t.run.sim->sensitivity->tangent[0].impulse);
  release(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_have_the_derivative_of_the_momentum),
      cmocka_unit_test(impulses_move_with_their_event),
      cmocka_unit_test(friction_has_its_impulse),
      cmocka_unit_test(saltation_refuses_impulses_of_several_steps),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
