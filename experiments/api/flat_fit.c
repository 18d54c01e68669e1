/* experiments/api/flat_fit.c -- parameters from data in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/pool.h"
#include "experiments/api/flat_internal.h"
#include "experiments/measures/fit/parameter_fit.h"
#include <stdlib.h>
#include <string.h>

struct dls_flat_fit {
  dls_model_choice model;
  dls_scheme_choice scheme;
  dls_pool pool; /* names */
  dls_parameter_fit_spec spec;
  dls_parameter_fit *fit;
  int (*poll)(void *data, double t);
  void *poll_data;
};

static bool poll_caller(void *data, double t)
{
  const dls_flat_fit *f = data;
  return f->poll == NULL || f->poll(f->poll_data, t) != 0;
}

/* Names that live as long as the fit. */
static const char *const *keep(dls_pool *pool, size_t count, const char *const *names)
{
  const char **kept = dls_pool_take(pool, (count + 1) * sizeof *kept);
  for (size_t i = 0; i < count && kept != NULL; i++) {
    kept[i] = dls_pool_copy(pool, names[i], strlen(names[i]));
  }
  return kept;
}

static dls_status prepare(const dls_catalogue *catalogue, const char *model, size_t count,
                          const char *const *settings, const char *scheme, const dls_flat_fit_spec *spec,
                          dls_flat_fit *f, dls_error *err)
{
  dls_status status = dls_flat_choose(catalogue, model, count, settings, &f->model, err);
  if (status != DLS_OK || (status = dls_catalogue_choose(catalogue, scheme, &f->scheme, err)) != DLS_OK ||
      (status = dls_flat_check_step(f->scheme.scheme, spec->step, err)) != DLS_OK) {
    return status;
  }
  f->poll = spec->poll;
  f->poll_data = spec->poll_data;
  f->spec = (dls_parameter_fit_spec){
      .model = f->model.model,
      .parameters = f->model.parameters,
      .scheme = &f->scheme,
      .step = spec->step,
      .data = {spec->rows, spec->of_count, spec->t, spec->values, keep(&f->pool, spec->of_count, spec->of)},
      .by_count = spec->by_count,
      .by = keep(&f->pool, spec->by_count, spec->by),
      .low = spec->low,
      .high = spec->high,
      .sigma = spec->sigma,
      .level = spec->level,
      .tol = spec->tol,
      .iterations = spec->iterations,
      .starts = spec->starts,
      .relative = spec->relative,
      .poll = poll_caller,
      .poll_data = f,
  };
  return f->pool.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the names of a fit") : DLS_OK;
}

/* What belongs to the caller is not used after the fit. */
static void forget_caller(dls_flat_fit *f)
{
  f->poll = NULL;
  f->spec.low = f->spec.high = f->spec.sigma = f->spec.data.t = f->spec.data.values = NULL;
  f->spec.starts = 1;
}

int dls_flat_fit_run(const dls_catalogue *catalogue, const char *model, size_t count,
                     const char *const *settings, const char *scheme, const dls_flat_fit_spec *spec,
                     dls_flat_fit **out, char *error, size_t size)
{
  dls_error err = {0};
  dls_flat_fit *f = *out = calloc(1, sizeof *f);
  dls_status status = f != NULL ? prepare(catalogue, model, count, settings, scheme, spec, f, &err)
                                : dls_fail(&err, DLS_ERR_MEMORY, "no memory for a fit");
  if (status == DLS_OK) {
    status = dls_parameter_fit_run(&f->spec, &f->fit, &err);
    forget_caller(f);
  }
  return dls_flat_report(status, &err, error, size);
}

/* One number of each estimate. */
static double number_of(const dls_estimate *e, char first)
{
  return first == 'v' ? e->value : first == 'l' ? e->low : first == 'h' ? e->high : e->error;
}

long dls_flat_fit_numbers(const dls_flat_fit *f, const char *what, size_t room, double *values)
{
  const dls_parameter_fit *fit = f->fit;
  const double summary[] = {fit->converged, (double)fit->iterations, (double)fit->runs, (double)fit->freedom,
                            fit->quantile};
  const struct {
    const char *name;
    size_t count;
    const double *values; /* NULL: of the estimates */
  } lists[] = {{"value", fit->by_count, NULL},
               {"low", fit->by_count, NULL},
               {"high", fit->by_count, NULL},
               {"error", fit->by_count, NULL},
               {"covariance", fit->by_count * fit->by_count, fit->covariance},
               {"sigma", fit->of_count, fit->sigma},
               {"rms", fit->of_count, fit->rms},
               {"fitted", fit->rows * fit->of_count, fit->values},
               {"summary", sizeof summary / sizeof summary[0], summary}};
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    if (strcmp(what, lists[i].name) == 0) {
      for (size_t k = 0; k < lists[i].count && k < room; k++) {
        values[k] = lists[i].values != NULL ? lists[i].values[k] : number_of(&fit->estimates[k], what[0]);
      }
      return (long)lists[i].count;
    }
  }
  return DLS_ERR_OPTION;
}

const char *dls_flat_fit_status(const dls_flat_fit *f, size_t index)
{
  return index < f->fit->by_count ? dls_derivative_status_name(f->fit->estimates[index].status) : NULL;
}

const char *dls_flat_fit_message(const dls_flat_fit *f, size_t index)
{
  return index < f->fit->message_count ? f->fit->messages[index] : NULL;
}

int dls_flat_fit_curve(const dls_flat_fit *f, size_t rows, const double *t, double *values, double *half,
                       char *error, size_t size)
{
  dls_error err = {0};
  const dls_status status = dls_parameter_fit_curve(&f->spec, f->fit, rows, t, values, half, &err);
  return dls_flat_report(status, &err, error, size);
}

void dls_flat_fit_free(dls_flat_fit *f)
{
  if (f != NULL) {
    dls_parameter_fit_destroy(f->fit);
    dls_pool_release(&f->pool);
    dls_model_choice_release(&f->model);
    free(f);
  }
}
