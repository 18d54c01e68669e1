/* impact_sequence.c -- impact problems at one instant until no contact approaches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/impact_sequence.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gap velocities that count as zero: relative to the fastest approach, and to the velocity scale. */
static const double still_after = 1e-12, still = 1e-14;
/* Between two walls at an angle a point bounces pi/angle times; contacts with e < 1 that stop each other by a geometric
 * sequence may need thousands. What still approaches after so many is stopped. */
enum { MOST_PROBLEMS = 1000 };

bool dls_impact_sequence_create(size_t m, dls_impact_sequence *s)
{
  s->index = calloc(2 * m + 1, sizeof *s->index);
  s->now = s->index + m;
  s->waits = calloc(2 * m + 1, sizeof *s->waits);
  s->struck = s->waits + m;
  double *next = s->block = calloc(6 * m + 1, sizeof *s->block);
  double **arrays[] = {&s->e, &s->bounce, &s->P, &s->u_minus, &s->b, &s->p};
  if (s->index == NULL || s->waits == NULL || s->block == NULL) {
    return false;
  }
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++, next += m) {
    *arrays[i] = next;
  }
  return true;
}

void dls_impact_sequence_destroy(dls_impact_sequence *s)
{
  free(s->index);
  free(s->waits);
  free(s->block);
}

double dls_impact_still(const dls_system *sys, double fastest)
{
  return still_after * fastest + still * sys->length / sys->time;
}

/* Those that do not wait: the first problem. */
static void begin(const dls_sim *sim, dls_impact_sequence *s, const double *v)
{
  s->now_count = 0;
  for (size_t k = 0; k < s->count; k++) {
    const double u = dls_matrix_column_dot(sim->H, s->index[k], v);
    s->P[k] = 0;
    s->struck[k] = false;
    s->u_minus[k] = u;
    if (!s->waits[k]) {
      s->b[s->now_count] = u + s->bounce[k];
      s->now[s->now_count++] = s->index[k];
    }
  }
}

/* Those that approach, or rest and may be needed to hold them: the next problem. @return does one approach? */
static bool again(const dls_sim *sim, dls_impact_sequence *s, const double *v, double zero, bool last)
{
  bool approaching = false;
  s->now_count = 0;
  for (size_t k = 0; k < s->count; k++) {
    const double u = dls_matrix_column_dot(sim->H, s->index[k], v);
    approaching = approaching || u < -zero;
    if (u < -zero) {
      s->struck[k] = true;
      s->u_minus[k] = u;
    }
    if (u <= zero || last) {
      s->b[s->now_count] = u + (u < -zero && !last ? s->e[k] * u : 0);
      s->now[s->now_count++] = s->index[k];
    }
  }
  return approaching;
}

/* P += p, which belongs to the contacts now. */
static void add_impulses(dls_impact_sequence *s)
{
  for (size_t k = 0, l = 0; l < s->now_count; k++) {
    if (s->index[k] == s->now[l]) {
      s->P[k] += s->p[l++];
    }
  }
}

dls_status dls_impact_sequence_solve(dls_sim *sim, dls_delassus *W, dls_lcp_solver *lcp, dls_impact_sequence *s,
                                     double *v, dls_error *err)
{
  double fastest = 0;
  begin(sim, s, v);
  for (size_t k = 0; k < s->count; k++) {
    fastest = fmax(fastest, fabs(s->u_minus[k]));
  }
  const double zero = dls_impact_still(sim->sys, fastest);
  for (int i = 1; i <= MOST_PROBLEMS; i++) {
    memset(s->p, 0, s->now_count * sizeof *s->p);
    dls_status status = dls_sim_poll(sim, err);
    status = status != DLS_OK ? status
                              : dls_delassus_solve(W, lcp, s->now_count, s->now, s->b, s->p,
                                                   &sim->work.lcp_solves, &sim->work.lcp_pivots, err);
    if (status != DLS_OK) {
      return status;
    }
    dls_delassus_apply(W, s->now_count, s->now, 1, s->p, v);
    add_impulses(s);
    if (!again(sim, s, v, zero, i + 1 == MOST_PROBLEMS)) {
      break;
    }
  }
  return DLS_OK;
}
