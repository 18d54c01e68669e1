/* tdg_d1_minus.c -- time-discontinuous Galerkin scheme of degree 1, jump at the right end, half-explicit.
 * With a = M^-1 F(t, q, v) and the contact forces lambda+ at t_k, lambda- at t_k+1:
 *   vt = v + h (a + M^-1 H lambda+),   q' = q + (h/2) (v + vt),   a' = M^-1 F(t', q', vt)                   (1)
 *   no contact closes:  v- = v + (h/2) (a + M^-1 H lambda+ + a' + M'^-1 H' lambda-)                        (2)
 *   a contact closes:   v- = v + (h/2) (a + a')                                                            (3)
 * Acceleration level: the acceleration problem on lasting contacts gives lambda+ at t_k and lambda- at (t', q', vt).
 * Velocity level:
 *   0 <= H(q + h v)^T v + h H^T (a + M^-1 H lambda+)  _|_  lambda+ >= 0   on the contacts closed at t_k    (4)
 *   0 <= H'^T v-  _|_  lambda- >= 0                                       on those closed at both ends     (5)
 * (4) is H(q + h v)^T vt >= 0 up to terms of order h^2. The force acts along H at t_k; otherwise the order on curved contacts
 * would be 1.
 * Sources: Schindler, Acary 2014; Schindler, Rezaei, Kursawe, Acary 2015.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/galerkin/tdg_step.h"
#include <stdlib.h>
#include <string.h>

enum { ACCELERATION, VELOCITY };
static const char *const levels[] = {"acceleration", "velocity", NULL};

typedef struct explicit_options {
  dls_tdg_options tdg;
  int level;
} explicit_options;
static const dls_option table[] = {
    DLS_TDG_OPTIONS,
    DLS_CHOICE_OPTION(0, explicit_options, level, "complementarity of lasting contact", ACCELERATION, levels),
    {0},
};

static bool at_velocity_level(const dls_sim *sim)
{
  return ((const explicit_options *)sim->options)->level == VELOCITY;
}

static void finish(dls_sim *sim)
{
  if (sim->memory != NULL) {
    dls_tdg_destroy(sim->memory);
    free(sim->memory);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  dls_tdg *s = sim->memory = calloc(1, sizeof *s);
  return s != NULL ? dls_tdg_start(sim, s, err) : dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory");
}

/* (4) for a node at (t, q, v), where M and H are */
static dls_status leave_at_velocity_level(dls_tdg *s, const dls_tdg_node *node, double t, const double *q,
                                          const double *v, double h, dls_error *err)
{
  dls_configuration *config = s->contacts.config;
  const size_t n = config->sys->n;
  for (size_t i = 0; i < n; i++) {
    s->ahead[i] = q[i] + h * v[i]; /* q + h v */
  }
  dls_configuration_contacts(config, t + h, s->ahead);
  dls_configuration_velocity(config, v, s->x);
  for (size_t row = 0; row < config->rows; row++) {
    s->x[row] /= h; /* H(q + h v)^T v / h: (4) divided by h */
  }
  dls_configuration_contacts(config, t, q);
  memcpy(node->total, node->free, n * sizeof *node->total);
  const dls_status status = dls_tdg_solve(s, &s->contacts, node->closed, node->free, s->x, node->lambda, err);
  if (status == DLS_OK) {
    dls_tdg_push(s, &s->contacts, 1, node->total); /* a + M^-1 H lambda+ */
  }
  return status;
}

/* v- := v + (h/2) (a_left + v-), where v- held a'. */
static void trapezoid(const dls_sim *sim, dls_tdg *s, const double *a_left, double h)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_left[i] = sim->v[i] + h / 2 * (a_left[i] + s->v_left[i]); /* (2) or (3) */
  }
}

/* (2) with v- holding a' */
static dls_status hold_at_acceleration_level(dls_sim *sim, dls_tdg *s, double t, double h, dls_error *err)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->set[j] = s->next.closed[j] &&
                (dls_tdg_held(s, j) ||
                 dls_configuration_row(s->contacts.config, s->contacts.config->d * j, s->ahead) <= s->eps_u);
  }
  dls_contact_system_begin_interval(&s->contacts, s->u_node);
  const dls_status status = dls_tdg_contact_acceleration(s, s->set, s->ahead, s->v_left, s->lambda_left, err);
  trapezoid(sim, s, s->now.total, h);
  if (status != DLS_OK || s->contacts.problem == NULL) { /* no friction */
    return status;
  }
  bool ended = false;
  const dls_smooth_interval interval = {t, h, &s->active, s->u_node, s->lambda_left, s->q_next, s->v_left};
  return dls_slip_catch(sim, &s->contacts, &s->slip, &interval, &ended, err);
}

/* (2), (5) with v- holding a' */
static dls_status hold_at_velocity_level(dls_sim *sim, dls_tdg *s, double h, dls_error *err)
{
  trapezoid(sim, s, s->now.total, h);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->ahead[i] = 2 / h * s->v_left[i]; /* (5), divided by h/2 */
  }
  for (size_t row = 0; row < s->contacts.config->rows; row++) {
    s->x[row] = 2 / h * s->contacts.config->b[row];
  }
  const dls_status status = dls_tdg_solve(s, &s->contacts, s->next.closed, s->ahead, s->x, s->lambda_left, err);
  if (status == DLS_OK) {
    dls_tdg_push(s, &s->contacts, h / 2, s->v_left);
  }
  return status;
}

