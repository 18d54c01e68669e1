/* modes.c -- forces of closed contacts with friction at acceleration level. A small system is an array, solved by LU or by a
 * decomposition that finds the rank where rows are redundant. A large one has a proximal shift; where M is diagonal it is no array, but
 * the bodies that the contacts move (mode_operator.h).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/contact/friction/directions.h"
#include "common/contact/friction/mode_operator.h"
#include "common/linear/lu.h"
#include "common/linear/storage.h"
#include <delassus/contact_mode.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>
#include <sundials/sundials_types.h>

struct dls_mode_solver {
  dls_contact_system *contacts;
  size_t count, room;   /* unknowns; room for them */
  dls_unknown *unknown; /* count */
  double *A, *factors;  /* count x count, column-major; not with bodies */
  double **columns;     /* of factors */
  sunindextype *swap;
  double *work;                  /* 4 count */
  size_t *order;                 /* count: of columns */
  size_t square;                 /* unknowns that these have room for */
  size_t *first;                 /* m + 1: of the unknowns of each contact of the set */
  dls_free_directions *tangents; /* m: of those in the set that stick */
  dls_free_directions_work *mobility;
  size_t blocked;         /* tangents of them that cannot slip */
  bool *wanted, *held;    /* m: whose tangents are asked for; who sticks beside them */
  size_t laid_count;      /* the set that A was made for: */
  size_t *laid_index;     /* m */
  dls_contact_mode *laid; /* m: their modes */
  size_t laid_renewals;   /* of the configuration then */
  bool is_laid, is_factored, is_regular;
  dls_mode_operator *bodies; /* A of more than DLS_MODES_FEW unknowns where M is diagonal; else NULL */
  bool is_array;             /* they were singular */
  bool is_many;              /* A is large, and factored with its shift */
  size_t rank;
  double *b, *x;     /* count */
  double *block;     /* owns them */
  dls_block *blocks; /* m */
  double *r;         /* rows: blocks of the set */
  size_t redundant;
  dls_problem_solver *modes, *general;
};

enum { LARGE_ARRAY = 400 };            /* unknowns from which decompositions that find the rank take too long */
static const double dependent = 1e-12; /* pivots below this part of the largest: redundant rows */

/* factors := LU of A + s. @return false if rows depend on each other */
static bool factor(dls_mode_solver *g, double s)
{
  const size_t n = g->count;
  double least = HUGE_VAL, most = 0;
  memcpy(g->factors, g->A, n * n * sizeof *g->A);
  for (size_t k = 0; k < n; k++) {
    g->columns[k] = g->factors + n * k;
    g->columns[k][k] += s;
  }
  if (dls_lu_columns(n, g->columns, g->swap) < n) {
    return false;
  }
  for (size_t k = 0; k < n; k++) {
    least = fmin(least, fabs(g->columns[k][k]));
    most = fmax(most, fabs(g->columns[k][k]));
  }
  return n == 1 || least > dependent * most;
}

/* factors := complete orthogonal decomposition of A. @return its rank */
static size_t decompose(dls_mode_solver *g)
{
  const size_t n = g->count;
  size_t rank = 0;
  for (size_t i = 0; i < n; i++) { /* GSL is row-major */
    for (size_t k = 0; k < n; k++) {
      g->factors[k + n * i] = g->A[i + n * k];
    }
  }
  gsl_matrix_view A = gsl_matrix_view_array(g->factors, n, n);
  gsl_vector_view tau_q = gsl_vector_view_array(g->work, n), tau_z = gsl_vector_view_array(g->work + n, n),
                  work = gsl_vector_view_array(g->work + 2 * n, n);
  gsl_permutation order = {n, g->order};
  gsl_linalg_COD_decomp(&A.matrix, &tau_q.vector, &tau_z.vector, &order, &rank, &work.vector);
  return rank;
}

static void free_square(dls_mode_solver *g)
{
  free(g->A);
  free(g->columns);
  free(g->swap);
  free(g->order);
  g->A = g->factors = g->work = NULL;
  g->columns = NULL;
  g->swap = NULL;
  g->order = NULL;
  g->square = 0;
}

