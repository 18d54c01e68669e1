/* experiments/measures/energy/energy_contacts.c -- the work of contacts with friction, split by direction and by cause:
 *   (H p)^T v_theta = sum over contacts of  u_N,theta p_N + u_T,theta^T p_T - b_theta^T p     normal, friction, drive
 * with x_theta = (1 - theta) x + theta x' where the impulses of the scheme work. The identity of a scheme has
 *   (H p)^T v_1/2 + (theta - 1/2) p^T H^T dv                                                  impact + impulse
 * for it. What friction does in contacts that neither approach nor separate (sliding) and the drive leave both of them, at theta.
 * Source: Acary, Collins-Craft 2023, eq. (56), with the velocity b of moving surfaces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/energy_contacts.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 1e-12; /* smaller gains, relative to least_gain, are ignored */
/* Fraction of the speed scale: a contact whose normal velocity is below it before and after a step has no impact in the step.
 * Far above the residual of u_N = 0 (1e-12), far below the speed of an impact that changes the energy visibly. */
static const double resting = 1e-8;
enum { FLIGHT = 2 }; /* steps without an impulse before an impact */

const char dls_energy_steady_formula[] = "none: the load is steady, its potential -F^T q is part of E";
const char dls_energy_sliding_formula[] = "u_T^T p_T outside of impacts";
const char dls_energy_drive_formula[] =
    "-b^T p - int mu^T dPhi/dt dt: what moving surfaces, supports and driven joints do, u = H^T v + b";

const char *dls_energy_mechanical_formula(const dls_energy_ledger *ledger)
{
  return ledger->steady      ? "E = 1/2 v^T M v + 1/2 q^T K q - F^T q, F the steady load"
         : ledger->linear    ? "E = 1/2 v^T M v + 1/2 q^T K q"
         : ledger->potential ? "E = 1/2 v^T M v + V(q)"
                             : "E = 1/2 v^T M v: the potential is not known";
}

const char *dls_energy_impact_formula(const dls_energy_ledger *ledger)
{
  return ledger->yields                    ? "none: contacts that yield store what they take"
         : ledger->balance == NULL         ? "1/2 (u+ + u-)^T p of the impacts reported"
         : ledger->balance->push != NULL   ? "none: contacts that yield store what they take"
         : ledger->balance->impact != NULL ? ledger->balance->impact
                                           : "1/2 (U_k + U_k+1)^T P of the impacts";
}

const char *dls_energy_formula(const dls_energy_ledger *ledger)
{
  return ledger->balance != NULL ? ledger->balance->energy
         : ledger->yields        ? "E + sum U(g), U: energy stored in a contact"
                                 : "E";
}

bool dls_energy_contacts_known(const dls_system *sys, const dls_balance *balance)
{
  const bool yields = balance != NULL && balance->yields;
  return sys->m > 0 && (sys->d == 1 || !yields || balance->push != NULL);
}

bool dls_energy_contacts_apart(const dls_system *sys)
{
  return sys->d > 1 || dls_system_gap_moves(sys);
}

bool dls_energy_contacts_create(const dls_system *sys, const dls_balance *balance, dls_energy_contacts *c)
{
  *c = (dls_energy_contacts){.balance = balance,
                             .known = dls_energy_contacts_known(sys, balance),
                             .apart = dls_energy_contacts_apart(sys)};
  if (!c->known) {
    return true;
  }
  c->b = calloc(sys->d * sys->m, sizeof *c->b);
  c->idle = calloc(sys->m, sizeof *c->idle);
  c->struck = calloc(sys->m, sizeof *c->struck);
  for (size_t j = 0; c->idle != NULL && j < sys->m; j++) {
    c->idle[j] = FLIGHT;
  }
  return c->b != NULL && c->idle != NULL && c->struck != NULL;
}

void dls_energy_contacts_release(dls_energy_contacts *c)
{
  free(c->b);
  free(c->idle);
  free(c->struck);
}

void dls_energy_contacts_keep(dls_energy_contacts *c, const dls_sim *sim)
{
  if (!c->known) {
    return;
  }
  memcpy(c->b, sim->config.b, sim->config.rows * sizeof *c->b);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const bool pushes = sim->p[j] != 0;
    c->struck[j] = pushes && dls_energy_contacts_strikes(c, j) && c->idle[j] > 0;
    c->idle[j] = pushes ? 0 : c->idle[j] + 1;
  }
}

bool dls_energy_contacts_strikes(const dls_energy_contacts *c, size_t j)
{
  const bool goes_on = c->balance != NULL && c->balance->at_node && c->idle[j] == 0 && c->struck[j];
  return c->idle[j] >= FLIGHT || goes_on;
}

/* u of a row of contacts before and after a step that began with v. */
static double u_before(const dls_energy_contacts *c, const dls_sim *sim, size_t row, const double *v)
{
  return dls_matrix_column_dot(sim->config.H, row, v) + c->b[row];
}

static double u_after(const dls_sim *sim, size_t row)
{
  return dls_matrix_column_dot(sim->config.H, row, sim->v) + sim->config.b[row];
}

/* Along the normal or a tangent: sweeps may leave friction where a later one has taken the normal impulse back. */
static bool has_impulse(const dls_sim *sim, size_t j)
{
  bool any = false;
  for (size_t i = 0; i < sim->sys->d; i++) {
    any = any || dls_sim_impulse(sim, j, i) != 0;
  }
  return any;
}

