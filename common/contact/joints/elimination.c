/* elimination.c -- the order by fewest neighbours (minimum degree, Tinney and Walker 1967), index lists of all products, and the
 * elimination L U with them. Own code since KLU and LAPACK take 10 times as long on systems of a few bodies.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/joints/elimination_storage.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of the sum of the magnitudes that make a pivot, for an equation about the squared sine of its angle to those before it: rounding
 * grows by its inverse at most, here to 1e-12. */
static const double least_pivot = 1e-4;
enum {
  MOST_KNOWN = 4,         /* rows of a column that is eliminated without loops */
  MOST_NEIGHBOURS = 127,  /* of an unknown when it is eliminated */
  MOST_PRODUCTS = 256,    /* an unknown, on the average: beyond that loops fill in, and KLU is as quick */
  SMALL_PRODUCTS = 131072 /* allowed in any case: a full system of 70 unknowns */
};

/* --- the order --- */

/* Unknowns of each degree are in a list, the last one touched in front. */
typedef struct graph {
  size_t count, n;
  uint32_t **near;                       /* neighbours, increasing */
  uint32_t *degree, *next, *last, *open; /* open: coordinates of an equation that are left */
  uint32_t **own; /* of an equation, its coordinates, increasing, with their number in front; else NULL */
  uint32_t head[MOST_NEIGHBOURS + 1];
  uint32_t *merged; /* scratch */
} graph;

static const uint32_t none = UINT32_MAX;

static void leave_list(graph *g, uint32_t i)
{
  if (g->last[i] != none) {
    g->next[g->last[i]] = g->next[i];
  } else if (g->degree[i] <= MOST_NEIGHBOURS && g->head[g->degree[i]] == i) {
    g->head[g->degree[i]] = g->next[i];
  }
  if (g->next[i] != none) {
    g->last[g->next[i]] = g->last[i];
  }
  g->next[i] = g->last[i] = none;
}

/* An equation waits for its coordinates. */
static void enter_list(graph *g, uint32_t i)
{
  if (g->open[i] > 0 || g->degree[i] > MOST_NEIGHBOURS) {
    return;
  }
  uint32_t *head = &g->head[g->degree[i]];
  g->next[i] = *head;
  if (*head != none) {
    g->last[*head] = i;
  }
  *head = i;
}

/* near[i] := (near[i] and near[k]) without i and k */
static bool merge(graph *g, uint32_t i, uint32_t k)
{
  size_t a = 0, b = 0, count = 0;
  while (a < g->degree[i] || b < g->degree[k]) {
    const uint32_t x = a < g->degree[i] ? g->near[i][a] : none, y = b < g->degree[k] ? g->near[k][b] : none;
    const uint32_t low = x < y ? x : y;
    a += x == low;
    b += y == low;
    if (low != i && low != k) {
      g->merged[count++] = low;
    }
  }
  if (count > g->degree[i]) {
    uint32_t *more = realloc(g->near[i], count * sizeof *more);
    if (more == NULL) {
      return false;
    }
    g->near[i] = more;
  }
  memcpy(g->near[i], g->merged, count * sizeof *g->merged);
  g->degree[i] = (uint32_t)count;
  return true;
}

static uint32_t fewest(const graph *g)
{
  for (size_t d = 0; d <= MOST_NEIGHBOURS; d++) {
    if (g->head[d] != none) {
      return g->head[d];
    }
  }
  return none;
}

