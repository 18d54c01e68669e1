/* delassus/sensitivity.h -- derivatives of a run with respect to parameters of its model: the tangents dq/dp, dv/dp, which jump at events.
 *
 *   dls_direction direction;
 *   dls_direction_create(&dls_model_bouncing_ball, NULL, "e", &direction, &err);
 *   dls_sim_differentiate(sim, 1, &direction, &err);     before the start
 *   dls_run(sim, ...);                                   sim->sensitivity->tangent[0].dq, .dv
 *
 * or, for many parameters and few quantities, by the adjoint equation, backward in time along the run:
 *
 *   dls_sim_differentiate_backward(sim, count, directions, &err);     before the start
 *   dls_run(sim, ...);
 *   dls_sim_gradient(sim, &(dls_functional){.of = DLS_OF_POSITION, .index = 0}, gradient, &err);
 *
 * Sources: Aizerman & Gantmakher 1958; Mueller 1995, Chaos, Solitons & Fractals 5, 1671-1681; Leine & Nijmeijer 2004.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SENSITIVITY_H
#define DELASSUS_SENSITIVITY_H

#include <delassus/direction.h>
#include <delassus/error.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_sim dls_sim;
typedef struct dls_scheme dls_scheme;

/** Whether the derivative exists, from the best to the worst. */
#define DLS_DERIVATIVE_LIST(X)                                                                                 \
  X(DLS_DERIVATIVE_OK, "ok")                                                                                   \
  X(DLS_DERIVATIVE_ONE_SIDED, "one-sided") /* differs for p rising and falling; this is that for rising p */   \
  X(DLS_DERIVATIVE_GRAZING, "grazing")     /* valid within less than 1e-6 of p */                              \
  X(DLS_DERIVATIVE_DISCONTINUOUS, "discontinuous") /* the motion itself jumps with p: impacts that interact */ \
  X(DLS_DERIVATIVE_DEGENERATE, "degenerate")       /* an event is not transversal */
#define DLS_DERIVATIVE_NAME(name, text) name,
typedef enum dls_derivative_status { DLS_DERIVATIVE_LIST(DLS_DERIVATIVE_NAME) } dls_derivative_status;
const char *dls_derivative_status_name(dls_derivative_status status);

enum { DLS_SIDE_IMPACTS = 16 };

/** Just after an event where the derivative differs for falling and rising p: limits as the change of p tends to 0 from one side. */
typedef struct dls_side {
  bool known;
  double *v;       /* n; q is continuous */
  double *dq, *dv; /* n; one-sided derivatives at fixed t */
  size_t impacts,
      contact
          [DLS_SIDE_IMPACTS]; /* impacts of that side, one after the other: their number, the first contacts */
} dls_side;

/** The derivatives of one direction, at fixed t. They are NaN behind an event where none exists. */
typedef struct dls_tangent {
  double *dq, *dv;           /* n; right limits at the time of the sim */
  double *dq_left, *dv_left; /* n; left limits, valid when the sim jumps */
  /** Right and left limits like these: n of a; d m + r of the contact forces, d rows of each contact, and of the multipliers of joints. NULL
   * unless dls_sim_differentiate_forces asks for them, and those of the node only after sim->sensitivity->forces. */
  double *a, *a_left, *forces, *forces_left;
  double *
      impulse; /* d m: of the impulses at the node, which move with their event; NaN: not known; NULL likewise */
  bool
      redundant_forces; /* the motion does not determine forces of closed contacts, whose derivatives were NaN */
  double dt;            /* of the time of the last event; 0: it is fixed */
  double
      *contact_dt; /* m: of the last event, for each of its contacts: they may switch together, and not alike */
  dls_derivative_status status;
  double status_time;    /* of the event that gave it [s] */
  size_t status_contact; /* its contact; SIZE_MAX: none */
  double
      inconsistency; /* of redundant closed contacts: largest row below that no motion makes 0, where it gave the status; else 0 */
  int inconsistent; /* which: 0: D g [m], 1: D u [m/s], 2: D u' [m/s^2], by p */
  double
      valid_within; /* beyond this change of p an event of the run is missed, or slip in space that passed near zero may have ended;
                          infinite: not known */
  double projected; /* how far the start was moved onto closed contacts and joints, relative; 0: not */
  size_t
      differing; /* by step: steps in which contacts of neighbouring runs did not do what those of the run did */
  double
      rounding; /* by step: of the neighbouring runs, relative to the largest derivative; NaN where they are equal */
  dls_side side[2]; /* falling, rising p; of the event that gave the status */
} dls_tangent;

