/* test_slip_end.c -- slip in space that turns about as fast as it slows where it ends, at eps_s and below, against the closed form of the
 * puck (handbook, B17): u' = g sin(alpha) (1, 0) - mu g cos(alpha) u/|u|, which is the same at every speed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "models.h"
#include <string.h>

static const double pi = 3.14159265358979323846, g_s = 2, v0 = 5e-6;
static const double least = 1.001e-8; /* a hundredth of eps_s, 1e-6 at tol = 1e-8 */

/* kappa = mu/tan(alpha), g sin(alpha) = 2 m/s^2. */
static const char *puck(double kappa, double phi)
{
  static char text[200];
  const double alpha = asin(g_s / 9.81);
  snprintf(text, sizeof text, "puck:alpha=%.17g,mu=%.17g,v0=%.17g,phi0=%.17g", alpha, kappa * tan(alpha), v0,
           phi);
  return text;
}

static ed_run slide(const char *model, double end)
{
  dls_system *sys = dls_test_system(model);
  sys->length = sys->time = 1;
  return ed_system(sys, end, (const char *const[]){"tol=1e-8", NULL});
}

static double slip_before(const dls_event *event)
{
  return hypot(event->slip_minus[0], event->slip_minus[1]);
}

/* It rests at v0 (kappa + cos phi)/(g_s (kappa^2 - 1)), and what a stop leaves out is no more than a hundredth of eps_s. */
DLS_TEST(it_turns_until_it_stops)
{
  for (double kappa = 1.2; kappa < 6; kappa *= 1.4) {
    for (double phi = pi / 6; phi < 3; phi += pi / 6) {
      ed_run run = slide(puck(kappa, phi), 1e-3);
      const double rests = v0 * (kappa + cos(phi)) / (g_s * (kappa * kappa - 1));
      const dls_event *stick = ed_event(&run, DLS_STICK, 0);
      assert_close(stick->t, rests, 2e-9);
      assert_true(slip_before(stick) <= least);
      assert_int_equal(run.traj->event_count, 2); /* it lands at 0 */
      ed_end(&run);
    }
  }
}

/* Friction that cannot hold it: slip falls below eps_s, turns downhill and grows. The rate at which slow slip is drawn to its direction costs
 * a quarter of tol (threshold direction_lag). */
DLS_TEST(it_turns_and_goes_on)
{
  static const double kappas[] = {
      0.5, 0.6,  0.7,    0.8,
      0.9, 0.95, 0.99999}; /* the last so slowly that its slip is slow slip; 0.95 takes 160 steps */
  for (size_t k = 0; k < sizeof kappas / sizeof *kappas; k++) {
    for (double phi = 2; phi < 3; phi += 0.2) {
      const char *model = puck(kappas[k], phi);
      const double across = kappas[k] == 0.99999 ? 0.25e-8 : 1e-9;
      ed_run run = slide(model, 1e-4);
      assert_int_equal(run.traj->event_count, 1);
      assert_close(run.sim->v[0], dls_test_exact_value(model, 1e-4, "v0"), 1e-9);
      assert_close(run.sim->v[1], dls_test_exact_value(model, 1e-4, "v1"), across);
      ed_end(&run);
    }
  }
}

enum { LOADED = 6 };

/* Both weigh 10 N; what slides is pushed by 2 N, what carries it by 4 N. */
static void push_both(const dls_system *sys, double t, double *F)
{
  static const double force[LOADED] = {2, 0, -10, 4, 0, -10};
  (void)sys, (void)t;
  memcpy(F, force, sizeof force);
}

/* A puck of 1 kg on a slab of 1 kg; tangents x and y. */
static dls_system *puck_on_slab(double mu_puck, double mu_slab, double phi)
{
  dls_system *sys = ed_masses(LOADED, 2);
  sys->d = 3;
  sys->load = push_both;
  sys->T = dls_matrix_dense(LOADED, 4);
  dls_matrix_set(sys->H, 2, 0, 1);
  dls_matrix_set(sys->H, 5, 0, -1);
  dls_matrix_set(sys->H, 5, 1, 1);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->T, i, i, 1);
    dls_matrix_set(sys->T, 3 + i, i, -1);
    dls_matrix_set(sys->T, 3 + i, 2 + i, 1);
  }
  sys->mu[0] = mu_puck;
  sys->mu[1] = mu_slab;
  sys->v0[0] = v0 * cos(phi);
  sys->v0[1] = v0 * sin(phi);
  return sys;
}

