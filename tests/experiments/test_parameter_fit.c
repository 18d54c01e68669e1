/* test_parameter_fit.c -- parameters from data against closed forms: linear least squares, exact motions, coverage of intervals; and what
 * is reported of minima, bounds and parameters that cannot be identified.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/measures/fit/parameter_fit.h"
#include "experiments/measures/fit/sampled_descent.h"
#include <delassus/catalogue.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

/* A fit and its data. */
typedef struct trial {
  dls_model_choice model;
  dls_scheme_choice scheme;
  gsl_rng *random;
  double t[MOST], values[2 * MOST];
  dls_parameter_fit_spec spec;
  dls_parameter_fit *fit;
  dls_error err;
} trial;

static void begin(trial *s, const char *model, size_t count, const char *const *settings, const char *scheme)
{
  memset(s, 0, sizeof *s);
  const dls_model *entry = dls_catalogue_model(NULL, model, &s->err);
  assert_non_null(entry);
  assert_ok(dls_model_choose("test", entry, count, settings, &s->model, &s->err), s->err);
  assert_ok(dls_catalogue_choose(NULL, scheme, &s->scheme, &s->err), s->err);
  s->random = gsl_rng_alloc(gsl_rng_mt19937);
  s->spec = (dls_parameter_fit_spec){.model = s->model.model,
                                     .parameters = s->model.parameters,
                                     .scheme = &s->scheme,
                                     .level = 0.95,
                                     .tol = 1e-4,
                                     .iterations = 50,
                                     .starts = 1};
}

static void end(trial *s)
{
  dls_parameter_fit_destroy(s->fit);
  dls_model_choice_release(&s->model);
  gsl_rng_free(s->random);
}

static void ask(trial *s, size_t of_count, const char *const *of, size_t by_count, const char *const *by)
{
  s->spec.data.of_count = of_count;
  s->spec.data.of = of;
  s->spec.by_count = by_count;
  s->spec.by = by;
}

static void set_value(trial *s, const char *name, double value)
{
  s->model.parameters[dls_option_find(s->model.model->parameters, name)] = value;
}

/* Data are the model's own motion at rows even times up to `last`, with noise. The fit of a level is not asked for. */
static void make_data(trial *s, size_t rows, double last, double noise)
{
  const size_t of_count = s->spec.data.of_count;
  dls_parameter_fit truth = {.by_count = 0, .of_count = of_count, .parameters = s->model.parameters};
  dls_parameter_fit_spec spec = s->spec;
  double half[2 * MOST];
  spec.by_count = 0;
  for (size_t i = 0; i < rows; i++) {
    s->t[i] = last * (double)(i + 1) / (double)rows;
  }
  spec.relative = 0.5; /* no derivatives */
  assert_ok(dls_parameter_fit_curve(&spec, &truth, rows, s->t, s->values, half, &s->err), s->err);
  for (size_t i = 0; i < rows * of_count; i++) {
    s->values[i] += gsl_ran_gaussian(s->random, noise);
  }
  s->spec.data.rows = rows;
  s->spec.data.t = s->t;
  s->spec.data.values = s->values;
}

static dls_status fit(trial *s)
{
  dls_parameter_fit_destroy(s->fit);
  s->fit = NULL;
  s->err = (dls_error){0};
  return dls_parameter_fit_run(&s->spec, &s->fit, &s->err);
}

static bool reports(const trial *s, const char *words)
{
  for (size_t i = 0; i < s->fit->message_count; i++) {
    if (strstr(s->fit->messages[i], words) != NULL) {
      return true;
    }
  }
  return false;
}

