/* system.c -- one way to ask linear and nonlinear systems for forces, gaps and gradients.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/linear/storage.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *zeros(size_t count)
{
  return calloc(count > 0 ? count : 1, sizeof(double));
}

dls_system *dls_system_create(size_t n, size_t m)
{
  dls_system *sys = n == 0 ? NULL : calloc(1, sizeof *sys);
  if (sys == NULL) {
    return NULL;
  }
  sys->n = n;
  sys->m = m;
  sys->length = sys->time = 1;
  sys->q0 = zeros(n);
  sys->v0 = zeros(n);
  sys->e = zeros(m);
  sys->w = zeros(m);
  if (sys->q0 == NULL || sys->v0 == NULL || sys->e == NULL || sys->w == NULL) {
    dls_system_destroy(sys);
    return NULL;
  }
  return sys;
}

void dls_system_destroy(dls_system *sys)
{
  if (sys == NULL) {
    return;
  }
  if (sys->release != NULL) {
    sys->release(sys);
  }
  dls_matrix_destroy(sys->M);
  dls_matrix_destroy(sys->K);
  dls_matrix_destroy(sys->C);
  dls_matrix_destroy(sys->H);
  free(sys->q0);
  free(sys->v0);
  free(sys->e);
  free(sys->w);
  free(sys);
}

static dls_status check_shape(const dls_matrix *A, const char *name, size_t rows, size_t columns,
                              dls_error *err)
{
  if (A != NULL && (dls_matrix_rows(A) != rows || dls_matrix_columns(A) != columns)) {
    return dls_fail(err, DLS_ERR_ARG, "the system's %s is %zu x %zu, it must be %zu x %zu", name,
                    dls_matrix_rows(A), dls_matrix_columns(A), rows, columns);
  }
  return DLS_OK;
}

static dls_status check_vector(const double *x, const char *name, size_t count, double low, double high,
                               dls_error *err)
{
  for (size_t i = 0; i < count; i++) {
    if (!isfinite(x[i])) {
      return dls_fail(err, DLS_ERR_ARG, "the system's %s[%zu] = %g is not finite", name, i, x[i]);
    }
    if (!(x[i] >= low && x[i] <= high)) {
      return dls_fail(err, DLS_ERR_ARG, "the system's %s[%zu] = %g is outside [%g, %g]", name, i, x[i], low,
                      high);
    }
  }
  return DLS_OK;
}

static dls_status check_scale(double scale, const char *name, dls_error *err)
{
  if (!(scale > 0 && isfinite(scale))) {
    return dls_fail(err, DLS_ERR_ARG, "the system's %s scale = %g is not finite and > 0", name, scale);
  }
  return DLS_OK;
}

typedef struct first_bad {
  bool found;
  size_t row, column;
  double value;
} first_bad;

static void look_at(void *data, size_t i, size_t j, double x)
{
  first_bad *bad = data;
  if (!bad->found && !isfinite(x)) {
    *bad = (first_bad){true, i, j, x};
  }
}

static dls_status check_entries(const dls_matrix *A, const char *name, dls_error *err)
{
  first_bad bad = {0};
  if (A != NULL) {
    dls_matrix_visit(A, look_at, &bad);
  }
  if (bad.found) {
    return dls_fail(err, DLS_ERR_ARG, "the system's %s(%zu,%zu) = %g is not finite", name, bad.row, bad.column,
                    bad.value);
  }
  return DLS_OK;
}

static dls_status check_callbacks(const dls_system *sys, dls_error *err)
{
  if (!sys->linear && (sys->force == NULL || (sys->m > 0 && sys->gap == NULL))) {
    return dls_fail(err, DLS_ERR_ARG, "a nonlinear system needs the callbacks force and gap");
  }
  if (!sys->linear &&
      ((sys->stiffness == NULL) != (sys->K == NULL) || (sys->damping == NULL) != (sys->C == NULL))) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a nonlinear system needs stiffness with K and damping with C, or neither");
  }
  return DLS_OK;
}

dls_status dls_system_check(const dls_system *sys, dls_error *err)
{
  if (sys->M == NULL || (sys->m > 0) != (sys->H != NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "the system has no %s", sys->M == NULL ? "mass matrix M" : "matching H");
  }
  const size_t n = sys->n;
  const size_t m = sys->m;
  dls_status status = check_callbacks(sys, err);
  status = status != DLS_OK ? status : check_shape(sys->M, "M", n, n, err);
  status = status != DLS_OK ? status : check_shape(sys->K, "K", n, n, err);
  status = status != DLS_OK ? status : check_shape(sys->C, "C", n, n, err);
  status = status != DLS_OK ? status : check_shape(sys->H, "H", n, m, err);
  status = status != DLS_OK ? status : check_entries(sys->M, "M", err);
  status = status != DLS_OK ? status : check_entries(sys->K, "K", err);
  status = status != DLS_OK ? status : check_entries(sys->C, "C", err);
  status = status != DLS_OK ? status : check_entries(sys->H, "H", err);
  status = status != DLS_OK ? status : check_vector(sys->q0, "q0", n, -DBL_MAX, DBL_MAX, err);
  status = status != DLS_OK ? status : check_vector(sys->v0, "v0", n, -DBL_MAX, DBL_MAX, err);
  status = status != DLS_OK ? status : check_vector(sys->e, "e", m, 0, 1, err);
  status = status != DLS_OK ? status : check_vector(sys->w, "w", m, -DBL_MAX, DBL_MAX, err);
  status = status != DLS_OK ? status : check_scale(sys->length, "length", err);
  return status != DLS_OK ? status : check_scale(sys->time, "time", err);
}

void dls_system_load(const dls_system *sys, double t, double *F)
{
  if (sys->load != NULL) {
    sys->load(sys, t, F);
  } else {
    memset(F, 0, sys->n * sizeof *F);
  }
}

void dls_system_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  if (!sys->linear) {
    sys->force(sys, t, q, v, F);
    return;
  }
  dls_system_load(sys, t, F);
  if (sys->K != NULL) {
    dls_matrix_multiply(sys->K, -1, q, F);
  }
  if (sys->C != NULL) {
    dls_matrix_multiply(sys->C, -1, v, F);
  }
}

void dls_system_gap(const dls_system *sys, const double *q, double *g)
{
  if (!sys->linear) {
    if (sys->m > 0) {
      sys->gap(sys, q, g);
    }
    return;
  }
  if (sys->m > 0) {
    memcpy(g, sys->w, sys->m * sizeof *g);
    dls_matrix_multiply_transposed(sys->H, 1, q, g);
  }
}

bool dls_system_mass_varies(const dls_system *sys)
{
  return !sys->linear && sys->mass != NULL;
}

bool dls_system_gradient_varies(const dls_system *sys)
{
  return !sys->linear && sys->gradient != NULL;
}

void dls_system_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  if (dls_system_mass_varies(sys)) {
    sys->mass(sys, q, M);
  }
}

void dls_system_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  if (dls_system_gradient_varies(sys)) {
    sys->gradient(sys, q, H);
  }
}

void dls_system_curvature(const dls_system *sys, const double *q, const double *v, double *c)
{
  if (!sys->linear && sys->curvature != NULL) {
    sys->curvature(sys, q, v, c);
  } else {
    memset(c, 0, sys->m * sizeof *c);
  }
}

void dls_contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  if (sys->contact_name != NULL) {
    sys->contact_name(sys, alpha, text, size);
  } else {
    snprintf(text, size, "contact %zu", alpha);
  }
}

/* The required files that are not among paths; NULL: none is given. */
static dls_status refuse_without_files(const dls_model *model, const char *const *paths, dls_error *err)
{
  char list[300] = "";
  for (size_t i = 0; model->files[i].name != NULL; i++) {
    if (model->files[i].required && (paths == NULL || paths[i] == NULL)) {
      dls_text_append(list, sizeof list, "%s%s=FILE (%s)", list[0] == '\0' ? "" : ", ", model->files[i].name,
                      model->files[i].help);
    }
  }
  return dls_fail(err, DLS_ERR_ARG, "model %s is made from files; missing: %s", model->name, list);
}

