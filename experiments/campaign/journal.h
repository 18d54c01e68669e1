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
  DLS_JOURNAL_MERGE      /* for dls_journal_merge_form, then as RESUME */
} dls_journal_mode;

/** Every journal begins so; the number of its format and a line feed follow. */
#define DLS_JOURNAL_MAGIC "# delassus runs: "
#define DLS_JOURNAL_FORMAT "2"
/** The last line when the tables have been made. */
#define DLS_JOURNAL_COMPLETE "# complete: yes\n"
/** The processor that made the lines below: an input where seconds are measured, else a remark below the head. */
#define DLS_JOURNAL_CPU "# cpu: "

/** What the lines of a journal are. A line is that of a slot, of which a study has a fixed number; its last field is a hash. */
typedef struct dls_journal_form {
  /** The inputs of the study as lines "# key: value", then their hash. */
  dls_status (*head)(const void *study, char **text, uint64_t *hash, dls_error *err);
  /** The names of the columns as a line, to be freed; NULL if out of memory. */
  char *(*columns)(const void *study);
  size_t (*slots)(const void *study);
  /** Does the study have this one? */
  bool (*has)(const void *study, size_t slot);
  /** The slot of a line without its line feed. @return DLS_ERR_PARSE if it is none, or damaged; DLS_ERR_MEMORY */
  dls_status (*slot)(const void *study, const char *line, size_t size, uint64_t hash, size_t *slot);
  /** Two lines of one slot, of journals to be merged: are they equal? @return DLS_ERR_MEMORY */
  dls_status (*same)(const void *study, const char *a, const char *b, uint64_t hash, bool *same);
  /** Does a line have all that was requested? NULL: every line has. @return DLS_ERR_MEMORY */
  dls_status (*finished)(const void *study, const char *line, uint64_t hash, bool *finished);
  /** "scheme moreau-jean, level 2, repeat 1" */
  void (*name)(const void *study, size_t slot, char *text, size_t size);
  /** The missing slots as text for people. @param[in] missing  for each slot */
  void (*gaps)(const void *study, const bool *missing, FILE *out);
  bool timed;  /* seconds are measured: the processor is an input, else a remark */
  size_t size; /* of the study, if the journal is to have a copy; 0: the study must outlive the journal */
} dls_journal_form;

/**
 * Look at the journal at path and lock it; make it if there is none. A new one takes the place of an old one when the first
 * line is added; one that is made and gets no line is removed in the end.
 * @param[in]  study   what the form's functions get
 * @param[out] runs    how many are taken over
 * @return DLS_OK; DLS_ERR_ARG if mode refuses it (the message names the first input that differs), if it is no journal, its
 *         head is damaged, or another process has it; DLS_ERR_IO; DLS_ERR_MEMORY; what the form's head fails with
 */
dls_status dls_journal_open_form(const char *path, const dls_journal_form *form, const void *study,
                                 dls_journal_mode mode, size_t *runs, dls_journal **out, dls_error *err);
/** The study of the form's functions, or its copy. */
const void *dls_journal_study(const dls_journal *journal);
uint64_t dls_journal_hash(const dls_journal *journal);
const char *dls_journal_path(const dls_journal *journal);
/** The line of a slot that was taken over; NULL if there is none. @param[out] size  with its line feed */
const char *dls_journal_recalled(const dls_journal *j, size_t slot, size_t *size);
/** Forget all lines that were taken over. */
void dls_journal_forget(dls_journal *journal);
/** Add whole lines. @return DLS_ERR_IO */
dls_status dls_journal_add(dls_journal *j, const char *lines, size_t size, dls_error *err);
/** Length of the line at text, with its line feed; 0 if it has none. */
size_t dls_journal_line_length(const char *text);
/** What ends a line: a comma, the hash of the head and of the line so far, a line feed. */
enum { DLS_JOURNAL_CHECK_SIZE = 18 };
void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1]);
/**
 * A line of `size` characters without its line feed, without its check, to be freed.
 * @param[out] status  DLS_OK; DLS_ERR_PARSE if the check is wrong, DLS_ERR_MEMORY: then NULL is returned
 */
char *dls_journal_copy(const char *line, size_t size, uint64_t hash, dls_status *status);
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
 * @return DLS_OK, also with missing runs; DLS_ERR_ARG as dls_journal_open_form with DLS_JOURNAL_RESUME, or if two parts have
 *         different results of a run, which is named with both; DLS_ERR_IO; DLS_ERR_MEMORY
 */
dls_status dls_journal_merge_form(const char *path, const char *const *parts, size_t count,
                                  const dls_journal_form *form, const void *study, bool *complete,
                                  dls_journal_merging *out, dls_error *err);

#endif
