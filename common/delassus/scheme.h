/* delassus/scheme.h -- the interface that every integrator implements.
 * A scheme is one file with one dls_scheme and one line in the catalogue.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SCHEME_H
#define DELASSUS_SCHEME_H

#include <delassus/balance.h>
#include <delassus/error.h>
#include <delassus/limit.h>
#include <delassus/option.h>
#include <delassus/sim.h>
#include <delassus/trajectory.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_stepping {
  DLS_BY_STEP,    /* needs a step h from outside */
  DLS_BY_EVENT,   /* chooses its own steps; h is the time still to go */
  DLS_BY_SUBSTEP, /* needs a step h from outside, and may stop on the way to the end of a step, at events */
} dls_stepping;

/** What schemes have in common, and what `list` groups them by; 0 where an entry does not say it. */
#define DLS_FAMILY_LIST(X)                                                                                     \
  X(DLS_FAMILY_OTHER, "others")                                                                                \
  X(DLS_FAMILY_EVENT_DRIVEN, "event-driven: impacts are located, the motion between them is integrated")       \
  X(DLS_FAMILY_MOREAU, "time-stepping, Moreau-Jean: impulses and impacts at velocity level")                   \
  X(DLS_FAMILY_NEWMARK, "time-stepping, Newmark family: nonsmooth integrators of structural dynamics")         \
  X(DLS_FAMILY_POSITION, "time-stepping, position level")                                                      \
  X(DLS_FAMILY_RUNGE_KUTTA, "time-stepping, Runge-Kutta: smooth methods of high order around impacts")         \
  X(DLS_FAMILY_GALERKIN, "time-stepping, time-discontinuous Galerkin")                                         \
  X(DLS_FAMILY_MULTIBODY, "time-stepping, multibody: energy kept or decaying, with joints")                    \
  X(DLS_FAMILY_IMPULSE, "time-stepping, impulses: contact row by row, as in engines for games and robots")     \
  X(DLS_FAMILY_CONVEX, "step models: gaps linearised in the velocity, convex friction")                        \
  X(DLS_FAMILY_PENALTY, "contact that yields: penalties, springs and dampers")                                 \
  X(DLS_FAMILY_SOFT, "soft contact: convex minimisations over velocities with regularised friction cones")     \
  X(DLS_FAMILY_TEACHING, "for teaching: they fail, and the pages say why")
#define DLS_FAMILY_NAME(name, text) name,
typedef enum dls_family { DLS_FAMILY_LIST(DLS_FAMILY_NAME) DLS_FAMILIES } dls_family;

/** What a scheme treats: common/run/capabilities.c has a row for each, with its words. */
typedef enum dls_handles {
  DLS_HANDLES_FRICTION = 1 << 0,        /* tangents and coefficients of friction */
  DLS_HANDLES_STATIC_FRICTION = 1 << 1, /* mu_s > mu: the status of contacts is kept */
  DLS_HANDLES_STRIBECK = 1 << 2,        /* coefficients that depend on the slip speed */
  DLS_HANDLES_MOVING_GAPS = 1 << 3,     /* gaps that move by themselves */
  DLS_HANDLES_JOINTS = 1 << 4,
  DLS_HANDLES_MASSLESS = 1 << 5,       /* coordinates without mass */
  DLS_HANDLES_ANY_STEP = 1 << 6,       /* by step: a step may have another length than the last */
  DLS_HANDLES_NO_CONTACT = 1 << 7,     /* systems with contacts are refused */
  DLS_HANDLES_APPROACH_SPEED = 1 << 8, /* laws that depend on the approach speed: `sees_speed` of law.h */
  DLS_HANDLES_DERIVATIVES = 1 << 9     /* computes sim->sensitivity */
} dls_handles;

/** One run of a batch: up to DLS_BATCH_MOST runs that make many steps side by side. */
typedef struct dls_batch_member {
  dls_sim *sim;
  double h;
  size_t most;       /* steps */
  dls_error *err;    /* for the status */
  size_t made;       /* out: steps made */
  bool stuck;        /* out: the next step must be made by advance */
  dls_status status; /* out: of recording the last node */
} dls_batch_member;
enum { DLS_BATCH_MOST = 8 }; /* members of a batch */

