/* test_cycle.c -- limit cycles: fixed points of the map from event to event, and their multipliers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/cycle/cycle.h"
#include "experiments/request/request.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct given {
  const char *model, *set, *scheme;
  dls_event_kind kind;
  size_t contact;
  double end;
  int drift; /* of which position; -1: none */
} given;

static dls_system *make_system(const given *g)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  double p[64];
  const dls_model *model = dls_model_find(g->model, &err);
  assert_non_null(model);
  dls_option_defaults(model->parameters, p);
  char set[80] = "";
  snprintf(set, sizeof set, "%s", g->set != NULL ? g->set : "");
  for (char *rest = NULL, *one = strtok_r(set, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
    assert_ok(dls_option_parse(model->parameters, "test", one, p, &err), err);
  }
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

/* Of a system, which is destroyed. */
static dls_status find_in(dls_system *sys, const given *g, dls_cycle **out, dls_error *err)
{
  dls_scheme_choice choice;
  bool drift[8] = {false};
  assert_ok(dls_scheme_choose(g->scheme, &choice, err), *err);
  if (g->drift >= 0) {
    drift[g->drift] = true;
  }
  const dls_cycle_spec spec = {
      .sys = sys, .choice = &choice, .kind = g->kind, .contact = g->contact, .drift = drift, .end = g->end};
  const dls_status status = dls_cycle_find(&spec, out, err);
  dls_system_destroy(sys);
  return status;
}

static dls_status find(const given *g, dls_cycle **out, dls_error *err)
{
  return find_in(make_system(g), g, out, err);
}

/* T = 2/omega (pi - arctan(D omega/vb)) + 2 D/vb; once stuck the mass lets go at Fs/k, whatever was before. */
DLS_TEST(the_belt_forgets_its_start)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  const given belt = {"belt", "Fs=1.5", "event-driven:tol=1e-12", DLS_STICK, 0, 30, -1};
  assert_ok(find(&belt, &cycle, &err), err);
  assert_close(cycle->period, 1.5 * pi + 2, 1e-11);
  assert_between(cycle->period_error, 0, 1e-10);
  assert_close(cycle->q[0], 0.5, 1e-10);
  assert_close(cycle->v[0], 0.5, 1e-12);
  assert_close(cycle->advance[0], 0, 1e-10);
  assert_int_equal(cycle->event_count, 2);
  assert_int_equal(cycle->events[DLS_STICK], 1);
  assert_int_equal(cycle->events[DLS_SLIP], 1);
  assert_int_equal(cycle->count, 1); /* q0; velocity and height are those of the belt */
  assert_close(cycle->multipliers[0].real, 0, 1e-8);
  assert_between(cycle->multipliers[0].error, 1e-16, 1e-7);
  dls_cycle_destroy(cycle);
}

/* Angular velocity of the bird at each stick of the lower edge. @return how many */
static size_t sticks_of(const given *g, double *v2, size_t most)
{
  dls_error err = {0};
  dls_system *sys = make_system(g);
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  size_t count = 0;
  assert_ok(dls_scheme_choose(g->scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = g->end, .record = traj}, &err), err);
  const size_t column = (size_t)dls_trajectory_column(traj, "v2");
  for (size_t k = 0; k < traj->event_count && count < most; k++) {
    const dls_event *event = &traj->events[k];
    for (size_t row = traj->rows; row-- > 0 && event->kind == DLS_STICK;) {
      if (dls_trajectory_at(traj, row, 0) == event->t) {
        v2[count++] = dls_trajectory_at(traj, row, column);
        break;
      }
    }
  }
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return count;
}

