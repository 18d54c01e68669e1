/* soak_merged.c -- random systems with nearly simultaneous impacts, event-driven at tol 1e-10 and 1e-11.
 *
 *   soak_merged linear|frictional FIRST COUNT
 *
 * A line for each system, with
 *   error        max |q|, |v| at the end, tol 1e-10 against 1e-11
 *   allowed      100 times the sum of tol times the sensitivity and the largest bound of an accumulation that was printed
 *   sensitivity  max |q|, |v| at the end per change of q0 and v0 by 1e-9, the worst of four directions
 *   merged       events of both runs that carry merged=
 *   verdict      ok; merged: above `allowed`, explained by such an event; graze: above, and an impact is slower than the
 *                speed that a graze may have with a gap of eps_g; ended: a run ended early with a message; FAIL
 * Exit status 0: no FAIL. All of them: merged.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_random_linear, dls_model_random_frictional;

static const double coarse = 1e-10, nudge = 1e-9, factor = 100;
static const double least_sensitivity = 1;
static const double graze = 5e-5;  /* m/s: sqrt(2 Gamma eps_g), Gamma = 10 m/s^2 */
static const double patience = 10; /* s of processor time */
enum { DIRECTIONS = 4, MOST = 10 };

typedef struct sample {
  unsigned long i;
  const dls_model *model;
  double p[MOST];
  double end;
} sample;

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_status status;
} run;

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* linear: n, m, seed, e, damping, amplitude, omega; frictional: n, m, dim, seed, e, mu, surface, damping, amplitude, omega. */
static sample draw(bool frictional, unsigned long i)
{
  uint64_t state = 1000003 * (uint64_t)i + 41;
  sample s = {.i = i, .model = frictional ? &dls_model_random_frictional : &dls_model_random_linear};
  const double m = 2 + (double)(i % 3), dim = i % 5 < 4 ? 2 : 3, more = floor(4 * uniform(&state));
  const double seed = floor(1e9 * uniform(&state)), e = uniform(&state),
               damping = i % 4 < 2 ? 0 : uniform(&state);
  const double amplitude = 10 * uniform(&state), omega = i % 2 == 0 ? 0 : 10 * uniform(&state);
  const double linear[] = {m + more, m, seed, e, damping, amplitude, omega};
  const double rough[] = {dim * m + more, m, dim, seed, e, 2 * uniform(&state), 0, damping, amplitude, omega};
  memcpy(s.p, frictional ? rough : linear, frictional ? sizeof rough : sizeof linear);
  s.end = 0.5 + 1.5 * uniform(&state);
  return s;
}

static void check(dls_status status, const dls_error *err, const sample *s)
{
  if (status != DLS_OK) {
    printf("i=%lu verdict=FAIL %s\n", s->i, err->text);
    exit(1);
  }
}

static bool within_patience(void *data, double t)
{
  (void)t;
  return (double)(clock() - *(const clock_t *)data) < patience * CLOCKS_PER_SEC;
}

/* @param[in] direction  > 0: the start is moved */
static run make(const sample *s, const char *tol, unsigned long direction)
{
  run r = {0};
  dls_error err = {0};
  clock_t begin = clock();
  uint64_t state = direction;
  check(dls_model_create(s->model, s->p, &r.sys, &err), &err, s);
  for (size_t i = 0; i < r.sys->n && direction > 0; i++) {
    r.sys->q0[i] += uniform(&state) < 0.5 ? -nudge : nudge;
    r.sys->v0[i] += uniform(&state) < 0.5 ? -nudge : nudge;
  }
  check(dls_sim_create(r.sys, &dls_scheme_event_driven, &r.sim, &err), &err, s);
  check(dls_sim_set(r.sim, tol, &err), &err, s);
  check(dls_sim_set(r.sim, "max_events=20000", &err), &err, s);
  r.traj = dls_sim_trajectory(r.sim, &err);
  r.traj->skip_nodes = true;
  const dls_run_spec spec = {.end = s->end, .record = r.traj, .poll = within_patience, .poll_data = &begin};
  r.status = dls_run(r.sim, &spec, &err);
  return r;
}

static void drop(run *r)
{
  dls_trajectory_destroy(r->traj);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

static double apart(const run *a, const run *b)
{
  double most = 0;
  for (size_t i = 0; i < a->sys->n; i++) {
    most = fmax(most, fmax(fabs(a->sim->q[i] - b->sim->q[i]), fabs(a->sim->v[i] - b->sim->v[i])));
  }
  return most;
}

/* Add the events of the record. */
static void read_events(const run *r, size_t *merged, double *bound, double *slowest)
{
  for (size_t k = 0; k < r->traj->event_count; k++) {
    const dls_event *event = &r->traj->events[k];
    *merged += event->merged_count > 0;
    *slowest = fmin(*slowest, event->kind == DLS_IMPACT    ? -event->u_minus
                              : event->kind == DLS_GRAZING ? 0
                                                           : HUGE_VAL);
    if (event->kind == DLS_ACCUMULATION) {
      *bound = fmax(*bound, fmax(event->bound, event->bound_velocity));
    }
  }
}

static double sensitivity_of(const sample *s, const run *good)
{
  double sensitivity = least_sensitivity;
  for (unsigned long d = 1; d <= DIRECTIONS; d++) {
    run moved = make(s, "tol=1e-11", d);
    sensitivity = fmax(sensitivity, moved.status == DLS_OK ? apart(&moved, good) / nudge : 0);
    drop(&moved);
  }
  return sensitivity;
}

static bool try_system(bool frictional, unsigned long i)
{
  const sample s = draw(frictional, i);
  run rough = make(&s, "tol=1e-10", 0), good = make(&s, "tol=1e-11", 0);
  const char *verdict = "ended";
  double error = NAN, allowed = NAN, sensitivity = NAN, bound = 0, slowest = HUGE_VAL;
  size_t merged = 0;
  if (rough.status == DLS_OK && good.status == DLS_OK) {
    error = apart(&rough, &good);
    sensitivity = sensitivity_of(&s, &good);
    read_events(&rough, &merged, &bound, &slowest);
    read_events(&good, &merged, &bound, &slowest);
    allowed = factor * (coarse * sensitivity + (merged > 0 ? 0 : bound));
    verdict = error <= allowed ? "ok" : merged > 0 ? "merged" : slowest < graze ? "graze" : "FAIL";
  }
  printf("i=%lu model=%s ", i, s.model->name);
  for (size_t k = 0; s.model->parameters[k].name != NULL; k++) {
    printf("%s=%.17g ", s.model->parameters[k].name, s.p[k]);
  }
  printf("error=%.2e allowed=%.2e sensitivity=%.2e bound=%.2e merged=%zu slowest=%.1e "
         "events=%zu end=%.17g verdict=%s\n",
         error, allowed, sensitivity, bound, merged, slowest, good.traj->event_count, s.end, verdict);
  fflush(stdout);
  drop(&rough);
  drop(&good);
  return strcmp(verdict, "FAIL") != 0;
}

int main(int argc, char **argv)
{
  const bool frictional = argc > 1 && strcmp(argv[1], "frictional") == 0;
  const unsigned long first = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
  const unsigned long count = argc > 3 ? strtoul(argv[3], NULL, 10) : 10;
  bool good = true;
  for (unsigned long i = first; i < first + count; i++) {
    good = try_system(frictional, i) && good;
  }
  return good ? 0 : 1;
}
