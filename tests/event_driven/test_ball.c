/* test_ball.c -- the bouncing ball, f = -2, q0 = 1, against its closed form, through the accumulation.
 * First impact at t = 1, then speeds V_n = 2 e^n and flights of V_n: q = V_n s - s^2, v = V_n - 2 s.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"

static const double restitutions[] = {0, 0.01, 0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};
enum { RESTITUTIONS = sizeof restitutions / sizeof restitutions[0] };

static ed_run ball(double e, double end, const char *const *settings)
{
  char restitution[40];
  snprintf(restitution, sizeof restitution, "e=%.17g", e);
  return ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){restitution, NULL}), end, settings);
}

static void exact(double e, double t, double *q, double *v)
{
  double s = t;
  double speed = 2 * e;
  *q = 1 - t * t;
  *v = -2 * t;
  for (s = t - 1; s >= 0; s -= speed, speed *= e) {
    *q = speed * s - s * s;
    *v = speed - 2 * s;
    if (speed < 1e-15) {
      *q = *v = 0;
      return;
    }
    if (s < speed) {
      return;
    }
  }
}

/* Largest error in q at the nodes and, by Hermite interpolation, in their middle. */
static double worst_position(const ed_run *run, double e)
{
  double worst = 0;
  for (size_t i = 0; i < run->traj->rows; i++) {
    double q = 0;
    double v = 0;
    exact(e, ed_at(run, i, "t"), &q, &v);
    worst = fmax(worst, fabs(ed_at(run, i, "q0") - q));
    if (i > 0) {
      const double h = ed_at(run, i, "t") - ed_at(run, i - 1, "t");
      const double middle = 0.5 * (ed_at(run, i, "q0") + ed_at(run, i - 1, "q0")) +
                            0.125 * h * (ed_at(run, i - 1, "v0") - ed_at(run, i, "v0"));
      exact(e, ed_at(run, i, "t") - 0.5 * h, &q, &v);
      worst = fmax(worst, fabs(middle - q));
    }
  }
  return worst;
}

DLS_TEST(position_is_exact_to_1e9_through_the_accumulation)
{
  for (int i = 0; i < RESTITUTIONS; i++) {
    ed_run run = ball(restitutions[i], 5, NULL);
    assert_between(worst_position(&run, restitutions[i]), 0, 1e-9);
    assert_between(run.sim->worst_gap, -1e-10, 0);
    ed_end(&run);
  }
}

DLS_TEST(impact_times_and_speeds_are_exact)
{
  for (int i = 1; i < RESTITUTIONS; i++) {
    const double e = restitutions[i];
    ed_run run = ball(e, 5, NULL);
    double t = 1;
    double speed = 2;
    const size_t impacts = ed_count(&run, DLS_IMPACT);
    assert_true(impacts >= 3);
    for (size_t k = 0; k < impacts; k++) {
      const dls_event *impact = ed_event(&run, DLS_IMPACT, k);
      assert_close(impact->t, t, 1e-10);
      assert_close(impact->u_minus, -speed, 1e-10);
      assert_close(impact->u_plus, e * speed, 1e-10);
      assert_close(impact->impulse, (1 + e) * speed, 2e-10);
      speed *= e;
      t += speed;
    }
    ed_end(&run);
  }
}

DLS_TEST(accumulation_is_reported_with_its_end)
{
  for (int i = 1; i < RESTITUTIONS - 4; i++) { /* those that end before t = 5.8 */
    const double e = restitutions[i];
    ed_run run = ball(e, 7, NULL);
    assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 1);
    const dls_event *end = ed_event(&run, DLS_ACCUMULATION, 0);
    assert_close(end->time_end, 1 + 2 * e / (1 - e), 1e-9);
    assert_between(end->bound, 0, 1e-16); /* eps_z^2 / (2 |gamma|) = 1e-16 / 4 */
    assert_true(end->t <= end->time_end);
    assert_int_equal(run.sim->status[0], 1);
    assert_true(run.sim->q[0] == 0 && run.sim->v[0] == 0 && run.sim->a[0] == 0);
    assert_close(run.sim->lambda[0], 2, 1e-15);
    ed_end(&run);
  }
}

