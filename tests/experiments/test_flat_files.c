/* test_flat_files.c -- mechanisms, matrices and studies from texts, commands of the tool: as from files, with the place of what is wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/flat.h>
#include <delassus/study_file.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char error[400];

static void assert_contains(const char *text, const char *part)
{
  if (text == NULL || strstr(text, part) == NULL) {
    fail_msg("\"%s\" is not in \"%s\"", part, text != NULL ? text : "NULL");
  }
}

static void assert_refused(int status, const char *text)
{
  assert_true(status < 0);
  assert_contains(error, text);
}

/* --- mechanisms --- */

static const char pendulum[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: rod, mass: 1, inertia: 0.1, at: [0.5, 0], points: {axle: [-0.5, 0]}}\n"
    "joints:\n"
    "  - {name: bearing, type: revolute, a: ground, b: rod.axle}\n";

/* E is conserved by a scheme that preserves it; the axle stays where it is. */
DLS_TEST(a_mechanism_from_a_text_is_a_model)
{
  dls_catalogue *catalogue = NULL;
  dls_flat_system *system = NULL;
  dls_trajectory *run = NULL;
  size_t place[2] = {7, 7};
  double sizes[7];
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  assert_int_equal(
      dls_flat_mechanism(catalogue, "pendulum", pendulum, strlen(pendulum), place, error, sizeof error), 0);
  assert_int_equal(place[0], 0);
  assert_int_equal(dls_flat_system_create(catalogue, "pendulum", 0, NULL, &system, error, sizeof error), 0);
  dls_flat_system_sizes(system, sizes);
  assert_close(sizes[0], 4, 0);
  assert_close(sizes[1], 0, 0);
  assert_true(sizes[3] >= 3);
  assert_int_equal(dls_flat_run(catalogue, "pendulum", 0, NULL, "energy-preserving", 1e-3, 0.5, NULL, NULL,
                                &run, error, sizeof error),
                   0);
  const double *last = dls_flat_values(run) + (dls_flat_rows(run) - 1) * dls_flat_columns(run);
  assert_close(hypot(last[1], last[2]), 0.5, 1e-9);
  assert_between(last[2], -0.5, -0.05);
  dls_flat_free(run);
  dls_flat_system_free(system);

  char *text = NULL;
  const char *const options[] = {"scheme", "step", "end"}, *const values[] = {"energy-preserving", "1e-3",
                                                                              "0.5"};
  assert_int_equal(
      dls_flat_command(catalogue, "run", "pendulum", 3, options, values, &text, error, sizeof error), 0);
  assert_string_equal(text, "delassus run multibody --set mechanism=pendulum.yaml --scheme energy-preserving "
                            "--end 0.5 --step 1e-3");
  dls_flat_text_free(text);
  dls_flat_close(catalogue);
}

DLS_TEST(what_is_wrong_in_a_mechanism_has_its_place)
{
  static const struct {
    const char *name, *text, *message;
    size_t line, column;
  } cases[] = {
      {"a", "gravity: [0, -9.81]\nbodies:\n  - {name: rod, mass: -1, inertia: 1, at: [0, 0]}\n", "a:3:5: ", 3,
       5},
      {"a", "bodies: []\n", "a:1:9: ", 1, 9},
      {"a", "colour: red\n", "colour", 1, 1},
      {"a", "bodies: [\n", "a:", 2, 1},
      {"", "bodies: []\n", "has no name", 0, 0},
      {"bouncing-ball", pendulum, "bouncing-ball", 0, 0},
      {"a", NULL, "text = NULL", 0, 0},
  };
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t place[2] = {7, 7};
    const size_t length = cases[i].text != NULL ? strlen(cases[i].text) : 0;
    assert_refused(
        dls_flat_mechanism(catalogue, cases[i].name, cases[i].text, length, place, error, sizeof error),
        cases[i].message);
    assert_int_equal(place[0], cases[i].line);
    assert_int_equal(place[1], cases[i].column);
    assert_true(dls_flat_mechanism(catalogue, cases[i].name, cases[i].text, length, NULL, NULL, 0) < 0);
  }
  dls_flat_close(catalogue);
}

/* --- matrices --- */

#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

