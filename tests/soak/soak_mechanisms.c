/* soak_mechanisms.c -- schemes with joints on random mechanisms: trees, loops, redundant joints, contacts with and without
 * friction.
 *
 *   soak_mechanisms SCHEME[:OPT=VAL,...] STEP JOINTS ENERGY FIRST COUNT
 *
 * STEP 0 for schemes that choose their own. A line for each mechanism, with
 *   joints   largest |Phi| of the run, in m or rad
 *   energy   of those without contact, what is left of the energy identity, of the largest energy. STEP 0: the largest change of
 *            the energy, without damper. Else, of moreau-jean with its default options, of each step of length h
 *              1/2 (v' + v)^T M (v' - v) = h/2 (v' + v)^T [(F + F')/2 + G(q_m) mu],  F' at q + h (v + v')/2, q_m half way there
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
static const double patience = 40; /* s of processor time */

typedef struct watch {
  const dls_system *sys;
  dls_matrix *G;
  double joints, energy, first, scale;
  double *work; /* 5 n + r */
  clock_t begin;
} watch;

static double kinetic_of(const watch *w, const double *v)
{
  double kinetic = 0;
  for (size_t i = 0; i < w->sys->n; i++) {
    kinetic += 0.5 * dls_matrix_get(w->sys->M, i, i) * v[i] * v[i];
  }
  return kinetic;
}

static double energy_of(watch *w, const double *q, const double *v)
{
  const double kinetic = kinetic_of(w, v), potential = w->sys->potential(w->sys, q);
  w->scale = fmax(w->scale, fmax(kinetic, fabs(potential)));
  return kinetic + potential;
}

/* What is left of the identity of a step: rows of the trajectory before and behind it. */
static double left_of_step(const watch *w, const double *before, const double *behind)
{
  const dls_system *sys = w->sys;
  const size_t n = sys->n;
  const double h = behind[0] - before[0], *q = before + 1, *v = q + n, *v_next = behind + 1 + n;
  const double *mu = behind + 1 + 2 * n;
  double *F = w->work, *F_next = F + n, *q_next = F_next + n, *middle = q_next + n, *force = middle + n,
         sum = 0;
  for (size_t i = 0; i < n; i++) {
    q_next[i] = q[i] + h * (v[i] + v_next[i]) / 2;
    middle[i] = (q[i] + q_next[i]) / 2;
  }
  dls_system_force(sys, before[0], q, v, F);
  dls_system_force(sys, behind[0], q_next, v_next, F_next);
  memset(force, 0, n * sizeof *force);
  if (sys->r > 0) {
    dls_system_joint_gradient(sys, before[0] + h / 2, middle, w->G);
    dls_matrix_multiply(w->G, 1, mu, force);
  }
  for (size_t i = 0; i < n; i++) {
    sum += h * (v[i] + v_next[i]) / 2 * ((F[i] + F_next[i]) / 2 + force[i]);
  }
  return kinetic_of(w, v_next) - kinetic_of(w, v) - sum;
}

/* t, q, v and mu of a row. */
static void take_row(const dls_trajectory *traj, size_t row, double *out)
{
  const size_t n = traj->n, r = traj->r;
  for (size_t i = 0; i < 1 + 2 * n; i++) {
    out[i] = dls_trajectory_at(traj, row, i);
  }
  for (size_t i = 0; i < r; i++) {
    out[1 + 2 * n + i] = dls_trajectory_at(traj, row, traj->columns - 2 * r + i);
  }
}

/* Every row of the trajectory. */
static void look(watch *w, const dls_trajectory *traj, bool by_step)
{
  const dls_system *sys = w->sys;
  const size_t n = sys->n, size = 1 + 2 * n + sys->r;
  double *rows = calloc(2 * size, sizeof *rows), *phi = w->work + 5 * n;
  assert_non_null(rows);
  for (size_t row = 0; row < traj->rows; row++) {
    double *now = rows + (row % 2) * size, *last = rows + (1 - row % 2) * size;
    take_row(traj, row, now);
    dls_system_joint(sys, now[0], now + 1, phi);
    for (size_t i = 0; i < sys->r; i++) {
      w->joints = fmax(w->joints, isnan(phi[i]) ? INFINITY : fabs(phi[i]));
    }
    const double energy = energy_of(w, now + 1, now + 1 + n);
    w->first = row == 0 ? energy : w->first;
    const double left = !by_step ? energy - w->first : row > 0 ? left_of_step(w, last, now) : 0;
    w->energy = fmax(w->energy, isnan(left) ? INFINITY : fabs(left));
  }
  free(rows);
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
  watch w = {.sys = r.sys,
             .G = dls_matrix_clone(r.sys->G),
             .work = calloc(5 * r.sys->n + r.sys->r, sizeof(double)),
             .begin = clock()};
  assert_non_null(w.work);
  dls_status status = dls_scheme_choice_sim(choice, r.sys, &sim, &err);
  dls_trajectory *traj = status == DLS_OK ? dls_sim_trajectory(sim, &err) : NULL;
  if (traj != NULL) {
    const dls_run_spec spec = {
        .step = step, .end = end, .record = traj, .poll = within_patience, .poll_data = &w.begin};
    status = dls_run(sim, &spec, &err);
    look(&w, traj, step > 0);
  }
  const bool keeps = !r.contacts && (step > 0 || !r.damped);
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
  dls_matrix_destroy(w.G);
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