/* Room for A as an array. @return false if out of memory */
static bool reserve_square(dls_mode_solver *g, size_t count)
{
  if (count > g->square) {
    free_square(g);
    g->A = malloc(dls_size_product(dls_size_product(count, 2 * count + 4), sizeof *g->A));
    g->columns = malloc(count * sizeof *g->columns);
    g->swap = malloc(count * sizeof *g->swap);
    g->order = malloc(count * sizeof *g->order);
    if (g->A == NULL || g->columns == NULL || g->swap == NULL || g->order == NULL) {
      free_square(g);
      return false;
    }
    g->square = count;
    g->factors = g->A + count * count;
    g->work = g->factors + count * count;
  }
  return true;
}

/* Is A that of the bodies? */
static bool by_bodies(const dls_mode_solver *g)
{
  return g->bodies != NULL && g->count > DLS_MODES_FEW && !g->is_array;
}

/* Of many unknowns as an array, A + s d, with d the largest entry of the diagonal. @return false if it is singular */
static bool factor_shifted(dls_mode_solver *g)
{
  const size_t n = g->count;
  double d = 0;
  for (size_t k = 0; k < n; k++) {
    d = fmax(d, fabs(g->A[k + n * k]));
  }
  if (!factor(g, DLS_PROXIMAL_SHIFT * d)) {
    return false;
  }
  g->rank = 0;
  for (size_t k = 0; k < n; k++) {
    g->rank += fabs(g->columns[k][k]) > DLS_PROXIMAL_REDUNDANT * d;
  }
  return true;
}

/* x := -A^{-1} b. */
static void mode_solver_solve(dls_mode_solver *g)
{
  const size_t n = g->count;
  if (by_bodies(g)) {
    memcpy(g->x, g->b, n * sizeof *g->x);
    dls_mode_operator_solve(g->bodies, g->x);
  } else if (g->is_regular) {
    memcpy(g->x, g->b, n * sizeof *g->x);
    SUNDlsMat_denseGETRS(g->columns, (sunindextype)n, g->swap, g->x);
  } else {
    gsl_matrix_const_view A = gsl_matrix_const_view_array(g->factors, n, n);
    gsl_vector_const_view b = gsl_vector_const_view_array(g->b, n);
    gsl_vector_view tau_q = gsl_vector_view_array(g->work, n), tau_z = gsl_vector_view_array(g->work + n, n),
                    x = gsl_vector_view_array(g->x, n), rest = gsl_vector_view_array(g->work + 2 * n, n);
    const gsl_permutation order = {n, g->order};
    gsl_linalg_COD_lssolve(&A.matrix, &tau_q.vector, &tau_z.vector, &order, g->rank, &b.vector, &x.vector,
                           &rest.vector);
  }
  for (size_t k = 0; k < n; k++) {
    g->x[k] = -g->x[k];
  }
}

static const double tolerance = 1e-12; /* residual of the contact problem; rounding leaves about 1e-15 */
static const double settled =
    1e-20; /* of the accelerations without forces: a correction by so little changes no bit of a force, and no velocity */
static const double unfinished =
    1e-10; /* residual of a reaction that is counted, beside the first one and its own terms: six digits above rounding */
enum {
  FIRST_ROOM = 12,
  MOST_SLIPPING_MODES = 8,

  MOST_PASSES = 20,
  BETWEEN = 32 /* columns, two questions */
};

static void free_room(dls_mode_solver *g)
{
  free_square(g);
  free(g->unknown);
  free(g->block);
  g->unknown = NULL;
  g->block = NULL;
  g->room = 0;
  g->is_laid = false;
}

/* Room for so many unknowns. @return false if out of memory */
static bool reserve(dls_mode_solver *g, size_t count)
{
  if (count <= g->room) {
    return true;
  }
  const size_t room = count > 2 * g->room ? count : 2 * g->room;
  free_room(g);
  g->unknown = malloc(room * sizeof *g->unknown);
  g->block = malloc(dls_size_product(room, 2 * sizeof *g->block));
  if (g->unknown == NULL || g->block == NULL ||
      !reserve_square(g, room < DLS_MODES_FEW ? room : DLS_MODES_FEW) ||
      !dls_free_directions_reserve(g->mobility, room / g->contacts->config->d + 1)) {
    free_room(g);
    return false;
  }
  g->b = g->block;
  g->x = g->b + room;
  g->room = room;
  return true;
}

