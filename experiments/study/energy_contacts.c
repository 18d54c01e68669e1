/* experiments/study/energy_contacts.c -- what contacts with friction do, told apart:
 *   (H p)^T v_theta = sum over contacts of  u_N,theta p_N + u_T,theta^T p_T - b_theta^T p     normal, friction, drive
 * with x_theta = (1 - theta) x + theta x' where the impulses of the scheme work.
 * Source: Acary, Collins-Craft 2023, eq. (56), with the velocity b of moving surfaces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/energy_contacts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12; /* gains below it, of what least_gain says, are none */

const char *dls_energy_impact_formula(const dls_energy_ledger *ledger)
{
  return ledger->yields            ? "none: contacts that yield store what they take"
         : ledger->balance == NULL ? "1/2 (u+ + u-) p of the impacts reported"
         : ledger->contacts && ledger->apart && ledger->balance->drive != NULL ? "what supports that move do"
         : ledger->balance->impact != NULL                                     ? ledger->balance->impact
                                                                               : "1/2 (U_k + U_k+1)^T P";
}

const char *dls_energy_formula(const dls_energy_ledger *ledger)
{
  return ledger->balance != NULL ? ledger->balance->energy
         : ledger->yields        ? "E + sum U(g), U: energy stored in a contact"
                                 : "E";
}

bool dls_energy_contacts_told(const dls_system *sys, const dls_balance *balance)
{
  const bool yields = balance != NULL && balance->yields;
  return sys->m > 0 && (sys->d == 1 || !yields);
}

bool dls_energy_contacts_apart(const dls_system *sys)
{
  return sys->d > 1 || dls_system_gap_moves(sys);
}

bool dls_energy_contacts_create(const dls_system *sys, const dls_balance *balance, dls_energy_contacts *c)
{
  *c = (dls_energy_contacts){.balance = balance,
                             .told = dls_energy_contacts_told(sys, balance),
                             .apart = dls_energy_contacts_apart(sys)};
  c->b = c->told ? calloc(sys->d * sys->m + 1, sizeof *c->b) : NULL;
  return !c->told || c->b != NULL;
}

void dls_energy_contacts_release(dls_energy_contacts *c)
{
  free(c->b);
}

void dls_energy_contacts_keep(dls_energy_contacts *c, const dls_sim *sim)
{
  if (c->told) {
    memcpy(c->b, sim->place.b, sim->place.rows * sizeof *c->b);
  }
}

/* works := of contact j: normal, friction, drive. */
static void works_of(const dls_energy_contacts *c, const dls_sim *sim, size_t j, const double *v, double *works)
{
  const double theta = dls_balance_works_at(sim);
  works[0] = works[1] = works[2] = 0;
  for (size_t i = 0; i < sim->sys->d; i++) {
    const size_t row = sim->sys->d * j + i;
    const double p = dls_sim_impulse(sim, j, i);
    const double b = (1 - theta) * c->b[row] + theta * sim->place.b[row];
    const double before = dls_matrix_column_dot(sim->place.H, row, v);
    const double after = dls_matrix_column_dot(sim->place.H, row, sim->v);
    works[i > 0] += ((1 - theta) * before + theta * after + b) * p; /* u_theta p */
    works[2] -= b * p;
  }
}

/* What counts as a gain: of a pile that rests the energies are rounding too, but its impulses at the speed of the
 * system's scales are not. */
static double least_gain(const dls_sim *sim, const dls_energy_ledger *ledger)
{
  double impulse = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    impulse += fabs(sim->p[j]);
  }
  return rounding * fmax(ledger->scale, impulse * sim->sys->length / sim->sys->time);
}

/* The largest normal and friction work of a contact, and which that is. */
typedef struct most_of {
  double works[3];
  size_t contact;
} most_of;

static void note_gain(const dls_sim *sim, const double *works, const most_of *most, dls_energy_ledger *out)
{
  const double gain = works[0] + works[1], least = least_gain(sim, out);
  out->gain_steps += gain > least;
  if (gain > least && gain > out->law_gain) {
    out->law_gain = gain;
    out->law_gain_time = sim->t;
    out->law_gain_contact = most->contact;
    out->law_gain_normal = most->works[0];
    out->law_gain_friction = most->works[1];
  }
}

void dls_energy_contacts_step(dls_energy_contacts *c, const dls_sim *sim, const double *v, const double *own,
                              double impact, dls_energy_ledger *out, double *works)
{
  const dls_balance *balance = c->balance;
  most_of most = {0};
  memset(works, 0, 3 * sizeof *works);
  for (size_t j = 0; c->told && balance != NULL && j < sim->sys->m; j++) {
    double one[3] = {0};
    if (balance->drive != NULL) {
      one[0] = balance->push != NULL ? balance->push(sim, j, own) : 0;
      one[2] = balance->drive(sim, j, own);
    } else if (sim->p[j] != 0) {
      works_of(c, sim, j, v, one);
    }
    if (one[0] + one[1] > most.works[0] + most.works[1]) {
      memcpy(most.works, one, sizeof one);
      most.contact = j;
    }
    for (int i = 0; i < 3; i++) {
      works[i] += one[i];
    }
  }
  if (balance != NULL && balance->nonlinear && balance->push == NULL &&
      !c->apart) { /* of a gradient that the scheme alone knows */
    works[0] = impact;
  }
  if (c->apart && balance != NULL && !balance->yields) {
    note_gain(sim, works, &most, out);
  }
}
