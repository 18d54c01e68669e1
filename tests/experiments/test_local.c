/* tests/experiments/test_local.c -- errors of one step, held against the closed forms of the lecture (corrected), and the lemma
 * on the theta-method for loads of bounded variation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/local.h"

#include <delassus/catalogue.h>
#include <delassus/option.h>
#include <delassus/scheme.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, FORCE, RESTITUTION, POSITION, VELOCITY, PARAMETERS };

typedef struct given {
  const char *model, *scheme, *set;
  double end, h_first, h_last;
  size_t levels, places, impact;
} given;

static dls_local *run(const given *g, double *parameters)
{
  dls_scheme_choice choice;
  dls_local *out = NULL;
  dls_error err = {0};
  const dls_model *model = dls_model_find(g->model, &err);
  dls_option_defaults(model->parameters, parameters);
  if (g->set != NULL) {
    assert_ok(dls_option_parse(model->parameters, "model", g->set, parameters, &err), err);
  }
  assert_ok(dls_scheme_choose(g->scheme, &choice, &err), err);
  const dls_local_spec spec = {.model = model,
                               .parameters = parameters,
                               .exact = dls_exact_find(g->model),
                               .schemes = &choice,
                               .labels = &g->scheme,
                               .scheme_count = 1,
                               .end = g->end,
                               .h_first = g->h_first,
                               .h_last = g->h_last,
                               .levels = g->levels,
                               .places = g->places,
                               .impact = g->impact};
  assert_ok(dls_local_run(&spec, NULL, NULL, &out, &err), err);
  return out;
}

/* --- the ball: (126) of the lecture, corrected --- */

/* One step of the theta-method over an impact at sigma h, from v_k and q_k = -sigma v_k h - f (sigma h)^2/2. */
static void expect_across(const dls_local_point *p, double theta, double f, double e, double v)
{
  const double h = p->h, s = p->sigma, r = 1 - s;
  const double bent = e * s * r - r * r / 2 - s * s / 2;
  if (p->impulse) {
    assert_close(p->e_v, h * f * (1 - s - e * s), 1e-13);
    assert_close(p->e_q, -(1 + e) * (1 - theta - s) * h * v - f * h * h * bent, 1e-13);
  } else {
    assert_close(p->e_v, -(1 + e) * (v + f * s * h), 1e-13);
    assert_close(p->e_q, -(1 + e) * r * h * v - f * h * h * (bent + theta), 1e-13);
  }
}

static void check_ball(double theta, double e)
{
  double parameters[PARAMETERS];
  char scheme[80], set[40];
  snprintf(scheme, sizeof scheme, "moreau-jean:theta=%.17g,gamma=0.5,velocity_test=off", theta);
  snprintf(set, sizeof set, "e=%.17g", e);
  const given g = {"bouncing-ball", scheme, set, 1.5, 0.1, 1e-3, 5, 16, 1};
  dls_local *local = run(&g, parameters);
  size_t seen[2] = {0, 0};
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    if (p->place == DLS_LOCAL_ACROSS) {
      expect_across(p, theta, parameters[FORCE], e, parameters[FORCE] * p->t);
      seen[p->impulse]++;
    }
  }
  assert_int_equal(seen[0], 5 * 8); /* forecast at h/2: detected in the first half of the step */
  assert_int_equal(seen[1], 5 * 8);
  dls_local_destroy(local);
}

DLS_TEST(one_impact_has_the_closed_form)
{
  for (int i = 0; i < 9; i++) {
    static const double thetas[] = {0.5, 0.7, 1}, restitutions[] = {0.25, 0.5, 1};
    check_ball(thetas[i / 3], restitutions[i % 3]);
  }
}

