/* test_beams.c -- models made of beam elements, and their equilibria. SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/beam.h"
#include "joint_check.h"
#include "models.h"
#include <delassus/exact.h>
#include <delassus/fit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const dls_exact dls_exact_cantilever;

static dls_system *cantilever(const char *format, double a, double b)
{
  char text[200];
  snprintf(text, sizeof text, format, a, b);
  return dls_test_system(text);
}

static double norm(size_t n, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

/* Shortening and deflection of the tip over L, and its angle: theory of the elastica by independent integration. */
static void the_elastica_has_its_known_tips(void **state)
{
  (void)state;
  static const struct {
    double load, shorter, deflection, angle;
  } known[] = {{1, 0.056433236283377, 0.301720773799814, NAN},
               {10, 0.554995597753751, 0.810609024880296, NAN},
               {5, NAN, NAN, 1.215368117611681},
               {1e-4, NAN, 1e-4 / 3, 0.5e-4}};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
    dls_error err = {0};
    double p[16];
    dls_option_defaults(dls_exact_cantilever.model->parameters, p);
    p[0] = 1;   /* n */
    p[1] = 2.5; /* l */
    p[4] = 0.8; /* EI */
    p[2] = known[k].load * p[4] / (p[1] * p[1]);
    const double t = 0.5;
    dls_trajectory *traj = NULL;
    assert_ok(dls_exact_at(&dls_exact_cantilever, p, 1, &t, &traj, &err), err);
    const double *q = traj->data + 1;
    if (!isnan(known[k].shorter)) {
      assert_close(1 - q[0] / p[1], known[k].shorter, 1e-14);
    }
    if (!isnan(known[k].deflection)) {
      assert_close(-q[1] / p[1], known[k].deflection, 1e-13 + (known[k].load < 1e-3 ? 1e-11 : 0));
    }
    if (!isnan(known[k].angle)) {
      assert_close(-q[2], known[k].angle, 1e-12);
    }
    dls_trajectory_destroy(traj);
  }
}

/* Errors of the tip, against the exact beam, at n = 8, 16, 32, 64: order 2. Stiffness against stretching leaves 1e-9. */
static void the_cantilever_is_the_elastica_to_second_order(void **state)
{
  (void)state;
  static const double loads[] = {1, 5};
  for (size_t k = 0; k < 2; k++) {
    double error[4], last = 0;
    for (int level = 0; level < 4; level++) {
      const int n = 8 << level;
      dls_system *sys = cantilever("cantilever:P=%g,n=%g", loads[k], n);
      double exact[3] = {0.301720773799814, 0, 0}, angle = 1.215368117611681;
      const double *tip = sys->q0 + sys->n - 3;
      error[level] = k == 0 ? -tip[1] - exact[0] : -tip[2] - angle;
      if (level > 0) {
        assert_between(log2(error[level - 1] / error[level]), 1.9, 2.1);
        last = (4 * error[level] - error[level - 1]) / 3; /* extrapolated */
      }
      dls_system_destroy(sys);
    }
    assert_close(last, 0, 1e-6);
    if (k == 0) {
      assert_close(error[2], -5.78e-5, 0.01e-5);
    }
  }
}

static void a_moment_bends_the_beam_to_a_closed_polygon(void **state)
{
  (void)state;
  static const int meshes[] = {4, 5, 16};
  for (size_t k = 0; k < 3; k++) {
    dls_system *sys = cantilever("cantilever:P=0,M=%.17g,n=%g", 2 * acos(-1), meshes[k]);
    const double *tip = sys->q0 + sys->n - 3;
    assert_close(tip[0], 0, 1e-14);
    assert_close(tip[1], 0, 1e-14);
    assert_close(tip[2], 2 * acos(-1), 1e-14);
    dls_system_destroy(sys);
  }
}

/* F(0, q0, 0) of the start is rounding; so is the residual of far larger loads, which take load steps. */
static void the_start_is_an_equilibrium(void **state)
{
  (void)state;
  static const double loads[] = {0.1, 3, 40, -200};
  for (size_t k = 0; k < 4; k++) {
    dls_system *sys = cantilever("cantilever:P=%g,n=%g,EA=1e5,GA=1e5", loads[k], 20);
    double *F = calloc(2 * sys->n, sizeof *F);
    assert_non_null(F);
    dls_system_force(sys, 0, sys->q0, F + sys->n, F);
    assert_between(norm(sys->n, F), 0, 1e-8);
    assert_true(sys->q0[sys->n - 2] * loads[k] < 0);
    free(F);
    dls_system_destroy(sys);
  }
}

static const char *const models[] = {"cantilever:n=3,EA=50,GA=30,c=0.3,start=straight",
                                     "spin-up-beam:n=3,l=2,EA=300,GA=100,EI=2,rhoI=0.1",
                                     "rotating-beam:E=1e6,nu=0",
                                     "rotating-beam:E=1e6,element=directors,mass=lumped",
                                     "flying-beam:n=3,EA=20,GA=30,EI=2,g=3",
                                     "flying-beam:n=3,EA=20,GA=30,EI=2,g=3,element=directors"};
enum { MODELS = sizeof models / sizeof models[0] };

/* F(0.7, q + s e_i, v) or, of the velocity, F(0.7, q, v + s e_i) */
static void force_at(const dls_system *sys, double *x, size_t i, double s, double *F)
{
  const double at = x[i];
  x[i] = at + s;
  dls_system_force(sys, 0.7, x, x + sys->n, F);
  x[i] = at;
}

