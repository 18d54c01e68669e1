/* experiments/extra/playground/playground_pages.h -- the files of the playground's page, embedded from the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLAYGROUND_PAGES_H
#define DELASSUS_EXPERIMENTS_PLAYGROUND_PAGES_H

#include "experiments/show/page.h"

/** All of experiments/extra/playground/pages/ by name; ends with {0}. */
const dls_page_part *dls_playground_parts(void);

#endif
