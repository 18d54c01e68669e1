/* falling.c -- a plugin: one model and one scheme of one's own, for every command of delassus.
 *
 *   cc -std=c11 -O2 -fPIC -shared -o falling.so falling.c $(pkg-config --cflags --libs delassus)
 *   delassus show ball-in-air --plugin ./falling.so
 *   delassus order ball-in-air --plugin ./falling.so --scheme strang-impact --steps 1e-2:1e-3:5 --end 0.4
 *
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/contact_system.h>
#include <delassus/plugin.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the model: a ball that falls through air onto the floor --- */

enum { MASS, GRAVITY, DRAG, RESTITUTION, HEIGHT, SPEED, PARAMETERS };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, DBL_MAX, 0),
    [DRAG] = DLS_NUMBER("c", "kg/m", "air drag, the force is -c v |v|", 0.5, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.8, 0, 1, 0),
    [HEIGHT] = DLS_NUMBER("q0", "m", "initial height", 1, 0, DBL_MAX, 0),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity, upward", 0, -DBL_MAX, DBL_MAX, 0),
    {0},
};

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double *p = sys->data;
  (void)t, (void)q;
  F[0] = -p[MASS] * p[GRAVITY] - p[DRAG] * v[0] * fabs(v[0]);
}

/* -dF/dq and -dF/dv, for implicit schemes */
static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  (void)sys, (void)t, (void)q, (void)v;
  dls_matrix_set(K, 0, 0, 0);
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  const double *p = sys->data;
  (void)t, (void)q;
  dls_matrix_set(C, 0, 0, 2 * p[DRAG] * fabs(v[0]));
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = q[0];
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(1, 1);
  if (sys != NULL) {
    sys->M = dls_matrix_diagonal(1);
    sys->K = dls_matrix_diagonal(1);
    sys->C = dls_matrix_diagonal(1);
    sys->H = dls_matrix_dense(1, 1);
    sys->data = malloc(PARAMETERS * sizeof *p);
    sys->release = release;
  }
  if (sys == NULL || sys->M == NULL || sys->K == NULL || sys->C == NULL || sys->H == NULL ||
      sys->data == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  memcpy(sys->data, p, PARAMETERS * sizeof *p);
  dls_matrix_set(sys->M, 0, 0, p[MASS]);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = p[HEIGHT];
  sys->v0[0] = p[SPEED];
  sys->e[0] = p[RESTITUTION];
  sys->force = force;
  sys->stiffness = stiffness;
  sys->damping = damping;
  sys->gap = gap;
  return DLS_OK;
}

static const dls_model ball_in_air = {
    .name = "ball-in-air",
    .summary = "ball that falls through air onto the floor",
    .source = "example of a plugin",
    .equations = "m q'' = -m g - c q' |q'| + p,   gap = q >= 0\n",
    .parameters = parameters,
    .create = create,
};

/* --- the scheme: half a kick, half a drift, impacts, half a drift, half a kick --- */

static const dls_option options[] = {
    DLS_NUMBER("slack", "m", "gaps up to this are closed", 0, 0, 1, 0),
    {0},
};

typedef struct memory {
  dls_contact_system contacts; /* contact at an instant, in the mass metric */
  dls_contacts closed;
  double *q, *v, *F, *g; /* n, n, n, m */
  double *u, *P;         /* a number for each row of a contact */
} memory;

static void finish(dls_sim *sim)
{
  memory *s = sim->memory;
  if (s != NULL) {
    dls_contact_system_destroy(&s->contacts);
    free(s->closed.index);
    free(s->q);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const size_t n = sim->sys->n;
  const size_t m = sim->sys->m;
  if (m == 0 || dls_system_mass_varies(sim->sys) || dls_system_gradient_varies(sim->sys)) {
    return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                        "only for systems with contacts, constant M and constant H");
  }
  memory *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->closed.index = calloc(m, sizeof *s->closed.index);
    s->q = calloc(3 * n + m + 2 * sim->sys->d * m, sizeof *s->q);
  }
  if (s == NULL || s->closed.index == NULL || s->q == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory");
  }
  s->v = s->q + n;
  s->F = s->v + n;
  s->g = s->F + n;
  s->u = s->g + m;
  s->P = s->u + sim->sys->d * m;
  return dls_contact_system_create_mass(sim->sys, &sim->work, &s->contacts, err);
}

/* v += h M^-1 F(t, q, v) */
static void kick(dls_sim *sim, double h, double t)
{
  memory *s = sim->memory;
  dls_sim_force(sim, t, s->q, s->v, s->F);
  dls_factor_solve(s->contacts.M, s->F);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v[i] += h * s->F[i];
  }
}

static void drift(dls_sim *sim, double h)
{
  memory *s = sim->memory;
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q[i] += h * s->v[i];
  }
}

/* The law of every contact that is closed at time t, the middle of the step. Nothing of sim has changed when this fails. */
static dls_status impact(dls_sim *sim, double t, dls_error *err)
{
  memory *s = sim->memory;
  dls_status status = dls_contact_system_at(&s->contacts, t, s->q, err);
  if (status != DLS_OK) {
    return status;
  }
  s->closed.count = 0;
  dls_configuration_gap(s->contacts.config, s->g);
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (s->g[j] <= sim->opt[0]) {
      s->closed.index[s->closed.count++] = j;
    }
  }
  memset(s->P, 0, s->contacts.config->rows * sizeof *s->P);
  dls_contact_system_velocity(&s->contacts, &s->closed, s->v, s->u);
  status = dls_contact_system_impulse(&s->contacts, &s->closed, s->u, s->u, s->P, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(sim->p, 0, sim->sys->m * sizeof *sim->p);
  for (size_t k = 0; k < s->closed.count; k++) {
    sim->p[s->closed.index[k]] = s->P[sim->sys->d * k];
  }
  dls_contact_system_apply(&s->contacts, &s->closed, 1, s->P, s->v);
  return DLS_OK;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  memory *s = sim->memory;
  const size_t bytes = sim->sys->n * sizeof(double);
  memcpy(s->q, sim->q, bytes);
  memcpy(s->v, sim->v, bytes);
  kick(sim, h / 2, sim->t);
  drift(sim, h / 2);
  const dls_status status = impact(sim, sim->t + h / 2, err);
  if (status != DLS_OK) {
    return status;
  }
  drift(sim, h / 2);
  kick(sim, h / 2, sim->t + h);
  memcpy(sim->q, s->q, bytes);
  memcpy(sim->v, s->v, bytes);
  return DLS_OK;
}

static const dls_scheme strang_impact = {
    .name = "strang-impact",
    .summary = "Strang splitting with the impact law in the middle of the step",
    .source = "example of a plugin",
    .equations = "v1 = v + h/2 M^-1 F(t, q, v),   q1 = q + h/2 v1\n"
                 "v2 = v1 + M^-1 H P,   0 <= U2 + e U1  _|_  P >= 0  for contacts with g(q1) <= 0\n"
                 "q' = q1 + h/2 v2,   v' = v2 + h/2 M^-1 F(t + h, q', v2)\n",
    .remarks = "Order 2 without impacts and damping, order 1 with. Explicit: stable for h < 2/omega_max.\n",
    .options = options,
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
};

/* --- what the plugin exports --- */

static const dls_model *const models[] = {&ball_in_air, NULL};
static const dls_scheme *const schemes[] = {&strang_impact, NULL};

const dls_plugin dls_plugin_entry = {
    DLS_PLUGIN_HEAD, .name = "falling", .version = "1.0", .models = models, .schemes = schemes,
};
