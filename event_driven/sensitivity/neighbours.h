/* event_driven/sensitivity/neighbours.h -- the derivative of a function of the state along a direction (dt, dq, dv, dp).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_NEIGHBOURS_H
#define DELASSUS_EVENT_DRIVEN_NEIGHBOURS_H

#include "common/run/energy_slopes.h"
#include "event_driven/event_integrator.h"
#include "event_driven/integrator/load_series.h"
#include <delassus/sensitivity.h>
#include <math.h>

/** A system near that of the run, with the modes of the run. It evaluates, and is not integrated. */
typedef struct dls_neighbour {
  dls_sim *sim;
  dls_event_integrator *run;
  double phase_begin; /* the last break of its loads and supports: its counterpart of the run's [s] */
  bool shares;        /* M and W are those of another system, which has the same */
} dls_neighbour;

/** Terms of a linear system that change along a direction. */
typedef struct dls_changed_terms {
  bool M, K, C, load;             /* load: it depends on t */
  bool H, curvature;              /* of contacts: H or the tangents; c of u' = H^T v' + c */
  bool gap;                       /* at a fixed state, or it moves */
  bool law;                       /* law or coefficient of a contact */
  bool surface;                   /* velocity of a surface, or it depends on t */
  dls_matrix *by_M, *by_K, *by_C; /* derivatives; NULL: unchanged, or of another pattern */
} dls_changed_terms;

/** Derivatives by parameters that the system itself states (model_terms.c). */
typedef struct dls_model_terms_of {
  bool *given; /* count */
  dls_by_parameter out;
  double *block;
} dls_model_terms_of;

/** Slip of a contact in space that is followed to its end (slip_rest.c): what slopes of tangents need and leave. */
typedef struct dls_followed_slip {
  size_t contact;
  const double *dt; /* count: of the time of evaluation, which moves along the directions */
  double rate[2];   /* u_T' */
  double *change;   /* 4 count: D u_T, then D u_T' of each direction */
} dls_followed_slip;

enum { DLS_TANGENT_ORDERS = 12 }; /* of the multistep rule */

/** The multistep rule at its last node (multistep.c). */
typedef struct dls_tangent_history {
  int order, next_order, last_order; /* order 0: there is no node */
  double t;
  double h;            /* proposed, 0: none [s] */
  double rate;         /* of slopes by tangents, from the last step that evaluated them twice [1/s] */
  int skipped;         /* steps since */
  size_t worst;        /* direction with the largest error in the last step */
  bool without_forces; /* a slope had no derivatives of forces */
  bool follows;        /* see dls_tangent_multistep_follows: in the step that ends at */
  double judged_t;
  bool refused; /* the step to refused_t has been predicted, and its error is too large */
  double refused_t;
  double psi[DLS_TANGENT_ORDERS + 2], beta[DLS_TANGENT_ORDERS + 2], sigma[DLS_TANGENT_ORDERS + 2],
      g[DLS_TANGENT_ORDERS + 2]; /* from 1 */
} dls_tangent_history;

enum { DLS_TANGENT_TERMS = 20 }; /* degree of the series */

/** Tangents of a linear system in flight by Taylor series (tangent_series.c). */
typedef struct dls_tangent_series {
  bool linear;              /* the equations are */
  bool closed;              /* also while contacts are closed */
  bool with_motion;         /* (q, v) of the run is the first column of y, as a matrix depends on a parameter */
  bool steady;              /* loads do not depend on t */
  bool begun, failed;       /* in the present phase */
  bool any_ended;           /* a tangent, before it */
  bool no_memory;           /* for the arrays */
  bool was_closed;          /* contacts, in it */
  bool formed;              /* A is */
  size_t columns;           /* of A, a multiple of 4; 0: the matrices are not dense */
  double *A;                /* n x columns: M^-1 (-K, -C), padded by zeros */
  double *by;               /* the same for each direction, of their derivatives; with the motion */
  size_t rows;              /* of `whole`, a multiple of 4; 0: there is none */
  double *whole;            /* rows x size: A of (2) for open contacts, of all columns of y */
  bool whole_formed;        /* whole is */
  size_t inverse_columns;   /* of M^-1, a multiple of 4; 0: M is not dense */
  double *inverse, *column; /* n x inverse_columns: M^-1, padded by zeros; inverse_columns: scratch */
  double origin, unit;      /* [s] */
  int terms, used;          /* known, beside the first; in value */
  double enough;            /* s up to which `used` terms are enough */
  size_t size;              /* of y: 2 n times its columns */
  double *c;                /* (DLS_TANGENT_TERMS + 1) x size */
  double norm[DLS_TANGENT_TERMS + 1];
  double *w, *value;    /* size: 1 / error allowed */
  double rate;          /* 1 / unit [1/s] */
  double at_t;          /* to which the tangents were summed last, and tangents->rates with them [s] */
  double *w_load;       /* size / 2 */
  dls_load_series load; /* accelerations by loads */
  double *b;            /* DLS_LOAD_POINTS x size / 2: the same about the origin */
  double *zero;         /* n */
  double load_begin, load_end, load_next; /* [s]; proposed length of the next interval */
  double *block;
} dls_tangent_series;

