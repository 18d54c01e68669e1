/* test_reference.c -- a computed reference, and the run of another engine that must agree with it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/measures/advise/advise.h"
#include "experiments/measures/order/reference.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { END = 30 };

/* A mass at rest and a smooth pulse at t = 20 that the first runs miss, like integrators with long steps. */
static struct {
  dls_time_dependence declared;
  size_t seen_from, run, failing; /* the first run that sees the pulse; this run; the run that fails, 0: none */
  double last;                    /* time of the last evaluation */
} pulse;

static void load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  pulse.run += t == 0 && pulse.last > END / 3.0;
  pulse.last = t;
  const double x = (t - 20) / 2;
  F[0] = pulse.failing > 0 && pulse.run == pulse.failing && t > END / 2.0 ? NAN
         : pulse.run >= pulse.seen_from                                   ? 100 * exp(-x * x)
                                                                          : 0;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self, (void)p;
  dls_system *sys = *out = dls_system_create(1, 0);
  if (sys != NULL) {
    sys->linear = true;
    sys->M = dls_matrix_diagonal(1);
    sys->load = load;
    sys->explicit_time = pulse.declared;
  }
  if (sys == NULL || sys->M == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory");
  }
  dls_matrix_set(sys->M, 0, 0, 1);
  return DLS_OK;
}

static const dls_option no_parameters[] = {{0}};
static const dls_model pushed_mass = {.name = "pushed-mass",
                                      .summary = "a mass at rest and a pulse",
                                      .source = "-",
                                      .equations = "",
                                      .parameters = no_parameters,
                                      .create = create};

static dls_order_spec spec_of(const dls_model *model, const char *scheme)
{
  static const char *const of[] = {"v"};
  static const dls_norm *norms[1];
  static dls_scheme_choice choice;
  dls_error err = {0};
  norms[0] = dls_norm_find("l1");
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  return (dls_order_spec){.model = model,
                          .end = END,
                          .scheme_count = 1,
                          .schemes = &choice,
                          .h_first = 0.3,
                          .h_last = 0.1,
                          .levels = 2,
                          .repeats = 2,
                          .seed = 1,
                          .norm_count = 1,
                          .norms = norms,
                          .of_count = 1,
                          .of = of,
                          .metric = dls_metric_default};
}

static void begin(dls_time_dependence declared, size_t seen_from)
{
  pulse.declared = declared;
  pulse.seen_from = seen_from;
  pulse.run = pulse.failing = 0;
  pulse.last = 0;
}

static dls_status make(const dls_order_spec *spec, dls_reference *out, dls_error *err)
{
  dls_system *sys = NULL;
  assert_int_equal(dls_model_create(spec->model, spec->parameters, &sys, err), DLS_OK);
  const dls_status status = dls_reference_make(spec, sys, NULL, NULL, out, err);
  dls_system_destroy(sys);
  return status;
}

/* The runs at both tolerances, or only the first, miss an impulse of 200 sqrt(pi) = 354.49 Ns. */
DLS_TEST(a_pulse_that_the_reference_misses_makes_it_uncertain)
{
  static const dls_time_dependence explicit_ones[] = {DLS_TIME_UNKNOWN, DLS_TIME_EXPLICIT};
  const dls_order_spec spec = spec_of(&pushed_mass, "moreau-jean");
  for (size_t seen_from = 1; seen_from <= 2; seen_from++) {
    for (size_t i = 0; i < 2; i++) {
      dls_reference reference;
      dls_error err = {0};
      begin(explicit_ones[i], seen_from);
      assert_int_equal(make(&spec, &reference, &err), DLS_ERR_NOCONV);
      const char *expected =
          "the reference is not certain: 3.5e+02 between adams and erk at t = 30 (v, within ";
      assert_memory_equal(err.text, expected, strlen(expected));
      const char *until = strstr(err.text, "up to t = ");
      assert_non_null(until);
      assert_between(strtod(until + strlen("up to t = "), NULL), 1, 20);
      dls_reference_clear(&reference);
    }
  }
}

/* Where erk, the third run, fails, the engine is the same and the tolerance is not. */
DLS_TEST(a_check_by_the_same_engine_has_another_tolerance_and_says_so)
{
  const dls_order_spec spec = spec_of(&pushed_mass, "moreau-jean");
  static const char pair[] = "the reference is not certain: 3.5e+02 between adams at tol = 1e-11 and adams at "
                             "tol = 1e-10 (erk failed: ";
  dls_reference reference;
  dls_error err = {0};
  begin(DLS_TIME_EXPLICIT, 3);
  pulse.failing = 2;
  assert_int_equal(make(&spec, &reference, &err), DLS_ERR_NOCONV);
  assert_memory_equal(err.text, pair, strlen(pair));
  assert_non_null(strstr(err.text, ") at t = 30 (v, within "));
  dls_reference_clear(&reference);
  begin(DLS_TIME_EXPLICIT, 4);
  pulse.failing = 2;
  assert_ok(make(&spec, &reference, &err), err);
  assert_non_null(strstr(reference.text, " to event-driven:tol=1e-10 (erk failed)"));
  dls_reference_clear(&reference);
}

