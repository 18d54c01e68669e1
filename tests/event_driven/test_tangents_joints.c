/* test_tangents_joints.c -- the equations of joints along runs with derivatives: D Phi = 0 and D [G^T v + dPhi/dt] = 0 along the tangents.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_run.h"

extern const dls_model dls_model_heavy_top, dls_model_slider_crank, dls_model_four_bar,
    dls_model_bouncing_pendulum_cartesian, dls_model_bouncing_pendulum_natural;

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

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tangents_obey_the_equations_of_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
