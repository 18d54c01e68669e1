/* woodpecker.c -- the woodpecker toy: a sleeve on a pole, a bird on a spring; q = (height y, angle of sleeve, of bird).
 * Contacts: 0 beak on the pole, 1 and 2 lower and upper edge of the sleeve.
 * Source: C. Glocker, F. Pfeiffer; data of C. Glocker 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MM,
  MS,
  JM,
  JS,
  SPRING,
  R0,
  RM,
  HM,
  LM,
  LG,
  HS,
  LS,
  FRICTION,
  E1,
  E2,
  E3,
  Q0,
  Q1,
  Q2,
  V0,
  V1,
  V2,
  GRAVITY
};
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MM] = DLS_NUMBER("mM", "kg", "mass of the sleeve", 0.0003, 0, INFINITY, OPEN),
    [MS] = DLS_NUMBER("mS", "kg", "mass of the woodpecker", 0.0045, 0, INFINITY, OPEN),
    [JM] = DLS_NUMBER("JM", "kg m^2", "moment of inertia of the sleeve", 5e-9, 0, INFINITY, OPEN),
    [JS] = DLS_NUMBER("JS", "kg m^2", "moment of inertia of the woodpecker", 7e-7, 0, INFINITY, OPEN),
    [SPRING] = DLS_NUMBER("c", "N m/rad", "stiffness of the spring between them", 0.0056, 0, INFINITY, OPEN),
    [R0] = DLS_NUMBER("r0", "m", "radius of the pole", 0.0025, 0, INFINITY, OPEN),
    [RM] = DLS_NUMBER("rM", "m", "inner radius of the sleeve, above r0", 0.0031, 0, INFINITY, OPEN),
    [HM] = DLS_NUMBER("hM", "m", "half height of the sleeve", 0.0058, 0, INFINITY, OPEN),
    [LM] = DLS_NUMBER("lM", "m", "distance of the spring from the sleeve's centre", 0.010, 0, INFINITY, OPEN),
    [LG] =
        DLS_NUMBER("lG", "m", "distance of the woodpecker's centre from the spring", 0.015, 0, INFINITY, OPEN),
    [HS] = DLS_NUMBER("hS", "m", "height of the beak over the woodpecker's centre", 0.02, 0, INFINITY, OPEN),
    [LS] = DLS_NUMBER("lS", "m", "length of the beak", 0.0201, 0, INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [E1] = DLS_NUMBER("e1", "1", "restitution coefficient of the beak", 0.5, 0, 1, 0),
    [E2] = DLS_NUMBER("e2", "1", "restitution coefficient of the sleeve's lower edge", 0, 0, 1, 0),
    [E3] = DLS_NUMBER("e3", "1", "restitution coefficient of the sleeve's upper edge", 0, 0, 1, 0),
    [Q0] = DLS_NUMBER("q0", "m", "initial height", 0, -INFINITY, INFINITY, OPEN),
    [Q1] =
        DLS_NUMBER("q1", "rad", "initial angle of the sleeve", -0.10344827586206896, -INFINITY, INFINITY, OPEN),
    [Q2] = DLS_NUMBER("q2", "rad", "initial angle of the woodpecker", -0.2788, -INFINITY, INFINITY, OPEN),
    [V0] = DLS_NUMBER("v0", "m/s", "initial velocity, upward", -0.3411, -INFINITY, INFINITY, OPEN),
    [V1] = DLS_NUMBER("v1", "rad/s", "initial angular velocity of the sleeve", 0, -INFINITY, INFINITY, OPEN),
    [V2] = DLS_NUMBER("v2", "rad/s", "initial angular velocity of the woodpecker", -7.4583, -INFINITY, INFINITY,
                      OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, sys->data, sys->n * sizeof *F);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* For small angles: nothing moves along x; about the centre of the sleeve at height 0. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  (void)sys, (void)t, (void)q, (void)v;
  p[0] = 0;
  p[1] = Mv[0];
  p[2] = Mv[1] + Mv[2]; /* both rotate by the same angle */
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = i == 0   ? (dls_coordinate){.name = "height", .unit = "m"}
         : i == 1 ? (dls_coordinate){.name = "sleeve's angle", .unit = "rad"}
                  : (dls_coordinate){.name = "woodpecker's angle", .unit = "rad"};
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  static const char *const names[] = {"contact 0 (beak)", "contact 1 (lower edge)", "contact 2 (upper edge)"};
  (void)sys;
  strncpy(text, names[alpha], size - 1);
  text[size - 1] = '\0';
}

