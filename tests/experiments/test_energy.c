/* tests/experiments/test_energy.c -- the energy ledger: closed forms, sums, what happens when a run fails, pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "scratch.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A ledger from texts, as for dls_test_run. */
typedef struct books {
  dls_system *sys;
  dls_energy_ledger *ledger;
  dls_status status;
  dls_error err;
} books;

static books keep(const char *model, const char *scheme, double step, double end, bool totals_only)
{
  books b = {0};
  dls_scheme_choice choice;
  b.sys = dls_test_system(model);
  assert_ok(dls_scheme_choose(scheme, &choice, &b.err), b.err);
  const dls_energy_spec spec = {
      .sys = b.sys, .choice = &choice, .step = step, .end = end, .totals_only = totals_only};
  b.status = dls_energy_run(&spec, &b.ledger, &b.err);
  return b;
}

static books good(const char *model, const char *scheme, double step, double end)
{
  books b = keep(model, scheme, step, end, false);
  assert_ok(b.status, b.err);
  assert_true(b.ledger->rows->complete);
  assert_true(b.ledger->rows->rows == b.ledger->steps + 1 || b.ledger->balance == NULL);
  assert_in_range(b.ledger->rows->rows, b.ledger->steps + 1, 2 * b.ledger->steps + 1);
  return b;
}

static void done(books *b)
{
  dls_energy_destroy(b->ledger);
  dls_system_destroy(b->sys);
}

static double at(const books *b, size_t row, size_t column)
{
  return dls_trajectory_at(b->ledger->rows, row, column);
}

static double last(const books *b, size_t column)
{
  return at(b, b->ledger->rows->rows - 1, column);
}

/* One impact of a free ball costs 1/2 m (1 - e^2) V^2, in every scheme. */
DLS_TEST(one_impact_costs_what_the_impact_law_says)
{
  static const char *const schemes[] = {"moreau-jean",         "moreau-jean:theta=1",
                                        "moreau-jean-variant", "nonsmooth-newmark:gamma=0.6,beta=0.4",
                                        "nonsmooth-hht",       "nonsmooth-kh-generalized-alpha:rho_inf=0",
                                        "schatzman-paoli",     "event-driven"};
  const double loss = 0.5 * 3 * (1 - 0.8 * 0.8) * 2 * 2;
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    books b = good("bouncing-ball:m=3,f=0,e=0.8,q0=0.995,v0=-2", schemes[i], 0.01, 1);
    assert_close(b.ledger->start, 6, 0);
    assert_close(b.ledger->last, 6 - loss, 1e-9);
    assert_close(b.ledger->impact, -loss, 1e-9);
    assert_close(dls_energy_numerical(b.ledger), 0, 1e-9);
    assert_close(b.ledger->external, 0, 0);
    assert_close(b.ledger->damping, 0, 0);
    done(&b);
  }
}

/* Defaults: E = e^(2n)/2 after n impacts; n = 3 at t = 10. */
DLS_TEST(event_driven_books_balance)
{
  books b = good("impacting-oscillator", "event-driven", 0, 10);
  const double e6 = pow(0.5, 6);
  assert_null(b.ledger->balance);
  assert_close(b.ledger->last, e6 / 2, 1e-8);
  assert_close(b.ledger->impact, (e6 - 1) / 2, 1e-8);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-8);
  done(&b);
  b = good("impacting-oscillator:c=0.2,amplitude=0.5,omega=3,f=-0.1,e=0.8", "event-driven", 0, 10);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-8);
  assert_between(b.ledger->damping, -1, -0.05);
  assert_between(fabs(b.ledger->external), 0.05, 2);
  done(&b);
}

/* The ball that starts on the floor bounces at t = 0: that is over when the books open. */
DLS_TEST(an_impact_at_the_start_is_not_booked)
{
  static const char *const schemes[] = {"event-driven", "schatzman-paoli"};
  for (size_t i = 0; i < 2; i++) {
    books b = good("bouncing-ball:f=0,e=0.5,q0=0,v0=-2", schemes[i], 0.01, 1);
    assert_close(b.ledger->start, 0.5, 1e-15);
    assert_close(b.ledger->impact, 0, 0);
    assert_close(b.ledger->last, 0.5, 1e-12);
    done(&b);
  }
}

