/* experiments/campaign/journal.h -- the finished runs of a study in a file, from which an interrupted study goes on.
 *
 * runs.csv begins with the inputs of the study as lines "# key: value", their hash, and the names of the columns. Every
 * finished run is appended at once as one line, by one write: from then on it is there whatever happens to the process.
 * On the disk it is mostly within a second, else when the kernel writes it back. A line ends with a hash of itself; those
 * that are damaged are left out. A later line for a run replaces an earlier one. "# complete: yes" says that the tables
 * have been made.
 *
 * The file is locked from the moment that it bears its name: of two studies in one folder one is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_H
#define DELASSUS_EXPERIMENTS_JOURNAL_H

#include <delassus/study.h>

typedef struct dls_journal dls_journal;

typedef enum dls_journal_mode {
  DLS_JOURNAL_NEW,    /* replaces a journal that is complete or has no runs; refuses another */
  DLS_JOURNAL_RESUME, /* takes over the runs of a journal of the same inputs; refuses another; none: as NEW */
  DLS_JOURNAL_OVERWRITE, /* replaces any journal */
  DLS_JOURNAL_MERGE      /* for dls_journal_merge, then as RESUME */
} dls_journal_mode;

/**
 * Look at the journal at path and lock it; make it if there is none. A new one takes the place of an old one when the first
 * run is kept; one that is made and gets no run is removed in the end.
 * @param[in]  spec    checked; what it points to must outlive the journal, but not spec itself
 * @param[out] runs    how many are taken over
 * @return DLS_OK; DLS_ERR_ARG if mode refuses it (the message names the first input that differs), if it is no journal, its
 *         head is damaged, or another process has it; DLS_ERR_IO; DLS_ERR_MEMORY; what creating the system fails with
 */
dls_status dls_journal_open(const char *path, const dls_order_spec *spec, dls_journal_mode mode, size_t *runs,
                            dls_journal **out, dls_error *err);
/** Have the study recall from the journal and keep in it. The journal must outlive dls_order_run. */
void dls_journal_attach(dls_journal *journal, dls_order_spec *spec);
/** Which lines of the file were damaged and are left out, e.g. "3, 7 to 9"; NULL if none. */
const char *dls_journal_lost(const dls_journal *journal);
/** The processor that made what was taken over if it is another than this one, else NULL. */
const char *dls_journal_elsewhere(const dls_journal *journal);
/** Say that all results have been written. @return DLS_ERR_IO */
dls_status dls_journal_complete(dls_journal *journal, dls_error *err);
void dls_journal_close(dls_journal *journal); /* NULL is fine */

/** What came of journals that were to become one. */
typedef struct dls_journal_merging {
  size_t missing; /* runs that are in none of them, or not timed */
  char *text;     /* a line for those of a scheme and a level; to be freed; NULL if none is missing */
} dls_journal_merging;

/**
 * Make one journal of the runs in several, in the order of the study. Runs that are there more than once must be equal but for
 * their seconds. Nothing is written while runs are missing.
 * @param[in]  path      may be one of the parts
 * @param[in]  parts     count journals; each is locked meanwhile, and freed of damaged lines
 * @param[in]  spec      checked
 * @param[out] complete  count: whether a part says that it is
 * @return DLS_OK, also with missing runs; DLS_ERR_ARG as dls_journal_open with DLS_JOURNAL_RESUME, or if two parts have
 *         different results of a run, which is named with both; DLS_ERR_IO; DLS_ERR_MEMORY
 */
dls_status dls_journal_merge(const char *path, const char *const *parts, size_t count,
                             const dls_order_spec *spec, bool *complete, dls_journal_merging *out,
                             dls_error *err);

#endif
