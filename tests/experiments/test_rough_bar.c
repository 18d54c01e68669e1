/* test_rough_bar.c -- a bar along a rough floor, pushed at its end, through matrix-model: friction all along an elastic body in closed form.
 *   rho u_tt = E u_xx - mu rho g sign(u_t),   -E u_x(0) = rho c V:   the part 0 < x < c t slides with the velocity V - mu g t/2,
 *   which is the same everywhere, until t* = 2 V/(mu g); then u = mu g (t* - x/c)^2/4 stays.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include "scratch.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { FILES = 6, MESHES = 8, SETTING = DLS_TEST_PATH + 10 };
static const char *const names[FILES] = {"M", "K", "HT", "T", "mu", "F0"};
static const double length = 8, c = 20, V = 0.4, mu = 0.5, g = 10, rho = 2; /* E = rho c^2, A = 1 m^2 */

static void put_mass(FILE *out, size_t n, const double *mass)
{
  fprintf(out, "%%%%MatrixMarket matrix coordinate real symmetric\n%zu %zu %zu\n", 2 * n, 2 * n, 2 * n);
  for (size_t i = 0; i < 2 * n; i++) {
    fprintf(out, "%zu %zu %.17g\n", i + 1, i + 1, mass[i % n]);
  }
}

static void put_stiffness(FILE *out, size_t n)
{
  const double k = rho * c * c * (double)(n - 1) / length;
  fprintf(out, "%%%%MatrixMarket matrix coordinate real symmetric\n%zu %zu %zu\n", 2 * n, 2 * n, 2 * n - 1);
  for (size_t i = 0; i < n; i++) {
    fprintf(out, "%zu %zu %.17g\n", i + 1, i + 1, i == 0 || i == n - 1 ? k : 2 * k);
    if (i + 1 < n) {
      fprintf(out, "%zu %zu %.17g\n", i + 2, i + 1, -k);
    }
  }
}

/* Heights are the coordinates behind the n places along the bar. */
static void put_contacts(FILE *out, size_t n, bool normal)
{
  fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n", normal ? n : 2 * n,
          normal ? 2 * n : n, n);
  for (size_t i = 1; i <= n; i++) {
    fprintf(out, "%zu %zu 1\n", i, normal ? n + i : i);
  }
}

static void put_loads(FILE *out, size_t n, const double *mass)
{
  fprintf(out, "%%%%MatrixMarket matrix array real general\n%zu 1\n", 2 * n);
  for (size_t i = 0; i < 2 * n; i++) {
    fprintf(out, "%.17g\n", i == 0 ? rho * c * V : i < n ? 0 : -mass[i - n] * g);
  }
}

static void put(FILE *out, size_t file, size_t n, const double *mass)
{
  switch (file) {
  case 0:
    put_mass(out, n, mass);
    return;
  case 1:
    put_stiffness(out, n);
    return;
  case 2:
  case 3:
    put_contacts(out, n, file == 2);
    return;
  case 4:
    fprintf(out, "%%%%MatrixMarket matrix array real general\n%zu 1\n", n);
    for (size_t i = 0; i < n; i++) {
      fprintf(out, "%g\n", mu);
    }
    return;
  default:
    put_loads(out, n, mass);
  }
}

/* @param[out] setting, path  "M=path" */
static void write_file(const char *folder, size_t file, size_t n, const double *mass, char *setting, char *path)
{
  FILE *out = fopen(dls_test_file(folder, names[file], path), "w");
  assert_non_null(out);
  put(out, file, n, mass);
  assert_int_equal(fclose(out), 0);
  snprintf(setting, SETTING, "%s=%.*s", names[file], DLS_TEST_PATH, path);
}

static dls_system *bar(size_t n)
{
  enum { MOST = 400 };
  char settings[FILES][SETTING], paths[FILES][DLS_TEST_PATH];
  const char *list[FILES], *folder = dls_test_folder(NULL);
  double mass[MOST];
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  assert_true(n <= MOST);
  for (size_t i = 0; i < n; i++) {
    mass[i] = rho * length / (double)(n - 1) * (i == 0 || i == n - 1 ? 0.5 : 1);
  }
  for (size_t k = 0; k < FILES; k++) {
    write_file(folder, k, n, mass, settings[k], paths[k]);
    list[k] = settings[k];
  }
  assert_ok(dls_model_choose("test", dls_model_find("matrix-model", NULL), FILES, list, &choice, &err), err);
  assert_ok(dls_model_create(choice.model, choice.parameters, &sys, &err), err);
  dls_model_choice_release(&choice);
  for (size_t k = 0; k < FILES; k++) {
    unlink(paths[k]);
  }
  return sys;
}

/* L1 error of the displacements that are left at rest, over that of the closed form, mu g c t*^3/12. */
static double error_at_rest(size_t n, const char *scheme)
{
  const double rest = 2 * V / (mu * g), l = length / (double)(n - 1);
  double error = 0;
  test_run run = dls_test_run_of(bar(n), scheme, l / c / 2, 1.4 * rest);
  for (size_t i = 0; i < n; i++) {
    const double left = fmax(0, rest - l * (double)i / c);
    error += l * fabs(run.sim->q[i] - mu * g * left * left / 4);
  }
  dls_test_free(&run);
  return error / (mu * g * c * rest * rest * rest / 12);
}

/* Dissipation of order h spreads a front as heat does: order 1/2. With less of it the errors are smaller, and no power of h yet. */
DLS_TEST(the_bar_comes_to_rest_as_in_closed_form)
{
  double h[MESHES], errors[MESHES];
  for (size_t i = 0; i < MESHES; i++) {
    const size_t n = (size_t)(50 * pow(1.3, (double)i)) + 1;
    h[i] = 1 / (double)(n - 1);
    errors[i] = error_at_rest(n, "moreau-jean:theta=1");
  }
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(MESHES, h, errors, 0, &fit, &err), err);
  assert_between(fit.order, 0.43, 0.53);
  assert_between(errors[MESHES - 1], 0.05, 0.15);
  assert_between(error_at_rest(85, "nonsmooth-generalized-alpha:rho_inf=0.6"), 0.07, 0.09);
  assert_between(errors[2], 0.22, 0.26); /* 85 nodes too */
}

/* Half way, behind the front: V - mu g t/2 at every node. */
DLS_TEST(what_slides_does_so_with_one_velocity)
{
  const size_t n = 301;
  const double t = V / (mu * g), l = length / (double)(n - 1);
  test_run run = dls_test_run_of(bar(n), "moreau-jean:theta=1", l / c / 2, t);
  for (double part = 0; part < 0.7; part += 0.1) {
    const size_t i = (size_t)(part * c * t / l);
    assert_between(run.sim->v[i] / (V - mu * g * t / 2), 0.9, 1.0);
  }
  assert_close(run.sim->v[(size_t)(1.3 * c * t / l)], 0, 1e-12);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bar_comes_to_rest_as_in_closed_form),
      cmocka_unit_test(what_slides_does_so_with_one_velocity),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
