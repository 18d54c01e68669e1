/* xpbd.c -- rigid bodies by extended position-based dynamics: n substeps of h = (step)/n, in each
 *
 *   v_free = v + h M^-1 F,  x = q + h v_free,   `iterations` times, for contacts with g(x) < 0:
 *     lambda' = lambda - (g + a lambda)/(W_NN + a), lambda' >= 0,  a = alpha/h^2,  x := x + M^-1 H_N (lambda' - lambda)   (a)
 *     undo the slip of the substep if that takes less than mu_s lambda                                  (b)
 *   q' = x,  v = (x - q)/h,  and then, for contacts with lambda > 0,
 *     u_T := u_T - u_T/|u_T| min(h mu f_N W_TT, |u_T|),  f_N = lambda/h^2                               (c)
 *     u_N := max(-e u~_N, 0),  u~ = H^T v_free;  e = 0 if u~_N > -2 |a_N| h                             (d)
 *
 * With r = lambda/h, (a) is row (2) of impulse_equations.h at velocity level, with c = g(q + h v_free)/h - u~_N.
 * Joints are rigid rows of (a) with Phi, without a bound, before the contacts. h f_N is the impulse that keeps the gap from closing:
 * (1 - sigma) V/W_NN for an impact at the fraction sigma of the substep, not V/W_NN. In (c) the paper has h mu f_N without W_TT, as
 * friction_bound=speed. Within an iteration gaps are linear in its corrections.
 * Sources: Macklin, Mueller, Chentanez 2016; Macklin et al. 2019; Mueller et al. 2020, eq. (30) for (c).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/balance_impulse.h"
#include "time_stepping/impulse/impulse_step.h"
#include <float.h>
#include <math.h>
#include <string.h>

typedef enum threshold_velocity { BEFORE, AFTER } threshold_velocity;
typedef enum friction_bound { IMPULSE, SPEED } friction_bound;
static const char *const threshold_velocities[] = {"before", "after", NULL};
static const char *const friction_bounds[] = {"impulse", "speed", NULL};

typedef struct xpbd_options {
  size_t substeps, iterations;
  double compliance;
  int threshold, friction_bound;
} xpbd_options;

static const dls_option table[] = {
    DLS_INTEGER_OPTION(0, xpbd_options, substeps, "substeps of a step", 20, 1, 1000),
    DLS_INTEGER_OPTION(0, xpbd_options, iterations, "sweeps over the positions in a substep", 1, 1, 1000),
    DLS_REAL_OPTION(0, xpbd_options, compliance, "m/N", "compliance alpha of the contacts; 0: rigid", 0, 0,
                    DBL_MAX, 0),
    DLS_CHOICE_OPTION(
        0, xpbd_options, threshold,
        "gap velocity that decides whether e = 0: that before the positions are solved, or that after, which "
        "is common and drops rebounds at random",
        BEFORE, threshold_velocities),
    DLS_CHOICE_OPTION(
        0, xpbd_options, friction_bound,
        "bound of the sliding friction of a substep: h mu f_N as an impulse, or as a speed, as printed in "
        "eq. (30), which is right for unit masses only",
        IMPULSE, friction_bounds),
    {0},
};

/* c, m and i of (a), by the gaps at x = q + h v and u = H^T v. In the first sweep u is u~, and r := 0. */
static void take_rows(dls_sim *sim, dls_impulse_memory *s, double t_next, double h, bool first)
{
  const xpbd_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  const double a = opt->compliance / (h * h);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->work[i] = DLS_EULER_POSITION(s->q[i], h, s->v[i]); /* x */
  }
  dls_impulse_gaps(c, t_next, s->work, s->gap);
  if (s->joints.count > 0) {
    dls_impulse_joints_at(&s->joints, sim->sys, t_next, s->work);
    dls_impulse_joints_aim(&s->joints, h, s->v); /* Phi(x) = 0 */
  }
  if (first) {
    dls_impulse_rows(c, s->v, s->before); /* u~ */
    memset(c->r, 0, c->config.rows * sizeof *c->r);
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    const size_t row = c->config.d * j;
    const double u = first ? s->before[row] : dls_impulse_row(c, row, s->v);
    if (a > 0) { /* else they are 1 and 0 from the start */
      const double W = dls_impulse_W(c, j)[0];
      c->mass[j] = DLS_XPBD_MASS(W, a);
      c->yield[j] = DLS_XPBD_YIELD(W, a);
    }
    c->c[j] = c->mass[j] * (DLS_IMPULSE_SPECULATIVE(h, s->gap[j]) - u);
  }
}

