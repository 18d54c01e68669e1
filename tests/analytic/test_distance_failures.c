/* test_distance_failures.c -- what distances call fails, each place that calls in turn: the error arrives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/chords.h"
#include "analytic/distance/frechet.h"
#include "analytic/distance/norm.h"
#include "analytic/distance/prepared_reference.h"
#include "analytic/graph/coarse_bound.h"
#include "analytic/graph/piece.h"
#include "analytic/graph/polyline.h"
#include "check.h"
#include "distance_jobs.h"
#include "failing_calls.h"
#include <gsl/gsl_rng.h>

FAILING(dls_chords_measure,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, double low, double most,
         dls_apart *deviation, void *data, dls_chords *chords, dls_measure *out, dls_error *err),
        (a, b, metric, low, most, deviation, data, chords, out, err))
FAILING(dls_cubics_of, (const dls_graph *graph, const dls_metric *metric, dls_cubics *cubics, dls_error *err),
        (graph, metric, cubics, err))
FAILING(dls_frechet,
        (void *unused, const dls_polyline *a, const dls_polyline *b, dls_excess *e, dls_error *err),
        (unused, a, b, e, err))
FAILING(dls_graph_check_pair,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_error *err), (a, b, metric, err))
FAILING(dls_graph_clip, (const dls_graph *graph, double t0, double t1, dls_graph **out, dls_error *err),
        (graph, t0, t1, out, err))
FAILING(dls_hausdorff,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_measure *out, dls_error *err),
        (a, b, metric, out, err))
FAILING(dls_norm_overlap,
        (const dls_graph *numeric, const dls_graph *reference, double *low, double *high, dls_error *err),
        (numeric, reference, low, high, err))
FAILING(dls_coarse_bound_create,
        (const dls_graph *graph, const dls_coarse_bound *finer, double error, dls_coarse_bound *out,
         dls_error *err),
        (graph, finer, error, out, err))
FAILING(dls_comparison_hausdorff,
        (const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err), (self, pair, out, err))
FAILING(dls_comparison_l1, (const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err),
        (self, pair, out, err))
FAILING(dls_interval_bounds_create,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_sign_intervals *sign_intervals,
         dls_interval_bounds *out, dls_error *err),
        (a, b, metric, sign_intervals, out, err))
FAILING(dls_graph_check, (const dls_graph *graph, const char *what, dls_error *err), (graph, what, err))
FAILING(dls_hausdorff_part,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, const dls_extent *extent,
         dls_found *found, bool *blind, dls_error *err),
        (a, b, metric, extent, found, blind, err))
FAILING(dls_hausdorff_by_intervals,
        (const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_interval_bounds *bounds,
         dls_measure *out, dls_error *err),
        (a, b, metric, bounds, out, err))
FAILING(dls_comparison_sweep, (dls_comparison * pair, dls_error *err), (pair, err))
FAILING(dls_polyline_flatten,
        (const dls_cubics *own, const dls_cubics *partner, const dls_metric *metric, dls_flattening aim,
         size_t most, const dls_polyline *first, dls_polyline *line, dls_error *err),
        (own, partner, metric, aim, most, first, line, err))
FAILING(dls_polyline_index, (dls_polyline * line, dls_error *err), (line, err))
FAILING_MAKER(gsl_rng_alloc, gsl_rng *, (const gsl_rng_type *type), (type))

DLS_TEST(every_error_in_a_distance_arrives)
{
  size_t count = 0;
  two_graphs two = two_graphs_of(900);
  for (const dls_norm *const *norm = dls_norms(); *norm != NULL; norm++) {
    two.norm = *norm;
    count += fail_each_place(distance, &two) + fail_each_place(paired_distance, &two);
  }
  count += fail_each_place(distance_in_parts, &two);
  two_graphs_free(&two);
  assert_between((double)count, 20, MOST_PLACES);
  assert_int_equal(fail_each_place(fit_of_levels, NULL), 1); /* random numbers */
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_error_in_a_distance_arrives),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
