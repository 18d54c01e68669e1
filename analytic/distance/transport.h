/* analytic/distance/transport.h -- the flat (bounded-Lipschitz) norm of a signed measure on a line, in one pass over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_TRANSPORT_H
#define DELASSUS_ANALYTIC_TRANSPORT_H

#include "analytic/distance/mass_tree.h"
#include "analytic/distance/norm.h"

/* The norm of the mass so far, sup { int phi dm : |phi| <= 1, |phi(s) - phi(t)| <= |s - t| }. */
typedef struct dls_transport {
  dls_mass_pool pool;
  dls_masses drops[2]; /* of the slope of V: below its top, with keys y + time; above it, with keys y - time */
  double time;         /* scaled; 0 at the start */
  dls_sum norm, slack; /* bound of rounding */
  bool out_of_memory;  /* out of memory: the norm is invalid */
} dls_transport;

/* Add mass at this instant. */
void dls_transport_point(dls_transport *t, double mass);
/* Add mass of constant density over the time `span` > 0 from here; afterwards the time is its end. */
void dls_transport_flow(dls_transport *t, double mass, double span);
void dls_transport_free(dls_transport *t);

#endif