dls_status dls_mode_solver_create(dls_contact_system *contacts, dls_mode_solver **out, dls_error *err)
{
  dls_mode_solver *g = *out = calloc(1, sizeof *g);
  const size_t m = contacts->config->sys->m, rows = contacts->config->rows;
  if (g != NULL) {
    g->contacts = contacts;
    g->blocks = calloc(m + 1, sizeof *g->blocks);
    g->r = calloc(rows + 1, sizeof *g->r);
    g->laid_index = calloc(m + 1, sizeof *g->laid_index);
    g->laid = calloc(m + 1, sizeof *g->laid);
    g->first = calloc(m + 1, sizeof *g->first);
    g->tangents = calloc(m + 1, sizeof *g->tangents);
    g->wanted = calloc(2 * m + 2, sizeof *g->wanted);
    g->held = g->wanted != NULL ? g->wanted + m + 1 : NULL;
    g->mobility = dls_free_directions_create(contacts);
    g->bodies = dls_mode_operator_applies(contacts) ? dls_mode_operator_create(contacts) : NULL;
  }
  if (g == NULL || g->blocks == NULL || g->first == NULL ||
      (g->bodies == NULL && dls_mode_operator_applies(contacts)) || g->r == NULL || g->laid_index == NULL ||
      g->laid == NULL || g->tangents == NULL || g->wanted == NULL || g->mobility == NULL ||
      !reserve(g, rows < FIRST_ROOM ? rows : FIRST_ROOM)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the friction of %zu contacts", m);
  }
  dls_status status = dls_problem_create("modes", tolerance, &g->modes, err);
  if (status != DLS_OK || (status = dls_problem_create(NULL, tolerance, &g->general, err)) != DLS_OK) {
    return status;
  }
  dls_problem_set_interrupt(g->modes, &contacts->work->interrupt);
  dls_problem_set_interrupt(g->general, &contacts->work->interrupt);
  dls_problem_count_fallbacks(g->modes, &contacts->work->fallbacks);
  dls_problem_count_fallbacks(g->general, &contacts->work->fallbacks);
  return DLS_OK;
}

void dls_mode_solver_destroy(dls_mode_solver *g)
{
  if (g != NULL) {
    free_room(g);
    free(g->first);
    free(g->blocks);
    free(g->r);
    free(g->laid_index);
    free(g->laid);
    free(g->tangents);
    free(g->wanted);
    dls_free_directions_destroy(g->mobility);
    dls_mode_operator_destroy(g->bodies);
    dls_problem_destroy(g->modes);
    dls_problem_destroy(g->general);
    free(g);
  }
}

size_t dls_mode_solver_redundant(const dls_mode_solver *g)
{
  return g->redundant;
}

