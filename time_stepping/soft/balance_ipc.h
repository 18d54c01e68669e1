/* balance_ipc.h -- energy identity of incremental potential contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_IPC_H
#define DELASSUS_TIME_STEPPING_BALANCE_IPC_H

#include <delassus/balance.h>

extern const dls_balance dls_balance_ipc;

#endif
