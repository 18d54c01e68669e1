/* system_digest.c -- a hash that distinguishes systems, whatever they were made from.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/hash.h"
#include "common/linear/storage.h"
#include <delassus/model.h>
#include <stdlib.h>

static uint64_t add_numbers(uint64_t hash, size_t count, const double *x)
{
  for (size_t i = 0; i < count; i++) {
    const double number = x[i] + 0.0; /* -0 counts as 0 */
    hash = dls_hash(hash, &number, sizeof number);
  }
  return hash;
}

static void add_entry(void *data, size_t i, size_t j, double x)
{
  const size_t place[] = {i, j};
  uint64_t *hash = data;
  *hash = add_numbers(dls_hash(*hash, place, sizeof place), 1, &x);
}

static uint64_t add_matrix(uint64_t hash, const dls_matrix *A)
{
  const unsigned char there = A != NULL;
  hash = dls_hash(hash, &there, 1);
  if (A != NULL) {
    dls_matrix_visit(A, add_entry, &hash);
  }
  return hash;
}

dls_status dls_system_digest(const dls_system *sys, uint64_t *digest, dls_error *err)
{
  const size_t sizes[] = {sys->n, sys->m};
  const double scales[] = {sys->length, sys->time};
  double *values = calloc(sys->n + sys->m, sizeof *values);
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the forces of a system of %zu degrees of freedom",
                    sys->n);
  }
  dls_system_force(sys, 0, sys->q0, sys->v0, values);
  dls_system_gap(sys, 0, sys->q0, values + sys->n);
  uint64_t hash = dls_hash(DLS_HASH_START, sizes, sizeof sizes);
  hash = add_numbers(hash, 2, scales);
  hash = add_numbers(hash, sys->n, sys->q0);
  hash = add_numbers(hash, sys->n, sys->v0);
  hash = add_numbers(hash, sys->m, sys->e);
  hash = add_numbers(hash, sys->n + sys->m, values);
  hash = add_matrix(hash, sys->M);
  hash = add_matrix(hash, sys->K);
  hash = add_matrix(hash, sys->C);
  hash = add_matrix(hash, sys->H);
  if (sys->d > 1) {
    hash = dls_hash(hash, &sys->d, sizeof sys->d);
    hash = add_numbers(hash, sys->m, sys->mu);
    hash = add_numbers(hash, sys->m, sys->mu_s);
    hash = add_numbers(hash, sys->m, sys->e_t);
    hash = dls_system_has_stribeck(sys) ? add_numbers(hash, sys->m, sys->v_s) : hash;
    hash = add_matrix(hash, sys->T);
  }
  if (sys->r > 0) {
    hash = dls_hash(hash, &sys->r, sizeof sys->r);
    hash = add_matrix(hash, sys->G);
  }
  *digest = hash;
  free(values);
  return DLS_OK;
}
