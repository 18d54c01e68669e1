/* driven.h -- a mass, a block or two masses under pulses A exp(-((t - t1)/w)^2), over a support that moves, with or without a
 * statement of how they depend on time. All masses are 1 kg.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_DRIVEN_H
#define DELASSUS_TESTS_DRIVEN_H

#include <delassus/model.h>

typedef enum dls_driven_kind {
  DLS_DRIVEN_MASS,  /* one coordinate, pushed; the support is below */
  DLS_DRIVEN_BLOCK, /* (x, y), pushed along x on a floor with friction */
  DLS_DRIVEN_SPRINGS, /* two coordinates with a spring of 1 N/m between them; the first is pushed, and has the support */
} dls_driven_kind;

typedef struct dls_pulse {
  double size, at, width; /* [N], or [m] of a support; s; s */
} dls_pulse;

typedef enum dls_driven_knowledge {
  DLS_DRIVEN_BOUNDS,   /* time_enclosure */
  DLS_DRIVEN_CALLBACK, /* nothing, not even next_break */
  DLS_DRIVEN_FEATURE,  /* shortest_feature, that of `feature` */
  DLS_DRIVEN_TABLE,    /* loads A max(0, 1 - |t - t1|/w) instead, with next_break */
} dls_driven_knowledge;

enum { DLS_DRIVEN_PULSES = 4 };

typedef struct dls_driven {
  dls_driven_kind kind;
  dls_driven_knowledge knowledge;
  double feature;
  dls_pulse load[DLS_DRIVEN_PULSES], support[DLS_DRIVEN_PULSES], surface[DLS_DRIVEN_PULSES]; /* up to width 0 */
  double weight, mu, e; /* downwards; of friction */
  double q, v;          /* at the start, of the first coordinate */
  double height;        /* of the gap at the start, where no support pulse is */
  dls_pulse
      rise; /* of the support, with dwells before and after: size (3 x^2 - 2 x^3), x = (t - at)/width in [0, 1] */
  double jump_at, jump, ramp; /* > 0: there the support jumps by this, and has this velocity from there on */
  double belt;                /* velocity of the surface from jump_at on */
} dls_driven;

/** @return NULL if out of memory */
dls_system *dls_test_driven(const dls_driven *what);

#endif
