/* test_friction_invariants.c -- what friction must leave as it is, by events: tangents turned, left and right exchanged, a belt seen
 * from itself, a floor far away; no friction at mu = 0, rest at large mu; a surface that jumps has both of its speeds; contacts
 * without a force are exactly those of Painleve's condition. Source: Genot, Brogliato 1999 for the last.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <string.h>

/* A model's run with a system that the test has changed. */
static ed_run changed(const char *model, double end, void (*change)(dls_system *sys))
{
  dls_system *sys = dls_test_system(model);
  change(sys);
  return ed_system(sys, end, NULL);
}

static void leave(dls_system *sys)
{
  (void)sys;
}

/* The same events one by one, at the same times. */
static void expect_same_events(const ed_run *a, const ed_run *b, double most)
{
  assert_int_equal(a->traj->event_count, b->traj->event_count);
  for (size_t i = 0; i < a->traj->event_count; i++) {
    const dls_event *x = &a->traj->events[i], *y = &b->traj->events[i];
    assert_true(x->kind == y->kind && x->contact == y->contact);
    assert_close(y->t, x->t, most);
  }
}

static void expect_same_motion(const ed_run *a, const ed_run *b, double most)
{
  for (size_t i = 0; i < a->sys->n; i++) {
    assert_close(b->sim->q[i], a->sim->q[i], most);
    assert_close(b->sim->v[i], a->sim->v[i], most);
  }
}

/* Tangents of contact j turned by 0.7 + j rad. */
static void turn_tangents(dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    const double c = cos(0.7 + (double)j), s = sin(0.7 + (double)j);
    for (size_t i = 0; i < sys->n; i++) {
      const double t1 = dls_matrix_get(sys->T, i, 2 * j), t2 = dls_matrix_get(sys->T, i, 2 * j + 1);
      dls_matrix_set(sys->T, i, 2 * j, c * t1 + s * t2);
      dls_matrix_set(sys->T, i, 2 * j + 1, c * t2 - s * t1);
    }
  }
}

/* Slides that turn, ends of slip, impacts of three contacts, accumulations, sticking. */
DLS_TEST(tangents_may_be_turned)
{
  static const struct {
    const char *model;
    double end;
    size_t events;
  } cases[] = {{"sphere", 0.6, 2},
               {"puck", 0.5, 2},
               {"random-frictional:n=9,m=3,dim=3,seed=4,e=0.5,amplitude=8", 2, 8},
               {"random-frictional:n=9,m=3,dim=3,seed=5,e=0.5,amplitude=8 fremond:e=0.4,mu=0.6", 2, 8}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ed_run a = changed(cases[k].model, cases[k].end, leave),
           b = changed(cases[k].model, cases[k].end, turn_tangents);
    assert_true(a.traj->event_count >= cases[k].events);
    expect_same_events(&a, &b, 1e-9);
    expect_same_motion(&a, &b, 1e-9);
    ed_end(&a);
    ed_end(&b);
  }
}

/* The other way round: the phase by pi, q0, v0 and the belt by their sign. */
DLS_TEST(left_and_right_are_alike)
{
  static const char *const pairs[][2] = {
      {"forced-block:q0=0.1,v0=0.3,phase=0.4", "forced-block:q0=-0.1,v0=-0.3,phase=3.5415926535897931"},
      {"den-hartog:q0=0.1,v0=0.3,phase=0.4", "den-hartog:q0=-0.1,v0=-0.3,phase=3.5415926535897931"},
      {"belt:vb=0.5,Fs=1.5,t1=5,vb1=-0.9", "belt:vb=-0.5,Fs=1.5,t1=5,vb1=0.9"}};
  for (size_t k = 0; k < 3; k++) {
    ed_run a = changed(pairs[k][0], 12, leave), b = changed(pairs[k][1], 12, leave);
    assert_true(a.traj->event_count >= 4);
    expect_same_events(&a, &b, 1e-11);
    assert_close(b.sim->q[0], -a.sim->q[0], 1e-11);
    assert_close(b.sim->v[0], -a.sim->v[0], 1e-11);
    ed_end(&a);
    ed_end(&b);
  }
}

static const double speed = 0.75; /* m/s */

/* Seen from the belt: the belt rests, and the puck comes along with -vb. */
static void stand_on_belt(dls_system *sys)
{
  sys->surface = NULL;
  sys->v0[0] -= speed;
}

DLS_TEST(a_belt_may_be_seen_from_itself)
{
  for (double end = 0.1; end < 1; end += 0.2) { /* it sticks from 0.57 s on */
    ed_run room = changed("puck-belt:vb=0.75,v0=1.5", end, leave),
           belt = changed("puck-belt:vb=0.75,v0=1.5", end, stand_on_belt);
    expect_same_events(&room, &belt, 1e-14);
    assert_close(belt.sim->v[0] + speed, room.sim->v[0], 1e-14);
    assert_close(belt.sim->q[0] + speed * end, room.sim->q[0], 1e-14);
    assert_close(belt.sim->v[1], room.sim->v[1], 1e-14);
    assert_close(belt.sim->lambda_t[0], room.sim->lambda_t[0], 1e-13);
    ed_end(&room);
    ed_end(&belt);
  }
}

