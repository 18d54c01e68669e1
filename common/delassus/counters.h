/* delassus/counters.h -- the work that a run does, counted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COUNTERS_H
#define DELASSUS_COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Work counters, in the order and with the names that `run --stats` prints. */
#define DLS_WORK_LIST(X)                                                                                       \
  X(steps)                                                                                                     \
  X(rejected)                                                                                                  \
  X(force_evals)                                                                                               \
  X(jacobian_evals) X(factorizations) X(lcp_solves) X(lcp_pivots) X(newton_iterations) X(events) X(impacts)
#define DLS_WORK_FIELD(name) size_t name;
struct dls_problem_watch;
struct dls_solved;
/** Polled inside of a long solve. */
typedef struct dls_interrupt_poll {
  bool (*go_on)(void *data); /* false: interrupt; NULL: never */
  void *data;
} dls_interrupt_poll;
/** @param[in] interrupt  NULL: none */
static inline bool dls_interrupt_requested(const dls_interrupt_poll *interrupt)
{
  return interrupt != NULL && interrupt->go_on != NULL && !interrupt->go_on(interrupt->data);
}
/** Methods that took over where a cheaper one had failed, and how often; in the order of their first use. */
enum { DLS_FALLBACK_METHODS = 16 };
typedef struct dls_fallbacks {
  struct {
    const char *method; /* NULL behind the last */
    size_t count;
  } by[DLS_FALLBACK_METHODS];
} dls_fallbacks;
/** @param[in] fallbacks  NULL: not counted */
static inline void dls_count_fallback(dls_fallbacks *fallbacks, const char *method)
{
  for (size_t k = 0; fallbacks != NULL && k < DLS_FALLBACK_METHODS; k++) {
    if (fallbacks->by[k].method == NULL || strcmp(fallbacks->by[k].method, method) == 0) {
      fallbacks->by[k].method = method;
      fallbacks->by[k].count++;
      return;
    }
  }
}
typedef struct dls_work {
  DLS_WORK_LIST(DLS_WORK_FIELD)
  size_t forced; /* of the steps: accepted at the shortest length allowed although the error was too large */
  size_t
      problems; /* one-step problems solved, where a step takes several; 0: one each step and each rejected one */
  size_t roots_missed; /* events that the root finder of an event-driven scheme's integrator had not seen */
  size_t
      redundant; /* rows of closed contacts that depended on others, at most at one time, where a scheme has looked */
  size_t wrong_releases; /* event-driven with release=sign: contacts let go although they press */
  size_t truncated; /* contact problems whose solver ended at its number of iterations, accepted as they were */
  double truncated_most; /* the largest residual of these, relative: that of problem.h */
  double wall_seconds;
  dls_fallbacks fallbacks;
  const struct dls_problem_watch
      *watch; /* called for every contact problem with friction; set before the start; may be NULL */
  dls_interrupt_poll interrupt; /* of the run */
  struct dls_solved *solved; /* the driver's own: the last impulses that a stage has solved for; may be NULL */
} dls_work;

#ifdef __cplusplus
}
#endif

#endif
