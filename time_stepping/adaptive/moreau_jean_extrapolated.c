/* moreau_jean_extrapolated.c -- extrapolation.h over steps of given length.
 * A step that contains a switching point is halved, and so are its halves, up to `halvings` times: halves without one
 * keep the full order, and the remaining interval of order one has length h 2^-halvings. Halves join again where
 * they end with a longer interval. Every interval ends with a node.
 * Source: Studer, Leine & Glocker 2008.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/adaptive/extrapolation.h"
#include "time_stepping/step/control.h"
#include <math.h>
#include <stdlib.h>

typedef struct step_options {
  double tol;
  size_t halvings;
  dls_extrapolation_options extrapolation;
} step_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, step_options, tol, "l_s",
                    "error of q up to which an interval with a switching point is not halved, in units of the "
                    "model's length",
                    1e-8, 0, 1e3, 0),
    DLS_INTEGER_OPTION(0, step_options, halvings, "largest number of halvings of a step with a switching point",
                       8, 0, 16),
    DLS_EXTRAPOLATION_OPTIONS(offsetof(step_options, extrapolation)),
    {0},
};

static void finish(dls_sim *sim)
{
  dls_extrapolated_memory *s = sim->memory;
  if (s != NULL) {
    dls_extrapolation_destroy(&s->e);
    dls_one_step_state_destroy(&s->from);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const step_options *opt = sim->options;
  dls_extrapolated_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !dls_one_step_state_create(sim->sys, &s->from)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sim->sys->n);
  }
  s->total = s->size = 1UL << opt->halvings;
  return dls_extrapolation_create(sim, &opt->extrapolation, &s->e, err);
}

/* The interval of s->size is done: the next is as long as its place in the step allows, if there is more of it. */
static void next_interval(dls_extrapolated_memory *s, bool more)
{
  s->done += s->size;
  while (s->done % (2 * s->size) == 0 && s->done + 2 * s->size <= s->total) {
    s->size *= 2;
  }
  if (!more) {
    s->done = 0;
    s->size = s->total;
  }
}

/* One interval; intervals end at multiples of h/total, the last at the end of the step. */
static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_extrapolated_memory *s = sim->memory;
  dls_extrapolation *e = &s->e;
  const double end = dls_sim_next_time(sim, h);
  const double unit = h / (double)s->total;
  const double tol = ((const step_options *)sim->options)->tol * sim->sys->length;
  dls_one_step_state_get(sim, sim->status, &s->from);
  for (;;) {
    const double limit = s->size > 1 ? tol : HUGE_VAL;
    const dls_status status = dls_extrapolation_try(sim, e, &s->from, (double)s->size * unit, limit, err);
    if (status == DLS_OK && (e->smooth || e->error <= limit)) {
      break;
    }
    if (status != DLS_OK && !(s->size > 1 && dls_step_control_retry(status))) {
      return status;
    }
    s->size /= 2;
    sim->work.rejected++;
  }
  sim->work.forced += !e->smooth && !(e->error <= tol);
  e->x.t = end - (double)(s->total - s->done - s->size) * unit;
  next_interval(s, e->x.t < end); /* a rest below the resolution of t joins this interval */
  dls_extrapolation_take(sim, e);
  return DLS_OK;
}

const dls_scheme dls_scheme_moreau_jean_extrapolated = {
    .name = "moreau-jean-extrapolated",
    .family = DLS_FAMILY_MOREAU,
    .summary = "Moreau-Jean extrapolated to higher order where nothing switches",
    .source = "C. Studer, R. Leine, C. Glocker 2008",
    .equations = "z_j: n_j base steps h/n_j,  T_j,1 = z_j\n"
                 "T_j,l+1 = T_j,l + (T_j,l - T_j-1,l)/((n_j/n_j-l)^rho - 1)\n"
                 "rho = 2 for theta = 1/2 (M, and H in contact, constant), else 1\n"
                 "where contacts switch: the step is halved, at last z of the finest sequence\n",
    .remarks = "Order rho J for J sequences where nothing switches, 1 over impacts, with a constant that\n"
               "halvings divide by 2^halvings. Lasting contact keeps the order if it is at rest.\n"
               "rejected: intervals that were halved; forced: shortest intervals whose error exceeds tol.\n",
    .options = table,
    .options_size = sizeof(step_options),
    .stepping = DLS_BY_SUBSTEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .advance_batch = dls_extrapolated_advance_batch,
    .finish = finish,
};
