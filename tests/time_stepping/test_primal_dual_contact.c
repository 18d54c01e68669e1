/* test_reduced_contact.c -- contacts with unknowns of their own: steps without W make what the general path makes, step by step
 * from the same states, on random membranes and bodies and on cases made to be hard; and the laws of contact hold.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "stiff_membrane.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { MEMBRANE, BODY, STRING } kind;
typedef struct plan {
  kind kind;
  size_t n, m;
  double stiffness, damping, load, restitution;
  bool at_rest;  /* all contacts touch: degenerate */
  double spread; /* entries of H are 10^-spread to 10^spread, of both signs */
} plan;

static double pressure[10000];
static void press(const dls_system *sys, double t, double *F)
{
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = pressure[i] * (1 + 0.3 * sin(5 * t));
  }
}

static void add(dls_matrix *K, size_t i, size_t j, double x)
{
  dls_matrix_set(K, i, j, dls_matrix_get(K, i, j) + x);
}

/* weight (e_i - e_j)(e_i - e_j)^T, or with a plus: no M-matrix. */
static void tie(dls_matrix *K, size_t i, size_t j, double weight, double sign)
{
  add(K, i, i, weight);
  add(K, j, j, weight);
  add(K, i, j, -sign * weight);
  add(K, j, i, -sign * weight);
}

static dls_matrix *stiffness_of(gsl_rng *rng, const plan *p)
{
  const size_t n = p->n, side = (size_t)sqrt((double)n);
  dls_matrix *dense = dls_matrix_dense(n, n);
  for (size_t i = 0; i < n; i++) {
    add(dense, i, i, 0.1 * p->stiffness);
    if (p->kind == BODY) {
      for (int k = 0; k < 3; k++) {
        const size_t j = gsl_rng_uniform_int(rng, n);
        tie(dense, i, j == i ? (i + 1) % n : j, p->stiffness * gsl_ran_flat(rng, 0.1, 1), k < 2 ? 1 : -1);
      }
    } else if ((i + 1) % side > 0 || p->kind == STRING) {
      tie(dense, i, (i + 1) % n, p->stiffness * gsl_ran_flat(rng, 0.5, 1), 1);
    }
    if (p->kind == MEMBRANE && i + side < n) {
      tie(dense, i, i + side, p->stiffness, 1);
    }
  }
  dls_matrix *K = dls_matrix_sparse(n, n, n * 16);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      if (dls_matrix_get(dense, i, j) != 0) {
        assert_int_equal(dls_matrix_set(K, i, j, dls_matrix_get(dense, i, j)), DLS_OK);
      }
    }
  }
  dls_matrix_destroy(dense);
  return K;
}

static void set_contact(gsl_rng *rng, const plan *p, dls_system *sys, size_t j, size_t row)
{
  const double size = pow(10, p->spread * gsl_ran_flat(rng, -1, 1));
  const double entry = p->spread > 0 && gsl_rng_uniform(rng) < 0.5 ? -size : size;
  dls_matrix_set(sys->H, row, j, entry);
  sys->w[j] = p->at_rest ? -entry * sys->q0[row] : gsl_ran_flat(rng, 0, 0.1) * size;
  sys->e[j] = gsl_rng_uniform(rng) < 0.5 ? p->restitution : 0;
}

/* @param storage  of H: dense takes the general path */
static dls_system *create(const plan *p, unsigned long seed, dls_storage storage)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  dls_system *sys = dls_system_create(p->n, p->m);
  sys->linear = true;
  sys->load = press;
  sys->K = stiffness_of(rng, p);
  sys->M = dls_matrix_diagonal(p->n);
  sys->H = storage == DLS_DENSE ? dls_matrix_dense(p->n, p->m) : dls_matrix_sparse(p->n, p->m, p->m);
  if (p->damping > 0) {
    sys->C = dls_matrix_sparse(p->n, p->n, 16 * p->n);
    for (size_t j = 0; j < p->n; j++) {
      for (size_t i = 0; i < p->n; i++) {
        const double k = dls_matrix_get(sys->K, i, j);
        if (k != 0) {
          dls_matrix_set(sys->C, i, j, p->damping * k);
        }
      }
    }
  }
  size_t order[1024];
  for (size_t i = 0; i < p->n; i++) {
    order[i] = i;
    dls_matrix_set(sys->M, i, i, gsl_ran_flat(rng, 0.5, 2));
    sys->q0[i] = p->at_rest ? 0.1 : gsl_ran_flat(rng, 0, 0.1);
    sys->v0[i] = p->at_rest ? 0 : gsl_ran_flat(rng, -1, 0.5);
    pressure[i] = p->load * gsl_ran_flat(rng, -1, 0.3);
  }
  gsl_ran_shuffle(rng, order, p->n, sizeof *order);
  for (size_t j = 0; j < p->m; j++) {
    set_contact(rng, p, sys, j, order[j]);
  }
  gsl_rng_free(rng);
  return sys;
}

