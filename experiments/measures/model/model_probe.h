/* experiments/measures/model/model_probe.h -- what a check of callbacks compares: functions of the system, and what
 * it says of their slopes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MODEL_PROBE_H
#define DELASSUS_EXPERIMENTS_MODEL_PROBE_H

#include <delassus/model.h>
#include <gsl/gsl_rng.h>
#include <stdbool.h>

/** A state of the system, and room for its matrices. */
typedef struct dls_probe {
  const dls_system *sys;
  double t;
  double *q, *v, *x, *factor;       /* n, n, n, max(m, r): x a direction of q, factors lambda or mu */
  double *q_moved, *v_moved, *work; /* n, n, n */
  dls_matrix *M, *K, *C, *H, *T, *G, *R, *bend, *geometric; /* clones; NULL where the system has none */
  double *block;
} dls_probe;

/** Along what a function is differentiated. */
typedef enum dls_probe_path {
  DLS_ALONG_Q,      /* each coordinate */
  DLS_ALONG_V,      /* each velocity */
  DLS_ALONG_T,      /* time, q and v fixed */
  DLS_ALONG_MOTION, /* time, q' = v, v fixed */
  DLS_ALONG_X       /* q along x */
} dls_probe_path;

/** A callback that is the derivative of a function of `rows` values. */
typedef struct dls_claim {
  const char *callback, *meaning;
  dls_probe_path along;
  size_t (*rows)(const dls_system *sys); /* 0: there is nothing to compare */
  bool (*given)(const dls_system *sys);  /* the model has the callback */
  void (*value)(const dls_probe *p, double t, const double *q, const double *v, double *f);
  void (*slope)(const dls_probe *p, size_t column, double *s); /* at the state of the probe */
} dls_claim;

/** All claims; ends with {0}. */
extern const dls_claim dls_claims[];

dls_status dls_probe_create(const dls_system *sys, dls_probe *out, dls_error *err);
void dls_probe_destroy(dls_probe *p);
/** Size of coordinate i: the scale of length, or 1 for what is no length. */
double dls_probe_scale(const dls_system *sys, size_t i);
/** A random state around the initial one, with random factors. */
void dls_probe_draw(dls_probe *p, gsl_rng *rng);

#endif
