/* test_balance.c -- the energy identities: exact up to rounding on random systems, not so with the formulas as
 * they are misprinted.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "audit.h"
#include "models.h"
#include "time_stepping/newmark/newmark_step.h"

/* The largest |residual| / energy over many systems. */
static double worst_residual(const char *scheme, double *impact_steps)
{
  double worst = 0;
  for (unsigned long seed = 0; seed < AUDIT_SEEDS; seed++) {
    audit a;
    audit_begin(&a, random_system(seed, 1, 1), scheme, 0.01 * (double)(1 + seed % 10));
    for (int k = 0; k < AUDIT_STEPS; k++) {
      audit_step(&a);
      worst = fmax(worst, fabs(a.residual) / a.scale);
      *impact_steps += a.works.impact != 0;
    }
    audit_end(&a);
  }
  return worst;
}

static const char *const admissible[] = {
    "moreau-jean",
    "moreau-jean:theta=0.6",
    "moreau-jean:theta=0.75,gamma=0.5,velocity_test=off",
    "moreau-jean:theta=1",
    "moreau-jean-variant",
    "moreau-jean-variant:theta=0.6,gamma=0.5,velocity_test=off",
    "moreau-jean-variant:theta=0.75",
    "moreau-jean-variant:theta=1",
    "nonsmooth-newmark",
    "nonsmooth-newmark:gamma=0.5,beta=0.5",
    "nonsmooth-newmark:gamma=0.6,beta=0.3025",
    "nonsmooth-newmark:gamma=0.9,beta=0.49",
    "nonsmooth-newmark:gamma=1,beta=0.5",
    "nonsmooth-newmark:gamma=1,beta=1,velocity_test=off",
    "nonsmooth-hht:alpha=0",
    "nonsmooth-hht",
    "nonsmooth-hht:alpha=0.2",
    "nonsmooth-hht:alpha=0.33333333333333331",
    "nonsmooth-generalized-alpha:rho_inf=0",
    "nonsmooth-generalized-alpha:rho_inf=0.5",
    "nonsmooth-generalized-alpha:rho_inf=0.8",
    "nonsmooth-generalized-alpha:rho_inf=0.99999",
    "nonsmooth-generalized-alpha:rho_inf=1",
    "nonsmooth-generalized-alpha:parameters=free,alpha_m=0.1,alpha_f=0.3,beta=0.6,gamma=0.9",
    "nonsmooth-kh-generalized-alpha:rho_inf=0",
    "nonsmooth-kh-generalized-alpha:rho_inf=0.5",
    "nonsmooth-kh-generalized-alpha:rho_inf=0.8",
    "nonsmooth-kh-generalized-alpha:rho_inf=1",
    "nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0.2,beta=0.6,gamma=0.8",
    "nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=-0.3,alpha_f=0,beta=0.6,gamma=1.1",
    "schatzman-paoli",
    "schatzman-paoli:theta=0.5",
    "schatzman-paoli:theta=1",
    "schatzman-paoli:startup=euler",
    /* the iteration ends within tol of the identity */
    "three-level-alpha:tol=1e-14,rho_inf=0",
    "three-level-alpha:tol=1e-14,rho_inf=0.5",
    "three-level-alpha:tol=1e-14",
    "three-level-alpha:tol=1e-14,rho_inf=1",
};

DLS_TEST(identities_hold_for_all_admissible_parameters)
{
  for (size_t i = 0; i < sizeof admissible / sizeof admissible[0]; i++) {
    double impact_steps = 0;
    const double worst = worst_residual(admissible[i], &impact_steps);
    assert_between(worst, 0, 1e-13); /* measured: at most 7e-15 */
    assert_between(impact_steps, 100, AUDIT_SEEDS * AUDIT_STEPS);
  }
}

