/* test_problem_methods.c -- a method answers by itself, not by the one that it falls back on; and how large a problem it takes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/friction/one_contact.h"
#include <delassus/delassus_operator.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 49 };

static dls_status solve(const char *method, size_t count, const dls_block *blocks, const double *W,
                        const double *q, double *r, dls_problem_report *report, dls_error *err)
{
  dls_problem_solver *solver = NULL;
  const dls_problem problem = {.count = count, .blocks = blocks, .q = q, .dense = W};
  assert_ok(dls_problem_create(method, 1e-12, &solver, err), *err);
  const dls_status status = dls_problem_solve(solver, &problem, r, NULL, report, err);
  dls_problem_destroy(solver);
  return status;
}

/* W = I: blocks pushed at 1 m/s to both sides slide (|r_T| = mu), one at 0.1 m/s sticks, one flies off. */
DLS_TEST(planar_methods_answer_by_themselves)
{
  const char *const methods[] = {"planar-lemke", "modes", "faceted"};
  const dls_block block = {DLS_COULOMB, 2, 0.5}, blocks[4] = {block, block, block, block};
  const double q[8] = {-1, 1, -1, 0.1, 1, 1, -1, -1}, expected[8] = {1, -0.5, 1, -0.1, 0, 0, 1, 0.5};
  double W[64] = {0};
  for (size_t i = 0; i < 8; i++) {
    W[i + 8 * i] = 1;
  }
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    double r[8] = {0};
    dls_problem_report report;
    dls_error err = {0};
    assert_ok(solve(methods[k], 4, blocks, W, q, r, &report, &err), err);
    assert_string_equal(report.method, methods[k]);
    for (size_t i = 0; i < 8; i++) {
      assert_close(r[i], expected[i], 1e-12);
    }
  }
}

/* Joints have one mode each: their rows count. */
DLS_TEST(modes_take_48_rows)
{
  static double W[MOST * MOST], q[MOST], r[MOST];
  dls_block blocks[MOST];
  dls_problem_report report;
  dls_error err = {0};
  for (size_t n = MOST - 1; n <= MOST; n++) {
    memset(W, 0, sizeof W);
    for (size_t i = 0; i < n; i++) {
      W[i + n * i] = 2;
      q[i] = 3;
      blocks[i] = (dls_block){DLS_FREE, 1, 0};
    }
    const dls_status status = solve("modes", n, blocks, W, q, r, &report, &err);
    if (n == MOST) {
      assert_int_equal(status, DLS_ERR_NOT_APPLICABLE);
      assert_non_null(strstr(err.text, "more than 65536 combinations of modes or 48 rows"));
    } else {
      assert_ok(status, err);
      assert_close(r[n - 1], -1.5, 1e-14);
    }
  }
}

/* Every band of W counts, in any storage: a chain of contacts coupled over two neighbours, as band and as dense matrix. */
DLS_TEST(a_band_matrix_is_that_of_its_entries)
{
  enum { N = 12 };
  static const double coupled[] = {4, -1, -0.7};
  double dense[N * N] = {0}, q[N], r[N] = {0}, expected[N] = {0};
  dls_block blocks[N];
  dls_problem_report report;
  dls_error err = {0};
  dls_problem_solver *solver = NULL;
  dls_matrix *band = dls_matrix_band(N, 2, 2);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j < 2 ? 0 : j - 2; i < N && i <= j + 2; i++) {
      dense[i + N * j] = coupled[i > j ? i - j : j - i];
      assert_int_equal(dls_matrix_set(band, i, j, dense[i + N * j]), DLS_OK);
    }
    q[j] = sin(2.0 * (double)j) - 0.5;
    blocks[j] = j % 3 == 0 ? (dls_block){DLS_FREE, 1, 0} : (dls_block){DLS_HALF, 1, 0};
  }
  const dls_problem problem = {.count = N, .blocks = blocks, .q = q, .matrix = band};
  assert_ok(solve("nsgs", N, blocks, dense, q, expected, &report, &err), err);
  assert_ok(dls_problem_create("nsgs", 1e-12, &solver, &err), err);
  assert_ok(dls_problem_solve(solver, &problem, r, NULL, &report, &err), err);
  for (size_t i = 0; i < N; i++) {
    assert_close(r[i], expected[i], 1e-11);
  }
  dls_problem_destroy(solver);
  dls_matrix_destroy(band);
}

