/* experiments/measures/advise_energy.c -- the energy that a step of a scheme creates, from its ledger.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/advise_energy.h"
#include "common/base/larger.h"
#include "experiments/measures/order_spec.h"
#include <delassus/energy.h>
#include <math.h>

dls_status dls_advise_energy(const dls_order_spec *spec, const dls_system *sys, dls_advice *advice,
                             dls_error *err)
{
  dls_scheme_choice choice = spec->schemes[advice->scheme];
  dls_energy_ledger *ledger = NULL;
  dls_error why = {0};
  dls_status status =
      advice->by_tolerance ? dls_order_choice(spec, advice->scheme, advice->value, &choice, &why) : DLS_OK;
  const dls_energy_spec run = {.sys = sys,
                               .choice = &choice,
                               .step = advice->by_tolerance || isnan(advice->value) ? 0 : advice->value,
                               .end = spec->end,
                               .start = spec->start,
                               .totals_only = true};
  status = status != DLS_OK ? status : dls_energy_run(&run, &ledger, &why);
  advice->energy = status == DLS_OK && ledger->scale > 0 ? dls_larger(0, ledger->gain) / ledger->scale : NAN;
  dls_energy_destroy(ledger);
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "%s", why.text) : DLS_OK;
}
