/* selected_inverse.c -- the elimination M = L D L^T gives unknown k the rows S_k of column k of L and the clique C_k = {k} and S_k. Its
 * parent is the first of S_k, whose clique contains S_k. With joints each column of G lies in one clique. Of Z = M^{-1}
 * the entries of the cliques follow from the last unknown to the first,
 *   Z_Sk = -Z_SS L_Sk,   Z_kk = 1/d_k - L_Sk^T Z_Sk.                                                   (1)
 * Impulses p in a clique change v there by Z p. What they change elsewhere is found on the way to where v is read, clique by clique:
 *   from k to its parent:  p_S := p_S - L_Sk p_k,   v += Z p_S in the rest of the parent's clique;       (2)
 *   from the parent to k:  v_k := v_k - L_Sk^T (change of v_S since k was left).                         (3)
 * Source for (1): Takahashi, Fagan, Chin 1973.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/joints/selected_inverse.h"
#include "common/base/arrays.h"
#include "common/contact/joints/elimination_storage.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 32 }; /* of a column of G: an impulse takes as many products with each row of its clique */

struct dls_selected_inverse {
  dls_elimination *E;
  size_t n, entries;   /* of G */
  double *Z;           /* in the places of U, and 1/d_k - .. on the diagonal */
  size_t *products;    /* n: first of E->target for unknown k */
  uint32_t *clique;    /* columns of G: k of the clique */
  uint32_t *local;     /* entries of G: row in the clique, 0 for k itself */
  uint32_t *order;     /* n: coordinate of an unknown */
  uint32_t *path;      /* n: scratch */
  uint32_t at;         /* the clique in which v is up to date; n: above all */
  double *v, *p;       /* n: in the order */
  double *seen;        /* rows of L: v_S of (3) when k was left */
  double *above, *own; /* rows of L, n: p of a clique while the way leads through k below it */
  double *block;
};

void dls_selected_inverse_destroy(dls_selected_inverse *S)
{
  if (S != NULL) {
    dls_elimination_destroy(S->E);
    free(S->products);
    free(S->clique);
    free(S->block);
    free(S);
  }
}

/* --- the cliques --- */

typedef struct listing {
  dls_entry *next;
  size_t count;
} listing;

static void list_entry(void *data, size_t i, size_t j, double x)
{
  listing *l = data;
  (void)x;
  l->count++;
  if (l->next != NULL) {
    *l->next++ = (dls_entry){i, j};
  }
}

/* The places of M and of G G^T. @return NULL if out of memory */
static dls_matrix *joined_pattern(const dls_matrix *M, const dls_matrix *G)
{
  listing l = {NULL, 0};
  dls_entry *entries = NULL;
  for (int fill = 0; fill < 2; fill++) {
    dls_matrix_visit(M, list_entry, &l);
    for (size_t i = 0; i < G->columns; i++) {
      for (size_t a = dls_matrix_begin(G, i); a < dls_matrix_end(G, i); a++) {
        for (size_t b = dls_matrix_begin(G, i); b < dls_matrix_end(G, i); b++) {
          list_entry(&l, (size_t)G->row_of[a], (size_t)G->row_of[b], 0);
        }
      }
    }
    if (fill == 0) {
      l.next = entries = malloc(l.count * sizeof *entries);
      if (entries == NULL) {
        return NULL;
      }
    }
  }
  dls_matrix *A = dls_matrix_of_entries(M->rows, M->rows, l.count / 2, entries);
  free(entries);
  return A;
}

static void add_entry(void *data, size_t i, size_t j, double x)
{
  *dls_matrix_place(data, i, j) += x;
}

/* The clique of column i is that of its row which is eliminated first. */
static void find_clique(dls_selected_inverse *S, const dls_matrix *G, size_t i)
{
  const dls_elimination *E = S->E;
  const size_t begin = dls_matrix_begin(G, i), end = dls_matrix_end(G, i);
  uint32_t first = (uint32_t)S->n;
  for (size_t e = begin; e < end; e++) {
    const uint32_t row = E->place[G->row_of[e]];
    first = row < first ? row : first;
  }
  S->clique[i] = first = first < S->n ? first : 0; /* of an empty column: any */
  for (size_t e = begin; e < end; e++) {
    uint32_t local = 0;
    while (E->place[G->row_of[e]] != (local == 0 ? first : E->rows[E->start[first] + local - 1])) {
      local++;
    }
    S->local[e] = local;
  }
}

/* L of entry e of its rows */
static inline double below(const dls_selected_inverse *S, size_t e)
{
  return S->E->v[dls_elimination_pair(S->E, e) + 1];
}

