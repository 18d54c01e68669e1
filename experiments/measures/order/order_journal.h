/* experiments/measures/order/order_journal.h -- the finished runs of a study of errors in a journal: its head and the form of a line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_JOURNAL_H
#define DELASSUS_EXPERIMENTS_ORDER_JOURNAL_H

#include "experiments/campaign/journal.h"
#include <delassus/study.h>

/**
 * The inputs of a study: everything that its runs depend on, a line "# key: value" each, then their hash. Without norms it does not
 * mention errors.
 * @param[in]  put   writes further lines from data; NULL: there are none
 * @param[out] text  freed by the caller
 * @return DLS_OK; DLS_ERR_MEMORY; what creating the system fails with
 */
dls_status dls_order_journal_head(const dls_order_spec *spec, void (*put)(const void *data, FILE *out),
                                  const void *data, char **text, uint64_t *hash, dls_error *err);
/** The lines of its runs. What spec points to must outlive a journal, but not spec itself. @param[in] spec  checked */
dls_journal_form dls_order_journal_form(const dls_order_spec *spec);
/** Have the study recall from the journal and keep in it. The journal must outlive dls_order_run. */
void dls_order_journal_attach(dls_journal *journal, dls_order_spec *spec);

#endif