/** A published order with impacts, of q and v in L1 and in the graph distance. */
typedef struct dls_published_order {
  const char *source; /* bibliography */
  double order;
  const char *models[4]; /* treated by the publication, which claims nothing for others; ends with NULL */
} dls_published_order;

/** A threshold of a scheme: where a decision flips. */
typedef struct dls_threshold {
  const char *name;
  double value;
  const char *unit, *reason, *effect; /* what it multiplies; why this value; what it decides */
} dls_threshold;

struct dls_scheme {
  const char *name, *summary, *source; /* key; one line; bibliography */
  const char *equations;               /* for `show`; lines end with \n */
  const char *remarks;                 /* what to expect, what goes wrong; lines end with \n */
  dls_family family;
  const dls_option *options; /* ends with {0}; NULL: none */
  size_t options_size;       /* of the struct that sim->options is; 0: the values one after the other */
  const void *kind;          /* data of this member of a family; its type belongs to the family */
  dls_stepping stepping;
  unsigned
      handles; /* bits of dls_handles: what it treats beside smooth motion with contacts; other systems are refused */
  dls_meaning q_between, v_between; /* meaning of q and v between nodes; Hermite v asks for a */
  bool v_is_quotient;               /* v is a difference of positions over h, and has their rounding over h */

  /** Do the option values, each in its range, go together? @param[in] options  as sim->options @return DLS_OK, or
   * DLS_ERR_OPTION with a message that begins with "scheme NAME: ". May be NULL. */
  dls_status (*check)(const dls_scheme *self, const void *options, dls_error *err);
  /** Allocate sim->memory, check that the scheme applies, make start data. May process an impact at t = 0 (then
   * sim->jump). DLS_ERR_NOT_APPLICABLE says why. May be NULL. */
  dls_status (*start)(dls_sim *sim, dls_error *err);
  /** May start be called again with sim->memory as a run has left it, for other values of the system? It then allocates nothing, and the
   * run is that of a new sim to the last bit. NULL: never. */
  bool (*starts_again)(const dls_sim *sim);
  /** Advance sim->q, v, p, lambda, status (and v_left, jump; a with Hermite v) by one step, and sim->t unless
   * the stepping is DLS_BY_STEP (the driver then sets t = k h). DLS_BY_SUBSTEP: by all or part of what is left of
   * the step of length h that ends at dls_sim_next_time; the driver calls again until sim->t is there. On failure
   * the state stays as it was before the call. */
  dls_status (*advance)(dls_sim *sim, double h, dls_error *err);
  /**
   * Make steps of count <= DLS_BATCH_MOST runs of this scheme, side by side where the runs are alike. States, records, events and counters
   * are to the last bit those of advance and the driver. Each member makes up to its `most` steps. It ends earlier before a step
   * that only advance can make (then it is stuck), after a step that could not be recorded, or because another member has ended. At
   * least one member makes a step or is stuck. Schemes by step only. May be NULL.
   */
  void (*advance_batch)(dls_batch_member *members, size_t count);
  /** t, q, v were set from outside (dls_sim_move), g, u, M, H with them: refresh what is kept from step to step.
   * NULL: more is kept than a function of (t, q, v), so that cannot be done. */
  dls_status (*moved)(dls_sim *sim, dls_error *err);
  /** Free what start allocated; called once, also after a failed start; memory may be NULL. May be NULL. */
  void (*finish)(dls_sim *sim);
  /** The discrete energy identity, for linear systems; NULL: none is known. */
  const dls_balance *balance;
  const dls_published_order *published; /* one row a publication, ends with {0}; NULL: none is known */
  const dls_threshold *thresholds;      /* ends with {0}; NULL: no table */
  dls_limit limit;                      /* what its nodes converge to for h -> 0 */
  /** Note to the user on a run that has not started, for its metadata and messages. @param[out] text  "": none. May be
   * NULL. */
  void (*note)(const dls_sim *sim, char *text, size_t size);
};

static inline bool dls_scheme_needs_step(const dls_scheme *scheme)
{
  return scheme->stepping != DLS_BY_EVENT;
}

#ifdef __cplusplus
}
#endif

#endif
