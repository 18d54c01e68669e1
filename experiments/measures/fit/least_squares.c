/* experiments/measures/fit/least_squares.c -- see least_squares.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/least_squares.h"

#include "common/base/memory.h"
#include "experiments/measures/fit/sampled_descent.h"
#include "experiments/measures/fit/thresholds.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct work {
  const dls_least_squares *problem;
  size_t rows, residuals;   /* residuals = rows of_count */
  double *parameters;       /* all, of the present run */
  double *scale;            /* s of the substitutions */
  double *offset, *present; /* z and p of the last answer */
  dls_response *answer;
  bool answered;           /* the answer is that at `offset` */
  double best;             /* smallest norm of residuals so far; < 0: no run has succeeded */
  dls_event_shift *events; /* of the last iterate */
  size_t event_count;
  dls_minimum *minimum;
  dls_error *err; /* of what ends the iterations */
} work;

/* --- substitutions --- */

/* p(z) of parameter k, and dp/dz. */
static double substitute(const work *w, size_t k, double z, double *slope)
{
  const double a = w->problem->low[k], b = w->problem->high[k], s = w->scale[k], root = sqrt(z * z + 1);
  if (isfinite(a) && isfinite(b)) {
    *slope = 0.5 * (b - a) * cos(z);
    return fmin(fmax(a + 0.5 * (b - a) * (1 + sin(z)), a), b);
  }
  if (!isfinite(a) && !isfinite(b)) {
    *slope = s;
    return s * z;
  }
  *slope = (isfinite(a) ? s : -s) * z / root;
  return isfinite(a) ? a + s * (root - 1) : b - s * (root - 1);
}

/* The scale, and z of the start, moved inside the range if it is at a bound. */
static double start(work *w, size_t k, double p)
{
  const double a = w->problem->low[k], b = w->problem->high[k];
  if (isfinite(a) && isfinite(b)) {
    const double inside = threshold_start_inside * (b - a);
    return asin(2 * (fmin(fmax(p, a + inside), b - inside) - a) / (b - a) - 1);
  }
  if (!isfinite(a) && !isfinite(b)) {
    w->scale[k] = p != 0 ? fabs(p) : 1;
    return p / w->scale[k];
  }
  const double bound = isfinite(a) ? a : b, distance = fabs(p - bound);
  w->scale[k] = distance > 0 ? distance : bound != 0 ? fabs(bound) : 1;
  const double root = 1 + (distance > 0 ? distance / w->scale[k] : threshold_start_inside);
  return sqrt(root * root - 1);
}

/* --- residuals and their derivatives for GSL --- */

static double residual(const work *w, size_t i)
{
  return (w->answer->values[i] - w->problem->data[i]) / w->problem->sigma[i % w->problem->response->of_count];
}

static double norm_of_residuals(const work *w)
{
  double sum = 0;
  for (size_t i = 0; i < w->residuals; i++) {
    const double r = residual(w, i);
    sum += r * r;
  }
  return sqrt(sum);
}

/* The answer at z; one run gives values and derivatives. */
static dls_status answer_at(work *w, const gsl_vector *z, dls_error *err)
{
  const dls_response_spec *spec = w->problem->response;
  const dls_option *table = spec->model->parameters;
  for (size_t k = 0; k < spec->by_count; k++) {
    double slope = 0;
    w->offset[k] = gsl_vector_get(z, k);
    w->present[k] = substitute(w, k, w->offset[k], &slope);
    w->parameters[dls_option_find(table, spec->by[k])] = w->present[k];
  }
  const dls_status status = dls_response_at(spec, w->parameters, w->rows, w->answer, err);
  w->answered = status == DLS_OK;
  return status;
}

static bool is_answered(const work *w, const gsl_vector *z)
{
  bool same = w->answered;
  for (size_t k = 0; same && k < w->problem->response->by_count; k++) {
    same = w->offset[k] == gsl_vector_get(z, k);
  }
  return same;
}

/* Failures that no other parameters mend. */
static bool is_final(dls_status status)
{
  return status == DLS_ERR_MEMORY || status == DLS_ERR_INTERRUPTED || status == DLS_ERR_NOT_APPLICABLE;
}

