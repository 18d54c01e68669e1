/* test_slow_slip.c -- slip in space that is slow for long: loads that turn while they exceed the limit of friction by little, against
 * closed forms; tangents along which nothing can slip.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "models.h"

/* A puck of 1 kg on a level plane, mu g = 2.943 m/s^2, with u = s(t) d(t), d at the angle omega t: it takes
 *   F = (s' + mu m g) d + s omega d_perp.
 * s = a (t - t_0)^2/2 from t_0 on, before that s' = a (t - t_0), at rest: the load passes the limit at t_0, smoothly; or
 * s = a sin(pi t) from 0 to 1, then at rest; or, from full slip, s = a + fast exp(-10 t). With a swing d is at the angle swing sin(omega t). */
static const double pi = 3.14159265358979323846, mu_g = 0.3 * 9.81, t_0 = 0.5, fast = 0.1;

typedef enum course { GROWS, STOPS, SETTLES } course;
typedef struct motion {
  double a, omega;
  course course;
  double swing; /* rad; 0: none */
} motion;

static motion now; /* load() knows no user data */

static double speed(double t)
{
  return now.course == STOPS     ? (t < 1 ? now.a * sin(pi * t) : 0)
         : now.course == SETTLES ? now.a + fast * exp(-10 * t)
         : t > t_0               ? 0.5 * now.a * (t - t_0) * (t - t_0)
                                 : 0;
}

/* s'; where it is at rest what the load lacks of the limit. */
static double speed_rate(double t)
{
  return now.course == STOPS     ? now.a * pi * cos(pi * t)
         : now.course == SETTLES ? -10 * fast * exp(-10 * t)
                                 : now.a * (t - t_0);
}

static double angle(double t)
{
  return now.swing > 0 ? now.swing * sin(now.omega * t) : now.omega * t;
}

static void load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  const double turn = now.swing > 0 ? now.swing * now.omega * cos(now.omega * t) : now.omega;
  const double along = mu_g + speed_rate(t), across = speed(t) * turn, c = cos(angle(t)), s = sin(angle(t));
  F[0] = along * c - across * s;
  F[1] = along * s + across * c;
  F[2] = -9.81;
}

/* int_0^t s d dt by Simpson's rule. */
static void place(double t, double x[2])
{
  enum { PIECES = 20000 };
  x[0] = x[1] = 0;
  const double from = now.course == GROWS ? t_0 : 0, h = (fmin(t, now.course == STOPS ? 1 : t) - from) / PIECES;
  for (int i = 0; i <= PIECES && h > 0; i++) {
    const double at = from + h * i, w = h / 3 * (i == 0 || i == PIECES ? 1 : i % 2 == 1 ? 4 : 2);
    x[0] += w * speed(at) * cos(angle(at));
    x[1] += w * speed(at) * sin(angle(at));
  }
}

static ed_run pushed(motion m, double end, const char *const *settings)
{
  now = m;
  dls_system *sys = dls_test_system("puck:alpha=0,v0=0");
  sys->load = load;
  sys->length = sys->time = 1;
  sys->v0[0] = m.course == SETTLES ? speed(0) : 0;
  return ed_system(sys, end, settings);
}

static void expect_motion(const ed_run *run, double most)
{
  double x[2];
  const double t = run->sim->t;
  place(t, x);
  for (int i = 0; i < 2; i++) {
    const double d = i == 0 ? cos(angle(t)) : sin(angle(t));
    assert_close(run->sim->v[i], speed(t) * d, most);
    assert_close(run->sim->q[i], x[i], most);
  }
}

/* From rest past the limit, slowly: at the rate mu g/s of the direction 1e5 to 1e8 steps were needed. */
DLS_TEST(a_load_that_turns_and_grows_slowly)
{
  static const motion motions[] = {{.a = 1, .omega = 1},     {.a = 1e-2, .omega = 3}, {.a = 1e-3, .omega = 1},
                                   {.a = 1e-3, .omega = -2}, {.a = 1e-4, .omega = 5}, {.a = 1e-5, .omega = 1},
                                   {.a = 1e-6, .omega = 3}};
  for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
    ed_run run = pushed(motions[k], 2.5, NULL);
    print_message("a = %g, omega = %g: %zu steps\n", now.a, now.omega, run.sim->work.steps);
    expect_motion(&run, 1e-10);
    assert_close(ed_event(&run, DLS_SLIP, 0)->t, t_0, 1e-10 / now.a + 1e-10);
    assert_int_equal(run.traj->event_count, 2); /* it lands at 0 */
    assert_int_equal(run.sim->status[0], 2);
    assert_in_range(run.sim->work.steps, 20, 20000);
    ed_end(&run);
  }
}

