/* test_structure.c -- structure changes the cost of a run and not its result: the same small chain with matrices in
 * every storage; and the static load of long columns, contact by contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_sim *start(const dls_system *sys, const char *scheme)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

static void advance(dls_sim *sim, double h, size_t steps)
{
  dls_error err = {0};
  for (size_t k = 0; k < steps; k++) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
  }
}

static dls_matrix *storage_of(dls_storage storage, size_t n, size_t columns, size_t entries)
{
  switch (storage) {
  case DLS_DIAGONAL:
    return dls_matrix_diagonal(n);
  case DLS_BAND:
    return dls_matrix_band(n, 1, 1);
  case DLS_SPARSE:
    return dls_matrix_sparse(n, columns, entries);
  default:
    return dls_matrix_dense(n, columns);
  }
}

static void pull(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -0.4 + 0.1 * sin(3 * t + (double)i);
  }
}

enum { N = 12 };

/* N masses that bounce between each other and a floor, tied by springs and dampers unless the stiffness is 0. */
static dls_system *chain(dls_storage mass, dls_storage stiffness, dls_storage gradient, double k)
{
  dls_system *sys = dls_system_create(N, N);
  sys->linear = true;
  sys->load = pull;
  sys->M = storage_of(mass, N, N, N);
  sys->H = storage_of(gradient, N, N, 2 * N);
  if (k > 0) {
    sys->K = storage_of(stiffness, N, N, 3 * N);
    sys->C = storage_of(stiffness, N, N, 3 * N);
  }
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      if (k > 0) {
        dls_matrix_set(sys->K, i, j, i == j ? 2 * k : -k);
        dls_matrix_set(sys->C, i, j, i == j ? 0.02 * k : -0.01 * k);
      }
    }
    dls_matrix_set(sys->M, j, j, 1 + 0.3 * sin((double)j));
    if (j > 0) {
      dls_matrix_set(sys->H, j - 1, j, -1);
    }
    dls_matrix_set(sys->H, j, j, 1);
    sys->w[j] = 0.05;
    sys->e[j] = 0.3;
    sys->q0[j] = 0.1 * (double)(j % 3);
  }
  return sys;
}

