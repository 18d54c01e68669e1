/* experiments/measures/cycle/cycle.c -- the fixed point of a cycle map by Newton's method, and its multipliers by extrapolated central
 * differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/larger.h"
#include "common/base/memory.h"
#include "common/linear/lu.h"
#include "experiments/measures/cycle/cycle_section.h"

#include <delassus/option.h>
#include <delassus/scheme.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };
static const double difference =
    1e-3;                            /* half width of the widest central difference, of a coordinate's range */
static const double singular = 1e-9; /* pivot of I - P' below which a multiplier is 1 */
static const double good = 1e-11;    /* residual below which nothing is gained */
static const double most = 1e-6;     /* residual that a fixed point may have */
static const double coarse = 10;     /* factor of the tolerance, to see its effect */
static const double same = 1e-4;     /* of a range: what drifts may not act on */

typedef struct finder {
  dls_section section;
  size_t k;                              /* free coordinates */
  double *block;                         /* owns all that follows */
  double *x, *there, *low, *high, *step; /* k: the fixed point, its image, images of neighbours */
  double *z, *z_there;                   /* 2 n */
  double *derivative[3];                 /* k x k: by differences of falling width, later extrapolated */
} finder;

/* there := P(x). */
static dls_status map(finder *f, const double *x, double tol, double *there, dls_return *out, dls_error *err)
{
  out->z = f->z_there;
  dls_section_state(&f->section, x, f->z);
  const dls_status status = dls_section_shoot(&f->section, f->z, tol, 1, out, err);
  dls_section_coordinates(&f->section, f->z_there, there);
  return status;
}

/* Column j of P' by (P(x + d e_j) - P(x - d e_j)) / 2 d. */
static dls_status differentiate(finder *f, double d, double *derivative, dls_error *err)
{
  dls_return unused;
  dls_status status = DLS_OK;
  for (size_t j = 0; j < f->k && status == DLS_OK; j++) {
    memcpy(f->step, f->x, f->k * sizeof *f->x);
    f->step[j] = f->x[j] + d;
    status = map(f, f->step, 0, f->high, &unused, err);
    f->step[j] = f->x[j] - d;
    status = status != DLS_OK ? status : map(f, f->step, 0, f->low, &unused, err);
    for (size_t i = 0; i < f->k; i++) {
      derivative[i * f->k + j] = (f->high[i] - f->low[i]) / (2 * d);
    }
  }
  return status;
}

static double residual(const finder *f)
{
  double worst = 0;
  for (size_t i = 0; i < f->k; i++) {
    worst = dls_larger(worst, fabs(f->there[i] - f->x[i]));
  }
  return worst;
}

/* x += (I - P')^-1 (P(x) - x). */
static dls_status newton_step(finder *f, dls_error *err)
{
  double *matrix = f->derivative[2];
  for (size_t i = 0; i < f->k; i++) {
    for (size_t j = 0; j < f->k; j++) {
      matrix[i * f->k + j] = (i == j) - f->derivative[0][i * f->k + j]; /* I - P' */
    }
    f->low[i] = f->there[i] - f->x[i]; /* P(x) - x */
  }
  bool regular = true;
  gsl_matrix_view A = gsl_matrix_view_array(matrix, f->k, f->k);
  gsl_vector_view b = gsl_vector_view_array(f->low, f->k), dx = gsl_vector_view_array(f->step, f->k);
  gsl_permutation *order = gsl_permutation_alloc(f->k);
  if (order == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "cycle: no memory for a map of %zu coordinates", f->k);
  }
  dls_lu(&A.matrix, order);
  for (size_t i = 0; i < f->k; i++) {
    regular = regular && fabs(matrix[i * f->k + i]) > singular; /* of U */
  }
  regular = regular && gsl_linalg_LU_solve(&A.matrix, order, &b.vector, &dx.vector) == 0;
  gsl_permutation_free(order);
  if (!regular) {
    return dls_fail(
        err, DLS_ERR_NOCONV,
        "cycle: the map from event to event has the multiplier 1: name each coordinate that grows from "
        "cycle to cycle (drift); otherwise the cycle is not isolated");
  }
  for (size_t i = 0; i < f->k; i++) {
    f->x[i] += f->step[i];
  }
  return DLS_OK;
}

