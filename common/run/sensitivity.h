/* sensitivity.h -- the derivatives of a run: their arrays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_SENSITIVITY_H
#define DELASSUS_COMMON_RUN_SENSITIVITY_H

#include <delassus/sensitivity.h>
#include <delassus/sim.h>

/** What a run by step calls, so that the runs that go along with it start and advance too. */
struct dls_runs_along {
  /** The sim has its given state, and is about to start. */
  dls_status (*start)(dls_sim *sim, dls_error *err);
  /** It has started. */
  dls_status (*started)(dls_sim *sim, dls_error *err);
  /** It is about to advance. */
  void (*keep)(dls_sim *sim);
  /** It has advanced. */
  dls_status (*advance)(dls_sim *sim, double h, dls_error *err);
  void (*destroy)(dls_runs_along *along);
};

/** Numbers of the largest map of the state at an event, 2 n times the directions that it has. */
#define DLS_ADJOINT_MAP 4000000

/** Keep the event, with the derivatives of its time. @return false if out of memory */
bool dls_sensitivity_event(dls_sensitivity *sensitivity, const dls_event *event);
/** The arrays of the derivatives, if a run can have them: sim->sensitivity. state: directions of the state beside the parameters */
dls_status dls_sensitivity_create(dls_sim *sim, size_t count, size_t state, const dls_direction *directions,
                                  dls_error *err);
/** The slopes of a state or of the energy at the state of the sim: by_state[2 n], by_parameter[count]. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_functional_slope(const dls_sim *sim, const dls_functional *J, double *by_state,
                                double *by_parameter, dls_error *err);
/** What the range and the rounding of parameter k say of its derivative, at the start. */
void dls_tangent_note_direction(dls_sensitivity *sensitivity, size_t k, double t);
void dls_sensitivity_destroy(dls_sensitivity *sensitivity); /* NULL is fine */

#endif
