/* sequential_impulse.c -- a fixed number of sweeps of Gauss-Seidel's method over the contacts with g <= 0:
 *
 *   u_N' >= max(-e u_N-, beta (|g| - slop)/h)   stabilise=baumgarte                                 (a)
 *   u_N' >= max(-e u_N-, 0)                     split, none                                         (b)
 *   split: a pseudo velocity w with H_N^T w >= beta (|g| - slop)/h, by as many sweeps; q' = q + h (v' + w)
 *
 * in rows (2) of impulse_equations.h: first those of the joints with u = -beta Phi/h (or 0), then normals and tangents contact by
 * contact. Sweeps start from the fraction warm_start of the impulses of the last step. Their residual is not corrected.
 * Sources: E. Catto 2005; J. Baumgarte 1972 for (a).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/balance_impulse.h"
#include "time_stepping/impulse/impulse_step.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef enum stabilisation { BAUMGARTE, SPLIT, NONE } stabilisation;
typedef enum row_order { NORMAL_FIRST, FRICTION_FIRST } row_order;
static const char *const stabilisations[] = {"baumgarte", "split", "none", NULL};
static const char *const row_orders[] = {"normal-first", "friction-first", NULL};

typedef struct sequential_options {
  size_t sweeps;
  double warm_start, beta, slop;
  int stabilise, order;
} sequential_options;

static const dls_option table[] = {
    DLS_INTEGER_OPTION(0, sequential_options, sweeps, "sweeps over the contacts in a step", 10, 1, 100000),
    DLS_REAL_OPTION(0, sequential_options, warm_start, "1",
                    "fraction of the last impulses that the sweeps start from; 0: cold", 1, 0, 1, 0),
    DLS_CHOICE_OPTION(
        0, sequential_options, stabilise,
        "what pushes penetrations out: a speed of the bodies (baumgarte), one that moves positions "
        "alone (split), or nothing (none)",
        BAUMGARTE, stabilisations),
    DLS_REAL_OPTION(0, sequential_options, beta, "1",
                    "fraction of a penetration that a step pushes out (error reduction parameter)", 0.2, 0, 1,
                    0),
    DLS_REAL_OPTION(0, sequential_options, slop, "m", "penetration that is not pushed out", 0, 0, DBL_MAX, 0),
    DLS_CHOICE_OPTION(0, sequential_options, order, "rows of a contact: which come first", NORMAL_FIRST,
                      row_orders),
    {0},
};

/* The contacts with g <= 0, their rows and the impulses that they start from; other contacts forget theirs. */
static void choose_contacts(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const sequential_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  const size_t d = sim->sys->d;
  const double weight = s->h > 0 ? opt->warm_start * h / s->h : 0; /* impulses grow with the step */
  c->set.count = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double g = sim->g[j], *U = s->U + d * j;
    const bool closed = g <= (fabs(U[0]) <= s->eps_u ? s->eps_g : 0);
    for (size_t row = d * j; row < d * (j + 1); row++) {
      c->r[row] = closed ? weight * c->r[row] : 0;
    }
    if (closed) {
      const double rebound = DLS_IMPULSE_REBOUND(dls_impulse_restitution(s, j, U), U[0]);
      const double depth = fmax(-g - opt->slop, 0);
      const double push = opt->stabilise == BAUMGARTE ? DLS_IMPULSE_PUSH(h, opt->beta, depth) : 0;
      c->c[j] = -fmax(rebound, push); /* (a), (b) */
      c->mass[j] = 1;
      c->yield[j] = 0;
      c->set.index[c->set.count++] = j;
    }
  }
}

/* The rows of the joints: u = -beta Phi/h, or 0. */
static void take_joints(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const sequential_options *opt = sim->options;
  dls_impulse_joints *joints = &s->joints;
  const double weight = s->h > 0 ? opt->warm_start * h / s->h : 0;
  joints->mass = 1;
  for (size_t i = 0; i < joints->count; i++) {
    joints->r[i] *= weight;
    joints->c[i] = opt->stabilise == BAUMGARTE ? DLS_IMPULSE_PUSH(h, opt->beta, joints->phi[i]) : 0;
  }
}

static void sweep(dls_impulse_memory *s, row_order order, double *v)
{
  dls_impulse_contacts *c = &s->contacts;
  dls_impulse_joints_sweep(&s->joints, v);
  for (size_t k = 0; k < c->set.count; k++) {
    const size_t j = c->set.index[k];
    if (order == FRICTION_FIRST) {
      dls_impulse_friction(c, j, v);
    }
    dls_impulse_normal(c, j, v);
    if (order == NORMAL_FIRST) {
      dls_impulse_friction(c, j, v);
    }
  }
}