static int increasing(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

size_t dls_mode_solver_free_directions(const dls_mode_solver *g, size_t j, double e[2][2])
{
  const size_t *at = bsearch(&j, g->laid_index, g->laid_count, sizeof j, increasing);
  if (at == NULL) {
    return 0;
  }
  const dls_free_directions *t = &g->tangents[at - g->laid_index];
  if (e != NULL) {
    memcpy(e, t->e, sizeof t->e);
  }
  return t->count;
}

/* along := the normal force and the friction that it takes with it; the normal alone where nothing slips. */
static void normal_column(size_t d, const dls_contact_mode *mode, double *along)
{
  along[0] = 1;
  for (size_t i = 1; i < d; i++) {
    along[i] = mode->kind == DLS_MODE_SLIPS ? -mode->mu * mode->e[i - 1] : 0;
  }
}

double dls_mode_solver_slip_pivot(dls_mode_solver *g, size_t j, const dls_contact_mode *mode)
{
  dls_unknown x = {.row = g->contacts->config->d * j, .across = {1}};
  normal_column(g->contacts->config->d, mode, x.along);
  return dls_mode_operator_entry(g->contacts, &x, &x);
}

static bool same_mode(const dls_contact_mode *a, const dls_contact_mode *b, size_t d)
{
  return a->kind == b->kind && a->mu == b->mu && a->turning == b->turning &&
         (a->kind != DLS_MODE_SLIPS || (a->e[0] == b->e[0] && (d == 2 || a->e[1] == b->e[1])));
}

/* Is A that of the set with these modes, and of M, H and joints as they are? */
static bool is_laid_for(const dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode)
{
  const size_t d = g->contacts->config->d;
  if (!g->is_laid || g->laid_renewals != g->contacts->config->renewals || g->laid_count != set->count) {
    return false;
  }
  for (size_t k = 0; k < set->count; k++) {
    if (g->laid_index[k] != set->index[k] || !same_mode(&g->laid[k], &mode[set->index[k]], d)) {
      return false;
    }
  }
  return true;
}

/* The unknowns of a contact: along its normal, and along the tangents on which it could slip where it sticks, or turns. */
static void number_contact(dls_mode_solver *g, size_t k)
{
  const size_t d = g->contacts->config->d, row = d * g->laid_index[k];
  const dls_free_directions *t = &g->tangents[k];
  dls_unknown *x = &g->unknown[g->count++];
  *x = (dls_unknown){.row = row, .across = {1}};
  normal_column(d, &g->laid[k], x->along);
  for (size_t i = 0; i < t->count; i++) {
    x = &g->unknown[g->count++];
    *x = (dls_unknown){.row = row};
    memcpy(x->along + 1, t->e[i], (d - 1) * sizeof *x->along);
    memcpy(x->across, x->along, sizeof x->along);
  }
  if (g->laid[k].kind == DLS_MODE_SLIPS && g->laid[k].turning > 0) {
    const double *e = g->laid[k].e;
    g->unknown[g->count++] = (dls_unknown){row, {0, -e[1], e[0]}, {0, -e[1], e[0]}, g->laid[k].turning};
  }
}

static dls_status stopped(dls_status status, size_t contacts, dls_error *err)
{
  return dls_fail(err, status, "%s the friction of %zu contacts",
                  status == DLS_ERR_MEMORY ? "no memory for" : "interrupted in", contacts);
}

/* The unknowns of the set. @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
static dls_status number_unknowns(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode)
{
  const size_t d = g->contacts->config->d;
  g->count = g->blocked = 0;
  g->laid_count = set->count;
  for (size_t k = 0; k < set->count; k++) {
    g->wanted[set->index[k]] = mode[set->index[k]].kind == DLS_MODE_STICKS;
  }
  const dls_status status = dls_free_directions_find(g->mobility, set, g->wanted, NULL, g->tangents);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < set->count; k++) {
    g->laid_index[k] = set->index[k];
    g->laid[k] = mode[set->index[k]];
    g->blocked += g->laid[k].kind == DLS_MODE_STICKS ? d - 1 - g->tangents[k].count : 0;
    number_contact(g, k);
    g->first[k + 1] = g->count;
  }
  return DLS_OK;
}

dls_status dls_mode_solver_single_line(dls_mode_solver *g, const dls_contacts *set,
                                       const dls_contact_mode *mode, size_t j, double *e, bool *line,
                                       dls_error *err)
{
  if (!reserve(g, g->contacts->config->d * set->count)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the friction of %zu contacts", set->count);
  }
  g->is_laid = false; /* the tangents are others now */
  size_t own = 0;
  for (size_t k = 0; k < set->count; k++) {
    const size_t i = set->index[k];
    g->wanted[i] = i == j;
    g->held[i] = i != j && mode[i].kind == DLS_MODE_STICKS;
    own = i == j ? k : own;
  }
  const dls_status status = dls_free_directions_find(g->mobility, set, g->wanted, g->held, g->tangents);
  if (status != DLS_OK) {
    return stopped(status, set->count, err);
  }
  const dls_free_directions *t = &g->tangents[own];
  *line = t->count + 1 < g->contacts->config->d;
  const double side = e[0] * t->e[0][0] + e[1] * t->e[0][1] < 0 ? -1 : 1;
  for (size_t i = 0; t->count == 1 && i < 2; i++) {
    e[i] = side * t->e[0][i];
  }
  return DLS_OK;
}

static bool is_asked_to_stop(const dls_mode_solver *g, size_t column)
{
  return column > 0 && column % BETWEEN == 0 && dls_interrupt_requested(&g->contacts->work->interrupt);
}

