/* test_order_limit.c -- errors against the limit model of a scheme beside those against rigid contact: plateaus, orders, files, and the
 * effective restitution over the phase of the grid.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_contacts.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMES_MOST = 4 };

/* L1 of q, 12 randomised steps at each of 5 levels. */
static dls_order_study *study_of(const char *model, double end, double h_first, double h_last, size_t count,
                                 const char *const *schemes)
{
  static const char *const of[] = {"q"};
  dls_scheme_choice choices[SCHEMES_MOST];
  const dls_norm *norm = dls_norm_find("l1");
  dls_error err = {0};
  dls_model_choice choice = dls_test_model(model);
  for (size_t i = 0; i < count; i++) {
    assert_ok(dls_scheme_choose(schemes[i], &choices[i], &err), err);
  }
  const dls_order_spec spec = {.model = choice.model,
                               .parameters = choice.parameters,
                               .reference = DLS_REFERENCE_LIMIT,
                               .end = end,
                               .scheme_count = count,
                               .schemes = choices,
                               .h_first = h_first,
                               .h_last = h_last,
                               .levels = 5,
                               .repeats = 12,
                               .seed = 3,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = 1,
                               .of = of,
                               .metric = {1, 1, 1e-3}};
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(&spec, &study, &err), err);
  assert_non_null(study->limit);
  assert_int_equal(study->limit->line_count, count);
  dls_model_choice_release(&choice);
  return study;
}

static void check_spring(const dls_order_study *study, size_t line, double order, double off)
{
  assert_between(study->limit->lines[line].plateau, 1.1e-2, 1.3e-2);
  assert_false(study->lines[line].fitted);
  assert_non_null(strstr(study->lines[line].reason, "plateau"));
  assert_true(study->limit->lines[line].fitted);
  assert_close(study->limit->lines[line].fit.order, order, off);
}

/* Springs tuned to e = 1/2 with k = 1e4: the error against rigid contact stops at 1.2e-2 for both laws; against their own motion the
 * force without a jump has order 2, that with a jump order 1. */
DLS_TEST(plateau_of_springs_is_the_distance_of_their_limit)
{
  static const char *const schemes[] = {"moreau-jean", "spring-damper:law=kelvin-voigt,k=1e4"},
                           *const hertz[] = {"spring-damper:law=hunt-crossley,k=1e4,n=1"};
  dls_order_study *study = study_of("bouncing-ball", 1.9, 2e-3, 2e-4, 2, schemes);
  assert_close(study->limit->lines[0].plateau, 0, 0);
  assert_close(study->limit->lines[0].fit.order, study->lines[0].fit.order, 0);
  check_spring(study, 1, 1, 0.2);
  dls_order_destroy(study);
  study = study_of("bouncing-ball", 1.9, 1e-3, 2e-4, 1, hertz);
  check_spring(study, 0, 2, 0.15);
  dls_order_destroy(study);
}

/* A scheme with e = 1 of its own converges to that motion, and its plateau is the distance of the two exact solutions. */
DLS_TEST(own_restitution_is_another_rigid_motion)
{
  static const char *const schemes[] = {"laursen-chawla"};
  dls_order_study *study = study_of("bouncing-ball", 1.9, 1e-2, 1e-3, 1, schemes);
  assert_false(study->lines[0].fitted);
  assert_close(study->limit->lines[0].fit.order, 1, 0.15);
  /* q = 1 - t^2 to t = 1, then 2 s - s^2 in place of s - s^2: the integral of s up to 0.9 */
  assert_close(study->limit->lines[0].plateau, 0.405, 1e-6);
  dls_order_destroy(study);
}

