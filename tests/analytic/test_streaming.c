/* test_streaming.c -- errors of graphs that come in parts are those of the whole graphs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/piece.h"
#include "check.h"
#include "random_graph.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { NODES = 1000, NORMS = 5 };
static const dls_metric metrics[] = {{1.0, 1.0, 1e-3}, {2e-3, 40.0, 1e-3}, {3e9, 1e9, 1e-3}};
static const char *const names[NORMS] = {"hausdorff", "l1", "l2", "lp:p=3", "max"};

typedef struct fixture {
  dls_norm_choice choice[NORMS];
  const dls_norm *norms[NORMS];
  const dls_metric *metric;
} fixture;

static void choose_norms(fixture *f)
{
  f->metric = &metrics[0];
  dls_error err = {0};
  for (size_t i = 0; i < NORMS; i++) {
    assert_ok(dls_norm_read(names[i], &f->choice[i], &err), err);
    f->norms[i] = &f->choice[i].norm;
  }
}

/* Off by `size`, and late or early by as much. */
static dls_graph *off_by(const dls_graph *g, double size, uint64_t *state)
{
  dls_graph *d = disturbed_graph(g, size, state);
  const double end = g->t[g->count - 1];
  for (size_t i = 1; i < g->count && g->t[i] < end; i++) {
    d->t[i] += fmin(size, 0.4) * sin(2.0 * g->t[i]) * fmin(1.0, end - g->t[i]);
  }
  return d;
}

/* In parts of at most `most` nodes. */
static dls_status add_all(dls_streaming *streaming, const dls_graph *g, size_t most, uint64_t *state,
                          dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t first = 0; first + 1 < g->count && status == DLS_OK;) {
    size_t end = first + 2 + (size_t)(random_unit(state) * (double)most);
    end = end < g->count ? end : g->count;
    const dls_graph part = dls_graph_view(g, first, end);
    status = dls_streaming_add(streaming, &part, err);
    first = end - 1;
  }
  return status;
}

static dls_status run(const fixture *f, const dls_graph *g, const dls_graph *reference, size_t span,
                      size_t most, uint64_t *state, dls_measure out[NORMS])
{
  dls_error err = {0};
  dls_streaming *streaming = NULL;
  assert_ok(dls_streaming_create(reference, NORMS, f->norms, f->metric, span, &streaming, &err), err);
  dls_status status = add_all(streaming, g, most, state, &err);
  status = status != DLS_OK ? status : dls_streaming_end(streaming, out, &err);
  dls_streaming_destroy(streaming);
  if (status != DLS_OK) {
    assert_int_equal(status, DLS_ERR_LIMIT);
    assert_non_null(strstr(err.text, "exceeds the window"));
  }
  return status;
}

/* Those of the whole graphs: sums to rounding, as they are made of the same intervals. */
static void check_measures(const fixture *f, const dls_graph *g, const dls_graph *reference,
                           const dls_measure out[NORMS])
{
  dls_measure whole;
  dls_error err = {0};
  for (size_t i = 0; i < NORMS; i++) {
    const dls_norm *norm = f->norms[i];
    assert_ok(norm->measure(norm, g, reference, f->metric, &whole, &err), err);
    assert_close(out[i].value, whole.value,
                 i == 0 ? whole.bound + out[0].bound : 4 * DBL_EPSILON * whole.value);
    assert_between(out[i].bound, 0.1 * whole.bound, 1.01 * whole.bound + (i == 0 ? 1e-3 * whole.value : 0.0));
  }
}

DLS_TEST(measures_of_parts_are_those_of_the_whole)
{
  fixture f;
  choose_norms(&f);
  for (uint64_t seed = 0; seed < 12; seed++) {
    uint64_t random = random_seed(seed);
    dls_graph *reference = random_graph(NODES, 1 + seed % 2, seed % 3 > 0, &random);
    dls_graph *g = off_by(reference, pow(10.0, 0.5 - 0.5 * (double)(seed % 6)), &random);
    dls_measure out[NORMS];
    f.metric = &metrics[seed % 3];
    for (size_t span = 64; span < 4 * NODES; span *= 6) { /* 64, 384, and all */
      assert_ok(run(&f, g, reference, span, span == 384 ? 700 : 20, &random, out), (dls_error){0});
      check_measures(&f, g, reference, out);
    }
    dls_graph_destroy(g);
    dls_graph_destroy(reference);
  }
}

