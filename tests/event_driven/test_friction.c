/* tests/event_driven/test_friction.c -- stick and slip against exact solutions: kinds and times of all events, states; the
 * numbers of systems without a closed form.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

typedef struct motion {
  const char *model;
  double end;
  double length, time; /* scales of what is compared [m, s] */
} motion;

static const motion motions[] = {
    {"incline", 1, 0.4, 0.4},
    {"incline:mu=0.7", 1, 0.4, 0.4},
    {"incline:v0=-1,mu=0.8", 1, 0.4, 0.4},
    {"incline-stack:mu1=0.2", 1, 1, 1},
    {"incline-stack:mu1=0.3,mu2=0.1", 1, 1, 1},
    {"incline-stack:mu1=0.7,mu2=0.8", 1, 1, 1},
    {"forced-block", 20, 1, 1},
    {"forced-block:F=0.3", 30, 1, 1},
    {"belt", 3, 1, 1},
    {"belt:Fs=1.5", 30, 1, 1},
    {"belt:vb=-0.3,Fs=2", 30, 1, 1},
    {"belt:Fs=1.5,t1=2,vb1=0.8", 20, 1, 1},  /* the belt jumps while it sticks, */
    {"belt:Fs=1.5,t1=5,vb1=-0.9", 20, 1, 1}, /* while it slips, */
    {"belt:Fs=1.5,t1=5,vb1=-0.5", 20, 1, 1}, /* and turns its slip round */
    {"belt:vb=0,t1=1,vb1=0.4,Fs=1.2", 9, 1, 1},
    {"den-hartog", 30, 1, 1},
    {"den-hartog:F=0.9,omega=0.6", 30, 1, 1},
    {"spring-block", 20, 1, 1},
    {"puck", 1, 0.1, 0.1},
    {"puck:mu=0.25,phi0=1", 4, 1, 1},
    {"puck-belt", 1, 0.1, 0.1},
    {"sphere", 1, 0.1, 0.1},
    {"superball", 5, 1, 1},
    {"superball:et=0.5,e=0.9,w=20", 3, 1, 1},
};
enum { MOTIONS = sizeof motions / sizeof motions[0] };

/* Errors of a run, over scales. */
typedef struct errors {
  double times, q, v;
} errors;

static dls_trajectory *exact_at(const motion *m, double t)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(m->model);
  assert_ok(dls_exact_at(dls_exact_find(choice.model->name), choice.parameters, 1, &t, &traj, &err), err);
  dls_model_choice_release(&choice);
  return traj;
}

/* Events after t = 0: those of the run are those of the exact solution, kind by kind. @return largest error of a time */
static double compare_events(const dls_trajectory *run, const dls_trajectory *exact)
{
  double worst = 0;
  size_t k = 0;
  for (size_t i = 0; i < run->event_count; i++) {
    const dls_event *is = &run->events[i];
    if (is->t == 0) {
      continue; /* landing: it starts in contact */
    }
    assert_true(k < exact->event_count);
    assert_string_equal(dls_event_kind_name(is->kind), dls_event_kind_name(exact->events[k].kind));
    worst = fmax(worst, fabs(is->t - exact->events[k++].t));
  }
  assert_int_equal(k, exact->event_count);
  return worst;
}

static errors errors_of(const motion *m, const char *scheme)
{
  errors worst = {0};
  for (int part = 1; part <= 3; part++) {
    const double end = part == 3 ? m->end : m->end * (part == 1 ? 0.21 : 0.643);
    test_run run = dls_test_run(m->model, scheme, 1, end);
    dls_trajectory *exact = exact_at(m, end);
    const size_t n = run.sim->sys->n;
    worst.times = fmax(worst.times, compare_events(run.traj, exact) / m->time);
    for (size_t i = 0; i < n; i++) {
      const double q = dls_trajectory_at(exact, exact->rows - 1, 1 + i);
      const double v = dls_trajectory_at(exact, exact->rows - 1, 1 + n + i);
      worst.q = fmax(worst.q, fabs(run.sim->q[i] - q) / (m->length + fabs(q)));
      worst.v = fmax(worst.v, fabs(run.sim->v[i] - v) * m->time / (m->length + fabs(v) * m->time));
    }
    for (size_t j = 0; j < run.sim->sys->m; j++) {
      char name[40];
      snprintf(name, sizeof name, "status%zu", j);
      const int column = dls_trajectory_column(exact, name);
      assert_int_equal(run.sim->status[j], (int)dls_trajectory_at(exact, exact->rows - 1, (size_t)column));
    }
    dls_trajectory_destroy(exact);
    dls_test_free(&run);
  }
  return worst;
}