/* The ball lands with 2 m/s at 1 s and with 1 m/s at 2 s; soft-step rebounds above 1 m/s. */
DLS_TEST(limit_is_that_of_the_impacts_that_happen)
{
  static const char *const schemes[] = {"soft-step"};
  dls_order_study *study = study_of("bouncing-ball", 1.9, 1e-2, 1e-3, 1, schemes);
  assert_close(study->limit->lines[0].plateau, 0, 0);
  assert_close(study->limit->lines[0].fit.order, study->lines[0].fit.order, 0);
  dls_order_destroy(study);
  study = study_of("bouncing-ball:e=0.4", 2.5, 1e-2, 5e-3, 1, schemes);
  assert_non_null(strstr(study->limit->lines[0].limit, "changes with the speed of impacts"));
  assert_true(isnan(study->limit->lines[0].plateau));
  dls_order_destroy(study);
  static const char *const none[] = {"chrono-nsc",
                                     "soft-step"}; /* fast impacts have none, the slow ones e = 0 */
  study = study_of("bounce-slip:e=0.3,vx=8", 2, 1e-2, 5e-3, 2, none);
  assert_string_equal(study->limit->lines[0].limit, dls_limit_text(DLS_LIMIT_NONE));
  assert_string_equal(study->limit->lines[1].limit, dls_limit_text(DLS_LIMIT_NONE));
  dls_order_destroy(study);
  static const char *const approach[] = {"chrono-nsc:bounce_test=approach"};
  study = study_of("bouncing-ball", 1.9, 1e-2, 5e-3, 1, approach);
  assert_string_equal(study->limit->lines[0].limit, dls_limit_text(DLS_LIMIT_RIGID));
  assert_close(study->limit->lines[0].plateau, 0, 0);
  dls_order_destroy(study);
}

/* On the incline the plateau is of order 1/k, and the error of the steps is far below it. */
DLS_TEST(friction_with_springs_has_a_limit)
{
  static const char *const schemes[] = {"spring-damper:law=kelvin-voigt,k=1e5,damping=given,c=300"};
  dls_order_study *study = study_of("incline:mu=0.7", 1, 4e-3, 1e-3, 1, schemes);
  assert_between(study->limit->lines[0].plateau, 5e-5, 1e-4);
  assert_between(study->limit->lines[0].fit.order, 1.5, 2.5);
  dls_order_destroy(study);
}

/* Truncated sweeps have a limit where contacts impact one at a time, as in a chain with gaps, but not where a resting ball passes the impact on. */
DLS_TEST(truncated_sweeps_have_a_limit_for_single_impacts)
{
  static const char *const schemes[] = {"sequential-impulse:stabilise=split", "xpbd",
                                        "soft-step:restitution_threshold=0"};
  dls_order_study *alone = study_of("ball-chain:e=1", 2, 2e-2, 1e-2, 3, schemes);
  dls_order_study *column = study_of("bead-column:N=2", 0.5, 2e-2, 1e-2, 3, schemes);
  for (size_t i = 0; i < 3; i++) {
    assert_string_equal(alone->limit->lines[i].limit, dls_limit_text(DLS_LIMIT_RIGID));
    assert_non_null(strstr(column->limit->lines[i].limit, "sweeps are truncated"));
    assert_true(isnan(column->limit->lines[i].plateau));
  }
  dls_order_destroy(alone);
  dls_order_destroy(column);
}

/* mujoco and sap lift where they slip. Against rigid contact their errors stop; against their own motion, on the surface, mujoco has order 1. */
DLS_TEST(slip_that_lifts_has_a_limit)
{
  static const char *const schemes[] = {"mujoco:cone=elliptic,restitution=own",
                                        "mujoco:cone=elliptic,restitution=own,timeconst=0.05"};
  dls_order_study *study = study_of("incline:mu=0.3", 1, 2e-3, 2e-4, 2, schemes);
  for (size_t i = 0; i < 2; i++) {
    assert_true(study->limit->lines[i].fitted);
    assert_close(study->limit->lines[i].fit.order, 1, 0.15);
    assert_true(isfinite(study->limit->lines[i].plateau));
  }
  assert_close(study->limit->lines[0].plateau, 7.32e-3, 1e-4);
  dls_order_destroy(study);
}

/* One column a number, also without a limit. */
DLS_TEST(files_have_the_columns)
{
  static const char *const schemes[] = {"spring-damper:friction=dahl", "moreau-jean"};
  dls_order_study *study = study_of("incline", 0.2, 1e-2, 5e-3, 2, schemes);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_int_equal(dls_order_write_orders(study, out), DLS_OK);
  fclose(out);
  assert_non_null(
      strstr(text, "agreement,limit_order,limit_ci_low,limit_ci_high,limit_reason,plateau,limit\n"));
  assert_non_null(strstr(text, "its limit model was not computed"));
  assert_true(isnan(study->limit->lines[0].plateau));
  free(text);
  out = open_memstream(&text, &size);
  assert_int_equal(dls_order_write_errors(study, out), DLS_OK);
  fclose(out);
  assert_non_null(strstr(text, "wall_seconds,limit_error\n"));
  free(text);
  out = open_memstream(&text, &size);
  assert_int_equal(dls_order_write_quality(study, out), DLS_OK);
  fclose(out);
  assert_non_null(strstr(text, "drift,first_restitution,first_phase,bounce_energy,rest_depth,rest_speed,creep,"
                               "lift,hop,evals_per_contact,first_slip_ratio\n"));
  free(text);
  dls_order_destroy(study);
}