/* In flight q = q0 + v0 t + f t^2/2 is linear in the parameters: normal equations, solved here by Cramer's rule. */
DLS_TEST(a_flight_is_linear_least_squares)
{
  static const char *const of[] = {"q0"}, *const by[] = {"v0", "f"};
  trial s;
  begin(&s, "bouncing-ball", 0, NULL, "event-driven");
  gsl_rng_set(s.random, 7);
  ask(&s, 1, of, 2, by);
  make_data(&s, 50, 0.9, 0.02);
  set_value(&s, "v0", 0.4);
  set_value(&s, "f", -3);
  double a = 0, b = 0, c = 0, x = 0, y = 0;
  for (size_t i = 0; i < 50; i++) {
    const double t = s.t[i], r = s.values[i] - 1;
    a += t * t;
    b += t * t * t / 2;
    c += t * t * t * t / 4;
    x += t * r;
    y += t * t / 2 * r;
  }
  const double det = a * c - b * b, v0 = (c * x - b * y) / det, f = (a * y - b * x) / det;
  double sum = 0;
  for (size_t i = 0; i < 50; i++) {
    const double t = s.t[i], r = 1 + v0 * t + f * t * t / 2 - s.values[i];
    sum += r * r;
  }
  const double variance = sum / 48, quantile = gsl_cdf_tdist_Pinv(0.975, 48);
  assert_ok(fit(&s), s.err);
  assert_true(s.fit->converged);
  assert_int_equal(s.fit->freedom, 48);
  assert_close(s.fit->sigma[0], sqrt(variance), 1e-8);
  assert_close(s.fit->rms[0], sqrt(sum / 50), 1e-8);
  assert_close(s.fit->estimates[0].value, v0, 1e-5);
  assert_close(s.fit->estimates[1].value, f, 1e-5);
  assert_close(s.fit->estimates[0].high - s.fit->estimates[0].low, 2 * quantile * sqrt(variance * c / det),
               1e-6);
  assert_close(s.fit->estimates[1].high - s.fit->estimates[1].low, 2 * quantile * sqrt(variance * a / det),
               1e-6);
  assert_close(s.fit->covariance[1], -variance * b / det, 1e-7);
  end(&s);
}

/* Between the first and the second impact q = e V (t - 1) - (t - 1)^2, with V = 2, is linear in e. With sigma the quantile is normal. */
DLS_TEST(restitution_through_one_impact)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e"};
  const double sigma = 0.01;
  trial s;
  begin(&s, "bouncing-ball", 0, NULL, "event-driven");
  gsl_rng_set(s.random, 8);
  ask(&s, 1, of, 1, by);
  make_data(&s, 60, 1.8, sigma);
  set_value(&s, "e", 0.6);
  s.spec.sigma = &sigma;
  double xx = 0, xr = 0;
  for (size_t i = 0; i < 60; i++) {
    const double since = fmax(s.t[i] - 1, 0);
    xx += 4 * since * since;
    xr += 2 * since * (s.values[i] + since * since);
  }
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, xr / xx, 1e-6);
  assert_close(s.fit->estimates[0].error, sigma / sqrt(xx), 1e-9);
  assert_close(s.fit->estimates[0].high - s.fit->estimates[0].value, 1.959963984540054 * sigma / sqrt(xx),
               1e-8);
  assert_int_equal(s.fit->estimates[0].status, DLS_DERIVATIVE_OK);
  /* twice the level of certainty, other intervals */
  s.spec.level = 0.5;
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].high - s.fit->estimates[0].value, 0.6744897501960817 * sigma / sqrt(xx),
               1e-8);
  end(&s);
}

/* The errors at which the descent ends are those of its last residuals, not of its first: after one iteration, without noise, it reaches
 * the parameter, and ends at no kink. */
DLS_TEST(the_descent_after_few_iterations_reaches_the_minimum)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e"};
  for (int i = 0; i < 5; i++) {
    static const double starts[] = {0.1, 0.2, 0.3, 0.7, 0.9};
    trial s;
    begin(&s, "bouncing-ball", 0, NULL, "event-driven");
    ask(&s, 1, of, 1, by);
    make_data(&s, 9, 2.4, 0);
    set_value(&s, "e", starts[i]);
    s.spec.iterations = 1;
    assert_ok(fit(&s), s.err);
    assert_true(s.fit->converged);
    assert_close(s.fit->estimates[0].value, 0.5, 1e-8);
    assert_false(reports(&s, "kink"));
    end(&s);
  }
}

