/* system.c -- forces, gaps and gradients of linear and nonlinear systems by the same functions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/text.h"
#include "common/linear/storage.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dls_system *dls_system_create(size_t n, size_t m)
{
  dls_system *sys = n == 0 ? NULL : calloc(1, sizeof *sys);
  if (sys == NULL) {
    return NULL;
  }
  sys->n = n;
  sys->m = m;
  sys->d = 1;
  sys->length = sys->time = 1;
  sys->block = dls_arrays((const dls_slot[]){
      {n, {&sys->q0, &sys->v0}}, {m, {&sys->e, &sys->w, &sys->mu, &sys->mu_s, &sys->v_s, &sys->e_t}}, {0}});
  sys->law = calloc(m + 1, sizeof *sys->law);
  if (sys->block == NULL || sys->law == NULL) {
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
  dls_matrix_destroy(sys->T);
  dls_matrix_destroy(sys->G);
  dls_matrix_destroy(sys->geometric);
  dls_matrix_destroy(sys->gap_geometric);
  free(sys->law);
  free(sys->block);
  free(sys);
}

/* --- values --- */

/* s := what a system shares with another one of its model: everything but numbers, and where its arrays are. */
static void take_shared(const dls_system *sys, dls_system *s)
{
  memcpy(s, sys, sizeof *s); /* with its padding, for memcmp */
  s->q0 = s->v0 = s->w = s->e = s->e_t = s->mu = s->mu_s = s->v_s = s->block = NULL;
  s->M = s->K = s->C = s->H = s->T = NULL;
  s->law = NULL;
  s->data = NULL;
  s->length = s->time = s->load_period = s->shortest_feature = s->smallest_body = 0;
  s->rayleigh_mass = s->rayleigh_stiffness = 0;
}

static bool same_values(const dls_matrix *A, const dls_matrix *B)
{
  return dls_matrix_alike(A, B) &&
         (A == NULL || memcmp(A->values, B->values, dls_matrix_stored(A) * sizeof *A->values) == 0);
}

/* Which coefficients are zero decides how contacts are solved. */
static bool same_friction(const dls_system *a, const dls_system *b)
{
  const size_t bytes = a->m * sizeof *a->mu;
  bool same = memcmp(a->law, b->law, a->m * sizeof *a->law) == 0 && memcmp(a->mu_s, b->mu_s, bytes) == 0 &&
              memcmp(a->v_s, b->v_s, bytes) == 0;
  for (size_t j = 0; same && j < a->m; j++) {
    same = (a->mu[j] > 0) == (b->mu[j] > 0) && (a->e[j] > 0) == (b->e[j] > 0);
  }
  return same;
}

static bool differ_in_values(const dls_system *a, const dls_system *b)
{
  dls_system shared_a, shared_b;
  take_shared(a, &shared_a);
  take_shared(b, &shared_b);
  return memcmp(&shared_a, &shared_b, sizeof shared_a) == 0 && a->linear && dls_matrix_alike(a->M, b->M) &&
         dls_matrix_alike(a->K, b->K) && dls_matrix_alike(a->C, b->C) && same_values(a->H, b->H) &&
         same_values(a->T, b->T) && same_friction(a, b);
}

static void copy_values(const dls_matrix *from, dls_matrix *to)
{
  if (to != NULL) {
    memcpy(to->values, from->values, dls_matrix_stored(from) * sizeof *to->values);
  }
}

