/* planar_lemke.c -- contacts in the plane as an LCP with three variables per contact, by Lemke's method:
 *   z = (r_N, P_R, xi_L), w = (u_N, xi_R, P_L),   P_R = mu r_N + r_T,  P_L = mu r_N - r_T,  u_T = xi_R - xi_L
 *       [ W_NN - mu W_NT  W_NT   0 ]     [ q_N ]
 *   w = [ W_TN - mu W_TT  W_TT   I ] z + [ q_T ]
 *       [ 2 mu            -I     0 ]     [ 0   ]
 * Where this ends on a ray (mu is large), the LCP of four variables a contact is solved (faceted.c), which is copositive.
 * Source: Stewart, Trinkle 1996, International Journal for Numerical Methods in Engineering 39, with one multiplier
 * eliminated as in Klarbring 1990.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/as_lcp.h"

static size_t size_of(const dls_problem_task *task, const dls_block *block)
{
  (void)task;
  return block->law == DLS_FREE ? 0 : block->law == DLS_HALF ? 1 : 3;
}

static void describe(const dls_problem_task *task, const dls_block *block, size_t row, size_t variable,
                     dls_lcp_form *form)
{
  (void)task;
  const double mu = block->mu;
  dls_lcp_variable *v = form->variable + variable;
  v[0] = (dls_lcp_variable){row, block->rows, {1}, {1}};
  if (block->law == DLS_HALF) {
    return;
  }
  v[0].right[1] = -mu;
  v[1] = (dls_lcp_variable){row, block->rows, {0, 1}, {0, 1}};
  v[2] = (dls_lcp_variable){row, block->rows, {0}, {0}};
  double *L = form->L + variable + variable * form->size; /* 3 x 3 block of the contact */
  L[1 + 2 * form->size] = 1;
  L[2] = 2 * mu;
  L[2 + form->size] = -1;
}

static const char *refuses(const dls_problem *problem)
{
  size_t size = 0;
  if (dls_problem_associated(problem)) {
    return dls_problem_refuses_associated(problem);
  }
  for (size_t k = 0; k < problem->count; k++) {
    if (problem->blocks[k].law == DLS_COULOMB && problem->blocks[k].rows == 3) {
      return "some contacts are in space; 'faceted' solves those with facets";
    }
    size += size_of(NULL, &problem->blocks[k]);
  }
  return size > DLS_LEMKE_LARGEST ? "the LCP would have more than 1000 variables" : NULL;
}

static dls_status solve(dls_problem_task *task)
{
  const dls_status status = dls_solve_as_lcp(task, dls_problem_lemke.name, size_of, describe);
  return status == DLS_OK || status == DLS_ERR_MEMORY ? status : dls_problem_faceted.solve(task);
}

const dls_problem_method dls_problem_lemke = {
    .name = "planar-lemke",
    .summary = "Lemke's method on the LCP with three variables per contact (four where that fails)",
    .source = "D. E. Stewart and J. C. Trinkle, An implicit time-stepping scheme for rigid body dynamics with "
              "inelastic collisions and Coulomb friction, Int. J. Numer. Meth. Eng. 39 (1996)",
    .handles = "contacts in the plane, up to 1000 variables",
    .refuses = refuses,
    .solve = solve,
};
