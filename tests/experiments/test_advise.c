/* test_advise.c -- the advice keeps its word: its value reaches the error in runs that the search has not made, and no other scheme
 * does so for much less. Four problems, three errors each.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/measures/advise/advise.h"
#include "experiments/measures/order/reference.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 20, SCHEMES = 4 };
static const char *const names[SCHEMES] = {"event-driven", "moreau-jean", "rk-moreau", "schatzman-paoli"};

/* A problem, its reference, and one seed for all that is drawn here. */
typedef struct trial {
  dls_catalogue *catalogue;
  dls_model_choice model;
  dls_scheme_choice schemes[SCHEMES];
  const dls_norm *norm;
  const char *of;
  dls_advise_spec spec;
  dls_system *sys;
  dls_reference reference;
  dls_graph *graph;
  unsigned random;
} trial;

static void begin(trial *t, const char *model, const char *setting, const char *of, double end,
                  dls_reference_kind kind)
{
  dls_error err = {0};
  memset(t, 0, sizeof *t);
  assert_int_equal(dls_catalogue_create(&t->catalogue, &err), DLS_OK);
  const dls_model *entry = dls_catalogue_model(t->catalogue, model, &err);
  assert_int_equal(dls_model_choose("test", entry, setting != NULL, &setting, &t->model, &err), DLS_OK);
  for (size_t i = 0; i < SCHEMES; i++) {
    assert_int_equal(dls_catalogue_choose(t->catalogue, names[i], &t->schemes[i], &err), DLS_OK);
  }
  t->norm = dls_norm_find("grid-max");
  t->of = of;
  t->random = 12345;
  t->spec = (dls_advise_spec){.against = DLS_AGAINST_EVALS, .most_steps = 1e5};
  t->spec.order = (dls_order_spec){.model = t->model.model,
                                   .catalogue = t->catalogue,
                                   .parameters = t->model.parameters,
                                   .reference = kind,
                                   .end = end,
                                   .scheme_count = SCHEMES,
                                   .schemes = t->schemes,
                                   .repeats = 1,
                                   .norm_count = 1,
                                   .norms = &t->norm,
                                   .of_count = 1,
                                   .of = &t->of,
                                   .metric = dls_metric_default,
                                   .seed = 1};
  assert_int_equal(dls_model_create(t->model.model, t->model.parameters, &t->sys, &err), DLS_OK);
  assert_int_equal(dls_reference_make(&t->spec.order, t->sys, NULL, NULL, &t->reference, &err), DLS_OK);
  assert_int_equal(dls_quantity_graph(t->reference.traj, of, &t->graph, &err), DLS_OK);
}

static void finish(trial *t)
{
  dls_graph_destroy(t->graph);
  dls_reference_clear(&t->reference);
  dls_system_destroy(t->sys);
  dls_model_choice_release(&t->model);
  dls_catalogue_destroy(t->catalogue);
}

/* Uniform in [0, 1). */
static double draw(trial *t)
{
  t->random = t->random * 1664525U + 1013904223U;
  return (double)(t->random >> 8) / 16777216;
}

/* Error and evaluations of a run that is made here, without the machinery of studies. */
static double error_of(const trial *t, size_t scheme, bool by_tolerance, double value, double *evals)
{
  dls_error err = {0};
  dls_scheme_choice choice = t->schemes[scheme];
  dls_sim *sim = NULL;
  if (by_tolerance) {
    snprintf(choice.options, sizeof choice.options, "tol=%.17g", value);
  }
  assert_int_equal(dls_scheme_choice_sim(&choice, t->sys, &sim, &err), DLS_OK);
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  const dls_run_spec run = {.step = by_tolerance ? 0 : value, .end = t->spec.order.end, .record = traj};
  dls_graph *numeric = NULL, *exact = NULL;
  dls_measure measure = {.value = INFINITY};
  if (dls_run(sim, &run, &err) == DLS_OK) {
    assert_int_equal(dls_quantity_graph(traj, t->of, &numeric, &err), DLS_OK);
    assert_int_equal(dls_clip_to_common(&numeric, t->graph, &exact, &err), DLS_OK);
    assert_int_equal(t->norm->measure(t->norm, numeric, exact, &t->spec.order.metric, &measure, &err), DLS_OK);
  }
  *evals = (double)(sim->work.force_evals + sim->work.lcp_solves + sim->work.factorizations);
  dls_graph_destroy(numeric);
  dls_graph_destroy(exact);
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  return measure.value;
}

