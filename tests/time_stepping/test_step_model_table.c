/* test_step_model_table.c -- figures of the step models of today's simulators, measured with randomised steps: frictional impacts over the
 * phase of the grid, energies over twenty impacts, orders, creep and lift on an incline, two balls on a floor, stiff contact against its own
 * motion. An interval of 95 % of an order must contain the published figure up to 0.15, or up to the range that is stated with it.
 * Sources: docs/reference/step-models.md has the figures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double within = 0.15; /* of the published order */
static const double h_last = 7e-4; /* s: mean of the shortest steps of an order */

/* Numbers in [0, 1) that are the same in every run. */
static double draw(void)
{
  static uint64_t state = 12345;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void advance(test_run *run, double h, size_t steps)
{
  dls_error err = {0};
  for (size_t k = 0; k < steps; k++) {
    assert_ok(dls_sim_advance(run->sim, h, &err), err);
  }
}

/* --- orders of errors that a function measures --- */

typedef double error_of(const char *model, const char *scheme, double h);
enum { LEVELS = 8, REPEATS = 12 };

/* A row of the table. Where errors reach a plateau, the slope over all steps depends on the longest one. */
typedef struct order_row {
  const char *model, *scheme;
  double h_first, order, range; /* [s]; published; that in brackets beside it */
} order_row;

static void check_order(const order_row *row, error_of *measure)
{
  double h[LEVELS * REPEATS], error[LEVELS * REPEATS], finest = 0;
  dls_fit fit;
  dls_error err = {0};
  for (size_t i = 0; i < LEVELS * REPEATS; i++) {
    const double mean = row->h_first * pow(h_last / row->h_first, (double)(i / REPEATS) / (LEVELS - 1));
    h[i] = mean * pow(1.25, 2 * draw() - 1);
    error[i] = measure(row->model, row->scheme, h[i]);
    finest += i / REPEATS == LEVELS - 1 ? log(error[i]) / REPEATS : 0;
  }
  assert_ok(dls_fit_order(LEVELS * REPEATS, h, error, 0, &fit, &err), err);
  print_message("  %s, %s: %.2f [%.2f, %.2f], published %.2f; finest %.2g\n", row->model, row->scheme,
                fit.order, fit.ci_low, fit.ci_high, row->order, exp(finest));
  assert_true(fit.ci_low <= row->order + fmax(within, row->range));
  assert_true(fit.ci_high >= row->order - fmax(within, row->range));
  assert_true(fit.ci_high - fit.ci_low < 0.6 + 2 * row->range);
}

static void check_orders(const order_row *rows, size_t count, error_of *measure)
{
  for (size_t i = 0; i < count; i++) {
    check_order(&rows[i], measure);
  }
}
#define CHECK_ORDERS(rows, ...) check_orders(rows, sizeof(rows) / sizeof *(rows), __VA_ARGS__)

/* --- frictional impact: u- = (2, -1), mu = 0.3, no force; Coulomb's law with e = 0 leaves (1.7, 0) --- */

/* Mean of u+ over phases of the grid, and the range of u_T+. */
typedef struct outcome {
  double slip, normal, least, most;
} outcome;

static outcome impact(const char *scheme, double h, double duration)
{
  enum { PHASES = 10 };
  outcome out = {0, 0, HUGE_VAL, -HUGE_VAL};
  for (size_t k = 0; k < PHASES; k++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    const dls_slider what = {.mass = {1, 1}};
    const dls_slider_row rows[] = {{{1, 0}}, {{0, 1}}};
    assert_ok(dls_slider_create("unit mass", 2, 1, 2, &what, rows, &sys, &err), err);
    sys->q0[0] = (2 + ((double)k + draw()) / PHASES) * h;
    sys->v0[0] = -1;
    sys->v0[1] = 2;
    sys->mu[0] = 0.3;
    test_run run = dls_test_prepare_of(sys, scheme);
    assert_ok(dls_sim_start(run.sim, &err), err);
    advance(&run, h, 6 + (size_t)(duration / h));
    out.slip += run.sim->v[1] / PHASES;
    out.normal += run.sim->v[0] / PHASES;
    out.least = fmin(out.least, run.sim->v[1]);
    out.most = fmax(out.most, run.sim->v[1]);
    dls_test_free(&run);
  }
  return out;
}

DLS_TEST(frictional_impacts)
{
  static const struct {
    const char *scheme;
    double h, duration, slip, normal, off, least, most; /* off: of the means */
  } rows[] = {{"moreau-jean", 1e-2, 0, 1.7, 0, 1e-9, 1.7, 1.7},
              {"stewart-trinkle", 1e-2, 0, 1.7, 0, 1e-9, 1.7, 1.7},
              {"convex-step", 1e-2, 0.3, 1.7, 0, 1e-9, 1.7, 1.7},
              {"soft-step", 1e-2, 0, 1.7, 0, 1e-9, 1.7, 1.7},
              {"mujoco:cone=elliptic", 1e-2, 0.3, 1.53, 0.58, 0.03, 1.48, 1.59},
              {"mujoco:cone=elliptic", 1e-3, 0.3, 1.576, 0.413, 0.02, 1.56, 1.59},
              {"sap", 1e-2, 0.1, 1.557, 0.475, 8e-3, 1.54, 1.575},
              {"sap", 1e-3, 0.1, 1.563, 0.455, 8e-3, 1.555, 1.57},
              {"sap", 1e-4, 0.01, 1.574, 0.420, 8e-3, 1.555, 1.60},
              {"icf", 1e-2, 0.1, 0, 0, 0.02, 0, 1e-3},
              {"icf", 1e-3, 0.1, 0.09, 0, 0.12, 0, 1.35},
              {"icf", 1e-4, 0.02, 1.62, 0.02, 0.02, 1.52, 1.70},
              {"sequential-impulse", 1e-2, 0, 1.67, 0.10, 0.01, 1.64, 1.70},
              {"sequential-impulse:stabilise=none,sweeps=1,warm_start=0,order=friction-first", 1e-2, 0, 2, 0,
               1e-9, 2, 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const outcome x = impact(rows[i].scheme, rows[i].h, rows[i].duration);
    print_message("  %s, h = %g: u+ = (%.4f, %.4f), slip in [%.3f, %.3f]\n", rows[i].scheme, rows[i].h, x.slip,
                  x.normal, x.least, x.most);
    assert_close(x.slip, rows[i].slip, rows[i].off);
    assert_close(x.normal, rows[i].normal, rows[i].off);
    assert_between(x.least, rows[i].least - 1e-9, rows[i].most + 1e-9);
    assert_between(x.most, rows[i].least - 1e-9, rows[i].most + 1e-9);
  }
}

/* --- energy after twenty impacts with e = 1, over that before --- */

static double energy_ratio(const char *scheme, bool ball, double h)
{
  test_run run = dls_test_run(ball ? "bouncing-ball:e=1" : "impacting-oscillator:e=1", scheme, h,
                              ball ? 40 : 20 * 3.14159265358979324);
  const double q = run.sim->q[0], v = run.sim->v[0];
  const double ratio = ball ? (0.5 * v * v + 2 * q) / 2 : v * v + q * q;
  dls_test_free(&run);
  return ratio;
}

DLS_TEST(energies_over_twenty_impacts)
{
  static const struct {
    const char *scheme;
    bool ball;
    double h, ratio, off;
  } rows[] = {{"anitescu-potra", false, 1e-2, 0.997, 0.02},
              {"anitescu-potra", false, 1e-3, 1.000, 0.002},
              {"anitescu-potra", true, 1e-2, 1.40, 0.05},
              {"anitescu-potra", true, 1e-3, 1.038, 0.01},
              {"chrono-nsc", false, 1e-2, 1, 0.02},
              {"chrono-nsc", false, 1e-3, 1, 0.002},
              {"xpbd:substeps=1", false, 1e-2, 1.0003, 0.02},
              {"xpbd:substeps=1", false, 1e-3, 1, 0.002},
              {"xpbd:substeps=1", true, 1e-2, 0.82, 0.08},
              {"xpbd:substeps=1", true, 1e-3, 0.99, 0.01},
              {"xpbd", true, 1e-2, 0.990, 0.01},
              {"xpbd", true, 1e-3, 0.999, 0.002},
              {"xpbd:substeps=1,threshold=after", true, 1e-2, 0, 0.01},
              {"xpbd:substeps=1,threshold=after", true, 1e-3, 0, 0.01},
              {"sequential-impulse", false, 1e-2, 1, 0.02},
              {"sequential-impulse", false, 1e-3, 1, 0.002},
              {"sequential-impulse:stabilise=split", false, 1e-2, 1, 0.02},
              {"sequential-impulse:stabilise=split", true, 1e-2, 1.016, 0.02},
              {"sequential-impulse:stabilise=split", true, 1e-3, 1.001, 0.005},
              {"soft-step:restitution_threshold=0", false, 1e-2, 0.997, 0.02},
              {"soft-step:restitution_threshold=0", false, 1e-3, 1, 0.003},
              {"soft-step:restitution_threshold=0", true, 1e-2, 0.63, 0.05},
              {"soft-step:restitution_threshold=0", true, 1e-3, 0.96, 0.01},
              {"mujoco:stiffness=1e4,damping=0,d0=0.95", false, 1e-3, 0.993, 0.02},
              {"sap:point_stiffness=1e4,relaxation_time=0", false, 1e-2, 0, 0.01},
              {"sap:point_stiffness=1e4,relaxation_time=0", false, 1e-3, 0.003, 0.01},
              {"icf:point_stiffness=1e4,hunt_crossley_dissipation=0", false, 1e-2, 0, 0.01},
              {"icf:point_stiffness=1e4,hunt_crossley_dissipation=0", false, 1e-3, 0.003, 0.01}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    enum { RUNS = 12 };
    double mean = 0;
    for (size_t k = 0; k < RUNS; k++) {
      mean += energy_ratio(rows[i].scheme, rows[i].ball, rows[i].h * pow(1.02, 2 * draw() - 1)) / RUNS;
    }
    print_message("  %s, %s, h = %g: %.4f, published %.4f\n", rows[i].ball ? "ball" : "oscillator",
                  rows[i].scheme, rows[i].h, mean, rows[i].ratio);
    assert_close(mean, rows[i].ratio, rows[i].off);
  }
}

/* --- a block thrown up an incline --- */

static const double slope = 0.52359877559829887, load = 9.81;

/* x(t) of Coulomb's law. */
static double exact_incline(double mu, double t)
{
  const double along = load * sin(slope), across = load * cos(slope);
  const double up = along + mu * across, down = fmax(along - mu * across, 0), stop = 2 / up;
  return t < stop ? 2 * t - 0.5 * up * t * t : 2 / up - 0.5 * down * (t - stop) * (t - stop);
}

/* A start at rest depth, on the slip gap, or on the surface. */
static test_run start_incline(const char *model, const char *scheme, double height)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const double q[2] = {0, height}, v[2] = {2, 0};
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  return run;
}

/* Rest depth of mujoco: a (1 - d) (dwidth timeconst)^2/d^2 with d = d(depth). */
static double mujoco_depth(void)
{
  return 3.295223992594683e-4;
}

static double start_height(const char *scheme)
{
  const double weight = load * cos(slope);
  return strncmp(scheme, "mujoco", 6) == 0                                  ? -mujoco_depth()
         : strncmp(scheme, "sap", 3) == 0 || strncmp(scheme, "icf", 3) == 0 ? -weight / 1e6
                                                                            : 0;
}

/* L1 of x over [0, 1]. */
static double incline_error(const char *model, const char *scheme, double h)
{
  test_run run = start_incline(model, scheme, start_height(scheme));
  double sum = 0;
  while (run.sim->t < 1) {
    advance(&run, h, 1);
    sum += h * fabs(run.sim->q[0] - exact_incline(run.sys->mu[0], run.sim->t));
  }
  dls_test_free(&run);
  return sum;
}

DLS_TEST(orders_on_an_incline)
{
  static const order_row rows[] = {{"incline:mu=0.3", "stewart-trinkle", 2e-2, 1.01, 0},
                                   {"incline:mu=0.7", "stewart-trinkle", 2e-2, 1.00, 0},
                                   {"incline:mu=0.3", "sequential-impulse:sweeps=4", 2e-2, 1.01, 0},
                                   {"incline:mu=0.3", "mujoco:cone=elliptic", 2e-2, 0.1, 0.3},
                                   {"incline:mu=0.7", "mujoco:cone=elliptic", 2e-2, 0.7, 0.3},
                                   {"incline:mu=0.3", "mujoco:cone=elliptic,impratio=100", 2e-2, 0.1, 0.3},
                                   {"incline:mu=0.7", "mujoco:cone=elliptic,impratio=100", 2e-2, 1.0, 0.3},
                                   {"incline:mu=0.3", "mujoco", 2e-2, 0.4, 0.2},
                                   {"incline:mu=0.7", "mujoco", 2e-2, 0.6, 0.2},
                                   {"incline:mu=0.3", "sap", 2e-2, 0.7, 0.2},
                                   {"incline:mu=0.7", "sap", 2e-2, 0.2, 0.1},
                                   {"incline:mu=0.3", "sap:envelope=1", 2e-2, 0, 0.1},
                                   {"incline:mu=0.7", "sap:envelope=1", 2e-2, 0.1, 0.1},
                                   {"incline:mu=0.3", "sap:envelope=1,relaxation_time=0", 2e-2, 0.99, 0},
                                   {"incline:mu=0.7", "sap:envelope=1,relaxation_time=0", 2e-2, 1.05, 0},
                                   {"incline:mu=0.3", "icf", 2e-2, 1.01, 0},
                                   {"incline:mu=0.7", "icf", 2e-2, 0.98, 0},
                                   {"incline:mu=0.3", "convex-step", 2e-2, 0.68, 0.3},
                                   {"incline:mu=0.7", "convex-step", 2e-2, 0.2, 0.15},
                                   {"incline:mu=0.3", "xpbd:substeps=1", 2e-2, 1.01, 0},
                                   {"incline:mu=0.7", "xpbd:substeps=1", 2e-2, 0.95, 0},
                                   {"incline:mu=0.3", "soft-step", 2e-2, 1.00, 0},
                                   {"incline:mu=0.7", "soft-step", 2e-2, 1.00, 0}};
  CHECK_ORDERS(rows, incline_error);
}

/* Speed with which a block sticks at mu = 0.7, long after it has stopped; largest height of one that slides at mu = 0.3. */
DLS_TEST(creep_and_lift_on_an_incline)
{
  static const struct {
    const char *scheme;
    double h, creep, creep_off, lift, lift_off; /* m/s; m; off: relative, or absolute where the figure is 0 */
  } rows[] = {{"stewart-trinkle", 1e-2, 0, 1e-12, 0, 1e-12},
              {"sequential-impulse:sweeps=4", 1e-2, 0, 1e-12, 0, 1e-12},
              {"convex-step", 1e-2, 0, 1e-12, 19e-3, 0.1},
              {"convex-step", 1e-3, 0, 1e-12, 18e-3, 0.1},
              {"mujoco:cone=elliptic", 1e-2, 4.56e-3, 0.01, 17.8e-3, 0.15},
              {"mujoco:cone=elliptic", 1e-3, 4.56e-3, 0.01, 2.1e-3, 0.15},
              {"mujoco:cone=elliptic,impratio=100", 1e-2, 0.0456e-3, 0.01, 18e-3, 0.15},
              {"mujoco:cone=elliptic,impratio=100", 1e-3, 0.0456e-3, 0.01, 2.1e-3, 0.5},
              {"mujoco", 1e-2, 13.75e-3, 0.01, 18e-3, 0.5},
              {"sap", 1e-2, 49e-6, 0.02, 18e-3, 0.1},
              {"sap", 1e-3, 4.9e-6, 0.02, 17e-3, 0.1},
              {"sap:envelope=1", 1e-2, 49e-6, 0.02, 46e-3, 0.1},
              {"sap:envelope=1", 1e-3, 4.9e-6, 0.02, 43e-3, 0.1},
              {"icf", 1e-2, 0.23e-3, 0.02, 0, 1e-9},
              {"icf", 1e-3, 0.146e-3, 0.02, 0, 1e-9},
              {"xpbd:substeps=1", 1e-2, 0, 1e-12, 0, 1e-12},
              {"soft-step", 1e-2, 0, 1e-12, 0, 1e-9}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double h = rows[i].h * (1 + 0.01 * draw()), height = start_height(rows[i].scheme);
    test_run run = start_incline("incline:mu=0.7", rows[i].scheme, height);
    advance(&run, h, (size_t)(2 / h));
    const double creep = fabs(run.sim->v[0]);
    dls_test_free(&run);
    double lift = 0;
    run = start_incline("incline:mu=0.3", rows[i].scheme, height);
    while (run.sim->t < 1) {
      advance(&run, h, 1);
      lift = fmax(lift, run.sim->q[1]);
    }
    dls_test_free(&run);
    print_message("  %s, h = %.3g: creep %.4g, lift %.4g\n", rows[i].scheme, h, creep, lift);
    assert_close(creep, rows[i].creep,
                 rows[i].creep > 0 ? rows[i].creep_off * rows[i].creep : rows[i].creep_off);
    assert_close(lift, rows[i].lift, rows[i].lift > 0 ? rows[i].lift_off * rows[i].lift : rows[i].lift_off);
  }
}

/* --- two balls on a floor: the upper one falls from 1 m on the lower one, which rests; e = 0, acceleration 2 m/s^2 --- */

/* L1 of both coordinates over [0, 2]; they meet at t = 1. */
static double two_ball_error(const char *model, const char *scheme, double h)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const bool soft = strncmp(scheme, "mujoco", 6) == 0, stiff = strncmp(scheme, "sap", 3) == 0;
  const double depth = soft ? 8.82880128697006e-5 : stiff ? 2e-6 : 0;
  const double q[2] = {0.1 - depth, 1.3}, v[2] = {0, 0};
  double sum = 0;
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  while (run.sim->t < 2) {
    advance(&run, h, 1);
    const double t = run.sim->t, upper = t < 1 ? 1.3 - t * t : 0.3;
    sum += h * hypot(run.sim->q[0] - 0.1, run.sim->q[1] - upper);
  }
  dls_test_free(&run);
  return sum;
}

