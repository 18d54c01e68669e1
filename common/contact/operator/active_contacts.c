/* active_contacts.c -- the active contacts of a Delassus operator: room for them, the operator that holds their W, and W as an array.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/contact/operator/operator.h"
#include <stdlib.h>
#include <string.h>

void dls_delassus_free_sets(dls_delassus *D)
{
  free(D->r);
  D->r = NULL;
  D->active = NULL;
  D->all = NULL;
  D->capacity = 0;
  D->valid = false;
}

/* Room for so many active contacts. @return false if out of memory */
bool dls_delassus_reserve(dls_delassus *D, size_t count)
{
  if (count <= D->capacity) {
    return true;
  }
  size_t capacity = 2 * D->capacity > count ? 2 * D->capacity : count;
  capacity = capacity < D->m ? capacity : D->m;
  dls_delassus_free_sets(D);
  D->r = malloc(capacity * (4 * sizeof *D->r + sizeof *D->active + sizeof *D->all));
  if (D->r == NULL) {
    return false;
  }
  D->active = (size_t *)(D->r + 4 * capacity);
  D->all = (int *)(D->active + capacity);
  for (size_t k = 0; k < capacity; k++) {
    D->all[k] = (int)k;
  }
  D->capacity = capacity;
  return true;
}

bool dls_delassus_reserve_array(dls_delassus *D, size_t count)
{
  if (D->W_capacity < count) {
    const size_t doubled = 2 * D->W_capacity < D->m ? 2 * D->W_capacity : D->m;
    free(D->W);
    D->W_capacity = doubled > count ? doubled : count;
    D->W = malloc(dls_size_product(dls_size_product(D->W_capacity, D->W_capacity), sizeof *D->W));
    D->W_capacity = D->W == NULL ? 0 : D->W_capacity;
  }
  return D->W != NULL;
}

bool dls_delassus_reserve_problem(dls_delassus *D)
{
  D->valid = false; /* the array may move */
  return dls_delassus_reserve_array(D, D->m < DLS_DELASSUS_RESERVED ? D->m : DLS_DELASSUS_RESERVED);
}

bool dls_delassus_make_array(dls_delassus *D)
{
  D->array = D->array || (dls_delassus_reserve_array(D, D->count) && D->now->kind->copy(D->now, D->W));
  return D->array;
}

/* Many contacts on a band or sparse A are a saddle-point system. */
static dls_status gather_any(dls_delassus *D)
{
  D->array = false;
  D->orthogonal.valid = D->shifted = false;
  D->now = D->first;
  if (dls_saddle_applies(D, D->count)) {
    D->now = D->many = D->many != NULL ? D->many : dls_saddle_create(D);
  }
  D->prepared = false;
  return D->now == NULL ? DLS_ERR_MEMORY : D->now->kind->gather(D->now);
}

static dls_status prepare(dls_delassus *D)
{
  const dls_status status = D->now->kind->prepare != NULL ? D->now->kind->prepare(D->now) : DLS_OK;
  D->prepared = status == DLS_OK && (D->now->lcp != NULL || dls_delassus_make_array(D));
  return D->prepared ? DLS_OK : DLS_ERR_MEMORY;
}

static dls_status no_memory(dls_delassus *D, dls_status status, size_t count, dls_error *err)
{
  D->valid = false;
  return dls_fail(err, status, "no memory for the Delassus matrix of %zu contacts", count);
}

dls_status dls_delassus_gather_W(dls_delassus *D, size_t count, const size_t *active, dls_error *err)
{
  if (D->valid && count == D->count && memcmp(active, D->active, count * sizeof *active) == 0) {
    return DLS_OK;
  }
  dls_status status = DLS_ERR_MEMORY;
  if (dls_delassus_reserve(D, count)) {
    memcpy(D->active, active, count * sizeof *active);
    D->count = count;
    status = gather_any(D);
  }
  D->valid = status == DLS_OK;
  return D->valid ? DLS_OK : no_memory(D, status, count, err);
}

dls_status dls_delassus_gather(dls_delassus *D, size_t count, const size_t *active, dls_error *err)
{
  const dls_status status = dls_delassus_gather_W(D, count, active, err);
  if (status != DLS_OK || D->prepared) {
    return status;
  }
  return prepare(D) == DLS_OK ? DLS_OK : no_memory(D, DLS_ERR_MEMORY, count, err);
}
