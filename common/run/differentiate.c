/* differentiate.c -- how the derivatives of a run are asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/sensitivity.h"
#include "common/run/step_tangents.h"
#include "common/run/step_thresholds.h"
#include <delassus/scheme.h>
#include <math.h>
#include <string.h>

dls_status dls_sim_differentiate(dls_sim *sim, size_t count, const dls_direction *directions, dls_error *err)
{
  return dls_sim_differentiate_as(sim, &(dls_tangent_method){DLS_TANGENT_SALTATION, 0}, count, directions, err);
}

dls_status dls_sim_differentiate_as(dls_sim *sim, const dls_tangent_method *method, size_t count,
                                    const dls_direction *directions, dls_error *err)
{
  const bool by_events = (sim->scheme->handles & DLS_HANDLES_DERIVATIVES) != 0;
  if (by_events && method->kind != DLS_TANGENT_SALTATION) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s locates events, so its derivatives are those of the motion: tangent = %s is for "
                    "schemes by step; allowed is saltation",
                    sim->scheme->name, dls_tangent_kind_name(method->kind));
  }
  const dls_status status = dls_sensitivity_create(sim, count, 0, directions, err);
  return status != DLS_OK || by_events ? status : dls_step_tangents_create(sim, method, err);
}

const char *dls_tangent_kind_name(dls_tangent_kind kind)
{
#define NAME(name, text) text,
  static const char *const names[] = {DLS_TANGENT_LIST(NAME)};
#undef NAME
  return names[kind];
}

dls_status dls_tangent_method_parse(const char *text, dls_tangent_method *out, dls_error *err)
{
  static const char prefix[] = "difference:delta=";
  *out = (dls_tangent_method){.delta = 0};
  for (int kind = DLS_TANGENT_SALTATION; kind < DLS_TANGENT_DIFFERENCE; kind++) {
    if (strcmp(text, dls_tangent_kind_name((dls_tangent_kind)kind)) == 0) {
      out->kind = (dls_tangent_kind)kind;
      return DLS_OK;
    }
  }
  if (strncmp(text, prefix, strlen(prefix)) != 0) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "--tangent = %.60s: allowed are saltation, plain and difference:delta=D", text);
  }
  out->kind = DLS_TANGENT_DIFFERENCE;
  const dls_status status =
      dls_parse_number("--tangent difference:delta", text + strlen(prefix), &out->delta, err);
  return status != DLS_OK || (out->delta > 0 && isfinite(out->delta))
             ? status
             : dls_fail(err, DLS_ERR_OPTION, "--tangent difference:delta = %g must be > 0", out->delta);
}

dls_status dls_tangent_direction(const dls_scheme *scheme, const dls_tangent_method *method,
                                 const dls_model *model, const double *parameters, const char *name,
                                 dls_direction *out, dls_error *err)
{
  const int which = dls_option_find(model->parameters, name);
  if ((scheme->handles & DLS_HANDLES_DERIVATIVES) != 0 || which < 0) { /* an unknown name is reported */
    return dls_direction_create(model, parameters, name, out, err);
  }
  return method != NULL && method->kind == DLS_TANGENT_DIFFERENCE
             ? dls_direction_create_at(model, parameters, name, method->delta, out, err)
             : dls_direction_create_near(model, parameters, name, threshold_neighbour_distance, out, err);
}
