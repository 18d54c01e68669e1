/* assembly.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/assembly.h"
#include "common/base/memory.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdlib.h>

const char *const dls_mass_choices[] = {
    [DLS_MASS_CONSISTENT] = "consistent", [DLS_MASS_LUMPED] = "lumped", NULL};
const char *const dls_contact_mass_choices[] = {[DLS_MASS_CONSISTENT] = "consistent",
                                                [DLS_MASS_LUMPED] = "lumped",
                                                [DLS_MASS_REDISTRIBUTED] = "redistributed",
                                                NULL};

enum {
  WIDEST_BAND = 16
}; /* bandwidth above which a mesh has more than one dimension, and elimination in node order fills in too much */

/* Largest difference of unknowns coupled by an element. */
static size_t reach_of(const dls_incidence *of)
{
  size_t reach = 0;
  for (size_t e = 0; e < of->elements; e++) {
    size_t least = DLS_GIVEN, most = 0;
    for (size_t k = 0; k < of->each; k++) {
      const size_t i = of->at[e * of->each + k];
      if (i != DLS_GIVEN) {
        least = i < least ? i : least;
        most = i > most ? i : most;
      }
    }
    reach = least != DLS_GIVEN && most - least > reach ? most - least : reach;
  }
  return reach;
}

static dls_matrix *sparse(const dls_incidence *of)
{
  dls_entry *entries = malloc(dls_size_product(
      dls_size_sum(dls_size_product(dls_size_product(of->elements, of->each), of->each), 1), sizeof *entries));
  size_t count = 0;
  for (size_t e = 0; entries != NULL && e < of->elements; e++) {
    const size_t *at = of->at + e * of->each;
    for (size_t k = 0; k < of->each * of->each; k++) {
      const dls_entry entry = {at[k % of->each], at[k / of->each]};
      if (entry.row != DLS_GIVEN && entry.column != DLS_GIVEN) {
        entries[count++] = entry;
      }
    }
  }
  dls_matrix *A = entries == NULL ? NULL : dls_matrix_of_entries(of->unknowns, of->unknowns, count, entries);
  free(entries);
  return A;
}

dls_matrix *dls_assembly_matrix(const dls_incidence *of)
{
  const size_t reach = reach_of(of);
  return reach <= WIDEST_BAND ? dls_matrix_band(of->unknowns, reach, reach) : sparse(of);
}

void dls_assembly_add(dls_matrix *A, size_t each, const size_t *at, const double *block)
{
  for (size_t j = 0; j < each; j++) {
    for (size_t i = 0; at[j] != DLS_GIVEN && i < each; i++) {
      double *place = at[i] == DLS_GIVEN ? NULL : dls_matrix_place(A, at[i], at[j]);
      if (place != NULL) { /* entries outside diagonal storage do not exist and are 0 */
        *place += block[i * each + j];
      }
    }
  }
}

void dls_assembly_lump(size_t each, double *block)
{
  for (size_t i = 0; i < each; i++) {
    double sum = 0;
    for (size_t j = 0; j < each; j++) {
      sum += block[i * each + j];
      block[i * each + j] = 0;
    }
    block[i * each + i] = sum;
  }
}

typedef struct scaled {
  dls_matrix *to;
  double factor;
} scaled;

static void set_scaled(void *data, size_t i, size_t j, double x)
{
  const scaled *s = data;
  dls_matrix_set(s->to, i, j, s->factor * x);
}

void dls_assembly_scale(dls_matrix *to, double factor, const dls_matrix *from)
{
  scaled s = {to, factor};
  dls_matrix_visit(from, set_scaled, &s);
}
