/* test_study_reasons.c -- what studies make of runs that fail, of journals that cannot be kept and of errors and work of single lines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/advise/advise.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/spectrum/spectrum.h"
#include "experiments/measures/sweep/grid.h"
#include "experiments/request/request.h"
#include "toy_study.h"

#include <delassus/study_file.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

/* --- sweeps --- */

/* Sixteen runs by events, one cell at a time. */
static dls_study_file *read_sweep(void)
{
  static const char text[] = "kind: run\ntitle: T\nmodel: bouncing-ball\nschemes: event-driven\nend: 1.5\n"
                             "sweep: e=0.1:0.9:16\nof: q0\n";
  dls_error err = {0};
  dls_study_file *file = NULL;
  assert_ok(dls_study_read(text, strlen(text), &file, &err), err);
  return file;
}

typedef struct keeper {
  atomic_int inside;
  atomic_bool together;
  atomic_size_t cells, calls;
  size_t most; /* calls that succeed */
} keeper;

/* Takes a while: another thread would have time to come in. */
static dls_status keep(void *data, const size_t *cells, size_t count, dls_error *err)
{
  (void)cells;
  keeper *k = data;
  k->together = k->together || atomic_fetch_add(&k->inside, 1) > 0;
  nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  k->cells += count;
  const size_t call = ++k->calls;
  atomic_fetch_sub(&k->inside, 1);
  return call <= k->most ? DLS_OK : dls_fail(err, DLS_ERR_IO, "call %zu cannot be kept", call);
}

static dls_status run_sweep(size_t jobs, keeper *k, dls_grid **grid, dls_study_file *file, dls_error *err)
{
  dls_grid_spec spec = dls_request_grid_spec(file->studies[0].request);
  spec.errors.jobs = jobs;
  spec.keep = keep;
  spec.keep_data = k;
  assert_ok(dls_grid_create(&spec, grid, err), *err);
  return dls_grid_run(*grid, err);
}

DLS_TEST(cells_are_kept_by_one_thread_at_a_time)
{
  dls_error err = {0};
  dls_grid *grid = NULL;
  keeper k = {.most = 16};
  dls_study_file *file = read_sweep();
  assert_ok(run_sweep(4, &k, &grid, file, &err), err);
  assert_false(k.together);
  assert_int_equal(k.cells, 16);
  assert_int_equal(k.calls, 16);
  assert_true(grid->complete);
  dls_grid_destroy(grid);
  dls_study_destroy(file);
}

DLS_TEST(what_cannot_be_kept_first_ends_a_sweep)
{
  for (size_t jobs = 1; jobs <= 4; jobs += 3) {
    dls_error err = {0};
    dls_grid *grid = NULL;
    keeper k = {.most = 3};
    dls_study_file *file = read_sweep();
    assert_int_equal(run_sweep(jobs, &k, &grid, file, &err), DLS_ERR_IO);
    assert_string_equal(err.text, "call 4 cannot be kept");
    assert_false(grid->complete);
    assert_between((double)k.calls, 4, 3 + (double)jobs); /* those that are under way */
    dls_grid_destroy(grid);
    dls_study_destroy(file);
  }
}

/* --- spectra --- */

static const dls_option none[] = {{0}};

/* Symplectic Euler of q'' = -4 pi^2 q that has no solution for steps of more than 0.075. */
static dls_status give_up(dls_sim *sim, double h, dls_error *err)
{
  if (h > 0.075) {
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "the step %.17g is too long", h);
  }
  sim->v[0] -= h * 39.478417604357434 * sim->q[0];
  sim->q[0] += h * sim->v[0];
  return DLS_OK;
}

static const dls_scheme failing = {.name = "give-up",
                                   .summary = "fails",
                                   .source = "this test",
                                   .options = none,
                                   .stepping = DLS_BY_STEP,
                                   .advance = give_up};

DLS_TEST(a_step_that_fails_has_its_reason_in_its_own_point)
{
  static const char *const name = "give-up";
  const dls_scheme_choice choice = {&failing, ""};
  dls_error err = {0};
  dls_spectrum *s = NULL;
  const dls_spectrum_spec spec = {.schemes = &choice,
                                  .labels = &name,
                                  .scheme_count = 1,
                                  .first = 0.025,
                                  .last = 0.2,
                                  .levels = 4, /* h = 0.025, 0.05, 0.1, 0.2 */
                                  .oscillator = {0, 0.5}};
  assert_ok(dls_spectrum_run(&spec, NULL, NULL, &s, &err), err);
  assert_true(s->complete);
  assert_int_equal(s->point_count, 4);
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(s->points[i].failure[0] != '\0', i >= 2);
    assert_true(i < 2 || strstr(s->points[i].failure, "is too long") != NULL);
  }
  assert_true(isnan(s->limits[0]));
  dls_spectrum_destroy(s);
}

/* --- errors --- */

static const char *const quantities[] = {"q", "v"};

/* Sizes of two norms of two quantities; what is more than ten times as large explodes. */
DLS_TEST(an_error_explodes_by_the_size_of_its_own_line)
{
  double sizes[] = {1, 10, 100, 1000};
  const dls_order_study study = {.spec = {.norm_count = 2, .of_count = 2, .of = quantities}, .sizes = sizes};
  for (size_t i = 0; i < 4; i++) {
    const dls_order_line line = {.norm = i / 2, .of = i % 2};
    assert_false(dls_order_explodes(&study, &line, 9.9 * sizes[i]));
    assert_true(dls_order_explodes(&study, &line, 10.1 * sizes[i]));
  }
}