DLS_TEST(events_and_states_are_those_of_the_exact_solutions)
{
  for (size_t k = 0; k < MOTIONS; k++) {
    const errors e = errors_of(&motions[k], "event-driven");
    print_message("%-40s times %.1e  q %.1e  v %.1e\n", motions[k].model, e.times, e.q, e.v);
    assert_between(e.times, 0, 1e-9);
    assert_between(e.q, 0, 1e-9);
    assert_between(e.v, 0, 1e-9);
  }
}

DLS_TEST(errors_fall_with_the_tolerance)
{
  for (size_t k = 0; k < MOTIONS; k++) {
    const errors coarse = errors_of(&motions[k], "event-driven:tol=1e-7"),
                 fine = errors_of(&motions[k], "event-driven:tol=1e-11");
    print_message("%-40s %.1e %.1e, v %.1e %.1e\n", motions[k].model, coarse.times, fine.times, coarse.v,
                  fine.v);
    assert_between(coarse.times, 0, 1e-6);
    assert_between(coarse.v, 0, 1e-6);
    assert_between(fine.times, 0, 0.1 * coarse.times + 1e-11);
    assert_between(fine.v, 0, 0.1 * coarse.v + 1e-11);
  }
}

DLS_TEST(the_one_step_engine_and_bdf_find_the_same)
{
  for (size_t k = 0; k < MOTIONS; k++) {
    const errors erk = errors_of(&motions[k], "event-driven:method=erk");
    print_message("%-40s erk %.1e %.1e\n", motions[k].model, erk.times, erk.v);
    assert_between(erk.times, 0, 1e-9);
    assert_between(erk.v, 0, 1e-9);
    const errors bdf = errors_of(&motions[k], "event-driven:method=bdf");
    assert_between(bdf.times, 0, 1e-8);
    assert_between(bdf.v, 0, 1e-8);
  }
}

DLS_TEST(a_hundred_stick_slip_events_of_the_belt)
{
  const motion belt = {"belt:Fs=1.5", 340, 1, 1};
  test_run run = dls_test_run(belt.model, "event-driven:tol=1e-12", 1, belt.end);
  dls_trajectory *exact = exact_at(&belt, belt.end);
  assert_true(exact->event_count >= 100);
  assert_between(compare_events(run.traj, exact), 0, 1e-10);
  for (size_t i = 0; i < 2; i++) {
    assert_close(run.sim->q[i], dls_trajectory_at(exact, exact->rows - 1, 1 + i), 1e-10);
    assert_close(run.sim->v[i], dls_trajectory_at(exact, exact->rows - 1, 3 + i), 1e-10);
  }
  dls_trajectory_destroy(exact);
  dls_test_free(&run);
}

static const dls_event *event_of(const dls_trajectory *traj, dls_event_kind kind, size_t k)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].kind == kind && k-- == 0) {
      return &traj->events[i];
    }
  }
  fail_msg("there is no such event of kind %s", dls_event_kind_name(kind));
  return NULL;
}