static void set_rows(dls_matrix *A, const double rows[3][3])
{
  for (size_t j = 0; j < 3; j++) {
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(A, i, j, rows[j][i]);
    }
  }
}

static void fill_matrices(dls_system *sys, const double *p)
{
  const double mS = p[MS], lM = p[LM], lG = p[LG], c = p[SPRING];
  set_rows(sys->M, (const double[3][3]){{mS + p[MM], mS * lM, mS * lG},
                                        {mS * lM, p[JM] + mS * lM * lM, mS * lM * lG},
                                        {mS * lG, mS * lM * lG, p[JS] + mS * lG * lG}});
  set_rows(sys->K, (const double[3][3]){{0, 0, 0}, {0, c, -c}, {0, -c, c}});
  set_rows(sys->H, (const double[3][3]){{0, 0, -p[HS]}, {0, p[HM], 0}, {0, -p[HM], 0}});
  set_rows(sys->T, (const double[3][3]){{1, lM, lG - p[LS]}, {1, p[RM], 0}, {1, p[RM], 0}});
}

static void fill(dls_system *sys, const double *p)
{
  const double weight = p[MS] * p[GRAVITY], gap = p[RM] - p[R0];
  const double F[] = {-weight - p[MM] * p[GRAVITY], -weight * p[LM], -weight * p[LG]};
  const double w[] = {p[LM] + p[LG] - p[LS] - p[R0], gap, gap};
  fill_matrices(sys, p);
  memcpy(sys->data, F, sizeof F);
  for (size_t i = 0; i < 3; i++) {
    sys->q0[i] = p[Q0 + i];
    sys->v0[i] = p[V0 + i];
    sys->w[i] = w[i];
    sys->mu[i] = p[FRICTION];
    sys->e[i] = p[E1 + i];
  }
  sys->length = p[HM];
  sys->time = sqrt(p[JS] / p[SPRING]);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  if (!(p[RM] > p[R0])) {
    return dls_fail(err, DLS_ERR_OPTION, "model %s: rM = %g m is not above r0 = %g m", self->name, p[RM],
                    p[R0]);
  }
  dls_system *sys = *out = dls_system_create(3, 3);
  if (sys != NULL) {
    sys->linear = true;
    sys->d = 2;
    sys->load = load;
    sys->explicit_time = DLS_TIME_NONE;
    sys->steady_load = true;
    sys->release = release;
    sys->coordinate = coordinate;
    sys->contact_name = contact_name;
    sys->momenta = 3;
    sys->momentum = momentum;
    sys->data = malloc(3 * sizeof *p);
    sys->M = dls_matrix_dense(3, 3);
    sys->K = dls_matrix_dense(3, 3);
    sys->H = dls_matrix_dense(3, 3);
    sys->T = dls_matrix_dense(3, 3);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL || sys->H == NULL ||
      sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

const dls_model dls_model_woodpecker = {
    .name = "woodpecker",
    .summary = "woodpecker toy: a sleeve that sticks and slips down a pole, driven by a pecking bird",
    .source = "F. Pfeiffer 1984; C. Glocker 1995",
    .equations =
        "M q'' = F - K q + H r,  gaps lM + lG - lS - r0 - hS phiS (beak), rM - r0 +- hM phiM (sleeve)\n"
        "u_T = y' + lM phiM' + (lG - lS) phiS' (beak), y' + rM phiM' (sleeve); small angles: linear between "
        "events\n"
        "limit cycle of nine events: period 0.145976 s, descent 19.4454 mm\n",
    .parameters = parameters,
    .create = create,
};