typedef struct dls_accumulation_tangents dls_accumulation_tangents;
typedef struct dls_slip_rest dls_slip_rest;
typedef struct dls_slip_pass dls_slip_pass;

struct dls_motion_tangents {
  dls_sensitivity *result;  /* the sim's */
  double t;                 /* of the tangents */
  dls_fallbacks *fallbacks; /* the run's */
  dls_neighbour self;       /* the system of the run */
  dls_neighbour *near;      /* DLS_DIRECTION_SYSTEMS of each direction */
  size_t count, n;
  double *block;
  double *y;           /* size of the engine's state */
  double *q, *v;       /* n; a neighbouring state */
  double *q_event;     /* n; at the event in progress */
  const double *scale; /* n: of the coordinates, those of the run */
  double *value, *base, *by_p,
      *lower; /* values_size; of a function at it, at the state, derivatives by the parameter, and of lower order */
  double *dq, *dv, *out; /* n, n, values_size: along the direction at an event */
  size_t turns;          /* contacts whose slip may turn: m with friction in space, else 0 */
  bool turns_known;      /* those in x are up to date */
  size_t forces; /* contact forces and multipliers, d m + r, where their derivatives are asked for, else 0 */
  double *force_slopes; /* forces count: these derivatives, in the last slopes */
  double *x, *first, *mid,
      *last; /* size: tangents of all directions, 2 n each, then their turns (slopes.c); in a step: */
  double *rates,
      *rates_left; /* 2 n count: derivatives of x by t, where forces are asked for, and left limits; NULL: they are not */
  double *x_left;              /* 2 n count: left limits of x at an event */
  double *slope;               /* size */
  double *table;               /* DLS_TANGENT_COLUMNS x size: of the extrapolation */
  double *turn;                /* m: where x has none */
  double *slip_rate;           /* d m: of the run, where slopes are evaluated */
  bool begun;                  /* the first phase has begun */
  bool in_flight;              /* forces of the result are those of the last node in flight: 0, or NaN */
  double step;                 /* estimate of the next [s]; 0: none */
  dls_tangent_series series;   /* tangent_series.c */
  dls_tangent_history history; /* multistep.c: */
  double *end, *differences;   /* size, times DLS_TANGENT_ORDERS + 1: at its last node */
  double acceleration;         /* largest evaluated in the present step [m/s^2] */
  double *a, *lambda, *mu;     /* n, d m, r: of the run, where slopes are evaluated (slopes.c) */
  const dls_memo
      *memo; /* may have a and lambda there, as the state is one that the run has evaluated; NULL: it has not */
  size_t residuals;     /* n + 3 d m + r */
  double *by_parameter; /* residuals x count: their derivatives by the parameters */
  bool *together;       /* count: not in there, as one difference is along the state and the parameter */
  bool *differs;        /* count: the last difference along the state was not 0 */
  double *size;         /* count: of the tangents in the last slopes, for increments */
  double *by_slip,
      *by_slip_before; /* count: largest derivative of a slope by a velocity across slip, in the last
                                       slopes and where the step began [1/s] */
  dls_model_terms_of terms;
  bool exact;                            /* derivatives along the state need no differences */
  dls_configuration shifted;             /* of the run's system at a neighbouring state */
  dls_matrix *G, *K;                     /* of joints (joint_slopes.h); NULL: none */
  dls_changed_terms *changed;            /* count; where `exact` */
  dls_changed_terms any;                 /* of all directions */
  double *steady;                        /* n count: derivatives of steady loads */
  double *dt;                            /* count: of the time of a break */
  double *v_from, *a_from, *v_to, *a_to; /* n: between two of several impacts at once */
  double *u, *P;                         /* d m: of participants */
  double *last_speed;   /* m: |u-| of the last impact; 0: none, or an accumulation came after it */
  double *valid_within; /* count: as in dls_tangent, */
  double *waiting;      /* count x m: radii that count unless an accumulation follows */
  bool *switched;       /* m: of contacts that switch together, those so far */
  size_t *set;          /* m: contacts that close */
  dls_participant *hit; /* m: of one of several impacts at once */
  size_t *pressed,
      *place; /* m: contacts that an impact presses, and their places in its set (impact_slopes.c); */
  dls_contact_mode *struck; /* m: their modes */
  dls_side side[2];         /* falling, rising p: behind the present event */
  dls_accumulation_tangents *accumulation;
  dls_slip_rest *rest;         /* NULL without friction in space */
  dls_slip_pass *pass;         /* the same */
  dls_followed_slip *followed; /* NULL: none */
  dls_energy_slopes energy;    /* sys NULL: no integral of the energy can be asked for */
  double *
      energy_jump; /* count: of its integral by the present event: the energy that each impact loses times its dt;
                          NaN: not known yet */
  struct dls_tape
      *tape; /* for the adjoint equation: the tangents are directions of the state at events; else NULL */
};

