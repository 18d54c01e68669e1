/* test_multifrontal_failures.c -- an UMFPACK that was built without METIS.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/multifrontal.h"
#include "common/linear/pattern.h"
#include "common/linear/suitesparse.h"
#include <math.h>
#include <stdlib.h>
#include <umfpack.h>

enum { N = 4000, HALF = 120 }; /* much fill-in, as of a mesh */

static int metis_calls, other_calls;

#define FAILING_ORDER(name)                                                                                    \
  int __real_##name(sunindextype, const sunindextype *, const sunindextype *, void **, const double *)
FAILING_ORDER(dls_umfpack_symbolic);
int __wrap_dls_umfpack_symbolic(sunindextype n, const sunindextype *p, const sunindextype *i, void **symbolic,
                                const double *control);

/* As UMFPACK does it without METIS. */
int __wrap_dls_umfpack_symbolic(sunindextype n, const sunindextype *p, const sunindextype *i, void **symbolic,
                                const double *control)
{
  const bool metis = control[UMFPACK_ORDERING] == UMFPACK_ORDERING_METIS;
  metis_calls += metis;
  other_calls += !metis;
  return metis ? UMFPACK_ERROR_ordering_failed : __real_dls_umfpack_symbolic(n, p, i, symbolic, control);
}

/* Twice: dls_matrix_union takes the pattern only. */
static void set_entries(dls_matrix *A)
{
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > HALF ? j - HALF : 0; i <= j + HALF && i < N; i++) {
      assert_int_equal(dls_matrix_set(A, i, j, i == j ? 2 * HALF : sin((double)(i + 3 * j))), DLS_OK);
    }
  }
}

DLS_TEST(another_order_is_taken_where_metis_is_missing)
{
  dls_matrix *A = dls_matrix_sparse(N, N, (2 * HALF + 1) * N);
  double *x = calloc(N, sizeof *x), *b = calloc(N, sizeof *b);
  dls_multifrontal *multifrontal = NULL;
  size_t row = 0;
  assert_true(A != NULL && x != NULL && b != NULL);
  set_entries(A);
  dls_matrix *S = dls_matrix_union((const dls_matrix *const[]){A}, 1);
  set_entries(S);
  assert_true(dls_multifrontal_create(S, &multifrontal));
  assert_non_null(multifrontal);
  assert_int_equal(metis_calls, 1);
  assert_int_equal(other_calls, 1);
  assert_int_equal(dls_multifrontal_factor(multifrontal, &row), DLS_OK);
  for (size_t i = 0; i < N; i++) {
    x[i] = cos((double)i);
  }
  dls_matrix_multiply(S, 1, x, b);
  dls_multifrontal_solve(multifrontal, b);
  for (size_t i = 0; i < N; i++) {
    assert_close(b[i], x[i], 1e-12);
  }
  free(b);
  free(x);
  dls_multifrontal_destroy(multifrontal);
  dls_matrix_destroy(S);
  dls_matrix_destroy(A);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(another_order_is_taken_where_metis_is_missing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
