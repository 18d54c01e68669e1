/* planar_modes.c -- every combination of open, stick, slip to the right and slip to the left of contacts in the plane (open
 * and closed without friction). Each combination is a linear system: u = 0 for sticking contacts, u_N = 0 and r_T = -s mu
 * r_N for slipping ones. Combinations with consistent signs are solutions. Combinations whose system is singular are left
 * out. If every combination is contradictory or violates a law, no solution exists.
 * Source: Klarbring 1990, Ingenieur-Archiv 60 (the modes).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/lu.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/friction/thresholds.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_dense.h>

enum { MOST_ROWS = 48 };
enum { OPEN, HELD, SLIP_RIGHT, SLIP_LEFT }; /* SLIP_RIGHT: u_T > 0 */

static size_t modes_of(const dls_block *block)
{
  return block->law == DLS_FREE ? 1 : block->law == DLS_HALF ? 2 : 4;
}

static const char *refuses(const dls_problem *problem)
{
  size_t modes = 1, rows = 0;
  if (dls_problem_associated(problem)) {
    return dls_problem_refuses_associated(problem);
  }
  for (size_t k = 0; k < problem->count; k++) {
    const dls_block *block = &problem->blocks[k];
    if (block->law == DLS_COULOMB && block->rows == 3) {
      return "some contacts are in space";
    }
    modes *= modes_of(block);
    rows += block->rows;
    if (modes > threshold_modes_most || rows > MOST_ROWS) {
      return "more than 65536 combinations of modes or 48 rows";
    }
  }
  return NULL;
}

typedef struct search {
  dls_problem_task *task;
  double *W; /* n x n */
  size_t n, unknowns;
  size_t row[MOST_ROWS];      /* u of this row is 0 */
  size_t variable[MOST_ROWS]; /* r of this row is the unknown */
  double ratio[MOST_ROWS];    /* r of the next row is this multiple of it */
  double J[MOST_ROWS][MOST_ROWS], x[MOST_ROWS];
  size_t solutions, tried;
  double chosen; /* best of the solutions so far: distance from the guess, or |r| without a guess */
} search;

static void add_unknown(search *s, size_t row, double ratio)
{
  s->row[s->unknowns] = s->variable[s->unknowns] = row;
  s->ratio[s->unknowns++] = ratio;
}

/* Unknowns of the combination whose base-4 digits are the modes. */
static void choose(search *s, size_t combination)
{
  const dls_problem_task *task = s->task;
  s->unknowns = 0;
  for (size_t k = 0; k < task->count; k++) {
    const dls_block *block = &task->blocks[k];
    const size_t modes = modes_of(block), a = task->first[k];
    const size_t mode = block->law == DLS_FREE ? HELD : combination % modes;
    combination /= modes;
    for (size_t i = 0; mode == HELD && i < block->rows; i++) {
      add_unknown(s, a + i, 0);
    }
    if (mode == SLIP_RIGHT || mode == SLIP_LEFT) {
      add_unknown(s, a, mode == SLIP_RIGHT ? -block->mu : block->mu);
    }
  }
}

/* Solve for task->r. @return false if the system is singular */
static bool solve_combination(search *s)
{
  double *columns[MOST_ROWS], *r = s->task->r;
  sunindextype swap[MOST_ROWS];
  const sunindextype order = (sunindextype)s->unknowns;
  memset(r, 0, s->n * sizeof *r);
  for (size_t j = 0; j < s->unknowns; j++) {
    const double *W = s->W + s->variable[j] * s->n;
    columns[j] = s->J[j];
    for (size_t i = 0; i < s->unknowns; i++) {
      const double next = s->ratio[j] != 0 ? s->ratio[j] * W[s->row[i] + s->n] : 0;
      s->J[j][i] = W[s->row[i]] + next;
    }
    s->x[j] = -s->task->q[s->row[j]];
  }
  if (order > 0) {
    if (dls_lu_columns(s->unknowns, columns, swap) < s->unknowns) {
      return false;
    }
    SUNDlsMat_denseGETRS(columns, order, swap, s->x);
  }
  for (size_t j = 0; j < s->unknowns; j++) {
    r[s->variable[j]] += s->x[j];
    if (s->ratio[j] != 0) {
      r[s->variable[j] + 1] += s->ratio[j] * s->x[j];
    }
  }
  return true;
}

/* Distance of r from s, or size of r, block by block in m/s. */
static double distance(const dls_problem_task *task, const double *r, const double *s)
{
  double sum = 0;
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      const double difference = (r[i] - (s != NULL ? s[i] : 0)) * task->inverse_rho[k];
      sum += difference * difference;
    }
  }
  return sqrt(sum);
}

/* Does u equal one of the solutions stored before? */
static bool known(const search *s, const double *found, const double *u)
{
  for (size_t k = 0; k < s->solutions; k++) {
    double far = 0;
    for (size_t i = 0; i < s->n; i++) {
      far = fmax(far, fabs(u[i] - found[k * s->n + i]));
    }
    if (far <= threshold_modes_same * s->task->load) {
      return true;
    }
  }
  return false;
}