bool dls_system_take_values(dls_system *sys, dls_system *from)
{
  if (!differ_in_values(sys, from)) {
    return false;
  }
  void *data = sys->data;
  sys->data = from->data;
  from->data = data;
  copy_values(from->M, sys->M);
  copy_values(from->K, sys->K);
  copy_values(from->C, sys->C);
  memcpy(sys->block, from->block, (2 * sys->n + 6 * sys->m) * sizeof *sys->block);
  sys->length = from->length;
  sys->time = from->time;
  sys->load_period = from->load_period;
  sys->shortest_feature = from->shortest_feature;
  sys->smallest_body = from->smallest_body;
  sys->rayleigh_mass = from->rayleigh_mass;
  sys->rayleigh_stiffness = from->rayleigh_stiffness;
  return true;
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

typedef struct vector {
  const double *x;
  const char *name;
  size_t count;
  double low, high; /* allowed */
} vector;

static dls_status check_vectors(const vector *all, size_t count, dls_error *err)
{
  for (const vector *v = all; v < all + count; v++) {
    for (size_t i = 0; i < v->count; i++) {
      if (!isfinite(v->x[i])) {
        return dls_fail(err, DLS_ERR_ARG, "the system's %s[%zu] = %g is not finite", v->name, i, v->x[i]);
      }
      if (!(v->x[i] >= v->low && v->x[i] <= v->high)) {
        return dls_fail(err, DLS_ERR_ARG, "the system's %s[%zu] = %g is outside [%g, %g]", v->name, i, v->x[i],
                        v->low, v->high);
      }
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

typedef struct matrix {
  const dls_matrix *A; /* NULL: none */
  const char *name;
  size_t rows, columns; /* wanted */
} matrix;

static dls_status check_matrices(const matrix *all, size_t count, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    status = check_shape(all[k].A, all[k].name, all[k].rows, all[k].columns, err);
  }
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    status = check_entries(all[k].A, all[k].name, err);
  }
  return status;
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
  const bool own = sys->discrete_gradient != NULL,
             complete = !sys->linear && sys->potential != NULL && sys->K != NULL;
  if (own != (sys->discrete_stiffness != NULL) || (own && !complete)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a system needs discrete_gradient with discrete_stiffness, potential and stiffness, or "
                    "neither of the first two");
  }
  const bool turns = sys->gap_turn != NULL;
  if (turns != (sys->gap_stiffness != NULL) || turns != (sys->gap_geometric != NULL) ||
      (turns && (sys->linear || sys->gradient == NULL))) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "a system needs gap_turn with gap_stiffness, gap_geometric and gradient, or none of the first three");
  }
  const bool known = (sys->momenta >= 1 && sys->momenta <= 3) || sys->momenta == 6;
  if (known != (sys->momentum != NULL) || (sys->momenta > 0 && !known)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "a system needs the callback momentum with momenta = 1, 2, 3 or 6, or neither; momenta = %zu",
        sys->momenta);
  }
  return check_shape(sys->gap_geometric, "gap_geometric", sys->n, sys->n, err);
}

/* Does the system declare its dependence on t? */
static bool states_time(const dls_system *sys)
{
  return sys->time_enclosure != NULL || sys->load_period > 0 || sys->shortest_feature > 0 ||
         sys->next_break != NULL || sys->next_switch != NULL;
}

static dls_status check_time(const dls_system *sys, dls_error *err)
{
  if ((sys->time_terms > 0) != (sys->time_enclosure != NULL)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "a system needs both the callback time_enclosure and time_terms > 0, or neither; time_terms = %zu",
        sys->time_terms);
  }
  if (!(sys->load_period >= 0 && sys->load_period < INFINITY) ||
      !(sys->shortest_feature >= 0 && sys->shortest_feature < INFINITY)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "the system's load_period = %g s, shortest_feature = %g s: both must be finite and >= 0, 0 for none",
        sys->load_period, sys->shortest_feature);
  }
  return sys->explicit_time == DLS_TIME_NONE && states_time(sys)
             ? dls_fail(err, DLS_ERR_ARG,
                        "the system declares explicit_time = none, but also terms, periods or breaks in time")
             : DLS_OK;
}