/* They are algebraic: no sign, no stability is used. nu = 0 with eta != 0 is among them. */
DLS_TEST(identities_hold_outside_the_ranges_too)
{
  static const char *const schemes[] = {
      "nonsmooth-newmark:gamma=0.4,beta=0.3,stability=ignore",
      "nonsmooth-newmark:gamma=0.5,beta=0,stability=ignore",
      "nonsmooth-newmark:gamma=0.5,beta=0.16666666666666666,stability=ignore",
      "nonsmooth-generalized-alpha:parameters=free,alpha_m=0.5,alpha_f=0.3,beta=0.4,gamma=0.6,stability=ignore",
      "nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0.5,alpha_f=0.6,beta=0.4,gamma=0.6,"
      "stability=ignore",
      "nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0.4,beta=0.4,gamma=0.6,stability="
      "ignore",
  };
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    double impact_steps = 0;
    const double worst = worst_residual(schemes[i], &impact_steps);
    assert_between(worst, 0, 1e-13);
  }
}

/* M a + C v + K q = F + eta (K z + C x - y) at every t_k, with filters of the test's own. */
DLS_TEST(filters_turn_the_average_into_an_equation_at_each_time)
{
  static const char *const schemes[] = {"nonsmooth-hht:alpha=0.2", "nonsmooth-generalized-alpha:rho_inf=0",
                                        "nonsmooth-generalized-alpha:rho_inf=0.5",
                                        "nonsmooth-kh-generalized-alpha:rho_inf=0.5"};
  for (size_t k = 0; k < 4 * 10; k++) {
    audit a;
    double z[RANDOM_N] = {0}, x[RANDOM_N] = {0}, y[RANDOM_N] = {0}, last[RANDOM_N], F[RANDOM_N];
    audit_begin(&a, random_system(k, 1, 1), schemes[k % 4], 0.05);
    const dls_newmark_memory *s = a.sim->memory;
    const double eta = s->c.alpha_f - s->c.alpha_m;
    const double lag = s->c.krenk_hogsberg ? 0 : 1;
    dls_system_load(a.sys, 0, F);
    for (int i = 0; i < AUDIT_STEPS; i++) {
      double rest[RANDOM_N] = {0};
      memcpy(last, F, sizeof F);
      audit_step(&a);
      dls_system_load(a.sys, a.sim->t, F);
      for (size_t j = 0; j < a.sys->n; j++) {
        const double m = s->c.alpha_m;
        z[j] = (a.sim->q[j] - a.q[j] - m * z[j]) / (1 - m);
        x[j] = lag * (a.sim->v[j] - a.v[j] - m * x[j]) / (1 - m);
        y[j] = lag * (F[j] - last[j] - m * y[j]) / (1 - m);
        rest[j] = -F[j] + eta * y[j];
      }
      dls_matrix_multiply(a.sys->M, 1, s->a, rest);
      dls_matrix_multiply(a.sys->C, 1, a.sim->v, rest);
      dls_matrix_multiply(a.sys->K, 1, a.sim->q, rest);
      dls_matrix_multiply(a.sys->K, -eta, z, rest);
      dls_matrix_multiply(a.sys->C, -eta, x, rest);
      assert_between(sqrt(dls_balance_dot(a.sys->n, rest, rest)), 0, 1e-10); /* N, of forces about 50 */
    }
    audit_end(&a);
  }
}

