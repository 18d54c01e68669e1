/* test_newmark_contacts.c -- the nonsmooth Newmark family in lasting contact and in matrices of every storage.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"

/* A mass that a heavy load holds on the stop, coupled by a spring to one that swings. */
static void pressing_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = -30;
  F[1] = 0;
}

static dls_system *pressed_system(void)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(2, 1);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  sys->K = dls_matrix_dense(2, 2);
  sys->H = dls_matrix_dense(2, 1);
  sys->load = pressing_load;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    for (size_t j = 0; j < 2; j++) {
      dls_matrix_set(sys->K, i, j, i == j ? 10 : -10);
    }
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[1] = 1;
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* Largest |g| over 1e5 steps. */
static double largest_gap(const char *scheme, double h)
{
  dls_error err = {0};
  dls_system *sys = pressed_system();
  dls_sim *sim = sim_of(sys, scheme);
  double largest = 0;
  assert_ok(dls_sim_start(sim, &err), err);
  for (size_t k = 0; k < 100000; k++) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    largest = fmax(largest, fabs(sim->g[0]));
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return largest;
}

/* g' - g = (h^2/2) (2 beta - gamma) H^T (a' - a) telescopes; |a| <= 40 here. */
DLS_TEST(lasting_contact_does_not_drift)
{
  static const struct {
    const char *scheme;
    double excess; /* 2 beta - gamma */
  } cases[] = {{"nonsmooth-newmark:gamma=0.5,beta=0.4", 0.3},
               {"nonsmooth-hht:alpha=0.3", 0.045},
               {"nonsmooth-generalized-alpha:rho_inf=0.5", 1. / 18},
               {"nonsmooth-kh-generalized-alpha:rho_inf=0.5", 1. / 18}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const double coarse = largest_gap(cases[i].scheme, 1e-2);
    const double fine = largest_gap(cases[i].scheme, 2.5e-3);
    assert_between(coarse, 1e-2 * 1e-2 / 2 * cases[i].excess, 1e-2 * 1e-2 / 2 * cases[i].excess * 80);
    assert_between(coarse / fine, 12, 20);
  }
  assert_close(largest_gap("nonsmooth-newmark", 1e-2), 0, 1e-12);
  assert_close(largest_gap("nonsmooth-newmark:gamma=0.8,beta=0.4", 1e-2), 0, 1e-12);
}

DLS_TEST(storages_agree)
{
  static const dls_storage storages[][2] = {{DLS_DENSE, DLS_DENSE},
                                            {DLS_DIAGONAL, DLS_BAND},
                                            {DLS_SPARSE, DLS_SPARSE},
                                            {DLS_BAND, DLS_SPARSE},
                                            {DLS_DIAGONAL, DLS_DENSE}};
  for (size_t s = 0; s < FAMILY; s++) {
    double q[CHAIN] = {0}, v[CHAIN] = {0};
    for (size_t i = 0; i < sizeof storages / sizeof storages[0]; i++) {
      dls_error err = {0};
      dls_system *sys = chain_system(storages[i][0], storages[i][1]);
      dls_sim *sim = sim_of(sys, family[s]);
      assert_ok(dls_run(sim, &(dls_run_spec){.step = 0.01, .end = 4}, &err), err);
      assert_true(sim->work.impacts > 4);
      for (size_t k = 0; k < CHAIN; k++) {
        if (i > 0) {
          assert_close(sim->q[k], q[k], 1e-11);
          assert_close(sim->v[k], v[k], 1e-10);
        }
        q[k] = sim->q[k];
        v[k] = sim->v[k];
      }
      dls_sim_destroy(sim);
      dls_system_destroy(sys);
    }
  }
}

/* Static loads: contact i of a resting column carries (N - i) m g. */
DLS_TEST(contacts_in_number_carry_static_loads)
{
  const double h = 1e-3;
  for (size_t s = 0; s < FAMILY; s++) {
    test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5", family[s], h, 0.1);
    for (size_t i = 0; i < 8; i++) {
      assert_close(column.sim->p[i], h * (double)(8 - i) * 0.5 * 9.81, 1e-13);
      assert_close(column.sim->g[i], 0, 1e-12);
    }
    dls_test_free(&column);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lasting_contact_does_not_drift),
      cmocka_unit_test(storages_agree),
      cmocka_unit_test(contacts_in_number_carry_static_loads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
