/* experiments/extra/lesson/lesson_pages.h -- the files of the lessons' pages, embedded from the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LESSON_PAGES_H
#define DELASSUS_EXPERIMENTS_LESSON_PAGES_H

#include "experiments/show/page.h"

/** All of experiments/extra/lesson/pages/ by name; ends with {0}. */
const dls_page_part *dls_lesson_parts(void);

#endif
