/* saddle.c -- W = H^T A^{-1} H of many active contacts where A^{-1} is full. Nothing of the size of W is stored: a product
 * costs a solve with A, and a system with W is a saddle-point system (saddle_system.h), also for W = H^T A^{-1} N M^{-1} H and
 * with joints.
 *
 * Complementarity problems:
 *   [ A    -H_a     ] [ x ]   [ 0 ]
 *   [ H_a^T  s D_aa ] [ z ] = [ r ]      z = (W_aa + s D_aa)^{-1} r,  x = A^{-1} H_a z
 * A contact outside of the set a has a row z_i = 0, so that all sets have the same pattern.
 *
 * Contacts that yield: the same with every contact in the set, and E/s in the place of s D_aa.
 *
 * Problems with laws: Newton's matrix S (W + D) + B. The diagonal blocks W_kk scale the certificate. Each row costs a solve, so they
 * are kept until A or H changes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/saddle_system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct dls_saddle_problem dls_saddle_problem;

enum { BLOCK = 9 };

struct dls_saddle_problem {
  dls_problem_operator as_operator;
  dls_delassus *D;
  dls_saddle_system system;
  bool taken;           /* the system has the matrices of the active contacts */
  double *own;          /* BLOCK a row of u: the block that begins there */
  unsigned char *known; /* rows of that block; 0: not there */
  double work;
};

/* D->x := H z for z[count] at the active rows first, first + 1, ... */
static void push(const dls_delassus *D, size_t first, size_t count, const double *z)
{
  memset(D->x, 0, D->n * sizeof *D->x);
  for (size_t k = 0; k < count; k++) {
    if (z[k] != 0) {
      dls_matrix_column_add(D->H, D->active[first + k], z[k], D->x);
    }
  }
}

/* A^{-1} H z for z[count] at the active rows first, first + 1, ...; in D->x. */
static const double *saddle_apply(const dls_delassus *D, size_t first, size_t count, const double *z)
{
  push(D, first, count, z);
  D->apply(D->data, D->x); /* A^{-1} */
  return D->x;
}

/* u += W x, x at rows first, ... */
static void add_columns(void *data, size_t first, size_t count, const double *x, double *u)
{
  dls_saddle_problem *p = data;
  const dls_delassus *D = p->D;
  const double *y = saddle_apply(D, first, count, x);
  for (size_t k = 0; k < D->count; k++) {
    u[k] += dls_matrix_column_dot(D->H, D->active[k], y); /* H^T y */
  }
  p->work += (double)(D->n + D->count); /* entries of A and H, about */
}

static void laws_multiply(void *data, const double *r, double *u)
{
  add_columns(data, 0, ((const dls_saddle_problem *)data)->D->count, r, u);
}

static void diagonal(void *data, size_t first, size_t count, double *block)
{
  dls_saddle_problem *p = data;
  const dls_delassus *D = p->D;
  const size_t row = D->active[first];
  double *own = p->own + BLOCK * row;
  for (size_t j = 0; p->known[row] != count && j < count; j++) {
    push(D, first + j, 1, &(const double){1});                     /* H e_j */
    (D->estimate != NULL ? D->estimate : D->apply)(D->data, D->x); /* A^-1 H e_j */
    for (size_t i = 0; i < count; i++) {
      own[i + j * count] = dls_matrix_column_dot(D->H, D->active[first + i], D->x); /* W_ij */
    }
  }
  p->known[row] = (unsigned char)count;
  memcpy(block, own, count * count * sizeof *block);
}

static dls_status laws_factor(void *data, size_t blocks, const size_t *first, const double *A, const double *D,
                              const double *B)
{
  dls_saddle_problem *p = data;
  p->taken = p->taken || dls_saddle_system_take(&p->system, p->D);
  if (!p->taken) {
    return DLS_ERR_MEMORY;
  }
  const dls_saddle_law law = {BLOCK, A, D, B, NULL};
  const dls_status status = dls_saddle_system_factor(&p->system, blocks, first, &law);
  if (status == DLS_OK) {
    klu_l_flops(p->system.symbolic, p->system.numeric, &p->system.common);
    p->work += p->system.common.flops;
  }
  return status;
}

static void laws_solve(void *data, double *x)
{
  dls_saddle_system *s = &((dls_saddle_problem *)data)->system;
  double *z = s->rhs + s->contact;
  const size_t count = s->order - s->contact;
  memset(s->rhs, 0, s->contact * sizeof *s->rhs);
  memcpy(z, x, count * sizeof *z);
  dls_saddle_system_solve(s);
  memcpy(x, z, count * sizeof *z);
}

static void saddle_problem_destroy(dls_saddle_problem *p)
{
  if (p != NULL) {
    dls_saddle_system_free(&p->system);
    free(p->own);
    free(p->known);
    free(p);
  }
}

