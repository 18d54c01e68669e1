/* soak_meetings.c -- two or three spheres that meet (random_meeting.h), by every scheme that treats them.
 *
 *   soak_meetings FIRST COUNT [SCHEME]
 *
 * A line for each meeting, with
 *   schemes   that treat it: others refuse, or their run fails, which is no silence
 *   impacts   runs in which the first contact led to an impact
 *   warned    runs without, that say so: a warning
 *   silent    runs in which bodies pass through each other without an impulse and without a warning: the first contact, or the
 *             straight path between two nodes, where it is deeper than 1 % of the smallest body
 *   passed    of schemes that choose their steps by an error estimate: runs with passed_through > 0
 *   missed    event-driven: the first impact is not that of the exact solution, to 1e-6 of the time scale
 *   verdict   ok, FAIL: silent, passed or missed > 0
 * Exit status 0: no FAIL. All of them: meetings.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_meeting.h"
#include <delassus/catalogue.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double deep = 0.01;    /* of the smallest body */
static const double located = 1e-6; /* of the first contact's time */

typedef struct tally {
  size_t schemes, impacts, warned, silent, passed, missed;
} tally;

static double distance2(const double *q, size_t dim, size_t a, size_t b, const double *r, double s)
{
  double sum = 0;
  for (size_t i = 0; i < dim; i++) {
    const double d0 = q[dim * b + i] - q[dim * a + i], d1 = r[dim * b + i] - r[dim * a + i];
    const double d = (1 - s) * d0 + s * d1;
    sum += d * d;
  }
  return sum;
}

/* Does the straight path between two nodes lead a pair through each other, without an impulse in it? */
static bool passes(const random_meeting *m, const dls_trajectory *traj)
{
  static const size_t pairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  const size_t n = traj->n, g = 1 + 2 * n, p = g + 2 * traj->m;
  for (size_t row = 1; row < traj->rows; row++) {
    const double *before = traj->data + (row - 1) * traj->columns, *behind = before + traj->columns;
    for (size_t j = 0; j < traj->m && behind[0] > before[0]; j++) {
      const double reach =
          sqrt(distance2(before + 1, m->dim, pairs[j][0], pairs[j][1], before + 1, 0)) - before[g + j];
      double least = INFINITY;
      for (int k = 0; k <= 64; k++) {
        least = fmin(least, distance2(before + 1, m->dim, pairs[j][0], pairs[j][1], behind + 1, k / 64.0));
      }
      const bool impulse = behind[p + j] != 0 || (row + 1 < traj->rows && behind[traj->columns] == behind[0] &&
                                                  behind[traj->columns + p + j] != 0);
      const double ends = fmin(before[g + j], behind[g + j]);
      if (!impulse && sqrt(least) - reach < fmin(ends, 0) - deep * m->smallest) {
        return true;
      }
    }
  }
  return false;
}

static void judge(const random_meeting *m, const dls_sim *sim, const dls_trajectory *traj, tally *out)
{
  const bool warned = dls_sim_warning_count(sim) > 0;
  const dls_event *first = NULL;
  for (size_t i = 0; i < traj->event_count && first == NULL; i++) {
    first = traj->events[i].kind == DLS_IMPACT ? &traj->events[i] : NULL;
  }
  const bool by_error = sim->scheme->stepping != DLS_BY_STEP &&
                        sim->scheme->family != DLS_FAMILY_EVENT_DRIVEN &&
                        strncmp(sim->scheme->name, "rk-", 3) != 0;
  const bool silent = !warned && (first == NULL || passes(m, traj));
  out->schemes++;
  out->impacts += first != NULL;
  out->warned += first == NULL && warned;
  out->silent += silent;
  out->passed += by_error && sim->warnings[DLS_WARN_PASSED].count > 0;
  const bool missed = sim->scheme->family == DLS_FAMILY_EVENT_DRIVEN &&
                      (first == NULL || fabs(first->t - m->first) > located * m->first);
  out->missed += missed;
  if (silent || missed || (by_error && sim->warnings[DLS_WARN_PASSED].count > 0)) {
    fprintf(stderr, "  %s: %s, first impact %g, exact %g\n", sim->scheme->name,
            silent   ? "silent"
            : missed ? "missed"
                     : "passed",
            first != NULL ? first->t : NAN, m->first);
  }
}

static void run(const random_meeting *m, const dls_scheme *scheme, tally *out)
{
  dls_sim *sim = NULL;
  dls_error err = {0};
  if (dls_sim_create(m->sys, scheme, &sim, &err) != DLS_OK) {
    return;
  }
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  if (traj != NULL &&
      dls_run(sim, &(dls_run_spec){.step = m->step, .end = m->end, .record = traj}, &err) == DLS_OK) {
    judge(m, sim, traj, out);
  }
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
}

int main(int argc, char **argv)
{
  if (argc != 3 && argc != 4) {
    fprintf(stderr, "usage: soak_meetings FIRST COUNT [SCHEME]\n");
    return 2;
  }
  const unsigned long first = strtoul(argv[1], NULL, 10), count = strtoul(argv[2], NULL, 10);
  int status = 0;
  for (unsigned long i = first; i < first + count; i++) {
    random_meeting m = dls_random_meeting(i);
    tally t = {0};
    const dls_scheme *const *schemes = dls_schemes();
    for (size_t k = 0; schemes[k] != NULL; k++) {
      if (argc == 3 || strcmp(schemes[k]->name, argv[3]) == 0) {
        run(&m, schemes[k], &t);
      }
    }
    const bool good = t.schemes > 0 && t.silent == 0 && t.passed == 0 && t.missed == 0;
    printf("meeting=%lu dim=%zu bodies=%zu first=%.4g step=%.3g schemes=%zu impacts=%zu warned=%zu silent=%zu "
           "passed=%zu missed=%zu verdict=%s\n",
           i, m.dim, m.bodies, m.first, m.step, t.schemes, t.impacts, t.warned, t.silent, t.passed, t.missed,
           good ? "ok" : "FAIL");
    fflush(stdout);
    status = good ? status : 1;
    dls_system_destroy(m.sys);
  }
  return status;
}
