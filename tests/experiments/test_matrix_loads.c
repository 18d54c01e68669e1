/* test_matrix_loads.c -- a model from files under loads over time, with Rayleigh damping, restitution of each contact, and places of nodes
 * to draw.
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

enum { MOST = 16, LONGEST = DLS_TEST_PATH + 20 };
static const char *folder;
static char settings[MOST][LONGEST], files[MOST][DLS_TEST_PATH];
static const char *list[MOST];
static size_t count, file_count;

/* "F=text" with text in a file, or a parameter as it is where text is NULL. */
static void set(const char *name, const char *text)
{
  assert_true(count < MOST);
  if (text != NULL) {
    FILE *file = fopen(dls_test_file(folder, name, files[file_count]), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    snprintf(settings[count], LONGEST, "%s=%s", name, files[file_count++]);
  } else {
    snprintf(settings[count], LONGEST, "%s", name);
  }
  list[count] = settings[count];
  count++;
}

static int make_folder(void **state)
{
  (void)state;
  folder = dls_test_folder(NULL);
  return 0;
}

static int forget(void **state)
{
  (void)state;
  for (; file_count > 0; file_count--) {
    unlink(files[file_count - 1]);
  }
  count = 0;
  return 0;
}

static dls_status choose(dls_model_choice *choice, dls_error *err)
{
  return dls_model_choose("test", dls_model_find("matrix-model", NULL), count, list, choice, err);
}

static dls_system *system_of_settings(void)
{
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  assert_ok(choose(&choice, &err), err);
  assert_ok(dls_model_create(choice.model, choice.parameters, &sys, &err), err);
  dls_model_choice_release(&choice); /* the system does not need it */
  return sys;
}

#define ARRAY "%%MatrixMarket matrix array real general\n"

/* Two masses 1 and 2 on springs 4 and 4. */
static void put_pair(void)
{
  set("M", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 2 2\n");
  set("K", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 8\n2 2 4\n2 1 -4\n");
}

static void put_free_mass(void)
{
  set("M", ARRAY "1 1\n2\n");
  set("K", ARRAY "1 1\n0\n");
}

/* A ramp to 4 N, a jump to -2 N at t = 1, which stays behind the last row: v and q of 2 kg in closed form, also between. */
DLS_TEST(a_mass_under_a_table_of_forces)
{
  put_free_mass();
  set("F", "# a comment\nt,F0\n0,0\n1,4\r\n1,-2\n2,-2\n");
  dls_system *sys = system_of_settings();
  double F = 7;
  static const double at[][3] = {{-1, 0, 0}, {0, 0, 4}, {0.25, 1, 4}, {1, -2, 0}, {1.5, -2, 0}, {9, -2, 0}};
  for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
    sys->load(sys, at[i][0], &F);
    assert_close(F, at[i][1], 1e-15);
    sys->load_rate(sys, at[i][0], &F);
    assert_close(F, at[i][2], 1e-15);
  }
  assert_close(sys->next_switch(sys, 0), 1, 0);
  assert_true(isinf(sys->next_switch(sys, 1)));
  test_run run = dls_test_run_of(sys, "event-driven", 0, 3);
  assert_close(run.sim->v[0], 1 - 2, 1e-9);          /* 4/2/2, then -1 for 2 s */
  assert_close(run.sim->q[0], 1. / 3 + 2 - 2, 1e-9); /* 4/12, then 1 s^2.. */
  bool jumps = false;
  for (size_t i = 0; i < run.traj->rows; i++) {
    jumps = jumps || dls_trajectory_at(run.traj, i, 0) == 1;
  }
  assert_true(jumps);
  dls_test_free(&run);
}

/* amplitude, frequency, phase of two freedoms and a constant force, against the sums written out. */
DLS_TEST(harmonic_loads_add_to_the_others)
{
  put_pair();
  set("F0", ARRAY "2 1\n1\n0\n");
  set("amplitude", ARRAY "2 1\n3\n-2\n");
  set("frequency", ARRAY "2 1\n0.5\n2\n");
  set("phase", ARRAY "2 1\n0\n0.25\n");
  set("F", "t,F1\n0,0\n10,10\n");
  dls_system *sys = system_of_settings();
  const double pi = acos(-1);
  for (double t = 0; t < 5; t += 0.37) {
    double F[2], dF[2];
    sys->load(sys, t, F);
    sys->load_rate(sys, t, dF);
    assert_close(F[0], 1 + 3 * cos(pi * t), 1e-14);
    assert_close(F[1], -2 * cos(4 * pi * t + 0.25) + t, 1e-14);
    assert_close(dF[0], -3 * pi * sin(pi * t), 1e-13);
    assert_close(dF[1], 8 * pi * sin(4 * pi * t + 0.25) + 1, 1e-13);
  }
  dls_system_destroy(sys);
}

/* The oscillator of the catalogue with its cosine force, from files: the same motion. */
DLS_TEST(an_oscillator_under_a_harmonic_load_is_that_of_the_catalogue)
{
  char frequency[100];
  set("M", ARRAY "1 1\n1\n");
  set("K", ARRAY "1 1\n1\n");
  set("HT", ARRAY "1 1\n1\n");
  set("q0", ARRAY "1 1\n1\n");
  set("amplitude", ARRAY "1 1\n0.5\n");
  set("phase", ARRAY "1 1\n0.3\n");
  snprintf(frequency, sizeof frequency, "%s1 1\n%.17g\n", "%%MatrixMarket matrix array real general\n",
           1.5 / (2 * acos(-1)));
  set("frequency", frequency);
  set("eN", ARRAY "1 1\n0.5\n");
  test_run files_run = dls_test_run_of(system_of_settings(), "moreau-jean", 1e-2, 10);
  test_run built_in =
      dls_test_run("impacting-oscillator:amplitude=0.5,omega=1.5,phase=0.3", "moreau-jean", 1e-2, 10);
  assert_true(files_run.sim->work.impacts > 1);
  for (size_t i = 0; i < built_in.traj->rows; i++) {
    assert_close(dls_test_value(&files_run, i, "q0"), dls_test_value(&built_in, i, "q0"), 1e-11);
  }
  dls_test_free(&files_run);
  dls_test_free(&built_in);
}

/* C + alpha M + beta K, without and with a C of its own, whatever storage. */
DLS_TEST(rayleigh_damping_is_a_sum_of_matrices)
{
  static const double with[2][2] = {{8 * 0.01 + 0.3, -0.04}, {-0.04, 0.04 + 0.6}};
  for (int own = 0; own < 2; own++) {
    put_pair();
    set("alpha=0.3", NULL);
    set("beta=0.01", NULL);
    if (own == 1) {
      set("C", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 5\n2 1 5\n");
    }
    dls_system *sys = system_of_settings();
    for (size_t i = 0; i < 2; i++) {
      for (size_t j = 0; j < 2; j++) {
        assert_close(dls_matrix_get(sys->C, i, j), with[i][j] + (own == 1 && i != j ? 5 : 0), 1e-15);
      }
    }
    assert_true(dls_matrix_get(sys->C, 0, 1) == dls_matrix_get(sys->C, 1, 0));
    dls_system_destroy(sys);
    forget(NULL);
  }
}

/* Damping ratio of a mode: alpha/(2 omega) + beta omega/2; it decays by exp(-2 pi zeta/sqrt(1 - zeta^2)) a turn. */
DLS_TEST(rayleigh_damping_damps_by_its_ratio)
{
  const double omega = 2, zeta = 0.3 / (2 * omega) + 0.05 * omega / 2;
  set("M", ARRAY "1 1\n1\n");
  set("K", ARRAY "1 1\n4\n");
  set("q0", ARRAY "1 1\n1\n");
  set("alpha=0.3", NULL);
  set("beta=0.05", NULL);
  const double turn = 2 * acos(-1) / (omega * sqrt(1 - zeta * zeta));
  test_run run = dls_test_run_of(system_of_settings(), "event-driven:tol=1e-12", 0, turn);
  assert_close(run.sim->q[0], exp(-zeta * omega * turn), 1e-9);
  dls_test_free(&run);
}

DLS_TEST(each_contact_has_its_restitution)
{
  put_pair();
  set("HT", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 1\n");
  set("w", ARRAY "2 1\n1\n1\n");
  set("eN", ARRAY "2 1\n0.25\n1\n");
  dls_system *sys = system_of_settings();
  assert_close(sys->e[0], 0.25, 0);
  assert_close(sys->e[1], 1, 0);
  dls_system_destroy(sys);
}

/* Two nodes of a frame and a contact below the second. */
DLS_TEST(nodes_with_places_can_be_drawn)
{
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  static dls_sketch sketch;
  set("M", ARRAY "4 4\n1\n0\n0\n0\n0\n1\n0\n0\n0\n0\n1\n0\n0\n0\n0\n1\n");
  set("K", "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 2 4\n4 4 4\n4 2 -4\n");
  set("HT", "%%MatrixMarket matrix coordinate real general\n1 4 2\n1 3 0.6\n1 4 0.8\n");
  set("w", ARRAY "1 1\n1\n");
  set("X", ARRAY "2 2\n0\n10\n1\n3\n");
  assert_ok(choose(&choice, &err), err);
  assert_ok(dls_model_create(choice.model, choice.parameters, &sys, &err), err);
  assert_non_null(choice.model->sketch);
  sketch.system = sys;
  choice.model->sketch(choice.parameters, (const double[]){0, 0, 0.5, -0.25}, &sketch);
  assert_int_equal(sketch.shape_count, 3);
  assert_int_equal(sketch.shapes[0].kind, DLS_SHAPE_LINE);
  assert_close(sketch.shapes[0].x[0], 10.5, 1e-15);
  assert_close(sketch.shapes[0].y[0], 2.75, 1e-15);
  assert_close(sketch.shapes[0].x[1], 0, 1e-15);
  assert_close(sketch.shapes[1].radius, 0.1, 1e-15);
  assert_int_equal(sketch.touch_count, 1);
  assert_close(sketch.touches[0].x, 10.5, 1e-15);
  assert_close(sketch.touches[0].dx, 0.6, 1e-15);
  assert_close(sketch.touches[0].dy, 0.8, 1e-15);
  dls_system_destroy(sys);
  dls_model_choice_release(&choice);
}

DLS_TEST(what_does_not_fit_is_refused_with_file_and_line)
{
  static const struct {
    const char *name, *text, *message;
  } cases[] = {
      {"F", "", "F:0: the file is empty: it needs a header t,F0,..."},
      {"F", "x,F0\n", "F:1: the header is 'x...', it must be t,F0,..."},
      {"F", "t\n0\n", "F:1: the header is 't...', it must be t,F0,..."},
      {"F", "t,q0\n", "F:1: column 'q0' of the header is unknown; allowed: t first, then F0 to F1"},
      {"F", "t,F2\n", "F:1: no degree of freedom 2 for F2: M is 2 x 2"},
      {"F", "t,F1,F1\n", "F:1: column F1 appears twice"},
      {"F", "t,F1\n", "F:1: no row of forces"},
      {"F", "t,F1\n0\n", "F:2: the row has 1 numbers, the header 2 names"},
      {"F", "t,F1\n0,1,2\n", "F:2: the row has more numbers than the 2 names of the header"},
      {"F", "t,F1\n0,one\n", "F:2: number 2 = 'one' is not a finite number"},
      {"F", "t,F1\n0,1\n\n# or\n-1,1\n", "F:5: t = -1 is less than 0 of the row before"},
      {"F", "t,F1\n0,1\n0,2\n0,3\n", "F:4: t = 0 appears a third time; two rows of one time are a jump"},
      {"amplitude", ARRAY "1 1\n1\n", "amplitude is 1 x 1, it must be a vector of 2"},
      {"phase", ARRAY "2 1\n1\n1\n", "phase is given without force: amplitude is missing"},
      {"eN", ARRAY "2 1\n1\n1\n", "eN is given without contacts: HT or H is missing"},
      {"X", ARRAY "3 2\n1\n1\n1\n1\n1\n1\n", "X: X is 3 x 2, it must be p x 2 with p = n = 2 or 2 p = n"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_error err = {0};
    dls_model_choice choice;
    put_pair();
    set(cases[k].name, cases[k].text);
    assert_true(choose(&choice, &err) != DLS_OK);
    if (strstr(err.text, cases[k].message) == NULL) {
      fail_msg("case %zu: '%s' instead of '%s'", k, err.text, cases[k].message);
    }
    forget(NULL);
  }
  dls_error err = {0};
  dls_model_choice choice;
  dls_system *sys = NULL;
  set("M", ARRAY "1 1\n2\n");
  set("K", ARRAY "1 1\n0\n");
  set("HT", ARRAY "1 1\n1\n");
  set("eN", ARRAY "1 1\n0.5\n");
  set("e=0.5", NULL);
  assert_ok(choose(&choice, &err), err);
  assert_int_equal(dls_model_create(choice.model, choice.parameters, &sys, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "model matrix-model: e = 0.5 has no effect when the file eN is given");
  dls_model_choice_release(&choice);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(a_mass_under_a_table_of_forces, forget),
      cmocka_unit_test_teardown(harmonic_loads_add_to_the_others, forget),
      cmocka_unit_test_teardown(an_oscillator_under_a_harmonic_load_is_that_of_the_catalogue, forget),
      cmocka_unit_test_teardown(rayleigh_damping_is_a_sum_of_matrices, forget),
      cmocka_unit_test_teardown(rayleigh_damping_damps_by_its_ratio, forget),
      cmocka_unit_test_teardown(each_contact_has_its_restitution, forget),
      cmocka_unit_test_teardown(nodes_with_places_can_be_drawn, forget),
      cmocka_unit_test_teardown(what_does_not_fit_is_refused_with_file_and_line, forget),
  };
  return cmocka_run_group_tests(tests, make_folder, NULL);
}
