/* test_speed_law.c -- a law whose restitution depends on the approach speed, e(u-), as one entry: each bounce of a ball against
 * the closed form, by events and in steps, refusals, and the same bits as Newton's law where e is constant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/fit.h>
#include <delassus/law.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

static const double threshold = 0.5, softening = 0.3; /* m/s, s/m */

/* u^_N = u_N+ + e(u-) u_N-,  e = e0 (|u_N-|/v0)^(-1/5) above v0, e0 below: Kuwabara, Kono 1987, to leading order */
static void viscoelastic(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)theta;
  memset(c, 0, sys->d * sizeof *c);
  c[0] = sys->e[j] * pow(fmax(fabs(u_minus[0]) / threshold, 1), -0.2);
}

/* e = e0/(1 + k |u_N-|) */
static void softens(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)theta;
  memset(c, 0, sys->d * sizeof *c);
  c[0] = sys->e[j] / (1 + softening * fabs(u_minus[0]));
}

/* Newton's, asked each time. */
static void constant(const dls_system *sys, size_t j, double theta, const double *u_minus, double *c)
{
  (void)theta, (void)u_minus;
  memset(c, 0, sys->d * sizeof *c);
  c[0] = sys->e[j];
}

static const dls_option parameters[] = {DLS_NUMBER("e", "1", "restitution of slow impacts", 0, 0, 1, 0), {0}};
#define SPEED_LAW(of, cone)                                                                                    \
  {                                                                                                            \
    .name = #of, .summary = #of, .source = "test", .equations = "e(u-)\n", .parameters = parameters,           \
    .block = cone, .sees_speed = true, .mixture = of                                                           \
  }
static const dls_law laws[] = {SPEED_LAW(viscoelastic, DLS_HALF), SPEED_LAW(softens, DLS_HALF)},
                     rough = SPEED_LAW(softens, DLS_COULOMB), newton = SPEED_LAW(constant, DLS_HALF),
                     newton_coulomb = SPEED_LAW(constant, DLS_COULOMB);

static dls_system *system_with(const char *model, const dls_law *law)
{
  dls_system *sys = dls_test_system(model);
  for (size_t j = 0; j < sys->m; j++) {
    sys->law[j] = law;
  }
  return sys;
}

/* The ball of m = 1 under f = -2, from rest at 1 m: down with 2 m/s at t = 1, back u+ later with u+. */
#define BALL "bouncing-ball:e=0.9"
enum { BOUNCES = 6 };
typedef struct bounce {
  double t, u_minus, u_plus;
} bounce;

static void exact_bounces(const dls_law *law, bounce *x)
{
  dls_system *sys = dls_test_system(BALL);
  double t = 1, u = -2;
  for (size_t k = 0; k < BOUNCES; k++) {
    double c[1];
    law->mixture(sys, 0, 0.5, &u, c);
    x[k] = (bounce){t, u, -c[0] * u};
    t += x[k].u_plus;
    u = -x[k].u_plus;
  }
  dls_system_destroy(sys);
}

/* The first bounces of a run. @return how many there were */
static size_t bounces_of(const test_run *run, bounce *x)
{
  size_t count = 0;
  for (size_t i = 0; i < run->traj->event_count && count < BOUNCES; i++) {
    const dls_event *event = &run->traj->events[i];
    if (event->kind == DLS_IMPACT) {
      x[count++] = (bounce){event->t, event->u_minus, event->u_plus};
    }
  }
  return count;
}

DLS_TEST(each_bounce_by_events_is_the_closed_form)
{
  static const char *const engines[] = {"adams,tol=1e-12", "bdf,tol=1e-10", "erk,tol=1e-12", "flow"};
  for (size_t l = 0; l < 2; l++) {
    bounce exact[BOUNCES], found[BOUNCES];
    exact_bounces(&laws[l], exact);
    for (size_t k = 0; k < 4; k++) {
      char scheme[60];
      snprintf(scheme, sizeof scheme, "event-driven:method=%s", engines[k]);
      test_run run = dls_test_run_of(system_with(BALL, &laws[l]), scheme, 1, 8);
      assert_int_equal(bounces_of(&run, found), BOUNCES);
      for (size_t i = 0; i < BOUNCES; i++) {
        assert_close(found[i].t, exact[i].t, 1e-10);
        assert_close(found[i].u_minus, exact[i].u_minus, 1e-10);
        assert_close(found[i].u_plus, exact[i].u_plus, 1e-10);
      }
      dls_test_free(&run);
    }
  }
}