/* A joint with a row that moves nothing but by rounding, the first, the middle or the last: no force along it, the others as if it were
 * not there. */
DLS_TEST(a_joint_row_without_leverage_has_no_force)
{
  const dls_block block = {DLS_FREE, 3, 0};
  for (size_t k = 0; k < 6; k++) {
    const size_t without = k / 2;
    const double noise = k % 2 == 0 ? 0 : 1e-17;
    double W[9] = {0}, q[3] = {-4, -4, -4}, r[3] = {0};
    dls_problem_report report;
    dls_error err = {0};
    for (size_t i = 0; i < 3; i++) {
      for (size_t j = 0; i != without && j < 3; j++) {
        W[i + 3 * j] = j == without ? 0 : i == j ? 3 : 1;
      }
    }
    W[without + 3 * without] = noise;
    q[without] = 100 * noise;
    assert_ok(solve("nsgs", 1, &block, W, q, r, &report, &err), err);
    for (size_t i = 0; i < 3; i++) {
      assert_close(r[i], i == without ? 0 : 1, 1e-14);
    }
  }
}

/* One contact there twice: either may carry the load, and the guess says which, in whatever unit it is. */
DLS_TEST(a_small_guess_is_a_guess)
{
  const dls_block blocks[2] = {{DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}};
  const double W[4] = {1, 1, 1, 1};
  for (double unit = 1; unit > 1e-9; unit /= 8) {
    for (size_t loaded = 0; loaded < 2; loaded++) {
      const double q[2] = {-unit, -unit};
      double r[2] = {0};
      dls_problem_report report;
      dls_error err = {0};
      r[loaded] = 0.9 * unit;
      assert_ok(solve("modes", 2, blocks, W, q, r, &report, &err), err);
      assert_close(r[loaded], unit, 1e-12 * unit);
      assert_close(r[1 - loaded], 0, 1e-12 * unit);
    }
  }
}

enum { FEW = 4 };

/* Contacts side by side, coupled a little, that are pressed and pushed; or joints in their place. @return rows */
static size_t row_of_contacts(size_t count, size_t d, bool joints, dls_block *blocks, double *W, double *q)
{
  const size_t n = d * count;
  for (size_t k = 0; k < n * n; k++) {
    const size_t i = k % n, j = k / n;
    W[k] = i == j ? 2 : 0.3 * cos((double)(i * j + i + j));
  }
  for (size_t i = 0; i < n; i++) {
    q[i] = i % d == 0 ? -1 - 0.1 * (double)i : 1.5 * cos(3.0 * (double)i);
  }
  for (size_t k = 0; k < count; k++) {
    blocks[k] = joints ? (dls_block){DLS_FREE, d, 0} : (dls_block){DLS_COULOMB, d, 0.3 + 0.2 * (double)k};
  }
  return n;
}

static double uniform(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) / 9007199254740992.0;
}

/* W = G G^T/n + 0.3, and contacts that are pressed and pushed. @return rows */
static size_t random_contacts(uint64_t seed, size_t count, dls_block *blocks, double *W, double *q)
{
  double G[9 * FEW * FEW];
  const size_t n = 3 * count;
  for (size_t k = 0; k < n * n; k++) {
    G[k] = 2 * uniform(&seed) - 1;
  }
  for (size_t k = 0; k < n * n; k++) {
    W[k] = k % n == k / n ? 0.3 : 0;
    for (size_t l = 0; l < n; l++) {
      W[k] += G[k % n + n * l] * G[k / n + n * l] / (double)n;
    }
  }
  for (size_t i = 0; i < n; i++) {
    q[i] = i % 3 == 0 ? -1 - uniform(&seed) : 3 * uniform(&seed) - 1.5;
  }
  for (size_t k = 0; k < count; k++) {
    blocks[k] = (dls_block){DLS_COULOMB, 3, 0.3 + 0.2 * (double)k};
  }
  return n;
}

/* Steps of the problem with other last digits of q. */
static size_t interior_steps(size_t copy, size_t n, size_t count, const dls_block *blocks, const double *W,
                             double *q, dls_problem_report *report)
{
  double r[3 * FEW] = {0};
  dls_error err = {0};
  for (size_t i = 0, digit = copy; i < n; i++, digit /= 2) {
    q[i] *= 1 + (double)(digit % 2) * DBL_EPSILON;
  }
  assert_ok(solve("interior-point", count, blocks, W, q, r, report, &err), err);
  return report->iterations;
}

