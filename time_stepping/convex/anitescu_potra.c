/* anitescu_potra.c -- Poisson's impact law in two problems of every step: compression without restitution, then e times its normal impulses
 * are added, and what still approaches is stopped.
 * Source: Anitescu, Potra 1997.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/linearised_step.h"
#include <float.h>
#include <string.h>

typedef struct poisson_options {
  dls_linearised_options known;
  double min_bounce_speed;
} poisson_options;
static const dls_option options[] = {
    DLS_KNOWN_OPTIONS(DLS_KNOWN_CLOSED),
    DLS_REAL_OPTION(
        0, poisson_options, min_bounce_speed, "m/s",
        "approaches up to this speed have e = 0; with 0 a body at rest keeps bouncing at speeds of order "
        "h |a|",
        0, 0, DBL_MAX, 0),
    {0}};

/* P := P^c + e P_N^c + that of the second problem, 0 <= U' _|_ P2 >= 0 from the velocity with the first two. */
static dls_status expand(dls_sim *sim, dls_linearised *s, dls_error *err)
{
  const double least = ((const poisson_options *)sim->options)->min_bounce_speed;
  const size_t d = sim->sys->d;
  dls_velocity_contact *c = &s->contact;
  bool any = false;
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const bool bounces = dls_configuration_row(c->contacts.config, d * j, s->v_free) < -least;
    const double given = bounces ? s->e[j] * c->impulse[d * k] : 0;
    c->impulse[d * k] += given;
    any = any || given > 0;
  }
  if (!any) {
    return DLS_OK;
  }
  memcpy(s->v_next, s->v_free, sim->sys->n * sizeof *s->v_next);
  dls_contact_system_apply(&c->contacts, &c->active, 1, c->impulse, s->v_next);
  dls_contact_system_velocity(&c->contacts, &c->active, s->v_next, c->u_free);
  memset(s->second, 0, d * c->active.count * sizeof *s->second);
  const dls_status status =
      dls_contact_system_impulse(&c->contacts, &c->active, c->u_free, c->u_minus, s->second, err);
  for (size_t k = 0; k < d * c->active.count && status == DLS_OK; k++) {
    c->impulse[k] += s->second[k];
  }
  return status;
}

static const dls_linearised_kind kind = {.expand = expand};

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const double least = ((const poisson_options *)given)->min_bounce_speed;
  if (contact->e > 0 && least > 0 && contact->speed <= least) {
    *out = (dls_limit_model){.kind = DLS_LIMIT_OWN, .e = 0};
  } else if (contact->e > 0 && contact->mu > 0) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "scheme %s: impulses that are e times those of the compression bound no friction; with "
                    "e = %g and mu = %g an impact has mu V of friction, in place of mu (1 + e) V",
                    self->name, contact->e, contact->mu);
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_anitescu_potra = {
    .name = "anitescu-potra",
    DLS_LINEARISED_ENTRY,
    .check = dls_linearised_check,
    .summary = "Anitescu and Potra's step: Poisson's impact law by a compression and an expansion",
    .source = "M. Anitescu, F. A. Potra 1997",
    .equations = "M (v_c - v) = h F(t, q, v) + H P_c,   0 <= U_c  _|_  P_c >= 0   on the contacts with g <= 0\n"
                 "M (v' - v_c) = H (e P_cN + P_e),      0 <= U'   _|_  P_e >= 0,   q' = q + h v'\n"
                 "Coulomb's law in both problems;   joints: Phi/h + G^T v' = 0\n",
    .remarks =
        "Order 1 with impacts. For a single contact, Poisson's law is Newton's. With e > 0 a body that\n"
        "should rest keeps bouncing: for e = 1/2 its velocities vary by about 2 h |a|, more for larger e.\n"
        "min_bounce_speed ends that. With gravity and e = 1 each impact adds a fraction of order h of the\n"
        "energy. Gaps are not corrected: an impact leaves a penetration of up to h U. Friction has the bound\n"
        "mu P_cN in the first problem and mu P_eN in the second: e P_cN adds nothing to it.\n",
    .options = options,
    .options_size = sizeof(poisson_options),
    .kind = &kind,
    .limit =
        {.kind = DLS_LIMIT_RIGID,
         .text =
             "Poisson's law, which is not Newton's where several contacts impact at a time; with friction and "
             "e > 0 none is known, since friction is that of the compression, mu V in place of mu (1 + e) V",
         .model = limit},
};
