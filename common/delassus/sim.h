/* delassus/sim.h -- one run in progress: a system, a scheme with its options, the state, the work done.
 *
 *   dls_sim *sim = NULL;
 *   dls_sim_create(system, &dls_scheme_moreau_jean, &sim, &err);
 *   dls_sim_set(sim, "theta=1", &err);
 *   dls_run(sim, &(dls_run_spec){.step = 1e-3, .end = 4, .record = trajectory}, &err);
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SIM_H
#define DELASSUS_SIM_H

#include <delassus/configuration.h>
#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <delassus/warning.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dls_scheme dls_scheme;
typedef struct dls_recorder dls_recorder;
typedef struct dls_reported dls_reported;
typedef struct dls_load_rows dls_load_rows;
typedef struct dls_checks dls_checks;
typedef struct dls_sensitivity dls_sensitivity;

/** State of a run. Users read it; only the scheme and the driver write it. */
typedef struct dls_sim {
  const dls_system *sys;    /* borrowed */
  const dls_scheme *scheme; /* borrowed */
  double *opt;              /* one value per scheme option */
  void *options;            /* the same as members of the struct of the scheme; opt where it has none */
  uint64_t given;           /* bit i: dls_sim_set has set option i */
  double t;
  size_t step;        /* steps made (by event: advances), since the last dls_sim_move if there was one */
  double *q, *v;      /* n; right limits at t */
  double *a;          /* n; smooth acceleration at t+, only kept by schemes with Hermite v */
  double *g, *u;      /* m; gap and its velocity; the driver refreshes them after every advance */
  double *p, *lambda; /* m; impulse of the last jump or step, smooth contact force at t+ */
  double *u_t, *p_t, *lambda_t; /* (d - 1) m; the same along the tangents: slip, friction */
  double *phi,
      *mu; /* r; joints: their equations at (t, q), by the driver; multipliers of their forces G mu, of the
                     * motion at t+, or in the mean of the step that ends there */
  size_t redundant; /* equations of joints that depend on others, at the start; 0 where they are not counted */
  double *mu_left;  /* r; left limit at t, valid when jump */
  int *status;      /* m; 0 open, 1 closed (without friction or sticking), 2 slipping */
  bool jump;        /* the last advance ended with a jump of v at t */
  double *v_left, *a_left, *lambda_left, *lambda_t_left; /* left limits at t, valid when jump */
  dls_configuration config;                              /* at (t, q) of the node, contacts only; for u */
  dls_matrix *K, *C; /* the system's, or copies for schemes to write -dF/dq and -dF/dv into */
  double worst_gap;  /* least gap seen so far, and where; +inf if m = 0 */
  double worst_time;
  size_t worst_contact;
  dls_work work;
  dls_trajectory *record; /* NULL: nothing is recorded */
  dls_recorder *recorder; /* the driver's own; NULL: every node is recorded */
  dls_reported
      *reported; /* the driver's own: what the scheme reports of contacts; NULL: all, or not looked at */
  dls_load_rows *load_rows;    /* the driver's own, of systems with tables of loads; else NULL */
  void *memory;                /* the scheme's own */
  double *block;               /* owns the arrays of doubles */
  double t_base;               /* time at step 0 */
  double shortest_feature;     /* s; of what depends on t explicitly, if it is shorter than the step; else 0 */
  double part_end;             /* > t: the present step is a part of one, and ends there */
  bool started, out_of_memory; /* the driver's own, and all that follows */
  const struct dls_run_spec *spec; /* of the run; NULL by hand */
  size_t unasked, patience;        /* calls of dls_sim_poll since the caller was asked; how many to wait for */
  double asked;                    /* when that was, s of a steady clock */
  dls_warning warnings[DLS_WARNING_KINDS]; /* what physics forbids, so far; all of it when the run is over */
  dls_checks *checks;                      /* the driver's own; NULL: nodes need no check */
  dls_sensitivity *sensitivity; /* derivatives with respect to parameters, by the scheme; NULL: none */
} dls_sim;

