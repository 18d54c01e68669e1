/* limit_motion.h -- motion of a system with the limit model of a scheme: contact forces that are functions of the penetration
 * delta = -g and its rate, as delassus/limit.h defines them, in continuous time. Errors against it are errors of the steps alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_LIMIT_MOTION_H
#define DELASSUS_ANALYTIC_LIMIT_MOTION_H

#include <delassus/scheme.h>
#include <delassus/trajectory.h>

/** How a motion was computed. */
typedef enum dls_limit_method {
  DLS_LIMIT_CLOSED_FORM, /* exact flows between the changes of contact, whose times are roots to long double */
  DLS_LIMIT_INTEGRATION  /* steps of order 8 between the changes of contact */
} dls_limit_method;

/**
 * Sample the motion on [0, end], from the initial data of the system; one mass on one contact with a linear law and a steady load
 * in closed form, else by integration.
 * @param[in] scheme, options  whose limit model: compliant at every contact
 * @param[in] accuracy         interpolation errs by at most this in q [m] and v [m/s]; the integration by less than a hundredth of it
 *                             in a step
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE: joints, friction in space or at more than one contact, impedance at several contacts, a
 * friction that has a state of its own, a limit model that is not compliant; DLS_ERR_LIMIT: more rows than memory should hold;
 * DLS_ERR_CHATTERING; DLS_ERR_INTERRUPTED, see interrupt.h; DLS_ERR_MEMORY
 */
dls_status dls_limit_motion(const dls_system *sys, const dls_scheme *scheme, const void *options, double end,
                            double accuracy, dls_trajectory **out, dls_limit_method *method, dls_error *err);

#endif
