/* event_driven/event_integrator.h -- the event-driven integrator between the calls of the driver, and the functions of its
 * parts.
 *
 *   geometry.c          what the configuration gives: contacts, free motion, projections
 *   friction/slip.c     slip of the closed contacts
 *   friction/slow_slip.c  slow slip in space, whose direction follows the forces
 *   smooth.c            the smooth dynamics with fixed index sets, error weights
 *   newton.c            their derivative for implicit integrators, by blocks
 *   roots.c             the root functions in force: gaps of open contacts, forces of closed ones, friction
 *   explicit_time.c     loads and supports that depend explicitly on time
 *   search.c            the first event of one step on its dense output
 *   nodes.c             how dense the nodes inside a step have to be
 *   friction/mode_changes.c  contact modes at events: which contacts stick, which slip
 *   friction/slip_end.c the end of slip in space
 *   accumulation/simultaneous.c  impacts at almost the same time: one event or several, and whether their order matters
 *   accumulation/local_pass.c  the motion of contacts near an accumulation, with constant coefficients
 *   sensitivity/        derivatives with respect to parameters
 *   event.c             the event itself: impact, acceleration level, index sets, record
 *   accumulation/accumulation.c  infinitely many impacts passed as one
 *   event_driven.c      the scheme: options, start, advance
 *
 * Calls go up this list only.
 *
 * The integrated vector is y = (q, v, x), n + n + d m entries, where x_alpha is the integral of W_alpha,alpha lambda_alpha since the last
 * event. With it the error control of the integrator includes the contact forces, also those of a system at rest.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_EVENT_INTEGRATOR_H
#define DELASSUS_EVENT_DRIVEN_EVENT_INTEGRATOR_H

#include "event_driven/accumulation/accumulation.h"
#include "event_driven/explicit_time.h"
#include "event_driven/friction/mode_changes.h"
#include "event_driven/friction/slow_slip.h"
#include "event_driven/integrator/engine.h"
#include "event_driven/roots.h"
#include "event_driven/sensitivity/tangents.h"
#include "event_driven/thresholds.h"
#include <delassus/contact_system.h>
#include <delassus/sim.h>
#include <stdbool.h>
#include <stddef.h>

/** Whether the gap function of an open contact is watched at 0 or a little below. */
typedef enum dls_gap_threshold {
  DLS_GAP_THRESHOLD_ZERO, /* event where g falls below 0 */
  DLS_GAP_THRESHOLD_LEAVING, /* left g = 0 slowly, or from a little below: event where g falls below -eps_g / 2 or less */
  DLS_GAP_THRESHOLD_GRAZING, /* about to touch without crossing -eps_g / 2 */
} dls_gap_threshold;

typedef struct dls_contact {
  bool closed; /* alpha in Is: g = u = 0, the force is an unknown */
  dls_gap_threshold gap_threshold;
  bool graze_expected;    /* the integrator's root finder has found its first crossing */
  double threshold_depth; /* how far below 0 the event lies, unless the threshold is 0 [m] */
  double peak;            /* largest |u| since the contact opened [m/s] */
  double weight;          /* W_alpha,alpha at the last event: turns a force into an acceleration [1/kg] */
  bool weighed;
  double
      end_time_error; /* error of the end of its series of impacts, by the flights since it was last closed [s] */
  double
      last_compression; /* while it is closed: the last time at which its force was compressive, or at which it closed [s] */
  bool has_friction;     /* it has friction; then, while it is closed: */
  bool slip_established; /* its slip has exceeded dls_slip_established_speed */
  bool
      slips_slowly; /* its slip, in space, is below slow_slip_limit [m/s] and has the direction of slow_slip.h */
  double slow_slip_limit;
  dls_contact_mode mode;
} dls_contact;

/** What is known at one end of a step. */
struct dls_step_end {
  double t;
  double *y, *dy; /* state and its derivative, 2 n + m */
  double *g;      /* m */
  dls_point *p;   /* of every root in force */
  bool inside;    /* p has the slopes that follow from the dense output alone */
};