/* Data without noise give the parameters back, from starts with other sequences of events. */
DLS_TEST(exact_data_give_exact_parameters)
{
  static const char *const q0[] = {"q0"}, *const q2[] = {"q2"};
  static const char *const ball[] = {"e", "q0", "f"}, *const belt[] = {"F", "Fs", "vb"},
                           *const block[] = {"b", "phi0"};
  static const char *const ball_set[] = {"e=0.8"}, *const belt_set[] = {"F=1", "Fs=1.5"};
  static const struct {
    const char *model;
    size_t count;
    const char *const *settings, *const *of;
    size_t by_count;
    const char *const *by;
    double truth[3], start[3], last;
  } cases[] = {
      {"bouncing-ball", 1, ball_set, q0, 3, ball, {0.8, 1, -2}, {0.5, 1.3, -2.5}, 5},
      {"belt", 2, belt_set, q0, 3, belt, {1, 1.5, 0.5}, {0.7, 1.9, 0.4}, 12},
      {"rocking-block", 0, NULL, q2, 2, block, {0.1, 0.09869777992494067}, {0.12, 0.08}, 3},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    trial s;
    begin(&s, cases[c].model, cases[c].count, cases[c].settings, "event-driven");
    ask(&s, 1, cases[c].of, cases[c].by_count, cases[c].by);
    make_data(&s, 150, cases[c].last, 0);
    for (size_t k = 0; k < cases[c].by_count; k++) {
      set_value(&s, cases[c].by[k], cases[c].start[k]);
    }
    assert_ok(fit(&s), s.err);
    for (size_t k = 0; k < cases[c].by_count; k++) {
      assert_close(s.fit->estimates[k].value, cases[c].truth[k], 1e-6);
      assert_true(s.fit->estimates[k].identifiable);
    }
    assert_between(s.fit->rms[0], 0, 1e-7);
    end(&s);
  }
}

/* Fit noisy data of the truth from a start, for seeds 1, ..., count. The number of seeds whose interval covers the truth is in [least, most],
 * and the mean of the squared errors in standard errors in [low, high]. */
static void check_coverage(trial *s, unsigned long count, const double *truth, const double *start, size_t rows,
                           double last, double least, double most, double low, double high)
{
  double covered[2] = {0}, squares[2] = {0};
  for (unsigned long seed = 1; seed <= count; seed++) {
    gsl_rng_set(s->random, seed);
    for (int k = 0; k < 2; k++) {
      set_value(s, s->spec.by[k], truth[k]);
    }
    make_data(s, rows, last, 0.02);
    for (int k = 0; k < 2; k++) {
      set_value(s, s->spec.by[k], start[k]);
    }
    assert_ok(fit(s), s->err);
    assert_true(s->fit->converged);
    for (int k = 0; k < 2; k++) {
      const dls_estimate *e = &s->fit->estimates[k];
      covered[k] += e->low <= truth[k] && truth[k] <= e->high;
      squares[k] += pow((e->value - truth[k]) / e->error, 2) / (double)count;
    }
  }
  for (int k = 0; k < 2; k++) {
    assert_between(covered[k], least, most);
    assert_between(squares[k], low, high);
  }
}

/* Intervals of 95 % contain the truth in 95 % of the cases: of 80 in 67 to 80 with probability 0.9998. The mean of the squares is a
 * chi-square of 80 degrees over 80: 1 -+ 3.5 standard deviations. */
DLS_TEST(intervals_cover_the_truth_through_impacts)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e", "f"};
  trial s;
  begin(&s, "bouncing-ball", 0, NULL, "event-driven");
  ask(&s, 1, of, 2, by);
  check_coverage(&s, 80, (const double[]){0.8, -2}, (const double[]){0.7, -2.1}, 60, 4, 67, 80, 0.45, 1.55);
  end(&s);
}

/* Of 24 in 17 to 24, with probability 0.9999. */
DLS_TEST(intervals_cover_the_truth_through_stick_and_slip)
{
  static const char *const of[] = {"q0", "v0"}, *const by[] = {"F", "Fs"};
  trial s;
  begin(&s, "belt", 0, NULL, "event-driven:tol=1e-7");
  ask(&s, 2, of, 2, by);
  check_coverage(&s, 24, (const double[]){1, 1.5}, (const double[]){0.95, 1.4}, 40, 9, 17, 24, 0.15, 2.1);
  end(&s);
}

