/* experiments/campaign/parallel.c -- loops in threads of POSIX.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE /* sched_getaffinity */
#include "experiments/campaign/parallel.h"
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_THREADS = 1024 };

/* bytes: as a process usually has. By default a thread has what `ulimit -s` says, which may be too little. */
static const size_t stack_size = (size_t)8 << 20;
/* bytes: if the caller has less, only new threads run the body. Eight runs side by side take some 60 000. */
static const rlim_t least_stack = (rlim_t)1 << 20;

size_t dls_parallel_most(void)
{
  return MOST_THREADS;
}

size_t dls_parallel_processors(void)
{
#ifdef __linux__
  cpu_set_t allowed;
  const long processors =
      sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : sysconf(_SC_NPROCESSORS_ONLN);
#else
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
#endif
  return processors < 1 ? 1 : processors > MOST_THREADS ? MOST_THREADS : (size_t)processors;
}

typedef struct loop {
  pthread_mutex_t lock; /* of next */
  size_t next, count;
  void (*task)(void *data, size_t i);
  void *data;
} loop;

static void *run_iterations(void *argument)
{
  loop *l = argument;
  for (;;) {
    pthread_mutex_lock(&l->lock);
    const size_t i = l->next;
    l->next += i < l->count;
    pthread_mutex_unlock(&l->lock);
    if (i == l->count) {
      return NULL;
    }
    l->task(l->data, i);
  }
}

/* @return the number of threads that were started */
static size_t start(loop *l, size_t most, pthread_t *threads)
{
  pthread_attr_t attributes;
  size_t started = 0;
  if (pthread_attr_init(&attributes) != 0) {
    return 0;
  }
  if (pthread_attr_setstacksize(&attributes, stack_size) == 0) {
    while (started < most && pthread_create(&threads[started], &attributes, run_iterations, l) == 0) {
      started++;
    }
  }
  pthread_attr_destroy(&attributes);
  return started;
}

static bool has_small_stack(void)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         limit.rlim_cur < least_stack;
}

void dls_parallel_for(size_t threads, size_t count, void (*task)(void *data, size_t i), void *data)
{
  loop l = {.lock = PTHREAD_MUTEX_INITIALIZER, .count = count, .task = task, .data = data};
  const bool small = has_small_stack();
  const size_t all = threads > 1 ? threads : 1, others = small ? all : all - 1;
  pthread_t *started = others > 0 ? malloc(others * sizeof *started) : NULL;
  const size_t running = started != NULL ? start(&l, others, started) : 0;
  if (!small || running == 0) {
    run_iterations(&l);
  }
  for (size_t i = 0; i < running; i++) {
    pthread_join(started[i], NULL);
  }
  free(started);
  pthread_mutex_destroy(&l.lock);
}
