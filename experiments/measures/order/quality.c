/* experiments/measures/order/quality.c -- measured restitution, spurious impacts, penetration and drift of a run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/event_totals.h"

#include <delassus/balance.h>
#include <delassus/quality.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>

static int by_time(const void *a, const void *b)
{
  const double x = (*(const dls_event *const *)a)->t;
  const double y = (*(const dls_event *const *)b)->t;
  return (x > y) - (x < y);
}

/* Penetration where the run ended. */
static double final_penetration(const dls_sim *sim)
{
  double worst = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    worst = sim->g[j] < -worst ? -sim->g[j] : worst; /* not fmax: it may take -0 for the larger one */
  }
  return worst;
}

/* Impacts in the order of time. @return their number */
static size_t collect(const dls_trajectory *traj, const dls_event **impacts, double *fastest)
{
  size_t count = 0;
  *fastest = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].kind == DLS_IMPACT) {
      impacts[count++] = &traj->events[i];
      *fastest = fmax(*fastest, fabs(traj->events[i].u_minus));
    }
  }
  qsort(impacts, count, sizeof *impacts, by_time); /* some schemes report an impact steps later */
  return count;
}

/* Where springs push several contacts at once, the velocity after a contact also depends on the others. It is not the
 * restitution of one. */
static bool shows_restitution(const dls_sim *sim)
{
  const dls_balance *balance = sim->scheme->balance;
  return sim->sys->m == 1 || balance == NULL || balance->push == NULL;
}

/* @param[in] resolves  the scheme computes every impact, so that a slow one is no artefact */
static void measure_restitution(size_t count, const dls_event *const *impacts, double fastest, bool resolves,
                                bool shows, dls_quality *out)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) {
    const dls_event *x = impacts[i];
    if (fabs(x->u_minus) < DLS_QUALITY_SPURIOUS * fastest) {
      out->spurious_impacts += !resolves;
      continue;
    }
    const bool alone = (i == 0 || impacts[i - 1]->t != x->t) && (i + 1 == count || impacts[i + 1]->t != x->t);
    if (shows && alone && x->u_minus < 0) {
      const double e = -x->u_plus / x->u_minus;
      out->restitution_min = fmin(out->restitution_min, e); /* fmin and fmax pass over NaN */
      out->restitution_max = fmax(out->restitution_max, e);
      sum += e;
      out->measured++;
    }
  }
  out->restitution_mean = out->measured > 0 ? sum / (double)out->measured : NAN;
}

/* The same of a record that has left events out. */
static void take_totals(const dls_event_totals *totals, bool resolves, bool shows, dls_quality *out)
{
  out->impacts = totals->kinds[DLS_IMPACT];
  out->spurious_impacts = resolves ? 0 : totals->slow_impacts;
  if (shows && totals->measured > 0) {
    out->measured = totals->measured;
    out->restitution_min = totals->restitution_min;
    out->restitution_max = totals->restitution_max;
    out->restitution_mean = totals->restitution_sum / (double)totals->measured;
  }
}

dls_contact_quality dls_contact_quality_none(void)
{
  return (dls_contact_quality){NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
}

dls_status dls_quality_measure(const dls_sim *sim, const dls_trajectory *traj, dls_quality *out, dls_error *err)
{
  *out = (dls_quality){.restitution_min = NAN, .restitution_max = NAN, .restitution_mean = NAN};
  out->contact = dls_contact_quality_none();
  out->worst_penetration = sim->worst_gap < 0 ? -sim->worst_gap : 0;
  out->final_drift = final_penetration(sim);
  out->warnings = dls_sim_warning_count(sim);
  out->explained = dls_sim_warning_explained(sim);
  const bool resolves = sim->scheme->stepping == DLS_BY_EVENT, shows = shows_restitution(sim);
  if (traj->totals != NULL && traj->totals->count > traj->event_count) {
    take_totals(traj->totals, resolves, shows, out);
    return DLS_OK;
  }
  const dls_event **impacts = malloc((traj->event_count + 1) * sizeof *impacts);
  if (impacts == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to sort %zu events", traj->event_count);
  }
  double fastest = 0;
  out->impacts = collect(traj, impacts, &fastest);
  measure_restitution(out->impacts, impacts, fastest, resolves, shows, out);
  free(impacts);
  return DLS_OK;
}
