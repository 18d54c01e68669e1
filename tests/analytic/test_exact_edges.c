/* test_exact_edges.c -- exact solutions where a formula has a case of its own: no friction, no speed, no force, at rest from the start; and
 * calls that make no sense. References: uniform and uniformly slowed motion, arcs of circles.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column of the exact solution at t, the right limit. */
static double value_at(const char *text, double t, const char *column)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice model = dls_test_model(text);
  assert_ok(dls_exact_at(dls_exact_find(model.model->name), model.parameters, 1, &t, &traj, &err), err);
  const int j = dls_trajectory_column(traj, column);
  assert_true(j >= 0);
  const double x = dls_trajectory_at(traj, traj->rows - 1, (size_t)j);
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&model);
  return x;
}

static void refuses(const char *text, const char *reason)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice model = dls_test_model(text);
  assert_int_equal(
      dls_exact_trajectory(dls_exact_find(model.model->name), model.parameters, 1, 1e-3, &traj, &err),
      DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, reason));
  assert_null(traj);
  dls_model_choice_release(&model);
}

/* Of the end of a beam of length 1 and 2 elements, bent by a moment to the curvature M: (sin M / M - 1, (1 - cos M) / M, M). */
DLS_TEST(a_moment_bends_a_beam_to_an_arc)
{
  static const double moments[] = {0.5, -2, 3.141592653589793};
  for (size_t i = 0; i < 3; i++) {
    char text[80];
    const double M = moments[i];
    snprintf(text, sizeof text, "cantilever:n=2,P=0,M=%.17g", M);
    assert_close(value_at(text, 1, "q3") - value_at("cantilever:n=2,P=0", 1, "q3"), sin(M) / M - 1, 1e-14);
    assert_close(value_at(text, 1, "q4"), (1 - cos(M)) / M, 1e-14);
    assert_close(value_at(text, 1, "q5"), M, 1e-14);
    assert_close(value_at(text, 1, "v4"), 0, 0);
  }
  assert_close(value_at("cantilever:n=2,P=0", 1, "q4"), 0, 0);
  assert_close(value_at("cantilever:n=2,P=-1", 1, "q4"), -value_at("cantilever:n=2,P=1", 1, "q4"), 1e-15);
}

DLS_TEST(what_has_no_closed_form_is_refused)
{
  refuses("cantilever:P=301", "P l^2/EI = 301 is more than 300, for which the closed form is evaluated");
  refuses("cantilever:P=1,M=1", "P = 1 N and M = 1 N m: there is a closed form for one of them only");
  refuses("cantilever:start=straight", "start=static");
  refuses("den-hartog:omega=1", "omega = 1 rad/s is the frequency of the spring: no such solution");
  refuses("spin-up-beam", "there is a closed form of steady rotation only, rise=0");
}

/* Without friction nothing slows down; what does not slide at first rests. */
DLS_TEST(sliding_without_friction_or_without_speed)
{
  assert_close(value_at("sphere:mu=0", 7, "v0"), 1, 0);
  assert_close(value_at("sphere:mu=0", 7, "v1"), 0.5, 0);
  assert_close(value_at("sphere:mu=0", 7, "q0"), 7, 1e-14);
  assert_close(value_at("sphere:vx=0,vy=0,wx=0,wy=0", 7, "q0"), 0, 0);
  assert_close(value_at("sphere:vx=0,vy=0,wx=0,wy=0", 7, "v1"), 0, 0);
  assert_close(value_at("sphere:vx=0.2,vy=0,wx=0,wy=2", 5, "q0"), 1, 1e-15); /* it rolls: v = omega R */
  assert_close(value_at("puck-belt:mu=0", 3, "v1"), 1, 0);
  assert_close(value_at("puck-belt:mu=0", 3, "q1"), 3, 1e-15);
  assert_close(value_at("puck-belt:v0=0,vb=0", 3, "q0"), 0, 0);
  assert_close(value_at("puck:mu=0,alpha=0,v0=2,phi0=0", 3, "q0"), 6, 1e-14);
  assert_close(value_at("puck:mu=0,alpha=0,v0=2,phi0=0", 3, "v0"), 2, 1e-15);
}

