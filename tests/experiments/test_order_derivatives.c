/* test_order_derivatives.c -- `order --of dX/dP`: errors of derivatives of runs by step over the phase of the grid. References: the
 * ball with q'' = -a that strikes once at t1 with V, d(q, v)(T)/dq0 = (-e + (1 + e) a (T - t1)/V, (1 + e) a/V); what the steps of
 * moreau-jean give with fixed sets is (1, 0) at every step, and -e I those of schatzman-paoli at nearly all.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_derivatives.h"
#include <delassus/catalogue.h>
#include <delassus/study.h>
#include <math.h>
#include <string.h>

enum { PHASES = 30, LEVELS = 4 };

static const double a = 2, e = 0.5, V = 2, t1 = 1; /* of the default ball */

/* A study of derivatives of one model. */
static dls_order_study *study_of(const char *model, const char *scheme, const char *of, const char *tangent,
                                 double end, dls_reference_kind reference)
{
  dls_scheme_choice choice;
  dls_error err = {0};
  const dls_norm *norm = dls_norm_find("end");
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  dls_order_spec spec = {.model = dls_model_find(model, &err),
                         .reference = reference,
                         .end = end,
                         .scheme_count = 1,
                         .schemes = &choice,
                         .h_first = 0.02,
                         .h_last = 0.0025,
                         .levels = LEVELS,
                         .repeats = PHASES,
                         .seed = 5,
                         .norm_count = 1,
                         .norms = &norm,
                         .of_count = 1,
                         .of = &of,
                         .metric = dls_metric_default};
  assert_ok(dls_tangent_method_parse(tangent, &spec.tangent, &err), err);
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(&spec, &study, &err), err);
  assert_int_equal(study->line_count, 1);
  return study;
}

DLS_TEST(parameters_are_read_from_names)
{
  assert_string_equal(dls_derivative_parameter("dq0/de"), "e");
  assert_string_equal(dls_derivative_parameter("dv12/dq0"), "q0");
  assert_null(dls_derivative_parameter("q0"));
  assert_null(dls_derivative_parameter("drag0"));
  assert_null(dls_derivative_parameter("dq/de"));
  assert_null(dls_derivative_parameter("dq0/d"));
  assert_null(dls_derivative_parameter("dq0de"));
  assert_null(dls_derivative_parameter("d"));
  assert_null(dls_derivative_parameter(""));
}

/* Values of points are those of the runs; exact ones are the formula at the last node. */
DLS_TEST(plain_moreau_jean_has_another_limit)
{
  static const char *const of[] = {"dq0/dq0", "dv0/dq0"};
  for (int j = 0; j < 2; j++) {
    dls_order_study *s = study_of("bouncing-ball", "moreau-jean", of[j], "plain", 1.4, DLS_REFERENCE_EXACT);
    const dls_order_line *line = &s->lines[0];
    double mean = 0, square = 0;
    size_t finest = 0;
    assert_int_equal(s->point_count, PHASES * LEVELS);
    for (size_t i = 0; i < s->point_count; i++) {
      const dls_order_point *p = &s->points[i];
      const double T = floor(1.4 / p->step * (1 + 1e-12)) * p->step;
      const double exact = j == 0 ? -e + (1 + e) * a * (T - t1) / V : (1 + e) * a / V;
      assert_close(p->value, j == 0 ? 1 : 0, 1e-7);
      assert_close(p->exact, exact, 1e-10);
      assert_close(p->error.value, fabs(p->value - p->exact), 1e-12);
      mean += p->level == LEVELS - 1 ? p->value - p->exact : 0;
      finest += p->level == LEVELS - 1;
    }
    mean /= (double)finest;
    for (size_t i = 0; i < s->point_count; i++) {
      const double d = s->points[i].value - s->points[i].exact - mean;
      square += s->points[i].level == LEVELS - 1 ? d * d : 0;
    }
    const dls_order_phases phases = dls_order_phases_finest(s, line);
    assert_int_equal(phases.runs, PHASES);
    assert_close(phases.error, mean, 1e-13);
    assert_close(phases.spread, sqrt(square / PHASES), 1e-13);
    assert_close(phases.sign_share, j == 0 ? 1 : 0, 0); /* 0.1 and 1; 1.5 and 0 */
    assert_close(line->sign_share, phases.sign_share, 0);
    assert_false(line->fitted);
    assert_string_equal(line->verdict, "converges to the derivative of another map");
    assert_non_null(strstr(line->reason, "converges to the derivative of another map, mean error"));
    dls_order_destroy(s);
  }
}

