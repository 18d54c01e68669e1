/* experiments/request/sweep_words.c -- the parameter that a request is repeated over, of `order` also an option of its schemes or the step:
 * P=A:B:N, P=X,Y,...
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/catalogue/scheme_choice.h"
#include "experiments/request/request.h"

#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 200 };

/* Of the first scheme a real option that all have; NULL: there is none. */
static const dls_option *find_option(const dls_request *r, const char *name)
{
  const dls_option *first = NULL;
  for (size_t i = 0; i < r->spec.scheme_count; i++) {
    const dls_option *table = r->spec.schemes[i].scheme != NULL ? r->spec.schemes[i].scheme->options : NULL;
    const int at = table != NULL ? dls_option_find(table, name) : -1;
    if (at < 0 || table[at].kind != DLS_REAL) {
      return NULL;
    }
    first = i == 0 ? &table[at] : first;
  }
  return first;
}

/* "P=" in front of the numbers. @param[out] of  what P is @return NULL: it is none */
static const dls_option *find_parameter(const dls_request *r, const char *what, const char *text,
                                        dls_sweep_of *of, const char **rest, dls_error *err)
{
  char name[60] = "";
  const dls_model *model = r->model.model;
  const size_t length = strcspn(text, "=");
  if (text[length] == '\0' || length >= sizeof name) {
    dls_fail(err, DLS_ERR_PARSE, "%s = '%.100s': it begins with P=, a parameter of model %s", what, text,
             model->name);
    return NULL;
  }
  memcpy(name, text, length);
  *rest = text + length + 1;
  const bool order = r->kind == DLS_STUDY_ORDER;
  if (order && strcmp(name, dls_sweep_step.name) == 0) {
    *of = DLS_SWEEP_STEP;
    return &dls_sweep_step;
  }
  *of = DLS_SWEEP_PARAMETER;
  const int i = dls_option_find(model->parameters, name);
  const dls_option *option = i < 0 && order ? find_option(r, name) : NULL;
  if (option != NULL) {
    *of = DLS_SWEEP_SCHEME_OPTION;
    return option;
  }
  if (i < 0 || model->parameters[i].kind != DLS_REAL) {
    dls_fail(err, DLS_ERR_OPTION, "%s: model %s has no real parameter '%s'%s (`delassus show %s`)", what,
             model->name, name, order ? ", its schemes have no such option in common, and it is not step" : "",
             model->name);
    return NULL;
  }
  return &model->parameters[i];
}

/* Numbers between separators. */
static dls_status read_numbers(const char *what, const char *text, char separator, size_t room, double *numbers,
                               size_t *count, dls_error *err)
{
  *count = 0;
  for (const char *at = text;; at++) {
    char field[60] = "";
    const size_t length = strcspn(at, (const char[]){separator, '\0'});
    if (*count == room || length >= sizeof field) {
      return dls_fail(err, DLS_ERR_PARSE, "%s: '%.100s' has more than %zu numbers, or too long ones", what,
                      text, room);
    }
    memcpy(field, at, length);
    const dls_status status = dls_parse_number(what, field, &numbers[(*count)++], err);
    at += length;
    if (status != DLS_OK || *at == '\0') {
      return status;
    }
  }
}

/* Is a value one that the parameter can have? */
static dls_status check_value(const dls_request *r, const char *what, dls_sweep_of of,
                              const dls_option *parameter, double value, dls_error *err)
{
  if (of == DLS_SWEEP_STEP) {
    return value > 0 && !(value > r->spec.end)
               ? DLS_OK
               : dls_fail(err, DLS_ERR_OPTION, "%s: step = %g s is outside (0, end = %g s]", what, value,
                          r->spec.end);
  }
  for (size_t i = 0; of == DLS_SWEEP_SCHEME_OPTION && i < r->spec.scheme_count; i++) {
    dls_scheme_choice unused;
    const dls_option *table = r->spec.schemes[i].scheme->options;
    if (dls_scheme_choice_with(&r->spec.schemes[i], &table[dls_option_find(table, parameter->name)], value,
                               &unused, err) != DLS_OK) {
      return err->status;
    }
  }
  if (of == DLS_SWEEP_SCHEME_OPTION) {
    return DLS_OK;
  }
  double *scratch =
      dls_pool_take(r->pool, (dls_option_count(r->model.model->parameters) + 1) * sizeof *scratch);
  return scratch == NULL
             ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request")
             : dls_option_set(r->model.model->parameters, what, parameter->name, value, scratch, err);
}

/* The limit of the number of values in a message. */
static dls_status wrong_axis(const char *what, const char *text, size_t most, const char *parameter,
                             dls_error *err)
{
  return dls_fail(
      err, DLS_ERR_PARSE,
      "%s = '%.100s': P=A:B:N has two different values A and B, and a number N of them from 2 to %zu, "
      "e.g. %s=0.1:2:20; P=A:B:N:log has A and B > 0; P=X,Y,... lists different values in order",
      what, text, most, parameter);
}