/* Count the solution if its u is new: with redundant contacts one u has many r. The r nearest to the guess, else the
 * smallest, becomes the best. */
static void keep(search *s, double *found, size_t most, const dls_certificate *c)
{
  dls_problem_task *task = s->task;
  const double far = distance(task, task->r, distance(task, task->start, NULL) > 0 ? task->start : NULL);
  if (s->solutions < most && !known(s, found, task->u)) {
    memcpy(found + s->solutions * s->n, task->u, s->n * sizeof *task->u);
    s->solutions++;
  }
  if (far < s->chosen) {
    s->chosen = far;
    task->report.residual = c->residual; /* dls_task_offer keeps the smallest residual; here all are exact */
    task->report.residual_abs = c->absolute;
    memcpy(task->best, task->r, s->n * sizeof *task->r);
    memcpy(task->best_u, task->u, s->n * sizeof *task->u);
  }
}

static void fill(const dls_problem_task *task, double *W)
{
  memset(W, 0, task->n * task->n * sizeof *W);
  memset(task->x, 0, task->n * sizeof *task->x);
  for (size_t j = 0; j < task->n; j++) {
    task->x[j] = 1;
    task->W->multiply(task->W->data, task->x, W + j * task->n);
    task->x[j] = 0;
  }
}

static dls_status solve(dls_problem_task *task)
{
  enum { KEPT = 64 }; /* number of different solutions */
  size_t combinations = 1;
  search s = {.task = task, .n = task->n, .chosen = HUGE_VAL};
  double *room = dls_task_room(task, task->n * (task->n + KEPT));
  if (room == NULL) {
    return DLS_ERR_MEMORY;
  }
  s.W = room;
  fill(task, s.W);
  for (size_t k = 0; k < task->count; k++) {
    combinations *= modes_of(&task->blocks[k]);
  }
  for (size_t c = 0; c < combinations && !dls_task_spent(task); c++) {
    choose(&s, c);
    if (solve_combination(&s)) {
      const dls_certificate certificate = dls_task_offer(task, task->r, dls_problem_modes.name, c + 1);
      if (dls_certificate_accepts(task, &certificate)) {
        keep(&s, room + task->n * task->n, KEPT, &certificate);
      }
    }
  }
  if (s.solutions > 0) {
    task->report.solutions = s.solutions;
    task->report.iterations = combinations;
  }
  return s.solutions > 0 ? DLS_OK : DLS_ERR_LCP;
}

/* --- proof that no solution exists --- */

/* A system in units in which W_NN is about 1: u / sqrt(W_NN) = A (sqrt(W_NN) r) + ... */
typedef struct scaled_system {
  size_t n;
  double A[MOST_ROWS][MOST_ROWS], b[MOST_ROWS], x[MOST_ROWS];
  size_t column[MOST_ROWS]; /* the unknown of each column */
  double largest, least;    /* pivots */
} scaled_system;

static void swap_rows(scaled_system *p, size_t i, size_t k)
{
  for (size_t j = 0; j < p->n; j++) {
    const double a = p->A[i][j];
    p->A[i][j] = p->A[k][j];
    p->A[k][j] = a;
  }
  const double b = p->b[i];
  p->b[i] = p->b[k];
  p->b[k] = b;
}

static void swap_columns(scaled_system *p, size_t j, size_t k)
{
  for (size_t i = 0; i < p->n; i++) {
    const double a = p->A[i][j];
    p->A[i][j] = p->A[i][k];
    p->A[i][k] = a;
  }
  const size_t c = p->column[j];
  p->column[j] = p->column[k];
  p->column[k] = c;
}

/* Gaussian elimination with complete pivoting. @return the rank */
static size_t eliminate(scaled_system *p)
{
  p->largest = p->least = 0;
  for (size_t k = 0; k < p->n; k++) {
    size_t row = k, column = k;
    for (size_t i = k; i < p->n; i++) {
      for (size_t j = k; j < p->n; j++) {
        if (fabs(p->A[i][j]) > fabs(p->A[row][column])) {
          row = i;
          column = j;
        }
      }
    }
    const double pivot = fabs(p->A[row][column]);
    p->largest = k == 0 ? pivot : p->largest;
    if (!(pivot > threshold_modes_singular * p->largest)) {
      return k;
    }
    p->least = pivot;
    swap_rows(p, k, row);
    swap_columns(p, k, column);
    for (size_t i = k + 1; i < p->n; i++) {
      const double factor = p->A[i][k] / p->A[k][k];
      for (size_t j = k; j < p->n; j++) {
        p->A[i][j] -= factor * p->A[k][j];
      }
      p->b[i] -= factor * p->b[k];
    }
  }
  return p->n;
}

