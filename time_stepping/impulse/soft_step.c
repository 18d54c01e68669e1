/* soft_step.c -- the soft step of Box2D 3: n substeps of h_s = h/n, in each
 *
 *   v := v + h_s M^-1 F,  v := v + M^-1 H r                      r: of the last substep
 *   a sweep over the normals with a bias, rows (2) of impulse_equations.h:
 *     g > 0   m = 1, i = 0, c = g/h_s                            the gap may close, not more          (a)
 *     g <= 0  c = max(m omega/a1 g, -push_speed), a1 = 2 zeta + h_s omega, a2 = h_s omega a1,
 *             m = a2/(1 + a2), i = 1/(1 + a2)                    an implicit spring and damper        (b)
 *   q := q + h_s v,  g := g + h_s u_N
 *   a sweep to relax, normals and then tangents: (a), and c = 0 in place of (b)                       (c)
 *
 * omega = 2 pi f with f = min(contact_hertz, 1/(8 h_s)), twice that of contacts with a support. After the substeps, contacts
 * that approached faster than restitution_threshold and have had an impulse get u_N = -e u_N-.       (d)
 * Joints are rows (b) with Phi, of joint_hertz and at most 1/(4 h_s), without push_speed, then (c); they come before the contacts.
 * Contacts are those nearer than four slops. M and H are those at the start of the step.
 * Source: E. Catto 2024, "Solver2D"; Box2D 3.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "time_stepping/impulse/balance_impulse.h"
#include "time_stepping/impulse/impulse_step.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct soft_options {
  size_t substeps;
  double contact_hertz, damping_ratio, push_speed, linear_slop, restitution_threshold, joint_hertz,
      joint_damping_ratio;
} soft_options;

static const dls_option table[] = {
    DLS_INTEGER_OPTION(0, soft_options, substeps, "substeps of a step", 4, 1, 1000),
    DLS_REAL_OPTION(0, soft_options, contact_hertz, "Hz",
                    "frequency of contacts between bodies, at most 1/(8 h_s); twice that with a support", 30, 0,
                    DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, soft_options, damping_ratio, "1", "damping ratio of contacts", 10, 0, DBL_MAX, 0),
    DLS_REAL_OPTION(0, soft_options, push_speed, "m/s", "largest speed that pushes a penetration out", 3, 0,
                    DBL_MAX, 0),
    DLS_REAL_OPTION(0, soft_options, linear_slop, "m", "a contact nearer than four times this is solved", 0.005,
                    0, DBL_MAX, 0),
    DLS_REAL_OPTION(0, soft_options, restitution_threshold, "m/s", "slower impacts do not rebound", 1, 0,
                    DBL_MAX, 0),
    DLS_REAL_OPTION(0, soft_options, joint_hertz, "Hz", "frequency of joints, at most 1/(4 h_s)", 60, 0,
                    DBL_MAX, DLS_OPEN_MIN),
    DLS_REAL_OPTION(0, soft_options, joint_damping_ratio, "1", "damping ratio of joints", 2, 0, DBL_MAX, 0),
    {0},
};

static const double pi = 3.14159265358979323846;
enum { MOST_STRIDE = 12 }; /* coordinates of a body: up to a point and three directors */

/* Numbers from 1 to 2 whose sums do not cancel. */
static double weight_of(size_t i)
{
  static const double golden = 0.6180339887498949;
  return 1 + fmod((double)i * golden, 1);
}

/* Linear momenta, which are the first of sys->momenta. */
static size_t directions_of(const dls_system *sys)
{
  return sys->momenta == 6 ? 3 : sys->momenta == 3 ? 2 : sys->momenta;
}

/* Length of the momenta p of v and Mv = a, angular momenta in units of the model's length. */
static double momentum_of(const dls_sim *sim, dls_impulse_memory *s)
{
  const dls_system *sys = sim->sys;
  double p[6] = {0}, size = 0;
  sys->momentum(sys, sim->t, sim->q, s->v, s->a, p);
  for (size_t i = 0; i < sys->momenta; i++) {
    size = hypot(size, i < directions_of(sys) ? p[i] : p[i] / sys->length);
  }
  return size;
}