/* Energy is lost as the descent gives it; a plain run nears the cycle by the multiplier that Newton's method has beside it. */
DLS_TEST(the_woodpecker_nears_its_cycle_as_its_multiplier_says)
{
  enum { MOST = 16 };
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  double v2[MOST];
  given bird = {"woodpecker", NULL, "event-driven:tol=1e-12", DLS_STICK, 1, 2, 0};
  assert_ok(find(&bird, &cycle, &err), err);
  assert_close(cycle->period, 0.14597606514, 1e-11);
  assert_close(cycle->advance[0], -0.01944537928, 1e-11);
  assert_int_equal(cycle->event_count, 9);
  assert_int_equal(cycle->events[DLS_IMPACT], 5);
  assert_int_equal(cycle->events[DLS_LIFT_OFF], 2);
  assert_int_equal(cycle->count, 2);
  const dls_multiplier *m = cycle->multipliers;
  assert_close(m[0].real, -0.8391556, 2e-7);
  assert_close(m[0].imaginary, 0, 0);
  assert_between(m[0].error, 1e-12, 1e-7);
  assert_close(m[1].real, 0, 1e-7);
  const size_t count = sticks_of(&bird, v2, MOST);
  assert_between((double)count, 10, MOST);
  for (size_t k = 2; k + 2 < count; k++) { /* two cycles: the curvature of the map all but cancels in them */
    const double ratio = (v2[k + 2] - cycle->v[2]) / (v2[k] - cycle->v[2]);
    assert_close(ratio, m[0].real * m[0].real, 5e-4);
  }
  const double fine = m[0].real, error = m[0].error;
  dls_cycle_destroy(cycle);
  bird.scheme = "event-driven:tol=1e-10";
  assert_ok(find(&bird, &cycle, &err), err);
  assert_close(cycle->multipliers[0].real, fine, error + cycle->multipliers[0].error);
  dls_cycle_destroy(cycle);
}

/* One of a family: height 1, m q'' = -2, impacts with 2 m/s every two seconds. */
DLS_TEST(an_elastic_ball_has_the_multiplier_one)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  const given ball = {"bouncing-ball", "e=1", "event-driven", DLS_IMPACT, 0, 6, -1};
  assert_ok(find(&ball, &cycle, &err), err);
  assert_close(cycle->period, 2, 1e-9);
  assert_close(cycle->v[0], 2, 1e-9);
  assert_int_equal(cycle->event_count, 1);
  assert_int_equal(cycle->count, 1);
  assert_close(cycle->multipliers[0].real, 1, 1e-6);
  dls_cycle_destroy(cycle);
}

static void press_to_both(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = -2;
  F[1] = -1;
}

/* It lies on a smooth floor and is pressed against an elastic wall: along the floor it is as free as without. */
DLS_TEST(a_floor_without_friction_holds_nothing_along_it)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  dls_system *sys = dls_system_create(2, 2);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = 2;
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 2);
  sys->T = dls_matrix_dense(2, 2);
  sys->load = press_to_both;
  sys->steady_load = true;
  for (size_t j = 0; j < 2; j++) { /* 0: the wall, 1: the floor */
    dls_matrix_set(sys->M, j, j, 1);
    dls_matrix_set(sys->H, j, j, 1);
    dls_matrix_set(sys->T, 1 - j, j, 1);
  }
  sys->e[0] = 1;
  sys->q0[0] = 1;
  assert_ok(
      find_in(sys, &(given){.scheme = "event-driven", .kind = DLS_IMPACT, .end = 6, .drift = -1}, &cycle, &err),
      err);
  assert_close(cycle->period, 2, 1e-9);
  assert_int_equal(cycle->count, 1);
  assert_close(cycle->multipliers[0].real, 1, 1e-6);
  dls_cycle_destroy(cycle);
}

/* The elastic ball in millionths of seconds: what lies at the start of a run is told by the system's own unit of time. */
DLS_TEST(a_cycle_of_microseconds_has_its_returns)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  const given ball = {"bouncing-ball", "e=1 f=-2e12", "event-driven", DLS_IMPACT, 0, 6e-6, -1};
  assert_ok(find(&ball, &cycle, &err), err);
  assert_close(cycle->period, 2e-6, 1e-15);
  assert_close(cycle->v[0], 2e6, 1e-3);
  assert_int_equal(cycle->event_count, 1);
  dls_cycle_destroy(cycle);
}

static void assert_refused(const given *g, dls_status status, const char *why)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  const dls_status found = find(g, &cycle, &err);
  assert_null(cycle);
  if (found != status || strstr(err.text, why) == NULL) {
    fail_msg("expected '%s'\n     found '%s'", why, err.text);
  }
}

