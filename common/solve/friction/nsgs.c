/* nsgs.c -- nonsmooth Gauss-Seidel: each block in turn is solved exactly with the others fixed, forwards and backwards.
 * Source: Jourdan, Alart, Jean 1998, Computer Methods in Applied Mechanics and Engineering 155.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/one_contact.h"
#include <float.h>
#include <math.h>
#include <string.h>

void dls_block_solve(size_t d, const double *W, double *x)
{
  static const double zero = 1e-14; /* relative to the largest entry */
  double A[DLS_BLOCK], largest = 0;
  bool done[3] = {false, false, false};
  size_t row_of[3] = {3, 3, 3};
  for (size_t k = 0; k < d * d; k++) {
    A[k] = W[k];
    largest = fmax(largest, fabs(W[k]));
  }
  for (size_t c = 0; c < d; c++) {
    size_t p = 3;
    for (size_t i = 0; i < d; i++) {
      p = !done[i] && fabs(A[i + c * d]) > (p == 3 ? zero * largest : fabs(A[p + c * d])) ? i : p;
    }
    row_of[c] = p;
    for (size_t i = 0; p < 3 && i < d; i++) {
      const double factor = i == p ? 0 : A[i + c * d] / A[p + c * d];
      for (size_t j = c; factor != 0 && j < d; j++) {
        A[i + j * d] -= factor * A[p + j * d];
      }
      x[i] -= factor * x[p];
      done[p] = true;
    }
  }
  double y[3] = {0};
  for (size_t c = 0; c < d; c++) {
    y[c] = row_of[c] < 3 ? x[row_of[c]] / A[row_of[c] + c * d] : 0;
  }
  memcpy(x, y, d * sizeof *x);
}

/* New r of block k from its law with u = W_kk r + q. */
static void solve_block(const dls_problem_task *task, size_t k, const double *q, double *r)
{
  const dls_block *block = &task->blocks[k];
  const double *W = task->own + DLS_BLOCK * k;
  if (block->law == DLS_FREE) {
    for (size_t i = 0; i < block->rows; i++) {
      r[i] = -q[i];
    }
    dls_block_solve(block->rows, W, r);
  } else if (!(W[0] > 0)) {
    memset(r, 0, block->rows * sizeof *r);
  } else if (block->law == DLS_HALF) {
    r[0] = q[0] < 0 ? -q[0] / W[0] : 0;
  } else if (block->law == DLS_ASSOCIATED) {
    dls_associated_exact(W, q, block->mu, r);
  } else {
    dls_contact_from(block->rows, W, q, block->mu, r);
  }
}

static void relax(const dls_problem_task *task, size_t k, double *r, double *u)
{
  const size_t a = task->first[k], d = task->blocks[k].rows;
  const double *W = task->own + DLS_BLOCK * k;
  double q[3], new_r[3], change[3];
  bool moves = false;
  for (size_t i = 0; i < d; i++) {
    q[i] = u[a + i];
    for (size_t j = 0; j < d; j++) {
      q[i] -= W[i + d * j] * r[a + j];
    }
    new_r[i] = r[a + i];
  }
  solve_block(task, k, q, new_r);
  for (size_t i = 0; i < d; i++) {
    change[i] = new_r[i] - r[a + i];
    moves = moves || change[i] != 0;
    r[a + i] = new_r[i];
  }
  if (moves) {
    task->W->add_columns(task->W->data, a, d, change, u);
  }
}

void dls_task_sweep(const dls_problem_task *task, size_t sweeps, double *r, double *u)
{
  for (size_t s = 0; s < sweeps; s++) {
    for (size_t k = 0; k < task->count; k++) {
      relax(task, s % 2 == 0 ? k : task->count - 1 - k, r, u);
    }
  }
}

static dls_status solve(dls_problem_task *task)
{
  enum { MOST = 20000, BETWEEN = 20 }; /* sweeps: limit, and number between two certificates */
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  for (size_t sweeps = 0;; sweeps += BETWEEN) {
    const dls_certificate c = dls_task_offer(task, task->r, dls_problem_nsgs.name, sweeps);
    if (task->accepted) {
      return DLS_OK;
    }
    if (sweeps >= MOST || !(c.residual <= DBL_MAX) || dls_task_spent(task)) {
      return DLS_ERR_NOCONV;
    }
    dls_task_sweep(task, BETWEEN, task->r, task->u); /* recompute u, so that errors do not accumulate */
  }
}

static const char *refuses(const dls_problem *problem)
{
  for (size_t k = 0; k < problem->count; k++) {
    if (problem->blocks[k].law == DLS_ASSOCIATED && problem->blocks[k].rows == 3) {
      return "the friction of some contacts in space is associated";
    }
  }
  return NULL;
}

const dls_problem_method dls_problem_nsgs = {
    .name = "nsgs",
    .summary = "nonsmooth Gauss-Seidel by contacts, at most 20 000 sweeps",
    .source = "F. Jourdan, P. Alart and M. Jean, A Gauss-Seidel like algorithm to solve frictional contact "
              "problems, Comput. Methods Appl. Mech. Eng. 155 (1998)",
    .handles = "every problem of Coulomb's law; slow where contacts are redundant",
    .refuses = refuses,
    .solve = solve,
};