/* A as an array. @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
static dls_status lay_array(dls_mode_solver *g)
{
  if (!reserve_square(g, g->count)) {
    return DLS_ERR_MEMORY;
  }
  for (size_t k = 0; k < g->count; k++) {
    if (is_asked_to_stop(g, k)) {
      return DLS_ERR_INTERRUPTED;
    }
    for (size_t i = 0; i < g->count; i++) {
      g->A[i + g->count * k] = dls_mode_operator_entry(g->contacts, &g->unknown[i], &g->unknown[k]);
    }
    g->A[k + g->count * k] += g->unknown[k].shift;
  }
  return DLS_OK;
}

/* A in factors: many unknowns with a shift, few by LU or, where rows depend on each other, by the decomposition of the rank.
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
static dls_status mode_solver_prepare(dls_mode_solver *g)
{
  dls_fallbacks *fallbacks = &g->contacts->work->fallbacks;
  g->is_many = by_bodies(g) || g->count > LARGE_ARRAY;
  dls_status status = by_bodies(g) ? dls_mode_operator_hold(g->bodies, &g->rank) : DLS_OK;
  if (status == DLS_ERR_SINGULAR) { /* in slip */
    dls_count_fallback(fallbacks, "array");
    g->is_array = true;
    status = lay_array(g);
  }
  if (status != DLS_OK || by_bodies(g)) {
    return status;
  }
  g->is_regular = g->is_many ? factor_shifted(g) : factor(g, 0);
  g->rank = g->is_regular && !g->is_many ? g->count : g->rank;
  if (!g->is_regular) {
    dls_count_fallback(g->is_many ? fallbacks : NULL, "orthogonal-decomposition");
    g->is_many = false;
    g->rank = decompose(g);
  }
  return DLS_OK;
}

/* The unknowns of the set, and A. */
static dls_status lay_out(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode,
                          dls_error *err)
{
  if (is_laid_for(g, set, mode)) {
    return DLS_OK;
  }
  if (!reserve(g, g->contacts->config->d * set->count)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the friction of %zu contacts", set->count);
  }
  g->is_laid = g->is_array = false;
  dls_status status = number_unknowns(g, set, mode);
  if (status == DLS_OK) {
    status = by_bodies(g) ? dls_mode_operator_take(g->bodies, set->count, g->first, g->unknown) : lay_array(g);
  }
  if (status != DLS_OK) {
    return stopped(status, set->count, err);
  }
  g->is_laid = true;
  g->laid_renewals = g->contacts->config->renewals;
  g->is_factored = false;
  return DLS_OK;
}

/* b := B^T (a + c) + shift x, with the forces r of the unknowns x. */
static void accelerations(dls_mode_solver *g, const double *c, const double *a, const double *r)
{
  const dls_contact_system *contacts = g->contacts;
  for (size_t k = 0; k < g->count; k++) {
    const dls_unknown *x = &g->unknown[k];
    g->b[k] = 0;
    for (size_t i = 0; i < contacts->config->d; i++) {
      const double rate =
          x->across[i] != 0 ? dls_matrix_column_dot(contacts->config->H, x->row + i, a) + c[x->row + i] : 0;
      g->b[k] += x->across[i] * (rate + x->shift * r[x->row + i]);
    }
  }
}

/* a += M^-1 D x, r += D's rows of x. */
static void add_forces(dls_mode_solver *g, const dls_contacts *set, double *a, double *r)
{
  const size_t d = g->contacts->config->d;
  memset(g->r, 0, d * set->count * sizeof *g->r);
  for (size_t k = 0, at = 0; k < set->count; k++) {
    double *own = g->r + d * k;
    for (; at < g->first[k + 1]; at++) {
      for (size_t i = 0; i < d; i++) {
        own[i] += g->x[at] * g->unknown[at].along[i];
      }
    }
    for (size_t i = 0; i < d; i++) {
      r[d * set->index[k] + i] += own[i];
    }
  }
  dls_contact_system_apply(g->contacts, set, 1, g->r, a);
}

/* Of a share that was given: what fits the unknowns. */
static void take_share(dls_mode_solver *g, const double *share)
{
  for (size_t k = 0; k < g->count; k++) {
    const dls_unknown *x = &g->unknown[k];
    g->x[k] = 0;
    for (size_t i = 0; i < g->contacts->config->d; i++) {
      g->x[k] += x->across[i] * share[x->row + i];
    }
  }
}

