/* test_compliant_contact.c -- forces that depend on the gaps they make: against the complementarity solver, with the
 * law put into the answer, with laws that jump.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "audit.h"
#include "time_stepping/penalty/compliant_contact.h"

enum { SYSTEMS = 200 };

/* The laws take their stiffness from here: the user's data of the test's systems. */
typedef struct bench {
  dls_system *sys;
  dls_sim *sim;
  dls_factor *M;
  dls_compliant c;
} bench;

static bench begin(unsigned long seed)
{
  dls_error err = {0};
  bench b = {.sys = random_system(seed, 0, 0)};
  dls_scheme_choice choice;
  assert_ok(dls_scheme_choose("moreau-jean", &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, b.sys, &b.sim, &err), err);
  const dls_matrix *terms[] = {b.sys->M};
  b.M = dls_factor_create(terms, 1);
  assert_non_null(b.M);
  assert_ok(dls_factor_sum(b.M, (const double[]){1}, &err), err);
  assert_ok(dls_compliant_create(b.sim, dls_delassus_create(b.M, b.sys->H), b.sys->H, &b.c, &err), err);
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed + 77);
  for (size_t j = 0; j < b.sys->m; j++) {
    b.c.y_free[j] = gsl_ran_gaussian(rng, 1);
  }
  gsl_rng_free(rng);
  return b;
}

static void end(bench *b)
{
  dls_compliant_destroy(&b->c);
  dls_factor_destroy(b->M);
  dls_sim_destroy(b->sim);
  dls_system_destroy(b->sys);
}

/* y_free + s W f - y: 0 if f and y belong together. */
static double mismatch(bench *b, double s, size_t j, double y)
{
  double sum = b->c.y_free[j] - y;
  for (size_t k = 0; k < b->sys->m; k++) {
    sum += s * dls_delassus_entry(b->c.W, j, k) * b->c.f[k];
  }
  return sum;
}

static double stiffness(size_t j)
{
  static const double all[] = {1, 1e3, 1e6, 1e9, 10, 1e4};
  return all[j % 6];
}

static double spring(dls_sim *sim, size_t j, double y, double *slope)
{
  (void)sim;
  *slope = y <= 0 ? stiffness(j) : 0;
  return y < 0 ? -stiffness(j) * y : 0;
}

/* f = k max(0, -y) is 0 <= f _|_ y + f/k >= 0: another solver, the same forces. */
DLS_TEST(springs_agree_with_the_complementarity_problem)
{
  const double s = 0.1;
  for (unsigned long seed = 0; seed < SYSTEMS; seed++) {
    bench b = begin(seed);
    dls_error err = {0};
    dls_lcp_solver *lcp = NULL;
    double W[RANDOM_M * RANDOM_M], f[RANDOM_M] = {0};
    const size_t m = b.sys->m;
    const dls_compliant_law law = {.force = spring};
    assert_ok(dls_compliant_solve(b.sim, &b.c, &law, s, 50, &err), err);
    for (size_t i = 0; i < m * m; i++) {
      W[i] = s * dls_delassus_entry(b.c.W, i % m, i / m) + (i % m == i / m ? 1 / stiffness(i % m) : 0);
    }
    assert_ok(dls_lcp_create(m, NULL, 1e-13, &lcp, &err), err);
    assert_ok(dls_lcp_solve(lcp, m, W, b.c.y_free, f, NULL, NULL, &err), err);
    for (size_t j = 0; j < m; j++) {
      assert_close(b.c.f[j], f[j], 1e-9 * (1 + f[j]));
      assert_close(mismatch(&b, s, j, b.c.y[j]), 0, 1e-10);
    }
    dls_lcp_destroy(lcp);
    end(&b);
  }
}

/* Convex, from a power law to a tail that never ends: f(y) and y fit to rounding. */
static double power(dls_sim *sim, size_t j, double y, double *slope)
{
  (void)sim, (void)j;
  *slope = y < 0 ? 1.5e4 * sqrt(-y) : 0;
  return y < 0 ? 1e4 * pow(-y, 1.5) : 0;
}

static double tail(dls_sim *sim, size_t j, double y, double *slope)
{
  const double f = y < 0 ? 1e3 * (1 - 2 * y) : 1e3 / (1 + 2 * y);
  (void)sim, (void)j;
  *slope = y < 0 ? 2e3 : 2e-3 * f * f;
  return f;
}

DLS_TEST(curved_laws_are_fulfilled)
{
  static const dls_compliant_law laws[] = {{.force = power}, {.force = tail}};
  for (unsigned long seed = 0; seed < SYSTEMS; seed++) {
    for (size_t i = 0; i < 2; i++) {
      bench b = begin(seed);
      dls_error err = {0};
      assert_ok(dls_compliant_solve(b.sim, &b.c, &laws[i], 0.01, 50, &err), err);
      for (size_t j = 0; j < b.sys->m; j++) {
        double slope = 0;
        const double y = b.c.y[j];
        assert_close(b.c.f[j], laws[i].force(b.sim, j, y, &slope), 1e-9 * (1 + b.c.f[j]));
        assert_close(mismatch(&b, 0.01, j, y), 0, 1e-9);
      }
      end(&b);
    }
  }
}

