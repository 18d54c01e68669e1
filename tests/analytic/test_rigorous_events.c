/* test_rigorous_events.c -- impacts on a rope, stick, slip and reversal: an event that is left out of the list is found out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include "check.h"

enum { PREC = 200, NARROW = 120 };

static dls_ball_solution solve(const char *model, size_t count, const char *const *names,
                               const char *const *values, const char *end)
{
  dls_ball_solution sol;
  dls_error err = {0};
  const dls_rigorous_problem problem = {
      .model = model, .parameter_count = count, .names = names, .values = values, .end = end, .digits = 30};
  assert_int_equal(dls_ball_solve(&problem, PREC, NARROW, &sol, &err), DLS_OK);
  return sol;
}

static const double SHORT = 1e-12; /* s */

/* Is it proven that what is watched on piece i has its sign until just before the start of piece j? */
static dls_ball_verdict claim(const dls_ball_solution *sol, size_t i, size_t j, arb_srcptr w, int sign)
{
  const dls_ball_piece *piece = &sol->piece[i];
  arb_t last;
  arf_t low, high;
  arb_init(last);
  arf_init(low);
  arf_init(high);
  arb_sub(last, sol->piece[j].t, piece->t, PREC);
  arb_get_lbound_arf(high, last, PREC);
  arf_set_d(low, SHORT);
  arf_sub(high, high, low, PREC, ARF_RND_DOWN);
  arf_zero(low);
  const dls_ball_watch watch = {.flow = piece->flow, .w = w, .x = piece->x, .sign = sign, .lead = piece->lead};
  const dls_ball_verdict verdict = dls_ball_one_sign(&watch, low, high, PREC);
  arb_clear(last);
  arf_clear(low);
  arf_clear(high);
  return verdict;
}

/* With its end a piece keeps its sign; without the event at its end it does not. */
static void check_piece(const dls_ball_solution *sol, size_t i, arb_srcptr w, int sign)
{
  assert_int_equal(claim(sol, i, i + 1, w, sign), DLS_BALL_NONE);
  assert_int_equal(claim(sol, i, i + 2, w, sign), DLS_BALL_FOUND);
}

DLS_TEST(an_impact_on_the_rope_that_is_left_out_is_found_out)
{
  static const char *const names[] = {"m", "l", "g", "e", "x0", "y0", "vx0", "vy0"}, *const values[] = {
                                                                                         "1",    "2", "9.81",
                                                                                         "0.95", "1", "1",
                                                                                         "0",    "0"};
  enum { H = 5 }; /* l^2 - |x|^2 */
  dls_ball_solution sol = solve("rope", 8, names, values, "6");
  arb_ptr gap = _arb_vec_init(sol.k);
  arb_one(gap + H);
  assert_in_range(sol.count, 8, 40);
  for (size_t i = 0; i + 2 < sol.count; i++) {
    check_piece(&sol, i, gap, 1);
  }
  _arb_vec_clear(gap, sol.k);
  dls_ball_solution_clear(&sol);
}

/* Slip: its speed has one sign. Stick: F - |friction| is positive. */
static void check_friction(const dls_ball_solution *sol, const char *limit, double vb)
{
  enum { V = 1, ONE = 2 };
  const slong speed = dls_ball_solution_column(sol, "u0t"), force = dls_ball_solution_column(sol, "lambda0t");
  arb_ptr margin = _arb_vec_init(sol->k);
  int sticks = 0;
  for (size_t i = 0; i + 2 < sol->count; i++) {
    const dls_ball_piece *piece = &sol->piece[i], *next = &sol->piece[i + 1];
    arb_t r;
    arb_init(r);
    dls_ball_solution_value(r, sol, piece->rows, force, next->left, PREC);
    const int side = arb_is_positive(r) ? 1 : -1;
    arb_set_d(r, vb); /* what sticks, and what begins to slip, has the velocity of the belt without an error */
    assert_true(i == 0 || arb_equal(piece->x + V, r));
    if (piece->mode != 0) { /* a slip of the sign that friction does not have */
      check_piece(sol, i, arb_mat_entry(piece->rows, speed, 0), -side);
    } else {
      arb_set_si(r, -side);
      _arb_vec_scalar_mul(margin, arb_mat_entry(piece->rows, force, 0), sol->k, r, PREC);
      arb_set_str(r, limit, PREC);
      arb_add(margin + ONE, margin + ONE, r, PREC);
      assert_int_equal(claim(sol, i, i + 1, margin, 1), DLS_BALL_NONE);
      assert_int_equal(claim(sol, i, i + 2, margin, 1), DLS_BALL_FOUND);
      sticks++;
    }
    arb_clear(r);
  }
  assert_in_range(sticks, 2, sol->count);
  _arb_vec_clear(margin, sol->k);
}

DLS_TEST(a_stick_slip_or_reversal_that_is_left_out_is_found_out)
{
  static const char *const block[] = {"m", "A", "omega", "phase", "F", "q0", "v0", "g"},
                           *const block_values[] = {"1", "1", "1", "0", "0.7", "0", "0", "9.81"};
  dls_ball_solution sol = solve("forced-block", 8, block, block_values, "20");
  assert_in_range(sol.count, 10, 20);
  check_friction(&sol, "0.7", 0);
  dls_ball_solution_clear(&sol);
  static const char *const belt[] = {"m", "k", "F", "Fs", "vb", "q0", "v0", "g", "t1", "vb1"},
                           *const belt_values[] = {"1", "1", "1", "1.5", "0.5", "0", "0", "9.81", "0", "0"};
  sol = solve("belt", 10, belt, belt_values, "40");
  assert_in_range(sol.count, 8, 20);
  check_friction(&sol, "1.5", 0.5);
  dls_ball_solution_clear(&sol);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_on_the_rope_that_is_left_out_is_found_out),
      cmocka_unit_test(a_stick_slip_or_reversal_that_is_left_out_is_found_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
