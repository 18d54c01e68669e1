/* matrix_model.c -- a linear system from files: M v' + C v + K q = F0 + H lambda + T lambda_T, g = H^T q + w, u_T = T^T v - vT.
 * What the files say is made into a system once, when they are read; creating copies it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/matrix_market.h>
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
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

/* Two entries that should be equal may differ by so much of the largest of them and of the geometric mean of the
 * diagonal entries that belong to them: sums in another order of assembly, and files of eleven digits. */
static const double symmetry_tolerance = 1e-10;
/* Initial gaps may be negative by so much of the terms that they are the sum of: bodies that touch. */
static const double touching = 1e-10;

/* A file that was read; table is NULL for one that was not given. */
typedef struct source {
  const char *name, *path;
  dls_market *table;
} source;

static const char *tail(const char *path)
{
  enum { LONGEST = 100 }; /* that a message shows */
  const size_t length = strlen(path);
  return length > LONGEST ? path + length - LONGEST : path;
}

static double diagonal(const dls_market *A, size_t i)
{
  const dls_market_entry *e = dls_market_find(A, i, i);
  return e == NULL ? 0 : e->value;
}

static dls_status check_square(const source *s, size_t n, dls_error *err)
{
  const dls_market *A = s->table;
  if (A->rows != A->columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, it must be square", tail(s->path), s->name, A->rows,
                    A->columns);
  }
  if (A->rows != n) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, but M is %zu x %zu", tail(s->path), s->name,
                    A->rows, A->columns, n, n);
  }
  return DLS_OK;
}

static dls_status refuse_asymmetry(const source *s, const dls_market_entry *e, const dls_market_entry *mirror,
                                   dls_error *err)
{
  char other[80] = "is not there";
  if (mirror != NULL) {
    snprintf(other, sizeof other, "= %.10g in line %zu", mirror->value, mirror->line);
  }
  return dls_fail(err, DLS_ERR_ARG, "%s:%zu: %s is not symmetric: %s(%zu,%zu) = %.10g, but %s(%zu,%zu) %s",
                  tail(s->path), e->line, s->name, s->name, e->row + 1, e->column + 1, e->value, s->name,
                  e->column + 1, e->row + 1, other);
}

/* A := (A + A^T)/2, if A is symmetric but for rounding. An entry that rounding has made alone, without a mirror
 * image, becomes 0. */
static dls_status make_symmetric(const source *s, dls_error *err)
{
  dls_market *A = s->table;
  for (size_t k = 0; k < A->count; k++) {
    dls_market_entry *e = &A->entries[k];
    const dls_market_entry *mirror = dls_market_find(A, e->column, e->row);
    const double image = mirror == NULL ? 0 : mirror->value;
    const double scale = fmax(fmax(fabs(e->value), fabs(image)),
                              sqrt(fabs(diagonal(A, e->row))) * sqrt(fabs(diagonal(A, e->column))));
    if (!(fabs(e->value - image) <= symmetry_tolerance * scale)) {
      return refuse_asymmetry(s, e, mirror, err);
    }
    if (mirror == NULL) {
      e->value = 0;
    } else if (e->row > e->column) {
      e->value = A->entries[mirror - A->entries].value = 0.5 * e->value + 0.5 * image;
    }
  }
  return DLS_OK;
}

/* Every diagonal entry of M is there and positive: what is often wrong, and easier to name than a pivot. */
static dls_status check_diagonal(const source *s, dls_error *err)
{
  for (size_t i = 0; i < s->table->rows; i++) {
    const dls_market_entry *e = dls_market_find(s->table, i, i);
    if (e == NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s: M is not positive definite: M(%zu,%zu) is 0 or not there",
                      tail(s->path), i + 1, i + 1);
    }
    if (!(e->value > 0)) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: M is not positive definite: M(%zu,%zu) = %g", tail(s->path),
                      e->line, i + 1, i + 1, e->value);
    }
  }
  return DLS_OK;
}

