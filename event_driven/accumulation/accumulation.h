/* event_driven/accumulation/accumulation.h -- passing infinitely many impacts as one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ACCUMULATION_H
#define DELASSUS_EVENT_DRIVEN_ACCUMULATION_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_accumulation dls_accumulation; /* workspace */

/** Whether an infinite series of impacts may have begun with the last impact. */
typedef enum dls_accumulation_risk {
  DLS_ACCUMULATION_RISK_NONE,
  DLS_ACCUMULATION_RISK_SMALL, /* a contact rebounds slower than eps_z, or for a shorter time than matters */
  DLS_ACCUMULATION_RISK_UNRESOLVED, /* the round-off of the gap matters in the flight of a contact */
  DLS_ACCUMULATION_RISK_LOST,       /* the flight of a contact is all round-off */
} dls_accumulation_risk;

/** @param[in] m  >= 1. @return NULL if out of memory */
dls_accumulation *dls_accumulation_create(size_t n, size_t m, size_t d);
void dls_accumulation_destroy(dls_accumulation *acc); /* NULL is fine */

#endif
