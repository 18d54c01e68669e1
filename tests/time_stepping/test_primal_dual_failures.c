/* test_reduced_failures.c -- steps without W whose systems are not solved: W takes over for a while, twice as long after the next
 * failure, and is not asked any more once there is success; a lack of memory and an interrupt are told.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/linear/dirichlet_system.h"
#include "fallbacks.h"
#include "stiff_membrane.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_status solved = DLS_OK, descended = DLS_OK; /* what the calls below do instead, or DLS_OK */
static size_t asked, fails_behind, descents;           /* solutions asked for; so many go well */

#define FAILING_AS(name, parameters, arguments, status, count, good)                                           \
  dls_status __real_##name parameters;                                                                         \
  dls_status __wrap_##name parameters;                                                                         \
  dls_status __wrap_##name parameters                                                                          \
  {                                                                                                            \
    return ++(count) > (good) && (status) != DLS_OK ? (status) : __real_##name arguments;                      \
  }
FAILING_AS(dls_dirichlet_system_solve,
           (dls_dirichlet_system * S, const unsigned char *held, const double *f, double *x, double *r),
           (S, held, f, x, r), solved, asked, fails_behind)
FAILING_AS(dls_dirichlet_system_estimate,
           (dls_dirichlet_system * S, const unsigned char *held, const double *f, double *x, double *r,
            bool *done),
           (S, held, f, x, r, done), solved, asked, fails_behind)
FAILING_AS(dls_dirichlet_system_descend,
           (dls_dirichlet_system * S, dls_bounds bounds, const double *f, double *x, unsigned char *held),
           (S, bounds, f, x, held), descended, descents, 0)

enum { N = 120 };
static const double gravity = 10, h = 0.01;

static void weigh(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = -gravity;
  }
}

/* Unit masses, nearly without a tie, of which 0, 2, 4, ... rest on the floor; the others fall from far above. */
static dls_sim *masses(const char *scheme)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  dls_system *sys = dls_system_create(N, N);
  sys->linear = true;
  sys->load = weigh;
  sys->M = dls_matrix_diagonal(N);
  sys->K = dls_matrix_band(N, 1, 1);
  sys->H = dls_matrix_sparse(N, N, N);
  for (size_t i = 0; i < N; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->K, i, i, 1e-14);
    dls_matrix_set(sys->H, i, i, 1);
    sys->q0[i] = i % 2 == 0 ? 0 : 1e5;
  }
  assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

static void end(dls_sim *sim)
{
  dls_system *sys = (dls_system *)sim->sys;
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* What rests is held by p = h g, what falls has -g t. */
static void check_step(const dls_sim *sim)
{
  for (size_t i = 0; i < N; i++) {
    assert_close(sim->v[i], i % 2 == 0 ? 0 : -gravity * sim->t, 1e-9 * gravity * (1 + sim->t));
    assert_close(sim->p[i], i % 2 == 0 ? gravity * h : 0, 1e-9 * gravity * h);
  }
}

/* @return the steps until the systems of a step are tried, at most so many */
static size_t steps_until_tried(dls_sim *sim, size_t most)
{
  size_t steps = 0;
  dls_error err = {0};
  for (asked = 0; asked == 0 && steps < most; steps++) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    check_step(sim);
  }
  return steps;
}

DLS_TEST(after_a_failure_W_is_asked_twice_as_long_as_after_the_last)
{
  dls_sim *sim = masses("moreau-jean");
  solved = DLS_ERR_NOCONV;
  assert_int_equal(steps_until_tried(sim, 2), 1);
  for (size_t away = 16; away <= 1024; away *= 2) {
    assert_int_equal(steps_until_tried(sim, 2000), away + 1);
  }
  assert_int_equal(fallbacks_to(&sim->work.fallbacks, "delassus-matrix"), 8);
  assert_int_equal(steps_until_tried(sim, 2000), 1024 + 1); /* no longer than that */
  solved = DLS_OK;
  assert_int_equal(steps_until_tried(sim, 2000), 1024 + 1);
  assert_int_equal(steps_until_tried(sim, 2), 1); /* there was success */
  solved = DLS_ERR_NOCONV;
  assert_int_equal(steps_until_tried(sim, 2), 1);
  assert_int_equal(steps_until_tried(sim, 2000), 16 + 1); /* from the beginning again */
  solved = DLS_OK;
  end(sim);
}

/* Those of the steps that it is made of, once each. */
DLS_TEST(an_extrapolated_step_counts_what_its_steps_fall_back_on)
{
  dls_error err = {0};
  dls_sim *sim = masses("moreau-jean-extrapolated");
  solved = DLS_ERR_NOCONV;
  asked = 0;
  assert_ok(dls_sim_advance(sim, h, &err), err);
  assert_true(asked > 0);
  assert_int_equal(fallbacks_to(&sim->work.fallbacks, "delassus-matrix"), asked);
  solved = DLS_OK;
  end(sim);
}

