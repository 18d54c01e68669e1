/* mode_operator.c -- see mode_operator.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/mode_operator.h"
#include "common/base/memory.h"
#include "common/linear/storage.h"
#include "common/solve/large/body_schur.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 9 };

/* Contacts that move a common coordinate, for single columns of A; made when one is asked for. */
typedef struct coupling {
  size_t *starts, *member; /* n + 1: contacts of each coordinate; their numbers */
  size_t *rows, *seen;     /* n: scratch; count: the last column that met it, plus 1 */
  size_t column;           /* asked for so far */
} coupling;

struct dls_mode_operator {
  dls_problem_operator as_operator;
  dls_contact_system *contacts;
  size_t count;
  const size_t *first;
  const dls_unknown *unknown;
  size_t room;                 /* contacts */
  size_t *rows, *begin;        /* d count: rows of H; count + 1: d k */
  double *A, *E, *B, *r;       /* BLOCK, 1, BLOCK, d a contact: the system in all rows, and its forces */
  double *inverse, *v, *local; /* n: the diagonal of M^-1; scratch; 0 but while a column is made */
  dls_body_schur *bodies;
  coupling near;
  double work;
};

bool dls_mode_operator_applies(const dls_contact_system *contacts)
{
  return contacts->joints == NULL && contacts->M != NULL && dls_factor_storage(contacts->M) == DLS_DIAGONAL &&
         dls_matrix_storage(contacts->config->H) == DLS_SPARSE;
}

dls_mode_operator *dls_mode_operator_create(dls_contact_system *contacts)
{
  dls_mode_operator *O = calloc(1, sizeof *O);
  if (O != NULL) {
    O->contacts = contacts;
    O->inverse = calloc(3 * contacts->config->sys->n, sizeof *O->inverse);
  }
  if (O != NULL && O->inverse != NULL) {
    O->v = O->inverse + contacts->config->sys->n;
    O->local = O->v + contacts->config->sys->n;
  } else {
    free(O);
    O = NULL;
  }
  return O;
}

static void forget_coupling(dls_mode_operator *O)
{
  free(O->near.starts);
  free(O->near.member);
  O->near = (coupling){0};
}

static void free_room(dls_mode_operator *O)
{
  free(O->rows);
  free(O->A);
  O->rows = NULL;
  O->A = NULL;
  O->room = 0;
}

void dls_mode_operator_destroy(dls_mode_operator *O)
{
  if (O != NULL) {
    free_room(O);
    forget_coupling(O);
    dls_body_schur_destroy(O->bodies);
    free(O->inverse);
    free(O);
  }
}

static bool reserve(dls_mode_operator *O, size_t count)
{
  const size_t d = O->contacts->config->d;
  if (count <= O->room) {
    return true;
  }
  free_room(O);
  O->rows = malloc(dls_size_product(count + 1, (d + 1) * sizeof *O->rows));
  O->A = malloc(dls_size_product(count, (2 * BLOCK + 1 + d) * sizeof *O->A));
  if (O->rows == NULL || O->A == NULL) {
    free_room(O);
    return false;
  }
  O->begin = O->rows + d * count;
  O->B = O->A + BLOCK * count;
  O->E = O->B + BLOCK * count;
  O->r = O->E + count;
  O->room = count;
  return true;
}

/* D x of contact k; 0 beyond its rows. */
static void forces(const dls_mode_operator *O, size_t k, const double *x, double r[3])
{
  memset(r, 0, 3 * sizeof *r);
  for (size_t i = O->first[k]; i < O->first[k + 1]; i++) {
    for (size_t l = 0; l < O->contacts->config->d; l++) {
      r[l] += O->unknown[i].along[l] * x[i];
    }
  }
}

/* B^T H^T v of one unknown. */
static double rate(const dls_mode_operator *O, const dls_unknown *x, const double *v)
{
  double sum = 0;
  for (size_t l = 0; l < O->contacts->config->d; l++) {
    sum += x->across[l] != 0 ? x->across[l] * dls_matrix_column_dot(O->contacts->config->H, x->row + l, v) : 0;
  }
  return sum;
}

/* u += A x */
static void multiply(void *data, const double *x, double *u)
{
  dls_mode_operator *O = data;
  const dls_configuration *config = O->contacts->config;
  const size_t n = config->sys->n;
  memset(O->v, 0, n * sizeof *O->v);
  for (size_t k = 0; k < O->count; k++) {
    double r[3];
    forces(O, k, x, r);
    for (size_t l = 0; l < config->d; l++) {
      dls_matrix_column_add(config->H, O->rows[config->d * k + l], r[l], O->v);
    }
  }
  for (size_t i = 0; i < n; i++) {
    O->v[i] *= O->inverse[i];
  }
  for (size_t i = 0; i < O->as_operator.n; i++) {
    u[i] += rate(O, &O->unknown[i], O->v);
  }
  O->work += (double)(n + O->as_operator.n);
}