static dls_status check_static(const dls_system *sys, dls_error *err)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (!(sys->mu_s[j] == 0 || (sys->mu_s[j] >= sys->mu[j] && isfinite(sys->mu_s[j])))) {
      return dls_fail(err, DLS_ERR_ARG, "the system's mu_s[%zu] = %g is below mu[%zu] = %g", j, sys->mu_s[j], j,
                      sys->mu[j]);
    }
    if (!(sys->v_s[j] >= 0 && isfinite(sys->v_s[j])) || (sys->v_s[j] > 0 && sys->mu_s[j] < sys->mu[j])) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "the system's v_s[%zu] = %g, mu_s = %g, mu = %g: Stribeck's curve needs v_s > 0 and mu_s >= mu", j,
          sys->v_s[j], sys->mu_s[j], sys->mu[j]);
    }
  }
  return DLS_OK;
}

static dls_status check_friction(const dls_system *sys, dls_error *err)
{
  if (sys->d < 1 || sys->d > 3) {
    return dls_fail(err, DLS_ERR_ARG, "the system's contacts have d = %zu rows, allowed are 1, 2 and 3",
                    sys->d);
  }
  if ((sys->m > 0 && sys->d > 1) != (sys->T != NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "the system has %s tangents T, with d = %zu",
                    sys->T == NULL ? "no" : "no use for", sys->d);
  }
  if (sys->d == 1 && dls_system_has_friction(sys)) {
    return dls_fail(err, DLS_ERR_ARG, "the system has friction and no tangents T");
  }
  const vector vectors[] = {{sys->mu, "mu", sys->m, 0, DBL_MAX}, {sys->e_t, "e_t", sys->m, 0, 1}};
  dls_status status = check_matrices(&(matrix){sys->T, "T", sys->n, (sys->d - 1) * sys->m}, 1, err);
  if (status == DLS_OK) {
    status = check_vectors(vectors, sizeof vectors / sizeof vectors[0], err);
  }
  return status != DLS_OK ? status : check_static(sys, err);
}

static dls_status check_joints(const dls_system *sys, dls_error *err)
{
  if (sys->r == 0 && sys->G == NULL) {
    return DLS_OK;
  }
  if (sys->linear) {
    return dls_fail(err, DLS_ERR_ARG, "a system with joints is not linear: its forces are those of `force`");
  }
  if (sys->r == 0 || sys->G == NULL || sys->joint == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "a system with r = %zu joint equations needs %s", sys->r,
                    sys->r == 0      ? "no G"
                    : sys->G == NULL ? "their gradients G"
                                     : "the callback joint");
  }
  if ((sys->geometric == NULL) != (sys->joint_stiffness == NULL)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a system needs joint_stiffness with its storage `geometric`, or neither");
  }
  if (sys->joints_quadratic && sys->joint_rate != NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "a system with joint_rate has joints that depend on t, not joints_quadratic");
  }
  const dls_status status = check_shape(sys->geometric, "geometric", sys->n, sys->n, err);
  return status != DLS_OK ? status : check_matrices(&(matrix){sys->G, "G", sys->n, sys->r}, 1, err);
}

static dls_status check_data(const dls_system *sys, dls_error *err)
{
  const size_t n = sys->n, m = sys->m;
  const matrix matrices[] = {
      {sys->M, "M", n, n}, {sys->K, "K", n, n}, {sys->C, "C", n, n}, {sys->H, "H", n, m}};
  const vector vectors[] = {{sys->q0, "q0", n, -DBL_MAX, DBL_MAX},
                            {sys->v0, "v0", n, -DBL_MAX, DBL_MAX},
                            {sys->e, "e", m, 0, 1},
                            {sys->w, "w", m, -DBL_MAX, DBL_MAX}};
  const dls_status status = check_matrices(matrices, sizeof matrices / sizeof matrices[0], err);
  return status != DLS_OK ? status : check_vectors(vectors, sizeof vectors / sizeof vectors[0], err);
}

static dls_status check_scales(const dls_system *sys, dls_error *err)
{
  const dls_status status = check_scale(sys->length, "length", err);
  return status != DLS_OK ? status : check_scale(sys->time, "time", err);
}

