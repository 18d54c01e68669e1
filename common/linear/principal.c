/* principal.c -- systems with W_aa for changing sets a: tridiagonal W by L D L^T from both ends, any other by CHOLMOD with one
 * fill-reducing order for all submatrices.
 *
 * A set that differs in a few contacts from the factored one is solved by conjugate gradients with its factors as
 * preconditioner. All but a few eigenvalues are then 1, so the number of iterations is about the number of contacts added
 * or removed.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 11.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/principal.h"
#include "common/linear/cholesky.h"
#include "common/linear/storage.h"
#include "common/linear/tridiagonal.h"
#include <stdlib.h>
#include <string.h>

struct dls_principal {
  const dls_matrix *W;
  double scale;        /* the matrix is scale W + diag(added) */
  const double *added; /* NULL: none */
  bool tridiagonal;
  size_t count, capacity;
  int *set;        /* capacity */
  double shift;    /* of the factors */
  bool ordered;    /* order is that of W */
  dls_status made; /* status of the factorization; valid if current */
  bool current;
  double *d, *e; /* tridiagonal: capacity */
  dls_cholesky *cholesky;
  int64_t *order;          /* W's rows in the order of elimination */
  int64_t *position, *own; /* position in a of a row of W, or -1; the order for a */
  dls_lower lower;
  size_t order_capacity, entry_capacity;
  /* A requested set that is close to the factored one. */
  bool nearby;
  size_t asked_count;
  int *asked;   /* order_capacity */
  double *work; /* 5 order_capacity */
};

enum {
  SMALLEST = 2000,  /* contacts below which factors are cheap */
  MOST_CHANGES = 8, /* contacts added or removed, at most */
  MOST_ITERATIONS = 20
};
static const double reduction = 1e-29; /* reduction of r^T B r: to rounding */

/* The entry of the matrix in row i, column j, where W has x. */
static inline double entry_of(const dls_principal *P, size_t i, size_t j, double x)
{
  return P->scale * x + (P->added != NULL && i == j ? P->added[i] : 0);
}

static double diagonal(const dls_principal *P, size_t i)
{
  return entry_of(P, i, i, dls_matrix_get(P->W, i, i));
}

/* Contacts in exactly one of two increasing lists. */
static size_t count_changes(size_t count, const int *a, size_t other, const int *b)
{
  size_t i = 0, k = 0, changes = 0;
  while (i < count && k < other) {
    changes += a[i] != b[k];
    const int least = a[i] < b[k] ? a[i] : b[k];
    i += a[i] == least;
    k += b[k] == least;
  }
  return changes + (count - i) + (other - k);
}

/** Is the set so close to the one factored by CHOLMOD that iteration costs less than a factorization? If so, store it as
 * `asked`. */
static bool nearby_takes(dls_principal *P, size_t count, const int *set, double shift)
{
  if (P->tridiagonal || !P->current || P->made != DLS_OK || shift != P->shift || count < SMALLEST ||
      count_changes(count, set, P->count, P->set) > MOST_CHANGES) {
    return false;
  }
  memmove(P->asked, set, count * sizeof *set);
  P->asked_count = count;
  return true;
}

/* y := B r: the factors for rows in both sets, the diagonal for new rows; r is 0 outside the requested set; t is
 * scratch. */
static dls_status precondition(dls_principal *P, const double *r, double *y, double *t)
{
  for (size_t k = 0; k < P->count; k++) {
    t[k] = r[P->set[k]];
  }
  const dls_status status = dls_cholesky_solve(P->cholesky, t);
  for (size_t k = 0; k < P->asked_count; k++) {
    const size_t i = (size_t)P->asked[k];
    y[i] = P->position[i] >= 0 ? t[P->position[i]] : r[i] / (diagonal(P, i) * (1 + P->shift));
  }
  return status;
}