/* (1) */
static void invert(dls_selected_inverse *S)
{
  const dls_elimination *E = S->E;
  for (size_t k = S->n; k-- > 0;) {
    const size_t first = E->start[k], count = E->start[k + 1] - first;
    double diagonal = E->v[k];
    for (size_t a = 0; a < count; a++) {
      double z = 0;
      for (size_t b = 0; b < count; b++) {
        z -= S->Z[dls_elimination_target(E, E->target + S->products[k], k, a, b)] * below(S, first + b);
      }
      S->Z[dls_elimination_pair(E, first + a)] = z;
      diagonal -= below(S, first + a) * z;
    }
    S->Z[k] = diagonal;
  }
}

static bool allocate(dls_selected_inverse *S, const dls_matrix *G)
{
  const size_t n = S->n, rows = S->E->start[n];
  S->block = dls_arrays((const dls_slot[]){
      {S->E->values, {&S->Z}}, {n, {&S->v, &S->p, &S->own}}, {rows, {&S->seen, &S->above}}, {0}});
  S->products = calloc(n, sizeof *S->products);
  S->clique = calloc(G->columns + G->used + 2 * n, sizeof *S->clique);
  if (S->block == NULL || S->products == NULL || S->clique == NULL) {
    return false;
  }
  S->local = S->clique + G->columns;
  S->order = S->local + G->used;
  S->path = S->order + n;
  return true;
}