/* An accumulation that is passed as one impact costs what was left of the energy; here early, at about 0.1 m/s. Its impulses
 * are spread over the step; what is left over is the error of the smooth motion. */
DLS_TEST(a_passed_accumulation_is_an_impact)
{
  books b = good("bouncing-ball", "event-driven:tol=1e-3,eps_z=100", 0, 4);
  assert_close(b.ledger->start, 2, 1e-12);
  assert_close(b.ledger->last, 0, 1e-12);
  assert_close(b.ledger->impact, -2, 2e-6);
  assert_close(dls_energy_numerical(b.ledger), 0, 2e-6);
  done(&b);
  b = good("bouncing-ball", "event-driven", 0, 4);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-12);
  done(&b);
}

/* Identities hold with supports that move; impact is the normal work alone and never gains, the drive is a term of its own. */
DLS_TEST(what_moving_supports_do_is_booked)
{
  static const char *const models[] = {"vibrating-table", "cam-follower:omega=8", "cam-follower:omega=3,e=0.5"};
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean-variant:theta=0.7",
                                        "nonsmooth-newmark:gamma=0.6,beta=0.4",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha:rho_inf=0.5",
                                        "nonsmooth-kh-generalized-alpha",
                                        "standard-penalty",
                                        "standard-penalty:continuum=trapezoidal",
                                        "standard-penalty:continuum=hht",
                                        "conserving-penalty",
                                        "conserving-penalty:continuum=hht",
                                        "conserving-penalty:theta=0.7",
                                        "spring-damper:damping=given,c=30"};
  double worst = 0;
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
      books b = good(models[k], schemes[i], 0.01, 3);
      const dls_energy_ledger *l = b.ledger;
      worst = fmax(worst, fabs(l->residual) / l->scale);
      assert_true(l->contacts);
      assert_close(l->friction, 0, 0);
      const bool springs = l->balance->push != NULL; /* what these take is stored, and no impact */
      assert_close(springs ? 0 : l->normal, l->impact, 1e-13 * l->scale * (double)l->steps);
      assert_close(l->sliding, 0, 0);
      assert_true(springs || (l->normal > -100 && l->normal < 1e-13 * l->scale));
      assert_between(fabs(l->drive), 0.1, 100);
      done(&b);
    }
  }
  assert_between(worst, 1e-17, 1e-13);
}

/* The block sticks from 0.6 to 2 s, one step of the method in which E is a parabola. */
DLS_TEST(states_inside_long_steps_have_the_energy_of_the_path)
{
  books b = good("belt", "event-driven", 0, 3);
  const dls_trajectory *states = b.ledger->states;
  const double k = dls_matrix_get(b.sys->K, 0, 0), m = dls_matrix_get(b.sys->M, 0, 0);
  assert_true(states->rows > b.ledger->rows->rows + 50);
  for (size_t i = 1; i < states->rows; i++) {
    const double t = dls_trajectory_at(states, i, 0);
    const double q = dls_test_exact_value("belt", t, "q0"), v = dls_test_exact_value("belt", t, "v0");
    assert_between(t - dls_trajectory_at(states, i - 1, 0), 0, 0.005 * 3 * (1 + 1e-12));
    assert_close(dls_trajectory_at(states, i, 3), 0.5 * (k * q * q + m * v * v), 1e-8);
  }
  done(&b);
}