/* y := (W_aa + shift diag(W_aa)) x, W with scale and added, on the requested set; x is 0 outside. */
static void multiply(const dls_principal *P, const double *x, double *y)
{
  for (size_t k = 0; k < P->asked_count; k++) {
    const size_t i = (size_t)P->asked[k];
    y[i] = P->scale * dls_matrix_column_dot(P->W, i, x) + (P->added != NULL ? P->added[i] * x[i] : 0);
    y[i] += P->shift > 0 ? P->shift * diagonal(P, i) * x[i] : 0;
  }
}

static double dot(const dls_principal *P, const double *x, const double *y)
{
  double sum = 0;
  for (size_t k = 0; k < P->asked_count; k++) {
    sum += x[P->asked[k]] * y[P->asked[k]];
  }
  return sum;
}

/* y += alpha x */
static void add(const dls_principal *P, double alpha, const double *x, double *y)
{
  for (size_t k = 0; k < P->asked_count; k++) {
    y[P->asked[k]] += alpha * x[P->asked[k]];
  }
}

/** x := (W_aa + shift diag(W_aa))^{-1} x for the requested set; x[asked_count]. @return DLS_OK; DLS_ERR_NOCONV with x
 * unchanged; DLS_ERR_MEMORY */
static dls_status nearby_solve(dls_principal *P, double *x)
{
  const size_t n = P->W->rows;
  double *r = P->work, *p = r + n, *q = p + n, *y = q + n, *z = y + n; /* z: the solution, q also scratch */
  memset(P->work, 0, 5 * n * sizeof *P->work);
  for (size_t k = 0; k < P->asked_count; k++) {
    r[P->asked[k]] = x[k];
  }
  double last = 0, first = 0;
  for (int k = 0; k <= MOST_ITERATIONS; k++) {
    if (precondition(P, r, y, q) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    const double now = dot(P, r, y);
    first = k == 0 ? now : first;
    if (now <= reduction * first) {
      for (size_t i = 0; i < P->asked_count; i++) {
        x[i] = z[P->asked[i]];
      }
      return DLS_OK;
    }
    for (size_t i = 0; i < P->asked_count; i++) {
      const int j = P->asked[i];
      p[j] = y[j] + (k > 0 ? now / last * p[j] : 0);
    }
    last = now;
    multiply(P, p, q);
    const double alpha = now / dot(P, p, q);
    add(P, alpha, p, z);
    add(P, -alpha, q, r);
  }
  return DLS_ERR_NOCONV;
}

/* Redundant contacts leave pivots of about 1e-16 of the diagonal; valid pivots are larger than this. */
static const double least_pivot = 1e-12;

dls_principal *dls_principal_create(void)
{
  return calloc(1, sizeof(dls_principal));
}

static void free_sparse(dls_principal *P)
{
  free(P->order);
  free(P->lower.starts);
  free(P->lower.rows);
  free(P->lower.values);
  free(P->asked);
  free(P->work);
  P->asked = NULL;
  P->work = NULL;
  P->order = P->position = P->own = NULL;
  P->lower = (dls_lower){0};
  P->order_capacity = P->entry_capacity = 0;
}

static void free_dense(dls_principal *P)
{
  free(P->set);
  free(P->d);
  P->set = NULL;
  P->d = P->e = NULL;
  P->capacity = 0;
}

void dls_principal_destroy(dls_principal *P)
{
  if (P != NULL) {
    free_sparse(P);
    free_dense(P);
    dls_cholesky_destroy(P->cholesky);
    free(P);
  }
}

static bool is_tridiagonal(const dls_matrix *W)
{
  for (size_t j = 0; j < W->columns; j++) {
    const size_t begin = dls_matrix_begin(W, j), end = dls_matrix_end(W, j);
    if (begin < end && ((size_t)W->row_of[begin] + 1 < j || (size_t)W->row_of[end - 1] > j + 1)) {
      return false;
    }
  }
  return true;
}

bool dls_principal_reserve(dls_principal *P, size_t n)
{
  if (n > P->capacity) {
    free_dense(P);
    P->set = malloc(n * sizeof *P->set);
    P->d = malloc(2 * n * sizeof *P->d);
    if (P->set == NULL || P->d == NULL) {
      free_dense(P);
      return false;
    }
    P->capacity = n;
  }
  P->e = P->d + P->capacity;
  return true;
}

static bool reserve_sparse(dls_principal *P, size_t n, size_t entries)
{
  P->cholesky = P->cholesky != NULL ? P->cholesky : dls_cholesky_create();
  if (P->cholesky != NULL && n <= P->order_capacity && entries <= P->entry_capacity) {
    return true;
  }
  free_sparse(P);
  P->order = malloc(3 * n * sizeof *P->order);
  P->lower.starts = malloc((n + 1) * sizeof *P->lower.starts);
  P->lower.rows = malloc(entries * sizeof *P->lower.rows);
  P->lower.values = malloc(entries * sizeof *P->lower.values);
  P->asked = malloc(n * sizeof *P->asked);
  P->work = malloc(5 * n * sizeof *P->work);
  if (P->cholesky == NULL || P->order == NULL || P->lower.starts == NULL || P->lower.rows == NULL ||
      P->lower.values == NULL || P->asked == NULL || P->work == NULL) {
    free_sparse(P);
    return false;
  }
  P->order_capacity = n;
  P->entry_capacity = entries;
  P->position = P->order + n;
  P->own = P->order + 2 * n;
  return true;
}

/* lower := lower triangle of W_aa + shift diag(W_aa); uses the positions of a. */
static void gather(dls_principal *P, size_t count, const int *set, double shift)
{
  const dls_matrix *W = P->W;
  size_t used = 0;
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)set[k];
    P->lower.starts[k] = (int64_t)used;
    for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
      const size_t i = (size_t)W->row_of[entry];
      if (i >= j && P->position[i] >= 0) {
        P->lower.rows[used] = P->position[i];
        P->lower.values[used++] = entry_of(P, i, j, W->values[entry]) * (i == j ? 1 + shift : 1);
      }
    }
  }
  P->lower.starts[count] = (int64_t)used;
  P->lower.n = count;
}

