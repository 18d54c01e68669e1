/* analytic/rigorous/zeros.h -- the zeros of w exp(L s) x, each isolated with a proof that none is missed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_ZEROS_H
#define DELASSUS_RIGOROUS_ZEROS_H

#include "analytic/rigorous/flow.h"

typedef enum dls_ball_verdict { DLS_BALL_NONE, DLS_BALL_FOUND, DLS_BALL_UNDECIDED } dls_ball_verdict;

/* phi(s) = w exp(L s) x, which is looked at from `from` on. */
typedef struct dls_ball_watch {
  const dls_ball_flow *flow;
  arb_srcptr w, x;
  int sign;    /* of phi right after `from` */
  double hint; /* about where a zero is, for the length of the first series; 0: unknown */
  ulong
      lead; /* order of the first derivative that is not 0 at s = 0, where from = 0; 0: phi(from) itself has the sign */
} dls_ball_watch;

/**
 * The first zero after `from`, or the place where it is undecided. It is proven that phi has one sign on all of (from, zero), and that it crosses 0 with a
 * slope of the other sign.
 * @param[in,out] from  in: where to begin; out: end of the interval on which the sign is proven
 * @param[in]  until    end of the search
 * @param[out] low, high  there is exactly one zero between them
 */
dls_ball_verdict dls_ball_next_zero(const dls_ball_watch *watch, arf_t from, const arf_t until, arf_t low,
                                    arf_t high, slong prec);

/* Narrow a zero that is isolated, to the precision. @return false if the slope cannot be distinguished from 0 */
int dls_ball_refine(arb_t zero, const dls_ball_watch *watch, const arf_t low, const arf_t high, slong prec);

/* Does phi have one sign on all of [low, high], as is claimed? NONE: proven; FOUND: it has not; UNDECIDED. */
dls_ball_verdict dls_ball_one_sign(const dls_ball_watch *watch, const arf_t low, const arf_t high, slong prec);

#endif
