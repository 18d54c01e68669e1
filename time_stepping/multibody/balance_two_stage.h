/* balance_two_stage.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_TWO_STAGE_H
#define DELASSUS_TIME_STEPPING_BALANCE_TWO_STAGE_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_tdg_alpha, dls_balance_alpha_kappa;

#endif