/* Entries of the lower triangle of W. */
static size_t count_lower(const dls_matrix *W)
{
  size_t count = 0;
  for (size_t j = 0; j < W->columns; j++) {
    for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
      count += (size_t)W->row_of[entry] >= j;
    }
  }
  return count;
}

/* The order of elimination of the whole of W. */
static dls_status order_all(dls_principal *P)
{
  const size_t n = P->W->rows;
  if (!reserve_sparse(P, n, count_lower(P->W))) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; i < n; i++) {
    P->position[i] = (int64_t)i;
    P->set[i] = (int)i;
  }
  gather(P, n, P->set, 0);
  return dls_cholesky_order(P->cholesky, &P->lower, P->order) ? DLS_OK : DLS_ERR_MEMORY;
}

dls_status dls_principal_take(dls_principal *P, const dls_matrix *W)
{
  P->W = W;
  P->scale = 1;
  P->added = NULL;
  P->current = false;
  P->nearby = false;
  P->tridiagonal = is_tridiagonal(W);
  if (!dls_principal_reserve(P, W->rows)) {
    return DLS_ERR_MEMORY;
  }
  P->ordered = P->tridiagonal;
  return DLS_OK;
}

dls_status dls_principal_take_sum(dls_principal *P, double s, const dls_matrix *W, const double *E)
{
  const dls_status status = dls_principal_take(P, W);
  P->scale = s;
  P->added = E;
  return status;
}

