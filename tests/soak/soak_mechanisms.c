/* soak_mechanisms.c -- schemes with joints on random mechanisms: trees, loops, redundant joints, contacts with and without
 * friction.
 *
 *   soak_mechanisms SCHEME[:OPT=VAL,...] STEP JOINTS ENERGY FIRST COUNT
 *
 * STEP 0 for schemes that choose their own. A line for each mechanism, with
 *   joints   largest |Phi| of the run, in m or rad
 *   energy   largest change of the energy, of its largest term; of those without contact and damper
 *   verdict  ok; FAIL: joints or energy beyond JOINTS or ENERGY; else what ended the run
 * Exit status 0: no FAIL. All of them: mechanisms.sh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "random_mechanism.h"
#include <delassus/choice.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double end = 2;
static const double patience = 20; /* s of processor time */

typedef struct watch {
  const dls_system *sys;
  double joints, energy, first, scale;
  double *work; /* n + r */
  clock_t begin;
  bool started;
} watch;

static double energy_of(watch *w, const double *q, const double *v)
{
  double kinetic = 0;
  for (size_t i = 0; i < w->sys->n; i++) {
    kinetic += 0.5 * dls_matrix_get(w->sys->M, i, i) * v[i] * v[i];
  }
  const double potential = w->sys->potential(w->sys, q);
  w->scale = fmax(w->scale, fmax(kinetic, fabs(potential)));
  return kinetic + potential;
}

/* Every row of the trajectory. */
static void look(watch *w, const dls_trajectory *traj)
{
  const dls_system *sys = w->sys;
  for (size_t row = 0; row < traj->rows; row++) {
    double *q = w->work, *v = q + sys->n, *phi = v + sys->n;
    for (size_t i = 0; i < sys->n; i++) {
      q[i] = dls_trajectory_at(traj, row, 1 + i);
      v[i] = dls_trajectory_at(traj, row, 1 + sys->n + i);
    }
    dls_system_joint(sys, dls_trajectory_at(traj, row, 0), q, phi);
    for (size_t i = 0; i < sys->r; i++) {
      w->joints = fmax(w->joints, isnan(phi[i]) ? INFINITY : fabs(phi[i]));
    }
    const double energy = energy_of(w, q, v);
    w->first = row == 0 ? energy : w->first;
    w->energy = fmax(w->energy, fabs(energy - w->first));
  }
}

static bool within_patience(void *data, double t)
{
  (void)t;
  return (double)(clock() - *(const clock_t *)data) < patience * CLOCKS_PER_SEC;
}

/* @return false if it fails */
static bool run(unsigned long i, const dls_scheme_choice *choice, double step, double joints, double energy)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  random_mechanism r = dls_random_mechanism(i);
  watch w = {.sys = r.sys, .work = calloc(2 * r.sys->n + r.sys->r, sizeof(double)), .begin = clock()};
  assert_non_null(w.work);
  dls_status status = dls_scheme_choice_sim(choice, r.sys, &sim, &err);
  dls_trajectory *traj = status == DLS_OK ? dls_sim_trajectory(sim, &err) : NULL;
  if (traj != NULL) {
    const dls_run_spec spec = {
        .step = step, .end = end, .record = traj, .poll = within_patience, .poll_data = &w.begin};
    status = dls_run(sim, &spec, &err);
    look(&w, traj);
  }
  const bool keeps = !r.contacts && !r.damped;
  const double change = keeps && w.scale > 0 ? w.energy / w.scale : 0;
  const bool good = w.joints <= joints && change <= energy && (status == DLS_OK || err.text[0] != '\0');
  printf("mechanism=%lu dim=%zu bodies=%zu equations=%zu contacts=%zu friction=%d loops=%d redundant=%d "
         "joints=%.3g energy=%.3g "
         "reached=%.3g seconds=%.2f verdict=%s%s%s\n",
         i, r.dim, r.bodies, r.sys->r, r.sys->m, r.sys->d > 1, r.loops, r.redundant, w.joints, change,
         traj != NULL && traj->rows > 0 ? dls_trajectory_at(traj, traj->rows - 1, 0) : 0,
         (double)(clock() - w.begin) / CLOCKS_PER_SEC,
         !good              ? "FAIL"
         : status == DLS_OK ? "ok"
                            : "ended",
         status != DLS_OK ? " " : "", status != DLS_OK ? err.text : "");
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(r.sys);
  free(w.work);
  return good;
}

int main(int argc, char **argv)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  if (argc != 7 || dls_scheme_choose(argv[1], &choice, &err) != DLS_OK) {
    fprintf(stderr, "usage: soak_mechanisms SCHEME[:OPT=VAL,...] STEP JOINTS ENERGY FIRST COUNT\n%s\n",
            err.text);
    return 2;
  }
  const double step = strtod(argv[2], NULL), joints = strtod(argv[3], NULL), energy = strtod(argv[4], NULL);
  const unsigned long first = strtoul(argv[5], NULL, 10), count = strtoul(argv[6], NULL, 10);
  bool good = true;
  for (unsigned long i = first; i < first + count; i++) {
    good = run(i, &choice, step, joints, energy) && good;
    fflush(stdout);
  }
  return good ? 0 : 1;
}
