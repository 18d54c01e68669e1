/* matrix_model.c -- a linear system from files: M v' + C v + K q = F(t) + H lambda + T lambda_T, g = H^T q + w, u_T = T^T v - vT.
 * The files are made into a system once, when they are read; each created system is a copy.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/matrix_market/market_source.h"
#include "common/models/matrix_market/market_table.h"
#include "common/models/matrix_market/matrix_data.h"
#include "common/models/matrix_market/matrix_tables.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RESTITUTION, LENGTH, TIME, ALPHA, BETA };
static const dls_option parameters[] = {
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [LENGTH] = DLS_NUMBER("length", "m", "size of typical motions; tolerances refer to it", 1, 0, DBL_MAX,
                          DLS_OPEN_MIN),
    [TIME] =
        DLS_NUMBER("time", "s", "typical time, of the slowest vibration of interest; tolerances refer to it", 1,
                   0, DBL_MAX, DLS_OPEN_MIN),
    [ALPHA] = DLS_NUMBER("alpha", "1/s", "Rayleigh damping, C + alpha M + beta K", 0, 0, DBL_MAX, 0),
    [BETA] = DLS_NUMBER("beta", "s", "Rayleigh damping", 0, 0, DBL_MAX, 0),
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
  RESTITUTIONS,
  AMPLITUDE,
  FREQUENCY,
  PHASE,
  PLACES,
  TABLE, /* the only file that is not in Matrix Market format */
  SLOTS
};
_Static_assert((int)TABLE == (int)DLS_MATRIX_SLOTS, "a table for each Matrix Market file");
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
    [RESTITUTIONS] = {"eN", "vector of m: restitution coefficients of the contacts, in place of e", false},
    [AMPLITUDE] = {"amplitude", "vector of n: of forces amplitude cos(2 pi frequency t + phase), in N", false},
    [FREQUENCY] = {"frequency", "vector of n: their frequencies in Hz; default 0", false},
    [PHASE] = {"phase", "vector of n: their phases in rad; default 0", false},
    [PLACES] = {"X", "p x 2: x and y of nodes, for pictures and momenta; n = p (along a line) or 2 p", false},
    [TABLE] = {"F", "CSV file t,F0,F7,...: forces over time on degrees of freedom, linear between its rows",
               false},
    {0},
};

/* Initial gaps may be negative by this fraction of the terms they are summed from: bodies in contact. */
static const double touching = 1e-10;

/* The file with H, its table transposed to n x m; NULL if none is given. */
static dls_status find_gradients(dls_source *sources, const dls_source **out, dls_error *err)
{
  *out = NULL;
  if (sources[GRADIENT_T].table != NULL && sources[GRADIENT].table != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "HT = %s and H = %s are both given; give one of them",
                    dls_source_tail(sources[GRADIENT_T].path), dls_source_tail(sources[GRADIENT].path));
  }
  for (int i = GRADIENT_T; i <= GRADIENT && *out == NULL; i++) {
    *out = sources[i].table != NULL ? &sources[i] : NULL;
  }
  static const int needing[] = {OFFSET, TANGENT, FRICTION, TANGENTIAL, SURFACE, STATIC, RESTITUTIONS};
  for (size_t k = 0; k < sizeof needing / sizeof needing[0] && *out == NULL; k++) {
    const dls_source *s = &sources[needing[k]];
    if (s->table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given without contacts: HT or H is missing", s->name,
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
  size_t next = 0; /* column expected next */
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
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given without tangents: T is missing", other->name,
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

/* Gaps at the start must be >= 0 up to rounding. */
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

static dls_system *new_system(size_t n, size_t m, size_t d, const dls_matrix_parts *parts)
{
  dls_system *sys = dls_system_create(n, m);
  if (sys == NULL) {
    return NULL;
  }
  sys->linear = true;
  sys->d = d;
  if (dls_matrix_data_create(sys, parts) != DLS_OK) {
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
  if (status == DLS_OK) {
    status = dls_source_definite(&sources[MASS], sys->M, err);
  }
  if (status == DLS_OK) {
    status = dls_source_symmetric(&sources[STIFFNESS], n, &sys->K, err);
  }
  if (status == DLS_OK) {
    status = dls_source_symmetric(&sources[DAMPING], n, &sys->C, err);
  }
  if (status == DLS_OK && gradients != NULL) {
    status = dls_source_matrix(gradients, &sys->H, err);
  }
  return status != DLS_OK || sys->d == 1 ? status : dls_source_matrix(&sources[TANGENT], &sys->T, err);
}

/* mu_s >= mu, or 0 for mu_s = mu. */
static dls_status check_static(const dls_source *s, const dls_system *sys, dls_error *err)
{
  const dls_market *A = s->table;
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    const dls_market_entry *e = &A->entries[k];
    const size_t j = e->row + e->column;
    if (e->value != 0 && e->value < sys->mu[j]) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: mu_s[%zu] = %g is below mu[%zu] = %g; 0 means equal to mu",
                      dls_source_tail(s->path), e->line, j, e->value, j, sys->mu[j]);
    }
  }
  return DLS_OK;
}