/* Newton's law at velocity level: e without scatter, whatever the phase; phases fill the step. */
DLS_TEST(restitution_over_the_phase_of_the_grid)
{
  static const char *const schemes[] = {"moreau-jean"};
  dls_order_study *study = study_of("bouncing-ball:e=0.8,f=0,v0=-1", 2, 2e-2, 5e-3, 1, schemes);
  dls_order_spread all, level;
  double least = 1, largest = 0;
  dls_error err = {0};
  assert_ok(dls_order_spread_of(study, &dls_contact_pictures[0].figure, 0, SIZE_MAX, &all, &err), err);
  assert_ok(dls_order_spread_of(study, &dls_contact_pictures[0].figure, 0, 2, &level, &err), err);
  assert_int_equal(all.count, 60);
  assert_int_equal(level.count, 12);
  assert_close(all.low, 0.8, 1e-6);
  assert_close(all.high, 0.8, 1e-6);
  assert_close(all.mean, 0.8, 1e-6);
  for (size_t i = 0; i < study->point_count; i++) {
    const double phase = study->points[i].quality.contact.first_phase;
    assert_between(phase, 0, 1);
    least = fmin(least, phase);
    largest = fmax(largest, phase);
  }
  assert_true(least < 0.1 && largest > 0.9);
  dls_order_destroy(study);
}

/* Coulomb's law takes 7/2 mu V from the slip of a sphere that continues to slip, whatever the phase; position-based dynamics (1 - phase) of
 * that. Convex friction lets the sphere sink to its sliding gap while it slips on, which is not the impact. The fall within a step, 1 % of V, is the tolerance, also of the place in the step. Without friction there is no ratio. */
DLS_TEST(slip_that_an_impact_leaves)
{
  static const char *const schemes[] = {"moreau-jean", "xpbd:substeps=1", "convex-step:restitution=own"};
  dls_order_study *study = study_of("bounce-slip:h=0.2,e=0,mu=0.2,vx=0.2,g=0.01", 8, 0.05, 0.01, 3, schemes);
  const double lost = 3.5 * 0.2 * sqrt(2 * 0.01 * 0.2) / 0.2;
  size_t seen[3] = {0};
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_contact_quality *x = &study->points[i].quality.contact;
    const size_t scheme = study->points[i].scheme;
    const bool inside = x->first_phase > 0.02 && x->first_phase < 0.98;
    if (scheme != 1 || inside) {
      assert_close(x->first_slip_ratio, 1 - lost * (scheme == 1 ? 1 - x->first_phase : 1), 0.01);
      seen[scheme]++;
    }
  }
  assert_int_equal(seen[0], 60);
  assert_true(seen[1] > 50);
  assert_int_equal(seen[2], 60);
  dls_order_destroy(study);
  study = study_of("bouncing-ball", 1.9, 2e-2, 1e-2, 1, schemes);
  assert_true(isnan(study->points[0].quality.contact.first_slip_ratio));
  assert_true(isfinite(study->points[0].quality.contact.first_restitution));
  dls_order_destroy(study);
}

/* mujoco's time constant of 0.02 s is the length of the run, in which the crank pushes the slider ever deeper into the guide. What the force
 * has done by then is not a restitution. */
DLS_TEST(an_impact_that_does_not_end_has_no_restitution)
{
  static const char *const schemes[] = {"mujoco:restitution=fit", "moreau-jean"};
  dls_order_study *study = study_of("slider-crank-clearance", 0.02, 1e-4, 2e-5, 2, schemes);
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_contact_quality *x = &study->points[i].quality.contact;
    assert_true(isfinite(x->first_phase));
    assert_true(study->points[i].scheme == 0 ? isnan(x->first_restitution)
                                             : fabs(x->first_restitution - 0.4) < 0.02);
  }
  dls_order_destroy(study);
}

/* A sphere with e = 1/2 loses 7/2 mu (1 + e) V of its slip in an impact by Coulomb's law, in anitescu-potra 7/2 mu V, in soft-step at least
 * that share less, by the phase. Neither is called rigid contact with the e of the model. */
