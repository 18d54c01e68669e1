/* experiments/measures/advise/advise.h -- which scheme reaches an error at the least cost: for every scheme the largest step or
 * tolerance that reaches it, found by runs alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ADVISE_H
#define DELASSUS_EXPERIMENTS_ADVISE_H

#include <delassus/study.h>

/** An error is reached if the largest error of the runs is this much smaller: other phases of the impacts may have larger errors. */
#define DLS_ADVISE_MARGIN 0.8
/** Steps and tolerances of the runs lie in (1 - DLS_ADVISE_SPREAD, 1] times the value, so that impacts fall anywhere in a step. */
#define DLS_ADVISE_SPREAD 0.2
/** A scheme is searched up to this multiple of the work of the cheapest scheme that reached the error. */
#define DLS_ADVISE_DEAREST 30.0
enum { DLS_ADVISE_PHASES = 24 }; /* runs that must all reach it */

typedef enum dls_advice_kind {
  DLS_ADVICE_REACHED, /* value, error and work are those of its cheapest setting */
  DLS_ADVICE_DEAR,    /* not followed to the end: the next setting would cost too much */
  DLS_ADVICE_SHORT,   /* smaller steps or tolerances do not lessen its error any more */
  DLS_ADVICE_FAILED,  /* no run has an error; the reason is that of the last */
  DLS_ADVICE_REFUSED  /* does not treat the model */
} dls_advice_kind;

/** What was found of a scheme. */
typedef struct dls_advice {
  size_t scheme; /* of the spec */
  dls_advice_kind kind;
  double value; /* step [s], or tolerance; NaN: the scheme has neither, it runs as it is */
  bool by_tolerance;
  double
      error; /* largest of the runs at the value; if the error was not reached, the smallest of all runs; NaN if no run has an error */
  double work;               /* mean of the runs at the value */
  double penetration, drift; /* largest -g of all runs at the value, and where they ended [m] */
  double depth, creep,
      hop; /* largest of them where contacts should rest [m], stick [m/s] and slide [m]; NaN: they do not */
  double
      energy; /* largest energy that a step creates by contact and numerical terms, as a fraction of the scale of energies; NaN: unknown */
  char reason[200];
} dls_advice;

typedef struct dls_advise_spec {
  dls_order_spec
      order;    /* one norm and one quantity; levels, repeats, tolerances, jobs and journal are ignored */
  double error; /* > 0, in the norm */
  dls_against against; /* a measure of work */
  double most_steps;   /* of a run, >= 10 */
} dls_advise_spec;

typedef struct dls_advised {
  dls_order_study *study; /* its reference; no points */
  dls_advice *advice;     /* count of them: those that reached the error, the cheapest first, then the others */
  size_t count;
  double accumulation; /* time of the first accumulation of the reference, NaN if it has none */
  double length;       /* of the system [m], against which penetration is seen */
  bool complete;       /* false: interrupted */
} dls_advised;

/**
 * @param[in] spec  model, schemes and norm behind its pointers must outlive the result
 * @return DLS_OK, also when poll interrupted; DLS_ERR_ARG if an entry of the spec is not allowed; as dls_order_run
 */
dls_status dls_advise(const dls_advise_spec *spec, dls_advised **out, dls_error *err);
void dls_advised_destroy(dls_advised *advised); /* NULL is fine */

#endif
