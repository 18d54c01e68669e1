/* compliant_contact.h -- contact forces that are functions of gaps which depend on the forces themselves:
 *   y = y_free + s W f,   f_j = law_j(y_j) for every contact,   W = H^T A^-1 H.                            (1)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_COMPLIANT_CONTACT_H
#define DELASSUS_TIME_STEPPING_COMPLIANT_CONTACT_H

#include <delassus/delassus_operator.h>
#include <delassus/scheme.h>
#include <stdbool.h>

struct dls_dry;
typedef struct dls_compliant dls_compliant;

/** A decreasing law of force over gap, with a vertical piece at y = 0 if its force begins with a jump. */
typedef struct dls_compliant_law {
  /** The force at gap y, and its slope -df/dy >= 0; both 0 where the contact is open. For y < 0 next to a jump the
   * force is that of the closed side. */
  double (*force)(dls_sim *sim, size_t j, double y, double *slope);
  /** The force with which the contact begins at y = 0; NULL: 0 for all. */
  double (*onset)(const dls_sim *sim, size_t j);
} dls_compliant_law;

/** Memory of the solver. Arrays of m unless it says otherwise. */
struct dls_compliant {
  size_t n, m;
  dls_delassus *W;          /* NULL without contacts */
  struct dls_dry *dry;      /* borrowed; NULL without friction */
  const dls_matrix *H;      /* borrowed */
  dls_fallbacks *fallbacks; /* borrowed */
  double *y_free;           /* in */
  double *y, *f;            /* out: of all contacts */
  size_t *active;           /* contacts of the last solution, increasing */
  size_t count;             /* of active */
  bool many;     /* contacts: sets start from that of the last step, and grow by more than those that close */
  bool guessed;  /* y and f are those of the last step */
  double least;  /* of many: differences of forces up to this are rounding of the largest; else 0 */
  double *E, *r; /* linearised law: E f + y = r */
  double *b, *x;
  unsigned char *mode;
  double *shift;   /* n: A^-1 H f, of friction too where there is */
  size_t capacity; /* of what follows, in contacts */
  double *matrix;  /* capacity^2 */
  size_t *order;   /* capacity: pivots */
  size_t *closed;  /* m: the contacts of the linear system */
  double *block;   /* owns the arrays of doubles of m and n */
};

/** @param[in] W  for the columns of H; taken over. Destroy c also after a failure. */
dls_status dls_compliant_create(dls_sim *sim, dls_delassus *W, const dls_matrix *H, dls_compliant *c,
                                dls_error *err);
void dls_compliant_destroy(dls_compliant *c);

/**
 * Solve (1) by Newton's method on the contacts with a force. The set grows until no other contact would exert one. Piecewise linear
 * laws take two or three iterations and are exact except for rounding. The same iterations find friction forces, after
 * dls_dry_begin.
 * @param[in] s     > 0
 * @param[in] most  iterations allowed
 * @return DLS_OK; DLS_ERR_NOCONV; DLS_ERR_SINGULAR; DLS_ERR_MEMORY where more contacts are active than ever before
 */
dls_status dls_compliant_solve(dls_sim *sim, dls_compliant *c, const dls_compliant_law *law, double s,
                               size_t most, dls_error *err);

/**
 * Solve (diag(E) + s W) x = b over a set of contacts.
 * @param[in]     c           for its workspace; W need not be its own
 * @param[in]     count, set  contacts
 * @param[in]     E           count, >= 0
 * @param[in,out] b           count; b in, x out
 */
dls_status dls_compliant_linear(dls_compliant *c, dls_delassus *W, double s, size_t count, const size_t *set,
                                const double *E, double *b, dls_error *err);

#endif