static dls_saddle_problem *saddle_problem_create(dls_delassus *D)
{
  dls_saddle_problem *p = calloc(1, sizeof *p);
  if (p == NULL) {
    return NULL;
  }
  p->D = D;
  p->own = malloc(BLOCK * D->m * sizeof *p->own);
  p->known = calloc(D->m, 1);
  p->as_operator = (dls_problem_operator){.structure = "saddle-point",
                                          .data = p,
                                          .multiply = laws_multiply,
                                          .add_columns = add_columns,
                                          .diagonal = diagonal,
                                          .factor = laws_factor,
                                          .solve = laws_solve,
                                          .work = &p->work};
  if (p->own == NULL || p->known == NULL) {
    saddle_problem_destroy(p);
    return NULL;
  }
  return p;
}

/* Other active contacts: what was laid out is not theirs. */
static void saddle_problem_take(dls_saddle_problem *p)
{
  p->taken = false;
  p->as_operator.n = p->D->count;
}

/* A or H changed. */
static void saddle_problem_reset(dls_saddle_problem *p)
{
  memset(p->known, 0, p->D->m);
}

static const dls_problem_operator *saddle_problem_operator(dls_saddle_problem *p)
{
  return &p->as_operator;
}

enum { MANY = 100 };                     /* contacts: fewer are dealt with faster by an array */
static const double least_rcond = 1e-15; /* ratio of the pivots of a matrix that is not singular */

typedef struct saddle {
  dls_operator as_operator;
  dls_lcp_operator lcp;
  dls_saddle_problem *problem;
  dls_saddle_system system;
  size_t capacity;
  double *diagonal;             /* capacity: D of the contacts */
  double *held, *shifted, *out; /* capacity each: 1 in the set, s D, 1 outside */
  int *set;
  size_t set_count;
  double shift;
} saddle;

bool dls_saddle_applies(const dls_delassus *D, size_t count)
{
  return count > MANY && !dls_condensed_applies(D) && D->whole != NULL &&
         dls_factor_storage(D->whole) != DLS_DENSE && dls_factor_storage(D->whole) != DLS_DIAGONAL;
}

static void free_sets(saddle *S)
{
  free(S->diagonal);
  free(S->set);
  S->diagonal = NULL;
  S->set = NULL;
  S->capacity = 0;
}

static void destroy(dls_operator *O)
{
  saddle *S = (saddle *)O;
  dls_saddle_system_free(&S->system);
  saddle_problem_destroy(S->problem);
  free_sets(S);
  free(S);
}

static bool reserve(saddle *S, size_t count)
{
  if (count <= S->capacity) {
    return true;
  }
  free_sets(S);
  S->diagonal = malloc(4 * count * sizeof *S->diagonal);
  S->set = malloc(count * sizeof *S->set);
  if (S->diagonal == NULL || S->set == NULL) {
    free_sets(S);
    return false;
  }
  S->held = S->diagonal + count;
  S->shifted = S->held + count;
  S->out = S->shifted + count;
  S->capacity = count;
  return true;
}

/* (h^T h)^2 / (h^T A h) <= h^T A^{-1} h = W_kk for the column h of H, by Cauchy and Schwarz. With a product M takes the
 * place of A: the size is right. */
static double bound_of_diagonal(const saddle *S, size_t k)
{
  const dls_delassus *D = S->as_operator.D;
  const dls_column c = dls_matrix_column(D->H, D->active[k]);
  const dls_matrix *A = S->system.M != NULL ? S->system.M : S->system.A;
  double square = 0, energy = 0;
  for (size_t e = 0; e < c.count; e++) {
    const size_t j = dls_column_row(&c, e);
    square += c.values[e] * c.values[e];
    for (size_t f = 0; c.values[e] != 0 && f < c.count; f++) { /* columns of a dense H are mostly zeros */
      if (c.values[f] != 0) {
        energy += c.values[e] * dls_matrix_get(A, dls_column_row(&c, f), j) * c.values[f];
      }
    }
  }
  return energy > 0 ? square * square / energy : 0;
}

/* Are the factors those of a matrix that is not singular? Otherwise there are none. */
static dls_status judge_factors(dls_saddle_system *system, dls_status status)
{
  if (status == DLS_OK && klu_l_rcond(system->symbolic, system->numeric, &system->common) &&
      system->common.rcond >= least_rcond) {
    return DLS_OK;
  }
  klu_l_free_numeric(&system->numeric, &system->common);
  return status == DLS_ERR_MEMORY ? DLS_ERR_MEMORY : DLS_ERR_SINGULAR;
}

