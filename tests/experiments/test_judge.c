/* test_judge.c -- trajectories of other programs, made by hand with a known fault each: the fault is found, and no other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/judge/judge.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 7, RANDOM = 20 };

static const double end = 4, gravity = 2, first_impact = 1;

/* What is wrong with a program. */
typedef struct fault {
  double e;         /* restitution; negative: the ball passes through the floor and loses speed */
  double begin;     /* time at which its files begin */
  double shift;     /* its clock is late by shift h */
  double growth;    /* its positions are too large by this part over the root of h */
  double sink;      /* speed at which it sinks when it rests */
  double explosion; /* steps above this explode */
} fault;

static const fault sound = {.e = 0.5, .explosion = INFINITY};

static double uniform(double low, double high)
{
  return low + (high - low) * ((double)rand() / RAND_MAX);
}

/* The ball that falls from 1 m with restitution e, at time t. */
static void ball(const fault *f, double t, double *q, double *v)
{
  double begin = first_impact, speed = f->e * gravity * first_impact;
  *v = -gravity * t;
  *q = 1 - 0.5 * gravity * t * t;
  if (t <= first_impact) {
    return;
  }
  while (speed > 1e-9 && t > begin + 2 * speed / gravity) {
    begin += 2 * speed / gravity;
    speed *= f->e;
  }
  const double s = t - begin;
  const bool rests = f->e >= 0 && speed <= 1e-9;
  *v = rests ? -f->sink : speed - gravity * s;
  *q = rests ? -f->sink * s : speed * s - 0.5 * gravity * s * s;
}

static dls_trajectory *trajectory(const fault *f, double h)
{
  static const char *const names[] = {"t", "q0", "v0"};
  dls_trajectory *traj = dls_trajectory_create_table(3, names);
  assert_non_null(traj);
  for (size_t k = 0; (double)k * h <= end + h; k++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    row[0] = (double)k * h;
    ball(f, fmax(row[0] + f->begin - f->shift * h, 0), &row[1], &row[2]);
    row[1] *= 1 + f->growth / sqrt(h);
    if (h > f->explosion) {
      row[1] *= exp(20 * row[0]);
    }
  }
  return traj;
}

/* A program with a fault, judged at steps that hit no impact. */
static dls_judgement *judge(const fault *f)
{
  static const char *const program[] = {"program"}, *const of[] = {"q"};
  static dls_judged_file files[LEVELS];
  static dls_judged judged = {1, program, LEVELS, files};
  static const dls_norm *norm;
  norm = dls_norm_find("hausdorff");
  for (size_t i = 0; i < LEVELS; i++) {
    const double h = uniform(0.9, 1.1) * 0.0813 * pow(0.5, (double)i);
    files[i] = (dls_judged_file){.path = "made.csv", .step = h, .traj = trajectory(f, h)};
  }
  dls_error err = {0};
  const dls_order_spec spec = {.model = dls_catalogue_model(NULL, "bouncing-ball", &err),
                               .end = end,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = 1,
                               .of = of,
                               .metric = dls_metric_default};
  dls_judgement *judgement = NULL;
  assert_ok(dls_judge(&spec, &judged, &judgement, &err), err);
  for (size_t i = 0; i < LEVELS; i++) {
    dls_trajectory_destroy(files[i].traj);
  }
  return judgement;
}

/* Of the file with the smallest step. */
static const dls_motion *finest(const dls_judgement *judgement)
{
  return &judgement->motions[LEVELS - 1];
}

DLS_TEST(a_sound_program_has_no_fault)
{
  dls_judgement *j = judge(&sound);
  const dls_motion *motion = finest(j);
  assert_in_range(motion->impact_count, 4, 8);
  assert_close(motion->restitution, 0.5, 0.05);
  assert_true(motion->figures[DLS_JUDGED_TIMES] < 1e-4);
  assert_true(motion->figures[DLS_JUDGED_PENETRATION] < 1e-12);
  assert_true(motion->figures[DLS_JUDGED_REST] < 1e-12);
  assert_true(isnan(motion->figures[DLS_JUDGED_STICK]));
  assert_true(motion->figures[DLS_JUDGED_FLIGHT] < 1e-12);
  assert_true(motion->start == 0);
  dls_judgement_destroy(j);
}

