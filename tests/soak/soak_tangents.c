/* soak_tangents.c -- derivatives of random systems, event-driven at tol 1e-12, against differences of whole runs.
 *
 *   soak_tangents linear|frictional|joints FIRST COUNT [linear|... FIRST COUNT]...
 *
 * Parameters are factors of initial data, masses, stiffnesses, gaps, loads and coefficients of laws; all of a linear system, two of a
 * mechanism. The difference is Richardson's of two central ones, at distances h and 2 h with 2^-9 > h > 2^-19 that have the smallest noise:
 * the change of the difference from the distance before. A line for each parameter, with
 *   status   of the derivative
 *   events   number in the run
 *   h        of the difference; 0: no three distances in a row have runs with the same events as the run itself
 *   error    largest difference of q, then of v, relative to the largest derivative or 1e-2 of the scales, as
 *            differences by a parameter round to 1e-10 of their terms: a mass that cancels has a derivative of this size
 *   noise    the same of the difference. With friction, the velocity error that the run reports of its accumulations counts, as it changes with p
 *   verdict  agree: q and v up to 1e-7 and ten times the noise; status: there is no derivative, or it is one-sided; words: h = 0;
 *            noise: that of the difference exceeds 1e-4; ended: a run ended early with a message; DISAGREE
 * and a last line "kind i done". Exit status 0: no DISAGREE. 500 systems: tangents.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/storage.h"
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

static const double agrees = 1e-7, noise_factor = 10, no_digits = 1e-4, exact = 1e-10, least_size = 1e-2;
static const double end = 1, end_of_joints = 0.25;
static const double patience = 20; /* s of processor time */
enum { MOST = 10, FIRST_LEVEL = 9, LAST_LEVEL = 18, OF_JOINTS = 2 };

typedef struct sample {
  const dls_model *model; /* NULL: a mechanism */
  unsigned long i;
  const char *by;
} sample;

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_status status;
} run;

static const char *const of_linear[] = {"q0", "v0", "M", "K", "w", "e", "amplitude", "omega", NULL};
static const char *const of_friction[] = {"q0", "v0", "M", "K", "w", "e", "mu", "amplitude", "omega", NULL};
static const char *const of_joints[] = {"mass", "gravity", "speed", "gap", "e", "stiffness", "mu", NULL};

static void scale(size_t count, double factor, double *x)
{
  for (size_t j = 0; j < count; j++) {
    x[j] *= factor;
  }
}

static dls_system *make_linear(const sample *s, double factor)
{
  const dls_option *table = s->model->parameters;
  double p[MOST];
  dls_system *sys = NULL;
  dls_error err = {0};
  dls_option_defaults(table, p);
  p[dls_option_find(table, "m")] = 2 + (double)(s->i / 3 % 3);
  p[dls_option_find(table, "seed")] = 1000 + (double)s->i;
  const int which = dls_option_find(table, s->by);
  if (which >= 0) {
    p[which] *= factor;
  }
  if (dls_model_create(s->model, p, &sys, &err) != DLS_OK) {
    printf("%s\n", err.text);
    exit(2);
  }
  scale(strcmp(s->by, "q0") == 0, factor, sys->q0);
  scale(strcmp(s->by, "v0") == 0 ? sys->n : 0, factor, sys->v0);
  scale(strcmp(s->by, "w") == 0, factor, sys->w);
  scale(strcmp(s->by, "M") == 0 ? dls_matrix_stored(sys->M) : 0, factor, sys->M->values);
  scale(strcmp(s->by, "K") == 0 ? dls_matrix_stored(sys->K) : 0, factor, sys->K->values);
  return sys;
}

static dls_system *make_mechanism(const sample *s, double factor)
{
  mechanism_factors by = {1, 1, 1, 1, 1, 1, 1};
  const struct {
    const char *name;
    double *factor;
  } names[] = {{"mass", &by.mass}, {"gravity", &by.gravity}, {"stiffness", &by.stiffness}, {"speed", &by.speed},
               {"gap", &by.gap},   {"e", &by.restitution},   {"mu", &by.friction}};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    *names[k].factor = strcmp(names[k].name, s->by) == 0 ? factor : 1;
  }
  return dls_random_mechanism_with(s->i, &by).sys;
}

