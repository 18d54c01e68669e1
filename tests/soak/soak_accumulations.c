/* soak_accumulations.c -- accumulations in which several contacts take part, on random linear systems.
 *
 *   soak_accumulations FIRST COUNT
 *
 * System i has 2 to 4 contacts and restitution coefficients below a random e in [0, 1). A line for each, with
 *   error        max |q|, |v| at the end, tol 1e-8 against 1e-12
 *   sensitivity  the same per change of q0 and v0 by 1e-9, the worst of four directions
 *   ratio        error / (1e-8 sensitivity); 100 are allowed
 *   events, accumulations   of the run at 1e-12
 *   worst_bound  largest error / bound of an accumulation at tol 1e-8, against a run of its time at tol 1e-12
 *   slowest      least |u-| of an impact after a flight that was no part of an accumulation
 *   verdict      ok; graze: ratio too large, and slowest below sqrt(2 Gamma eps_g), Gamma = 10; FAIL
 * Exit status 0: no FAIL. All of them: accumulations.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_random_linear;

static const double least_sensitivity =
    0.01; /* one that forgets its start still keeps the errors of its last second */
static const double coarse = 1e-8, fine = 1e-12, nudge = 1e-9, allowed = 100;
static const char *const reference[] = {"eps_z=0.01", "eps_g=0.01", "method=erk", NULL};
static const double lowest = 1e-11; /* m: flights of which the reference sees the height only roughly */
static const double reference_noise_g = 2e-14;
static const double reference_noise = 2e-12; /* of a run at tol 1e-12 over the time of an accumulation */
enum { MOST_EVENTS = 10000, DIRECTIONS = 4 };

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
} run;

typedef struct sample {
  unsigned long i;
  double p[7]; /* of the model */
  double end;
} sample;

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* n, m, seed, e, damping, amplitude, omega. */
static sample draw(unsigned long i)
{
  uint64_t state = 1000003 * (uint64_t)i + 17;
  sample s = {.i = i};
  const double m = 2 + (double)(i % 3);
  const double values[] = {m + floor(4 * uniform(&state)),       m,
                           floor(1e9 * uniform(&state)),         uniform(&state),
                           i % 4 < 2 ? 0 : uniform(&state),      10 * uniform(&state),
                           i % 2 == 0 ? 0 : 10 * uniform(&state)};
  memcpy(s.p, values, sizeof values);
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

/* q, v: start; NULL: the model's, moved by size in direction 1, 2, ... */
static run make(const sample *s, const double *q, const double *v, double size, unsigned long direction)
{
  run r = {0};
  dls_error err = {0};
  check(dls_model_create(&dls_model_random_linear, s->p, &r.sys, &err), &err, s);
  uint64_t state = direction;
  for (size_t i = 0; i < r.sys->n; i++) {
    r.sys->q0[i] = (q != NULL ? q[i] : r.sys->q0[i]) + size * (uniform(&state) < 0.5 ? -1 : 1);
    r.sys->v0[i] = (v != NULL ? v[i] : r.sys->v0[i]) + size * (uniform(&state) < 0.5 ? -1 : 1);
  }
  check(dls_sim_create(r.sys, &dls_scheme_event_driven, &r.sim, &err), &err, s);
  return r;
}

static void go(run *r, const sample *s, double tol, double end, const char *const *more)
{
  dls_error err = {0};
  char text[40];
  snprintf(text, sizeof text, "tol=%g", tol);
  check(dls_sim_set(r->sim, text, &err), &err, s);
  for (; more != NULL && *more != NULL; more++) {
    check(dls_sim_set(r->sim, *more, &err), &err, s);
  }
  r->traj = dls_sim_trajectory(r->sim, &err);
  check(dls_run(r->sim, &(dls_run_spec){.end = end, .record = r->traj}, &err), &err, s);
}

static void drop(run *r)
{
  dls_trajectory_destroy(r->traj);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

static double distance(size_t n, const double *a, const double *b)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(a[i] - b[i]));
  }
  return most;
}

static double apart(const run *a, const run *b)
{
  return fmax(distance(a->sys->n, a->sim->q, b->sim->q), distance(a->sys->n, a->sim->v, b->sim->v));
}

static size_t last_row_at(const dls_trajectory *traj, double t)
{
  size_t row = 0;
  while (row + 1 < traj->rows && dls_trajectory_at(traj, row + 1, 0) <= t) {
    row++;
  }
  return row;
}

