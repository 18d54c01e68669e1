/* banded.h -- steps of linear systems in sweeps over tridiagonal factors: common/linear/tridiagonal_fused.h. What they do is what the
 * general path does, to the last bit; memory is read and written fewer times.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BANDED_H
#define DELASSUS_TIME_STEPPING_BANDED_H

#include "common/linear/tridiagonal_fused.h"
#include "time_stepping/step/velocity_contact.h"

/** Linear, K of three diagonals, no damping, no joints, contacts that are the same everywhere and have few entries? */
bool dls_banded(const dls_sim *sim, const dls_velocity_contact *c);
/** @return false where the factors are others, which are made without sweeps */
bool dls_banded_factors(const dls_factor *A, size_t n, dls_tridiagonal *out);
/** The rows that the active contacts move are among these. */
dls_rows dls_banded_rows(const dls_velocity_contact *c);
/** load_next := that at t, counted; nothing where it does not depend on t, and it is there already. */
void dls_banded_load(dls_sim *sim, double t, double *load_next);
/** Does the step end with a jump? After dls_velocity_contact_solve. */
bool dls_banded_jumps(const dls_velocity_contact *c);

#endif
