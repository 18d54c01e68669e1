/* experiments/campaign/parallel.h -- a parallel for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PARALLEL_H
#define DELASSUS_EXPERIMENTS_PARALLEL_H

#include <stddef.h>

/** The most threads of a loop. */
size_t dls_parallel_most(void);
/** Processors that the process may use, 1..dls_parallel_most(). */
size_t dls_parallel_processors(void);
/**
 * Call body(data, i) for i = 0..count-1, each once; with one thread in this order. A free thread takes the next i.
 * Each thread has a stack of 8 MiB whatever the limit of the process is.
 * @param[in] threads  1..dls_parallel_most(); fewer are started if the system refuses
 */
void dls_parallel_for(size_t threads, size_t count, void (*task)(void *data, size_t i), void *data);

#endif