/* How many of the runs at the value and down to 0.8 of it have an error of at most `error`; *evals: their mean. */
static size_t reached(trial *t, size_t scheme, bool by_tolerance, double value, double error, size_t runs,
                      double *evals)
{
  size_t count = 0;
  double sum = 0;
  for (size_t i = 0; i < runs; i++) {
    double one;
    count += error_of(t, scheme, by_tolerance, value * (1 - DLS_ADVISE_SPREAD * draw(t)), &one) <= error;
    sum += one;
    if (count != i + 1) {
      runs = i + 1; /* one that fails is enough */
    }
  }
  *evals = sum / (double)runs;
  return count;
}

/* No value of the scheme, on a fine grid, reaches the error for less than 80 % of the work: a quarter cheaper. */
static void is_not_much_cheaper(trial *t, size_t scheme, bool by_tolerance, double error, double work)
{
  const double first = by_tolerance ? 0.01 : t->spec.order.end / 2, ratio = by_tolerance ? 0.5 : 0.87;
  double evals = 0;
  for (double value = first; value > first * 1e-8 && (by_tolerance || evals < 0.8 * work); value *= ratio) {
    const size_t count = reached(t, scheme, by_tolerance, value, DLS_ADVISE_MARGIN * error, RUNS, &evals);
    if (count == RUNS && evals < 0.8 * work) {
      fail_msg("%s at %g reaches %g with %g evaluations, the advice with %g", names[scheme], value, error,
               evals, work);
    }
  }
}

static void keeps_its_word(trial *t, double error)
{
  dls_error err = {0};
  dls_advised *advised = NULL;
  double evals;
  t->spec.error = error;
  assert_int_equal(dls_advise(&t->spec, &advised, &err), DLS_OK);
  assert_true(advised->complete);
  assert_int_equal(advised->count, SCHEMES);
  const dls_advice *best = &advised->advice[0];
  assert_int_equal(best->kind, DLS_ADVICE_REACHED);
  assert_between(best->error, 0, DLS_ADVISE_MARGIN * error);
  assert_int_equal(reached(t, best->scheme, best->by_tolerance, best->value, error, RUNS, &evals), RUNS);
  assert_between(evals, 0.8 * best->work, 1.25 * best->work);
  for (size_t i = 1; i < advised->count; i++) {
    const dls_advice *other = &advised->advice[i];
    assert_true(other->kind != DLS_ADVICE_REACHED || other->work >= best->work);
    is_not_much_cheaper(t, other->scheme, strcmp(names[other->scheme], "event-driven") == 0, error, best->work);
  }
  dls_advised_destroy(advised);
}

static void three_errors(const char *model, const char *setting, const char *of, double end,
                         dls_reference_kind kind, const double errors[3])
{
  trial t;
  begin(&t, model, setting, of, end, kind);
  for (int i = 0; i < 3; i++) {
    keeps_its_word(&t, errors[i]);
  }
  finish(&t);
}

static void on_the_ball(void **state)
{
  (void)state;
  three_errors("bouncing-ball", NULL, "q0", 4, DLS_REFERENCE_EXACT, (double[]){1e-1, 1e-2, 1e-4});
}

static void on_the_oscillator(void **state)
{
  (void)state;
  three_errors("impacting-oscillator", NULL, "q0", 4, DLS_REFERENCE_EXACT, (double[]){1e-1, 1e-2, 1e-4});
}

static void on_the_bar(void **state)
{
  (void)state;
  three_errors("elastic-bar", "n=8", "q0", 1.5, DLS_REFERENCE_EVENT_DRIVEN, (double[]){3e-1, 3e-2, 1e-3});
}

static void on_the_belt(void **state)
{
  (void)state;
  three_errors("belt", NULL, "v0", 8, DLS_REFERENCE_EXACT, (double[]){1e-1, 1e-2, 1e-4});
}