/* Until the residual falls no more. */
static dls_status find_fixed_point(finder *f, double *reached, dls_error *err)
{
  dls_return unused;
  double before = INFINITY;
  for (int round = 0; round < ROUNDS; round++) {
    const dls_status status = map(f, f->x, 0, f->there, &unused, err); /* P(x) */
    *reached = residual(f);
    if (status != DLS_OK || *reached <= good || (*reached <= most && *reached > 0.5 * before)) {
      return status;
    }
    before = *reached;
    dls_status stepped = differentiate(f, difference, f->derivative[0], err);
    stepped = stepped != DLS_OK ? stepped : newton_step(f, err);
    if (stepped != DLS_OK) {
      return stepped;
    }
  }
  return *reached <= most
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOCONV, "cycle: no fixed point after %d Newton steps, residual %.3g",
                        ROUNDS, *reached);
}

/* --- multipliers --- */

static int by_modulus(const void *a, const void *b)
{
  const dls_multiplier *p = a, *q = b;
  const double r = hypot(p->real, p->imaginary), s = hypot(q->real, q->imaginary);
  return r != s ? (r < s) - (r > s) : (p->imaginary < q->imaginary) - (p->imaginary > q->imaginary);
}

/* Eigenvalues of matrix, which is lost. */
static dls_status eigenvalues(size_t k, double *matrix, dls_multiplier *out, dls_error *err)
{
  gsl_matrix_view A = gsl_matrix_view_array(matrix, k, k);
  gsl_vector_complex *values = gsl_vector_complex_alloc(k);
  gsl_eigen_nonsymm_workspace *room = gsl_eigen_nonsymm_alloc(k);
  const bool memory = values != NULL && room != NULL;
  const bool found = memory && gsl_eigen_nonsymm(&A.matrix, values, room) == 0;
  for (size_t i = 0; i < k && found; i++) {
    const gsl_complex value = gsl_vector_complex_get(values, i);
    out[i] = (dls_multiplier){.real = GSL_REAL(value), .imaginary = GSL_IMAG(value)};
  }
  gsl_vector_complex_free(values);
  gsl_eigen_nonsymm_free(room);
  if (!memory) {
    return dls_fail(err, DLS_ERR_MEMORY, "cycle: no memory for a map of %zu coordinates", k);
  }
  if (!found) {
    return dls_fail(err, DLS_ERR_NOCONV, "cycle: no eigenvalues of a map of %zu coordinates", k);
  }
  qsort(out, k, sizeof *out, by_modulus);
  return DLS_OK;
}

/* fine := (4 fine - wide)/3: without the error in d^2 that is four times as large in wide. */
static void extrapolate(size_t count, const double *wide, double *fine)
{
  for (size_t i = 0; i < count; i++) {
    fine[i] += (fine[i] - wide[i]) / 3;
  }
}

/* Differences of three widths give two extrapolated derivatives. The finer one has the multipliers, the other one their error.
 * The noise of the runs over the smallest width is added to the error. */
static dls_status find_multipliers(finder *f, double noise, dls_cycle *cycle, dls_error *err)
{
  const size_t k = f->k;
  dls_multiplier *beside = calloc(k + 1, sizeof *beside);
  dls_status status =
      beside != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu multipliers", k);
  double width = difference;
  for (size_t i = 0; i < 3 && status == DLS_OK; i++) {
    width = ldexp(difference, -(int)i); /* d, d/2, d/4 */
    status = differentiate(f, width, f->derivative[i], err);
  }
  extrapolate(k * k, f->derivative[1], f->derivative[2]); /* (4 P'(d/4) - P'(d/2))/3 */
  extrapolate(k * k, f->derivative[0], f->derivative[1]); /* (4 P'(d/2) - P'(d))/3 */
  status = status != DLS_OK || k == 0 ? status : eigenvalues(k, f->derivative[2], cycle->multipliers, err);
  status = status != DLS_OK || k == 0 ? status : eigenvalues(k, f->derivative[1], beside, err);
  for (size_t i = 0; i < k && status == DLS_OK; i++) {
    dls_multiplier *m = &cycle->multipliers[i];
    m->error = hypot(m->real - beside[i].real, m->imaginary - beside[i].imaginary) + (double)k * noise / width;
  }
  cycle->count = k;
  free(beside);
  return status;
}

