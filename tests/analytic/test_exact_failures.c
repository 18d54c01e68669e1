/* test_exact_failures.c -- what exact solutions call fails, each place that calls in turn: the error arrives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/contact_pieces.h"
#include "analytic/exact/support/pieces.h"
#include "analytic/exact/support/tangents.h"
#include "check.h"
#include "exact_jobs.h"
#include "failing_calls.h"
#include <delassus/bar_wave.h>
#include <delassus/delassus_operator.h>
#include <delassus/matrix.h>
#include <delassus/model.h>

FAILING_REPORTED(dls_bar_wave_create,
                 (const dls_bar_wave_data *data, double end, dls_bar_wave **out, dls_error *err),
                 (data, end, out, err))
FAILING_REPORTED(dls_contact_list, (dls_exact_solution * sol, const long double *x, dls_error *err),
                 (sol, x, err))
FAILING_REPORTED(dls_delassus_solve_bilateral,
                 (dls_delassus * D, size_t count, const size_t *active, const double *b, double *p,
                  dls_error *err),
                 (D, count, active, b, p, err))
FAILING_REPORTED(dls_factor_sum, (dls_factor * F, const double *coefficients, dls_error *err),
                 (F, coefficients, err))
FAILING_REPORTED(dls_model_create, (const dls_model *model, const double *p, dls_system **out, dls_error *err),
                 (model, p, out, err))
FAILING_REPORTED(dls_pieces_allow, (size_t count, long double t, dls_error *err), (count, t, err))
FAILING_REPORTED(dls_pieces_push, (dls_pieces * list, const void *piece, dls_error *err), (list, piece, err))
FAILING_REPORTED(dls_pieces_room,
                 (void **pieces, size_t size, size_t count, size_t *capacity, long double t, dls_error *err),
                 (pieces, size, count, capacity, t, err))
FAILING_REPORTED(dls_tangents_at,
                 (dls_tangents * tangents, const dls_tangents_state *state, double *out, dls_error *err),
                 (tangents, state, out, err))
FAILING_REPORTED(dls_tangents_create, (const dls_system *sys, dls_tangents *out, dls_error *err),
                 (sys, out, err))
FAILING_REPORTED(dls_trajectory_add_event, (dls_trajectory * traj, const dls_event *event, dls_error *err),
                 (traj, event, err))

DLS_TEST(every_error_in_an_exact_table_arrives)
{
  size_t count = 0;
  for (const dls_exact *const *exact = dls_exacts(); *exact != NULL; exact++) {
    count += has_exact_table(*exact)
                 ? fail_each_place(exact_table, *exact) + fail_each_place(exact_rows, *exact)
                 : 0;
  }
  assert_between((double)count, 15, MOST_PLACES);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_error_in_an_exact_table_arrives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