static double largest(size_t n, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

/* Is b small beside the terms that cancel in it? */
static bool is_rounding(const dls_mode_solver *g, const double *c, const double *a, const double *r)
{
  bool small = true;
  for (size_t k = 0; k < g->count && small; k++) {
    const dls_unknown *x = &g->unknown[k];
    double terms = 0;
    for (size_t i = 0; i < g->contacts->config->d; i++) {
      const dls_column h = dls_matrix_column(g->contacts->config->H, x->row + i);
      double rate = fabs(c[x->row + i]) + fabs(x->shift * r[x->row + i]);
      for (size_t e = 0; e < h.count; e++) {
        rate += fabs(h.values[e] * a[dls_column_row(&h, e)]);
      }
      terms += fabs(x->across[i]) * rate;
    }
    small = fabs(g->b[k]) <= unfinished * terms;
  }
  return small;
}

/* a += M^-1 D x, r := D's rows of x, with B^T (H^T a + c) = 0. */
static dls_status react(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode,
                        const double *share, const double *c, double *a, double *r, dls_error *err)
{
  memset(r, 0, g->contacts->config->rows * sizeof *r);
  dls_status status = lay_out(g, set, mode, err);
  g->redundant = 0;
  if (status != DLS_OK || g->count == 0) {
    return status;
  }
  if (share != NULL) {
    take_share(g, share);
    add_forces(g, set, a, r);
  }
  status = g->is_factored ? DLS_OK : mode_solver_prepare(g);
  if (status != DLS_OK) {
    return stopped(status, set->count, err);
  }
  g->is_factored = true;
  g->redundant = g->count - g->rank + g->blocked;
  double first = 0, last = HUGE_VAL;
  for (int pass = 0; pass < 2 || g->is_many;
       pass++) { /* those after the first are for its rounding, and the shift */
    accelerations(g, c, a, r);
    const double now = largest(g->count, g->b);
    first = pass == 0 ? now : first;
    if (pass >= 2 && (pass == MOST_PASSES || !(now < 0.5 * last && now > settled * first))) {
      if (!(now <= unfinished * first) && !is_rounding(g, c, a, r)) {
        dls_count_fallback(&g->contacts->work->fallbacks, "mode-residual");
      }
      break;
    }
    last = now;
    mode_solver_solve(g);
    add_forces(g, set, a, r);
  }
  return DLS_OK;
}

dls_status dls_mode_solver_reaction(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode,
                                    const double *share, const double *v, double *a, double *r, dls_error *err)
{
  if (v != NULL) {
    dls_configuration_curvature(g->contacts->config, v, g->contacts->curvature);
  }
  return react(g, set, mode, share, g->contacts->curvature, a, r, err);
}

bool dls_mode_solver_holds(const dls_mode_solver *g, size_t rows)
{
  return g != NULL && g->bodies != NULL && rows > DLS_MODES_FEW;
}

dls_status dls_mode_solver_hold(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode,
                                double *v, double *r, dls_error *err)
{
  return react(g, set, mode, NULL, g->contacts->config->b, v, r, err);
}

/* The laws of the set. @return is every combination of modes to be tried? */
static bool lay_blocks(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode)
{
  size_t rough = 0;
  bool plane = true;
  for (size_t k = 0; k < set->count; k++) {
    const size_t tangents = g->tangents[k].count;
    g->blocks[k] = tangents > 0 ? (dls_block){DLS_COULOMB, 1 + tangents, mode[set->index[k]].mu}
                                : (dls_block){DLS_HALF, 1, 0};
    rough += tangents > 0;
    plane = plane && tangents < 2;
  }
  return plane && 2 * rough + (set->count - rough) <= MOST_SLIPPING_MODES;
}

dls_status dls_mode_solver_force(dls_mode_solver *g, const dls_contacts *set, const dls_contact_mode *mode,
                                 const double *v, double *a, double *r, size_t *solutions, dls_error *err)
{
  *solutions = 0;
  memset(r, 0, g->contacts->config->rows * sizeof *r);
  dls_configuration_curvature(g->contacts->config, v, g->contacts->curvature);
  dls_status status = lay_out(g, set, mode, err);
  if (status != DLS_OK || g->count == 0) {
    return status;
  }
  accelerations(g, g->contacts->curvature, a, r);
  const bool few = lay_blocks(g, set, mode);
  const dls_problem problem = {.count = set->count,
                               .blocks = g->blocks,
                               .q = g->b,
                               .dense = by_bodies(g) ? NULL : g->A,
                               .by_operator = by_bodies(g) ? dls_mode_operator_problem(g->bodies) : NULL};
  if (problem.dense == NULL && problem.by_operator == NULL) {
    return stopped(DLS_ERR_MEMORY, set->count, err);
  }
  dls_problem_report report = {0};
  memset(g->x, 0, g->count * sizeof *g->x);
  g->is_factored = g->is_factored && !by_bodies(g); /* there the factors are those of Newton's method now */
  status = dls_problem_solve(few ? g->modes : g->general, &problem, g->x, NULL, &report, err);
  g->contacts->work->lcp_solves++;
  g->contacts->work->lcp_pivots += report.iterations;
  if (status == DLS_OK) {
    *solutions = report.solutions;
    add_forces(g, set, a, r);
  }
  return status;
}
