/* tests/experiments/test_matrix_model.c -- a model from files is the model whose matrices are in them; what does not go
 * together is refused with file and line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include "scratch.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder;
static const char *const names[] = {"M",  "K",  "C", "HT", "H",  "w",  "q0",
                                    "v0", "F0", "T", "mu", "eT", "vT", "mu_s"};
enum { NAMES = sizeof names / sizeof names[0], PATH_SIZE = DLS_TEST_PATH };

static const char *path_of(const char *name)
{
  static char path[NAMES][PATH_SIZE];
  size_t i = 0;
  while (strcmp(names[i], name) != 0) {
    i++;
  }
  snprintf(path[i], PATH_SIZE, "%s/%s.mtx", folder, name);
  return path[i];
}

static int make_folder(void **state)
{
  (void)state;
  folder = dls_test_folder(NULL);
  return 0;
}

static int empty_folder(void **state)
{
  (void)state;
  for (size_t i = 0; i < NAMES; i++) {
    unlink(path_of(names[i]));
  }
  return 0;
}

static void put(const char *name, const char *text)
{
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  fputs(text, file);
  assert_int_equal(fclose(file), 0);
}

/* Nonzero entries, row by row. */
static void put_matrix(const char *name, const dls_matrix *A, int transposed)
{
  size_t count = 0;
  if (A == NULL) {
    return;
  }
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  const size_t rows = dls_matrix_rows(A), columns = dls_matrix_columns(A);
  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      fprintf(file, "%%%%MatrixMarket matrix coordinate real general\n%zu %zu %zu\n",
              transposed ? columns : rows, transposed ? rows : columns, count);
    }
    for (size_t k = 0; k < rows * columns; k++) {
      const size_t i = k / columns, j = k % columns;
      const double x = dls_matrix_get(A, i, j);
      count += pass == 0 && x != 0;
      if (pass == 1 && x != 0) {
        fprintf(file, "%zu %zu %.17g\n", (transposed ? j : i) + 1, (transposed ? i : j) + 1, x);
      }
    }
  }
  assert_int_equal(fclose(file), 0);
}

static void put_vector(const char *name, const double *x, size_t count)
{
  FILE *file = fopen(path_of(name), "w");
  assert_non_null(file);
  fprintf(file, "%%%%MatrixMarket matrix array real general\n%zu 1\n", count);
  for (size_t i = 0; i < count; i++) {
    fprintf(file, "%.17g\n", x[i]);
  }
  assert_int_equal(fclose(file), 0);
}

static void put_system(const dls_system *sys, int transposed)
{
  double *F = calloc(sys->n, sizeof *F);
  assert_non_null(F);
  put_matrix("M", sys->M, 0);
  put_matrix("K", sys->K, 0);
  if (sys->K == NULL) {
    char text[100];
    snprintf(text, sizeof text, "%s%zu %zu 0\n", "%%MatrixMarket matrix coordinate real general\n", sys->n,
             sys->n);
    put("K", text);
  }
  put_matrix("C", sys->C, 0);
  put_matrix(transposed ? "HT" : "H", sys->H, transposed);
  put_vector("w", sys->w, sys->m);
  put_vector("q0", sys->q0, sys->n);
  put_vector("v0", sys->v0, sys->n);
  dls_system_load(sys, 0, F);
  put_vector("F0", F, sys->n);
  free(F);
}

static void put_friction(const dls_system *sys)
{
  double velocity[8];
  const size_t rows = (sys->d - 1) * sys->m;
  dls_system_surface(sys, 0, sys->q0, velocity);
  for (size_t row = 0; row < rows; row++) {
    velocity[row] = -velocity[row];
  }
  put_matrix("T", sys->T, 0);
  put_vector("mu", sys->mu, sys->m);
  put_vector("eT", sys->e_t, sys->m);
  put_vector("vT", velocity, rows);
  put_vector("mu_s", sys->mu_s, sys->m);
}

static dls_status load(const char *const *settings, dls_model_choice *out, dls_error *err)
{
  static char texts[NAMES + 8][PATH_SIZE + 10];
  const char *list[NAMES + 8];
  size_t count = 0;
  for (size_t i = 0; i < NAMES; i++) {
    if (access(path_of(names[i]), R_OK) == 0) {
      snprintf(texts[count], sizeof texts[count], "%s=%s", names[i], path_of(names[i]));
      list[count] = texts[count];
      count++;
    }
  }
  for (; settings != NULL && *settings != NULL; settings++) {
    list[count++] = *settings;
  }
  return dls_model_choose("test", dls_model_find("matrix-model", NULL), count, list, out, err);
}