static dls_sim *start(const dls_system *sys, const char *scheme)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

static double largest(size_t n, const double *x)
{
  double most = 0;
  for (size_t i = 0; i < n; i++) {
    most = fmax(most, fabs(x[i]));
  }
  return most;
}

static void check_same(size_t n, const double *x, const double *y, double tolerance)
{
  for (size_t i = 0; i < n; i++) {
    assert_close(x[i], y[i], tolerance);
  }
}

/* A step of both from the same state. @return contacts with an impulse */
static size_t step(dls_sim *primal_dual, dls_sim *general, double h, double tolerance)
{
  const dls_system *sys = primal_dual->sys;
  dls_error err = {0};
  size_t pressed = 0;
  const double before = largest(sys->n, primal_dual->v);
  assert_ok(dls_sim_advance(primal_dual, h, &err), err);
  assert_ok(dls_sim_advance(general, h, &err), err);
  const double speed = fmax(before, largest(sys->n, primal_dual->v)), push = largest(sys->m, general->p);
  check_same(sys->n, primal_dual->v, general->v, tolerance * speed);
  check_same(sys->n, primal_dual->q, general->q, tolerance * (largest(sys->n, general->q) + h * speed));
  check_same(sys->m, primal_dual->p, general->p, tolerance * push);
  assert_int_equal(primal_dual->jump, general->jump);
  if (primal_dual->jump) {
    check_same(sys->n, primal_dual->v_left, general->v_left,
               tolerance * fmax(speed, largest(sys->n, general->v_left)));
  }
  for (size_t j = 0; j < sys->m; j++) {
    assert_true(primal_dual->p[j] >= 0);
    pressed += primal_dual->p[j] > 0;
  }
  assert_ok(dls_sim_move(general, primal_dual->t, primal_dual->q, primal_dual->v, &err), err);
  return pressed;
}

enum { STEPS = 40 };

/* @return impulses on the way, of all contacts and steps a part */
static double compare(const plan *p, unsigned long seed, const char *scheme, double h, double tolerance)
{
  dls_system *own = create(p, seed, DLS_SPARSE), *same = create(p, seed, DLS_DENSE);
  dls_sim *primal_dual = start(own, scheme), *general = start(same, scheme);
  size_t pressed = 0;
  for (size_t k = 0; k < STEPS; k++) {
    pressed += step(primal_dual, general, h, tolerance);
  }
  assert_int_equal(primal_dual->work.factorizations, 0); /* it was the reduced path */
  assert_between((double)general->work.factorizations, 1, STEPS);
  dls_sim_destroy(primal_dual);
  dls_sim_destroy(general);
  dls_system_destroy(own);
  dls_system_destroy(same);
  return (double)pressed / (double)(STEPS * p->m);
}

DLS_TEST(steps_without_W_are_those_with_it)
{
  static const plan plans[] = {
      {MEMBRANE, 169, 169, 1, 0, 5, 0, false, 0},       {MEMBRANE, 169, 101, 100, 0.01, 50, 0.7, false, 0},
      {MEMBRANE, 196, 150, 1e4, 0, 1e3, 0.3, false, 0}, {BODY, 180, 120, 10, 0, 20, 0.5, false, 0},
      {BODY, 200, 140, 1e3, 0.001, 300, 1, false, 0},   {STRING, 150, 150, 1e3, 0, 100, 0.2, false, 0},
      {STRING, 180, 110, 1e4, 0.01, 1e3, 0, false, 0},
  };
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    for (unsigned long seed = 1; seed <= 3; seed++) {
      const double part =
          compare(&plans[k], seed, seed % 2 == 0 ? "moreau-jean" : "moreau-jean-variant", 0.01, 1e-12);
      assert_between(part, 0.05, 0.99);
    }
  }
}

