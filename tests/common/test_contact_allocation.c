/* test_contact_allocation.c -- memory of contacts: where there is none for a large set, a small one goes on; what was reserved at the
 * start is enough.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/friction/directions.h"
#include "contact_jobs.h"
#include "failing_malloc.h"
#include <delassus/contact_mode.h>

enum { BLOCKS = 20, N = 2 * BLOCKS };

/* Blocks of 1 kg side by side on a floor, mu = 0.5. */
static dls_system *row_of_blocks(void)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(N, BLOCKS);
  sys->linear = true;
  sys->d = 2;
  sys->M = dls_matrix_diagonal(N);
  sys->H = dls_matrix_sparse(N, BLOCKS, BLOCKS);
  sys->T = dls_matrix_sparse(N, BLOCKS, BLOCKS);
  for (size_t j = 0; j < BLOCKS; j++) {
    dls_matrix_set(sys->M, 2 * j, 2 * j, 1);
    dls_matrix_set(sys->M, 2 * j + 1, 2 * j + 1, 1);
    dls_matrix_set(sys->H, 2 * j + 1, j, 1);
    dls_matrix_set(sys->T, 2 * j, j, 1);
    sys->mu[j] = 0.5;
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* Blocks that slip under 10 m/s^2: the first `count` of them. */
static dls_status press(dls_mode_solver *solver, size_t count, double *r, dls_error *err)
{
  static const double v[N];
  size_t index[BLOCKS], solutions;
  dls_contact_mode mode[BLOCKS];
  double a[N];
  for (size_t j = 0; j < BLOCKS; j++) {
    index[j] = j;
    mode[j] = (dls_contact_mode){DLS_MODE_SLIPS, 0.5, {1, 0}, 0};
    a[2 * j] = 0;
    a[2 * j + 1] = -10;
  }
  return dls_mode_solver_force(solver, &(dls_contacts){count, index}, mode, v, a, r, &solutions, err);
}

DLS_TEST(a_set_that_had_no_memory_leaves_room_for_others)
{
  dls_system *sys = row_of_blocks();
  size_t failures = 0;
  for (bool any = true; any; failures += any) {
    static const double q[N];
    dls_contact_system contacts;
    dls_work work = {0};
    dls_mode_solver *solver = NULL;
    dls_error err = {0};
    double r[N];
    assert_ok(dls_contact_system_create_mass(sys, &work, &contacts, &err), err);
    assert_ok(dls_contact_system_at(&contacts, 0, q, &err), err);
    assert_ok(dls_mode_solver_create(&contacts, &solver, &err), err);
    until_failure = failures + 1;
    failed = false;
    const dls_status status = press(solver, BLOCKS, r, &err);
    until_failure = 0;
    any = failed;
    assert_int_equal(status, any ? DLS_ERR_MEMORY : DLS_OK);
    for (size_t count = 1; count <= BLOCKS; count += BLOCKS - 1) {
      assert_ok(press(solver, count, r, &err), err);
      for (size_t j = 0; j < BLOCKS; j++) {
        assert_close(r[2 * j], j < count ? 10 : 0, 1e-13);
        assert_close(r[2 * j + 1], j < count ? -5 : 0, 1e-13);
      }
    }
    dls_mode_solver_destroy(solver);
    dls_contact_system_destroy(&contacts);
  }
  dls_system_destroy(sys);
  assert_true(failures > 5);
}

/* Room for W is made at the start where it has up to 16 entries for one of H, and one more: 20^2 + 8^2 = 16 (20 + 8 + 1). */
DLS_TEST(room_for_all_contacts_is_made_at_the_start)
{
  enum { FIRST = 20, M = FIRST + 8 };
  dls_error err = {0};
  dls_lcp_solver *lcp = NULL;
  size_t active[M];
  double b[M], p[M] = {0}, sum[2] = {0};
  dls_matrix *A = dls_matrix_diagonal(2), *H = dls_matrix_sparse(2, M, M);
  for (size_t j = 0; j < M; j++) {
    dls_matrix_set(H, j < FIRST ? 0 : 1, j, 1);
    active[j] = j;
    b[j] = j < FIRST ? -1 : -2;
  }
  dls_matrix_set(A, 0, 0, 1);
  dls_matrix_set(A, 1, 1, 4);
  dls_factor *factor = dls_factor_create((const dls_matrix *const[]){A}, 1);
  assert_ok(dls_factor_sum(factor, (const double[]){1}, &err), err);
  dls_delassus *W = dls_delassus_create(factor, H);
  assert_ok(dls_lcp_create(M, NULL, 1e-12, &lcp, &err), err);
  until_failure = 1;
  failed = false;
  const dls_status status = dls_delassus_solve(W, lcp, M, active, b, p, NULL, NULL, &err);
  until_failure = 0;
  assert_ok(status, err);
  assert_false(failed);
  for (size_t j = 0; j < M; j++) {
    sum[j < FIRST ? 0 : 1] += p[j];
  }
  assert_close(sum[0], 1, 1e-12);
  assert_close(sum[1], 8, 1e-11);
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(W);
  dls_factor_destroy(factor);
  dls_matrix_destroy(H);
  dls_matrix_destroy(A);
}

enum { SIDE = 61, ROWS = 4 * SIDE };

/* Points of 1 kg and of 1e-12 kg on a floor. */
static dls_system *heavy_and_light(void)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(ROWS, 2 * SIDE);
  sys->linear = true;
  sys->d = 2;
  sys->M = dls_matrix_diagonal(ROWS);
  sys->H = dls_matrix_sparse(ROWS, 2 * SIDE, 2 * SIDE);
  sys->T = dls_matrix_sparse(ROWS, 2 * SIDE, 2 * SIDE);
  for (size_t j = 0; j < 2 * SIDE; j++) {
    dls_matrix_set(sys->M, 2 * j, 2 * j, j < SIDE ? 1 : 1e-12);
    dls_matrix_set(sys->M, 2 * j + 1, 2 * j + 1, j < SIDE ? 1 : 1e-12);
    dls_matrix_set(sys->H, 2 * j + 1, j, 1);
    dls_matrix_set(sys->T, 2 * j, j, 1);
    sys->mu[j] = 0.5;
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* `count` contacts from `first` on, wanted but for every `but`th (0: all). */
static dls_status find(dls_free_directions_work *of, size_t first, size_t count, size_t but,
                       dls_free_directions *tangents)
{
  static bool wanted[2 * SIDE];
  static size_t index[2 * SIDE];
  for (size_t k = 0; k < count; k++) {
    index[k] = first + k;
    wanted[index[k]] = but == 0 || k % but != 0;
  }
  return dls_free_directions_find(of, &(dls_contacts){count, index}, wanted, NULL, tangents);
}

/* Tangents of more than 100 rows are found without a dense matrix, whatever set was there before, with one contact more; but where
 * heavy and light points stand side by side, of which random velocities tell nothing. */
DLS_TEST(many_tangents_need_no_dense_matrix)
{
  static dls_free_directions tangents[2 * SIDE];
  static const double q[ROWS];
  dls_system *sys = heavy_and_light();
  dls_contact_system contacts;
  dls_work work = {0};
  dls_error err = {0};
  assert_ok(dls_contact_system_create_mass(sys, &work, &contacts, &err), err);
  assert_ok(dls_contact_system_at(&contacts, 0, q, &err), err);
  dls_free_directions_work *tangents_of = dls_free_directions_create(&contacts);
  assert_true(dls_free_directions_reserve(tangents_of, 2 * SIDE));
  for (size_t part = 0; part < 4; part++) { /* light, heavy, most of these, both */
    const size_t count = part == 0 ? SIDE : part == 1 ? SIDE - 1 : part == 2 ? SIDE : 2 * SIDE;
    const size_t but = part == 2 ? 11 : 0;
    until_failure = part == 0 ? 0 : 1;
    failed = false;
    dls_status status = find(tangents_of, part == 0 ? SIDE : 0, count, but, tangents);
    until_failure = 0;
    assert_true(failed == (part == 3));
    assert_int_equal(status, part == 3 ? DLS_ERR_MEMORY : DLS_OK);
    if (part == 3) {
      assert_int_equal(find(tangents_of, 0, count, but, tangents), DLS_OK);
    }
    for (size_t k = 0; k < count; k++) {
      assert_int_equal(tangents[k].count, but == 0 || k % but != 0 ? 1 : 0);
    }
  }
  dls_free_directions_destroy(tangents_of);
  dls_contact_system_destroy(&contacts);
  dls_system_destroy(sys);
}

extern const dls_law dls_law_poisson;

DLS_TEST(every_failed_allocation_is_an_error)
{
  static const dls_law *const laws[] = {NULL, &dls_law_poisson};
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = contact_job_rubbing(laws[k]);
    assert_between((double)fail_each_in_turn(rub, &(contact_job){.sys = sys}), 10, 100);
    dls_system_destroy(sys);
  }
  dls_system *blocks = contact_job_blocks();
  assert_between((double)fail_each_in_turn(mode_job, &(contact_job){.sys = blocks}), 40, 400);
  dls_system_destroy(blocks);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_set_that_had_no_memory_leaves_room_for_others),
      cmocka_unit_test(room_for_all_contacts_is_made_at_the_start),
      cmocka_unit_test(many_tangents_need_no_dense_matrix),
      cmocka_unit_test(every_failed_allocation_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
