/* few_contacts.c -- contact problems of many contacts of which some stay open, where a column of W costs a solve with A:
 *   u = W r + q with a law between the u and r of every contact, such as 0 <= u _|_ r >= 0
 * on the contacts whose law r = 0 does not satisfy for u = q, and those with a guess r, then also on those whose law u does not satisfy
 * at its solution, until there are none. The others have r = 0 and their law, so that this is a solution of the whole problem, which
 * takes the columns of the chosen contacts alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/contact/thresholds.h"
#include "common/solve/friction/friction_methods.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_few_contacts {
  size_t *index, *rows; /* of the chosen contacts' rows: in the problem, in H */
  double *q, *r, *u;    /* theirs */
  dls_block *blocks;
  bool *chosen; /* contacts */
};

void dls_few_contacts_destroy(dls_few_contacts *few)
{
  if (few != NULL) {
    free(few->index);
    free(few->q);
    free(few->blocks);
    free(few->chosen);
    free(few);
  }
}

dls_few_contacts *dls_few_contacts_create(size_t m)
{
  dls_few_contacts *few = calloc(1, sizeof *few);
  if (few == NULL) {
    return NULL;
  }
  few->index = calloc(2 * m + 1, sizeof *few->index);
  few->q = calloc(3 * m + 1, sizeof *few->q);
  few->blocks = calloc(m + 1, sizeof *few->blocks);
  few->chosen = calloc(m + 1, sizeof *few->chosen);
  if (few->index == NULL || few->q == NULL || few->blocks == NULL || few->chosen == NULL) {
    dls_few_contacts_destroy(few);
    return NULL;
  }
  few->rows = few->index + m;
  few->r = few->q + m;
  few->u = few->q + 2 * m;
  return few;
}

static size_t rows_of(const dls_few_problem *problem, size_t k)
{
  return problem->blocks != NULL ? problem->blocks[k].rows : 1;
}

/* Does contact k obey its law with r = 0? Not if u is not a number. */
static bool rests(const dls_few_problem *problem, size_t k, const double *u)
{
  return problem->blocks != NULL ? dls_block_rests(&problem->blocks[k], u) : u[0] >= 0;
}

/* @return how many contacts may close; all if a q is not finite */
static size_t choose(dls_few_contacts *few, const dls_few_problem *problem)
{
  size_t chosen = 0;
  for (size_t k = 0, row = 0; k < problem->count; row += rows_of(problem, k), k++) {
    for (size_t i = 0; i < rows_of(problem, k); i++) {
      if (!(fabs(problem->q[row + i]) <= DBL_MAX)) {
        return problem->count;
      }
    }
    few->chosen[k] = !rests(problem, k, problem->q + row) || problem->r[row] > 0;
    chosen += few->chosen[k];
  }
  return chosen;
}

/* Rows of the chosen contacts, one after the other. @return how many */
static size_t gather_chosen(dls_few_contacts *few, const dls_few_problem *problem)
{
  size_t size = 0, rows = 0;
  for (size_t k = 0, row = 0; k < problem->count; row += rows_of(problem, k), k++) {
    if (few->chosen[k] && problem->blocks != NULL) {
      few->blocks[size++] = problem->blocks[k];
    }
    for (size_t i = 0; few->chosen[k] && i < rows_of(problem, k); i++, rows++) {
      few->index[rows] = row + i;
      few->rows[rows] = problem->active[row + i];
      few->q[rows] = problem->q[row + i];
      few->r[rows] = problem->r[row + i];
    }
  }
  return rows;
}

/* The problem of the chosen contacts. */
static dls_status solve_chosen(dls_few_contacts *few, const dls_few_problem *problem, size_t size,
                               dls_error *err)
{
  const dls_few_problem part = {.count = size,
                                .blocks = problem->blocks != NULL ? few->blocks : NULL,
                                .active = few->rows,
                                .q = few->q,
                                .r = few->r,
                                .u = problem->u != NULL ? few->u : NULL};
  return problem->solve(problem->data, &part, err);
}

/* u of the other contacts at r of the chosen ones; those whose law it does not satisfy are chosen too. @return how many they are */
static size_t choose_more(dls_delassus *D, const dls_few_problem *problem, size_t rows)
{
  dls_few_contacts *few = D->few;
  const double *y = dls_delassus_respond(D, rows, few->rows, few->r); /* A^-1 H r */
  size_t more = 0;
  for (size_t k = 0, row = 0; k < problem->count; row += rows_of(problem, k), k++) {
    double u[DLS_FEW_ROWS];
    for (size_t i = 0; !few->chosen[k] && i < rows_of(problem, k); i++) {
      u[i] = problem->q[row + i] + dls_matrix_column_dot(D->H, problem->active[row + i], y);
    }
    if (!few->chosen[k] && problem->u != NULL) {
      memcpy(problem->u + row, u, rows_of(problem, k) * sizeof *u);
    }
    if (!few->chosen[k] && !rests(problem, k, u)) {
      few->chosen[k] = true;
      more++;
    }
  }
  return more;
}

/* @return the number of rows in which problem->q, r and u have room */
static size_t all_rows(const dls_few_problem *problem)
{
  size_t rows = 0;
  for (size_t k = 0; k < problem->count; k++) {
    rows += rows_of(problem, k);
  }
  return rows;
}

dls_status dls_few_contacts_solve(dls_delassus *D, const dls_few_problem *problem, dls_error *err)
{
  dls_few_contacts *few = D->few;
  const size_t all = all_rows(problem);
  if (few == NULL || problem->count <= threshold_few_least) {
    return problem->solve(problem->data, problem, err);
  }
  size_t size = choose(few, problem), last = 0, rows = 0;
  if (size == 0 && problem->u != NULL) {
    memcpy(problem->u, problem->q, all * sizeof *problem->u);
  }
  while (size != last) {
    rows = size < problem->count ? gather_chosen(few, problem) : all;
    const bool whole = rows == all || dls_saddle_applies(D, rows);
    dls_error why = {0};
    const dls_status status = whole ? DLS_OK : solve_chosen(few, problem, size, &why);
    if (status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED) {
      if (err != NULL) {
        *err = why;
      }
      return status;
    }
    if (whole || status != DLS_OK) {
      dls_count_fallback(rows < all || last > 0 ? D->fallbacks : NULL, "all-contacts");
      return problem->solve(problem->data, problem, err);
    }
    last = size;
    size += choose_more(D, problem, rows);
  }
  memset(problem->r, 0, all * sizeof *problem->r);
  for (size_t i = 0; i < rows; i++) {
    problem->r[few->index[i]] = few->r[i];
    if (problem->u != NULL) {
      problem->u[few->index[i]] = few->u[i];
    }
  }
  return DLS_OK;
}
