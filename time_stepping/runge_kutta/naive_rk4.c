/* naive_rk4.c -- the textbook beginner's scheme: a Runge-Kutta step through the wall, then a reversal of the velocity.
 *   (i)  q1, v1: one step of the classical method of order 4 of M v' = F, q' = v, as if there were no contacts
 *   (ii) v' = v1 + M^-1 H P,  0 <= W P + (1 + e) U1 _|_ P >= 0  on the contacts with g(q1) < 0 and U1 < 0
 *        (one contact: U' = -e U1);  q' = q1, or the nearest position with g = 0 on these contacts
 * The velocity is reversed at the end of the step, at a time delta after the true impact, in (0, h]. Under
 * a constant acceleration -a of the gap and impact speed V the error behind the first impact at t* is exactly
 *   q' - q = (1 + e) delta (a s - V) [+ a delta^2 / 2 + V delta with the position projected],   s = t - t* - delta.  (1)
 * delta/h has no limit for h -> 0: order 1 for any method of (i).
 * Source: Kutta 1901 for (i); (ii) is folklore. Equation (1) is derived in the handbook.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/runge_kutta/runge_kutta.h"
#include "time_stepping/step/impact_contacts.h"
#include <stdlib.h>
#include <string.h>

typedef struct naive_options {
  int project;
} naive_options;
static const dls_option table[] = {
    DLS_CHOICE_OPTION(0, naive_options, project,
                      "move the bodies back to the surface where the velocity is reversed", 0, dls_off_on),
    {0},
};

static const dls_contacts no_contacts = {0, NULL}; /* that last */

typedef struct naive_memory {
  dls_rk rk;
  dls_contact_system contacts;
  dls_impact_contacts impact;
  dls_instant now, end; /* the sim's state, observed; the end of the step */
} naive_memory;

static void finish(dls_sim *sim)
{
  naive_memory *s = sim->memory;
  if (s == NULL) {
    return;
  }
  dls_rk_destroy(&s->rk);
  dls_contact_system_destroy(&s->contacts);
  dls_impact_contacts_destroy(&s->impact);
  dls_instant_destroy(&s->now);
  dls_instant_destroy(&s->end);
  free(s);
}

static dls_status create(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  naive_memory *s = sim->memory = calloc(1, sizeof *s);
  if (s == NULL || !dls_instant_create(sys, &s->now) || !dls_instant_create(sys, &s->end) ||
      !dls_impact_contacts_create(sys, &s->impact)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->now.gamma = s->end.gamma = NULL; /* gap accelerations are not used */
  const dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
  return status != DLS_OK ? status : dls_rk_create(sim, DLS_RK_RK4, false, &s->rk, err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_status status = create(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  naive_memory *s = sim->memory;
  dls_instant_begin(sim, &s->end);
  status = dls_instant_observe(sim, &s->contacts, &no_contacts, &s->end, NULL, err);
  dls_instant_commit(sim, &s->now, &s->end);
  return status;
}

/* s->impact.set := the contacts that penetrate and still approach. */
static void gather(const dls_sim *sim, naive_memory *s)
{
  s->impact.set.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->end.g[j] < 0 && s->end.u[j] < 0) {
      dls_impact_contacts_add(&s->impact, j, s->end.u[j], false);
    }
  }
}

/* (ii) */
static dls_status flip(dls_sim *sim, naive_memory *s, dls_error *err)
{
  dls_instant *x = &s->end;
  dls_instant_left(sim, x);
  dls_status status = dls_impact_contacts_solve(sim, &s->contacts, &s->impact, x->t, x->q, -1, 0, x->v, err);
  if (status == DLS_OK && ((const naive_options *)sim->options)->project != 0) {
    status = dls_contact_system_project_q(&s->contacts, &s->impact.set, x->t, x->q, err);
  }
  if (status != DLS_OK ||
      (status = dls_instant_observe(sim, &s->contacts, &no_contacts, x, NULL, err)) != DLS_OK) {
    return status;
  }
  sim->jump = dls_impact_contacts_report(sim, &s->contacts, &s->impact, x->t, &no_contacts);
  return DLS_OK;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  naive_memory *s = sim->memory;
  double opens = 0;
  s->end.t = dls_sim_next_time(sim, h);
  dls_status status = dls_rk_step(sim, &s->rk, &s->contacts, &s->now, &no_contacts, h, s->end.q, s->end.v,
                                  &opens, err); /* (i) */
  if (status != DLS_OK ||
      (status = dls_instant_observe(sim, &s->contacts, &no_contacts, &s->end, NULL, err)) != DLS_OK) {
    return status;
  }
  memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
  gather(sim, s);                                                          /* g(q1) < 0 and U1 < 0 */
  if (s->impact.set.count > 0 && (status = flip(sim, s, err)) != DLS_OK) { /* (ii) */
    return status;
  }
  dls_instant_commit(sim, &s->now, &s->end);
  return DLS_OK;
}

const dls_scheme dls_scheme_naive_rk4 = {
    .name = "naive-rk4",
    .family = DLS_FAMILY_TEACHING,
    .summary = "classical RK4 through the wall, then the velocity is reversed: fails",
    .source = "W. Kutta 1901 for the step; the reversal is folklore",
    .equations = "(i)  M v' = F, q' = v over the step by the classical method of order 4: q1, v1\n"
                 "(ii) v' = v1 + M^-1 H P,  0 <= W P + (1 + e) U1 _|_ P >= 0  where g(q1) < 0 and U1 < 0\n"
                 "     q' = q1; project=on: the nearest position with g = 0 on these contacts\n",
    .remarks =
        "For teaching: order 4 between impacts, order 1 with them, because the velocity is reversed up to h "
        "late.\n"
        "Bodies at rest sink at (1 - e)/(2 (1 + e)) |f| h, f: free acceleration, without any limit; with\n"
        "project=on they do not, but every impact adds energy: e = 1 bounces higher and higher.\n",
    .options = table,
    .options_size = sizeof(naive_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_HERMITE,
    .start = start,
    .advance = advance,
    .finish = finish,
};
