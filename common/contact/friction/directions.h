/* common/contact/friction/directions.h -- along which tangents a contact could slip, for modes.c.
 *
 * Joints and the gaps of closed contacts may hold a point along its tangents too: the tip of a rod that turns about a fixed axis
 * does not slip where it touches. Friction along such a direction does no work, and no equation knows it: here it is 0, as it is
 * in slip, where friction is along the slip. So what sticks and what slips along a line have the same forces at the limit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_DIRECTIONS_H
#define DELASSUS_COMMON_CONTACT_DIRECTIONS_H

#include <delassus/contact_mode.h>
#include <stdbool.h>

/** Unit vectors on the tangents: a contact could slip along these. */
typedef struct dls_free_directions {
  size_t count; /* 0 to d - 1 */
  double e[2][2];
} dls_free_directions;

typedef struct dls_free_directions_work dls_free_directions_work;

/** @param[in] stage  of the contacts; borrowed @return NULL if out of memory */
dls_free_directions_work *dls_free_directions_create(dls_contact_system *contacts);
void dls_free_directions_destroy(dls_free_directions_work *work); /* NULL is fine */
/** Room for sets of so many, in place of what there was. @return false if out of memory */
bool dls_free_directions_reserve(dls_free_directions_work *work, size_t contacts);
/**
 * Tangents along which contacts of the set could slip while u_N = 0 on the whole set. Of more than 400 rows whose W is sparse nothing is
 * made dense: what is left of random velocities when the rows that are held are taken out of them has, where it slips at all, slips at
 * all contacts that can.
 * @param[in]  wanted    m, by contact: for whom
 * @param[in]  held      m, by contact: whose u_T = 0 is kept too; NULL: none
 * @param[out] tangents  set->count; of the others none
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_free_directions_find(dls_free_directions_work *work, const dls_contacts *set, const bool *wanted,
                                    const bool *held, dls_free_directions *tangents);

#endif
