/* experiments/measures/spectrum/spectrum.h -- what a scheme makes of one linear oscillator, measured from its own steps: spectral radius,
 * period error, algorithmic damping, response to a harmonic load.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SPECTRUM_H
#define DELASSUS_EXPERIMENTS_SPECTRUM_H

#include <delassus/catalogue.h>
#include <delassus/choice.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** What is measured; T = 2 pi / omega is the period of the oscillator without damping, zeta its damping ratio. */
typedef enum dls_spectrum_of {
  DLS_SPECTRUM_RADIUS,   /* max |lambda| over the eigenvalues of one step */
  DLS_SPECTRUM_PERIOD,   /* period of the motion over that of the exact one, minus 1 */
  DLS_SPECTRUM_DAMPING,  /* -ln |lambda| / arg lambda, less that of the exact motion: 0 for zeta = 0 */
  DLS_SPECTRUM_RESPONSE, /* amplitude of the motion under a harmonic load over that of the exact one */
  DLS_SPECTRUM_QUANTITIES
} dls_spectrum_of;
/** "radius", "period", "damping", "response"; ends with NULL. */
extern const char *const dls_spectrum_names[];

enum {
  DLS_SPECTRUM_STATES = 8,   /* a scheme that keeps more numbers from step to step is refused */
  DLS_SPECTRUM_LEVELS = 121, /* 30 a decade of */
  DLS_SPECTRUM_MOST_AT = 100
};
#define DLS_SPECTRUM_FIRST 0.01 /* h/T */
#define DLS_SPECTRUM_LAST 100.0
#define DLS_SPECTRUM_AT 0.1
#define DLS_SPECTRUM_FREQUENCY 0.5
#define DLS_SPECTRUM_BY_EVENT                                                                                  \
  "scheme %s chooses its own steps: it has no spectrum, which is that of a step of fixed size"
#define DLS_SPECTRUM_GROWTH 1e-7 /* radii up to 1 + this are taken for stable */

/** The oscillator: q'' + 2 zeta omega q' + omega^2 q = omega^2 cos(frequency omega t). */
typedef struct dls_spectrum_oscillator {
  double damping;   /* zeta in [0, 1) */
  double frequency; /* of the load over that of the oscillator, > 0; 1 with zeta = 0 has no response */
} dls_spectrum_oscillator;

typedef struct dls_spectrum_spec {
  const dls_scheme_choice *schemes;
  const char *const *labels; /* of the schemes */
  size_t scheme_count;
  double first, last; /* h/T: geometric sequence, both > 0 */
  size_t levels;      /* >= 2 */
  const double *at;   /* more values of h/T */
  size_t at_count;
  dls_spectrum_oscillator oscillator;
  size_t of_count; /* what is drawn and printed; all is measured */
  dls_spectrum_of of[DLS_SPECTRUM_QUANTITIES];
} dls_spectrum_spec;

/** A scheme at one step. */
typedef struct dls_spectrum_point {
  size_t scheme;
  double ratio;                                            /* h/T */
  size_t states;                                           /* numbers that it keeps from step to step */
  double re[DLS_SPECTRUM_STATES], im[DLS_SPECTRUM_STATES]; /* eigenvalues, of largest modulus first */
  double matrix[4]; /* with two states: (q, v/omega) of a step from that of the one before, row-major */
  double principal_re, principal_im;      /* that of the motion, im > 0; NaN: it does not oscillate */
  double values[DLS_SPECTRUM_QUANTITIES]; /* NaN: there is none */
  double phase;                           /* of the response, ahead of the exact one [rad] */
  char failure[200];
} dls_spectrum_point;

/** Borrows what its spec points to. */
typedef struct dls_spectrum {
  dls_spectrum_spec spec;
  size_t point_count;
  dls_spectrum_point *points; /* scheme by scheme, h/T increasing */
  double *limits; /* of each scheme: h/T up to which radius <= 1 + DLS_SPECTRUM_GROWTH; INFINITY: everywhere
                               * that was looked at; NaN: not known */
  bool complete;  /* false: it was interrupted, and points are missing */
} dls_spectrum;

/**
 * One scheme at one step. The eigenvalues are those of the recurrence that its nodes follow, found from runs of unit initial
 * states and of a force that acts at t = 0 alone; nothing is asked of the scheme but its steps.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE for a scheme that chooses its own steps, is not linear, or keeps too much; what a
 *         step fails with
 */
dls_status dls_spectrum_measure(const dls_scheme_choice *choice, double ratio,
                                const dls_spectrum_oscillator *oscillator, dls_spectrum_point *out,
                                dls_error *err);
/**
 * All schemes at all steps; a step that fails is a point with its reason.
 * @param[in] poll  of the part that is done, in [0, 1]; false ends it; may be NULL
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; *out is there whenever points are
 */
dls_status dls_spectrum_run(const dls_spectrum_spec *spec, bool (*poll)(void *, double), void *poll_data,
                            dls_spectrum **out, dls_error *err);
void dls_spectrum_destroy(dls_spectrum *spectrum); /* NULL is fine */
/** The point of a scheme at h/T, or NULL. */
const dls_spectrum_point *dls_spectrum_find(const dls_spectrum *spectrum, size_t scheme, double ratio);
/** A row for each point, then provenance. @return DLS_ERR_IO */
dls_status dls_spectrum_table(const dls_spectrum *spectrum, const dls_catalogue *catalogue, FILE *out);

#endif