static int residuals_at(const gsl_vector *z, void *data, gsl_vector *f)
{
  work *w = data;
  dls_error why = {0};
  const dls_status status = answer_at(w, z, &why);
  if (status != DLS_OK && (is_final(status) || w->best < 0)) {
    *w->err = why;
    return GSL_EFAILED;
  }
  if (status != DLS_OK) {
    w->minimum->failed_runs++;
    w->minimum->failure = why;
    gsl_vector_set_all(f, threshold_failed_residual * (w->best + 1));
    return GSL_SUCCESS;
  }
  for (size_t i = 0; i < w->residuals; i++) {
    gsl_vector_set(f, i, residual(w, i));
  }
  const double norm = norm_of_residuals(w);
  w->best = w->best < 0 || norm < w->best ? norm : w->best;
  return GSL_SUCCESS;
}

/* Names the first derivative that does not exist. */
static dls_status missing_derivative(const work *w, size_t i, size_t k)
{
  const dls_response_spec *spec = w->problem->response;
  const dls_response_status *s = &w->answer->status[k];
  return dls_fail(
      w->err, DLS_ERR_NOT_APPLICABLE,
      "the derivative with respect to %s = %.10g does not exist from t = %.10g s on: it is %s at t = %.10g s; "
      "use data up to that time alone, or --method difference:relative=D",
      spec->by[k], w->present[k], spec->t[i / spec->of_count], dls_derivative_status_name(s->status), s->time);
}

double dls_least_squares_near_bound(double low, double high, double p)
{
  return threshold_at_bound * (isfinite(high - low) ? high - low : fmax(fabs(p), 1));
}

bool dls_least_squares_has_effect(const dls_least_squares *problem, size_t rows, const dls_response *answer,
                                  const double *p, size_t k)
{
  const size_t count = problem->response->by_count, of_count = problem->response->of_count;
  const double range = problem->high[k] - problem->low[k];
  const double size = p[k] != 0 ? fabs(p[k]) : isfinite(range) ? range : 1;
  double change = 0, all = 0;
  for (size_t i = 0; i < rows * of_count; i++) {
    const double d = answer->jacobian[i * count + k] * size / problem->sigma[i % of_count];
    const double y = problem->data[i] / problem->sigma[i % of_count];
    change += d * d;
    all += y * y;
  }
  return sqrt(change) > threshold_no_effect * sqrt(all);
}

/* A parameter without effect stays: what is left of its derivatives is rounding. */
static int jacobian_at(const gsl_vector *z, void *data, gsl_matrix *J)
{
  work *w = data;
  const size_t count = w->problem->response->by_count;
  const dls_status status = is_answered(w, z) ? DLS_OK : answer_at(w, z, w->err);
  if (status != DLS_OK) {
    return is_final(status) ? GSL_EFAILED : GSL_EDOM;
  }
  for (size_t k = 0; k < count; k++) {
    double slope = 0;
    substitute(w, k, w->offset[k], &slope);
    slope = dls_least_squares_has_effect(w->problem, w->rows, w->answer, w->present, k) ? slope : 0;
    for (size_t i = 0; i < w->residuals; i++) {
      const double d = w->answer->jacobian[i * count + k];
      if (!isfinite(d)) {
        missing_derivative(w, i, k);
        return GSL_EDOM;
      }
      gsl_matrix_set(J, i, k, d * slope / w->problem->sigma[i % w->problem->response->of_count]);
    }
  }
  return GSL_SUCCESS;
}

/* --- decomposition and end of iterations --- */

dls_status dls_least_squares_decompose(const dls_least_squares *problem, size_t rows,
                                       const dls_response *answer, const bool *used, double *U, double *S,
                                       double *V, double *norm, dls_error *err)
{
  const size_t count = problem->response->by_count, of_count = problem->response->of_count;
  const size_t residuals = rows * of_count;
  gsl_matrix *J = gsl_matrix_alloc(residuals, count);
  if (J == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a matrix of %zu x %zu", residuals, count);
  }
  for (size_t k = 0; k < count; k++) {
    norm[k] = 0;
    for (size_t i = 0; i < residuals; i++) {
      const bool zero = used != NULL && !used[k];
      const double d = zero ? 0 : answer->jacobian[i * count + k] / problem->sigma[i % of_count];
      gsl_matrix_set(J, i, k, d);
      norm[k] += d * d;
    }
    norm[k] = sqrt(norm[k]);
    gsl_vector_view column = gsl_matrix_column(J, k);
    gsl_vector_scale(&column.vector, norm[k] > 0 ? 1 / norm[k] : 0);
  }
  gsl_matrix_view v = gsl_matrix_view_array(V, count, count);
  gsl_vector_view s = gsl_vector_view_array(S, count);
  const int code = gsl_linalg_SV_decomp_jacobi(J, &v.matrix, &s.vector);
  for (size_t i = 0; i < residuals; i++) {
    for (size_t k = 0; k < count; k++) {
      U[i * count + k] = gsl_matrix_get(J, i, k);
    }
  }
  gsl_matrix_free(J);
  return code == GSL_SUCCESS
             ? DLS_OK
             : dls_fail(err, DLS_ERR_NOCONV, "the singular values of the derivatives: %s", gsl_strerror(code));
}

