/* test_spring_damper.c -- impacts of one mass against closed forms and a tight integration; rest; refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include "penalty_runs.h"
#include "time_stepping/penalty/penalty_step.h"
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Velocity after contact, and the time that contact takes more than a reflection with it, m = |u-| = 1. */
static rebound kelvin_voigt(double k, double e, bool tension)
{
  const double zeta = dls_kelvin_voigt_ratio(e, tension), omega = sqrt(k);
  const double omega_d = omega * sqrt((1 - zeta) * (1 + zeta));
  const double t = (pi - (tension ? 0 : 2 * asin(zeta))) / omega_d;
  const double q = -exp(-zeta * omega * t) * sin(omega_d * t) / omega_d; /* where the force ends */
  return (rebound){e, t - q / e};
}

typedef struct hertz {
  double k, n, lambda;
} hertz;

static int hertz_rate(double t, const double *y, double *dy, void *data)
{
  const hertz *p = data;
  (void)t;
  dy[0] = y[1];
  dy[1] = y[0] < 0 ? p->k * pow(-y[0], p->n) * (1 - p->lambda * y[1]) : 0;
  return GSL_SUCCESS;
}

/* By GSL's Dormand-Prince 8(7), tight, until the gap is open again. */
static rebound reference(hertz p)
{
  double t = 0, y[2] = {0, -1};
  gsl_odeiv2_system system = {hertz_rate, NULL, 2, &p};
  gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&system, gsl_odeiv2_step_rk8pd, 1e-5, 1e-15, 1e-13);
  assert_non_null(driver);
  gsl_odeiv2_driver_set_hmax(driver, 1e-3);
  while (t < 1e-6 || y[0] < 0) {
    assert_int_equal(gsl_odeiv2_driver_apply(driver, &t, t + 1e-3, y), GSL_SUCCESS);
  }
  gsl_odeiv2_driver_free(driver);
  return (rebound){y[1], t - y[0] / y[1]};
}

/* Damping and restitution are inverse to each other, on both sides of zeta = 1 and near the ends. */
DLS_TEST(kelvin_voigt_damping_makes_the_restitution)
{
  static const double es[] = {1e-12, 1e-3, 0.1, 0.13533528, 0.13533529, 0.2, 0.5, 0.9, 0.999999, 1};
  for (size_t i = 0; i < sizeof es / sizeof es[0]; i++) {
    for (int tension = 0; tension < 2; tension++) {
      const double zeta = dls_kelvin_voigt_ratio(es[i], tension);
      assert_close(dls_kelvin_voigt_restitution(zeta, tension), es[i], 1e-7 * es[i]);
    }
  }
  assert_close(dls_kelvin_voigt_restitution(1, false), exp(-2), 1e-12);
  assert_close(dls_kelvin_voigt_ratio(1, false), 0, 1e-15);
  assert_close(dls_kelvin_voigt_ratio(0.5, true), log(2.) / hypot(pi, log(2.)), 1e-15);
}

/* The relation of e and lambda |u-| does not depend on stiffness and exponent; 3 (1 - e)/2 is its limit. */
DLS_TEST(hunt_crossley_damping_makes_the_restitution)
{
  static const double es[] = {0.05, 0.3, 0.5, 0.8, 0.99, 1}, ns[] = {1, 1.5, 3};
  for (size_t i = 0; i < 6; i++) {
    const double x = dls_hunt_crossley_ratio(es[i]);
    for (size_t j = 0; j < 3; j++) {
      assert_close(reference((hertz){100 * pow(10, ns[j]), ns[j], x}).v, es[i], 1e-8);
    }
  }
  assert_close(dls_hunt_crossley_ratio(0.999) / (1.5 * 0.001), 1, 1e-2);
  assert_between(dls_hunt_crossley_ratio(0.5) / 0.75, 1.5, 2.5); /* the limit is no use at e = 0.5 */
  assert_between(dls_hunt_crossley_ratio(1e-3), 999, 1000);      /* x < 1/e */
}

/* Kelvin-Voigt sets in with a jump of the force: order 1 in velocity. The way back is extrapolated to a time that has
 * order 2. With tension the contact ends with a jump too, so that the place of the end in a step counts: a bound. */
/* Whatever the speed: the damping is made for that of each impact. */
DLS_TEST(hunt_crossley_restitution_is_that_of_any_speed)
{
  static const double speeds[] = {0.25, 1, 4};
  for (size_t i = 0; i < 3; i++) {
    char model[80];
    snprintf(model, sizeof model, "bouncing-ball:f=0,e=0.5,q0=0.01,v0=%g", -speeds[i]);
    test_run run = dls_test_run(model, "spring-damper:law=hunt-crossley", 1e-4 / speeds[i], 0.05 / speeds[i]);
    assert_close(run.sim->v[0], 0.5 * speeds[i], 2e-3 * speeds[i]);
    dls_test_free(&run);
  }
}