/* Up and down again: it stops at 1, where s' = -a pi. */
DLS_TEST(slow_slip_ends_in_time)
{
  static const motion motions[] = {{.a = 1e-1, .omega = 1, .course = STOPS},
                                   {.a = 1e-3, .omega = 3, .course = STOPS},
                                   {.a = 1e-5, .omega = -2, .course = STOPS},
                                   {.a = 1e-6, .omega = 1, .course = STOPS}};
  for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
    ed_run run = pushed(motions[k], 0.7, NULL), all = pushed(motions[k], 1.4, NULL);
    print_message("a = %g, omega = %g: %zu steps\n", now.a, now.omega, all.sim->work.steps);
    expect_motion(&all, 1e-10);
    assert_close(ed_event(&all, DLS_STICK, 0)->t, 1, 1e-10 / now.a);
    assert_int_equal(all.sim->status[0], 1);
    assert_in_range(all.sim->work.steps, 20, 30000);
    now = motions[k];
    expect_motion(&run, 1e-10);
    ed_end(&run);
    ed_end(&all);
  }
}

/* Directions that swing, up to thirty radians a second: u lags behind d, which costs less than tol. */
DLS_TEST(a_load_that_swings)
{
  static const motion motions[] = {{.a = 1e-3, .omega = 30, .swing = 0.5},
                                   {.a = 1e-3, .omega = 2, .swing = 1},
                                   {.a = 1e-4, .omega = 3, .swing = 1},
                                   {.a = 1e-5, .omega = 2, .swing = 1}};
  for (size_t k = 0; k < sizeof motions / sizeof *motions; k++) {
    ed_run run = pushed(motions[k], 2.5, NULL);
    print_message("a = %g, omega = %g: %zu steps\n", now.a, now.omega, run.sim->work.steps);
    expect_motion(&run, 2e-10); /* tol for each t_s that it slips */
    assert_in_range(run.sim->work.steps, 20, 30000);
    ed_end(&run);
  }
}

/* From full slip down to a slow one that lasts: it stays slow slip from there on; followed in full it would take 3e5 steps a second. */
DLS_TEST(full_slip_becomes_slow)
{
  ed_run run = pushed((motion){.a = 1e-5, .omega = 1, .course = SETTLES}, 3, NULL);
  print_message("%zu steps\n", run.sim->work.steps);
  expect_motion(&run, 1e-10);
  assert_int_equal(run.sim->status[0], 2);
  assert_in_range(run.sim->work.steps, 20, 40000);
  ed_end(&run);
}

/* Errors follow tol, to the model of slow motion too: of tol 1e-6 it goes up to 7e-3 m/s, of 1e-12 to 7e-5 m/s. */
DLS_TEST(slow_slip_follows_the_tolerance)
{
  static const char *const tols[] = {"tol=1e-4", "tol=1e-6", "tol=1e-8", "tol=1e-10", "tol=1e-12"};
  for (size_t k = 0; k < 5; k++) {
    const double tol = strtod(tols[k] + 4, NULL);
    ed_run run = pushed((motion){.a = 1e-3, .omega = 1}, 2.5, (const char *const[]){tols[k], NULL});
    print_message("%s: %zu steps\n", tols[k], run.sim->work.steps);
    expect_motion(&run, tol);
    ed_end(&run);
  }
}

/* BDF, whose Newton matrix knows nothing of friction. */
DLS_TEST(slow_slip_by_bdf)
{
  ed_run run =
      pushed((motion){.a = 1e-3, .omega = 1}, 2.5, (const char *const[]){"method=bdf", "roots=cvode", NULL});
  expect_motion(&run, 1e-9);
  ed_end(&run);
}

