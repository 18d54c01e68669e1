/* rk_locate.c -- where a smooth motion ends: at the release of a lasting contact, or shortly before a gap closes.
 * Both are found on Runge-Kutta steps of trial length, so that they are as accurate as the method.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/gap_root.h"
#include "time_stepping/runge_kutta/rk_moreau.h"
#include "time_stepping/step/joint_steps.h"
#include <math.h>
#include <string.h>

enum { MAX_REFINEMENTS = 100, NEWTON_REFINEMENTS = 8 }; /* then bisection, which ends after 60 */

/* Whether the projection moved q farther than the error of a step. */
static dls_status check_way(dls_sim *sim, const double *before, const double *q, dls_error *err)
{
  const double off = dls_iteration_change(sim->sys->n, before, q);
  return dls_joint_damping(sim, off) == 1
             ? DLS_OK
             : dls_sim_fail(sim, err, DLS_ERR_NOCONV,
                            "a step has left the joints by %.3g m: a shorter one may be stable", off);
}

dls_status dls_bracketing_project(dls_sim *sim, dls_bracketing *s, const dls_contacts *down,
                                  const dls_contacts *stays, dls_instant *x, dls_error *err)
{
  const bool joints = s->contacts.joints != NULL;
  double *before = s->v_left; /* scratch */
  if (down->count == 0 && stays->count == 0 && !joints) {
    return DLS_OK;
  }
  memcpy(before, x->q, sim->sys->n * sizeof *before);
  dls_status status = dls_contact_system_project_q(&s->contacts, down, x->t, x->q, err);
  if (status == DLS_OK && joints) {
    dls_joints_learn(s->contacts.joints);
    status = check_way(sim, before, x->q, err);
  }
  return status != DLS_OK || (stays->count == 0 && !joints)
             ? status
             : dls_contact_system_project_v(&s->contacts, stays, x->v, err);
}

/* Runge-Kutta step of length h from now to trial. */
static dls_status try_step(dls_sim *sim, dls_bracketing *s, double h, double *opens, dls_error *err)
{
  dls_instant *x = &s->trial;
  x->t = s->now.t + h;
  dls_contact_system_begin_interval(&s->contacts, s->now.u);
  dls_status status = dls_rk_step(sim, &s->rk, &s->contacts, &s->now, &s->closed, h, x->q, x->v, opens, err);
  return status != DLS_OK ? status : dls_bracketing_project(sim, s, &s->closed, &s->closed, x, err);
}

dls_status dls_bracketing_reach(dls_sim *sim, dls_bracketing *s, double h, double *opens, dls_error *err)
{
  const dls_status status = try_step(sim, s, h, opens, err);
  return status != DLS_OK ? status : dls_instant_observe(sim, &s->contacts, &s->closed, &s->trial, NULL, err);
}

/* Does contact j stick at now and slip at trial, or has its slip reversed? */
static bool slip_changes(const dls_sim *sim, const dls_bracketing *s, size_t j)
{
  const size_t d = s->contacts.config->d;
  const dls_instant *x = &s->trial;
  double product = 0;
  if (!dls_law_has_friction(sim->sys, j)) {
    return false;
  }
  for (size_t i = d * j + 1; i < d * (j + 1); i++) {
    product += s->now.u[i] * x->u[i];
  }
  return sim->status[j] == 1 ? dls_slip_status(&s->contacts, j, x->u, x->gamma, x->lambda) == 2 : product < 0;
}

static bool any_slip_changes(const dls_sim *sim, const dls_bracketing *s)
{
  for (size_t k = 0; k < s->closed.count; k++) {
    if (slip_changes(sim, s, s->closed.index[k])) {
      return true;
    }
  }
  return false;
}

dls_status dls_bracketing_slip(dls_sim *sim, dls_bracketing *s, double *length, bool *found, dls_error *err)
{
  const double width = fmax(0.5 * s->bracket, s->width);
  double low = 0, ignored = 0;
  dls_status status = DLS_OK;
  *found = s->contacts.problem != NULL && any_slip_changes(sim, s);
  bool behind = *found;
  double high = *length;
  for (int i = 0; *found && i < MAX_REFINEMENTS && high - low > width && status == DLS_OK; i++) {
    const double middle = 0.5 * (low + high);
    status = dls_bracketing_reach(sim, s, middle, &ignored, err);
    behind = any_slip_changes(sim, s);
    *(behind ? &high : &low) = middle; /* bisection */
  }
  *length = high;
  return status != DLS_OK || behind ? status
         : *found                   ? dls_bracketing_reach(sim, s, *length, &ignored, err)
                                    : DLS_OK;
}

