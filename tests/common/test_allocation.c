/* test_allocation.c -- allocation number k fails, for k = 1, 2, ... until everything goes well: each
 * time there is an error with a message, nothing crashes and nothing is left behind. The linker sends this
 * program's malloc, calloc, realloc, strdup and free here (--wrap, see tests/CMakeLists.txt); what the shared
 * libraries allocate for themselves is not reached.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "scratch.h"
#include "toy_scheme.h"
#include <delassus/delassus_operator.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *block);

enum { MOST_LIVE = 1000 };
static void *live[MOST_LIVE]; /* blocks handed out and not freed yet */
static size_t live_count;
static size_t until_failure; /* 0: no allocation fails */
static bool failed;

static bool fails(void)
{
  if (until_failure > 0 && --until_failure == 0) {
    failed = true;
    return true;
  }
  return false;
}

static void *keep(void *block)
{
  if (block != NULL) {
    assert_true(live_count < MOST_LIVE);
    live[live_count++] = block;
  }
  return block;
}

static void forget(const void *block)
{
  for (size_t i = live_count; i-- > 0;) {
    if (live[i] == block) {
      live[i] = live[--live_count];
      return;
    }
  }
}

void *__wrap_malloc(size_t size)
{
  return fails() ? NULL : keep(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
  return fails() ? NULL : keep(__real_calloc(count, size));
}

void *__wrap_realloc(void *block, size_t size)
{
  if (fails()) {
    return NULL;
  }
  forget(block);
  return keep(__real_realloc(block, size));
}

char *__wrap_strdup(const char *text)
{
  return fails() ? NULL : keep(__real_strdup(text));
}

void __wrap_free(void *block)
{
  forget(block);
  __real_free(block);
}

/* One piece of work from creation to destruction; @return what it came to */
typedef dls_status (*job)(dls_error *err);

/* @return number of allocations that the job makes */
static size_t sweep(job work)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    failed = false;
    until_failure = k;
    const dls_status status = work(&err);
    until_failure = 0;
    assert_int_equal(live_count, 0);
    if (!failed) {
      assert_ok(status, err);
      return k - 1;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_true(strlen(err.text) > 0);
  }
}

/* For creators that return NULL and nothing else when they have no memory. */
static dls_status from_pointer(const void *created, dls_error *err)
{
  return created != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "NULL");
}

static dls_status fill_trajectory(dls_trajectory *traj, dls_error *err)
{
  const dls_event event = {.t = 1, .kind = DLS_IMPACT};
  dls_status status = dls_trajectory_note(traj, err, "model", "%s", "toy");
  status = status != DLS_OK ? status : dls_trajectory_note(traj, err, "e", "%g", 0.5);
  for (int i = 0; status == DLS_OK && i < 50; i++) {
    status = dls_trajectory_add_event(traj, &event, err);
  }
  for (int i = 0; status == DLS_OK && i < 200; i++) {
    double *row = dls_trajectory_append(traj);
    status = from_pointer(row, err);
    for (size_t j = 0; row != NULL && j < traj->columns; j++) {
      row[j] = i;
    }
  }
  return status != DLS_OK ? status : dls_trajectory_reserve(traj, 10000, err);
}

static dls_status trajectory_job(dls_error *err)
{
  dls_trajectory *traj = dls_trajectory_create(2, 2, true);
  dls_status status = from_pointer(traj, err);
  status = status != DLS_OK ? status : fill_trajectory(traj, err);
  if (traj != NULL) { /* what is there is whole */
    assert_true(traj->rows <= traj->row_capacity && traj->event_count <= traj->event_capacity);
    assert_true(traj->rows == 0 || dls_trajectory_at(traj, traj->rows - 1, 3) >= 0);
  }
  dls_trajectory_destroy(traj);
  return status;
}

DLS_TEST(trajectories_survive)
{
  assert_true(sweep(trajectory_job) > 20);
}

static char path[DLS_TEST_PATH];

static int write_table(void **state)
{
  (void)state;
  FILE *file = fopen(dls_test_file(dls_test_folder(NULL), "table.csv", path), "w");
  assert_non_null(file);
  fputs("# interpolation: q0=hermite\n# interpolation: q0=linear\nt,q0,v0\n", file);
  for (int i = 0; i < 200; i++) {
    fprintf(file, "%d,1,2\n", i);
  }
  return fclose(file);
}

static dls_status read_job(dls_error *err)
{
  dls_trajectory *traj = NULL;
  const dls_status status = dls_trajectory_read(path, &traj, err);
  assert_true((traj != NULL) == (status == DLS_OK));
  dls_trajectory_destroy(traj);
  return status;
}

DLS_TEST(reading_survives)
{
  assert_true(sweep(read_job) > 8);
}