/* -e but in steps of share h a/(e V) of the phases, where it is e (1 + e) (T - t1)/h. */
DLS_TEST(plain_schatzman_paoli_has_minus_e_or_large_values)
{
  dls_order_study *s =
      study_of("bouncing-ball", "schatzman-paoli", "dq0/dq0", "plain", 1.4, DLS_REFERENCE_EXACT);
  size_t large = 0;
  for (size_t i = 0; i < s->point_count; i++) {
    const dls_order_point *p = &s->points[i];
    if (fabs(p->value + e) > 1e-6) {
      const double T = floor(1.4 / p->step * (1 + 1e-12)) * p->step; /* effects are up to 3 steps late */
      assert_between(p->value * p->step, e * (1 + e) * (T - t1 - 3 * p->step), e * (1 + e) * (T - t1));
      large++;
    }
  }
  assert_between((double)large, 1, 12); /* mean share of the four levels: 0.9 % */
  assert_between(s->lines[0].sign_share, 0, 0.1);
  dls_order_destroy(s);
}

/* The verdict on errors of four levels with steps halved: `low` in the first `most` phases, `high` in the others. */
static void judge(dls_order_study *s, size_t levels, const size_t *most, const double *low, const double *high)
{
  s->spec.levels = levels;
  for (size_t i = 0; i < s->point_count; i++) {
    dls_order_point *p = &s->points[i];
    p->step = 0.02 * pow(0.5, (double)p->level);
    p->error.value = p->repeat >= most[p->level] ? high[p->level] : low[p->level];
    p->value = p->exact + p->error.value;
  }
  dls_order_judge_derivative(s, &s->lines[0]);
}

/* Errors of h, and of 75 h in some phases: it is chance whether most runs of a level have the smaller one, and their order is not known. */
DLS_TEST(orders_that_the_phases_do_not_tell_are_not_decided)
{
  static const size_t small[LEVELS] = {28, 27, 25, 23}, all[LEVELS] = {30, 30, 30, 30};
  static const double h[LEVELS] = {8, 4, 2, 1}, larger[LEVELS] = {600, 300, 150, 75};
  dls_order_study *s = study_of("bouncing-ball", "moreau-jean", "dq0/dq0", "plain", 1.4, DLS_REFERENCE_EXACT);
  judge(s, LEVELS, small, h, larger);
  assert_string_equal(s->lines[0].verdict,
                      "not decided: orders -2.1 to 4.1 fit most phases, take more repeats or steps");
  judge(s, LEVELS, all, h, larger);
  assert_string_equal(s->lines[0].verdict, "converges");
  dls_order_destroy(s);
}

/* A verdict is what all orders have that fit: those of most phases and of half of them, and of three levels. */
DLS_TEST(verdicts_are_those_of_all_orders_that_fit)
{
  static const size_t all[LEVELS] = {30, 30, 30, 30}, half[LEVELS] = {18, 18, 18, 18},
                      few[LEVELS] = {25, 25, 25, 25};
  static const double hill[LEVELS] = {5.4, 6.9, 4.3, 1}, same[LEVELS] = {1, 1, 1, 1},
                      falls[LEVELS] = {4, 3, 2.25, 1.7}, slow[LEVELS] = {1, 0.78, 0.6, 0.47},
                      slower[LEVELS] = {1.4, 1.09, 0.84, 0.66}, bump[LEVELS] = {3, 6, 6.1, 1};
  dls_order_study *s = study_of("bouncing-ball", "moreau-jean", "dq0/dq0", "plain", 1.4, DLS_REFERENCE_EXACT);
  const char *verdict = s->lines[0].verdict;
  judge(s, 3, all, hill, hill); /* two levels fall, but the one before rises */
  assert_string_equal(verdict, "not decided: orders -0.4 to 0.7 fit most phases, take more repeats or steps");
  judge(s, 3, all, bump, bump); /* at first derivatives with another limit converge to it */
  assert_string_equal(verdict, "converges to the derivative of another map");
  judge(s, LEVELS, half, same, falls); /* not half of the phases */
  assert_string_equal(verdict, "not decided: orders 0.0 to 0.4 fit most phases, take more repeats or steps");
  judge(s, LEVELS, few, slow, slower); /* as much as it falls most phases differ */
  assert_string_equal(verdict, "not decided: orders 0.1 to 0.6 fit most phases, take more repeats or steps");
  judge(s, LEVELS, all, slow, slow);
  assert_string_equal(verdict, "converges");
  dls_order_destroy(s);
}

