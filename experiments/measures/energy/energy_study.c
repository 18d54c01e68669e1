/* experiments/measures/energy/energy_study.c -- the ledgers of several schemes: each is a cell of a campaign.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/energy/energy_study.h"
#include "experiments/campaign/campaign.h"
#include <math.h>

typedef struct study {
  const dls_energy_study_spec *spec;
  dls_energy_ledger **ledgers;
} study;

/* A run of the study. */
typedef struct member {
  dls_progress *progress;
  double end;
} member;

static bool poll_run(void *data, double t)
{
  const member *m = data;
  return dls_progress_report(m->progress, fmin(t / m->end, 1));
}

static dls_status run_scheme(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  (void)scratch;
  const study *s = p->campaign->data;
  const size_t scheme = cells[0];
  member m = {p, s->spec->run.end};
  dls_energy_spec run = s->spec->run;
  dls_error why = {0};
  run.choice = &s->spec->schemes[scheme];
  run.poll = poll_run;
  run.poll_data = &m;
  const dls_status status = dls_energy_run(&run, &s->ledgers[scheme], &why);
  s->spec->keep(s->spec->keep_data, scheme, status, &why);
  return status == DLS_ERR_INTERRUPTED ? dls_fail(err, status, "%s", why.text)
                                       : dls_campaign_end(p, cells, count, DLS_OK);
}

dls_status dls_energy_study_run(const dls_energy_study_spec *spec, dls_energy_ledger **ledgers, dls_error *err)
{
  static const dls_campaign_measure measure = {.run = run_scheme};
  study s = {spec, ledgers};
  dls_campaign c = {.count = spec->scheme_count,
                    .measure = &measure,
                    .data = &s,
                    .poll = spec->run.poll,
                    .poll_data = spec->run.poll_data};
  return dls_campaign_run(&c, err);
}
