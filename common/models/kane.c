/* kane.c -- Kane's example: a double pendulum whose tip strikes a rough floor, frozen at the instant of the impact.
 * Source: Kane, Levinson 1985; Acary, Collins-Craft 2023.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <math.h>

enum { RESTITUTION, FRICTION };
static const dls_option parameters[] = {
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.5, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.5, 0, INFINITY, DLS_OPEN_MAX),
    {0},
};

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = i == 0 ? (dls_coordinate){.name = "upper angle", .unit = "rad"}
                : (dls_coordinate){.name = "lower angle", .unit = "rad"};
}

/* Two uniform rods of 1 kg and 1 m at 20 and 30 degrees from the vertical, the pivot on top. */
static void fill(dls_system *sys, const double *p)
{
  const double degree = 0.017453292519943295; /* pi/180 */
  const double angle[] = {20 * degree, 30 * degree}, rate[] = {-0.1, -0.2};
  const double mass[2][2] = {{4.0 / 3, 0.5 * cos(10 * degree)}, {0.5 * cos(10 * degree), 1.0 / 3}};
  for (size_t i = 0; i < 2; i++) {
    sys->q0[i] = angle[i];
    sys->v0[i] = rate[i];
    dls_matrix_set(sys->H, i, 0, sin(angle[i])); /* height of the tip: - cos(angle) */
    dls_matrix_set(sys->T, i, 0, cos(angle[i]));
    sys->w[0] -= sin(angle[i]) * angle[i];
    for (size_t k = 0; k < 2; k++) {
      dls_matrix_set(sys->M, i, k, mass[i][k]);
    }
  }
  sys->e[0] = p[RESTITUTION];
  sys->mu[0] = p[FRICTION];
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(2, 1);
  if (sys != NULL) {
    sys->linear = true;
    sys->d = 2;
    sys->coordinate = coordinate;
    sys->M = dls_matrix_dense(2, 2);
    sys->H = dls_matrix_dense(2, 1);
    sys->T = dls_matrix_dense(2, 1);
  }
  if (sys == NULL || sys->M == NULL || sys->H == NULL || sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return DLS_OK;
}

const dls_model dls_model_kane = {
    .name = "kane",
    .summary = "tip of a double pendulum strikes a rough floor: an impact that may create energy",
    .source = "T. R. Kane, D. A. Levinson 1985; V. Acary, N. A. Collins-Craft 2023",
    .equations =
        "M = (4/3, 1/2 cos 10; 1/2 cos 10, 1/3),  n = (sin 20, sin 30),  t = (cos 20, cos 30), in degrees\n"
        "q' = (-0.1, -0.2) rad/s before the impact at t = 0; frozen: M, n, t constant, no load\n",
    .parameters = parameters,
    .create = create,
};
