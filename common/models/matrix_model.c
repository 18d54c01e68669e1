/* matrix_model.c -- a linear system from files: M v' + C v + K q = F0 + H lambda + T lambda_T, g = H^T q + w, u_T = T^T v - vT.
 * What the files say is made into a system once, when they are read; creating copies it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/market_source.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RESTITUTION, LENGTH, TIME };
static const dls_option parameters[] = {
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [LENGTH] = DLS_NUMBER("length", "m", "size of typical motions; tolerances refer to it", 1, 0, DBL_MAX,
                          DLS_OPEN_MIN),
    [TIME] =
        DLS_NUMBER("time", "s", "typical time, of the slowest vibration of interest; tolerances refer to it", 1,
                   0, DBL_MAX, DLS_OPEN_MIN),
    {0},
};

enum {
  MASS,
  STIFFNESS,
  DAMPING,
  GRADIENT_T,
  GRADIENT,
  OFFSET,
  POSITION,
  VELOCITY,
  FORCE,
  TANGENT,
  FRICTION,
  TANGENTIAL,
  SURFACE,
  STATIC,
  SLOTS
};
static const dls_file_slot files[] = {
    [MASS] = {"M", "mass matrix, n x n, symmetric positive definite", true},
    [STIFFNESS] = {"K", "stiffness matrix, n x n, symmetric", true},
    [DAMPING] = {"C", "damping matrix, n x n, symmetric; default 0", false},
    [GRADIENT_T] = {"HT", "H^T, m x n: row j is the gradient of gap j; without it there is no contact", false},
    [GRADIENT] = {"H", "H, n x m, in place of HT", false},
    [OFFSET] = {"w", "vector of m: the gaps at q = 0; default 0", false},
    [POSITION] = {"q0", "vector of n: positions at t = 0; default 0", false},
    [VELOCITY] = {"v0", "vector of n: velocities at t = 0; default 0", false},
    [FORCE] = {"F0", "vector of n: constant force; default 0", false},
    [TANGENT] = {"T", "n x m, in space n x 2 m: tangents of contact 0, then of contact 1, ...; in m/s of slip",
                 false},
    [FRICTION] = {"mu", "vector of m: coefficients of friction; default 0", false},
    [TANGENTIAL] = {"eT", "vector of m: tangential restitution coefficients; default 0", false},
    [SURFACE] = {"vT", "vector, a number for each tangent: velocity of the surface along it; default 0", false},
    [STATIC] = {"mu_s",
                "vector of m: coefficients of friction of contacts that stick, at least mu; 0: the same",
                false},
    {0},
};

/* Initial gaps may be negative by so much of the terms that they are the sum of: bodies that touch. */
static const double touching = 1e-10;

/* The file with H, its table turned so that it is n x m; NULL if there is none. */
static dls_status find_gradients(dls_source *sources, const dls_source **out, dls_error *err)
{
  *out = NULL;
  if (sources[GRADIENT_T].table != NULL && sources[GRADIENT].table != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "HT = %s and H = %s are both given: one of them is enough",
                    dls_source_tail(sources[GRADIENT_T].path), dls_source_tail(sources[GRADIENT].path));
  }
  for (int i = GRADIENT_T; i <= GRADIENT && *out == NULL; i++) {
    *out = sources[i].table != NULL ? &sources[i] : NULL;
  }
  static const int needing[] = {OFFSET, TANGENT, FRICTION, TANGENTIAL, SURFACE, STATIC};
  for (size_t k = 0; k < sizeof needing / sizeof needing[0] && *out == NULL; k++) {
    const dls_source *s = &sources[needing[k]];
    if (s->table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given, but no contact: HT or H is missing", s->name,
                      dls_source_tail(s->path));
    }
  }
  if (*out == &sources[GRADIENT_T]) {
    dls_market_transpose(sources[GRADIENT_T].table);
  }
  return DLS_OK;
}

/* n rows, and no contact without a degree of freedom; so m is at most the number of entries. */
static dls_status check_gradients(const dls_source *s, size_t n, dls_error *err)
{
  const dls_market *H = s->table;
  const bool turned = strcmp(s->name, files[GRADIENT_T].name) == 0;
  if (H->rows != n) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s has %zu %s, but M is %zu x %zu", dls_source_tail(s->path),
                    s->name, H->rows, turned ? "columns" : "rows", n, n);
  }
  size_t next = 0; /* column that must come */
  for (size_t k = 0; k < H->count && H->entries[k].column <= next; k++) {
    next = H->entries[k].column + 1;
  }
  if (next < H->columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s %zu of %s, contact %zu, has no entry but 0",
                    dls_source_tail(s->path), turned ? "row" : "column", next + 1, s->name, next);
  }
  return DLS_OK;
}

