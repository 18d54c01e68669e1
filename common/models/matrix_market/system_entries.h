/* system_entries.h -- single numbers of the matrices and vectors of a system, by name: "K[2,3]", "w[0]". Indices start at 0.
 * An entry of M, K or C stands for both places of a symmetric matrix.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_MATRIX_MARKET_SYSTEM_ENTRIES_H
#define DELASSUS_MODELS_MATRIX_MARKET_SYSTEM_ENTRIES_H

#include <delassus/model.h>
#include <stdbool.h>

enum { DLS_ENTRY_NAME = 40 };
typedef struct dls_system_entry {
  char name[DLS_ENTRY_NAME], of[DLS_ENTRY_NAME]; /* "K[2,3]", "K" */
  size_t row, column;                            /* column 0 of a vector */
  double value;
  double size;      /* of the value; of a zero the largest entry of its matrix or vector, else 1 */
  double low, high; /* values allowed */
} dls_system_entry;

/** Does the text have the form of an entry, NAME[...]? */
bool dls_system_entry_is(const char *text);
/**
 * @param[in] owner  for messages, "model matrix-model"
 * @return DLS_OK; DLS_ERR_OPTION if the system has no such entry: the message lists what may be named, or gives the sizes
 */
dls_status dls_system_entry_find(const dls_system *sys, const char *owner, const char *text,
                                 dls_system_entry *out, dls_error *err);
/** Add to an entry that was found in a system of the same sizes. Rayleigh damping follows M and K. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_system_entry_add(dls_system *sys, const dls_system_entry *entry, double change, dls_error *err);
/** text := "M[i,j], K[i,j], ..., w[i]": the entries that may be named. @param[in] sys  NULL: of a model made of files */
void dls_system_entry_names(const dls_system *sys, char *text, size_t size);

#endif