typedef struct dls_located_event {
  dls_located_kind kind;
  double t;
  size_t contact, root; /* root: which of root fell; only of crossings, grazes, releases */
  bool root_missed;     /* found by the guard, before any root of the integrator's own root finder */
} dls_located_event;

/** A root in the search of a step for events. */
typedef struct dls_root_scan {
  dls_point clear;         /* no event before it */
  double derivative_bound; /* of its dense output, per sixth power of a length; < 0: not known */
} dls_root_scan;

/** A contact that takes part in an event: closed, or |g| <= eps_g and not separating. */
struct dls_participant {
  size_t contact;
  double gap;                      /* as found, before it is projected [m] */
  double u_minus, u_plus, impulse; /* u_minus is 0 where it counts as none */
  bool closing;                    /* was open and comes down */
  bool painleve;                   /* an impulse without collision stopped its slip */
  bool stationary;                 /* it has friction and no slip after the impact */
  bool merged;                     /* its impact is merged with others, and another order gives another v+ */
  double slip_minus[2], slip_plus[2], friction[2]; /* d - 1: slip, and impulse along the tangents */
};

/** Contacts whose impacts are merged into one event, although v+ depends on their order. */
typedef struct dls_merge {
  size_t count, contact[DLS_MERGED_MOST]; /* the first of them; count = 0: none */
  double dv, du; /* largest difference of v, and of the velocity of a gap, by another order [of v, m/s] */
  size_t orders, unsolved; /* orders compared with the impacts at once, and those without a result */
} dls_merge;

/** Uncertainty by merged events: the sums of their differences, and the time of the first. Infinite if an order was not solved. */
typedef struct dls_uncertainty {
  double since, dv, du;
} dls_uncertainty;

/** A contact without a force, as its friction takes the normal force away. */
typedef struct dls_painleve {
  size_t contact;
  double A, beta, force; /* leverage [1/kg], free acceleration of the gap [m/s^2], last lambda_N [N] */
} dls_painleve;

/** What the acceleration level says about a contact with g = u = 0. */
typedef enum dls_contact_decision {
  DLS_DECISION_CLOSED,
  DLS_DECISION_OPEN,
  DLS_DECISION_UNDECIDED
} dls_contact_decision;

/** How events are found: by the integrator's root finder, or by the search on the dense output alone. */
typedef enum dls_finder { DLS_FIND_INTEGRATOR, DLS_FIND_HULL } dls_finder;

typedef struct dls_tolerances {
  double tol;          /* relative, as asked for */
  double rtol, atol_v; /* of the integrator [1, m/s] */
  double least_rtol;   /* its round-off */
  double slack;        /* factor of the error allowed in a step */
  double event;        /* time of an event [s] */
  double g, a, z;      /* gap [m], acceleration [m/s^2], velocity of an accumulation [m/s] */
  double u;            /* gap velocity, relative to the flight's largest */
  double s;            /* slip up to this is about to end, or has only begun [m/s] */
  double remaining;    /* an accumulation over in this time may be passed at any speed [s] */
  size_t max_events;
  bool by_sign;         /* closed contacts are released by the sign of their bilateral force, for teaching */
  bool painleve_impact; /* an impulse stops the slip of a contact without a force; otherwise the run ends */
} dls_tolerances;

/** The smooth dynamics where they were evaluated last: the integrator, its root finder and the record ask for the same
 * state in turn. */
typedef struct dls_memo {
  bool valid; /* for the index sets as they are */
  double t, *q, *v, *a, *lambda;
} dls_memo;

/** For implicit integrators and constant M and H; otherwise all is NULL. */
typedef struct dls_newton {
  dls_factor *A;   /* M + gamma C + gamma^2 K */
  dls_delassus *W; /* H^T A^-1 H; NULL if m = 0 */
  double gamma;    /* [s] */
  double *r;       /* n */
} dls_newton;