/* The system of the files that are in the folder. */
static dls_system *system_of_files(const char *const *settings)
{
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  assert_ok(load(settings, &choice, &err), err);
  assert_ok(dls_model_create(choice.model, choice.parameters, &sys, &err), err);
  dls_model_choice_release(&choice); /* the system does not need it */
  return sys;
}

/* Matrices out of a model of the catalogue, into files, back. */
DLS_TEST(a_model_and_its_files_move_alike)
{
  static const struct {
    const char *model, *e, *length, *time;
    double end;
  } cases[] = {{"two-ball-oscillator:k=1e3,e=0.5", "e=0.5", "length=1", "time=1", 1.5},
               {"random-linear:n=8,m=3,e=0,amplitude=0,damping=0.5", "e=0", "length=1", "time=1", 3},
               {"bead-column:N=5,e=0", "e=0", "length=0.2", "time=0.14278431229270645", 1}};
  static const char *const schemes[] = {"moreau-jean",   "moreau-jean:theta=1", "nonsmooth-newmark",
                                        "nonsmooth-hht", "schatzman-paoli",     "nonsmooth-generalized-alpha",
                                        "rk-moreau",     "tdg-d1-minus"};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const char *const settings[] = {cases[k].e, cases[k].length, cases[k].time, NULL};
    for (size_t s = 0; s < sizeof schemes / sizeof schemes[0]; s++) {
      test_run one = dls_test_run_of(dls_test_system(cases[k].model), schemes[s], 1e-3, cases[k].end);
      empty_folder(NULL);
      put_system(one.sys, s % 2 == 0);
      test_run two = dls_test_run_of(system_of_files(settings), schemes[s], 1e-3, cases[k].end);
      assert_int_equal(one.traj->rows, two.traj->rows);
      assert_true(one.sim->work.lcp_solves > 0);
      for (size_t i = 0; i < one.sys->n; i++) {
        if (!(fabs(one.sim->q[i] - two.sim->q[i]) <= 1e-10 && fabs(one.sim->v[i] - two.sim->v[i]) <= 1e-8)) {
          fail_msg("%s, %s: q%zu = %.17g, from files %.17g", cases[k].model, schemes[s], i, one.sim->q[i],
                   two.sim->q[i]);
        }
      }
      dls_test_free(&one);
      dls_test_free(&two);
    }
  }
}

/* In the plane and in space, one contact and two, moving surfaces, tangential restitution, static friction; to the last bit but for the order
 * of sums in another storage. */
DLS_TEST(a_model_with_friction_and_its_files_move_alike)
{
  static const char *const models[] = {
      "belt", "belt:Fs=1.5", "incline-stack", "superball:e=0.5,et=0.3,vx=3,w=2", "sphere", "puck-belt"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    const bool held = strstr(models[k], "Fs") != NULL; /* static friction above that of sliding */
    const char *const schemes[] = {"moreau-jean", held ? "moreau-jean-variant" : "nonsmooth-newmark"};
    for (size_t s = 0; s < 2; s++) {
      test_run one = dls_test_run_of(dls_test_system(models[k]), schemes[s], 1e-2, 4);
      char e[40], length[40], time[40];
      snprintf(e, sizeof e, "e=%.17g", one.sys->e[0]);
      snprintf(length, sizeof length, "length=%.17g", one.sys->length);
      snprintf(time, sizeof time, "time=%.17g", one.sys->time);
      empty_folder(NULL);
      put_system(one.sys, true);
      put_friction(one.sys);
      test_run two =
          dls_test_run_of(system_of_files((const char *const[]){e, length, time, NULL}), schemes[s], 1e-2, 4);
      assert_int_equal(two.sys->d, one.sys->d);
      assert_int_equal(one.traj->columns, two.traj->columns);
      for (size_t i = 0; i < one.traj->columns; i++) {
        const double x = dls_trajectory_at(one.traj, one.traj->rows - 1, i);
        assert_close(dls_trajectory_at(two.traj, two.traj->rows - 1, i), x, 1e-11 * (1 + fabs(x)));
      }
      dls_test_free(&one);
      dls_test_free(&two);
    }
  }
}

/* A mass on a spring over a floor: M = 2, K = 8, w = 1. */
static void put_ball(void)
{
  empty_folder(NULL);
  put("M", "%%MatrixMarket matrix array real general\n1 1\n2\n");
  put("K", "%%MatrixMarket matrix array real general\n1 1\n8\n");
  put("HT", "%%MatrixMarket matrix array real general\n1 1\n1\n");
  put("w", "%%MatrixMarket matrix array real general\n1 1\n1\n");
}

