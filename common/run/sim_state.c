/* sim_state.c -- services of a run for schemes and the driver: messages with its time, and velocities at its contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/scheme.h>
#include <stdarg.h>
#include <stdio.h>

/* calls of dls_sim_poll between two polls: one may be 1000 times slower */

dls_status dls_sim_fail(const dls_sim *sim, dls_error *err, dls_status status, const char *format, ...)
{
  char text[360];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return dls_fail(err, status, "%s at t = %.10g: %s", sim->scheme->name, sim->t, text);
}

void dls_sim_gap_velocity(const dls_sim *sim, const double *v, double *u)
{
  dls_configuration_normals(&sim->config, v, u);
}

void dls_sim_slip(const dls_sim *sim, const double *v, double *u_t)
{
  const dls_configuration *config = &sim->config;
  for (size_t j = 0; config->d > 1 && j < sim->sys->m; j++) {
    for (size_t i = 1; i < config->d; i++) {
      *u_t++ = dls_configuration_row(config, config->d * j + i, v);
    }
  }
}
