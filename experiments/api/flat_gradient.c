/* experiments/api/flat_gradient.c -- derivatives of a motion in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "experiments/api/flat_internal.h"
#include "experiments/measures/gradient/gradient.h"
#include <delassus/sensitivity.h>
#include <stdio.h>

typedef struct caller {
  const dls_flat_gradient_spec *spec;
  const char **statuses;
  FILE *messages;
} caller;

static bool poll_caller(void *data, double done)
{
  const caller *c = data;
  return c->spec->poll == NULL || c->spec->poll(c->spec->poll_data, done) != 0;
}

static void take_message(void *data, const char *text)
{
  const caller *c = data;
  fprintf(c->messages, "%s\n", text);
}

static void take_statuses(void *data, const dls_sim *sim)
{
  caller *c = data;
  for (size_t k = 0; k < c->spec->by_count; k++) {
    c->statuses[k] = dls_derivative_status_name(dls_sensitivity_status(sim->sensitivity, k));
  }
}

static dls_status compute(const dls_model_choice *model, const dls_scheme_choice *scheme, caller *c,
                          double *values, double *gradient, dls_error *err)
{
  dls_gradient_spec spec = {
      .model = model->model,
      .parameters = model->parameters,
      .scheme = scheme,
      .step = c->spec->step,
      .at = c->spec->at,
      .of_count = c->spec->of_count,
      .of = c->spec->of,
      .integral = c->spec->integral != 0,
      .by_count = c->spec->by_count,
      .by = c->spec->by,
      .poll = poll_caller,
      .poll_data = c,
      .report = take_message,
      .report_data = c,
      .finished = take_statuses,
      .finished_data = c,
  };
  const dls_status status = dls_gradient_read_method(c->spec->method, c->spec->tangent, &spec, err);
  return status == DLS_OK ? dls_gradient_compute(&spec, values, gradient, err) : status;
}

int dls_flat_gradient(const dls_catalogue *catalogue, const char *model, size_t count,
                      const char *const *settings, const char *scheme, const dls_flat_gradient_spec *spec,
                      double *values, double *gradient, const char **statuses, char **messages, char *error,
                      size_t size)
{
  dls_error err = {0};
  dls_model_choice chosen = {0};
  dls_scheme_choice choice;
  size_t length = 0;
  caller c = {spec, statuses, NULL};
  *messages = NULL;
  for (size_t k = 0; k < spec->by_count; k++) {
    statuses[k] = "";
  }
  dls_status status = (c.messages = open_memstream(messages, &length)) != NULL
                          ? dls_flat_choose(catalogue, model, count, settings, &chosen, &err)
                          : dls_fail(&err, DLS_ERR_MEMORY, "no memory for messages");
  if (status == DLS_OK && (status = dls_catalogue_choose(catalogue, scheme, &choice, &err)) == DLS_OK &&
      (status = dls_flat_check_step(choice.scheme, spec->step, &err)) == DLS_OK && !(spec->at > 0)) {
    status = dls_fail(&err, DLS_ERR_ARG, "at = %g must be > 0", spec->at);
  }
  if (status == DLS_OK) {
    status = compute(&chosen, &choice, &c, values, gradient, &err);
  }
  if (c.messages != NULL && fclose(c.messages) != 0 && status == DLS_OK) {
    status = dls_fail(&err, DLS_ERR_MEMORY, "no memory for messages");
  }
  dls_model_choice_release(&chosen);
  return dls_flat_report(status, &err, error, size);
}