/* Rows of a contact: 1, with tangents 2 or 3. */
static dls_status find_tangents(const dls_source *sources, size_t n, size_t m, size_t *d, dls_error *err)
{
  static const int needing[] = {FRICTION, TANGENTIAL, SURFACE, STATIC};
  const dls_source *s = &sources[TANGENT];
  const dls_market *T = s->table;
  *d = 1;
  for (size_t k = 0; k < sizeof needing / sizeof needing[0] && T == NULL; k++) {
    const dls_source *other = &sources[needing[k]];
    if (other->table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given, but no tangents: T is missing", other->name,
                      dls_source_tail(other->path));
    }
  }
  if (T == NULL) {
    return DLS_OK;
  }
  if (T->rows != n || (T->columns != m && T->columns != 2 * m)) {
    return dls_fail(err, DLS_ERR_ARG, "%s: T is %zu x %zu, it must be %zu x %zu (in the plane) or %zu x %zu",
                    dls_source_tail(s->path), T->rows, T->columns, n, m, n, 2 * m);
  }
  *d = 1 + T->columns / m;
  return DLS_OK;
}

/* Gaps at the start are >= 0 but for rounding. */
static dls_status check_gaps(const dls_system *sys, const dls_market *H, dls_error *err)
{
  size_t k = 0;
  for (size_t j = 0; j < sys->m; j++) {
    double gap = sys->w[j];
    double scale = fabs(gap);
    for (; k < H->count && H->entries[k].column == j; k++) {
      const double term = H->entries[k].value * sys->q0[H->entries[k].row];
      gap += term;
      scale += fabs(term);
    }
    if (!(gap >= -touching * scale)) {
      return dls_fail(err, DLS_ERR_ARG,
                      "model matrix-model: contact %zu starts with the gap (H^T q0 + w) = %g, it must be >= 0",
                      j, gap);
    }
  }
  return DLS_OK;
}

/* data: the constant force, n, and the velocities of the surfaces, (d - 1) m. */
static void load_force(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, sys->data, sys->n * sizeof *F);
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  const double *velocity = (const double *)sys->data + sys->n;
  (void)t, (void)q;
  for (size_t row = 0; row < (sys->d - 1) * sys->m; row++) {
    b_t[row] = -velocity[row];
  }
}

static void release_data(dls_system *sys)
{
  free(sys->data);
}

/* F0 = 0 is no load, surfaces at rest do not move. */
static dls_system *new_system(size_t n, size_t m, size_t d, bool loaded, bool moving)
{
  dls_system *sys = dls_system_create(n, m);
  if (sys == NULL) {
    return NULL;
  }
  sys->linear = true;
  sys->d = d;
  sys->load = loaded ? load_force : NULL;
  sys->surface = moving ? surface : NULL;
  sys->release = release_data;
  sys->data = calloc(n + (d - 1) * m, sizeof(double));
  if (sys->data == NULL) {
    dls_system_destroy(sys);
    return NULL;
  }
  return sys;
}

static dls_status fill_matrices(dls_source *sources, const dls_source *gradients, dls_system *sys,
                                dls_error *err)
{
  const size_t n = sys->n;
  dls_status status = dls_source_symmetric(&sources[MASS], n, &sys->M, err);
  status = status != DLS_OK ? status : dls_source_definite(&sources[MASS], sys->M, err);
  status = status != DLS_OK ? status : dls_source_symmetric(&sources[STIFFNESS], n, &sys->K, err);
  status = status != DLS_OK ? status : dls_source_symmetric(&sources[DAMPING], n, &sys->C, err);
  status = status != DLS_OK || gradients == NULL ? status : dls_source_matrix(gradients, &sys->H, err);
  return status != DLS_OK || sys->d == 1 ? status : dls_source_matrix(&sources[TANGENT], &sys->T, err);
}

/* mu_s >= mu, or 0. */
static dls_status check_static(const dls_source *s, const dls_system *sys, dls_error *err)
{
  const dls_market *A = s->table;
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    const dls_market_entry *e = &A->entries[k];
    const size_t j = e->row + e->column;
    if (e->value != 0 && e->value < sys->mu[j]) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: mu_s[%zu] = %g is below mu[%zu] = %g; 0 stands for the same",
                      dls_source_tail(s->path), e->line, j, e->value, j, sys->mu[j]);
    }
  }
  return DLS_OK;
}

static dls_status fill_vectors(const dls_source *sources, dls_system *sys, dls_error *err)
{
  dls_status status = dls_source_vector(&sources[OFFSET], sys->m, sys->w, err);
  status = status != DLS_OK ? status : dls_source_vector(&sources[POSITION], sys->n, sys->q0, err);
  status = status != DLS_OK ? status : dls_source_vector(&sources[VELOCITY], sys->n, sys->v0, err);
  status = status != DLS_OK ? status : dls_source_vector(&sources[FORCE], sys->n, sys->data, err);
  status = status != DLS_OK ? status : dls_source_range(&sources[FRICTION], sys->m, 0, DBL_MAX, sys->mu, err);
  status = status != DLS_OK ? status : dls_source_range(&sources[STATIC], sys->m, 0, DBL_MAX, sys->mu_s, err);
  status = status != DLS_OK ? status : check_static(&sources[STATIC], sys, err);
  status = status != DLS_OK ? status : dls_source_range(&sources[TANGENTIAL], sys->m, 0, 1, sys->e_t, err);
  double *velocity = (double *)sys->data + sys->n;
  return status != DLS_OK ? status : dls_source_vector(&sources[SURFACE], (sys->d - 1) * sys->m, velocity, err);
}

