/* balance_theta.h -- energy identities of the Moreau-Jean scheme and its variant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_THETA_H
#define DELASSUS_TIME_STEPPING_BALANCE_THETA_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_moreau_jean, dls_balance_moreau_jean_variant;

#endif
