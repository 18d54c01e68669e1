/* sparse.c -- diagonal A: W = H^T A^{-1} H is sparse, two contacts are coupled only if they move a common degree of
 * freedom. Cost and memory follow the entries of H and W.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/compliant.h"
#include "common/contact/operator/isostatic.h"
#include "common/linear/accumulator.h"
#include "common/solve/large/cascade.h"
#include "common/solve/large/chain.h"
#include "common/solve/large/matrix_operator.h"
#include <stdlib.h>
#include <string.h>

enum {
  SMALL = 32,        /* up to so many contacts an array is worth more, for the methods that need it so ... */
  LEAST_CHAIN = 7,   /* ... but for chains from here on, where no enumeration is made of all sets */
  MOST_COUPLED = 16, /* entries of W for one of H, if they are reserved from the start */
  FEW_SETS = 2,      /* with one A and H, before a path is looked for */
  FEW_PRODUCTS = 3   /* by the columns of a set on a path, before its rows are made */
};

typedef struct sparse {
  dls_operator as_operator;
  double *inverse; /* n: diagonal of A^{-1}; valid if known; owns starts, contact, entry and met */
  bool known;
  size_t *starts;        /* n + 1: contacts of each row of H, among the active ones */
  int *contact;          /* their numbers in the active set ... */
  double *entry;         /* ... and the entries of H */
  bool by_rows;          /* they are those of the active set */
  size_t sets, products; /* gathered since A or H changed; with the active set, by columns */
  bool path;             /* contacts share rows of H with their neighbours alone */
  size_t *met;           /* m: contacts that a column of W has met; 0 between */
  dls_matrix *W;
  size_t W_columns, W_entries;
  dls_accumulator column;
  dls_lcp_matrix *lcp; /* W for the complementarity solver */
  dls_isostatic
      *isostatic;       /* the same by H, where it is square; NULL before its first use, and with a product */
  size_t sum_columns;   /* room of sum_E */
  double *sum_E, sum_s; /* of diag(E) + s W, for contacts that yield; NULL before its first use */
  bool is_summed;       /* sum_factor is that of W, E and s */
  bool is_full;         /* W is worth no more than an array */
  dls_principal *sum_factor;
} sparse;

bool dls_sparse_applies(const dls_delassus *D)
{
  return D->factor != NULL && dls_factor_storage(D->factor) == DLS_DIAGONAL &&
         (D->mass == NULL || dls_factor_storage(D->mass) == DLS_DIAGONAL) &&
         dls_matrix_storage(D->H) != DLS_DENSE;
}

static void destroy(dls_operator *O)
{
  sparse *S = (sparse *)O;
  free(S->inverse);
  dls_matrix_destroy(S->W);
  dls_accumulator_destroy(&S->column);
  dls_lcp_matrix_destroy(S->lcp);
  dls_isostatic_destroy(S->isostatic);
  free(S->sum_E);
  dls_principal_destroy(S->sum_factor);
  free(S);
}

static void reset(dls_operator *O)
{
  sparse *S = (sparse *)O;
  S->known = S->path = false;
  S->sets = 0;
}

/* The diagonal of A^{-1} is A^{-1} (1, 1, ...). */
static const double *take_inverse(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  for (size_t i = 0; !S->known && i < D->n; i++) {
    S->inverse[i] = 1;
  }
  if (!S->known) {
    D->apply(D->data, S->inverse);
    S->known = true;
  }
  return S->inverse;
}

/* The rows of H on `count` contacts; active NULL: the first. */
static void transpose(sparse *S, size_t count, const size_t *active)
{
  const dls_delassus *D = S->as_operator.D;
  memset(S->starts, 0, (D->n + 1) * sizeof *S->starts);
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(D->H, active != NULL ? active[k] : k);
    for (size_t e = 0; e < c.count; e++) {
      S->starts[dls_column_row(&c, e) + 1]++;
    }
  }
  for (size_t i = 0; i < D->n; i++) {
    S->starts[i + 1] += S->starts[i];
  }
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(D->H, active != NULL ? active[k] : k);
    for (size_t e = 0; e < c.count; e++) {
      const size_t place = S->starts[dls_column_row(&c, e)]++;
      S->contact[place] = (int)k;
      S->entry[place] = c.values[e];
    }
  }
  memmove(S->starts + 1, S->starts, D->n * sizeof *S->starts);
  S->starts[0] = 0;
}

