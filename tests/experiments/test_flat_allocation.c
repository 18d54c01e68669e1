/* test_flat_allocation.c -- models and schemes of other languages, checks, references, studies, fits and energies of the flat interface: what
 * they compute, and what happens when memory runs out: a message, no leak, and the catalogue as it was.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include <delassus/catalogue.h>
#include <delassus/flat.h>
#include <math.h>
#include <string.h>

static char error[400];

/* --- a mass on a spring above a floor, as matrices, and as functions --- */

static const size_t zero[] = {0};
static const double two[] = {2}, forty[] = {40}, one[] = {1};
static const dls_flat_matrix matrices[] = {
    {"M", 1, 1, 1, zero, zero, two},
    {"K", 1, 1, 1, zero, zero, forty},
    {"HT", 1, 1, 1, zero, zero, one},
    {"q0", 1, 1, 1, zero, zero, one},
};
enum { MATRICES = sizeof matrices / sizeof matrices[0] };

static void force(void *data, double t, const double *q, const double *v, double *F)
{
  (void)data, (void)t, (void)v;
  F[0] = -40 * q[0];
}
static void stiffness(void *data, double t, const double *q, const double *v, double *K)
{
  (void)data, (void)t, (void)q, (void)v;
  K[0] = 40;
}
static void damping(void *data, double t, const double *q, const double *v, double *C)
{
  (void)data, (void)t, (void)q, (void)v;
  C[0] = 0;
}
static void gap(void *data, double t, const double *q, const double *v, double *g)
{
  (void)data, (void)t, (void)v;
  g[0] = q[0];
}
static void gradient(void *data, double t, const double *q, const double *v, double *H)
{
  (void)data, (void)t, (void)q, (void)v;
  H[0] = 1;
}
static const dls_flat_functions functions = {.n = 1,
                                             .m = 1,
                                             .q0 = one,
                                             .v0 = (const double[]){0},
                                             .M = two,
                                             .gradient = gradient,
                                             .force = force,
                                             .stiffness = stiffness,
                                             .damping = damping,
                                             .gap = gap};

/* Symplectic Euler. */
static int step(void *data, dls_flat_configuration *config, double t, double h, double *q, double *v,
                char *text, size_t size)
{
  (void)data;
  double a, g, ahead = q[0] + h * v[0];
  if (dls_flat_configuration_acceleration(config, t, q, v, &a, text, size) != 0) {
    return 1;
  }
  const double minus = v[0], free_velocity = v[0] + h * a;
  dls_flat_configuration_gap(config, t + h, &ahead, &g);
  const int status = dls_flat_configuration_impact(config, t + h, q, &minus, &free_velocity,
                                                   &(const int){g <= 0}, v, text, size);
  q[0] += h * v[0];
  return status;
}

static dls_catalogue *catalogue_with_all(void)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  assert_int_equal(dls_flat_matrices(catalogue, "of-matrices", MATRICES, matrices, error, sizeof error), 0);
  assert_int_equal(dls_flat_add_functions(catalogue, "of-functions", &functions, error, sizeof error), 0);
  assert_int_equal(dls_flat_add_step(catalogue, "my-euler", step, NULL, error, sizeof error), 0);
  return catalogue;
}

static double end_of(dls_catalogue *catalogue, const char *model, const char *scheme, double *impulses)
{
  dls_trajectory *traj = NULL;
  const char *const e[] = {"e=0.5"};
  double q[3000], p[3000];
  assert_int_equal(
      dls_flat_run(catalogue, model, 1, e, scheme, 1e-3, 1, NULL, NULL, &traj, error, sizeof error), 0);
  const size_t rows = dls_flat_rows(traj);
  assert_between((double)rows, 1001, 2000);
  dls_flat_column(traj, 1, q);
  dls_flat_column(traj, 5, p);
  *impulses = 0;
  for (size_t i = 0; i < rows; i++) {
    *impulses += p[i];
  }
  dls_flat_free(traj);
  return q[rows - 1];
}

DLS_TEST(matrices_and_functions_are_one_system)
{
  dls_catalogue *catalogue = catalogue_with_all();
  static const char *const schemes[] = {"moreau-jean", "my-euler"};
  for (int i = 0; i < 2; i++) {
    double p, other;
    const double q = end_of(catalogue, "of-matrices", schemes[i], &p);
    assert_close(end_of(catalogue, "of-functions", schemes[i], &other), q, 1e-12);
    assert_close(other, p, 1e-11);
    /* falls with sqrt(20) to v = -sqrt(20) at t = pi / 2 / sqrt(20), then e sqrt(20) up for pi / sqrt(20), down again before t = 1:
     * impulses 2 (1 + e) sqrt(20) = 13.4 and half of it later than 1.05 s */
    assert_close(p, 2 * 1.5 * sqrt(20), 0.05);
    assert_close(q, 0.5 * sin(sqrt(20) - acos(-1.0) / 2), 0.02);
  }
  dls_flat_close(catalogue);
}

