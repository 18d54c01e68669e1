/* ipc.h -- incremental potential contact: what its step and its energy identity share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IPC_H
#define DELASSUS_TIME_STEPPING_IPC_H

#include "time_stepping/step/contact_episode.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/joint_matrix.h"
#include <delassus/contact_system.h>

enum { DLS_IPC_EULER, DLS_IPC_BDF2, DLS_IPC_TRAPEZOIDAL };
enum { DLS_IPC_SCALING_H2, DLS_IPC_SCALING_ONE };
enum { DLS_IPC_GAP, DLS_IPC_SQUARED };

typedef struct dls_ipc_options {
  int rule, scaling, distance;
  double dhat, kappa, kappa_one, epsv; /* l_s, N/m, kg, l_s/s */
  size_t friction_iterations;
  int restitution;
  dls_newton_options newton;
} dls_ipc_options;

/** Constants of the barrier with a step of length h. */
typedef struct dls_ipc_barrier {
  double end;   /* d^ [m] */
  double kappa; /* kappa s/h^2: the force is kappa |b'| */
  bool squared; /* of the square of the gap */
} dls_ipc_barrier;

/** The force -dU/dg >= 0 of the barrier at g > 0 [N], and its slope d^2U/dg^2 [N/m]. */
double dls_ipc_force(const dls_ipc_barrier *barrier, double g, double *slope);
/** U(g) [J]. */
double dls_ipc_energy(const dls_ipc_barrier *barrier, double g);
/** The gap at which the barrier has this force [N]; its end for 0. */
double dls_ipc_rest_gap(const dls_ipc_barrier *barrier, double force);
/** Of a step of length h. */
dls_ipc_barrier dls_ipc_barrier_of(const dls_ipc_options *opt, double length, double h);

/** Restitution coefficients over the phases of the grid. */
typedef struct dls_ipc_rebounds {
  double least, most;
} dls_ipc_rebounds;
/** Of one contact with inverse mass W without other forces, which is met with this speed. @return false where that takes too many
 * steps, or W or h is not positive */
bool dls_ipc_restitution(int rule, const dls_ipc_barrier *barrier, double h, double speed, double W,
                         dls_ipc_rebounds *e);

/** An iterate of a step: v', q', the gaps there, and the impulses of contacts. */
typedef struct dls_ipc_iterate {
  double *v, *q;     /* n */
  double *g;         /* m */
  double *smooth;    /* n: M (v_ref - v') + beta F */
  double *gamma, *D; /* rows, 9 m: beta f, and -d gamma/d u, of the contacts in the set, in its order */
} dls_ipc_iterate;

typedef struct dls_ipc {
  /* constants */
  double epsv; /* m/s */
  dls_newton newton;
  double tolerance;
  /* state */
  double *a;                     /* n, trapezoidal: acceleration at the node */
  double *q_last, *v_last;       /* n, bdf2: at the node before */
  double h_last;                 /* of the last step; 0: none */
  double *f, *f_before;          /* rows: contact forces at the node, and at the node before */
  double *gap;                   /* m: at the start of the last step */
  dls_contact_episode *episodes; /* m */
  /* step */
  dls_ipc_barrier barrier;
  double t_next, beta;   /* v' = v_ref + beta a', q' = q_ref + beta v' */
  double *v_ref, *q_ref; /* n */
  double *lagged;        /* m: normal forces of friction */
  /* scratch */
  dls_configuration config; /* at the iterate */
  dls_factor *A;            /* M + beta C + beta^2 K; without joints */
  dls_joint_matrix joint;   /* the same with joints */
  double factored;          /* beta of A; 0: none */
  dls_delassus *W;          /* H^T A^-1 H; NULL without contacts */
  dls_contact_system mass;  /* in the mass metric: start, velocities of joints */
  dls_contacts set;         /* contacts of the iterate with a force or friction */
  dls_ipc_iterate now, tried;
  double *dv, *force, *y;   /* n; n; rows: scratch */
  double *one;              /* 9 m: unit matrices */
  double *c, *nu, *nu_hold; /* r: scratch; impulses of joints; those that project the velocity */
  size_t *rows;             /* of the set */
  double *block;
} dls_ipc;

#endif
