/* two_mechanisms.h -- bodies of the plane and of space, and the systems that they make.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TWO_MECHANISMS_H
#define DELASSUS_TESTS_TWO_MECHANISMS_H

#include "check.h"
#include "common/models/multibody/mechanism.h"

static inline void make(const dls_mechanism *m, dls_system **sys)
{
  dls_error err = {0};
  assert_ok(dls_mechanism_system(m, sys, &err), err);
  assert_ok(dls_system_check(*sys, &err), err);
}

static const dls_body planar_bodies[] = {
    {.name = "arm",
     .mass = 2,
     .inertia = {0.3},
     .at = {0.4, 0.1},
     .angle = {0.7},
     .velocity = {1, -2},
     .spin = {3}},
    {.name = "plate",
     .mass = 3,
     .inertia = {0.5},
     .at = {1.4, 0.6},
     .angle = {-0.4},
     .velocity = {0.3, 1},
     .spin = {-2}},
    {.name = "bob", .kind = DLS_BODY_POINT, .mass = 0.7, .at = {2.5, 1.5}, .velocity = {-1, 0.4}}};

static const dls_body spatial_bodies[] = {{.name = "top",
                                           .mass = 2,
                                           .inertia = {0.3, 0.4, 0.5},
                                           .at = {0.4, 0.1, 0.2},
                                           .angle = {0.7, -0.3, 1.1},
                                           .velocity = {1, -2, 0.5},
                                           .spin = {3, 1, -2}},
                                          {.name = "block",
                                           .mass = 3,
                                           .inertia = {0.6, 0.5, 0.4},
                                           .at = {1.4, 0.6, 0.9},
                                           .angle = {-0.4, 2, 0.3},
                                           .velocity = {0.3, 1, 2},
                                           .spin = {-2, 0.4, 1}},
                                          {.name = "rod",
                                           .kind = DLS_BODY_ROD,
                                           .mass = 0.7,
                                           .inertia = {0.1},
                                           .at = {2.5, 1.5, 0},
                                           .angle = {1, 2, 2},
                                           .velocity = {-1, 0.4, 1},
                                           .spin = {1, 1, 1}}};

#endif
