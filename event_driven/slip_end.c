/* event_driven/slip_end.c -- the end of slip in space, from where it is seen to where there is none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/slip.h"
#include "event_driven/tracker.h"
#include <math.h>

static const double turned =
    1.1; /* [eps.s]: more slip has not ended, but turned from the direction of the step */

/* The directions of slip at tr->v are the stored ones from now on: where slip ends it has none of its own. */
static void keep_directions(dls_tracker *tr)
{
  for (size_t k = 0; k < tr->active.count; k++) {
    const size_t j = tr->active.index[k];
    dls_contact *contact = &tr->contact[j];
    double u[2];
    const double size = dls_slip_of(tr, j, tr->v, u);
    const bool slips = contact->grip.kind == DLS_GRIP_SLIPS && !contact->crawls && size > 0;
    for (size_t i = 0; slips && i < 2; i++) {
      contact->grip.e[i] = u[i] / size;
    }
  }
}

dls_status dls_slip_finish(dls_tracker *tr, dls_error *err)
{
  double u[2], rate[2];
  const size_t j = tr->hit.contact;
  const bool crawled = tr->contact[j].crawls;
  dls_status status = dls_tracker_geometry(tr, tr->hit.t, tr->q, err);
  if (status != DLS_OK) {
    return status;
  }
  const double size = dls_slip_of(tr, j, tr->v, u);
  if (crawled && size <= DLS_SLIP_TOGETHER * tr->eps.s) {
    return DLS_OK;
  }
  tr->contact[j].crawls = false; /* what is left goes across the slow motion, and friction is against that */
  tr->memo.valid = false;
  if (size > turned * tr->eps.s) {
    tr->hit.kind = DLS_HIT_DRIFT;
    return DLS_OK;
  }
  keep_directions(tr);
  status = dls_tracker_smooth(tr, tr->hit.t, tr->q, tr->v, tr->a, tr->lambda, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_slip_rate(tr, j, tr->a, rate);
  const double slower =
      size > 0 && size <= 2 * tr->eps.s ? -(rate[0] * u[0] + rate[1] * u[1]) / size : 0; /* - d|u_T|/dt */
  const double tau = slower > 0 ? fmin(size / slower, tr->end - tr->hit.t) : 0;
  for (size_t i = 0; i < tr->n; i++) {
    tr->q[i] += tau * (tr->v[i] + 0.5 * tau * tr->a[i]);
    tr->v[i] += tau * tr->a[i];
  }
  tr->hit.t += tau;
  return DLS_OK;
}
