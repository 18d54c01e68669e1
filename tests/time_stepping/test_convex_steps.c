/* test_convex_steps.c -- stewart-trinkle, anitescu-potra, convex-step, chrono-nsc: closed maps of one contact, rest and slip, restitution over
 * the phase of the grid, hops, joints, moving gaps, orders.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "exact_error.h"
#include "models.h"
#include "runs.h"
#include "time_stepping/convex/linearised_step.h"
#include <delassus/catalogue.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

enum { STATES = 200 };

/* A point of mass m over a rough floor, q = (slips.., height): one step from it. */
typedef struct point {
  size_t d;
  double m, mu, e, h, g, v[3], f[3]; /* v, f: normal first, then tangents */
} point;

static double forces[3];
static void constant_load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, forces, sys->n * sizeof *F);
}

static dls_system *point_system(const point *p)
{
  dls_system *sys = dls_system_create(p->d, 1);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = p->d;
  sys->M = dls_matrix_diagonal(p->d);
  sys->H = dls_matrix_dense(p->d, 1);
  sys->T = p->d > 1 ? dls_matrix_dense(p->d, p->d - 1) : NULL;
  for (size_t i = 0; i < p->d; i++) {
    dls_matrix_set(sys->M, i, i, p->m);
    forces[i] = p->f[i];
    sys->v0[i] = p->v[i];
    if (i > 0) {
      dls_matrix_set(sys->T, i, i - 1, 1);
    }
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->q0[0] = p->g;
  sys->load = constant_load;
  sys->steady_load = true;
  sys->mu[0] = p->mu;
  sys->e[0] = p->e;
  return sys;
}

static point random_point(gsl_rng *rng, size_t d)
{
  point p = {.d = d,
             .m = 0.5 + gsl_rng_uniform(rng),
             .mu = d > 1 ? gsl_rng_uniform(rng) : 0,
             .e = gsl_rng_uniform(rng),
             .h = 0.01 + 0.1 * gsl_rng_uniform(rng),
             .g = gsl_ran_gaussian(rng, 0.05)};
  for (size_t i = 0; i < d; i++) {
    p.v[i] = gsl_ran_gaussian(rng, 1);
    p.f[i] = gsl_ran_gaussian(rng, 3);
  }
  return p;
}

/* U' from the free velocity u: 0 <= U_N' + b _|_ P_N >= 0 with Coulomb's friction, or K* > U' + b n _|_ P in K. */
static void law(const point *p, double b, bool associated, double *u)
{
  double slip = 0;
  for (size_t i = 1; i < p->d; i++) {
    slip = hypot(slip, u[i]);
  }
  const double n = u[0] + b, mu = p->mu;
  double after = 0;
  if (associated ? n >= mu * slip : n >= 0) {
    return;
  }
  u[0] = -b;
  if (associated && slip > -mu * n) {
    after = (slip + mu * n) / (1 + mu * mu);
    u[0] = mu * after - b;
  } else if (!associated) {
    after = fmax(slip + mu * n, 0);
  }
  for (size_t i = 1; i < p->d; i++) {
    u[i] *= slip > 0 ? after / slip : 0;
  }
}

static void assert_step(const point *p, const char *scheme, const double *u, unsigned long state)
{
  dls_error err = {0};
  test_run run = dls_test_prepare_of(point_system(p), scheme);
  assert_ok(dls_sim_start(run.sim, &err), err);
  assert_ok(dls_sim_advance(run.sim, p->h, &err), err);
  for (size_t i = 0; i < p->d; i++) {
    if (!(fabs(run.sim->v[i] - u[i]) <= 1e-12 * (1 + fabs(u[i])))) {
      fail_msg("%s, d = %zu, state %lu: v%zu = %.17g, not %.17g", scheme, p->d, state, i, run.sim->v[i], u[i]);
    }
    assert_close(run.sim->q[i], (i == 0 ? p->g : 0) + p->h * u[i], 1e-13);
  }
  dls_test_free(&run);
}

static void free_velocity(const point *p, double *u)
{
  for (size_t i = 0; i < p->d; i++) {
    u[i] = p->v[i] + p->h * p->f[i] / p->m;
  }
}

/* Maps over random states without friction, in the plane and in space. */
static void assert_maps(const char *scheme, void (*map)(const point *p, double *u))
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (unsigned long k = 0; k < STATES; k++) {
    for (size_t d = 1; d <= 3; d++) {
      const point p = random_point(rng, d);
      double u[3];
      free_velocity(&p, u);
      map(&p, u);
      assert_step(&p, scheme, u, k);
    }
  }
  gsl_rng_free(rng);
}