static dls_matrix *create(int storage)
{
  switch (storage) {
  case DLS_DIAGONAL:
    return dls_matrix_diagonal(3);
  case DLS_BAND:
    return dls_matrix_band(3, 1, 1);
  case DLS_SPARSE:
    return dls_matrix_sparse(3, 3, 3);
  default:
    return dls_matrix_dense(3, 3);
  }
}

static dls_status matrix_job(dls_error *err)
{
  dls_status status = DLS_OK;
  for (int s = 0; s < 4 && status == DLS_OK; s++) {
    dls_matrix *A = create(s);
    dls_matrix *B = A == NULL ? NULL : dls_matrix_clone(A);
    status = from_pointer(B, err);
    dls_matrix_destroy(A);
    dls_matrix_destroy(B);
  }
  return status;
}

static dls_status factor_job(dls_error *err)
{
  dls_status status = DLS_OK;
  for (int s = 0; s < 4 && status == DLS_OK; s++) {
    dls_matrix *A = create(s);
    for (size_t i = 0; A != NULL && i < 3; i++) {
      dls_matrix_set(A, i, i, 2);
    }
    const dls_matrix *const terms[] = {A, A};
    dls_factor *F = A == NULL ? NULL : dls_factor_create(terms, 2);
    status = from_pointer(F, err);
    status = status != DLS_OK ? status : dls_factor_sum(F, (const double[]){1, 1}, err);
    dls_factor_destroy(F);
    dls_matrix_destroy(A);
  }
  return status;
}

DLS_TEST(matrices_and_factors_survive)
{
  assert_true(sweep(matrix_job) >= 8);
  assert_true(sweep(factor_job) >= 8);
}

static dls_status solve(dls_delassus *D, dls_lcp_solver *lcp, dls_error *err)
{
  const size_t all[] = {0, 1, 2};
  const double b[] = {-1, 2, -3};
  double p[3] = {0};
  dls_status status = DLS_OK;
  for (size_t count = 1; count <= 3 && status == DLS_OK; count++) {
    status = dls_delassus_solve(D, lcp, count, all, b, p, NULL, NULL, err);
    status = status != DLS_OK ? status : dls_delassus_solve_bilateral(D, count, all, b, p, err);
  }
  return status;
}

static dls_status delassus_job(dls_error *err)
{
  dls_matrix *A = create(DLS_DIAGONAL);
  dls_matrix *H = create(DLS_DENSE);
  dls_lcp_solver *lcp = NULL;
  for (size_t i = 0; A != NULL && H != NULL && i < 3; i++) {
    dls_matrix_set(A, i, i, 2);
    dls_matrix_set(H, i, i, 1);
  }
  const dls_matrix *const terms[] = {A};
  dls_factor *F = A == NULL ? NULL : dls_factor_create(terms, 1);
  dls_delassus *D = F == NULL || H == NULL ? NULL : dls_delassus_create(F, H);
  dls_status status = from_pointer(D, err);
  status = status != DLS_OK ? status : dls_factor_sum(F, (const double[]){1}, err);
  status = status != DLS_OK ? status : dls_lcp_create(1, NULL, 1e-12, &lcp, err);
  status = status != DLS_OK ? status : solve(D, lcp, err);
  dls_lcp_destroy(lcp);
  dls_delassus_destroy(D);
  dls_factor_destroy(F);
  dls_matrix_destroy(H);
  dls_matrix_destroy(A);
  return status;
}

DLS_TEST(the_delassus_operator_survives)
{
  assert_true(sweep(delassus_job) > 8);
}

extern const dls_model dls_model_bouncing_ball;
extern const dls_model dls_model_impacting_oscillator;
extern const dls_model dls_model_bead_column;
extern const dls_model dls_model_wedge;
extern const dls_model dls_model_ball_between_walls;
extern const dls_model dls_model_bouncing_pendulum;
extern const dls_model dls_model_two_ball_oscillator;
extern const dls_model dls_model_random_linear;
extern const dls_model dls_model_elastic_bar;
extern const dls_model dls_model_rod_impact;
static const dls_model *model; /* of the job in hand */

static dls_status model_job(dls_error *err)
{
  dls_system *sys = NULL;
  const dls_status status = dls_model_create(model, NULL, &sys, err);
  assert_true((sys != NULL) == (status == DLS_OK));
  dls_system_destroy(sys);
  return status;
}

static dls_status system_job(dls_error *err)
{
  dls_system *sys = dls_system_create(3, 2);
  dls_system_destroy(sys);
  return from_pointer(sys, err);
}

