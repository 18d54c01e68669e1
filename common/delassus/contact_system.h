/* delassus/contact_system.h -- contact at an instant: everything that a scheme does with its contacts, on one set of them.
 *
 *   impulse     u+ = W r + u_free with the law of each contact on u+ and u-           velocity level
 *   force       u' = W r + u'_free with 0 <= u'_N  _|_  r_N >= 0, and friction          acceleration level
 *   reaction    the same with u'_N = 0: contacts that stay closed
 *   project_q   q := nearest with g = 0;     project_v   v := nearest with u_N = 0
 *
 * W = H^T A^{-1} H with the H of a configuration. A is its mass matrix, or the iteration matrix of a scheme. In the mass metric of a
 * system with joints their projector S replaces A^{-1}, and projections satisfy the joints too. Vectors of a set are
 * blocks of d rows for each contact, in the order of the set. Nothing here allocates after creation, except what
 * dls_delassus_solve needs for more contacts than before.
 * Sources: Acary, lecture on nonsmooth mechanical systems, eqs. (9), (24)-(31).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_SYSTEM_H
#define DELASSUS_CONTACT_SYSTEM_H

#include <delassus/configuration.h>
#include <delassus/counters.h>
#include <delassus/delassus_operator.h>
#include <delassus/joints.h>
#include <delassus/law.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A set of contacts, indices increasing. */
typedef struct dls_contacts {
  size_t count, *index; /* room for m */
} dls_contacts;

/** The impulses of the last problem solved. The driver completes partial reports of schemes with them (reported.h). */
typedef struct dls_solved {
  double *r;   /* rows; 0 outside of the set */
  int *status; /* m; 1 where r_N > 0, 2 where the contact slips too, else 0 */
  double rest; /* m/s; |u^_T| up to this is 0 */
} dls_solved;

typedef struct dls_contact_system {
  dls_configuration *config; /* borrowed, or `own` */
  dls_configuration own;     /* in the mass metric */
  dls_work *work;            /* borrowed: what is counted */
  dls_factor *M;             /* of the configuration, factored; NULL where A is the scheme's */
  dls_joints *joints;        /* in the mass metric; NULL without joints, or where A is the scheme's */
  bool loose;                /* projections do not enforce the joints */
  double baumgarte;          /* 1/s: of the joints in accelerations */
  dls_delassus *W;           /* NULL without contacts */
  dls_lcp_solver *lcp;
  dls_problem_solver *problem; /* NULL without friction */
  dls_block *blocks;           /* m: scratch, with friction */
  double *mixture;             /* rows: c of u^ = u+ + c u- + bias */
  const double *bias;          /* rows, borrowed: a scheme's own term, as g/h of a linearised gap; NULL: none */
  bool associated;             /* the laws with friction are DLS_ASSOCIATED: the problem is convex */
  bool truncated;    /* an impulse that the solver's iterations leave inexact is accepted and counted */
  double theta;      /* the impulse works on (1 - theta) u- + theta u+ */
  bool sees_speed;   /* the law of some contact depends on u- */
  double *mixed;     /* rows: u^ of the set of the last impulse, with friction */
  double *curvature; /* rows: c of u' = H^T v' + c in the last force or reaction */
  double *mu;        /* m: coefficients of friction; the system's, unless a scheme sets others */
  double *slid;      /* rows: slips where a smooth interval began, for the force; 0 at first */
  bool in_interval;  /* one has begun */
  double *direction; /* rows: scratch; force of contacts that slip over its normal part */
  double *force;     /* rows: of the last force with friction in which nothing slipped, or of many contacts */
  double *unknown;   /* rows: scratch */
  double *dense;     /* W of the force with friction; grows */
  struct dls_friction_work *sliding; /* of that force; NULL before its first use */
  double *given;                     /* m: scratch; impulses of an expansion */
  bool *gives;                       /* m: scratch; NULL without such a law */
  double
      open; /* m/s^2, of the last force: gap accelerations above this open the contact; below it is rounding */
  double *q, *x, *r; /* rows: scratch */
  double *step;      /* n: scratch, with joints */
  size_t *rows;      /* rows: scratch */
  double *block;     /* owns the arrays of doubles */
} dls_contact_system;

/**
 * In the metric of A. Must be destroyed even after a failure.
 * @param[in] W      of place->H; taken over; NULL without contacts or if out of memory
 * @param[in] theta  the impulse of a step works on (1 - theta) u- + theta u+
 */
dls_status dls_contact_system_create(dls_configuration *config, dls_delassus *W, double theta, dls_work *work,
                                     dls_contact_system *contacts, dls_error *err);
/** In the metric of the mass matrix, with a configuration of its own at t = 0 and q0, where M is factored; theta = 1/2. */
dls_status dls_contact_system_create_mass(const dls_system *sys, dls_work *work, dls_contact_system *contacts,
                                          dls_error *err);
void dls_contact_system_destroy(dls_contact_system *contacts);
/** As created, for other values of the configuration's system (dls_system_take_values), where nothing expands. */
void dls_contact_system_restart(dls_contact_system *contacts);
/** mixture, sees_speed := those of the configuration's system, for a copy that has another system and the same M and H. */
void dls_contact_system_take_laws(dls_contact_system *contacts);
/** Evaluate the configuration at (t, q); q is borrowed. In the mass metric M is factored there. */
dls_status dls_contact_system_at(dls_contact_system *contacts, double t, const double *q, dls_error *err);