/** An event of a run, and how its time changes with the parameters. */
typedef struct dls_event_shift {
  double t; /* [s] */
  dls_event_kind kind;
  size_t contact;
} dls_event_shift;

/** What is differentiated in a run by step. Its switches are discontinuous in p, so that these differ by O(1); docs/reference/derivatives.md. */
#define DLS_TANGENT_LIST(X)                                                                                    \
  X(DLS_TANGENT_SALTATION, "saltation") /* the motion: with the saltation matrix where contacts switch */      \
  X(DLS_TANGENT_PLAIN, "plain") /* the step with its active sets fixed, as automatic differentiation does */   \
  X(DLS_TANGENT_DIFFERENCE, "difference") /* central difference of two runs */
#define DLS_TANGENT_NAME(name, text) name,
typedef enum dls_tangent_kind { DLS_TANGENT_LIST(DLS_TANGENT_NAME) } dls_tangent_kind;

typedef struct dls_tangent_method {
  dls_tangent_kind kind;
  double delta; /* > 0 for differences: the change of p, in its unit */
} dls_tangent_method;

typedef struct dls_runs_along dls_runs_along;

typedef enum dls_functional_of {
  DLS_OF_POSITION,
  DLS_OF_VELOCITY,
  DLS_OF_ENERGY,
  DLS_OF_EVENT_TIME
} dls_functional_of;

/** A number J that depends on a run: a coordinate, a velocity or the energy at its end; the integral of a coordinate, of a velocity or of the energy over
 * the run; or the time of an event. */
typedef struct dls_functional {
  dls_functional_of of;
  size_t index;  /* of the coordinate or velocity; of the event, among those of the run */
  bool integral; /* over the run: of coordinates, velocities and the energy */
} dls_functional;

/** What a run keeps for the adjoint equation. */
typedef struct dls_adjoint_memory {
  size_t crossings, checkpoints; /* events and accumulations; states from which the motion is computed again */
  size_t bytes;                  /* of both */
  size_t interval_bytes;         /* of the motion between two checkpoints, at most so far */
} dls_adjoint_memory;

/** Of a run: read-only for users. */
typedef struct dls_sensitivity {
  size_t count, n, m;
  size_t
      columns; /* count; if the adjoint equation is integrated, and 2 n for directions of the state at events */
  const dls_direction *direction; /* columns; the first count are borrowed */
  dls_tangent *tangent;           /* columns */
  double *block;                  /* owns the arrays of doubles, unless the scheme has them */
  const double *row,
      *row_left; /* row_width: 2 n of all columns of which a is half, if there is any, then dq, dv of all columns */
  size_t row_width;
  dls_direction *own_direction; /* columns; NULL: all are borrowed */
  dls_event_shift *event;       /* event_count: all events so far */
  double *event_dt;             /* event_count x columns: dt of each; NaN: not known */
  size_t event_count, event_room;
  double tol;                /* by events: that of the scheme */
  const double *scale;       /* n: by events, of the coordinates */
  dls_tangent_method method; /* by step */
  dls_runs_along *along;     /* by step: the neighbouring runs; else NULL */
  /** The adjoint equation, by the scheme; NULL: tangents are carried along with the run. */
  dls_status (*adjoint)(dls_sim *sim, const dls_functional *J, double *gradient, dls_error *err);
  dls_adjoint_memory memory;
  double *
      integral; /* count x n: derivatives of the integrals of q, where tangents are carried along; NULL: not asked for */
  double *start;           /* count x n: tangents of q at the start; likewise */
  double *energy_integral; /* count: derivatives of the integral of the energy; likewise, NaN if not known */
  /** By the scheme: tangent[].a and forces at the node; NULL unless dls_sim_differentiate_forces asks for it. */
  dls_status (*forces)(const dls_sim *sim, dls_error *err);
  double
      *force_block;  /* owns their arrays: forces and impulses of all directions, then left limits and zeros */
  bool has_impulses; /* impulses of the node may differ from 0; by step they always may */
} dls_sensitivity;