/* Two masses on springs, the first above a floor. */
static const char matrices[] =
    "\n  M \r\n" SYMMETRIC "% masses\n2 2 2\n1 1 1\n2 2 2\n\n"
    "K\n%%matrixmarket MATRIX coordinate real symmetric\n2 2 2\n1 1 40\n2 2 80\n% gradients\n"
    "HT\n" ARRAY "1 2\n1\n0\nq0\n" ARRAY "2 1\n0.5\n0.25";

/* Each mass swings with sqrt(40) rad/s until the first touches the floor at t = 0.248. */
DLS_TEST(matrices_from_a_text_are_a_model)
{
  dls_catalogue *catalogue = NULL;
  dls_trajectory *run = NULL;
  char *text = NULL;
  size_t place[2] = {7, 7};
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  assert_int_equal(
      dls_flat_matrices_text(catalogue, "own", matrices, strlen(matrices), place, error, sizeof error), 0);
  assert_int_equal(place[0], 0);
  assert_int_equal(dls_flat_run(catalogue, "own", 0, NULL, "event-driven:tol=1e-10", 0, 0.2, NULL, NULL, &run,
                                error, sizeof error),
                   0);
  const double *last = dls_flat_values(run) + (dls_flat_rows(run) - 1) * dls_flat_columns(run);
  assert_close(last[1], 0.5 * cos(sqrt(40) * 0.2), 1e-8);
  assert_close(last[2], 0.25 * cos(sqrt(40) * 0.2), 1e-8);
  dls_flat_free(run);

  const char *const options[] = {"set", "scheme", "step"}, *const values[] = {"e=0.5", "moreau-jean", "1e-3"};
  assert_int_equal(dls_flat_command(catalogue, "run", "own", 3, options, values, &text, error, sizeof error),
                   0);
  assert_string_equal(text,
                      "delassus run matrix-model --set M=M.mtx --set K=K.mtx --set HT=HT.mtx --set q0=q0.mtx "
                      "--set e=0.5 --scheme moreau-jean --step 1e-3");
  dls_flat_text_free(text);
  dls_flat_close(catalogue);
}

DLS_TEST(what_is_wrong_in_matrices_has_its_place)
{
  static const struct {
    const char *text, *message;
    size_t line, column;
  } cases[] = {
      {"M\n" SYMMETRIC "1 1 1\n1 2 4\n", "a:4:3: the column 2", 4, 3},
      {"M\n" ARRAY "1 1\n2\nK\n" ARRAY "1 1\nx\n", "a:8:1: 'x' is not", 8, 1},
      {"M\n" ARRAY "1 1\n2\nKay\n" ARRAY "1 1\n2\n", "a:5:1: 'Kay' is not the name", 5, 1},
      {"M\n" ARRAY "1 1\n2\n" ARRAY "1 1\n2\n", "a:4:1: '2' is not the name", 4, 1},
      {ARRAY "1 1\n2\n", "a:1:1: '%%MatrixMarket matrix", 1, 1},
      {"M\n" ARRAY ARRAY "1 1\n2\n", "a:3:1: '%%MatrixMarket matrix", 3, 1},
      {"M\n" ARRAY "1 1\n2\n M\n" ARRAY "1 1\n2\n", "a:5:2: 'M' is given twice", 5, 2},
      {"M\n" ARRAY "1 1\n2\nK\n", "a:5:1: ", 5, 1},
      {"M\n" ARRAY "2 1\n2\nK\n" ARRAY "1 1\n2\n", "a:5:1: the file ends", 5, 1},
      {"%\nM\nK\n" ARRAY "1 1\n2\n", "a:3:1: 'K' is found", 3, 1},
      {"M\n", "a:1:1: the text ends", 1, 1},
      {"", "a:1:1: the text ends", 1, 1},
      {"M\n" SYMMETRIC "1 1 1\n1 1 -1\nK\n" ARRAY "1 1\n1\n", "a:4: M is not positive definite", 4, 1},
      {"M\n" ARRAY "1 1\n2\n", "K is missing", 0, 0},
      {NULL, "text = NULL", 0, 0},
  };
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t place[2] = {7, 7};
    const size_t length = cases[i].text != NULL ? strlen(cases[i].text) : 0;
    assert_refused(dls_flat_matrices_text(catalogue, "a", cases[i].text, length, place, error, sizeof error),
                   cases[i].message);
    assert_int_equal(place[0], cases[i].line);
    assert_int_equal(place[1], cases[i].column);
    assert_true(dls_flat_matrices_text(catalogue, "a", cases[i].text, length, NULL, NULL, 0) < 0);
  }
  assert_refused(dls_flat_matrices_text(catalogue, "", matrices, strlen(matrices), NULL, error, sizeof error),
                 "has no name");
  dls_flat_close(catalogue);
}

