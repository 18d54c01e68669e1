/* soak_tangents.c -- derivatives of random systems, event-driven at tol 1e-12, against central differences of whole runs.
 *
 *   soak_tangents linear|frictional|joints FIRST COUNT
 *
 * A line for each system, with
 *   by       the parameter: e, damping, omega; e, mu, omega; e, or a factor of all initial velocities
 *   status   of the derivative
 *   events   number in the run; same=1: four neighbours, at p (1 +- 1e-5) and p (1 +- 2e-5), have the same
 *   error    max |q|, |v| of the derivative less the difference, over the largest of them or 0.01
 *   unknown  events whose time has an unknown derivative: tangents behind such an accumulation are of first order in its duration
 *   verdict  agree: up to 1e-4; status: there is no derivative, or it is one-sided; radius: neighbours have other events, and are
 *            farther than valid_within; events: they have other events; first-order: not 1e-4, explained by `unknown`; ended: a
 *            run ended early with a message; FAIL
 * Exit status 0: no FAIL. All of them: tangents.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_mechanism.h"
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_random_linear, dls_model_random_frictional;

static const double step = 1e-5, agrees = 1e-4, least_size = 0.01, end = 1;
static const double patience = 20; /* s of processor time */
enum { MOST = 10, NEIGHBOURS = 4 };
static const double place[NEIGHBOURS] = {-2, -1, 1, 2},
                    weight[NEIGHBOURS] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

typedef struct sample {
  const dls_model *model; /* NULL: a mechanism */
  unsigned long i;
  double p[MOST];
  const char *by;
  double value;
} sample;

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_status status;
} run;

static sample draw(const char *kind, unsigned long i)
{
  static const char *const linear[] = {"e", "damping", "omega"}, *const frictional[] = {"e", "mu", "omega"},
                           *const joints[] = {"e", "speed", "e"};
  sample s = {.i = i};
  const bool has_friction = strcmp(kind, "frictional") == 0;
  if (strcmp(kind, "joints") == 0) {
    s.by = joints[i % 3];
    s.value = strcmp(s.by, "e") == 0 ? 0.5 : 1;
    return s;
  }
  s.model = has_friction ? &dls_model_random_frictional : &dls_model_random_linear;
  s.by = (has_friction ? frictional : linear)[i % 3];
  const dls_option *table = s.model->parameters;
  dls_option_defaults(table, s.p);
  s.p[dls_option_find(table, "m")] = 2 + (double)(i / 3 % 3);
  s.p[dls_option_find(table, "seed")] = 1000 + (double)i;
  s.value = s.p[dls_option_find(table, s.by)];
  return s;
}

/* The system with the parameter value (1 + change). */
static dls_system *make(const sample *s, double change)
{
  const double value = s->value * (1 + change);
  dls_system *sys = NULL;
  dls_error err = {0};
  if (s->model != NULL) {
    double p[MOST];
    memcpy(p, s->p, sizeof p);
    p[dls_option_find(s->model->parameters, s->by)] = value;
    if (dls_model_create(s->model, p, &sys, &err) != DLS_OK) {
      printf("%s\n", err.text);
      exit(2);
    }
    return sys;
  }
  sys = dls_random_mechanism(s->i).sys;
  for (size_t j = 0; j < sys->m && strcmp(s->by, "e") == 0; j++) {
    sys->e[j] = value;
  }
  for (size_t j = 0; j < sys->n && strcmp(s->by, "speed") == 0; j++) {
    sys->v0[j] *= value;
  }
  return sys;
}

static bool within_patience(void *data, double t)
{
  (void)t;
  return (double)(clock() - *(const clock_t *)data) / CLOCKS_PER_SEC < patience;
}

static run start(dls_system *sys)
{
  run r = {.sys = sys};
  dls_error err = {0};
  r.status = dls_sim_create(sys, &dls_scheme_event_driven, &r.sim, &err);
  r.status = r.status != DLS_OK ? r.status : dls_sim_set(r.sim, "tol=1e-12", &err);
  if (r.status == DLS_OK && (r.traj = dls_sim_trajectory(r.sim, &err)) == NULL) {
    r.status = DLS_ERR_MEMORY;
  }
  return r;
}

