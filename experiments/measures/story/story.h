/* experiments/measures/story/story.h -- what happens in a run, in sentences with their evidence.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STORY_H
#define DELASSUS_EXPERIMENTS_STORY_H

#include "common/base/pool.h"
#include <delassus/model.h>
#include <delassus/scheme.h>
#include <delassus/trajectory.h>

/** What is explained. */
typedef struct dls_story_subject {
  const dls_system *sys;
  const dls_scheme *scheme; /* NULL: not known, such as that of another program */
  const dls_trajectory *traj;
  double step; /* of the scheme [s]; 0: not known, the median of the rows' distances in time stands for it */
  const char *recorded; /* what the file leaves out of nodes and events, in its words; NULL: nothing */
} dls_story_subject;

/** One sentence. Texts are in the story's pool. */
typedef struct dls_statement {
  double t; /* [s] from when it holds */
  bool has_contact;
  size_t contact;
  const char *text, *evidence;
  const char *cause, *remedy; /* NULL: none is known */
} dls_statement;

typedef struct dls_story {
  size_t phase_count, finding_count;
  dls_statement *phases;   /* what happens, contact by contact, in the order of time */
  dls_statement *findings; /* what is wrong or remarkable */
  dls_pool pool;
} dls_story;

/**
 * Tell the story of a run. Every sentence rests on the columns q and v, the events and the metadata of the file, and on the forces and gaps
 * of the model; none needs a reference.
 * @param[out] out  to be cleared, also after a failure
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if a column of q is missing (the message names it); DLS_ERR_MEMORY
 */
dls_status dls_story_tell(const dls_story_subject *subject, dls_story *out, dls_error *err);
void dls_story_clear(dls_story *story);

#endif