static dls_status check_definite(const source *s, const dls_matrix *M, dls_error *err)
{
  size_t row = 0;
  const dls_status status = dls_matrix_positive_definite(M, &row, err);
  if (status == DLS_OK && row < dls_matrix_rows(M)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%s: M is not positive definite: its Cholesky factorization has no positive pivot in row %zu",
        tail(s->path), row + 1);
  }
  return status;
}

static dls_status to_matrix(const source *s, dls_matrix **out, dls_error *err)
{
  *out = dls_market_matrix(s->table);
  return *out != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %s", tail(s->path), s->name);
}

static dls_status read_symmetric(const source *s, size_t n, dls_matrix **out, dls_error *err)
{
  if (s->table == NULL) {
    return DLS_OK;
  }
  dls_status status = check_square(s, n, err);
  status = status != DLS_OK ? status : make_symmetric(s, err);
  return status != DLS_OK ? status : to_matrix(s, out, err);
}

/* A column or a row of count numbers; x stays 0 where no file is given. */
static dls_status read_vector(const source *s, size_t count, double *x, dls_error *err)
{
  const dls_market *A = s->table;
  if (A == NULL) {
    return DLS_OK;
  }
  if ((A->rows != count || A->columns != 1) && (A->rows != 1 || A->columns != count)) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, it must be a vector of %zu", tail(s->path), s->name,
                    A->rows, A->columns, count);
  }
  for (size_t k = 0; k < A->count; k++) {
    x[A->entries[k].row + A->entries[k].column] = A->entries[k].value;
  }
  return DLS_OK;
}

/* The same with numbers from a range. */
static dls_status read_range(const source *s, size_t count, double low, double high, double *x, dls_error *err)
{
  const dls_market *A = s->table;
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    const dls_market_entry *e = &A->entries[k];
    if (!(e->value >= low && e->value <= high)) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: %s[%zu] = %g is outside [%g, %g]", tail(s->path), e->line,
                      s->name, e->row + e->column, e->value, low, high);
    }
  }
  return read_vector(s, count, x, err);
}

/* The file with H, its table turned so that it is n x m; NULL if there is none. */
static dls_status find_gradients(source *sources, const source **out, dls_error *err)
{
  *out = NULL;
  if (sources[GRADIENT_T].table != NULL && sources[GRADIENT].table != NULL) {
    return dls_fail(err, DLS_ERR_ARG, "HT = %s and H = %s are both given: one of them is enough",
                    tail(sources[GRADIENT_T].path), tail(sources[GRADIENT].path));
  }
  for (int i = GRADIENT_T; i <= GRADIENT && *out == NULL; i++) {
    *out = sources[i].table != NULL ? &sources[i] : NULL;
  }
  static const int needing[] = {OFFSET, TANGENT, FRICTION, TANGENTIAL, SURFACE, STATIC};
  for (size_t k = 0; k < sizeof needing / sizeof needing[0] && *out == NULL; k++) {
    const source *s = &sources[needing[k]];
    if (s->table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given, but no contact: HT or H is missing", s->name,
                      tail(s->path));
    }
  }
  if (*out == &sources[GRADIENT_T]) {
    dls_market_transpose(sources[GRADIENT_T].table);
  }
  return DLS_OK;
}

/* n rows, and no contact without a degree of freedom; so m is at most the number of entries. */
static dls_status check_gradients(const source *s, size_t n, dls_error *err)
{
  const dls_market *H = s->table;
  const bool turned = strcmp(s->name, files[GRADIENT_T].name) == 0;
  if (H->rows != n) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s has %zu %s, but M is %zu x %zu", tail(s->path), s->name, H->rows,
                    turned ? "columns" : "rows", n, n);
  }
  size_t next = 0; /* column that must come */
  for (size_t k = 0; k < H->count && H->entries[k].column <= next; k++) {
    next = H->entries[k].column + 1;
  }
  if (next < H->columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s %zu of %s, contact %zu, has no entry but 0", tail(s->path),
                    turned ? "row" : "column", next + 1, s->name, next);
  }
  return DLS_OK;
}