enum { DLS_TANGENT_COLUMNS = 8 };

/** A function of the state of one system: out[size]. */
typedef dls_status (*dls_state_value)(dls_event_integrator *near, const void *data, double t, const double *q,
                                      const double *v, double *out, dls_error *err);

typedef struct dls_state_function {
  dls_state_value value;
  const void *data;
  size_t size; /* at most 2 n + d m, or what an accumulation needs */
} dls_state_function;

/** Where, and along which direction of the state; the parameter changes by 1. */
typedef struct dls_state_line {
  double t;
  const double *q, *v;
  double dt;
  const double *dq, *dv; /* NULL: 0 */
} dls_state_line;

enum { DLS_NO_PARAMETER = -1 };

/** The run's own system, like the run `model` without an engine. */
dls_status dls_neighbours_create_self(dls_motion_tangents *tangents, dls_event_integrator *model,
                                      dls_error *err);
/** The systems of all directions, after dls_slopes_create. */
dls_status dls_neighbours_create(dls_motion_tangents *tangents, dls_error *err);
void dls_neighbours_destroy(dls_motion_tangents *tangents);
/** All neighbours take over the modes of the run behind an event. */
void dls_neighbours_follow(dls_motion_tangents *tangents, const dls_event_integrator *run);
/** The same between events: in space slip becomes slow, or is established, without one. */
void dls_neighbours_take_modes(dls_motion_tangents *tangents, const dls_event_integrator *run);
/** With joints: all neighbours use the rank that the run has found. */
void dls_neighbours_follow_joints(dls_motion_tangents *tangents, const dls_event_integrator *run);
/** Contact j of the run's own system and of the neighbours of direction k is closed or not, with this mode. */
void dls_neighbours_switch(dls_motion_tangents *tangents, size_t k, size_t j, bool closed,
                           const dls_contact_mode *mode);
/** The same of one system, which keeps its mode. */
void dls_neighbour_set_closed(dls_event_integrator *near, size_t j, bool closed);
/** Does slow slip of all neighbours relax to its direction? It does in motions. Along a direction of the state that slips across it friction
 * would have to exceed its limit: derivatives without it are those of the slow motion, and the same along all tangents of a motion. */
void dls_neighbours_relax(dls_motion_tangents *tangents, bool relax);
/** Slower slip in space than this has no direction that is known: that of u is round-off where slip ends [m/s]. */
double dls_slip_with_direction(const dls_motion_tangents *tangents);
/** In space, all neighbours at (t, q, v) between events: slip has the direction of the velocity, which tells it from slip backward. At its
 * begin and its end, where there is none yet, the last one stays. */
void dls_neighbours_turn_slip(dls_motion_tangents *tangents, double t, const double *q, const double *v);
/** All neighbours pass as many breaks as the run has passed up to t. dt[count] := the derivatives of the time of the last.
 * @return whether there was one */
bool dls_neighbours_pass_break(dls_motion_tangents *tangents, const dls_event_integrator *run, double t,
                               double *dt);
/** out := D g of contact j along the tangent of direction k, (dq, dv) at q, and the parameter. A difference along the state would lose digits that
 * the times of slow impacts need, so the gradient of the gap is used. */
dls_status dls_neighbours_gap_change(dls_motion_tangents *tangents, size_t k, size_t j, double t,
                                     const double *q, const double *v, double *out, dls_error *err);
/**
 * out := derivative of f along the line. Between events a difference of second order; exact for linear systems, else 1e-10.
 * @param[in] direction  DLS_NO_PARAMETER: along the state alone
 */
dls_status dls_neighbours_derivative(dls_motion_tangents *tangents, int direction, const dls_state_function *f,
                                     const dls_state_line *line, double *out, dls_error *err);
/**
 * The same at an event, with a difference of fourth order.
 * @param[out] bend  how much the slopes on both sides differ, relative to the largest: O(1) where the derivative is one-sided
 */