static dls_status factor_tridiagonal(dls_principal *P, size_t count, const int *set, double shift)
{
  const dls_matrix *W = P->W;
  for (size_t k = 0; k < count; k++) {
    const size_t j = (size_t)set[k];
    P->d[k] = P->e[k] = 0;
    for (size_t entry = dls_matrix_begin(W, j); entry < dls_matrix_end(W, j); entry++) {
      const size_t i = (size_t)W->row_of[entry];
      if (i == j) {
        P->d[k] = entry_of(P, i, j, W->values[entry]) * (1 + shift);
      } else if (i == j + 1 && k + 1 < count && (size_t)set[k + 1] == i) {
        P->e[k] = P->scale * W->values[entry];
      }
    }
  }
  const size_t done = dls_tridiagonal_dominant(count, P->d, P->e)
                          ? dls_tridiagonal_factor_dominant(count, P->d, P->e, least_pivot)
                          : dls_tridiagonal_factor(count, P->d, P->e, least_pivot);
  return done == count ? DLS_OK : DLS_ERR_SINGULAR;
}

static dls_status factor_sparse(dls_principal *P, size_t count, const int *set, double shift)
{
  const size_t n = P->W->rows;
  for (size_t i = 0; i < n; i++) {
    P->position[i] = -1;
  }
  for (size_t k = 0; k < count; k++) {
    P->position[set[k]] = (int64_t)k;
  }
  for (size_t i = 0, k = 0; i < n; i++) {
    if (P->position[P->order[i]] >= 0) {
      P->own[k++] = P->position[P->order[i]];
    }
  }
  gather(P, count, set, shift);
  return dls_cholesky_factor(P->cholesky, &P->lower, P->own, least_pivot);
}

static dls_status factor(dls_principal *P, size_t count, const int *set, double shift)
{
  P->ordered = P->ordered || order_all(P) == DLS_OK;
  if (!P->ordered) {
    return DLS_ERR_MEMORY;
  }
  memmove(P->set, set, count * sizeof *set);
  P->count = count;
  P->shift = shift;
  P->nearby = false;
  P->made =
      P->tridiagonal ? factor_tridiagonal(P, count, P->set, shift) : factor_sparse(P, count, P->set, shift);
  P->current = P->made != DLS_ERR_MEMORY;
  return P->made;
}

static bool same(size_t count, const int *a, size_t other, const int *b)
{
  return count == other && memcmp(a, b, count * sizeof *a) == 0;
}

dls_status dls_principal_factor(dls_principal *P, size_t count, const int *set, double shift)
{
  if (P->current && shift == P->shift && same(count, set, P->count, P->set)) {
    P->nearby = false;
    return P->made;
  }
  const bool again =
      P->nearby && same(count, set, P->asked_count, P->asked); /* requested again: worth a factorization */
  P->nearby = !again && nearby_takes(P, count, set, shift);
  return P->nearby ? DLS_OK : factor(P, count, set, shift);
}

void dls_principal_forget(dls_principal *P)
{
  if (P->cholesky != NULL) {
    dls_cholesky_forget(P->cholesky);
  }
  P->current = P->nearby = false;
}

dls_status dls_principal_solve(dls_principal *P, double *x)
{
  if (P->tridiagonal) {
    dls_tridiagonal_solve(P->count, P->d, P->e, x);
    return DLS_OK;
  }
  dls_status status = P->nearby ? nearby_solve(P, x) : DLS_OK;
  if (status == DLS_ERR_NOCONV) {
    status = factor(P, P->asked_count, P->asked, P->shift);
  }
  return P->nearby || status != DLS_OK ? status : dls_cholesky_solve(P->cholesky, x);
}

const int *dls_principal_kept(const dls_principal *P, size_t *count)
{
  *count = P->count;
  return P->current && P->made == DLS_OK && P->shift == 0 && !P->nearby ? P->set : NULL;
}

bool dls_principal_tridiagonal(const dls_principal *P)
{
  return P->tridiagonal;
}

const char *dls_principal_structure(const dls_principal *P)
{
  return P->tridiagonal ? "tridiagonal" : "sparse";
}
