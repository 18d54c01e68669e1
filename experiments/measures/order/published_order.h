/* experiments/measures/order/published_order.h -- comparison of a fitted order with the published one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PUBLISHED_ORDER_H
#define DELASSUS_EXPERIMENTS_PUBLISHED_ORDER_H

#include <delassus/study.h>

/** The published order of a line; NULL if its scheme has none for this model, the reference has no impacts, or the norm or the
 * quantity is another than L1 (of functions, on the grid, relative) or graph distance of q or v. */
const dls_published_order *dls_published_order_of(const dls_order_study *study, const dls_order_line *line);

/** "1 published for bouncing-ball and impacting-oscillator by V. Acary, lecture, slide 42" */
void dls_published_order_text(const dls_published_order *row, char *text, size_t size);

/** Decimals, 3 or more, with which an order and its interval are printed: the published order lies in the printed interval
 * only if it lies in the interval. */
int dls_published_order_decimals(const dls_order_line *line, double low, double high);

/**
 * Compare the fit of a line with the published order P: fills in `published` and `agreement`.
 * "consistent with P": P lies in the interval of least squares or in that of the medians, and the narrower of the two is less
 * than 0.5 wide. "above P", "below P": both intervals lie on that side. "below P: logarithm suspected": besides, the
 * slope of e = C h^P log(T/h), T the end of the study, lies in one of them. "not decided": all else.
 */
void dls_published_order_compare(const dls_order_study *study, dls_order_line *line);

#endif
