/* saddle_problem.c -- W = H^T A^{-1} H of many rows for problems with laws, A neither diagonal nor dense: products by a solve with A,
 * Newton's matrix S (W + D) + B by a saddle-point system (saddle_system.h). Nothing of the size of W is made. Its blocks W_kk on
 * the diagonal, which scale the certificate, cost a solve a row and are kept until A or H changes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/saddle_parts.h"
#include <stdlib.h>
#include <string.h>

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

const double *dls_saddle_apply(const dls_delassus *D, size_t first, size_t count, const double *z)
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
  const double *y = dls_saddle_apply(D, first, count, x);
  for (size_t k = 0; k < D->count; k++) {
    u[k] += dls_matrix_column_dot(D->H, D->active[k], y); /* H^T y */
  }
  p->work += (double)(D->n + D->count); /* entries of A and H, about */
}

static void multiply(void *data, const double *r, double *u)
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

static dls_status factor(void *data, size_t blocks, const size_t *first, const double *A, const double *D,
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

static void solve(void *data, double *x)
{
  dls_saddle_system *s = &((dls_saddle_problem *)data)->system;
  double *z = s->rhs + s->contact;
  const size_t count = s->order - s->contact;
  memset(s->rhs, 0, s->contact * sizeof *s->rhs);
  memcpy(z, x, count * sizeof *z);
  dls_saddle_system_solve(s);
  memcpy(x, z, count * sizeof *z);
}

dls_saddle_problem *dls_saddle_problem_create(dls_delassus *D)
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
                                          .multiply = multiply,
                                          .add_columns = add_columns,
                                          .diagonal = diagonal,
                                          .factor = factor,
                                          .solve = solve,
                                          .work = &p->work};
  if (p->own == NULL || p->known == NULL) {
    dls_saddle_problem_destroy(p);
    return NULL;
  }
  return p;
}

void dls_saddle_problem_destroy(dls_saddle_problem *p)
{
  if (p != NULL) {
    dls_saddle_system_free(&p->system);
    free(p->own);
    free(p->known);
    free(p);
  }
}

void dls_saddle_problem_take(dls_saddle_problem *p)
{
  p->taken = false;
  p->as_operator.n = p->D->count;
}

void dls_saddle_problem_reset(dls_saddle_problem *p)
{
  memset(p->known, 0, p->D->m);
}

const dls_problem_operator *dls_saddle_problem_operator(dls_saddle_problem *p)
{
  return &p->as_operator;
}
