/* linearised_step.c -- semi-implicit Euler with a contact problem that its members pose.
 *
 *   M (v' - v) = h F(t, q, v) + H P + G mu,   q' = q + h v',   G^T v' = -Phi(t', q)/h                      (1)
 *   on the contacts in the problem:  u^ = U' + c U + bias  and P obey the law,  U' = H^T v' + b(t')            (2)
 *
 * M, H, G and b are taken at (t', q), U is that of the node. Joints are rows with the same linearisation as the gaps, so that their
 * position error does not accumulate. Without contacts the step is of order 1; vibrations of linear systems do not grow for h < 2/omega.
 * Sources: Stewart, Trinkle 1996; Anitescu, Potra 1997; Anitescu 2006.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/linearised_step.h"
#include "common/base/arrays.h"
#include "time_stepping/convex/convex_equations.h"
#include "time_stepping/step/euler_equations.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_known_contacts_choices[] = {"all", "near", "closed", NULL};

dls_status dls_linearised_check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t envelope[] = {offsetof(dls_linearised_options, envelope)};
  const dls_linearised_options *opt = options;
  char owner[80], with[40];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  snprintf(with, sizeof with, "contacts=%s", dls_known_contacts_choices[opt->contacts]);
  return opt->contacts == DLS_KNOWN_NEAR
             ? DLS_OK
             : dls_option_unused(self->options, options, owner, 1, envelope, with, err);
}

void dls_linearised_finish(dls_sim *sim)
{
  dls_linearised *s = sim->memory;
  if (s != NULL) {
    dls_velocity_contact_destroy(&s->contact);
    free(s->block);
    free(s);
  }
}

dls_status dls_linearised_moved(dls_sim *sim, dls_error *err)
{
  (void)sim;
  (void)err;
  return DLS_OK; /* a step needs t, q and v alone */
}

/* Refuse laws that exclude positive work: a bias g/h < 0 and an expansion push bodies apart. */
static dls_status check_laws(const dls_sim *sim, dls_error *err)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    const dls_law *law = dls_law_of(sim->sys, j);
    if (law->dissipates) {
      return dls_sim_fail(
          sim, err, DLS_ERR_NOT_APPLICABLE,
          "contact %zu has law %s, by which contact does no positive work; impulses of this scheme "
          "may do some: choose another law or scheme",
          j, law->name);
    }
  }
  return DLS_OK;
}

dls_status dls_linearised_start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_linearised_kind *kind = sim->scheme->kind;
  dls_linearised *s = sim->memory = calloc(1, sizeof *s);
  const size_t n = sys->n;
  if (s == NULL || (s->block = dls_arrays((const dls_slot[]){{n, {&s->force, &s->v_free, &s->v_next}},
                                                             {sys->d * sys->m, {&s->bias, &s->second}},
                                                             {sys->m, {&s->gap, &s->e}},
                                                             {sys->r, {&s->phi}},
                                                             {0}})) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", n);
  }
  dls_status status = dls_velocity_contact_create_mass(sim, threshold_slow_approach, &s->contact, err);
  status = status != DLS_OK ? status : check_laws(sim, err);
  if (status != DLS_OK) {
    return status;
  }
  if (sys->r > 0) { /* where Phi = 0: independent equations are eliminated from now on */
    status = dls_contact_system_at(&s->contact.contacts, sim->t, sim->q, err);
    if (status != DLS_OK) {
      return status;
    }
    dls_joints_learn(s->contact.contacts.joints);
  }
  for (size_t j = 0; j < sys->m; j++) {
    s->e[j] = dls_law_restitution(sys, j, -sys->length / sys->time);
  }
  dls_contact_system_inelastic(&s->contact.contacts);
  s->contact.contacts.bias = s->bias;
  return kind->prepare != NULL ? kind->prepare(sim, s, err) : DLS_OK;
}

/* x := M^-1 or S of x, with mu where there are joints. */
static void solve_motion(dls_sim *sim, dls_linearised *s, double h, double *x)
{
  const dls_contact_system *contacts = &s->contact.contacts;
  dls_matrix_multiply(contacts->config->M, 1, sim->v, x); /* M v + h F + H P */
  dls_joints_solve(contacts->joints, x, s->phi, sim->mu);
  for (size_t i = 0; i < sim->sys->r; i++) {
    sim->mu[i] /= h; /* the mean force of the step */
  }
}