enum {
  DLS_NODES = 4,
  DLS_SAMPLES = DLS_NODES + 2
}; /* nodes that give a slope by differences, besides the node itself */
enum { DLS_METHOD_AUTO = DLS_ENGINE_FLOW + 1 };

enum { DLS_WINDOW = 100 }; /* impacts remembered, for the report of chattering */

/** What does not change in a run: the system, the integrator and the tolerances. */
struct dls_event_method {
  const dls_system *sys;
  size_t n, m, d;      /* degrees of freedom, contacts, rows of a contact */
  size_t size;         /* 2 n + d m */
  size_t samples_size; /* a, lambda, u, slip, mu: n + 2 d m + r */
  dls_engine_method integrator;
  dls_tolerances eps;
  dls_finder finder;
  bool guard; /* search for events that the integrator's root finder misses */
  bool cubic; /* columns of meaning DLS_CUBIC are recorded at every node */
};

/** What the motion has come to: index sets, the last step and its event, and the history that later decisions need. */
struct dls_event_state {
  /* Index sets and modes. */
  dls_contact *contact;   /* m */
  dls_contacts active;    /* Is */
  dls_contact_mode *mode; /* m: modes in the last forces */
  bool split_stored;      /* redundant rows split forces like: */
  double *reaction_split; /* d m */
  bool
      without_relaxation; /* slow slip does not relax to its direction: a smooth function of all directions of the state */
  size_t solutions;      /* of the last acceleration level; 0: not known */
  dls_painleve painleve; /* found by it */
  double scale;          /* of the absolute tolerances, <= 1: size of the motion after the last impact */
  bool uncontrolled;     /* since the last event, integrated impulses do not limit the step (smooth.c) */
  bool was_uncontrolled; /* that has been so before */
  dls_status failure;    /* of the right-hand side, with its message */
  dls_error why;

  /* The last step, or what remains of it after a grazing, and its first event. */
  double end; /* the latest time to go to */
  double
      next_break; /* loads, supports, surfaces or their derivatives jump next; steps beyond take those before */
  double restarted; /* time of the last restart of the engine [s] */
  dls_step_end left, right;
  dls_root *root; /* the root functions in force, by contact */
  size_t roots;
  double bracket; /* > 0: the integrator's root finder has seen a root so far before the right end */
  dls_located_event bracketed; /* the first of those in between */
  dls_located_event located;   /* first event in between */
  double located_error;        /* of its time, by the local error of the gap that closes [s] */
  double spacing; /* of the nodes in between, so that Hermite interpolation is accurate; inf: none */

  /* The event. */
  dls_participant *participant; /* indices increasing */
  size_t participant_count;
  size_t impact_solutions; /* of its impact */
  dls_merge merge;
  bool *was_closed;      /* m */
  dls_contact_mode *was; /* m: modes before the event */
  dls_accumulation_risk accumulation_risk;
  double unresolved; /* largest u+ / (1 - e) of its flights lower than the round-off of the gap [m/s] */

  /* The run so far. */
  size_t events;
  double impacts[DLS_WINDOW]; /* times of the last impacts, a ring */
  size_t impact_count;
  double impact_interval;      /* between the last two [s] */
  dls_uncertainty uncertainty; /* of all merged events */
  double strongest;            /* largest force of a closed contact, as the acceleration W lambda [m/s^2] */
  double slow_since;           /* begin of the last steps, which have hardly moved t [s] */
  size_t slow_steps;           /* their number */
  double *peak;                /* 2 n: scales of q and v (nodes.c) */
  double node[DLS_NODES];      /* times of the last nodes since the last jump, the latest first */
  size_t node_count;
};

/** What the parts compute with: nothing here outlives a call, apart from what is evaluated at the current place. */
struct dls_event_work {
  dls_engine *engine;
  dls_contact_system contacts; /* the current place, in the metric of M; contact at an instant */
  dls_newton newton;
  dls_mode_solver *solver;  /* NULL without friction */
  dls_slow_slip *slow_slip; /* NULL unless there is friction in space */
  dls_explicit_time explicit_time;
  dls_accumulation *accumulation; /* NULL if m = 0, and in systems that are only evaluated */
  dls_motion_tangents *tangents;  /* NULL: no derivatives */
  dls_memo memo;

