/* paoli_fused.h -- x_free of a linear step of the Schatzman-Paoli scheme whose factors are tridiagonal, in two passes over memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_FUSED_H
#define DELASSUS_TIME_STEPPING_PAOLI_FUSED_H

#include "time_stepping/position/schatzman_paoli.h"

/** Set s->fused where steps of this run are fused: K of three diagonals, no damping, sparse H, no friction. Also s->rows. */
void dls_paoli_fused_begin(dls_sim *sim, dls_paoli_memory *s);
/** s->x_free := A^-1 of the right side of (1), as the general step computes it, to the last bit. A is factored.
 * @return false, with nothing done: the factors are not tridiagonal */
bool dls_paoli_fused_solve(dls_sim *sim, dls_paoli_memory *s, double t, double h);

#endif