/* A ball that stays on its table, h = A cos(omega t): the table does m g (h - A) + 1/2 m h'^2. */
DLS_TEST(a_table_does_the_work_that_it_takes)
{
  static const struct {
    const char *scheme;
    double step, tolerance;
  } runs[] = {{"event-driven", 0, 1e-9},
              {"rk-moreau", 0.01, 1e-9},
              {"moreau-jean", 1e-4, 2e-3},
              {"nonsmooth-hht", 1e-4, 2e-3}};
  const double A = 0.05, omega = 10, end = 0.2, h = A * cos(omega * end), rate = -A * omega * sin(omega * end);
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    books b = good("vibrating-table:m=2,A=0.05,omega=10,phase=1.5707963267948966,q0=0.05,v0=0", runs[i].scheme,
                   runs[i].step, end);
    assert_close(b.ledger->drive, 2 * (9.81 * (h - A) + 0.5 * rate * rate), runs[i].tolerance);
    assert_close(b.ledger->external, 0, 0);
    assert_close(b.ledger->last - b.ledger->start, 2 * (9.81 * (h - A) + 0.5 * rate * rate), runs[i].tolerance);
    assert_between(b.ledger->gain, -1, 1e-9); /* what the table does is no gain of the scheme */
    assert_close(b.ledger->normal, 0, runs[i].tolerance);
    assert_close(dls_energy_numerical(b.ledger), 0, 1e-9);
    done(&b);
  }
}

/* A steady load F has the potential -F q: the ball's E = 2 J is kept until it lands, and no work is external. */
DLS_TEST(a_steady_load_has_a_potential)
{
  static const char *const schemes[] = {"moreau-jean:theta=0.8",
                                        "nonsmooth-newmark:gamma=0.6,beta=0.4",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha",
                                        "three-level-alpha",
                                        "schatzman-paoli",
                                        "conserving-penalty",
                                        "energy-preserving",
                                        "tdg-alpha",
                                        "redistributed-mass-midpoint",
                                        "central-difference-penalty",
                                        "event-driven"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    books b = keep("bouncing-ball", schemes[i], 0.01, 0.9, false);
    if (b.status == DLS_ERR_NOT_APPLICABLE) {
      done(&b);
      continue;
    }
    assert_ok(b.status, b.err);
    assert_close(b.ledger->start, 2, 1e-14);
    assert_close(last(&b, DLS_ENERGY_MECHANICAL), 2, 0.03);
    assert_close(last(&b, DLS_ENERGY_POTENTIAL), 2 - 0.81 * 2, 0.04);
    assert_close(b.ledger->external, 0, 0);
    assert_between(fabs(b.ledger->residual), 0, 1e-13);
    done(&b);
  }
}

/* A load that varies, or a part of one, is external. */
DLS_TEST(a_load_that_varies_does_external_work)
{
  books b = good("impacting-oscillator:f=-0.1,amplitude=0.5,omega=3", "event-driven", 0, 0.5);
  const double q = dls_trajectory_at(b.ledger->rows, 0, DLS_ENERGY_POTENTIAL);
  assert_close(q, 0.5 * b.sys->q0[0] * b.sys->q0[0], 1e-15); /* no -f q */
  assert_between(fabs(b.ledger->external), 1e-3, 1);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-9);
  done(&b);
}

/* What slides on what drives it: no impact in the run, so no impact work; the scheme itself creates nothing. */
DLS_TEST(sliding_and_drive_are_no_impacts)
{
  static const struct {
    const char *model, *scheme;
    double step;
  } runs[] = {{"belt", "event-driven", 0},
              {"belt", "moreau-jean", 1e-3},
              {"belt", "moreau-jean:theta=0.7", 1e-3},
              {"belt", "conserving-penalty", 1e-3},
              {"spring-block", "event-driven", 0},
              {"spring-block", "moreau-jean", 1e-3}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    books b = good(runs[i].model, runs[i].scheme, runs[i].step, 10);
    const dls_energy_ledger *l = b.ledger;
    const bool driven = strcmp(runs[i].model, "belt") == 0;
    assert_int_equal(b.ledger->rows->work.impacts, 0);
    assert_close(l->impact, 0, 1e-12);
    assert_between(l->sliding, -20, -0.1);
    assert_close(l->sliding, l->friction, 1e-12);
    assert_between(l->drive, driven ? 0.1 : -1e-15, driven ? 20 : 1e-15);
    assert_between(l->gain, -1e-3, 1e-7); /* of the law, where slip ends: 2e-8 */
    done(&b);
  }
}

