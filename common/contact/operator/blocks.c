/* blocks.c -- S W + B with block-diagonal S and B, by the operators that factor it for contact problems.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/solve/solve_parts.h"
#include <stdlib.h>

struct dls_blocks {
  dls_dense_operator *dense; /* NULL before their first use */
  dls_sparse_operator *sparse;
  size_t room; /* blocks */
  size_t *first;
  double *none; /* room: 0 */
};

void dls_blocks_destroy(struct dls_blocks *blocks)
{
  if (blocks != NULL) {
    dls_dense_operator_destroy(blocks->dense);
    dls_sparse_operator_destroy(blocks->sparse);
    free(blocks->first);
    free(blocks->none);
    free(blocks);
  }
}

/* @return false if out of memory */
static bool reserve(struct dls_blocks *blocks, size_t d, size_t count)
{
  if (count > blocks->room) {
    free(blocks->first);
    free(blocks->none);
    blocks->first = malloc((count + 1) * sizeof *blocks->first);
    blocks->none = calloc(count, sizeof *blocks->none);
    blocks->room = blocks->first != NULL && blocks->none != NULL ? count : 0;
  }
  for (size_t k = 0; blocks->room >= count && k <= count; k++) {
    blocks->first[k] = d * k;
  }
  return blocks->room >= count;
}

/* W, gathered, as what can be factored with S and B. @return NULL if out of memory */
static const dls_problem_operator *operator_of(dls_delassus *D)
{
  if (D->now->matrix != NULL) {
    return dls_sparse_operator_take(&D->blocks->sparse, D->now->matrix, NULL);
  }
  return dls_delassus_make_array(D) ? dls_dense_operator_take(&D->blocks->dense, D->count, D->W) : NULL;
}

dls_status dls_delassus_solve_blocks(dls_delassus *D, size_t d, size_t count, const size_t *active,
                                     const double *S, const double *B, double *x, dls_error *err)
{
  dls_status status = count == 0 ? DLS_OK : dls_delassus_gather(D, d * count, active, err);
  if (count == 0 || status != DLS_OK) {
    return status;
  }
  D->blocks = D->blocks != NULL ? D->blocks : calloc(1, sizeof *D->blocks);
  const bool room = D->blocks != NULL && reserve(D->blocks, d, count);
  const dls_problem_operator *W = room ? operator_of(D) : NULL;
  status = W == NULL ? DLS_ERR_MEMORY : W->factor(W->data, count, D->blocks->first, S, D->blocks->none, B);
  if (status != DLS_OK) {
    return dls_fail(err, status,
                    status == DLS_ERR_MEMORY ? "no memory for the forces of %zu contacts"
                                             : "the forces of %zu contacts are not determined",
                    count);
  }
  W->solve(W->data, x);
  return DLS_OK;
}
