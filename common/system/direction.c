/* direction.c -- the direction of a parameter: the systems that a model makes of its neighbouring values, and their weights.
 *
 * Differences of data that hardly change are round-off: mu = 1e-9 (1 +- 2^-17) moves impulses by 1e-14. So the distance D of the values is
 * chosen by what it changes: from 2^-17 of the size of p it is enlarged until the data of the systems differ by about as much of their
 * scales, as long as they lie on a straight line over p.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/direction_scale.h"
#include "common/system/thresholds.h"
#include <delassus/direction.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A model, and the parameter among its values. */
typedef struct origin {
  const dls_model *model;
  double *values;
  size_t which;
} origin;

static dls_status make_system(const origin *from, double p, dls_system **out, dls_error *err)
{
  const double kept = from->values[from->which];
  from->values[from->which] = p;
  const dls_status status = dls_model_create(from->model, from->values, out, err);
  from->values[from->which] = kept;
  return status;
}

/* The systems of one stencil. */
static dls_status make(const origin *from, const stencil *s, double step, dls_direction *out, dls_error *err)
{
  dls_status status = DLS_OK;
  out->count = 0;
  for (size_t i = 0; i < s->count && status == DLS_OK; i++) {
    status = make_system(from, out->value + s->at[i] * step, &out->system[i], err);
    out->weight[i] = s->weight[i] / step;
    out->offset[i] = s->at[i] * step;
    out->count = i + 1;
  }
  if (status != DLS_OK) {
    dls_direction_release(out);
  }
  return status;
}

/* The systems of the first stencil that is inside the range. @param[out] err  why it is not the first of all */
static dls_status make_inside(const origin *from, double step, dls_direction *out, dls_error *err)
{
  dls_status status = make(from, &stencils[0], step, out, err);
  for (size_t i = 1; i < STENCILS && status != DLS_OK && status != DLS_ERR_MEMORY; i++) {
    dls_error unused = {0};
    status = make(from, &stencils[i], step, out, &unused);
  }
  return status;
}