/* Is linear momentum k the sum of the entries k, k + stride, ... of any Mv? Tested with one whose sums do not cancel. */
static bool sums_by(const dls_sim *sim, dls_impulse_memory *s, size_t stride)
{
  const dls_system *sys = sim->sys;
  const double rounding = (double)sys->n * DBL_EPSILON * (double)sys->n;
  double p[6] = {0}, sum[MOST_STRIDE] = {0};
  bool same = sys->n % stride == 0;
  for (size_t i = 0; i < sys->n; i++) {
    s->a[i] = weight_of(i);
    sum[i % stride] += s->a[i];
  }
  sys->momentum(sys, sim->t, sim->q, s->v, s->a, p);
  for (size_t k = 0; k < directions_of(sys); k++) {
    same = same && fabs(p[k] - sum[k]) <= rounding;
  }
  return same;
}

/* Marks contacts whose impulses change a linear momentum, where all bodies have coordinates of one kind. */
static void mark_translations(const dls_sim *sim, dls_impulse_memory *s)
{
  const dls_system *sys = sim->sys;
  const size_t directions = directions_of(sys);
  size_t stride = directions;
  while (stride <= MOST_STRIDE && !sums_by(sim, s, stride)) {
    stride++;
  }
  for (size_t j = 0; j < sys->m && stride <= MOST_STRIDE; j++) {
    const dls_column column = dls_matrix_column(s->contacts.config.H, sys->d * j);
    double sum[MOST_STRIDE] = {0};
    for (size_t k = 0; k < column.count; k++) {
      sum[dls_column_row(&column, k) % stride] += column.values[k];
    }
    for (size_t k = 0; k < directions; k++) {
      s->fixed[j] |= fabs(sum[k]) > threshold_kept_momentum;
    }
  }
}

/* Marks the other contacts with a support: those whose impulses change the sum of the linear or angular momenta.
 * Impulses that do not cancel are applied to a range of contacts. If they leave the sums unchanged, the range has no
 * support; else each half is tested. reads_v: the momenta are not sums of Mv = H r alone. */
static void mark_supports(const dls_sim *sim, dls_impulse_memory *s, bool reads_v, size_t first, size_t count)
{
  const dls_system *sys = sim->sys;
  memset(s->a, 0, sys->n * sizeof *s->a);
  for (size_t j = first; j < first + count; j++) {
    if (!s->fixed[j]) {
      dls_matrix_column_add(s->contacts.config.H, sys->d * j, weight_of(j), s->a); /* H r */
    }
  }
  if (reads_v) {
    memcpy(s->v, s->a, sys->n * sizeof *s->v);
    dls_contact_system_inverse(&s->contacts.system, s->v); /* M^-1 H r */
  }
  const bool changed = momentum_of(sim, s) > threshold_kept_momentum;
  if (changed && count > 1) {
    mark_supports(sim, s, reads_v, first, count / 2);
    mark_supports(sim, s, reads_v, first + count / 2, count - count / 2);
  } else if (count == 1) {
    s->fixed[first] |= changed;
  }
}

/* Where the system does not state momenta, or H_j = 0 at the start, the test is not possible: the contact has a
 * support. */
