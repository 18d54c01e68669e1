/* chrono_nsc.c -- the step of Project Chrono's nonsmooth contacts (ChContactNSC, ChTimestepperEulerImplicitLinearized).
 * Sources: Tasora, Anitescu 2011; the source code of Project Chrono for the test of a bounce and the recovery speed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/convex_equations.h"
#include "time_stepping/convex/linearised_step.h"
#include <float.h>

typedef struct chrono_options {
  dls_linearised_options known;
  double min_bounce_speed, max_penetration_recovery_speed;
  int bounce_test, friction;
} chrono_options;
enum { REBOUND, APPROACH };
static const char *const tests[] = {"rebound", "approach", NULL};
enum { CONVEX, COULOMB };
static const char *const frictions[] = {"convex", "coulomb", NULL};
static const dls_option options[] = {
    DLS_KNOWN_OPTIONS(DLS_KNOWN_ALL),
    DLS_REAL_OPTION(0, chrono_options, min_bounce_speed, "m/s",
                    "rebounds below this speed are replaced by e = 0", 0.15, 0, DBL_MAX, 0),
    DLS_REAL_OPTION(0, chrono_options, max_penetration_recovery_speed, "m/s",
                    "largest speed at which penetrations are undone", 0.6, 0, DBL_MAX, 0),
    DLS_CHOICE_OPTION(
        0, chrono_options, bounce_test,
        "a contact bounces in a step if its gap would close at e U (rebound), as in Chrono, or at U "
        "(approach)",
        REBOUND, tests),
    DLS_CHOICE_OPTION(0, chrono_options, friction,
                      "the cone without the shift mu |U_T|, as in Chrono (convex), or Coulomb's law", CONVEX,
                      frictions),
    {0}};

static void pose(const dls_sim *sim, dls_linearised *s, double h)
{
  const chrono_options *opt = sim->options;
  const size_t d = sim->sys->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double e = s->e[j], u = s->contact.velocity[d * j];
    const bool bounces =
        DLS_BOUNCES(s->gap[j], h, e, u, opt->bounce_test == REBOUND ? e : 1, opt->min_bounce_speed);
    s->contact.contacts.mixture[d * j] = bounces ? e : 0;
    s->bias[d * j] = bounces ? 0 : DLS_RECOVERY_BIAS(s->gap[j], h, opt->max_penetration_recovery_speed);
  }
}

static dls_status prepare(dls_sim *sim, dls_linearised *s, dls_error *err)
{
  const chrono_options *opt = sim->options;
  return opt->friction == CONVEX ? dls_contact_system_relax(&s->contact.contacts, NULL, 0, err) : DLS_OK;
}

static const dls_linearised_kind kind = {.pose = pose, .prepare = prepare};

/* e is between e^2 and e of the model, except where both tests agree. */
static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const chrono_options *opt = given;
  (void)self;
  (void)err;
  if (opt->friction == CONVEX && contact->mu > 0) {
    return DLS_OK; /* contacts that are seen late jump off, by where the grid lies */
  }
  if (contact->e == 0 || (opt->min_bounce_speed > 0 && contact->e * contact->speed <= opt->min_bounce_speed)) {
    out->kind = DLS_LIMIT_OWN;
    out->e = 0;
  } else if (contact->e == 1 || opt->bounce_test == APPROACH) {
    out->kind = DLS_LIMIT_RIGID;
  }
  return DLS_OK;
}

const dls_scheme dls_scheme_chrono_nsc = {
    .name = "chrono-nsc",
    DLS_LINEARISED_ENTRY,
    .check = dls_linearised_check,
    .summary = "the step of Project Chrono's nonsmooth contacts: rebounds by a test, bounded recovery",
    .source = "A. Tasora, M. Anitescu 2011; Project Chrono, ChContactNSC and EULER_IMPLICIT_LINEARIZED",
    .equations =
        "M (v' - v) = h F(t, q, v) + H P,   q' = q + h v',   U' = H^T v'\n"
        "0 <= U_N' + e U_N  _|_  P_N >= 0           where e U_N < -min_bounce_speed and g + h e U_N < 0,\n"
        "0 <= U_N' + max(g/h, -c_r)  _|_  P_N >= 0   elsewhere, c_r = max_penetration_recovery_speed\n"
        "friction=convex: these velocities and U_T' in K*, P in K, normal to each other\n",
    .remarks = "The test of a bounce uses e U where U is meant. A body that would arrive at sigma h in a step\n"
               "bounces with e for sigma < e. Otherwise it is stopped at the surface with the speed sigma V,\n"
               "and bounces in the next step with e sigma: between e^2 and e, on average e (e + (1 - e^2)/2),\n"
               "for every h. So there is no limit and no order, except for e = 0 and 1. bounce_test=approach\n"
               "has order 1. The defaults of both speeds are Chrono's and do not scale with the problem.\n"
               "friction=convex lifts sliding contacts as convex-step does. Chrono itself was not run.\n",
    .options = options,
    .options_size = sizeof(chrono_options),
    .kind = &kind,
    .limit = {.kind = DLS_LIMIT_NONE, .text = "e between e^2 and e of the model", .model = limit},
};