/* Without damping, in terms of E alone: Acary, lecture, eq. (92), correct as printed. */
DLS_TEST(newmark_in_terms_of_the_mechanical_energy)
{
  for (unsigned long seed = 0; seed < 20; seed++) {
    audit a;
    double work[RANDOM_N], a0[RANDOM_N], dq[RANDOM_N], dv[RANDOM_N], F0[RANDOM_N], F1[RANDOM_N], dF[RANDOM_N];
    audit_begin(&a, random_system(seed, 0, 1), "nonsmooth-newmark:gamma=0.7,beta=0.6", 0.05);
    const dls_newmark_memory *s = a.sim->memory;
    const size_t n = a.sys->n;
    for (int k = 0; k < AUDIT_STEPS; k++) {
      const double t = a.sim->t;
      memcpy(a0, s->a, n * sizeof *a0);
      const double energy = dls_balance_mechanical(a.sim, work);
      audit_step(&a);
      double external = 0, jump = 0;
      dls_system_load(a.sys, t, F0);
      dls_system_load(a.sys, a.sim->t, F1);
      for (size_t i = 0; i < n; i++) {
        dq[i] = a.sim->q[i] - a.q[i];
        dv[i] = a.sim->v[i] - a.v[i];
        dF[i] = F1[i] - F0[i];
        external += dq[i] * (0.3 * F0[i] + 0.7 * F1[i]);
        for (size_t j = 0; j < a.sys->m; j++) {
          jump += (s->a[i] - a0[i]) * dls_matrix_get(a.sys->H, i, j) * a.sim->p[j];
        }
      }
      const double factor = a.h / 2 * (2 * 0.6 - 0.7);
      const double expected =
          external + (0.5 - 0.7) * dls_balance_product(a.sys->K, n, dq, dq, work) + a.works.impact +
          factor * (dls_balance_product(a.sys->K, n, dq, dv, work) - dls_balance_dot(n, dv, dF) + jump);
      assert_close(dls_balance_mechanical(a.sim, work) - energy, expected, 1e-13 * a.scale);
    }
    audit_end(&a);
  }
}

/* --- misprints: what the residual would be, relative to the energy --- */

typedef double (*misprint)(const audit *a, const double *F0, const double *F1);

static const dls_newmark *newmark_of(const audit *a)
{
  const dls_newmark_memory *s = a->sim->memory;
  return &s->c;
}

/* Acary 2014, (88), (101); lecture, (95): h/2 in front of (2 beta - gamma) |da|^2 where it is h^2/2. */
static double inertia_with_h(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  return a->residual + a->works.term[0] * (1 - 1 / a->h);
}

/* Lecture, (88) with the external work of (83): h v_theta^T F_theta. */
static double work_of_the_original_scheme(const audit *a, const double *F0, const double *F1)
{
  double external = 0;
  const double theta = a->sim->opt[0];
  for (size_t i = 0; i < a->sys->n; i++) {
    external += a->h * ((1 - theta) * a->v[i] + theta * a->sim->v[i]) * ((1 - theta) * F0[i] + theta * F1[i]);
  }
  return a->residual + a->works.external - external;
}

/* Acary 2014, (85): gamma F' - (1 - gamma) F for the load of the step. */
static double load_with_minus(const audit *a, const double *F0, const double *F1)
{
  double wrong = 0;
  (void)F1;
  const dls_newmark *c = newmark_of(a);
  for (size_t i = 0; i < a->sys->n; i++) {
    wrong -= 2 * (1 - c->alpha_f) * (1 - c->gamma) * F0[i] * (a->sim->q[i] - a->q[i]);
  }
  return a->residual - wrong;
}

/* Lecture, (104): the load of two steps averaged, and the lag of the load besides. */
static double lag_counted_twice(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  return a->residual - a->works.term[3] - a->works.term[4];
}

/* Acary 2014, (64): nu / eta for eta / nu. */
static double ratio_upside_down(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  const dls_newmark *c = newmark_of(a);
  const double ratio = (0.5 - c->alpha_m) / (c->alpha_f - c->alpha_m);
  return a->residual + (1 - ratio * ratio) * (a->works.term[2] + a->works.term[3] + a->works.term[4]);
}

/* Acary 2014, section 6.4: Newmark with nu = 0, eta = 1/2 where they are 1/2 and 0. */
static double newmark_parameters_exchanged(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  const double gamma = newmark_of(a)->gamma;
  return a->residual + a->works.term[1] * (1 - (1 - gamma) / (0.5 - gamma));
}

/* A factor 1/2 too much in the work of the impulses. */
static double half_of_the_impact(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  return a->residual + a->works.impact / 2;
}

