/* balance_impulse.h -- energy identity of the schemes with sequential impulses and substeps. The works of substeps are summed while
 * they are made. Without a ledger these functions do nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_IMPULSE_H
#define DELASSUS_TIME_STEPPING_BALANCE_IMPULSE_H

#include "time_stepping/impulse/impulse_step.h"

extern const dls_balance dls_balance_impulse;

/** The sums of a step are 0. */
void dls_impulse_works_begin(dls_impulse_memory *s);
/** v is v_1 = v_0 + h a, a = M^-1 F(q, v_0). */
void dls_impulse_works_free(const dls_sim *sim, dls_impulse_memory *s, double h);
/** q will be q + h v, with the impulses since dls_impulse_works_free in v. */
void dls_impulse_works_move(const dls_sim *sim, dls_impulse_memory *s, double h);
/** The impulses r of the set have changed v_1 to v. */
void dls_impulse_works_contacts(dls_impulse_memory *s);
/** A normal impulse r of contact j has changed its velocity H_j^T v from u. */
void dls_impulse_works_rebound(dls_impulse_memory *s, size_t j, double r, double u);
/** q will be q + h w, and v stays. */
void dls_impulse_works_push(const dls_sim *sim, dls_impulse_memory *s, const double *w, double h);

#endif