DLS_TEST(wrong_models_are_refused)
{
  dls_catalogue *catalogue = catalogue_with_all();
  const dls_flat_matrix outside[] = {{"M", 1, 1, 1, (const size_t[]){1}, zero, two}};
  assert_true(dls_flat_matrices(catalogue, "other", 1, outside, error, sizeof error) < 0);
  assert_non_null(strstr(error, "M: entry 0 is at (1, 0), outside of 1 x 1"));
  const size_t twice[] = {0, 0};
  const dls_flat_matrix doubled[] = {{"M", 1, 1, 2, twice, twice, (const double[]){1, 2}}};
  assert_true(dls_flat_matrices(catalogue, "other", 1, doubled, error, sizeof error) < 0);
  assert_non_null(strstr(error, "M(0, 0) is given twice"));
  const dls_flat_matrix again[] = {matrices[0], matrices[0]};
  assert_true(dls_flat_matrices(catalogue, "other", 2, again, error, sizeof error) < 0);
  assert_non_null(strstr(error, "M is given twice"));
  assert_true(dls_flat_matrices(catalogue, "of-matrices", MATRICES, matrices, error, sizeof error) < 0);
  assert_non_null(strstr(error, "'of-matrices' is taken"));
  dls_flat_functions without = functions;
  without.force = NULL;
  assert_true(dls_flat_add_functions(catalogue, "other", &without, error, sizeof error) < 0);
  assert_non_null(strstr(error, "needs n > 0, force"));
  without = functions;
  without.gap = NULL;
  assert_true(dls_flat_add_functions(catalogue, "other", &without, error, sizeof error) < 0);
  assert_non_null(strstr(error, "it needs gap"));
  assert_true(dls_catalogue_add(catalogue, NULL, NULL, NULL, NULL) == DLS_ERR_ARG);
  dls_flat_close(catalogue);
}

/* --- without memory --- */

typedef int attempt(dls_catalogue *catalogue);

static int add_matrices(dls_catalogue *catalogue)
{
  return dls_flat_matrices(catalogue, "more-matrices", MATRICES, matrices, error, sizeof error);
}
static int add_matrices_text(dls_catalogue *catalogue)
{
  static const char text[] = "M\n%%MatrixMarket matrix array real general\n1 1\n2\n"
                             "K\n%%MatrixMarket matrix coordinate real symmetric\n1 1 1\n1 1 40\n";
  return dls_flat_matrices_text(catalogue, "of-text", text, strlen(text), NULL, error, sizeof error);
}
static int add_functions(dls_catalogue *catalogue)
{
  return dls_flat_add_functions(catalogue, "more-functions", &functions, error, sizeof error);
}
static int add_step(dls_catalogue *catalogue)
{
  return dls_flat_add_step(catalogue, "my-other", step, NULL, error, sizeof error);
}

static int add_mechanism(dls_catalogue *catalogue)
{
  static const char text[] =
      "gravity: [0, -9.81]\nbodies:\n  - {name: rod, mass: 1, inertia: 0.1, at: [0.5, 0]}\n";
  return dls_flat_mechanism(catalogue, "rod", text, strlen(text), NULL, error, sizeof error);
}

/* Everything fails once at each allocation; nothing is added then, and nothing leaks. */
static void sweep(attempt *make)
{
  dls_catalogue *catalogue = catalogue_with_all();
  int status = -1;
  size_t failures = 0;
  for (size_t k = 1; status != 0; k++) {
    const long before = live;
    until_failure = k;
    status = make(catalogue);
    until_failure = 0;
    if (status != 0) {
      assert_true(error[0] != '\0');
      assert_int_equal(live, before);
      failures++;
    }
  }
  assert_between((double)failures, 3, 200);
  dls_flat_close(catalogue);
}

DLS_TEST(models_and_schemes_are_added_whole_or_not_at_all)
{
  sweep(add_matrices);
  sweep(add_matrices_text);
  sweep(add_functions);
  sweep(add_step);
  sweep(add_mechanism);
}

