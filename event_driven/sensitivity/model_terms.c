/* model_terms.c -- see model_terms.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/model_terms.h"
#include "common/base/arrays.h"
#include <stdlib.h>
#include <string.h>

void dls_model_terms_release(dls_motion_tangents *tangents)
{
  free(tangents->terms.given);
  free(tangents->terms.block);
}

bool dls_model_terms_create(dls_motion_tangents *tangents)
{
  dls_model_terms_of *terms = &tangents->terms;
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  dls_by_parameter *out = &terms->out;
  terms->given = calloc(tangents->count + 1, sizeof *terms->given);
  if (terms->given == NULL || sys->by_parameter == NULL) {
    return terms->given != NULL;
  }
  terms->block = dls_arrays((const dls_slot[]){{sys->n, {&out->F, &out->Ma}}, {sys->m, {&out->g}}, {0}});
  if (terms->block == NULL) {
    return false;
  }
  out->a = tangents->a;
  for (size_t k = 0; k < tangents->count; k++) {
    out->t = self->sim->t;
    out->q = sys->q0;
    out->v = sys->v0;
    /* with Stribeck's curve the coefficient of friction depends on p by way of the slip, too */
    terms->given[k] = tangents->result->direction[k].count > 0 && !dls_system_has_stribeck(sys) &&
                      sys->by_parameter(sys, tangents->result->direction[k].name, out);
  }
  return true;
}

const dls_by_parameter *dls_model_terms(dls_motion_tangents *tangents, size_t k, double t, const double *q,
                                        const double *v)
{
  dls_model_terms_of *terms = &tangents->terms;
  const dls_event_integrator *self = tangents->self.run;
  const dls_system *sys = self->method.sys;
  if (!terms->given[k]) {
    return NULL;
  }
  memset(terms->out.F, 0, sys->n * sizeof(double));
  memset(terms->out.Ma, 0, sys->n * sizeof(double));
  memset(terms->out.g, 0, sys->m * sizeof(double));
  terms->out.t = dls_geometry_before_break(&self->state, t);
  terms->out.q = q;
  terms->out.v = v;
  sys->by_parameter(sys, tangents->result->direction[k].name, &terms->out);
  return &terms->out;
}
