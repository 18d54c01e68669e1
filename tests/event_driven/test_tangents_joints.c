/* test_tangents_joints.c -- the equations of joints along runs with derivatives: D Phi = 0 and D [G^T v + dPhi/dt] = 0 along the tangents.
 * A pendulum on a pivot that moves, with and without joint_stiffness.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_run.h"

extern const dls_model dls_model_heavy_top, dls_model_slider_crank, dls_model_four_bar,
    dls_model_bouncing_pendulum_cartesian, dls_model_bouncing_pendulum_natural,
    dls_model_slider_crank_clearance;

enum { MOST_JOINTS = 16, MOST_COORDINATES = 32 };

/* sum += weight (Phi, G^T v + dPhi/dt) */
static void add_equations(const dls_system *sys, double t, const double *q, const double *v, double weight,
                          double *sum)
{
  double phi[MOST_JOINTS] = {0}, rate[MOST_JOINTS] = {0};
  dls_matrix *G = dls_matrix_clone(sys->G);
  assert_non_null(G);
  dls_system_joint(sys, t, q, phi);
  dls_system_joint_rate(sys, t, q, rate);
  dls_system_joint_gradient(sys, t, q, G);
  dls_matrix_multiply_transposed(G, 1, v, rate);
  for (size_t i = 0; i < sys->r; i++) {
    sum[i] += weight * phi[i];
    sum[sys->r + i] += weight * rate[i];
  }
  dls_matrix_destroy(G);
}

/* The largest derivatives of the equations at the nodes of a run so far, and the largest tangents. */
typedef struct residuals {
  double q, v, dq, dv;
} residuals;

static dls_status look(void *data, const dls_sim *sim, dls_error *err)
{
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  residuals *worst = data;
  const dls_system *sys = sim->sys;
  const dls_tangent *tangent = &sim->sensitivity->tangent[0];
  const dls_direction *direction = &sim->sensitivity->direction[0];
  double sum[2 * MOST_JOINTS] = {0}, dq = 0, dv = 0;
  (void)err;
  assert_true(sys->r <= MOST_JOINTS && sys->n <= MOST_COORDINATES);
  for (size_t i = 0; i < sys->n; i++) {
    dq = fmax(dq, fabs(tangent->dq[i]));
    dv = fmax(dv, fabs(tangent->dv[i]));
  }
  const double step = 1e-3 / fmax(dq / sys->length, dv * sys->time / sys->length);
  for (size_t k = 0; k < 4 && isfinite(step); k++) {
    double q[MOST_COORDINATES], v[MOST_COORDINATES];
    for (size_t i = 0; i < sys->n; i++) {
      q[i] = sim->q[i] + place[k] * step * tangent->dq[i];
      v[i] = sim->v[i] + place[k] * step * tangent->dv[i];
    }
    add_equations(sys, sim->t, q, v, weight[k] / step, sum);
  }
  for (size_t i = 0; i < direction->count; i++) {
    add_equations(direction->system[i], sim->t, sim->q, sim->v, direction->weight[i], sum);
  }
  for (size_t i = 0; i < sys->r; i++) {
    worst->q = fmax(worst->q, fabs(sum[i]));
    worst->v = fmax(worst->v, fabs(sum[sys->r + i]));
  }
  worst->dq = fmax(worst->dq, dq);
  worst->dv = fmax(worst->dv, dv);
  return DLS_OK;
}

/* Parameters that move the motion, masses, and lengths that change the equations themselves. */
DLS_TEST(tangents_obey_the_equations_of_joints)
{
  const struct {
    const dls_model *model;
    const char *by;
    double end;
  } cases[] = {
      {&dls_model_heavy_top, "theta0", 0.5},
      {&dls_model_heavy_top, "spin", 0.5},
      {&dls_model_heavy_top, "m", 0.5},
      {&dls_model_slider_crank, "omega", 0.1},
      {&dls_model_slider_crank, "m1", 0.1},
      {&dls_model_slider_crank, "l2", 0.1},
      {&dls_model_four_bar, "l", 0.7},
      {&dls_model_bouncing_pendulum_cartesian, "l", 2},
      {&dls_model_bouncing_pendulum_natural, "e", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double p[PARAMETERS];
    residuals worst = {0};
    tangent_run t;
    read_parameters(cases[i].model, NULL, p);
    prepare(&t, cases[i].model, p, (const char *const[]){cases[i].by, NULL},
            (const char *const[]){"tol=1e-10", NULL});
    advance_to(&t, cases[i].end, look, &worst);
    print_message("%s by %s: %.2g, %.2g\n", cases[i].model->name, cases[i].by, worst.q / worst.dq,
                  worst.v / worst.dv);
    assert_between(worst.q / worst.dq, 0, 1e-9);
    assert_between(worst.v / worst.dv, 0, 1e-9);
    release(&t);
  }
}

/* --- a pendulum of 1 kg on a pivot at x = s(t) = a sin(w t): Phi = ((x - s)^2 + y^2 - l^2)/2 --- */

enum { LENGTH, AMPLITUDE, RATE };
static bool stated; /* joint_stiffness */

static double pivot(const dls_system *sys, double t, int order)
{
  const double *p = sys->data, w = p[RATE];
  return p[AMPLITUDE] * (order == 0 ? sin(w * t) : order == 1 ? w * cos(w * t) : -w * w * sin(w * t));
}

static void weight(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -9.81;
}

static void equation(const dls_system *sys, double t, const double *q, double *phi)
{
  const double *p = sys->data, x = q[0] - pivot(sys, t, 0);
  phi[0] = (x * x + q[1] * q[1] - p[LENGTH] * p[LENGTH]) / 2;
}

static void equation_rate(const dls_system *sys, double t, const double *q, double *phi_t)
{
  phi_t[0] = -(q[0] - pivot(sys, t, 0)) * pivot(sys, t, 1);
}

static void gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  dls_matrix_set(G, 0, 0, q[0] - pivot(sys, t, 0));
  dls_matrix_set(G, 1, 0, q[1]);
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const double x = v[0] - pivot(sys, t, 1);
  c[0] = x * x + v[1] * v[1] - (q[0] - pivot(sys, t, 0)) * pivot(sys, t, 2);
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)sys, (void)t, (void)q;
  dls_matrix_set(K, 0, 0, mu[0]);
  dls_matrix_set(K, 1, 1, mu[0]);
}

