/* random_mechanism.h -- mechanisms of every kind that start on their joints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RANDOM_MECHANISM_H
#define DELASSUS_TESTS_RANDOM_MECHANISM_H

#include <delassus/model.h>
#include <stdint.h>

/* What was drawn. */
typedef struct random_mechanism {
  dls_system *sys;
  size_t dim, bodies;
  bool loops, redundant, contacts, damped;
} random_mechanism;

/* Parameters of a mechanism, as factors of what was drawn. */
typedef struct mechanism_factors {
  double mass, gravity, stiffness, speed, gap, restitution, friction;
} mechanism_factors;

/* Mechanism i: in the plane for two of three, else in space; a tree of 1 to 5 bodies on the ground by joints of all kinds, with
 * springs; half of them with loops (which start at rest), a third with a joint given twice, half with contacts that start open.
 * Fails the test if it is none. sys is the caller's. */
random_mechanism dls_random_mechanism(unsigned long i);
/* The same with these factors; speed is that of all initial velocities, gap that of the initial gaps. */
random_mechanism dls_random_mechanism_with(unsigned long i, const mechanism_factors *factors);

#endif