/* Slip goes on through the accumulation as if it were contact, or ends in one of its impacts. */
DLS_TEST(slip_goes_through_an_accumulation)
{
  static const char *const models[] = {"bounce-slip", "bounce-slip:mu=0.2", "bounce-slip:mu=0.05,vx=1,w=-3",
                                       "bounce-slip:mu=0.01,vx=0.2,e=0.8"};
  for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
    const motion m = {models[k], 6, 1, 1};
    test_run run = dls_test_run(m.model, "event-driven", 1, m.end);
    dls_trajectory *exact = exact_at(&m, m.end);
    for (size_t i = 0; i < 3; i++) {
      const double q = dls_trajectory_at(exact, exact->rows - 1, 1 + i);
      assert_close(run.sim->q[i], q, 1e-11 * (1 + fabs(q)));
      assert_close(run.sim->v[i], dls_trajectory_at(exact, exact->rows - 1, 4 + i), 1e-11 * (1 + fabs(q)));
    }
    assert_int_equal(run.sim->status[0], 1);
    dls_trajectory_destroy(exact);
    dls_test_free(&run);
  }
  test_run run = dls_test_run("bounce-slip", "event-driven", 1, 3);
  assert_close(event_of(run.traj, DLS_STICK, 0)->t, 2.32998398136013, 1e-11);
  const dls_event *passed = event_of(run.traj, DLS_ACCUMULATION, 0);
  assert_close(passed->friction[0], -0.1 * passed->impulse, 1e-15);
  assert_between(passed->work_friction, -1, -1e-9);
  dls_test_free(&run);
}

/* Each flight may end a little too high, which its impact speed turns into time: with tol = 1e-10 some 1e-9 s in all, although
 * nothing is lost in passing the rest. The gap is 0 at a position that is not 0. */
DLS_TEST(an_accumulation_ends_within_the_bound_of_its_time)
{
  const double e[] = {0.2, 0.35, 0.5, 0.65, 0.8, 0.9}, g = 9.81;
  for (size_t i = 0; i < sizeof e / sizeof *e; i++) {
    char model[60];
    snprintf(model, sizeof model, "bounce-slip:e=%g,mu=0.1", e[i]);
    const double end = sqrt(2 / g) * (1 + e[i]) / (1 - e[i]); /* from 1 m */
    test_run run = dls_test_run(model, "event-driven", 1, 1.01 * end);
    const dls_event *passed = event_of(run.traj, DLS_ACCUMULATION, 0);
    const double off = fabs(passed->t - end);
    assert_between(off, 0, passed->bound_time);
    assert_between(off, 1e-16, 5e-9 / (1 - e[i]));
    assert_between(passed->bound_time, 1e-10, 1e-7 / (1 - e[i]));
    dls_test_free(&run);
  }
}

/* A sphere's normal impulse does not change its slip: Poisson's law is Newton's there. */
DLS_TEST(poissons_law_is_newtons_where_the_slip_is_free)
{
  test_run newton = dls_test_run("bounce-slip:mu=0.2", "event-driven", 1, 2),
           poisson = dls_test_run("bounce-slip:mu=0.2 poisson:e=0.5,mu=0.2", "event-driven", 1, 2);
  assert_true(newton.traj->event_count > 10);
  for (size_t i = 0; i < 3; i++) {
    assert_close(poisson.sim->q[i], newton.sim->q[i], 1e-10 * (1 + fabs(newton.sim->q[i])));
    assert_close(poisson.sim->v[i], newton.sim->v[i], 1e-10 * (1 + fabs(newton.sim->v[i])));
  }
  dls_test_free(&newton);
  dls_test_free(&poisson);
}

/* Turning point of the bowl: theta' = 0 in the closed form of theta'^2, time by quadrature. */
DLS_TEST(the_rough_bowl_turns_where_it_must)
{
  test_run run = dls_test_run("rough-bowl", "event-driven", 1, 1.05437996837416);
  assert_close(atan2(run.sim->q[0], -run.sim->q[1]), 0.73606974298544, 1e-10);
  dls_test_free(&run);
  run = dls_test_run("rough-bowl", "event-driven", 1, 1.2);
  assert_close(event_of(run.traj, DLS_REVERSAL, 0)->t, 1.05437996837416, 1e-10);
  dls_test_free(&run);
  run = dls_test_run("rough-bowl", "event-driven", 1, 0.577613188225255);
  assert_close(run.sim->v[0], 2.64869830338015, 1e-10);
  assert_close(run.sim->lambda[0] / 9.81, 1.71514808382557, 1e-10);
  dls_test_free(&run);
}

