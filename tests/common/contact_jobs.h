/* contact_jobs.h -- all that a stage and its friction are asked for, for tests in which what they call fails or somebody interrupts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_STAGE_JOBS_H
#define DELASSUS_TESTS_STAGE_JOBS_H

#include "check.h"
#include "moving.h"
#include <delassus/contact_mode.h>
#include <delassus/contact_system.h>
#include <string.h>

enum { STAGE_BLOCKS = 140, STAGE_FEW = 40 };

/* Blocks of 1 kg side by side on a floor in space, mu = 0.5. */
static inline dls_system *stage_blocks(void)
{
  const size_t n = 3 * STAGE_BLOCKS;
  dls_error err = {0};
  dls_system *sys = dls_system_create(n, STAGE_BLOCKS);
  sys->linear = true;
  sys->d = 3;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_sparse(n, STAGE_BLOCKS, STAGE_BLOCKS);
  sys->T = dls_matrix_sparse(n, 2 * STAGE_BLOCKS, 2 * STAGE_BLOCKS);
  for (size_t j = 0; j < STAGE_BLOCKS; j++) {
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(sys->M, 3 * j + i, 3 * j + i, 1);
    }
    dls_matrix_set(sys->H, 3 * j + 2, j, 1);
    dls_matrix_set(sys->T, 3 * j, 2 * j, 1);
    dls_matrix_set(sys->T, 3 * j + 1, 2 * j + 1, 1);
    sys->mu[j] = 0.5;
  }
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

/* The system of moving.h with friction on the disc, which it rubs against, and none on the floor. */
static inline dls_system *stage_rubbing(const dls_law *law)
{
  dls_system *sys = dls_test_moving(2);
  sys->mu[0] = 0.3;
  sys->law[0] = sys->law[1] = law;
  return sys;
}

typedef struct stage_job {
  const dls_system *sys;
  dls_asker asker;
} stage_job;

/* data: a stage_job of stage_rubbing. Impact, forces in slip and in stick, and all projections. */
static inline dls_status rub(const void *data, dls_error *err)
{
  const stage_job *job = data;
  static const double fast[2] = {0.9, 1.2}, held[2] = {0, 0}, place[2] = {0.6, -1.1};
  static size_t index[2] = {0, 1};
  static const size_t rows[2] = {0, 2};
  const dls_contacts both = {2, index};
  dls_work work = {.asker = job->asker};
  dls_stage stage;
  double u[4], r[4] = {0}, v[2], q[2] = {place[0], place[1]};
  size_t solutions = 0;
  dls_status status = dls_stage_create_mass(job->sys, &work, &stage, err);
  status = status != DLS_OK ? status : dls_stage_at(&stage, 0.4, q, err);
  if (status == DLS_OK) {
    dls_stage_velocity(&stage, &both, fast, u);
    status = dls_stage_impulse(&stage, &both, u, u, r, err);
  }
  status = status != DLS_OK ? status : dls_stage_count(&stage, &both, u, u, r, &solutions, err);
  for (int slow = 0; slow < 2 && status == DLS_OK; slow++) {
    double a[2] = {-20, -3};
    status = dls_stage_force(&stage, &both, slow ? held : fast, a, r, err);
    assert_true(status != DLS_OK || r[0] > 0);
  }
  if (status == DLS_OK) {
    double a[2] = {-20, -3};
    status = dls_stage_reaction(&stage, &both, fast, a, r, err);
  }
  memcpy(v, fast, sizeof v);
  status = status != DLS_OK ? status : dls_stage_project_v(&stage, &both, v, err);
  status = status != DLS_OK ? status : dls_stage_hold(&stage, 2, rows, v, r, err);
  status = status != DLS_OK ? status : dls_stage_project_q(&stage, &both, 0.4, q, err);
  dls_stage_destroy(&stage);
  return status;
}

/* Blocks under 10 m/s^2 and a push of 1 and 2 m/s^2 that they withstand: r = (10, -1, -2). */
static inline dls_status withstand(dls_grips *grips, size_t count, dls_error *err)
{
  static const double v[3 * STAGE_BLOCKS];
  double a[3 * STAGE_BLOCKS], r[3 * STAGE_BLOCKS];
  size_t index[STAGE_BLOCKS];
  dls_grip grip[STAGE_BLOCKS];
  for (size_t j = 0; j < STAGE_BLOCKS; j++) {
    index[j] = j;
    grip[j] = (dls_grip){DLS_GRIP_STICKS, 0.5, {0}};
    a[3 * j] = 1;
    a[3 * j + 1] = 2;
    a[3 * j + 2] = -10;
  }
  const dls_contacts set = {count, index};
  bool line = true;
  double e[2] = {0.6, 0.8};
  dls_status status = dls_grips_line(grips, &set, grip, 0, e, &line, err);
  if (status == DLS_OK) {
    assert_true(!line && e[0] == 0.6 && e[1] == 0.8); /* it slips anywhere */
    status = dls_grips_reaction(grips, &set, grip, NULL, v, a, r, err);
  }
  for (size_t j = 0; j < STAGE_BLOCKS && status == DLS_OK; j++) {
    assert_close(r[3 * j], j < count ? 10 : 0, 1e-9);
    assert_close(r[3 * j + 1], j < count ? -1 : 0, 1e-9);
    assert_close(r[3 * j + 2], j < count ? -2 : 0, 1e-9);
    assert_close(a[3 * j], j < count ? 0 : 1, 1e-9);
  }
  return status;
}

/* data: a stage_job of stage_blocks. Few contacts, then many. */
static inline dls_status grip_all(const void *data, dls_error *err)
{
  const stage_job *job = data;
  static const double q[3 * STAGE_BLOCKS];
  dls_work work = {.asker = job->asker};
  dls_stage stage;
  dls_grips *grips = NULL;
  dls_status status = dls_stage_create_mass(job->sys, &work, &stage, err);
  status = status != DLS_OK ? status : dls_stage_at(&stage, 0, q, err);
  status = status != DLS_OK ? status : dls_grips_create(&stage, &grips, err);
  status = status != DLS_OK ? status : withstand(grips, STAGE_FEW, err);
  status = status != DLS_OK ? status : withstand(grips, STAGE_BLOCKS, err);
  dls_grips_destroy(grips);
  dls_stage_destroy(&stage);
  return status;
}

#endif
