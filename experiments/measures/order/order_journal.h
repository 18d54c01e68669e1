/* experiments/measures/order/order_journal.h -- the finished runs of a study of errors in a journal: its head, a line for each run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_JOURNAL_H
#define DELASSUS_EXPERIMENTS_ORDER_JOURNAL_H

#include "experiments/campaign/journal.h"
#include <delassus/study.h>

/**
 * The inputs of a study: everything that its runs depend on, a line "# key: value" each, then their hash.
 * @param[out] text  freed by the caller
 * @return DLS_OK; DLS_ERR_MEMORY; what creating the system fails with
 */
dls_status dls_order_journal_head(const dls_order_spec *spec, char **text, uint64_t *hash, dls_error *err);
/** The same with further lines "# key: value". Without norms it does not mention errors. */
dls_status dls_order_journal_head_with(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
                                       const void *data, char **text, uint64_t *hash, dls_error *err);

/**
 * One run as a line.
 * @param[in] points  norm_count x of_count
 * @param[in] hash    of the head
 * @return the line, to be freed; NULL if out of memory
 */
char *dls_order_journal_line(const dls_order_spec *spec, const dls_order_point *points, uint64_t hash,
                             size_t *size);
/**
 * Read a line back, to the last bit (but for the sign of NaN).
 * @param[in]  line, size  without the line feed
 * @param[out] points      norm_count x of_count
 * @return DLS_OK; DLS_ERR_PARSE if it is not such a line, or damaged; DLS_ERR_MEMORY
 */
dls_status dls_order_journal_parse(const dls_order_spec *spec, const char *line, size_t size, uint64_t hash,
                                   dls_order_point *points);

/**
 * As dls_journal_open_form.
 * @param[in] spec  checked; what it points to must outlive the journal, but not spec itself
 */
dls_status dls_order_journal_open(const char *path, const dls_order_spec *spec, dls_journal_mode mode,
                                  size_t *runs, dls_journal **out, dls_error *err);
/** Have the study recall from the journal and keep in it. The journal must outlive dls_order_run. */
void dls_order_journal_attach(dls_journal *journal, dls_order_spec *spec);
/** As dls_journal_merge_form. */
dls_status dls_order_journal_merge(const char *path, const char *const *parts, size_t count,
                                   const dls_order_spec *spec, bool *complete, dls_journal_merging *out,
                                   dls_error *err);

#endif
