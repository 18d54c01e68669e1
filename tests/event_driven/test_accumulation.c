/* test_accumulation.c -- accumulations in runs: the same end at every tolerance, impulses that explain the jumps of v.
 * The system: impacts of two contacts alternate; each shortens the flights of the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <float.h>

extern const dls_model dls_model_random_linear;

static ed_run alternating(const char *tol)
{
  static const char *const parameters[] = {"n=5",       "m=3",          "seed=265686", "e=0.327",
                                           "damping=0", "amplitude=10", "omega=0",     NULL};
  return ed_system(ed_model(&dls_model_random_linear, parameters), 0.75, (const char *const[]){tol, NULL});
}

static double apart(const ed_run *a, const ed_run *b)
{
  double most = 0;
  for (size_t i = 0; i < a->sys->n; i++) {
    most = fmax(most, fmax(fabs(a->sim->q[i] - b->sim->q[i]), fabs(a->sim->v[i] - b->sim->v[i])));
  }
  return most;
}

DLS_TEST(the_end_follows_the_tolerance)
{
  static const struct {
    const char *tol;
    double most; /* 10 tol */
  } cases[] = {{"tol=1e-6", 1e-5}, {"tol=1e-8", 1e-7}, {"tol=1e-10", 1e-9}};
  ed_run good = alternating("tol=1e-12");
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    ed_run run = alternating(cases[i].tol);
    assert_between(apart(&run, &good), 1e-15, cases[i].most);
    ed_end(&run);
  }
  ed_end(&good);
}

/* M (v+ - v-) = H p wherever two rows have the same t. */
DLS_TEST(every_jump_of_v_has_its_impulse)
{
  ed_run run = alternating("tol=1e-8");
  const size_t n = run.sys->n, m = run.sys->m, width = run.traj->columns;
  size_t jumps = 0;
  for (size_t row = 1; row < run.traj->rows; row++) {
    const double *a = &run.traj->data[(row - 1) * width], *b = a + width;
    for (size_t i = 0; a[0] == b[0] && i < n; i++) {
      double balance = 0;
      for (size_t j = 0; j < n; j++) {
        balance += dls_matrix_get(run.sys->M, i, j) * (b[1 + n + j] - a[1 + n + j]);
      }
      for (size_t j = 0; j < m; j++) {
        balance -= dls_matrix_get(run.sys->H, i, j) * b[1 + 2 * n + 2 * m + j];
      }
      assert_close(balance, 0, 1e-13);
    }
    jumps += a[0] == b[0];
  }
  assert_between((double)jumps, 20, 100);
  ed_end(&run);
}

DLS_TEST(the_event_names_its_contacts)
{
  ed_run run = alternating("tol=1e-10");
  const dls_event *first = ed_event(&run, DLS_ACCUMULATION, 0), *second = ed_event(&run, DLS_ACCUMULATION, 1);
  assert_int_equal(first->contact, 0);
  assert_int_equal(second->contact, 1);
  assert_true(first->t == second->t && first->time_end == first->t);
  assert_true(first->members == 2 && second->members == 2 && first->impacts == second->impacts);
  assert_between((double)first->impacts, 5, 200);
  assert_between(first->duration, 1e-13, 1e-9); /* 10 tol t_s */
  assert_between(first->bound, 1e-17, 1e-12);
  assert_between(first->bound_velocity, 1e-17, 1e-10);
  assert_between(first->bound_time, 1e-18, 1e-10); /* that of the flights before it counts */
  size_t row = 0;
  while (ed_at(&run, row, "t") < first->t) {
    row++;
  }
  assert_true(ed_at(&run, row + 1, "t") == first->t); /* both limits; the right one has the impulses */
  assert_true(ed_at(&run, row + 1, "p0") == first->impulse && first->impulse > 0);
  assert_true(ed_at(&run, row + 1, "p1") == second->impulse && second->impulse > 0);
  assert_close(ed_at(&run, row, "u0"), first->u_minus, 1e-13);
  ed_end(&run);
}

/* The end of the run lies inside the time that would be passed: the motion is followed up to it. Also where all is over in 3e-6 s. */
DLS_TEST(nothing_is_passed_beyond_the_end)
{
  const double end = 3 - 1e-9; /* the last impact is at t = 3 */
  ed_run run = ed_system(ed_model(&dls_model_bouncing_ball, NULL), end, NULL);
  assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 0);
  assert_close(run.sim->q[0], 0, 1e-15);
  assert_between(fabs(run.sim->v[0]), 0, 2e-9);
  ed_end(&run);
  run = ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){"f=-2e12", NULL}), 3e-6 * (1 - 1e-5),
                  (const char *const[]){"tol=1e-4", NULL});
  assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 0);
  assert_between(fabs(run.sim->v[0]), 1e-3, 2e12 * 3e-11);
  ed_end(&run);
}

/* A ball thrown down from a gap that counts as closed (eps_g = tol l_s) is put on the floor: its speed lacks that of the fall, and the
 * end comes as much too early as the bound says. */
