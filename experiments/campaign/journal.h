/* experiments/campaign/journal.h -- a file of finished runs, from which an interrupted study is resumed.
 *
 * runs.csv begins with the inputs of the study as lines "# key: value", their hash, and the names of the columns. Every
 * finished run is appended at once as one line, by one write, so that it survives the process. It reaches the disk within about a
 * second, else when the kernel writes it back. A line ends with a hash of itself. Damaged lines are left out. A later line
 * for a run replaces an earlier one. "# complete: yes" says that the tables have been written.
 *
 * The file is locked before it gets its name: of two studies in one folder one is refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_H
#define DELASSUS_EXPERIMENTS_JOURNAL_H

#include "experiments/campaign/table.h"
#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct dls_journal dls_journal;

typedef enum dls_journal_mode {
  DLS_JOURNAL_NEW,    /* replaces a journal that is complete or has no runs; refuses another */
  DLS_JOURNAL_RESUME, /* takes over the runs of a journal of the same inputs; refuses another; none: as NEW */
  DLS_JOURNAL_OVERWRITE, /* replaces any journal */
  DLS_JOURNAL_MERGE      /* for dls_journal_merge, then as RESUME */
} dls_journal_mode;

/** Every journal begins so; the number of its format and a line feed follow. */
#define DLS_JOURNAL_MAGIC "# delassus runs: "
#define DLS_JOURNAL_FORMAT "5"
/** The last line when the tables have been made. */
#define DLS_JOURNAL_COMPLETE "# complete: yes\n"
/** The processor that made the lines below: an input where seconds are measured, else a remark below the head. */
#define DLS_JOURNAL_CPU "# cpu: "

/**
 * What the lines of a journal are: one for each finished cell of a campaign, with its number, its name, its columns by name, why it
 * failed, and a hash of all that. A cell has rows, which share some columns.
 */
typedef struct dls_journal_form {
  /** The inputs of the study as lines "# key: value", then their hash. */
  dls_status (*head)(const void *study, char **text, uint64_t *hash, dls_error *err);
  size_t cells, rows;              /* of the campaign; of each cell, >= 1 */
  const dls_table_column *shared;  /* of the rows of a cell; counts and numbers */
  const dls_table_column *columns; /* of each row; numbers */
  bool timed;                      /* seconds are measured: the processor is an input, else a remark */
  const char *
      seconds; /* the shared column that has them; NULL: where they are measured any number may depend on them */
  /** "moreau-jean level 2 repeat 1" */
  void (*name)(const void *study, size_t cell, char *text, size_t size);
  /** What the names of the columns of a row end with: "l1:q". */
  void (*name_row)(const void *study, size_t row, char *text, size_t size);
  /** The record of a row among data, which is what the calls below are given. */
  void *(*row)(const void *data, size_t cell, size_t row);
  /** Why a row failed; NULL or "" if it did not. */
  const char *(*failure)(const void *data, size_t cell, size_t row);
  /** Set why a row failed, "" if it did not. @return DLS_ERR_PARSE if it cannot be so; DLS_ERR_MEMORY */
  dls_status (*fail)(void *data, size_t cell, size_t row, const char *why);
  const char *plural; /* of what a cell is: "runs" */
  size_t size; /* of the study, if the journal is to have a copy; 0: the study must outlive the journal */
} dls_journal_form;

/** The names of the columns as a line, to be freed; NULL if out of memory. */
char *dls_journal_columns(const dls_journal_form *form, const void *study);
/** Cells as lines, to be freed; NULL if out of memory. @param[in] hash  of the head @param[out] size  of the text */
char *dls_journal_lines(const dls_journal_form *form, const void *study, const void *data, const size_t *cells,
                        size_t count, uint64_t hash, size_t *size);