/* Coordinates that contact k moves. @return their number */
static size_t coordinates(const dls_mode_operator *O, size_t k, size_t *rows)
{
  const dls_configuration *config = O->contacts->config;
  return dls_matrix_rows_of(config->H, config->d, O->rows + config->d * k, rows);
}

/* The contacts of each coordinate. @return false if out of memory */
static bool couple(dls_mode_operator *O)
{
  coupling *c = &O->near;
  const size_t n = O->contacts->config->sys->n;
  if (c->starts != NULL) {
    return true;
  }
  c->starts = calloc(2 * n + 2 + O->count, sizeof *c->starts);
  if (c->starts == NULL) {
    return false;
  }
  c->rows = c->starts + n + 2;
  c->seen = c->rows + n;
  for (size_t k = 0; k < O->count; k++) {
    for (size_t e = coordinates(O, k, c->rows); e-- > 0;) {
      c->starts[c->rows[e] + 2]++;
    }
  }
  for (size_t i = 0; i < n; i++) {
    c->starts[i + 2] += c->starts[i + 1];
  }
  c->member = malloc((c->starts[n + 1] + 1) * sizeof *c->member);
  if (c->member == NULL) {
    forget_coupling(O);
    return false;
  }
  for (size_t k = 0; k < O->count; k++) {
    for (size_t e = coordinates(O, k, c->rows); e-- > 0;) {
      c->member[c->starts[c->rows[e] + 1]++] = k; /* its end is then the start of the next */
    }
  }
  return true;
}

/* u += what `local`, which is 0 but in these rows, changes in the contacts that they move. */
static void spread(dls_mode_operator *O, size_t count, double *u)
{
  coupling *c = &O->near;
  c->column++;
  for (size_t e = 0; e < count; e++) {
    for (size_t place = c->starts[c->rows[e]]; place < c->starts[c->rows[e] + 1]; place++) {
      const size_t k = c->member[place];
      for (size_t i = O->first[k]; c->seen[k] != c->column && i < O->first[k + 1]; i++) {
        u[i] += rate(O, &O->unknown[i], O->local);
        O->work += 1;
      }
      c->seen[k] = c->column;
    }
  }
}

/* u += A x for the unknowns of one contact. */
static void add_columns(void *data, size_t first, size_t count, const double *x, double *u)
{
  dls_mode_operator *O = data;
  const dls_configuration *config = O->contacts->config;
  const size_t row = O->unknown[first].row;
  const size_t columns[] = {row, row + 1, row + 2};
  const size_t touched = dls_matrix_rows_of(config->H, config->d, columns, O->near.rows);
  for (size_t i = 0; i < count; i++) {
    for (size_t l = 0; l < config->d; l++) {
      dls_matrix_column_add(config->H, row + l, O->unknown[first + i].along[l] * x[i], O->local);
    }
  }
  for (size_t e = 0; e < touched; e++) {
    O->local[O->near.rows[e]] *= O->inverse[O->near.rows[e]];
  }
  spread(O, touched, u);
  for (size_t e = 0; e < touched; e++) {
    O->local[O->near.rows[e]] = 0;
  }
}

double dls_mode_operator_entry(dls_contact_system *contacts, const dls_unknown *row, const dls_unknown *column)
{
  const size_t d = contacts->config->d;
  double sum = 0;
  for (size_t i = 0; i < d; i++) {
    for (size_t k = 0; row->across[i] != 0 && k < d; k++) {
      sum += column->along[k] != 0 ? row->across[i] * column->along[k] *
                                         dls_delassus_entry(contacts->W, row->row + i, column->row + k)
                                   : 0;
    }
  }
  return sum;
}

static void diagonal(void *data, size_t first, size_t count, double *block)
{
  const dls_mode_operator *O = data;
  for (size_t j = 0; j < count; j++) {
    for (size_t i = 0; i < count; i++) {
      block[i + j * count] =
          dls_mode_operator_entry(O->contacts, &O->unknown[first + i], &O->unknown[first + j]);
    }
  }
}

/* B X B^T of contact k with the 3 x 3 block X of its unknowns; NULL: 1. */
static void widen(const dls_mode_operator *O, size_t k, const double *X, double out[BLOCK])
{
  const size_t first = O->first[k], count = O->first[k + 1] - first;
  memset(out, 0, BLOCK * sizeof *out);
  for (size_t q = 0; q < count; q++) {
    for (size_t p = 0; p < count; p++) {
      const double x = X != NULL ? X[p + 3 * q] : p == q, *left = O->unknown[first + p].across,
                   *right = O->unknown[first + q].across;
      for (size_t e = 0; e < BLOCK; e++) {
        out[e] += left[e % 3] * x * right[e / 3];
      }
    }
  }
}