DLS_TEST(what_is_no_cycle_is_refused_with_the_reason)
{
  const char *by_events = "event-driven";
  const given refused[] = {{"woodpecker", NULL, by_events, DLS_STICK, 1, 2, -1},
                           {"belt", "Fs=1.5", by_events, DLS_STICK, 0, 30, 0},
                           {"woodpecker", NULL, by_events, DLS_STICK, 1, 2, 1},
                           {"woodpecker", NULL, by_events, DLS_STICK, 1, 0.1, 0},
                           {"woodpecker", NULL, by_events, DLS_STICK, 3, 2, 0},
                           {"woodpecker", NULL, "moreau-jean", DLS_STICK, 1, 2, 0},
                           {"bouncing-pendulum", NULL, by_events, DLS_IMPACT, 0, 5, -1}};
  assert_refused(&refused[0], DLS_ERR_NOCONV, "has the multiplier 1");
  assert_refused(&refused[1], DLS_ERR_NOT_APPLICABLE, "q0 does not drift, the motion depends on it");
  assert_refused(&refused[2], DLS_ERR_NOT_APPLICABLE, "q1 cannot drift, closed contacts determine it");
  assert_refused(&refused[3], DLS_ERR_NOCONV, "comes 1 times within end = 0.1 s");
  assert_refused(&refused[4], DLS_ERR_ARG, "there is no contact 3, the system has 3");
  assert_refused(&refused[5], DLS_ERR_NOT_APPLICABLE, "moreau-jean goes by steps");
  assert_refused(&refused[6], DLS_ERR_NOT_APPLICABLE, "not linear");
}

/* With a load, a support or a surface velocity that depends on t, the phase would be an additional coordinate. The ball on the table has a periodic
 * motion of two multipliers of modulus 1/2, and the map without the phase one of -1.42. */
DLS_TEST(a_forced_motion_is_no_cycle_of_its_own)
{
  static const struct {
    given motion;
    const char *what;
  } forced[] = {
      {{"forced-block", "F=0.7", "event-driven", DLS_STICK, 0, 30, -1}, "loads"},
      {{"impacting-oscillator", "amplitude=1", "event-driven", DLS_IMPACT, 0, 30, -1}, "loads"},
      {{"vibrating-table",
        "e=0.5 A=0.0035 omega=60 phase=0.6175179726128566 q0=0.0020265465649490413 v0=0.5136503988619312",
        "event-driven:tol=1e-12", DLS_IMPACT, 0, 6, -1},
       "moving supports"},
      {{"belt", "t1=2 vb1=0.5", "event-driven", DLS_STICK, 0, 30, -1}, "surface velocities"}};
  for (size_t i = 0; i < sizeof forced / sizeof forced[0]; i++) {
    dls_error err = {0};
    dls_cycle *cycle = NULL;
    assert_int_equal(find(&forced[i].motion, &cycle, &err), DLS_ERR_NOT_APPLICABLE);
    assert_null(cycle);
    assert_non_null(strstr(err.text, "explicit time dependence of the model"));
    assert_non_null(strstr(err.text, forced[i].what));
  }
}

/* A plug-in whose linear system has a surface and declares no time dependence. */
DLS_TEST(a_system_that_does_not_say_whether_it_depends_on_t_counts_as_one_that_does)
{
  dls_error err = {0};
  dls_cycle *cycle = NULL;
  const given silent = {"belt", "", "event-driven", DLS_STICK, 0, 30, -1};
  dls_system *sys = make_system(&silent);
  sys->explicit_time = DLS_TIME_UNKNOWN;
  assert_int_equal(find_in(sys, &silent, &cycle, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "not declared for loads, gaps and surfaces"));
}

static void assert_words(const char *text, bool good)
{
  dls_error err = {0};
  dls_request r = {0};
  assert_int_equal(dls_request_set_cycle(&r, text, &err) == DLS_OK, good);
}

DLS_TEST(the_event_is_a_kind_and_a_contact)
{
  dls_error err = {0};
  dls_request r = {0};
  assert_ok(dls_request_set_cycle(&r, "impact:2", &err), err);
  assert_int_equal(r.cycle_kind, DLS_IMPACT);
  assert_int_equal(r.cycle_contact, 2);
  assert_words("stick", true); /* of contact 0 */
  assert_words("slip:0", false);
  assert_words("stick:", false);
  assert_words("stick:-1", false);
  assert_words("stick:0.5", false);
  assert_words("sticks:0", false);
  assert_words("", false);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_belt_forgets_its_start),
      cmocka_unit_test(the_woodpecker_nears_its_cycle_as_its_multiplier_says),
      cmocka_unit_test(an_elastic_ball_has_the_multiplier_one),
      cmocka_unit_test(a_floor_without_friction_holds_nothing_along_it),
      cmocka_unit_test(a_cycle_of_microseconds_has_its_returns),
      cmocka_unit_test(what_is_no_cycle_is_refused_with_the_reason),
      cmocka_unit_test(a_forced_motion_is_no_cycle_of_its_own),
      cmocka_unit_test(a_system_that_does_not_say_whether_it_depends_on_t_counts_as_one_that_does),
      cmocka_unit_test(the_event_is_a_kind_and_a_contact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