/* On a level plane the puck goes straight on, v - mu g t, and stops after v^2/(2 mu g). */
DLS_TEST(a_puck_on_a_level_plane_goes_straight)
{
  static const char text[] = "puck:mu=0.1,alpha=0,v0=2,phi0=0.6435011087932844,g=10"; /* cos, sin = 0.8, 0.6 */
  assert_close(value_at(text, 1, "v0"), 0.8, 1e-14);
  assert_close(value_at(text, 1, "v1"), 0.6, 1e-14);
  assert_close(value_at(text, 1, "q0"), 0.8 * 1.5, 1e-14);
  assert_close(value_at(text, 1, "q1"), 0.6 * 1.5, 1e-14);
  assert_close(value_at(text, 5, "v0"), 0, 0);
  assert_close(value_at(text, 5, "q0"), 1.6, 1e-14);
  assert_close(value_at(text, 5, "q1"), 1.2, 1e-14);
  assert_close(value_at("puck:mu=0.1,alpha=0,v0=0", 5, "q0"), 0, 0);
}

/* Down the slope, without friction: g sin(alpha) t. */
DLS_TEST(a_puck_let_go_on_a_slope_without_friction_falls_down_it)
{
  const double a = 10 * sin(0.3);
  assert_close(value_at("puck:mu=0,alpha=0.3,v0=0,g=10", 2, "v0"), 2 * a, 1e-14);
  assert_close(value_at("puck:mu=0,alpha=0.3,v0=0,g=10", 2, "q0"), 2 * a, 1e-14);
  assert_close(value_at("puck:mu=0,alpha=0.3,v0=0,g=10", 2, "v1"), 0, 1e-15);
}

DLS_TEST(a_ball_that_lies_on_the_floor_stays_or_leaves)
{
  assert_close(value_at("bouncing-ball:q0=0,f=-2", 1, "q0"), 0, 0);
  assert_close(value_at("bouncing-ball:q0=0,f=-2", 0, "lambda0"), 2, 0);
  assert_close(value_at("bouncing-ball:q0=0,f=2", 3, "q0"), 9, 1e-14);
  assert_close(value_at("bouncing-ball:q0=0,f=0", 3, "q0"), 0, 0);
  assert_close(value_at("bouncing-ball:q0=0,v0=-1,f=0,e=0.5", 4, "q0"), 2, 1e-15);
  assert_close(value_at("bouncing-ball:q0=0,v0=-1,f=0,e=0", 4, "v0"), 0, 0);
}

/* Disc 1 is three radii behind disc 0, so that both gaps close at t = 1: the wall turns disc 0 back with e, and disc 1 leaves it as fast as e times
 * what they neared each other. v+ = e, e + e; impulses m1 (2 + 2 e) between them and m0 (1 + e) more on the wall. */
DLS_TEST(a_disc_that_hits_the_wall_while_another_hits_it_bounces_off_both)
{
  static const double es[] = {0, 0.5, 1};
  for (size_t i = 0; i < 3; i++) {
    char text[160];
    const double e = es[i], m0 = 2, m1 = 3;
    snprintf(
        text, sizeof text,
        "rigid-discs:R=1,m0=2,m1=3,e=%.17g,left=0,right=99,floor=-99,top=99,x0=2,y0=0,x1=5,y1=0,vx0=-1,vy0=0,"
        "vx1=-2,vy1=0",
        e);
    assert_close(value_at(text, 1, "v0"), e, 1e-15);
    assert_close(value_at(text, 1, "v2"), 2 * e, 1e-15);
    assert_close(value_at(text, 1, "p8"), m1 * (2 + 2 * e), 1e-14);
    assert_close(value_at(text, 1, "p3"), m1 * (2 + 2 * e) + m0 * (1 + e), 1e-14);
  }
}

/* Wherever the discs are and whatever they do, in the small: the gaps of the model, and their rates. */
DLS_TEST(gaps_of_the_pile_are_those_of_its_model)
{
  enum { DISCS = 9, N = 3 * DISCS, M = 2 * DISCS };
  static const char text[] = "lattice-pile:rows=3,columns=4";
  dls_error err = {0};
  dls_model_choice model = dls_test_model(text);
  dls_system *sys = dls_test_system(text);
  const dls_exact *exact = dls_exact_find("lattice-pile");
  dls_exact_solution *sol = NULL;
  double q[N], v[N], g[M], u[M], expected[M], rate[M];
  assert_int_equal(sys->n, N);
  assert_int_equal(sys->m, M);
  for (size_t i = 0; i < N; i++) {
    q[i] = 1e-9 * sin(3.7 * (double)i);
    v[i] = cos(2.3 * (double)(i * i));
  }
  assert_ok(exact->create(model.parameters, 1, &sol, &err), err);
  exact->gap(sol, 0, q, v, g, u);
  dls_system_gap(sys, 0, q, expected);
  dls_system_gradient(sys, q, sys->H);
  for (size_t j = 0; j < M; j++) {
    rate[j] = dls_matrix_column_dot(sys->H, j, v);
    assert_close(g[j], expected[j], 1e-15);
    assert_close(u[j], rate[j], 1e-7);
  }
  exact->destroy(sol);
  dls_system_destroy(sys);
  dls_model_choice_release(&model);
}