/* How far from release the lasting contacts are at x [m/s^2]: negative where one opens. */
static double margin(const dls_bracketing *s, const dls_instant *x)
{
  double least = HUGE_VAL;
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k], row = s->contacts.config->d * j;
    const bool opens = dls_instant_opens(&s->contacts, j, x->gamma, x->lambda);
    least =
        fmin(least, opens ? -x->gamma[row]
                          : dls_delassus_entry(s->contacts.W, row, row) * x->lambda[row] + s->contacts.open);
  }
  return least;
}

/* A release in (low, high], margins given there: trial := the state at its upper bound, at most a bracket late. */
static dls_status refine_release(dls_sim *sim, dls_bracketing *s, double low, double high, double at_low,
                                 double at_high, double *length, dls_error *err)
{
  const double width = fmax(0.5 * s->bracket, s->width);
  double last = -1;
  double opens = 0;
  dls_status status = DLS_OK;
  for (int i = 0; i < MAX_REFINEMENTS && high - low > width && status == DLS_OK; i++) {
    const double secant =
        low + (high - low) * at_low / (at_low - at_high); /* zero of the chord of the margin */
    const double aim =
        i % 3 == 2 ? 0.5 * (low + high)
                   : secant + (i % 3 == 0 ? 0.4 : -0.4) *
                                  width; /* every third time a half, else a little to each side of the zero */
    last = aim > low && aim < high ? aim : 0.5 * (low + high);
    status = dls_bracketing_reach(sim, s, last, &opens, err);
    const double f = margin(s, &s->trial);
    *(f < 0 ? &high : &low) = last;
    *(f < 0 ? &at_high : &at_low) = f;
  }
  *length = high;
  return status != DLS_OK || last == high ? status : dls_bracketing_reach(sim, s, high, &opens, err);
}

dls_status dls_bracketing_release(dls_sim *sim, dls_bracketing *s, double opens, double *length, bool *found,
                                  dls_error *err)
{
  const double end = *length;
  const double at_end = margin(s, &s->trial);
  double low = 0;
  double at_low = fmax(margin(s, &s->now), 0);
  *found = at_end < 0;
  if (opens < 1) { /* at a stage: it may be one of low order that is wrong */
    double ignored = 0;
    const dls_status status = dls_bracketing_reach(sim, s, opens * end, &ignored, err);
    const double at_stage = margin(s, &s->trial);
    if (status != DLS_OK || at_stage < 0) {
      *found = true;
      return status != DLS_OK ? status : refine_release(sim, s, 0, opens * end, at_low, at_stage, length, err);
    }
    low = opens * end;
    at_low = at_stage;
    if (!*found) {
      return dls_bracketing_reach(sim, s, end, &ignored, err);
    }
  }
  return *found ? refine_release(sim, s, low, end, at_low, at_end, length, err) : DLS_OK;
}

/* The first gap that becomes negative, by more than rounding, on the way to trial. One that is negative from the
 * start, which the projection of another may do, gets a bracket at once, and is projected. */
static bool find_crossing(const dls_sim *sim, const dls_bracketing *s, double length, size_t *contact,
                          double *root, double *below)
{
  const size_t d = s->contacts.config->d;
  bool found = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (dls_bracketing_closed(sim, j)) {
      continue;
    }
    const dls_gap_end a = {s->now.g[j] + s->noise, s->now.u[d * j],
                           s->now.gamma[d * j]}; /* g, u, du/dt at both ends */
    const dls_gap_end b = {s->trial.g[j] + s->noise, s->trial.u[d * j], s->trial.gamma[d * j]};
    double zero = 0;
    double behind = 0;
    if (dls_gap_root(a, b, length, &zero, &behind) && (!found || zero < *root)) {
      found = true;
      *contact = j;
      *root = s->locate == DLS_LOCATE_INTERPOLANT ? dls_gap_root_refined(a, b, length, zero) : zero;
      *below = behind;
    }
  }
  return found;
}

