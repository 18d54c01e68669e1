/* wedge.c -- a mass point in a plane wedge: two contacts with unit normals n1, n2.
 * With n1.n2 = -0.9, n1.F = -1, n2.F = 1.5 the bilateral multipliers of both contacts are negative, although
 * contact 1 stays closed: lambda = (1, 0), gap accelerations (0, 0.6). This is Delassus's warning: contacts
 * must not be dropped by the sign of bilateral multipliers. Coordinates: n1 = (1, 0), n2 = (c, s).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MASS, COSINE, FORCE_1, FORCE_2, RESTITUTION, GAP_1, GAP_2 };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [COSINE] =
        DLS_NUMBER("cosine", "1", "n1 . n2 of the two unit normals", -0.9, -1, 1, DLS_OPEN_MIN | DLS_OPEN_MAX),
    [FORCE_1] = DLS_NUMBER("f1", "N", "n1 . F; negative presses on contact 0", -1, -DBL_MAX, DBL_MAX, 0),
    [FORCE_2] = DLS_NUMBER("f2", "N", "n2 . F; negative presses on contact 1", 1.5, -DBL_MAX, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of both contacts", 0.5, 0, 1, 0),
    [GAP_1] = DLS_NUMBER("g1", "m", "initial gap of contact 0", 0, 0, DBL_MAX, 0),
    [GAP_2] = DLS_NUMBER("g2", "m", "initial gap of contact 1", 0, 0, DBL_MAX, 0),
    {0},
};

static void load(const dls_system *sys, double t, double *F)
{
  const double *force = sys->data;
  (void)t;
  F[0] = force[0];
  F[1] = force[1];
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* The vector x with n1 . x = a1, n2 . x = a2. */
static void from_normals(double c, double s, double a1, double a2, double *x)
{
  x[0] = a1;
  x[1] = (a2 - c * a1) / s;
}

static void fill(dls_system *sys, const double *p)
{
  const double c = p[COSINE];
  const double s = sqrt((1 - c) * (1 + c));
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, p[MASS]);
    sys->e[i] = p[RESTITUTION];
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, c);
  dls_matrix_set(sys->H, 1, 1, s);
  from_normals(c, s, p[FORCE_1], p[FORCE_2], sys->data);
  from_normals(c, s, p[GAP_1], p[GAP_2], sys->q0);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  dls_system *sys = *out = dls_system_create(2, 2);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->steady_load = true;
    sys->release = release;
    sys->data = malloc(2 * sizeof(double));
    sys->M = dls_matrix_diagonal(2);
    sys->H = dls_matrix_dense(2, 2);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "wedge: no memory");
  }
  fill(sys, p);
  return DLS_OK;
}

/* A wall on each line n_i . q = 0, in the range of the mass: along (0, 1), and along (s, -c), oriented into the wedge. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double c = p[COSINE], s = sqrt((1 - c) * (1 + c));
  const double radius = 0.04 * out->reach, length = 1.3 * out->reach;
  const double x = q[0] + radius, y = q[1] + radius * (1 - c) / s; /* both discs touch where both gaps vanish */
  dls_sketch_between(out, DLS_SHAPE_WALL, 0, length, 0, 0);
  dls_sketch_between(out, DLS_SHAPE_WALL, 0, 0, s * length, -c * length);
  dls_sketch_ball(out, x, y, radius);
  dls_sketch_touch(out, x - radius, y, 1, 0);
  dls_sketch_touch(out, x - c * radius, y - s * radius, c, s);
}

const dls_model dls_model_wedge = {
    .name = "wedge",
    .summary = "mass point in a plane wedge: Delassus's example of two contacts",
    .source = "after E. Delassus 1917; numbers chosen for this project",
    .equations = "m q'' = F + n1 p_0 + n2 p_1,   q in the plane\n"
                 "g_0 = n1 . q >= 0,   g_1 = n2 . q >= 0,   n1 . n2 = cosine, n1 . F = f1, n2 . F = f2\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
