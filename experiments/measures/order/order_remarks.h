/* experiments/measures/order/order_remarks.h -- remarks on a fitted line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MEASURES_ORDER_REMARKS_H
#define DELASSUS_EXPERIMENTS_MEASURES_ORDER_REMARKS_H

#include <delassus/study.h>

/** The last column of the summary of `order`: "consistent with 1; not asymptotic". @return DLS_ERR_MEMORY */
dls_status dls_order_remarks(const dls_order_study *study, const dls_order_line *line, char *remarks,
                             size_t size, dls_error *err);

#endif