DLS_TEST(hard_cases_are_those_of_the_general_path)
{
  static const plan touching = {MEMBRANE, 196, 196, 100, 0, 5, 0.5, true, 0},
                    scales = {BODY, 180, 120, 10, 0.01, 20, 0.5, false, 3},
                    pulled = {MEMBRANE, 169, 169, 1, 0, -5, 0, true, 0},
                    stiff = {MEMBRANE, 196, 196, 4e7, 0, 1e6, 0, false, 0};
  for (unsigned long seed = 1; seed <= 2; seed++) {
    assert_between(compare(&touching, seed, "moreau-jean", 0.01, 1e-12), 0.01, 1);
    assert_between(compare(&scales, seed, "moreau-jean", 0.01, 1e-12), 0.01, 1);
    assert_between(compare(&pulled, seed, "moreau-jean", 0.01, 1e-12), 0.001, 1);
    assert_between(compare(&stiff, seed, "moreau-jean", 0.01, 1e-12), 0.01, 1);
  }
}

/* A scheme of two steps cannot be moved: whole runs, along which rounding grows. @return factorizations with W */
static size_t compare_runs(const plan *p, unsigned long seed, const char *scheme, const char *setting)
{
  dls_system *own = create(p, seed, DLS_SPARSE), *same = create(p, seed, DLS_DENSE);
  dls_error err = {0};
  dls_sim *sims[2];
  double most = 0, push = 0;
  for (int k = 0; k < 2; k++) {
    assert_ok(dls_sim_create(k == 0 ? own : same, dls_scheme_find(scheme, &err), &sims[k], &err), err);
    assert_ok(dls_sim_set(sims[k], setting, &err), err);
    assert_ok(dls_sim_start(sims[k], &err), err);
  }
  for (size_t k = 0; k < STEPS; k++) {
    assert_ok(dls_sim_advance(sims[0], 0.01, &err), err);
    assert_ok(dls_sim_advance(sims[1], 0.01, &err), err);
    most = fmax(most, largest(p->n, sims[1]->v));
    push = fmax(push, largest(p->m, sims[1]->p));
    check_same(p->n, sims[0]->q, sims[1]->q, 1e-12 * (largest(p->n, sims[1]->q) + most));
    check_same(p->n, sims[0]->v, sims[1]->v, 1e-10 * most);
    check_same(p->m, sims[0]->p, sims[1]->p, 1e-10 * push);
  }
  assert_true(push > 0);
  assert_int_equal(sims[0]->work.factorizations, 0);
  const size_t made = sims[1]->work.factorizations;
  dls_sim_destroy(sims[0]);
  dls_sim_destroy(sims[1]);
  dls_system_destroy(own);
  dls_system_destroy(same);
  return made;
}

DLS_TEST(schatzman_paoli_makes_the_same_runs_without_W)
{
  static const plan plans[] = {{MEMBRANE, 169, 150, 10, 0.01, 5, 0.5, false, 0},
                               {BODY, 180, 120, 100, 0, 20, 0.3, false, 1},
                               {STRING, 150, 150, 1e3, 0.001, 50, 0, false, 0}};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    assert_int_equal(compare_runs(&plans[k], 1 + k, "schatzman-paoli", "theta=0"), 1);
    assert_int_equal(compare_runs(&plans[k], 1 + k, "schatzman-paoli", "theta=1"), 1);
  }
}

/* Springs hold the contacts where 2 beta > gamma. */
DLS_TEST(the_newmark_family_makes_the_same_runs_without_W)
{
  static const struct {
    const char *scheme, *setting;
    bool undamped; /* it needs C = 0 */
  } cases[] = {{"nonsmooth-newmark", "beta=0.25", false},
               {"nonsmooth-newmark", "beta=0.3", true},
               {"nonsmooth-hht", "alpha=0", false},
               {"nonsmooth-hht", "alpha=1e-3", true},
               {"nonsmooth-hht", "alpha=0.1", true},
               {"nonsmooth-hht", "alpha=0.3", true},
               {"nonsmooth-generalized-alpha", "rho_inf=1", false},
               {"nonsmooth-generalized-alpha", "rho_inf=0.8", true},
               {"nonsmooth-generalized-alpha", "rho_inf=0", true},
               {"nonsmooth-kh-generalized-alpha", "rho_inf=0.5", true},
               {"fully-implicit-newmark", "forecast=1", false},
               {"newmark-implicit-contact", "beta=0.4", true}};
  static const plan plans[] = {{MEMBRANE, 121, 105, 10, 0, 5, 0.5, false, 0},
                               {BODY, 110, 102, 100, 0, 20, 0.3, false, 1},
                               {MEMBRANE, 121, 121, 1e4, 0.01, 1e3, 0.3, false, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
      if (plans[k].damping == 0 || !cases[i].undamped) {
        assert_int_equal(compare_runs(&plans[k], 1 + k, cases[i].scheme, cases[i].setting), 1);
      }
    }
  }
}