DLS_TEST(a_lack_of_memory_is_told)
{
  dls_error err = {0};
  dls_sim *sim = masses("moreau-jean");
  solved = DLS_ERR_MEMORY;
  assert_int_equal(dls_sim_advance(sim, h, &err), DLS_ERR_MEMORY);
  assert_non_null(strstr(err.text, "no memory for 60 contacts"));
  solved = DLS_OK;
  end(sim);
}

enum { SIDE = 40, COUNT = SIDE * SIDE };
static double pressure[COUNT];
static double side_of_floor = 1;

static void press(const dls_system *sys, double t, double *F)
{
  (void)sys;
  for (size_t i = 0; i < COUNT; i++) {
    F[i] = side_of_floor * pressure[i] * (1 + 0.3 * sin(5 * t));
  }
}

/* A stiff membrane arrives flat on a floor (side 1) or from below at a ceiling (-1), pressed in patches: step by step the rim of what
 * stays closed would move by a neighbour. */
static dls_sim *landing(double side)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  side_of_floor = side;
  dls_system *sys = stiff_membrane(SIDE, side, press);
  press_in_patches(SIDE, 0.2, 0.17, pressure);
  assert_ok(dls_sim_create(sys, dls_scheme_find("moreau-jean", &err), &sim, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  return sim;
}

DLS_TEST(a_ceiling_is_a_floor_upside_down)
{
  dls_error err = {0};
  dls_sim *down = landing(1), *up = NULL;
  double fast = 0, push = 0;
  descents = 0;
  assert_ok(dls_sim_advance(down, h, &err), err);
  assert_true(descents > 0);
  up = landing(-1);
  assert_ok(dls_sim_advance(up, h, &err), err);
  assert_int_equal(up->work.lcp_pivots, down->work.lcp_pivots); /* the rim is found as quickly */
  for (size_t i = 0; i < COUNT; i++) {
    fast = fmax(fast, fabs(down->v[i]));
    push = fmax(push, down->p[i]);
  }
  for (size_t i = 0; i < COUNT; i++) {
    assert_close(up->v[i], -down->v[i], 1e-10 * fast);
    assert_close(up->p[i], down->p[i], 1e-10 * push);
    assert_true(down->p[i] >= 0 && down->v[i] >= -1e-12 * fast);
    assert_close(down->p[i] * down->v[i], 0, 1e-12 * fast * push);
  }
  assert_true(push > 0 && fast > 0);
  end(down);
  end(up);
}

/* The velocity in front of the jump, of a step that had none, is found by factors. */
DLS_TEST(the_left_limit_needs_no_success)
{
  dls_error err = {0};
  dls_sim *sim = landing(1), *other = NULL;
  double fast = 0;
  asked = 0;
  assert_ok(dls_sim_advance(sim, h, &err), err);
  assert_true(sim->jump && sim->work.factorizations == 0);
  fails_behind = asked - 1;
  solved = DLS_ERR_NOCONV;
  asked = 0;
  other = landing(1);
  assert_ok(dls_sim_advance(other, h, &err), err);
  solved = DLS_OK;
  fails_behind = 0;
  assert_int_equal(other->work.factorizations, 1);
  for (size_t i = 0; i < COUNT; i++) {
    fast = fmax(fast, fabs(sim->v_left[i]));
    assert_true(other->v[i] == sim->v[i] && other->p[i] == sim->p[i]);
  }
  for (size_t i = 0; i < COUNT; i++) {
    assert_close(other->v_left[i], sim->v_left[i], 1e-9 * fast);
  }
  assert_true(fast > 0);
  end(sim);
  end(other);
}

DLS_TEST(a_descent_without_memory_is_told)
{
  dls_error err = {0};
  dls_sim *sim = landing(1);
  descended = DLS_ERR_MEMORY;
  assert_int_equal(dls_sim_advance(sim, h, &err), DLS_ERR_MEMORY);
  assert_non_null(strstr(err.text, "no memory for 1600 contacts"));
  descended = DLS_OK;
  end(sim);
}

static bool no(void *data)
{
  (void)data;
  return false;
}

DLS_TEST(an_interrupt_is_told)
{
  dls_error err = {0};
  dls_sim *sim = landing(1);
  sim->work.interrupt = (dls_interrupt_poll){no, NULL};
  assert_int_equal(dls_sim_advance(sim, h, &err), DLS_ERR_INTERRUPTED);
  assert_non_null(strstr(err.text, "interrupted in a contact problem of 1600 contacts"));
  end(sim);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(after_a_failure_W_is_asked_twice_as_long_as_after_the_last),
      cmocka_unit_test(an_extrapolated_step_counts_what_its_steps_fall_back_on),
      cmocka_unit_test(a_lack_of_memory_is_told),
      cmocka_unit_test(a_ceiling_is_a_floor_upside_down),
      cmocka_unit_test(the_left_limit_needs_no_success),
      cmocka_unit_test(a_descent_without_memory_is_told),
      cmocka_unit_test(an_interrupt_is_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