/* How many events there are up to t. */
static size_t events_until(const char *text, double t)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice model = dls_test_model(text);
  assert_ok(dls_exact_at(dls_exact_find(model.model->name), model.parameters, 1, &t, &traj, &err), err);
  const size_t count = traj->event_count;
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&model);
  return count;
}

/* What pulls with no more than the limit of friction, time and again, moves nothing; a spring that turns back where it pulls so does not turn. */
DLS_TEST(a_force_that_only_touches_the_limit_of_friction_moves_nothing)
{
  static const char *const phases[] = {"0", "1", "2", "3", "3.141592653589793", "-1"};
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    char text[80];
    snprintf(text, sizeof text, "forced-block:m=0.25,A=1.5,F=1.5,omega=2,q0=-1,phase=%s", phases[i]);
    assert_close(value_at(text, 20, "q0"), -1, 0);
    assert_close(value_at(text, 20, "v0"), 0, 0);
    assert_int_equal(events_until(text, 20), 0);
  }
  assert_close(value_at("den-hartog:m=2,k=1.5,P=1.5,omega=1,phase=-1,F=1,Fs=1.5,q0=0", 20, "q0"), 0, 0);
  assert_close(value_at("spring-block:F=1.5,q0=1.5,m=1.5", 20, "q0"), 1.5, 0);
  /* cos(2 pi) has, as a double, a slope that lets the force fall for 6e-16 s before it grows from its limit */
  const double q = value_at("den-hartog:phase=0,F=1,q0=2", 1, "q0");
  assert_close(value_at("den-hartog:phase=6.283185307179586,F=1,q0=2", 1, "q0"), q, 1e-15);
  assert_close(value_at("den-hartog:phase=-6.283185307179586,F=1,q0=2", 1, "q0"), q, 1e-15);
  assert_between(q, 1.9, 1.98);
  /* amplitudes 1.5, 1, 0.5 about -0.25, 0.25, -0.25: at rest at 0.25 */
  assert_close(value_at("spring-block:k=2,F=0.5,q0=0.25,v0=2", 20, "q0"), 0.25, 1e-16);
  assert_int_equal(events_until("spring-block:k=2,F=0.5,q0=0.25,v0=2", 20), 3);
}

/* Down from v0 = -1 with g (mu cos - sin): it stops, or goes on. From rest it stays, or slides. */
DLS_TEST(a_block_that_slides_down_stops_or_does_not)
{
  const double g = 9.81, alpha = 0.5, slow = g * (cos(alpha) - sin(alpha)), fast = -g * sin(alpha);
  assert_close(value_at("incline:alpha=0.5,mu=1,v0=-1", 1, "q0"), -0.5 / slow, 1e-15);
  assert_close(value_at("incline:alpha=0.5,mu=1,v0=-1", 1, "v0"), 0, 0);
  assert_close(value_at("incline:alpha=0.5,mu=0,v0=-1", 1, "v0"), -1 + fast, 1e-14);
  assert_close(value_at("incline:alpha=0.5,mu=0,v0=0", 1, "v0"), fast, 1e-14);
  assert_close(value_at("incline:alpha=0.5,mu=1,v0=0", 1, "q0"), 0, 0);
}

/* Straight up with g (sin + mu cos), and there it stays. */
DLS_TEST(a_puck_that_is_pushed_up_a_rough_slope_stays)
{
  const double g = 10, a = g * (sin(0.3) + 0.5 * cos(0.3));
  static const char text[] = "puck:g=10,alpha=0.3,mu=0.5,v0=2,phi0=3.141592653589793";
  assert_close(value_at(text, 0.1, "v0"), -2 + 0.1 * a, 1e-15);
  assert_close(value_at(text, 3, "q0"), -2 / a, 1e-15);
  assert_close(value_at(text, 3, "v0"), 0, 0);
  assert_int_equal(events_until(text, 3), 1);
}