/**
 * @param[in] sys, scheme  borrowed; must outlive the sim
 * @return DLS_OK; DLS_ERR_ARG; DLS_ERR_MEMORY
 */
dls_status dls_sim_create(const dls_system *sys, const dls_scheme *scheme, dls_sim **out, dls_error *err);
void dls_sim_destroy(dls_sim *sim); /* NULL is fine */
/**
 * Make a sim that has run ready for another run without a record, with the present values of its system (dls_system_take_values) and the same
 * options: dls_sim_set refuses others. Results are those of a new sim to the last bit. One small block is allocated.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE, as with most schemes: destroy it; DLS_ERR_MEMORY
 */
dls_status dls_sim_renew(dls_sim *sim, dls_error *err);
/** Set a scheme option from "name=value", before the first step of the first run. */
dls_status dls_sim_set(dls_sim *sim, const char *assignment, dls_error *err);

/**
 * Which nodes of a run become rows of its record; all zero: every node. A node that jumps has two rows. What is left out
 * leaves its impulses to the next row, so that the sum over a column p is that of the whole record. Of the events between two
 * of the nodes 0, N, 2 N, ..., or of the times, the first, the last and the one with the largest impulse are kept.
 */
typedef struct dls_recording {
  /** N > 1: the nodes 0, N, 2 N, ..., the last one, and of those between two of them the one with the largest jump of v. */
  size_t every;
  /** > 0: the times at, increasing, in [0, end], and no others; between two nodes a column is what its meaning says. Not
   * together with every. */
  size_t at_count;
  const double *at;
  size_t
      max_rows; /* > 0: the run ends with DLS_ERR_LIMIT before it has more rows, or keeps more events, than this */
  /**
   * For records that are larger than the memory: before the record gets more rows than `portion` (> 2), `take` is called. It
   * takes rows and events away, from the first ones on, those left moved to the front; of rows it leaves two less than
   * `portion` at most. What is left when the run is over is the caller's. What it fails with ends the run. NULL: the record
   * keeps everything.
   */
  dls_status (*take)(void *take_data, dls_trajectory *record, dls_error *err);
  void *take_data;
  size_t portion;
} dls_recording;

/**
 * Start data of systems with joints are projected onto them, in the metric of M; if that moves q by more than the
 * tolerance [the system's length] or v [its length / time], the run is refused.
 */
typedef struct dls_start {
  double tolerance; /* 0: 1e-6 */
  bool project;     /* however far they are */
} dls_start;

typedef struct dls_run_spec {
  double step;            /* h > 0 for schemes that need one; ignored by those that choose all their own */
  double end;             /* T > 0; runs by step end at the last k h <= T (never a shortened step) */
  dls_trajectory *record; /* NULL, or empty, made by dls_sim_trajectory */
  dls_recording recording;
  dls_start start;
  /* By step: where Newton's method or the contact problem of a step fails, the step is made of two halves, and so on up to
   * this many times; a node stands at the end of each part. Of schemes that say any_step; others are refused. */
  size_t halvings;
  /** Called with the time reached a few dozen times a second, also inside long steps, and at least every 256 advances;
   * returning false stops with DLS_ERR_INTERRUPTED. */
  bool (*poll)(void *data, double t);
  void *poll_data;
  /** Called after the start and after every advance, for those who keep a ledger; a failure ends the run. Between two calls the
   * path is what the scheme's meaning says, as between the nodes of a record. */
  dls_status (*watch)(void *data, const dls_sim *sim, dls_error *err);
  void *watch_data;
} dls_run_spec;

/**
 * Start the scheme and advance to the end; once per sim. What was computed before a failure stays in the
 * record, which is then marked incomplete with time and reason.
 * @return DLS_OK; DLS_ERR_ARG if step, end or recording is out of range; DLS_ERR_LIMIT; whatever the scheme fails with
 */
