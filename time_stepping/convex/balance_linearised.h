/* balance_linearised.h -- energy identity of the step models with linearised gaps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_LINEARISED_H
#define DELASSUS_TIME_STEPPING_BALANCE_LINEARISED_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_linearised;

#endif
