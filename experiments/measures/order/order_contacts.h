/* experiments/measures/order/order_contacts.h -- distributions of what runs do to contacts: the effective restitution -u+/u- of the first
 * impact and the slip that it leaves, over the phase of the grid, and the columns of dls_contact_quality. Randomised steps put the impact
 * anywhere in a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_CONTACTS_H
#define DELASSUS_EXPERIMENTS_ORDER_CONTACTS_H

#include <delassus/study.h>
#include <stdint.h>

/** A member of dls_contact_quality. */
typedef struct dls_contact_figure {
  const char *name; /* as in quality.csv */
  size_t offset;
} dls_contact_figure;

/** A figure that is drawn over the step. */
typedef struct dls_contact_picture {
  const char *name;  /* of the picture, without its ending */
  const char *title; /* of the figure, in words */
  const char *label; /* of an axis */
  bool phased;       /* of the first impact: it is also drawn over the phase, and printed with the orders */
  dls_contact_figure figure;
} dls_contact_picture;

enum { DLS_CONTACT_PICTURES = 3 };
extern const dls_contact_picture dls_contact_pictures[DLS_CONTACT_PICTURES];

/** All members. @return their number */
size_t dls_contact_figures(const dls_contact_figure **out);
/** @return NULL if there is none */
const dls_contact_figure *dls_contact_figure_find(const char *name);
double dls_contact_figure_of(const dls_contact_figure *figure, const dls_order_point *point);

enum { DLS_SPREAD_QUANTILES = 3 };
extern const double dls_spread_quantiles[DLS_SPREAD_QUANTILES]; /* 5 %, 50 %, 95 % */

typedef struct dls_order_spread {
  size_t count; /* of runs that have the figure; 0: all else is 0 */
  double mean, low, high, quantile[DLS_SPREAD_QUANTILES];
} dls_order_spread;

/** @param[in] level  SIZE_MAX: of all levels @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_order_spread_of(const dls_order_study *study, const dls_contact_figure *figure, size_t scheme,
                               size_t level, dls_order_spread *out, dls_error *err);

#endif