static void stewart_trinkle(const point *p, double *u)
{
  law(p, p->g / p->h, false, u);
}
static void anitescu_hart(const point *p, double *u)
{
  law(p, (p->g > 0 ? p->g : 0.3 * p->g) / p->h, false, u);
}
static void found_late(const point *p, double *u)
{
  if (p->g <= 0) {
    law(p, p->g / p->h, false, u);
  }
}
static void within_envelope(const point *p, double *u)
{
  if (p->g <= 0.02) {
    law(p, p->g / p->h, true, u);
  }
}
static void convex(const point *p, double *u)
{
  law(p, p->g / p->h, true, u);
}
static void anitescu_potra(const point *p, double *u)
{
  const double normal = u[0];
  if (p->g <= 0 && normal < 0) {
    law(p, 0, false, u);
    u[0] = -p->e * normal;
  }
}
static double chrono_bias(const point *p, double factor)
{
  const bool bounces = p->e * p->v[0] < -0.15 && p->g + p->h * factor * p->v[0] < 0;
  return bounces ? p->e * p->v[0] : fmax(p->g / p->h, -0.6);
}
static void chrono(const point *p, double *u)
{
  law(p, chrono_bias(p, p->e), true, u);
}
static void chrono_approach(const point *p, double *u)
{
  law(p, chrono_bias(p, 1), false, u);
}

DLS_TEST(one_contact_follows_the_closed_maps)
{
  assert_maps("stewart-trinkle:restitution=own", stewart_trinkle);
  assert_maps("stewart-trinkle:restitution=own,gamma=0.3", anitescu_hart);
  assert_maps("stewart-trinkle:restitution=own,contacts=closed", found_late);
  assert_maps("convex-step:restitution=own", convex);
  assert_maps("convex-step:restitution=own,contacts=near,envelope=0.02", within_envelope);
  assert_maps("convex-step:restitution=own,solver=apgd,iterations=1000", convex);
  assert_maps("anitescu-potra", anitescu_potra);
  assert_maps("chrono-nsc", chrono);
  assert_maps("chrono-nsc:bounce_test=approach,friction=coulomb", chrono_approach);
}

/* A ball that falls at speed 1 without force meets the floor at any phase of the grid. @return its speed after the impacts */
static double rebound(const char *scheme, double e, double phase)
{
  dls_error err = {0};
  const point p = {.d = 1, .m = 1, .e = e, .h = 1e-3, .g = (3 + phase) * 1e-3, .v = {-1}};
  test_run run = dls_test_prepare_of(point_system(&p), scheme);
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (size_t k = 0; k < 8; k++) {
    assert_ok(dls_sim_advance(run.sim, p.h, &err), err);
  }
  const double speed = run.sim->v[0];
  dls_test_free(&run);
  return speed;
}

/* Chrono's test: e for sigma < e, else e sigma; mean e (e + (1 - e^2)/2). */
DLS_TEST(chrono_restitutes_between_e_squared_and_e)
{
  enum { PHASES = 200 };
  const double e = 0.5;
  double sum = 0, least = 1, most = 0;
  for (size_t k = 0; k < PHASES; k++) {
    const double sigma = ((double)k + 0.5) / PHASES, u = rebound("chrono-nsc:min_bounce_speed=0", e, sigma);
    assert_close(u, sigma < e ? e : e * sigma, 1e-12);
    assert_close(rebound("chrono-nsc:bounce_test=approach", e, sigma), e, 1e-12);
    assert_close(rebound("anitescu-potra", e, sigma), e, 1e-12);
    assert_close(rebound("chrono-nsc:min_bounce_speed=0.51", e, sigma), 0, 1e-12);
    sum += u / PHASES;
    least = fmin(least, u);
    most = fmax(most, u);
  }
  assert_close(sum, e * (e + (1 - e * e) / 2), 1e-3); /* 0.4375 */
  assert_between(least, 0.25, 0.252);
  assert_close(most, 0.5, 1e-12);
}

