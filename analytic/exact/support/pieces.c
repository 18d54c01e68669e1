/* analytic/exact/support/pieces.c -- see pieces.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include "common/base/memory.h"
#include <stdlib.h>
#include <string.h>

dls_status dls_pieces_allow(size_t count, long double t, dls_error *err)
{
  return count < DLS_PIECES_MOST
             ? DLS_OK
             : dls_fail(err, DLS_ERR_CHATTERING, "%d events by t = %.9Lg s, no more are computed",
                        DLS_PIECES_MOST, t);
}

dls_status dls_pieces_room(void **pieces, size_t size, size_t count, size_t *capacity, long double t,
                           dls_error *err)
{
  const dls_status status = dls_pieces_allow(count, t, err);
  if (status == DLS_OK && count == *capacity) {
    const size_t more = 2 * *capacity + 8;
    void *moved = realloc(*pieces, dls_size_product(more, size));
    if (moved == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu pieces of an exact solution", more);
    }
    *pieces = moved;
    *capacity = more;
  }
  return status;
}

dls_status dls_pieces_push(dls_pieces *list, const void *piece, dls_error *err)
{
  long double start;
  memcpy(&start, piece, sizeof start);
  const dls_status status = dls_pieces_room(&list->of, list->size, list->count, &list->capacity, start, err);
  if (status == DLS_OK) {
    memcpy((char *)list->of + list->size * list->count++, piece, list->size);
  }
  return status;
}

void dls_pieces_destroy(dls_exact_solution *sol)
{
  free(((dls_pieces *)sol)->of);
  free(sol);
}

size_t dls_pieces_count(const dls_exact_solution *sol)
{
  return ((const dls_pieces *)sol)->count;
}

double dls_pieces_start(const dls_exact_solution *sol, size_t index)
{
  const dls_pieces *list = (const dls_pieces *)sol;
  long double start;
  memcpy(&start, (const char *)list->of + list->size * index, sizeof start);
  return (double)start;
}