/* Both limits of an impact: E is kept up to the first, and only the impact leads to the second. */
DLS_TEST(a_jump_has_two_rows)
{
  books b = good("two-ball-oscillator", "event-driven", 0, 2);
  size_t jumps = 0;
  for (size_t i = 2; i < b.ledger->rows->rows; i++) {
    if (at(&b, i, DLS_ENERGY_T) > at(&b, i - 1, DLS_ENERGY_T)) {
      assert_close(at(&b, i, DLS_ENERGY_IMPACT), 0, 0);
      assert_close(at(&b, i, DLS_ENERGY_MECHANICAL), at(&b, i - 1, DLS_ENERGY_MECHANICAL),
                   1e-8 * b.ledger->scale);
    } else {
      jumps++;
      assert_close(at(&b, i, DLS_ENERGY_MECHANICAL) - at(&b, i - 1, DLS_ENERGY_MECHANICAL),
                   at(&b, i, DLS_ENERGY_IMPACT), 1e-9 * b.ledger->scale);
      assert_close(at(&b, i, DLS_ENERGY_EXTERNAL), 0, 0);
    }
  }
  assert_int_equal(jumps, b.ledger->rows->work.impacts);
  assert_between((double)jumps, 2, 20);
  done(&b);
}

/* All forces of the pendulum have the potential -m g l sin q: nothing is external, and E falls at impacts only. */
DLS_TEST(a_nonlinear_system_with_a_potential_keeps_its_energy)
{
  books b = good("bouncing-pendulum", "event-driven", 0, 5);
  assert_false(b.ledger->linear);
  assert_true(b.ledger->potential);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-8);
  assert_close(b.ledger->external, 0, 1e-10);
  assert_close(b.ledger->last, b.ledger->impact, 1e-8);
  assert_close(last(&b, DLS_ENERGY_POTENTIAL), -9.81 * sin(acos(0.70710678118654752)), 0.5);
  done(&b);
  b = good("bouncing-pendulum", "event-driven", 0, 0.3); /* before the hurdle */
  assert_int_equal(b.ledger->rows->work.impacts, 0);
  assert_close(b.ledger->last, 0, 1e-9);
  assert_between(last(&b, DLS_ENERGY_KINETIC), 2, 5);
  done(&b);
  b = good("bouncing-pendulum", "moreau-jean", 1e-3, 5); /* an identity is for linear systems */
  assert_null(b.ledger->balance);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-3);
  done(&b);
}

/* Without the potential the works are those of all smooth forces: m g l sin q. */
DLS_TEST(without_a_potential_all_forces_do_external_work)
{
  books b = good("bouncing-pendulum", "event-driven", 0, 0.3);
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  const double kinetic = last(&b, DLS_ENERGY_KINETIC);
  assert_ok(dls_scheme_choose("event-driven", &choice, &b.err), b.err);
  b.sys->potential = NULL;
  const dls_energy_spec spec = {.sys = b.sys, .choice = &choice, .end = 0.3};
  assert_ok(dls_energy_run(&spec, &ledger, &b.err), b.err);
  assert_false(ledger->potential);
  assert_close(ledger->external, kinetic, 1e-9);
  assert_close(ledger->last, kinetic, 1e-9);
  dls_energy_destroy(ledger);
  done(&b);
}

/* A mechanism of seven bodies in angles, driven by a constant torque, which has a potential: nothing else works on it. */
DLS_TEST(a_mass_that_varies_is_booked)
{
  books b = good("andrews", "event-driven", 0, 0.005);
  double largest = 0;
  for (size_t row = 0; row < b.ledger->rows->rows; row++) {
    largest = fmax(largest, at(&b, row, DLS_ENERGY_KINETIC));
  }
  assert_close(b.ledger->external, 0, 1e-9 * largest);
  assert_close(dls_energy_numerical(b.ledger), 0, 1e-9 * largest);
  assert_between(largest, 0.01, 100); /* J */
  done(&b);
}

/* What rounding is measured by: the largest energy. A pile that rests has none but of rounding, below 1e-12 J: then 1e-4 J,
 * as a weight of 1 N has that falls by 0.1 mm. */