/* Chrono's recovery speed limits how fast a penetration is undone; stewart-trinkle undoes it in one step. */
DLS_TEST(penetrations_are_undone)
{
  dls_error err = {0};
  const point p = {.d = 1, .m = 1, .h = 1e-2, .g = -0.1};
  const char *const schemes[] = {"chrono-nsc", "chrono-nsc:max_penetration_recovery_speed=2", "stewart-trinkle",
                                 "stewart-trinkle:gamma=0.25", "anitescu-potra"};
  const double after[] = {-0.1 + 0.006, -0.08, 0, -0.075, -0.1};
  for (size_t k = 0; k < 5; k++) {
    test_run run = dls_test_prepare_of(point_system(&p), schemes[k]);
    assert_ok(dls_sim_start(run.sim, &err), err);
    assert_ok(dls_sim_advance(run.sim, p.h, &err), err);
    assert_close(run.sim->q[0], after[k], 1e-15);
    dls_test_free(&run);
  }
}

/* The largest gap of a block that slides from u_T = 2 at the gap g. */
static double largest_lift(const char *scheme, double h, double g)
{
  dls_error err = {0};
  const point p = {.d = 2, .m = 1, .mu = 0.3, .h = h, .g = g, .v = {0, 2}, .f = {-9.81}};
  test_run run = dls_test_prepare_of(point_system(&p), scheme);
  double most = 0;
  assert_ok(dls_sim_start(run.sim, &err), err);
  while (run.sim->t < 0.3) {
    assert_ok(dls_sim_advance(run.sim, h, &err), err);
    most = fmax(most, run.sim->q[0]);
  }
  dls_test_free(&run);
  return most;
}

/* From g = 0 a sliding block jumps off with u_N = mu u_T, u_T = 2/(1 + mu^2), for every h. On its slip gap it rides at h mu u_T. */
DLS_TEST(convex_steps_hop_from_zero_gap_and_ride_at_their_slip_gap)
{
  const double mu = 0.3, u_n = mu * 2 / (1 + mu * mu), hop = u_n * u_n / (2 * 9.81);
  static const double steps[] = {1e-2, 1e-3};
  for (size_t k = 0; k < 2; k++) {
    const double h = steps[k];
    assert_between(largest_lift("convex-step", h, 0), hop * (1 - 10 * h), hop * (1 + 30 * h)); /* 15.4 mm */
    assert_between(largest_lift("convex-step", h, h * mu * 2), 0.9 * h * mu * 2, h * mu * 2 * (1 + 1e-9));
    assert_close(largest_lift("stewart-trinkle", h, 0), 0, 1e-12);
    assert_between(largest_lift("chrono-nsc", h, 0), hop * (1 - 10 * h), hop * (1 + 30 * h));
    assert_close(largest_lift("chrono-nsc:friction=coulomb", h, 0), 0, 1e-12);
  }
}

/* Frictional impact u- = (2, -1), mu = 0.3 without force: (1.7, 0) for all phases where the contact is known ahead. */
DLS_TEST(landings_seen_ahead_have_coulombs_impulse)
{
  static const char *const schemes[] = {"stewart-trinkle", "convex-step", "chrono-nsc"};
  for (size_t s = 0; s < 3; s++) {
    for (size_t k = 0; k < 20; k++) {
      dls_error err = {0};
      const point p = {.d = 2, .m = 1, .mu = 0.3, .h = 1e-2, .g = (4 + 0.05 * (double)k) * 1e-2, .v = {-1, 2}};
      test_run run = dls_test_prepare_of(point_system(&p), schemes[s]);
      assert_ok(dls_sim_start(run.sim, &err), err);
      for (size_t i = 0; i < 24; i++) {
        assert_ok(dls_sim_advance(run.sim, p.h, &err), err);
      }
      assert_close(run.sim->v[0], 0, 1e-10);
      assert_close(run.sim->v[1], 1.7, 1e-10);
      dls_test_free(&run);
    }
  }
}

