/* experiments/measures/order/order_contacts.h -- the distribution of the effective restitution over the phase of the grid:
 * -u+/u- of the first impact of every run of a scheme. Randomised steps put it anywhere in a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_CONTACTS_H
#define DELASSUS_EXPERIMENTS_ORDER_CONTACTS_H

#include <delassus/study.h>
#include <stdint.h>

enum { DLS_RESTITUTION_QUANTILES = 3 };
extern const double dls_restitution_quantiles[DLS_RESTITUTION_QUANTILES]; /* 5 %, 50 %, 95 % */

typedef struct dls_order_restitution {
  size_t count; /* of impacts; 0: all else is 0 */
  double mean, low, high, quantile[DLS_RESTITUTION_QUANTILES];
} dls_order_restitution;

/** @param[in] level  SIZE_MAX: of all levels @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_order_restitution_of(const dls_order_study *study, size_t scheme, size_t level,
                                    dls_order_restitution *out, dls_error *err);

#endif