/* The puck turns as above with kappa = 2, and 4 N at the angle of its slip are added to the 4 N on the slab. At 0.6 rad, where its slip is
 * 2.4e-7 m/s, that is more than the slab can stand. The puck goes on until it sticks on the slab, and both stop. */
DLS_TEST(another_contact_begins_to_slip_before_it_stops)
{
  const double phi = 2 * pi / 3, limit = 0.6, from = tan(phi / 2), to = tan(limit / 2);
  const double C = 2 * v0 / (from * (1 + from * from));
  const double slips = C / (2 * g_s) * (from - to + (pow(from, 3) - pow(to, 3)) / 3);
  ed_run run =
      ed_system(puck_on_slab(0.4, 8 * cos(limit / 2) / 20, phi), 1e-3, (const char *const[]){"tol=1e-8", NULL});
  const dls_event *slip = ed_event(&run, DLS_SLIP, 0), *stick = ed_event(&run, DLS_STICK, 0);
  assert_int_equal(slip->contact, 1);
  assert_close(slip->t, slips, 1e-9);
  for (size_t i = 0; i < run.traj->rows; i++) {
    if (ed_at(&run, i, "t") == slip->t) {
      assert_close(
          atan2(ed_at(&run, i, "v1") - ed_at(&run, i, "v4"), ed_at(&run, i, "v0") - ed_at(&run, i, "v3")),
          limit, 1e-4);
    }
  }
  assert_int_equal(stick->contact, 0);
  assert_true(stick->t > slip->t && slip_before(stick) <= least);
  assert_int_equal(ed_event(&run, DLS_STICK, 1)->contact, 1);
  assert_int_equal(run.sim->work.roots_missed, 0);
  assert_true(run.sim->status[0] == 1 && run.sim->status[1] == 1);
  ed_end(&run);
}

/* From full speed with coarse tolerances, where steps are as long as the slip lasts: every node and the time of rest err by tol, and no step
 * goes back and forth across u_T = 0. */
DLS_TEST(it_stops_with_long_steps)
{
  static const char *const engines[] = {"method=adams", "method=bdf", "method=erk"};
  static const char *const tols[] = {"tol=1e-4", "tol=1e-5", "tol=1e-6"};
  double worst = 0;
  for (size_t k = 0; k < 45; k++) {
    const double kappa = 1.3 + 0.2 * (double)(k % 5), phi = 1.6 + 0.3 * (double)(k % 5), speed = 0.5;
    const double tan_alpha = 0.2, g_sin = 9.81 * sin(atan(tan_alpha)), tol = strtod(tols[k / 15] + 4, NULL);
    char text[200];
    snprintf(text, sizeof text, "puck:alpha=%.17g,mu=%.17g,v0=%.17g,phi0=%.17g", atan(tan_alpha),
             kappa * tan_alpha, speed, phi);
    ed_run run =
        ed_system(dls_test_system(text), 1.5, (const char *const[]){tols[k / 15], engines[k / 5 % 3], NULL});
    const double rests = speed * (kappa + cos(phi)) / (g_sin * (kappa * kappa - 1));
    assert_close(ed_event(&run, DLS_STICK, 0)->t, rests, tol);
    assert_true(run.traj->rows < 400);
    for (size_t i = 0; i < run.traj->rows; i++) {
      const double t = dls_trajectory_at(run.traj, i, 0);
      const double v = dls_trajectory_at(run.traj, i, (size_t)dls_trajectory_column(run.traj, "v1"));
      const double error = fabs(v - dls_test_exact_value(text, t, "v1"));
      worst = fmax(worst, error / tol);
    }
    ed_end(&run);
  }
  assert_between(worst, 0.05, 1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_turns_until_it_stops),
      cmocka_unit_test(it_turns_and_goes_on),
      cmocka_unit_test(it_stops_with_long_steps),
      cmocka_unit_test(another_contact_begins_to_slip_before_it_stops),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
