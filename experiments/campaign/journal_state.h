/* experiments/campaign/journal_state.h -- what the parts of a journal share: the open file, what its lines are, and what was
 * found in it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_STATE_H
#define DELASSUS_EXPERIMENTS_JOURNAL_STATE_H

#include "experiments/campaign/journal.h"
#include "experiments/campaign/journal_file.h"
#include "experiments/campaign/machine.h"
#include "experiments/measures/order_journal.h"

/** What the lines of a journal are. A line is that of a slot, of which a study has a fixed number; its last field is a hash. */
typedef struct dls_journal_form {
  /** The inputs of the study with their hash, as dls_journal_head. */
  dls_status (*head)(const void *study, char **text, uint64_t *hash, dls_error *err);
  /** The names of the columns as a line, to be freed; NULL if out of memory. */
  char *(*columns)(const void *study);
  size_t (*slots)(const void *study);
  /** Does the study have this one? */
  bool (*has)(const void *study, size_t slot);
  /** The slot of a line without its line feed. @return DLS_ERR_PARSE if it is none, or damaged; DLS_ERR_MEMORY */
  dls_status (*slot)(const void *study, const char *line, size_t size, uint64_t hash, size_t *slot);
  /** Two lines of one slot, whose journals are to become one: do they say the same? @return DLS_ERR_MEMORY */
  dls_status (*same)(const void *study, const char *a, const char *b, uint64_t hash, bool *same);
  /** Does a line have all that is asked for? NULL: every one. @return DLS_ERR_MEMORY */
  dls_status (*finished)(const void *study, const char *line, uint64_t hash, bool *finished);
  /** "scheme moreau-jean, level 2, repeat 1" */
  void (*name)(const void *study, size_t slot, char *text, size_t size);
  /** A line of text for some of those that are missing, for people. @param[in] missing  for each slot */
  void (*gaps)(const void *study, const bool *missing, FILE *out);
  bool timed; /* seconds are measured: the processor is an input, else a remark */
} dls_journal_form;

struct dls_journal {
  dls_journal_file disk;
  dls_journal_form form;
  const void *study;   /* of the form */
  dls_order_spec spec; /* that of a study of errors; borrowed pointers */
  char *head;          /* the inputs of the study */
  uint64_t hash;
  bool own; /* the file has our inputs: recall from it, append to it */
  bool complete;
  char *text;    /* what was read and is good */
  size_t *where; /* of each slot: the place of its line in text, + 1; 0: not there */
  size_t slots;
  char lost[160];                             /* numbers of the lines that were damaged */
  size_t lost_first, lost_last;               /* the last of their ranges */
  char cpu[DLS_CPU_ROOM], told[DLS_CPU_ROOM]; /* this machine's, and the last one that the file tells */
};

/** As dls_journal_open of lines of a form. @param[in] study  what the form's functions get; must outlive the journal */
dls_status dls_journal_open_form(const char *path, const dls_journal_form *form, const void *study,
                                 dls_journal_mode mode, size_t *runs, dls_journal **out, dls_error *err);
/** The line of a slot that was taken over; NULL if there is none. @param[out] size  with its line feed */
const char *dls_journal_recalled(const dls_journal *j, size_t slot, size_t *size);
/** Add whole lines. @return DLS_ERR_IO */
dls_status dls_journal_add(dls_journal *j, const char *lines, size_t size, dls_error *err);
/** As dls_journal_merge, of lines of a form. */
dls_status dls_journal_merge_form(const char *path, const char *const *parts, size_t count,
                                  const dls_journal_form *form, const void *study, bool *complete,
                                  dls_journal_merging *out, dls_error *err);

/** Length of the line at text, with its line feed; 0 if it has none. */
size_t dls_journal_line_length(const char *text);
/**
 * Look at j->text, which is the whole file; take its runs over if that is asked for (then own is set).
 * @param[in,out] size  of j->text, > 0; less if lines are left out
 * @return DLS_OK; DLS_ERR_ARG if mode refuses it, or it is no journal; DLS_ERR_MEMORY
 */
dls_status dls_journal_look(dls_journal *j, dls_journal_mode mode, size_t *size, size_t *runs, dls_error *err);

#endif
