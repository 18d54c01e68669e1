/* assembly.h -- matrices of finite elements into matrices of a system, in the storage that fits the mesh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_ASSEMBLY_H
#define DELASSUS_MODELS_ELEMENTS_ASSEMBLY_H

#include <delassus/matrix.h>
#include <stdbool.h>

/* In place of an unknown: the coordinate is given. */
#define DLS_GIVEN ((size_t)-1)

/* Which unknowns the coordinates of elements are. */
typedef struct dls_incidence {
  size_t unknowns, elements, each; /* each: coordinates of an element */
  const size_t *at;                /* elements x each; an unknown, or DLS_GIVEN */
} dls_incidence;

enum { DLS_MASS_CONSISTENT, DLS_MASS_LUMPED, DLS_MASS_REDISTRIBUTED };
/* Mass matrices of models in finite elements, for their parameter `mass`; with the redistributed one, which is for models with
 * contacts (redistribute.h). */
extern const char *const dls_mass_choices[], *const dls_contact_mass_choices[];

/**
 * A zero matrix with a place for all that elements couple: a band where it is narrow (up to 16 on either side), else sparse.
 * @return NULL if out of memory
 */
dls_matrix *dls_assembly_matrix(const dls_incidence *of);
/** A += block, each x each by rows; rows and columns of given coordinates are left out. */
void dls_assembly_add(dls_matrix *A, size_t each, const size_t *at, const double *block);
/** A symmetric block becomes diagonal, with the sums of its rows. */
void dls_assembly_lump(size_t each, double *block);
/** to := factor from, of the same storage, entry by entry. */
void dls_assembly_scale(dls_matrix *to, double factor, const dls_matrix *from);
/** y += x, each; given coordinates are left out. */
static inline void dls_assembly_add_vector(size_t each, const size_t *at, const double *x, double *y)
{
  for (size_t k = 0; k < each; k++) {
    if (at[k] != DLS_GIVEN) {
      y[at[k]] += x[k];
    }
  }
}

#endif
