/* analytic/exact/support/motion.h -- solutions of linear systems with friction as a list of pieces, on each of which
 * every coordinate is a sum of two waves (wave.h) in the time since the start of the piece, and contact forces are
 * constant. Contains the calls of dls_exact for such a list, and the first zero of a function with bounded derivatives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MOTION_H
#define DELASSUS_MOTION_H

#include "analytic/exact/support/wave.h"
#include <delassus/exact.h>

enum { DLS_MOTION_MOST = 6, DLS_MOTION_CONTACTS = 2 };

/** x = own + forced */
typedef struct dls_motion {
  dls_wave own, forced;
} dls_motion;
dls_wave_state dls_motion_at(const dls_motion *motion, long double s);

typedef struct dls_motion_piece {
  long double start;
  dls_motion of[DLS_MOTION_MOST];     /* n */
  double lambda[DLS_MOTION_CONTACTS]; /* m: normal forces */
  int status[DLS_MOTION_CONTACTS];    /* m: 0 open, 1 closed or stick, 2 slip */
  dls_event event;                    /* at the start */
  bool has_event;
  long double fourth; /* bound of |x| and |x'| of all coordinates, set by dls_motion_push */
} dls_motion_piece;

/** The gap of a contact: q[plus] - q[minus] - offset; minus = SIZE_MAX: no such term. */
typedef struct dls_motion_gap {
  size_t plus, minus;
  double offset;
} dls_motion_gap;

struct dls_exact_solution {
  size_t n, m;
  double q0[DLS_MOTION_MOST], v0[DLS_MOTION_MOST];
  dls_motion_gap gap[DLS_MOTION_CONTACTS];
  dls_motion_piece *pieces;
  size_t count, capacity;
  size_t pushed; /* all, with those whose place was taken: there is an end to them, too */
};

/** @return NULL if out of memory */
dls_exact_solution *dls_motion_create(size_t n, size_t m);
/** Append a copy; one that starts at the same double as the last takes its place. @return DLS_ERR_MEMORY, or
 * DLS_ERR_CHATTERING beyond 10^6 pieces */
dls_status dls_motion_push(dls_exact_solution *sol, const dls_motion_piece *piece, dls_error *err);

/* The calls of dls_exact. */
void dls_motion_destroy(dls_exact_solution *sol);
size_t dls_motion_pieces(const dls_exact_solution *sol);
double dls_motion_start(const dls_exact_solution *sol, size_t piece);
void dls_motion_gaps(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g,
                     double *u);
void dls_motion_initial(const dls_exact_solution *sol, dls_exact_value *out);
void dls_motion_value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out);
bool dls_motion_event(const dls_exact_solution *sol, size_t piece, dls_event *out);
double dls_motion_spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy);
#define DLS_MOTION_CALLS                                                                                       \
  .destroy = dls_motion_destroy, .pieces = dls_motion_pieces, .start = dls_motion_start,                       \
  .gap = dls_motion_gaps, .initial = dls_motion_initial, .value = dls_motion_value, .event = dls_motion_event, \
  .spacing = dls_motion_spacing

/** A function of time by its value and derivatives at s. */
typedef struct dls_bounded {
  /** x[0] .. x[3]: value, first, second and third derivative at s */
  void (*at)(const void *data, long double s, long double x[4]);
  const void *data;
  long double second, third, fourth; /* bounds of |x''|, |x'''| and |x''''| over all s */
} dls_bounded;
/**
 * The first s in (0, s_max] with x = 0, where x is positive right after 0.
 * @param[in] lead  order of the first derivative at 0 that is not 0 (then > 0): 0, 1, 2 or 3
 * @return false if there is none
 */
bool dls_bounded_first_zero(const dls_bounded *f, unsigned lead, long double s_max, long double *s);

#endif