/* The fit of six levels of `repeats` errors, which grow by 1 % from run to run. */
static dls_order_line fit_of_levels(size_t repeats, const double *level_error)
{
  enum { LEVELS = 6, REPEATS = 3, POINTS = LEVELS * REPEATS };
  const dls_scheme_choice choice = {&toy, ""};
  dls_order_point points[POINTS] = {{0}};
  double floors[] = {1e-13}, sizes[] = {1}, h[POINTS], error[POINTS];
  dls_error err = {0};
  dls_order_line line = {0};
  const size_t count = LEVELS * repeats;
  for (size_t i = 0; i < count; i++) {
    const size_t level = i / repeats;
    h[i] = 0.1 * pow(0.5, (double)level) * (1 + 0.1 * (double)(i % repeats));
    error[i] = level_error[level] * (1 + 0.01 * (double)(i % repeats));
    points[i] = (dls_order_point){.level = level, .step = h[i], .tol = NAN, .error = {error[i], 0}};
  }
  const dls_order_study study = {.spec = {.levels = LEVELS,
                                          .repeats = repeats,
                                          .scheme_count = 1,
                                          .schemes = &choice,
                                          .norm_count = 1,
                                          .of_count = 1,
                                          .of = quantities},
                                 .points = points,
                                 .point_count = count,
                                 .floors = floors,
                                 .sizes = sizes};
  assert_ok(dls_order_fit(&study, DLS_AGAINST_STEP, count, h, error, &line, &err), err);
  assert_false(line.fitted);
  return line;
}

/* A flat line is a plateau only if its medians lie on it; what scatters around it converges to nothing. */
DLS_TEST(errors_that_scatter_around_a_flat_line_are_no_plateau)
{
  const dls_order_line plateau = fit_of_levels(3, (double[]){0.03, 0.025, 0.03, 0.03, 0.025, 0.03}),
                       scatter = fit_of_levels(3, (double[]){0.1, 0.01, 0.1, 0.1, 0.01, 0.1});
  assert_non_null(strstr(plateau.reason, "plateau: converges to something else, error 0.03 at every step"));
  assert_non_null(
      strstr(scatter.reason, "no order: medians scatter by a factor of up to 10 around 0.1; 95 % interval -"));
  assert_null(strstr(scatter.reason, "plateau"));
}

/* An error that may fall by an order of 0.25 is no plateau: neither all of it, nor its small steps. */
DLS_TEST(plateaus_have_intervals_without_orders)
{
  const dls_order_line wide = fit_of_levels(1, (double[]){0.018, 0.03, 0.016, 0.03, 0.018, 0.03}),
                       slow = fit_of_levels(3, (double[]){0.64, 0.16, 0.04, 0.01, 0.0075, 0.0056}),
                       ends = fit_of_levels(3, (double[]){0.64, 0.16, 0.04, 0.01, 0.0098, 0.0097});
  assert_non_null(strstr(wide.reason, "no order: medians scatter by a factor of up to 1.4 around 0.023; "
                                      "95 % interval -0.38 to 0.24"));
  assert_non_null(strstr(slow.reason, "order 1.97 with large steps, 0.41 with small steps"));
  assert_non_null(strstr(ends.reason, "plateau: order 1.97 at first, then converges to something else"));
}

/* --- advice --- */

enum { TOY_TOL };
static const dls_option tolerance[] = {
    [TOY_TOL] = {.name = "tol", .unit = "1", .help = "tolerance", .initial = 1e-3, .min = 0, .max = 1},
    {0},
};

/* v = exact + tol/2 in steps of an eighth, with ten evaluations a step, nine below 1e-3: as an integrator may that takes a higher order. */
static dls_status by_tolerance(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->t += fmin(h, 0.125);
  toy_state(sim, sim->t, 0.5 * sim->opt[TOY_TOL]);
  sim->work.force_evals += sim->opt[TOY_TOL] > 1e-3 ? 10 : 9;
  return DLS_OK;
}

static const dls_scheme tolerant = {.name = "tolerant",
                                    .summary = "exact solution plus half the tolerance",
                                    .source = "this test",
                                    .equations = "",
                                    .remarks = "",
                                    .options = tolerance,
                                    .stepping = DLS_BY_EVENT,
                                    .advance = by_tolerance};

DLS_TEST(a_smaller_tolerance_with_a_tenth_less_work_is_the_better_advice)
{
  const dls_scheme_choice choice = {&tolerant, ""};
  dls_error err = {0};
  dls_advised *advised = NULL;
  dls_advise_spec spec = {
      .order = toy_spec(1, &choice), .error = 1e-2, .against = DLS_AGAINST_EVALS, .most_steps = 1e4};
  assert_ok(dls_advise(&spec, &advised, &err), err);
  assert_true(advised->complete);
  assert_int_equal(advised->count, 1);
  const dls_advice *a = &advised->advice[0];
  assert_int_equal(a->kind, DLS_ADVICE_REACHED);
  assert_close(a->work, 8 * 9, 0);
  assert_between(a->value, 4e-4, 1e-3); /* the first of them */
  assert_between(a->error, 0.4 * a->value, 0.5 * a->value + 1e-9);
  dls_advised_destroy(advised);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cells_are_kept_by_one_thread_at_a_time),
      cmocka_unit_test(what_cannot_be_kept_first_ends_a_sweep),
      cmocka_unit_test(a_step_that_fails_has_its_reason_in_its_own_point),
      cmocka_unit_test(an_error_explodes_by_the_size_of_its_own_line),
      cmocka_unit_test(errors_that_scatter_around_a_flat_line_are_no_plateau),
      cmocka_unit_test(plateaus_have_intervals_without_orders),
      cmocka_unit_test(a_smaller_tolerance_with_a_tenth_less_work_is_the_better_advice),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
