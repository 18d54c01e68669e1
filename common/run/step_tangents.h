/* step_tangents.h -- derivatives of a run by step with respect to parameters, from neighbouring runs that make the same steps.
 *
 * A neighbour is a run of the same scheme in the system of a neighbouring value of the parameter, p + offset. It carries all that the
 * scheme keeps from step to step: levels, stored status, warm starts. The tangent is
 *   plain       the derivative of the step with its active sets fixed: differences of the neighbours whose contacts did in this step
 *               what those of the run did
 *   saltation   the same without switches; at a switch the saltation matrix: step_events.c
 *   difference  (x(p + delta) - x(p - delta)) / (2 delta), whatever the contacts do
 * Neighbours of the first two lie about 1e-7 of p away, so that few of them differ in a step; see step_thresholds.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_STEP_TANGENTS_H
#define DELASSUS_COMMON_RUN_STEP_TANGENTS_H

#include <delassus/scheme.h>
#include <delassus/sensitivity.h>

/** sim->sensitivity->along, for the derivatives of sim->sensitivity. @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the scheme cannot;
 * DLS_ERR_ARG; DLS_ERR_MEMORY */
dls_status dls_step_tangents_create(dls_sim *sim, const dls_tangent_method *method, dls_error *err);

#endif
