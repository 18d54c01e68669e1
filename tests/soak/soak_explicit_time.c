/* soak_explicit_time.c -- event-driven under random loads, supports and surfaces that depend on time.
 *
 *   soak_explicit_time FIRST COUNT [FIRST COUNT]...
 *
 * Run i: a mass at rest, in flight, on its support, two with a spring, a block that sticks or slides, or a support or a belt that
 * moves, under 1 to 3 pulses of widths from 1e-3 to 10 s, which the system bounds, states by their shortest width, or says nothing
 * of; by each of the integrators. Its end is compared with that of the same run with max_step = width/50. A line for each, with
 *   width    the shortest of the pulses [s]
 *   error    |q - q'| and |v - v'| at the end, in units of the tolerances of both runs times the size of the motion
 *   resolution  that the run reports, 0: it has sampled nothing
 *   verdict  ok; explained: they differ, and some pulse is shorter than twice the resolution reported; ended: the run with max_step
 *            ended early and so did this one; FAIL: they differ
 * Exit status 0: no FAIL. A thousand of them: explicit_time.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "driven.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_scheme dls_scheme_event_driven;

static const double tol = 1e-8, end = 30;
/* [tol, times the size of the motion]: what two runs may differ by. Velocities that an impact at another instant of a moving
 * support gives grow with its acceleration, those after slip with the force that ends it. */
static const double allowed = 1e3;

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
  static const char *const knowledge[] = {"bounds", "callback", "feature"};
  static const char *const methods[] = {"adams", "erk", "bdf", "flow"};
  uint64_t state = 1000003 * (uint64_t)i + 31;
  sample s = {.i = i, .width = HUGE_VAL, .size = 1};
  dls_driven *d = &s.what;
  const size_t situation = i % 8;
  s.situation = situations[situation];
  d->knowledge = (dls_driven_knowledge)(3 * uniform(&state));
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
  double q, v, resolution;
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

static outcome run(const sample *s, double max_step)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  char text[60];
  dls_system *sys = dls_test_driven(&s->what);
  assert_non_null(sys);
  assert_ok(dls_system_check(sys, &err), err);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &sim, &err), err);
  snprintf(text, sizeof text, "tol=%g", tol);
  assert_ok(dls_sim_set(sim, text, &err), err);
  snprintf(text, sizeof text, "method=%s", s->method);
  assert_ok(dls_sim_set(sim, text, &err), err);
  snprintf(text, sizeof text, "max_step=%.17g", max_step);
  assert_ok(dls_sim_set(sim, text, &err), err);
  dls_trajectory *record = dls_sim_trajectory(sim, &err);
  assert_non_null(record);
  record->skip_nodes = true;
  outcome o = {.status = dls_run(sim, &(dls_run_spec){.end = end, .record = record}, &err)};
  o.q = sim->q[0];
  o.v = sim->v[0];
  o.resolution = resolution_of(record);
  o.events = sim->work.events;
  o.steps = sim->work.steps;
  dls_trajectory_destroy(record);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return o;
}

static bool report(const sample *s)
{
  const outcome found = run(s, 0), fine = run(s, s->width / 50);
  const double error = fmax(fabs(found.q - fine.q) / end, fabs(found.v - fine.v)) / (tol * s->size);
  const bool same = error <= allowed && found.status == fine.status;
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