static void floor_velocity(const dls_system *sys, double t, const double *q, double *b_t)
{
  (void)t, (void)q;
  for (size_t i = 0; i < (sys->d - 1) * sys->m; i++) {
    b_t[i] = -speed;
  }
}

/* On a floor that moves, and along with it. */
static void move_floor(dls_system *sys)
{
  sys->surface = floor_velocity;
  sys->v0[0] += speed;
}

static void start_far_away(dls_system *sys)
{
  sys->q0[0] += 1e4;
}

/* Impacts, their accumulation, slip through it, rolling: the floor's speed and place along x change rounding only, which the
 * flights before the end of the impacts turn into 1e-9 s. */
DLS_TEST(a_floor_may_move_or_be_far_away)
{
  ed_run here = changed("bounce-slip", 2.5, leave), moving = changed("bounce-slip", 2.5, move_floor),
         far = changed("bounce-slip", 2.5, start_far_away);
  assert_true(here.traj->event_count > 10);
  expect_same_events(&here, &moving, 1e-8);
  expect_same_events(&here, &far, 1e-8);
  for (size_t i = 0; i < 3; i++) {
    assert_close(moving.sim->v[i] - (i == 0 ? speed : 0), here.sim->v[i], 1e-12);
    assert_close(far.sim->v[i], here.sim->v[i], 1e-12);
    assert_close(moving.sim->q[i] - (i == 0 ? speed * 2.5 : 0), here.sim->q[i],
                 1e-12 * (1 + fabs(here.sim->q[i])));
    assert_close(far.sim->q[i] - (i == 0 ? 1e4 : 0), here.sim->q[i], 1e-11 * (1 + fabs(here.sim->q[i])));
  }
  ed_end(&here);
  ed_end(&moving);
  ed_end(&far);
}

DLS_TEST(without_friction_the_law_is_newtons)
{
  static const char *const models[][2] = {{"bounce-slip newton", "bounce-slip:mu=0"},
                                          {"kane newton:e=0.5", "kane moreau:e=0.5,mu=0"},
                                          {"random-frictional:n=6,m=3,seed=3,mu=0 newton:e=0.5",
                                           "random-frictional:n=6,m=3,seed=3,mu=0 newton-coulomb:e=0.5,mu=0"}};
  for (size_t k = 0; k < 3; k++) {
    ed_run newton = changed(models[k][0], 1, leave), zero = changed(models[k][1], 1, leave);
    assert_true(newton.traj->event_count >= 1);
    expect_same_events(&newton, &zero, 0);
    expect_same_motion(&newton, &zero, 0);
    ed_end(&newton);
    ed_end(&zero);
  }
}

/* mu = 1e6: the slip of the sphere ends at once, in 2 |u|/(7 mu g) = 5e-7 s. */
DLS_TEST(with_much_friction_it_sticks)
{
  ed_run run = changed("sphere:mu=1e6", 0.5, leave);
  const double u[] = {1 - 0.1 * 20, 0.5 + 0.1 * 30};
  assert_close(ed_event(&run, DLS_STICK, 0)->t, 2 * hypot(u[0], u[1]) / (7 * 1e6 * 9.81), 1e-13);
  assert_close(run.sim->v[0], 1 - 2 * u[0] / 7, 1e-9);
  assert_close(run.sim->v[1], 0.5 - 2 * u[1] / 7, 1e-9);
  assert_int_equal(run.sim->status[0], 1);
  ed_end(&run);
}

/* The belt jumps from 0.5 m/s while it carries the block (at 2 s), and while the block slips (at 5 s): both limits at the node, and the
 * event, have the slip that goes with the speed of their side. */
DLS_TEST(a_surface_that_jumps_has_both_speeds)
{
  static const struct {
    const char *model;
    double at, to;
    bool sticks;
  } cases[] = {{"belt:Fs=1.5,t1=2,vb1=0.8", 2, 0.8, true}, {"belt:Fs=1.5,t1=5,vb1=-0.9", 5, -0.9, false}};
  for (size_t k = 0; k < 2; k++) {
    ed_run run = changed(cases[k].model, 6, leave);
    size_t row = 0;
    while (ed_at(&run, row, "t") < cases[k].at) {
      row++;
    }
    assert_true(ed_at(&run, row, "t") == cases[k].at && ed_at(&run, row + 1, "t") == cases[k].at);
    const double v = ed_at(&run, row, "v0");
    assert_true(ed_at(&run, row + 1, "v0") == v); /* no impact */
    assert_close(ed_at(&run, row, "u0t"), v - 0.5, 1e-15);
    assert_close(ed_at(&run, row + 1, "u0t"), v - cases[k].to, 1e-15);
    assert_true((fabs(v - 0.5) < 1e-12) == cases[k].sticks);
    const dls_event *event = NULL;
    for (size_t i = 0; i < run.traj->event_count; i++) {
      event = run.traj->events[i].t == cases[k].at ? &run.traj->events[i] : event;
    }
    if (event != NULL) { /* slip that goes on is none */
      assert_close(event->slip_minus[0], v - 0.5, 1e-12);
      assert_close(event->slip_plus[0], v - cases[k].to, 1e-15);
    }
    assert_true((event != NULL) == (cases[k].sticks || (v - 0.5) * (v - cases[k].to) < 0));
    ed_end(&run);
  }
}

