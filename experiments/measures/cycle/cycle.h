/* experiments/measures/cycle/cycle.h -- limit cycles of motions with events: the fixed point of the map from an event to its next return,
 * and the Floquet multipliers, the eigenvalues of its derivative.
 *
 * The section is "right after event KIND of contact C". There contacts that are closed and stick are constraints on the state,
 * g = 0, u_N = 0, u_T = 0, and that of an impact g = 0. The map acts on the remaining freedoms. Autonomous linear systems only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CYCLE_H
#define DELASSUS_EXPERIMENTS_CYCLE_H

#include <delassus/choice.h>
#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <stdio.h>

enum { DLS_EVENT_KINDS = DLS_PAINLEVE + 1 };

typedef struct dls_cycle dls_cycle;

typedef struct dls_cycle_spec {
  const dls_system *sys;
  const char *model;               /* its name, for messages; NULL: unknown */
  const dls_scheme_choice *choice; /* by events, with an option tol */
  dls_event_kind kind;
  size_t contact;
  const bool *drift; /* n; coordinates that drift from cycle to cycle and do not affect the motion */
  double end;        /* [s]: the cycle is looked for from the last event before it */
  bool (*poll)(void *data, double t);
  void *poll_data;
} dls_cycle_spec;

typedef struct dls_multiplier {
  double real, imaginary;
  double error; /* estimate, of its modulus */
} dls_multiplier;

struct dls_cycle {
  size_t n;
  double *q, *v;               /* n: right after the event */
  double *advance;             /* n: change of q over a cycle; not zero for coordinates that drift */
  double period, period_error; /* [s]; the second is the change from ten times the tolerance */
  double *advance_error;       /* n, likewise */
  size_t events[DLS_EVENT_KINDS], event_count; /* of one cycle */
  size_t count;
  dls_multiplier *multipliers; /* count, the largest modulus first; 0 for the constraints of the section */
  double residual;             /* of the fixed point, of the range of each coordinate over the cycle */
};

/**
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE: the system is nonlinear, the scheme goes by steps, a coordinate does not drift, loads or supports
 *         depend on t; DLS_ERR_NOCONV: no cycle is found; DLS_ERR_MEMORY; what runs fail with
 */
dls_status dls_cycle_find(const dls_cycle_spec *spec, dls_cycle **out, dls_error *err);
void dls_cycle_destroy(dls_cycle *cycle); /* NULL is fine */

/** Its numbers: lines "cycle_period=...", and lines of metadata. */
void dls_cycle_print(const dls_cycle *cycle, FILE *out);
dls_status dls_cycle_note(const dls_cycle *cycle, dls_trajectory *traj, dls_error *err);

#endif
