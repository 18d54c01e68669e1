/* experiments/campaign/parallel.h -- a loop whose turns go on in several threads.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PARALLEL_H
#define DELASSUS_EXPERIMENTS_PARALLEL_H

#include <stddef.h>

/** The most threads that a loop may have. */
size_t dls_parallel_most(void);
/** Processors that the process may use; at least 1, at most dls_parallel_most. */
size_t dls_parallel_processors(void);
/**
 * Call turn(data, i) for i = 0..count-1, each once; with one thread in this order. A thread takes the next i as soon as
 * it is free. Each has a stack of 8 MiB whatever the limit of the process is.
 * @param[in] threads  1..dls_parallel_most(); there may be fewer if the system gives no more
 */
void dls_parallel_for(size_t threads, size_t count, void (*task)(void *data, size_t i), void *data);

#endif
