/* banded.h -- conditions and parts of fused steps: linear systems with tridiagonal factors, common/linear/tridiagonal_fused.h. Results
 * are those of the general step to the last bit; memory is read and written fewer times.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BANDED_H
#define DELASSUS_TIME_STEPPING_BANDED_H

#include "common/linear/tridiagonal_fused.h"
#include "time_stepping/step/velocity_contact.h"

/** Linear, K of three diagonals, no damping, no joints, contacts that have few entries? */
bool dls_banded(const dls_sim *sim, const dls_configuration *config);
/** @return false if the factors are not tridiagonal: then the step is not fused */
bool dls_banded_factors(const dls_factor *A, size_t n, dls_tridiagonal *out);
/** Rows that contain all rows moved by the contacts of a set. */
dls_rows dls_banded_rows(const dls_configuration *config, const dls_contacts *set);
/** load_next := the load at t, counted; nothing is done if a load independent of t is stored already. */
void dls_banded_load(dls_sim *sim, double t, double *load_next);
/** Does the step end with a jump? After dls_velocity_contact_solve. */
bool dls_banded_jumps(const dls_velocity_contact *c);

#endif