/* The rod at angles, rates, coefficients and both directions of slip: m A = 1 + 3 cos^2 + s mu 3 sin cos (m = l = 1, J = 1/3),
 * beta = -g + l theta'^2 sin. It jams at once iff A < 0 and beta < 0. */
DLS_TEST(inconsistent_is_what_has_no_force)
{
  size_t jams = 0, others = 0;
  for (int k = 0; k < 240; k++) {
    char model[120];
    const double theta = 0.1 + 0.06 * (k % 24), omega = k / 24 % 2 == 0 ? 0.5 : 4.5;
    const double mu = 0.7 + 0.45 * (k / 48), s = k % 3 == 0 ? 1 : -1;
    snprintf(model, sizeof model, "painleve-rod:mu=%.17g,theta0=%.17g,omega0=%.17g,ut0=%g", mu, theta, omega,
             s);
    const double A = 1 + 3 * cos(theta) * cos(theta) + s * mu * 3 * sin(theta) * cos(theta);
    const double beta = -9.81 + omega * omega * sin(theta);
    ed_run run = ed_try(dls_test_system(model), 1e-7, NULL);
    if (A < 0 && beta < 0) {
      assert_int_equal(run.status, DLS_ERR_PAINLEVE);
      jams++;
    } else {
      assert_ok(run.status, run.err);
      assert_int_equal(run.sim->status[0], beta < 0 ? 2 : 0);
      others++;
    }
    ed_end(&run);
  }
  assert_true(jams > 20 && others > 100);
}

/* The puck comes to rest downhill, whatever way it went (theory of the model: phi -> 0): just before it stands, friction is mu lambda_N uphill. */
DLS_TEST(friction_is_against_the_slip_until_it_ends)
{
  static const double mu[] = {0.3, 0.35, 0.5, 0.8};
  for (size_t k = 0; k < 8; k++) {
    char model[60];
    snprintf(model, sizeof model, "puck:mu=%g,phi0=%g", mu[k % 4], k < 4 ? 2.0 : -1.0);
    ed_run run = ed_system(dls_test_system(model), 2, NULL);
    const dls_event *stick = ed_event(&run, DLS_STICK, 0);
    size_t row = 0;
    while (ed_at(&run, row, "t") < stick->t) {
      row++;
    }
    const double force = mu[k % 4] * ed_at(&run, row, "lambda0");
    assert_close(ed_at(&run, row, "t"), stick->t, 0);
    assert_close(hypot(ed_at(&run, row, "lambda0t1"), ed_at(&run, row, "lambda0t2")), force, 1e-12);
    assert_close(ed_at(&run, row, "lambda0t1"), -force, 1e-3);
    assert_close(ed_at(&run, row + 1, "lambda0t1"), -9.81 * sin(atan(0.2)), 1e-9); /* it stands */
    ed_end(&run);
  }
}

/* The load exceeds friction by 3e-5 of it, for 8e-3 s: slip of up to 3e-7 m/s, less than eps.s at this tol, begins and ends. */
DLS_TEST(slip_that_remains_slow_ends_where_it_turns)
{
  ed_run run =
      ed_system(dls_test_system("forced-block:F=0.99997"), 20, (const char *const[]){"tol=1e-8", NULL});
  double fastest = 0;
  for (size_t row = 0; row < run.traj->rows; row++) {
    const double u = ed_at(&run, row, "u0t");
    fastest = fmax(fastest, fabs(u));
    assert_true(ed_at(&run, row, "status0") != 2 || u * ed_at(&run, row, "lambda0t") <= 3e-8);
  }
  assert_between((double)ed_count(&run, DLS_STICK), 6, 7);
  assert_close(fastest, 4.0 / 3 * 3e-5 * sqrt(6e-5), 2e-8);
  ed_end(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_may_be_turned),
      cmocka_unit_test(left_and_right_are_alike),
      cmocka_unit_test(a_belt_may_be_seen_from_itself),
      cmocka_unit_test(a_floor_may_move_or_be_far_away),
      cmocka_unit_test(without_friction_the_law_is_newtons),
      cmocka_unit_test(with_much_friction_it_sticks),
      cmocka_unit_test(a_surface_that_jumps_has_both_speeds),
      cmocka_unit_test(inconsistent_is_what_has_no_force),
      cmocka_unit_test(friction_is_against_the_slip_until_it_ends),
      cmocka_unit_test(slip_that_remains_slow_ends_where_it_turns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
