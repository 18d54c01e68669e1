/* test_accumulation_friction.c -- infinitely many impacts beside a contact that sticks, or slips, against closed forms; an impact without
 * collision where they end.
 *
 * A slider, m_1 = 2 kg, on a rough floor; a ball, m = 1 kg, guided so that it moves up and down, falls from h on its top, whose slope has the
 * tangent s: q = (x, z, y), g_1 = z, g_2 = y - z - s x. Every impulse P_2 pushes the slider with s P_2, and presses it with P_1 = P_2: it
 * sticks for ever iff s <= mu, and the ball bounces as on a floor.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include <string.h>

extern const dls_model dls_model_random_frictional;

static const double g = 9.81, height = 0.3;
static double m_1 = 2; /* kg */
static double push;    /* N, on the slider: load() knows no user data */

static void weight(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = push;
  F[1] = -m_1 * g;
  F[2] = -g;
}

static dls_system *slider(size_t d, double mu, double e, double slope)
{
  dls_system *sys = ed_masses(3, 2);
  sys->d = d;
  sys->T = dls_matrix_dense(3, 2 * (d - 1));
  sys->load = weight;
  dls_matrix_set(sys->M, 0, 0, m_1);
  dls_matrix_set(sys->M, 1, 1, m_1);
  dls_matrix_set(sys->H, 1, 0, 1);
  dls_matrix_set(sys->H, 0, 1, -slope);
  dls_matrix_set(sys->H, 1, 1, -1);
  dls_matrix_set(sys->H, 2, 1, 1);
  for (size_t i = 0; i + 1 < d; i++) {
    dls_matrix_set(sys->T, 0, i, d == 2 ? 1 : i == 0 ? 0.6 : 0.8);
  }
  sys->mu[0] = mu;
  sys->e[1] = e;
  sys->q0[2] = height;
  return sys;
}

static double friction_of(const dls_event *event, size_t d)
{
  return d == 2 ? event->friction[0] : 0.6 * event->friction[0] + 0.8 * event->friction[1];
}

/* Sums of all impulses of one contact. */
static void sum_up(const ed_run *run, size_t contact, double *normal, double *friction)
{
  *normal = *friction = 0;
  for (size_t i = 0; i < run->traj->event_count; i++) {
    const dls_event *event = &run->traj->events[i];
    *normal += event->contact == contact ? event->impulse : 0;
    *friction += event->contact == contact ? friction_of(event, run->sys->d) : 0;
  }
}

/* At coarse tolerances as well, where much of the series is passed: what is passed has the friction of the contact that sticks. */
DLS_TEST(a_contact_that_sticks_holds_through_a_series)
{
  static const char *const tols[] = {"tol=1e-5", "tol=1e-7", "tol=1e-10"};
  for (int k = 0; k < 36; k++) {
    const double e = 0.2 + 0.3 * (k % 3), slope = k / 3 % 2 == 0 ? 0.1 : -0.29,
                 tol = strtod(tols[k / 6 % 3] + 4, NULL);
    const size_t d = k < 18 ? 2 : 3;
    const double t_1 = sqrt(2 * height / g), V = g * t_1, end = t_1 * (1 + e) / (1 - e);
    ed_run run = ed_system(slider(d, 0.3, e, slope), 1.1 * end, (const char *const[]){tols[k / 6 % 3], NULL});
    assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->t, end, 10 * tol);
    double P_1 = 0, P_2 = 0, T_1 = 0, none = 0;
    sum_up(&run, 0, &P_1, &T_1);
    sum_up(&run, 1, &P_2, &none);
    assert_close(P_2, V * (1 + e) / (1 - e), 10 * tol); /* of which the ball's weight makes g t_1 */
    assert_close(P_1, P_2, 10 * tol);
    assert_close(T_1, slope * P_2, 10 * tol);
    for (size_t i = 0; i < 3; i++) {
      assert_close(run.sim->v[i], 0, 1e-12);
      assert_close(run.sim->q[i], 0, 10 * tol);
    }
    assert_close(run.sim->q[0], 0, 1e-11);
    assert_int_equal(run.sim->status[0], 1);
    assert_int_equal(run.sim->status[1], 1);
    ed_end(&run);
  }
}

/* The same where a load pushes the slider, and its mass couples x and z: friction takes f besides, at rest and through what is passed. Of
 * this the impulses have nothing, nor has the ball. */