static dls_status factor(void *data, size_t count, const int *set, double shift)
{
  saddle *S = data;
  dls_saddle_system *system = &S->system;
  const size_t all = S->as_operator.D->count;
  if (system->numeric != NULL && count == S->set_count && shift == S->shift &&
      memcmp(set, S->set, count * sizeof *set) == 0) {
    return DLS_OK;
  }
  memset(S->held, 0, all * sizeof *S->held);
  for (size_t k = 0; k < count; k++) {
    S->held[set[k]] = 1;
    S->set[k] = set[k];
  }
  for (size_t k = 0; k < all; k++) {
    S->shifted[k] = S->held[k] != 0 ? shift * S->diagonal[k] : 0; /* s D_aa */
    S->out[k] = 1 - S->held[k];                                   /* z_i = 0 */
  }
  S->set_count = count;
  S->shift = shift;
  klu_l_free_numeric(&system->numeric, &system->common); /* sets differ much: pivots of its own for each */
  const dls_saddle_law law = {1, S->held, S->shifted, S->out, S->held};
  return judge_factors(system, dls_saddle_system_factor(system, all, NULL, &law));
}

static dls_status solve(void *data, double *x)
{
  saddle *S = data;
  double *rhs = S->system.rhs, *z = rhs + S->system.contact;
  memset(rhs, 0, S->system.order * sizeof *rhs);
  for (size_t k = 0; k < S->set_count; k++) {
    z[S->set[k]] = x[k];
  }
  dls_saddle_system_solve(&S->system);
  for (size_t k = 0; k < S->set_count; k++) {
    x[k] = z[S->set[k]];
  }
  return DLS_OK;
}

/* (W + E/s) f = b/s */
static dls_status compliant(dls_operator *O, double s, const double *E, double *b)
{
  saddle *S = (saddle *)O;
  dls_saddle_system *system = &S->system;
  const size_t count = O->D->count;
  for (size_t k = 0; k < count; k++) {
    S->held[k] = 1;
    S->shifted[k] = E[k] / s;
    S->out[k] = 0;
  }
  S->set_count = 0; /* no set of a complementarity problem */
  const dls_saddle_law law = {1, S->held, S->shifted, S->out, S->held};
  const dls_status status = judge_factors(system, dls_saddle_system_factor(system, count, NULL, &law));
  if (status != DLS_OK) {
    return status;
  }
  double *z = system->rhs + system->contact;
  memset(system->rhs, 0, system->contact * sizeof *system->rhs);
  for (size_t k = 0; k < count; k++) {
    z[k] = b[k] / s;
  }
  dls_saddle_system_solve(system);
  memcpy(b, z, count * sizeof *b);
  return DLS_OK;
}

/* w += H^T A^{-1} H z; |(W z)_i| for the size. */
static void multiply(void *data, const double *z, double *w, double *size)
{
  const dls_delassus *D = ((const saddle *)data)->as_operator.D;
  const double *y = saddle_apply(D, 0, D->count, z);
  for (size_t k = 0; k < D->count; k++) {
    const double term = dls_matrix_column_dot(D->H, D->active[k], y);
    w[k] += term;
    size[k] += fabs(term);
  }
}

static dls_status gather(dls_operator *O)
{
  saddle *S = (saddle *)O;
  const dls_delassus *D = O->D;
  if (!dls_saddle_system_take(&S->system, D) || !reserve(S, D->count)) {
    return DLS_ERR_MEMORY;
  }
  for (size_t k = 0; k < D->count; k++) {
    S->diagonal[k] = bound_of_diagonal(S, k);
  }
  S->lcp.n = D->count;
  S->lcp.diagonal = S->diagonal;
  saddle_problem_take(S->problem);
  return DLS_OK;
}

/* Column by column. */
static bool copy(dls_operator *O, double *W)
{
  const size_t count = O->D->count;
  double *unit = O->D->r, *size = O->D->r + count;
  memset(W, 0, count * count * sizeof *W);
  memset(unit, 0, count * sizeof *unit);
  for (size_t j = 0; j < count; j++) {
    unit[j] = 1;
    multiply(O, unit, W + j * count, size);
    unit[j] = 0;
  }
  return true;
}

/* A or H changed. */
static void reset(dls_operator *O)
{
  saddle_problem_reset(((saddle *)O)->problem);
}

static const dls_operator_kind kind = {
    .gather = gather, .copy = copy, .destroy = destroy, .reset = reset, .compliant = compliant};

dls_operator *dls_saddle_create(dls_delassus *D)
{
  saddle *S = calloc(1, sizeof *S);
  if (S == NULL || (S->problem = saddle_problem_create(D)) == NULL) {
    free(S);
    return NULL;
  }
  S->lcp = (dls_lcp_operator){
      .structure = "saddle-point", .data = S, .multiply = multiply, .factor = factor, .solve = solve};
  S->as_operator =
      (dls_operator){.kind = &kind, .D = D, .lcp = &S->lcp, .problem = saddle_problem_operator(S->problem)};
  return &S->as_operator;
}