dls_status dls_run(dls_sim *sim, const dls_run_spec *spec, dls_error *err);
enum { DLS_NOTE_ROOM = 400 };
/** What the scheme notes on this run, from its options and the system: in the metadata of the trajectory as "note". "" for none. */
void dls_sim_note(const dls_sim *sim, char *text, size_t size);
/** An empty trajectory that fits the sim (columns, meanings, scheme and options as metadata), or NULL. */
dls_trajectory *dls_sim_trajectory(const dls_sim *sim, dls_error *err);

/* For the driver's users who step by hand, and for benchmarks: dls_sim_start once, then dls_sim_advance. With
 * DLS_BY_SUBSTEP a step may take several advances: it is done when sim->step has grown. */
dls_status dls_sim_start(dls_sim *sim, dls_error *err);
/** The same from another state than the system's initial data, at any t. */
dls_status dls_sim_start_from(dls_sim *sim, double t, const double *q, const double *v, dls_error *err);
dls_status dls_sim_advance(dls_sim *sim, double h, dls_error *err);

/**
 * Go on from another state: t, q[n], v[n] are set from outside, after the start and between two advances. p, lambda,
 * status and the work done stay. For schemes that use others as their one-step maps.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the scheme keeps more than a function of (t, q, v) from step to step
 */
dls_status dls_sim_move(dls_sim *sim, double t, const double *q, const double *v, dls_error *err);

/* For schemes. */

/** Was the option of this name set, be it to its default? */
bool dls_sim_was_set(const dls_sim *sim, const char *name);
/** Time at the end of the present step h: t_base + k h for schemes that need a step (no drift by summing), else t + h. */
double dls_sim_next_time(const dls_sim *sim, double h);
/** Time at the beginning of the last step h, the same bits as sim->t had there; for schemes that need a step. */
double dls_sim_last_time(const dls_sim *sim, double h);
/** In loops inside a step that may take long: has the caller of dls_run asked to stop? Costs a comparison, mostly.
 * @return DLS_OK; DLS_ERR_INTERRUPTED with a message: leave the step */
dls_status dls_sim_poll(dls_sim *sim, dls_error *err);
/** Count an event and record it (out of memory there marks the record incomplete). */
void dls_sim_event(dls_sim *sim, const dls_event *event);
/**
 * If a step from a to b contains a row of a table of loads: the impulse D that a scheme with loads at the nodes must add to
 * h [(1 - weight) L(a) + weight L(b)], so that the sum is the integral of the load L. @param[out] impulse  n
 * @return false: the step contains no row, nothing is to be added
 */
bool dls_sim_load_impulse(const dls_sim *sim, double a, double b, double weight, double *impulse);
/**
 * For schemes that evaluate forces inside a step: if the step from a to b contains a row of a table of loads, dls_sim_force uses a constant
 * load C until dls_sim_load_end, such that weight L(a) + (1 - weight) C is the mean of the load; weight < 1.
 */
void dls_sim_load_begin(dls_sim *sim, double a, double b, double weight);
void dls_sim_load_end(dls_sim *sim);
/** How many of the next `most` steps of length h end before a row of a table of loads, if a step evaluates loads less than 2 h ahead. */
size_t dls_sim_steps_before_row(const dls_sim *sim, double h, size_t most);
/** F(t,q,v) and count it; F[n]. */
void dls_sim_force(dls_sim *sim, double t, const double *q, const double *v, double *F);
/** Gap velocities at the node, for any v[n]; u[m]. */
void dls_sim_gap_velocity(const dls_sim *sim, const double *v, double *u);
/** Slip at the node, for any v[n]; u_t[(d - 1) m]. */
void dls_sim_slip(const dls_sim *sim, const double *v, double *u_t);
/** Component i of the impulse of contact j: normal, then along the tangents. */
static inline double dls_sim_impulse(const dls_sim *sim, size_t j, size_t i)
{
  return i == 0 ? sim->p[j] : sim->p_t[(sim->sys->d - 1) * j + i - 1];
}
/** Fail with "t = ...: " in front. */
dls_status dls_sim_fail(const dls_sim *sim, dls_error *err, dls_status status, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#ifdef __cplusplus
}
#endif

#endif