/* Vectors, positions of nodes, and tables of forces. */
static dls_status fill_vectors(const dls_source *sources, dls_system *sys, dls_error *err)
{
  const size_t n = sys->n, m = sys->m;
  dls_matrix_data *data = dls_matrix_data_of(sys);
  const struct {
    int slot;
    size_t count;
    double *x, low, high; /* allowed range */
  } all[] = {{OFFSET, m, sys->w, -HUGE_VAL, HUGE_VAL},
             {POSITION, n, sys->q0, -HUGE_VAL, HUGE_VAL},
             {VELOCITY, n, sys->v0, -HUGE_VAL, HUGE_VAL},
             {FORCE, n, data->force, -HUGE_VAL, HUGE_VAL},
             {AMPLITUDE, n, data->amplitude, -HUGE_VAL, HUGE_VAL},
             {FREQUENCY, n, data->frequency, -HUGE_VAL, HUGE_VAL},
             {PHASE, n, data->phase, -HUGE_VAL, HUGE_VAL},
             {FRICTION, m, sys->mu, 0, DBL_MAX},
             {STATIC, m, sys->mu_s, 0, DBL_MAX},
             {TANGENTIAL, m, sys->e_t, 0, 1},
             {RESTITUTIONS, m, sys->e, 0, 1},
             {SURFACE, (sys->d - 1) * m, data->surface, -HUGE_VAL, HUGE_VAL}};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    const dls_status status =
        dls_source_range(&sources[all[k].slot], all[k].count, all[k].low, all[k].high, all[k].x, err);
    if (status != DLS_OK) {
      return status;
    }
  }
  const dls_market *X = sources[PLACES].table;
  for (size_t k = 0; X != NULL && k < X->count; k++) {
    data->place[2 * X->entries[k].row + X->entries[k].column] = X->entries[k].value;
  }
  dls_load_table *table = NULL;
  dls_status status = check_static(&sources[STATIC], sys, err);
  if (status == DLS_OK && sources[TABLE].path != NULL) {
    status = dls_load_table_read(sources[TABLE].path, n, &table, err);
  }
  if (table != NULL && status == DLS_OK) {
    dls_matrix_data_take_table(sys, table);
  }
  return status;
}

/* Which data the files give, and whether they are consistent. */
static dls_status find_parts(const dls_source *sources, size_t n, dls_matrix_parts *parts, dls_error *err)
{
  const dls_market *X = sources[PLACES].table;
  *parts = (dls_matrix_parts){.constant = sources[FORCE].table != NULL,
                              .harmonic = sources[AMPLITUDE].table != NULL,
                              .restitution = sources[RESTITUTIONS].table != NULL,
                              .nodes = X != NULL ? X->rows : 0};
  for (int i = FREQUENCY; i <= PHASE && !parts->harmonic; i++) {
    if (sources[i].table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given without force: amplitude is missing", sources[i].name,
                      dls_source_tail(sources[i].path));
    }
  }
  if (X != NULL && (X->columns != 2 || (X->rows != n && 2 * X->rows != n))) {
    return dls_fail(err, DLS_ERR_ARG, "%s: X is %zu x %zu, it must be p x 2 with p = n = %zu or 2 p = n",
                    dls_source_tail(sources[PLACES].path), X->rows, X->columns, n);
  }
  return DLS_OK;
}

