/* multibody.h -- a mechanism prepared for evaluation: joints, springs and contacts as affine vectors of q.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MULTIBODY_MULTIBODY_H
#define DELASSUS_MODELS_MULTIBODY_MULTIBODY_H

#include "common/models/multibody/affine.h"
#include "common/models/multibody/mechanism.h"

/* Phi = scale A . U - c; of a driven angle scale A . (cos(phi) V - sin(phi) U). All are lengths [m]. */
typedef struct dls_equation {
  const dls_affine *A, *U, *V; /* V: driven joints only, else NULL */
  double scale, c;
  const dls_joint *drive;                   /* of a driven joint */
  const char *owner;                        /* name of the joint or body */
  const char *part;                         /* "unit director" */
  unsigned char place[3][DLS_AFFINE_TERMS]; /* of the terms of A, U, V: their first entry in the column of G */
} dls_equation;

/* n . s <= c in the tangents of a face. */
typedef struct dls_edge {
  double n[2], c;
} dls_edge;

typedef struct dls_compiled_touch {
  const dls_touch *touch;
  const dls_affine *A;    /* p_A, or p_A - p_B */
  const dls_affine *N;    /* normal; NULL: A / |A| */
  double offset;          /* g = N . A - offset, |A| - offset */
  double n0[3], t0[2][3]; /* normal and tangents at the start */
  dls_edge *edges;        /* of the hull of a face's points; owned */
  size_t edge_count;      /* 0: the extent is unknown */
} dls_compiled_touch;

typedef struct dls_multibody {
  dls_mechanism m; /* with copies of its parts */
  double lambda;   /* m: of the coordinates of directors, lambda d */
  size_t *at;      /* body: first of its coordinates */
  size_t n;
  dls_equation *equations;
  size_t equation_count;
  dls_affine *affines; /* owns all of them */
  size_t affine_count;
  const dls_affine **springs;
  dls_compiled_touch *touches;
  double *load; /* n: gravity */
} dls_multibody;

/* --- frames.c: bodies --- */
/* Number of coordinates of a body. */
size_t dls_body_size(dls_body_kind kind, size_t dim);
/* Initial natural coordinates of a body and their rates; directors of length 1. */
void dls_body_start(const dls_mechanism *m, const dls_body *body, double *q, double *v);
/* Masses of its coordinates, of directors of length 1. */
void dls_body_masses(const dls_mechanism *m, const dls_body *body, double *mass);
/* X of a vector w in space at the start: w = sum X_i d_i. The body must have axes. */
void dls_body_components(const dls_mechanism *m, const dls_body *body, const double w[3], double X[3]);
/* Add the point X of a body, or (whole false) the vector X, times factor. */
void dls_affine_add_point(dls_affine *A, const dls_multibody *mb, size_t body, const double X[3],
                          double factor);
void dls_affine_add_vector(dls_affine *A, const dls_multibody *mb, size_t body, const double X[3]);
/* Two unit vectors perpendicular to a unit vector, which is the third of a right-handed triple. */
void dls_across(const double a[3], double b[3], double c[3]);
/* x / |x|; false if x = 0 or not finite */
bool dls_unit(double x[3]);

/* --- equations.c --- */
/* Equations of all bodies and joints; the caller provides the room. */
size_t dls_equations_most(const dls_mechanism *m);
void dls_equations_make(dls_multibody *mb);
/* Of equation j, in the storage that all its gradients have. */
void dls_equation_places(dls_equation *e, const dls_matrix *G, size_t j);
void dls_joint_equations(const dls_system *sys, double t, const double *q, double *phi);
void dls_joint_rates(const dls_system *sys, double t, const double *q, double *phi_t);
void dls_joint_gradients(const dls_system *sys, double t, const double *q, dls_matrix *G);
void dls_joint_curvatures(const dls_system *sys, double t, const double *q, const double *v, double *c);
void dls_joint_geometric(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K);
void dls_equation_name(const dls_system *sys, size_t i, char *text, size_t size);

/* --- touches.c --- */
void dls_touches_make(dls_multibody *mb, const double *q0);
double dls_touch_gap(const dls_multibody *mb, size_t j, const double *q);
void dls_touch_gaps(const dls_system *sys, double t, const double *q, double *g);
void dls_touch_gradients(const dls_system *sys, const double *q, dls_matrix *H);
void dls_touch_curvatures(const dls_system *sys, double t, const double *q, const double *v, double *c);
void dls_touch_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T);
void dls_touch_slips(const dls_system *sys, double t, const double *q, const double *v, double *c);
void dls_touch_name(const dls_system *sys, size_t alpha, char *text, size_t size);

/* --- faces.c --- */
/* Edges of all faces. @return false if out of memory */
bool dls_faces_make(dls_multibody *mb);
double dls_face_outside(const dls_system *sys, double t, const double *q, size_t alpha);
double dls_smallest_body(const dls_mechanism *m);
void dls_touch_bodies(const dls_system *sys, size_t alpha, char *text, size_t size);

/* --- springs.c --- */
void dls_spring_forces(const dls_system *sys, double t, const double *q, const double *v, double *F);
void dls_spring_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K);
void dls_spring_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C);
double dls_mechanism_potential(const dls_system *sys, const double *q);

/* A new affine vector of the mechanism. */
static inline dls_affine *dls_affine_new(dls_multibody *mb)
{
  return &mb->affines[mb->affine_count++];
}

#endif
