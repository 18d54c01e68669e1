/* common/contact/friction/directions.h -- the free directions of a contact: the tangents along which it could slip.
 *
 * Joints and the gaps of closed contacts may hold a point along its tangents too: the tip of a rod that rotates about a fixed axis
 * does not slip where it touches. Friction along such a direction does no work, and no equation determines it. Here it is 0, as in
 * slip, where friction acts along the slip. So a contact that sticks and one that slips along a line have the same forces at the
 * limit.
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
/** Room for sets of this many contacts. @return false if out of memory */
bool dls_free_directions_reserve(dls_free_directions_work *work, size_t contacts);
/**
 * The tangents along which contacts of the set could slip while u_N = 0 on the whole set. More than 100 rows with sparse W stay
 * sparse: random velocities are projected onto the held rows, and every contact that can slip then does.
 * @param[in]  wanted    m, by contact: is it asked for?
 * @param[in]  held      m, by contact: is u_T = 0 kept too? NULL: none
 * @param[out] tangents  set->count; none for contacts that are not asked for
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY
 */
dls_status dls_free_directions_find(dls_free_directions_work *work, const dls_contacts *set, const bool *wanted,
                                    const bool *held, dls_free_directions *tangents);

#endif