static int by_number(const void *a, const void *b)
{
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* Is k a coordinate of equation i? Fill does not count. */
static bool waits_for(const graph *g, uint32_t i, uint32_t k)
{
  const uint32_t *own = g->own[i];
  return g->open[i] > 0 && bsearch(&k, own + 1, own[0], sizeof *own, by_number) != NULL;
}

static dls_status remove_unknown(graph *g, uint32_t k)
{
  leave_list(g, k);
  for (size_t a = 0; a < g->degree[k]; a++) {
    const uint32_t i = g->near[k][a];
    leave_list(g, i);
    g->open[i] -= waits_for(g, i, k);
    if (!merge(g, i, k)) {
      return DLS_ERR_MEMORY;
    }
    enter_list(g, i);
  }
  return DLS_OK;
}

/* @param[out] order  the unknowns; near[i] are the neighbours of i when it goes @return DLS_ERR_NOT_APPLICABLE: too much fill */
static dls_status find_order(graph *g, uint32_t *order)
{
  size_t products = 0;
  for (size_t k = 0; k < g->count; k++) {
    const uint32_t next = fewest(g);
    if (next == none) {
      return DLS_ERR_NOT_APPLICABLE;
    }
    order[k] = next;
    products += (size_t)g->degree[next] * g->degree[next];
    if (products > SMALL_PRODUCTS && products > MOST_PRODUCTS * g->count) {
      return DLS_ERR_NOT_APPLICABLE;
    }
    const dls_status status = remove_unknown(g, next);
    if (status != DLS_OK) {
      return status;
    }
  }
  return DLS_OK;
}

static void free_graph(graph *g)
{
  for (size_t i = 0; i < g->count; i++) {
    if (g->near != NULL) {
      free(g->near[i]);
    }
    if (g->own != NULL) {
      free(g->own[i]);
    }
  }
  free(g->near);
  free(g->own);
  free(g->degree);
}

static bool create_graph(graph *g, size_t n, size_t r)
{
  *g = (graph){.count = n + r, .n = n};
  g->near = calloc(g->count, sizeof *g->near);
  g->own = calloc(g->count, sizeof *g->own);
  g->degree = calloc(5 * g->count, sizeof *g->degree);
  if (g->near == NULL || g->own == NULL || g->degree == NULL) {
    return false;
  }
  g->next = g->degree + g->count;
  g->last = g->next + g->count;
  g->open = g->last + g->count;
  g->merged = g->open + g->count;
  memset(g->next, 0xff, 2 * g->count * sizeof *g->next);
  memset(g->head, 0xff, sizeof g->head);
  return true;
}

typedef struct edges {
  graph *g;
  size_t shift;             /* of columns: the unknown of column j is shift + j */
  size_t entries, diagonal; /* diagonal: of coordinates */
  bool fill;
} edges;

static void take_edge(void *data, size_t i, size_t j, double x)
{
  edges *e = data;
  graph *g = e->g;
  const uint32_t row = (uint32_t)i, column = (uint32_t)(e->shift + j);
  (void)x;
  e->entries++;
  e->diagonal += row == column && i < g->n;
  if (row == column) {
    return;
  }
  const uint32_t ends[2][2] = {{row, column}, {column, row}};
  for (int k = 0; k < 2; k++) {
    const uint32_t from = ends[k][0];
    if (e->fill) {
      g->near[from][g->degree[from]] = ends[k][1];
    }
    g->degree[from]++;
  }
}

/* Increasing, each once; an equation waits for its coordinates. @return false if out of memory */
static bool tidy(graph *g, size_t i)
{
  uint32_t *near = g->near[i];
  size_t count = 0;
  qsort(near, g->degree[i], sizeof *near, by_number);
  for (size_t k = 0; k < g->degree[i]; k++) {
    if (count == 0 || near[k] != near[count - 1]) {
      near[count++] = near[k];
      g->open[i] += i >= g->n && near[count - 1] < g->n;
    }
  }
  g->degree[i] = (uint32_t)count;
  if (g->open[i] > 0) {
    g->own[i] = malloc((g->open[i] + 1) * sizeof *near);
    if (g->own[i] == NULL) {
      return false;
    }
    g->own[i][0] = g->open[i];
    memcpy(g->own[i] + 1, near, g->open[i] * sizeof *near);
  }
  return true;
}

/* The neighbours of all unknowns. @return DLS_ERR_NOT_APPLICABLE: a coordinate has no place on the diagonal */
static dls_status take_edges(dls_elimination *E, const dls_matrix *A, const dls_matrix *C, graph *g)
{
  for (int fill = 0; fill < 2; fill++) {
    edges of_A = {.g = g, .fill = fill}, of_C = {.g = g, .shift = E->n, .fill = fill};
    for (size_t i = 0; i < g->count && fill; i++) {
      g->near[i] = malloc((g->degree[i] + 1) * sizeof **g->near);
      if (g->near[i] == NULL) {
        return DLS_ERR_MEMORY;
      }
      g->degree[i] = 0;
    }
    dls_matrix_visit(A, take_edge, &of_A);
    if (C != NULL) {
      dls_matrix_visit(C, take_edge, &of_C);
    }
    E->entries_A = of_A.entries;
    E->entries_C = of_C.entries;
    if (of_A.diagonal < E->n) {
      return DLS_ERR_NOT_APPLICABLE;
    }
  }
  for (size_t i = 0; i < g->count; i++) {
    if (!tidy(g, i)) {
      return DLS_ERR_MEMORY;
    }
  }
  for (size_t i = g->count; i-- > 0;) {
    enter_list(g, (uint32_t)i);
  }
  return DLS_OK;
}

/* --- the places --- */

/* Of entry (i, j) in the order. */
static size_t slot(const dls_elimination *E, uint32_t i, uint32_t j)
{
  const uint32_t low = i < j ? i : j, high = i < j ? j : i;
  if (i == j) {
    return i;
  }
  size_t a = E->start[low], b = E->start[low + 1];
  while (a < b) {
    const size_t middle = a + (b - a) / 2;
    if (E->rows[middle] < high) {
      a = middle + 1;
    } else {
      b = middle;
    }
  }
  return E->n + E->r + 2 * a + (i > j);
}

static void find_targets(dls_elimination *E)
{
  uint32_t *target = E->target;
  for (size_t k = 0; k < E->n + E->r; k++) {
    for (size_t a = E->start[k]; a < E->start[k + 1]; a++) {
      for (size_t b = a + 1; b < E->start[k + 1]; b++) {
        *target++ = (uint32_t)slot(E, E->rows[a], E->rows[b]);
      }
    }
  }
}

typedef struct placing {
  const dls_elimination *E;
  size_t shift;
  uint32_t *next;
} placing;

static void find_place(void *data, size_t i, size_t j, double x)
{
  placing *p = data;
  const uint32_t row = p->E->place[i], column = p->E->place[p->shift + j];
  (void)x;
  *p->next++ = (uint32_t)slot(p->E, row, column);
}

static dls_status lay_out(dls_elimination *E, const graph *g, const uint32_t *order, const dls_matrix *A,
                          const dls_matrix *C)
{
  const size_t all = g->count;
  size_t products = 0;
  for (size_t k = 0; k < all; k++) {
    const size_t count = g->degree[order[k]];
    E->place[order[k]] = (uint32_t)k;
    E->start[k + 1] = E->start[k] + count;
    products += count * (count - 1) / 2;
  }
  E->values = all + 2 * E->start[all];
  if (E->values >= UINT32_MAX) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  E->rows = malloc((E->start[all] + 1) * sizeof *E->rows);
  E->target = malloc((products + 1) * sizeof *E->target);
  E->v = malloc((E->values + 2 * all) * sizeof *E->v);
  E->where_A = malloc((E->entries_A + E->entries_C) * sizeof *E->where_A);
  if (E->rows == NULL || E->target == NULL || E->v == NULL || E->where_A == NULL) {
    return DLS_ERR_MEMORY;
  }
  E->size = E->v + E->values;
  E->y = E->size + all;
  E->where_D = E->where_A + E->entries_A;
  for (size_t k = 0; k < all; k++) {
    uint32_t *rows = E->rows + E->start[k];
    for (size_t a = 0; a < g->degree[order[k]]; a++) {
      rows[a] = E->place[g->near[order[k]][a]];
    }
    qsort(rows, g->degree[order[k]], sizeof *rows, by_number);
  }
  find_targets(E);
  dls_matrix_visit(A, find_place, &(placing){E, 0, E->where_A});
  if (C != NULL) {
    dls_matrix_visit(C, find_place, &(placing){E, E->n, E->where_D});
  }
  return DLS_OK;
}

static dls_status make(dls_elimination *E, const dls_matrix *A, const dls_matrix *C)
{
  graph g;
  uint32_t *order = malloc((E->n + E->r) * sizeof *order);
  E->place = malloc((E->n + E->r) * sizeof *E->place);
  E->start = calloc(E->n + E->r + 1, sizeof *E->start);
  dls_status status = create_graph(&g, E->n, E->r) && order != NULL && E->place != NULL && E->start != NULL
                          ? DLS_OK
                          : DLS_ERR_MEMORY;
  status = status != DLS_OK ? status : take_edges(E, A, C, &g);
  status = status != DLS_OK ? status : find_order(&g, order);
  status = status != DLS_OK ? status : lay_out(E, &g, order, A, C);
  free_graph(&g);
  free(order);
  return status;
}

dls_status dls_elimination_create(const dls_matrix *A, const dls_matrix *C, size_t r, dls_elimination **out)
{
  const size_t n = dls_matrix_rows(A) - (C != NULL ? 0 : r);
  dls_elimination *E = *out = n + r >= UINT32_MAX ? NULL : calloc(1, sizeof *E);
  if (E == NULL) {
    return n + r >= UINT32_MAX ? DLS_OK : DLS_ERR_MEMORY;
  }
  E->n = n;
  E->r = r;
  const dls_status status = make(E, A, C);
  if (status != DLS_OK) {
    dls_elimination_destroy(E);
    *out = NULL;
  }
  return status == DLS_ERR_NOT_APPLICABLE ? DLS_OK : status;
}

void dls_elimination_destroy(dls_elimination *E)
{
  if (E != NULL) {
    free(E->place);
    free(E->start);
    free(E->rows);
    free(E->target);
    free(E->where_A);
    free(E->v);
    free(E);
  }
}

/* --- the numbers --- */

static size_t entries_of(const dls_matrix *A)
{
  return A->storage == DLS_SPARSE ? A->used : A->rows * A->columns;
}

/* v := [A -D; C^T 0] */
static void load(dls_elimination *E, const dls_matrix *A, const dls_matrix *D, const dls_matrix *C)
{
  double *restrict v = E->v;
  memset(v, 0, E->values * sizeof *v);
  for (size_t e = 0; e < E->entries_A; e++) {
    v[E->where_A[e]] = A->values[e];
  }
  for (size_t e = 0; e < E->entries_C; e++) {
    double *const pair = v + E->where_D[e]; /* in U, as a multiplier follows its coordinates */
    pair[0] = -D->values[e];
    pair[1] = C->values[e];
  }
  for (size_t k = 0; k < E->n + E->r; k++) {
    E->size[k] = fabs(v[k]);
  }
}

/* y -= column k of L times y_k */
static inline void forward(const uint32_t *rows, const double *pair, size_t count, double pivot, double *y)
{
  for (size_t a = 0; a < count; a++) {
    y[rows[a]] -= pair[2 * a + 1] * pivot;
  }
}

/* Of a column k with pairs (u, l): l *= inverse pivot, v_ii -= l_i u_i, size_i += |l_i u_i|, and on the targets v_ij -= l_i u_j with
 * v_ji -= l_j u_i beside it. Then y_i -= l_i y_k, unless y is NULL. A number of rows that the compiler knows needs no loops, and the
 * pairs are in registers. @return the next target */
static inline const uint32_t *eliminate(double *v, double *size, double *pair, const uint32_t *rows,
                                        size_t count, size_t k, double *y, const uint32_t *target)
{
  double near[2 * MOST_KNOWN], *const own = count <= MOST_KNOWN ? near : pair;
  const double inverse = v[k];
  for (size_t a = 0; a < count; a++) {
    own[2 * a] = pair[2 * a];
    own[2 * a + 1] = pair[2 * a + 1] *= inverse;
  }
  for (size_t a = 0; a < count; a++) {
    const double u = own[2 * a], l = own[2 * a + 1], product = l * u;
    v[rows[a]] -= product;
    size[rows[a]] += fabs(product);
    for (size_t b = a + 1; b < count; b++) {
      double *const place = v + *target++;
      const double right = l * own[2 * b], below = u * own[2 * b + 1];
      place[0] -= right;
      place[1] -= below;
    }
  }
  if (y != NULL) { /* here its latency overlaps with the elimination of the matrix */
    forward(rows, own, count, y[k], y);
  }
  return target;
}

/* y := the right-hand side (f, c) in the order */
static void load_side(dls_elimination *E, const double *f, const double *c)
{
  const size_t n = E->n, all = n + E->r;
  const uint32_t *place = E->place;
  double *restrict y = E->y;
  for (size_t i = 0; i < n; i++) {
    y[place[i]] = f[i];
  }
  for (size_t i = n; i < all; i++) {
    y[place[i]] = c != NULL ? c[i - n] : 0;
  }
}

bool dls_elimination_factor(dls_elimination *E, const dls_matrix *A, const dls_matrix *D, const dls_matrix *C,
                            const double *f, const double *c)
{
  const size_t all = E->n + E->r, *start = E->start;
  if (entries_of(A) != E->entries_A ||
      (C != NULL && (entries_of(C) != E->entries_C || entries_of(D) != E->entries_C))) {
    return false;
  }
  load(E, A, D, C);
  if (f != NULL) {
    load_side(E, f, c);
  }
  double *v = E->v, *size = E->size, *pair = v + all, *y = f != NULL ? E->y : NULL;
  const uint32_t *target = E->target, *rows = E->rows;
  for (size_t k = 0; k < all; k++) {
    const size_t count = start[k + 1] - start[k];
    if (!(v[k] > 0 && v[k] >= least_pivot * size[k])) {
      return false;
    }
    v[k] = 1 / v[k];
    switch (count) { /* what the compiler knows needs no loops */
    case 1:
      target = eliminate(v, size, pair, rows, 1, k, y, target);
      break;
    case 2:
      target = eliminate(v, size, pair, rows, 2, k, y, target);
      break;
    case 3:
      target = eliminate(v, size, pair, rows, 3, k, y, target);
      break;
    case 4:
      target = eliminate(v, size, pair, rows, 4, k, y, target);
      break;
    default:
      target = eliminate(v, size, pair, rows, count, k, y, target);
    }
    pair += 2 * count;
    rows += count;
  }
  return isfinite(v[all - 1]);
}

void dls_elimination_back(dls_elimination *E, double *x, double *mu)
{
  const size_t n = E->n, all = n + E->r;
  const uint32_t *place = E->place, *rows = E->rows + E->start[all];
  double *restrict y = E->y;
  const double *pair = E->v + E->values;
  for (size_t k = all; k-- > 0;) {
    double sum = y[k];
    for (size_t count = E->start[k + 1] - E->start[k]; count > 0; count--) {
      pair -= 2;
      sum -= *pair * y[*--rows];
    }
    y[k] = sum * E->v[k];
  }
  for (size_t i = 0; i < n; i++) {
    x[i] = y[place[i]];
  }
  for (size_t i = n; i < all && mu != NULL; i++) {
    mu[i - n] = y[place[i]];
  }
}

void dls_elimination_solve(dls_elimination *E, double *x, const double *c, double *mu)
{
  const size_t all = E->n + E->r, *start = E->start;
  load_side(E, x, c);
  for (size_t k = 0; k < all; k++) {
    forward(E->rows + start[k], E->v + all + 2 * start[k], start[k + 1] - start[k], E->y[k], E->y);
  }
  dls_elimination_back(E, x, mu);
}
