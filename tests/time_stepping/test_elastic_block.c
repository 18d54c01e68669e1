/* tests/time_stepping/test_elastic_block.c -- an elastic layer that is thrown on a rough support, one that rests and slides, and what a
 * mesh has to do with the energy of an impact with friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/matrix.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* E = 1000 Pa, nu = 0.3, rho = 1 kg/m^3 */
static const double c_p = 36.68996928526714, c_s = 19.6116135138184; /* m/s */

static double sum_of(const test_run *run, const char *name)
{
  const size_t column = (size_t)dls_trajectory_column(run->traj, name);
  double sum = 0;
  for (size_t i = 0; i < run->traj->rows; i++) {
    sum += dls_trajectory_at(run->traj, i, column);
  }
  return sum;
}

/* x component of the momentum, M v summed up. */
static double momentum(const test_run *run)
{
  const size_t n = run->sys->n;
  double *Mv = calloc(n, sizeof *Mv), sum = 0;
  assert_non_null(Mv);
  dls_matrix_multiply(run->sys->M, 1, run->sim->v, Mv);
  for (size_t i = 0; i < n; i += 2) {
    sum += Mv[i];
  }
  free(Mv);
  return sum;
}

typedef struct blow {
  double normal, tangent; /* impulses over those of the closed form, less 1 */
  double slide;           /* p_T + mu p_N over mu p_N */
} blow;

/* A layer of 2 kg, L = 2 m, H = 1 m, thrown with (1, -1) m/s: 2 H/c_p under the pressure rho c_p |vy|, that is 4 N s. It sticks
 * where mu c_p |vy| > c_s vx, with the shear stress rho c_s vx. */
static blow thrown(const char *scheme, size_t n, double mu)
{
  char model[120];
  const double h = 0.25 / (double)n / c_p, at = 0.0503;
  snprintf(model, sizeof model, "elastic-block:sides=periodic,nx=1,ny=%zu,mu=%g,h0=%g", n, mu, at);
  test_run run = dls_test_run(model, scheme, h, at + 2.4 / c_p);
  const double normal = sum_of(&run, "p0"), tangent = sum_of(&run, "p0t");
  assert_close(momentum(&run), 2 + tangent, 1e-10); /* rounding of K q as the layer moves along */
  dls_test_free(&run);
  return (blow){normal / 4 - 1, tangent / (-4 * c_s / c_p) - 1, 1 + tangent / (mu * normal)};
}

static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1",
                                      "nonsmooth-generalized-alpha:rho_inf=0.6"};
enum { SCHEMES = sizeof schemes / sizeof schemes[0], MESHES = 8 };

/* Fronts of the discrete layer are as wide as (element)^(2/3); spread by dissipation, (element)^(1/2). */
static void assert_order(const double *h, const double *errors, size_t scheme)
{
  const double order = scheme == 1 ? 0.5 : 2. / 3;
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(MESHES, h, errors, 0, &fit, &err), err);
  assert_between(fit.order, order - 0.06, order + 0.06);
  assert_between(errors[MESHES - 1], 1e-3, 0.04);
}

DLS_TEST(a_layer_that_slips_leaves_as_a_rigid_body_with_full_restitution)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    double h[MESHES], errors[MESHES];
    for (size_t i = 0; i < MESHES; i++) {
      const size_t n = (size_t)(20 * pow(1.25, (double)i));
      const blow b = thrown(schemes[s], n, 0.2);
      h[i] = 1 / (double)n;
      errors[i] = -b.normal;
      assert_close(b.slide, 0, 1e-12); /* vx - 2 mu |vy| (1 + errors) */
    }
    assert_order(h, errors, s);
  }
}

DLS_TEST(a_layer_that_sticks_is_turned_by_its_shear_wave)
{
  for (size_t s = 0; s < SCHEMES; s++) {
    double h[MESHES], errors[MESHES];
    for (size_t i = 0; i < MESHES; i++) {
      const size_t n = (size_t)(20 * pow(1.25, (double)i));
      const blow b = thrown(schemes[s], n, 0.8);
      h[i] = 1 / (double)n;
      errors[i] = -b.tangent;
      assert_between(b.slide, 0.2, 0.5); /* c_s/c_p = 0.53 < mu = 0.8 */
    }
    assert_order(h, errors, s);
  }
}