static double scale_of(const books *b)
{
  return b->ledger->scale > 1e-12 ? b->ledger->scale : 1e-4;
}

/* Every row: the energy changes by what is booked, and the sums are the sums of what was booked. */
static void assert_books_balance(const books *b)
{
  const dls_energy_ledger *l = b->ledger;
  const size_t residual = dls_energy_residual_column(l);
  double sums[4 + DLS_BALANCE_MOST_TERMS] = {0};
  const int sliding = dls_trajectory_column(l->rows, "sliding"),
            drive = dls_trajectory_column(l->rows, "drive");
  for (size_t i = 1; i < l->rows->rows; i++) {
    double works = l->apart ? at(b, i, (size_t)sliding) + (drive >= 0 ? at(b, i, (size_t)drive) : 0) : 0;
    double largest = scale_of(b); /* of what is added up: works of a pile that sinks exceed its energies */
    for (size_t column = DLS_ENERGY_EXTERNAL; column <= residual; column++) {
      double *sum = &sums[column - DLS_ENERGY_EXTERNAL];
      works += at(b, i, column);
      largest = fmax(largest, fabs(at(b, i, column)));
      *sum += at(b, i, column);
      assert_close(at(b, i, dls_energy_sum_column(l, column)), *sum, 1e-12 * fmax(scale_of(b), fabs(*sum)));
    }
    assert_close(at(b, i, DLS_ENERGY_ALGORITHMIC) - at(b, i - 1, DLS_ENERGY_ALGORITHMIC), works,
                 1e-14 * largest);
    assert_close(at(b, i, DLS_ENERGY_MECHANICAL), at(b, i, DLS_ENERGY_KINETIC) + at(b, i, DLS_ENERGY_POTENTIAL),
                 0);
    if (l->balance == NULL) {
      assert_close(at(b, i, residual), 0, 0);
    } else {
      assert_between(fabs(at(b, i, residual)), 0, 1e-12 * scale_of(b));
    }
  }
}

DLS_TEST(books_of_every_scheme_balance_on_every_model)
{
  for (const dls_scheme *const *s = dls_schemes(); *s != NULL; s++) {
    for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
      const char *model = dls_test_small_model((*m)->name);
      dls_system *sys = dls_test_system(model);
      const double end = dls_test_span((*m)->name, 1);
      books b = keep(model, (*s)->name, dls_test_stable_step(sys, 8e-3 * end), end, false);
      if (b.ledger != NULL) { /* one that failed on the way too */
        assert_int_equal(b.ledger->rows->complete, b.status == DLS_OK);
        assert_books_balance(&b);
      } else {
        assert_int_equal(b.status, DLS_ERR_NOT_APPLICABLE);
      }
      done(&b);
      dls_system_destroy(sys);
    }
  }
}

/* 100 systems with 20 degrees of freedom, 6 contacts, damping and a load that varies in time. */
DLS_TEST(identities_hold_on_random_systems)
{
  static const char *const schemes[] = {
      "moreau-jean:theta=0.75",  "moreau-jean-variant:theta=1", "nonsmooth-newmark:gamma=0.9,beta=0.49",
      "nonsmooth-hht:alpha=0.3", "nonsmooth-generalized-alpha", "nonsmooth-kh-generalized-alpha:rho_inf=0"};
  double impact = 0, worst = 0;
  for (int seed = 0; seed < 100; seed++) {
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
      char model[100];
      snprintf(model, sizeof model, "random-linear:n=20,m=6,e=1,damping=0.5,amplitude=3,seed=%d", seed);
      books b = keep(model, schemes[i], 0.05, 4, true);
      assert_ok(b.status, b.err);
      worst = fmax(worst, fabs(b.ledger->residual) / b.ledger->scale);
      impact = fmin(impact, b.ledger->impact / b.ledger->scale);
      done(&b);
    }
  }
  assert_between(worst, 1e-17, 1e-13);
  assert_between(impact, -10, -0.1); /* contacts did something */
}

/* In every model, to ten times the tolerance of the runs; with contacts that are hit together, with accumulations, and with
 * friction, whose work is an integral along the path. Joints: every projection changes the energy a little; the four-bar
 * mechanism goes as far as its bars do not lie in a line, where accelerations are not unique. */