/* Poisson's law does not come to rest with e > 0: velocities of e h |a|; a threshold ends that. */
DLS_TEST(anitescu_potra_bounces_at_rest)
{
  for (int limited = 0; limited < 2; limited++) {
    dls_error err = {0};
    const point p = {.d = 1, .m = 1, .e = 0.5, .h = 1e-2, .f = {-2}};
    test_run run = dls_test_prepare_of(point_system(&p),
                                       limited ? "anitescu-potra:min_bounce_speed=0.05" : "anitescu-potra");
    double most = 0;
    assert_ok(dls_sim_start(run.sim, &err), err);
    for (size_t k = 0; k < 100; k++) {
      assert_ok(dls_sim_advance(run.sim, p.h, &err), err);
      most = k > 10 ? fmax(most, fabs(run.sim->v[0])) : 0;
    }
    assert_between(most, limited ? 0 : 0.5 * 2e-2, limited ? 1e-15 : 4e-2);
    dls_test_free(&run);
  }
}

/* Joints are rows of the step with the linearisation of the gaps: their error does not accumulate, it is of order h^2. */
/* Largest difference of the velocities of two schemes after some steps of a small wall whose blocks slide. */
static double apart(const char *scheme, size_t *truncated)
{
  test_run exact = dls_test_run("block-wall:rows=2,columns=2,v0=1", "convex-step", 5e-3, 0.02);
  test_run other = dls_test_run("block-wall:rows=2,columns=2,v0=1", scheme, 5e-3, 0.02);
  double most = 0;
  for (size_t i = 0; i < exact.sys->n; i++) {
    most = fmax(most, fabs(exact.sim->v[i] - other.sim->v[i]));
  }
  *truncated = other.sim->work.truncated;
  dls_test_free(&exact);
  dls_test_free(&other);
  return most;
}

/* Accelerated projected gradients reach the solution, or are counted as truncated and do not. */
DLS_TEST(apgd_converges_or_is_truncated)
{
  size_t truncated = 0;
  assert_between(apart("convex-step:solver=apgd,iterations=20000", &truncated), 0, 1e-6);
  assert_int_equal(truncated, 0);
  assert_between(apart("convex-step:solver=apgd,iterations=2", &truncated), 1e-4, 10);
  assert_true(truncated > 0);
}

/* The most iterations of the contact problem of a step. */
static size_t most_iterations(const char *model, const char *scheme, size_t steps)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  size_t most = 0;
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (size_t k = 0; k < steps; k++) {
    const size_t before = run.sim->work.lcp_pivots;
    assert_ok(dls_sim_advance(run.sim, 1e-3, &err), err);
    const size_t here = run.sim->work.lcp_pivots - before;
    most = here > most ? here : most;
  }
  dls_test_free(&run);
  return most;
}

/* When blocks of a wall land, or a column chatters, redundant contacts change their modes in numbers. Interior points of the polyhedral
 * cones find them in a number of steps that hardly depends on that of the blocks: after 3 or more of Newton's method as long as these
 * leave a quarter of the residual or less, and with a few behind. */
DLS_TEST(contacts_of_piles_are_found_in_few_iterations)
{
  static const char *const schemes[] = {"convex-step", "chrono-nsc"};
  for (size_t s = 0; s < 2; s++) {
    assert_between((double)most_iterations("block-wall:rows=5,columns=5,v0=0.5", schemes[s], 60), 8, 17);
    assert_between((double)most_iterations("block-wall:rows=8,columns=8,v0=0.5", schemes[s], 60), 8, 17);
    assert_between((double)most_iterations("block-pyramid:rows=8,columns=8,v0=0.5", schemes[s], 60), 8, 17);
    assert_between((double)most_iterations("block-column:rows=48,columns=1,v0=0.5", schemes[s], 100), 8, 27);
    assert_between((double)most_iterations("block-column:rows=96,columns=1,v0=0.5", schemes[s], 100), 8, 27);
  }
}

DLS_TEST(joints_do_not_drift)
{
  static const char *const schemes[] = {"stewart-trinkle:restitution=own", "anitescu-potra", "chrono-nsc",
                                        "convex-step:restitution=own"};
  for (size_t s = 0; s < 4; s++) {
    double worst[2];
    for (size_t k = 0; k < 2; k++) {
      test_run run = dls_test_run("bouncing-pendulum-cartesian", schemes[s], k == 0 ? 4e-3 : 1e-3, 2);
      worst[k] = 0;
      for (size_t i = 0; i < run.traj->rows; i++) {
        worst[k] = fmax(worst[k], fabs(dls_test_value(&run, i, "phi0")));
      }
      dls_test_free(&run);
    }
    assert_between(log(worst[0] / worst[1]) / log(4), 1.8, 2.2);
  }
}