DLS_TEST(two_balls_on_a_floor)
{
  static const char model[] = "bead-column:N=2,g=2,gap=1";
  static const order_row rows[] = {{model, "stewart-trinkle", 9e-2, 0.99, 0},
                                   {model, "moreau-jean", 2e-2, 1.06, 0.25},
                                   {model, "sap", 9e-2, 1.02, 0},
                                   {model, "mujoco", 2e-2, 0.4, 0.3},
                                   {model, "sequential-impulse:sweeps=1,warm_start=0", 2e-2, 0.3, 0.3},
                                   {model, "sequential-impulse:sweeps=1", 9e-2, 0, 0.1},
                                   {model, "sequential-impulse:sweeps=4,warm_start=0", 9e-2, 0.96, 0.1},
                                   {model, "sequential-impulse:sweeps=4", 9e-2, 0.7, 0.3},
                                   {model, "xpbd:substeps=1", 9e-2, 1.17, 0.3},
                                   {model, "xpbd", 9e-2, 0.4, 0.3}};
  CHECK_ORDERS(rows, two_ball_error);
}

/* --- one bounce of soft contact with e = 1/2, against its own motion --- */

DLS_TEST(stiff_contact_against_its_own_motion)
{
  static const struct {
    const char *scheme;
    double h_first, h_last, order, range, error;
  } rows[] = {{"mujoco:restitution=fit,stiffness=1e4,d0=0.95", 1e-3, 6e-5, 1.15, 0.2, 1.6e-4},
              {"sap:restitution=fit,point_stiffness=1e4", 1e-3, 6e-5, 0.92, 0.1, 1.4e-3},
              {"icf:restitution=fit,point_stiffness=1e4", 1e-3, 6e-5, 0.93, 0.1, 1.2e-3},
              {"mujoco:restitution=fit,stiffness=1e6,d0=0.95", 2e-3, 3e-5, 1.8, 0.3, 1.6e-3},
              {"sap:restitution=fit,point_stiffness=1e6", 4e-3, 3e-5, 0.41, 0.15, 1.4e-2},
              {"icf:restitution=fit,point_stiffness=1e6", 4e-3, 3e-5, 0.43, 0.15, 1.2e-2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    static const char *const of[] = {"q"};
    const dls_norm *norm = dls_norm_find("l1");
    dls_error err = {0};
    dls_scheme_choice choice;
    dls_order_study *study = NULL;
    dls_model_choice model = dls_test_model("bouncing-ball:e=0.5");
    assert_ok(dls_scheme_choose(rows[i].scheme, &choice, &err), err);
    const dls_order_spec spec = {.model = model.model,
                                 .parameters = model.parameters,
                                 .reference = DLS_REFERENCE_LIMIT,
                                 .end = 1.9,
                                 .scheme_count = 1,
                                 .schemes = &choice,
                                 .h_first = rows[i].h_first,
                                 .h_last = rows[i].h_last,
                                 .levels = 6,
                                 .repeats = 4,
                                 .seed = 7,
                                 .norm_count = 1,
                                 .norms = &norm,
                                 .of_count = 1,
                                 .of = of,
                                 .metric = {1, 1, 1e-3}};
    assert_ok(dls_order_run(&spec, &study, &err), err);
    double h[24], error[24], finest = 0;
    dls_fit fit;
    for (size_t k = 0; k < 24; k++) {
      h[k] = study->limit->points[k].step;
      error[k] = study->limit->points[k].error.value;
    }
    assert_ok(dls_fit_order(24, h, error, 0, &fit, &err), err);
    for (size_t k = 20; k < 24; k++) {
      finest += log(error[k]) / 4;
    }
    print_message("  %s: %.2f [%.2f, %.2f], published %.2f; finest %.2g, published %.2g\n", rows[i].scheme,
                  fit.order, fit.ci_low, fit.ci_high, rows[i].order, exp(finest), rows[i].error);
    assert_true(fit.ci_low <= rows[i].order + fmax(within, rows[i].range));
    assert_true(fit.ci_high >= rows[i].order - fmax(within, rows[i].range));
    assert_between(exp(finest), rows[i].error / 3, 3 * rows[i].error);
    dls_order_destroy(study);
    dls_model_choice_release(&model);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frictional_impacts),   cmocka_unit_test(energies_over_twenty_impacts),
      cmocka_unit_test(orders_on_an_incline), cmocka_unit_test(creep_and_lift_on_an_incline),
      cmocka_unit_test(two_balls_on_a_floor), cmocka_unit_test(stiff_contact_against_its_own_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
