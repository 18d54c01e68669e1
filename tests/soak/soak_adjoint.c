/* soak_adjoint.c -- derivatives of random systems in space by the adjoint equation, event-driven at tol 1e-12, against tangents of the same runs.
 *
 *   soak_adjoint FIRST COUNT [FIRST COUNT ...]
 *
 * A line for each system: model random-frictional with surface=0.3, dim=3, n=6 and a seed, from t = 0 to 1 s, with
 *   events         in the run
 *   accumulations  of them
 *   status         of the worst derivative, by tangents and by the adjoint equation
 *   error          largest difference of the derivatives of all q and v by e, mu and omega, over the largest of them or 0.01
 *   verdict        agree: up to 1e-9; status: there is no derivative, or a slip passes near zero; ended: a run ended early; FAIL
 * Exit status 0: no FAIL. All of them: adjoint.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_random_frictional;

static const double end = 1, agrees = 1e-9, least_size = 0.01;
enum { DOF = 6, PARAMETERS = 3, MOST = 16 };
static const char *const by[PARAMETERS] = {"e", "mu", "omega"};

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_direction direction[PARAMETERS];
  dls_status status;
} run;

static void start(const double *p, bool backward, run *r)
{
  const dls_model *model = &dls_model_random_frictional;
  const dls_run_spec spec = {.end = end};
  dls_error err = {0};
  *r = (run){0};
  r->status = dls_model_create(model, p, &r->sys, &err);
  for (size_t k = 0; k < PARAMETERS && r->status == DLS_OK; k++) {
    r->status = dls_direction_create(model, p, by[k], &r->direction[k], &err);
  }
  r->status = r->status != DLS_OK ? r->status : dls_sim_create(r->sys, &dls_scheme_event_driven, &r->sim, &err);
  r->status = r->status != DLS_OK ? r->status : dls_sim_set(r->sim, "tol=1e-12", &err);
  if (r->status == DLS_OK) {
    r->status = (backward ? dls_sim_differentiate_backward : dls_sim_differentiate)(r->sim, PARAMETERS,
                                                                                    r->direction, &err);
  }
  r->status = r->status != DLS_OK ? r->status : dls_run(r->sim, &spec, &err);
}

static void drop(run *r)
{
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
  for (size_t k = 0; k < PARAMETERS; k++) {
    dls_direction_release(&r->direction[k]);
  }
}

/* Of coordinate i: error, size := the larger of these and those of its derivatives. @return both gradients exist */
static bool compare(const run *forward, const run *backward, size_t i, double *error, double *size)
{
  const dls_functional J = {.of = i < DOF ? DLS_OF_POSITION : DLS_OF_VELOCITY, .index = i % DOF};
  double x[PARAMETERS], y[PARAMETERS];
  dls_error err = {0};
  if (dls_sim_gradient(forward->sim, &J, x, &err) != DLS_OK ||
      dls_sim_gradient(backward->sim, &J, y, &err) != DLS_OK) {
    return false;
  }
  for (size_t k = 0; k < PARAMETERS; k++) {
    *size = fmax(*size, fabs(x[k]));
    *error = isnan(x[k]) != isnan(y[k]) ? HUGE_VAL : fmax(*error, fabs(x[k] - y[k]));
  }
  return true;
}

static dls_derivative_status worst_status(const run *r)
{
  dls_derivative_status worst = DLS_DERIVATIVE_OK;
  for (size_t k = 0; k < PARAMETERS; k++) {
    const dls_derivative_status own = dls_sensitivity_status(r->sim->sensitivity, k);
    worst = own > worst ? own : worst;
  }
  return worst;
}

/* @return no FAIL */
static bool try_system(unsigned long seed)
{
  const dls_option *table = dls_model_random_frictional.parameters;
  double p[MOST], error = 0, size = least_size;
  run forward, backward;
  dls_option_defaults(table, p);
  p[dls_option_find(table, "seed")] = (double)seed;
  p[dls_option_find(table, "n")] = DOF;
  p[dls_option_find(table, "dim")] = 3;
  p[dls_option_find(table, "surface")] = 0.3;
  start(p, false, &forward);
  start(p, true, &backward);
  bool complete = forward.status == DLS_OK && backward.status == DLS_OK;
  for (size_t i = 0; i < 2 * DOF && complete; i++) {
    complete = compare(&forward, &backward, i, &error, &size);
  }
  if (!complete) {
    printf("%lu verdict=ended\n", seed);
  } else {
    const dls_sensitivity *s = forward.sim->sensitivity;
    const dls_derivative_status own = worst_status(&forward), adjoint = worst_status(&backward);
    size_t accumulations = 0;
    for (size_t k = 0; k < s->event_count; k++) {
      accumulations += s->event[k].kind == DLS_ACCUMULATION;
    }
    complete = own != DLS_DERIVATIVE_OK || adjoint != DLS_DERIVATIVE_OK || error <= agrees * size;
    printf("%lu events=%zu accumulations=%zu status=%s/%s error=%.3g verdict=%s\n", seed, s->event_count,
           accumulations, dls_derivative_status_name(own), dls_derivative_status_name(adjoint), error / size,
           !complete                                                  ? "FAIL"
           : own != DLS_DERIVATIVE_OK || adjoint != DLS_DERIVATIVE_OK ? "status"
                                                                      : "agree");
  }
  fflush(stdout);
  drop(&forward);
  drop(&backward);
  return complete;
}

int main(int argc, char **argv)
{
  bool good = true;
  for (int i = 1; i + 1 < argc; i += 2) {
    const unsigned long first = strtoul(argv[i], NULL, 10), count = strtoul(argv[i + 1], NULL, 10);
    for (unsigned long seed = first; seed < first + count; seed++) {
      good = try_system(seed) && good;
    }
  }
  return good ? 0 : 1;
}