/* --- what the cycle is --- */

/* A shift of a coordinate that drifts must be mapped to itself. */
static dls_status check_drift(finder *f, const dls_return *cycle, dls_error *err)
{
  const dls_section *s = &f->section;
  for (size_t i = 0; i < s->n; i++) {
    if (!s->spec->drift[i]) {
      continue;
    }
    dls_return shifted = {.z = f->z_there};
    double worst = 0;
    dls_section_state(s, f->x, f->z);
    f->z[i] += s->range[i]; /* it alone, by as much as it moves in a cycle */
    const dls_status status = dls_section_shoot(s, f->z, 0, 1, &shifted, err);
    for (size_t j = 0; j < 2 * s->n && status == DLS_OK; j++) {
      worst = dls_larger(worst, fabs(f->z_there[j] - cycle->z[j] - (j == i ? s->range[i] : 0)) / s->range[j]);
    }
    if (status != DLS_OK || !(worst <= same)) {
      return status != DLS_OK ? status
                              : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                                         "cycle: q%zu does not drift, the motion depends on it", i);
    }
  }
  return DLS_OK;
}

/* The second cycle must take as long as the first. Loads that depend on time would change it. */
static dls_status check_autonomous(finder *f, const dls_return *cycle, double noise, dls_error *err)
{
  dls_return twice = {.z = f->z_there};
  dls_section_state(&f->section, f->x, f->z);
  const dls_status status = dls_section_shoot(&f->section, f->z, 0, 2, &twice, err);
  const double off = fabs(twice.time - 2 * cycle->time) / cycle->time;
  return status != DLS_OK || off <= 1e-6 + 100 * noise
             ? status
             : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "cycle: the second round takes %.9g s, the first %.9g s: the motion depends on time",
                        twice.time - cycle->time, cycle->time);
}

/* Period, advance and events, with what ten times the tolerance changes; noise := a tenth of that in the map. */
static dls_status describe(finder *f, double tol, dls_cycle *cycle, double *noise, dls_error *err)
{
  const size_t n = f->section.n;
  double *fine = calloc(2 * n, sizeof *fine);
  dls_return out, rough;
  dls_status status = fine != NULL
                          ? map(f, f->x, 0, f->there, &out, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for a cycle of %zu coordinates", n);
  if (status == DLS_OK) {
    out.z = memcpy(fine, f->z_there, 2 * n * sizeof *fine);
    memcpy(cycle->q, f->z, n * sizeof *fine);
    memcpy(cycle->v, f->z + n, n * sizeof *fine);
    memcpy(cycle->events, out.events, sizeof cycle->events);
    cycle->event_count = out.event_count;
    cycle->period = out.time;
    status = map(f, f->x, coarse * tol, f->low, &rough, err); /* the same, less accurately */
  }
  *noise = 0;
  for (size_t i = 0; i < f->k && status == DLS_OK; i++) {
    *noise = dls_larger(*noise, fabs(f->low[i] - f->there[i]) / coarse);
  }
  for (size_t i = 0; i < n && status == DLS_OK; i++) {
    cycle->advance[i] = fine[i] - cycle->q[i];
    cycle->advance_error[i] = fabs(f->z_there[i] - fine[i]);
  }
  cycle->period_error = status == DLS_OK ? fabs(rough.time - out.time) : NAN;
  if (status == DLS_OK) {
    status = check_drift(f, &out, err);
  }
  if (status == DLS_OK) {
    status = check_autonomous(f, &out, *noise, err);
  }
  free(fine);
  return status;
}

/* The part of a linear system that depends on t. */
static const char *explicit_in_time(const dls_system *sys)
{
  if (dls_system_explicit_time(sys) == DLS_TIME_UNKNOWN) {
    return "not declared for loads, gaps and surfaces";
  }
  return sys->gap_motion != NULL                          ? "moving supports"
         : sys->load_rate == NULL && sys->surface != NULL ? "surface velocities"
                                                          : "loads";
}

/* The section map has no coordinate for the phase of a load, so its derivative would be wrong. */
static dls_status check_time(const dls_cycle_spec *spec, dls_error *err)
{
  if (dls_system_explicit_time(spec->sys) == DLS_TIME_NONE) {
    return DLS_OK;
  }
  return dls_fail(
      err, DLS_ERR_NOT_APPLICABLE,
      "cycle: explicit time dependence of the model%s%s: %s; limit cycles are computed only for autonomous "
      "systems, because the phase of a load would be an additional coordinate",
      spec->model != NULL ? " " : "", spec->model != NULL ? spec->model : "", explicit_in_time(spec->sys));
}

static dls_status check_spec(const dls_cycle_spec *spec, double *tol, dls_error *err)
{
  const dls_scheme *scheme = spec->choice->scheme;
  const int option = dls_option_find(scheme->options, "tol");
  dls_sim *sim = NULL;
  if (scheme->stepping != DLS_BY_EVENT || option < 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "cycle: scheme %s goes by steps, cycles are found by events",
                    scheme->name);
  }
  if (!spec->sys->linear) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "cycle: the system is not linear between its events");
  }
  const dls_status autonomous = check_time(spec, err);
  if (autonomous != DLS_OK) {
    return autonomous;
  }
  if (spec->contact >= spec->sys->m) {
    return dls_fail(err, DLS_ERR_ARG, "cycle: there is no contact %zu, the system has %zu", spec->contact,
                    spec->sys->m);
  }
  const dls_status status = dls_scheme_choice_sim(spec->choice, spec->sys, &sim, err);
  *tol = status == DLS_OK ? sim->opt[option] : 0;
  dls_sim_destroy(sim);
  return status;
}