/* The sizes are those of M and H: both are checked to have entries for them before anything of their size is
 * allocated. */
static dls_status assemble(dls_source *sources, dls_system **out, dls_error *err)
{
  const dls_source *gradients = NULL;
  const size_t n = sources[MASS].table->rows;
  dls_status status = dls_source_square(&sources[MASS], n, err);
  if (status == DLS_OK) {
    status = dls_source_diagonal(&sources[MASS], err);
  }
  if (status == DLS_OK) {
    status = find_gradients(sources, &gradients, err);
  }
  if (status == DLS_OK && gradients != NULL) {
    status = check_gradients(gradients, n, err);
  }
  const size_t m = status != DLS_OK || gradients == NULL ? 0 : gradients->table->columns;
  size_t d = 1;
  dls_matrix_parts parts = {0};
  if (m > 0) {
    status = find_tangents(sources, n, m, &d, err);
  }
  if (status == DLS_OK) {
    status = find_parts(sources, n, &parts, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  parts.surfaces = sources[SURFACE].table != NULL ? (d - 1) * m : 0;
  dls_system *sys = *out = new_system(n, m, d, &parts);
  if (sys == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model matrix-model: no memory for n = %zu", n);
  }
  status = fill_matrices(sources, gradients, sys, err);
  if (status != DLS_OK || (status = fill_vectors(sources, sys, err)) != DLS_OK) {
    return status;
  }
  return gradients != NULL ? check_gaps(sys, gradients->table, err) : DLS_OK;
}

static void release(dls_model *model)
{
  dls_system_destroy(model->data);
}

/* Destroys the tables. */
static dls_status make(const dls_model *self, dls_source *sources, dls_status status, dls_model **out,
                       dls_error *err)
{
  dls_system *sys = NULL;
  dls_model *model = *out = malloc(sizeof *model);
  if (model == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "model %s: out of memory", self->name);
  } else {
    status = status != DLS_OK ? status : assemble(sources, &sys, err);
    *model = *self;
    model->files = NULL;
    model->load = NULL;
    model->release = release;
    model->data = sys;
    model->sketch = sources[PLACES].table != NULL ? dls_matrix_sketch : NULL;
  }
  for (int i = 0; i < SLOTS; i++) {
    dls_market_destroy(sources[i].table);
  }
  return status;
}

static dls_status load(const dls_model *self, const char *const *paths, dls_model **out, dls_error *err)
{
  dls_source sources[SLOTS];
  dls_status status = DLS_OK;
  for (int i = 0; i < SLOTS; i++) {
    sources[i] = (dls_source){files[i].name, paths[i], NULL};
    if (paths[i] != NULL && status == DLS_OK && i != TABLE) {
      status = dls_market_read(paths[i], &sources[i].table, err);
    }
  }
  return make(self, sources, status, out, err);
}

static dls_status no_memory(const dls_system *from, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "model matrix-model: no memory for n = %zu, m = %zu", from->n, from->m);
}

/* Fill in the results of fill_matrices and fill_vectors. */
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
  } vectors[] = {{from->q0, sys->q0, n}, {from->v0, sys->v0, n},     {from->w, sys->w, m},
                 {from->mu, sys->mu, m}, {from->mu_s, sys->mu_s, m}, {from->e_t, sys->e_t, m}};
  for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
    memcpy(vectors[i].to, vectors[i].from, vectors[i].count * sizeof(double));
  }
  return dls_matrix_data_copy(from, sys) == DLS_OK ? DLS_OK : no_memory(from, err);
}