/* The impulse's work with U_1/2 alone in the original scheme: U_theta is right. */
static double impulse_left_out(const audit *a, const double *F0, const double *F1)
{
  (void)F0;
  (void)F1;
  return a->residual + a->works.term[2];
}

DLS_TEST(misprinted_formulas_leave_a_residual)
{
  static const struct {
    const char *scheme;
    misprint wrong;
  } all[] = {
      {"nonsmooth-newmark:gamma=0.6,beta=0.4", inertia_with_h},
      {"nonsmooth-newmark:gamma=0.6,beta=0.4", newmark_parameters_exchanged},
      {"nonsmooth-newmark:gamma=0.6,beta=0.4", half_of_the_impact},
      {"moreau-jean-variant:theta=0.75", work_of_the_original_scheme},
      {"moreau-jean:theta=0.75", impulse_left_out},
      {"nonsmooth-hht:alpha=0.2", load_with_minus},
      {"nonsmooth-hht:alpha=0.2", lag_counted_twice},
      {"nonsmooth-generalized-alpha:rho_inf=0.5", ratio_upside_down},
  };
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    double least = HUGE_VAL;
    int impacted = 0;
    for (unsigned long seed = 0; seed < 40; seed++) {
      audit a;
      double F0[RANDOM_N], F1[RANDOM_N], largest = 0, impact = 0;
      audit_begin(&a, random_system(seed, 1, 1), all[k].scheme, 0.05);
      for (int i = 0; i < AUDIT_STEPS; i++) {
        dls_system_load(a.sys, a.sim->t, F0);
        audit_step(&a);
        dls_system_load(a.sys, a.sim->t, F1);
        largest = fmax(largest, fabs(all[k].wrong(&a, F0, F1)) / a.scale);
        impact = fmin(impact, a.works.impact / a.scale);
        assert_between(fabs(a.residual) / a.scale, 0, 1e-13);
      }
      if (impact < -1e-3) { /* a proper impact */
        least = fmin(least, largest);
        impacted++;
      }
      audit_end(&a);
    }
    assert_between(least, 1e-4, 1e3);
    assert_true(impacted >= 10);
  }
}

/* The books begin with the first half step: a load f works h/2 v_0 f there, and h v_1 f in the step around t_1, v_1 = v_0 + h f/m.
 * That of a steady load is in the potential. */
DLS_TEST(loads_work_from_the_start)
{
  const double h = 0.1, f = -2, v0 = 3;
  audit a;
  audit_begin(&a, dls_test_system("bouncing-ball:f=-2,q0=10,v0=3"), "schatzman-paoli", h);
  assert_close(a.after, 4.5 + 20, 1e-14);
  for (size_t i = 0; i < 2; i++) {
    audit_step(&a);
    assert_close(a.works.external, 0, 0);
    assert_close(a.residual, 0, 1e-13);
  }
  audit_end(&a);
  dls_system *sys = dls_test_system("bouncing-ball:f=-2,q0=10,v0=3");
  sys->steady_load = false; /* as if it might vary */
  audit_begin(&a, sys, "schatzman-paoli", h);
  audit_step(&a);
  assert_close(a.works.external, f * (0.5 * h * v0 + h * (v0 + h * f)), 1e-14);
  assert_close(a.residual, 0, 1e-13);
  audit_step(&a);
  assert_close(a.works.external, f * h * (v0 + 2 * h * f), 1e-14);
  audit_end(&a);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identities_hold_for_all_admissible_parameters),
      cmocka_unit_test(identities_hold_outside_the_ranges_too),
      cmocka_unit_test(filters_turn_the_average_into_an_equation_at_each_time),
      cmocka_unit_test(newmark_in_terms_of_the_mechanical_energy),
      cmocka_unit_test(misprinted_formulas_leave_a_residual),
      cmocka_unit_test(loads_work_from_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
