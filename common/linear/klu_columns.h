/* klu_columns.h -- columns of the factors L and U of a matrix that KLU factors as one block.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_KLU_COLUMNS_H
#define DELASSUS_COMMON_LINEAR_KLU_COLUMNS_H

#include <klu.h>
#include <stddef.h>

typedef struct dls_klu_column {
  size_t count;
  const int *rows;
  const double *values;
} dls_klu_column;

/* KLU packs the rows of a column before its values. */
static inline dls_klu_column dls_klu_packed(const double *LU, int at, int count)
{
  const size_t bytes = (size_t)count * sizeof(int);
  return (dls_klu_column){(size_t)count, (const int *)(const void *)(LU + at),
                          LU + at + (bytes + sizeof *LU - 1) / sizeof *LU};
}

/* Column k of L without its 1. */
static inline dls_klu_column dls_klu_column_of_L(const klu_numeric *numeric, size_t k)
{
  return dls_klu_packed(numeric->LUbx[0], numeric->Lip[k], numeric->Llen[k]);
}

/* Column k of U without its diagonal. */
static inline dls_klu_column dls_klu_column_of_U(const klu_numeric *numeric, size_t k)
{
  return dls_klu_packed(numeric->LUbx[0], numeric->Uip[k], numeric->Ulen[k]);
}

#endif
