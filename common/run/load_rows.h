/* load_rows.h -- the load of a step that contains a row of a table of loads.
 *
 * A step samples the load L at its nodes or stages. If a row of a table lies between two samples, they do not give the impulse:
 * a pulse shorter than h counts several times or never. In such a step, from a to b, schemes apply the exact impulse of the load:
 *
 *   schemes with loads at the nodes       h [(1 - w) L(a) + w L(b)] + D,   D = int L dt - h [(1 - w) L(a) + w L(b)]   (1)
 *   schemes with loads in stages          the constant load C in every stage but the first, which has L(a) with its weight w:
 *                                         w L(a) + (1 - w) C = 1/h int L dt                                           (2)
 * All other steps are unchanged. Systems without tables do not use this.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_LOAD_ROWS_H
#define DELASSUS_COMMON_RUN_LOAD_ROWS_H

#include <delassus/scheme.h>

/** Arrays of a sim whose system has tables. @return false if out of memory */
bool dls_load_rows_create(dls_sim *sim);
void dls_load_rows_destroy(dls_sim *sim);
/** F += C - L(t) of (2), between dls_sim_load_begin and dls_sim_load_end. */
void dls_load_rows_add(const dls_sim *sim, double t, double *F);

#endif