/* --- commands --- */

DLS_TEST(commands_are_those_of_the_tool)
{
  char *text = NULL;
  const char *const options[] = {"set", "scheme", "scheme", "steps", "norm", "of", "end"};
  const char *const values[] = {
      "e=0.7", "moreau-jean:theta=1", "event-driven", "0.1:1e-3:7", "hausdorff,l1", "v", "2.5"};
  assert_int_equal(
      dls_flat_command(NULL, "order", "bouncing-ball", 7, options, values, &text, error, sizeof error), 0);
  assert_string_equal(text, "delassus order bouncing-ball --set e=0.7 --scheme moreau-jean:theta=1 --scheme "
                            "event-driven --end 2.5 --steps 0.1:1e-3:7 --norm hausdorff,l1 --of v");
  dls_flat_text_free(text);
  static const struct {
    const char *command, *model, *option, *value, *message;
  } cases[] = {
      {"orders", "bouncing-ball", "scheme", "moreau-jean", "command 'orders'"},
      {"order", NULL, "scheme", "moreau-jean", "NULL"},
      {"order", "ball", "scheme", "moreau-jean", "bouncing-ball"},
      {"order", "bouncing-ball", "schem", "moreau-jean", "order has no option --schem"},
      {"order", "bouncing-ball", "scheme", NULL, "is NULL"},
      {"order", "bouncing-ball", "scheme", "moreau", "unknown scheme 'moreau'"},
      {"order", "bouncing-ball", "scheme", "moreau-jean", "--steps"},
      {"run", "bouncing-ball", "set", "e=7", "e = 7 is outside"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_refused(dls_flat_command(NULL, cases[i].command, cases[i].model, 1, &cases[i].option,
                                    &cases[i].value, &text, error, sizeof error),
                   cases[i].message);
    assert_null(text);
  }
}

/* --- studies --- */

/* A study of each kind: the table that must be there, and the first line of it. */
static const struct {
  const char *text, *kind, *table, *head;
} studies[] = {
    {"title: t\nkind: order\nmodel: bouncing-ball\nschemes: [moreau-jean]\nsteps: {first: 0.1, last: 0.01, "
     "levels: 3}\n"
     "repeats: 2\nend: 1.5\nexpect:\n  - {quantity: order, scheme: moreau-jean, norm: l1, of: q, between: [0, "
     "3]}\n",
     "order", "orders.csv", "model,scheme,norm,of,order,"},
    {"title: t\nkind: work\nmodel: bouncing-ball\nschemes: [moreau-jean]\nsteps: {first: 0.1, last: 0.01, "
     "levels: 3}\n"
     "end: 1.5\nexpect:\n  - {quantity: slope, scheme: moreau-jean, norm: l1, of: q, between: [-3, 0]}\n",
     "work", "slopes.csv", "model,scheme,options,norm,of,work,slope,"},
    {"title: t\nkind: run\nmodel: bouncing-ball\nparameters: {e: 0.5}\nschemes: event-driven\nend: 1.5\n"
     "expect:\n  - {quantity: impact-time, number: 1, between: [0.999, 1.001]}\n",
     "run", "trajectory.csv", "# delassus: "},
    {"title: t\nkind: compare\nmodel: bouncing-ball\nschemes: [moreau-jean, \"moreau-jean:theta=1\"]\nstep: "
     "0.1\nend: "
     "1.5\n"
     "of: [q0]\nexpect:\n  - {quantity: last, of: q0, scheme: moreau-jean, above: -1}\n",
     "compare", "run_moreau-jean_2.csv", "# delassus: "},
    {"title: t\nkind: energy\nmodel: impacting-oscillator\nschemes: [moreau-jean]\nstep: 0.05\nend: 2\n"
     "expect:\n  - {quantity: largest, of: residual, scheme: moreau-jean, below: 1e-14}\n",
     "energy", "energy_moreau-jean.csv", "# delassus: "},
    {"title: t\nkind: spectrum\nschemes: [moreau-jean]\nsteps: {first: 0.1, last: 1, levels: 3}\nof: "
     "[radius]\nat: "
     "[0.1]\n"
     "expect:\n  - {quantity: value, of: radius, at: 0.1, scheme: moreau-jean, between: [0.999, 1.001]}\n",
     "spectrum", "spectrum.csv", "scheme,"},
    {"title: t\nkind: local\nmodel: bouncing-ball\nschemes: [moreau-jean]\nsteps: {first: 0.02, last: 0.002, "
     "levels: 3}\n"
     "end: 2\n",
     "local", "local_orders.csv", ""},
    {"title: t\nkind: compare\nmodel: bouncing-ball\nschemes: [event-driven]\nend: 1.5\nsweep: "
     "\"e=0.2:0.8:3\"\nof: "
     "[q0]\n",
     "compare", "sweep.csv", "scheme,"},
    {"title: t\nkind: run\nmodel: bouncing-ball\nschemes: [event-driven]\nend: 1.5\nsweep: "
     "\"e=0.2:0.8:3\"\nof: [q0]\n",
     "run", "sweep.csv", "e,"},
    {"title: t\nkind: run\nmodel: belt\nparameters: {Fs: 1.5}\nschemes: \"event-driven:tol=1e-12\"\nend: "
     "20\ncycle: \"stick:0\"\n"
     "expect:\n  - {quantity: period, between: [6.7123889802, 6.7123889806]}\n",
     "run", "trajectory.csv", "# delassus: "},
    {"title: t\nkind: fit\nmodel: bouncing-ball\nparameters: {e: 0.7, q0: 1.1}\nby: [e, q0]\nof: q0\n"
     "data: {parameters: {e: 0.8, q0: 1}, end: 2.7, rows: 60, noise: 0.01}\nrange: {e: \"0.5:0.9\"}\n"
     "expect:\n  - {quantity: estimate, of: e, between: [0.79, 0.81]}\n",
     "fit", "estimates.csv", "parameter,value,low,high\ne,"},
};

static const char *table_of(const dls_flat_file *file, size_t study, const char *name)
{
  const char *text = NULL, *found = NULL;
  for (size_t i = 0; (found = dls_flat_file_table(file, study, i, &text)) != NULL; i++) {
    if (strcmp(found, name) == 0) {
      return text;
    }
  }
  return NULL;
}

static int stop(void *data, double done)
{
  (void)data, (void)done;
  return 0;
}

DLS_TEST(studies_of_every_kind_are_performed_in_memory)
{
  for (size_t i = 0; i < sizeof studies / sizeof studies[0]; i++) {
    dls_flat_file *file = NULL;
    const char *texts[4], *why = NULL;
    double values[4];
    const char *text = studies[i].text;
    if (dls_flat_file_read(NULL, text, strlen(text), &file, error, sizeof error) != 0) {
      fail_msg("study %zu: %s", i, error);
    }
    assert_string_equal(dls_flat_file_study(file, 0, texts), studies[i].kind);
    assert_string_equal(texts[0], "");
    assert_null(dls_flat_file_study(file, 1, texts));
    assert_null(dls_flat_file_problem(file, 0, NULL));
    assert_null(dls_flat_file_table(file, 0, 0, NULL));
    for (int pass = 0; pass < 2; pass++) { /* the second replaces the first */
      if (dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error) != 0) {
        fail_msg("study %zu: %s", i, error);
      }
    }
    const char *table = table_of(file, 0, studies[i].table);
    assert_non_null(table);
    assert_memory_equal(table, studies[i].head, strlen(studies[i].head));
    const bool expects = strstr(text, "expect") != NULL;
    assert_true((dls_flat_file_verdict(file, 0, 0, values, &why) != NULL) == expects);
    if (expects) {
      assert_string_equal(why, "");
      assert_close(values[3], 1, 0);
      assert_true(values[1] <= values[0] && values[0] <= values[2]);
      assert_null(dls_flat_file_verdict(file, 0, 1, NULL, NULL));
    }
    dls_flat_file_free(file);
  }
}

