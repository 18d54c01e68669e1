/* experiments/measures/fit/made_data.c -- a motion with known parameters, and normal noise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/made_data.h"

#include "common/base/memory.h"
#include "experiments/measures/fit/response.h"
#include "experiments/measures/gradient/gradient.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_status no_memory(size_t rows, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of data", rows);
}

static dls_status find_places(const dls_fit_made *made, size_t of_count, const char *const *of, size_t *places,
                              dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(made->model.model, made->model.parameters, &sys, err);
  for (size_t j = 0; j < of_count && status == DLS_OK; j++) {
    status = dls_quantity_find(sys, of[j], &places[j], err);
  }
  dls_system_destroy(sys);
  return status;
}

static dls_status add_noise(const dls_fit_made *made, size_t count, double *values, dls_error *err)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  if (rng == NULL) {
    return no_memory(made->rows, err);
  }
  gsl_rng_set(rng, made->seed);
  for (size_t i = 0; i < count; i++) {
    values[i] += gsl_ran_gaussian_ziggurat(rng, made->noise);
  }
  gsl_rng_free(rng);
  return DLS_OK;
}

static dls_status answer(const dls_response_spec *spec, const double *parameters, double *values,
                         dls_error *err)
{
  dls_response response = {0};
  dls_status status = dls_response_create(spec, &response, err);
  if (status == DLS_OK) {
    status = dls_response_values(spec, parameters, spec->rows, &response, err);
  }
  if (status == DLS_OK) {
    memcpy(values, response.values, spec->rows * spec->of_count * sizeof *values);
  }
  dls_response_release(&response);
  return status;
}

dls_status dls_fit_table_make(const dls_fit_made *made, size_t of_count, const char *const *of,
                              dls_fit_table *out, dls_error *err)
{
  const size_t rows = made->rows;
  *out = (dls_fit_table){0};
  size_t *places = calloc(of_count + 1, sizeof *places);
  out->block = calloc(dls_size_sum(dls_size_product(1 + of_count, rows), 1), sizeof *out->block);
  if (places == NULL || out->block == NULL) {
    free(places);
    return no_memory(rows, err);
  }
  double *t = out->block, *values = t + rows;
  for (size_t i = 0; i < rows; i++) {
    t[i] = made->end * ((double)(i + 1) / (double)rows);
  }
  out->data = (dls_fit_data){rows, of_count, t, values, of};
  const dls_response_spec spec = {.model = made->model.model,
                                  .scheme = &made->scheme,
                                  .rows = rows,
                                  .t = t,
                                  .of_count = of_count,
                                  .of = places};
  dls_status status = find_places(made, of_count, of, places, err);
  if (status == DLS_OK && (status = answer(&spec, made->model.parameters, values, err)) == DLS_OK) {
    status = add_noise(made, rows * of_count, values, err);
  }
  free(places);
  return status;
}