DLS_TEST(accumulation_with_e_099_ends_at_199)
{
  ed_run run = ball(0.99, 250, NULL);
  assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->time_end, 199, 1e-7);
  assert_int_equal(run.sim->status[0], 1);
  assert_between((double)ed_count(&run, DLS_IMPACT), 1500, 2500); /* ln(1e-8 / 2) / ln 0.99 = 1902 */
  ed_end(&run);
}

DLS_TEST(without_restitution_the_first_impact_is_the_last)
{
  ed_run run = ball(0, 3, NULL);
  assert_int_equal(ed_count(&run, DLS_IMPACT), 1);
  assert_int_equal(run.traj->event_count, 1);
  assert_close(ed_event(&run, DLS_IMPACT, 0)->t, 1, 1e-12);
  ed_end(&run);
}

DLS_TEST(elastic_ball_bounces_a_thousand_times)
{
  /* flights of 2: apexes at even times */
  ed_run run = ball(1, 2000, NULL);
  assert_int_equal(ed_count(&run, DLS_IMPACT), 1000);
  assert_int_equal(run.traj->event_count, 1000);
  assert_close(run.sim->q[0], 1, 1e-9);
  assert_close(run.sim->v[0], 0, 1e-6);
  for (size_t k = 0; k < 1000; k += 111) {
    assert_close(ed_event(&run, DLS_IMPACT, k)->t, 2 * (double)k + 1, 1e-6);
    assert_close(ed_event(&run, DLS_IMPACT, k)->u_minus, -2, 1e-9);
  }
  ed_end(&run);
}

/* Flights of 1e-9 s last too short to matter although u+ is above eps_z: the geometric sequence is passed. */
static void hard_press(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = -2000;
}

DLS_TEST(a_fast_geometric_sequence_is_passed_by_its_remaining_time)
{
  dls_system *sys = ed_masses(1, 1);
  sys->load = hard_press;
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = 1;
  sys->e[0] = 0.5;
  ed_run run = ed_system(sys, 1, NULL);
  const dls_event *end = ed_event(&run, DLS_ACCUMULATION, 0);
  assert_between(-end->u_minus, 1e-7, 2e-6);         /* all that is left, at once */
  assert_close(end->time_end, 3 * sqrt(1e-3), 1e-9); /* t_1 (1 + e) / (1 - e) */
  assert_between(end->duration, 1e-11, 1e-9);
  assert_true(end->time_end == end->t);
  assert_int_equal(run.sim->status[0], 1);
  ed_end(&run);
}

/* The floor at 1e4: the round-off of q is larger than the integrator's tolerance near the origin. */
DLS_TEST(where_the_origin_lies_does_not_matter)
{
  dls_system *sys = ed_masses(1, 1);
  sys->load = hard_press;
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->M, 0, 0, 1000);
  sys->w[0] = -1e4;
  sys->q0[0] = 1e4 + 1;
  sys->e[0] = 0.5;
  ed_run run = ed_system(sys, 4, NULL);
  assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->time_end, 3,
               1e-4); /* flights below 1e-11 are not resolved */
  for (size_t k = 0; k < 8; k++) {
    assert_close(ed_event(&run, DLS_IMPACT, k)->t, 3 - pow(2, 1 - (double)k), 1e-8);
  }
  assert_int_equal(run.sim->status[0], 1);
  ed_end(&run);
}

DLS_TEST(ball_on_the_floor_stays_there_exactly)
{
  ed_run run = ed_system(
      ed_model(&dls_model_bouncing_ball, (const char *const[]){"q0=0", "m=0.3", "f=-0.7", NULL}), 1000, NULL);
  assert_int_equal(run.traj->event_count, 1);
  assert_int_equal(run.traj->events[0].kind, DLS_LANDING);
  for (size_t i = 0; i < run.traj->rows; i++) {
    assert_true(ed_at(&run, i, "g0") == 0 && ed_at(&run, i, "v0") == 0 && ed_at(&run, i, "status0") == 1);
    assert_close(ed_at(&run, i, "lambda0"), 0.7, 1e-15);
  }
  ed_end(&run);
}

DLS_TEST(a_start_at_an_impact_is_processed_at_once)
{
  ed_run run =
      ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){"q0=0", "v0=-1", NULL}), 0.6, NULL);
  const dls_event *impact = ed_event(&run, DLS_IMPACT, 0);
  assert_true(impact->t == 0);
  assert_close(impact->u_plus, 0.5, 1e-15);
  assert_close(impact->impulse, 1.5, 1e-15);
  assert_true(ed_at(&run, 0, "v0") == -1 && ed_at(&run, 1, "v0") == 0.5); /* both limits at t = 0 */
  assert_close(ed_event(&run, DLS_IMPACT, 1)->t, 0.5, 1e-10);
  ed_end(&run);
}