static int check(dls_catalogue *catalogue)
{
  dls_flat_check *result = NULL;
  const int status =
      dls_flat_check_model(catalogue, "of-functions", 0, NULL, 2, 1, &result, error, sizeof error);
  if (status == 0 &&
      !failed) { /* without memory for a matrix, its values are not finite and agree with nothing */
    const char *meaning = NULL;
    double values[9];
    assert_string_equal(dls_flat_check_row(result, 0, &meaning, values), "stiffness");
    assert_string_equal(meaning, "-dF/dq");
    assert_close(values[0], 1, 0); /* agrees */
    assert_close(values[3], 40, 1e-6);
  }
  dls_flat_check_free(result);
  return status;
}

static int run(dls_catalogue *catalogue)
{
  dls_trajectory *traj = NULL;
  const int status = dls_flat_run(catalogue, "of-matrices", 0, NULL, "my-euler", 0.1, 0.5, NULL, NULL, &traj,
                                  error, sizeof error);
  dls_flat_free(traj);
  return status;
}

static int ledger(dls_catalogue *catalogue)
{
  dls_trajectory *rows = NULL;
  char *table = NULL;
  const int status = dls_flat_energy(catalogue, "of-matrices", 0, NULL, "moreau-jean", 0.1, 0.5, NULL, NULL,
                                     &rows, &table, error, sizeof error);
  if (status == 0) {
    assert_non_null(strstr(table, "energy at the start"));
    assert_int_equal(dls_flat_rows(rows), 6);
  }
  dls_flat_free(rows);
  dls_flat_text_free(table);
  return status;
}

/* A reference, the distance of a run from it, its graph, a line; a system. */
static int measure(dls_catalogue *catalogue)
{
  static const double x[] = {0.1, 0.05, 0.025}, errors[] = {0.1, 0.05, 0.025};
  const char *const settings[] = {"e=0.5", "law=newton"};
  const dls_flat_points points = {.count = 3, .x = x, .errors = errors};
  dls_flat_reference *reference = NULL;
  dls_flat_system *system = NULL;
  dls_trajectory *traj = NULL, *line = NULL;
  double values[2], fitted[DLS_FLAT_LINE_VALUES];
  char words[300];
  int status = dls_flat_reference_create(catalogue, "bouncing-ball", 1, settings, 1.5, 0, 0, NULL, NULL, NULL,
                                         &reference, error, sizeof error);
  if (status == 0) {
    status = dls_flat_run(catalogue, "bouncing-ball", 2, settings, "moreau-jean", 0.1, 1.5, NULL, NULL, &traj,
                          error, sizeof error);
  }
  if (status == 0) {
    status = dls_flat_distance(reference, traj, "hausdorff", "v", values, error, sizeof error);
  }
  if (status == 0) {
    status = dls_flat_graph(dls_flat_reference_rows(reference), "v0", 100, &line, error, sizeof error);
  }
  if (status == 0) {
    status = dls_flat_line(reference, "moreau-jean", "l1", "q", &points, fitted, words, sizeof words, error,
                           sizeof error);
  }
  if (status == 0) {
    status = dls_flat_system_create(catalogue, "bouncing-ball", 2, settings, &system, error, sizeof error);
  }
  if (status == 0) {
    status = dls_flat_system_treats(system, "moreau-jean", error, sizeof error);
  }
  dls_flat_system_free(system);
  dls_flat_free(line);
  dls_flat_free(traj);
  dls_flat_reference_free(reference);
  return status;
}

static int lesson(dls_catalogue *catalogue)
{
  static const char *const values[] = {"0.5", "1", "0.3"};
  dls_flat_lesson *made = NULL;
  char *text = NULL;
  (void)catalogue; /* lessons have their own */
  int status = dls_flat_lesson_create("moreau-jean", &made, error, sizeof error);
  if (status == 0) {
    status = dls_flat_lesson_run(made, 3, values, &text, error, sizeof error);
  }
  dls_flat_text_free(text);
  dls_flat_lesson_free(made);
  return status;
}

static int command(dls_catalogue *catalogue)
{
  const char *const options[] = {"scheme", "step"}, *const values[] = {"moreau-jean", "0.1"};
  char *text = NULL;
  const int status =
      dls_flat_command(catalogue, "run", "bouncing-ball", 2, options, values, &text, error, sizeof error);
  dls_flat_text_free(text);
  return status;
}