/* The series of impacts ends where the closed form, bounce by bounce to 1e-16 m/s, ends. */
DLS_TEST(the_accumulation_ends_at_its_time)
{
  for (size_t l = 0; l < 2; l++) {
    dls_system *sys = system_with(BALL, &laws[l]);
    double end = 1, u = -2;
    while (u < -1e-16) {
      u *= dls_law_restitution(sys, 0, u);
      end -= u;
    }
    test_run run = dls_test_run_of(sys, "event-driven", 1, end + 1);
    double last = NAN;
    for (size_t i = 0; i < run.traj->event_count; i++) {
      last = run.traj->events[i].kind == DLS_ACCUMULATION ? run.traj->events[i].time_end : last;
    }
    assert_close(last, end, 1e-6);
    assert_close(run.sim->q[0], 0, 1e-12);
    assert_close(run.sim->v[0], 0, 1e-12);
    dls_test_free(&run);
  }
}

/* A sphere that slips through its bounces: p_T = -mu p_N, and the normal motion is that of the ball. */
DLS_TEST(friction_stands_beside_it)
{
  const double e = 0.5, u = sqrt(2 * 9.81);
  test_run run =
      dls_test_run_of(system_with("bounce-slip:e=0.5,mu=0.1", &rough), "event-driven:tol=1e-11", 1, 1);
  const dls_event *event = &run.traj->events[0];
  while (event->kind != DLS_IMPACT) {
    event++;
  }
  assert_close(event->u_plus, e * u / (1 + softening * u), 1e-9);
  assert_close(event->impulse, u + event->u_plus, 1e-9);
  assert_close(fabs(event->friction[0]), 0.1 * event->impulse, 1e-9);
  dls_test_free(&run);
}

static bool sees(const dls_scheme *scheme)
{
  return (scheme->handles & DLS_HANDLES_APPROACH_SPEED) != 0;
}

/* In a step the law is asked for the velocity at its begin: u+ = e(U) |U| of the very U that the event reports. */
DLS_TEST(steps_ask_for_the_velocity_at_their_begin)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:gamma=0.5,velocity_test=off",
                                        "moreau-jean-variant", "nonsmooth-newmark",
                                        "nonsmooth-generalized-alpha"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    for (size_t l = 0; l < 2; l++) {
      test_run run = dls_test_run_of(system_with(BALL, &laws[l]), schemes[k], 7.3e-3, 4);
      bounce found[BOUNCES];
      const size_t count = bounces_of(&run, found);
      assert_true(count >= 3);
      for (size_t i = 0; i < count; i++) {
        double c[1];
        laws[l].mixture(run.sys, 0, 0.5, &found[i].u_minus, c);
        assert_close(found[i].u_plus, -c[0] * found[i].u_minus, 1e-13);
      }
      dls_test_free(&run);
    }
  }
}

/* Largest error of times and velocities over the first bounces, over randomised steps: order 1. */
DLS_TEST(bounces_in_steps_have_order_one)
{
  enum { LEVELS = 6, REPEATS = 8, COUNT = LEVELS * REPEATS, FIRST = 4 };
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "moreau-jean-variant",
                                        "nonsmooth-newmark"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
    for (size_t l = 0; l < 2; l++) {
      gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
      double h[COUNT], error[COUNT];
      bounce exact[BOUNCES], found[BOUNCES];
      exact_bounces(&laws[l], exact);
      for (size_t i = 0; i < COUNT; i++) {
        h[i] = 2e-2 * pow(2, -(double)(i / REPEATS)) * (1 - 0.5 * gsl_rng_uniform(rng));
        test_run run = dls_test_run_of(system_with(BALL, &laws[l]), schemes[k], h[i], 6);
        assert_true(bounces_of(&run, found) >= FIRST);
        error[i] = 0;
        for (size_t n = 0; n < FIRST; n++) {
          error[i] =
              fmax(error[i], fmax(fabs(found[n].t - exact[n].t), fabs(found[n].u_plus - exact[n].u_plus)));
        }
        dls_test_free(&run);
      }
      gsl_rng_free(rng);
      dls_fit fit;
      dls_error err = {0};
      assert_ok(dls_fit_order(COUNT, h, error, 0, &fit, &err), err);
      assert_between(fit.order, 0.85, 1.15);
      assert_between(fit.constant, 0.1, 10);
    }
  }
}