/** x := M^{-1} x; with joints S x. In the mass metric. */
void dls_contact_system_inverse(dls_contact_system *contacts, double *x);
/** Without contact forces, in the mass metric. @param[in,out] a  n; forces in, accelerations out */
void dls_contact_system_acceleration(dls_contact_system *contacts, const double *v, double *a);
/** dls_contact_system_at, then dls_contact_system_acceleration, with joints in less time. @return as dls_contact_system_at */
dls_status dls_contact_system_at_acceleration(dls_contact_system *contacts, double t, const double *q,
                                              const double *v, double *a, dls_error *err);

/** u[d count] := rows of H^T v + b on the set. */
void dls_contact_system_velocity(const dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                 double *u);
/** Mixtures of the set for u_minus[d count], of the laws that depend on it. All that solve for impulses call it. */
void dls_contact_system_approach(dls_contact_system *contacts, const dls_contacts *set, const double *u_minus);
/**
 * r with u+ = W r + u_free and the law of each contact.
 * @param[in]     u_free, u_minus  d count
 * @param[in,out] r                d count; start value in, solution out
 * @return as dls_lcp_solve; with friction as dls_problem_solve
 */
dls_status dls_contact_system_impulse(dls_contact_system *contacts, const dls_contacts *set,
                                      const double *u_free, const double *u_minus, double *r, dls_error *err);
/**
 * Number of solutions u+ of that impulse problem: for up to four contacts in the plane, or one in space, with friction and without
 * an expansion. Takes some microseconds, and up to a millisecond for four contacts.
 * @param[in]  r          of that impulse
 * @param[out] solutions  0: undecided
 * @return as dls_problem_count
 */
dls_status dls_contact_system_count(dls_contact_system *contacts, const dls_contacts *set, const double *u_free,
                                    const double *u_minus, const double *r, size_t *solutions, dls_error *err);
/**
 * Does contact k of the set of the last impulse slip: is r_T at the limit of friction and u^_T not 0?
 * @param[in] r     of that impulse
 * @param[in] rest  m/s: |u^_T| up to this is 0
 */
bool dls_contact_system_slips(const dls_contact_system *contacts, const dls_contacts *set, size_t k,
                              const double *r, double rest);
/** r with 0 <= (W r + q)_N _|_ r_N >= 0; q, r [d count]; r: start value in. */
dls_status dls_contact_system_solve(dls_contact_system *contacts, const dls_contacts *set, const double *q,
                                    double *r, dls_error *err);
/** x += H r; x[n]. */
void dls_contact_system_add_impulse(const dls_contact_system *contacts, const dls_contacts *set,
                                    const double *r, double *x);
/** v += alpha A^{-1} H r. */
void dls_contact_system_apply(dls_contact_system *contacts, const dls_contacts *set, double alpha,
                              const double *r, double *v);
/** The same, alpha = 1, as v += impulse column; column[n] NULL where r is 0.
 * @return false if more than one impulse is not 0, or the column is not kept */
bool dls_contact_system_single_impulse(dls_contact_system *contacts, const dls_contacts *set, const double *r,
                                       const double **column, double *impulse);

/** Normals do not restitute, whatever the laws: c_N = 0, and nothing expands. For schemes that set mixture and bias themselves. */
void dls_contact_system_inelastic(dls_contact_system *contacts);
/**
 * Impulses obey the associated law K* > u^ _|_ r in K in place of Coulomb's: a convex relaxation of the problem.
 * @param[in] method      of delassus/problem.h, for contacts without friction too; NULL: "auto"
 * @param[in] iterations  of that method, after which the best impulses are accepted; 0: until it converges
 * @return DLS_OK; DLS_ERR_OPTION; DLS_ERR_MEMORY
 */
dls_status dls_contact_system_relax(dls_contact_system *contacts, const char *method, size_t iterations,
                                    dls_error *err);

/**
 * A smooth interval begins with the slips in u[rows]. A contact at rest there keeps Coulomb's law between u' and r through the
 * interval, even if a stage of a method has made it slip. If a slip reverses, friction keeps its direction from the start.
 * NULL: no interval; friction opposes the slip at hand.
 */
void dls_contact_system_begin_interval(dls_contact_system *contacts, const double *u);
/**
 * Contact forces, and the acceleration with them. With friction, contacts with u_T != 0 slip with r_T = -mu r_N u_T/|u_T|. Where
 * u_T = 0, Coulomb's law holds between u' and r.
 * @param[in,out] a  n; in: without those forces, out: with them
 * @param[out]    r  rows: of all contacts, 0 outside of the set
 */
dls_status dls_contact_system_force(dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                    double *a, double *r, dls_error *err);
/** The same for contacts that stay closed: u'_N = 0 to rounding. v NULL: c of u' = H^T v' + c is contacts->curvature as it is. */
dls_status dls_contact_system_reaction(dls_contact_system *contacts, const dls_contacts *set, const double *v,
                                       double *a, double *r, dls_error *err);
/** q := nearest in the metric of A with g = 0 on the set, and Phi = 0, at time t. Leaves the configuration there. */
dls_status dls_contact_system_project_q(dls_contact_system *contacts, const dls_contacts *set, double t,
                                        double *q, dls_error *err);
/** v := nearest with u_N = 0 on the set and the joints satisfied. */
dls_status dls_contact_system_project_v(dls_contact_system *contacts, const dls_contacts *set, double *v,
                                        dls_error *err);
/**
 * v := nearest with u = 0 to rounding on rows, normals or tangents of contacts.
 * @param[in]  rows  count, increasing
 * @param[out] r     count: the impulses that this takes
 */
dls_status dls_contact_system_hold(dls_contact_system *contacts, size_t count, const size_t *rows, double *v,
                                   double *r, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
