/* analytic/distance/interrupt.h -- the poll called during the computation of a distance, one per thread.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_INTERRUPT_H
#define DELASSUS_ANALYTIC_INTERRUPT_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_interrupt {
  bool (*poll)(void *data); /* false: interrupt; NULL: never interrupts */
  void *data;
  size_t pieces; /* since the last poll */
  bool stopped;  /* poll has interrupted; all later distances return at once */
} dls_interrupt;

/** Set the poll of all distances that the calling thread computes from now on. @return the previous one, to be restored */
dls_interrupt dls_interrupt_set(dls_interrupt interrupt);
/** Count this many pieces as done; poll is called once in several thousand. @return is the distance interrupted? */
bool dls_interrupt_after(size_t pieces);
/** @return DLS_OK; DLS_ERR_INTERRUPTED */
dls_status dls_interrupt_status(dls_error *err);

#endif
