/* central_difference_penalty.c -- explicit central differences with contacts that are springs.
 *   q' = q + h v + (h^2/2) a,   M a' = F(t', q', v + h a) + H lambda',   lambda' = kappa max(0, -g(q'))    (1)
 *   v' = v + (h/2) (a + a')                                                                                (2)
 * Without damping the positions satisfy M (q_(k+1) - 2 q_k + q_(k-1))/h^2 = F_k + H lambda_k.
 * Source: Hughes, Taylor, Sackman, Curnier, Kanoknukulchai 1976; Belytschko & Neal 1991, for contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "time_stepping/step/newmark_equations.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

typedef struct central_options {
  double kappa;
} central_options;
static const dls_option table[] = {
    DLS_REAL_OPTION(0, central_options, kappa, "N/m", "penalty stiffness", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),
    {0},
};

/* A contact in progress. */
typedef struct episode {
  bool open;
  double t, u_minus, impulse;
} episode;

typedef struct central_memory {
  dls_contact_system contacts; /* M and H at (t', q') */
  dls_contacts all;
  double *a, *a_next, *q_next, *v_next, *ahead; /* n */
  double *w_load;                               /* n: M^-1 D of load_rows.h */
  double *force, *force_next, *gap;             /* m */
  double *r;                                    /* rows: forces, normals only */
  double *block;                                /* owns the arrays of doubles */
  episode *episodes;                            /* m */
} central_memory;

static void finish(dls_sim *sim)
{
  central_memory *s = sim->memory;
  if (s != NULL) {
    dls_contact_system_destroy(&s->contacts);
    free(s->all.index);
    free(s->block);
    free(s->episodes);
    free(s);
  }
}