/* (1) without P */
static void free_velocity(dls_sim *sim, dls_linearised *s, double h, double t_next)
{
  const size_t n = sim->sys->n;
  dls_sim_force(sim, sim->t, sim->q, sim->v, s->force);
  for (size_t i = 0; i < n; i++) {
    s->force[i] *= h;
  }
  if (dls_sim_load_impulse(sim, sim->t, t_next, 0, s->v_free)) {
    for (size_t i = 0; i < n; i++) {
      s->force[i] += s->v_free[i];
    }
  }
  memcpy(s->v_free, s->force, n * sizeof *s->v_free);
  if (sim->sys->r > 0) {
    const double *phi = dls_joints_phi(s->contact.contacts.joints);
    for (size_t i = 0; i < sim->sys->r; i++) {
      s->phi[i] = -phi[i] / h;
    }
    solve_motion(sim, s, h, s->v_free);
    return;
  }
  dls_factor_solve(s->contact.contacts.M, s->v_free);
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] += sim->v[i];
  }
}

/* The contacts in the problem, their gaps g(t', q) - h b(t'), so that g' = that + h U' where gaps are affine in q, and U. */
static void choose_contacts(const dls_sim *sim, dls_linearised *s, double h)
{
  const dls_linearised_options *opt = sim->options;
  dls_velocity_contact *c = &s->contact;
  const dls_configuration *config = c->contacts.config;
  const size_t m = sim->sys->m;
  dls_velocity_contact_node(sim, c);
  if (config->moves) {
    dls_configuration_gap(config, s->gap);
    for (size_t j = 0; j < m; j++) {
      s->gap[j] -= h * config->b[config->d * j];
    }
  } else {
    memcpy(s->gap, sim->g, m * sizeof *s->gap);
  }
  c->active.count = 0;
  for (size_t j = 0; j < m; j++) {
    const double reach = opt->contacts == DLS_KNOWN_ALL    ? DBL_MAX
                         : opt->contacts == DLS_KNOWN_NEAR ? opt->envelope
                         : fabs(sim->u[j]) <= c->eps_u     ? c->eps_g
                                                           : 0;
    c->active.index[c->active.count] = j;
    c->active.count += s->gap[j] <= reach;
  }
}

/* v' = v_free + M^-1 H P, with joints by (1). */
static void final_velocity(dls_sim *sim, dls_linearised *s, double h)
{
  const dls_velocity_contact *c = &s->contact;
  if (sim->sys->r == 0 || c->active.count == 0) {
    memcpy(s->v_next, s->v_free, sim->sys->n * sizeof *s->v_next);
    dls_contact_system_apply(&s->contact.contacts, &c->active, 1, c->impulse, s->v_next);
    return;
  }
  memcpy(s->v_next, s->force, sim->sys->n * sizeof *s->v_next);
  dls_contact_system_add_impulse(&c->contacts, &c->active, c->impulse, s->v_next);
  solve_motion(sim, s, h, s->v_next);
}

dls_status dls_linearised_advance(dls_sim *sim, double h, dls_error *err)
{
  dls_linearised *s = sim->memory;
  const dls_linearised_kind *kind = sim->scheme->kind;
  const double t_next = dls_sim_next_time(sim, h);
  dls_status status = dls_contact_system_at(&s->contact.contacts, t_next, sim->q, err);
  if (status != DLS_OK) {
    return status;
  }
  free_velocity(sim, s, h, t_next); /* (1) without P */
  choose_contacts(sim, s, h);
  if (kind->pose != NULL) {
    kind->pose(sim, s, h);
  }
  status = dls_velocity_contact_solve(sim, &s->contact, s->v_free, err); /* (2) */
  if (status == DLS_OK && kind->expand != NULL) {
    status = kind->expand(sim, s, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  final_velocity(sim, s, h);
  dls_velocity_contact_take(sim, &s->contact, t_next, s->v_free, s->v_next);
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->v[i] = s->v_next[i];
    sim->q[i] = DLS_EULER_POSITION(sim->q[i], h, s->v_next[i]); /* (1) */
  }
  return DLS_OK;
}
