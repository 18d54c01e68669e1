/* chain.c -- the active set of a chain of contacts.
 * Where W is a Minkowski matrix the active set only grows: a contact with w_i < 0 joins it and never leaves, since every
 * z_i rises with each contact that joins. The set consists of runs of neighbours, and only the ends of a run affect the
 * contacts beside it. So a run is stored as a network of conductances seen from its ends, with g = -b as currents and z as
 * potentials,
 *
 *   ground -- first -- left ---- between ---- right -- last -- ground,
 *
 * from which the nodes inside are eliminated. Each join takes a fixed number of operations without subtraction (except in
 * the loads). So a run of 10^6 contacts with condition number 10^12 is computed to rounding.
 * Sources: Chandrasekaran 1970, Opsearch 7 (the set only grows); Cottle, Sacher 1977, Applied Mathematics and
 * Optimization 3 (tridiagonal problems); Alfa, Xue, Ye 2002, Mathematics of Computation 71 (elimination without subtraction).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/chain.h"
#include "common/linear/storage.h"
#include "common/linear/tridiagonal.h"
#include <string.h>

/* A run of active contacts, without its couplings to the contacts beside it. */
typedef struct run {
  size_t left, right;          /* its ends, possibly the same contact */
  double first, between, last; /* conductances; with one end, first alone */
  double at_left, at_right;    /* currents; with one end, at_left alone */
} run;

typedef struct chain {
  size_t n;
  const double *b;
  double *excess, *coupling; /* n: W_ii - |W_i,i-1| - |W_i,i+1|; coupling[i] = |W_i,i-1|, n + 1, the ends 0 */
  run *runs;                 /* count of n, from left to right */
  size_t count;
  unsigned char *active;
} chain;

/* Diagonal and couplings of column j: *before = -W_j-1,j, *after = -W_j+1,j. @return false if there are others */
static bool read(const dls_matrix *W, size_t j, double *own, double *before, double *after)
{
  bool narrow = true;
  *own = *before = *after = 0;
  for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
    const size_t i = (size_t)W->row_of[entry];
    if (i == j) {
      *own = W->values[entry];
    } else if (i + 1 == j) {
      *before = -W->values[entry];
    } else if (i == j + 1) {
      *after = -W->values[entry];
    } else {
      narrow = false;
    }
  }
  return narrow;
}

bool dls_lcp_chain_applies(const dls_matrix *W)
{
  bool applies = true;
  for (size_t j = 0; applies && j < W->columns; j++) {
    double own, before, after;
    applies = read(W, j, &own, &before, &after) && own > 0 && before >= 0 && after >= 0 &&
              dls_tridiagonal_excess(own, before, after) >= 0;
  }
  return applies;
}

static void take(chain *c, const dls_matrix *W)
{
  for (size_t j = 0; j < c->n; j++) {
    double own, after;
    read(W, j, &own, &c->coupling[j], &after);
    c->excess[j] = dls_tridiagonal_excess(own, c->coupling[j], after);
  }
  c->coupling[c->n] = 0;
}

/* Potentials of the ends with the contacts beside them at zero. @return false if the network is singular */
static bool ends_of(const chain *c, const run *r, double *left, double *right)
{
  const double a = r->first + c->coupling[r->left], b = r->last + c->coupling[r->right + 1], k = r->between;
  if (r->left == r->right) {
    const double all = a + c->coupling[r->right + 1];
    *left = *right = r->at_left / all;
    return all > 0;
  }
  const double determinant = a * b + k * (a + b);
  *left = ((b + k) * r->at_left + k * r->at_right) / determinant;
  *right = ((a + k) * r->at_right + k * r->at_left) / determinant;
  return determinant > 0;
}

/* Eliminate the right end of r, which k couples to a node with *current and *ground. r then ends at that node, with the
 * conductance between. */
static void pass(run *r, double k, double *ground, double *current)
{
  const double all = r->between + k + r->last, here = r->between / all, there = k / all;
  *current += there * r->at_right;
  *ground += there * r->last;
  r->at_left += here * r->at_right;
  r->first += here * r->last;
  r->between = here * k;
}

/* Merge b, the right neighbour of a, into a. */
static void join(const chain *c, run *a, const run *b)
{
  run next = *b;
  const double k = c->coupling[b->left];
  if (a->left == a->right) {
    a->between = k;
  } else {
    pass(a, k, &next.first, &next.at_left);
  }
  a->right = next.right;
  a->last = next.first;
  a->at_right = next.at_left;
  if (next.left != next.right) { /* eliminate the left end of b too */
    pass(a, next.between, &next.last, &next.at_right);
    a->last = next.last;
    a->at_right = next.at_right;
  }
}

/* Contact i, inside or next to the last run, becomes a run of its own and merges with its neighbours. */
static void activate(chain *c, size_t i)
{
  const run own = {.left = i, .right = i, .first = c->excess[i], .at_left = -c->b[i]};
  run *last = c->runs + c->count;
  c->active[i] = 1;
  if (c->count > 0 && last[-1].left == i + 1) {
    run both = own;
    join(c, &both, &last[-1]);
    last[-1] = both;
    last--;
  } else {
    *last = own;
    c->count++;
  }
  if (last > c->runs && last[-1].right + 1 == i) {
    join(c, &last[-1], last);
    c->count--;
  }
}

/* Add the contact left of the last run while that run makes its w negative; right := potential of the right end.
 * @return false if a run is singular */
static bool settle(chain *c, double *right)
{
  double left, other, before = 0;
  for (;;) {
    const run *last = c->runs + c->count - 1;
    if (!ends_of(c, last, &left, right)) {
      return false;
    }
    if (last->left == 0) {
      return true;
    }
    const size_t i = last->left - 1;
    before = 0;
    if (c->count > 1 && last[-1].right + 1 == i && !ends_of(c, last - 1, &other, &before)) {
      return false;
    }
    if (!(c->b[i] - c->coupling[i + 1] * left - c->coupling[i] * before < 0)) {
      return true;
    }
    activate(c, i);
  }
}

static bool sweep_chain(chain *c)
{
  double right = 0; /* z_i-1 */
  memset(c->active, 0, c->n);
  for (size_t i = 0; i < c->n; i++) {
    if (c->b[i] - c->coupling[i] * right < 0) { /* w_i */
      activate(c, i);
      if (!settle(c, &right)) {
        return false;
      }
    } else {
      right = 0;
    }
  }
  return true;
}

size_t dls_lcp_chain_room(size_t n)
{
  return 2 * n + 1 + (n + 1) * (sizeof(run) / sizeof(double));
}

bool dls_lcp_chain(const dls_matrix *W, const double *b, double *room, unsigned char *active)
{
  const size_t n = W->rows;
  chain c = {.n = n, .b = b, .excess = room, .coupling = room + n, .active = active};
  c.runs = (run *)(void *)(room + 2 * n + 1);
  take(&c, W);
  return sweep_chain(&c);
}
