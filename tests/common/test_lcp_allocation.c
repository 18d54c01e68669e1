/* test_lcp_allocation.c -- a complementarity problem of a grid that multigrid solves: allocation number k fails, for k = 1, 2, ... until
 * all goes well; each time there is an error, nothing crashes and nothing is left behind.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/lcp.h>
#include <math.h>
#include <string.h>

enum { SIDE = 46, N = SIDE * SIDE };
static double b[N], z[N];

static dls_matrix *grid(void)
{
  dls_matrix *W = dls_matrix_sparse(N, N, 5 * N);
  for (size_t j = 0; W != NULL && j < N; j++) {
    const size_t neighbours[5] = {j - SIDE, j - 1, j, j + 1, j + SIDE};
    const int there[5] = {j >= SIDE, j % SIDE > 0, 1, (j + 1) % SIDE > 0, j + SIDE < N};
    for (size_t k = 0; k < 5; k++) {
      if (there[k]) {
        dls_matrix_set(W, neighbours[k], j, k == 2 ? 4 : -1);
      }
    }
    b[j] = sin(0.1 * (double)j) - 0.1;
    z[j] = 0;
  }
  return W;
}

static dls_status job(const void *data, dls_error *err)
{
  (void)data;
  dls_lcp_solver *solver = NULL;
  dls_matrix *W = grid();
  dls_status status =
      W != NULL ? dls_lcp_create(1, NULL, 1e-12, &solver, err) : dls_fail(err, DLS_ERR_MEMORY, "W");
  status = status != DLS_OK ? status : dls_lcp_solve_matrix(solver, W, b, z, NULL, NULL, err);
  dls_lcp_destroy(solver);
  dls_matrix_destroy(W);
  return status;
}

DLS_TEST(every_failed_allocation_is_an_error)
{
  fail_each_in_turn(job, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_an_error)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