/* Two formulas: each change of the formula makes factors of another matrix. */
DLS_TEST(bdf2_makes_the_same_runs_without_W)
{
  static const plan plans[] = {{MEMBRANE, 121, 105, 10, 0, 5, 0.5, false, 0},
                               {BODY, 110, 102, 100, 0, 20, 0.3, false, 1}};
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(compare_runs(&plans[k], 1 + k, "nonsmooth-bdf2", "restart=off"), 2);
    assert_between((double)compare_runs(&plans[k], 1 + k, "nonsmooth-bdf2", "restart=on"), 1, STEPS);
  }
}

DLS_TEST(steps_at_position_level_without_W_are_those_with_it)
{
  static const plan plans[] = {{MEMBRANE, 169, 169, 1, 0, 5, 0, false, 0},
                               {MEMBRANE, 196, 150, 1e4, 0.01, 1e3, 0.3, false, 0},
                               {BODY, 180, 120, 10, 0, 20, 0.5, false, 0}};
  for (size_t k = 0; k < sizeof plans / sizeof *plans; k++) {
    assert_between(compare(&plans[k], 1 + k, "newmark-implicit-contact", 0.01, 1e-11), 0.05, 0.99);
    assert_between(compare(&plans[k], 4 + k, "laursen-love", 0.01, 1e-11), 0.01, 0.99);
  }
}