/* A bound of the entries of W: two contacts count for each row of H that they share. */
static size_t most_entries(const sparse *S, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < S->as_operator.D->n; i++) {
    const double contacts = (double)(S->starts[i + 1] - S->starts[i]);
    sum += contacts * contacts;
  }
  const double full = (double)count * (double)count;
  return (size_t)(sum < full ? sum : full);
}

/* Entries that it has; active NULL: on the first contacts. */
static size_t count_entries(sparse *S, size_t count, const size_t *active)
{
  size_t entries = 0;
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(S->as_operator.D->H, active != NULL ? active[k] : k);
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      for (size_t place = S->starts[i]; place < S->starts[i + 1]; place++) {
        size_t *met = &S->met[S->contact[place]];
        entries += *met != k + 1;
        *met = k + 1;
      }
    }
  }
  memset(S->met, 0, count * sizeof *S->met);
  return entries;
}

static bool reserve_W(sparse *S, size_t columns, size_t entries)
{
  if (columns > S->W_columns || entries > S->W_entries) {
    const size_t grown = S->W_entries > 0 ? entries + entries / 4 : entries;
    const size_t room = entries > S->W_entries ? grown : S->W_entries;
    dls_matrix_destroy(S->W);
    dls_accumulator_destroy(&S->column);
    S->W = dls_matrix_sparse(columns, columns, room);
    if (S->W == NULL || !dls_accumulator_create(&S->column, columns)) {
      dls_matrix_destroy(S->W);
      S->W = NULL;
      S->W_columns = S->W_entries = 0;
      return false;
    }
    S->W_columns = columns;
    S->W_entries = room;
  }
  if (S->as_operator.D->m < LEAST_CHAIN) {
    return true; /* every set is solved by an array */
  }
  S->lcp = S->lcp != NULL ? S->lcp : dls_lcp_matrix_create(dls_lcp_cascade);
  return S->lcp != NULL && dls_lcp_matrix_reserve(S->lcp, columns);
}

/* W = sum over the rows i of H of H_ik A^{-1}_ii H_ij, column by column. */
static void fill(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  dls_matrix_reshape(S->W, D->count);
  for (size_t k = 0; k < D->count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[k]);
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      const double x = c.values[e] * S->inverse[i];
      for (size_t place = S->starts[i]; place < S->starts[i + 1]; place++) {
        dls_accumulator_add(&S->column, (size_t)S->contact[place], S->entry[place] * x); /* H_ik A^-1_ii H_ij */
      }
    }
    dls_accumulator_flush(&S->column, S->W, k);
  }
}

/* Has each row of H, of all contacts, one contact or two neighbours? */
static bool is_path(const sparse *S)
{
  bool path = true;
  for (size_t i = 0; path && i < S->as_operator.D->n; i++) {
    const size_t begin = S->starts[i], count = S->starts[i + 1] - begin;
    path = count < 2 || (count == 2 && S->contact[begin + 1] == S->contact[begin] + 1);
  }
  return path;
}

/* W of two contacts with columns a, b of H, a before b, if they share a row. */
typedef struct coupling {
  bool shares;
  double above, below; /* in the row of a and the column of b; in the row of b and the column of a */
} coupling;

static coupling coupling_of(const sparse *S, const dls_column *a, const dls_column *b)
{
  coupling w = {0};
  for (size_t e = 0, f = 0; e < b->count; e++) { /* the rows of a column increase */
    const size_t i = dls_column_row(b, e);
    while (f < a->count && dls_column_row(a, f) < i) {
      f++;
    }
    if (f < a->count && dls_column_row(a, f) == i) {
      w.above += a->values[f] * (b->values[e] * S->inverse[i]); /* H_ia (H_ib A^-1_ii), as fill multiplies */
      w.below += b->values[e] * (a->values[f] * S->inverse[i]);
      w.shares = true;
    }
  }
  return w;
}