/* Schemes that record nodes inside their steps: the last one is at the end of a step. */
DLS_TEST(nodes_inside_steps_do_not_count)
{
  dls_order_study *s =
      study_of("bouncing-ball", "moreau-jean-extrapolated", "dq0/dq0", "plain", 1.4, DLS_REFERENCE_EXACT);
  for (size_t i = 0; i < s->point_count; i++) {
    assert_close(s->points[i].value, 1, 1e-6);
  }
  dls_order_destroy(s);
}

/* Differences with delta much larger than h converge. */
DLS_TEST(differences_over_many_steps_converge)
{
  dls_order_study *s = study_of("impacting-oscillator", "moreau-jean", "dq0/dq0", "difference:delta=0.1", 2,
                                DLS_REFERENCE_EXACT);
  assert_true(s->lines[0].fitted);
  assert_between(s->lines[0].fit.order, 0.8, 1.4);
  assert_string_equal(s->lines[0].verdict, "converges");
  assert_close(s->lines[0].sign_share, 1, 0);
  dls_order_destroy(s);
}

/* The steps of a smooth motion have the right derivatives. */
DLS_TEST(without_events_plain_derivatives_have_the_order_of_the_scheme)
{
  dls_order_study *s =
      study_of("impacting-oscillator", "moreau-jean", "dv0/dk", "plain", 1.5, DLS_REFERENCE_EXACT);
  assert_true(s->lines[0].fitted);
  assert_between(s->lines[0].fit.order, 1.9, 2.1);
  dls_order_destroy(s);
}

/* A computed reference agrees with the exact one, and event-driven runs have an error of rounding. */
DLS_TEST(event_driven_references_agree_with_exact_ones)
{
  dls_order_study *s[2];
  const dls_reference_kind kinds[] = {DLS_REFERENCE_EXACT, DLS_REFERENCE_EVENT_DRIVEN};
  for (int k = 0; k < 2; k++) {
    s[k] = study_of("impacting-oscillator", "moreau-jean", "dq0/de", "plain", 3, kinds[k]);
  }
  for (size_t i = 0; i < s[0]->point_count; i++) {
    assert_close(s[0]->points[i].value, s[1]->points[i].value, 0);
    assert_close(s[0]->points[i].exact, s[1]->points[i].exact, 1e-8);
  }
  dls_order_destroy(s[0]);
  dls_order_destroy(s[1]);
  s[0] = study_of("impacting-oscillator", "event-driven", "dq0/de", "plain", 3, DLS_REFERENCE_EXACT);
  assert_int_equal(s[0]->point_count, 1);
  assert_between(s[0]->points[0].error.value, 0, 1e-8);
  assert_string_equal(s[0]->lines[0].verdict, "");
  dls_order_destroy(s[0]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_are_read_from_names),
      cmocka_unit_test(plain_moreau_jean_has_another_limit),
      cmocka_unit_test(plain_schatzman_paoli_has_minus_e_or_large_values),
      cmocka_unit_test(orders_that_the_phases_do_not_tell_are_not_decided),
      cmocka_unit_test(verdicts_are_those_of_all_orders_that_fit),
      cmocka_unit_test(nodes_inside_steps_do_not_count),
      cmocka_unit_test(differences_over_many_steps_converge),
      cmocka_unit_test(without_events_plain_derivatives_have_the_order_of_the_scheme),
      cmocka_unit_test(event_driven_references_agree_with_exact_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