static void release_data(dls_system *sys)
{
  free(sys->data);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(2, 0);
  (void)self;
  assert_non_null(sys);
  sys->data = malloc(3 * sizeof *p);
  sys->M = dls_matrix_diagonal(2);
  sys->G = dls_matrix_dense(2, 1);
  assert_true(sys->data != NULL && sys->M != NULL && sys->G != NULL);
  memcpy(sys->data, p, 3 * sizeof *p);
  sys->release = release_data;
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->M, 1, 1, 1);
  sys->r = 1;
  sys->q0[0] = p[LENGTH];
  sys->v0[0] = pivot(sys, 0, 1);
  sys->force = weight;
  sys->joint = equation;
  sys->joint_rate = equation_rate;
  sys->joint_gradient = gradient;
  sys->joint_curvature = curvature;
  if (stated) {
    sys->joint_stiffness = stiffness;
    sys->geometric = dls_matrix_diagonal(2);
    assert_non_null(sys->geometric);
  }
  dls_system_declare_harmonic(sys, p[AMPLITUDE], p[RATE]);
  return dls_system_check(sys, err);
}

static const dls_option moved_parameters[] = {
    [LENGTH] = DLS_NUMBER("l", "m", "length", 1, 0, INFINITY, 0),
    [AMPLITUDE] = DLS_NUMBER("a", "m", "amplitude of the pivot", 0.2, 0, INFINITY, 0),
    [RATE] = DLS_NUMBER("w", "rad/s", "its angular frequency", 5, 0, INFINITY, 0),
    {0},
};

static const dls_model moved_pendulum = {
    .name = "moved-pendulum",
    .summary = "a pendulum on a pivot that moves",
    .source = "none",
    .equations = "",
    .parameters = moved_parameters,
    .create = create,
};

DLS_TEST(joints_that_move_agree_with_differences)
{
  for (int k = 0; k < 2; k++) {
    stated = k == 1;
    for (const dls_option *by = moved_parameters; by->name != NULL; by++) {
      double p[PARAMETERS];
      read_parameters(&moved_pendulum, NULL, p);
      const comparison c = compare(&moved_pendulum, p, by->name, 1e-3, 1);
      print_message("by %s, stiffness %d: %.2g\n", by->name, stated, c.error);
      assert_true(c.ok && c.same);
      assert_between(c.error, 0, 1e-9);
    }
  }
}

/* Corners of a slider strike its guide in pairs, with friction, and stay together as p changes. Differences of the solutions of these impacts took
 * some for impacts whose order matters. */
DLS_TEST(impacts_with_friction_and_joints_agree_with_differences)
{
  static const char *const settings[] = {"l1=0.145235",   "l2=0.172512", "J3=2.92803e-06",
                                         "omega=210.729", "g=14.8473",   "a=0.0495083",
                                         "c=0.00117564",  "e=0.6",       NULL};
  static const struct {
    const char *by;
    double delta;
  } parameters[] = {
      {"m1", 2e-6}, {"omega", 0.01}, {"J3", 3e-10}}; /* the slider does not turn: its J3 acts on nothing */
  for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) {
    double p[PARAMETERS];
    read_parameters(&dls_model_slider_crank_clearance, settings, p);
    const comparison c =
        compare(&dls_model_slider_crank_clearance, p, parameters[k].by, parameters[k].delta, 0.01423);
    print_message("by %s: %.2g, %s\n", parameters[k].by, c.error, c.text);
    assert_true(c.ok && c.same);
    if (k < 2) {
      assert_between(c.error, 0, 2e-8);
    } /* the derivatives by J3 are 0, and differences are rounding */
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_with_friction_and_joints_agree_with_differences),
      cmocka_unit_test(joints_that_move_agree_with_differences),
      cmocka_unit_test(tangents_obey_the_equations_of_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
