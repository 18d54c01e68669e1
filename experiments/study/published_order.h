/* experiments/study/published_order.h -- what a scheme's authors say of its order over impacts, and whether a fit agrees.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PUBLISHED_ORDER_H
#define DELASSUS_EXPERIMENTS_PUBLISHED_ORDER_H

#include <delassus/study.h>

/** Order of the errors of q and v over impacts, in L1 (of functions, on the grid, relative) and in the graph distance. */
typedef struct dls_published_order {
  const char *scheme;
  double order;
  const char *source;
} dls_published_order;

/** All of them; ends with a NULL scheme. */
const dls_published_order *dls_published_orders(void);

/** That of a line; NULL if nothing is published, the reference has no impacts, or the norm or the quantity is another. */
const dls_published_order *dls_published_order_of(const dls_order_study *study, const dls_order_line *line);

/**
 * Compare the fit of a line, by the interval of the medians or else that of least squares, with what is published: fills in `published` and
 * `agreement`. An order is consistent that is in the interval or within 0.05 of it. Below, a logarithm is suspected if
 * e = C h^p log(T/h), T the end of the study, would give the fitted order.
 */
void dls_published_order_compare(const dls_order_study *study, dls_order_line *line);

#endif