/* q and v behind 300 steps, next to each other. */
static void final_state(dls_system *sys, const char *scheme, double *state)
{
  dls_sim *sim = start(sys, scheme);
  advance(sim, 2e-3, 300);
  assert_true(sim->work.impacts > 0);
  memcpy(state, sim->q, N * sizeof *state);
  memcpy(state + N, sim->v, N * sizeof *state);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

static void assert_storage_does_not_matter(const char *scheme, double k)
{
  double expected[2 * N], state[2 * N];
  final_state(chain(DLS_DENSE, DLS_DENSE, DLS_DENSE, k), scheme, expected);
  for (int mass = DLS_DIAGONAL; mass <= DLS_DENSE; mass++) {
    for (int stiffness = DLS_BAND; stiffness <= (k > 0 ? DLS_DENSE : DLS_BAND); stiffness++) {
      for (int gradient = DLS_SPARSE; gradient <= DLS_DENSE; gradient++) {
        final_state(chain((dls_storage)mass, (dls_storage)stiffness, (dls_storage)gradient, k), scheme, state);
        for (size_t i = 0; i < 2 * N; i++) {
          assert_close(state[i], expected[i], 1e-12 * fmax(1, fabs(expected[i])));
        }
      }
    }
  }
}

DLS_TEST(the_storage_of_the_matrices_does_not_matter)
{
  static const char *const schemes[] = {"moreau-jean",       "moreau-jean-variant",         "schatzman-paoli",
                                        "nonsmooth-newmark", "nonsmooth-generalized-alpha", "tdg-d1-minus"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    assert_storage_does_not_matter(schemes[i], 0);
    assert_storage_does_not_matter(schemes[i], 50);
  }
}

static dls_system *column(size_t n, double e, double gap)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find("bead-column", &err);
  double p[16];
  dls_option_defaults(model->parameters, p);
  p[dls_option_find(model->parameters, "N")] = (double)n;
  p[dls_option_find(model->parameters, "gap")] = gap;
  p[dls_option_find(model->parameters, "e")] = e;
  dls_system *sys = NULL;
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

/* Contact i carries (n - i) m g; its impulse over a step is that times h. */
static void assert_static_loads(const char *scheme, size_t n, double e)
{
  const double h = 1e-3, weight = 9.81 * h;
  dls_system *sys = column(n, e, 0);
  dls_sim *sim = start(sys, scheme);
  for (int k = 0; k < 5; k++) {
    advance(sim, h, 4);
    for (size_t i = 0; i < n; i++) {
      assert_close(sim->p[i], (double)(n - i) * weight, 1e-10 * (double)(n - i) * weight);
      assert_int_equal(sim->status[i], 1);
    }
  }
  assert_int_equal(sim->work.lcp_solves, 20);
  assert_between((double)sim->work.lcp_pivots, 20, 25); /* one set a step: that of the step before */
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(every_contact_of_a_long_column_carries_the_weight_above)
{
  assert_static_loads("moreau-jean", 50, 0);
  assert_static_loads("moreau-jean", 1000, 0.5);
  assert_static_loads("moreau-jean", 10000, 0);
  assert_static_loads("moreau-jean-variant", 10000, 0);
  assert_static_loads("nonsmooth-newmark", 10000, 0);
}

/* The bottom of the column lands first, the top last: another set of contacts every few steps. In the end all of them
 * lie on each other. Momentum: the sum of the impulses of the floor is what gravity brought in and is gone. */
DLS_TEST(a_column_that_falls_down_comes_to_rest)
{
  enum { BEADS = 200 };
  const double h = 1e-3, gap = 1e-4;
  dls_system *sys = column(BEADS, 0, gap);
  dls_sim *sim = start(sys, "moreau-jean");
  double floor_impulse = 0, momentum = 0;
  size_t sets = 0, last = 0;
  for (int k = 0; k < 600; k++) {
    advance(sim, h, 1);
    floor_impulse += sim->p[0];
    size_t closed = 0;
    for (size_t i = 0; i < BEADS; i++) {
      closed += sim->status[i] != 0;
    }
    sets += closed != last;
    last = closed;
  }
  for (size_t i = 0; i < BEADS; i++) {
    momentum += sim->v[i];
    assert_close(sim->v[i], 0, 1e-9);
    assert_close(sim->p[i], (double)(BEADS - i) * 9.81 * h, 1e-9);
  }
  assert_true(sets > 20);
  assert_close(floor_impulse - BEADS * 9.81 * 0.6, momentum, 1e-8);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* A string of n masses over an obstacle, pressed on it: more than a hundred active contacts on an elastic body, for
 * which W would be full. Banded and dense matrices, that is the saddle-point way and an array, agree. */
static dls_system *string(size_t n, dls_storage storage)
{
  dls_system *sys = dls_system_create(n, n);
  sys->linear = true;
  sys->M = storage_of(storage, n, n, 3 * n);
  sys->K = storage_of(storage, n, n, 3 * n);
  sys->H = dls_matrix_sparse(n, n, n);
  for (size_t j = 0; j < n; j++) {
    const double x = (double)j / (double)n;
    for (size_t i = j > 0 ? j - 1 : 0; i < n && i <= j + 1; i++) {
      dls_matrix_set(sys->M, i, j, i == j ? 4.0 / 6 : 1.0 / 6);
      dls_matrix_set(sys->K, i, j, i == j ? 2 : -1);
    }
    dls_matrix_set(sys->H, j, j, 1);
    sys->v0[j] = -1;
    sys->w[j] = 0.02 * sin(12 * x) * sin(12 * x);
  }
  return sys;
}

DLS_TEST(many_contacts_on_an_elastic_body_agree_with_the_dense_way)
{
  enum { LENGTH = 250 };
  static const char *const schemes[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-newmark",
                                        "nonsmooth-generalized-alpha"};
  for (size_t k = 0; k < 4; k++) {
    dls_system *sys[] = {string(LENGTH, DLS_BAND), string(LENGTH, DLS_SPARSE), string(LENGTH, DLS_DENSE)};
    dls_sim *sim[3];
    size_t most = 0;
    for (int i = 0; i < 3; i++) {
      sim[i] = start(sys[i], schemes[k]);
    }
    for (int step = 0; step < 60; step++) {
      size_t closed = 0;
      for (int i = 0; i < 3; i++) {
        advance(sim[i], 2e-3, 1);
      }
      for (size_t i = 0; i < LENGTH; i++) {
        closed += sim[0]->status[i] != 0;
        assert_close(sim[0]->q[i], sim[2]->q[i], 1e-12);
        assert_close(sim[1]->q[i], sim[2]->q[i], 1e-12);
        assert_close(sim[0]->v[i], sim[2]->v[i], 1e-9);
        assert_close(sim[1]->v[i], sim[2]->v[i], 1e-9);
      }
      most = closed > most ? closed : most;
    }
    assert_true(most > 100);
    for (int i = 0; i < 3; i++) {
      dls_sim_destroy(sim[i]);
      dls_system_destroy(sys[i]);
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_storage_of_the_matrices_does_not_matter),
      cmocka_unit_test(every_contact_of_a_long_column_carries_the_weight_above),
      cmocka_unit_test(a_column_that_falls_down_comes_to_rest),
      cmocka_unit_test(many_contacts_on_an_elastic_body_agree_with_the_dense_way),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
