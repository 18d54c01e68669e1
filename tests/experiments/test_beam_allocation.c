/* test_beam_allocation.c -- beams, their equilibria, conserving steps and files of their meshes are made, or there is no
 * memory: nothing is left behind. SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "failing_malloc.h"
#include "models.h"
#include "runs.h"
#include "scratch.h"

#include <delassus/catalogue.h>
#include <delassus/vtu.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef dls_status (*job)(void *data, dls_error *err);

/* Allocation k of a job fails, for k = 1, 2, ... until all goes well. @param[in] counted  are all blocks ours? Names of files are
 * blocks of the C library's. @return how many there are */
static size_t sweep(job make, void *data, bool counted)
{
  for (size_t k = 1;; k++) {
    dls_error err = {0};
    live = 0;
    failed = false;
    until_failure = k;
    const dls_status status = make(data, &err);
    until_failure = 0;
    assert_true(live == 0 || !counted);
    if (!failed) {
      assert_ok(status, err);
      return k - 1;
    }
    assert_int_equal(status, DLS_ERR_MEMORY);
    assert_true(err.text[0] != '\0');
  }
}

static dls_status make_system(void *data, dls_error *err)
{
  const dls_model_choice *choice = data;
  dls_system *sys = NULL;
  const dls_status status = dls_model_create(choice->model, choice->parameters, &sys, err);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(systems_are_made_or_there_is_no_memory)
{
  static const char *const models[] = {"cantilever:n=3,c=1",
                                       "spin-up-beam:n=3",
                                       "rotating-beam:mass=lumped",
                                       "rotating-beam:element=directors",
                                       "flying-beam:n=3,element=directors",
                                       "rotating-beam:mass=redistributed",
                                       "elastic-bar:n=3",
                                       "elastic-bar:n=3,mass=redistributed,g=9.81",
                                       "elastic-bar:n=1,mass=redistributed",
                                       "elastic-block:nx=2,ny=1,start=static,h0=0,g=1,beta=1"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    dls_model_choice choice = dls_test_model(models[i]);
    assert_between((double)sweep(make_system, &choice, true), 5, 100);
    dls_model_choice_release(&choice);
  }
}

static dls_status step_by(const dls_scheme *scheme, const dls_system *sys, dls_error *err)
{
  dls_sim *sim = NULL;
  dls_status status = dls_sim_create(sys, scheme, &sim, err);
  status = status != DLS_OK ? status : dls_sim_start(sim, err);
  status = status != DLS_OK ? status : dls_sim_advance(sim, 0.01, err);
  dls_sim_destroy(sim);
  return status;
}

static dls_status conserving_step(void *data, dls_error *err)
{
  extern const dls_scheme dls_scheme_energy_preserving;
  return step_by(&dls_scheme_energy_preserving, data, err);
}

static dls_status static_step(void *data, dls_error *err)
{
  extern const dls_scheme dls_scheme_redistributed_mass_midpoint;
  return step_by(&dls_scheme_redistributed_mass_midpoint, data, err);
}

DLS_TEST(steps_are_made_or_there_is_no_memory)
{
  dls_system *sys = dls_test_system("flying-beam:n=3,element=directors");
  assert_between((double)sweep(conserving_step, sys, true), 10, 200);
  dls_system_destroy(sys);
  sys = dls_test_system("flying-beam:n=3,mass=redistributed");
  assert_between((double)sweep(static_step, sys, true), 10, 200);
  dls_system_destroy(sys);
}

typedef struct files {
  const dls_model *model;
  const test_run *run;
  char path[DLS_TEST_PATH];
} files;

static dls_status write_files(void *data, dls_error *err)
{
  const files *f = data;
  return dls_vtu_write(f->model, f->run->sys, f->run->traj, f->path, NULL, err);
}

DLS_TEST(meshes_are_written_or_there_is_no_memory)
{
  test_run run = dls_test_run("rotating-beam", "moreau-jean", 1e-3, 2e-3);
  files f = {.model = dls_model_find("rotating-beam", NULL), .run = &run};
  char pattern[DLS_TEST_PATH];
  const char *const folder = dls_test_folder(NULL);
  glob_t found;
  dls_test_file(folder, "mesh.vtu", f.path);
  dls_test_file(folder, "*", pattern);
  assert_between((double)sweep(write_files, &f, false), 10, 200);
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  assert_int_equal(found.gl_pathc,
                   3 + 1); /* nodes at 0, 1 and 2 ms, and their list: no temporary file is left */
  globfree(&found);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(systems_are_made_or_there_is_no_memory),
      cmocka_unit_test(steps_are_made_or_there_is_no_memory),
      cmocka_unit_test(meshes_are_written_or_there_is_no_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
