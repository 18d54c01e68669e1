/* consumer.c -- a program that knows delassus by its installed files alone: a run and the exact solution.
 * Prints the largest error of q of Moreau-Jean on the bouncing ball before the first impact (t = 1 s).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/delassus.h>
#include <math.h>
#include <stdio.h>

static dls_status ball(dls_system **system, dls_sim **sim, dls_error *err)
{
  const dls_scheme *scheme = dls_scheme_find("moreau-jean", err);
  dls_status status = dls_model_create(dls_model_find("bouncing-ball", err), NULL, system, err);
  status = status != DLS_OK ? status : dls_sim_create(*system, scheme, sim, err);
  status = status != DLS_OK ? status : dls_sim_set(*sim, "theta=1", err);
  return status != DLS_OK ? status : dls_run(*sim, &(dls_run_spec){.step = 1e-3, .end = 0.9}, err);
}

int main(void)
{
  dls_error err = {0};
  dls_system *system = NULL;
  dls_sim *sim = NULL;
  dls_trajectory *exact = NULL;
  dls_status status = ball(&system, &sim, &err);
  if (status == DLS_OK) {
    status = dls_exact_at(dls_exact_find("bouncing-ball"), NULL, 1, &sim->t, &exact, &err);
  }
  if (status != DLS_OK) {
    fprintf(stderr, "%s: %s\n", dls_status_text(status), err.text);
  } else {
    const size_t q0 = (size_t)dls_trajectory_column(exact, "q0");
    printf("error of q = %g\n", fabs(sim->q[0] - dls_trajectory_at(exact, 0, q0)));
  }
  dls_trajectory_destroy(exact);
  dls_sim_destroy(sim);
  dls_system_destroy(system);
  return status == DLS_OK ? 0 : 1;
}