/* The run of a cycle lasts its period, and has its numbers as metadata. */
DLS_TEST(a_limit_cycle_is_run_once)
{
  const size_t at = sizeof studies / sizeof studies[0] - 2;
  dls_flat_file *file = NULL;
  assert_int_equal(
      dls_flat_file_read(NULL, studies[at].text, strlen(studies[at].text), &file, error, sizeof error), 0);
  assert_int_equal(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error), 0);
  const char *table = table_of(file, 0, "trajectory.csv");
  assert_contains(table, "\n# cycle_period: 6.712388980");
  assert_contains(table, "\n# cycle_events_stick: 1\n");
  assert_contains(table, "\n6.712388980");
  dls_flat_file_free(file);
}

/* Data that the study has made, and the fitted motion, are tables too. */
DLS_TEST(a_fit_has_the_tables_of_the_tool)
{
  const size_t at = sizeof studies / sizeof studies[0] - 1;
  dls_flat_file *file = NULL;
  assert_int_equal(
      dls_flat_file_read(NULL, studies[at].text, strlen(studies[at].text), &file, error, sizeof error), 0);
  assert_int_equal(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error), 0);
  assert_memory_equal(table_of(file, 0, "data.csv"), "t,q0\n", 5);
  assert_memory_equal(table_of(file, 0, "fit.csv"), "t,q0,fit_q0,band_q0\n", 20);
  assert_contains(table_of(file, 0, "fit.csv"), "\n# delassus: ");
  assert_int_equal(dls_flat_file_run(file, 0, stop, NULL, error, sizeof error), DLS_ERR_INTERRUPTED);
  assert_null(dls_flat_file_table(file, 0, 0, NULL));
  dls_flat_file_free(file);
}