/* With springs and damping, and with masses that are coupled, W is not split. */
DLS_TEST(what_has_no_split_takes_the_general_path)
{
  static const plan damped = {MEMBRANE, 169, 150, 10, 0.01, 5, 0.5, false, 0};
  dls_system *sys = create(&damped, 1, DLS_SPARSE);
  dls_error err = {0};
  dls_sim *sim = start(sys, "nonsmooth-hht");
  assert_ok(dls_sim_advance(sim, 0.01, &err), err);
  assert_int_equal(sim->work.factorizations, 1);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

enum { SIDE = 100, COUNT = SIDE * SIDE };

/* A stiff membrane that arrives flat on a floor and is pressed on it in patches, pulled off it between them: of contacts that all close
 * the ones that stay closed are to be found. */
static dls_system *landing(void)
{
  dls_system *sys = stiff_membrane(SIDE, 1, press);
  press_in_patches(SIDE, 0.09, 0.07, pressure);
  return sys;
}

/* u = v >= 0, p >= 0, p u = 0, and M (v' - v) = h (F_theta - K (q + h theta v_theta)) + p, theta = 1/2, q = 0. */
static size_t check_landing(const dls_system *sys, const dls_sim *sim)
{
  const double h = 1e-2;
  static double mean[COUNT], force[COUNT];
  size_t closed = 0;
  const double fast = largest(COUNT, sim->v), push = largest(COUNT, sim->p);
  for (size_t i = 0; i < COUNT; i++) {
    mean[i] = h / 4 * (sim->v[i] + sys->v0[i]); /* h theta v_theta */
    force[i] = pressure[i] * (1 + 0.3 * sin(5 * h) / 2);
  }
  dls_matrix_multiply(sys->K, -1, mean, force);
  for (size_t i = 0; i < COUNT; i++) {
    assert_true(sim->p[i] >= 0);
    assert_close(sim->v[i] - sys->v0[i], h * force[i] + sim->p[i], 1e-12 * h * 16e8 * h / 4 * fast);
    assert_between(sim->v[i], -1e-13 * fast, sim->p[i] > 1e-12 * push ? 1e-13 * fast : fast);
    closed += sim->p[i] > 0;
  }
  return closed;
}

DLS_TEST(a_membrane_that_lands_all_over_finds_its_patches_in_few_rounds)
{
  dls_system *sys = landing();
  dls_sim *sim = start(sys, "moreau-jean");
  dls_error err = {0};
  assert_ok(dls_sim_advance(sim, 1e-2, &err), err);
  assert_between((double)check_landing(sys, sim), 0.2 * COUNT, 0.8 * COUNT);
  assert_between((double)sim->work.lcp_pivots, 3, 12); /* a neighbour a round takes 20 */
  assert_int_equal(sim->work.factorizations, 0);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Two unknowns without contact repel each other. */
static void repel(dls_system *sys)
{
  size_t free[2] = {0}, count = 0;
  for (size_t i = 0; i < sys->n && count < 2; i++) { /* rows without an entry of H */
    bool contact = false;
    for (size_t j = 0; j < sys->m; j++) {
      contact = contact || dls_matrix_get(sys->H, i, j) != 0;
    }
    free[count] = i;
    count += !contact;
  }
  assert_int_equal(count, 2);
  dls_matrix *K = sys->K;
  sys->K = dls_matrix_sparse(sys->n, sys->n, 16 * sys->n);
  for (size_t j = 0; j < sys->n; j++) {
    for (size_t i = 0; i < sys->n; i++) {
      const bool tied = i != j && (i == free[0] || i == free[1]) && (j == free[0] || j == free[1]);
      const double x = dls_matrix_get(K, i, j) - (tied ? 20 : 0);
      if (x != 0) {
        dls_matrix_set(sys->K, i, j, x);
      }
    }
  }
  dls_matrix_destroy(K);
}

/* With large steps A is not definite then, and only then its factors are asked for. */
DLS_TEST(a_run_comes_back_when_the_matrix_has_become_definite)
{
  const plan p = {STRING, 150, 140, 1, 0, 5, 0.5, false, 0};
  dls_system *own = create(&p, 2, DLS_SPARSE), *same = create(&p, 2, DLS_DENSE);
  repel(own);
  repel(same);
  dls_sim *primal_dual = start(own, "moreau-jean"), *general = start(same, "moreau-jean");
  size_t factored[3];
  dls_error err = {0};
  for (size_t k = 0; k < 3; k++) {
    assert_ok(dls_sim_move(primal_dual, primal_dual->t, primal_dual->q, primal_dual->v, &err),
              err); /* for another h */
    for (size_t s = 0; k != 1 && s < STEPS; s++) {
      step(primal_dual, general, 0.01, 1e-12);
    }
    if (k == 1) {
      assert_ok(dls_sim_advance(primal_dual, 2, &err), err);
      assert_ok(dls_sim_move(general, primal_dual->t, primal_dual->q, primal_dual->v, &err), err);
    }
    factored[k] = primal_dual->work.factorizations;
  }
  assert_int_equal(factored[0], 0);
  assert_int_equal(factored[1], 1);
  assert_int_equal(factored[2], 1); /* it came back */
  dls_sim_destroy(primal_dual);
  dls_sim_destroy(general);
  dls_system_destroy(own);
  dls_system_destroy(same);
}

/* A matrix that is not symmetric takes the general path. */
DLS_TEST(what_is_not_symmetric_takes_the_general_path)
{
  const plan p = {MEMBRANE, 169, 169, 1, 0.1, 5, 0, false, 0};
  dls_system *sys = create(&p, 1, DLS_SPARSE), *same = create(&p, 1, DLS_DENSE);
  for (size_t i = 0; i + 1 < p.n; i++) {
    if (dls_matrix_get(sys->C, i, i + 1) != 0) {
      dls_matrix_set(sys->C, i, i + 1, 0.02);
      dls_matrix_set(same->C, i, i + 1, 0.02);
    }
  }
  dls_sim *sparse = start(sys, "moreau-jean"), *general = start(same, "moreau-jean");
  for (size_t k = 0; k < STEPS; k++) {
    step(sparse, general, 0.01, 1e-12);
  }
  assert_int_equal(sparse->work.factorizations, 1);
  dls_sim_destroy(sparse);
  dls_sim_destroy(general);
  dls_system_destroy(sys);
  dls_system_destroy(same);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_without_W_are_those_with_it),
      cmocka_unit_test(hard_cases_are_those_of_the_general_path),
      cmocka_unit_test(schatzman_paoli_makes_the_same_runs_without_W),
      cmocka_unit_test(the_newmark_family_makes_the_same_runs_without_W),
      cmocka_unit_test(bdf2_makes_the_same_runs_without_W),
      cmocka_unit_test(steps_at_position_level_without_W_are_those_with_it),
      cmocka_unit_test(what_has_no_split_takes_the_general_path),
      cmocka_unit_test(a_membrane_that_lands_all_over_finds_its_patches_in_few_rounds),
      cmocka_unit_test(a_run_comes_back_when_the_matrix_has_become_definite),
      cmocka_unit_test(what_is_not_symmetric_takes_the_general_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
