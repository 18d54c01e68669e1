/* test_parameter_check.c -- derivatives by parameters that systems state: those of all models agree with differences of systems, wrong
 * ones are named with parameter, entry and both values, and tangents of runs are those of differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/model/parameter_check.h"
#include <delassus/catalogue.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { STATES = 4 };

static dls_parameter_check check(const dls_model *model)
{
  dls_parameter_check out;
  dls_error err = {0};
  assert_ok(dls_parameter_check_run(model, NULL, STATES, (unsigned long)time(NULL), &out, &err), err);
  return out;
}

/* --- a model with another callback --- */

static const dls_model *base;
static bool (*callback)(const dls_system *sys, const char *name, dls_by_parameter *out);

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  const dls_status status = base->create(base, p, out, err);
  if (status == DLS_OK) {
    (*out)->by_parameter = callback;
  }
  return status;
}

static dls_model with(const char *name, bool (*other)(const dls_system *, const char *, dls_by_parameter *))
{
  base = dls_model_find(name, NULL);
  assert_non_null(base);
  dls_model model = *base;
  callback = other;
  model.create = create;
  return model;
}

DLS_TEST(all_models_agree)
{
  size_t with_derivatives = 0;
  for (const dls_model *const *model = dls_catalogue_models(NULL); *model != NULL; model++) {
    if ((*model)->files != NULL) {
      continue;
    }
    dls_parameter_check out = check(*model);
    for (size_t i = 0; i < out.count; i++) {
      if (!out.rows[i].agrees) {
        fail_msg("%s: %s, %s: %g is not %g", (*model)->name, out.rows[i].parameter, out.rows[i].term,
                 out.rows[i].value, out.rows[i].quotient);
      }
    }
    with_derivatives += out.count > 0;
    dls_parameter_check_release(&out);
  }
  assert_between(with_derivatives, 7, 1000);
}

/* dM/dm of a second coordinate that is wrong by a little, and a dF/dg that is missing */
static double error;
static bool wrong(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  (void)sys;
  if (strcmp(name, "m") == 0) {
    out->Ma[0] += out->a[0];
    out->Ma[1] += (1 + error) * out->a[1];
    out->F[1] -= 9.81;
  }
  return strcmp(name, "m") == 0 || strcmp(name, "g") == 0;
}

DLS_TEST(a_wrong_derivative_is_named)
{
  const dls_model model = with("rope", wrong);
  for (int i = 0; i < 2; i++) {
    error = i == 0 ? 0.9e-6 : 1.1e-6;
    dls_parameter_check out = check(&model);
    size_t mass = SIZE_MAX, force = SIZE_MAX;
    for (size_t k = 0; k < out.count; k++) {
      mass = strcmp(out.rows[k].term, "dM/dp") == 0 ? k : mass;
      force = strcmp(out.rows[k].parameter, "g") == 0 ? k : force;
    }
    assert_int_equal(out.wrong, i == 0 ? 1 : 2);
    assert_int_equal(out.rows[mass].agrees, i == 0);
    assert_string_equal(out.rows[mass].parameter, "m");
    assert_int_equal(out.rows[mass].row, 1);
    assert_int_equal(out.rows[mass].column, 1);
    assert_close(out.rows[mass].value, 1 + error, 1e-12);
    assert_close(out.rows[mass].quotient, 1, 1e-9);
    assert_string_equal(out.rows[force].term, "dF/dp");
    assert_close(out.rows[force].value, 0, 0);
    assert_close(out.rows[force].quotient, -1, 1e-9); /* -m */
    dls_parameter_check_release(&out);
  }
}

/* --- runs --- */

/* dq and dv at the end by a parameter, n each. */
static void tangents(const dls_model *model, const char *by, double end, double *out)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_direction direction;
  assert_ok(dls_model_create(model, NULL, &sys, &err), err);
  assert_ok(dls_sim_create(sys, dls_scheme_find("event-driven", NULL), &sim, &err), err);
  assert_ok(dls_direction_create(model, NULL, by, &direction, &err), err);
  assert_ok(dls_sim_differentiate(sim, 1, &direction, &err), err);
  assert_ok(dls_run(sim, &(dls_run_spec){.end = end}, &err), err);
  memcpy(out, sim->sensitivity->tangent[0].dq, sys->n * sizeof *out);
  memcpy(out + sys->n, sim->sensitivity->tangent[0].dv, sys->n * sizeof *out);
  dls_sim_destroy(sim);
  dls_direction_release(&direction);
  dls_system_destroy(sys);
}

static size_t calls;
static bool counted(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  dls_system *own = NULL;
  calls++;
  if (dls_model_create(base, NULL, &own, NULL) != DLS_OK) {
    return false;
  }
  const bool stated = own->by_parameter != NULL && own->by_parameter(sys, name, out);
  dls_system_destroy(own);
  return stated;
}

/* The callbacks of models with default parameters need sys->data only, so that of another system of the model serves. */
DLS_TEST(tangents_are_those_of_differences)
{
  /* The first ones: linear, without friction. They ask once, and take differences of matrices, which are exact. */
  enum { LINEAR = 3 };
  static const struct {
    const char *model, *by;
    double end;
  } cases[] = {
      {"bouncing-ball", "m", 2.25},
      {"bouncing-ball", "f", 2.25},
      {"impacting-oscillator", "k", 5},
      {"belt", "g", 3},
      {"belt", "m", 3},
      {"belt", "F", 3},
      {"den-hartog", "P", 7.5},
      {"den-hartog", "omega", 7.5},
      {"forced-block", "phase", 4},
      {"rope", "l", 1},
      {"rope", "g", 1},
      {"spring-block", "k", 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double stated[16], differences[16], size = 1e-3;
    calls = 0;
    dls_model model = with(cases[i].model, counted);
    tangents(&model, cases[i].by, cases[i].end, stated);
    assert_between(calls, i < LINEAR ? 1 : 3, i < LINEAR ? 1 : 1e7);
    model = with(cases[i].model, NULL);
    tangents(&model, cases[i].by, cases[i].end, differences);
    const size_t n = strcmp(cases[i].model, "belt") == 0 || strcmp(cases[i].model, "rope") == 0 ? 2 : 1;
    for (size_t k = 0; k < 2 * n; k++) {
      size = fmax(size, fabs(differences[k]));
    }
    for (size_t k = 0; k < 2 * n; k++) {
      if (!(fabs(stated[k] - differences[k]) <= 2e-8 * size)) {
        fail_msg("%s by %s: %.15g is not %.15g", cases[i].model, cases[i].by, stated[k], differences[k]);
      }
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_models_agree),
      cmocka_unit_test(a_wrong_derivative_is_named),
      cmocka_unit_test(tangents_are_those_of_differences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