/* What nobody reaches is answered with the least that was met, and the value it was met with. */
static void an_error_out_of_reach_is_answered_with_the_best(void **state)
{
  (void)state;
  trial t;
  dls_error err = {0};
  dls_advised *advised = NULL;
  double evals;
  begin(&t, "bouncing-ball", NULL, "q0", 4, DLS_REFERENCE_EXACT);
  t.spec.error = 1e-9;
  t.spec.most_steps = 2000;
  t.spec.order.schemes = &t.schemes[1]; /* moreau-jean alone */
  t.spec.order.scheme_count = 1;
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_OK);
  assert_int_equal(advised->advice[0].kind, DLS_ADVICE_DEAR);
  assert_between(advised->advice[0].error, 1e-4, 5e-2);
  assert_between(advised->advice[0].value, 4.0 / 2000, 0.2);
  assert_true(error_of(&t, 1, false, advised->advice[0].value, &evals) <=
              advised->advice[0].error * (1 + 1e-12));
  dls_advised_destroy(advised);
  finish(&t);
}

/* A scheme for smooth motion only is refused, with the reason; energy that is created is seen. */
static void what_should_be_known_is_told(void **state)
{
  (void)state;
  trial t;
  dls_error err = {0};
  dls_advised *advised = NULL;
  begin(&t, "impacting-oscillator", "e=1", "q0", 4, DLS_REFERENCE_EXACT);
  assert_int_equal(dls_catalogue_choose(t.catalogue, "tdg-alpha", &t.schemes[0], &err), DLS_OK);
  assert_int_equal(dls_catalogue_choose(t.catalogue, "moreau-jean:theta=1", &t.schemes[1], &err), DLS_OK);
  t.spec.order.scheme_count = 2;
  t.spec.error = 0.1;
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_OK);
  assert_string_equal(t.schemes[advised->advice[0].scheme].scheme->name, "moreau-jean");
  assert_int_equal(advised->advice[0].kind, DLS_ADVICE_REACHED);
  assert_between(advised->advice[0].energy, 1e-6, 0.1);
  assert_int_equal(advised->advice[1].kind, DLS_ADVICE_REFUSED);
  assert_non_null(strstr(advised->advice[1].reason, "does not treat contacts"));
  dls_advised_destroy(advised);
  finish(&t);
}

/* Sixteen periods: steps from 50 s down to 1 s have errors as large as the motion, and smaller ones help all the same. */
static void large_errors_end_no_search(void **state)
{
  (void)state;
  trial t;
  dls_error err = {0};
  dls_advised *advised = NULL;
  begin(&t, "impacting-oscillator", "amplitude=0.5", "q0", 100, DLS_REFERENCE_EXACT);
  assert_int_equal(dls_catalogue_choose(t.catalogue, "moreau-jean", &t.schemes[0], &err), DLS_OK);
  t.spec.order.scheme_count = 1;
  t.spec.error = 0.05;
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_OK);
  assert_int_equal(advised->advice[0].kind, DLS_ADVICE_REACHED);
  assert_between(advised->advice[0].value, 1e-3, 0.1);
  assert_close(advised->length, t.sys->length, 0);
  dls_advised_destroy(advised);
  finish(&t);
}

static void a_wrong_question_is_refused(void **state)
{
  (void)state;
  trial t;
  dls_error err = {0};
  dls_advised *advised = NULL;
  begin(&t, "bouncing-ball", NULL, "q0", 4, DLS_REFERENCE_EXACT);
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "advise: error = 0 is not allowed: finite and > 0");
  t.spec.error = 0.1;
  t.spec.most_steps = 3;
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_ERR_ARG);
  t.spec.most_steps = 100;
  t.spec.order.norm_count = 0;
  assert_int_equal(dls_advise(&t.spec, &advised, &err), DLS_ERR_ARG);
  assert_null(advised);
  finish(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_the_ball),
      cmocka_unit_test(on_the_oscillator),
      cmocka_unit_test(on_the_bar),
      cmocka_unit_test(on_the_belt),
      cmocka_unit_test(an_error_out_of_reach_is_answered_with_the_best),
      cmocka_unit_test(what_should_be_known_is_told),
      cmocka_unit_test(large_errors_end_no_search),
      cmocka_unit_test(a_wrong_question_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
