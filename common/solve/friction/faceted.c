/* faceted.c -- the cone replaced by a pyramid of k facets, D = [d_1 ... d_k], r_T = D beta, as LCP by Lemke's method:
 *   z = (r_N, beta, gamma)
 *       [ W_NN      W_NT D      0 ]     [ q_N     ]
 *   w = [ D^T W_TN  D^T W_TT D  E ] z + [ D^T q_T ]      E: a column of ones a contact
 *       [ mu        -E^T        0 ]     [ 0       ]
 * The effective friction lies between mu cos(pi / k) and mu, and its direction is off by up to pi / k. This error does not
 * vanish with the step. For comparison only; exact in the plane, where D = (1, -1).
 * Source: Stewart, Trinkle 1996, International Journal for Numerical Methods in Engineering 39.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/as_lcp.h"
#include <math.h>

static const double two_pi = 6.283185307179586476925;

static size_t facets(const dls_problem_task *task, const dls_block *block)
{
  return block->rows == 2 ? 2 : task->facets;
}

static size_t size_of(const dls_problem_task *task, const dls_block *block)
{
  return block->law == DLS_FREE ? 0 : block->law == DLS_HALF ? 1 : facets(task, block) + 2;
}

static void describe(const dls_problem_task *task, const dls_block *block, size_t row, size_t variable,
                     dls_lcp_form *form)
{
  const size_t k = facets(task, block), size = form->size;
  dls_lcp_variable *v = form->variable + variable;
  double *L = form->L + variable + variable * size; /* rows of the contact itself */
  v[0] = (dls_lcp_variable){row, block->rows, {1}, {1}};
  if (block->law == DLS_HALF) {
    return;
  }
  for (size_t i = 0; i < k; i++) {
    const double angle = two_pi * (double)i / (double)k;
    v[1 + i] = (dls_lcp_variable){row, block->rows, {0}, {0}};
    v[1 + i].left[1] = v[1 + i].right[1] = block->rows == 2 ? 1 - 2 * (double)i : cos(angle);
    v[1 + i].left[2] = v[1 + i].right[2] = block->rows == 2 ? 0 : sin(angle);
    L[1 + i + (k + 1) * size] = 1;
    L[k + 1 + (1 + i) * size] = -1;
  }
  v[k + 1] = (dls_lcp_variable){row, block->rows, {0}, {0}};
  L[k + 1] = block->mu;
}

static dls_status solve(dls_problem_task *task)
{
  return dls_solve_as_lcp(task, dls_problem_faceted.name, size_of, describe);
}

const dls_problem_method dls_problem_faceted = {
    .name = "faceted",
    .summary = "the cone as a pyramid, by Lemke's method; for comparison: not exact in space",
    .source = "D. E. Stewart and J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics with "
              "inelastic collisions and Coulomb friction, Int. J. Numer. Meth. Eng. 39 (1996)",
    .handles = "every problem, up to 1000 variables (k + 2 a contact in space)",
    .refuses = dls_problem_refuses_associated,
    .solve = solve,
};
