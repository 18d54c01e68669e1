/* compliant.h -- the factors of contacts that yield, where W is sparse.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_OPERATOR_COMPLIANT_H
#define DELASSUS_COMMON_CONTACT_OPERATOR_COMPLIANT_H

#include <delassus/delassus_operator.h>

/** Free the factors of dls_delassus_solve_compliant, which else are kept for further solves with the same s and E. Its room stays. */
void dls_delassus_forget_compliant(dls_delassus *D);

#endif
