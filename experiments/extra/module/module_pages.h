/* experiments/extra/module/module_pages.h -- the scripts of all pages that compute, embedded from the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MODULE_PAGES_H
#define DELASSUS_EXPERIMENTS_MODULE_PAGES_H

#include "experiments/show/page.h"

/** All of experiments/extra/module/pages/ by name; ends with {0}. */
const dls_page_part *dls_module_parts(void);

#endif