/**
 * Compute tangents along with the run, in sim->sensitivity; before its start. By step: with DLS_TANGENT_SALTATION.
 * @param[in] directions  borrowed until the sim is destroyed
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the scheme computes none; DLS_ERR_ARG if the run has started, a direction is given
 *         twice, or a system of a direction has other sizes than the run's; DLS_ERR_MEMORY
 */
dls_status dls_sim_differentiate(dls_sim *sim, size_t count, const dls_direction *directions, dls_error *err);
/**
 * The same by another method, for schemes that make steps of given lengths. A run of each system of the directions goes along.
 * @param[in] directions  made by dls_tangent_direction; with DLS_TANGENT_DIFFERENCE their distance is delta
 */
dls_status dls_sim_differentiate_as(dls_sim *sim, const dls_tangent_method *method, size_t count,
                                    const dls_direction *directions, dls_error *err);
/** A direction whose neighbouring values are as far away as the method of the scheme needs. @return as dls_direction_create */
dls_status dls_tangent_direction(const dls_scheme *scheme, const dls_tangent_method *method,
                                 const dls_model *model, const double *parameters, const char *name,
                                 dls_direction *out, dls_error *err);
/** Read "saltation", "plain" or "difference:delta=D". @return DLS_OK; DLS_ERR_OPTION; DLS_ERR_PARSE */
dls_status dls_tangent_method_parse(const char *text, dls_tangent_method *out, dls_error *err);
const char *dls_tangent_kind_name(dls_tangent_kind kind);
/**
 * Keep along the run what the adjoint equation needs; before its start. Afterwards dls_sim_gradient integrates it backward, once for each
 * functional. sim->sensitivity then has no tangents; a status counts any direction of the state, where it is not
 * known for a single parameter.
 * @return as dls_sim_differentiate
 */
dls_status dls_sim_differentiate_backward(dls_sim *sim, size_t count, const dls_direction *directions,
                                          dls_error *err);
/** Carry the derivatives of integrals along with the tangents; between dls_sim_differentiate and the start. Not needed for the adjoint
 * equation. @return DLS_OK; DLS_ERR_ARG; DLS_ERR_MEMORY */
dls_status dls_sim_differentiate_integrals(dls_sim *sim, dls_error *err);
/** Derivatives of accelerations, contact forces, impulses and multipliers too, by step of impulses alone; between dls_sim_differentiate and
 * the start. @return DLS_OK; DLS_ERR_ARG; DLS_ERR_NOT_APPLICABLE: by step with DLS_TANGENT_SALTATION, if the scheme keeps more than a
 * state; DLS_ERR_MEMORY */
dls_status dls_sim_differentiate_forces(dls_sim *sim, dls_error *err);
/**
 * d J/dp of a functional, at the time of the sim.
 * @param[out] gradient  count; NaN where a derivative does not exist
 * @return DLS_OK; DLS_ERR_ARG if the run has no such coordinate or event, or if tangents were carried along without integrals;
 *         DLS_ERR_NOT_APPLICABLE without an energy; DLS_ERR_INTEGRATOR; DLS_ERR_MEMORY
 */
dls_status dls_sim_gradient(dls_sim *sim, const dls_functional *J, double *gradient, dls_error *err);
/** d E/dp of the energy T + V at the node; NaN where the tangents are. @return DLS_OK; DLS_ERR_NOT_APPLICABLE if it has none; DLS_ERR_MEMORY */
dls_status dls_sensitivity_energy(const dls_sim *sim, size_t direction, double *out, dls_error *err);
/** The error to expect of a run by events: tol times the largest |dq|/l_s, |dv| t_s/l_s at the node, as errors grow as tangents do. By step
 * tangent[].rounding. NaN where the tangents are. */
double dls_sensitivity_expected_error(const dls_sim *sim, size_t direction);
/** The status of a derivative so far, which is grazing if valid_within is less than 1e-6 of the parameter: an impact, or slip that passes near
 * zero. */
dls_derivative_status dls_sensitivity_status(const dls_sensitivity *sensitivity, size_t direction);
/** The worse status counts, with its time and contact; the sides of an earlier event are forgotten. For schemes. */
void dls_tangent_note(dls_tangent *tangent, dls_derivative_status status, double t, size_t contact);

#ifdef __cplusplus
}
#endif

#endif