DLS_TEST(systems_and_models_survive)
{
  const dls_model *const models[] = {&dls_model_bouncing_ball,       &dls_model_impacting_oscillator,
                                     &dls_model_bead_column,         &dls_model_wedge,
                                     &dls_model_ball_between_walls,  &dls_model_bouncing_pendulum,
                                     &dls_model_two_ball_oscillator, &dls_model_random_linear,
                                     &dls_model_elastic_bar,         &dls_model_rod_impact};
  assert_int_equal(sweep(system_job), 3);
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    model = models[k];
    assert_true(sweep(model_job) >= 6); /* values of parameters; three of the system; M and H */
  }
}

extern const dls_model dls_model_matrix_model;

/* All files but H, which would be HT once more, eT, vT, eN, and frequency and phase; the coefficients of static friction are those of
 * sliding, the amplitudes those of the constant force. */
static dls_status load_job(dls_error *err)
{
  static const char *const paths[] = {DLS_TEST_DATA "/matrix-model/M.mtx",
                                      DLS_TEST_DATA "/matrix-model/K.mtx",
                                      DLS_TEST_DATA "/matrix-model/C.mtx",
                                      DLS_TEST_DATA "/matrix-model/HT.mtx",
                                      NULL,
                                      DLS_TEST_DATA "/matrix-model/w.mtx",
                                      DLS_TEST_DATA "/matrix-model/q0.mtx",
                                      DLS_TEST_DATA "/matrix-model/v0.mtx",
                                      DLS_TEST_DATA "/matrix-model/F0.mtx",
                                      DLS_TEST_DATA "/matrix-model/T.mtx",
                                      DLS_TEST_DATA "/matrix-model/mu.mtx",
                                      NULL,
                                      NULL,
                                      DLS_TEST_DATA "/matrix-model/mu.mtx",
                                      NULL,
                                      DLS_TEST_DATA "/matrix-model/F0.mtx",
                                      NULL,
                                      NULL,
                                      DLS_TEST_DATA "/matrix-model/X.mtx",
                                      DLS_TEST_DATA "/matrix-model/F.csv"};
  const double p[] = {0.5, 1, 1, 0.1, 0.1}; /* with Rayleigh damping */
  dls_model *loaded = NULL;
  dls_system *sys = NULL;
  dls_status status = dls_model_load(&dls_model_matrix_model, paths, &loaded, err);
  assert_true((loaded != NULL) == (status == DLS_OK));
  status = status != DLS_OK ? status : dls_model_create(loaded, p, &sys, err);
  assert_true((sys != NULL) == (status == DLS_OK));
  dls_system_destroy(sys);
  dls_model_release(loaded);
  return status;
}

DLS_TEST(models_from_files_survive)
{
  assert_true(sweep(load_job) > 35);
}

static const dls_scheme toy = TOY_SCHEME(DLS_BY_STEP, DLS_HERMITE);
static bool nonlinear; /* the sim then has matrices of its own */

static void drift(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  F[0] = 0;
}

static void heights(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = q[0];
  g[1] = 10 - q[0];
}

static void constant_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  (void)sys;
  (void)q;
  (void)M;
}

static dls_status run(const dls_system *sys, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_trajectory *traj = NULL;
  dls_status status = dls_sim_create(sys, &toy, &sim, err);
  assert_true((sim != NULL) == (status == DLS_OK));
  if (status == DLS_OK) {
    traj = dls_sim_trajectory(sim, err);
    status = traj != NULL ? DLS_OK : DLS_ERR_MEMORY;
  }
  if (status == DLS_OK) {
    const bool keep[20] = {[1] = true};
    status = dls_trajectory_select(traj, keep, err);
  }
  if (status == DLS_OK) {
    status = dls_run(sim, &(dls_run_spec){.step = 0.3, .end = 9, .record = traj}, err);
    assert_true(traj->complete == (status == DLS_OK));
    assert_string_equal(traj->failure, status == DLS_OK ? "" : err->text);
  }
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  return status;
}

static dls_status run_job(dls_error *err)
{
  dls_system *sys = toy_system();
  dls_status status = from_pointer(sys, err);
  if (status == DLS_OK && nonlinear) {
    sys->linear = false;
    sys->force = drift;
    sys->gap = heights;
    sys->mass = constant_mass;
    sys->K = dls_matrix_diagonal(1);
    sys->C = dls_matrix_diagonal(1);
    status = from_pointer(sys->K != NULL ? sys->C : NULL, err);
  }
  status = status != DLS_OK ? status : run(sys, err);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(runs_survive)
{
  nonlinear = false;
  assert_true(sweep(run_job) > 35);
  nonlinear = true;
  assert_true(sweep(run_job) > 40);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trajectories_survive),
      cmocka_unit_test_setup_teardown(reading_survives, write_table, NULL),
      cmocka_unit_test(matrices_and_factors_survive),
      cmocka_unit_test(the_delassus_operator_survives),
      cmocka_unit_test(systems_and_models_survive),
      cmocka_unit_test(models_from_files_survive),
      cmocka_unit_test(runs_survive),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
