/* experiments/study/journal_state.h -- what the parts of a journal share: the open file, and what was found in it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_STATE_H
#define DELASSUS_EXPERIMENTS_JOURNAL_STATE_H

#include "experiments/study/journal.h"
#include "experiments/study/journal_parts.h"
#include "experiments/study/machine.h"

struct dls_journal {
  char *path;
  dls_order_spec spec; /* borrowed pointers */
  char *head;          /* the inputs of the study */
  uint64_t hash;
  int file;    /* locked; -1: there is none yet */
  bool own;    /* the file has our inputs: recall from it, append to it */
  bool made;   /* by us, and there is no run in it */
  bool broken; /* a line could not be written to its end: nothing may follow it */
  bool complete;
  char *text;                   /* what was read and is good */
  size_t *where;                /* of each run: the place of its line in text, + 1; 0: not there */
  size_t most;                  /* runs that a scheme can have */
  double synced;                /* monotonic seconds */
  char lost[160];               /* numbers of the lines that were damaged */
  size_t lost_first, lost_last; /* the last of their ranges */
  char cpu[DLS_CPU_ROOM], told[DLS_CPU_ROOM]; /* this machine's, and the last one that the file tells */
};

/** Length of the line at text, with its line feed; 0 if it has none. */
size_t dls_journal_line_length(const char *text);
/** The place of a run in where; NULL if the study has no such run. */
size_t *dls_journal_place(const dls_journal *j, const dls_order_point *run);
/**
 * Look at j->text, which is the whole file; take its runs over if that is asked for (then own is set).
 * @param[in,out] size  of j->text, > 0; less if lines are left out
 * @return DLS_OK; DLS_ERR_ARG if mode refuses it, or it is no journal; DLS_ERR_MEMORY
 */
dls_status dls_journal_look(dls_journal *j, dls_journal_mode mode, size_t *size, size_t *runs, dls_error *err);

#endif