/* (b) */
static void static_friction(const dls_system *sys, dls_impulse_memory *s, size_t j)
{
  dls_impulse_contacts *c = &s->contacts;
  const size_t row = sys->d * j;
  const double mu_s = sys->mu_s[j] > sys->mu[j] ? sys->mu_s[j] : sys->mu[j];
  double x[2];
  if (!c->rough[j] || !(c->r[row] > 0) || !(dls_impulse_stick(c, j, s->v, x) < mu_s * c->r[row])) {
    return;
  }
  for (size_t i = 0; i + 1 < sys->d; i++) {
    x[i] -= c->r[row + 1 + i];
  }
  dls_impulse_add(c, j, 1, sys->d - 1, x, s->v);
}

/* (a) and (b) */
static void solve_positions(dls_sim *sim, dls_impulse_memory *s, double t_next, double h)
{
  const xpbd_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  const size_t m = sim->sys->m;
  s->joints.mass = 1;
  for (size_t i = 0; i < s->joints.count; i++) {
    s->joints.r[i] = 0;
  }
  for (size_t i = 0; i < opt->iterations; i++) {
    take_rows(sim, s, t_next, h, i == 0);
    if (s->joints.count > 0) {
      dls_impulse_joints_sweep(&s->joints, s->v);
    }
    dls_impulse_begin_sweeps(c, s->v);
    for (size_t j = 0; j < m; j++) {
      dls_impulse_normal(c, j, s->v);
      static_friction(sim->sys, s, j);
    }
    dls_impulse_end_sweeps(c, s->v);
  }
}

/* (c) */
static void sliding_friction(const dls_sim *sim, dls_impulse_memory *s, size_t j)
{
  dls_impulse_contacts *c = &s->contacts;
  const size_t d = sim->sys->d, row = d * j;
  const double *W = dls_impulse_W(c, j), bound = sim->sys->mu[j] * c->r[row]; /* h mu f_N */
  double e[2], inverse_mass = 0;
  for (size_t i = 0; i + 1 < d; i++) {
    e[i] = dls_impulse_row(c, row + 1 + i, s->v);
  }
  const double speed = dls_impulse_length(d - 1, e);
  for (size_t i = 0; i + 1 < d; i++) {
    for (size_t k = 0; k + 1 < d; k++) {
      inverse_mass += e[i] / speed * W[i + 1 + d * (k + 1)] * e[k] / speed; /* W_TT along the slip */
    }
  }
  const bool by_speed = ((const xpbd_options *)sim->options)->friction_bound == SPEED;
  const double most = by_speed ? bound : bound * inverse_mass,
               change = most < speed ? most : speed; /* of |u_T| */
  for (size_t i = 0; i + 1 < d && inverse_mass > 0; i++) {
    e[i] *= -change / speed / inverse_mass;
  }
  if (inverse_mass > 0) { /* else there is no slip, or it cannot be changed */
    dls_impulse_add(c, j, 1, d - 1, e, s->v);
  }
}

/* (d) */
static void rebound(const dls_sim *sim, dls_impulse_memory *s, size_t j, double h)
{
  const xpbd_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  const size_t row = c->config.d * j;
  const double *before = s->before + row, W = dls_impulse_W(c, j)[0];
  const double u = dls_impulse_row(c, row, s->v);
  const double a = dls_impulse_row_dot(c, row, s->a); /* a_N */
  const bool rests = fabs(opt->threshold == BEFORE ? before[0] : u) <= threshold_slow_impact * fabs(a) * h;
  const double e = rests ? 0 : dls_impulse_restitution(s, j, before);
  const double change = -(u - DLS_IMPULSE_REBOUND(e, before[0])) / W;
  dls_impulse_add(c, j, 0, 1, &change, s->v);
}

/* The velocity pass. */
static void solve_velocities(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const size_t d = sim->sys->d;
  dls_impulse_begin_sweeps(&s->contacts, s->v);
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->contacts.r[d * j] > 0) {
      if (s->contacts.rough[j]) {
        sliding_friction(sim, s, j);
      }
      rebound(sim, s, j, h);
    }
  }
  dls_impulse_end_sweeps(&s->contacts, s->v);
}