/* Noise of two columns of different size is estimated, and weights them. */
DLS_TEST(each_column_has_its_noise)
{
  static const char *const of[] = {"q0", "v0"}, *const by[] = {"F", "Fs"},
                           *const settings[] = {"F=1", "Fs=1.5"};
  trial s;
  begin(&s, "belt", 2, settings, "event-driven");
  gsl_rng_set(s.random, 3);
  ask(&s, 2, of, 2, by);
  make_data(&s, 200, 9, 0.001);
  for (size_t i = 0; i < 200; i++) {
    s.values[2 * i + 1] += gsl_ran_gaussian(s.random, 0.1);
  }
  set_value(&s, "Fs", 1.4);
  assert_ok(fit(&s), s.err);
  assert_between(s.fit->sigma[0], 0.00082, 0.00118); /* 3.5 standard deviations of an estimate */
  assert_between(s.fit->sigma[1], 0.082, 0.118);
  const double width = s.fit->estimates[0].error;
  const double value = s.fit->estimates[0].value, settled[] = {s.fit->sigma[0], s.fit->sigma[1]};
  s.spec.sigma = settled; /* the weights of the estimate were these */
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, value, 0.02 * width);
  /* given, they change the interval by the uncertainty of the estimates only */
  s.spec.sigma = (const double[]){0.001, 0.1};
  assert_ok(fit(&s), s.err);
  assert_between(s.fit->estimates[0].error / width, 0.85, 1.15);
  assert_false(reports(&s, "--sigma: it is too small"));
  s.spec.sigma = (const double[]){0.0005, 0.05};
  assert_ok(fit(&s), s.err);
  assert_true(reports(&s, "times as large as --sigma: it is too small"));
  end(&s);
}

/* A start that misses impacts of the data: the sum of squares has other minima. */
DLS_TEST(a_local_minimum_is_left_and_reported)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e"}, *const settings[] = {"e=0.9"};
  trial s;
  begin(&s, "bouncing-ball", 1, settings, "event-driven");
  gsl_rng_set(s.random, 4);
  ask(&s, 1, of, 1, by);
  make_data(&s, 400, 60, 0.01);
  size_t left = 0;
  for (double start = 0.16; start < 1; start += DLS_TEST_CASES(0.18, 0.36)) {
    set_value(&s, "e", start);
    assert_ok(fit(&s), s.err);
    assert_close(s.fit->estimates[0].value, 0.9, 3e-4);
    assert_true(s.fit->converged);
    left += reports(&s, "local minimum");
  }
  assert_between((double)left, 1, 5);
  /* a wrong model is not noise, from whatever start */
  set_value(&s, "f", -2.2);
  const double low = 0.05, high = 0.95;
  s.spec.low = &low;
  s.spec.high = &high;
  s.spec.starts = DLS_TEST_CASES(5, 2);
  set_value(&s, "e", 0.5);
  assert_ok(fit(&s), s.err);
  assert_true(reports(&s, "the residuals of q0 are not noise"));
  assert_between(s.fit->correlation_next[0], 0.5, 1);
  end(&s);
}

DLS_TEST(parameters_that_cannot_be_identified_are_named)
{
  static const char *const of[] = {"q2"}, *const all[] = {"b", "mu", "g", "h"};
  trial s;
  begin(&s, "rocking-block", 0, NULL, "event-driven:tol=1e-8");
  gsl_rng_set(s.random, 5);
  ask(&s, 1, of, 2, all);
  make_data(&s, 60, 2, 0.001);
  set_value(&s, "b", 0.105);
  assert_ok(fit(&s), s.err); /* the block sticks: mu has no effect */
  assert_true(s.fit->estimates[0].identifiable && !s.fit->estimates[1].identifiable);
  assert_true(isnan(s.fit->estimates[1].low) && isnan(s.fit->estimates[1].high));
  assert_close(s.fit->estimates[1].value, 0.5, 1e-12); /* it stays */
  assert_close(s.fit->estimates[0].value, 0.1, 4 * s.fit->estimates[0].error);
  assert_true(reports(&s, "not identifiable: mu. It has no effect"));
  static const char *const with_mass[] = {"b", "m"};
  ask(&s, 1, of, 2, with_mass); /* the derivatives with respect to m are rounding: it stays */
  set_value(&s, "m", 2);
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[1].value, 2, 1e-9);
  assert_close(s.fit->estimates[0].value, 0.1, 4 * s.fit->estimates[0].error);
  assert_true(reports(&s, "not identifiable: m. It has no effect"));
  ask(&s, 1, of, 4, all); /* lengths and g scale with each other */
  assert_ok(fit(&s), s.err);
  assert_false(s.fit->estimates[0].identifiable || s.fit->estimates[2].identifiable ||
               s.fit->estimates[3].identifiable);
  assert_true(reports(&s, "not identifiable: b, g, h. The data change with a combination"));
  end(&s);
}