/* Beside the impulses of the schemes: the same by events. */
DLS_TEST(events_and_steps_agree_on_the_layer)
{
  const double end = 0.0503 + 2.4 / c_p;
  test_run events =
      dls_test_run("elastic-block:sides=periodic,nx=1,ny=10,mu=0.2,h0=0.0503", "event-driven", 0, end);
  test_run steps =
      dls_test_run("elastic-block:sides=periodic,nx=1,ny=10,mu=0.2,h0=0.0503", "moreau-jean", 1e-5, end);
  assert_close(momentum(&steps), momentum(&events), 2e-4);
  assert_close(steps.sim->q[0], events.sim->q[0], 2e-4);
  assert_between(momentum(&events), 1.15, 1.25); /* 2 - 0.8 of the continuum */
  dls_test_free(&events);
  dls_test_free(&steps);
}

/* Under its weight and a pressure the layer slides with -mu (g + press/(rho H)), whatever its shear waves do. */
DLS_TEST(a_pressed_layer_slides_like_a_rigid_body)
{
  static const char *const masses[] = {"consistent", "lumped"};
  for (size_t k = 0; k < 2; k++) {
    char model[160];
    snprintf(model, sizeof model,
             "elastic-block:sides=periodic,nx=3,ny=5,start=static,h0=0,vy=0,vx=2,g=9,press=1,mu=0.1,mass=%s",
             masses[k]);
    test_run run = dls_test_run(model, "moreau-jean", 1e-3, 0.5);
    assert_close(momentum(&run), 2 * (2 - 0.1 * 10 * 0.5), 1e-11);
    assert_close(sum_of(&run, "p0"), 20 * 0.5 / 3, 1e-11);
    dls_test_free(&run);
  }
}

/* nu = 0: u_y = -(rho g (H y - y^2/2) + press y)/E at the nodes, free sides or none, and sigma_yy at the middle of elements. */
DLS_TEST(the_static_start_is_the_compressed_column)
{
  static const char *const all[] = {"free", "periodic"};
  for (size_t k = 0; k < 2; k++) {
    char model[160];
    snprintf(model, sizeof model, "elastic-block:sides=%s,nx=3,ny=4,start=static,h0=0,nu=0,g=10,press=2",
             all[k]);
    dls_model_choice choice = dls_test_model(model);
    dls_system *sys = dls_test_system(model);
    dls_mesh mesh;
    dls_error err = {0};
    assert_ok(choice.model->mesh(sys, &mesh, &err), err);
    for (size_t i = 0; i < sys->n; i++) {
      const double y = 0.25 * (double)(i / 2 % 5);
      assert_close(sys->q0[i], i % 2 == 0 ? 0 : -(10 * (y - y * y / 2) + 2 * y) / 1000, 1e-15);
    }
    double stress[3 * 12];
    choice.model->mesh_values(sys, 0, sys->q0, stress);
    for (size_t e = 0; e < mesh.cells; e++) {
      assert_close(stress[3 * e], 0, 1e-12);
      assert_close(stress[3 * e + 1], -2 - 10 * (0.875 - 0.25 * (double)(e % 4)), 1e-12);
      assert_close(stress[3 * e + 2], 0, 1e-12);
    }
    dls_mesh_destroy(&mesh);
    dls_system_destroy(sys);
    dls_model_choice_release(&choice);
  }
}

/* A plate pushed with sigma: the net force of push is sigma H, and moves the centre as it does a rigid body on ice. */
DLS_TEST(a_push_without_friction_moves_the_centre)
{
  test_run run =
      dls_test_run("elastic-block:start=static,h0=0,vx=0,vy=0,g=10,mu=0,push=3", "moreau-jean", 1e-3, 0.2);
  assert_close(momentum(&run), 3 * 0.2, 1e-12);
  dls_test_free(&run);
}

