/* experiments/study/parallel.c -- loops in threads by OpenMP, or in one thread where there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/parallel.h"

#ifdef _OPENMP
#include <omp.h>

enum { MOST_THREADS = 1024 };

size_t dls_parallel_most(void)
{
  return MOST_THREADS;
}

size_t dls_parallel_processors(void)
{
  const int processors = omp_get_num_procs();
  return processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : (size_t)processors;
}

void dls_parallel_for(size_t threads, size_t count, void (*turn)(void *data, size_t i), void *data)
{
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)threads) if (threads > 1)
  for (size_t i = 0; i < count; i++) {
    turn(data, i);
  }
}

#else

size_t dls_parallel_most(void)
{
  return 1;
}

size_t dls_parallel_processors(void)
{
  return 1;
}

void dls_parallel_for(size_t threads, size_t count, void (*turn)(void *data, size_t i), void *data)
{
  (void)threads;
  for (size_t i = 0; i < count; i++) {
    turn(data, i);
  }
}

#endif