/* v- and lambda- at t */
static dls_status left_limit(dls_sim *sim, dls_tdg *s, double t, double h, dls_error *err)
{
  const bool closing = dls_tdg_closing(sim, s, t);
  dls_sim_load_begin(sim, sim->t, t, 0.5); /* a contains the other half of the trapezoidal rule */
  dls_tdg_free_acceleration(sim, s, t, s->q_next, s->ahead, s->v_left);
  dls_sim_load_end(sim);
  if (closing) {
    trapezoid(sim, s, s->now.free, h); /* (3) */
    memset(s->lambda_left, 0, s->contacts.config->rows * sizeof *s->lambda_left);
    return DLS_OK;
  }
  return at_velocity_level(sim) ? hold_at_velocity_level(sim, s, h, err)
                                : hold_at_acceleration_level(sim, s, t, h, err);
}

/* lambda+ at t_k, if it is not yet known for this h; then (1), at t */
static dls_status predict(dls_sim *sim, dls_tdg *s, double t, double h, dls_error *err)
{
  if (at_velocity_level(sim) && s->h != h) {
    s->h = 0;
    const dls_status status =
        leave_at_velocity_level(s, &s->now, sim->t, sim->q, sim->v, h, err); /* (4): lambda+ for this h */
    if (status != DLS_OK) {
      return status;
    }
    s->h = h;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->ahead[i] = sim->v[i] + h * s->now.total[i];                /* vt of (1) */
    s->q_next[i] = sim->q[i] + h / 2 * (sim->v[i] + s->ahead[i]); /* q' of (1) */
  }
  return dls_contact_system_at(&s->contacts, t, s->q_next, err); /* M', H' of (2) */
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  dls_tdg *s = sim->memory;
  const double t = dls_sim_next_time(sim, h);
  if (!at_velocity_level(sim)) { /* there friction is bounded by mu lambda_N in any case */
    dls_configuration_begin_interval(s->contacts.config, sim->t);
  }
  dls_status status = predict(sim, s, t, h, err);                     /* (1) */
  status = status != DLS_OK ? status : left_limit(sim, s, t, h, err); /* v- by (2) or (3) */
  dls_configuration_end_interval(s->contacts.config);
  if (status != DLS_OK || (status = dls_tdg_impact(sim, s, err)) != DLS_OK) { /* v+ */
    return status;
  }
  dls_tdg_arrive(sim, s, t);
  status = at_velocity_level(sim) ? leave_at_velocity_level(s, &s->next, t, s->q_next, s->v_next, h, err)
                                  : dls_tdg_leave(s, err); /* lambda+ at t' for the next step */
  if (status == DLS_OK) {
    dls_tdg_commit(sim, s, t);
  }
  return status;
}

const dls_scheme dls_scheme_tdg_d1_minus = {
    .name = "tdg-d1-minus",
    .family = DLS_FAMILY_GALERKIN,
    .summary = "time-discontinuous Galerkin, degree 1, jump at the right end, half-explicit",
    .source = "T. Schindler, V. Acary 2014; T. Schindler, S. Rezaei, J. Kursawe, V. Acary 2015",
    .equations =
        "vt = v + h (a + M^-1 H lambda+),  q' = q + (h/2) (v + vt),  a = M^-1 F(t, q, v),  a' = M^-1 F(t', q', "
        "vt)\n"
        "v- = v + (h/2) (a + a' + M^-1 H (lambda+ + lambda-));  without lambda+, lambda- where a contact "
        "closes\n"
        "v+ = v- + M^-1 H L,   0 <= U+ + e U-  _|_  L >= 0   on the contacts closed at t'\n"
        "e only where the contact closes in this step, 0 where it was closed before\n"
        "acceleration: 0 <= dU/dt _|_ lambda >= 0 at t for lasting contacts, at (t', q', vt) for those that "
        "stay\n"
        "velocity:     0 <= H(q + h v)^T v + h H^T M^-1 (F + H lambda+) _|_ lambda+ >= 0 on closed contacts,\n"
        "              0 <= H^T v- _|_ lambda- >= 0 on those that stay closed\n",
    .remarks = "Order 2 without impacts and through a lift-off, order 1 with impacts (L1 of q and v).\n"
               "Explicit: stable for h omega_max < 2. Passes accumulations; a contact that bounces back before "
               "it has\n"
               "left is stopped, so bodies come to rest. Impacts are decided behind the gap: penetrations up "
               "to h V stay.\n"
               "On curved contacts U drifts with the error of the scheme at acceleration level, g at both.\n"
               "p is the impulse L of a jump, lambda the force of lasting contact behind the node (before it, "
               "in the row\n"
               "before a jump).\n",
    .options = table,
    .options_size = sizeof(explicit_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
};