static void put(dls_matrix *W, size_t row, double x)
{
  W->row_of[W->used] = (sunindextype)row;
  W->values[W->used++] = x;
}

/* fill on a path, without the rows of H. */
static void fill_path(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  dls_matrix *W = S->W;
  coupling before = {0}, after = {0};
  dls_matrix_reshape(W, D->count);
  dls_column c = dls_matrix_column(D->H, D->active[0]), next = c;
  for (size_t k = 0; k < D->count; k++, before = after, c = next) {
    double own = 0;
    for (size_t e = 0; e < c.count; e++) {
      own += c.values[e] * (c.values[e] * S->inverse[dls_column_row(&c, e)]);
    }
    after.shares = false;
    if (k + 1 < D->count) {
      next = dls_matrix_column(D->H, D->active[k + 1]);
      after = D->active[k] + 1 == D->active[k + 1] ? coupling_of(S, &c, &next) : after;
    }
    W->starts[k] = (sunindextype)W->used;
    W->last_column = k;
    if (before.shares) {
      put(W, k - 1, before.above);
    }
    if (c.count > 0) {
      put(W, k, own);
    }
    if (after.shares) {
      put(W, k + 1, after.below);
    }
  }
}

/* W on the active contacts. @return false if out of memory */
static bool make_W(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  const size_t count = D->count;
  S->products = 0;
  if (++S->sets == FEW_SETS + 1) {
    transpose(S, D->m, NULL);
    S->path = is_path(S);
  }
  if (S->path && S->W_columns >= D->capacity && S->W_entries + 2 >= 3 * count) { /* a path has 3 count - 2 */
    S->by_rows = false;
    fill_path(S);
    return true;
  }
  transpose(S, count, D->active);
  S->by_rows = true;
  const size_t most = most_entries(S, count);
  const bool done = reserve_W(S, D->capacity, most > S->W_entries ? count_entries(S, count, D->active) : most);
  if (done) {
    fill(S);
  }
  return done;
}

/* W for the complementarity solver: a chain as such; another by H where that is square. */
static dls_status take_W(sparse *S)
{
  dls_operator *O = &S->as_operator;
  const dls_status status = dls_lcp_matrix_take(S->lcp, S->W);
  O->lcp = &S->lcp->as_operator;
  if (status != DLS_OK || S->lcp->chain || O->D->mass != NULL) {
    return status;
  }
  S->isostatic = S->isostatic != NULL ? S->isostatic : dls_isostatic_create(O->D);
  if (S->isostatic == NULL) {
    return DLS_ERR_MEMORY;
  }
  O->lcp = dls_isostatic_take(S->isostatic, S->inverse, O->lcp);
  return DLS_OK;
}

/* W that is small or full is worth no more than an array, unless it is a chain. */
static dls_status gather(dls_operator *O)
{
  sparse *S = (sparse *)O;
  const size_t count = O->D->count;
  take_inverse(S);
  S->is_summed = false;
  if (!make_W(S)) {
    return DLS_ERR_MEMORY;
  }
  S->is_full = S->W->used > count * count / 4;
  O->matrix = count <= SMALL || S->is_full ? NULL : S->W;
  O->inverse = S->inverse;
  O->lcp = NULL;
  return DLS_OK;
}

static dls_status prepare(dls_operator *O)
{
  sparse *S = (sparse *)O;
  return O->matrix != NULL || (O->D->count >= LEAST_CHAIN && dls_lcp_chain_applies(S->W)) ? take_W(S) : DLS_OK;
}

static bool copy(dls_operator *O, double *W)
{
  const sparse *S = (const sparse *)O;
  const size_t count = O->D->count;
  memset(W, 0, count * count * sizeof *W);
  for (size_t j = 0; j < count; j++) {
    const dls_column c = dls_matrix_column(S->W, j);
    for (size_t e = 0; e < c.count; e++) {
      W[j * count + dls_column_row(&c, e)] = c.values[e];
    }
  }
  return true;
}