  void *arrays;                        /* owns those of the state and of this, but for doubles */
  double *block;                       /* owns the vectors */
  double *scale;                       /* n: of the coordinates */
  double *q, *v, *a;                   /* n */
  double *y, *dy, *dddy, *dense_noise; /* 2 n + d m */
  double *g, *u, *curvature, *b, *x, *node_g, *node_u; /* m */
  double *rate;                                        /* m: b of u = H^T v + b, as evaluated last */
  double *u_minus, *u_free, *impulse, *force, *force_left, *lambda; /* d m */
  size_t *set, *subset, *down;    /* m: the participants, those that rest, those at g = 0 */
  size_t *held, held_rows;        /* d m: rows that are held, their number */
  dls_contact_decision *decision; /* 2 m */

  dls_root_scan *scan; /* of every root in force */
  dls_point *sampled;  /* every root in force at an instant of explicit time */

  /* nodes.c */
  double *samples, *differences; /* 6 and 5 x samples_size: the last of them, in a step */
  double *largest, *allowed;     /* samples_size: their scales so far; errors */
  double *derivatives;           /* 6 x samples_size: h^k times the k-th, of each */
  double *cubic_error;           /* 2 n: of v at two instants of a step */
  dls_memo sample_memo;          /* of samples, which leave that of the run alone */
  dls_contact_mode *spare_mode;  /* m: those of the run meanwhile, or those of a projection */
};

/** An event-driven run. A function takes the groups that it uses; one that uses most of them takes the run. */
struct dls_event_integrator {
  dls_sim *sim;
  dls_event_method method;
  dls_event_state state;
  dls_event_work work;
};

/** Velocity of coordinate i that counts as 0 in the error of a step. That of positions is rtol times their scale. */
static inline double dls_absolute_tolerance_v(const dls_event_integrator *run, size_t i)
{
  return run->method.eps.rtol * run->work.scale[i] / run->method.sys->time;
}

/** Does this located event change nothing that is recorded? */
static inline bool dls_located_is_quiet(const dls_located_event *located)
{
  return located->kind == DLS_LOCATED_DRIFT || located->kind == DLS_LOCATED_FAST_SLIP ||
         located->kind == DLS_LOCATED_BREAK || located->kind == DLS_LOCATED_CUT;
}

/* workspace.c */

/** Allocate the arrays, with n, m, d, size given. @return false if out of memory; destroy it in any case */
bool dls_event_integrator_allocate(dls_event_integrator *run);
/** The contact system, and with friction its modes. loose, baumgarte: of the contact system */
dls_status dls_event_integrator_create_contacts(dls_event_integrator *run, bool loose, double baumgarte,
                                                dls_error *err);
/** Frees all parts; NULL is fine. */
void dls_event_integrator_destroy(dls_event_integrator *run);

/* geometry.c */

/** t, or the last instant before the next break. */
double dls_geometry_before_break(const dls_event_state *state, double t);
/** Evaluate M, H and what depends on them at (t, q). */
dls_status dls_geometry_set(const dls_event_state *state, dls_event_work *work, double t, const double *q,
                            dls_error *err);
/** u := H^T v + b(t, q) with the current geometry; rate := b. */
void dls_geometry_gap_velocity(const dls_event_method *method, dls_event_work *work, double t, const double *q,
                               const double *v);
/** Weight of contact j, which takes part in an event, with the current geometry, unless it is known. Overwrites a. The weight of a contact
 * that never takes part is not needed: its force is 0, and the weights of all contacts would cost a solve each. */
void dls_geometry_contact_weight(dls_event_integrator *run, size_t j);
/** Round-off of the gap of contact j at (t, q), in units of sum_i |H_ij q_i| + |w_j| + |b_j| t. Coordinates that the gap does not contain
 * do not count, nor does the size of s(t) in g = H^T q + w + s(t), which is that of the other terms where g is small. Uses the gradient
 * and b that were evaluated last [m]. */