DLS_TEST(a_contact_that_sticks_against_a_load)
{
  for (int k = 0; k < 16; k++) {
    const double e = k % 2 == 0 ? 0.3 : 0.7, slope = k / 2 % 2 == 0 ? 0.1 : -0.29, tol = k < 8 ? 1e-5 : 1e-7;
    const size_t d = k / 4 % 2 == 0 ? 2 : 3;
    const double t_1 = sqrt(2 * height / g), end = t_1 * (1 + e) / (1 - e);
    dls_system *sys = slider(d, 0.3, e, slope);
    dls_matrix_set(sys->M, 0, 1, 0.9);
    dls_matrix_set(sys->M, 1, 0, 0.9);
    push = 4;
    ed_run run = ed_system(sys, 1.1 * end, (const char *const[]){k < 8 ? "tol=1e-5" : "tol=1e-7", NULL});
    const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
    assert_close(passed->t, end, 10 * tol);
    assert_between(passed->duration * push, 15 * tol, 1); /* it would be seen in T_1 */
    double P_1 = 0, P_2 = 0, T_1 = 0, none = 0;
    sum_up(&run, 0, &P_1, &T_1);
    sum_up(&run, 1, &P_2, &none);
    assert_close(P_2, g * t_1 * (1 + e) / (1 - e), 10 * tol);
    assert_close(P_1, P_2, 1e-12); /* whatever tol is */
    assert_close(T_1, slope * P_2, 1e-11);
    assert_close(run.sim->q[0], 0, 1e-12);
    assert_close(run.sim->lambda[0], (m_1 + 1) * g, 1e-9);
    assert_int_equal(run.sim->status[0], 1);
    push = 0;
    ed_end(&run);
  }
}

/* Flat on top, the slider in motion: x' = v_0 - mu (m_1 + m) g t/m_1 at the end of the series, as if the ball had rested all the time. */
DLS_TEST(a_contact_that_slips_is_slowed_by_a_series)
{
  for (int k = 0; k < 6; k++) {
    const double e = 0.2 + 0.3 * (k % 3), mu = 0.3, t_1 = sqrt(2 * height / g), end = t_1 * (1 + e) / (1 - e);
    const size_t d = k < 3 ? 2 : 3;
    dls_system *sys = slider(d, mu, e, 0);
    sys->v0[0] = 20;
    ed_run run = ed_system(sys, end * 1.05, NULL);
    assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->t, end, 1e-9);
    assert_close(run.sim->v[0], 20 - mu * (m_1 + 1) * g * 1.05 * end / m_1, 1e-9);
    assert_close(run.sim->lambda[0], (m_1 + 1) * g, 1e-9);
    ed_end(&run);
  }
}

/* Too steep: each impact makes the slider slip, and it stops again before the next. With w the speed at which the ball comes down,
 *   P = (1 + e) w/(1 + s (s - mu)/m_1),  x' = -(s - mu) P/m_1,  x' = 0 after |x'|/(mu g) and X = x'^2/(2 mu g);
 *   y' = P - w,  back with w' = sqrt(y'^2 + 2 g s X) = rho w after (y' + w')/g.
 * That is no series of one contact beside others at rest; it is followed impact by impact, down to flights that are lower than the round-off. */
DLS_TEST(a_series_that_makes_a_neighbour_slip)
{
  const double mu = 0.3, e = 0.6, s = 0.5, t_1 = sqrt(2 * height / g), w = g * t_1;
  const double P = (1 + e) * w / (1 + s * (s - mu) / m_1), u = (s - mu) * P / m_1, X = u * u / (2 * mu * g);
  const double y = P - w, back = sqrt(y * y + 2 * g * s * X), rho = back / w, T = (y + back) / g;
  assert_true(T > u / (mu * g));
  ed_run run = ed_system(slider(2, mu, e, s), 2, NULL);
  assert_true(ed_count(&run, DLS_STICK) > 10);
  const dls_event *end =
      ed_event(&run, DLS_ACCUMULATION, 0); /* the slider is held through what is passed, 1e-6 s */
  assert_close(end->t, t_1 + T / (1 - rho), end->bound_time);
  assert_between(end->bound_time, 1e-9, 2e-5);
  assert_close(run.sim->q[0], -X / (1 - rho * rho), 1e-10);
  assert_int_equal(run.sim->status[0], 1);
  assert_int_equal(run.sim->status[1], 1);
  for (size_t i = 0; i < 3; i++) {
    assert_close(run.sim->v[i], 0, 1e-12);
  }
  ed_end(&run);
}

/* The same 1e7 m away, where the round-off of the gap hides flights of 1e-5 m: slip that begins and ends in them cannot be left out. Gaps
 * of a few such units below 0, which the search without CVODE's root finder leaves at nodes, are no penetration. */
DLS_TEST(a_series_that_is_not_passed_has_a_name)
{
  static const char *const engines[][3] = {
      {NULL}, {"method=erk", NULL}, {"roots=hull", NULL}, {"method=erk", "roots=hull", NULL}};
  for (size_t k = 0; k < 4; k++) {
    dls_system *sys = slider(2, 0.3, 0.6, 0.5);
    sys->q0[1] = 1e7;
    sys->q0[2] += 1e7;
    sys->w[0] = -1e7;
    ed_run run = ed_try(sys, 2, engines[k]);
    assert_int_equal(run.status, DLS_ERR_CHATTERING);
    assert_non_null(strstr(run.err.text, "impacts of contact 1 accumulate at t = "));
    assert_non_null(strstr(run.err.text, "and begin and end slip of contact 0 beside it"));
    assert_true(run.sim->t > 0.5 && run.traj->rows > 10 && !run.traj->complete);
    ed_end(&run);
  }
}

