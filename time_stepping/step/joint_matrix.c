/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/joint_matrix.h"
#include "common/linear/storage.h"

bool dls_joint_matrix_create(dls_sim *sim, const dls_configuration *config, dls_joint_matrix *m)
{
  const dls_system *sys = sim->sys;
  *m = (dls_joint_matrix){.sys = sys, .geometric = dls_matrix_clone(sys->geometric)};
  if (m->geometric == NULL && sys->geometric != NULL) {
    return false;
  }
  m->N = dls_factor_create((const dls_matrix *const[]){config->M, sim->C, sim->K, m->geometric}, 4);
  m->joints = m->N != NULL ? dls_joints_create(sys, m->N) : NULL;
  dls_joints_count_fallbacks(m->joints, &sim->work.fallbacks);
  return m->joints != NULL;
}

void dls_joint_matrix_destroy(dls_joint_matrix *m)
{
  dls_joints_destroy(m->joints);
  dls_factor_destroy(m->N);
  dls_matrix_destroy(m->geometric);
}

void dls_joint_matrix_weigh(dls_joint_matrix *m, const double *weights, double s, double t, const double *q,
                            const double *mu)
{
  const double all[] = {weights[0], weights[1], weights[2], m->geometric != NULL ? -s : 0};
  if (m->geometric != NULL) {
    m->sys->joint_stiffness(m->sys, t, q, mu, m->geometric);
  }
  dls_factor_weigh(m->N, all);
  dls_joints_touch(m->joints);
}