static dls_status substep(dls_sim *sim, dls_impulse_memory *s, double t, double t_next, double h,
                          dls_error *err)
{
  const bool constant = s->contacts.small.n > 0 || dls_configuration_constant(&s->contacts.config);
  const dls_status status = constant ? DLS_OK /* as dls_impulse_begin has left it */
                                     : dls_impulse_contacts_at(&s->contacts, t, s->q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_impulse_free_motion(sim, s, t, t_next, h); /* v_free */
  solve_positions(sim, s, t_next, h);
  dls_impulse_works_move(sim, s, h);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q[i] = DLS_EULER_POSITION(s->q[i], h, s->v[i]); /* q' = x */
  }
  solve_velocities(sim, s, h);
  dls_impulse_collect(s, ((const xpbd_options *)sim->options)->iterations);
  return DLS_OK;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  const size_t substeps = ((const xpbd_options *)sim->options)->substeps;
  dls_impulse_memory *s = sim->memory;
  dls_status status = dls_impulse_begin(sim, s, h, err);
  double t = sim->t;
  for (size_t i = 0; i < substeps && status == DLS_OK; i++) {
    const double t_next = dls_impulse_time(sim, h, i + 1, substeps);
    status = substep(sim, s, t, t_next, h / (double)substeps, err);
    t = t_next;
  }
  if (status == DLS_OK) {
    dls_impulse_take(sim, s, h);
  }
  return status;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_status status = dls_impulse_start(sim, err);
  if (status == DLS_OK) {
    dls_impulse_memory *s = sim->memory;
    for (size_t j = 0; j < sim->sys->m; j++) {
      s->contacts.set.index[s->contacts.set.count++] = j;
      s->contacts.mass[j] = 1; /* of rigid contacts */
    }
  }
  return status;
}

/* Nothing is kept from step to step. */
static dls_status moved(dls_sim *sim, dls_error *err)
{
  (void)sim;
  (void)err;
  return DLS_OK;
}

static dls_status limit(const dls_scheme *self, const void *options, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const double compliance = ((const xpbd_options *)options)->compliance;
  if (contact->mu > 0) { /* friction of an impact is mu (1 - sigma) V */
    *out = (dls_limit_model){.kind = DLS_LIMIT_NONE, .e = NAN};
  }
  return compliance == 0 ? dls_impulse_limit(self, contact, err)
                         : dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                                    "scheme %s: the limit model with compliance = %g m/N is not known",
                                    self->name, compliance);
}

const dls_scheme dls_scheme_xpbd = {
    .name = "xpbd",
    DLS_IMPULSE_ENTRY,
    .handles = DLS_IMPULSE_HANDLES | DLS_HANDLES_STATIC_FRICTION,
    .summary = "rigid bodies by extended position-based dynamics, in substeps",
    .source =
        "M. Macklin, M. Mueller, N. Chentanez 2016; M. Macklin et al. 2019; M. Mueller et al. 2020, eq. (30)",
    .equations = "substeps of h = (step)/n:  v_free = v + h M^-1 F,  x = q + h v_free\n"
                 "g(x) < 0:  lambda' = max(lambda - (g + a lambda)/(W + a), 0),  a = compliance/h^2,  x := x + "
                 "M^-1 H (..)\n"
                 "joints: lambda' = lambda - Phi(x)/W before the contacts\n"
                 "undo the slip of the substep if that takes less than mu_s lambda\n"
                 "q' = x,  v = (x - q)/h;  where lambda > 0, with f_N = lambda/h^2:\n"
                 "|u_T| := |u_T| - min(h mu f_N W_TT, |u_T|),   u_N := max(-e u~_N, 0),  u~ of v_free\n"
                 "e = 0 if |u~_N| <= 2 |a_N| h;  threshold=after: if |u_N| <= 2 |a_N| h\n",
    .remarks =
        "Order 1, with errors proportional to 1/substeps. Rest and stick are exact; a single gap is not\n"
        "negative at nodes. An impact at the fraction sigma of a substep has the friction of the impulse\n"
        "(1 - sigma) V/W: on average half of mu V for every h, so that friction at impacts has order 0.\n"
        "threshold=after drops the rebound of an impact with a probability of 2 |a| h/V.\n"
        "The velocity pass sets u_N also where bodies separate from a penetration: such a contact pulls.\n",
    .options = table,
    .options_size = sizeof(xpbd_options),
    .limit = {.text = "for impacts without friction; with friction they have between none and all of it, by "
                      "the phase, for every h",
              .model = limit},
    .start = start,
    .advance = advance,
    .moved = moved,
};