DLS_TEST(a_late_clock_is_of_first_order)
{
  for (int i = 0; i < RANDOM; i++) {
    fault f = sound;
    f.shift = uniform(0.3, 1);
    dls_judgement *j = judge(&f);
    assert_true(j->errors->lines[0].fitted);
    assert_close(j->errors->lines[0].fit.order, 1, 0.15);
    assert_close(j->contacts->lines[DLS_JUDGED_TIMES].fit.order, 1, 0.15);
    dls_judgement_destroy(j);
  }
}

DLS_TEST(what_gets_worse_with_the_step_is_of_negative_order)
{
  for (int i = 0; i < RANDOM; i++) {
    fault f = sound;
    f.growth = uniform(0.02, 0.04);
    dls_judgement *j = judge(&f);
    assert_true(j->errors->lines[0].fitted);
    assert_between(j->errors->lines[0].fit.order, -0.55, -0.45);
    assert_true(j->errors->lines[0].fit.ci_high < 0);
    dls_judgement_destroy(j);
  }
}

DLS_TEST(another_restitution_is_a_plateau)
{
  for (int i = 0; i < RANDOM; i++) {
    fault f = sound;
    f.e += (i % 2 == 0 ? 1 : -1) * uniform(0.08, 0.3);
    dls_judgement *j = judge(&f);
    assert_false(j->errors->lines[0].fitted);
    assert_memory_equal(j->errors->lines[0].reason, "plateau", 7);
    assert_close(finest(j)->restitution, f.e, 0.05);
    assert_close(finest(j)->figures[DLS_JUDGED_RESTITUTION], fabs(f.e - 0.5), 0.05);
    dls_judgement_destroy(j);
  }
}

/* u+ = -e u- with e < 0: the contact takes a part of the velocity, and the gap closes further. */
DLS_TEST(an_impact_in_the_first_step_has_its_restitution)
{
  fault f = sound;
  f.begin = 0.9995;
  dls_judgement *j = judge(&f);
  assert_in_range(finest(j)->impact_count, 4, 8);
  assert_close(finest(j)->impacts[0].t, first_impact - f.begin, 1e-6);
  assert_close(finest(j)->impacts[0].u_minus, -gravity * f.begin, 1e-12);
  assert_close(finest(j)->impacts[0].u_plus, 0.5 * gravity, 0.01);
  dls_judgement_destroy(j);
}

DLS_TEST(a_ball_that_passes_the_floor_has_a_negative_restitution)
{
  for (int i = 0; i < RANDOM; i++) {
    fault f = sound;
    f.e = -uniform(0.1, 0.6);
    dls_judgement *j = judge(&f);
    assert_int_equal(finest(j)->impact_count, 1);
    assert_close(finest(j)->restitution, f.e, 0.01);
    assert_close(finest(j)->figures[DLS_JUDGED_RESTITUTION], 0.5 - f.e, 0.01);
    dls_judgement_destroy(j);
  }
}

DLS_TEST(a_ball_that_sinks_is_seen_to)
{
  for (int i = 0; i < RANDOM; i++) {
    fault f = sound;
    f.sink = uniform(0.01, 0.1);
    dls_judgement *j = judge(&f);
    assert_close(finest(j)->figures[DLS_JUDGED_REST], f.sink, 0.01 * f.sink);
    assert_close(finest(j)->figures[DLS_JUDGED_PENETRATION], f.sink * (end - 3), 0.02 * f.sink);
    dls_judgement_destroy(j);
  }
}

DLS_TEST(coarse_steps_that_explode_are_left_out)
{
  fault f = sound;
  f.shift = 0.5;
  f.explosion = 0.03;
  dls_judgement *j = judge(&f);
  const dls_order_line *line = &j->errors->lines[0];
  assert_int_equal(line->exploded, 2);
  assert_between(line->exploded_from, 0.03, 0.05);
  assert_true(line->fitted);
  assert_close(line->fit.order, 1, 0.1);
  dls_judgement_destroy(j);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sound_program_has_no_fault),
      cmocka_unit_test(a_late_clock_is_of_first_order),
      cmocka_unit_test(what_gets_worse_with_the_step_is_of_negative_order),
      cmocka_unit_test(another_restitution_is_a_plateau),
      cmocka_unit_test(a_ball_that_passes_the_floor_has_a_negative_restitution),
      cmocka_unit_test(a_ball_that_sinks_is_seen_to),
      cmocka_unit_test(coarse_steps_that_explode_are_left_out),
      cmocka_unit_test(an_impact_in_the_first_step_has_its_restitution),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
