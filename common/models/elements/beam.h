/* beam.h -- a straight beam in a plane, in geometrically exact elements of equal length: data and assembly. Node k is at
 * distance k L/n from the root, node 0. q lists the unknowns node by node: x, y and, depending on the kind in
 * beam_element.h, an angle or a director with its joint. y points upward.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_BEAM_H
#define DELASSUS_MODELS_ELEMENTS_BEAM_H

#include "common/models/elements/assembly.h"
#include "common/models/elements/beam_element.h"
#include <delassus/model.h>

typedef enum dls_beam_root { DLS_BEAM_FREE, DLS_BEAM_PINNED, DLS_BEAM_CLAMPED } dls_beam_root;
typedef enum dls_beam_touch { DLS_BEAM_NO_WALL, DLS_BEAM_TIP_AT_WALL, DLS_BEAM_NODES_AT_WALL } dls_beam_touch;

/* Prescribed angle of a clamped root: psi' grows like sin^2 to `rate` within the time `rise`,
 *   psi = rate/rise [t^2/2 + (rise/(2 pi))^2 (cos(2 pi t/rise) - 1)] up to rise, then rate (t - rise/2). */
typedef struct dls_beam_drive {
  double rate, rise; /* rad/s, s; rise = 0: rate from the start */
} dls_beam_drive;

typedef struct dls_beam {
  dls_beam_kind kind;
  size_t elements;
  double length; /* m */
  dls_beam_section section;
  int mass;             /* DLS_MASS_CONSISTENT, ..._LUMPED, ..._REDISTRIBUTED */
  dls_beam_root root;   /* pinned, clamped: at the origin; clamped: along x */
  dls_beam_drive drive; /* clamped, with angles; rate = 0: at rest */
  dls_beam_touch touch; /* contacts g = x - wall: none, of the last node, of all nodes */
  double wall, restitution;
  double gravity; /* m/s^2, along -y */
  double tip[3];  /* on the last node: force along x and y [N], with angles a moment [N m] */
  double damping; /* 1/s: forces -damping M v */
} dls_beam;

/* Names of the kinds, for parameters of models. */
extern const char *const dls_beam_kinds[];

/** psi, psi', psi'' of the drive, by order. */
double dls_beam_turn(const dls_beam_drive *drive, double t, int order);
/** Unknown of coordinate k of a node; DLS_GIVEN: none. */
size_t dls_beam_unknown(const dls_beam *beam, size_t node, size_t k);
/** The beam of a system made by dls_beam_create. */
const dls_beam *dls_beam_of(const dls_system *sys);
/** Position of a node at (t, q) [m]. */
void dls_beam_position(const dls_system *sys, const double *q, size_t node, double r[2]);

/**
 * The system, lying straight and at rest: the root at the origin, the beam along x. length and time scales and other
 * initial data are set by the model.
 * @return DLS_OK; DLS_ERR_ARG if mass cannot be redistributed; DLS_ERR_MEMORY
 */
dls_status dls_beam_create(const char *name, const dls_beam *beam, dls_system **out, dls_error *err);
/**
 * Place the beam along the angle with its root at (x, y), moving as a rigid body with root velocity (vx, vy) and angular
 * velocity rate. A root that is not free keeps its position.
 */
void dls_beam_lay(dls_system *sys, const double root[2], double angle, const double velocity[2], double rate);
/** For `mesh` and `mesh_values` of models: N, Q and M of the elements. */
dls_status dls_beam_mesh(const dls_system *sys, dls_mesh *out, dls_error *err);
void dls_beam_mesh_values(const dls_system *sys, double t, const double *q, double *values);
/** Draw out->system at q, with its wall. */
void dls_beam_sketch(const double *p, const double *q, dls_sketch *out);

#endif