/* Works of contact j with impulses: normal, friction and drive at theta, (56); impact at 1/2. */
static void works_of(const dls_energy_contacts *c, const dls_sim *sim, size_t j, const double *v,
                     dls_contact_works *w)
{
  const double theta = dls_balance_works_at(sim), half = c->balance->at_node ? theta : 0.5;
  const double speed = resting * sim->sys->length / sim->sys->time;
  double friction = 0; /* at 1/2 */
  bool strikes = false;
  for (size_t i = 0; i < sim->sys->d; i++) {
    const size_t row = sim->sys->d * j + i;
    const double p = dls_sim_impulse(sim, j, i), b = c->b[row], b_after = sim->config.b[row];
    const double before = u_before(c, sim, row, v), after = u_after(sim, row);
    const double at_theta = ((1 - theta) * before + theta * after) * p; /* u_theta p */
    const double at_half = ((1 - half) * before + half * after) * p;    /* u_1/2 p */
    w->drive -= ((1 - theta) * b + theta * b_after) * p;                /* -b_theta p */
    w->moved -= (theta - half) * (b_after - b) * p;                     /* -b_theta p less -b_1/2 p */
    *(i > 0 ? &w->friction : &w->normal) += at_theta;
    *(i > 0 ? &friction : &w->impact) += at_half;
    strikes = strikes || (i == 0 && fmax(fabs(before), fabs(after)) > speed);
  }
  if (strikes && dls_energy_contacts_strikes(c, j)) {
    w->impact += friction;
  } else {
    w->sliding += w->friction;
    w->moved += w->friction - friction;
  }
}

/* Of a compliant contact j: the work of its spring is not impact work; friction work is force times path. */
static void works_of_spring(const dls_energy_contacts *c, const dls_sim *sim, size_t j, const double *own,
                            dls_contact_works *w)
{
  w->normal = c->balance->push(sim, j, own);
  w->drive = c->balance->drive(sim, j, own);
  for (size_t i = 1; i < sim->sys->d; i++) { /* -b_T^T p_T, b_T of the middle of the step */
    const size_t row = sim->sys->d * j + i;
    w->drive -= 0.5 * (c->b[row] + sim->config.b[row]) * dls_sim_impulse(sim, j, i);
  }
}

/* The unit of gains. The energies of a pile at rest are rounding, but its impulses at the speed scale are not. */
static double least_gain(const dls_sim *sim, const dls_energy_ledger *ledger)
{
  double impulse = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    impulse += fabs(sim->p[j]);
  }
  return rounding * fmax(ledger->scale, impulse * sim->sys->length / sim->sys->time);
}

/* The contact with the largest normal and friction work. */
typedef struct most_of {
  dls_contact_works works;
  size_t contact;
} most_of;

static void note_gain(const dls_sim *sim, const dls_contact_works *works, const most_of *most,
                      dls_energy_ledger *out)
{
  const double gain = works->normal + works->friction, least = least_gain(sim, out);
  out->gain_steps += gain > least;
  if (gain > least && gain > out->law_gain) {
    out->law_gain = gain;
    out->law_gain_time = sim->t;
    out->law_gain_contact = most->contact;
    out->law_gain_normal = most->works.normal;
    out->law_gain_friction = most->works.friction;
  }
}

static void add_works(const dls_contact_works *one, dls_contact_works *works)
{
  works->normal += one->normal;
  works->friction += one->friction;
  works->drive += one->drive;
  works->impact += one->impact;
  works->sliding += one->sliding;
  works->moved += one->moved;
}

void dls_energy_contacts_step(dls_energy_contacts *c, const dls_sim *sim, const double *v, const double *own,
                              double impact, dls_energy_ledger *out, dls_contact_works *works)
{
  const dls_balance *balance = c->balance;
  const bool springs = balance != NULL && balance->push != NULL;
  most_of most = {0};
  *works = (dls_contact_works){0};
  for (size_t j = 0; c->known && balance != NULL && j < sim->sys->m; j++) {
    dls_contact_works one = {0};
    if (springs) {
      works_of_spring(c, sim, j, own, &one);
    } else if (has_impulse(sim, j)) {
      works_of(c, sim, j, v, &one);
    }
    if (one.normal + one.friction > most.works.normal + most.works.friction) {
      most = (most_of){one, j};
    }
    add_works(&one, works);
  }
  if (springs) {
    works->friction = works->sliding = c->apart ? impact - works->drive : 0;
  } else if (!c->apart) {
    works->impact = impact;
    works->normal = balance != NULL && balance->nonlinear
                        ? impact /* of a gradient that the scheme alone knows */
                        : works->normal;
  } else if (balance != NULL && balance->nonlinear) {
    works->impact = impact + works->moved - works->sliding - works->drive; /* likewise */
  }
  if (c->apart && balance != NULL && !balance->yields) {
    note_gain(sim, works, &most, out);
  }
}

void dls_energy_contacts_watch(dls_energy_contacts *c, const dls_sim *sim, const double *v,
                               dls_energy_ledger *out)
{
  const double theta = dls_balance_works_at(sim);
  dls_contact_works works = {0};
  most_of most = {0};
  for (size_t j = 0; j < sim->sys->m; j++) {
    dls_contact_works one = {0};
    for (size_t i = 0; sim->p[j] != 0 && i < sim->sys->d; i++) {
      const size_t row = sim->sys->d * j + i;
      *(i > 0 ? &one.friction : &one.normal) +=
          ((1 - theta) * u_before(c, sim, row, v) + theta * u_after(sim, row)) * dls_sim_impulse(sim, j, i);
    }
    if (one.normal + one.friction > most.works.normal + most.works.friction) {
      most = (most_of){one, j};
    }
    works.normal += one.normal;
    works.friction += one.friction;
  }
  note_gain(sim, &works, &most, out);
  memcpy(c->b, sim->config.b, sim->config.rows * sizeof *c->b);
}
