/* contact_system_parts.h -- what the files of the stage share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_CONTACT_SYSTEM_PARTS_H
#define DELASSUS_COMMON_CONTACT_CONTACT_SYSTEM_PARTS_H

#include <delassus/contact_system.h>

/* The normal rows of a set. */
const size_t *dls_contact_system_normals(dls_contact_system *contacts, const dls_contacts *set);
/* stage->q[d count] := rows of H^T a + c on the set: its u' without further forces. */
void dls_contact_system_accelerations(dls_contact_system *contacts, const dls_contacts *set, const double *a);
/* stage->curvature at the place; it stays 0 where nothing bends. */
void dls_contact_system_curvature(dls_contact_system *contacts, const double *v);

#endif