/* w of (b) by sweeps over joints and normals, which start from 0; q := q + h w. The impulses that move positions are not kept. */
static void push_positions(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const sequential_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  dls_impulse_joints *joints = &s->joints;
  const size_t d = sim->sys->d, n = sim->sys->n;
  memset(s->work, 0, n * sizeof *s->work);
  memset(c->r, 0, d * sim->sys->m * sizeof *c->r);
  for (size_t k = 0; k < c->set.count; k++) {
    const size_t j = c->set.index[k];
    const dls_configuration *config = &c->config;
    c->c[j] = -DLS_IMPULSE_PUSH(h, opt->beta, fmax(-sim->g[j] - opt->slop, 0)) -
              (config->moves ? config->b[d * j] : 0); /* H_N^T w alone */
  }
  for (size_t i = 0; i < joints->count; i++) {
    joints->r[i] = 0;
    joints->c[i] = DLS_IMPULSE_PUSH(h, opt->beta, joints->phi[i]) - joints->rate[i]; /* G^T w alone */
  }
  dls_impulse_begin_sweeps(c, s->work);
  for (size_t i = 0; i < opt->sweeps; i++) {
    dls_impulse_joints_sweep(joints, s->work);
    for (size_t k = 0; k < c->set.count; k++) {
      dls_impulse_normal(c, c->set.index[k], s->work);
    }
  }
  dls_impulse_end_sweeps(c, s->work);
  dls_impulse_works_push(sim, s, s->work, h);
  for (size_t i = 0; i < n; i++) {
    s->q[i] = DLS_EULER_POSITION(s->q[i], h, s->work[i]);
  }
  memcpy(c->r, s->total, d * sim->sys->m * sizeof *c->r); /* where the next step starts from */
  for (size_t i = 0; i < joints->count; i++) {
    joints->r[i] = joints->total[i];
  }
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  const sequential_options *opt = sim->options;
  dls_impulse_memory *s = sim->memory;
  const dls_status status = dls_impulse_begin(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_impulse_free_motion(sim, s, sim->t, dls_sim_next_time(sim, h), h); /* (1) */
  choose_contacts(sim, s, h);
  take_joints(sim, s, h);
  dls_impulse_joints_warm_start(&s->joints, s->v);
  dls_impulse_begin_sweeps(&s->contacts, s->v);
  dls_impulse_warm_start(&s->contacts, s->v);
  for (size_t i = 0; i < opt->sweeps; i++) {
    sweep(s, (row_order)opt->order, s->v); /* (2) */
  }
  dls_impulse_end_sweeps(&s->contacts, s->v);
  dls_impulse_collect(s, opt->sweeps);
  dls_impulse_works_move(sim, s, h);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q[i] = DLS_EULER_POSITION(s->q[i], h, s->v[i]); /* (1) */
  }
  if (opt->stabilise == SPLIT) {
    push_positions(sim, s, h);
  }
  dls_impulse_take(sim, s, h);
  s->h = h;
  return DLS_OK;
}

/* beta and slop without a stabilisation have no effect. */
static dls_status check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t unused[] = {offsetof(sequential_options, beta), offsetof(sequential_options, slop)};
  const sequential_options *opt = options;
  return opt->stabilise != NONE ? DLS_OK
                                : dls_option_unused(self->options, options, "scheme sequential-impulse", 2,
                                                    unused, "stabilise=none", err);
}

/* Does the push of Baumgarte's term exceed the rebound? Then penetrations decide, and they depend on the grid. */
static bool pushes(const sequential_options *opt, double e)
{
  return opt->stabilise == BAUMGARTE && e < opt->beta;
}

static dls_status limit(const dls_scheme *self, const void *options, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const sequential_options *opt = options;
  if (pushes(opt, contact->e)) {
    *out = (dls_limit_model){.kind = DLS_LIMIT_NONE, .e = NAN};
    return DLS_OK;
  }
  if (contact->mu > 0 && opt->order == FRICTION_FIRST && opt->sweeps == 1) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "scheme %s: with order=friction-first and one sweep impacts have no friction, and the limit "
        "model is not known; sweeps=2 has one",
        self->name);
  }
  return dls_impulse_limit(self, contact, err);
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  const sequential_options *opt = sim->options;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double e = dls_law_restitution(sim->sys, j, -sim->sys->length / sim->sys->time);
    if (pushes(opt, e)) {
      snprintf(text, size,
               "contact %zu has e = %g, below beta = %g of stabilise=baumgarte: its impacts rebound with an e "
               "between the two, which depends on the penetration",
               j, e, opt->beta);
      return;
    }
  }
}

const dls_scheme dls_scheme_sequential_impulse = {
    .name = "sequential-impulse",
    DLS_IMPULSE_ENTRY,
    .handles = DLS_IMPULSE_HANDLES,
    .summary = "sequential impulses: a few sweeps of Gauss-Seidel's method, stabilised (ODE, Bullet, Box2D 2)",
    .source = "E. Catto 2005; J. Baumgarte 1972",
    .equations = "v_free = v + h M^-1 F(t + h/2, q, v),   q' = q + h v'\n"
                 "contacts with g <= 0, one after the other, sweeps times:\n"
                 "r_N' = max(r_N - (u_N - s)/W_NN, 0),   r_T' = P(r_T - W_TT^-1 u_T),  |r_T'| <= mu r_N\n"
                 "s = max(-e u_N-, beta (|g| - slop)/h) (baumgarte), max(-e u_N-, 0) (split, none)\n"
                 "joints: rows without bound, s = -beta Phi/h or 0, before the contacts\n"
                 "split: q' = q + h (v' + w), where the rows of w have s = beta (|g| - slop)/h\n",
    .remarks =
        "Order 1. With stabilise=baumgarte a penetration of (1 - sigma) h V, which depends on where the grid\n"
        "lies, comes back as a speed: e < beta becomes a number between e and beta for every h, so that there\n"
        "is no limit. split and none keep e; a split impulse reduces a penetration by 1 - beta in a step.\n"
        "The sweeps are truncated. A column of N balls at rest sinks: with order 1 from a cold start, with\n"
        "order 2 from a warm one. An impact that passes through m bodies needs m sweeps in one step, or its\n"
        "error is O(1); from a warm start its impulse also acts in the next step.\n"
        "Friction before the normal, one cold sweep: no friction.\n",
    .options = table,
    .options_size = sizeof(sequential_options),
    .check = check,
    .limit = {.text =
                  "with stabilise=baumgarte and e < beta there is none: rebounds are between e and beta, by "
                  "the grid, for every h; where impacts act on coupled contacts or joints none is known",
              .model = limit},
    .note = note,
    .start = dls_impulse_start,
    .advance = advance,
};