/* Independent equations of joints are eliminated along the bodies, which dls_joints_residual tells. */
DLS_TEST(joints_of_chains_are_eliminated)
{
  static const char *const schemes[] = {"anitescu-potra", "stewart-trinkle", "chrono-nsc", "convex-step"};
  dls_error err = {0};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    test_run run = dls_test_prepare("pendulum-chain:N=10,e=0", schemes[i]);
    assert_int_equal(dls_sim_start(run.sim, &err), DLS_OK);
    for (int k = 0; k < 3; k++) {
      assert_int_equal(dls_sim_advance(run.sim, 1e-3, &err), DLS_OK);
    }
    const dls_linearised *s = run.sim->memory;
    assert_true(dls_joints_residual(s->contact.contacts.joints, run.sim->t, run.sim->q));
    assert_int_equal(dls_joints_redundant(s->contact.contacts.joints), 0);
    dls_test_free(&run);
  }
}

/* A floor that rises: with affine gaps the gap at nodes is not negative, though the floor accelerates. */
DLS_TEST(moving_floors_do_not_penetrate)
{
  static const char *const schemes[] = {"stewart-trinkle:restitution=own", "convex-step:restitution=own",
                                        "chrono-nsc:min_bounce_speed=1e9,max_penetration_recovery_speed=1e9"};
  for (size_t s = 0; s < 3; s++) {
    test_run run = dls_test_run("vibrating-table", schemes[s], 1e-2, 2);
    assert_true(run.sim->worst_gap > -1e-14);
    assert_true(run.sim->work.impacts > 0);
    dls_test_free(&run);
  }
}

DLS_TEST(orders_with_impacts)
{
  const struct {
    const char *model, *scheme;
    double end, low, high;
  } cases[] = {
      {"bouncing-ball:e=0", "stewart-trinkle", 2, 0.85, 1.15},
      {"bouncing-ball:e=0", "convex-step", 2, 0.85, 1.15},
      {"impacting-oscillator:e=0.5", "anitescu-potra", 10, 0.8, 1.15},
      {"impacting-oscillator:e=0.5", "chrono-nsc:bounce_test=approach,min_bounce_speed=0", 10, 0.85, 1.15},
      {"impacting-oscillator:e=0.5", "chrono-nsc", 10, -0.3, 0.6}, /* no limit */
      {"incline:mu=0.7", "stewart-trinkle:restitution=own", 1, 0.85, 1.15},
      {"incline:mu=0.3", "stewart-trinkle:restitution=own", 1, 0.85, 1.15},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const dls_fit fit = dls_test_order((test_study){.model = cases[k].model,
                                                    .scheme = cases[k].scheme,
                                                    .norm = "l1",
                                                    .of = "q0",
                                                    .end = cases[k].end,
                                                    .h_first = 2e-2,
                                                    .h_last = 1e-3,
                                                    .levels = 6,
                                                    .repeats = 8});
    print_message("  %s, %s: %.2f\n", cases[k].model, cases[k].scheme, fit.order);
    assert_between(fit.order, cases[k].low, cases[k].high);
  }
}

DLS_TEST(wrong_requests_are_refused)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("stewart-trinkle:envelope=0.1", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "contacts=all"));
  assert_int_equal(dls_scheme_choose("convex-step:iterations=7", &choice, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "solver=exact"));
  test_run run = dls_test_prepare("incline fremond:e=0,mu=0.3", "stewart-trinkle");
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "law fremond, by which contact does no positive work"));
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_follows_the_closed_maps),
      cmocka_unit_test(chrono_restitutes_between_e_squared_and_e),
      cmocka_unit_test(penetrations_are_undone),
      cmocka_unit_test(convex_steps_hop_from_zero_gap_and_ride_at_their_slip_gap),
      cmocka_unit_test(landings_seen_ahead_have_coulombs_impulse),
      cmocka_unit_test(anitescu_potra_bounces_at_rest),
      cmocka_unit_test(apgd_converges_or_is_truncated),
      cmocka_unit_test(contacts_of_piles_are_found_in_few_iterations),
      cmocka_unit_test(joints_do_not_drift),
      cmocka_unit_test(joints_of_chains_are_eliminated),
      cmocka_unit_test(moving_floors_do_not_penetrate),
      cmocka_unit_test(orders_with_impacts),
      cmocka_unit_test(wrong_requests_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
