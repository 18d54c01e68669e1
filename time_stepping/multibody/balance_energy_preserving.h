/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_ENERGY_PRESERVING_H
#define DELASSUS_TIME_STEPPING_BALANCE_ENERGY_PRESERVING_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_energy_preserving;

#endif