static dls_status make_finder(const dls_cycle_spec *spec, finder *f, dls_error *err)
{
  const dls_status status = dls_section_make(spec, &f->section, err);
  const size_t k = f->k = f->section.free, n2 = 2 * f->section.n;
  if (status != DLS_OK) {
    return status;
  }
  f->block = calloc(dls_size_sum(dls_size_product(k, 3 * k + 5), 2 * n2), sizeof *f->block);
  if (f->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a map of %zu coordinates", k);
  }
  f->x = f->block;
  f->there = f->x + k;
  f->low = f->there + k;
  f->high = f->low + k;
  f->step = f->high + k;
  f->z = f->step + k;
  f->z_there = f->z + n2;
  for (size_t i = 0; i < 3; i++) {
    f->derivative[i] = f->z_there + n2 + i * k * k;
  }
  return DLS_OK;
}

static dls_cycle *make_cycle(size_t n, size_t k)
{
  dls_cycle *cycle = calloc(1, sizeof *cycle);
  double *block = calloc(4 * n, sizeof *block);
  dls_multiplier *multipliers = calloc(k + 1, sizeof *multipliers);
  if (cycle == NULL || block == NULL || multipliers == NULL) {
    free(cycle);
    free(block);
    free(multipliers);
    return NULL;
  }
  *cycle = (dls_cycle){.n = n,
                       .q = block,
                       .v = block + n,
                       .advance = block + 2 * n,
                       .advance_error = block + 3 * n,
                       .multipliers = multipliers};
  return cycle;
}

static dls_status find(const dls_cycle_spec *spec, finder *f, dls_cycle **out, dls_error *err)
{
  double tol = 0, noise = 0;
  dls_status status = check_spec(spec, &tol, err);
  if (status != DLS_OK || (status = make_finder(spec, f, err)) != DLS_OK) {
    return status;
  }
  *out = make_cycle(f->section.n, f->k);
  if (*out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a cycle");
  }
  status = find_fixed_point(f, &(*out)->residual, err);
  if (status != DLS_OK || (status = describe(f, tol, *out, &noise, err)) != DLS_OK) {
    return status;
  }
  return find_multipliers(f, noise, *out, err);
}

dls_status dls_cycle_find(const dls_cycle_spec *spec, dls_cycle **out, dls_error *err)
{
  finder f = {0};
  *out = NULL;
  const dls_status status = find(spec, &f, out, err);
  if (status != DLS_OK) {
    dls_cycle_destroy(*out);
    *out = NULL;
  }
  dls_section_release(&f.section);
  free(f.block);
  return status;
}

void dls_cycle_destroy(dls_cycle *cycle)
{
  if (cycle != NULL) {
    free(cycle->q);
    free(cycle->multipliers);
    free(cycle);
  }
}