/* The ball with a tangent. */
static void put_block(void)
{
  put_ball();
  put("T", "%%MatrixMarket matrix array real general\n1 1\n1\n");
}

static void put_rough_block(void)
{
  put_block();
  put("mu", "%%MatrixMarket matrix array real general\n1 1\n0.2\n");
}

static void put_pair(void)
{
  empty_folder(NULL);
  put("M", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 3\n");
  put("K", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 2 4\n2 1 -4\n");
}

/* q'' = -4 q, q(0) = 0, v(0) = 4: q = 2 sin 2 t until the floor at -1 is reached, at t = (pi + pi/6)/2. */
DLS_TEST(an_oscillator_from_files_has_its_closed_form)
{
  put_ball();
  put("v0", "%%MatrixMarket matrix array real general\n1 1\n4\n");
  test_run run = dls_test_run_of(system_of_files((const char *const[]){"e=1", NULL}), "event-driven", 0, 2);
  const double pi = acos(-1);
  const double impact = 7 * pi / 12;
  assert_int_equal(run.traj->event_count, 1);
  assert_close(run.traj->events[0].t, impact, 1e-9);
  assert_close(run.traj->events[0].u_minus, 4 * cos(2 * impact), 1e-8);
  assert_close(run.sim->q[0], 2 * sin(2 * (2 - impact) - pi / 6), 1e-8);
  dls_test_free(&run);
}

DLS_TEST(what_is_not_given_is_zero_or_default)
{
  put_pair();
  dls_system *sys = system_of_files(NULL);
  assert_int_equal(sys->n, 2);
  assert_int_equal(sys->m, 0);
  assert_null(sys->C);
  assert_null(sys->H);
  assert_null(sys->load);
  assert_close(sys->q0[0] + sys->v0[1], 0, 0);
  assert_close(sys->length + sys->time, 2, 0);
  assert_int_equal(dls_matrix_storage(sys->M), DLS_DIAGONAL);
  dls_system_destroy(sys);
  put_ball();
  sys = system_of_files((const char *const[]){"e=0.25", "length=0.1", "time=3", NULL});
  assert_close(sys->e[0], 0.25, 0);
  assert_close(sys->length, 0.1, 0);
  assert_close(sys->time, 3, 0);
  assert_close(sys->w[0], 1, 0);
  dls_system_destroy(sys);
}

DLS_TEST(a_loaded_model_says_where_it_comes_from)
{
  dls_error err = {0};
  dls_model_choice choice;
  char origin[2 * NAMES * PATH_SIZE + 8];
  put_pair();
  assert_ok(load(NULL, &choice, &err), err);
  snprintf(origin, sizeof origin, "M=%s K=%s", path_of("M"), path_of("K"));
  assert_string_equal(choice.model->origin, origin);
  assert_string_equal(choice.model->name, "matrix-model");
  assert_null(choice.model->files);
  assert_ptr_equal(choice.model, choice.loaded);
  dls_model_choice_release(&choice);
}

/* Rounding in the last digits is taken out, so that the system is symmetric to the last bit. */
DLS_TEST(rounding_in_a_symmetric_matrix_is_taken_out)
{
  put_pair();
  put("K", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 4\n2 2 4\n2 1 -4\n1 2 -4.000000000001\n");
  put("C", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 4\n2 2 4\n2 1 1e-16\n");
  dls_system *sys = system_of_files(NULL);
  assert_close(dls_matrix_get(sys->K, 0, 1), -4.0000000000005, 1e-15);
  assert_close(dls_matrix_get(sys->K, 1, 0), dls_matrix_get(sys->K, 0, 1), 0);
  assert_close(dls_matrix_get(sys->C, 1, 0), 0, 0);
  dls_system_destroy(sys);
}

typedef struct wrong {
  const char *file, *text, *message;
} wrong;

/* Each text takes the place of one file of a good model. */
static void assert_refused(void (*put_good)(void), const wrong *cases, size_t count)
{
  for (size_t k = 0; k < count; k++) {
    dls_error err = {0};
    dls_model_choice choice;
    put_good();
    put(cases[k].file, cases[k].text);
    const dls_status status = load(NULL, &choice, &err);
    assert_true(status == DLS_ERR_ARG || status == DLS_ERR_PARSE);
    if (strstr(err.text, cases[k].message) == NULL) {
      fail_msg("case %zu: '%s' instead of '%s'", k, err.text, cases[k].message);
    }
    assert_null(choice.model);
  }
}

#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"

DLS_TEST(matrices_that_do_not_fit_are_refused_with_file_and_line)
{
  static const wrong cases[] = {
      {"M", GENERAL "2 3 1\n1 1 1\n", "M.mtx: M is 2 x 3, it must be square"},
      {"K", GENERAL "3 3 1\n1 1 1\n", "K.mtx: K is 3 x 3, but M is 2 x 2"},
      {"C", ARRAY "1 1\n1\n", "C.mtx: C is 1 x 1, but M is 2 x 2"},
      {"C", ARRAY "1 1\n1\n2\n", "C.mtx:4:1: line 2 announces 1 entries"},
      {"M", GENERAL "2 2 2\n1 1 1\n1 2 1\n", "M.mtx: M is not positive definite: M(2,2) is 0 or missing"},
      {"M", GENERAL "2 2 2\n1 1 1\n2 2 -3\n", "M.mtx:4: M is not positive definite: M(2,2) = -3"},
      {"M", ARRAY "2 2\n1\n2\n2\n1\n",
       "M.mtx: M is not positive definite: its Cholesky factorization has no positive pivot in row "},
      {"M", ARRAY "2 2\n1\n0.5\n0.4\n1\n",
       "M.mtx:4: M is not symmetric: M(2,1) = 0.5, but M(1,2) = 0.4 in line 5"},
      {"K", GENERAL "2 2 3\n2 2 1\n1 1 1\n1 2 7\n",
       "K.mtx:5: K is not symmetric: K(1,2) = 7, but K(2,1) is missing"},
      {"HT", GENERAL "1 3 1\n1 1 1\n", "HT.mtx: HT has 3 columns, but M is 2 x 2"},
      {"H", GENERAL "1 3 1\n1 1 1\n", "H.mtx: H has 1 rows, but M is 2 x 2"},
      {"HT", GENERAL "3 2 2\n1 1 1\n3 1 1\n", "HT.mtx: row 2 of HT, contact 1, has no entry but 0"},
      {"H", GENERAL "2 3 2\n1 1 1\n1 2 1\n", "H.mtx: column 3 of H, contact 2, has no entry but 0"},
      {"w", ARRAY "1 1\n1\n", "w.mtx is given without contacts: HT or H is missing"},
      {"q0", ARRAY "3 1\n1\n1\n1\n", "q0.mtx: q0 is 3 x 1, it must be a vector of 2"},
      {"v0", ARRAY "2 2\n1\n1\n1\n1\n", "v0.mtx: v0 is 2 x 2, it must be a vector of 2"},
      {"F0", ARRAY "2 1\n1\nnan\n", "F0.mtx:4:1: 'nan' is not a finite decimal number"},
      {"T", ARRAY "1 1\n1\n", "T.mtx is given without contacts: HT or H is missing"},
      {"vT", ARRAY "1 1\n1\n", "vT.mtx is given without contacts: HT or H is missing"},
  };
  assert_refused(put_pair, cases, sizeof cases / sizeof cases[0]);
  static const wrong contacts[] = {
      {"H", ARRAY "1 1\n1\n", "are both given; give one of them"},
      {"w", ARRAY "1 2\n1\n1\n", "w.mtx: w is 1 x 2, it must be a vector of 1"},
      {"q0", ARRAY "1 1\n-1.5\n", "contact 0 starts with the gap (H^T q0 + w) = -0.5, it must be >= 0"},
  };
  assert_refused(put_ball, contacts, sizeof contacts / sizeof contacts[0]);
  static const wrong friction[] = {
      {"mu", ARRAY "1 1\n1\n", "mu.mtx is given without tangents: T is missing"},
      {"eT", ARRAY "1 1\n1\n", "eT.mtx is given without tangents: T is missing"},
      {"vT", ARRAY "1 1\n1\n", "vT.mtx is given without tangents: T is missing"},
      {"mu_s", ARRAY "1 1\n1\n", "mu_s.mtx is given without tangents: T is missing"},
      {"T", ARRAY "1 3\n1\n1\n1\n", "T.mtx: T is 1 x 3, it must be 1 x 1 (in the plane) or 1 x 2"},
      {"T", ARRAY "2 1\n1\n1\n", "T.mtx: T is 2 x 1, it must be 1 x 1 (in the plane) or 1 x 2"},
  };
  assert_refused(put_ball, friction, sizeof friction / sizeof friction[0]);
  static const wrong ranges[] = {
      {"mu", ARRAY "1 1\n-0.1\n", "mu.mtx:3: mu[0] = -0.1 is outside [0, "},
      {"mu", ARRAY "2 1\n0\n1\n", "mu.mtx: mu is 2 x 1, it must be a vector of 1"},
      {"eT", ARRAY "1 1\n1.5\n", "eT.mtx:3: eT[0] = 1.5 is outside [0, 1]"},
      {"vT", ARRAY "2 1\n1\n1\n", "vT.mtx: vT is 2 x 1, it must be a vector of 1"},
      {"mu_s", ARRAY "1 1\n-1\n", "mu_s.mtx:3: mu_s[0] = -1 is outside [0, "},
  };
  assert_refused(put_block, ranges, sizeof ranges / sizeof ranges[0]);
  static const wrong below[] = {
      {"mu_s", ARRAY "1 1\n0.1\n", "mu_s.mtx:3: mu_s[0] = 0.1 is below mu[0] = 0.2; 0 means equal to mu"}};
  assert_refused(put_rough_block, below, 1);
}

/* Sizes of which nothing is in the file: no memory of that size is asked for. */
DLS_TEST(huge_sizes_without_entries_are_refused)
{
  static const wrong cases[] = {
      {"M", GENERAL "2147483647 2147483647 1\n1 1 1\n", "M(2,2) is 0 or missing"},
      {"HT", GENERAL "2147483647 2 1\n1 1 1\n", "row 2 of HT, contact 1, has no entry but 0"},
      {"q0", GENERAL "2147483647 1 1\n1 1 1\n", "q0 is 2147483647 x 1, it must be a vector of 2"},
      {"K", GENERAL "2147483647 2147483647 1\n1 1 1\n", "K is 2147483647 x 2147483647, but M is 2 x 2"},
  };
  assert_refused(put_pair, cases, sizeof cases / sizeof cases[0]);
}

DLS_TEST(settings_that_are_wrong_are_refused)
{
  static const struct {
    const char *setting, *message;
    dls_status status;
  } cases[] = {
      {"HTT=a.mtx",
       "test model matrix-model: there is no 'HTT' (did you mean 'HT'?); there are the files M, K, C, HT, H, "
       "w, "
       "q0, v0, F0, T, mu, eT, vT, mu_s, eN, amplitude, frequency, phase, X, F and the parameters e, length, "
       "time, "
       "alpha, beta",
       DLS_ERR_OPTION},
      {"lenght=2", "there is no 'lenght' (did you mean 'length'?)", DLS_ERR_OPTION},
      {"e=2", "test model matrix-model: e = 2 is outside [0, 1]", DLS_ERR_OPTION},
      {"M=", "'M=' names no file: write M=FILE", DLS_ERR_OPTION},
      {"M", "'M' names no file: write M=FILE", DLS_ERR_OPTION},
      {"e", "'e' is not of the form name=value", DLS_ERR_OPTION},
      {"C=/nowhere/c.mtx", "cannot read /nowhere/c.mtx: No such file or directory", DLS_ERR_IO},
  };
  put_pair();
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_error err = {0};
    dls_model_choice choice;
    const char *const settings[] = {cases[k].setting, NULL};
    assert_int_equal(load(settings, &choice, &err), cases[k].status);
    if (strstr(err.text, cases[k].message) == NULL) {
      fail_msg("case %zu: '%s' instead of '%s'", k, err.text, cases[k].message);
    }
  }
}

DLS_TEST(missing_files_are_listed)
{
  dls_error err = {0};
  dls_model_choice choice;
  empty_folder(NULL);
  assert_int_equal(load(NULL, &choice, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "model matrix-model is made from files; missing: M=FILE (mass matrix, n x n, symmetric "
                      "positive definite), K=FILE (stiffness matrix, n x n, symmetric)");
  put_pair();
  unlink(path_of("M"));
  assert_int_equal(load(NULL, &choice, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "model matrix-model is made from files; missing: M=FILE (mass matrix, n x n, symmetric "
                      "positive definite)");
  dls_model *model = NULL;
  assert_int_equal(dls_model_load(dls_model_find("wedge", NULL), NULL, &model, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "model wedge reads no files");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_and_its_files_move_alike),
      cmocka_unit_test(a_model_with_friction_and_its_files_move_alike),
      cmocka_unit_test(an_oscillator_from_files_has_its_closed_form),
      cmocka_unit_test(what_is_not_given_is_zero_or_default),
      cmocka_unit_test(a_loaded_model_says_where_it_comes_from),
      cmocka_unit_test(rounding_in_a_symmetric_matrix_is_taken_out),
      cmocka_unit_test(matrices_that_do_not_fit_are_refused_with_file_and_line),
      cmocka_unit_test(huge_sizes_without_entries_are_refused),
      cmocka_unit_test(settings_that_are_wrong_are_refused),
      cmocka_unit_test(missing_files_are_listed),
  };
  return cmocka_run_group_tests(tests, make_folder, NULL);
}
