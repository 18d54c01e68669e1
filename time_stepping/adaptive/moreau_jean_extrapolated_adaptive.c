/* moreau_jean_extrapolated_adaptive.c -- extrapolation.h over steps that its error estimate chooses.
 * Sources: Studer, Leine & Glocker 2008; step lengths: control.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/adaptive/extrapolation.h"
#include "time_stepping/step/control.h"
#include <math.h>
#include <stdlib.h>

typedef struct adaptive_options {
  double tol;
  dls_extrapolation_options extrapolation;
  dls_step_control_options steps;
} adaptive_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, adaptive_options, tol, "l_s",
                    "error of q and of h v accepted in a step, in units of the model's length", 1e-6, 0, 1e3,
                    DLS_OPEN_MIN),
    DLS_EXTRAPOLATION_OPTIONS(offsetof(adaptive_options, extrapolation)),
    DLS_STEP_CONTROL_OPTIONS(offsetof(adaptive_options, steps)),
    {0},
};

typedef struct adaptive_memory {
  dls_extrapolation e;
  dls_step_control control;
  dls_one_step_state from;
} adaptive_memory;

static dls_status check(const dls_scheme *self, const void *options, dls_error *err)
{
  return dls_step_control_check(self, &((const adaptive_options *)options)->steps, err);
}

static void finish(dls_sim *sim)
{
  adaptive_memory *s = sim->memory;
  if (s != NULL) {
    dls_extrapolation_destroy(&s->e);
    dls_one_step_state_destroy(&s->from);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const adaptive_options *opt = sim->options;
  adaptive_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !dls_one_step_state_create(sim->sys, &s->from)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sim->sys->n);
  }
  dls_step_control_start(sim, &opt->steps, &s->control);
  return dls_extrapolation_create(sim, &opt->extrapolation, &s->e, err);
}

static dls_status try_interval(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err)
{
  adaptive_memory *s = step;
  const double tol = ((const adaptive_options *)sim->options)->tol * sim->sys->length;
  const double limit = dls_step_control_shortest(sim, &s->control, h) ? HUGE_VAL : tol;
  const dls_status status = dls_extrapolation_try(sim, &s->e, &s->from, h, limit, err);
  *error = s->e.error / tol;
  *order = s->e.order;
  return status;
}

static dls_status advance(dls_sim *sim, double rest, dls_error *err)
{
  adaptive_memory *s = sim->memory;
  double h;
  dls_one_step_state_get(sim, sim->status, &s->from);
  const dls_status status =
      dls_step_control_step(sim, &s->control, dls_step_control_way(sim, rest), try_interval, s, &h, err);
  if (status == DLS_OK) {
    dls_extrapolation_take(sim, &s->e);
  }
  return status;
}

const dls_scheme dls_scheme_moreau_jean_extrapolated_adaptive = {
    .name = "moreau-jean-extrapolated-adaptive",
    .family = DLS_FAMILY_MOREAU,
    .summary = "extrapolated Moreau-Jean with steps chosen by its error estimate",
    .source = "C. Studer, R. Leine, C. Glocker 2008",
    .equations = "z_j: n_j base steps h/n_j,  T_j,1 = z_j\n"
                 "T_j,l+1 = T_j,l + (T_j,l - T_j-1,l)/((n_j/n_j-l)^rho - 1)\n"
                 "error: T_J,J - T_J,J-1;  where contacts switch: 2 (z_2 - z_1), and order one\n"
                 "h_new = h min(grow, max(shrink, safety (error/tol)^(-1/(order+1)))), rounded down\n",
    .remarks = "Long steps in flight and at rest, short ones to the impacts: see moreau-jean-extrapolated.\n"
               "Steps at h_min are accepted whatever their error: --stats counts them as forced.\n",
    .options = table,
    .options_size = sizeof(adaptive_options),
    .stepping = DLS_BY_EVENT,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
};
