/* load_value.c -- see load_value.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/load_value.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* fraction of the searched interval: its round-off; where bisection stops */
enum { SCALES = 52, BISECTIONS = 60 };

typedef struct search {
  const dls_system *sys;
  const double *q, *v; /* n */
  double *F;           /* n */
} search;

static bool finite(size_t n, const double *x)
{
  double zero = 0;
  for (size_t i = 0; i < n; i++) {
    zero += 0 * x[i];
  }
  return zero == 0;
}

/* Failures that values without a number may cause. */
static bool may_follow(dls_status status)
{
  static const dls_status failures[] = {DLS_ERR_NONFINITE, DLS_ERR_NOCONV,     DLS_ERR_LCP,
                                        DLS_ERR_SINGULAR,  DLS_ERR_INTEGRATOR, DLS_ERR_PENETRATION,
                                        DLS_ERR_PAINLEVE};
  bool may = false;
  for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
    may = may || status == failures[i];
  }
  return may;
}

static bool has_value(const search *s, double t)
{
  if (s->sys->linear) {
    dls_system_load(s->sys, t, s->F);
  } else {
    dls_system_force(s->sys, t, s->q, s->v, s->F);
  }
  return finite(s->sys->n, s->F);
}

/* The first t in [begin, end] from which a force has no value. @return false: none found */
static bool find(const search *s, double begin, double end, double *t)
{
  double good = begin, bad = begin;
  for (int k = SCALES; k >= 0 && has_value(s, bad); k--) {
    good = bad;
    bad = begin + ldexp(end - begin, -k);
  }
  if (has_value(s, bad)) {
    return false;
  }
  for (int k = 0; k < BISECTIONS && good < bad; k++) {
    const double middle = good + (bad - good) / 2;
    *(has_value(s, middle) ? &good : &bad) = middle;
  }
  *t = bad;
  return !has_value(s, bad); /* F is the force at t */
}

static dls_status report(const dls_sim *sim, const search *s, double begin, double t, dls_error *err)
{
  size_t i = 0;
  while (i + 1 < s->sys->n && isfinite(s->F[i])) {
    i++;
  }
  dls_coordinate coordinate;
  dls_system_coordinate(s->sys, i, &coordinate);
  const char *value = isnan(s->F[i]) ? "nan"
                      : s->F[i] > 0  ? "inf"
                                     : "-inf",
             *what = s->sys->linear ? "load" : "force";
  if (t == begin) {
    return dls_sim_fail(sim, err, DLS_ERR_NONFINITE,
                        "the %s on coordinate %zu (%s) is not finite at t = %.17g%s (%s)", what, i,
                        coordinate.name, t, s->sys->linear ? "" : " and the state there", value);
  }
  return dls_sim_fail(sim, err, DLS_ERR_NONFINITE,
                      "the %s on coordinate %zu (%s) is not finite from t = %.17g on (%s)", what, i,
                      coordinate.name, t, value);
}

dls_status dls_load_blame(const dls_sim *sim, dls_status status, double step, double end, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const bool steps = dls_scheme_needs_step(sim->scheme);
  if (!may_follow(status) || err == NULL) {
    return status;
  }
  const bool known = finite(sys->n, sim->q) && finite(sys->n, sim->v);
  const search s = {sys, known ? sim->q : sys->q0, known ? sim->v : sys->v0,
                    malloc((sys->n + 1) * sizeof *s.F)};
  double t = 0;
  const double begin = steps ? fmax(0, sim->t - step) : sim->t;
  if (s.F != NULL && find(&s, begin, fmin(sim->t + (steps ? step : sys->time), end), &t)) {
    status = report(sim, &s, begin, t, err);
  }
  free(s.F);
  return status;
}
