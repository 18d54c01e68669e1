/* balance_newmark.h -- energy identities of the nonsmooth Newmark family.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_NEWMARK_H
#define DELASSUS_TIME_STEPPING_BALANCE_NEWMARK_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_newmark, dls_balance_hht, dls_balance_generalized_alpha,
    dls_balance_kh_generalized_alpha;

#endif