/* A system that does not depend on t needs no check, unless it is asked for. */
DLS_TEST(without_explicit_time_a_check_is_made_where_it_is_asked_for)
{
  dls_order_spec spec = spec_of(&pushed_mass, "moreau-jean");
  dls_reference reference;
  dls_error err = {0};
  begin(DLS_TIME_NONE, 2);
  assert_ok(make(&spec, &reference, &err), err);
  assert_int_equal(pulse.run, 1); /* two runs */
  assert_null(strstr(reference.text, "erk"));
  dls_reference_clear(&reference);
  spec.check_reference = true;
  begin(DLS_TIME_NONE, 2);
  assert_int_equal(make(&spec, &reference, &err), DLS_ERR_NOCONV);
  assert_int_equal(pulse.run, 2); /* one more */
  dls_reference_clear(&reference);
}

/* Studies end before any run of a scheme, without results. */
DLS_TEST(studies_stop_where_the_reference_is_not_certain)
{
  const dls_order_spec spec = spec_of(&pushed_mass, "moreau-jean");
  dls_order_study *study = NULL;
  dls_error err = {0};
  begin(DLS_TIME_EXPLICIT, 2);
  assert_int_equal(dls_order_run(&spec, &study, &err), DLS_ERR_NOCONV);
  assert_memory_equal(err.text, "the reference is not certain", 28);
  assert_int_equal(pulse.run, 2);
  dls_order_destroy(study);
  const dls_advise_spec advise = {
      .order = spec, .error = 1e-3, .against = DLS_AGAINST_STEPS, .most_steps = 1e4};
  dls_advised *advised = NULL;
  begin(DLS_TIME_EXPLICIT, 2);
  assert_int_equal(dls_advise(&advise, &advised, &err), DLS_ERR_NOCONV);
  assert_memory_equal(err.text, "the reference is not certain", 28);
  dls_advised_destroy(advised);
}

/* Engines that resolve the load agree, also if the motion amplifies errors: by 1e4 for the ball on a vibrating table. */
DLS_TEST(engines_that_agree_make_a_reference_whose_error_counts_both)
{
  dls_order_spec spec = spec_of(dls_model_find("vibrating-table", NULL), "moreau-jean");
  dls_reference reference;
  dls_error err = {0};
  spec.reference = DLS_REFERENCE_EVENT_DRIVEN;
  spec.end = 5;
  assert_ok(make(&spec, &reference, &err), err);
  const char *check = strstr(reference.text, " to event-driven:tol=1e-12, ");
  assert_non_null(check);
  assert_non_null(strstr(check, " to event-driven:tol=1e-12,method=erk"));
  assert_true(reference.error >= 0.95 * strtod(check + strlen(" to event-driven:tol=1e-12, "), NULL));
  assert_between(reference.error, 1e-12, 1e-4);
  dls_reference_clear(&reference);
  spec.check_reference = true; /* no run to check */
  spec.reference = DLS_REFERENCE_EXACT;
  assert_int_equal(make(&spec, &reference, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "--reference event-driven"));
}

/* The ball has impacts at 1, 2, 2.5, ...: at the end of the study an impact may be in one run only. */
DLS_TEST(an_event_at_the_end_makes_no_reference_uncertain)
{
  static const double ends[] = {1, 2, 2.5};
  dls_order_spec spec = spec_of(dls_model_find("bouncing-ball", NULL), "moreau-jean");
  spec.reference = DLS_REFERENCE_EVENT_DRIVEN;
  spec.check_reference = true;
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    dls_reference reference;
    dls_error err = {0};
    spec.end = ends[i];
    assert_ok(make(&spec, &reference, &err), err);
    assert_between(reference.error, 0, 1e-9);
    dls_reference_clear(&reference);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pulse_that_the_reference_misses_makes_it_uncertain),
      cmocka_unit_test(a_check_by_the_same_engine_has_another_tolerance_and_says_so),
      cmocka_unit_test(without_explicit_time_a_check_is_made_where_it_is_asked_for),
      cmocka_unit_test(studies_stop_where_the_reference_is_not_certain),
      cmocka_unit_test(engines_that_agree_make_a_reference_whose_error_counts_both),
      cmocka_unit_test(an_event_at_the_end_makes_no_reference_uncertain),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