/* u = (1e-3 x + 4e-3 y, 2e-3 x - 3e-3 y) on the default block, E = 1000 Pa, nu = 0.3. */
DLS_TEST(stresses_are_those_of_the_strain)
{
  dls_model_choice choice = dls_test_model("elastic-block:nx=3,ny=2");
  dls_system *sys = dls_test_system("elastic-block:nx=3,ny=2");
  double u[24], stress[18];
  assert_int_equal(sys->n, 24);
  for (size_t i = 0; i < 12; i++) {
    const double x = 2. / 3 * (double)(i / 3), y = 0.5 * (double)(i % 3);
    u[2 * i] = 1e-3 * x + 4e-3 * y;
    u[2 * i + 1] = 2e-3 * x - 3e-3 * y;
  }
  choice.model->mesh_values(sys, 0, u, stress);
  for (size_t e = 0; e < 6;
       e++) { /* E/((1 + nu)(1 - 2 nu)) ((1 - nu) eps_xx + nu eps_yy), ...; E/(2 (1 + nu)) 2 eps_xy */
    assert_close(stress[3 * e], 1000 / (1.3 * 0.4) * (0.7 * 1e-3 - 0.3 * 3e-3), 1e-12);
    assert_close(stress[3 * e + 1], 1000 / (1.3 * 0.4) * (-0.7 * 3e-3 + 0.3 * 1e-3), 1e-12);
    assert_close(stress[3 * e + 2], 1000 / 2.6 * 6e-3, 1e-12);
  }
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(a_support_that_moves_is_a_block_that_moves_the_other_way)
{
  test_run block = dls_test_run("elastic-block:nx=4,ny=2,h0=0.1003,vx=1.5", "moreau-jean", 1e-3, 0.3);
  test_run support = dls_test_run("elastic-block:nx=4,ny=2,h0=0.1003,vx=0,vb=-1.5", "moreau-jean", 1e-3, 0.3);
  assert_close(momentum(&block), momentum(&support) + 2 * 1.5, 1e-10);
  assert_between(momentum(&block), 1.5, 2.9); /* slower than at the start */
  dls_test_free(&block);
  dls_test_free(&support);
}

/* T^T M^-1 H = 0: a blow on a node does not turn its slip, so that friction in an impact cannot work with it, whatever the law. */
DLS_TEST(blows_on_nodes_do_not_change_their_slip)
{
  static const char *const masses[] = {"consistent", "lumped"};
  for (size_t k = 0; k < 2; k++) {
    char model[60];
    dls_error err = {0};
    snprintf(model, sizeof model, "elastic-block:nx=3,ny=2,mass=%s", masses[k]);
    dls_system *sys = dls_test_system(model);
    dls_factor *M = dls_factor_create((const dls_matrix *[]){sys->M}, 1);
    assert_non_null(M);
    assert_ok(dls_factor_sum(M, (const double[]){1}, &err), err);
    double x[24];
    assert_int_equal(sys->n, 24);
    for (size_t j = 0; j < sys->m; j++) {
      memset(x, 0, sizeof x);
      dls_matrix_column_add(sys->H, j, 1, x);
      dls_factor_solve(M, x);
      assert_between(dls_matrix_column_dot(sys->H, j, x), 1, 100);
      for (size_t i = 0; i < sys->m; i++) {
        assert_true(dls_matrix_column_dot(sys->T, i, x) == 0);
      }
    }
    dls_factor_destroy(M);
    dls_system_destroy(sys);
  }
}

static void assert_refused(const char *const *settings, size_t count, const char *why)
{
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  assert_ok(dls_model_choose("test", dls_model_find("elastic-block", NULL), count, settings, &choice, &err),
            err);
  assert_int_equal(dls_model_create(choice.model, choice.parameters, &sys, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, why);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(what_does_not_go_together_is_refused)
{
  assert_refused((const char *[]){"sides=periodic", "push=2"}, 2,
                 "model elastic-block: push = 2 Pa, but a layer (sides=periodic) has no left side");
  assert_refused((const char *[]){"start=static"}, 1,
                 "model elastic-block: start=static needs h0 = 0, it is 0.1 m");
  assert_refused((const char *[]){"nx=2000", "ny=1000"}, 2,
                 "model elastic-block: nx = 2000 times ny = 1000 are more than 1e+06 elements");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_layer_that_slips_leaves_as_a_rigid_body_with_full_restitution),
      cmocka_unit_test(a_layer_that_sticks_is_turned_by_its_shear_wave),
      cmocka_unit_test(events_and_steps_agree_on_the_layer),
      cmocka_unit_test(a_pressed_layer_slides_like_a_rigid_body),
      cmocka_unit_test(the_static_start_is_the_compressed_column),
      cmocka_unit_test(a_push_without_friction_moves_the_centre),
      cmocka_unit_test(stresses_are_those_of_the_strain),
      cmocka_unit_test(a_support_that_moves_is_a_block_that_moves_the_other_way),
      cmocka_unit_test(blows_on_nodes_do_not_change_their_slip),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