/* Gap and its velocity at now + h. */
static dls_status sample(dls_sim *sim, dls_bracketing *s, double h, dls_error *err)
{
  double ignored = 0;
  dls_status status = try_step(sim, s, h, &ignored, err);
  if (status != DLS_OK ||
      (status = dls_contact_system_at(&s->contacts, s->trial.t, s->trial.q, err)) != DLS_OK) {
    return status;
  }
  dls_system_gap(sim->sys, s->trial.t, s->trial.q, s->trial.g);
  dls_configuration_velocity(s->contacts.config, s->trial.v, s->trial.u);
  return DLS_OK;
}

/* Where the search for t_a begins: the quintic has its zero at `root` and is negative at `below`. */
static double first_guess(const dls_bracketing *s, double root, double below)
{
  return s->locate == DLS_LOCATE_BISECTION     ? 0.5 * below
         : s->locate == DLS_LOCATE_INTERPOLANT ? fmax(root - 0.5 * s->bracket, 0)
                                               : root;
}

/* trial := the state at t_a, from which contact j closes within the bracket; or, if the way to `below` does not lead
 * to a closed gap after all, the state there. The interpolant is accepted if its gap closes. */
static dls_status refine_crossing(dls_sim *sim, dls_bracketing *s, size_t j, double root, double below,
                                  bool *crossed, dls_error *err)
{
  double low = 0;
  double high = below;
  double h = first_guess(s, root, below);
  const int newton = s->locate == DLS_LOCATE_BISECTION ? 0 : NEWTON_REFINEMENTS;
  *crossed = false;
  for (int i = 0; i < MAX_REFINEMENTS; i++) {
    const dls_status status = sample(sim, s, h, err);
    const double g = s->trial.g[j];
    const double u = s->trial.u[s->contacts.config->d * j];
    const double aim = -0.5 * s->bracket * u; /* gap d/2 before the zero, at the speed u */
    const bool believed = s->locate == DLS_LOCATE_INTERPOLANT && i == 0;
    if (status != DLS_OK ||
        (u < 0 && (believed || (g >= 0 && g <= 2 * aim)))) { /* g(t_a) > 0, closed within d */
      *crossed = true;
      return status;
    }
    const bool behind = u < 0 ? g < aim : g < -s->noise;
    *crossed = *crossed || behind;
    *(behind ? &high : &low) = h;
    if (high - low <= s->width && (h == high || !behind)) {
      if (h == high) {
        return status;
      }
      h = high;
      continue;
    }
    h = u < 0 && i < newton ? h - (g - aim) / u : low; /* Newton */
    if (!(h > low && h < high)) {
      h = !*crossed && i < newton ? high : 0.5 * (low + high);
    }
  }
  return DLS_OK;
}

/* The open contact that has closed longest before trial, more than rounding: it was first after all. */
static bool closed_before(const dls_sim *sim, const dls_bracketing *s, size_t *contact, double *ago)
{
  const dls_instant *x = &s->trial;
  *ago = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double g = x->g[j] + s->noise, u = x->u[s->contacts.config->d * j];
    if (!dls_bracketing_closed(sim, j) && g < 0 && u < 0 && g / u > *ago) {
      *ago = g / u;
      *contact = j;
    }
  }
  return *ago > 0;
}

/* trial := the state from which a bracket begins, with `contact` the first to close; see refine_crossing. */
static dls_status find_bracket(dls_sim *sim, dls_bracketing *s, size_t *contact, double root, double below,
                               bool *crossed, dls_error *err)
{
  dls_status status = refine_crossing(sim, s, *contact, root, below, crossed, err);
  double ago = 0;
  for (size_t i = 0; i < sim->sys->m && status == DLS_OK && *crossed && closed_before(sim, s, contact, &ago);
       i++) {
    const double h = s->trial.t - s->now.t;
    status = refine_crossing(sim, s, *contact, fmax(h - ago, 0), h, crossed, err);
  }
  return status;
}

dls_status dls_bracketing_crossing(dls_sim *sim, dls_bracketing *s, double length, bool *found, size_t *contact,
                                   dls_error *err)
{
  double root = 0;
  double below = 0;
  bool crossed = false;
  *found = find_crossing(sim, s, length, contact, &root, &below);
  if (!*found) {
    return DLS_OK;
  }
  const dls_status status = find_bracket(sim, s, contact, root, below, &crossed, err);
  if (status != DLS_OK || crossed) {
    return status;
  }
  *contact = sim->sys->m;
  return dls_instant_observe(sim, &s->contacts, &s->closed, &s->trial, NULL, err);
}