double dls_geometry_gap_round_off(const dls_event_integrator *run, size_t j, double t, const double *q);
/** normal[m], tangential[(d - 1) m] := the rows of r. */
void dls_geometry_split_rows(const dls_event_method *method, const double *r, double *normal,
                             double *tangential);
/** a := M^-1 F with the geometry at q. */
void dls_geometry_free_acceleration(dls_event_integrator *run, double t, const double *q, const double *v,
                                    double *a);
/** b := H^T M^-1 F + (dH^T/dt) v on the set: the acceleration of the gaps without contact forces, with the geometry at q. */
void dls_geometry_free_gap_acceleration(dls_event_integrator *run, double t, const double *q, const double *v,
                                        size_t count, const size_t *set, double *b);
/** With joints: a, mu of M a = F + H lambda + G mu, with the geometry at q. Without joints: nothing. */
void dls_geometry_multipliers(dls_event_integrator *run, double t, const double *q, const double *v,
                              const double *lambda, double *a, double *mu);
/** Record that this many rows of the contacts of an impact or of the closed contacts depend on others. */
void dls_geometry_count_redundant(dls_sim *sim, size_t redundant);
/** work.held := the rows of u that the set holds: normals and, of contacts that stick, `tangents`. @return how many */
size_t dls_geometry_hold_rows(dls_event_integrator *run, const dls_contacts *set, bool tangents);
/** q, v := nearest in the mass metric with g = 0 on `down`, then u = 0 on the `held` rows of the subset (tangents where a contact sticks)
 * at the time of the event; impulse of those rows := what that takes. The geometry is then that there. */
dls_status dls_geometry_project(dls_event_integrator *run, size_t down, size_t rest, dls_error *err);
/** Add the impulses of the rows held last to those of the participants. */
void dls_geometry_add_held_impulses(dls_event_integrator *run, size_t count);
/** Have joints drifted at the right end by more than drift_joints of eps.g, or of eps.u for the velocity? */
bool dls_geometry_joints_drift(dls_event_integrator *run);
/** In a singular configuration, drift far below any tolerance decides the forces of joints and the projections. Long steps pass such a
 * configuration unharmed; a step or node that lies in it does not. @return DLS_OK; DLS_ERR_SINGULAR where joints were evaluated last */
dls_status dls_geometry_check_rank(const dls_event_work *work, const dls_sim *sim, double t, dls_error *err);
/** With joints: q, v := nearest in the mass metric with Phi = 0, and g = u_N = 0 on the set; the geometry is then that there. */
dls_status dls_geometry_project_joints(const dls_event_state *state, dls_event_work *work, double t,
                                       const dls_contacts *set, double *q, double *v, dls_error *err);

/* smooth.c */

/** a, lambda of M a = F + H lambda, Gamma = 0 on Is, lambda = 0 elsewhere; a[n], lambda[d m]. */
dls_status dls_smooth_dynamics(dls_event_integrator *run, double t, const double *q, const double *v, double *a,
                               double *lambda, dls_error *err);
/** If steps fail or become too small and contacts are closed: exclude contact impulses from the error control until the next event. They
 * only serve to interpolate the forces; tol still applies to q and v. @return false: there is nothing to exclude */
bool dls_smooth_drop_impulse_control(dls_event_state *state, dls_sim *sim);
/* Callbacks of the engine; data is the event integrator. */
int dls_smooth_rhs(void *data, double t, const double *y, double *dy);
void dls_smooth_weights(void *data, const double *y, double *w);
/** Allowed local error of gap j by the integrator, at q, v [m]. */
double dls_smooth_gap_tolerance(const dls_event_integrator *run, size_t j, const double *q, const double *v);
/** The failure of a callback if there is one, else the engine's. */
dls_status dls_smooth_failure(const dls_event_state *state, const dls_sim *sim, dls_status status,
                              dls_error *err);

