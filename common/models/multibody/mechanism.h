/* mechanism.h -- a mechanism of bodies, joints, springs and contacts, and its system in natural coordinates: constant M,
 * joints at most quadratic.
 *   plane   rigid body q = (r, d), d = (cos, sin)(angle)     Phi = 1/2 (d . d - 1),  M = diag(m, m, J, J)
 *           point      q = r                                 M = m
 *   space   rigid body q = (r, d_1, d_2, d_3)                Phi = 1/2 (d_i . d_i - 1), d_i . d_j,
 *                                                            M = diag(m, E_1, E_2, E_3) (x) 1, E_i = 1/2 tr J - J_i
 *           rod        q = (r, d), without thickness         Phi = 1/2 (d . d - 1),  M = diag(m, J) (x) 1
 *           point      q = r
 * Mechanisms larger than 8 m or smaller than 1/8 m have lambda d, J/lambda^2 instead of d, J, where lambda is the power of
 * two closest to their size. All Phi are lengths: those of directors are multiplied by lambda. r is the centre of mass.
 * Point X of a body: r + X_1 d + X_2 d^perp, r + sum X_i d_i, r + X_1 d of a rod. Joints, with p the points of the ends and
 * n, e, ... vectors fixed in a body or in the ground:
 *   revolute (plane), spherical   p_A - p_B = 0
 *   revolute (space)              the same; a_A . b_B = a_A . c_B = 0 with the axis a and b, c across it
 *   prismatic                     n_A . (p_B - p_A) = 0, n_A . e_B = 0 with e along the axis, n across it; space: cylindrical
 *                                 and n_A . k_B = 0
 *   cylindrical                   n_A . e_B = n_A . (p_B - p_A) = 0 for two n across the axis
 *   distance                      (|p_A - p_B|^2 - l^2)/(2 l) = 0
 *   driven                        e_B . (cos(phi) n_A - sin(phi) e_A) = 0 with phi(t) the angle from the start
 * Source: Betsch, Steinmann 2001 for directors; de Jalon, Bayo 1994 for natural coordinates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MULTIBODY_MECHANISM_H
#define DELASSUS_MODELS_MULTIBODY_MECHANISM_H

#include <delassus/model.h>

enum { DLS_PART_NAME = 20 };
#define DLS_GROUND ((size_t)-1)

typedef enum dls_body_kind { DLS_BODY_RIGID, DLS_BODY_ROD, DLS_BODY_POINT, DLS_BODY_KINDS } dls_body_kind;

/* Vectors in space axes; in the plane the third component is 0, and angle[0], spin[0] are about z. */
typedef struct dls_body {
  char name[DLS_PART_NAME];
  dls_body_kind kind;
  double mass; /* kg */
  double
      inertia[3]; /* kg m^2 about the centre of mass; J_1, J_2, J_3 of a rigid body in space, else inertia[0] */
  double at[3];   /* m */
  double angle[3];    /* rad; space: rotation vector; of a rod: its direction, of any length > 0 */
  double velocity[3]; /* m/s */
  double spin[3];     /* rad/s */
} dls_body;

/* A point of a body, in its axes, or of the ground (DLS_GROUND), in space. */
typedef struct dls_end {
  size_t body;
  double at[3]; /* m */
} dls_end;

typedef enum dls_joint_kind {
  DLS_JOINT_REVOLUTE,
  DLS_JOINT_SPHERICAL,
  DLS_JOINT_PRISMATIC,
  DLS_JOINT_CYLINDRICAL,
  DLS_JOINT_DISTANCE,
  DLS_JOINT_DRIVEN,
  DLS_JOINT_KINDS
} dls_joint_kind;

typedef struct dls_joint {
  char name[DLS_PART_NAME];
  dls_joint_kind kind;
  dls_end a, b;
  double axis[3];                     /* in space at the start, of any length > 0, if the kind has one */
  double length;                      /* distance [m]; 0: that of the start */
  double speed, amplitude, frequency; /* driven: phi = speed t + amplitude sin(frequency t) */
} dls_joint;

/* Spring: pulls with k (s - l) + c s', s = |p_A - p_B|. */
typedef struct dls_spring {
  char name[DLS_PART_NAME];
  dls_end a, b;
  double stiffness, length, damping; /* N/m, m, N s/m */
} dls_spring;

typedef enum dls_touch_kind {
  DLS_TOUCH_PLANE, /* sphere over a plane of the ground: g = n . p_A - c - R */
  DLS_TOUCH_PAIR,  /* sphere beside a sphere: g = |p_A - p_B| - R_A - R_B */
  DLS_TOUCH_FACE   /* sphere or corner over an edge or face of body B through p_B: g = n_B . (p_A - p_B) - R */
} dls_touch_kind;

typedef struct dls_touch {
  char name[DLS_PART_NAME];
  dls_touch_kind kind;
  dls_end a, b;            /* b: not of a plane */
  double radius, radius_b; /* m; radius 0: a corner */
  double normal[3];        /* towards A, of any length > 0; of a face in the axes of its body */
  double offset;           /* of a plane: normal . p = offset on it */
  double restitution, friction;
} dls_touch;

typedef struct dls_mechanism {
  size_t dim; /* 2 or 3 */
  size_t body_count, joint_count, spring_count, touch_count, mark_count;
  const dls_body *bodies;
  const dls_joint *joints;
  const dls_spring *springs;
  const dls_touch *touches;
  const dls_end *marks; /* extra points to be drawn, besides all ends */
  double gravity[3];    /* m/s^2 */
  double length, time;  /* scales; 0: derived from positions, velocities and gravity */
} dls_mechanism;

/* Name of a kind, e.g. "revolute". */
extern const char *const dls_joint_kind_names[DLS_JOINT_KINDS];
extern const char *const dls_body_kind_names[DLS_BODY_KINDS];
/* Number of components of a vector like X of a body: 2 or 3, 1 of a rod, 0 of a point. */
size_t dls_body_axes(dls_body_kind kind, size_t dim);

/* lambda of the coordinates lambda d of directors in a system of this length: 1 m, or its own size. */
double dls_director_length(double length);
/* Position of an end at the start [m]. */
void dls_mechanism_place(const dls_mechanism *m, const dls_end *end, double p[3]);
/* The vector in space at the start that is X in the axes of a body. */
void dls_mechanism_vector(const dls_mechanism *m, size_t body, const double X[3], double w[3]);

/* Is an element valid, given that the previous ones are? @return DLS_OK; DLS_ERR_ARG with the reason, without the
 * element's name */
dls_status dls_body_check(const dls_mechanism *m, const dls_body *body, dls_error *err);
dls_status dls_joint_check(const dls_mechanism *m, const dls_joint *joint, dls_error *err);
dls_status dls_spring_check(const dls_mechanism *m, const dls_spring *spring, dls_error *err);
dls_status dls_touch_check(const dls_mechanism *m, const dls_touch *touch, dls_error *err);

/**
 * The system of a mechanism, which is copied. @return DLS_OK; DLS_ERR_ARG if an element is invalid or there is no body;
 * DLS_ERR_MEMORY
 */
dls_status dls_mechanism_system(const dls_mechanism *m, dls_system **out, dls_error *err);
/* Draw out->system, which dls_mechanism_system has made, at q: bodies as rods and polygons through their points; space
 * is drawn in oblique view. For `sketch` of models; p is unused. */
void dls_mechanism_sketch(const double *p, const double *q, dls_sketch *out);

#endif