/* v at t = 0.12 s. Two contacts strike in turn, up to t = 0.095 s. One slides; each of its impacts makes the other slip, which sticks again in its
 * own next impact. */
static void strike_in_turn(const char *tol, double v[4], dls_event *event)
{
  ed_run run = ed_system(ed_model(&dls_model_random_frictional,
                                  (const char *const[]){"n=4", "m=2", "dim=2", "seed=759780641", "e=0.371",
                                                        "mu=0.759", "surface=0", "amplitude=5.47", NULL}),
                         0.12, (const char *const[]){tol, NULL});
  assert_int_equal(ed_count(&run, DLS_ACCUMULATION), 2);
  *event = *ed_event(&run, DLS_ACCUMULATION, 0);
  memcpy(v, run.sim->v, 4 * sizeof *v);
  ed_end(&run);
}

/* The errors of tol = 1e-7 are above the round-off of v, 1e-14 at small tol. */
DLS_TEST(a_contact_that_others_make_slip_in_a_series)
{
  static const char *const tols[] = {"tol=1e-7", "tol=1e-8", "tol=1e-9", "tol=1e-10"};
  double exact[4], v[4], most = 0;
  dls_event event;
  strike_in_turn("tol=1e-12", exact, &event);
  for (size_t k = 0; k < 4; k++) {
    strike_in_turn(tols[k], v, &event);
    assert_between(event.bound_velocity, 1e-12, 1e-7);
    for (size_t i = 0; i < 4; i++) {
      assert_close(v[i], exact[i], 3 * strtod(tols[k] + 4, NULL));
      most = fmax(most, fabs(v[i] - exact[i]));
    }
  }
  assert_between(most, 1e-12, 1e-7);
}

/* The slider slips in each impact (s > mu), 1 km from the origin: the gap of the ball has a round-off of 7e-13 m, and flights that low can
 * be left out only if slip in them moves less than tol. With e = 0.5 the second impact can; with e = 0.9 flights shrink too slowly, and
 * ten impacts later the run ends. */
DLS_TEST(a_series_beside_slip_far_from_the_origin_is_refused_after_ten_ends)
{
  static const char *const settings[] = {"tol=1e-12", NULL};
  for (int k = 0; k < 2; k++) {
    const double e = k == 0 ? 0.5 : 0.9, slope = 0.4, distance = 1e3,
                 end = sqrt(2 * height / g) * (1 + e) / (1 - e);
    dls_system *sys = slider(2, 0.3, e, slope);
    push = 0;
    sys->q0[0] = distance;
    sys->w[1] = slope * distance;
    ed_run run = ed_try(sys, 1.1 * end, settings);
    assert_int_equal(run.status, k == 0 ? DLS_OK : DLS_ERR_CHATTERING);
    assert_int_equal(ed_count(&run, DLS_ACCUMULATION), k == 0 ? 2 : 0);
    if (k == 1) {
      assert_non_null(strstr(run.err.text, "begin and end slip of"));
    }
    ed_end(&run);
  }
}

/* A slope beyond mu by x = 6e-10: slip in the impacts is round-off, but friction that exceeds its limit is not, so that the sums of the last
 * flights, 1e5 m from the origin, are those of one impact. It leaves the slip x P/m_1, and P is its fastest velocity: 2e-11 of it is
 * slip, 6e-12 of it is none, and friction takes x P more. */
DLS_TEST(slip_that_the_last_impact_leaves_may_be_round_off)
{
  static const double masses[] = {30, 100};
  for (size_t k = 0; k < 2; k++) {
    const double mu = 0.3, x = 6e-10, distance = 1e5;
    m_1 = masses[k];
    dls_system *sys = slider(2, mu, 0.6, mu + x);
    sys->q0[1] = distance;
    sys->q0[2] += distance;
    sys->w[0] = -distance;
    ed_run run = ed_system(sys, 3, NULL);
    const dls_event *passed = ed_event(&run, DLS_ACCUMULATION, 0);
    const double P = passed->impulse, left = k == 0 ? -x * P / m_1 : 0;
    assert_int_equal(passed->contact, 0);
    assert_close(passed->slip_plus[0], left, 1e-3 * x * P / m_1);
    assert_close(passed->friction[0] - mu * P, k == 0 ? 0 : x * P, 1e-3 * x * P);
    m_1 = 2;
    ed_end(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_that_sticks_holds_through_a_series),
      cmocka_unit_test(a_contact_that_sticks_against_a_load),
      cmocka_unit_test(a_contact_that_slips_is_slowed_by_a_series),
      cmocka_unit_test(a_series_that_makes_a_neighbour_slip),
      cmocka_unit_test(a_series_that_is_not_passed_has_a_name),
      cmocka_unit_test(a_contact_that_others_make_slip_in_a_series),
      cmocka_unit_test(a_series_beside_slip_far_from_the_origin_is_refused_after_ten_ends),
      cmocka_unit_test(slip_that_the_last_impact_leaves_may_be_round_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
