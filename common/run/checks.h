/* checks.h -- checks of a run's nodes against what physics forbids, see delassus/warning.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_CHECKS_H
#define DELASSUS_COMMON_RUN_CHECKS_H

#include <delassus/scheme.h>

/** sim->checks. @return false if out of memory */
bool dls_checks_create(dls_sim *sim);
void dls_checks_destroy(dls_sim *sim);
/** As they were created, for another run of the sim. */
void dls_checks_renew(dls_sim *sim);
/** Check the path between nodes, whose q is cubic or linear, of inner runs too. @return false if out of memory */
bool dls_checks_compare(dls_sim *sim, bool cubic);
/** The run starts at, or was moved to, the node: nothing is compared with earlier nodes. */
void dls_checks_begin(dls_sim *sim);
/** A run of the sim is about to start: check energy and momentum too. @return false if out of memory */
bool dls_checks_open(dls_sim *sim);
/** Record a reported impact. */
void dls_checks_impact(dls_sim *sim, const dls_event *event);
/** Check the node that the sim has reached. */
void dls_checks_node(dls_sim *sim);
/** Does a body pass through another without an impulse on the path from the sim's last node to (t, q[n], v[n])? Gap and
 * gap velocity of contact j there are g[j] and u[stride j]. */
bool dls_checks_passes(const dls_sim *sim, double t, const double *q, const double *v, const double *g,
                       const double *u, size_t stride);
/** The limit of a kind, in its own unit. */
double dls_checks_limit(dls_warning_kind kind);
/** Record an occurrence; what.count is not read. */
void dls_checks_warn(dls_sim *sim, dls_warning_kind kind, dls_warning what);
/** For linear systems with contacts and a record: are the motion and the contact forces of the run far below the scales
 * of length and time? @param[out] size  the largest of them, relative to the scales */
bool dls_checks_scales(const dls_sim *sim, double *size);
/** Does contact j pull at the end? */
bool dls_checks_pulls(const dls_sim *sim, size_t j);
/** The end of the run: checks that need all of it. @return DLS_OK; DLS_ERR_MEMORY: no memory for the lines of the record */
dls_status dls_checks_end(dls_sim *sim, dls_status status, dls_error *err);

#endif