/* Can parameter k reduce the residual? Not at a bound if S falls beyond it, nor without effect. */
static bool is_free(const work *w, size_t k)
{
  const dls_least_squares *problem = w->problem;
  const double p = w->present[k], low = problem->low[k], high = problem->high[k];
  const double near = dls_least_squares_near_bound(low, high, p);
  double slope = 0; /* of S / 2 */
  for (size_t i = 0; i < w->residuals; i++) {
    slope += w->answer->jacobian[i * problem->response->by_count + k] * residual(w, i) /
             problem->sigma[i % problem->response->of_count];
  }
  return !(p - low < near && slope > 0) && !(high - p < near && slope < 0) &&
         dls_least_squares_has_effect(problem, w->rows, w->answer, w->present, k);
}

/* The criterion of Bates and Watts: the projection of the residual on the tangent plane against the remainder. */
static dls_status relative_offset(const work *w, double *offset, dls_error *err)
{
  const size_t count = w->problem->response->by_count;
  double *block = calloc(dls_size_product(count, w->residuals + count + 2), sizeof *block);
  bool *used = calloc(count + 1, sizeof *used);
  if (block == NULL || used == NULL) {
    free(block);
    free(used);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu residuals", w->residuals);
  }
  double *U = block, *V = U + w->residuals * count, *S = V + count * count, *norm = S + count;
  for (size_t k = 0; k < count; k++) {
    used[k] = is_free(w, k);
  }
  const dls_status status =
      dls_least_squares_decompose(w->problem, w->rows, w->answer, used, U, S, V, norm, err);
  double tangent = 0, rank = 0;
  for (size_t k = 0; k < count && status == DLS_OK; k++) {
    if (S[k] > threshold_rank * S[0]) {
      double projection = 0;
      for (size_t i = 0; i < w->residuals; i++) {
        projection += U[i * count + k] * residual(w, i);
      }
      tangent += projection * projection;
      rank++;
    }
  }
  const double all = norm_of_residuals(w), freedom = (double)w->residuals - rank;
  const double rest = fmax(all * all - tangent, 0);
  *offset = rank == 0 ? 0 : freedom > 0 ? sqrt(tangent / rank) / sqrt(rest / freedom) : sqrt(tangent);
  free(block);
  free(used);
  return status;
}

/* --- iterations --- */

/* Keep the events of an iterate. */
static dls_status note_events(work *w, bool first, dls_error *err)
{
  const dls_response *answer = w->answer;
  if (!first && !dls_response_same_events(w->events, w->event_count, answer->events, answer->event_count)) {
    w->minimum->event_changes++;
  }
  dls_event_shift *events = realloc(w->events, (answer->event_count + 1) * sizeof *events);
  if (events == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu events", answer->event_count);
  }
  w->events = events;
  w->event_count = answer->event_count;
  if (answer->event_count > 0) {
    memcpy(events, answer->events, answer->event_count * sizeof *events);
  }
  return DLS_OK;
}

/* The answer at the present iterate, which a rejected change may have overwritten. */
static dls_status restore_answer(work *w, const gsl_multifit_nlinear_workspace *gsl, dls_error *err)
{
  const gsl_vector *z = gsl_multifit_nlinear_position(gsl);
  return is_answered(w, z) ? DLS_OK : answer_at(w, z, err);
}

static dls_status iterate(work *w, gsl_multifit_nlinear_workspace *gsl, dls_error *err)
{
  dls_status status = note_events(w, true, err);
  double *offset = &w->minimum->offset;
  if (status != DLS_OK || (status = relative_offset(w, offset, err)) != DLS_OK) {
    return status;
  }
  w->minimum->converged = *offset < w->problem->tol;
  while (!w->minimum->converged && w->minimum->iterations < w->problem->iterations) {
    const int code = gsl_multifit_nlinear_iterate(gsl);
    if (code != GSL_SUCCESS && code != GSL_ENOPROG) {
      return err->status != DLS_OK ? err->status
                                   : dls_fail(err, DLS_ERR_NOCONV, "least squares: %s", gsl_strerror(code));
    }
    w->minimum->iterations++;
    if ((status = restore_answer(w, gsl, err)) != DLS_OK || (status = note_events(w, false, err)) != DLS_OK ||
        (status = relative_offset(w, offset, err)) != DLS_OK) {
      return status;
    }
    w->minimum->converged = *offset < w->problem->tol;
    if (code == GSL_ENOPROG) {
      break;
    }
  }
  return DLS_OK;
}