DLS_TEST(friction_of_the_compression_alone_is_no_rigid_limit)
{
  static const char *const schemes[] = {"moreau-jean", "anitescu-potra", "soft-step:restitution_threshold=0"};
  dls_order_study *study = study_of("bounce-slip:h=0.2,e=0.5,mu=0.2,vx=0.2,g=0.01", 8, 0.05, 0.01, 3, schemes);
  const double lost = 3.5 * 0.2 * sqrt(2 * 0.01 * 0.2) / 0.2;
  double least = 1, largest = 0;
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double ratio = point->quality.contact.first_slip_ratio;
    if (point->scheme < 2) {
      assert_close(ratio, 1 - lost * (point->scheme == 0 ? 1.5 : 1), 0.01);
    } else {
      least = fmin(least, ratio);
      largest = fmax(largest, ratio);
    }
  }
  assert_between(least, 1 - lost - 0.01, 1 - lost + 0.02);
  assert_true(largest > 1 - 0.5 * lost);
  assert_string_equal(study->limit->lines[0].limit, dls_limit_text(DLS_LIMIT_RIGID));
  assert_non_null(strstr(study->limit->lines[1].limit, "not computed: scheme anitescu-potra"));
  assert_string_equal(study->limit->lines[2].limit, dls_limit_text(DLS_LIMIT_NONE));
  for (size_t i = 1; i < 3; i++) {
    assert_true(isnan(study->limit->lines[i].plateau));
  }
  dls_order_destroy(study);
}

/* Without a threshold of the speed, the end of an accumulation, at speed 0, does not change e. */
DLS_TEST(accumulations_keep_a_limit_without_a_threshold)
{
  static const char *const schemes[] = {"anitescu-potra", "chrono-nsc:bounce_test=approach,min_bounce_speed=0",
                                        "soft-step:restitution_threshold=0"};
  dls_order_study *study = study_of("bouncing-ball", 4, 1e-2, 1e-3, 3, schemes);
  for (size_t i = 0; i < 3; i++) {
    assert_string_equal(study->limit->lines[i].limit, dls_limit_text(DLS_LIMIT_RIGID));
    assert_close(study->limit->lines[i].plateau, 0, 0);
    assert_close(study->limit->lines[i].fit.order, 1, 0.15);
  }
  dls_order_destroy(study);
}

/* A bounce ahead of the surface is an impact. */
DLS_TEST(impacts_ahead_of_the_surface)
{
  static const char *const schemes[] = {"chrono-nsc:bounce_test=approach"};
  dls_error err = {0};
  dls_order_spread e;
  dls_order_study *study = study_of("bouncing-ball:f=0,v0=-2", 0.8, 1e-2, 1e-3, 1, schemes);
  assert_ok(dls_order_spread_of(study, &dls_contact_pictures[0].figure, 0, SIZE_MAX, &e, &err), err);
  assert_int_equal(e.count, 60);
  assert_close(e.low, 0.5, 1e-9);
  assert_close(e.high, 0.5, 1e-9);
  dls_order_destroy(study);
}

/* Linearised gaps stop a body in two steps: e is that of both, not of the first, in which it still approaches. */
DLS_TEST(an_impact_in_two_steps_is_one)
{
  static const char *const schemes[] = {"stewart-trinkle:restitution=own", "convex-step:restitution=own"};
  dls_error err = {0};
  dls_order_study *study = study_of("bouncing-ball", 1.9, 2e-2, 2e-3, 2, schemes);
  for (size_t i = 0; i < 2; i++) {
    dls_order_spread all;
    assert_ok(dls_order_spread_of(study, &dls_contact_pictures[0].figure, i, SIZE_MAX, &all, &err), err);
    assert_int_equal(all.count, 60);
    assert_between(all.low, 0, 1e-12);
    assert_between(all.high, 0, 1e-12);
  }
  dls_order_destroy(study);
}

/* Chrono's test stops a body that would arrive at sigma h on the surface, where sigma >= e, and it then rebounds with e sigma: the phase is
 * that of the free flight, not that of the node on the surface. */
DLS_TEST(the_phase_is_that_of_the_free_flight)
{
  static const char *const schemes[] = {"chrono-nsc:min_bounce_speed=0", "stewart-trinkle:restitution=own"};
  static const double e = 0.6;
  dls_order_study *study = study_of("bouncing-ball:e=0.6,f=0,v0=-1", 1.5, 2e-2, 5e-3, 2, schemes);
  double least[2] = {1, 1}, largest[2] = {0, 0};
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double sigma = point->quality.contact.first_phase;
    const double steps = 1 / point->step; /* the flight ends at t = 1 */
    assert_close(sigma, steps - floor(steps), 1e-9);
    assert_close(point->quality.contact.first_restitution,
                 point->scheme > 0 ? 0
                 : sigma < e       ? e
                                   : e * sigma,
                 1e-9);
    least[point->scheme] = fmin(least[point->scheme], sigma);
    largest[point->scheme] = fmax(largest[point->scheme], sigma);
  }
  for (size_t i = 0; i < 2; i++) {
    assert_true(least[i] < 0.1 && largest[i] > 0.9);
  }
  dls_order_destroy(study);
}

