/* monotone.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/monotone.h"
#include "common/base/arrays.h"
#include "common/linear/multigrid_levels.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 30 };
static const double settled =
    1e-4; /* fraction of the unknowns that reach or leave their bounds, below which exchanges are enough */

/* State on level k. */
typedef struct problem {
  dls_multigrid *G;
  size_t k, n;
  const dls_rows *A;
  dls_bounds bounds;
  const double *f;       /* n */
  double *x, *r, *z, *q; /* n; residual; correction; A z */
  unsigned char *held;   /* n */
  double *load, *block;  /* f of coarser levels; owns their arrays */
} problem;

struct dls_monotone {
  problem *levels;
  size_t count;
};

void dls_monotone_destroy(dls_monotone *M)
{
  if (M != NULL) {
    for (size_t k = 1; M->levels != NULL && k < M->count; k++) {
      free(M->levels[k].block);
      free(M->levels[k].held);
    }
    free(M->levels);
    free(M);
  }
}

static bool reserve(problem *p)
{
  p->held = malloc(p->n);
  p->block = dls_arrays((const dls_slot[]){
      {p->n, {&p->load, &p->x, &p->r, &p->z, &p->q, &p->bounds.lower, &p->bounds.upper}}, {0}});
  p->f = p->load;
  return p->held != NULL && p->block != NULL;
}

dls_monotone *dls_monotone_create(dls_multigrid *G)
{
  dls_monotone *M = calloc(1, sizeof *M);
  bool room = M != NULL && (M->levels = calloc(G->count, sizeof *M->levels)) != NULL;
  for (size_t k = 0; room && k < G->count; k++) {
    M->count = k + 1;
    M->levels[k] = (problem){.G = G, .k = k, .n = G->levels[k].A->n, .A = G->levels[k].A};
    room = k == 0 || reserve(&M->levels[k]);
  }
  if (!room) {
    dls_monotone_destroy(M);
    return NULL;
  }
  return M;
}

static inline double within(const dls_bounds *bounds, size_t i, double x)
{
  return x < bounds->lower[i] ? bounds->lower[i] : x > bounds->upper[i] ? bounds->upper[i] : x;
}

/* @return number of unknowns that reached or left their bounds */
static size_t sweep(const problem *p)
{
  const dls_rows *A = p->A;
  size_t changes = 0;
  for (size_t i = 0; i < p->n; i++) {
    double sum = p->f[i];
    for (uint32_t e = A->starts[i]; e < A->starts[i + 1]; e++) {
      sum -= A->value[e] * p->x[A->other[e]];
    }
    const double free = sum / A->d[i];
    p->x[i] = within(&p->bounds, i, free);
    changes += p->held[i] != (p->x[i] != free);
    p->held[i] = p->x[i] != free;
  }
  return changes;
}

/* x += alpha z within the bounds, with z from a cycle truncated at them. */
static void correct(const problem *p)
{
  double work = 0;
  dls_rows_multiply(p->A, p->x, p->q);
  for (size_t i = 0; i < p->n; i++) {
    p->r[i] = p->f[i] - p->q[i];
  }
  dls_multigrid_apply(p->G, p->k, p->r, p->z);
  for (size_t i = 0; i < p->n; i++) {
    p->z[i] = within(&p->bounds, i, p->x[i] + p->z[i]) - p->x[i];
    work += p->r[i] * p->z[i];
  }
  const double energy = dls_rows_multiply(p->A, p->z, p->q), best = work / energy;
  const double alpha = !(work > 0 && energy > 0) ? 0 : best < 1 ? best : 1;
  for (size_t i = 0; i < p->n; i++) {
    p->x[i] = within(&p->bounds, i, p->x[i] + alpha * p->z[i]);
  }
}

/* From x. */
static void descend(const problem *p)
{
  memset(p->held, 0, p->n);
  for (size_t i = 0; i < p->n; i++) {
    p->x[i] = within(&p->bounds, i, p->x[i]);
  }
  size_t changes = sweep(p);
  for (int k = 0; k < MOST_STEPS && (k < 2 || (double)changes > settled * (double)p->n); k++) {
    if (p->k == 0) {
      dls_multigrid_hold(p->G, p->held);
    } else {
      dls_multigrid_hold_coarse(p->G, p->k, p->held);
    }
    correct(p);
    changes = sweep(p);
  }
}

/* Mean of the existing bounds, with the weights of P. */
static double mean(const dls_level *l, uint32_t k, const double *bound, double none)
{
  double sum = 0, weights = 0;
  for (uint32_t t = l->T.starts[k]; t < l->T.starts[k + 1]; t++) {
    const uint32_t i = l->T.to[t];
    const double weight = isfinite(bound[i]) ? dls_weight(&l->P, i, k) : 0;
    sum += weight != 0 ? weight * bound[i] : 0;
    weights += weight;
  }
  return weights > 0 ? sum / weights : none;
}

/* The problem of the next level. */
static void lump(const problem *fine, problem *coarse)
{
  const dls_level *l = &fine->G->levels[fine->k];
  memset(coarse->load, 0, coarse->n * sizeof *coarse->load);
  for (size_t i = 0; i < fine->n; i++) {
    for (uint32_t e = l->P.starts[i]; e < l->P.starts[i + 1]; e++) {
      coarse->load[l->P.to[e]] += l->P.value[e] * fine->f[i];
    }
  }
  for (uint32_t k = 0; k < coarse->n; k++) {
    coarse->bounds.lower[k] = mean(l, k, fine->bounds.lower, -HUGE_VAL);
    coarse->bounds.upper[k] = mean(l, k, fine->bounds.upper, HUGE_VAL);
  }
}

static void refine(const problem *coarse, const problem *fine)
{
  const dls_weights *P = &fine->G->levels[fine->k].P;
  for (size_t i = 0; i < fine->n; i++) {
    fine->x[i] = 0;
    for (uint32_t e = P->starts[i]; e < P->starts[i + 1]; e++) {
      fine->x[i] += P->value[e] * coarse->x[P->to[e]];
    }
  }
}

void dls_monotone_descend(dls_monotone *M, dls_bounds bounds, const double *f, double *work, double *x,
                          unsigned char *held)
{
  problem *first = &M->levels[0];
  first->bounds = bounds;
  first->f = f;
  first->x = x;
  first->held = held;
  first->r = work;
  first->z = work + first->n;
  first->q = work + 2 * first->n;
  dls_levels_use(first->G->levels, M->count, true);
  for (size_t k = 0; k + 1 < M->count; k++) {
    lump(&M->levels[k], &M->levels[k + 1]);
  }
  for (size_t k = M->count; k-- > 0;) {
    if (k + 1 < M->count) {
      refine(&M->levels[k + 1], &M->levels[k]);
    } else {
      memset(M->levels[k].x, 0, M->levels[k].n * sizeof *x);
    }
    descend(&M->levels[k]);
  }
}