/* The sizes are those of M and H: both are checked to have entries for them before anything of their size is
 * allocated. */
static dls_status assemble(dls_source *sources, dls_system **out, dls_error *err)
{
  const dls_source *gradients = NULL;
  const size_t n = sources[MASS].table->rows;
  dls_status status = dls_source_square(&sources[MASS], n, err);
  status = status != DLS_OK ? status : dls_source_diagonal(&sources[MASS], err);
  status = status != DLS_OK ? status : find_gradients(sources, &gradients, err);
  if (status == DLS_OK && gradients != NULL) {
    status = check_gradients(gradients, n, err);
  }
  const size_t m = status != DLS_OK || gradients == NULL ? 0 : gradients->table->columns;
  size_t d = 1;
  status = status != DLS_OK || m == 0 ? status : find_tangents(sources, n, m, &d, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system *sys = *out = new_system(n, m, d, sources[FORCE].table != NULL, sources[SURFACE].table != NULL);
  if (sys == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model matrix-model: no memory for n = %zu", n);
  }
  status = fill_matrices(sources, gradients, sys, err);
  status = status != DLS_OK ? status : fill_vectors(sources, sys, err);
  return status != DLS_OK || gradients == NULL ? status : check_gaps(sys, gradients->table, err);
}

static void release(dls_model *model)
{
  dls_system_destroy(model->data);
}

static dls_status load(const dls_model *self, const char *const *paths, dls_model **out, dls_error *err)
{
  dls_source sources[SLOTS];
  dls_status status = DLS_OK;
  dls_model *model = *out = malloc(sizeof *model);
  if (model == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: out of memory", self->name);
  }
  *model = *self;
  model->files = NULL;
  model->load = NULL;
  model->release = release;
  for (int i = 0; i < SLOTS; i++) {
    sources[i] = (dls_source){files[i].name, paths[i], NULL};
    if (paths[i] != NULL && status == DLS_OK) {
      status = dls_market_read(paths[i], &sources[i].table, err);
    }
  }
  dls_system *sys = NULL;
  status = status != DLS_OK ? status : assemble(sources, &sys, err);
  model->data = sys;
  for (int i = 0; i < SLOTS; i++) {
    dls_market_destroy(sources[i].table);
  }
  return status;
}

static dls_status no_memory(const dls_system *from, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "model matrix-model: no memory for n = %zu, m = %zu", from->n, from->m);
}

/* What fill_matrices and fill_vectors have filled. */
static dls_status copy(const dls_system *from, dls_system *sys, dls_error *err)
{
  const dls_matrix *const matrices[] = {from->M, from->K, from->C, from->H, from->T};
  dls_matrix **const places[] = {&sys->M, &sys->K, &sys->C, &sys->H, &sys->T};
  for (int i = 0; i < 5; i++) {
    *places[i] = dls_matrix_clone(matrices[i]);
    if (matrices[i] != NULL && *places[i] == NULL) {
      return no_memory(from, err);
    }
  }
  const size_t n = from->n, m = from->m;
  const struct {
    const double *from;
    double *to;
    size_t count;
  } vectors[] = {
      {from->q0, sys->q0, n},  {from->v0, sys->v0, n}, {from->data, sys->data, n + (from->d - 1) * m},
      {from->w, sys->w, m},    {from->mu, sys->mu, m}, {from->mu_s, sys->mu_s, m},
      {from->e_t, sys->e_t, m}};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    memcpy(vectors[i].to, vectors[i].from, vectors[i].count * sizeof(double));
  }
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_system *from = self->data;
  dls_system *sys = *out = new_system(from->n, from->m, from->d, from->load != NULL, from->surface != NULL);
  if (sys == NULL) {
    return no_memory(from, err);
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->e[j] = p[RESTITUTION];
  }
  sys->length = p[LENGTH];
  sys->time = p[TIME];
  return copy(from, sys, err);
}

const dls_model dls_model_matrix_model = {
    .name = "matrix-model",
    .summary = "a linear system with contacts from Matrix Market files, e.g. finite elements",
    .source = "the files; format: Boisvert, Pozo, Remington 1996, NISTIR 5935",
    .equations =
        "M v' + C v + K q = F0 + H lambda + T lambda_T,   q' = v,   g = H^T q + w\n"
        "0 <= g _|_ lambda >= 0,  u+ = -e u- at an impact,  u = H^T v\n"
        "with tangents |lambda_T| <= mu lambda against u_T = T^T v - vT; mu_s lambda where it sticks\n"
        "Matrices and vectors are files in Matrix Market format (scipy.io.mmwrite, mmwrite.m, ...), given\n"
        "like parameters; vectors are n x 1 or 1 x n. At the start no gap may be negative:\n"
        "  --set M=mass.mtx --set K=stiff.mtx --set HT=contact.mtx --set w=w.mtx --set e=0.5\n",
    .parameters = parameters,
    .create = create,
    .files = files,
    .load = load,
};
