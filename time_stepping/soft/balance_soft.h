/* balance_soft.h -- energy identity of the schemes with soft contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_SOFT_H
#define DELASSUS_TIME_STEPPING_BALANCE_SOFT_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_soft;

#endif
