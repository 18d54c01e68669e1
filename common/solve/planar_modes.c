/* planar_modes.c -- every combination of open, stick, slip to the right and slip to the left of contacts in the plane (open
 * and closed without friction). Each is a linear system: u = 0 of what is held, u_N = 0 and r_T = -s mu r_N of what slips;
 * those whose signs fit are solutions. Combinations whose system is singular are left out.
 * Source: Klarbring 1990, Ingenieur-Archiv 60 (the modes).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/solve_parts.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_dense.h>

enum { MOST_MODES = 1 << 16, MOST_ROWS = 48 };
enum { OPEN, HELD, SLIP_RIGHT, SLIP_LEFT }; /* SLIP_RIGHT: u_T > 0 */

static size_t modes_of(const dls_block *block)
{
  return block->law == DLS_FREE ? 1 : block->law == DLS_HALF ? 2 : 4;
}

static const char *refuses(const dls_problem *problem)
{
  size_t modes = 1, rows = 0;
  for (size_t k = 0; k < problem->count; k++) {
    const dls_block *block = &problem->blocks[k];
    if (block->law == DLS_COULOMB && block->rows == 3) {
      return "it has contacts in space";
    }
    modes *= modes_of(block);
    rows += block->rows;
    if (modes > MOST_MODES || rows > MOST_ROWS) {
      return "it has more than 65536 combinations of modes or 48 rows";
    }
  }
  return NULL;
}

typedef struct search {
  dls_problem_task *task;
  double *W; /* n x n */
  size_t n, unknowns;
  size_t row[MOST_ROWS];      /* u of this row is 0 */
  size_t variable[MOST_ROWS]; /* r of this row is the unknown ... */
  double ratio[MOST_ROWS];    /* ... and that of the next row this times it */
  double J[MOST_ROWS][MOST_ROWS], x[MOST_ROWS];
  size_t solutions, tried;
  double chosen; /* of the solutions so far: distance from the guess, or |r| without one */
} search;

static void add_unknown(search *s, size_t row, double ratio)
{
  s->row[s->unknowns] = s->variable[s->unknowns] = row;
  s->ratio[s->unknowns++] = ratio;
}

/* Unknowns of the combination whose digits are the modes. */
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

/* task->r of the unknowns. @return false if the system is singular */
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
    if (SUNDlsMat_denseGETRF(columns, order, order, swap) != 0) {
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

/* Distance of r from s, or the size of r, block by block in m/s. */
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

/* Is u among those of the solutions found before? They are kept behind each other. */
static bool known(const search *s, const double *found, const double *u)
{
  static const double same = 1e-9;
  for (size_t k = 0; k < s->solutions; k++) {
    double far = 0;
    for (size_t i = 0; i < s->n; i++) {
      far = fmax(far, fabs(u[i] - found[k * s->n + i]));
    }
    if (far <= same * s->task->load) {
      return true;
    }
  }
  return false;
}

/* Counted if its u is new: redundant contacts have many r for one u. Of several r the nearest to the guess, else the smallest,
 * becomes the best. */
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
    task->report.residual = c->residual; /* offer keeps the smallest residual; here all are exact */
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
  enum { KEPT = 64 }; /* solutions that are told apart */
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

const dls_problem_method dls_problem_modes = {
    .name = "modes",
    .summary = "every combination of open, stick and slip",
    .source = "A. Klarbring, Examples of non-uniqueness and non-existence of solutions to quasistatic contact "
              "problems with friction, Ingenieur-Archiv 60 (1990)",
    .handles = "contacts in the plane, up to 65536 combinations (8 with friction)",
    .refuses = refuses,
    .solve = solve,
};