/* On the floor from the start u = vx falls with 7/2 mu g; without rebound the first impact is the last. */
DLS_TEST(a_sphere_that_does_not_bounce_slides_and_rolls)
{
  const double g = 9.81, slide = 8 - 0.1 * g, roll = 8 * 5.0 / 7;
  assert_close(value_at("bounce-slip:h=0", 1, "v0"), slide, 1e-14);
  assert_int_equal(events_until("bounce-slip:h=0", 1), 0);
  assert_close(value_at("bounce-slip:h=0", 3, "v0"), roll, 1e-14);
  assert_close(value_at("bounce-slip:h=0,vx=0", 3, "q0"), 0, 0);
  const double speed = sqrt(2 * g), t = speed / g; /* the impulse's friction takes mu V of vx */
  assert_close(value_at("bounce-slip:e=0", t + 0.5, "v0"), 8 - 0.1 * speed - 0.05 * g, 1e-14);
  assert_close(value_at("bounce-slip:e=0", t + 0.5, "q1"), 0.1, 0);
  assert_int_equal(events_until("bounce-slip:e=0", t + 0.5), 1);
}

DLS_TEST(a_table_at_rest_is_a_floor)
{
  assert_close(value_at("vibrating-table:A=0,e=0.5,g=2,q0=1", 0.5, "q0"), 0.75, 1e-15);
  assert_close(value_at("vibrating-table:A=0,e=0.5,g=2,q0=1", 1.5, "q0"), 0.25, 1e-15);
  assert_close(value_at("vibrating-table:A=0,e=0.5,g=2,q0=1", 4, "lambda0"), 2, 1e-15);
}

/* Each impact on the table magnifies what is off tenfold or so: of the tenth one the parameters' doubles leave 12 digits if what comes of them
 * is not rounded. Reference: enclosures with all digits of these doubles. */
DLS_TEST(a_shaken_ball_keeps_the_digits_of_its_parameters)
{
  static const char text[] = "vibrating-table:m=1.28,phase=-0.662";
  static const double end[] = {2.5};
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice model = dls_test_model(text);
  assert_ok(dls_exact_at(dls_exact_find("vibrating-table"), model.parameters, 1, end, &traj, &err), err);
  assert_int_equal(traj->event_count, 10);
  assert_close(traj->events[4].t, 1.288427981751025365, 3e-16);
  assert_close(traj->events[9].t, 2.441427292661074158, 1e-12);
  dls_trajectory_destroy(traj);
  dls_model_choice_release(&model);
}

/* q0 = R sin(alpha) - b, which rounding of expl, sinl, atanl need not make exactly 0. */
DLS_TEST(a_block_that_stands_upright_stays)
{
  assert_close(value_at("rocking-block:phi0=0,mu=0", 3, "q0"), 0, 4 * (double)LDBL_EPSILON);
  assert_int_equal(events_until("rocking-block:phi0=0,mu=0", 3), 0);
}

/* In the lower left corner and on its way to the right, disc 0 hits the floor only. In a shaft of its width a disc falls on another on the
 * floor: both are between walls, which push as little as they may, and it goes back with e. */
DLS_TEST(discs_that_touch_walls_are_pushed_by_those_that_they_hit_only)
{
  static const char corner[] =
      "rigid-discs:R=1,e=0.5,left=0,right=99,floor=0,top=99,x0=1,y0=1,x1=50,y1=50,vx0=3,"
      "vy0=-2";
  assert_close(value_at(corner, 0, "v0"), 3, 0);
  assert_close(value_at(corner, 0, "v1"), 1, 0);
  assert_close(value_at(corner, 2, "q0"), 7, 0);
  assert_close(value_at(corner, 2, "q1"), 3, 0);
  static const char slot[] =
      "rigid-discs:R=1,m0=2,e=0,left=0,right=2,floor=0,top=99,x0=1,y0=9,x1=1,y1=50,vx0=-3,vy0=0,"
      "vx1=0,vy1=0"; /* no room to the left: that wall stops it, and the right one does not pull */
  double walls = 0;
  for (size_t j = 0; j < 4; j++) {
    char column[4];
    snprintf(column, sizeof column, "p%zu", j);
    const double p = value_at(slot, 0, column);
    assert_true(p >= 0);
    walls += p;
  }
  assert_close(walls, 2 * 3, 0);
  assert_close(value_at(slot, 1, "v0"), 0, 0);
  static const char shaft[] =
      "rigid-discs:R=1,m1=3,e=0.5,left=0,right=2,floor=0,top=99,x0=1,y0=1,x1=1,y1=5,vx0=0,"
      "vy0=0,vx1=0,vy1=-2";
  assert_close(value_at(shaft, 1, "v3"), 1, 0);
  assert_close(value_at(shaft, 1, "p8"), 9, 0);
  assert_close(value_at(shaft, 1, "v1"), 0, 0);
  assert_close(value_at(shaft, 3, "q3"), 5, 0);
}