/* Does the range of p end at its value? */
static dls_status find_end(const origin *from, double size, dls_direction *out)
{
  dls_status status = DLS_OK;
  for (int side = -1; side <= 1 && out->count != stencils[0].count && status != DLS_ERR_MEMORY; side += 2) {
    dls_system *sys = NULL;
    status = make_system(from, out->value + side * threshold_beside * size, &sys, NULL);
    out->one_sided = out->one_sided || status != DLS_OK;
    dls_system_destroy(sys);
  }
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

/* change: of the systems if p changes by `size`. straight_line: they are on one with that of the value itself. d->rounding is set */
static dls_status measure(const origin *from, dls_direction *d, double size, double *change,
                          bool *straight_line, dls_error *err)
{
  const dls_system *at[DLS_DIRECTION_SYSTEMS] = {d->system[0], d->system[1], d->system[2]};
  dls_system *base = NULL;
  size_t count = d->count;
  dls_status status = DLS_OK;
  if (straight_line != NULL && count == 2) {
    status = make_system(from, d->value, &base, err);
    at[2] = at[1];
    at[1] = base;
    count = 3;
  }
  dls_system_change found = {0};
  status = status != DLS_OK ? status : dls_system_compare(count, at, &found, err);
  dls_system_destroy(base);
  *change = found.change * size / fabs(d->offset[d->count - 1] - d->offset[0]);
  d->rounding = found.rounding > threshold_large_rounding * found.change ? found.rounding / found.change : 0;
  if (straight_line != NULL) {
    *straight_line = found.bend <= threshold_straight_line * found.change;
  }
  return status;
}

static dls_status take_larger(const origin *from, double relative, double size, double change, double most,
                              dls_direction *out, dls_error *err)
{
  dls_status status = DLS_OK;
  for (double wanted = fmin(size / change, most); wanted > size; wanted = sqrt(wanted * size)) {
    const double unit = exp2(floor(log2(wanted)));
    dls_direction larger = *out;
    dls_error outside = {0};
    bool on_line = false;
    double found = 0;
    if (!(unit > size)) {
      break;
    }
    status = make_inside(from, relative * unit, &larger, &outside);
    if (status == DLS_OK) {
      status = measure(from, &larger, unit, &found, &on_line, err);
    }
    if (status == DLS_ERR_MEMORY) {
      dls_direction_release(&larger);
      return status;
    }
    if (status == DLS_OK && on_line && found <= threshold_most_change) {
      dls_direction_release(out);
      *out = larger;
      out->size = unit;
      return status;
    }
    dls_direction_release(&larger);
  }
  return DLS_OK;
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

/* The systems at a size that the range allows: of p = 0 the table knows none, and 1 may be far too large. */
static dls_status start_near(const origin *from, double relative, dls_direction *out, dls_error *err)
{
  const double least = threshold_least_size * out->size;
  dls_error unused = {0};
  dls_status status = make_inside(from, relative * out->size, out, err);
  while (status != DLS_OK && status != DLS_ERR_MEMORY && out->value == 0 && out->size > least) {
    out->size *= threshold_shorter_size;
    status = make_inside(from, relative * out->size, out, &unused);
  }
  return status;
}

/* The distance fits the scales of the system. Those may depend on p, so that of p = 0 it is found step by step. */
static dls_status fit_distance(const origin *from, double relative, double usual, dls_direction *out,
                               dls_error *err)
{
  const bool zero = out->value == 0;
  double change = 0;
  dls_status status = measure(from, out, out->size, &change, NULL, err);
  for (int i = 0; i < threshold_most_sizes && status == DLS_OK && zero && change > 1 / threshold_least_change &&
                  change < HUGE_VAL;
       i++) {
    dls_direction_release(out);
    out->size = exp2(floor(log2(out->size / change)));
    status = make_inside(from, relative * out->size, out, err);
    status = status != DLS_OK ? status : measure(from, out, out->size, &change, NULL, err);
  }
  const double size = out->size, most = zero ? HUGE_VAL : fmax(size, usual);
  if (status == DLS_OK && change > 0 && change < threshold_least_change) {
    status = take_larger(from, relative, size, change, most, out, err);
    out->below_rounding = change * (out->size / size) < threshold_lost_change && most > size;
  }
  return status;
}

/* @param[in] distance  0: `relative` of the size of p, or of what the scales of the system ask for */
static dls_status create(const dls_model *model, const double *parameters, const char *name, double relative,
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
  const origin from = {model, values, (size_t)which};
  dls_error first = {0};
  out->value = values[which];
  out->size = dls_direction_size(&table[which], out->value);
  if (distance > 0) {
    status = make_inside(&from, distance, out, &first);
    out->one_sided = status == DLS_OK && out->count != stencils[0].count;
  } else if ((status = start_near(&from, relative, out, &first)) == DLS_OK &&
             (status = find_end(&from, out->size, out)) == DLS_OK) {
    status = fit_distance(&from, relative, dls_direction_size(&table[which], 0), out, &first);
  }
  free(values);
  return status == DLS_OK ? status
                          : dls_fail(err, status, "no derivative with respect to %s: %s", name, first.text);
}

dls_status dls_direction_create(const dls_model *model, const double *parameters, const char *name,
                                dls_direction *out, dls_error *err)
{
  return create(model, parameters, name, threshold_parameter_distance, 0, out, err);
}

dls_status dls_direction_create_near(const dls_model *model, const double *parameters, const char *name,
                                     double relative, dls_direction *out, dls_error *err)
{
  return create(model, parameters, name, relative, 0, out, err);
}

dls_status dls_direction_create_at(const dls_model *model, const double *parameters, const char *name,
                                   double distance, dls_direction *out, dls_error *err)
{
  return create(model, parameters, name, threshold_parameter_distance, distance, out, err);
}