static void check_derivatives(const dls_system *sys, double *x, double *work)
{
  static const double step = 1e-5;
  const size_t n = sys->n;
  dls_matrix *K = dls_matrix_clone(sys->K), *C = dls_matrix_clone(sys->C);
  assert_non_null(K);
  sys->stiffness(sys, 0.7, x, x + n, K);
  if (C != NULL) {
    sys->damping(sys, 0.7, x, x + n, C);
  }
  double most = 1;
  for (size_t j = 0; j < n; j++) {
    most = fmax(most, fabs(dls_matrix_get(K, j, j)));
  }
  for (size_t j = 0; j < 2 * n; j++) {
    force_at(sys, x, j, -step, work);
    force_at(sys, x, j, step, work + n);
    for (size_t i = 0; i < n; i++) {
      const double slope = -(work[n + i] - work[i]) / (2 * step);
      const double entry = j < n ? dls_matrix_get(K, i, j) : C != NULL ? dls_matrix_get(C, i, j - n) : 0;
      assert_close(entry, slope, 1e-8 * most);
    }
  }
  for (size_t j = 0; j < n && sys->potential != NULL; j++) {
    const double at = x[j];
    x[j] = at - step;
    const double below = sys->potential(sys, x);
    x[j] = at + step;
    const double above = sys->potential(sys, x);
    x[j] = at;
    memset(work + n, 0, n * sizeof *work);
    dls_system_force(sys, 0.7, x, work + n, work); /* at rest */
    assert_close(work[j], -(above - below) / (2 * step), 1e-8 * most);
  }
  dls_matrix_destroy(K);
  dls_matrix_destroy(C);
}

static void derivatives_belong_together(void **state)
{
  (void)state;
  for (size_t k = 0; k < MODELS; k++) {
    dls_system *sys = dls_test_system(models[k]);
    double *x = calloc(4 * sys->n, sizeof *x);
    assert_non_null(x);
    for (size_t i = 0; i < sys->n; i++) {
      x[i] = sys->q0[i] + 0.1 * sin(3.0 * (double)i + 1);
      x[sys->n + i] = cos((double)i);
    }
    check_derivatives(sys, x, x + 2 * sys->n);
    if (sys->r > 0) {
      dls_check_joints(sys);
    }
    free(x);
    dls_system_destroy(sys);
  }
}

/* Momentum along x and y, and angular about the origin, with the rotary inertia. */
static void momenta(const dls_system *sys, const double *q, const double *v, double out[3])
{
  const dls_beam *beam = dls_beam_of(sys);
  double *p = calloc(sys->n, sizeof *p);
  assert_non_null(p);
  dls_matrix_multiply(sys->M, 1, v, p);
  out[0] = out[1] = out[2] = 0;
  for (size_t node = 0; node <= beam->elements; node++) {
    const size_t at = dls_beam_unknown(beam, node, 0);
    out[0] += p[at];
    out[1] += p[at + 1];
    out[2] += q[at] * p[at + 1] - q[at + 1] * p[at];
    out[2] += beam->kind == DLS_BEAM_ANGLE ? p[at + 2] : q[at + 2] * p[at + 3] - q[at + 3] * p[at + 2];
  }
  free(p);
}

/* A rigid body: m v and J omega + m r x v; bending changes neither, but for the mesh. */
static void the_flying_beam_has_the_momenta_of_its_parameters(void **state)
{
  (void)state;
  static const char *const kinds[] = {"angle", "directors"};
  for (size_t k = 0; k < 2; k++) {
    for (int bend = 0; bend <= 1; bend++) {
      char text[200];
      snprintf(text, sizeof text,
               "flying-beam:element=%s,n=40,x0=12,y0=3,angle=0.7,vx=-2,vy=1,omega=0.6,bend=%d", kinds[k], bend);
      dls_system *sys = dls_test_system(text);
      double L[3];
      momenta(sys, sys->q0, sys->v0, L);
      const double mass = 10, J = 10.0 * 100 / 12 + 10 * 10; /* rho A l^3/12 + rho I l */
      assert_close(L[0], -2 * mass, bend ? 1e-13 * mass : 1e-13 * mass);
      assert_close(L[1], 1 * mass, 1e-13 * mass);
      assert_close(L[2], mass * (12 * 1 + 3 * 2) + J * 0.6, 1e-11);
      dls_system_destroy(sys);
    }
  }
}

static void what_does_not_go_together_is_refused(void **state)
{
  (void)state;
  static const struct {
    const char *model, *says;
  } wrong[] = {{"rotating-beam:hurdle=1.5", "hurdle = 1.5 m is not less than l = 1 m"},
               {"flying-beam:x0=1,angle=0", "x0 = 1 m is less than half the beam's extent"},
               {"spin-up-beam:omega=1e4", "it would stretch without limit"}};
  for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    dls_model_choice choice = dls_test_model(wrong[k].model);
    assert_int_equal(dls_model_create(choice.model, choice.parameters, &sys, &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, wrong[k].says));
    dls_model_choice_release(&choice);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_elastica_has_its_known_tips),
      cmocka_unit_test(the_cantilever_is_the_elastica_to_second_order),
      cmocka_unit_test(a_moment_bends_the_beam_to_a_closed_polygon),
      cmocka_unit_test(the_start_is_an_equilibrium),
      cmocka_unit_test(derivatives_belong_together),
      cmocka_unit_test(the_flying_beam_has_the_momenta_of_its_parameters),
      cmocka_unit_test(what_does_not_go_together_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