static dls_status find_supports(dls_sim *sim, dls_impulse_memory *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  s->fixed = calloc(sys->m + 1, sizeof *s->fixed);
  if (s->fixed == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  const dls_status status = dls_impulse_contacts_at(&s->contacts, sim->t, sim->q, err); /* M and H */
  for (size_t i = 0; i < sys->n; i++) {
    s->work[i] = s->v[i] = weight_of(i);
    s->a[i] = 0;
  }
  if (status == DLS_OK && sys->momenta > 0 && sys->m > 0) {
    const bool reads_v = momentum_of(sim, s) != 0; /* of Mv = 0 and v alone */
    if (!reads_v) {
      mark_translations(sim, s);
    }
    mark_supports(sim, s, reads_v, 0, sys->m);
  }
  for (size_t j = 0; j < sys->m; j++) {
    s->fixed[j] |= sys->momenta == 0 || dls_matrix_column_dot(s->contacts.config.H, sys->d * j, s->work) == 0;
  }
  return status;
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_status status = dls_impulse_start(sim, err);
  return status != DLS_OK ? status : find_supports(sim, sim->memory, err);
}

/* The contacts nearer than four slops; r is per substep, and others forget it. */
static void choose_contacts(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const soft_options *opt = sim->options;
  dls_impulse_contacts *c = &s->contacts;
  const size_t d = sim->sys->d;
  const double weight = s->h > 0 ? h / s->h : 0; /* impulses grow with the step */
  c->set.count = 0;
  for (size_t i = 0; i < s->joints.count; i++) {
    s->joints.r[i] *= weight;
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    const bool near = sim->g[j] <= threshold_slops * opt->linear_slop;
    s->gap[j] = sim->g[j];
    for (size_t row = d * j; row < d * (j + 1); row++) {
      c->r[row] = near ? weight * c->r[row] : 0;
    }
    if (near) {
      c->set.index[c->set.count++] = j;
    }
  }
}

/* The normal row of contact j: (a), (b) or (c). */
static void take_row(const soft_options *opt, dls_impulse_memory *s, size_t j, double h, bool biased)
{
  dls_impulse_contacts *c = &s->contacts;
  const double hertz = fmin(opt->contact_hertz, threshold_contact_frequency / h) * (s->fixed[j] ? 2 : 1);
  const double omega = 2 * pi * hertz, zeta = opt->damping_ratio, g = s->gap[j];
  const bool open = g > s->eps_g; /* (a) closes a gap up to rounding, which must not choose the row */
  const double a2 = DLS_SOFT_A2(h, omega, zeta);
  const bool soft = biased && !open;
  c->mass[j] = soft ? DLS_SOFT_MASS(a2) : 1;
  c->yield[j] = soft ? DLS_SOFT_YIELD(a2) : 0;
  c->c[j] = soft   ? fmax(c->mass[j] * DLS_SOFT_RATE(h, omega, zeta) * g, -opt->push_speed) /* (b) */
            : open ? DLS_IMPULSE_SPECULATIVE(h, g)                                          /* (a) */
                   : 0;                                                                     /* (c) */
}

/* The rows of the joints: (b) with Phi in place of g and without push_speed, or (c). */
static void take_joints(const soft_options *opt, dls_impulse_memory *s, double h, bool biased)
{
  dls_impulse_joints *joints = &s->joints;
  const double omega = 2 * pi * fmin(opt->joint_hertz, threshold_joint_frequency / h),
               zeta = opt->joint_damping_ratio;
  const double a2 = DLS_SOFT_A2(h, omega, zeta);
  joints->mass = biased ? DLS_SOFT_MASS(a2) : 1;
  joints->yield = biased ? DLS_SOFT_YIELD(a2) : 0;
  for (size_t i = 0; i < joints->count; i++) {
    joints->c[i] = biased ? joints->mass * DLS_SOFT_RATE(h, omega, zeta) * joints->phi[i] : 0;
  }
}

static void sweep(const soft_options *opt, dls_impulse_memory *s, double h, bool biased)
{
  dls_impulse_contacts *c = &s->contacts;
  take_joints(opt, s, h, biased);
  dls_impulse_joints_sweep(&s->joints, s->v);
  for (size_t k = 0; k < c->set.count; k++) {
    const size_t j = c->set.index[k];
    take_row(opt, s, j, h, biased);
    dls_impulse_normal(c, j, s->v);
    if (!biased) {
      dls_impulse_friction(c, j, s->v);
    }
  }
  dls_impulse_end_sweeps(c, s->v);
}

static void move(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const dls_configuration *config = &s->contacts.config;
  const dls_contacts *set = &s->contacts.set;
  dls_impulse_works_move(sim, s, h);
  for (size_t i = 0; i < config->sys->n; i++) {
    s->q[i] = DLS_EULER_POSITION(s->q[i], h, s->v[i]);
  }
  for (size_t i = 0; i < s->joints.count; i++) {
    s->joints.phi[i] += h * dls_impulse_joints_velocity(&s->joints, i, s->v);
  }
  for (size_t k = 0; k < set->count; k++) {
    s->gap[set->index[k]] += h * dls_configuration_row(config, config->d * set->index[k], s->v);
  }
}

/* (d) */
static void rebound(const soft_options *opt, dls_impulse_memory *s)
{
  dls_impulse_contacts *c = &s->contacts;
  const size_t d = c->config.d;
  dls_impulse_begin_sweeps(c, s->v);
  for (size_t k = 0; k < c->set.count; k++) {
    const size_t j = c->set.index[k];
    const double *U = s->U + d * j, e = dls_impulse_restitution(s, j, U);
    if (e > 0 && U[0] < -opt->restitution_threshold && s->total[d * j] > 0) {
      const double r = c->r[d * j], u = dls_impulse_speed(c, d * j, s->v);
      c->mass[j] = 1;
      c->yield[j] = 0;
      c->c[j] = -DLS_IMPULSE_REBOUND(e, U[0]);
      dls_impulse_normal(c, j, s->v);
      s->total[d * j] += c->r[d * j] - r;
      dls_impulse_works_rebound(s, j, c->r[d * j] - r, u);
    }
  }
  dls_impulse_end_sweeps(c, s->v);
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  const soft_options *opt = sim->options;
  dls_impulse_memory *s = sim->memory;
  const double h_s = h / (double)opt->substeps;
  const dls_status status = dls_impulse_begin(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  choose_contacts(sim, s, h);
  for (size_t i = 0; i < opt->substeps; i++) {
    const double t_next = dls_impulse_time(sim, h, i + 1, opt->substeps);
    dls_configuration_time(&s->contacts.config, t_next);
    dls_impulse_free_motion(sim, s, dls_impulse_time(sim, h, i, opt->substeps), t_next, h_s);
    dls_impulse_joints_warm_start(&s->joints, s->v);
    dls_impulse_begin_sweeps(&s->contacts, s->v);
    dls_impulse_warm_start(&s->contacts, s->v);
    sweep(opt, s, h_s, true);
    move(sim, s, h_s);
    dls_impulse_begin_sweeps(&s->contacts, s->v);
    sweep(opt, s, h_s, false);
    dls_impulse_collect(s, 2);
  }
  rebound(opt, s);
  dls_impulse_take(sim, s, h);
  s->h = h;
  return DLS_OK;
}

static dls_status limit(const dls_scheme *self, const void *options, const dls_limit_contact *contact,
                        dls_limit_model *out, dls_error *err)
{
  const double threshold = ((const soft_options *)options)->restitution_threshold;
  if (contact->e > 0 && threshold > 0 && contact->speed <= threshold) {
    *out = (dls_limit_model){.kind = DLS_LIMIT_OWN, .e = 0};
  } else if (contact->e > 0 &&
             contact->mu > 0) { /* the rebound (d) has no friction and ends that of the impact */
    *out = (dls_limit_model){.kind = DLS_LIMIT_NONE, .e = NAN};
  }
  return dls_impulse_limit(self, contact, err);
}

static void note(const dls_sim *sim, char *text, size_t size)
{
  const double threshold = ((const soft_options *)sim->options)->restitution_threshold;
  for (size_t j = 0; j < sim->sys->m && threshold > 0; j++) {
    const double e = dls_law_restitution(sim->sys, j, -sim->sys->length / sim->sys->time);
    if (e > 0) {
      snprintf(text, size,
               "contact %zu has e = %g, but impacts slower than restitution_threshold = %g m/s do not rebound",
               j, e, threshold);
      return;
    }
  }
}

const dls_scheme dls_scheme_soft_step = {
    .name = "soft-step",
    DLS_IMPULSE_ENTRY,
    .handles = DLS_IMPULSE_HANDLES,
    .summary = "substeps with one sweep of soft contacts and one that relaxes (Box2D 3)",
    .source = "E. Catto 2024",
    .equations =
        "substeps of h_s = h/n:  v := v + h_s M^-1 F + M^-1 H r,  a sweep,  q := q + h_s v,  a sweep to relax\n"
        "r' = max(r - (m u + c)/W - i r, 0),   gaps up to four slops\n"
        "g > 0: m = 1, i = 0, c = g/h_s;   g <= 0: c = max(m omega/a1 g, -push_speed), to relax c = 0, m = 1, "
        "i = 0\n"
        "a1 = 2 zeta + h_s omega, a2 = h_s omega a1, m = a2/(1 + a2), i = 1/(1 + a2)\n"
        "omega = 2 pi min(contact_hertz, 1/(8 h_s)), twice that with a support; friction in the sweep to "
        "relax\n"
        "after the substeps: u = -e u-  where u- < -restitution_threshold and there was an impulse\n",
    .remarks =
        "Order 1. The maker's lengths, speeds and frequencies are part of the model: four slops, 30 Hz,\n"
        "3 m/s, and 1 m/s, below which nothing rebounds. With restitution_threshold=0 the limit is rigid\n"
        "contact with e, except for rebounds with friction: (d) has no friction, and an impact has a part of\n"
        "mu V, by the phase, in place of mu (1 + e) V. A body at rest sinks to a/omega^2, for every h.\n"
        "It slips and sticks without creep.\n"
        "The sweeps are truncated: two in a substep. A contact with a support is one whose impulse changes\n"
        "the linear or angular momentum of the bodies; in models that do not state momenta, all contacts\n"
        "count as such.\n",
    .options = table,
    .options_size = sizeof(soft_options),
    .limit =
        {.text =
             "impacts slower than restitution_threshold have e = 0; where impacts rebound with friction there "
             "is "
             "none: they have a part of it, by the phase; where impacts act on coupled contacts or joints none "
             "is known",
         .model = limit},
    .note = note,
    .start = start,
    .advance = advance,
};
