/* moreau_jean_adaptive.c -- step doubling over a one-step scheme of the Moreau-Jean kind.
 *   x_1: one step h;  x_2: two steps h/2, which are accepted
 *   error of x_2 for order p:  d = x_2 - x_1,   p = 0: 2 d,   p >= 1: d/(2^p - 1)                     (1)
 *   err = max_i |error_i|/(tol + rtol max(|x_i|, |x_2,i|)),   next step: control.h               (2)
 *   and, with violation=increment, not less than
 *     max_alpha [max(0, -g_alpha(q_2)) - max(0, -g_alpha(q))]/tol                                     (3)
 * or with violation=total, as the lecture has it,
 *     max_alpha max(0, -g_alpha(q_2))/tol                                                            (3')
 * A step in which bodies pass through each other between nodes has an infinite error.
 * p = 0 holds for a step with an impact that x_1 and x_2 place differently. p = variable uses it where an impulse stops an approach, or
 * where the set of contacts with impulses changes in the three steps. Elsewhere it uses the order of the smooth motion. Both half
 * steps become nodes.
 * Sources: Acary, lecture, eqs. (105)-(129); (3') is (128), (129). Once a contact rests penetrated, no step can reduce (3'), and all
 * further steps are forced. (3) is this project's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/larger.h"
#include "time_stepping/adaptive/one_step.h"
#include "time_stepping/step/control.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLE = 3 };
enum { BY_Q, BY_SCALED, BY_FULL };
static const char *const orders[] = {"0", "1", "2", "variable", NULL};
static const char *const controls[] = {"q", "scaled", "full", NULL};
enum { NO_VIOLATION, BY_INCREMENT, BY_TOTAL };
static const char *const violations[] = {"off", "increment", "total", NULL};

typedef struct adaptive_options {
  double tol, rtol;
  int order, control, violation;
  dls_base_options base;
  dls_step_control_options steps;
} adaptive_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, adaptive_options, tol, "l_s",
                    "error of q accepted in a step, in units of the model's length", 1e-5, 0, 1e3,
                    DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, adaptive_options, rtol, "1", "error accepted in addition, relative to the value", 0, 0,
                    1, 0),
    DLS_CHOICE_OPTION(0, adaptive_options, order,
                      "order p of the error estimate; variable: 0 at impacts, else that of the scheme",
                      VARIABLE, orders),
    DLS_CHOICE_OPTION(
        0, adaptive_options, control,
        "controlled quantities: q; scaled: also h v; full: also v, which a body at rest may drive to h_min",
        BY_Q, controls),
    DLS_CHOICE_OPTION(0, adaptive_options, violation,
                      "penetration that counts as error: its increment in a step (increment), or all of it, "
                      "which forces every later step (total)",
                      BY_INCREMENT, violations),
    DLS_BASE_OPTIONS(offsetof(adaptive_options, base)),
    DLS_STEP_CONTROL_OPTIONS(offsetof(adaptive_options, steps)),
    {0},
};

typedef struct adaptive_memory {
  dls_one_step base;
  dls_step_control control;
  dls_one_step_state one, half, two; /* after the whole step, the first half step, the second */
  dls_sim *halves;                   /* the inner run that made the half steps */
  size_t half_events;                /* its events in the first half step */
  bool pending;                      /* the second half step is accepted but no node yet */
} adaptive_memory;

static dls_status check(const dls_scheme *self, const void *options, dls_error *err)
{
  return dls_step_control_check(self, &((const adaptive_options *)options)->steps, err);
}

static void finish(dls_sim *sim)
{
  adaptive_memory *s = sim->memory;
  if (s != NULL) {
    dls_one_step_destroy(&s->base);
    dls_one_step_state_destroy(&s->one);
    dls_one_step_state_destroy(&s->half);
    dls_one_step_state_destroy(&s->two);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const adaptive_options *opt = sim->options;
  adaptive_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !dls_one_step_state_create(sim->sys, &s->one) ||
      !dls_one_step_state_create(sim->sys, &s->half) || !dls_one_step_state_create(sim->sys, &s->two)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sim->sys->n);
  }
  dls_step_control_start(sim, &opt->steps, &s->control);
  return dls_one_step_create(sim, &opt->base, &s->base, err);
}

/* One step h from the state of the outer run. */
static dls_status first_step(dls_sim *sim, adaptive_memory *s, double h, dls_one_step_state *x, dls_sim **run,
                             dls_error *err)
{
  dls_status status = dls_one_step_begin(&s->base, sim->t, sim->q, sim->v, h, run, err);
  if (status != DLS_OK || (status = dls_one_step_advance(sim, *run, h, err)) != DLS_OK) {
    return status;
  }
  dls_one_step_state_get(*run, sim->status, x);
  return DLS_OK;
}

/* The same contacts open, sticking and slipping, these in no opposite direction. */
static bool same_contacts(const dls_sim *sim, const dls_one_step_state *x)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (sim->status[j] != x->status[j]) {
      return false;
    }
  }
  return !dls_one_step_turns(sim->sys, sim->status, sim->u_t, x->status, x->u_t);
}

