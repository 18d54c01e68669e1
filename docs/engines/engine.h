/* engine.h -- what a program for an engine supplies, and the problems that it is given.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_DOCS_ENGINES_ENGINE_H
#define DELASSUS_DOCS_ENGINES_ENGINE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ENGINE_BODIES = 10 };

typedef enum engine_shape { ENGINE_BALL, ENGINE_BLOCK } engine_shape;

/** A body over the floor y = 0, in metres, kilograms, seconds. */
typedef struct engine_body {
  engine_shape shape;
  double m;    /* mass */
  double half; /* radius of a ball, half the height of a block; a block is twice as wide as high */
  double x, y; /* centre at the start */
  double vx, vy;
} engine_body;

typedef struct engine_problem {
  const char *name;
  const char *judge; /* model, parameters and end for `delassus judge` */
  double end;
  double g, slope; /* gravity [m/s^2]; of the floor, which rises along x [rad] */
  double e, mu;    /* restitution and friction of every contact */
  double k,
      length;  /* spring from the lowest point of a single body to y = 0, or between two centres; k = 0: none */
  bool plane;  /* the coordinates are x and the lowest point; else the heights alone */
  bool lowest; /* heights are those of the lowest points; else of centres */
  size_t count;
  engine_body body[ENGINE_BODIES];
} engine_problem;

/** Acceleration of gravity along the floor and across it [m/s^2]. */
static inline double engine_gravity_x(const engine_problem *p)
{
  return -p->g * sin(p->slope);
}
static inline double engine_gravity_y(const engine_problem *p)
{
  return -p->g * cos(p->slope);
}

extern const engine_problem engine_problems[];
extern const size_t engine_problem_count;

/** Centre and velocity of a body. */
typedef struct engine_state {
  double x, y, vx, vy;
} engine_state;

/** An engine: one world at a time. */
typedef struct engine {
  const char *const *variants; /* names of its set-ups, the first as its makers advise; NULL ends them */
  /** Bodies and floor. @param variant  index of the set-up */
  void (*start)(const engine_problem *problem, size_t variant);
  /** Every setting that is not problem data, in one line. */
  void (*settings)(FILE *out);
  /** A force upwards through the centre of a body, during the next step [N]; NULL: `start` made the spring of the problem. */
  void (*push)(size_t body, double force);
  void (*step)(double h);
  engine_state (*state)(size_t body);
  void (*stop)(void);
} engine;

/** Of the program. */
extern const engine the_engine;

#ifdef __cplusplus
}
#endif

#endif
