/* analytic/distance/interrupt.c -- see interrupt.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"

enum { INTERVAL = 4096 }; /* pieces between two polls, about 0.1 ms */

static _Thread_local dls_interrupt current;

dls_interrupt dls_interrupt_set(dls_interrupt interrupt)
{
  const dls_interrupt before = current;
  current = interrupt;
  return before;
}

bool dls_interrupt_after(size_t pieces)
{
  dls_interrupt *i = &current;
  if (i->poll == NULL || i->stopped) {
    return i->stopped;
  }
  i->pieces += pieces;
  if (i->pieces >= INTERVAL) {
    i->pieces = 0;
    i->stopped = !i->poll(i->data);
  }
  return i->stopped;
}

dls_status dls_interrupt_status(dls_error *err)
{
  return current.stopped ? dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted") : DLS_OK;
}