/* On the active set, row by row: each v_i gets its terms in the order of the contacts, and waits for no other. */
static void apply_rows(const sparse *S, double alpha, const double *restrict p, double *restrict v)
{
  const size_t n = S->as_operator.D->n, *starts = S->starts;
  const double *restrict entry = S->entry, *restrict inverse = S->inverse;
  const int *restrict contact = S->contact;
  for (size_t i = 0, place = starts[0]; i < n; i++) {
    double sum = v[i];
    for (; place < starts[i + 1]; place++) {
      const double impulse = p[contact[place]], term = alpha * impulse * entry[place] * inverse[i];
      sum = impulse != 0 ? sum + term : sum;
    }
    v[i] = sum;
  }
}

static bool is_active_set(const dls_operator *O, size_t count, const size_t *active)
{
  const dls_delassus *D = O->D;
  return D->valid && count == D->count && memcmp(active, D->active, count * sizeof *active) == 0;
}

/* Are there the rows of H on the active set? They are worth making for more than a few products. */
static bool has_rows(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  if (!S->by_rows && S->products++ >= FEW_PRODUCTS) {
    transpose(S, D->count, D->active);
    S->by_rows = true;
  }
  return S->by_rows;
}

static void apply(dls_operator *O, size_t count, const size_t *active, double alpha, const double *p, double *v)
{
  const double *inverse = take_inverse((sparse *)O);
  if (is_active_set(O, count, active) && has_rows((sparse *)O)) {
    apply_rows((const sparse *)O, alpha, p, v);
    return;
  }
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(O->D->H, active[k]);
    for (size_t e = 0; p[k] != 0 && e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      v[i] += alpha * p[k] * c.values[e] * inverse[i];
    }
  }
}

static const double *diagonal(dls_operator *O)
{
  return take_inverse((sparse *)O);
}

static bool response(dls_operator *O, size_t j, dls_response *out)
{
  const double *inverse = take_inverse((sparse *)O);
  const dls_column c = dls_matrix_column(O->D->H, j);
  out->count = c.count;
  for (size_t e = 0; c.count <= DLS_RESPONSE_MOST && e < c.count; e++) {
    out->row[e] = dls_column_row(&c, e);
    out->a[e] = c.values[e];
    out->b[e] = inverse[out->row[e]];
  }
  return c.count <= DLS_RESPONSE_MOST;
}

static double entry(dls_operator *O, size_t i, size_t j)
{
  const double *inverse = take_inverse((sparse *)O);
  const dls_column a = dls_matrix_column(O->D->H, i), b = dls_matrix_column(O->D->H, j);
  double sum = 0;
  for (size_t e = 0, f = 0; e < b.count; e++) { /* the rows of a column increase */
    const size_t row = dls_column_row(&b, e);
    while (f < a.count && dls_column_row(&a, f) < row) {
      f++;
    }
    sum += f < a.count && dls_column_row(&a, f) == row ? a.values[f] * b.values[e] * inverse[row] : 0;
  }
  return sum;
}

/* @return false if out of memory */
static bool reserve_sum(sparse *S)
{
  if (S->sum_columns < S->W_columns) {
    free(S->sum_E);
    S->sum_E = malloc(S->W_columns * sizeof *S->sum_E);
    S->sum_columns = S->sum_E != NULL ? S->W_columns : 0;
    S->is_summed = false;
  }
  S->sum_factor = S->sum_factor != NULL ? S->sum_factor : dls_principal_create();
  return S->sum_E != NULL && S->sum_factor != NULL && dls_principal_reserve(S->sum_factor, S->W_columns);
}