static double slope; /* N/s */

static void push_along_the_first(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = slope * t;
  F[1] = -2;
}

/* A mass that moves in the plane (x, z), whose second tangent goes along with its normal: u_T2 = c u_N. While it is down only x is left,
 * and friction has nothing to do along the other: lambda_N = 2 N and the limit is mu 2 N, at whichever c. */
DLS_TEST(friction_is_0_where_nothing_can_slip)
{
  for (double c = -2; c <= 2; c += 0.5) {
    dls_system *sys = ed_masses(2, 1);
    sys->d = 3;
    sys->T = dls_matrix_dense(2, 2);
    sys->load = push_along_the_first;
    sys->mu[0] = 0.4;
    dls_matrix_set(sys->H, 1, 0, 1);
    dls_matrix_set(sys->T, 0, 0, 0.6); /* the line that is left, at an angle */
    dls_matrix_set(sys->T, 0, 1, -0.8);
    dls_matrix_set(sys->T, 1, 0, 0.8 * c);
    dls_matrix_set(sys->T, 1, 1, 0.6 * c);
    slope = 1;
    ed_run run = ed_system(sys, 2, NULL);
    assert_close(ed_event(&run, DLS_SLIP, 0)->t, 0.8, 1e-9); /* = mu 2 N/slope */
    assert_close(run.sim->lambda[0], 2, 1e-12);
    assert_close(run.sim->lambda_t[0], -0.8 * 0.6, 1e-12);
    assert_close(run.sim->lambda_t[1], 0.8 * 0.8, 1e-12);
    assert_close(run.sim->v[0], 0.5 * 1.2 * 1.2, 1e-10);
    ed_end(&run);
  }
}

/* Slip of 5e-4 m/s turns at F/s = mu g/s = 6e3 /s, which limits the steps of the integrator, but not at this tol the slow slip. */
DLS_TEST(slip_that_would_turn_thousands_of_times_a_second_is_slow)
{
  ed_run run =
      pushed((motion){.a = 5e-4, .omega = 1, .course = SETTLES}, 3, (const char *const[]){"tol=1e-4", NULL});
  print_message("%zu steps\n", run.sim->work.steps);
  expect_motion(&run, 1e-4);
  assert_in_range(run.sim->work.steps, 20, 2000);
  ed_end(&run);
}

/* On a line slip remains slow up to 1e-3 l_s/t_s: s = (t - t_0)^2/2 from t_0 = 0.8 on. There the run has a node. */
DLS_TEST(slow_slip_on_a_line_ends_at_a_thousandth_of_the_speed_scale)
{
  dls_system *sys = ed_masses(2, 1);
  sys->d = 3;
  sys->T = dls_matrix_dense(2, 2);
  sys->load = push_along_the_first;
  sys->mu[0] = 0.4;
  dls_matrix_set(sys->H, 1, 0, 1);
  dls_matrix_set(sys->T, 0, 0, 0.6);
  dls_matrix_set(sys->T, 0, 1, -0.8);
  slope = 1;
  ed_run run = ed_system(sys, 2, NULL);
  const double ends = 0.8 + sqrt(2e-3 * sys->length / sys->time);
  double nearest = HUGE_VAL;
  for (size_t i = 0; i < run.traj->rows; i++) {
    nearest = fmin(nearest, fabs(ed_at(&run, i, "t") - ends));
  }
  assert_between(nearest, 0, 1e-9);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_that_turns_and_grows_slowly),
      cmocka_unit_test(slow_slip_ends_in_time),
      cmocka_unit_test(slow_slip_follows_the_tolerance),
      cmocka_unit_test(a_load_that_swings),
      cmocka_unit_test(full_slip_becomes_slow),
      cmocka_unit_test(slow_slip_by_bdf),
      cmocka_unit_test(friction_is_0_where_nothing_can_slip),
      cmocka_unit_test(slip_that_would_turn_thousands_of_times_a_second_is_slow),
      cmocka_unit_test(slow_slip_on_a_line_ends_at_a_thousandth_of_the_speed_scale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
