/* event_driven/method.c -- which smooth integrator suits a system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/event_integrator.h"
#include <delassus/law.h>

enum {
  MOST_FLOW = 64,  /* degrees of freedom: its matrix is dense */
  MOST_SMALL = 16, /* up to here its steps cost less than those of the others */
  MOST_CHEAP =
      32 /* up to here the forces of Runge-Kutta's stages cost less than what a multistep method keeps */
};

/* Why the flow, that of M v' = F(t) - K q - C v and W lambda = b(t) + linear terms, is not that of the system; NULL: it is. */
static const char *flow_obstacle(const dls_system *sys)
{
  return !sys->linear                  ? "is not linear"
         : dls_laws_have_friction(sys) ? "has friction"
         : sys->n > MOST_FLOW          ? "is larger"
                                       : NULL;
}

dls_status dls_method_choose(dls_event_integrator *tr, int asked, dls_error *err)
{
  const char *const obstacle = flow_obstacle(tr->sys);
  if (asked == DLS_ENGINE_FLOW && obstacle != NULL) {
    return dls_sim_fail(
        tr->sim, err, DLS_ERR_NOT_APPLICABLE,
        "method = flow is for linear systems without friction, of up to %d degrees of freedom, and "
        "the system %s; allowed is adams, bdf, erk or auto",
        (int)MOST_FLOW, obstacle);
  }
  tr->method = asked != DLS_METHOD_AUTO                  ? (dls_engine_method)asked
               : obstacle == NULL && tr->n <= MOST_SMALL ? DLS_ENGINE_FLOW
               : tr->n <= MOST_CHEAP                     ? DLS_ENGINE_ERK
                                                         : DLS_ENGINE_ADAMS;
  return DLS_OK;
}
