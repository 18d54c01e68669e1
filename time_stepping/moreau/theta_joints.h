/* theta_joints.h -- joints in a theta-step, where their gradients G are taken at two places:
 *
 *   M (v' - v) = h F_theta + H P + D nu,   C^T v' = c                                                     (1)
 *   midpoint    D = G(q_m),  C = G(q'), c = -dPhi/dt   order 2, q_m = (q + q')/2
 *   end         D = C = G(q'), c = -dPhi/dt            order 1
 *   conserving  D = C = G(q_m), c = -C^T v - 2 dPhi/dt: Phi' = Phi where Phi is quadratic, energy with it
 *
 * The joints' reaction to P acts along C, so that the problem of the contacts is symmetric. Then q' is projected on the nearest position
 * with Phi = 0. On contacts that had an impulse or are penetrated it also satisfies g >= 0 (direct), or g = 0 on a set that grows until
 * no contact penetrates (combined).
 * Source: Acary 2013, projected event-capturing schemes; the midpoint is this project's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_JOINTS_H
#define DELASSUS_TIME_STEPPING_THETA_JOINTS_H

#include "time_stepping/step/joint_matrix.h"
#include "time_stepping/step/projection.h"
#include "time_stepping/step/velocity_contact.h"

/** Options of schemes with joints. */
typedef struct dls_joint_options {
  int joints, projection;
} dls_joint_options;
typedef enum dls_joint_places { DLS_JOINTS_MIDPOINT, DLS_JOINTS_END, DLS_JOINTS_CONSERVING } dls_joint_places;
typedef enum dls_joint_projection {
  DLS_PROJECT_DIRECT,
  DLS_PROJECT_COMBINED,
  DLS_PROJECT_NONE
} dls_joint_projection;
extern const char *const dls_joint_place_choices[], *const dls_joint_projection_choices[];
#define DLS_JOINT_OPTIONS(at)                                                                                  \
  DLS_CHOICE_OPTION(at, dls_joint_options, joints,                                                             \
                    "where gradients of joints are taken: midpoint (forces at the midpoint, condition at the " \
                    "end; order 2), end (both at the end; order 1), conserving (both at the midpoint)",        \
                    0, dls_joint_place_choices),                                                               \
      DLS_CHOICE_OPTION(                                                                                       \
          at, dls_joint_options, projection,                                                                   \
          "systems with joints only: positions at the end of a step are projected on them, and on "            \
          "contacts (direct); contacts are found by doing so (combined); none",                                \
          0, dls_joint_projection_choices)

typedef struct dls_theta_joints {
  const dls_joint_options *opt;
  size_t n;
  double weights[3];         /* of M, C, K in A */
  dls_factor *A;             /* M + ..: of the contacts; borrowed */
  dls_joint_matrix smooth;   /* (1) without P */
  dls_joints *contact;       /* A w = H P + C nu_P, C^T w = 0; NULL without joints */
  bool touching;             /* the step has active contacts */
  dls_projection projection; /* of contacts that had an impulse */
  double *jump, *force, *y;  /* n: w, A w; of the last iteration */
  double *middle;            /* n: q_m; scratch */
  double *c, *nu, *rate;     /* r; nu: of the smooth part; scratch */
  double *gap;               /* m */
  double *block;
} dls_theta_joints;

/** Refuse a projection for a system without joints, where it has no effect; `none` is accepted. */
dls_status dls_theta_joints_unused(const dls_sim *sim, dls_error *err);
/** For a system with joints. @param[in] A  M + .. of the step; borrowed; destroy in any case */
dls_status dls_theta_joints_create(dls_sim *sim, const dls_configuration *config, dls_factor *A,
                                   const dls_joint_options *opt, dls_theta_joints *j, dls_error *err);
void dls_theta_joints_destroy(dls_theta_joints *j);
/** A step begins, with so many active contacts. */
void dls_theta_joints_begin(dls_theta_joints *j, size_t active);
/**
 * An iteration of the smooth part y = v' - w, whose residual the contacts and their joint forces do not enter.
 * @param[in]     weights  of M, C and K in A, which is weighed, not factored
 * @param[in]     s        dq'/dv'
 * @param[in]     q_next, v_next  the iterate
 * @param[in,out] x        n; h F_theta - M (v' - v) in, y out, which is v' without contact
 */
dls_status dls_theta_joints_free(const dls_sim *sim, dls_theta_joints *j, double h, const double *weights,
                                 double s, const double *q_next, const double *v_next, double *x,
                                 dls_error *err);
/** Contacts have made v_next of v_free: w is the difference. */
void dls_theta_joints_struck(dls_theta_joints *j, const double *v_free, const double *v_next);
/** sim->mu := (nu + nu_P)/h. */
void dls_theta_joints_multipliers(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                  double h);
/** q[n] at the end of the step, projected. */
dls_status dls_theta_joints_project(dls_sim *sim, dls_theta_joints *j, const dls_velocity_contact *contact,
                                    double t, double *q, dls_error *err);
/** combined: the contacts that q penetrates, or touches, join those that are active. @return whether there is one */
bool dls_theta_joints_grow(const dls_sim *sim, dls_theta_joints *j, dls_velocity_contact *contact, double t,
                           const double *q);

#endif