/* [3 - h, 3 + h], h in (2^-n, 2^(1-n)]: v_k = 2 h - 3 2^-n. Detected: e v_k; else f 2 h is added. */
DLS_TEST(accumulation_has_the_closed_form)
{
  double parameters[PARAMETERS];
  const given g = {"bouncing-ball", "moreau-jean", NULL, 4, 0.3, 1e-4, 40, 1, 1};
  dls_local *local = run(&g, parameters);
  size_t seen[2] = {0, 0};
  assert_string_equal(local->units[0], "m");
  assert_string_equal(local->units[1], "m/s");
  assert_close(local->t_accumulation, 3, 1e-15);
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    if (p->place == DLS_LOCAL_ACCUMULATION) {
      const double power = exp2(-ceil(-log2(p->h)));
      assert_close(p->e_v, p->impulse ? p->h - 1.5 * power : 2 * p->h + 3 * power, 1e-12);
      assert_between(fabs(p->e_v) / p->h, 0, 5); /* O(h), detected or not */
      seen[p->impulse]++;
    }
  }
  assert_between((double)seen[0], 10, 30);
  assert_int_equal(seen[0] + seen[1], 40);
  dls_local_destroy(local);
}

/* theta = 1 in free flight: z errs by g h^2/2; x and the angle, behind it, do not. */
DLS_TEST(errors_are_those_of_the_component_with_the_largest)
{
  double parameters[32];
  const given g = {"superball", "moreau-jean:theta=1", "g=8", 1, 0.02, 0.01, 2, 4, 1};
  dls_local *local = run(&g, parameters);
  size_t seen = 0;
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    if (p->place == DLS_LOCAL_BEFORE) {
      assert_close(p->e_q, 4 * p->h * p->h, 1e-13);
      seen++;
    }
  }
  assert_int_equal(seen, 2 * 4);
  dls_local_destroy(local);
}

/* --- orders, bounded on both sides --- */

static void assert_order(const dls_local *local, dls_local_place place, bool impulse, bool velocity, double low,
                         double high)
{
  const dls_local_line *line = dls_local_find(local, 0, place, impulse, velocity);
  assert_non_null(line);
  assert_true(line->fitted);
  assert_between(line->fit.order, low, high);
}

/* Lemma with (120), (121): e_v = O(h) where the active set is right, O(1) where it is not; e_q = O(h) in both. */
DLS_TEST(orders_of_moreau_jean_on_the_oscillator)
{
  double parameters[32];
  const given g = {"impacting-oscillator",
                   "moreau-jean:theta=0.7,gamma=0.5,velocity_test=off",
                   "f=-1",
                   6,
                   0.02,
                   1e-4,
                   8,
                   8,
                   1};
  dls_local *local = run(&g, parameters);
  assert_order(local, DLS_LOCAL_ACROSS, true, true, 0.97, 1.03);
  assert_order(local, DLS_LOCAL_ACROSS, true, false, 0.97, 1.03);
  assert_order(local, DLS_LOCAL_ACROSS, false, true, -0.03, 0.03);
  assert_order(local, DLS_LOCAL_ACROSS, false, false, 0.97, 1.03);
  assert_order(local, DLS_LOCAL_BEFORE, false, true, 1.9, 2.1);
  assert_order(local, DLS_LOCAL_AFTER, false, true, 1.9, 2.1);
  assert_order(local, DLS_LOCAL_AFTER, false, false, 1.9, 2.1);
  dls_local_destroy(local);
}