dls_status dls_neighbours_event_derivative(dls_motion_tangents *tangents, int direction,
                                           const dls_state_function *f, const dls_state_line *line, double *out,
                                           double *bend, dls_error *err);

/** The same with a difference of sixth order and longer increments, for functions that are smooth there. */
dls_status dls_neighbours_smooth_derivative(dls_motion_tangents *tangents, int direction,
                                            const dls_state_function *f, const dls_state_line *line,
                                            double *out, double *bend, dls_error *err);

/** The same for rising (side = 1) or falling p (-1): a difference of first order, 1e-5, in the systems and states of that side. */
dls_status dls_neighbours_side_derivative(dls_motion_tangents *tangents, int direction,
                                          const dls_state_function *f, const dls_state_line *line, int side,
                                          double *out, dls_error *err);

/** The distance of both neighbours of a parameter inside its range; 0: it has them on one side. */
static inline double dls_neighbours_distance(const dls_direction *d)
{
  return d->count == 2 ? 0.5 / d->weight[1] : 0;
}
/** |x| of coordinate i, or of a derivative of it, as that of a length: 1 rad is the length scale. */
static inline double dls_tangent_as_length(const dls_motion_tangents *tangents, size_t i, double x)
{
  return tangents->self.run->method.sys->length / tangents->scale[i] * fabs(x);
}
/** Size of the direction of the state in units of the scales. */
double dls_neighbours_size(const dls_motion_tangents *tangents, const dls_state_line *line);
/** Increment of the state between events, in units of the scales. */
double dls_neighbours_increment(const dls_system *sys);

/** a[n], then lambda[d m]. */
dls_status dls_value_dynamics(dls_event_integrator *near, const void *unused, double t, const double *q,
                              const double *v, double *out, dls_error *err);

/** The time of the event moves by dt, at all contacts. */
void dls_tangent_set_event_dt(dls_motion_tangents *tangents, size_t k, double dt);
/** The derivatives of the impulses of direction k, to be changed; only if they are asked for. */
static inline double *dls_tangent_impulses(dls_motion_tangents *tangents, size_t k)
{
  double *impulse = tangents->result->tangent[k].impulse;
  tangents->result->has_impulses = tangents->result->has_impulses || impulse != NULL;
  return impulse;
}
/** The derivatives of all impulses := value, if they are asked for. */
void dls_tangent_set_impulses(dls_motion_tangents *tangents, size_t k, double value);
/** Direction k has no derivative from here on. @param[in] contact  SIZE_MAX: none */
void dls_tangent_end(dls_motion_tangents *tangents, size_t k, dls_derivative_status status, size_t contact);
/** Has direction k no derivative any more? */
static inline bool dls_tangent_has_ended(const dls_motion_tangents *tangents, size_t k)
{
  return isnan(tangents->x[2 * tangents->n * k]);
}

/* slopes.c */

/** @return false if out of memory; destroy it in any case */
bool dls_slopes_create(dls_motion_tangents *tangents);
void dls_slopes_destroy(dls_motion_tangents *tangents);
/** Entries of tangents and slopes, 2 n for each direction, then `turns` for each; then, in slopes of the multistep rule, `forces` for each. */
static inline size_t dls_tangents_size(const dls_motion_tangents *tangents)
{
  return (2 * tangents->n + tangents->turns + tangents->forces) * tangents->count;
}
/** Are derivatives of accelerations differences, and those of forces not among slopes? */
bool dls_slopes_by_accelerations(const dls_motion_tangents *tangents);
/** Turns of the tangents x at (t, y), behind them in x. */
dls_status dls_slopes_set_turns(dls_motion_tangents *tangents, double t, const double *y, double *x,
                                dls_error *err);
/** Do slopes depend on the state? Those of linear systems with open contacts do not, unless a matrix depends on a parameter. */
bool dls_slopes_need_state(const dls_motion_tangents *tangents);
/** dx := slopes of the tangents x of all directions at (t, y), y = (q, v). */
dls_status dls_slopes(dls_motion_tangents *tangents, double t, const double *y, const double *x, double *dx,
                      dls_error *err);
/** Round-off of slopes of direction k of a motion with this acceleration [m/s^2]: that of differences, as those of equal terms have none. */
double dls_slopes_noise(const dls_motion_tangents *tangents, size_t k, double acceleration);
/** Derivatives at fixed t of a, contact forces and multipliers along direction k: out[n + d m + r], after the first function at (t, q, v).
 * Overwrites out, q, y and slope of the tangents. */