/* Where e is constant, a law that is asked each time gives the bits of Newton's: many contacts, tridiagonal systems,
 * nonlinear ones, friction. Schemes for small systems go the general path. */
DLS_TEST(a_constant_law_gives_the_bits_of_newtons)
{
  static const struct {
    const char *model;
    double end;
  } cases[] = {{"bouncing-ball", 3.2}, {"impacting-oscillator", 4}, {"elastic-bar:n=20", 1},
               {"bead-column", 1},     {"elastic-block", 0.05},     {"bouncing-pendulum", 2},
               {"bounce-slip", 1}};
  size_t ran = 0;
  for (size_t k = 0; dls_schemes()[k] != NULL; k++) {
    for (size_t i = 0; sees(dls_schemes()[k]) && i < sizeof cases / sizeof cases[0]; i++) {
      const char *name = dls_schemes()[k]->name;
      dls_system *sys = dls_test_system(cases[i].model);
      const bool applies = dls_test_applies(sys, dls_schemes()[k]) &&
                           (sys->linear || strstr(name, "-kh-") == NULL); /* which is for linear systems */
      const dls_law *law = dls_laws_have_friction(sys) ? &newton_coulomb : &newton;
      dls_system_destroy(sys);
      if (!applies) {
        continue;
      }
      test_run plain = dls_test_run(cases[i].model, name, 5e-3, cases[i].end),
               asked = dls_test_run_of(system_with(cases[i].model, law), name, 5e-3, cases[i].end);
      for (size_t n = 0; n < plain.sys->n; n++) {
        if (plain.sim->q[n] != asked.sim->q[n] || plain.sim->v[n] != asked.sim->v[n]) {
          fail_msg("%s of %s: q%zu = %.17g, not %.17g", name, cases[i].model, n, asked.sim->q[n],
                   plain.sim->q[n]);
        }
      }
      assert_int_equal(plain.traj->rows, asked.traj->rows);
      assert_int_equal(plain.traj->event_count, asked.traj->event_count);
      dls_test_free(&plain);
      dls_test_free(&asked);
      ran++;
    }
  }
  assert_true(ran >= 50);
}

DLS_TEST(other_schemes_refuse_it_by_name)
{
  size_t refused = 0;
  for (size_t k = 0; dls_schemes()[k] != NULL; k++) {
    dls_error err = {0};
    dls_sim *sim = NULL;
    dls_system *sys = system_with(BALL, &laws[1]);
    dls_status status = dls_sim_create(sys, dls_schemes()[k], &sim, &err);
    status = status != DLS_OK ? status : dls_sim_start(sim, &err);
    if (!sees(dls_schemes()[k])) {
      assert_int_equal(status, DLS_ERR_NOT_APPLICABLE);
      assert_true(strstr(err.text, "law softens at contact 0") != NULL || strstr(err.text, "contacts") != NULL);
      refused++;
    }
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  assert_true(refused >= 20);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_bounce_by_events_is_the_closed_form),
      cmocka_unit_test(the_accumulation_ends_at_its_time),
      cmocka_unit_test(friction_stands_beside_it),
      cmocka_unit_test(steps_ask_for_the_velocity_at_their_begin),
      cmocka_unit_test(bounces_in_steps_have_order_one),
      cmocka_unit_test(a_constant_law_gives_the_bits_of_newtons),
      cmocka_unit_test(other_schemes_refuse_it_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
