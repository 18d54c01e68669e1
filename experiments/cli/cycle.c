/* experiments/cli/cycle.c -- `delassus run --cycle`: a limit cycle and its multipliers.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cycle.h"
#include "common/base/text.h"
#include "experiments/cli/progress.h"
#include "experiments/measures/cycle/cycle.h"

/* "cycle: period 0.145976065 s, 9 events; multipliers -0.839 +- 1e-7, ..." */
static void report(const dls_request *r, const dls_cycle *cycle)
{
  char text[300] = "";
  for (size_t i = 0; i < cycle->count && i < 4; i++) {
    const dls_multiplier *m = &cycle->multipliers[i];
    dls_text_append(text, sizeof text, "%s%.9g", i == 0 ? "; multipliers " : ", ", m->real);
    if (m->imaginary != 0) {
      dls_text_append(text, sizeof text, "%+.9gi", m->imaginary);
    }
    dls_text_append(text, sizeof text, " (error about %.1g)", m->error);
  }
  dls_cli_message(r->command, "cycle: period %.11g s, %zu events%s%s", cycle->period, cycle->event_count, text,
                  cycle->count == 0 ? "; the event leaves nothing free: all multipliers are 0" : "");
}

dls_status dls_cli_find_cycle(const dls_request *r, dls_system *sys, dls_cycle **out, dls_error *err)
{
  dls_cli_progress progress = dls_cli_progress_start(r->progress, "cycle", r->spec.end);
  const dls_status status = dls_request_find_cycle(r, sys, dls_cli_progress_poll, &progress, out, err);
  dls_cli_progress_end(&progress, status == DLS_OK);
  if (status == DLS_OK) {
    report(r, *out);
  }
  return status;
}
