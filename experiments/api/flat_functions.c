/* experiments/api/flat_functions.c -- a model whose callbacks are functions of another language, on dense arrays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "experiments/api/flat_internal.h"
#include <delassus/plugin.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The functions with what they come with, owned. */
typedef struct model_data {
  dls_model model;
  dls_flat_functions functions;
  char name[DLS_FLAT_NAME_ROOM];
  double *q0, *v0, *M, *H;
  double *block;
} model_data;

enum { RESTITUTION, LENGTH, TIME };
static const dls_option parameters[] = {
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [LENGTH] = DLS_NUMBER("length", "m", "size of typical motions; tolerances refer to it", 1, 0, DBL_MAX,
                          DLS_OPEN_MIN),
    [TIME] = DLS_NUMBER("time", "s", "typical time; tolerances refer to it", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    {0},
};

static const dls_flat_functions *functions_of(const dls_system *sys)
{
  return &((const model_data *)sys->data)->functions;
}

static void set_all(dls_matrix *A, const double *x)
{
  const size_t rows = dls_matrix_rows(A), columns = dls_matrix_columns(A);
  for (size_t i = 0; i < rows * columns; i++) {
    dls_matrix_set(A, i / columns, i % columns, x != NULL ? x[i] : NAN);
  }
}

/* A matrix from a function of (t, q, v); not a number where there is no memory for it, which ends the run. */
static void set_from(const dls_system *sys, dls_flat_function *function, double t, const double *q,
                     const double *v, dls_matrix *A)
{
  double *x = calloc(dls_size_product(dls_matrix_rows(A), dls_matrix_columns(A)), sizeof *x);
  if (x != NULL) {
    function(functions_of(sys)->data, t, q, v, x);
  }
  set_all(A, x);
  free(x);
}

static void mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  set_from(sys, functions_of(sys)->mass, 0, q, sys->v0, M);
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  functions_of(sys)->force(functions_of(sys)->data, t, q, v, F);
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  set_from(sys, functions_of(sys)->stiffness, t, q, v, K);
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  set_from(sys, functions_of(sys)->damping, t, q, v, C);
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  functions_of(sys)->gap(functions_of(sys)->data, t, q, sys->v0, g);
}

static void gap_rate(const dls_system *sys, double t, const double *q, double *b)
{
  functions_of(sys)->gap_rate(functions_of(sys)->data, t, q, sys->v0, b);
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  set_from(sys, functions_of(sys)->gradient, 0, q, sys->v0, H);
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  functions_of(sys)->curvature(functions_of(sys)->data, t, q, v, c);
}

static bool make_matrices(dls_system *sys)
{
  const size_t n = sys->n, m = sys->m;
  sys->M = dls_matrix_dense(n, n);
  sys->K = dls_matrix_dense(n, n);
  sys->C = dls_matrix_dense(n, n);
  sys->H = m > 0 ? dls_matrix_dense(n, m) : NULL;
  return sys->M != NULL && sys->K != NULL && sys->C != NULL && (m == 0 || sys->H != NULL);
}

static void set_contacts(dls_system *sys, const model_data *data)
{
  const dls_flat_functions *f = &data->functions;
  sys->gap = gap;
  sys->gap_rate = f->gap_rate != NULL ? gap_rate : NULL;
  sys->gradient = f->gradient != NULL ? gradient : NULL;
  sys->curvature = f->curvature != NULL ? curvature : NULL;
  if (f->gradient != NULL) {
    gradient(sys, sys->q0, sys->H);
  } else {
    set_all(sys->H, data->H);
  }
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  model_data *data = self->data;
  const dls_flat_functions *f = &data->functions;
  dls_system *sys = *out = dls_system_create(f->n, f->m);
  if (sys == NULL || !make_matrices(sys)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  memcpy(sys->q0, data->q0, f->n * sizeof(double));
  memcpy(sys->v0, data->v0, f->n * sizeof(double));
  for (size_t j = 0; j < f->m; j++) {
    sys->e[j] = p[RESTITUTION];
  }
  sys->length = p[LENGTH];
  sys->time = p[TIME];
  sys->data = data; /* the catalogue's */
  sys->force = force;
  sys->stiffness = stiffness;
  sys->damping = damping;
  set_all(sys->M, data->M);
  if (f->mass != NULL) {
    sys->mass = mass;
    mass(sys, sys->q0, sys->M);
  }
  if (f->m > 0) {
    set_contacts(sys, data);
  }
  return DLS_OK;
}

static void release(void *data)
{
  model_data *own = data;
  free(own->block);
  free(own);
}

static dls_status check(const char *name, const dls_flat_functions *f, dls_error *err)
{
  if (strlen(name) >= DLS_FLAT_NAME_ROOM) {
    return dls_fail(err, DLS_ERR_ARG, "the name '%.60s...' has more than %d characters", name,
                    DLS_FLAT_NAME_ROOM - 1);
  }
  if (f->n == 0 || f->force == NULL || f->stiffness == NULL || f->damping == NULL ||
      (f->M == NULL) == (f->mass == NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "%s needs n > 0, force, stiffness, damping, and one of M and mass", name);
  }
  return f->m == 0 || (f->gap != NULL && (f->H == NULL) != (f->gradient == NULL))
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "%s has contacts: it needs gap, and one of H and gradient", name);
}

static dls_status copy(const char *name, const dls_flat_functions *f, model_data **out, dls_error *err)
{
  const size_t n = f->n, m = f->m;
  model_data *own = *out = calloc(1, sizeof *own);
  if (own != NULL) {
    own->block = dls_arrays((const dls_slot[]){{n, {&own->q0, &own->v0}},
                                               {dls_size_product(n, n), {&own->M}},
                                               {dls_size_sum(dls_size_product(n, m), 1), {&own->H}},
                                               {0}});
  }
  if (own == NULL || own->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", name);
  }
  own->functions = *f;
  strcpy(own->name, name);
  memcpy(own->q0, f->q0, n * sizeof *f->q0);
  memcpy(own->v0, f->v0, n * sizeof *f->v0);
  if (f->M != NULL) {
    memcpy(own->M, f->M, n * n * sizeof *f->M);
  }
  if (f->H != NULL) {
    memcpy(own->H, f->H, n * m * sizeof *f->H);
  }
  own->model = (dls_model){.name = own->name,
                           .summary = "a model of functions of another language: slow, for teaching",
                           .source = "functions of another language",
                           .equations = "M(q) v' = F(t, q, v) + H(q) p,   g(t, q) >= 0\n",
                           .parameters = parameters,
                           .create = create,
                           .data = own};
  return DLS_OK;
}

int dls_flat_add_functions(dls_catalogue *catalogue, const char *name, const dls_flat_functions *functions,
                           char *error, size_t size)
{
  dls_error err = {0};
  model_data *own = NULL;
  dls_status status = check(name, functions, &err);
  status = status != DLS_OK ? status : copy(name, functions, &own, &err);
  if (status == DLS_OK) {
    const dls_model *const models[] = {&own->model, NULL};
    const dls_plugin plugin = {DLS_PLUGIN_HEAD, .name = own->name, .version = "in memory", .models = models};
    status = dls_catalogue_add(catalogue, &plugin, release, own, &err);
  }
  if (status != DLS_OK && own != NULL) {
    release(own);
  }
  return dls_flat_report(status, &err, error, size);
}
