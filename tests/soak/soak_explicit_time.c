/* soak_explicit_time.c -- event-driven under random loads, supports and surfaces that depend on time.
 *
 *   soak_explicit_time FIRST COUNT [FIRST COUNT]...
 *
 * Run i: a mass at rest, in flight, on its support, two with a spring, a block that sticks or slides, or a support or a belt that
 * moves, under 1 to 3 pulses of widths from 1e-3 to 10 s, by each of the integrators. The system bounds the pulses, states their
 * shortest width, or says nothing of them; from run 1000 on they are tables of three rows. The end is compared with that of the
 * same run with max_step = width/50 wherever a pulse is not 0, and no event may be missing. Impacts are not counted: how many precede
 * an accumulation depends on the steps, and the end shows those that are missing. A line for each, with
 *   width    the shortest of the pulses [s]
 *   error    |q - q'|/end and |v - v'| at the end, in units of tol times the size of the motion
 *   events, steps  of the run, and of the reference
 *   resolution  that the run reports, 0: it has sampled nothing
 *   verdict  ok; explained: they differ, and some pulse is shorter than twice the resolution reported; ended: both ended early;
 *            FAIL: they differ
 * Exit status 0: no FAIL. A thousand of them: explicit_time.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "driven.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;

static const double tol = 1e-8, end = 30;
/* What two runs may differ by [tol times the size of the motion]. 1300 runs: 15 at most, the median is 1e-4. */
static const double allowed = 20;