/* Estimates stay in the range; inside it, the range changes nothing. */
DLS_TEST(ranges_are_kept)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e"}, *const settings[] = {"e=1"};
  trial s;
  begin(&s, "bouncing-ball", 1, settings, "event-driven");
  ask(&s, 1, of, 1, by);
  size_t at_bound = 0;
  for (unsigned long seed = 1; seed <= 8; seed++) {
    gsl_rng_set(s.random, seed);
    set_value(&s, "e", 1);
    make_data(&s, 100, 6, 0.01);
    set_value(&s, "e", seed % 2 == 0 ? 1 : 0.8);
    assert_ok(fit(&s), s.err);
    assert_true(s.fit->converged);
    assert_between(s.fit->estimates[0].value, 0.99, 1);
    assert_between(s.fit->estimates[0].high, 0.999, 1);
    at_bound += reports(&s, "is at a bound of its range [0, 1]");
  }
  assert_between((double)at_bound, 1, 7);
  set_value(&s, "e", 0.8);
  gsl_rng_set(s.random, 9);
  make_data(&s, 100, 6, 0.01);
  set_value(&s, "e", 0.75);
  assert_ok(fit(&s), s.err);
  const dls_estimate free = s.fit->estimates[0];
  const double low = 0.7, high = 0.82, lower = 0.79;
  s.spec.low = &low;
  s.spec.high = &high;
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, free.value, 1e-3 * free.error);
  assert_close(s.fit->estimates[0].high, free.high, 1e-3 * free.error);
  s.spec.high = &lower;
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, 0.79, 1e-6);
  assert_true(reports(&s, "e = 0.79 is at a bound of its range [0.7, 0.79]") || reports(&s, "is at a bound"));
  end(&s);
}

/* The damping of random-linear is in [0, 1e6]: its upper bound keeps wrong values out. Estimates near 0.1 are not at a bound. */
DLS_TEST(bounds_that_are_far_from_the_value_are_ignored)
{
  static const char *const of[] = {"q0"}, *const by[] = {"damping"}, *const settings[] = {"m=0"};
  trial s;
  begin(&s, "random-linear", 1, settings, "event-driven");
  ask(&s, 1, of, 1, by);
  gsl_rng_set(s.random, 3);
  set_value(&s, "damping", 0.1);
  make_data(&s, 100, 6, 1e-6);
  set_value(&s, "damping", 0.12);
  assert_ok(fit(&s), s.err);
  assert_true(s.fit->converged);
  assert_between(s.fit->estimates[0].value, 0.0999, 0.1001);
  assert_false(reports(&s, "is at a bound"));
  end(&s);
}

/* A scheme by step has another e, by an error of order h. Data are not at its nodes. */
DLS_TEST(schemes_by_step_fit_to_their_order)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e"}, *const settings[] = {"e=0.8"};
  trial s;
  begin(&s, "bouncing-ball", 1, settings, "event-driven");
  ask(&s, 1, of, 1, by);
  make_data(&s, 83, 4, 0);
  set_value(&s, "e", 0.75);
  assert_ok(dls_catalogue_choose(NULL, "moreau-jean", &s.scheme, &s.err), s.err);
  assert_int_equal(fit(&s), DLS_ERR_ARG); /* without a step */
  double error[2] = {0};
  for (int i = 0; i < 2; i++) {
    s.spec.step = i == 0 ? 4e-3 : DLS_TEST_CASES(5e-4, 1e-3);
    assert_ok(fit(&s), s.err);
    error[i] = fabs(s.fit->estimates[0].value - 0.8);
  }
  assert_between(error[0], 1e-5, 1e-2);
  assert_between(error[1], 1e-7, 2e-3);
  s.spec.relative = 0.05;
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, 0.8, 2e-3);
  /* event-driven: differences and tangents agree */
  assert_ok(dls_catalogue_choose(NULL, "event-driven", &s.scheme, &s.err), s.err);
  s.spec.step = 0;
  s.spec.relative = 1e-4;
  assert_ok(fit(&s), s.err);
  assert_close(s.fit->estimates[0].value, 0.8, 1e-6);
  end(&s);
}

