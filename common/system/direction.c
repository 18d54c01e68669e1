/* direction.c -- the direction of a parameter: the systems that a model makes of its neighbouring values, and their weights.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/direction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Distance of neighbouring values, of the size of the parameter: a power of two, so that values and differences are exact. The
 * truncation is of second order, 1e-10, and the round-off of a difference 1e-11. */
static const double relative_distance = 0x1p-17;

/* Values p + at[i] step, and the weights of first derivatives, per 1/step: central, forward, backward. */
typedef struct stencil {
  size_t count;
  double at[DLS_DIRECTION_SYSTEMS], weight[DLS_DIRECTION_SYSTEMS];
} stencil;
static const stencil stencils[] = {
    {2, {-1, 1}, {-0.5, 0.5}}, {3, {0, 1, 2}, {-1.5, 2, -0.5}}, {3, {0, -1, -2}, {1.5, -2, 0.5}}};
enum { STENCILS = sizeof stencils / sizeof stencils[0] };

double dls_direction_size(const dls_option *option, double value)
{
  const double size = value != 0 ? fabs(value) : option->initial != 0 ? fabs(option->initial) : 1;
  return exp2(rint(log2(size)));
}

void dls_direction_release(dls_direction *direction)
{
  for (size_t i = 0; i < direction->count; i++) {
    dls_system_destroy(direction->system[i]);
    direction->system[i] = NULL;
  }
  direction->count = 0;
}

/* The systems of one stencil. */
static dls_status make(const dls_model *model, double *values, size_t which, const stencil *s, double step,
                       dls_direction *out, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < s->count && status == DLS_OK; i++) {
    values[which] = out->value + s->at[i] * step;
    status = dls_model_create(model, values, &out->system[i], err);
    out->weight[i] = s->weight[i] / step;
    out->offset[i] = s->at[i] * step;
    out->count = i + 1;
  }
  values[which] = out->value;
  if (status != DLS_OK) {
    dls_direction_release(out);
  }
  return status;
}

static dls_status check_parameter(const dls_model *model, const char *name, int which, dls_error *err)
{
  const dls_option *table = model->parameters;
  if (which < 0) {
    double *unused = calloc(dls_option_count(table) + 1, sizeof *unused);
    char owner[80];
    snprintf(owner, sizeof owner, "model %s", model->name);
    const dls_status status =
        unused == NULL ? dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", model->name)
                       : dls_option_set(table, owner, name, 0, unused, err); /* its message lists the names */
    free(unused);
    return status;
  }
  return table[which].kind == DLS_REAL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION,
                        "model %s: %s has separate values, so there is no derivative with respect to it",
                        model->name, name);
}

dls_status dls_direction_create(const dls_model *model, const double *parameters, const char *name,
                                dls_direction *out, dls_error *err)
{
  return dls_direction_create_at(model, parameters, name, 0, out, err);
}

dls_status dls_direction_create_at(const dls_model *model, const double *parameters, const char *name,
                                   double distance, dls_direction *out, dls_error *err)
{
  const dls_option *table = model->parameters;
  const int which = dls_option_find(table, name);
  *out = (dls_direction){.one_sided = false};
  snprintf(out->name, sizeof out->name, "%s", name);
  dls_status status = check_parameter(model, name, which, err);
  if (status != DLS_OK) {
    return status;
  }
  double *values = calloc(dls_option_count(table) + 1, sizeof *values);
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for the parameters", model->name);
  }
  dls_option_defaults(table, values);
  if (parameters != NULL) {
    memcpy(values, parameters, dls_option_count(table) * sizeof *values);
  }
  out->value = values[which];
  const double step =
      distance > 0 ? distance : relative_distance * dls_direction_size(&table[which], out->value);
  dls_error first = {0};
  status = make(model, values, (size_t)which, &stencils[0], step, out, &first);
  for (size_t i = 1; i < STENCILS && status != DLS_OK && status != DLS_ERR_MEMORY; i++) {
    out->one_sided = true;
    status = make(model, values, (size_t)which, &stencils[i], step, out, err);
  }
  free(values);
  if (status != DLS_OK) {
    return dls_fail(err, status, "no derivative with respect to %s: %s", name, first.text);
  }
  return DLS_OK;
}