/* A blow that comes 9 s late is not taken for one that never came: with too few nodes kept there is no distance. */
DLS_TEST(what_may_be_nearer_beyond_the_nodes_is_not_told)
{
  enum { COUNT = 1001 };
  fixture f;
  choose_norms(&f);
  uint64_t random = random_seed(1);
  dls_graph *g[2];
  for (int late = 0; late < 2; late++) { /* 0.1 s a node, from 10 to 0 at 40 s or 49 s */
    g[late] = dls_graph_create(COUNT, 1, false);
    size_t jump = late ? 490 : 400;
    for (size_t i = 0; i < COUNT; i++) {
      g[late]->t[i] = 0.1 * (double)(i > jump ? i - 1 : i);
      g[late]->x[i] = i > jump ? 0.0 : 10.0;
    }
  }
  dls_measure out[NORMS];
  assert_int_equal(run(&f, g[1], g[0], 64, 10, &random, out), DLS_ERR_LIMIT);
  assert_ok(run(&f, g[1], g[0], 120, 10, &random, out), (dls_error){0});
  assert_close(out[0].value, 9.0, out[0].bound);
  assert_between(out[0].bound, 0.0, 1e-2);
  assert_close(out[1].value, 90.0, 1e-12);
  assert_close(out[4].value, 10.0, 1e-13);
  dls_graph_destroy(g[0]);
  dls_graph_destroy(g[1]);
}

static void assert_refused(dls_status status, const dls_error *err, const char *words)
{
  assert_int_equal(status, DLS_ERR_ARG);
  if (strstr(err->text, words) == NULL) {
    fail_msg("\"%s\" lacks \"%s\"", err->text, words);
  }
}

DLS_TEST(parts_that_do_not_fit_are_refused)
{
  fixture f;
  choose_norms(&f);
  dls_error err = {0};
  dls_streaming *streaming = NULL;
  dls_graph *g = GRAPH({0, 1}, {1, 2}, {2, 0}), *deviation = GRAPH({1, 3}, {2, 1}),
            *beyond = GRAPH({1, 2}, {2.5, 0}), *wide = dls_graph_create(2, 2, false),
            *early = GRAPH({-1, 0}, {1, 2});
  const dls_graph first = dls_graph_view(g, 0, 2);
  const dls_norm *grid = dls_norm_find("grid-l1");
  dls_measure out[NORMS];
  assert_int_equal(dls_streaming_create(g, 1, &grid, &dls_metric_default, DLS_SPAN, &streaming, &err),
                   DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "norm grid-l1 needs the whole graph"));
  assert_refused(dls_streaming_create(g, 1, f.norms, &(dls_metric){1, -1, 1e-3}, DLS_SPAN, &streaming, &err),
                 &err, "scale");
  assert_ok(dls_streaming_create(g, NORMS, f.norms, &dls_metric_default, DLS_SPAN, &streaming, &err), err);
  assert_refused(dls_streaming_end(streaming, out, &err), &err, "no part of the graph was added");
  assert_refused(dls_streaming_add(streaming, early, &err), &err, "covers [-1, 1], the reference only [0, 2]");
  assert_refused(dls_streaming_add(streaming, wide, &err), &err, "has 2 components; the reference has 1");
  assert_ok(dls_streaming_add(streaming, &first, &err), err);
  assert_refused(dls_streaming_add(streaming, deviation, &err), &err,
                 "not with the last node of the previous part, at t = 1");
  assert_refused(dls_streaming_add(streaming, beyond, &err), &err,
                 "covers [1, 2.5], the reference only [0, 2]");
  dls_streaming_destroy(streaming);
  dls_streaming_destroy(NULL);
  dls_graph *all[] = {g, deviation, beyond, wide, early};
  for (size_t i = 0; i < 5; i++) {
    dls_graph_destroy(all[i]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures_of_parts_are_those_of_the_whole),
      cmocka_unit_test(what_may_be_nearer_beyond_the_nodes_is_not_told),
      cmocka_unit_test(parts_that_do_not_fit_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
