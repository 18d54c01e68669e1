/* soak_weak_friction.c -- event-driven runs with friction much weaker than the normal load, over long times, against exact solutions.
 *
 *   soak_weak_friction FIRST COUNT
 *
 * Run i is of the model i mod 6: a block on a spring, on an incline, under a harmonic force, on a belt, a puck on an incline and one on a belt.
 * Friction is 1e-8 to 1e-2 of the driving force, coordinates and velocities are 1e-4 to 10 at the start, tol 1e-12 to 1e-6, the length of the
 * run 10 to 1000 time scales. A line for each, with
 *   error    largest error of q and v at the nodes, of their largest values [tol]
 *   verdict  ok; FAIL: the run ended early, or error > 2 (10 + length)
 * Exit status 0: no FAIL.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 6, ENGINES = 4, MOST_PARAMETERS = 64, MOST_TIMES = 40 };
static const char *const engines[ENGINES] = {"adams", "erk", "bdf", "auto"};
static const struct {
  const char *model, *friction;
} kinds[KINDS] = {{"spring-block", "F"}, {"incline", "mu"}, {"forced-block", "F"},
                  {"belt", "F"},         {"puck", "mu"},    {"puck-belt", "mu"}};

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

typedef struct sample {
  const dls_model *model;
  double p[MOST_PARAMETERS];
  const char *engine;
  double tol, length;
} sample;

static void set(sample *s, const char *name, double value)
{
  const int at = dls_option_find(s->model->parameters, name);
  if (at >= 0) {
    s->p[at] = value;
  }
}

static sample draw(unsigned long i)
{
  uint64_t state = 1000003 * (uint64_t)i + 41;
  const char *friction = kinds[i % KINDS].friction;
  sample s = {.model = dls_model_find(kinds[i % KINDS].model, NULL)};
  dls_option_defaults(s.model->parameters, s.p);
  const double weak = pow(10, -8 + 6 * uniform(&state)), size = pow(10, -4 + 5 * uniform(&state));
  s.length = 10 * pow(100, uniform(&state));
  s.tol = pow(10, 2 * floor(4 * uniform(&state)) - 12);
  s.engine = engines[i / KINDS % ENGINES];
  s.engine =
      strcmp(s.engine, "bdf") == 0 && s.tol < 0.9e-10 ? "adams" : s.engine; /* bdf does not reach this tol */
  if (i % KINDS == 0) {
    set(&s, "q0", size);
  } else {
    set(&s, "v0", size);
  }
  set(&s, "A", size);
  set(&s, "vb", 0.5 * size);
  set(&s, "Fs", weak * size * (1 + uniform(&state)));
  set(&s, friction, strcmp(friction, "F") == 0 ? weak * size : weak);
  printf("%lu %s method=%s tol=%g friction=%.3g size=%.3g length=%.3g ", i, s.model->name, s.engine, s.tol,
         weak, size, s.length);
  return s;
}

/* Largest value of the columns in [first, last]. */
static double scale_of(const dls_trajectory *run, size_t first, size_t last)
{
  double scale = 0;
  for (size_t row = 0; row < run->rows; row++) {
    for (size_t c = first; c <= last; c++) {
      scale = fmax(scale, fabs(dls_trajectory_at(run, row, c)));
    }
  }
  return scale;
}

/* Column c of the run at t, where it may have two rows, less x: the smaller difference. */
static double error_at(const dls_trajectory *run, double t, size_t c, double x)
{
  double least = HUGE_VAL;
  size_t row = 0, past = run->rows;
  while (row < past) { /* the first row at t */
    const size_t middle = row + (past - row) / 2;
    *(dls_trajectory_at(run, middle, 0) < t ? &row : &past) =
        dls_trajectory_at(run, middle, 0) < t ? middle + 1 : middle;
  }
  for (; row < run->rows && dls_trajectory_at(run, row, 0) == t; row++) {
    least = fmin(least, fabs(dls_trajectory_at(run, row, c) - x));
  }
  return least;
}

/* Of the run at some of its nodes [tol]; < 0: there is no exact solution. */
static double error_of(const sample *s, const dls_trajectory *run)
{
  double t[MOST_TIMES], worst = 0;
  size_t count = 0;
  dls_error err = {0};
  dls_trajectory *exact = NULL;
  for (size_t k = 1; k <= MOST_TIMES; k++) {
    const double at = dls_trajectory_at(run, k * (run->rows - 1) / MOST_TIMES, 0);
    if (at > (count > 0 ? t[count - 1] : 0)) {
      t[count++] = at;
    }
  }
  if (dls_exact_at(dls_exact_find(s->model->name), s->p, count, t, &exact, &err) != DLS_OK) {
    printf("%s ", err.text);
    return -1;
  }
  for (size_t c = 1; c <= 2 * run->n; c++) {
    const bool velocity = c > run->n;
    const double scale = scale_of(run, velocity ? run->n + 1 : 1, velocity ? 2 * run->n : run->n);
    for (size_t row = 0; row < exact->rows; row++) {
      const double error = error_at(run, dls_trajectory_at(exact, row, 0), c, dls_trajectory_at(exact, row, c));
      worst = fmax(worst, error / (s->tol * scale));
    }
  }
  dls_trajectory_destroy(exact);
  return worst;
}

/* @return false: FAIL */
static bool trial(unsigned long i)
{
  const sample s = draw(i);
  char options[80];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(s.model, s.p, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find("event-driven", NULL), &sim, &err);
  snprintf(options, sizeof options, "method=%s", s.engine);
  status = status != DLS_OK ? status : dls_sim_set(sim, options, &err);
  snprintf(options, sizeof options, "tol=%.17g", s.tol);
  status = status != DLS_OK ? status : dls_sim_set(sim, options, &err);
  dls_trajectory *run = status == DLS_OK ? dls_sim_trajectory(sim, &err) : NULL;
  if (run != NULL) {
    status = dls_run(sim, &(dls_run_spec){.end = s.length * sys->time, .record = run}, &err);
  }
  bool ok = status == DLS_OK && run != NULL;
  if (ok) {
    const double error = error_of(&s, run);
    ok = error >= 0 && error <= 2 * (10 + s.length);
    printf("events=%zu error=%.3g verdict=%s\n", run->event_count, error, ok ? "ok" : "FAIL");
  } else {
    printf("verdict=FAIL %s\n", err.text);
  }
  dls_trajectory_destroy(run);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return ok;
}

int main(int count, char **word)
{
  bool ok = count == 3;
  const unsigned long first = ok ? strtoul(word[1], NULL, 10) : 0, runs = ok ? strtoul(word[2], NULL, 10) : 0;
  for (unsigned long i = first; i < first + runs; i++) {
    ok = trial(i) && ok;
    fflush(stdout);
  }
  return ok ? 0 : 1;
}
