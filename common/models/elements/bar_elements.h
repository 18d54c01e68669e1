/* common/models/elements/bar_elements.h -- the elastic bar of the models elastic-bar and rod-impact: data and assembly.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_BAR_ELEMENTS_H
#define DELASSUS_COMMON_BAR_ELEMENTS_H

#include "common/models/elements/assembly.h"
#include <delassus/model.h>

/** A bar over a floor: vertical, undeformed at first, moving as a whole. */
typedef struct dls_bar {
  size_t elements;             /* linear elements of equal length; elements + 1 nodes, node 0 at the bottom */
  int mass;                    /* DLS_MASS_CONSISTENT, ..._LUMPED, or ..._REDISTRIBUTED: none at node 0 */
  double E, rho, A, L;         /* Young's modulus [Pa], density [kg/m^3], section [m^2], length [m] */
  double gap, v0;              /* initial gap [m], initial velocity upward [m/s] */
  double gravity, restitution; /* [m/s^2] downward, [1] */
  double alpha, beta;          /* C = alpha M + beta K [1/s, s] */
} dls_bar;

/** The bar's data from the parameters of each model. */
dls_bar dls_bar_of_elastic_bar(const double *p);
dls_bar dls_bar_of_rod_impact(const double *p);

/** The bar over the floor, upright, or lying beside a wall, divided into equal masses by its cross-sections. */
void dls_bar_sketch(const dls_bar *bar, bool upright, const double *q, dls_sketch *out);

/** For `mesh` of models: lines between the nodes, upright or along x; mesh_values: the axial force. */
dls_status dls_bar_mesh(const dls_system *sys, bool upright, dls_mesh *out, dls_error *err);
void dls_bar_mesh_values(const dls_system *sys, double t, const double *q, double *values);

/**
 * M, K, C, H, load, initial data of the bar; n = elements + 1, m = 1. q_i is the displacement of node i from its position
 * in the unstressed bar standing on the floor, so that the gap is q_0. Memory and time O(n).
 * @param[in] name  of the model, for messages
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_bar_assemble(const char *name, const dls_bar *bar, dls_system **out, dls_error *err);

#endif