dls_status dls_slopes_prepare_forces(dls_motion_tangents *tangents, double t, const double *q, const double *v,
                                     dls_error *err);
dls_status dls_slopes_forces_of(dls_motion_tangents *tangents, size_t k, double t, double *out, dls_error *err);
/** by_parameter := derivatives by the parameters, at fixed state, of the residuals of the equations of motion at (t, y): for each parameter
 * of the forces, n, then of the rows of contacts, d m. */
dls_status dls_slopes_parameters(dls_motion_tangents *tangents, double t, const double *y, dls_error *err);
/** Evaluate the motion at (t, y), then a[n] := D v' along a direction of the state there: in space with the turn of slip, which differences
 * over an increment larger than the slip would miss. */
dls_status dls_slopes_motion(dls_motion_tangents *tangents, double t, const double *y, dls_error *err);
dls_status dls_slopes_along(dls_motion_tangents *tangents, const dls_state_line *line, double *a,
                            dls_error *err);
/** Where contacts slip in space, x := (0, dv) for each parameter, such that it does not change their slip: H_T^T dv + D u_T = 0. Their direction
 * turns by D u_T / |u_T|. Else 0. */
dls_status dls_slopes_with_surfaces(dls_motion_tangents *tangents, double t, const double *y, double *x,
                                    dls_error *err);
/** The same for other tangents at the (t, y) of the last call. */
dls_status dls_slopes_again(dls_motion_tangents *tangents, double t, const double *y, const double *x,
                            double *dx, dls_error *err);

/** out += dF along parameter k of a linear system; n. */
void dls_slopes_along_load(dls_motion_tangents *tangents, size_t k, double t, double *out);
/** out += -dK q - dC v - dM v' along parameter k of a linear system, with v' in tangents->a; n. */
void dls_slopes_along_matrices(const dls_motion_tangents *tangents, size_t k, const double *q, const double *v,
                               double *out);

/* tangent_series.c */

void dls_tangent_series_create(dls_motion_tangents *tangents);
void dls_tangent_series_destroy(dls_motion_tangents *tangents);
/** To t by Taylor series of the linear equation.
 * @return false: the equation is another, its loads are no polynomial in this phase, or series.no_memory; the tangents stay */
bool dls_tangent_series_advance(dls_motion_tangents *tangents, dls_event_integrator *run, double t);

/** Are tangents->rates those at t? Not if this is not the time of the tangents, one has ended, or contacts are closed. */
static inline bool dls_tangent_series_has_rates(const dls_motion_tangents *tangents, double t)
{
  const dls_tangent_series *s = &tangents->series;
  return s->begun && !s->failed && !s->any_ended && s->at_t == t && tangents->t == t &&
         tangents->self.run->state.active.count == 0;
}

/* tangent_phase.c */

/** To t, inside the last step of the engine, by extrapolation on the dense output. */
dls_status dls_tangent_extrapolate(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                   dls_error *err);
/** The error of direction k, whose steps are too many. */
dls_status dls_tangent_fail_steps(dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k,
                                  double t, double next, dls_error *err);
/** Relative error that a step of tangents may make. */
static inline double dls_tangent_tolerance(const dls_event_integrator *run)
{
  return fmax(threshold_tangent_tolerance * run->method.eps.rtol, threshold_least_tangent_tolerance);
}
/** Unit of entry i of a tangent. */
static inline double dls_tangent_unit(const dls_event_integrator *run, size_t i)
{
  const size_t n = run->method.n;
  const double scale = run->work.scale[i % n];
  return i < n ? 1 / scale : run->method.sys->time / scale;
}
/** Round-off of the slopes of direction k in the present step, in these units [1/s]. */
double dls_tangent_noise(const dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k);
/** Error that direction k may have in a step of length h, from x to y, 2 n count, in these units. */
double dls_tangent_allowed(const dls_motion_tangents *tangents, const dls_event_integrator *run, size_t k,
                           double h, const double *x, const double *y);

/* multistep.c */

/** The same by a multistep rule on the steps of the engine, or on the nodes of the run. */
dls_status dls_tangent_multistep(dls_motion_tangents *tangents, dls_event_integrator *run, double t,
                                 dls_error *err);
/** The derivatives of the tangents by t, as the polynomial of the rule has them, and those of forces, unless history.without_forces; in the
 * order of slopes, until the next step. NULL: t is not the node to which the rule has led. */
const double *dls_tangent_multistep_slopes(dls_motion_tangents *tangents, double t);
/** Is that polynomial accurate as columns of the record are, forces included, in the last step? */
bool dls_tangent_multistep_follows(dls_motion_tangents *tangents, const dls_event_integrator *run);

#endif
