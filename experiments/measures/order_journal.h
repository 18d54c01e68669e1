/* experiments/measures/order_journal.h -- head and lines of a journal as text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JOURNAL_PARTS_H
#define DELASSUS_EXPERIMENTS_JOURNAL_PARTS_H

#include <delassus/study.h>
#include <stdint.h>

/** Every journal begins so; the number of its format and a line feed follow. */
#define DLS_JOURNAL_MAGIC "# delassus runs: "
#define DLS_JOURNAL_FORMAT "2"
/** The last line when the tables have been made. */
#define DLS_JOURNAL_COMPLETE "# complete: yes\n"
/** Whom the lines below were made by: an input where seconds are measured, else a remark behind the head. */
#define DLS_JOURNAL_CPU "# cpu: "

/**
 * The inputs of a study: everything that its runs depend on, a line "# key: value" each, then their hash.
 * @param[out] text  freed by the caller
 * @return DLS_OK; DLS_ERR_MEMORY; what creating the system fails with
 */
dls_status dls_journal_head(const dls_order_spec *spec, char **text, uint64_t *hash, dls_error *err);
/** The same with lines "# key: value" of its own. Without norms nothing is said of errors. */
dls_status dls_journal_head_with(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
                                 const void *data, char **text, uint64_t *hash, dls_error *err);

/** What ends a line: a comma, the hash of the head and of the line so far, a line feed. */
enum { DLS_JOURNAL_CHECK_SIZE = 18 };
void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1]);
/**
 * A line of `size` characters without its line feed, without its check, to be freed.
 * @param[out] status  DLS_OK; DLS_ERR_PARSE if the check is wrong, DLS_ERR_MEMORY: then NULL is returned
 */
char *dls_journal_copy(const char *line, size_t size, uint64_t hash, dls_status *status);
/** Take the next field of a line from *rest, unquoted in place. @return NULL if there is none */
char *dls_journal_field(char **rest);

/** The names of the columns as a line, to be freed; NULL if out of memory. */
char *dls_journal_columns(const dls_order_spec *spec);
/**
 * One run as a line.
 * @param[in] points  norm_count x of_count
 * @param[in] hash    of the head
 * @return the line, to be freed; NULL if out of memory
 */
char *dls_journal_line(const dls_order_spec *spec, const dls_order_point *points, uint64_t hash, size_t *size);
/**
 * Read a line back, to the last bit (but for the sign of NaN).
 * @param[in]  line, size  without the line feed
 * @param[out] points      norm_count x of_count
 * @return DLS_OK; DLS_ERR_PARSE if it is not such a line, or damaged; DLS_ERR_MEMORY
 */
dls_status dls_journal_parse(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
                             dls_order_point *points);

#endif
