/* experiments/measures/energy/energy_contacts.h -- the work of contacts with friction: normal, friction, drive.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_ENERGY_CONTACTS_H
#define DELASSUS_STUDY_ENERGY_CONTACTS_H

#include <delassus/energy.h>

/** Works of all contacts in a step [J]. normal + friction + drive is what the contact impulses do to the bodies, and so is
 * impact + sliding + drive with a numerical term of the scheme's (dls_balance.of_impulses). */
typedef struct dls_contact_works {
  double normal, friction, drive; /* u_N p_N, u_T^T p_T, -b^T p, u where the impulses of the scheme work */
  double impact, sliding;         /* 1/2 (u+ + u-)^T p of impacts; friction outside of them */
  double moved;                   /* from the numerical term: sliding and drive at theta less the same at 1/2 */
} dls_contact_works;

typedef struct dls_energy_contacts {
  const dls_balance *balance;
  bool known, apart; /* as below */
  double *b;         /* rows: of u = H^T v + b at the start of the step */
  size_t *idle;      /* m; steps that the contact has been without an impulse */
  bool *struck;      /* m; its last impulse was that of an impact */
} dls_energy_contacts;

/** Does the impulse that contact j has in the step belong to an impact? Not if it had one two steps before, or sooner: a scheme by
 * steps lets a body at rest bounce every second step. An impact of a scheme whose impulses work at nodes takes two steps. */
bool dls_energy_contacts_strikes(const dls_energy_contacts *c, size_t j);

/** Formulas for people. */
extern const char dls_energy_steady_formula[], dls_energy_sliding_formula[], dls_energy_drive_formula[];
const char *dls_energy_mechanical_formula(const dls_energy_ledger *ledger);
/** The term `impact` in words. */
const char *dls_energy_impact_formula(const dls_energy_ledger *ledger);
/** What the algorithmic energy of a ledger is. */
const char *dls_energy_formula(const dls_energy_ledger *ledger);
/** Are the works of contact known? Where there are contacts; of those that yield and have tangents only if the scheme knows what
 * their springs take. */
bool dls_energy_contacts_known(const dls_system *sys, const dls_balance *balance);
/** May there be more than normal work: tangents, or gaps that move by themselves? */
bool dls_energy_contacts_apart(const dls_system *sys);
/** @return false if out of memory; release it in any case */
bool dls_energy_contacts_create(const dls_system *sys, const dls_balance *balance, dls_energy_contacts *c);
void dls_energy_contacts_release(dls_energy_contacts *c);
/** The step from here on begins at the sim's state. */
void dls_energy_contacts_keep(dls_energy_contacts *c, const dls_sim *sim);
/**
 * For schemes with an identity.
 * @param[in]     v      n; before the step
 * @param[in]     own    memory of the identity, after its step
 * @param[in]     impact work of all contact impulses of the step, as the identity has it [J]
 * @param[in,out] out    the gains of the law
 * @param[out]    works  0 where they are not known, but for impact = that of the identity
 */
void dls_energy_contacts_step(dls_energy_contacts *c, const dls_sim *sim, const double *v, const double *own,
                              double impact, dls_energy_ledger *out, dls_contact_works *works);
/** The gains of the law alone, of schemes whose contacts do not yield; the next step begins at the sim's state. */
void dls_energy_contacts_watch(dls_energy_contacts *c, const dls_sim *sim, const double *v,
                               dls_energy_ledger *out);

#endif
