/* test_interrupt.c -- a poll ends a distance while it is computed; a poll that never interrupts changes nothing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/interrupt.h"
#include "check.h"
#include <delassus/graph.h>
#include <math.h>

enum { NODES = 20001 };

/* sin(50 t) plus a fast ripple on [0, 1]: no block of intervals is as good as another. */
static dls_graph *wave(double ripple)
{
  dls_graph *g = dls_graph_create(NODES, 1, false);
  assert_non_null(g);
  for (size_t i = 0; i < NODES; i++) {
    g->t[i] = (double)i / (NODES - 1);
    g->x[i] = sin(50 * g->t[i]) + ripple * sin(5e3 * g->t[i]);
  }
  return g;
}

typedef struct asked {
  size_t polls, most;
} asked;

static bool poll_most(void *data)
{
  asked *a = data;
  return ++a->polls < a->most;
}

static dls_status measure(const dls_norm *norm, const dls_graph *a, const dls_graph *b, asked *polls,
                          dls_measure *out, dls_error *err)
{
  const dls_interrupt before = dls_interrupt_set((dls_interrupt){poll_most, polls, 0, false});
  const dls_status status = norm->measure(norm, a, b, &dls_metric_default, out, err);
  dls_interrupt_set(before);
  return status;
}

DLS_TEST(distances_end_at_every_poll)
{
  static const char *const names[] = {"hausdorff", "m1"};
  dls_graph *a = wave(0.01), *b = wave(-0.01);
  for (size_t i = 0; i < 2; i++) {
    const dls_norm *norm = dls_norm_find(names[i]);
    dls_measure plain = {0}, polled = {0};
    dls_error err = {0};
    asked all = {0, SIZE_MAX};
    assert_ok(norm->measure(norm, a, b, &dls_metric_default, &plain, &err), err);
    assert_ok(measure(norm, a, b, &all, &polled, &err), err);
    assert_memory_equal(&plain, &polled, sizeof plain);
    assert_between((double)all.polls, 4, 1000); /* 20000 segments both ways */
    for (size_t most = 1; most <= all.polls; most += 1 + all.polls / 8) {
      asked few = {0, most};
      assert_int_equal(measure(norm, a, b, &few, &polled, &err), DLS_ERR_INTERRUPTED);
      assert_int_equal(few.polls, most); /* and no poll after it */
      assert_string_equal(err.text, "interrupted");
    }
  }
  dls_graph_destroy(a);
  dls_graph_destroy(b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_end_at_every_poll),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