/* An impact leaves 1 - 3/2 sin(alpha)^2 of the angular velocity as long as the corner does not slip. */
DLS_TEST(the_rocking_block_loses_what_housner_says)
{
  const double sine = 0.1 / hypot(0.1, 0.5);
  test_run run = dls_test_run("rocking-block", "event-driven:tol=1e-11", 1, 0.5);
  const dls_event *impact = event_of(run.traj, DLS_IMPACT, 0);
  assert_close(impact->t, 1.38837434715553 / 4, 1e-10);
  for (size_t row = 1; row < run.traj->rows; row++) {
    if (dls_trajectory_at(run.traj, row - 1, 0) == impact->t) { /* the left limit */
      const double before = dls_trajectory_at(run.traj, row - 1, 6);
      assert_close(dls_trajectory_at(run.traj, row, 6) / before, 1 - 1.5 * sine * sine, 1e-10);
      break;
    }
  }
  dls_test_free(&run);
}

DLS_TEST(painleves_rod_slips_and_stops)
{
  test_run run = dls_test_run("painleve-rod", "event-driven", 1, 0.0707187663);
  assert_close(run.sim->q[2] * 180 / acos(-1), 63.4652394, 1e-6);
  dls_test_free(&run);
  run = dls_test_run("painleve-rod", "event-driven", 1, 0.1);
  assert_close(event_of(run.traj, DLS_STICK, 0)->t, 0.0707187663, 1e-10);
  dls_test_free(&run);
}

static void expect_jam(const char *model, double from, double to)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, "event-driven");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.end = 1, .record = run.traj}, &err), DLS_ERR_PAINLEVE);
  assert_non_null(strstr(err.text, "Painlevé paradox: no consistent contact force at contact 0 at t = "));
  assert_between(run.sim->t, from, to);
  assert_false(run.traj->complete);
  dls_test_free(&run);
}

/* tan(theta) in (3 mu -+ sqrt(9 mu^2 - 16))/2 while it slips to the left. */
DLS_TEST(painleves_rod_jams_where_it_has_no_force)
{
  expect_jam("painleve-rod:mu=2,theta0=0.5235987755982988,omega0=2,ut0=-10", 0.054144, 0.05414506);
  expect_jam("painleve-rod:mu=2,theta0=1.0471975511965976,ut0=-1", 0, 0);
  test_run run = dls_test_run("painleve-rod:mu=2,theta0=1.0471975511965976,ut0=1", "event-driven", 1, 0.05);
  dls_test_free(&run); /* to the right it has one */
  run = dls_test_run("painleve-rod:mu=1.3,theta0=1.1071487177940904,ut0=-1", "event-driven", 1, 0.01);
  dls_test_free(&run); /* mu below 4/3 */
}

/* Impact without collision: the rod stops, energy falls by W_NN u^2 / (2 det W). */
DLS_TEST(an_impulse_without_collision_stops_the_rod)
{
  test_run run = dls_test_run("painleve-rod:mu=2,theta0=1.0471975511965976,ut0=-1",
                              "event-driven:painleve=impact", 1, 1e-9);
  const dls_event *event = event_of(run.traj, DLS_PAINLEVE, 0);
  assert_close(event->impulse, 0.324759526419165, 1e-14);
  assert_close(event->friction[0], 0.4375, 1e-14);
  assert_close(event->work_normal + event->work_friction, -7.0 / 32, 1e-14);
  assert_close(event->slip_plus[0], 0, 1e-15);
  assert_int_equal(run.sim->status[0], 1);
  dls_test_free(&run);
}

/* A < 0 and the end lifts by itself: it opens, though there is a second solution. */
DLS_TEST(an_indeterminate_contact_opens_and_says_so)
{
  test_run run =
      dls_test_run("painleve-rod:mu=2,theta0=1.0471975511965976,omega0=5,ut0=-1", "event-driven", 1, 0.01);
  assert_int_equal(event_of(run.traj, DLS_GRAZING, 0)->solutions, 2);
  assert_int_equal(run.sim->status[0], 0);
  dls_test_free(&run);
}

