/* experiments/request/sweep_words.c -- the parameter that a request is repeated over: P=A:B:N, P=X,Y,...
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/request.h"

#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

enum { MOST_NUMBERS = 200 };

/* "P=" in front of the numbers. @return NULL: it is none of the model's */
static const dls_option *find_parameter(const dls_request *r, const char *what, const char *text,
                                        const char **rest, dls_error *err)
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
  const int i = dls_option_find(model->parameters, name);
  if (i < 0 || model->parameters[i].kind != DLS_REAL) {
    dls_fail(err, DLS_ERR_OPTION, "%s: model %s has no real parameter '%s' (`delassus show %s`)", what,
             model->name, name, model->name);
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
static dls_status check_value(const dls_request *r, const char *what, const dls_option *parameter, double value,
                              dls_error *err)
{
  double *scratch =
      dls_pool_take(r->pool, (dls_option_count(r->model.model->parameters) + 1) * sizeof *scratch);
  return scratch == NULL
             ? dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request")
             : dls_option_set(r->model.model->parameters, what, parameter->name, value, scratch, err);
}

dls_status dls_request_set_sweep(dls_request *r, const char *text, dls_error *err)
{
  double numbers[3] = {0};
  size_t count = 0;
  const char *rest = NULL;
  const dls_option *parameter = find_parameter(r, "sweep", text, &rest, err);
  if (parameter == NULL) {
    return err->status;
  }
  dls_status status = read_numbers("sweep", rest, ':', 3, numbers, &count, err);
  if (status == DLS_OK && (count != 3 || !(numbers[2] >= 2 && numbers[2] <= DLS_REQUEST_MOST_LEVELS) ||
                           numbers[2] != floor(numbers[2]) || numbers[0] == numbers[1])) {
    return dls_fail(
        err, DLS_ERR_PARSE,
        "sweep = '%.100s': P=A:B:N has two different values A and B, and a number N of them from 2 to %d, "
        "e.g. %s=0.1:2:20",
        text, DLS_REQUEST_MOST_LEVELS, parameter->name);
  }
  for (size_t i = 0; i < 2 && status == DLS_OK; i++) {
    status = check_value(r, "sweep", parameter, numbers[i], err);
  }
  if (status == DLS_OK) {
    r->sweep.parameter = parameter;
    r->sweep.first = numbers[0];
    r->sweep.last = numbers[1];
    r->sweep.count = (size_t)numbers[2];
  }
  return status;
}

dls_status dls_request_set_curves(dls_request *r, const char *text, dls_error *err)
{
  const char *rest = NULL;
  double *numbers = dls_pool_take(r->pool, MOST_NUMBERS * sizeof *numbers);
  const dls_option *parameter = find_parameter(r, "curves", text, &rest, err);
  if (parameter == NULL || numbers == NULL) {
    return parameter == NULL ? err->status : dls_fail(err, DLS_ERR_MEMORY, "out of memory for the request");
  }
  size_t count = 0;
  dls_status status = read_numbers("curves", rest, ',', DLS_REQUEST_MOST_COMPARED, numbers, &count, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = check_value(r, "curves", parameter, numbers[i], err);
  }
  if (status == DLS_OK && parameter == r->sweep.parameter) {
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
  if (sweep->count == 0) {
    return sweep->curve == NULL && sweep->from == 0
               ? DLS_OK
               : dls_fail(err, DLS_ERR_OPTION, "%s goes with sweep, the parameter that is drawn over",
                          sweep->curve != NULL ? "curves" : "from");
  }
  if (r->over != NULL) {
    return dls_fail(err, DLS_ERR_OPTION, "over = %.60s does not go with sweep", r->over);
  }
  if (r->recording.every > 1 || r->recording.at_count > 0) {
    return dls_fail(err, DLS_ERR_OPTION, "a sweep looks at every node: every and at do not go with it");
  }
  return sweep->from >= 0 && sweep->from < r->spec.end
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "from = %g s is outside [0, end = %g s)", sweep->from,
                        r->spec.end);
}
