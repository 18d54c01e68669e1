/* small_system.h -- the numbers of a small linear system with contacts, in a struct of fixed size. Batches read them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SMALL_SYSTEM_H
#define DELASSUS_TIME_STEPPING_SMALL_SYSTEM_H

#include "common/contact/operator/operator.h"
#include "time_stepping/step/velocity_contact.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>

enum {
  DLS_SMALL_N = 8,
  DLS_SMALL_M = 4,
  DLS_SMALL_ENTRIES = DLS_SMALL_N * DLS_SMALL_N,
  DLS_SMALL_D = 3, /* rows of a contact */
  DLS_SMALL_ROWS = DLS_SMALL_D * DLS_SMALL_M
};

/** The order of operations of y += alpha A x, as in dls_matrix_multiply. */
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

/** A row of a contact: its normal, or a tangent. */
typedef struct dls_small_row {
  size_t count; /* entries of its column of H */
  unsigned char row[DLS_SMALL_N];
  double H[DLS_SMALL_N];
  double start;          /* of the sum H^T x: 0, or -0 (which changes no bit) where H is diagonal */
  double mixture;        /* c of u+ + c u- */
  dls_response response; /* to an impulse */
} dls_small_row;

typedef struct dls_small_contact {
  double w, mu;                        /* gap at q = 0; coefficient of friction */
  double W[DLS_SMALL_D * DLS_SMALL_D]; /* H^T A^{-1} H of its rows, column-major */
} dls_small_contact;

typedef struct dls_small_system {
  size_t n, m, d; /* d: rows of a contact */
  size_t made;    /* factorizations when the numbers were read; 0: never */
  bool usable;    /* the numbers have a form that batches treat */
  bool full;      /* every entry of H, M, C, K is stored */
  bool mass_term; /* the step has a product with M */
  bool test;      /* only contacts that do not separate are active */
  double ahead;   /* s: active are those with g + ahead u <= 0 */
  double eps_u, eps_g;
  double tolerance; /* of the problem of a contact */
  dls_small_matrix M, C, K;
  dls_small_factor A, mass;
  dls_small_contact contact[DLS_SMALL_M];
  dls_small_row row[DLS_SMALL_ROWS]; /* row d j is the normal of contact j */
} dls_small_system;

/** Memory for the numbers if the system is small and linear, without joints and moving gaps, and its contacts have either all or none
 * friction, whose coefficient is constant; else *out is NULL.
 * @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_small_system_create(const dls_sim *sim, const dls_contact_system *contacts,
                                   dls_small_system **out, dls_error *err);
/** Does another run on the same memory depend on the last one in nothing but values? A is the matrix of its steps: factors that are read
 * entry by entry keep no pivots. */
bool dls_small_system_starts_again(const dls_sim *sim, const dls_contact_system *contacts, const dls_factor *A);
/**
 * Read the numbers of M, C, K, the contacts and the factors, unless A is the factorization of the last call.
 * @param[in] mass      factor of M; NULL: not needed
 * @param[in] responds  impulses act by W
 * @return usable
 */
bool dls_small_system_read(dls_small_system *small_system, const dls_sim *sim, dls_contact_system *contacts,
                           const dls_factor *A, const dls_factor *mass, bool responds);
/** The choice of active contacts in a step of length h. */
static inline void dls_small_system_set_contact(dls_small_system *small_system, const dls_velocity_contact *c,
                                                double h)
{
  small_system->test = c->test;
  small_system->ahead = c->forecast * h;
  small_system->eps_u = c->eps_u;
  small_system->eps_g = c->eps_g;
}
/** Do two systems differ in numbers only, so that one batch can hold them? */
bool dls_small_system_alike(const dls_small_system *a, const dls_small_system *b);

#endif