/* A jump to 3 at y = 0: open, held with a force between, or closed. All three happen. */
static double jumping(dls_sim *sim, size_t j, double y, double *slope)
{
  (void)sim, (void)j;
  *slope = y <= 0 ? 40 : 0;
  return y <= 0 ? 3 - 40 * y : 0;
}

static double three(const dls_sim *sim, size_t j)
{
  (void)sim, (void)j;
  return 3;
}

DLS_TEST(a_jump_is_filled)
{
  const dls_compliant_law law = {.force = jumping, .onset = three};
  size_t seen[3] = {0};
  for (unsigned long seed = 0; seed < SYSTEMS; seed++) {
    bench b = begin(seed);
    dls_error err = {0};
    assert_ok(dls_compliant_solve(b.sim, &b.c, &law, 0.1, 50, &err), err);
    for (size_t j = 0; j < b.sys->m; j++) {
      const double f = b.c.f[j], y = b.c.y[j];
      assert_close(mismatch(&b, 0.1, j, y), 0, 1e-11);
      if (f == 0) {
        assert_between(y, -1e-12, HUGE_VAL);
        seen[0]++;
      } else if (fabs(y) < 1e-11) {
        assert_between(f, 0, 3 + 1e-9);
        seen[1]++;
      } else {
        assert_close(f, 3 - 40 * y, 1e-9 * f);
        seen[2]++;
      }
    }
    end(&b);
  }
  for (size_t i = 0; i < 3; i++) {
    assert_between((double)seen[i], 20, 2000);
  }
}

/* The same force at every gap has no slope: nothing to iterate with, and no answer but the message. */
static double restless(dls_sim *sim, size_t j, double y, double *slope)
{
  (void)sim, (void)j;
  *slope = 1;
  return 1 + fabs(sin(1e6 * y));
}

DLS_TEST(what_does_not_converge_says_so)
{
  bench b = begin(3);
  dls_error err = {0};
  const dls_compliant_law law = {.force = restless};
  assert_int_equal(dls_compliant_solve(b.sim, &b.c, &law, 1, 7, &err), DLS_ERR_NOCONV);
  static const char *const told[] = {"newton_max = 7 iterations", "at contact ", "gap ", "the law requires ",
                                     "allowed is a relative difference of 1e-13"};
  for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
    assert_non_null(strstr(err.text, told[i]));
  }
  end(&b);
}

/* The energy identities of the schemes that use it, on systems with damping, load and several contacts. */
DLS_TEST(energy_identities_hold)
{
  static const char *const schemes[] = {
      "conserving-penalty:kappa=1e4",
      "conserving-penalty:kappa=1e3,mass=10,theta=0.7",
      "conserving-penalty:kappa=1e4,continuum=trapezoidal",
      "conserving-penalty:kappa=1e4,continuum=hht,theta=1",
      "conserving-penalty:kappa=10,continuum=hht,alpha=0.8,gamma=0.9,beta=0.6",
      "standard-penalty:kappa=1e4",
      "standard-penalty:kappa=1e4,continuum=trapezoidal",
      "standard-penalty:kappa=1e4,continuum=hht",
      "spring-damper:k=1e4",
      "spring-damper:k=1e4,continuum=trapezoidal,tension=on",
      "spring-damper:law=hunt-crossley,k=1e4,continuum=hht,alpha=0.7,gamma=0.8"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    double worst = 0, working = 0;
    for (unsigned long seed = 0; seed < AUDIT_SEEDS; seed++) {
      audit a;
      audit_begin(&a, random_system(seed, 1, 1), schemes[i], 0.005 * (double)(1 + seed % 10));
      for (int k = 0; k < AUDIT_STEPS; k++) {
        audit_step(&a);
        worst = fmax(worst, fabs(a.residual) / a.scale);
        working += a.numerical != 0;
        if (i == 1) {
          assert_true(a.numerical <= 0);
        }
      }
      audit_end(&a);
    }
    assert_between(worst, 0, 1e-12);
    assert_between(working, i == 0 || i == 2 ? 0 : 50, i == 0 || i == 2 ? 0 : AUDIT_SEEDS * AUDIT_STEPS);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(springs_agree_with_the_complementarity_problem),
      cmocka_unit_test(curved_laws_are_fulfilled),
      cmocka_unit_test(a_jump_is_filled),
      cmocka_unit_test(what_does_not_converge_says_so),
      cmocka_unit_test(energy_identities_hold),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