enum { COPIES = 51 };

/* Each step takes the residual down by a digit or two, in the plane and in space, whatever the last digits of the data. Joints have no
 * inside to go through. */
DLS_TEST(interior_points_get_there_in_few_steps)
{
  for (size_t k = 0; k < 4 * FEW; k++) {
    const size_t count = 1 + k % FEW, d = 2 + k / FEW % 2;
    const bool joints = k >= 2 * FEW;
    for (size_t copy = 0; copy < COPIES; copy++) {
      dls_block blocks[FEW];
      double W[9 * FEW * FEW], q[3 * FEW];
      dls_problem_report report;
      const size_t n = row_of_contacts(count, d, joints, blocks, W, q);
      const size_t steps = interior_steps(copy, n, count, blocks, W, q, &report);
      assert_between((double)steps, joints ? 1 : 6, joints ? 4 : 15);
      assert_string_equal(report.method, joints                ? "alart-curnier"
                                         : d == 2 && count < 4 ? "interior-point"
                                                               : report.method);
    }
  }
}

DLS_TEST(steps_of_interior_points_do_not_depend_on_round_off)
{
  for (uint64_t seed = 1; seed <= 40; seed++) {
    size_t least = SIZE_MAX, most = 0;
    for (size_t copy = 0; copy < COPIES; copy++) {
      dls_block blocks[FEW];
      double W[9 * FEW * FEW], q[3 * FEW];
      dls_problem_report report;
      const size_t count = 1 + seed % FEW, n = random_contacts(seed, count, blocks, W, q);
      const size_t steps = interior_steps(copy, n, count, blocks, W, q, &report);
      least = steps < least ? steps : least;
      most = steps > most ? steps : most;
    }
    assert_between((double)least, 6, 20);
    assert_between((double)(most - least), 0, 3);
  }
}

static bool never(void *data)
{
  (void)data;
  return false;
}

/* Twenty sweeps would solve it; none is made. */
DLS_TEST(sweeps_that_are_not_to_go_on_do_not_begin)
{
  dls_block blocks[FEW];
  double W[9 * FEW * FEW], q[3 * FEW], r[3 * FEW] = {0};
  dls_problem_report report;
  dls_error err = {0};
  dls_problem_solver *solver = NULL;
  const size_t n = row_of_contacts(FEW, 2, false, blocks, W, q);
  const dls_problem problem = {.count = FEW, .blocks = blocks, .q = q, .dense = W};
  assert_ok(dls_problem_create("nsgs", 1e-12, &solver, &err), err);
  dls_problem_set_interrupt(solver, &(dls_interrupt_poll){never, NULL});
  assert_int_equal(dls_problem_solve(solver, &problem, r, NULL, &report, &err), DLS_ERR_INTERRUPTED);
  assert_int_equal(report.iterations, 0);
  for (size_t i = 0; i < n; i++) {
    assert_true(r[i] == 0);
  }
  dls_problem_destroy(solver);
}

/* W_TT < W_NT^2/W_NN: slip to both sides at once, u_T = q_T + W_TN r_N - s mu W_TT r_N, r_N = -q_N/(W_NN - s mu W_NT). */
DLS_TEST(slips_to_both_sides_are_found)
{
  const double W[4] = {1, 2, 2, 1}, q[2] = {-1, -3};
  double r[3 * DLS_ONE_CONTACT_MOST];
  assert_int_equal(dls_plane_slips(W, q, 0.3, r), 2);
  const double expected[2][2] = {{1 / 0.4, -0.3 / 0.4}, {1 / 1.6, 0.3 / 1.6}};
  for (size_t k = 0; k < 2; k++) {
    assert_close(r[3 * k], expected[k][0], 1e-14);
    assert_close(r[3 * k + 1], expected[k][1], 1e-14);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(planar_methods_answer_by_themselves),
      cmocka_unit_test(modes_take_48_rows),
      cmocka_unit_test(a_band_matrix_is_that_of_its_entries),
      cmocka_unit_test(a_joint_row_without_leverage_has_no_force),
      cmocka_unit_test(a_small_guess_is_a_guess),
      cmocka_unit_test(interior_points_get_there_in_few_steps),
      cmocka_unit_test(steps_of_interior_points_do_not_depend_on_round_off),
      cmocka_unit_test(sweeps_that_are_not_to_go_on_do_not_begin),
      cmocka_unit_test(slips_to_both_sides_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