/* The p of (1). */
static int order_of(const dls_sim *sim, const adaptive_memory *s)
{
  const adaptive_options *opt = sim->options;
  if (opt->order != VARIABLE) {
    return opt->order;
  }
  const bool smooth = !s->one.jump && !s->half.jump && !s->two.jump && same_contacts(sim, &s->one) &&
                      same_contacts(sim, &s->half) && same_contacts(sim, &s->two);
  return !smooth ? 0 : dls_one_step_order(sim->sys, opt->base.theta.theta, sim->status);
}

/* max_i |x_2 - x_1|/(tol + rtol max(|x|, |x_2|)) */
static double largest_ratio(size_t n, const double *x, const double *x1, const double *x2, double tol,
                            double rtol)
{
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    const double ratio = fabs(x2[i] - x1[i]) / (tol + rtol * fmax(fabs(x[i]), fabs(x2[i])));
    largest = dls_larger(largest, ratio);
  }
  return largest;
}

/* (3) or (3') */
static double violation(const dls_sim *sim, const adaptive_memory *s)
{
  const adaptive_options *opt = sim->options;
  double largest = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double before = opt->violation == BY_TOTAL ? 0 : fmax(0, -sim->g[j]);
    largest = fmax(largest, fmax(0, -s->halves->g[j]) - before);
  }
  return largest / (opt->tol * sim->sys->length);
}

/* (2) */
static double error_of(const dls_sim *sim, const adaptive_memory *s, double h, int order)
{
  static const double factors[] = {2, 1, 1.0 / 3};
  const dls_system *sys = sim->sys;
  const adaptive_options *opt = sim->options;
  const double tol = opt->tol * sys->length;
  double error = largest_ratio(sys->n, sim->q, s->one.q, s->two.q, tol, opt->rtol);
  if (opt->control != BY_Q) {
    const double per_velocity = opt->control == BY_SCALED ? 1 / h : 1 / sys->time;
    error = fmax(error, largest_ratio(sys->n, sim->v, s->one.v, s->two.v, tol * per_velocity, opt->rtol));
  }
  error *= factors[order];
  return opt->violation == NO_VIOLATION ? error : fmax(error, violation(sim, s));
}

/* The three steps. */
static dls_status try_step(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err)
{
  adaptive_memory *s = step;
  dls_sim *whole;
  dls_status status = first_step(sim, s, h, &s->one, &whole, err);
  if (status != DLS_OK || (status = first_step(sim, s, h / 2, &s->half, &s->halves, err)) != DLS_OK) {
    return status;
  }
  s->half_events = s->halves->record->event_count;
  const bool passed = dls_one_step_passed(s->halves);
  status = dls_one_step_advance(sim, s->halves, h / 2, err);
  if (status == DLS_OK) {
    dls_one_step_state_get(s->halves, s->half.status, &s->two);
    s->two.t = sim->t + h; /* as the driver reckons the end, not h/2 + h/2 */
    *order = order_of(sim, s);
    *error = passed || dls_one_step_passed(s->halves) ? HUGE_VAL : error_of(sim, s, h, *order);
  }
  return status;
}

static dls_status advance(dls_sim *sim, double rest, dls_error *err)
{
  adaptive_memory *s = sim->memory;
  if (s->pending) {
    dls_one_step_report(sim, s->halves, s->half_events, s->halves->record->event_count, s->half.status);
    dls_one_step_state_put(&s->two, sim); /* x_2, half a step behind the last node */
    s->pending = false;
    return DLS_OK;
  }
  double h;
  const dls_status status = dls_step_control_step(sim, &s->control, dls_step_control_way(sim, rest), try_step,
                                                  s, &h, err); /* (1) to (3) */
  if (status == DLS_OK) {
    dls_one_step_report(sim, s->halves, 0, s->half_events, sim->status);
    dls_one_step_state_put(&s->half, sim); /* x_2 at h/2 */
    s->pending = true;
  }
  return status;
}

const dls_scheme dls_scheme_moreau_jean_adaptive = {
    .name = "moreau-jean-adaptive",
    .family = DLS_FAMILY_MOREAU,
    .summary = "Moreau-Jean with steps chosen by step doubling",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eqs. (105)-(129)",
    .equations =
        "x_1: one step h;  x_2: two steps h/2;  d = x_2 - x_1\n"
        "error = 2 d (order 0), d (order 1), d/3 (order 2)\n"
        "err = max |error|/(tol + rtol |x|), and [violation] max(new penetration)/tol; [total] of all "
        "penetration\n"
        "h_new = h min(grow, max(shrink, safety err^(-1/(order+1)))), rounded down to h_max 2^(-k/2)\n",
    .remarks = "Three one-step problems a trial. The base schemes' single steps: show moreau-jean.\n"
               "tol bounds the error of a step, not of the run.\n"
               "Steps at h_min are accepted whatever their error: --stats counts them as forced.\n"
               "violation=total is the lecture's (128), (129): after a lasting penetration larger than tol "
               "every\nstep is forced, and the run ends only if h_min allows it.\n",
    .options = table,
    .options_size = sizeof(adaptive_options),
    .stepping = DLS_BY_EVENT,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = advance,
    .finish = finish,
};