/* "A:B:N" or "A:B:N:log" */
static dls_status read_sequence(const char *what, const char *text, const char *rest, size_t most,
                                dls_sweep_axis *axis, dls_error *err)
{
  static const char log_mark[] = ":log";
  char numbers_text[200];
  double numbers[3] = {0};
  size_t count = 0, length = strlen(rest);
  const size_t mark = strlen(log_mark);
  axis->logarithmic = length > mark && strcmp(rest + length - mark, log_mark) == 0;
  length -= axis->logarithmic ? mark : 0;
  snprintf(numbers_text, sizeof numbers_text, "%.*s", (int)length, rest);
  const dls_status status = read_numbers(what, numbers_text, ':', 3, numbers, &count, err);
  const bool good = count == 3 && numbers[2] >= 2 && numbers[2] <= (double)most &&
                    numbers[2] == floor(numbers[2]) && numbers[0] != numbers[1] &&
                    !(axis->logarithmic && !(numbers[0] > 0 && numbers[1] > 0));
  if (status != DLS_OK || !good) {
    return status != DLS_OK ? status : wrong_axis(what, text, most, axis->parameter->name, err);
  }
  axis->first = numbers[0];
  axis->last = numbers[1];
  axis->count = (size_t)numbers[2];
  return DLS_OK;
}

/* "X,Y,...", up or down */
static dls_status read_list(dls_request *r, const char *what, const char *text, const char *rest, size_t most,
                            dls_sweep_axis *axis, dls_error *err)
{
  double *values = dls_pool_take(r->pool, MOST_NUMBERS * sizeof *values);
  if (values == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  const dls_status status = read_numbers(what, rest, ',', MOST_NUMBERS, values, &axis->count, err);
  for (size_t i = 1; i < axis->count && status == DLS_OK; i++) {
    if (!((values[i] - values[i - 1]) * (values[1] - values[0]) > 0)) {
      return wrong_axis(what, text, most, axis->parameter->name, err);
    }
  }
  axis->values = values;
  axis->first = values[0];
  axis->last = axis->count > 0 ? values[axis->count - 1] : 0;
  return status;
}

dls_status dls_request_read_axis(dls_request *r, const char *what, const char *text, size_t most,
                                 dls_sweep_axis *out, dls_error *err)
{
  const char *rest = NULL;
  dls_sweep_axis axis = {.count = 0};
  axis.parameter = find_parameter(r, what, text, &axis.of, &rest, err);
  if (axis.parameter == NULL) {
    return err->status;
  }
  dls_status status = strchr(rest, ':') != NULL ? read_sequence(what, text, rest, most, &axis, err)
                                                : read_list(r, what, text, rest, most, &axis, err);
  for (size_t i = 0; i < axis.count && status == DLS_OK; i += axis.values != NULL ? 1 : axis.count - 1) {
    status = check_value(r, what, axis.of, axis.parameter, dls_sweep_axis_value(&axis, i), err);
  }
  if (status == DLS_OK) {
    *out = axis;
  }
  return status;
}

dls_status dls_request_set_sweep(dls_request *r, const char *text, dls_error *err)
{
  return dls_request_read_axis(r, "sweep", text, DLS_REQUEST_MOST_LEVELS, &r->sweep.axis, err);
}

dls_status dls_request_set_curves(dls_request *r, const char *text, dls_error *err)
{
  const char *rest = NULL;
  double *numbers = dls_pool_take(r->pool, MOST_NUMBERS * sizeof *numbers);
  dls_sweep_of of = DLS_SWEEP_PARAMETER;
  const dls_option *parameter = find_parameter(r, "curves", text, &of, &rest, err);
  if (parameter == NULL || numbers == NULL) {
    return parameter == NULL ? err->status : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  size_t count = 0;
  dls_status status = read_numbers("curves", rest, ',', DLS_REQUEST_MOST_COMPARED, numbers, &count, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = check_value(r, "curves", of, parameter, numbers[i], err);
  }
  if (status == DLS_OK && parameter == r->sweep.axis.parameter) {
    return dls_fail(err, DLS_ERR_OPTION, "curves: %s is the parameter of the sweep", parameter->name);
  }
  if (status == DLS_OK) {
    r->sweep.curve = parameter;
    r->sweep.curves = numbers;
    r->sweep.curve_count = count;
  }
  return status;
}

dls_sweep_spec dls_request_sweep_spec(const dls_request *r)
{
  return (dls_sweep_spec){.model = r->model.model,
                          .parameters = r->model.parameters,
                          .exact = dls_catalogue_exact(r->spec.catalogue, r->model.model->name),
                          .schemes = r->spec.schemes,
                          .labels = r->labels,
                          .scheme_count = r->spec.scheme_count,
                          .of = r->drawn,
                          .of_count = r->drawn_count,
                          .step = r->step,
                          .end = r->spec.end,
                          .start = r->spec.start,
                          .halvings = r->halvings,
                          .max_rows = r->recording.max_rows,
                          .range = r->sweep};
}

dls_status dls_request_check_sweep(const dls_request *r, dls_error *err)
{
  const dls_sweep_range *sweep = &r->sweep;
  return sweep->axis.count == 0 || (sweep->from >= 0 && sweep->from < r->spec.end)
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "from = %g s is outside [0, end = %g s)", sweep->from,
                        r->spec.end);
}
