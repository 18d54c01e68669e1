/* experiments/measures/spectrum/spectrum_runs.c -- runs of a scheme on the oscillator q'' + 2 zeta omega q' + omega^2 q = F(t), T = 1 s.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/spectrum/spectrum_runs.h"

#include <math.h>
#include <stdlib.h>

static const double omega = 2 * 3.14159265358979323846; /* rad/s */

typedef struct oscillator {
  int run;
  double load; /* frequency of the load, rad/s */
} oscillator;

static void load(const dls_system *sys, double t, double *F)
{
  const oscillator *o = sys->data;
  const double part = o->run == DLS_FROM_PULSE     ? (t <= 0)
                      : o->run == DLS_UNDER_COSINE ? cos(o->load * t)
                                                   : sin(o->load * t);
  F[0] = omega * omega * part;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static dls_status create(const dls_spectrum_oscillator *of, int run, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(1, 0);
  oscillator *o = sys != NULL ? malloc(sizeof *o) : NULL;
  if (sys != NULL) {
    sys->release = release;
    sys->data = o;
    sys->M = dls_matrix_diagonal(1);
    sys->K = dls_matrix_diagonal(1);
    sys->C = of->damping > 0 ? dls_matrix_diagonal(1) : NULL;
  }
  if (o == NULL || sys->M == NULL || sys->K == NULL || (of->damping > 0 && sys->C == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the oscillator");
  }
  *o = (oscillator){run, of->frequency * omega};
  sys->linear = true;
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->K, 0, 0, omega * omega);
  if (sys->C != NULL) {
    dls_matrix_set(sys->C, 0, 0, 2 * of->damping * omega);
  }
  sys->q0[0] = run == DLS_FROM_Q ? 1 : run == DLS_FROM_BOTH ? 0.6 : 0;
  sys->v0[0] = omega * (run == DLS_FROM_V ? 1 : run == DLS_FROM_BOTH ? -0.8 : 0);
  sys->load = run == DLS_FROM_PULSE || run == DLS_UNDER_COSINE || run == DLS_UNDER_SINE ? load : NULL;
  return dls_system_check(sys, err);
}

typedef struct recording {
  dls_spectrum_nodes *nodes;
  size_t steps, next;
} recording;

/* Record node k; states inside the next step are ignored. */
static dls_status keep(void *data, const dls_sim *sim, dls_error *err)
{
  recording *r = data;
  (void)err;
  if (sim->step == r->next && r->next <= r->steps) {
    r->nodes->y[2 * r->next] = sim->q[0];
    r->nodes->y[2 * r->next + 1] = sim->v[0] / omega;
    r->next++;
  }
  return DLS_OK;
}

dls_status dls_spectrum_simulate(const dls_scheme_choice *choice, double ratio,
                                 const dls_spectrum_oscillator *of, int run, size_t steps,
                                 dls_spectrum_nodes *out, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  recording r = {out, steps, 0};
  const dls_run_spec spec = {
      .step = ratio, .end = ((double)steps + 0.5) * ratio, .watch = keep, .watch_data = &r};
  if (choice->scheme->stepping == DLS_BY_EVENT) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, DLS_SPECTRUM_BY_EVENT, choice->scheme->name);
  }
  dls_status status = create(of, run, &sys, err);
  if (status == DLS_OK) {
    status = dls_scheme_choice_sim(choice, sys, &sim, err);
  }
  if (status == DLS_OK) {
    status = dls_run(sim, &spec, err);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}