/* (1) at (t, q) with velocity v: forces of contacts and accelerations. */
static dls_status accelerate(dls_sim *sim, central_memory *s, double t, const double *q, const double *v,
                             double *force, double *a, dls_error *err)
{
  const size_t d = s->contacts.config->d;
  const dls_status status = dls_contact_system_at(&s->contacts, t, q, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_force(sim, t, q, v, a);
  if (sim->sys->m > 0) {
    const double kappa = ((const central_options *)sim->options)->kappa;
    dls_system_gap(sim->sys, t, q, s->gap);
    memset(s->r, 0, d * sim->sys->m * sizeof *s->r);
    for (size_t j = 0; j < sim->sys->m; j++) {
      force[j] = s->gap[j] < 0 ? -kappa * s->gap[j] : 0; /* kappa max(0, -g) */
      s->r[d * j] = force[j];
    }
    dls_contact_system_add_impulse(&s->contacts, &s->all, s->r, a); /* F + H lambda */
  }
  dls_factor_solve(s->contacts.M, a);
  return DLS_OK;
}

static dls_status moved(dls_sim *sim, dls_error *err)
{
  central_memory *s = sim->memory;
  return accelerate(sim, s, sim->t, sim->q, sim->v, s->force, s->a, err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t n = sys->n, m = sys->m;
  central_memory *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->all.index = calloc(m + 1, sizeof *s->all.index);
    s->episodes = calloc(m + 1, sizeof *s->episodes);
    s->block =
        dls_arrays((const dls_slot[]){{n, {&s->a, &s->a_next, &s->q_next, &s->v_next, &s->ahead, &s->w_load}},
                                      {m, {&s->force, &s->force_next, &s->gap}},
                                      {sys->d * m, {&s->r}},
                                      {0}});
  }
  if (s == NULL || s->all.index == NULL || s->episodes == NULL || s->block == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", n);
  }
  for (; s->all.count < m; s->all.count++) {
    s->all.index[s->all.count] = s->all.count;
  }
  const dls_status status = dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
  return status != DLS_OK ? status : moved(sim, err);
}

/* An impact is reported when the contact has opened; one that began at rest at t = 0, as a lift-off. */
static void follow(dls_sim *sim, central_memory *s, double t, size_t j)
{
  episode *x = &s->episodes[j];
  if (!x->open && s->force_next[j] > 0) {
    *x = (episode){true, t, s->force[j] > 0 ? 0 : sim->u[j], 0};
  }
  if (!x->open) {
    return;
  }
  x->impulse += sim->p[j];
  if (s->force_next[j] == 0) {
    const bool impact = x->u_minus < 0;
    const dls_event event = {
        .t = impact ? x->t : t,
        .kind = impact ? DLS_IMPACT : DLS_LIFT_OFF,
        .contact = j,
        .u_minus = impact ? x->u_minus : 0,
        .u_plus = dls_configuration_row(s->contacts.config, s->contacts.config->d * j, s->v_next),
        .impulse = impact ? x->impulse : 0};
    dls_sim_event(sim, &event);
    x->open = false;
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  central_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  const double t = dls_sim_next_time(sim, h);
  for (size_t i = 0; i < n; i++) {
    s->ahead[i] = sim->v[i] + h * s->a[i];                          /* velocity of the forces in (1) */
    s->q_next[i] = sim->q[i] + h * sim->v[i] + h * h / 2 * s->a[i]; /* q' of (1) */
  }
  const bool row = dls_sim_load_impulse(sim, sim->t, t, 0.5, s->w_load); /* D of load_rows.h, as a velocity */
  if (row) {
    dls_factor_solve(s->contacts.M, s->w_load);
  }
  for (size_t i = 0; row && i < n; i++) {
    s->ahead[i] += s->w_load[i];
    s->q_next[i] += DLS_NEWMARK_Q_W(h, s->w_load[i]);
  }
  const dls_status status = accelerate(sim, s, t, s->q_next, s->ahead, s->force_next, s->a_next, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] = sim->v[i] + h / 2 * (s->a[i] + s->a_next[i]); /* (2) */
  }
  for (size_t i = 0; row && i < n; i++) {
    s->v_next[i] += s->w_load[i];
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    sim->p[j] = h / 2 * (s->force[j] + s->force_next[j]); /* what (2) transmits */
    sim->lambda[j] = s->force_next[j];
    sim->status[j] = s->force_next[j] > 0;
    follow(sim, s, t, j);
  }
  memcpy(sim->q, s->q_next, n * sizeof *sim->q);
  memcpy(sim->v, s->v_next, n * sizeof *sim->v);
  memcpy(s->a, s->a_next, n * sizeof *s->a);
  memcpy(s->force, s->force_next, sim->sys->m * sizeof *s->force);
  return DLS_OK;
}

static dls_status limit(const dls_scheme *self, const void *given, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  (void)self;
  (void)contact;
  (void)err;
  out->law = DLS_COMPLIANCE_KELVIN_VOIGT;
  out->k = ((const central_options *)given)->kappa;
  out->p = 1;
  return DLS_OK;
}

const dls_scheme dls_scheme_central_difference_penalty = {
    .name = "central-difference-penalty",
    .family = DLS_FAMILY_PENALTY,
    .summary = "explicit central differences, contact by a stiff spring: stable for short steps only",
    .source =
        "T. Hughes, R. Taylor, J. Sackman, A. Curnier, W. Kanoknukulchai 1976; T. Belytschko, M. Neal 1991",
    .equations = "q' = q + h v + (h^2/2) a,   v' = v + (h/2) (a + a')\n"
                 "M a' = F(t', q', v + h a) + H lambda',   lambda' = kappa max(0, -g(q'))\n",
    .remarks =
        "Order 2 where contacts stay open or closed. No equation is solved but with M. Stable for h < "
        "2/omega_max\n"
        "of the body with its closed contacts: of a mass m on the spring, h < 2 sqrt(m/kappa). A contact has "
        "a\n"
        "time pi sqrt(m/kappa), hardly two such steps; half the penetration U sqrt(m/kappa) costs\n"
        "twice as many.\n"
        "The restitution e of the model is not used: e = 1 as h -> 0, and a step that closes or opens a "
        "contact\n"
        "costs or creates energy of the order kappa (h U)^2. `spectrum` shows the limit without contacts.\n",
    .options = table,
    .options_size = sizeof(central_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_ANY_STEP,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .moved = moved,
    .finish = finish,
    .limit = {.kind = DLS_LIMIT_COMPLIANT, .text = "springs, kappa delta", .model = limit},
};