/* Rows of a contact: 1, with tangents 2 or 3. */
static dls_status find_tangents(const source *sources, size_t n, size_t m, size_t *d, dls_error *err)
{
  static const int needing[] = {FRICTION, TANGENTIAL, SURFACE, STATIC};
  const source *s = &sources[TANGENT];
  const dls_market *T = s->table;
  *d = 1;
  for (size_t k = 0; k < sizeof needing / sizeof needing[0] && T == NULL; k++) {
    const source *other = &sources[needing[k]];
    if (other->table != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s = %s is given, but no tangents: T is missing", other->name,
                      tail(other->path));
    }
  }
  if (T == NULL) {
    return DLS_OK;
  }
  if (T->rows != n || (T->columns != m && T->columns != 2 * m)) {
    return dls_fail(err, DLS_ERR_ARG, "%s: T is %zu x %zu, it must be %zu x %zu (in the plane) or %zu x %zu",
                    tail(s->path), T->rows, T->columns, n, m, n, 2 * m);
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

static dls_status fill_matrices(source *sources, const source *gradients, dls_system *sys, dls_error *err)
{
  const size_t n = sys->n;
  dls_status status = read_symmetric(&sources[MASS], n, &sys->M, err);
  status = status != DLS_OK ? status : check_definite(&sources[MASS], sys->M, err);
  status = status != DLS_OK ? status : read_symmetric(&sources[STIFFNESS], n, &sys->K, err);
  status = status != DLS_OK ? status : read_symmetric(&sources[DAMPING], n, &sys->C, err);
  status = status != DLS_OK || gradients == NULL ? status : to_matrix(gradients, &sys->H, err);
  return status != DLS_OK || sys->d == 1 ? status : to_matrix(&sources[TANGENT], &sys->T, err);
}

/* mu_s >= mu, or 0. */
static dls_status check_static(const source *s, const dls_system *sys, dls_error *err)
{
  const dls_market *A = s->table;
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    const dls_market_entry *e = &A->entries[k];
    const size_t j = e->row + e->column;
    if (e->value != 0 && e->value < sys->mu[j]) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: mu_s[%zu] = %g is below mu[%zu] = %g; 0 stands for the same",
                      tail(s->path), e->line, j, e->value, j, sys->mu[j]);
    }
  }
  return DLS_OK;
}

static dls_status fill_vectors(const source *sources, dls_system *sys, dls_error *err)
{
  dls_status status = read_vector(&sources[OFFSET], sys->m, sys->w, err);
  status = status != DLS_OK ? status : read_vector(&sources[POSITION], sys->n, sys->q0, err);
  status = status != DLS_OK ? status : read_vector(&sources[VELOCITY], sys->n, sys->v0, err);
  status = status != DLS_OK ? status : read_vector(&sources[FORCE], sys->n, sys->data, err);
  status = status != DLS_OK ? status : read_range(&sources[FRICTION], sys->m, 0, DBL_MAX, sys->mu, err);
  status = status != DLS_OK ? status : read_range(&sources[STATIC], sys->m, 0, DBL_MAX, sys->mu_s, err);
  status = status != DLS_OK ? status : check_static(&sources[STATIC], sys, err);
  status = status != DLS_OK ? status : read_range(&sources[TANGENTIAL], sys->m, 0, 1, sys->e_t, err);
  double *velocity = (double *)sys->data + sys->n;
  return status != DLS_OK ? status : read_vector(&sources[SURFACE], (sys->d - 1) * sys->m, velocity, err);
}

/* The sizes are those of M and H: both are checked to have entries for them before anything of their size is
 * allocated. */
static dls_status assemble(source *sources, dls_system **out, dls_error *err)
{
  const source *gradients = NULL;
  const size_t n = sources[MASS].table->rows;
  dls_status status = check_square(&sources[MASS], n, err);
  status = status != DLS_OK ? status : check_diagonal(&sources[MASS], err);
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
  source sources[SLOTS];
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
    sources[i] = (source){files[i].name, paths[i], NULL};
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
