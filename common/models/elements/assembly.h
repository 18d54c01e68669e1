/* assembly.h -- assembles matrices of finite elements into those of a system, in storage chosen for the mesh.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_ASSEMBLY_H
#define DELASSUS_MODELS_ELEMENTS_ASSEMBLY_H

#include <delassus/matrix.h>
#include <stdbool.h>

/* Replaces an unknown where the coordinate is given. */
#define DLS_GIVEN ((size_t)-1)

/* Map from coordinates of elements to unknowns. */
typedef struct dls_incidence {
  size_t unknowns, elements, each; /* each: coordinates of an element */
  const size_t *at;                /* elements x each; an unknown, or DLS_GIVEN */
} dls_incidence;

enum { DLS_MASS_CONSISTENT, DLS_MASS_LUMPED, DLS_MASS_REDISTRIBUTED };
/* Choices of the parameter `mass` of finite-element models. The second list includes redistributed mass, for models with
 * contacts (redistribute.h). */
extern const char *const dls_mass_choices[], *const dls_contact_mass_choices[];

/**
 * A zero matrix with an entry for each coupling of the elements: banded up to 16 diagonals on either side, else sparse.
 * @return NULL if out of memory
 */
dls_matrix *dls_assembly_matrix(const dls_incidence *of);
/** A += block, each x each by rows; rows and columns of given coordinates are left out. */
void dls_assembly_add(dls_matrix *A, size_t each, const size_t *at, const double *block);
/** Lump a symmetric block: a diagonal of its row sums. */
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
