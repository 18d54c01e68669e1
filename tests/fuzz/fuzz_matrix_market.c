/* fuzz_matrix_market.c -- any bytes are a table that keeps its promises, or an error with a message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/matrix_market.h>
#include <math.h>
#include <string.h>

static void check_table(const dls_market *table)
{
  demand(table->rows >= 1 && table->columns >= 1 && table->rows <= INT32_MAX && table->columns <= INT32_MAX);
  for (size_t k = 0; k < table->count; k++) {
    const dls_market_entry *e = &table->entries[k];
    demand(e->row < table->rows && e->column < table->columns && isfinite(e->value) && e->value != 0 &&
           e->line > 1);
    demand(dls_market_find(table, e->row, e->column) == e);
    demand(k == 0 || e[-1].column < e->column || (e[-1].column == e->column && e[-1].row < e->row));
  }
}

/* Every entry has its place in the matrix. */
static void check_matrix(const dls_market *table)
{
  dls_matrix *A = dls_market_matrix(table);
  demand(A != NULL);
  for (size_t k = 0; k < table->count; k++) {
    const dls_market_entry *e = &table->entries[k];
    demand(dls_matrix_get(A, e->row, e->column) == e->value);
  }
  dls_matrix_destroy(A);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { MOST_ROWS = 1000 }; /* the size of a matrix is the caller's affair: it is checked before it is made */
  dls_market *table = NULL;
  dls_error err = {0};
  FILE *in = size == 0 ? NULL : fmemopen((void *)(uintptr_t)data, size, "rb");
  if (in == NULL) {
    return 0;
  }
  const dls_status status = dls_market_parse(in, "fuzz", &table, &err);
  fclose(in);
  demand((status == DLS_OK) == (table != NULL));
  demand(status == DLS_OK || (status == DLS_ERR_PARSE && strncmp(err.text, "fuzz:", 5) == 0));
  for (int turn = 0; table != NULL && turn < 2; turn++) {
    check_table(table);
    if (table->rows <= MOST_ROWS && table->columns <= MOST_ROWS) {
      check_matrix(table);
    }
    dls_market_transpose(table);
  }
  dls_market_destroy(table);
  return 0;
}