static dls_system *make(const sample *s, double factor)
{
  return s->model != NULL ? make_linear(s, factor) : make_mechanism(s, factor);
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
  const dls_run_spec spec = {.end = r->sys->r > 0 ? end_of_joints : end,
                             .record = r->traj,
                             .poll = within_patience,
                             .poll_data = &begin};
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

/* D[2 n] := central difference of whole runs at the distance h. @return both have the events of the run */
static bool difference(const sample *s, const run *base, double h, double *D)
{
  const size_t n = base->sys->n;
  bool same = true;
  memset(D, 0, 2 * n * sizeof *D);
  for (int side = -1; side <= 1 && same; side += 2) {
    run near = start(make(s, 1 + side * h));
    finish(&near);
    same = near.status == DLS_OK && same_events(near.traj, base->traj);
    for (size_t j = 0; j < n && same; j++) {
      D[j] += side / (2 * h) * near.sim->q[j];
      D[n + j] += side / (2 * h) * near.sim->v[j];
    }
    drop(&near);
  }
  return same;
}

/* What is compared: q or v, and a difference of whole runs. */
typedef struct comparison {
  double h;
  double error[2], noise[2]; /* q, v */
} comparison;

static double largest(size_t n, const double *x, const double *y)
{
  double most = 0;
  for (size_t j = 0; j < n; j++) {
    const double value = fabs(x[j] - (y != NULL ? y[j] : 0));
    most = value > most || isnan(value) ? value : most;
  }
  return most;
}

/* Reported of the accumulations of a run [m/s]. Without friction that of its end does not depend on where slow contacts rest. */
static double velocity_error(const dls_system *sys, const dls_trajectory *traj)
{
  double most = 0;
  if (sys->d == 1) {
    return most;
  }
  for (size_t i = 0; i < traj->event_count; i++) {
    most = fmax(most, traj->events[i].kind == DLS_ACCUMULATION ? traj->events[i].bound_velocity : 0);
  }
  return most;
}

/* The comparison with a difference R that was R_before at twice the distance. */
static comparison compare(const run *base, const dls_tangent *own, double h, const double *R,
                          const double *R_before)
{
  const size_t n = base->sys->n;
  comparison out = {.h = h};
  for (int k = 0; k < 2; k++) {
    const double *x = R + (size_t)k * n,
                 unit = k == 0 ? base->sys->length : base->sys->length / base->sys->time;
    const double size = fmax(largest(n, x, NULL), least_size * unit);
    out.error[k] = largest(n, k == 0 ? own->dq : own->dv, x) / size;
    out.noise[k] =
        (largest(n, x, R_before + (size_t)k * n) + velocity_error(base->sys, base->traj) * (k == 0 ? end : 1)) /
        size;
  }
  return out;
}

/* With the difference that has the smallest noise. */
static comparison compare_best(const sample *s, const run *base, const dls_tangent *own)
{
  const size_t n = base->sys->n;
  double *block = calloc(8 * n + 1, sizeof *block), *D = block, *D_before = D + 2 * n, *R = D + 4 * n,
         *R_before = D + 6 * n;
  comparison best = {0};
  int row = 0; /* of levels with the same events */
  for (int level = FIRST_LEVEL; level <= LAST_LEVEL; level++) {
    const double h = exp2(-level);
    row = difference(s, base, h, D) ? row + 1 : 0;
    for (size_t j = 0; j < 2 * n && row > 1; j++) {
      R[j] = (4 * D[j] - D_before[j]) / 3;
    }
    if (row > 2) {
      const comparison next = compare(base, own, h, R, R_before);
      const double noise = fmax(next.noise[0], next.noise[1]);
      const bool better = best.h == 0 || noise < fmax(best.noise[0], best.noise[1]);
      best = better ? next : best;
      if (noise < exact || (!better && level > FIRST_LEVEL + 4)) {
        break;
      }
    }
    memcpy(D_before, D, 2 * n * sizeof *D);
    memcpy(R_before, R, 2 * n * sizeof *R);
  }
  free(block);
  return best;
}

static const char *judge(const comparison *c)
{
  const bool q = c->error[0] <= agrees + noise_factor * c->noise[0],
             v = c->error[1] <= agrees + noise_factor * c->noise[1];
  return c->h == 0                                       ? "words"
         : !(fmax(c->noise[0], c->noise[1]) < no_digits) ? "noise"
         : q && v                                        ? "agree"
                                                         : "DISAGREE";
}

/* @return no DISAGREE */
static bool report(const char *kind, const sample *s, const run *base, size_t k)
{
  const bool complete = base->status == DLS_OK;
  const dls_sensitivity *of = base->sim != NULL ? base->sim->sensitivity : NULL;
  const dls_derivative_status status = complete ? dls_sensitivity_status(of, k) : DLS_DERIVATIVE_OK;
  const comparison c =
      complete && status == DLS_DERIVATIVE_OK ? compare_best(s, base, &of->tangent[k]) : (comparison){0};
  const char *verdict = !complete ? "ended" : status != DLS_DERIVATIVE_OK ? "status" : judge(&c);
  printf(
      "%s %lu by=%s status=%s events=%zu valid_within=%.3g h=%.3g error=%.3g,%.3g noise=%.3g,%.3g verdict=%s\n",
      kind, s->i, s->by, dls_derivative_status_name(status), base->traj != NULL ? base->traj->event_count : 0,
      complete ? of->tangent[k].valid_within : 0, c.h, c.error[0], c.error[1], c.noise[0], c.noise[1], verdict);
  return strcmp(verdict, "DISAGREE") != 0;
}

/* The parameters of system i. @return their number */
static size_t choose(const char *kind, unsigned long i, sample *s)
{
  const bool joints = strcmp(kind, "joints") == 0, friction = strcmp(kind, "frictional") == 0;
  const char *const *names = joints ? of_joints : friction ? of_friction : of_linear;
  size_t count = 0, all = 0;
  while (names[all] != NULL) {
    all++;
  }
  for (size_t k = 0; k < (joints ? OF_JOINTS : all); k++) {
    s[count++] = (sample){joints     ? NULL
                          : friction ? &dls_model_random_frictional
                                     : &dls_model_random_linear,
                          i, names[(joints ? OF_JOINTS * i + k : k) % all]};
  }
  return count;
}

static bool try_system(const char *kind, unsigned long i)
{
  const double distance = 0x1p-17;
  sample s[MOST];
  const size_t count = choose(kind, i, s);
  dls_direction direction[MOST] = {0};
  dls_error err = {0};
  bool good = true;
  run base = start(make(&s[0], 1));
  for (size_t k = 0; k < count; k++) {
    direction[k] = (dls_direction){.value = 1, .count = 2};
    snprintf(direction[k].name, sizeof direction[k].name, "%s", s[k].by);
    for (int side = -1; side <= 1; side += 2) {
      direction[k].system[side > 0] = make(&s[k], 1 + side * distance);
      direction[k].weight[side > 0] = side / (2 * distance);
      direction[k].offset[side > 0] = side * distance;
    }
  }
  base.status = base.status != DLS_OK ? base.status : dls_sim_differentiate(base.sim, count, direction, &err);
  finish(&base);
  for (size_t k = 0; k < count; k++) {
    good = report(kind, &s[k], &base, k) && good;
  }
  printf("%s %lu done\n", kind, i);
  fflush(stdout);
  drop(&base);
  for (size_t k = 0; k < count; k++) {
    dls_system_destroy(direction[k].system[0]);
    dls_system_destroy(direction[k].system[1]);
  }
  return good;
}

int main(int argc, char **argv)
{
  bool good = true;
  for (int at = 1; at + 2 < argc; at += 3) {
    const unsigned long first = strtoul(argv[at + 1], NULL, 10), count = strtoul(argv[at + 2], NULL, 10);
    for (unsigned long i = first; i < first + count; i++) {
      good = try_system(argv[at], i) && good;
    }
  }
  return good ? 0 : 1;
}