/* newton.c */

/** @return false if out of memory; destroy it in any case */
bool dls_newton_create(dls_event_integrator *run);
void dls_newton_destroy(dls_event_work *work);
/* Callbacks of the engine. */
int dls_newton_setup(void *data, double t, const double *y, double gamma, bool *fresh);
int dls_newton_solve(void *data, double *b);
/** The same with the transposed matrix of (dq, dv), for the adjoint equation; b: 2 n. */
int dls_newton_solve_transposed(void *data, double *b);

/* search.c */

/** located := the first event in [left, right] of the last step, bracketed := the first that the integrator found. */
dls_status dls_search_step(dls_event_integrator *run, dls_error *err);

/* nodes.c */

/** spacing := that of the nodes between left and the event, or right, for which cubic Hermite interpolation is as accurate as tol;
 * infinity where nodes are neither recorded nor watched. */
void dls_nodes_plan(dls_event_integrator *run);
/** A node at sim->t. */
void dls_nodes_record(dls_event_state *state, dls_sim *sim);

/* simultaneous.c */

/** Local error of gap j in the last step, at (t, q, v), at least round-off [m]. */
double dls_simultaneous_gap_error(const dls_event_integrator *run, size_t j, double t, const double *q,
                                  const double *v);
/** Error of g/|u| by the local error of gap j, at the event; 0 where the gap does not close [s]. */
double dls_simultaneous_time_error(const dls_event_integrator *run, size_t j);
/** Does gap j, with u < 0, close at the time of the event, up to the error of the difference of both times? */
bool dls_simultaneous_closes(const dls_event_integrator *run, size_t j);
/** The merge of the participants, before their impact; adds to the uncertainty. Geometry as at the event.
 * @param[in] zero  velocities up to this are 0 [m/s] */
dls_status dls_simultaneous_try_orders(dls_event_integrator *run, size_t count, const double *v_before,
                                       double zero, dls_error *err);
/** Change of a gap by t due to the uncertainty, to first order [m]. */
double dls_simultaneous_gap_uncertainty(const dls_event_state *state, double t);

/* event.c */

/** Process the located event from the state (q, v) there: new sim state, new index sets, engine restarted.
 * @param[out] changed  false for a grazing that changes nothing; then the engine continues */
dls_status dls_event_process(dls_event_integrator *run, const double *q, const double *v, bool *changed,
                             dls_error *err);
/** The forces and accelerations of the sim's left limits, with the index sets before the event, at q of the event and v. */
dls_status dls_event_left_limits(dls_event_integrator *run, const double *v, dls_error *err);
/** Is := the contacts of the subset, which rest, that stay closed; a, lambda := what follows. */
dls_status dls_event_acceleration_level(dls_event_integrator *run, size_t rest, dls_error *err);
/** Stop the slip of the contact in a Painleve paradox by an impulse; then the acceleration level again. */
dls_status dls_event_resolve_painleve(dls_event_integrator *run, size_t count, dls_error *err);
/** The engine starts from q, v at the time of the event.
 * @param[in] scale   size of the motion, <= 1
 * @param[in] flight  the shortest that begins [s]; 0: none */
dls_status dls_event_restart(dls_event_integrator *run, double scale, double flight, dls_error *err);
/** q, v and the impulses of the participants become the sim's. */
void dls_event_commit(dls_event_integrator *run, size_t count);
/** Slip, friction and work of the impulses of a contact, (u- + u+) p / 2, into its event. */
void dls_event_record_work(const dls_event_method *method, const dls_participant *participant,
                           dls_event *event);

/* accumulation.c */

/**
 * After an event that left an accumulation risk: pass infinitely many impacts as one, if that can be done accurately.
 * @param[in]  end     the latest time to go to
 * @param[out] passed  the sim's state is now that after the accumulation
 */
dls_status dls_accumulation_pass(dls_event_integrator *run, double end, bool *passed, dls_error *err);

#endif
