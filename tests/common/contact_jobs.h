/* contact_jobs.h -- all that a stage and its friction are asked for, for tests in which what they call fails or somebody interrupts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_CONTACT_JOBS_H
#define DELASSUS_TESTS_CONTACT_JOBS_H

#include "check.h"
#include "moving.h"
#include <delassus/contact_mode.h>
#include <delassus/contact_system.h>
#include <string.h>

enum { CONTACT_JOB_BLOCKS = 140, CONTACT_JOB_FEW = 40 };

/* Blocks of 1 kg side by side on a floor in space, mu = 0.5. */
static inline dls_system *contact_job_blocks(void)
{
  const size_t n = 3 * CONTACT_JOB_BLOCKS;
  dls_error err = {0};
  dls_system *sys = dls_system_create(n, CONTACT_JOB_BLOCKS);
  sys->linear = true;
  sys->d = 3;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_sparse(n, CONTACT_JOB_BLOCKS, CONTACT_JOB_BLOCKS);
  sys->T = dls_matrix_sparse(n, 2 * CONTACT_JOB_BLOCKS, 2 * CONTACT_JOB_BLOCKS);
  for (size_t j = 0; j < CONTACT_JOB_BLOCKS; j++) {
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
static inline dls_system *contact_job_rubbing(const dls_law *law)
{
  dls_system *sys = dls_test_moving(2);
  sys->mu[0] = 0.3;
  sys->law[0] = sys->law[1] = law;
  return sys;
}

typedef struct contact_job {
  const dls_system *sys;
  dls_interrupt_poll interrupt;
} contact_job;

/* data: a contact_job of contact_job_rubbing. Impact, forces in slip and in stick, and all projections. */
static inline dls_status rub(const void *data, dls_error *err)
{
  const contact_job *job = data;
  static const double fast[2] = {0.9, 1.2}, held[2] = {0, 0}, place[2] = {0.6, -1.1};
  static size_t index[2] = {0, 1};
  static const size_t rows[2] = {0, 2};
  const dls_contacts both = {2, index};
  dls_work work = {.interrupt = job->interrupt};
  dls_contact_system contacts;
  double u[4], r[4] = {0}, v[2], q[2] = {place[0], place[1]};
  size_t solutions = 0;
  dls_status status = dls_contact_system_create_mass(job->sys, &work, &contacts, err);
  status = status != DLS_OK ? status : dls_contact_system_at(&contacts, 0.4, q, err);
  if (status == DLS_OK) {
    dls_contact_system_velocity(&contacts, &both, fast, u);
    status = dls_contact_system_impulse(&contacts, &both, u, u, r, err);
  }
  status = status != DLS_OK ? status : dls_contact_system_count(&contacts, &both, u, u, r, &solutions, err);
  for (int slow = 0; slow < 2 && status == DLS_OK; slow++) {
    double a[2] = {-20, -3};
    status = dls_contact_system_force(&contacts, &both, slow ? held : fast, a, r, err);
    assert_true(status != DLS_OK || r[0] > 0);
  }
  if (status == DLS_OK) {
    double a[2] = {-20, -3};
    status = dls_contact_system_reaction(&contacts, &both, fast, a, r, err);
  }
  memcpy(v, fast, sizeof v);
  status = status != DLS_OK ? status : dls_contact_system_project_v(&contacts, &both, v, err);
  status = status != DLS_OK ? status : dls_contact_system_hold(&contacts, 2, rows, v, r, err);
  status = status != DLS_OK ? status : dls_contact_system_project_q(&contacts, &both, 0.4, q, err);
  dls_contact_system_destroy(&contacts);
  return status;
}

/* Blocks under 10 m/s^2 and a push of 1 and 2 m/s^2 that they withstand: r = (10, -1, -2). */
static inline dls_status withstand(dls_mode_solver *solver, size_t count, dls_error *err)
{
  static const double v[3 * CONTACT_JOB_BLOCKS];
  double a[3 * CONTACT_JOB_BLOCKS], r[3 * CONTACT_JOB_BLOCKS];
  size_t index[CONTACT_JOB_BLOCKS];
  dls_contact_mode mode[CONTACT_JOB_BLOCKS];
  for (size_t j = 0; j < CONTACT_JOB_BLOCKS; j++) {
    index[j] = j;
    mode[j] = (dls_contact_mode){DLS_MODE_STICKS, 0.5, {0}, 0};
    a[3 * j] = 1;
    a[3 * j + 1] = 2;
    a[3 * j + 2] = -10;
  }
  const dls_contacts set = {count, index};
  bool line = true;
  double e[2] = {0.6, 0.8};
  dls_status status = dls_mode_solver_single_line(solver, &set, mode, 0, e, &line, err);
  if (status == DLS_OK) {
    assert_true(!line && e[0] == 0.6 && e[1] == 0.8); /* it slips anywhere */
    status = dls_mode_solver_reaction(solver, &set, mode, NULL, v, a, r, err);
  }
  for (size_t j = 0; j < CONTACT_JOB_BLOCKS && status == DLS_OK; j++) {
    assert_close(r[3 * j], j < count ? 10 : 0, 1e-9);
    assert_close(r[3 * j + 1], j < count ? -1 : 0, 1e-9);
    assert_close(r[3 * j + 2], j < count ? -2 : 0, 1e-9);
    assert_close(a[3 * j], j < count ? 0 : 1, 1e-9);
  }
  return status;
}

/* data: a contact_job of contact_job_blocks. Few contacts, then many. */
static inline dls_status mode_job(const void *data, dls_error *err)
{
  const contact_job *job = data;
  static const double q[3 * CONTACT_JOB_BLOCKS];
  dls_work work = {.interrupt = job->interrupt};
  dls_contact_system contacts;
  dls_mode_solver *solver = NULL;
  dls_status status = dls_contact_system_create_mass(job->sys, &work, &contacts, err);
  status = status != DLS_OK ? status : dls_contact_system_at(&contacts, 0, q, err);
  status = status != DLS_OK ? status : dls_mode_solver_create(&contacts, &solver, err);
  status = status != DLS_OK ? status : withstand(solver, CONTACT_JOB_FEW, err);
  status = status != DLS_OK ? status : withstand(solver, CONTACT_JOB_BLOCKS, err);
  dls_mode_solver_destroy(solver);
  dls_contact_system_destroy(&contacts);
  return status;
}

#endif
