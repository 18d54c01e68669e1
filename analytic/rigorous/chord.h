/* analytic/rigorous/chord.h -- distances of points from pieces of curves, in max(|time|/tau, |value|), certified.
 * A piece lies within the sag of its chord in each component, at the same parameter. The place of the least distance is found in doubles. The distance is
 * the maximum of linear functions. The proof that no point of the chord is nearer uses two of them, with weights for which their sum is constant.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_CHORD_H
#define DELASSUS_RIGOROUS_CHORD_H

#include "analytic/rigorous/curve.h"

/* Points are 1 + dim balls: time divided by tau, values. */
typedef struct dls_ball_chord {
  arb_ptr from, to; /* 1 + dim */
  mag_ptr sag;      /* 1 + dim */
} dls_ball_chord;

/* What the work on chords needs. */
typedef struct dls_ball_chords {
  slong dim, prec;
  arb_srcptr tau;
  arb_ptr value, slope; /* 1 + dim */
  double *at, *rate;    /* 2 (1 + dim): of the functions |.| - sag without their signs */
} dls_ball_chords;

void dls_ball_chords_init(dls_ball_chords *work, slong dim, const arb_t tau, slong prec);
void dls_ball_chords_clear(dls_ball_chords *work);
void dls_ball_chord_init(dls_ball_chord *chord, slong dim);
void dls_ball_chord_clear(dls_ball_chord *chord, slong dim);

/* The piece a <= s <= b of a segment. */
void dls_ball_chord_set(dls_ball_chord *chord, const dls_ball_chords *work, const dls_ball_segment *segment,
                        const arf_t a, const arf_t b);
/* The point s of a segment, with what its polynomial leaves out. */
void dls_ball_point_set(arb_ptr point, const dls_ball_chords *work, const dls_ball_segment *segment,
                        const arf_t s);
/**
 * low <= distance of a point from the piece <= high.
 * @param[in]  more  1 + dim or NULL: sag that is added to the chord's
 * @param[out] where  approximate place of the nearest point on the chord, 0 to 1
 */
void dls_ball_chord_distance(const dls_ball_chords *work, arb_srcptr point, const dls_ball_chord *chord,
                             mag_srcptr more, double *low, double *high, double *where);

#endif