/* Smooth steps of a method of order p: p + 1; brackets of h^(p+1) keep q there across the impact. */
DLS_TEST(orders_of_other_schemes)
{
  double parameters[32];
  const given rk = {"impacting-oscillator", "rk-moreau:method=heun,bracket=1", "f=-1", 6, 0.05, 1e-3, 8, 8, 1};
  dls_local *local = run(&rk, parameters);
  assert_order(local, DLS_LOCAL_BEFORE, false, true, 2.9, 3.1);
  assert_order(local, DLS_LOCAL_AFTER, false, false, 2.9, 3.1);
  assert_order(local, DLS_LOCAL_ACROSS, true, false, 2.7, 3.3);
  dls_local_destroy(local);
  const given newmark = {"impacting-oscillator", "nonsmooth-newmark", "f=-1", 6, 0.05, 1e-3, 8, 8, 1};
  local = run(&newmark, parameters);
  assert_order(local, DLS_LOCAL_BEFORE, false, true, 2.9, 3.1);
  assert_order(local, DLS_LOCAL_ACROSS, true, true, 0.95, 1.05);
  assert_order(local, DLS_LOCAL_ACROSS, true, false, 0.95, 1.05);
  dls_local_destroy(local);
}

/* --- lemma (115) --- */

/* A load with jumps, of value values[i] on [times[i], times[i + 1]). */
typedef struct steps {
  size_t count;
  double times[8], values[8];
} steps;

static void load(const dls_system *sys, double t, double *F)
{
  const steps *s = sys->data;
  size_t i = 0;
  while (i + 1 < s->count && t >= s->times[i + 1]) {
    i++;
  }
  F[0] = s->values[i];
}

/* |int f - h (theta f(h) + (1 - theta) f(0))|, by one step of the scheme on a free mass at rest. */
static double error_of(steps *s, double theta, double h)
{
  char scheme[60];
  dls_error err = {0};
  dls_sim *sim = NULL;
  dls_scheme_choice choice;
  dls_system *sys = dls_system_create(1, 0);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  assert_non_null(sys->M);
  dls_matrix_set(sys->M, 0, 0, 1);
  sys->data = s;
  sys->load = load;
  snprintf(scheme, sizeof scheme, "moreau-jean:theta=%.17g", theta);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  assert_ok(dls_sim_advance(sim, h, &err), err);
  double integral = 0;
  for (size_t i = 0; i < s->count; i++) {
    integral += s->values[i] * ((i + 1 < s->count ? s->times[i + 1] : h) - s->times[i]);
  }
  const double error = fabs(integral - sim->v[0]);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return error;
}

static double variation(const steps *s)
{
  double sum = 0;
  for (size_t i = 1; i < s->count; i++) {
    sum += fabs(s->values[i] - s->values[i - 1]);
  }
  return sum;
}

/* Bounded by theta h var f for every load of bounded variation, and by nothing less: a jump just before the end of the step. */
DLS_TEST(loads_of_bounded_variation_have_the_sharp_constant)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  const double h = 0.3;
  for (int i = 0; i < 6; i++) {
    const double theta = 0.5 + 0.1 * i;
    double worst = 0;
    for (int trial = 0; trial < 300; trial++) {
      steps s = {.count = 2 + gsl_rng_uniform_int(rng, 6)};
      for (size_t k = 0; k < s.count; k++) {
        s.times[k] = h * ((double)k + (k > 0 ? 0.9 * gsl_rng_uniform(rng) : 0)) / (double)s.count;
        s.values[k] = 2 * gsl_rng_uniform(rng) - 1;
      }
      const double constant = error_of(&s, theta, h) / (h * variation(&s));
      assert_between(constant, 0, theta + 1e-12);
      worst = fmax(worst, constant);
    }
    assert_between(worst, 0.3, theta);
    steps last = {2, {0, h * (1 - 1e-9)}, {1, -2}};
    assert_close(error_of(&last, theta, h) / (3 * h), theta, 1e-8);
    steps first = {2, {0, h * 1e-9}, {1, -2}};
    assert_close(error_of(&first, theta, h) / (3 * h), 1 - theta, 1e-8);
  }
  gsl_rng_free(rng);
}

/* --- what is left out, refused --- */