dls_status dls_system_check(const dls_system *sys, dls_error *err)
{
  static dls_status (*const checks[])(const dls_system *sys, dls_error *err) = {
      check_callbacks, check_time, check_data, check_friction, check_joints, check_scales};
  if (sys->M == NULL || (sys->m > 0) != (sys->H != NULL)) {
    return dls_fail(err, DLS_ERR_ARG, "the system has no %s", sys->M == NULL ? "mass matrix M" : "matching H");
  }
  dls_status status = DLS_OK;
  for (size_t k = 0; k < sizeof checks / sizeof checks[0] && status == DLS_OK; k++) {
    status = checks[k](sys, err);
  }
  return status;
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

void dls_system_gap(const dls_system *sys, double t, const double *q, double *g)
{
  if (sys->m == 0) {
    return;
  }
  if (!sys->linear) {
    sys->gap(sys, t, q, g);
    return;
  }
  if (sys->gap_motion == NULL) {
    dls_matrix_transposed_plus(sys->H, q, sys->w, g);
    return;
  }
  sys->gap_motion(sys, t, 0, g);
  for (size_t j = 0; j < sys->m; j++) {
    g[j] += sys->w[j];
  }
  dls_matrix_transposed_plus(sys->H, q, g, g);
}

bool dls_system_gap_moves(const dls_system *sys)
{
  return sys->linear ? sys->gap_motion != NULL : sys->gap_rate != NULL;
}

void dls_system_gap_rate(const dls_system *sys, double t, const double *q, double *b)
{
  if (!dls_system_gap_moves(sys)) {
    memset(b, 0, sys->m * sizeof *b);
  } else if (sys->linear) {
    sys->gap_motion(sys, t, 1, b);
  } else {
    sys->gap_rate(sys, t, q, b);
  }
}

bool dls_system_mass_varies(const dls_system *sys)
{
  return !sys->linear && sys->mass != NULL;
}

size_t dls_system_massless(const dls_system *sys, bool *massless)
{
  size_t count = 0;
  for (size_t i = 0; i < sys->n; i++) {
    const bool none = !dls_system_mass_varies(sys) && dls_matrix_get(sys->M, i, i) == 0;
    count += none;
    if (massless != NULL) {
      massless[i] = none;
    }
  }
  return count;
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

bool dls_system_bends(const dls_system *sys)
{
  return (sys->linear ? sys->gap_motion != NULL : sys->curvature != NULL) || sys->slip_curvature != NULL;
}

void dls_system_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  if (sys->linear && sys->gap_motion != NULL) {
    sys->gap_motion(sys, t, 2, c);
  } else if (!sys->linear && sys->curvature != NULL) {
    sys->curvature(sys, t, q, v, c);
  } else {
    memset(c, 0, sys->m * sizeof *c);
  }
}

double dls_system_next_switch(const dls_system *sys, double t)
{
  return sys->next_switch != NULL ? sys->next_switch(sys, t) : INFINITY;
}

double dls_system_next_break(const dls_system *sys, double t)
{
  const double change = sys->next_break != NULL ? sys->next_break(sys, t) : INFINITY;
  return fmin(change, dls_system_next_switch(sys, t));
}

bool dls_system_load_mean(const dls_system *sys, double a, double b, double *F)
{
  if (sys->load_mean == NULL || !(dls_system_next_break(sys, a) < b || dls_system_next_switch(sys, a) <= b)) {
    return false;
  }
  sys->load_mean(sys, a, b, F);
  return true;
}

dls_time_dependence dls_system_explicit_time(const dls_system *sys)
{
  const bool still = sys->linear && (sys->load == NULL || sys->steady_load) && sys->gap_motion == NULL &&
                     sys->surface == NULL && sys->next_switch == NULL && sys->next_break == NULL;
  return sys->explicit_time == DLS_TIME_UNKNOWN && still ? DLS_TIME_NONE : sys->explicit_time;
}

void dls_system_declare_harmonic(dls_system *sys, double amplitude, double omega)
{
  const double period = amplitude != 0 && omega != 0 ? 2 * acos(-1) / fabs(omega) : INFINITY;
  if (period < INFINITY) {
    sys->explicit_time = DLS_TIME_EXPLICIT;
    sys->load_period = sys->load_period > 0 ? fmin(sys->load_period, period) : period;
  } else if (sys->explicit_time == DLS_TIME_UNKNOWN) {
    sys->explicit_time = DLS_TIME_NONE;
  }
}

bool dls_system_time_is_opaque(const dls_system *sys)
{
  const dls_time_dependence declared = dls_system_explicit_time(sys);
  return declared == DLS_TIME_UNKNOWN || (declared == DLS_TIME_EXPLICIT && !states_time(sys));
}

void dls_system_surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  if (sys->surface != NULL) {
    sys->surface(sys, t, q, b_t);
  } else {
    memset(b_t, 0, (sys->d - 1) * sys->m * sizeof *b_t);
  }
}