/* Studies that ship, with their own model among the keys, and several studies. */
DLS_TEST(studies_that_ship_agree_with_what_they_expect)
{
  static const char *const names[] = {"example-gate", "example-energy", "example-order", "example-fit",
                                      "belt-cycle"};
  for (const dls_study_shipped *study = dls_studies(); study->name != NULL; study++) {
    bool chosen = false;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
      chosen = chosen || strcmp(study->name, names[i]) == 0;
    }
    if (!chosen) {
      continue;
    }
    dls_flat_file *file = NULL;
    assert_int_equal(
        dls_flat_file_read(NULL, (const char *)study->text, study->size, &file, error, sizeof error), 0);
    for (size_t i = 0; dls_flat_file_study(file, i, NULL) != NULL; i++) {
      double values[4];
      assert_int_equal(dls_flat_file_run(file, i, NULL, NULL, error, sizeof error), 0);
      for (size_t k = 0; dls_flat_file_verdict(file, i, k, values, NULL) != NULL; k++) {
        assert_close(values[3], 1, 0);
      }
    }
    dls_flat_file_free(file);
  }
}

/* The order in the table is that of a study of the interface. */
DLS_TEST(tables_have_the_numbers_of_the_interface)
{
  static const char head[] = "bouncing-ball,moreau-jean,hausdorff,q,";
  const char *const schemes[] = {"moreau-jean"}, *const norms[] = {"hausdorff", "l1"}, *const of[] = {"q", "v"};
  const dls_flat_study_spec spec = {.end = 1.5,
                                    .h_first = 0.1,
                                    .h_last = 0.01,
                                    .levels = 3,
                                    .repeats = 2,
                                    .seed = 1,
                                    .scheme_count = 1,
                                    .norm_count = 2,
                                    .of_count = 2,
                                    .schemes = schemes,
                                    .norms = norms,
                                    .of = of};
  dls_flat_file *file = NULL;
  dls_flat_study *study = NULL;
  char *orders = NULL;
  assert_int_equal(
      dls_flat_file_read(NULL, studies[0].text, strlen(studies[0].text), &file, error, sizeof error), 0);
  assert_int_equal(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error), 0);
  assert_int_equal(dls_flat_study_run(NULL, "bouncing-ball", 0, NULL, &spec, &study, error, sizeof error), 0);
  assert_int_equal(dls_flat_study_text(study, "orders", &orders, error, sizeof error), 0);
  const char *row = strstr(table_of(file, 0, "orders.csv"), head), *own = strstr(orders, head);
  assert_non_null(row);
  assert_non_null(own);
  assert_memory_equal(row, own, strcspn(own, "\n"));
  dls_flat_text_free(orders);
  dls_flat_study_free(study);
  dls_flat_file_free(file);
}