static int perform(dls_catalogue *catalogue, const char *text)
{
  dls_flat_file *file = NULL;
  int status = dls_flat_file_read(catalogue, text, strlen(text), &file, error, sizeof error);
  if (status == 0) {
    status = dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error);
  }
  dls_flat_file_free(file);
  return status;
}
static int order(dls_catalogue *catalogue)
{
  return perform(catalogue, "title: t\nkind: order\nmodel: bouncing-ball\nschemes: [moreau-jean]\nend: 0.5\n"
                            "steps: {first: 0.1, last: 0.05, levels: 2}\nrepeats: 1\nnorms: [l1]\nof: [q]\n");
}
static int compare(dls_catalogue *catalogue)
{
  return perform(catalogue,
                 "title: t\nkind: compare\nmodel: bouncing-ball\nschemes: [moreau-jean]\nend: 0.5\n"
                 "step: 0.1\nof: [q0]\nexpect:\n  - {quantity: last, of: q0, scheme: moreau-jean, above: 0}\n");
}

static int cycle(dls_catalogue *catalogue)
{
  return perform(catalogue, "title: t\nkind: run\nmodel: belt\nparameters: {Fs: 1.5}\nschemes: event-driven\n"
                            "end: 20\ncycle: \"stick:0\"\n");
}
static int fit_of_file(dls_catalogue *catalogue)
{
  return perform(catalogue, "title: t\nkind: fit\nmodel: bouncing-ball\nparameters: {e: 0.7}\nby: e\nof: q0\n"
                            "data: {parameters: {e: 0.8}, end: 1.3, rows: 4}\n");
}
/* Data of a free fall: q0 = 1 - t^2. */
static int fit(dls_catalogue *catalogue)
{
  static const double t[] = {0.1, 0.2, 0.3}, values[] = {0.99, 0.96, 0.91};
  const char *const of[] = {"q0"}, *const by[] = {"q0"}, *const settings[] = {"q0=0.9"};
  const dls_flat_fit_spec spec = {.rows = 3,
                                  .of_count = 1,
                                  .by_count = 1,
                                  .t = t,
                                  .values = values,
                                  .of = of,
                                  .by = by,
                                  .level = 0.95,
                                  .tol = 1e-4,
                                  .iterations = 5,
                                  .starts = 1};
  dls_flat_fit *made = NULL;
  double found = 0, curve[3], half[3];
  int status = dls_flat_fit_run(catalogue, "bouncing-ball", 1, settings, "event-driven", &spec, &made, error,
                                sizeof error);
  if (status == 0) {
    assert_int_equal(dls_flat_fit_numbers(made, "value", 1, &found), 1);
    assert_close(found, 1, 1e-4);
    status = dls_flat_fit_curve(made, 3, t, curve, half, error, sizeof error);
  }
  dls_flat_fit_free(made);
  return status;
}

/* What is not kept leaves nothing behind. Of many runs, in which the same allocations come again, an allocation fails after every 1/part of those
 * before it. */
static void sweep_some(attempt *make, size_t part)
{
  dls_catalogue *catalogue = catalogue_with_all();
  const long before = live;
  int status = -1;
  for (size_t k = 1; status != 0; k += 1 + k / part) {
    failed = false;
    until_failure = k;
    status = make(catalogue);
    until_failure = 0;
    assert_true(status == 0 || failed);
    assert_true(status == 0 || error[0] != '\0');
    assert_int_equal(live, before);
  }
  dls_flat_close(catalogue);
}

static void sweep_results(attempt *make)
{
  sweep_some(make, SIZE_MAX);
}

DLS_TEST(checks_runs_and_ledgers_leave_nothing_behind)
{
  sweep_results(check);
  sweep_results(run);
  sweep_results(ledger);
}

DLS_TEST(references_commands_studies_and_lessons_leave_nothing_behind)
{
  sweep_results(measure);
  sweep_results(lesson);
  sweep_results(command);
  sweep_results(order);
  sweep_results(compare);
}

DLS_TEST(limit_cycles_and_fits_leave_nothing_behind)
{
  sweep_some(cycle, 40);
  sweep_some(fit_of_file, 40);
  sweep_some(fit, 40);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_and_functions_are_one_system),
      cmocka_unit_test(wrong_models_are_refused),
      cmocka_unit_test(models_and_schemes_are_added_whole_or_not_at_all),
      cmocka_unit_test(checks_runs_and_ledgers_leave_nothing_behind),
      cmocka_unit_test(references_commands_studies_and_lessons_leave_nothing_behind),
      cmocka_unit_test(limit_cycles_and_fits_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