dls_status dls_model_create(const dls_model *model, const double *p, dls_system **out, dls_error *err)
{
  const dls_option *table = model->parameters;
  *out = NULL;
  if (model->files != NULL) {
    return refuse_without_files(model, NULL, err);
  }
  double *values = zeros(dls_option_count(table));
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", model->name);
  }
  char owner[80];
  snprintf(owner, sizeof owner, "model %s", model->name);
  dls_option_defaults(table, values);
  dls_status status = DLS_OK;
  for (size_t i = 0; p != NULL && status == DLS_OK && table[i].name != NULL; i++) {
    status = dls_option_set(table, owner, table[i].name, p[i], values, err);
  }
  status = status != DLS_OK ? status : model->create(model, values, out, err);
  free(values);
  if (status == DLS_OK) {
    status = dls_system_check(*out, err);
  }
  if (status != DLS_OK) {
    dls_system_destroy(*out);
    *out = NULL;
  }
  return status;
}

/* "M=mass.mtx K=stiff.mtx"; NULL if out of memory */
static char *describe_files(const dls_file_slot *files, const char *const *paths)
{
  size_t size = 1;
  for (size_t i = 0; files[i].name != NULL; i++) {
    size += paths[i] == NULL ? 0 : strlen(files[i].name) + strlen(paths[i]) + 2;
  }
  char *text = calloc(size, 1);
  for (size_t i = 0; text != NULL && files[i].name != NULL; i++) {
    if (paths[i] != NULL) {
      dls_text_append(text, size, "%s%s=%s", text[0] == '\0' ? "" : " ", files[i].name, paths[i]);
    }
  }
  return text;
}

dls_status dls_model_load(const dls_model *model, const char *const *paths, dls_model **out, dls_error *err)
{
  *out = NULL;
  if (model->files == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "model %s reads no files", model->name);
  }
  for (size_t i = 0; model->files[i].name != NULL; i++) {
    if (model->files[i].required && paths[i] == NULL) {
      return refuse_without_files(model, paths, err);
    }
  }
  dls_status status = model->load(model, paths, out, err);
  if (status == DLS_OK && ((*out)->origin = describe_files(model->files, paths)) == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the names of its files", model->name);
  }
  if (status != DLS_OK) {
    dls_model_release(*out);
    *out = NULL;
  }
  return status;
}

void dls_model_release(dls_model *model)
{
  if (model == NULL) {
    return;
  }
  if (model->release != NULL) {
    model->release(model);
  }
  free(model->origin);
  free(model);
}
