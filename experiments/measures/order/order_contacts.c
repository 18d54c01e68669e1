/* experiments/measures/order/order_contacts.c -- what a run of a study does to contacts at its nodes, and the distributions of
 * these figures over all runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/motion/motion.h"
#include "experiments/measures/order/order_run.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Where an instant lies between the nodes around it, in [0, 1]. */
static double phase_of(const dls_trajectory *traj, double t)
{
  size_t k = 0;
  while (k + 1 < traj->rows && dls_trajectory_at(traj, k + 1, 0) <= t) {
    k++;
  }
  if (k + 1 >= traj->rows) {
    return NAN;
  }
  const double begin = dls_trajectory_at(traj, k, 0);
  return (t - begin) / (dls_trajectory_at(traj, k + 1, 0) - begin);
}

/* Contacts with a force or an impulse, summed over nodes. */
static double loaded(const dls_trajectory *traj)
{
  double count = 0;
  const int p = dls_trajectory_column(traj, "p0"), lambda = dls_trajectory_column(traj, "lambda0");
  for (size_t k = 0; k < traj->rows && p > 0 && lambda > 0; k++) {
    for (size_t j = 0; j < traj->m; j++) {
      count +=
          dls_trajectory_at(traj, k, (size_t)p + j) > 0 || dls_trajectory_at(traj, k, (size_t)lambda + j) > 0;
    }
  }
  return count;
}

dls_status dls_order_measure_contacts(const dls_order_inputs *in, const dls_trajectory *traj,
                                      dls_order_point *point)
{
  dls_motion motion;
  dls_error why = {0};
  dls_contact_quality *out = &point->quality.contact;
  const double evals = (double)(point->work.force_evals + point->work.lcp_solves + point->work.factorizations),
               load = loaded(traj);
  const dls_status status = dls_motion_measure(in->sys, traj, in->reference, in->spec->end, &motion, &why);
  *out = dls_contact_quality_none();
  if (status == DLS_OK) {
    if (motion.impact_count > 0) {
      const dls_judged_impact *first = &motion.impacts[0];
      out->first_restitution = first->ends ? -first->u_plus / first->u_minus : NAN;
      out->first_phase = phase_of(traj, first->t_free);
      out->first_slip_ratio = first->ends ? first->slip_ratio : NAN;
    }
    out->bounce_energy = motion.bounce;
    out->rest_depth = motion.figures[DLS_JUDGED_DEPTH];
    out->rest_speed = motion.figures[DLS_JUDGED_REST];
    out->creep = motion.figures[DLS_JUDGED_STICK];
    out->lift = motion.figures[DLS_JUDGED_LIFT];
    out->hop = motion.figures[DLS_JUDGED_HOP];
    out->evals_per_contact = load > 0 ? evals / load : NAN;
  }
  dls_motion_clear(&motion);
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

/* --- figures of all runs --- */

#define FIGURE(member) {#member, offsetof(dls_contact_quality, member)},
static const dls_contact_figure figures[] = {DLS_CONTACT_QUALITY_LIST(FIGURE)};

size_t dls_contact_figures(const dls_contact_figure **out)
{
  *out = figures;
  return sizeof figures / sizeof figures[0];
}

const dls_contact_figure *dls_contact_figure_find(const char *name)
{
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
    if (strcmp(figures[i].name, name) == 0) {
      return &figures[i];
    }
  }
  return NULL;
}

#define FIGURE_OF(member)                                                                                      \
  {                                                                                                            \
#member, offsetof(dls_contact_quality, member)                                                             \
  }
const dls_contact_picture dls_contact_pictures[DLS_CONTACT_PICTURES] = {
    {"order_restitution", "effective restitution of the first impact", "effective restitution -u^{+}/u^{-}",
     true, FIGURE_OF(first_restitution)},
    {"order_slip_ratio", "slip after the first impact over that before", "slip after impact / before", true,
     FIGURE_OF(first_slip_ratio)},
    {"order_hop", "largest gap where the reference slides", "largest gap while sliding [m]", false,
     FIGURE_OF(hop)}};

double dls_contact_figure_of(const dls_contact_figure *figure, const dls_order_point *point)
{
  return *(const double *)((const char *)&point->quality.contact + figure->offset);
}

dls_status dls_order_spread_of(const dls_order_study *study, const dls_contact_figure *figure, size_t scheme,
                               size_t level, dls_order_spread *out, dls_error *err)
{
  double *x = malloc((study->point_count + 1) * sizeof *x);
  *out = (dls_order_spread){0};
  if (x == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for figures of %zu runs", study->point_count);
  }
  for (size_t i = 0; i < study->point_count; i++) {
    const dls_order_point *point = &study->points[i];
    const double value = dls_contact_figure_of(figure, point);
    if (point->scheme == scheme && point->norm == 0 && point->of == 0 && isfinite(value) &&
        (level == SIZE_MAX || point->level == level)) {
      x[out->count++] = value;
    }
  }
  if (out->count > 0) {
    gsl_sort(x, 1, out->count);
    out->mean = gsl_stats_mean(x, 1, out->count);
    out->low = x[0];
    out->high = x[out->count - 1];
    for (size_t q = 0; q < DLS_SPREAD_QUANTILES; q++) {
      out->quantile[q] = gsl_stats_quantile_from_sorted_data(x, 1, out->count, dls_spread_quantiles[q]);
    }
  }
  free(x);
  return DLS_OK;
}

const double dls_spread_quantiles[DLS_SPREAD_QUANTILES] = {0.05, 0.5, 0.95};
