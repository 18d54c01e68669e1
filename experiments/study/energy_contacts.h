/* experiments/study/energy_contacts.h -- the work of contacts with friction: normal, friction, drive.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_ENERGY_CONTACTS_H
#define DELASSUS_STUDY_ENERGY_CONTACTS_H

#include <delassus/energy.h>

typedef struct dls_energy_contacts {
  const dls_balance *balance;
  bool told, apart; /* as below */
  double *b;        /* rows: of u = H^T v + b at the start of the step */
} dls_energy_contacts;

/** The term `impact` in words. */
const char *dls_energy_impact_formula(const dls_energy_ledger *ledger);
/** What the algorithmic energy of a ledger is. */
const char *dls_energy_formula(const dls_energy_ledger *ledger);
/** Are the works of contact told? Where there are contacts; those that yield have no friction told apart. */
bool dls_energy_contacts_told(const dls_system *sys, const dls_balance *balance);
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
 * @param[in]     impact of the step, as the identity has it [J]
 * @param[in,out] out    the gains of the law
 * @param[out]    works  3: normal, friction, drive, of all contacts [J]; 0 where they are not told
 */
void dls_energy_contacts_step(dls_energy_contacts *c, const dls_sim *sim, const double *v, const double *own,
                              double impact, dls_energy_ledger *out, double *works);

#endif