static void a_gap_that_counts_as_closed_is_in_the_bound_of_time(void **state)
{
  (void)state;
  static const char *const tols[] = {"tol=1e-4", "tol=2e-3", "tol=5e-3"};
  ed_run run = ed_start(
      ed_model(&dls_model_bouncing_ball, (const char *const[]){"f=-0.02", "q0=5e-3", "v0=-1.5", NULL}), NULL);
  const double scale = run.sys->length; /* the same in all */
  ed_end(&run);
  for (size_t i = 0; i < 3; i++) {
    char start[40];
    const double q0 = 0.9 * strtod(tols[i] + 4, NULL) * scale, V = sqrt(1.5 * 1.5 + 0.04 * q0), e = 0.5;
    snprintf(start, sizeof start, "q0=%.17g", q0);
    run =
        ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){"f=-0.02", start, "v0=-1.5", NULL}),
                  260, (const char *const[]){tols[i], NULL});
    const double end = (V - 1.5) / 0.02 + 2 * V / 0.02 * e / (1 - e);
    const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
    assert_between(passed->bound_time, fabs(passed->t - end), 5 * fabs(passed->t - end));
    ed_end(&run);
  }
}

/* With roots=hull a step may end far below the floor. The speed there is none of the flight, whose impact is no landing. */
DLS_TEST(long_steps_end_no_series_by_a_landing)
{
  for (int k = 0; k < 24; k++) {
    char tol[40], start[40];
    snprintf(tol, sizeof tol, "tol=%.17g", 2e-3 * pow(5, (double)(k / 3) / 7)); /* to 1e-2 */
    snprintf(start, sizeof start, "v0=%.17g", -1.4 - 0.1 * (double)(k % 3));
    ed_run run = ed_system(ed_model(&dls_model_bouncing_ball, (const char *const[]){"f=-0.02", start, NULL}),
                           260, (const char *const[]){tol, "method=adams", "roots=hull", NULL});
    assert_int_equal(ed_count(&run, DLS_LANDING), 0);
    assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 1);
    ed_end(&run);
  }
}

/* The run ends where the series does, up to the rounding of its times: it is passed, and the ball lies still. */
DLS_TEST(a_series_that_ends_with_the_run_is_passed)
{
  static const struct {
    const char *parameters[2], *settings[3];
    double rest;
  } cases[] = {{{NULL}, {"event_tol=1", NULL}, 3},
               {{"q0=1e4", NULL}, {"event_tol=1e-6", "tol=1e-11", NULL}, 300}};
  for (size_t i = 0; i < 2; i++) {
    ed_run run = ed_system(ed_model(&dls_model_bouncing_ball, cases[i].parameters), 400, cases[i].settings);
    const double rest = ed_event(&run, DLS_ACCUMULATION, 0)->t, ulp = nextafter(rest, HUGE_VAL) - rest;
    assert_close(rest, cases[i].rest, 1e-9 * rest);
    ed_end(&run);
    for (int ulps = 0; ulps < 8; ulps += 7) {
      run = ed_system(ed_model(&dls_model_bouncing_ball, cases[i].parameters), rest - ulps * ulp,
                      cases[i].settings);
      assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 1);
      assert_close(run.sim->q[0], 0, 0);
      assert_close(run.sim->v[0], 0, 0);
      ed_end(&run);
    }
  }
}

/* A ball on a plane at 1e6 m, where its gap is known to 1e-10 m: that is added to what the flights passed may be off by, half of
 * their duration T times the changes of v, which are V (1 + e)/(1 - e) = 3 V, T = 2 V/(g (1 - e)) = 2 V. */
static void high_load(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = -2;
}

DLS_TEST(noise_of_the_gap_is_in_the_bound)
{
  dls_system *sys = ed_masses(1, 1);
  const double height = 1e6;
  sys->load = high_load;
  sys->e[0] = 0.5;
  sys->w[0] = -height;
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = height + 1;
  ed_run run = ed_system(sys, 4, NULL);
  const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
  const double T = passed->duration;
  assert_between(T, 1e-6, 0.1);
  assert_between(passed->bound - 0.5 * T * 1.5 * T, height * DBL_EPSILON, 1e2 * height * DBL_EPSILON);
  ed_end(&run);
}

static void two_weights(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = F[1] = -9.81;
}

/* e = 0.998: a ball hops with V on another one, which lies on the floor, and comes to rest at t = 2 V/(g (1 - e)). Round-off of each impact
 * makes the lower ball hop, so that the series has no closed form: the last 1198 impacts are followed in one search. */
DLS_TEST(more_than_a_thousand_impacts_are_followed_in_one_search)
{
  const double e = 0.998, V = 1.8e-5;
  dls_system *sys = ed_masses(2, 2);
  sys->load = two_weights;
  sys->length = 0.2;
  sys->time = 0.142784;
  sys->e[0] = sys->e[1] = e;
  sys->v0[1] = V;
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, -1);
  dls_matrix_set(sys->H, 1, 1, 1);
  ed_run run = ed_system(sys, 0.01, (const char *const[]){"tol=1e-6", "eps_z=1e4", "method=flow", NULL});
  const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
  assert_close(passed->t, 2 * V / (9.81 * (1 - e)), 1e-9);
  assert_between((double)passed->impacts, 1001, 2000);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_end_follows_the_tolerance),
      cmocka_unit_test(every_jump_of_v_has_its_impulse),
      cmocka_unit_test(the_event_names_its_contacts),
      cmocka_unit_test(a_gap_that_counts_as_closed_is_in_the_bound_of_time),
      cmocka_unit_test(long_steps_end_no_series_by_a_landing),
      cmocka_unit_test(nothing_is_passed_beyond_the_end),
      cmocka_unit_test(a_series_that_ends_with_the_run_is_passed),
      cmocka_unit_test(noise_of_the_gap_is_in_the_bound),
      cmocka_unit_test(more_than_a_thousand_impacts_are_followed_in_one_search),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