static double uniform(uint64_t *state)
{
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(uint64_t *state, double low, double high)
{
  return low * pow(high / low, uniform(state));
}

typedef struct sample {
  unsigned long i;
  const char *situation, *knowledge, *method;
  dls_driven what;
  double width, size; /* shortest pulse; of the motion */
} sample;

/* A pulse is 0 (1.6e-28 of its size) at this distance from its centre [widths]. */
static const double reach = 8;

/* Pulses with their centres inside the run. */
static void draw_pulses(uint64_t *state, double low, double high, sample *s, dls_pulse *pulses)
{
  const size_t count = 1 + (size_t)(3 * uniform(state));
  for (size_t k = 0; k < count; k++) {
    const double sign = uniform(state) < 0.5 ? -1 : 1;
    pulses[k] =
        (dls_pulse){sign * between(state, low, high), 1 + 28 * uniform(state), between(state, 1e-3, 10)};
    s->width = fmin(s->width, pulses[k].width);
    s->size += fabs(pulses[k].size) * (pulses == s->what.load ? pulses[k].width : 1 + 1 / pulses[k].width);
  }
}

static sample draw(unsigned long i)
{
  static const char *const situations[] = {"rest",  "flight",  "contact", "springs",
                                           "stuck", "sliding", "support", "belt"};
  static const char *const knowledge[] = {"bounds", "callback", "feature", "table"};
  static const char *const methods[] = {"adams", "erk", "bdf", "flow"};
  uint64_t state = 1000003 * (uint64_t)i + 31;
  sample s = {.i = i, .width = HUGE_VAL, .size = 1};
  dls_driven *d = &s.what;
  const bool table = i >= 1000;
  const size_t situation = i % (table ? 6 : 8);
  s.situation = situations[situation];
  d->knowledge = (dls_driven_knowledge)(3 * uniform(&state));
  d->knowledge = table ? DLS_DRIVEN_TABLE : d->knowledge;
  s.knowledge = knowledge[d->knowledge];
  const bool block = situation == 4 || situation == 5 || situation == 7;
  d->kind = block ? DLS_DRIVEN_BLOCK : situation == 3 ? DLS_DRIVEN_SPRINGS : DLS_DRIVEN_MASS;
  s.method = methods[(size_t)((block ? 3 : 4) * uniform(&state))];
  d->weight = situation == 0 || situation == 3 ? 0 : 10;
  d->height = situation == 0 || situation == 1 || situation == 3 ? 1e6 : 0;
  d->mu = 0.1;
  d->v = situation == 1 ? 3 : situation == 5 ? 1000 : 0;
  d->q = situation == 6 ? 1 : 0;
  d->e = situation == 6 ? 0.5 * uniform(&state) : 0;
  if (situation == 6) { /* it hangs above, without weight, where the pulse is the support's */
    d->weight = 0;
    d->height = between(&state, 1e-3, 0.1);
    draw_pulses(&state, 0.1, 1, &s, d->support);
  } else if (situation == 7) {
    draw_pulses(&state, 0.01, 1, &s, d->surface);
  } else {
    draw_pulses(&state, 0.1, 100, &s, d->load);
  }
  d->feature = s.width;
  s.size += fabs(d->v) + 30 * d->weight;
  return s;
}

typedef struct outcome {
  dls_status status;
  double q[2], v[2], resolution;
  size_t events, steps;
} outcome;

static double resolution_of(const dls_trajectory *record)
{
  const char key[] = "explicit_time_resolution: ";
  for (size_t i = 0; i < record->meta_count; i++) {
    if (strncmp(record->meta[i], key, sizeof key - 1) == 0) {
      return strtod(record->meta[i] + sizeof key - 1, NULL);
    }
  }
  return 0;
}

static void set(dls_sim *sim, const char *format, ...)
{
  char text[60];
  va_list arguments;
  dls_error err = {0};
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  assert_ok(dls_sim_set(sim, text, &err), err);
}

/* Go on with o for `length`; sys starts there. */
static void advance(dls_system *sys, const char *method, double length, double max_step, outcome *o)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  assert_ok(dls_system_check(sys, &err), err);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
  set(sim, "tol=%g", tol);
  set(sim, "method=%s", method);
  set(sim, "max_step=%.17g", max_step);
  dls_trajectory *record = dls_sim_trajectory(sim, &err);
  assert_non_null(record);
  record->skip_nodes = true;
  o->status = dls_run(sim, &(dls_run_spec){.end = length, .record = record}, &err);
  for (size_t i = 0; i < sys->n; i++) {
    o->q[i] = sim->q[i];
    o->v[i] = sim->v[i];
  }
  for (size_t i = 0; i < record->event_count; i++) {
    o->events += record->events[i].t > 0 && record->events[i].kind != DLS_IMPACT; /* nor the start in contact */
  }
  o->resolution = resolution_of(record);
  o->steps += sim->work.steps;
  dls_trajectory_destroy(record);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

static outcome run(const sample *s)
{
  outcome o = {0};
  dls_system *sys = dls_test_driven(&s->what);
  assert_non_null(sys);
  advance(sys, s->method, end, 0, &o);
  return o;
}

static void shift(dls_pulse *pulses, double t)
{
  for (size_t k = 0; k < DLS_DRIVEN_PULSES; k++) {
    pulses[k].at -= t;
  }
}

/* The same system with its time 0 at t, in the state that o has reached there. */
static dls_system *system_from(const sample *s, double t, const outcome *o)
{
  dls_driven what = s->what;
  shift(what.load, t);
  shift(what.support, t);
  shift(what.surface, t);
  dls_system *sys = dls_test_driven(&what);
  assert_non_null(sys);
  for (size_t i = 0; i < sys->n && t > 0; i++) {
    sys->q0[i] = o->q[i];
    sys->v0[i] = o->v[i];
  }
  return sys;
}

/* max_step from t on, and the next instant at which it changes. */
static double reference_step(const sample *s, double t, double *until)
{
  const dls_pulse *const all[] = {s->what.load, s->what.support, s->what.surface};
  double step = HUGE_VAL;
  *until = end;
  for (size_t k = 0; k < 3 * DLS_DRIVEN_PULSES; k++) {
    const dls_pulse *p = &all[k / DLS_DRIVEN_PULSES][k % DLS_DRIVEN_PULSES];
    const double first = p->at - reach * p->width, last = p->at + reach * p->width;
    if (p->width > 0 && t < last) {
      step = first <= t ? fmin(step, p->width / 50) : step;
      *until = fmin(*until, first <= t ? last : first);
    }
  }
  return fmin(step, (*until - t) / 50);
}

static outcome reference(const sample *s)
{
  outcome o = {0};
  double until;
  for (double t = 0; t < end && o.status == DLS_OK; t = until) {
    const double step = reference_step(s, t, &until);
    advance(system_from(s, t, &o), s->method, until - t, step, &o);
  }
  return o;
}

static bool report(const sample *s)
{
  const outcome found = run(s), fine = reference(s);
  double error = 0;
  for (int i = 0; i < 2; i++) {
    error =
        fmax(error, fmax(fabs(found.q[i] - fine.q[i]) / end, fabs(found.v[i] - fine.v[i])) / (tol * s->size));
  }
  const bool same = error <= allowed && found.status == fine.status && found.events >= fine.events;
  const char *verdict = same && found.status != DLS_OK     ? "ended"
                        : same                             ? "ok"
                        : s->width <= 2 * found.resolution ? "explained"
                                                           : "FAIL";
  printf("i=%lu %s %s %s width=%.3g error=%.3g events=%zu/%zu steps=%zu/%zu resolution=%g verdict=%s\n", s->i,
         s->situation, s->knowledge, s->method, s->width, error, found.events, fine.events, found.steps,
         fine.steps, found.resolution, verdict);
  fflush(stdout);
  return strcmp(verdict, "FAIL") != 0;
}

int main(int count, char **arguments)
{
  bool good = true;
  for (int k = 1; k + 1 < count; k += 2) {
    const unsigned long first = strtoul(arguments[k], NULL, 10), samples = strtoul(arguments[k + 1], NULL, 10);
    for (unsigned long i = first; i < first + samples; i++) {
      const sample s = draw(i);
      good = report(&s) && good;
    }
  }
  return good ? 0 : 1;
}