static void finish(run *r)
{
  clock_t begin = clock();
  dls_error err = {0};
  const dls_run_spec spec = {.end = end, .record = r->traj, .poll = within_patience, .poll_data = &begin};
  r->status = r->status != DLS_OK ? r->status : dls_run(r->sim, &spec, &err);
}

static void drop(run *r)
{
  dls_trajectory_destroy(r->traj);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

static bool same_events(const dls_trajectory *a, const dls_trajectory *b)
{
  bool same = a->event_count == b->event_count;
  for (size_t i = 0; same && i < a->event_count; i++) {
    same = a->events[i].kind == b->events[i].kind && a->events[i].contact == b->events[i].contact;
  }
  return same;
}

/* x := the difference. @return false: a run ended early */
static bool difference(const sample *s, const run *base, double *x, bool *same)
{
  const size_t n = base->sys->n;
  bool complete = true;
  *same = true;
  for (int i = 0; i < NEIGHBOURS && complete; i++) {
    run near = start(make(s, place[i] * step));
    finish(&near);
    complete = near.status == DLS_OK;
    *same = *same && complete && same_events(near.traj, base->traj);
    for (size_t j = 0; j < n && complete; j++) {
      x[j] += weight[i] / (step * s->value) * near.sim->q[j];
      x[n + j] += weight[i] / (step * s->value) * near.sim->v[j];
    }
    drop(&near);
  }
  return complete;
}

/* @return no FAIL */
static bool try_system(const char *kind, unsigned long i)
{
  const sample s = draw(kind, i);
  const double distance = 0x1p-17;
  dls_direction direction = {.value = s.value, .count = 2};
  dls_error err = {0};
  run base = start(make(&s, 0));
  const size_t n = base.sys->n;
  double *x = calloc(2 * n + 1, sizeof *x), error = 0, size = least_size;
  bool same = false;
  snprintf(direction.name, sizeof direction.name, "%s", s.by);
  for (size_t k = 0; k < 2; k++) {
    direction.system[k] = make(&s, k == 0 ? -distance : distance);
    direction.weight[k] = (k == 0 ? -0.5 : 0.5) / (distance * s.value);
  }
  base.status = base.status != DLS_OK ? base.status : dls_sim_differentiate(base.sim, 1, &direction, &err);
  finish(&base);
  const bool complete = base.status == DLS_OK && difference(&s, &base, x, &same);
  const dls_sensitivity *of = base.sim != NULL ? base.sim->sensitivity : NULL;
  const dls_tangent *tangent = of != NULL ? &of->tangent[0] : NULL;
  for (size_t j = 0; j < 2 * n && complete; j++) {
    const double own = j < n ? tangent->dq[j] : tangent->dv[j - n];
    size = fmax(size, fabs(x[j]));
    error = fabs(own - x[j]) > error || isnan(own) ? fabs(own - x[j]) : error;
  }
  const dls_derivative_status status = complete ? dls_sensitivity_status(of, 0) : DLS_DERIVATIVE_OK;
  size_t unknown = 0;
  for (size_t j = 0; complete && j < of->event_count; j++) {
    unknown += isnan(of->event_dt[j]);
  }
  const char *verdict = !complete                     ? "ended"
                        : status != DLS_DERIVATIVE_OK ? "status"
                        : !same ? tangent->valid_within < 2 * step * s.value ? "radius" : "events"
                        : error <= agrees * size ? "agree"
                        : unknown > 0            ? "first-order"
                                                 : "FAIL";
  printf("%s %lu by=%s status=%s events=%zu same=%d valid_within=%.3g unknown=%zu error=%.3g verdict=%s\n",
         kind, i, s.by, dls_derivative_status_name(status), base.traj != NULL ? base.traj->event_count : 0,
         same, complete ? tangent->valid_within : 0, unknown, error / size, verdict);
  fflush(stdout);
  drop(&base);
  for (size_t k = 0; k < 2; k++) {
    dls_system_destroy(direction.system[k]);
  }
  free(x);
  return strcmp(verdict, "FAIL") != 0;
}

int main(int argc, char **argv)
{
  const char *kind = argc > 1 ? argv[1] : "linear";
  const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  const unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 10;
  bool good = true;
  for (unsigned long i = first; i < first + count; i++) {
    good = try_system(kind, i) && good;
  }
  return good ? 0 : 1;
}