/* It hits the wall at 5e-325 s, before the first double behind 0. */
DLS_TEST(a_flight_shorter_than_any_double_is_left_out)
{
  static const char text[] = "impacting-oscillator:q0=5e-324,v0=-10,k=0";
  assert_close(value_at(text, 0, "v0"), 5, 0);
  assert_close(value_at(text, 1, "q0"), 5, 1e-15);
  assert_int_equal(events_until(text, 1), 1);
}

DLS_TEST(calls_that_make_no_sense_are_refused)
{
  static const double good[] = {0, 1}, nan_time[] = {NAN}, negative[] = {-1}, infinite[] = {INFINITY},
                      back[] = {1, 1};
  const dls_exact *ball = dls_exact_find("bouncing-ball");
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  const dls_status refused[] = {dls_exact_trajectory(NULL, NULL, 1, 1e-3, &traj, &err),
                                dls_exact_trajectory(ball, NULL, 1, 1e-3, NULL, &err),
                                dls_exact_trajectory(ball, NULL, 0, 1e-3, &traj, &err),
                                dls_exact_trajectory(ball, NULL, INFINITY, 1e-3, &traj, &err),
                                dls_exact_trajectory(ball, NULL, NAN, 1e-3, &traj, &err),
                                dls_exact_trajectory(ball, NULL, 1, 0, &traj, &err),
                                dls_exact_trajectory(ball, NULL, 1, NAN, &traj, &err),
                                dls_exact_trajectory(ball, NULL, 1, 1e-20, &traj, &err),
                                dls_exact_at(NULL, NULL, 2, good, &traj, &err),
                                dls_exact_at(ball, NULL, 2, good, NULL, &err),
                                dls_exact_at(ball, NULL, 0, good, &traj, &err),
                                dls_exact_at(ball, NULL, 2, NULL, &traj, &err),
                                dls_exact_at(ball, NULL, 1, nan_time, &traj, &err),
                                dls_exact_at(ball, NULL, 1, negative, &traj, &err),
                                dls_exact_at(ball, NULL, 1, infinite, &traj, &err),
                                dls_exact_at(ball, NULL, 2, back, &traj, &err)};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_int_equal(refused[i], DLS_ERR_ARG);
  }
  assert_null(traj);
  assert_string_equal(err.text, "exact bouncing-ball: time 2 is 1 s after 1 s, times must increase");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_moment_bends_a_beam_to_an_arc),
      cmocka_unit_test(what_has_no_closed_form_is_refused),
      cmocka_unit_test(sliding_without_friction_or_without_speed),
      cmocka_unit_test(a_puck_on_a_level_plane_goes_straight),
      cmocka_unit_test(a_puck_let_go_on_a_slope_without_friction_falls_down_it),
      cmocka_unit_test(a_ball_that_lies_on_the_floor_stays_or_leaves),
      cmocka_unit_test(a_disc_that_hits_the_wall_while_another_hits_it_bounces_off_both),
      cmocka_unit_test(gaps_of_the_pile_are_those_of_its_model),
      cmocka_unit_test(a_force_that_only_touches_the_limit_of_friction_moves_nothing),
      cmocka_unit_test(a_block_that_slides_down_stops_or_does_not),
      cmocka_unit_test(a_puck_that_is_pushed_up_a_rough_slope_stays),
      cmocka_unit_test(a_sphere_that_does_not_bounce_slides_and_rolls),
      cmocka_unit_test(a_table_at_rest_is_a_floor),
      cmocka_unit_test(a_shaken_ball_keeps_the_digits_of_its_parameters),
      cmocka_unit_test(a_block_that_stands_upright_stays),
      cmocka_unit_test(discs_that_touch_walls_are_pushed_by_those_that_they_hit_only),
      cmocka_unit_test(a_flight_shorter_than_any_double_is_left_out),
      cmocka_unit_test(calls_that_make_no_sense_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
