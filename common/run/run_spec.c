/* run_spec.c -- what a run asks for, checked before it starts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/run_spec.h"
#include <math.h>

static const double MOST_STEPS = 1e12; /* k h <= T can be told from k h > T for so many k; years of computing */

/* Does the record have the columns that record_node writes, or a selection of them, and no rows yet? */
static dls_status check_record(const dls_sim *sim, const dls_trajectory *record, dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  const size_t slopes = sim->scheme->v_between == DLS_HERMITE ? n : 0;
  const size_t columns = 1 + 2 * n + 5 * m + slopes + 3 * (sim->sys->d - 1) * m + 2 * sim->sys->r;
  if (record == NULL ||
      (record->n == n && record->m == m && record->whole_columns == columns && record->rows == 0)) {
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "the record has %zu rows of %zu columns, it must be empty and have %zu: dls_sim_trajectory",
                  record->rows, record->whole_columns, columns);
}

dls_status dls_run_spec_check(const dls_sim *sim, const dls_run_spec *spec, dls_error *err)
{
  if (!(spec->end > 0) || isinf(spec->end)) {
    return dls_fail(err, DLS_ERR_ARG, "end = %g s must be finite and > 0", spec->end);
  }
  if (dls_scheme_needs_step(sim->scheme) && !(spec->step > 0 && spec->step <= spec->end)) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s is outside (0, end = %g]", spec->step, spec->end);
  }
  if (dls_scheme_needs_step(sim->scheme) && !(spec->end / spec->step <= MOST_STEPS)) {
    return dls_fail(err, DLS_ERR_ARG, "step = %g s makes %.3g steps up to end = %g, at most %.3g are possible",
                    spec->step, spec->end / spec->step, spec->end, MOST_STEPS);
  }
  if (spec->halvings > 0 && !sim->scheme->any_step) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s %s: its steps cannot be halved (halvings = %zu)",
                    sim->scheme->name,
                    dls_scheme_needs_step(sim->scheme) ? "keeps equal steps" : "chooses its steps",
                    spec->halvings);
  }
  return check_record(sim, spec->record, err);
}