/* A scheme that refuses the system says so; no limit motion is computed for it. */
DLS_TEST(a_scheme_that_refuses_the_system_has_no_limit_motion)
{
  static const char *const schemes[] = {"icf", "icf:restitution=own"};
  dls_order_study *study = study_of("bouncing-ball", 0.5, 1e-2, 5e-3, 2, schemes);
  assert_non_null(
      strstr(study->limit->lines[0].limit, "not computed: icf has its own restitution coefficient"));
  assert_true(isnan(study->limit->lines[0].plateau));
  assert_non_null(strstr(study->limit->lines[1].limit, "integrated with order 8"));
  dls_order_destroy(study);
}

/* A heavy ball under the same force: scales of 1 m and 3e4 s, whose velocity is too small for the reference. */
DLS_TEST(scales_beyond_rounding_are_named)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_order_study *study = NULL;
  dls_model_choice model = dls_test_model("bouncing-ball:m=1e9");
  const dls_norm *norm = dls_norm_find("l1");
  assert_ok(dls_scheme_choose("sap:restitution=own", &choice, &err), err);
  const dls_order_spec spec = {.model = model.model,
                               .parameters = model.parameters,
                               .end = 1,
                               .scheme_count = 1,
                               .schemes = &choice,
                               .h_first = 0.1,
                               .h_last = 0.01,
                               .levels = 3,
                               .repeats = 2,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = 1,
                               .of = (const char *const[]){"q"},
                               .metric = {1, 1, 1e-3}};
  assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "the parameters of bouncing-ball make scales of 1 m and 31622.8 s"));
  dls_model_choice_release(&model);
}

/* Springs at rest: depth m g cos(alpha)/k; sticking and sliding without creep, hop and lift. */
DLS_TEST(contacts_at_rest_and_sliding)
{
  static const char *const schemes[] = {"spring-damper:law=kelvin-voigt,k=1e5,damping=given,c=600"};
  for (int slides = 0; slides < 2; slides++) {
    dls_order_study *study =
        study_of(slides ? "incline:mu=0.3,v0=-1" : "incline:mu=0.7,v0=0", 1, 4e-3, 2e-3, 1, schemes);
    const dls_contact_quality *x = &study->points[0].quality.contact;
    assert_close(x->rest_depth, 9.81 * cos(0.5235987755982988) / 1e5, 1e-7);
    assert_true(slides ? isnan(x->creep) : x->creep < 1e-9);
    assert_true(slides ? x->lift < 0 && x->hop == 0 : isnan(x->lift));
    assert_true(isnan(x->first_restitution));
    assert_between(x->evals_per_contact, 0.5, 20);
    dls_order_destroy(study);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plateau_of_springs_is_the_distance_of_their_limit),
      cmocka_unit_test(own_restitution_is_another_rigid_motion),
      cmocka_unit_test(limit_is_that_of_the_impacts_that_happen),
      cmocka_unit_test(friction_with_springs_has_a_limit),
      cmocka_unit_test(truncated_sweeps_have_a_limit_for_single_impacts),
      cmocka_unit_test(slip_that_lifts_has_a_limit),
      cmocka_unit_test(files_have_the_columns),
      cmocka_unit_test(restitution_over_the_phase_of_the_grid),
      cmocka_unit_test(an_impact_in_two_steps_is_one),
      cmocka_unit_test(the_phase_is_that_of_the_free_flight),
      cmocka_unit_test(a_scheme_that_refuses_the_system_has_no_limit_motion),
      cmocka_unit_test(scales_beyond_rounding_are_named),
      cmocka_unit_test(slip_that_an_impact_leaves),
      cmocka_unit_test(an_impact_that_does_not_end_has_no_restitution),
      cmocka_unit_test(friction_of_the_compression_alone_is_no_rigid_limit),
      cmocka_unit_test(accumulations_keep_a_limit_without_a_threshold),
      cmocka_unit_test(impacts_ahead_of_the_surface),
      cmocka_unit_test(contacts_at_rest_and_sliding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
