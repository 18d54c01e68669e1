/* experiments/cli/refusals.c -- schemes that cannot treat a model are refused before anything is run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/refusals.h"
#include "common/run/capabilities.h"
#include "experiments/extra/foreign/external.h"
#include <delassus/choice.h>
#include <delassus/sim.h>

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
