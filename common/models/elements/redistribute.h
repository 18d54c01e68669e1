/* redistribute.h -- mass redistribution: the contact nodes of a mesh lose their mass, so that contact has no impacts.
 *
 *   M~ = P o (M + sum_(k <= l) alpha_kl (a_k a_l^T + a_l a_k^T)/2),   a_k^T M~ a_l = a_k^T M a_l             (1)
 *
 * P keeps the entries of M except in the rows and columns of the massless nodes; a_0 = 1, a_1 = X_1, a_2 = X_2 at the
 * nodes. So total mass, centre and inertia are kept, by 3 equations on a line and 6 in the plane. Among all M~ with that
 * pattern and those moments it is the one nearest to P o M, entry by entry. If that is not positive definite, or has too
 * few entries for (1), each massless node distributes the sum of its row equally to its neighbours with mass. That keeps
 * the total only.
 * Source: Khenous, Laborde & Renard 2008, section 4 (the conditions (1)).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_REDISTRIBUTE_H
#define DELASSUS_MODELS_ELEMENTS_REDISTRIBUTE_H

#include <delassus/model.h>
#include <stdbool.h>

typedef enum dls_redistribution {
  DLS_REDISTRIBUTED_MOMENTS, /* (1) */
  DLS_REDISTRIBUTED_LUMPED,  /* into neighbours */
} dls_redistribution;

/**
 * Redistribute the mass between nodes, a number for each pair: that of one component of the motion.
 * @param[in]     dimension  of X: 1 or 2
 * @param[in]     X          nodes x dimension, by nodes: positions in the unloaded body [m]
 * @param[in]     massless   nodes: loses its mass?
 * @param[in,out] M          nodes x nodes, symmetric in pattern and values, positive definite [kg]; every stored entry is part
 *                           of the pattern, and stays one
 * @param[out]    how        which of the two methods was used
 * @return DLS_OK; DLS_ERR_ARG if no mass is left, or a node is not connected to one with mass; DLS_ERR_MEMORY
 */
dls_status dls_redistribute(size_t dimension, const double *X, const bool *massless, dls_matrix *M,
                            dls_redistribution *how, dls_error *err);
/** The same for a model: adds its name to messages, and a remark if (1) was not possible. @param[out] remark
 * DLS_REMARK_ROOM */
dls_status dls_redistribute_mass(const char *model, size_t dimension, const double *X, const bool *massless,
                                 dls_matrix *M, char *remark, dls_error *err);

#endif
