/* experiments/measures/motion/motion.h -- how a trajectory of any program treats the contacts of a model. Its figures need neither
 * events nor contact forces in the file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MOTION_H
#define DELASSUS_EXPERIMENTS_MOTION_H

#include "experiments/measures/motion/samples.h"
#include <delassus/model.h>
#include <delassus/trajectory.h>

/** Impacts slower than DLS_SLOW_IMPACT of the fastest are ignored, and, by steps, those slower than the change of velocity by smooth forces
 * in so many steps: bodies at rest bounce like that. */
#define DLS_UNRESOLVED_STEPS 10.0
/** First part of an interval at rest that is not examined, of its duration: a scheme needs some steps to come to rest. */
#define DLS_TRANSIENT 0.2

/** One impact of one contact. */
typedef struct dls_judged_impact {
  size_t contact;
  double t;      /* [s] where the gap would be 0, between the rows of the impact */
  double t_free; /* [s] the flight before the impact reaches the surface, followed from the start of the step */
  double u_minus, u_plus; /* [m/s] before the contact force, and largest with it */
  size_t before, after;   /* rows of u_minus and u_plus */
  bool
      ends; /* false: the gap still closes at u_plus by more than 1 % of u_minus, so that -u_plus/u_minus is not an e */
  double slip_ratio; /* slip at u_plus over that at u_minus, along the latter; NaN without friction or slip */
} dls_judged_impact;

/** Errors of the motion; NaN where there is nothing to measure. */
typedef enum dls_judged_figure {
  DLS_JUDGED_RESTITUTION, /* |median of -u+/u- over e| of the impacts */
  DLS_JUDGED_TIMES,       /* largest error of the times of the first impacts [s] */
  DLS_JUDGED_PENETRATION, /* largest -g [m] */
  DLS_JUDGED_REST,        /* speed of the gap where the contact rests [m/s] */
  DLS_JUDGED_STICK,       /* slip where the contact sticks [m/s] */
  DLS_JUDGED_FLIGHT,      /* energy that a flight gains or loses, median, over the largest kinetic energy */
  DLS_JUDGED_BOUNCE, /* |median of (u+^2 - e^2 u-^2)/u-^2| of the impacts: energy that a bounce gains or loses */
  DLS_JUDGED_DEPTH,  /* mean -g where the contact rests [m] */
  DLS_JUDGED_LIFT,   /* mean gap where the contact slides [m] */
  DLS_JUDGED_HOP,    /* largest gap there [m] */
  DLS_JUDGED_FIGURES
} dls_judged_figure;

typedef struct dls_motion {
  double figures[DLS_JUDGED_FIGURES];
  double restitution; /* median of the impacts measured; NaN for none */
  double
      start; /* distance of q from the model's at t = 0, in lengths of the model; NaN if the file begins later */
  double
      bounce; /* median of the energy that a bounce gains, with its sign, as DLS_JUDGED_BOUNCE; NaN for none */
  size_t impact_count, flights;
  dls_judged_impact *impacts; /* in the order of time */
} dls_motion;

typedef struct dls_pushes dls_pushes;

/**
 * Measure a trajectory. An impact of a contact is an interval in which its gap velocity grows faster than all smooth forces of the
 * model allow. Impacts slower than 1 % of the fastest, or than the change by smooth forces in ten rows, are ignored.
 * @param[in] traj       columns q0.. of the system, and v0..; without v, q is differenced, and flights have no figure
 * @param[in] reference  of the model: when its contacts rest, stick and impact
 * @param[in] end        later rows are ignored [s]
 * @param[out] out       to be cleared, also after a failure
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if a column of q is missing (the message names it); DLS_ERR_MEMORY; as dls_contact_system_at
 */
dls_status dls_motion_measure(const dls_system *sys, const dls_trajectory *traj,
                              const dls_trajectory *reference, double end, dls_motion *out, dls_error *err);
/** The impacts alone, their restitution and the energy of a bounce. @param[out] out  to be cleared, also after a failure
 * @return DLS_ERR_MEMORY */
dls_status dls_motion_impacts(const dls_system *sys, const dls_pushes *pushes, dls_motion *out, dls_error *err);
void dls_motion_clear(dls_motion *motion);

/** Between which rows a contact force acts. */
struct dls_pushes {
  const dls_samples *samples;
  double length;     /* of the model [m] */
  double *scale;     /* m: largest |u| of each contact */
  const bool *known; /* rows x m: is there a force up to the next row? NULL: found in the growth of u */
};

/** @return DLS_ERR_MEMORY; scale is to be freed */
dls_status dls_pushes_take(dls_pushes *pushes, double length, dls_error *err);
/** Does contact j have a force between rows k and k + 1? */
bool dls_motion_pushed(const dls_pushes *pushes, size_t j, size_t k);

/** Median, NaN for none; sorts. */
double dls_motion_median(double *values, size_t count);

/** The figures of contacts that last: rest, stick, depth, lift and hop. */
void dls_motion_lasting(const dls_system *sys, const dls_samples *s, const dls_trajectory *reference,
                        dls_motion *out);
/** The figure of flights. @return DLS_ERR_MEMORY */
dls_status dls_motion_flights(const dls_pushes *pushes, dls_motion *out, dls_error *err);

#endif