DLS_TEST(kelvin_voigt_impact_has_order_one)
{
  static const char *const continua[] = {"midpoint", "trapezoidal"};
  for (int i = 0; i < 4; i++) {
    char scheme[80];
    const bool tension = i % 2 == 1;
    snprintf(scheme, sizeof scheme, "spring-damper:k=1e4,continuum=%s,tension=%s", continua[i / 2],
             dls_off_on[tension]);
    const rebound exact = kelvin_voigt(1e4, 0.5, tension);
    const rebound order = rebound_order(scheme, 0.5, 5e-4, 5, exact);
    assert_between(order.delay, 1.8, 2.3);
    if (!tension) {
      assert_between(order.v, 0.9, 1.1);
    }
    for (double h = 1e-3; h > 3e-6; h /= 2) {
      const rebound error = rebound_error(scheme, 0.5, h, exact);
      assert_between(error.v / h, tension ? 0.2 : 10, 25); /* of forces about 100 */
      assert_between(error.delay / (h * h), 10, 40);
    }
  }
}

/* Hunt-Crossley sets in without a jump: order 2. */
DLS_TEST(hunt_crossley_impact_has_order_two)
{
  static const char *const schemes[] = {"spring-damper:law=hunt-crossley,k=1e5",
                                        "spring-damper:law=hunt-crossley,k=1e5,continuum=trapezoidal",
                                        "spring-damper:law=hunt-crossley,k=1e5,n=2"};
  for (size_t i = 0; i < 3; i++) {
    const rebound exact = reference((hertz){1e5, i == 2 ? 2 : 1.5, dls_hunt_crossley_ratio(0.6)});
    assert_close(exact.v, 0.6, 1e-9);
    const rebound fine = rebound_error(schemes[i], 0.6, 1e-4, exact);
    assert_between(fine.v, 1e-8, 1e-4);
    assert_between(fine.delay, 1e-9, 1e-5);
    const rebound order = rebound_order(schemes[i], 0.6, 2e-3, 4, exact);
    assert_between(order.v, 1.85, 2.15);
    assert_between(order.delay, 1.8, 2.2);
  }
}

/* A step that does not resolve the contact makes the restitution a matter of chance, and often more than one. */
DLS_TEST(steps_must_resolve_the_contact)
{
  static const struct {
    double h, least_low, least_high, most_low, most_high;
  } cases[] = {{1e-3, 0.48, 0.5, 0.5, 0.52}, {1e-2, 0.44, 0.49, 0.6, 0.7}, {0.1, 0.3, 0.4, 2.2, 2.7}};
  for (size_t k = 0; k < 3; k++) {
    double least = HUGE_VAL, most = 0;
    for (int i = 0; i < 20; i++) {
      const double e = rebound_of("spring-damper:k=1e4", 0.5, cases[k].h, (i + 0.5) / 20).v;
      least = fmin(least, e);
      most = fmax(most, e);
    }
    assert_between(least, cases[k].least_low, cases[k].least_high);
    assert_between(most, cases[k].most_low, cases[k].most_high);
  }
}

/* What is given is used: damping=given with the figure that the restitution would have chosen. */
DLS_TEST(given_damping_is_the_same_scheme)
{
  char scheme[120];
  snprintf(scheme, sizeof scheme, "spring-damper:k=1e4,damping=given,c=%.17g",
           200 * dls_kelvin_voigt_ratio(0.4, false));
  assert_close(rebound_of(scheme, 0.9, 1e-3, 0.3).v, rebound_of("spring-damper:k=1e4", 0.4, 1e-3, 0.3).v,
               1e-12);
  snprintf(scheme, sizeof scheme, "spring-damper:law=hunt-crossley,k=1e5,damping=given,lambda=%.17g",
           dls_hunt_crossley_ratio(0.4));
  assert_close(rebound_of(scheme, 0.9, 1e-3, 0.3).v,
               rebound_of("spring-damper:law=hunt-crossley,k=1e5", 0.4, 1e-3, 0.3).v, 1e-12);
}

/* The damper is chosen for the mass that the contact feels, also where that depends on the position. */
DLS_TEST(the_effective_mass_is_used)
{
  static const char *const models[] = {"bouncing-ball:f=0,v0=-1,m=20,e=0.3,q0=0.1",
                                       "bouncing-ball:f=0,v0=-1,m=0.05,e=0.3,q0=0.1",
                                       "bouncing-pendulum:e=0.3,m=5"};
  for (size_t i = 0; i < 3; i++) {
    test_run run = dls_test_run(models[i], "spring-damper:k=1e5", 2e-5, 0.5);
    const dls_event *x = &run.traj->events[0];
    assert_close(-x->u_plus / x->u_minus, 0.3, 0.02);
    dls_test_free(&run);
  }
}

