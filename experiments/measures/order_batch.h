/* experiments/measures/order_batch.h -- runs of a study that are made side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_CREW_H
#define DELASSUS_EXPERIMENTS_ORDER_CREW_H

#include "experiments/measures/order_shop.h"

/** Deal the turns of the shop to crews: neighbours of one scheme that makes many steps at once, while there are crews for all threads. */
void dls_crew_deal(dls_workshop *shop);
/** A turn of the loop over the crews: make their runs, whose results are those of runs one by one, to the last bit. */
void dls_crew_make(void *shop, size_t crew);

#endif
