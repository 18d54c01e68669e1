/* experiments/cli/refusals.c -- schemes that cannot treat a model are refused before anything is run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/refusals.h"
#include "common/run/capabilities.h"
#include "experiments/catalogue/scheme_choice.h"
#include "experiments/cli/progress.h"
#include "experiments/extra/foreign/external.h"
#include <delassus/choice.h>
#include <delassus/sim.h>
#include <stdlib.h>
#include <string.h>

/* The first feature of the system that the scheme does not treat; NULL: it has another reason to refuse. */
static const char *untreated(const dls_scheme *scheme, const dls_system *sys)
{
  for (const dls_capability *c = dls_capabilities; c->what != NULL; c++) {
    char has[80];
    if (c->needed != NULL && !dls_scheme_treats(scheme, c) && c->needed(sys, has, sizeof has)) {
      return c->excludes ? NULL : c->label;
    }
  }
  return NULL;
}

void dls_cli_add_remedy(const dls_scheme *scheme, const dls_system *sys, dls_error *err)
{
  const char *label = err->status == DLS_ERR_NOT_APPLICABLE && sys != NULL ? untreated(scheme, sys) : NULL;
  const dls_error why = *err;
  if (label != NULL) {
    dls_fail(err, why.status, "%.300s; `delassus list schemes %s` lists those that do", why.text, label);
  }
}

/* DLS_ERR_NOT_APPLICABLE only for a refusal: other failures belong to a run. */
static dls_status check(const dls_scheme_choice *choice, const dls_system *sys, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_error why = {0};
  dls_status status = dls_scheme_choice_sim(choice, sys, &sim, &why);
  if (status == DLS_OK) {
    status = dls_sim_start(sim, &why);
  }
  dls_sim_destroy(sim);
  if (status != DLS_ERR_NOT_APPLICABLE) {
    return DLS_OK;
  }
  dls_cli_add_remedy(choice->scheme, sys, &why);
  return dls_fail(err, status, "%s", why.text);
}

dls_status dls_cli_check_schemes(const dls_request *request, dls_error *err)
{
  dls_system *sys = NULL;
  dls_status status = dls_model_create(request->model.model, request->model.parameters, &sys, err);
  for (size_t i = 0; i < request->spec.scheme_count && status == DLS_OK; i++) {
    const dls_scheme_choice *choice = &request->spec.schemes[i];
    status = dls_external_of(choice->scheme) != NULL ? DLS_OK : check(choice, sys, err);
  }
  dls_system_destroy(sys);
  return status;
}

/* Scheme i at a point of the axes, whose values replace parameters (a copy of them) and options. @return DLS_ERR_NOT_APPLICABLE
 * only for a refusal */
static dls_status check_point(const dls_request *request, size_t i, size_t count, const dls_sweep_axis *axes,
                              size_t point, double *parameters, dls_error *err)
{
  const dls_option *table = request->model.model->parameters;
  dls_scheme_choice choice = request->spec.schemes[i];
  dls_system *sys = NULL;
  bool good = true;
  memcpy(parameters, request->model.parameters, dls_option_count(table) * sizeof *parameters);
  for (const dls_sweep_axis *axis = axes; axis < axes + count; axis++) {
    const double value = dls_sweep_axis_value(axis, point % axis->count);
    point /= axis->count;
    if (axis->of == DLS_SWEEP_PARAMETER) {
      parameters[axis->parameter - table] = value;
    } else if (axis->of == DLS_SWEEP_SCHEME_OPTION) {
      const dls_scheme_choice without = choice;
      good = good && dls_scheme_choice_with(&without, axis->parameter, value, &choice, err) == DLS_OK;
    }
  }
  good = good && dls_model_create(request->model.model, parameters, &sys, err) == DLS_OK;
  const dls_status status = good ? check(&choice, sys, err) : DLS_OK;
  dls_system_destroy(sys);
  return status;
}

dls_status dls_cli_check_swept_schemes(const dls_request *request, size_t count, const dls_sweep_axis *axes,
                                       dls_error *err)
{
  size_t points = 1;
  for (size_t k = 0; k < count; k++) {
    points *= axes[k].count;
  }
  double *parameters = malloc((dls_option_count(request->model.model->parameters) + 1) * sizeof *parameters);
  dls_status status =
      parameters != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for the parameters of a model");
  for (size_t i = 0; i < request->spec.scheme_count && status == DLS_OK; i++) {
    const bool ours = dls_external_of(request->spec.schemes[i].scheme) == NULL;
    dls_error first = {0};
    size_t point = 0;
    while (ours && point < points && dls_cli_signal() == 0 &&
           check_point(request, i, count, axes, point, parameters, point == 0 ? &first : &(dls_error){0}) ==
               DLS_ERR_NOT_APPLICABLE) {
      point++;
    }
    if (point == points) {
      status = dls_fail(err, DLS_ERR_NOT_APPLICABLE, "at all %zu points of the sweep: %s", points, first.text);
    }
  }
  free(parameters);
  return status;
}