static void substitute(scaled_system *p)
{
  double y[MOST_ROWS];
  for (size_t k = p->n; k-- > 0;) {
    y[k] = p->b[k];
    for (size_t j = k + 1; j < p->n; j++) {
      y[k] -= p->A[k][j] * y[j];
    }
    y[k] /= p->A[k][k];
  }
  for (size_t k = 0; k < p->n; k++) {
    p->x[p->column[k]] = y[k];
  }
}

/* Do the scaled r and u violate the law of a contact in its mode by more than the tolerance? */
static bool violates(const dls_block *block, size_t mode, const double *r, const double *u, double margin)
{
  if (mode == OPEN) {
    return u[0] < -margin;
  }
  if (block->law == DLS_FREE) {
    return false;
  }
  if (mode == HELD) {
    return r[0] < -margin ||
           (block->law == DLS_COULOMB && fabs(r[1]) - block->mu * r[0] > (1 + block->mu) * margin);
  }
  return r[0] < -margin || (mode == SLIP_RIGHT ? u[1] < -margin : u[1] > margin);
}

/* Does this combination have no r, because its equations are contradictory or their solution violates a law? */
static bool excluded(search *s, size_t combination, const double *weight)
{
  const dls_problem_task *task = s->task;
  scaled_system p = {.n = s->unknowns};
  double r[MOST_ROWS] = {0}, u[MOST_ROWS], load = 0, size = 0, mu = 0;
  for (size_t i = 0; i < s->n; i++) {
    load = fmax(load, fabs(task->q[i]) * weight[i]);
  }
  for (size_t i = 0; i < p.n; i++) {
    p.column[i] = i;
    p.b[i] = -task->q[s->row[i]] * weight[s->row[i]];
    for (size_t j = 0; j < p.n; j++) {
      const double *W = s->W + s->variable[j] * s->n;
      const double next = s->ratio[j] != 0 ? s->ratio[j] * W[s->row[i] + s->n] : 0;
      p.A[i][j] = weight[s->row[i]] * (W[s->row[i]] + next) * weight[s->variable[j]];
    }
  }
  const size_t rank = eliminate(&p);
  for (size_t i = rank; i < p.n; i++) {
    if (fabs(p.b[i]) > sqrt(threshold_modes_singular) * load) {
      return true;
    }
  }
  if (rank < p.n) {
    return false; /* r is not unique, and one of them may satisfy the laws */
  }
  substitute(&p);
  for (size_t j = 0; j < p.n; j++) {
    r[s->variable[j]] = p.x[j];
    size = fmax(size, fabs(p.x[j]));
    if (s->ratio[j] != 0) {
      r[s->variable[j] + 1] = s->ratio[j] * p.x[j];
      mu = fmax(mu, fabs(s->ratio[j]));
    }
  }
  for (size_t i = 0; i < s->n; i++) {
    u[i] = task->q[i] * weight[i];
    for (size_t j = 0; j < s->n; j++) {
      u[i] += weight[i] * s->W[i + j * s->n] * weight[j] * r[j];
    }
  }
  const double condition = p.n > 0 ? p.largest / p.least : 1;
  const double margin =
      threshold_modes_rounding * DBL_EPSILON * (double)s->n * (1 + mu) * (load + condition * size);
  for (size_t k = 0; k < task->count; k++) {
    const size_t modes = modes_of(&task->blocks[k]), a = task->first[k];
    const size_t mode = task->blocks[k].law == DLS_FREE ? HELD : combination % modes;
    combination /= modes;
    if (violates(&task->blocks[k], mode, r + a, u + a, margin)) {
      return true;
    }
  }
  return false;
}

dls_status dls_modes_exclude(dls_problem_task *task, bool *none)
{
  size_t combinations = 1;
  double weight[MOST_ROWS];
  search s = {.task = task, .n = task->n};
  s.W = dls_task_room(task, task->n * task->n);
  *none = false;
  if (s.W == NULL) {
    return DLS_ERR_MEMORY;
  }
  fill(task, s.W);
  for (size_t k = 0; k < task->count; k++) {
    combinations *= modes_of(&task->blocks[k]);
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      weight[i] = task->inverse_rho[k] > 0 ? 1 / sqrt(task->inverse_rho[k]) : 1;
    }
  }
  *none = true;
  for (size_t c = 0; c < combinations && *none; c++) {
    choose(&s, c);
    *none = excluded(&s, c, weight);
  }
  return DLS_OK;
}

const dls_problem_method dls_problem_modes = {
    .name = "modes",
    .summary = "every combination of open, stick and slip",
    .source = "A. Klarbring, Examples of non-uniqueness and non-existence of solutions to quasistatic contact "
              "problems with friction, Ingenieur-Archiv 60 (1990)",
    .handles = "contacts in the plane, up to 65536 combinations (8 with friction)",
    .refuses = refuses,
    .solve = solve,
};