/* The reported impact tells the same as the velocities. */
DLS_TEST(the_event_carries_the_impact)
{
  static const char *const schemes[] = {"spring-damper:k=1e4", "spring-damper:law=hunt-crossley,k=1e5",
                                        "conserving-penalty:kappa=1e4", "standard-penalty:kappa=1e4"};
  for (size_t i = 0; i < 4; i++) {
    test_run run = dls_test_run("bouncing-ball:f=0,v0=-1,m=2,e=0.7,q0=0.1", schemes[i], 1e-3, 0.5);
    assert_int_equal(run.traj->event_count, 1);
    const dls_event *x = &run.traj->events[0];
    assert_close(x->u_minus, -1, 1e-12);
    assert_close(x->u_plus, run.sim->v[0], 1e-12);
    assert_close(x->impulse, 2 * (1 + run.sim->v[0]), 1e-12);
    assert_close(x->t, 0.1, 2e-3);
    dls_test_free(&run);
  }
}

/* A body at rest sinks in by (force/k)^(1/n), and stays. */
DLS_TEST(rest_is_where_the_force_carries_the_load)
{
  static const struct {
    const char *scheme;
    double depth;
  } cases[] = {{"spring-damper:k=1e3", 5e-3},
               {"spring-damper:law=hunt-crossley,k=1e4,damping=given,lambda=1e2", 0.0062996}};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run("bouncing-ball:f=-5,e=0.3,q0=0.02", cases[i].scheme, 1e-3, 20);
    assert_close(run.sim->q[0], -cases[i].depth, 1e-7);
    assert_close(run.sim->v[0], 0, 1e-6);
    assert_close(run.sim->lambda[0], 5, 1e-5);
    dls_test_free(&run);
  }
}

/* Slow impacts of Hunt-Crossley return more than e: lambda does not grow below `slowest`. */
DLS_TEST(slow_impacts_keep_a_finite_damping)
{
  test_run run =
      dls_test_run("bouncing-ball:f=-1,e=0.5", "spring-damper:law=hunt-crossley,k=1e9,slowest=0.3", 1e-5, 5);
  const double slowest = 0.3 * run.sys->length / run.sys->time;
  size_t slow = 0;
  for (size_t i = 0; i < run.traj->event_count; i++) {
    const dls_event *x = &run.traj->events[i];
    const double e = -x->u_plus / x->u_minus;
    const double ratio = dls_hunt_crossley_ratio(0.5) * fmin(-x->u_minus / slowest, 1); /* lambda |u-| */
    if (x->u_minus < -0.05) {
      assert_close(log((1 + ratio) / (1 - e * ratio)), (1 + e) * ratio, 0.02 * ratio);
      slow += x->u_minus > -0.9 * slowest;
    }
  }
  assert_in_range(slow, 1, 10);
  dls_test_free(&run);
}

DLS_TEST(no_finite_damper_stops_dead)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball:e=0", "spring-damper");
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "has e = 0, which no finite damper attains; use damping=given and c="));
  dls_test_free(&run);
}

/* A body that leaves as fast as 1/lambda: the force ends there, and has no slope where it is none. */
DLS_TEST(hunt_crossley_ends_where_it_would_pull)
{
  dls_error err = {0};
  test_run run =
      dls_test_prepare("bouncing-ball", "spring-damper:law=hunt-crossley,k=1e4,damping=given,lambda=0.5");
  assert_ok(dls_sim_start(run.sim, &err), err);
  dls_penalty *s = run.sim->memory;
  const double y = -0.01, rates[] = {1.9, 2, 2.1};
  for (int i = 0; i < 3; i++) {
    double slope = NAN;
    s->rate[0] = rates[i];
    s->rate_slope = 100;
    s->contact.y_free[0] = y;
    const double factor = fmax(1 - 0.5 * rates[i], 0);
    assert_close(s->law->at.force(run.sim, 0, y, &slope), 1e4 * pow(0.01, 1.5) * factor, 1e-13);
    assert_close(slope, i > 0 ? 0 : 1e4 * pow(0.01, 1.5) * (1.5 * factor / 0.01 + 0.5 * 100), 1e-10);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kelvin_voigt_damping_makes_the_restitution),
      cmocka_unit_test(hunt_crossley_damping_makes_the_restitution),
      cmocka_unit_test(hunt_crossley_restitution_is_that_of_any_speed),
      cmocka_unit_test(kelvin_voigt_impact_has_order_one),
      cmocka_unit_test(hunt_crossley_impact_has_order_two),
      cmocka_unit_test(steps_must_resolve_the_contact),
      cmocka_unit_test(given_damping_is_the_same_scheme),
      cmocka_unit_test(the_effective_mass_is_used),
      cmocka_unit_test(the_event_carries_the_impact),
      cmocka_unit_test(rest_is_where_the_force_carries_the_load),
      cmocka_unit_test(slow_impacts_keep_a_finite_damping),
      cmocka_unit_test(no_finite_damper_stops_dead),
      cmocka_unit_test(hunt_crossley_ends_where_it_would_pull),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