DLS_TEST(event_driven_runs_lose_no_energy_but_in_impacts)
{
  for (const dls_model *const *m = dls_models(); *m != NULL; m++) {
    const double end = dls_test_span((*m)->name, 3);
    books b = keep(dls_test_small_model((*m)->name), "event-driven", 0, end, true);
    const double bound = b.sys->r > 0 ? 1e-8 : 1e-9;
    assert_ok(b.status, b.err);
    if (!(fabs(dls_energy_numerical(b.ledger)) <= bound * scale_of(&b))) {
      fail_msg("%s: numerical loss %g J of %g J", (*m)->name, dls_energy_numerical(b.ledger), b.ledger->scale);
    }
    done(&b);
  }
}

/* 10^5 steps: change of energy = sums of works + sum of residuals, to a few units of the last place of the scale.
 * Plain sums are off by a hundred times as much. */
DLS_TEST(sums_are_compensated)
{
  books b = good("impacting-oscillator:c=0.01,amplitude=1,omega=2,e=0.9", "nonsmooth-hht", 1e-4, 10);
  const dls_energy_ledger *l = b.ledger;
  const size_t column = dls_energy_sum_column(l, dls_energy_residual_column(l));
  const double works = l->external + l->damping + l->impact + dls_energy_numerical(l);
  assert_int_equal(l->steps, 100000);
  assert_close(l->algorithmic_last - l->algorithmic_start, works + last(&b, column), 1e-15 * l->scale);
  assert_between(fabs(l->residual) / l->scale, 1e-18, 1e-14);
  done(&b);
}

DLS_TEST(totals_do_not_depend_on_the_rows)
{
  books with = good("impacting-oscillator:c=0.1", "nonsmooth-generalized-alpha", 0.01, 5);
  books without = keep("impacting-oscillator:c=0.1", "nonsmooth-generalized-alpha", 0.01, 5, true);
  assert_close(without.ledger->impact, with.ledger->impact, 0);
  assert_close(without.ledger->numerical[4], with.ledger->numerical[4], 0);
  assert_close(without.ledger->gain, with.ledger->gain, 0);
  done(&with);
  done(&without);
}

/* Beyond theta = 1/(1+e) an impact at the spring's rest position gains k/2 (h V (2 theta - 1))^2 for e = 1. */
DLS_TEST(the_largest_gain_tells_an_active_scheme)
{
  const double h = 0.05;
  books active = good("impacting-oscillator:k=100,e=1,q0=0,v0=-1", "moreau-jean:theta=1", h, h);
  assert_close(active.ledger->gain, 50 * h * h, 1e-14);
  assert_close(active.ledger->gain_time, h, 0);
  done(&active);
  books passive = good("impacting-oscillator:k=100,e=1,q0=0,v0=-1", "moreau-jean-variant:theta=1", h, h);
  assert_between(passive.ledger->gain, -1, 1e-15);
  done(&passive);
}

DLS_TEST(a_run_that_fails_keeps_its_books)
{
  books b = keep("bouncing-ball:e=0.9", "event-driven:max_events=3", 0, 10, false);
  assert_int_equal(b.status, DLS_ERR_CHATTERING);
  assert_non_null(b.ledger);
  assert_false(b.ledger->rows->complete);
  assert_string_equal(b.ledger->rows->failure, b.err.text);
  assert_true(b.ledger->steps > 3);
  done(&b);
  b = keep("bouncing-pendulum", "nonsmooth-kh-generalized-alpha", 0.1, 1, false); /* refused at the start */
  assert_int_equal(b.status, DLS_ERR_NOT_APPLICABLE);
  assert_null(b.ledger);
  done(&b);
  b = keep("bouncing-ball", "moreau-jean", 0, 1, false);
  assert_int_equal(b.status, DLS_ERR_ARG);
  assert_null(b.ledger);
  done(&b);
  assert_int_equal(dls_energy_run(&(dls_energy_spec){.end = 1}, &b.ledger, &b.err), DLS_ERR_ARG);
}