/* Relative change of the energy in the impact of Kane's pendulum. */
DLS_TEST(laws_of_impact_have_the_energy_that_they_must)
{
  const struct {
    const char *model;
    double change;
  } cases[] = {
      {"kane:e=0.5,mu=0.5", 0.587494686930},
      {"kane:e=0.5,mu=0.5 fremond", -0.437570384768},
      {"kane:e=0.5,mu=0.25", -0.044114356228},
      {"kane:e=0.5,mu=0.25 fremond", -0.385847416945},
      {"kane:e=0.7,mu=0.6", 2.111489586383},
      {"kane:e=0.7,mu=0.6 fremond", -0.379562603866},
      {"kane:e=1,mu=0.1", 0.090824809585},
      {"kane:e=1,mu=0.1 fremond", -0.063027187402},
      {"kane:e=0,mu=0.5 newton-coulomb:e=0,mu=0.5", -0.486396517487},
      {"kane:e=0,mu=0.5 fremond", -0.486396517487},
  };
  const double v[2] = {-0.1, -0.2}, coupling = 0.5 * cos(acos(-1) / 18);
  const double energy = 0.5 * (4.0 / 3 * v[0] * v[0] + 2 * coupling * v[0] * v[1] + v[1] * v[1] / 3);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    test_run run = dls_test_run(cases[k].model, "event-driven", 1, 0.01);
    const dls_event *impact = event_of(run.traj, DLS_IMPACT, 0);
    assert_close((impact->work_normal + impact->work_friction) / energy, cases[k].change, 1e-11);
    dls_test_free(&run);
  }
}

/* From the last slip but one of the lower edge to the last: period, descent, events. */
static void cycle_of(const test_run *run, size_t slips, double *period, double *descent, size_t *events)
{
  const dls_event *last = event_of(run->traj, DLS_SLIP, slips - 1),
                  *before = event_of(run->traj, DLS_SLIP, slips - 2);
  double y[2] = {0};
  for (size_t row = 0; row < run->traj->rows; row++) {
    const double t = dls_trajectory_at(run->traj, row, 0);
    y[0] = t == before->t ? dls_trajectory_at(run->traj, row, 1) : y[0];
    y[1] = t == last->t ? dls_trajectory_at(run->traj, row, 1) : y[1];
  }
  *period = last->t - before->t;
  *descent = y[0] - y[1];
  *events = (size_t)(last - before);
}

/* Transients fall by 0.84 a cycle. */
DLS_TEST(the_woodpecker_comes_down_as_it_must)
{
  double period[2], descent[2];
  for (int fine = 0; fine < 2; fine++) {
    test_run run = dls_test_run("woodpecker", fine ? "event-driven" : "event-driven:tol=1e-9", 1, 16);
    size_t slips = 0, events = 0;
    for (size_t k = 0; k < run.traj->event_count; k++) {
      slips += run.traj->events[k].kind == DLS_SLIP;
    }
    cycle_of(&run, slips, &period[fine], &descent[fine], &events);
    assert_int_equal(events, 9);
    dls_test_free(&run);
  }
  assert_close(period[1], 0.145976, 5e-7);
  assert_close(descent[1], 0.0194454, 5e-8);
  assert_close(descent[1], 9.15644e-4 / ((0.0045 + 0.0003) * 9.81), 2e-7);
  assert_close(period[0], period[1], 1e-8 * period[1]);
  assert_close(descent[0], descent[1], 1e-8 * descent[1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(events_and_states_are_those_of_the_exact_solutions),
      cmocka_unit_test(errors_fall_with_the_tolerance),
      cmocka_unit_test(the_one_step_engine_and_bdf_find_the_same),
      cmocka_unit_test(a_hundred_stick_slip_events_of_the_belt),
      cmocka_unit_test(slip_goes_through_an_accumulation),
      cmocka_unit_test(an_accumulation_ends_within_the_bound_of_its_time),
      cmocka_unit_test(poissons_law_is_newtons_where_the_slip_is_free),
      cmocka_unit_test(the_rough_bowl_turns_where_it_must),
      cmocka_unit_test(the_rocking_block_loses_what_housner_says),
      cmocka_unit_test(painleves_rod_slips_and_stops),
      cmocka_unit_test(painleves_rod_jams_where_it_has_no_force),
      cmocka_unit_test(an_impulse_without_collision_stops_the_rod),
      cmocka_unit_test(an_indeterminate_contact_opens_and_says_so),
      cmocka_unit_test(laws_of_impact_have_the_energy_that_they_must),
      cmocka_unit_test(the_woodpecker_comes_down_as_it_must),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
