/* experiments/extra/lesson/lesson_pages.h -- the files of the lessons' pages, embedded from the sources.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LESSON_PAGES_H
#define DELASSUS_EXPERIMENTS_LESSON_PAGES_H

typedef struct dls_lesson_part {
  const char *name, *text; /* "lesson.js" */
} dls_lesson_part;

/** All of experiments/extra/lesson/pages/ by name; ends with {0}. */
const dls_lesson_part *dls_lesson_parts(void);

#endif