/* B Q B^T + 1 - D B^T. */
static void complete(const dls_mode_operator *O, size_t k, const double *Q, double out[BLOCK])
{
  widen(O, k, Q, out);
  for (size_t e = 0; e < BLOCK; e++) {
    out[e] += e % 3 == e / 3;
    for (size_t i = O->first[k]; i < O->first[k + 1]; i++) {
      out[e] -= O->unknown[i].along[e % 3] * O->unknown[i].across[e / 3];
    }
  }
}

static dls_status factor_rows(dls_mode_operator *O)
{
  const dls_problem_bodies what = {O->contacts->config->sys->n, O->inverse, O->contacts->config->H, O->rows};
  const dls_status status = dls_body_schur_factor(&O->bodies, &what, O->count, O->begin, O->A, O->E, O->B);
  O->work += dls_body_schur_work(O->bodies);
  return status;
}

/* Blocks are the contacts, as they were taken. */
static dls_status factor(void *data, size_t blocks, const size_t *first, const double *S, const double *E,
                         const double *Q)
{
  dls_mode_operator *O = data;
  (void)first;
  for (size_t k = 0; k < blocks; k++) {
    widen(O, k, S + BLOCK * k, O->A + BLOCK * k);
    complete(O, k, Q + BLOCK * k, O->B + BLOCK * k);
    O->E[k] = E[k];
  }
  return factor_rows(O);
}

static void solve(void *data, double *x)
{
  dls_mode_operator *O = data;
  const size_t d = O->contacts->config->d;
  memset(O->r, 0, d * O->count * sizeof *O->r);
  for (size_t k = 0; k < O->count; k++) {
    for (size_t i = O->first[k]; i < O->first[k + 1]; i++) {
      for (size_t l = 0; l < d; l++) {
        O->r[d * k + l] += O->unknown[i].across[l] * x[i]; /* B f */
      }
    }
  }
  dls_body_schur_solve(O->bodies, O->r);
  for (size_t k = 0; k < O->count; k++) {
    for (size_t i = O->first[k]; i < O->first[k + 1]; i++) {
      x[i] = 0;
      for (size_t l = 0; l < d; l++) {
        x[i] += O->unknown[i].across[l] * O->r[d * k + l]; /* x = B^T r */
      }
    }
  }
}

dls_status dls_mode_operator_take(dls_mode_operator *O, size_t count, const size_t *first,
                                  const dls_unknown *unknown)
{
  const size_t d = O->contacts->config->d, n = O->contacts->config->sys->n;
  if (!reserve(O, count)) {
    return DLS_ERR_MEMORY;
  }
  forget_coupling(O);
  O->count = count;
  O->first = first;
  O->unknown = unknown;
  for (size_t k = 0; k <= count; k++) {
    O->begin[k] = d * k;
    for (size_t l = 0; k < count && l < d; l++) {
      O->rows[d * k + l] = unknown[first[k]].row + l;
    }
  }
  for (size_t i = 0; i < n; i++) {
    O->inverse[i] = 1;
  }
  dls_factor_solve(O->contacts->M, O->inverse); /* the diagonal of M^-1 is M^-1 (1, 1, ...) */
  O->as_operator = (dls_problem_operator){.n = first[count],
                                          .structure = "bodies",
                                          .data = O,
                                          .multiply = multiply,
                                          .add_columns = add_columns,
                                          .diagonal = diagonal,
                                          .factor = factor,
                                          .solve = solve,
                                          .work = &O->work};
  return DLS_OK;
}

const dls_problem_operator *dls_mode_operator_problem(dls_mode_operator *O)
{
  return couple(O) ? &O->as_operator : NULL;
}

dls_status dls_mode_operator_hold(dls_mode_operator *O, size_t *rank)
{
  double most = 0;
  for (size_t i = 0; i < O->as_operator.n; i++) {
    most = fmax(most, fabs(dls_mode_operator_entry(O->contacts, &O->unknown[i], &O->unknown[i])));
  }
  for (size_t k = 0; k < O->count; k++) {
    double Q[BLOCK] = {0};
    for (size_t i = O->first[k]; i < O->first[k + 1]; i++) {
      Q[4 * (i - O->first[k])] = O->unknown[i].shift;
    }
    widen(O, k, NULL, O->A + BLOCK * k);
    complete(O, k, Q, O->B + BLOCK * k);
    O->E[k] = DLS_PROXIMAL_SHIFT * most;
  }
  const dls_status status = factor_rows(O);
  *rank = status == DLS_OK ? dls_body_schur_stiff(O->bodies, DLS_PROXIMAL_REDUNDANT / DLS_PROXIMAL_SHIFT) : 0;
  return status;
}

void dls_mode_operator_solve(dls_mode_operator *O, double *x)
{
  solve(O, x);
}
