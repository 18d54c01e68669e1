/* random_meeting.h -- two or three spheres on mass points that fly towards each other, without forces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RANDOM_MEETING_H
#define DELASSUS_TESTS_RANDOM_MEETING_H

#include <delassus/model.h>

typedef struct random_meeting {
  dls_system *sys; /* the caller's; contacts 0: of 0 and 1; of three bodies 1: of 0 and 2, 2: of 1 and 2 */
  size_t dim, bodies;
  double smallest;   /* diameter [m] */
  double first, end; /* time of the first contact, exact; when to end a run [s] */
  size_t first_pair; /* contact that closes there */
  double step;       /* for schemes by step: a sphere moves 0.1 to 4 diameters in it */
} random_meeting;

/* Meeting i: in the plane for three of four, else in space. */
random_meeting dls_random_meeting(unsigned long i);

#endif