/* Text of a file, to be freed. */
static char *contents(const char *path)
{
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  char *text = calloc(1, 1000000);
  assert_non_null(text);
  assert_between((double)fread(text, 1, 999999, file), 1, 999998);
  fclose(file);
  return text;
}

DLS_TEST(pictures_have_a_curve_for_each_scheme_and_term)
{
  char path[4][DLS_TEST_PATH];
  static const char *const names[] = {"e.svg", "e.gp", "d.svg", "d.gp"};
  const char *const folder = dls_test_folder(NULL);
  for (size_t i = 0; i < 4; i++) {
    dls_test_file(folder, names[i], path[i]);
  }
  dls_error err = {0};
  books a = good("impacting-oscillator:c=0.1", "moreau-jean:theta=1", 0.05, 10);
  books b = good("impacting-oscillator:c=0.1", "event-driven", 0, 10);
  const dls_energy_curve curves[] = {{"first 'one'", a.ledger}, {"second", b.ledger}};
  assert_ok(dls_plot_energies(2, curves, "oscillator", path[0], &err), err);
  assert_ok(dls_plot_dissipation(2, curves, "oscillator", path[2], &err), err);
  char *energies = contents(path[1]);
  char *dissipation = contents(path[3]);
  assert_non_null(strstr(energies, "E = T + V [J]"));
  assert_non_null(strstr(energies, "title 'first ''one'''"));
  assert_null(strstr(energies, "work supplied")); /* there is none */
  assert_non_null(strstr(dissipation, "t [s]"));
  assert_non_null(strstr(dissipation, "title 'damping: -"));
  assert_non_null(strstr(dissipation, "title 'num. inertia + impulse: -"));
  assert_non_null(strstr(dissipation, "title 'numerical: "));
  free(energies);
  free(dissipation);
  assert_int_equal(dls_plot_energies(0, curves, "", path[0], &err), DLS_ERR_ARG);
  assert_int_equal(dls_plot_energies(2, curves, "", "a.jpg", &err), DLS_ERR_ARG);
  books none = keep("bouncing-ball", "moreau-jean", 0.1, 1, true);
  assert_int_equal(dls_plot_dissipation(1, &(dls_energy_curve){"x", none.ledger}, "", path[0], &err),
                   DLS_ERR_ARG);
  for (size_t i = 0; i < 4; i++) {
    struct stat info;
    assert_int_equal(stat(path[i], &info), 0);
  }
  done(&a);
  done(&b);
  done(&none);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_impact_costs_what_the_impact_law_says),
      cmocka_unit_test(event_driven_books_balance),
      cmocka_unit_test(an_impact_at_the_start_is_not_booked),
      cmocka_unit_test(a_passed_accumulation_is_an_impact),
      cmocka_unit_test(what_moving_supports_do_is_booked),
      cmocka_unit_test(states_inside_long_steps_have_the_energy_of_the_path),
      cmocka_unit_test(a_table_does_the_work_that_it_takes),
      cmocka_unit_test(a_steady_load_has_a_potential),
      cmocka_unit_test(a_load_that_varies_does_external_work),
      cmocka_unit_test(sliding_and_drive_are_no_impacts),
      cmocka_unit_test(a_jump_has_two_rows),
      cmocka_unit_test(a_nonlinear_system_with_a_potential_keeps_its_energy),
      cmocka_unit_test(without_a_potential_all_forces_do_external_work),
      cmocka_unit_test(a_mass_that_varies_is_booked),
      cmocka_unit_test(books_of_every_scheme_balance_on_every_model),
      cmocka_unit_test(identities_hold_on_random_systems),
      cmocka_unit_test(event_driven_runs_lose_no_energy_but_in_impacts),
      cmocka_unit_test(sums_are_compensated),
      cmocka_unit_test(totals_do_not_depend_on_the_rows),
      cmocka_unit_test(the_largest_gain_tells_an_active_scheme),
      cmocka_unit_test(a_run_that_fails_keeps_its_books),
      cmocka_unit_test(pictures_have_a_curve_for_each_scheme_and_term),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