/* diag(E) + s W is to be factored, unless it is. @return DLS_OK; DLS_ERR_MEMORY */
static dls_status take_sum(sparse *S, double s, const double *E)
{
  const size_t count = S->as_operator.D->count;
  if (!reserve_sum(S)) {
    return DLS_ERR_MEMORY;
  }
  if (S->is_summed && S->sum_s == s && memcmp(S->sum_E, E, count * sizeof *E) == 0) {
    return DLS_OK;
  }
  memcpy(S->sum_E, E, count * sizeof *E);
  S->sum_s = s;
  const dls_status status = dls_principal_take_sum(S->sum_factor, s, S->W, S->sum_E);
  S->is_summed = status == DLS_OK;
  return status;
}

/* The factors are kept: steps of an iteration differ in b alone. */
static dls_status compliant(dls_operator *O, double s, const double *E, double *b)
{
  sparse *S = (sparse *)O;
  dls_status status = S->is_full ? DLS_ERR_NOT_APPLICABLE : take_sum(S, s, E);
  if (status == DLS_OK && O->D->count <= SMALL && !dls_principal_tridiagonal(S->sum_factor)) {
    return DLS_ERR_NOT_APPLICABLE; /* an array is worth more */
  }
  if (status != DLS_OK || (status = dls_principal_factor(S->sum_factor, O->D->count, O->D->all, 0)) != DLS_OK) {
    return status;
  }
  return dls_principal_solve(S->sum_factor, b);
}

static bool reserve_compliant(dls_operator *O)
{
  sparse *S = (sparse *)O;
  return S->W_columns == 0 || reserve_sum(S);
}

static const dls_operator_kind kind = {.gather = gather,
                                       .prepare = prepare,
                                       .copy = copy,
                                       .destroy = destroy,
                                       .reset = reset,
                                       .entry = entry,
                                       .apply = apply,
                                       .diagonal = diagonal,
                                       .response = response,
                                       .compliant = compliant,
                                       .reserve_compliant = reserve_compliant};

void dls_delassus_forget_compliant(dls_delassus *D)
{
  sparse *S = (sparse *)D->first;
  if (D->first->kind == &kind && S->sum_factor != NULL) {
    dls_principal_forget(S->sum_factor);
  }
}

/* Room for all contacts, unless one body has very many. @return false if out of memory */
static bool reserve_first(sparse *S)
{
  const dls_delassus *D = S->as_operator.D;
  size_t entries = 1;
  for (size_t j = 0; j < D->m; j++) {
    entries += dls_matrix_column(D->H, j).count;
  }
  const size_t room = dls_matrix_storage(D->H) == DLS_SPARSE ? D->H->capacity : entries; /* columns may grow */
  S->inverse = calloc(1, (D->n + room) * sizeof *S->inverse + (D->n + D->m + 2) * sizeof *S->starts +
                             room * sizeof *S->contact);
  if (S->inverse == NULL) {
    return false;
  }
  S->entry = S->inverse + D->n;
  S->starts = (size_t *)(S->entry + room);
  S->met = S->starts + D->n + 1;
  S->contact = (int *)(S->met + D->m + 1);
  transpose(S, D->m, NULL);
  return most_entries(S, D->m) > MOST_COUPLED * entries || reserve_W(S, D->m, count_entries(S, D->m, NULL));
}

/* Has each row of H one entry, or two opposite ones of neighbours? Then every set is a chain, whatever A is. */
static bool always_chain(const sparse *S)
{
  bool chain = true;
  for (size_t i = 0; chain && i < S->as_operator.D->n; i++) {
    const size_t begin = S->starts[i], count = S->starts[i + 1] - begin;
    const double *entry = S->entry + begin;
    const int *contact = S->contact + begin;
    const bool pair = count == 2 && contact[1] == contact[0] + 1 && entry[1] == -entry[0];
    chain = count == 0 || (entry[0] != 0 && (count == 1 || pair));
  }
  return chain;
}

dls_operator *dls_sparse_create(dls_delassus *D)
{
  sparse *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->as_operator = (dls_operator){.kind = &kind, .D = D};
  if (!reserve_first(S)) {
    destroy(&S->as_operator);
    return NULL;
  }
  D->chain = always_chain(S);
  D->most_array = D->chain ? LEAST_CHAIN - 1 : D->most_array;
  return &S->as_operator;
}