DLS_TEST(what_is_wrong_in_a_study_has_its_place)
{
  static const char wrong[] =
      "title: t\nkind: order\nmodel: ball\nschemes: [moreau-jea]\nsteps: {first: 0.1, last: 0.01}\n";
  dls_flat_file *file = NULL;
  size_t place[2], count = 0;
  assert_refused(dls_flat_file_read(NULL, wrong, strlen(wrong), &file, error, sizeof error), "3:8: ");
  assert_non_null(file);
  assert_contains(dls_flat_file_problem(file, 0, place), "bouncing-ball");
  assert_int_equal(place[0], 3);
  assert_int_equal(place[1], 8);
  while (dls_flat_file_problem(file, count, NULL) != NULL) {
    count++;
  }
  assert_true(count >= 3);
  assert_null(dls_flat_file_study(file, 0, NULL));
  assert_refused(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error), "there is no such study");
  dls_flat_file_free(file);
  assert_refused(dls_flat_file_read(NULL, NULL, 0, &file, error, sizeof error), "text = NULL");
  assert_null(file);
  dls_flat_file_free(NULL);

  const char *const text = studies[0].text;
  assert_int_equal(dls_flat_file_read(NULL, text, strlen(text), &file, error, sizeof error), 0);
  assert_int_equal(dls_flat_file_run(file, 0, stop, NULL, error, sizeof error), DLS_ERR_INTERRUPTED);
  assert_null(dls_flat_file_verdict(file, 0, 0, NULL, NULL));
  assert_refused(dls_flat_file_run(file, 1, NULL, NULL, error, sizeof error), "there is no such study");
  dls_flat_file_free(file);

  static const char program[] =
      "title: t\nkind: order\nmodel: bouncing-ball\nexternal: {mine: \"run {step}\"}\nschemes: [mine]\n"
      "steps: {first: 0.1, last: 0.01, levels: 3}\nend: 1\n";
  if (dls_flat_file_read(NULL, program, strlen(program), &file, error, sizeof error) != 0) {
    fail_msg("%s", error);
  }
  assert_refused(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error),
                 "4:1: the study starts other programs, which only the tool does: save the text as a file, "
                 "then run `delassus study FILE`");
  dls_flat_file_free(file);
}

/* One scheme that fails costs the others nothing. */
DLS_TEST(a_run_that_fails_leaves_the_others)
{
  static const char text[] =
      "title: t\nkind: compare\nmodel: incline\nschemes: [naive-rk4, moreau-jean]\nstep: 0.1\n"
      "end: 1\nof: [q0]\nexpect:\n  - {quantity: last, of: q0, scheme: naive-rk4, above: 0}\n"
      "  - {quantity: last, of: q0, scheme: moreau-jean, above: -100}\n";
  dls_flat_file *file = NULL;
  double values[4];
  const char *why = NULL;
  assert_int_equal(dls_flat_file_read(NULL, text, strlen(text), &file, error, sizeof error), 0);
  assert_refused(dls_flat_file_run(file, 0, NULL, NULL, error, sizeof error),
                 "naive-rk4 does not treat friction");
  assert_string_equal(dls_flat_file_table(file, 0, 0, NULL), "run_moreau-jean.csv");
  assert_null(dls_flat_file_table(file, 0, 1, NULL));
  assert_non_null(dls_flat_file_verdict(file, 0, 0, values, &why));
  assert_true(isnan(values[0]) && why[0] != '\0');
  assert_contains(dls_flat_file_verdict(file, 0, 1, values, &why), "moreau-jean");
  assert_close(values[3], 1, 0);
  dls_flat_file_free(file);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_mechanism_from_a_text_is_a_model),
      cmocka_unit_test(what_is_wrong_in_a_mechanism_has_its_place),
      cmocka_unit_test(matrices_from_a_text_are_a_model),
      cmocka_unit_test(what_is_wrong_in_matrices_has_its_place),
      cmocka_unit_test(commands_are_those_of_the_tool),
      cmocka_unit_test(studies_of_every_kind_are_performed_in_memory),
      cmocka_unit_test(a_limit_cycle_is_run_once),
      cmocka_unit_test(a_fit_has_the_tables_of_the_tool),
      cmocka_unit_test(studies_that_ship_agree_with_what_they_expect),
      cmocka_unit_test(tables_have_the_numbers_of_the_interface),
      cmocka_unit_test(what_is_wrong_in_a_study_has_its_place),
      cmocka_unit_test(a_run_that_fails_leaves_the_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
