/* experiments/measures/model/model_probe.c -- which callback is the derivative of what.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/model/model_probe.h"

#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <stdlib.h>
#include <string.h>

static void zero(double *x, size_t count)
{
  memset(x, 0, count * sizeof *x);
}

/* s := sign * (column of A), or 0 where there is no A. */
static void read_column(const dls_matrix *A, size_t column, double sign, size_t rows, double *s)
{
  for (size_t i = 0; i < rows; i++) {
    s[i] = A != NULL ? sign * dls_matrix_get(A, i, column) : 0;
  }
}

static void read_row(const dls_matrix *A, size_t row, size_t columns, double *s)
{
  for (size_t j = 0; j < columns; j++) {
    s[j] = dls_matrix_get(A, row, j);
  }
}

/* --- sizes, and what is given --- */

static size_t forces(const dls_system *sys)
{
  return sys->linear ? 0 : sys->n;
}
static size_t curved_gaps(const dls_system *sys)
{
  return sys->linear ? 0 : sys->m;
}
static size_t slips(const dls_system *sys)
{
  return (sys->d - 1) * sys->m;
}
static size_t joints(const dls_system *sys)
{
  return sys->r;
}
static size_t joint_forces(const dls_system *sys)
{
  return sys->joint_stiffness != NULL ? sys->n : 0;
}
static size_t quadratic_joints(const dls_system *sys)
{
  return sys->joints_quadratic ? sys->r : 0;
}
static size_t gradients(const dls_system *sys)
{
  return sys->gap_turn != NULL ? sys->n * sys->m : 0;
}
static size_t contact_forces(const dls_system *sys)
{
  return sys->gap_stiffness != NULL ? sys->n : 0;
}
static size_t loads(const dls_system *sys)
{
  return sys->linear && sys->load != NULL ? sys->n : 0;
}
static size_t moving_gaps(const dls_system *sys)
{
  return sys->linear && sys->gap_motion != NULL ? sys->m : 0;
}
static size_t energies(const dls_system *sys)
{
  return sys->discrete_gradient != NULL;
}
static size_t mean_forces(const dls_system *sys)
{
  return sys->discrete_stiffness != NULL ? sys->n : 0;
}

#define DLS_GIVEN(callback)                                                                                    \
  static bool has_##callback(const dls_system *sys)                                                            \
  {                                                                                                            \
    return sys->callback != NULL;                                                                              \
  }
DLS_GIVEN(stiffness)
DLS_GIVEN(damping)
DLS_GIVEN(gradient)
DLS_GIVEN(gap_rate)
DLS_GIVEN(curvature)
DLS_GIVEN(slip_curvature)
DLS_GIVEN(joint_gradient)
DLS_GIVEN(joint_rate)
DLS_GIVEN(joint_curvature)
DLS_GIVEN(load_rate)

static bool always(const dls_system *sys)
{
  (void)sys;
  return true;
}

/* --- forces --- */

static void force(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  dls_system_force(p->sys, t, q, v, f);
}

static void stiffness(const dls_probe *p, size_t column, double *s)
{
  if (p->K != NULL) {
    p->sys->stiffness(p->sys, p->t, p->q, p->v, p->K);
  }
  read_column(p->K, column, -1, p->sys->n, s);
}

static void damping(const dls_probe *p, size_t column, double *s)
{
  if (p->C != NULL) {
    p->sys->damping(p->sys, p->t, p->q, p->v, p->C);
  }
  read_column(p->C, column, -1, p->sys->n, s);
}

static void load(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)q, (void)v;
  dls_system_load(p->sys, t, f);
}

static void load_rate(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  zero(s, p->sys->n);
  if (p->sys->load_rate != NULL) {
    p->sys->load_rate(p->sys, p->t, s);
  }
}

/* --- gaps --- */

static void gap(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)v;
  dls_system_gap(p->sys, t, q, f);
}

static void gradient(const dls_probe *p, size_t column, double *s)
{
  dls_system_gradient(p->sys, p->q, p->H);
  read_row(p->H, column, p->sys->m, s);
}

static void gap_rate(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  dls_system_gap_rate(p->sys, p->t, p->q, s);
}

/* u = H^T v + b */
static void gap_velocity(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  dls_system_gap_rate(p->sys, t, q, f);
  dls_system_gradient(p->sys, q, p->H);
  dls_matrix_multiply_transposed(p->H, 1, v, f);
}

static void curvature(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  dls_system_curvature(p->sys, p->t, p->q, p->v, s);
}

