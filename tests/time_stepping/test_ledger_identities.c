/* test_ledger_identities.c -- energy identities on nonlinear systems, step by step to rounding: penalty contact with every continuum, energy
 * preserving and decaying schemes, on pendulums, chains, beams, solids and mechanisms; with loads and dampers.
 * Sources: Armero, Petocz 1996, (3.14), (3.26), (3.37); Lens, Cardona 2007, (22), (34), (41), (52), (69).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ledgers.h"
#include "models.h"
#include <math.h>
#include <string.h>

/* No step leaves more than `most` of the energy scale. @return what the scheme itself makes or loses, of the scale */
static double follow(const char *model, const char *scheme, double step, double end, double most)
{
  dls_energy_ledger *l = dls_test_ledger(model, scheme, step, end);
  if (l->balance == NULL) { /* friction along tangents that turn, by hht: no identity */
    assert_non_null(strstr(scheme, "hht"));
    most = INFINITY;
  }
  assert_false(l->linear);
  for (size_t row = 1; row < l->rows->rows; row++) {
    assert_close(dls_test_entry(l, row, "residual"), 0, most * l->scale);
  }
  assert_close(l->external, 0, 1e-11 * l->scale); /* there is no load; the potential is in E */
  const double own = dls_energy_numerical(l) / l->scale;
  dls_energy_destroy(l);
  return own;
}

static const char *const penalties[] = {"conserving-penalty:kappa=1e4",
                                        "conserving-penalty:kappa=1e4,theta=0.8,mass=10",
                                        "conserving-penalty:kappa=1e4,augmentations=2",
                                        "conserving-penalty:kappa=1e4,power=1.5",
                                        "conserving-penalty:kappa=1e4,continuum=trapezoidal",
                                        "conserving-penalty:kappa=1e4,continuum=hht,theta=1",
                                        "standard-penalty:kappa=1e4",
                                        "standard-penalty:kappa=1e4,continuum=trapezoidal",
                                        "standard-penalty:kappa=1e4,continuum=hht",
                                        "standard-penalty:kappa=1e4,continuum=hht,alpha=0.9,beta=0.4,gamma=0.7",
                                        "spring-damper:k=1e4,damping=given,c=5"};

/* Curved gaps: hurdle and rope; straight ones before a force that is not linear; nodes on segments. */
DLS_TEST(penalty_contact_keeps_its_books_on_nonlinear_systems)
{
  static const struct {
    const char *model;
    double step, end;
  } runs[] = {
      {"bouncing-pendulum", 0.01, 2}, {"rope", 0.01, 1.5}, {"flying-beam", 0.01, 2}, {"rough-bowl", 4e-3, 1}};
  double most = 0;
  for (size_t i = 0; i < sizeof penalties / sizeof penalties[0]; i++) {
    for (size_t k = 0; k < sizeof runs / sizeof runs[0]; k++) {
      most = fmax(most, fabs(follow(runs[k].model, penalties[i], runs[k].step, runs[k].end, 1e-12)));
    }
  }
  assert_between(most, 1e-2, 10); /* some make or lose a lot: that is booked */
  assert_between(fabs(follow("two-cylinders:box=off,vy=0", penalties[0], 0.02, 1.5, 1e-12)), 1e-6, 1e-3);
}

/* The rope's weight does linear work: nothing is left to the midpoint rule, and E + sum U stays. */
DLS_TEST(conserving_penalty_conserves_where_forces_are_linear)
{
  assert_close(follow("rope", "conserving-penalty:kappa=1e4", 0.01, 1.5, 1e-13), 0, 1e-13);
  assert_between(fabs(follow("bouncing-pendulum", "conserving-penalty:kappa=1e4", 0.01, 2, 1e-13)), 1e-7, 1e-3);
}

DLS_TEST(preserving_and_decaying_schemes_keep_their_books)
{
  static const char *const models[] = {"lens-cardona-a", "lens-cardona-b", "lens-cardona-c", "double-pendulum",
                                       "four-bar"};
  static const char *const schemes[] = {"tdg-alpha:alpha=0",     "tdg-alpha:alpha=0.5",
                                        "tdg-alpha:alpha=1",     "alpha-kappa:alpha=0,kappa=free",
                                        "alpha-kappa:alpha=0.5", "alpha-kappa:alpha=1,kappa=one",
                                        "energy-preserving"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
      const double own = follow(models[k], schemes[i], 0.01, 0.6, 1e-12);
      const bool keeps = strstr(schemes[i], "alpha=0") != NULL && strstr(schemes[i], "0.5") == NULL;
      if (keeps || strcmp(schemes[i], "energy-preserving") == 0) {
        assert_close(own, 0, 1e-11);
      } else {
        assert_between(fabs(own), 1e-9, 2); /* gains too, where V is not convex along the jump */
      }
    }
  }
}

/* --- a load and a damper besides --- */

static void (*force_of_model)(const dls_system *sys, double t, const double *q, const double *v, double *F);
static void damped(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  force_of_model(sys, t, q, v, F);
  F[0] += -0.7 * cos(3 * t) - 0.2 * v[0];
}

static dls_energy_ledger *books_with_load(const char *scheme, double step, double end)
{
  dls_system *sys = dls_test_system("bouncing-pendulum");
  force_of_model = sys->force;
  sys->force = damped;
  dls_energy_ledger *l = dls_test_ledger_of(sys, scheme, step, end);
  dls_system_destroy(sys);
  return l;
}

/* What they do is external, by all integrals along a path the same; through an impact, too, nothing is left. */
DLS_TEST(loads_and_dampers_are_external)
{
  static const char *const schemes[] = {"conserving-penalty:kappa=1e4",
                                        "standard-penalty:kappa=1e4,continuum=hht"};
  dls_energy_ledger *exact = books_with_load("event-driven", 0, 0.3);
  assert_between(fabs(exact->external), 0.01, 1);
  for (size_t i = 0; i < 2; i++) {
    dls_energy_ledger *flight = books_with_load(schemes[i], 2e-3, 0.3),
                      *all = books_with_load(schemes[i], 2e-3, 3);
    assert_close(flight->external, exact->external, i == 0 ? 1e-5 : 1e-3);
    assert_true(dls_test_residual(all) < 1e-13);
    assert_between(fabs(all->normal), i == 0 ? 0 : 1e-6, i == 0 ? 1e-10 : 10);
    dls_energy_destroy(flight);
    dls_energy_destroy(all);
  }
  dls_energy_destroy(exact);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(penalty_contact_keeps_its_books_on_nonlinear_systems),
      cmocka_unit_test(conserving_penalty_conserves_where_forces_are_linear),
      cmocka_unit_test(preserving_and_decaying_schemes_keep_their_books),
      cmocka_unit_test(loads_and_dampers_are_external),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