DLS_TEST(the_result_does_not_depend_on_who_watches)
{
  ed_run watched = ball(0.7, 5, NULL);
  ed_run run = ed_start(ed_model(&dls_model_bouncing_ball, (const char *const[]){"e=0.7", NULL}), NULL);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 2.5}, &run.err), run.err);
  while (run.sim->t < 5) {
    assert_ok(dls_sim_advance(run.sim, 5 - run.sim->t, &run.err), run.err);
  }
  assert_true(run.sim->q[0] == watched.sim->q[0] && run.sim->v[0] == watched.sim->v[0]);
  assert_int_equal(run.sim->work.force_evals, watched.sim->work.force_evals);
  ed_end(&run);
  ed_end(&watched);
}

static double late; /* s */

static void late_weight(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = t < late ? 0 : -2;
}

static double beginning(const dls_system *sys, double t)
{
  (void)sys;
  return t < late ? late : INFINITY;
}

/* A ball that begins to fall at t = 10^4 or 10^6 s, where the round-off of t is 10^-10 s, comes to rest as it does from t = 0, and nodes
 * advance. By erk the first impact is at the end of a step of 1 s. */
DLS_TEST(round_off_of_late_times_ends_no_run)
{
  static const char *const engines[] = {"method=adams", "method=bdf", "method=erk"};
  static const char *const tols[] = {"tol=1e-8", "tol=1e-9", "tol=1e-10"};
  for (size_t k = 0; k < 18; k++) {
    late = k < 9 ? 1e4 : 1e6;
    dls_system *sys = ed_masses(1, 1);
    dls_matrix_set(sys->H, 0, 0, 1);
    sys->load = late_weight;
    sys->next_break = beginning;
    sys->e[0] = 0.5;
    sys->q0[0] = 1;
    ed_run run = ed_start(sys, (const char *const[]){engines[k % 3], tols[k / 3 % 3], NULL});
    run.status =
        dls_run(run.sim, &(dls_run_spec){.end = late + 4, .record = run.traj, .recording = {.max_rows = 10000}},
                &run.err);
    assert_ok(run.status, run.err);
    assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->t, late + 3, 1e-6);
    assert_true(fabs(run.sim->q[0]) < 1e-12 && run.sim->status[0] == 1);
    ed_end(&run);
  }
}

/* The last step begins in the first half of the run, so that end - t is rounded. */
DLS_TEST(a_run_ends_at_its_end_without_a_node_beside_it)
{
  static const char *const engines[] = {"method=adams", "method=bdf", "method=erk", "method=flow"};
  for (int k = 0; k < 400; k++) {
    const double end = 0.1 + 0.002 * k;
    ed_run run = ed_try(ed_model(&dls_model_bouncing_ball, NULL), end,
                        (const char *const[]){engines[k % 4], "tol=1e-4", NULL});
    const size_t last = run.traj->rows - 1;
    assert_ok(run.status, run.err);
    assert_close(run.sim->t, end, 0);
    assert_true(dls_trajectory_at(run.traj, last - 1, 0) < end * (1 - 1e-12));
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(position_is_exact_to_1e9_through_the_accumulation),
      cmocka_unit_test(impact_times_and_speeds_are_exact),
      cmocka_unit_test(accumulation_is_reported_with_its_end),
      cmocka_unit_test(accumulation_with_e_099_ends_at_199),
      cmocka_unit_test(without_restitution_the_first_impact_is_the_last),
      cmocka_unit_test(elastic_ball_bounces_a_thousand_times),
      cmocka_unit_test(a_fast_geometric_sequence_is_passed_by_its_remaining_time),
      cmocka_unit_test(where_the_origin_lies_does_not_matter),
      cmocka_unit_test(ball_on_the_floor_stays_there_exactly),
      cmocka_unit_test(a_start_at_an_impact_is_processed_at_once),
      cmocka_unit_test(the_result_does_not_depend_on_who_watches),
      cmocka_unit_test(round_off_of_late_times_ends_no_run),
      cmocka_unit_test(a_run_ends_at_its_end_without_a_node_beside_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