/* The states before and after the accumulation are both taken on a little, at tol 1e-12: error / bound. */
static double try_bound(const sample *s, const run *r, const dls_event *event)
{
  const size_t n = r->sys->n;
  const double slack = 4e-16 * event->t;
  const size_t after = last_row_at(r->traj, event->t);
  const double *row =
      &r->traj->data[last_row_at(r->traj, event->t - event->duration + slack) * r->traj->columns];
  const double *then = &r->traj->data[after * r->traj->columns];
  const double more = event->duration + 1e-7; /* until the reference rests, too */
  bool starts = then[0] > row[0];
  for (size_t j = 0; j < r->sys->m; j++) { /* a gap that grazes at tol 1e-8 is no start at tol 1e-12 */
    starts = starts && row[1 + 2 * n + j] > -1e-14 && then[1 + 2 * n + j] > -1e-14;
  }
  if (!starts) {
    return 0;
  }
  run whole = make(s, row + 1, row + 1 + n, 0, 0), rest = make(s, then + 1, then + 1 + n, 0, 0);
  go(&whole, s, fine, then[0] - row[0] + more, reference);
  go(&rest, s, fine, more, reference);
  double dg = 0, unresolved = 0;
  for (size_t j = 0; j < r->sys->m; j++) {
    dg = fmax(dg, fabs(whole.sim->g[j] - rest.sim->g[j]));
    if (whole.sim->status[j] + rest.sim->status[j] < 2 && whole.sim->g[j] < lowest) {
      unresolved += fabs(whole.sim->u[j]) + fabs(rest.sim->u[j]);
    }
  }
  const double dv = distance(n, whole.sim->v, rest.sim->v);
  const double worst = fmax((dg - reference_noise_g) / event->bound,
                            (dv - reference_noise - unresolved) / event->bound_velocity);
  drop(&whole);
  drop(&rest);
  return worst;
}

static double worst_bound(const sample *s, const run *r)
{
  double worst = 0, last = -1;
  for (size_t k = 0; k < r->traj->event_count && s->p[6] == 0; k++) { /* the load is constant */
    const dls_event *event = &r->traj->events[k];
    if (event->kind == DLS_ACCUMULATION && event->t > last && k < 4000) {
      worst = fmax(worst, try_bound(s, r, event));
      last = event->t;
    }
  }
  return worst;
}

/* Least |u-| of an impact after a flight of more than 0.01 s; a grazing counts as 0. */
static double slowest_impact(const run *r)
{
  double least = HUGE_VAL, last[4] = {-1, -1, -1, -1};
  for (size_t k = 0; k < r->traj->event_count; k++) {
    const dls_event *event = &r->traj->events[k];
    const bool impact = event->kind == DLS_IMPACT;
    if ((impact || event->kind == DLS_GRAZING) && event->t - last[event->contact] > 0.01) {
      least = fmin(least, impact ? -event->u_minus : 0);
    }
    last[event->contact] = event->t;
  }
  return least;
}

static bool try_system(unsigned long i)
{
  const sample s = draw(i);
  run rough = make(&s, NULL, NULL, 0, 0), good = make(&s, NULL, NULL, 0, 0);
  go(&rough, &s, coarse, s.end, NULL);
  go(&good, &s, fine, s.end, NULL);
  double sensitivity = least_sensitivity;
  for (unsigned long d = 1; d <= DIRECTIONS; d++) {
    run moved = make(&s, NULL, NULL, nudge, d);
    go(&moved, &s, fine, s.end, NULL);
    sensitivity = fmax(sensitivity, apart(&moved, &good) / nudge);
    drop(&moved);
  }
  const double error = apart(&rough, &good), ratio = error / (coarse * sensitivity);
  const double bound = worst_bound(&s, &rough), slowest = slowest_impact(&good);
  size_t accumulations = 0;
  for (size_t k = 0; k < good.traj->event_count; k++) {
    accumulations += good.traj->events[k].kind == DLS_ACCUMULATION;
  }
  const size_t events = good.traj->event_count;
  const bool fine_too = bound <= 1 && events < MOST_EVENTS;
  const char *verdict = fine_too && ratio < allowed                   ? "ok"
                        : fine_too && slowest < sqrt(2 * 10 * coarse) ? "graze"
                                                                      : "FAIL";
  printf("i=%lu n=%g m=%g seed=%.0f e=%.17g damping=%.17g amplitude=%.17g omega=%.17g end=%.17g error=%.2e "
         "sensitivity=%.2e ratio=%.2g events=%zu accumulations=%zu worst_bound=%.2g slowest=%.1e verdict=%s\n",
         i, s.p[0], s.p[1], s.p[2], s.p[3], s.p[4], s.p[5], s.p[6], s.end, error, sensitivity, ratio, events,
         accumulations, bound, slowest, verdict);
  fflush(stdout);
  drop(&rough);
  drop(&good);
  return strcmp(verdict, "FAIL") != 0;
}

int main(int argc, char **argv)
{
  const unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
  const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
  bool good = true;
  for (unsigned long i = first; i < first + count; i++) {
    good = try_system(i) && good;
  }
  return good ? 0 : 1;
}
