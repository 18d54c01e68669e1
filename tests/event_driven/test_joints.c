/* test_joints.c -- joints by events: the pendulum and its hurdle in three sets of coordinates against elliptic integrals;
 * stabilisation; start data.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "models.h"
#include <gsl/gsl_sf_ellint.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { SETS = 3, IMPACTS = 6 };
static const char *const names[SETS] = {"bouncing-pendulum", "bouncing-pendulum-cartesian",
                                        "bouncing-pendulum-natural"};

static ed_run pendulum(const char *text, double end, const char *const *settings)
{
  return ed_system(dls_test_system(text), end, settings);
}

/* Times of the impacts: half swings from a turning point theta_m (from the vertical) to the hurdle at pi/4,
 *   t = (K(k) - F(asin(sin(theta/2)/k), k))/omega_0,  k = sin(theta_m/2), with theta'^+ = -e theta'^-. */
static void impact_times(double *times)
{
  const double omega = sqrt(9.81), hurdle = pi / 4, e = 0.8;
  double turn = pi / 2, t = 0;
  for (int i = 0; i < IMPACTS; i++) {
    const double k = sin(turn / 2);
    const double half = (gsl_sf_ellint_Kcomp(k, GSL_PREC_DOUBLE) -
                         gsl_sf_ellint_F(asin(sin(hurdle / 2) / k), k, GSL_PREC_DOUBLE)) /
                        omega;
    t += i == 0 ? half : 2 * half;
    times[i] = t;
    turn = acos(cos(hurdle) - e * e * (cos(hurdle) - cos(turn))); /* energy of the rebound */
  }
}

static void impacts_are_those_of_the_closed_form(void **state)
{
  (void)state;
  double times[IMPACTS];
  impact_times(times);
  for (int set = 0; set < SETS; set++) {
    ed_run run = pendulum(names[set], 6, (const char *const[]){"tol=1e-12", NULL});
    for (size_t i = 0; i < IMPACTS; i++) {
      const dls_event *event = ed_event(&run, DLS_IMPACT, i);
      assert_close(event->t, times[i], 2e-12);
      /* P = (1 + e) m l |theta'^-| / cos(theta_h), u- = -l |theta'^-| cos(theta_h) */
      assert_close(event->impulse, -1.8 * event->u_minus / pow(cos(pi / 4), 2), 1e-11);
      assert_close(event->u_plus, -0.8 * event->u_minus, 1e-12);
    }
    assert_close(ed_event(&run, DLS_ACCUMULATION, 0)->time_end, 4.252706986, 2e-7);
    assert_close(run.sim->lambda[0], 9.81 * tan(pi / 4), 1e-11);
    ed_end(&run);
  }
}

/* x, y, their velocities and the force of the rod at times between the impacts. */
static void three_sets_of_coordinates_agree(void **state)
{
  (void)state;
  for (double end = 0.2; end < 3.4; end += 0.4) {
    ed_run angle = pendulum(names[0], end, NULL), tip = pendulum(names[1], end, NULL),
           body = pendulum(names[2], end, NULL);
    const double q = angle.sim->q[0], rate = angle.sim->v[0];
    const double at[4] = {cos(q), -sin(q), -sin(q) * rate, -cos(q) * rate};
    for (size_t i = 0; i < 2; i++) {
      assert_close(tip.sim->q[i], at[i], 1e-9);
      assert_close(tip.sim->v[i], at[2 + i], 1e-9);
      assert_close(body.sim->q[i], 0.75 * at[i], 1e-9);
      assert_close(body.sim->q[2 + i], at[i], 1e-9);
      assert_close(body.sim->v[2 + i], at[2 + i], 1e-9);
    }
    assert_close(tip.sim->mu[0], -(9.81 * sin(q) + rate * rate),
                 1e-8); /* m (g sin q + l rate^2) pulls inward */
    assert_between(fabs(tip.sim->phi[0]), 0, 1e-15);
    for (size_t i = 0; i < 3; i++) {
      assert_between(fabs(body.sim->phi[i]), 0, 1e-15);
    }
    ed_end(&angle);
    ed_end(&tip);
    ed_end(&body);
  }
}

static double worst_phi(const ed_run *run)
{
  double worst = 0;
  for (size_t i = 0; i < run->traj->rows; i++) {
    worst = fmax(worst, fabs(ed_at(run, i, "phi0")));
  }
  return worst;
}

/* Without stabilisation the joint drifts as t^2; the other two keep it. */
static void stabilisation_keeps_the_joint(void **state)
{
  (void)state;
  const char *const text = "bouncing-pendulum-cartesian:hurdle=1e-3,q0=1.2,e=1";
  ed_run none = pendulum(text, 100, (const char *const[]){"stabilise=none", "tol=1e-8", NULL});
  ed_run pulled = pendulum(text, 100, (const char *const[]){"stabilise=baumgarte", "tol=1e-8", NULL});
  ed_run projected = pendulum(text, 100, (const char *const[]){"tol=1e-8", NULL});
  assert_between(worst_phi(&none), 1e-9, 1e-5);
  assert_between(worst_phi(&pulled), 1e-15, 0.05 * worst_phi(&none));
  assert_between(worst_phi(&projected), 0, 1e-15);
  ed_end(&none);
  ed_end(&pulled);
  ed_end(&projected);
}

static void start_data_must_meet_the_joints(void **state)
{
  (void)state;
  const struct {
    double dx, dv;    /* what is added to x and vx of (1, 0), (0, 0) */
    const char *text; /* of the refusal */
  } cases[] = {{1e-8, 1e-8, NULL},
               {1e-3, 0, "positions do not meet the joints: joint equation 0 (rod) is off by 0.001"},
               {0, 1e-2, "velocities do not meet the joints: joint equation 0 (rod) is off by 0.01"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    for (int project = 0; project < 2; project++) {
      ed_run run = ed_start(dls_test_system(names[1]), NULL);
      run.sys->q0[0] += cases[k].dx;
      run.sim->q[0] += cases[k].dx;
      run.sim->v[0] += cases[k].dv;
      const dls_run_spec spec = {.end = 0.1, .record = run.traj, .project_start = project != 0};
      run.status = dls_run(run.sim, &spec, &run.err);
      if (cases[k].text == NULL || project) {
        assert_ok(run.status, run.err);
        assert_close(ed_at(&run, 0, "q0"), 1, 1e-15);
        assert_close(ed_at(&run, 0, "v0"), 0, 1e-15);
      } else {
        assert_int_equal(run.status, DLS_ERR_ARG);
        assert_non_null(strstr(run.err.text, cases[k].text));
        assert_non_null(strstr(run.err.text, "allowed is start_tolerance = "));
      }
      ed_end(&run);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_are_those_of_the_closed_form),
      cmocka_unit_test(three_sets_of_coordinates_agree),
      cmocka_unit_test(stabilisation_keeps_the_joint),
      cmocka_unit_test(start_data_must_meet_the_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