static void all_gradients(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)v;
  dls_system_gradient(p->sys, q, p->H);
  for (size_t j = 0; j < p->sys->m; j++) {
    read_column(p->H, j, 1, p->sys->n, f + j * p->sys->n);
  }
}

static void gap_turn(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  p->sys->gap_turn(p->sys, p->t, p->q, p->x, p->R);
  for (size_t j = 0; j < p->sys->m; j++) {
    read_column(p->R, j, 1, p->sys->n, s + j * p->sys->n);
  }
}

/* H lambda */
static void contact_force(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)v;
  zero(f, p->sys->n);
  dls_system_gradient(p->sys, q, p->H);
  dls_matrix_multiply(p->H, 1, p->factor, f);
}

static void gap_stiffness(const dls_probe *p, size_t column, double *s)
{
  p->sys->gap_stiffness(p->sys, p->t, p->q, p->factor, p->bend);
  read_column(p->bend, column, 1, p->sys->n, s);
}

static void motion_0(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)q, (void)v;
  p->sys->gap_motion(p->sys, t, 0, f);
}

static void motion_1(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)q, (void)v;
  p->sys->gap_motion(p->sys, t, 1, f);
}

static void motion_rate(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  p->sys->gap_motion(p->sys, p->t, 1, s);
}

static void motion_second_rate(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  p->sys->gap_motion(p->sys, p->t, 2, s);
}

/* --- slip --- */

static void slip(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  dls_system_surface(p->sys, t, q, f);
  dls_system_tangents(p->sys, t, q, p->T);
  dls_matrix_multiply_transposed(p->T, 1, v, f);
}

static void slip_curvature(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  dls_system_slip_curvature(p->sys, p->t, p->q, p->v, s);
}

/* --- joints --- */

static void joint(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)v;
  dls_system_joint(p->sys, t, q, f);
}

static void joint_gradient(const dls_probe *p, size_t column, double *s)
{
  dls_system_joint_gradient(p->sys, p->t, p->q, p->G);
  read_row(p->G, column, p->sys->r, s);
}

static void joint_rate(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  dls_system_joint_rate(p->sys, p->t, p->q, s);
}

static void joint_velocity(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  dls_system_joint_rate(p->sys, t, q, f);
  dls_system_joint_gradient(p->sys, t, q, p->G);
  dls_matrix_multiply_transposed(p->G, 1, v, f);
}

static void joint_curvature(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  dls_system_joint_curvature(p->sys, p->t, p->q, p->v, s);
}

static void curvature_of_joints(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  dls_system_joint_curvature(p->sys, t, q, v, f);
}

static void no_slope(const dls_probe *p, size_t column, double *s)
{
  (void)column;
  zero(s, p->sys->r);
}

/* G mu */
static void joint_force(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)v;
  zero(f, p->sys->n);
  dls_system_joint_gradient(p->sys, t, q, p->G);
  dls_matrix_multiply(p->G, 1, p->factor, f);
}

static void joint_stiffness(const dls_probe *p, size_t column, double *s)
{
  p->sys->joint_stiffness(p->sys, p->t, p->q, p->factor, p->geometric);
  read_column(p->geometric, column, 1, p->sys->n, s);
}

/* --- discrete derivatives --- */

static void potential(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)v;
  f[0] = p->sys->potential(p->sys, q);
}

/* V*(q, q) = V'(q) */
static void discrete_gradient(const dls_probe *p, size_t column, double *s)
{
  p->sys->discrete_gradient(p->sys, p->q, p->q, p->work);
  s[0] = p->work[column];
}

/* V*(q0, q): its derivative by q */
static void mean_force(const dls_probe *p, double t, const double *q, const double *v, double *f)
{
  (void)t, (void)v;
  p->sys->discrete_gradient(p->sys, p->sys->q0, q, f);
}

static void discrete_stiffness(const dls_probe *p, size_t column, double *s)
{
  p->sys->discrete_stiffness(p->sys, p->sys->q0, p->q, p->K);
  read_column(p->K, column, 1, p->sys->n, s);
}