/* Velocities near an impact belong to either of its sides. */
DLS_TEST(velocities_near_an_impact_are_reported)
{
  static const char *const of[] = {"q0", "v0"}, *const by[] = {"q0"}, *const settings[] = {"e=0.8"};
  trial s;
  begin(&s, "bouncing-ball", 1, settings, "event-driven");
  gsl_rng_set(s.random, 6);
  ask(&s, 2, of, 1, by);
  make_data(&s, 30, 0.99, 0.01); /* before the impact at t = 1 */
  assert_ok(fit(&s), s.err);
  assert_false(reports(&s, "close to an impact"));
  make_data(&s, 100, 2.0002, 0.01); /* a row at t = 1.0001 */
  s.spec.sigma = (const double[]){0.01, 0.01};
  assert_ok(fit(&s), s.err);
  assert_true(reports(&s, "1 rows, the first at t = 1.0001 s, are so close to an impact"));
  end(&s);
}

static void refuses(trial *s, dls_status status, const char *words)
{
  const dls_status got = fit(s);
  if (got != status || strstr(s->err.text, words) == NULL) {
    fail_msg("status %d, \"%s\" in place of %d, \"%s\"", (int)got, s->err.text, (int)status, words);
  }
  assert_null(s->fit);
}

DLS_TEST(what_is_wrong_is_refused)
{
  static const char *const of[] = {"q0"}, *const by[] = {"e", "e"}, *const odd[] = {"q1"},
                           *const energy[] = {"energy"}, *const unknown[] = {"x"};
  trial s;
  begin(&s, "bouncing-ball", 0, NULL, "event-driven");
  ask(&s, 1, of, 1, by);
  make_data(&s, 20, 2.5, 0.01);
  const dls_parameter_fit_spec good = s.spec;
  s.spec.data.rows = 1;
  refuses(&s, DLS_ERR_ARG,
          "1 rows of 1 columns are too few for 1 parameters and the noise: 2 values are needed");
  s.spec = good;
  s.t[7] = s.t[6];
  refuses(&s, DLS_ERR_ARG, "row 8: t = ");
  s.t[7] = NAN;
  refuses(&s, DLS_ERR_ARG, "row 8: t = nan s, allowed is a time >= 0");
  s.t[7] = 1;
  s.values[4] = NAN;
  refuses(&s, DLS_ERR_ARG, "row 5, t = 0.625 s: q0 is not a finite number");
  s.values[4] = 0.5;
  s.spec.level = 1;
  refuses(&s, DLS_ERR_ARG, "level = 1 is outside (0, 1)");
  s.spec = good;
  s.spec.tol = 0;
  refuses(&s, DLS_ERR_ARG, "tol = 0 is outside (0, 1)");
  s.spec = good;
  s.spec.iterations = 0;
  refuses(&s, DLS_ERR_ARG, "0 iterations");
  s.spec = good;
  s.spec.relative = 1;
  refuses(&s, DLS_ERR_ARG, "difference:relative = 1 is outside (0, 1)");
  s.spec = good;
  s.spec.sigma = (const double[]){0};
  refuses(&s, DLS_ERR_ARG, "sigma of q0 = 0 must be > 0");
  s.spec = good;
  ask(&s, 1, of, 2, by);
  refuses(&s, DLS_ERR_OPTION, "parameter e is given twice");
  ask(&s, 1, odd, 1, by);
  refuses(&s, DLS_ERR_OPTION, "allowed are q0 to q0, v0 to v0");
  ask(&s, 1, energy, 1, by);
  refuses(&s, DLS_ERR_OPTION, "--of = energy: allowed are q0 to q0 and v0 to v0");
  ask(&s, 1, of, 1, unknown);
  refuses(&s, DLS_ERR_OPTION, "there is no 'x'");
  ask(&s, 1, of, 0, by);
  refuses(&s, DLS_ERR_ARG, "no parameter is to be fitted");
  s.spec = good;
  const double low = 0.8, high = 0.9;
  s.spec.low = &low;
  s.spec.high = &high;
  refuses(&s, DLS_ERR_ARG, "the start value e = 0.5 is outside its range [0.8, 0.9]");
  s.spec.low = &high;
  s.spec.high = &low;
  refuses(&s, DLS_ERR_ARG, "the range of e, [0.9, 0.8], is empty");
  s.spec = good;
  s.spec.starts = 3;
  static const char *const loose[] = {"f"};
  ask(&s, 1, of, 1, loose);
  refuses(&s, DLS_ERR_ARG, "3 starts are spread over the ranges, and that of f is [-inf, inf]");
  end(&s);
}

