/* control.c -- step lengths from error estimates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/control.h"
#include <float.h>
#include <math.h>

static const double root_half = 0.70710678118654752;
static const double slack = 1e-9;        /* lengths that differ only by rounding are the same level */
static const double failed_ratio = 0.25; /* a step that failed gives no estimate of the right length */
static const double resolution = 16 * DBL_EPSILON; /* times t: half of it still moves the clock */

dls_status dls_step_control_check(const dls_scheme *scheme, const dls_step_control_options *opt, dls_error *err)
{
  return opt->h_min <= opt->h_max ? DLS_OK
                                  : dls_fail(err, DLS_ERR_OPTION, "scheme %s: h_min = %g exceeds h_max = %g",
                                             scheme->name, opt->h_min, opt->h_max);
}

static double length_of(const dls_step_control *c, int level)
{
  return ldexp(c->h_max, -(level / 2)) * (level % 2 == 0 ? 1 : root_half);
}

/* The longest length on the grid that is at most h, or the shortest of all. */
static int level_of(const dls_step_control *c, double h)
{
  const double level = ceil(2 * log2(c->h_max / h) - slack);
  return level < 0 ? 0 : level > c->deepest ? c->deepest : (int)level;
}

void dls_step_control_start(const dls_sim *sim, const dls_step_control_options *opt, dls_step_control *c)
{
  const double time = sim->sys->time;
  *c = (dls_step_control){
      .h_max = opt->h_max * time,
      .safety = opt->safety,
      .shrink = opt->shrink,
      .grow = opt->grow,
      .deepest = (int)floor(2 * log2(opt->h_max / opt->h_min) + slack),
      .most_rejections = opt->max_rejections,
      .most_trials = opt->max_trials,
  };
  c->level = level_of(c, opt->h_first * time);
}

bool dls_step_control_shortest(const dls_sim *sim, const dls_step_control *c, double h)
{
  return !(h > fmax(length_of(c, c->deepest), resolution * fabs(sim->t)));
}

/* The length of the next trial. */
static dls_status propose(const dls_sim *sim, dls_step_control *c, double rest, double *h, dls_error *err)
{
  if (c->trials >= c->most_trials) {
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                        "max_trials = %zu steps were tried, %zu of them accepted; the length is now %g s",
                        c->most_trials, sim->work.steps, length_of(c, c->level));
  }
  c->trials++;
  const double length = fmax(length_of(c, c->level), resolution * fabs(sim->t));
  *h = rest <= length ? rest : rest < 2 * length ? rest / 2 : length;
  return DLS_OK;
}

/* The next length, at most h times the factor. */
static void set_length(dls_step_control *c, double h)
{
  c->level = level_of(c, h);
}

static void reject(dls_sim *sim, dls_step_control *c, double h)
{
  sim->work.rejected++;
  c->rejections++;
  set_length(c, h);
  if (c->rejections >= c->most_rejections) {
    c->level = c->deepest;
  }
}

/* The factor of (1), and whether a trial with this error is accepted. */
static bool judge(dls_sim *sim, dls_step_control *c, double h, double err, int order)
{
  const double wanted =
      err == 0 ? c->grow : c->safety * pow(err, -1.0 / (order + 1)); /* (1): safety err^(-1/(p+1)) */
  const double factor = wanted >= c->shrink ? fmin(wanted, c->grow) : c->shrink; /* (1); NaN: shrink */
  const bool good = err <= 1;
  if (!good && !dls_step_control_shortest(sim, c, h)) {
    reject(sim, c, h * fmin(factor, root_half));
    return false;
  }
  set_length(c, h * (c->rejections > 0 ? fmin(factor, 1) : factor));
  c->rejections = 0;
  sim->work.steps++;
  sim->work.forced += !good;
  return true;
}

double dls_step_control_way(const dls_sim *sim, double rest)
{
  const double jump = dls_system_next_switch(sim->sys, sim->t), before = jump - 4 * DBL_EPSILON * fabs(jump),
               end = fmin(dls_system_next_break(sim->sys, sim->t), sim->t < before ? before : jump);
  return end < sim->t + rest ? end - sim->t : rest;
}

bool dls_step_control_retry(dls_status status)
{
  return status == DLS_ERR_NOCONV || status == DLS_ERR_LCP || status == DLS_ERR_SINGULAR ||
         status == DLS_ERR_NONFINITE;
}

dls_status dls_step_control_step(dls_sim *sim, dls_step_control *c, double rest, dls_trial *trial, void *step,
                                 double *h, dls_error *err)
{
  for (;;) {
    dls_status status = propose(sim, c, rest, h, err);
    if (status != DLS_OK) {
      return status;
    }
    double error = 0;
    int order = 0;
    status = trial(sim, step, *h, &error, &order, err);
    if (status == DLS_OK && judge(sim, c, *h, error, order)) {
      return DLS_OK;
    }
    if (status != DLS_OK && (!dls_step_control_retry(status) || dls_step_control_shortest(sim, c, *h))) {
      return status;
    }
    if (status != DLS_OK) {
      reject(sim, c, *h * failed_ratio);
    }
  }
}