void dls_system_slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  if (sys->slip_curvature != NULL) {
    sys->slip_curvature(sys, t, q, v, c);
  } else {
    memset(c, 0, (sys->d - 1) * sys->m * sizeof *c);
  }
}

bool dls_system_tangents_vary(const dls_system *sys)
{
  return sys->tangents != NULL;
}

void dls_system_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  if (sys->tangents != NULL) {
    sys->tangents(sys, t, q, T);
  }
}

bool dls_system_has_friction(const dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (sys->mu[j] > 0) {
      return true;
    }
  }
  return false;
}

bool dls_system_has_static_friction(const dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (sys->v_s[j] == 0 && sys->mu_s[j] > sys->mu[j]) {
      return true;
    }
  }
  return false;
}

bool dls_system_has_stribeck(const dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (sys->v_s[j] > 0) {
      return true;
    }
  }
  return false;
}

double dls_system_friction(const dls_system *sys, size_t j, double speed)
{
  if (sys->v_s[j] == 0) {
    return sys->mu[j];
  }
  const double x = speed / sys->v_s[j];
  return sys->mu[j] + (sys->mu_s[j] - sys->mu[j]) * exp(-x * x);
}

void dls_system_joint(const dls_system *sys, double t, const double *q, double *phi)
{
  if (sys->r > 0) {
    sys->joint(sys, t, q, phi);
  }
}

void dls_system_joint_rate(const dls_system *sys, double t, const double *q, double *phi_t)
{
  if (sys->joint_rate != NULL) {
    sys->joint_rate(sys, t, q, phi_t);
  } else {
    memset(phi_t, 0, sys->r * sizeof *phi_t);
  }
}

bool dls_system_joint_gradient_varies(const dls_system *sys)
{
  return sys->joint_gradient != NULL;
}

void dls_system_joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  if (sys->joint_gradient != NULL) {
    sys->joint_gradient(sys, t, q, G);
  }
}

void dls_system_joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  if (sys->joint_curvature != NULL) {
    sys->joint_curvature(sys, t, q, v, c);
  } else {
    memset(c, 0, sys->r * sizeof *c);
  }
}

void dls_joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  if (sys->joint_name != NULL) {
    sys->joint_name(sys, i, text, size);
  } else {
    snprintf(text, size, "joint equation %zu", i);
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

void dls_contact_bodies(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  char name[80];
  if (sys->contact_bodies != NULL) {
    sys->contact_bodies(sys, alpha, text, size);
  } else {
    dls_contact_name(sys, alpha, name, sizeof name);
    snprintf(text, size, "%s: the bodies", name);
  }
}

void dls_system_coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  *out = (dls_coordinate){.name = "position", .unit = "m"};
  if (sys->coordinate != NULL) {
    sys->coordinate(sys, i, out);
  }
}

bool dls_system_has_steady_load(const dls_system *sys)
{
  return sys->linear && sys->load != NULL && sys->steady_load;
}

bool dls_system_has_energy(const dls_system *sys)
{
  return sys->linear || sys->potential != NULL;
}
