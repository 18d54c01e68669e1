/* small_system.h -- the numbers of a small linear system with frictionless contacts, side by side in one struct of fixed size, and the steps of
 * many runs of such systems at once: batch.h.
 * A step there makes the operations of the general path in the same order, so that its results are those to the last bit; what it does
 * not treat (two active contacts, a value that is not finite, a complementarity problem that needs more than its closed form) it
 * leaves to the general path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SMALL_SYSTEM_H
#define DELASSUS_TIME_STEPPING_SMALL_SYSTEM_H

#include "common/contact/operator/operator.h"
#include "time_stepping/step/velocity_contact.h"
#include <delassus/scheme.h>
#include <delassus/stage.h>

enum { DLS_SMALL_N = 8, DLS_SMALL_M = 4, DLS_SMALL_ENTRIES = DLS_SMALL_N * DLS_SMALL_N };

/** How y += alpha A x goes on, as in dls_matrix_multiply. */
typedef enum dls_small_storage {
  DLS_SMALL_NONE,        /* no matrix */
  DLS_SMALL_DIAGONAL,    /* y_i += (alpha A_i) x_i */
  DLS_SMALL_TRIDIAGONAL, /* y_i += alpha (A_ii-1 x_i-1 + A_ii x_i + A_ii+1 x_i+1), values by columns of three */
  DLS_SMALL_COLUMNS      /* y_i += (alpha x_j) A_ij, entry by entry */
} dls_small_storage;

typedef struct dls_small_matrix {
  dls_small_storage storage;
  size_t count;
  unsigned char row[DLS_SMALL_ENTRIES], column[DLS_SMALL_ENTRIES];
  double value[DLS_SMALL_ENTRIES];
} dls_small_matrix;

/** As dls_factor_view; ENDS has d in the first n values and e behind them, LU columns of n. */
typedef struct dls_small_factor {
  dls_factor_form form;
  unsigned char pivot[DLS_SMALL_N];
  double value[DLS_SMALL_ENTRIES];
} dls_small_factor;

typedef struct dls_small_contact {
  size_t count; /* entries of its column of H */
  unsigned char row[DLS_SMALL_N];
  double H[DLS_SMALL_N];
  double start;          /* of their sum: 0; -0, which adds nothing, where a sum of one entry is that entry */
  double w, mixture;     /* gap at q = 0; c of u+ + c u- */
  double W;              /* H^T A^{-1} H */
  dls_response response; /* to an impulse */
} dls_small_contact;

typedef struct dls_small {
  size_t n, m;
  size_t made;    /* factorizations when the numbers were taken; 0: they have not been */
  bool usable;    /* they fit */
  bool full;      /* no column of H, M, C, K leaves an entry out */
  bool mass_term; /* the step has a product with M */
  bool test;      /* only contacts that do not separate are active */
  double ahead;   /* s: active are those with g + ahead u <= 0 */
  double eps_u, eps_g;
  double tolerance; /* of the complementarity problem */
  dls_small_matrix M, C, K;
  dls_small_factor A, mass;
  dls_small_contact contact[DLS_SMALL_M];
} dls_small;

/** A run of a small system: what it keeps beside the sim from step to step, and the scheme's own numbers. */
enum { DLS_SMALL_NUMBERS = 8, DLS_SMALL_KEEPS = 8 };
typedef struct dls_small_run {
  const dls_small *small;
  double *keep[DLS_SMALL_KEEPS]; /* arrays of n or m, as the kernel has them; the first is the load */
  double number[DLS_SMALL_NUMBERS];
} dls_small_run;

/** Up to `most` steps of runs that are alike, as many in each; those that cannot make the next one are stuck. @return how many */
typedef size_t dls_small_go(dls_glide *lane, const dls_small_run *run, size_t count, size_t most);
/** The same function for 1, 2, 4 and 8 lanes: by numbers, and by vectors of 16, 32 and 64 bytes. */
typedef struct dls_small_widths {
  dls_small_go *one, *two, *four, *eight;
} dls_small_widths;
/** glide of a scheme, for runs whose lanes are not stuck yet: side by side in the widest vectors that the machine has. */
void dls_small_glide(dls_glide *lane, const dls_small_run *run, size_t count, const dls_small_widths *widths);

/** Room for the numbers, where the system is small and linear, has no friction, joints or moving gaps, and its contacts are those of
 * the stage; else NULL. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_small_create(const dls_sim *sim, const dls_stage *stage, dls_small **out, dls_error *err);
/**
 * The numbers of M, C, K, the contacts and the factors as they are.
 * @param[in] mass      of M; NULL: not needed
 * @param[in] responds  impulses act by W
 * @return small->usable
 */
bool dls_small_take(dls_small *small, const dls_sim *sim, dls_stage *stage, const dls_factor *A,
                    const dls_factor *mass, bool responds);
/** What contact at velocity level asks of a step of length h. */
static inline void dls_small_watch(dls_small *small, const dls_velocity_contact *c, double h)
{
  small->test = c->test;
  small->ahead = c->forecast * h;
  small->eps_u = c->eps_u;
  small->eps_g = c->eps_g;
}
/** Are systems alike in all but their numbers, so that their runs go side by side? */
bool dls_small_alike(const dls_small *a, const dls_small *b);

#endif