/* Are the residuals those of data without noise? Then they are integration errors, and S has no better minimum. */
static bool is_exact(const work *w)
{
  double all = 0;
  for (size_t i = 0; i < w->residuals; i++) {
    const double y = w->problem->data[i] / w->problem->sigma[i % w->problem->response->of_count];
    all += y * y;
  }
  return norm_of_residuals(w) < threshold_exact_data * sqrt(all);
}

/* The end of iterations without a small gradient: S may have a kink. */
static dls_status descend_at_kink(work *w, const gsl_multifit_nlinear_fdf *fdf, gsl_vector *z, dls_error *err)
{
  double offset = 0;
  const int code = dls_sampled_descent(fdf, z, threshold_kink, &offset);
  if (code != GSL_SUCCESS) {
    return err->status != DLS_OK ? err->status
                                 : dls_fail(err, DLS_ERR_NOCONV, "least squares: %s", gsl_strerror(code));
  }
  *err = (dls_error){0}; /* of gradients that do not exist */
  w->minimum->offset = offset;
  w->minimum->converged = w->minimum->kink = offset <= threshold_kink;
  return is_answered(w, z) ? DLS_OK : answer_at(w, z, err);
}

static dls_status minimise(work *w, gsl_multifit_nlinear_workspace *gsl, gsl_vector *z, dls_error *err)
{
  const size_t count = w->problem->response->by_count;
  gsl_multifit_nlinear_fdf fdf = {
      .f = residuals_at, .df = jacobian_at, .n = w->residuals, .p = count, .params = w};
  for (size_t k = 0; k < count; k++) {
    gsl_vector_set(z, k, start(w, k, w->minimum->p[k]));
  }
  const int code = gsl_multifit_nlinear_init(z, &fdf, gsl);
  if (code != GSL_SUCCESS) {
    return err->status != DLS_OK ? err->status
                                 : dls_fail(err, DLS_ERR_NOCONV, "least squares: %s", gsl_strerror(code));
  }
  dls_status status = iterate(w, gsl, err);
  if (status == DLS_OK && !w->minimum->converged && !is_exact(w) && w->rows == w->problem->response->rows) {
    gsl_vector_memcpy(z, gsl_multifit_nlinear_position(gsl));
    status = descend_at_kink(w, &fdf, z, err);
  }
  if (status == DLS_OK && is_exact(w)) {
    w->minimum->converged = true;
    w->minimum->kink = false;
  }
  memcpy(w->minimum->p, w->present, count * sizeof *w->present);
  const double norm = norm_of_residuals(w);
  w->minimum->sum = norm * norm;
  return status;
}

dls_status dls_least_squares_minimise(const dls_least_squares *problem, size_t rows, dls_minimum *minimum,
                                      dls_response *answer, dls_error *err)
{
  const dls_response_spec *spec = problem->response;
  const size_t count = spec->by_count, all = dls_option_count(spec->model->parameters);
  dls_error own = {0};
  work w = {.problem = problem,
            .rows = rows,
            .residuals = rows * spec->of_count,
            .answer = answer,
            .best = -1,
            .minimum = minimum,
            .err = &own};
  gsl_multifit_nlinear_parameters choices = gsl_multifit_nlinear_default_parameters();
  gsl_multifit_nlinear_workspace *gsl =
      gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &choices, w.residuals, count);
  gsl_vector *z = gsl_vector_alloc(count);
  double *block = calloc(all + 3 * count + 1, sizeof *block);
  dls_status status = gsl != NULL && z != NULL && block != NULL
                          ? DLS_OK
                          : dls_fail(&own, DLS_ERR_MEMORY, "no memory for %zu residuals", w.residuals);
  minimum->iterations = minimum->event_changes = minimum->failed_runs = 0;
  minimum->kink = false;
  if (status == DLS_OK) {
    w.parameters = block;
    w.scale = block + all;
    w.offset = w.scale + count;
    w.present = w.offset + count;
    memcpy(w.parameters, problem->parameters, all * sizeof *block);
    status = minimise(&w, gsl, z, &own);
  }
  if (gsl != NULL) {
    gsl_multifit_nlinear_free(gsl);
  }
  if (z != NULL) {
    gsl_vector_free(z);
  }
  free(block);
  free(w.events);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "%s", own.text);
}