static dls_status try_run(const char *model, const char *scheme, size_t impact, dls_error *err)
{
  double parameters[32];
  dls_scheme_choice choice;
  dls_local *out = NULL;
  const dls_model *entry = dls_model_find(model, err);
  dls_option_defaults(entry->parameters, parameters);
  assert_ok(dls_scheme_choose(scheme, &choice, err), *err);
  const dls_local_spec spec = {.model = entry,
                               .parameters = parameters,
                               .exact = dls_exact_find(model),
                               .schemes = &choice,
                               .labels = &scheme,
                               .scheme_count = 1,
                               .end = 2.2,
                               .h_first = 0.1,
                               .h_last = 0.01,
                               .levels = 3,
                               .places = 4,
                               .impact = impact};
  const dls_status status = dls_local_run(&spec, NULL, NULL, &out, err);
  assert_true((status == DLS_OK) == (out != NULL));
  dls_local_destroy(out);
  return status;
}

DLS_TEST(what_cannot_be_measured_is_refused)
{
  dls_error err = {0};
  assert_ok(try_run("bouncing-ball", "moreau-jean", 2, &err), err);
  assert_int_equal(try_run("bouncing-ball", "moreau-jean", 3, &err), DLS_ERR_ARG);
  assert_string_equal(
      err.text, "impact 3 of model bouncing-ball is not there: its exact solution has 2 impacts in (0, 2.2] s");
  assert_int_equal(try_run("bouncing-ball", "event-driven", 1, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "scheme event-driven chooses its own steps"));
  assert_int_equal(try_run("belt", "naive-rk4", 1, &err), DLS_ERR_ARG); /* it has no impact at all */
}

/* Steps with another event inside are no steps around one impact: at t = 2.5 the neighbours are at 2 and 2.75. */
DLS_TEST(steps_with_other_events_are_left_out)
{
  double parameters[PARAMETERS];
  const given g = {"bouncing-ball", "moreau-jean", NULL, 4, 0.6, 0.01, 5, 10, 3};
  dls_local *local = run(&g, parameters);
  size_t coarse = 0, fine = 0;
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    if (p->place != DLS_LOCAL_ACCUMULATION) {
      const double from = p->t, to = p->t + p->h;
      assert_true((from < 2.5) == (p->place != DLS_LOCAL_AFTER));
      assert_true((to > 2.5) == (p->place != DLS_LOCAL_BEFORE));
      assert_true(from >= 2 && to < 2.75);
      coarse += p->level == 0;
      fine += p->level == 4;
    }
  }
  assert_int_equal(fine, 30);
  assert_between((double)coarse, 0, 15);
  dls_local_destroy(local);
}

DLS_TEST(a_run_starts_from_any_state_once)
{
  static const double q = 0.5, v = -1;
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_scheme_choice choice;
  assert_ok(dls_model_create(dls_model_find("bouncing-ball", NULL), NULL, &sys, &err), err);
  assert_ok(dls_scheme_choose("moreau-jean", &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &sim, &err), err);
  assert_ok(dls_sim_start_from(sim, 7, &q, &v, &err), err);
  assert_close(sim->t, 7, 0);
  assert_close(sim->g[0], 0.5, 1e-15);
  assert_ok(dls_sim_advance(sim, 0.125, &err), err);
  assert_close(sim->t, 7.125, 0);
  assert_close(sim->v[0], -1.25, 1e-15);
  assert_int_equal(dls_sim_start_from(sim, 0, &q, &v, &err), DLS_ERR_ARG);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_impact_has_the_closed_form),
      cmocka_unit_test(accumulation_has_the_closed_form),
      cmocka_unit_test(errors_are_those_of_the_component_with_the_largest),
      cmocka_unit_test(orders_of_moreau_jean_on_the_oscillator),
      cmocka_unit_test(orders_of_other_schemes),
      cmocka_unit_test(loads_of_bounded_variation_have_the_sharp_constant),
      cmocka_unit_test(what_cannot_be_measured_is_refused),
      cmocka_unit_test(steps_with_other_events_are_left_out),
      cmocka_unit_test(a_run_starts_from_any_state_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