static dls_status make(dls_selected_inverse *S, const dls_matrix *A, const dls_matrix *G)
{
  if (dls_elimination_create(A, NULL, 0, &S->E) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  if (S->E == NULL || !dls_elimination_factor(S->E, A, NULL, NULL, NULL, NULL)) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  if (!allocate(S, G)) {
    return DLS_ERR_MEMORY;
  }
  size_t products = 0;
  for (size_t k = 0; k < S->n; k++) {
    const size_t count = S->E->start[k + 1] - S->E->start[k];
    S->products[k] = products;
    products += count * (count - 1) / 2;
    S->order[S->E->place[k]] = (uint32_t)k;
  }
  for (size_t i = 0; i < G->columns; i++) {
    find_clique(S, G, i);
  }
  invert(S);
  return DLS_OK;
}

static bool applies(const dls_matrix *M, const dls_matrix *G)
{
  bool narrow = (M->storage == DLS_BAND || M->storage == DLS_SPARSE) && G->storage == DLS_SPARSE &&
                G->used == G->capacity; /* no entry comes later */
  for (size_t i = 0; narrow && i < G->columns; i++) {
    narrow = dls_matrix_end(G, i) - dls_matrix_begin(G, i) <= MOST_ROWS;
  }
  return narrow;
}

dls_status dls_selected_inverse_create(const dls_matrix *M, const dls_matrix *G, dls_selected_inverse **out)
{
  *out = NULL;
  if (!applies(M, G)) {
    return DLS_OK;
  }
  dls_selected_inverse *S = calloc(1, sizeof *S);
  dls_matrix *A = joined_pattern(M, G);
  dls_status status = DLS_ERR_MEMORY;
  if (S != NULL && A != NULL) {
    dls_matrix_visit(M, add_entry, A);
    S->n = M->rows;
    status = make(S, A, G);
  }
  dls_matrix_destroy(A);
  if (status != DLS_OK) {
    dls_selected_inverse_destroy(S);
    S = NULL;
  }
  *out = S;
  return status == DLS_ERR_NOT_APPLICABLE ? DLS_OK : status;
}

/* --- impulses --- */

/* Z of two rows of the clique of k; 0 is k itself. */
static inline double entry(const dls_selected_inverse *S, size_t k, size_t a, size_t b)
{
  const dls_elimination *E = S->E;
  if (a == 0 || b == 0) {
    return S->Z[a == b ? k : dls_elimination_pair(E, E->start[k] + a + b - 1)];
  }
  return S->Z[dls_elimination_target(E, E->target + S->products[k], k, a - 1, b - 1)];
}

double dls_selected_inverse_diagonal(const dls_selected_inverse *S, const dls_matrix *G, size_t i)
{
  const size_t begin = dls_matrix_begin(G, i), end = dls_matrix_end(G, i);
  double W = 0;
  for (size_t e = begin; e < end; e++) {
    for (size_t f = begin; f < end; f++) {
      W += G->values[e] * entry(S, S->clique[i], S->local[e], S->local[f]) * G->values[f];
    }
  }
  return W;
}

void dls_selected_inverse_apply(dls_selected_inverse *S, const dls_matrix *G, const double *x, double *v)
{
  memset(S->p, 0, S->n * sizeof *S->p);
  dls_matrix_multiply(G, 1, x, S->p);
  dls_elimination_solve(S->E, S->p, NULL, NULL);
  for (size_t i = 0; i < S->n; i++) {
    v[i] += S->p[i];
  }
}

void dls_selected_inverse_begin(dls_selected_inverse *S, const double *v)
{
  const dls_elimination *E = S->E;
  for (size_t k = 0; k < S->n; k++) {
    S->v[k] = v[S->order[k]];
    S->p[k] = 0;
  }
  for (size_t a = 0; a < E->start[S->n]; a++) {
    S->seen[a] = S->v[E->rows[a]];
  }
  S->at = (uint32_t)S->n;
}

static inline uint32_t parent(const dls_selected_inverse *S, uint32_t k)
{
  const dls_elimination *E = S->E;
  return E->start[k] < E->start[k + 1] ? E->rows[E->start[k]] : (uint32_t)S->n;
}

/* (2) */
static void move_up(dls_selected_inverse *S)
{
  const dls_elimination *E = S->E;
  const size_t k = S->at, first = E->start[k], count = E->start[k + 1] - first, up = parent(S, S->at);
  const uint32_t *rows = E->rows + first;
  for (size_t a = 0; a < count; a++) {
    S->p[rows[a]] -= below(S, first + a) * S->p[k];
    S->seen[first + a] = S->v[rows[a]];
  }
  S->p[k] = 0;
  S->at = (uint32_t)up;
  if (up == S->n) {
    return;
  }
  const size_t above = E->start[up], others = E->start[up + 1] - above;
  for (size_t b = 0, a = 1; b < others; b++) {
    const uint32_t row = E->rows[above + b];
    if (a < count && rows[a] == row) { /* in S_k: it has moved */
      a++;
      continue;
    }
    double change = S->Z[dls_elimination_pair(E, above + b)] * S->p[up];
    for (size_t c = 0; c < others; c++) {
      change += entry(S, up, b + 1, c + 1) * S->p[E->rows[above + c]];
    }
    S->v[row] += change;
  }
  S->p[up] += S->own[up];
  for (size_t b = 0; b < others; b++) {
    S->p[E->rows[above + b]] += S->above[above + b];
  }
}

/* (3) of unknown k */
static void follow(dls_selected_inverse *S, size_t k)
{
  const dls_elimination *E = S->E;
  for (size_t a = E->start[k]; a < E->start[k + 1]; a++) {
    S->v[k] -= below(S, a) * (S->v[E->rows[a]] - S->seen[a]);
  }
}

static void move_down(dls_selected_inverse *S, uint32_t k)
{
  const dls_elimination *E = S->E;
  const size_t up = S->at;
  if (up < S->n) {
    S->own[up] = S->p[up];
    S->p[up] = 0;
  }
  for (size_t b = up < S->n ? E->start[up] : 0; up < S->n && b < E->start[up + 1]; b++) {
    S->above[b] = S->p[E->rows[b]];
    S->p[E->rows[b]] = 0;
  }
  follow(S, k);
  S->at = k;
}

/* Up to the clique above both, and down. */
static void move_to(dls_selected_inverse *S, uint32_t k)
{
  size_t steps = 0;
  while (S->at != k) {
    if (S->at < k) {
      move_up(S);
    } else {
      S->path[steps++] = k;
      k = parent(S, k);
    }
  }
  while (steps > 0) {
    move_down(S, S->path[--steps]);
  }
}

double dls_selected_inverse_speed(dls_selected_inverse *S, const dls_matrix *G, size_t i)
{
  double u = 0;
  move_to(S, S->clique[i]);
  for (size_t e = dls_matrix_begin(G, i); e < dls_matrix_end(G, i); e++) {
    u += G->values[e] * S->v[S->E->place[G->row_of[e]]];
  }
  return u;
}

void dls_selected_inverse_add(dls_selected_inverse *S, const dls_matrix *G, size_t i, double x)
{
  const dls_elimination *E = S->E;
  const size_t k = S->clique[i], first = E->start[k], size = E->start[k + 1] - first + 1;
  for (size_t e = dls_matrix_begin(G, i); e < dls_matrix_end(G, i); e++) {
    const double p = x * G->values[e];
    S->p[E->place[G->row_of[e]]] += p;
    for (size_t a = 0; a < size; a++) {
      S->v[a == 0 ? k : E->rows[first + a - 1]] += entry(S, k, a, S->local[e]) * p;
    }
  }
}

void dls_selected_inverse_end(dls_selected_inverse *S, double *v)
{
  while (S->at < S->n) {
    move_up(S);
  }
  for (size_t k = S->n; k-- > 0;) {
    follow(S, k);
    v[S->order[k]] = S->v[k];
  }
}