/* Residuals 1 + |a.z|, 1 + |b.z|, 1 + t.z, 2 z_1, 1.2 z_2: the kinks a.z = 0 and b.z = 0 cross at the minimum, z = 0. */
static double kink_rows[3][2];

static double kink_product(const gsl_vector *z, size_t i)
{
  return kink_rows[i][0] * gsl_vector_get(z, 0) + kink_rows[i][1] * gsl_vector_get(z, 1);
}

static int kink_residuals(const gsl_vector *z, void *unused, gsl_vector *f)
{
  (void)unused;
  for (size_t i = 0; i < 3; i++) {
    const double x = kink_product(z, i);
    gsl_vector_set(f, i, 1 + (i < 2 ? fabs(x) : x));
  }
  gsl_vector_set(f, 3, 2 * gsl_vector_get(z, 0));
  gsl_vector_set(f, 4, 1.2 * gsl_vector_get(z, 1));
  return GSL_SUCCESS;
}

static int kink_jacobian(const gsl_vector *z, void *unused, gsl_matrix *J)
{
  (void)unused;
  gsl_matrix_set_zero(J);
  for (size_t i = 0; i < 3; i++) {
    const double sign = i < 2 && kink_product(z, i) < 0 ? -1 : 1;
    gsl_matrix_set(J, i, 0, sign * kink_rows[i][0]);
    gsl_matrix_set(J, i, 1, sign * kink_rows[i][1]);
  }
  gsl_matrix_set(J, 3, 0, 2);
  gsl_matrix_set(J, 4, 1, 1.2);
  return GSL_SUCCESS;
}

/* Samples along the axes miss sectors between the kinks, and t.z descends there; the gradients of trials do not miss them. */
DLS_TEST(kinks_that_cross_end_the_descent)
{
  const gsl_multifit_nlinear_fdf fdf = {.f = kink_residuals, .df = kink_jacobian, .n = 5, .p = 2};
  gsl_vector *z = gsl_vector_alloc(2);
  for (int k = 0; k < 36; k++) {
    const double a = 0.17453 * k, width = 0.1 + 0.01 * k, middle = a + width / 2, least = sin(width / 2);
    double offset = 0;
    for (size_t i = 0; i < 2; i++) {
      kink_rows[0][i] = i == 0 ? -sin(a) : cos(a);
      kink_rows[1][i] = i == 0 ? -sin(a + width) : cos(a + width);
      kink_rows[2][i] = least * (i == 0 ? cos(middle) : sin(middle)); /* of 2 least in this sector */
    }
    gsl_vector_set_zero(z);
    assert_int_equal(dls_sampled_descent(&fdf, z, 0.01, &offset), GSL_SUCCESS);
    assert_between(offset, 0, 0.01);
    assert_between(hypot(gsl_vector_get(z, 0), gsl_vector_get(z, 1)), 0, 0.05);
  }
  gsl_vector_free(z);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinks_that_cross_end_the_descent),
      cmocka_unit_test(a_flight_is_linear_least_squares),
      cmocka_unit_test(restitution_through_one_impact),
      cmocka_unit_test(the_descent_after_few_iterations_reaches_the_minimum),
      cmocka_unit_test(exact_data_give_exact_parameters),
      cmocka_unit_test(intervals_cover_the_truth_through_impacts),
      cmocka_unit_test(intervals_cover_the_truth_through_stick_and_slip),
      cmocka_unit_test(each_column_has_its_noise),
      cmocka_unit_test(a_local_minimum_is_left_and_reported),
      cmocka_unit_test(parameters_that_cannot_be_identified_are_named),
      cmocka_unit_test(ranges_are_kept),
      cmocka_unit_test(bounds_that_are_far_from_the_value_are_ignored),
      cmocka_unit_test(schemes_by_step_fit_to_their_order),
      cmocka_unit_test(velocities_near_an_impact_are_reported),
      cmocka_unit_test(what_is_wrong_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
