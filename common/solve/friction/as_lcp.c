/* as_lcp.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/as_lcp.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *row_of(const dls_lcp_form *form, size_t i, size_t n)
{
  return form->F + i * (n + 1);
}

/* Sort free rows first. */
static void order_rows(const dls_problem_task *task, dls_lcp_form *form)
{
  size_t place = 0;
  for (int held = 1; held >= 0; held--) {
    for (size_t k = 0; k < task->count; k++) {
      for (size_t i = task->first[k]; (task->blocks[k].law == DLS_FREE) == held && i < task->first[k + 1];
           i++) {
        form->order[place++] = i;
      }
    }
    form->free = held ? place : form->free;
  }
}

static void fill(dls_problem_task *task, dls_lcp_form *form)
{
  const size_t n = task->n;
  memset(task->x, 0, n * sizeof *task->x);
  for (size_t j = 0; j < n; j++) {
    memset(task->u, 0, n * sizeof *task->u);
    task->x[form->order[j]] = 1;
    task->W->multiply(task->W->data, task->x, task->u);
    task->x[form->order[j]] = 0;
    for (size_t i = 0; i < n; i++) {
      row_of(form, i, n)[j] = task->u[form->order[i]];
    }
    row_of(form, j, n)[n] = task->q[form->order[j]];
  }
}

/* Gauss-Jordan elimination of the free rows, pivots among them. @return false if W of the free rows is singular */
static bool eliminate(const dls_problem_task *task, dls_lcp_form *form)
{
  static const double zero = 1e-14; /* relative to the diagonal entry before elimination */
  const size_t n = task->n;
  for (size_t c = 0; c < form->free; c++) {
    size_t p = c;
    for (size_t i = c + 1; i < form->free; i++) {
      p = fabs(row_of(form, i, n)[c]) > fabs(row_of(form, p, n)[c]) ? i : p;
    }
    double *pivot = row_of(form, p, n), *own = row_of(form, c, n);
    if (!(fabs(pivot[c]) > zero * fabs(own[c]) && fabs(pivot[c]) > 0)) {
      return false;
    }
    for (size_t j = c; j <= n; j++) {
      const double x = pivot[j];
      pivot[j] = own[j];
      own[j] = x;
    }
    for (size_t j = n + 1; j-- > c;) {
      own[j] /= own[c];
    }
    for (size_t i = 0; i < n; i++) {
      double *row = row_of(form, i, n);
      const double factor = i == c ? 0 : row[c];
      for (size_t j = c; factor != 0 && j <= n; j++) {
        row[j] -= factor * own[j];
      }
    }
  }
  return true;
}

/* L += R W' G, b = R q' */
static void assemble(const dls_problem_task *task, dls_lcp_form *form)
{
  const size_t n = task->n, free_rows = form->free;
  for (size_t i = 0; i < form->size; i++) {
    const dls_lcp_variable *u = &form->variable[i];
    form->b[i] = form->z[i] = 0;
    for (size_t k = 0; k < u->rows; k++) {
      const double *W = row_of(form, free_rows + u->first + k, n);
      form->b[i] += u->left[k] * W[n];
      for (size_t j = 0; u->left[k] != 0 && j < form->size; j++) {
        const dls_lcp_variable *r = &form->variable[j];
        for (size_t l = 0; l < r->rows; l++) {
          form->L[i + j * form->size] += u->left[k] * W[free_rows + r->first + l] * r->right[l];
        }
      }
    }
  }
}

/* task->r = G z; of the free rows -(X r + y). */
static void recover(dls_problem_task *task, const dls_lcp_form *form)
{
  const size_t n = task->n;
  memset(task->r, 0, n * sizeof *task->r);
  for (size_t j = 0; j < form->size; j++) {
    const dls_lcp_variable *r = &form->variable[j];
    for (size_t l = 0; l < r->rows; l++) {
      task->r[form->order[form->free + r->first + l]] += r->right[l] * form->z[j];
    }
  }
  for (size_t i = 0; i < form->free; i++) {
    const double *row = row_of(form, i, n);
    double sum = row[n];
    for (size_t j = form->free; j < n; j++) {
      sum += row[j] * task->r[form->order[j]];
    }
    task->r[form->order[i]] = -sum;
  }
}

static dls_status solve_form(dls_problem_task *task, dls_lcp_form *form, const char *method)
{
  dls_problem_solver *solver = task->solver;
  dls_lcp_report report = {0};
  if (solver->lemke == NULL && dls_lcp_create(0, "lemke", 1e-12, &solver->lemke, NULL) != DLS_OK) {
    return DLS_ERR_MEMORY;
  }
  assemble(task, form);
  const dls_status status =
      dls_lcp_solve(solver->lemke, form->size, form->L, form->b, form->z, NULL, &report, NULL);
  if (status == DLS_ERR_MEMORY) {
    return status;
  }
  recover(task, form);
  dls_task_offer(task, task->r, method, report.pivots);
  return task->accepted ? DLS_OK : status == DLS_OK ? DLS_ERR_NOCONV : status;
}

dls_status dls_solve_as_lcp(dls_problem_task *task, const char *method,
                            size_t (*size_of)(const dls_problem_task *, const dls_block *),
                            dls_lcp_describe *describe)
{
  const size_t n = task->n;
  dls_lcp_form form = {0};
  for (size_t k = 0; k < task->count; k++) {
    form.size += size_of(task, &task->blocks[k]);
  }
  if (form.size > DLS_LEMKE_LARGEST) {
    return DLS_ERR_NOT_APPLICABLE;
  }
  double *room = dls_task_room(task, n * (n + 1) + form.size * (form.size + 2));
  form.order = malloc(n * sizeof *form.order);
  form.variable = calloc(form.size + 1, sizeof *form.variable);
  dls_status status = room != NULL && form.order != NULL && form.variable != NULL ? DLS_OK : DLS_ERR_MEMORY;
  if (status == DLS_OK) {
    form.F = room;
    form.L = room + n * (n + 1);
    form.b = form.L + form.size * form.size;
    form.z = form.b + form.size;
    memset(form.L, 0, form.size * form.size * sizeof *form.L);
    order_rows(task, &form);
    fill(task, &form);
    size_t row = 0, variable = 0;
    for (size_t k = 0; k < task->count; k++) {
      const dls_block *block = &task->blocks[k];
      const size_t size = size_of(task, block);
      if (size > 0) {
        describe(task, block, row, variable, &form);
        row += block->rows;
        variable += size;
      }
    }
    status = eliminate(task, &form) ? solve_form(task, &form, method) : DLS_ERR_LCP;
  }
  free(form.order);
  free(form.variable);
  return status;
}
