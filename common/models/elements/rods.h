/* rods.h -- points in a plane joined by rods to each other and to fixed points, with gravity along y and walls: q = (x,
 * y) of each point. A rod of length l from a to b is the joint phi = (|b - a|^2 - l^2)/(2 l) in m, so that mu is its thrust
 * in N. Potential and joints are at most quadratic. Storage is banded and sparse: work grows like the number of points.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_RODS_H
#define DELASSUS_MODELS_ELEMENTS_RODS_H

#include <delassus/model.h>

typedef struct dls_rod {
  size_t from, to;     /* from < to; from = SIZE_MAX: the fixed point (x, y) */
  double x, y;         /* m */
  double length, mass; /* m, kg; uniform */
} dls_rod;

typedef struct dls_rods {
  size_t points, rods;
  const double *mass; /* points: kg, in addition to the rods' masses */
  const dls_rod *rod; /* rods */
  double gravity;     /* m/s^2, along y: negative where y points up */
  bool wall;          /* every point has the gap x - wall_at */
  double wall_at;     /* m */
} dls_rods;

/**
 * A system without initial data, scales and restitution coefficients, which the model sets. Copies the data.
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_rods_create(const char *name, const dls_rods *what, dls_system **out, dls_error *err);
/** A chain from the origin: rods 0, 1, ... with a point at the end of each. count, lengths > 0, masses > 0, wall as above. */
dls_status dls_rods_chain(const char *name, size_t count, const double *lengths, const double *masses,
                          double gravity, const double *wall_at, dls_system **out, dls_error *err);
/** Draw a chain; up = -1 where y points down. */
void dls_rods_sketch_chain(size_t count, const double *q, double up, double radius, dls_sketch *out);

/** A chain of two rods, for models that differ in their data: p = {m1, m2, l1, l2, g}, y up; q0[4], at rest. */
dls_status dls_rods_double_pendulum(const char *name, const double p[5], const double q0[4], dls_system **out,
                                    dls_error *err);
/** Lens-Cardona (c) and (d), which differ in the mass between the rods: parameters, `create` and `sketch`. */
enum { DLS_LENS_MASS_1, DLS_LENS_MASS_2, DLS_LENS_LENGTH, DLS_LENS_GRAVITY };
#define DLS_LENS_PARAMETERS(m1)                                                                                \
  [DLS_LENS_MASS_1] = DLS_NUMBER("m1", "kg", "mass between the rods", m1, 0, INFINITY, DLS_LENS_OPEN),         \
  [DLS_LENS_MASS_2] = DLS_NUMBER("m2", "kg", "mass of the tip", 1, 0, INFINITY, DLS_LENS_OPEN),                \
  [DLS_LENS_LENGTH] = DLS_NUMBER("l", "m", "length of either massless rod", 1, 0, INFINITY, DLS_LENS_OPEN),    \
  [DLS_LENS_GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, DLS_LENS_OPEN),
enum { DLS_LENS_OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
dls_status dls_lens_create(const dls_model *self, const double *p, dls_system **out, dls_error *err);
void dls_lens_sketch(const double *p, const double *q, dls_sketch *out);

#endif