const dls_claim dls_claims[] = {
    {"stiffness", "-dF/dq", DLS_ALONG_Q, forces, has_stiffness, force, stiffness},
    {"damping", "-dF/dv", DLS_ALONG_V, forces, has_damping, force, damping},
    {"load_rate", "dF/dt", DLS_ALONG_T, loads, has_load_rate, load, load_rate},
    {"gradient", "dg/dq", DLS_ALONG_Q, curved_gaps, has_gradient, gap, gradient},
    {"gap_rate", "dg/dt", DLS_ALONG_T, curved_gaps, has_gap_rate, gap, gap_rate},
    {"curvature", "u' where v' = 0", DLS_ALONG_MOTION, curved_gaps, has_curvature, gap_velocity, curvature},
    {"gap_motion 1", "ds/dt", DLS_ALONG_T, moving_gaps, always, motion_0, motion_rate},
    {"gap_motion 2", "d2s/dt2", DLS_ALONG_T, moving_gaps, always, motion_1, motion_second_rate},
    {"gap_turn", "dH/dq x", DLS_ALONG_X, gradients, always, all_gradients, gap_turn},
    {"gap_stiffness", "d(H lambda)/dq", DLS_ALONG_Q, contact_forces, always, contact_force, gap_stiffness},
    {"slip_curvature", "slip' where v' = 0", DLS_ALONG_MOTION, slips, has_slip_curvature, slip, slip_curvature},
    {"joint_gradient", "dPhi/dq", DLS_ALONG_Q, joints, has_joint_gradient, joint, joint_gradient},
    {"joint_rate", "dPhi/dt", DLS_ALONG_T, joints, has_joint_rate, joint, joint_rate},
    {"joint_curvature", "Phi'' where v' = 0", DLS_ALONG_MOTION, joints, has_joint_curvature, joint_velocity,
     joint_curvature},
    {"joint_stiffness", "d(G mu)/dq", DLS_ALONG_Q, joint_forces, always, joint_force, joint_stiffness},
    {"joints_quadratic", "dc/dq = 0", DLS_ALONG_Q, quadratic_joints, always, curvature_of_joints, no_slope},
    {"discrete_gradient", "dV/dq", DLS_ALONG_Q, energies, always, potential, discrete_gradient},
    {"discrete_stiffness", "dV*/dq", DLS_ALONG_Q, mean_forces, always, mean_force, discrete_stiffness},
    {0},
};

/* --- the probe --- */

static bool clone(const dls_matrix *A, dls_matrix **out)
{
  *out = dls_matrix_clone(A);
  return *out != NULL || A == NULL;
}

dls_status dls_probe_create(const dls_system *sys, dls_probe *out, dls_error *err)
{
  dls_probe *p = out;
  const size_t n = sys->n;
  *p = (dls_probe){.sys = sys};
  p->block = dls_arrays((const dls_slot[]){{n, {&p->q, &p->v, &p->x, &p->q_moved, &p->v_moved, &p->work}},
                                           {dls_larger(sys->m, sys->r) + 1, {&p->factor}},
                                           {0}});
  const bool made = p->block != NULL && clone(sys->M, &p->M) && clone(sys->K, &p->K) && clone(sys->C, &p->C) &&
                    clone(sys->H, &p->H) && clone(sys->T, &p->T) && clone(sys->G, &p->G) &&
                    clone(sys->gap_turn != NULL ? sys->H : NULL, &p->R) &&
                    clone(sys->gap_geometric, &p->bend) && clone(sys->geometric, &p->geometric);
  return made ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory to check a model");
}

void dls_probe_destroy(dls_probe *p)
{
  dls_matrix *const all[] = {p->M, p->K, p->C, p->H, p->T, p->G, p->R, p->bend, p->geometric};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    dls_matrix_destroy(all[i]);
  }
  free(p->block);
}

/* --- states --- */

/* Coordinates are drawn within this multiple of their scale around the initial ones. */
static const double spread = 0.3;
/* Of coordinates and velocities; what is no length is of order 1. */
double dls_probe_scale(const dls_system *sys, size_t i)
{
  dls_coordinate coordinate;
  dls_system_coordinate(sys, i, &coordinate);
  return strcmp(coordinate.unit, "m") == 0 ? sys->length : 1;
}

static double uniform(gsl_rng *rng)
{
  return 2 * gsl_rng_uniform(rng) - 1;
}

void dls_probe_draw(dls_probe *p, gsl_rng *rng)
{
  const dls_system *sys = p->sys;
  p->t = sys->time * gsl_rng_uniform(rng);
  for (size_t i = 0; i < sys->n; i++) {
    const double scale = dls_probe_scale(sys, i);
    p->q[i] = sys->q0[i] + spread * scale * uniform(rng);
    p->v[i] = sys->v0[i] + scale / sys->time * uniform(rng);
    p->x[i] = scale * uniform(rng);
  }
  for (size_t j = 0; j < sys->m || j < sys->r; j++) {
    p->factor[j] = uniform(rng);
  }
}