/** The cell of a line of `size` characters without its line feed; SIZE_MAX if it is damaged or of no cell. */
size_t dls_journal_line_cell(const dls_journal_form *form, const char *line, size_t size, uint64_t hash);
/** Read such a line into data, to the last bit (but for the sign of NaN). @return DLS_ERR_PARSE if it is damaged; DLS_ERR_MEMORY */
dls_status dls_journal_read(const dls_journal_form *form, const char *line, size_t size, uint64_t hash,
                            void *data, size_t cell);
/** Length of the line at text, with its line feed; 0 if it has none. */
size_t dls_journal_line_length(const char *text);
/** Are two lines of a cell equal but for what depends on seconds? */
bool dls_journal_same(const dls_journal_form *form, const char *a, const char *b);
/** Does a line have the seconds that are asked for? Cells without any result need none. */
bool dls_journal_is_finished(const dls_journal_form *form, const char *line);
/** What ends a line: a comma, the hash of the head and of the line so far, a line feed. */
enum { DLS_JOURNAL_CHECK_SIZE = 18 };
void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1]);

/**
 * Look at the journal at path and lock it; make it if there is none. A new one takes the place of an old one when the first
 * line is added; one that is made and gets no line is removed in the end.
 * @param[in]  study   what the form names
 * @param[out] runs    how many are taken over
 * @return DLS_OK; DLS_ERR_ARG if mode refuses it (the message names the first input that differs), if it is no journal, its
 *         head is damaged, or another process has it; DLS_ERR_IO; DLS_ERR_MEMORY; what the form's head fails with
 */
dls_status dls_journal_open(const char *path, const dls_journal_form *form, const void *study,
                            dls_journal_mode mode, size_t *runs, dls_journal **out, dls_error *err);
/** The study that it was opened with, or the copy of it. */
const void *dls_journal_study(const dls_journal *journal);
const char *dls_journal_path(const dls_journal *journal);
/** Read a cell that was taken over into data. @param[out] found  it was @return DLS_ERR_PARSE, DLS_ERR_MEMORY */
dls_status dls_journal_recall(const dls_journal *journal, size_t cell, void *data, bool *found);
/** Forget all cells that were taken over. */
void dls_journal_forget(dls_journal *journal);
/** Add finished cells. @return DLS_ERR_IO, DLS_ERR_MEMORY */
dls_status dls_journal_keep(dls_journal *journal, const void *data, const size_t *cells, size_t count,
                            dls_error *err);
/** Which lines of the file were damaged and are left out, e.g. "3, 7 to 9"; NULL if none. */
const char *dls_journal_lost(const dls_journal *journal);
/** The processor that made what was taken over if it is another than this one, else NULL. */
const char *dls_journal_other_cpu(const dls_journal *journal);
/** Record that all results have been written. @return DLS_ERR_IO */
dls_status dls_journal_complete(dls_journal *journal, dls_error *err);
void dls_journal_close(dls_journal *journal); /* NULL is fine */

/** Result of a merge. */
typedef struct dls_journal_merging {
  size_t missing; /* runs that are in none of them, or not timed */
  char *text;     /* the missing runs, for people; to be freed; NULL if none is missing */
} dls_journal_merging;

/**
 * Make one journal of the runs in several, in the order of the study. Runs that are there more than once must be equal but for
 * their seconds. Nothing is written while runs are missing.
 * @param[in]  path      may be one of the parts
 * @param[in]  parts     count journals; each is locked meanwhile, and freed of damaged lines
 * @param[out] complete  count: whether a part says that it is
 * @return DLS_OK, also with missing runs; DLS_ERR_ARG as dls_journal_open with DLS_JOURNAL_RESUME, or if two parts have
 *         different results of a run, which is named with both; DLS_ERR_IO; DLS_ERR_MEMORY
 */
dls_status dls_journal_merge(const char *path, const char *const *parts, size_t count,
                             const dls_journal_form *form, const void *study, bool *complete,
                             dls_journal_merging *out, dls_error *err);

#endif