/* sys->C := C + alpha M + beta K */
static dls_status damp(dls_system *sys, double alpha, double beta, dls_error *err)
{
  const dls_matrix *const terms[] = {sys->C, sys->M, sys->K};
  const double factors[] = {1, alpha, beta};
  dls_matrix *C = dls_market_sum(sys->n, sys->n, 3, terms, factors);
  if (C == NULL) {
    return no_memory(sys, err);
  }
  dls_matrix_destroy(sys->C);
  sys->C = C;
  sys->rayleigh_mass = alpha;
  sys->rayleigh_stiffness = beta;
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_system *from = self->data;
  const dls_matrix_parts *parts = &dls_matrix_data_of(from)->parts;
  *out = NULL;
  if (parts->restitution && p[RESTITUTION] != 0) {
    return dls_fail(err, DLS_ERR_OPTION, "model %s: e = %g has no effect when the file eN is given", self->name,
                    p[RESTITUTION]);
  }
  dls_system *sys = *out = new_system(from->n, from->m, from->d, parts);
  if (sys == NULL) {
    return no_memory(from, err);
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->e[j] = parts->restitution ? from->e[j] : p[RESTITUTION];
  }
  sys->length = p[LENGTH];
  sys->time = p[TIME];
  const dls_status status = copy(from, sys, err);
  return status == DLS_OK && p[ALPHA] + p[BETA] > 0 ? damp(sys, p[ALPHA], p[BETA], err) : status;
}

const dls_model dls_model_matrix_model = {
    .name = "matrix-model",
    .summary = "a linear system with contacts from Matrix Market files, e.g. finite elements",
    .source = "the files; format: Boisvert, Pozo, Remington 1996, NISTIR 5935",
    .equations = "M v' + (C + alpha M + beta K) v + K q = F0 + amplitude cos(2 pi frequency t + phase) + F(t)\n"
                 "                                        + H lambda + T lambda_T,   q' = v,   g = H^T q + w\n"
                 "0 <= g _|_ lambda >= 0,  u+ = -e u- at an impact,  u = H^T v\n"
                 "with tangents |lambda_T| <= mu lambda against u_T = T^T v - vT; mu_s lambda where it sticks\n"
                 "Matrices and vectors are files in Matrix Market format (scipy.io.mmwrite, mmwrite.m, ...), F "
                 "is a CSV\n"
                 "file; they are given like parameters; vectors are n x 1 or 1 x n. At the start no gap may be "
                 "negative:\n"
                 "  --set M=mass.mtx --set K=stiff.mtx --set HT=contact.mtx --set w=w.mtx --set e=0.5\n",
    .parameters = parameters,
    .create = create,
    .files = files,
    .load = load,
};

size_t dls_matrix_slot(const char *name, size_t length)
{
  size_t slot = 0;
  while (slot < DLS_MATRIX_SLOTS &&
         (strncmp(files[slot].name, name, length) != 0 || files[slot].name[length] != '\0')) {
    slot++;
  }
  return slot;
}

const char *dls_matrix_slot_name(size_t slot)
{
  return files[slot].name;
}

dls_status dls_matrix_model_of_tables(const dls_matrix_tables *tables, dls_model **out, dls_error *err)
{
  dls_source sources[SLOTS];
  dls_status status = DLS_OK;
  for (int i = 0; i < SLOTS; i++) {
    const bool given = i < TABLE && tables->slots[i] != NULL;
    const char *path = tables->text != NULL ? tables->text : files[i].name;
    sources[i] = (dls_source){files[i].name, given ? path : NULL, given ? tables->slots[i] : NULL};
    if (files[i].required && !given) {
      status = dls_fail(err, DLS_ERR_ARG, "%s is missing: %s", files[i].name, files[i].help);
    }
  }
  return make(&dls_model_matrix_model, sources, status, out, err);
}
