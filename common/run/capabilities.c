/* capabilities.c -- the table of capabilities, and the check of a system by it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/capabilities.h"
#include <delassus/law.h>
#include <stdio.h>

static bool has_friction(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "mu > 0");
  return dls_system_has_friction(sys);
}

static bool has_static_friction(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "mu_s > mu");
  return dls_system_has_static_friction(sys);
}

static bool has_stribeck(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "v_s > 0 (law stribeck)");
  return dls_system_has_stribeck(sys);
}

static bool has_moving_gaps(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "such");
  return dls_system_gap_moves(sys);
}

static bool has_contacts(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "m = %zu", sys->m);
  return sys->m > 0;
}

static bool has_joints(const dls_system *sys, char *has, size_t size)
{
  snprintf(has, size, "r = %zu", sys->r);
  return sys->r > 0;
}

static bool has_massless(const dls_system *sys, char *has, size_t size)
{
  const size_t count = dls_system_massless(sys, NULL);
  for (size_t i = 0; count > 0 && i < sys->n; i++) {
    if (dls_matrix_get(sys->M, i, i) == 0) {
      snprintf(has, size, "%zu of them, the first q%zu", count, i);
      return true;
    }
  }
  return false;
}

static bool has_speed_law(const dls_system *sys, char *has, size_t size)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (dls_law_sees_speed(sys, j)) {
      snprintf(has, size, "law %.60s at contact %zu", dls_law_of(sys, j)->name, j);
      return true;
    }
  }
  return false;
}

const dls_capability dls_capabilities[] = {
    {DLS_HANDLES_FRICTION, false, "friction", "yes", has_friction, "friction", ""},
    {DLS_HANDLES_STATIC_FRICTION, false, NULL, "yes, with mu_s > mu too", has_static_friction,
     "static friction above that of sliding",
     ": at the level of velocities that is no law, as its steps have several solutions"},
    {DLS_HANDLES_STRIBECK, false, NULL, "yes, with mu_s > mu and Stribeck's curve too", has_stribeck,
     "friction that depends on the slip speed", ": its contact problems have given coefficients"},
    {DLS_HANDLES_MOVING_GAPS, false, "gaps that move", "yes", has_moving_gaps, "gaps that move by themselves",
     ""},
    {DLS_HANDLES_NO_CONTACT, true, NULL, NULL, has_contacts, "contacts", ""},
    {DLS_HANDLES_JOINTS, false, "joints", "yes", has_joints, "joints", ""},
    {DLS_HANDLES_MASSLESS, false, "coordinates without mass", "yes", has_massless, "coordinates without mass",
     ""},
    {DLS_HANDLES_APPROACH_SPEED, false, "laws of the approach speed", "yes", has_speed_law,
     "laws of contact that depend on the approach speed", ""},
    {DLS_HANDLES_ANY_STEP, false, NULL, NULL, NULL, "steps of another length than the last", ""},
    {DLS_HANDLES_DERIVATIVES, false, NULL, NULL, NULL, "derivatives with respect to parameters", ""},
    {0}};

dls_status dls_scheme_check_handles(const dls_scheme *scheme, dls_error *err)
{
  const unsigned refined = DLS_HANDLES_STATIC_FRICTION | DLS_HANDLES_STRIBECK;
  const unsigned of_contacts =
      DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_APPROACH_SPEED | refined;
  unsigned known = 0;
  for (const dls_capability *c = dls_capabilities; c->what != NULL; c++) {
    known |= c->bit;
  }
  if ((scheme->handles & ~known) != 0) {
    return dls_fail(err, DLS_ERR_ARG, "scheme %s: handles has bits 0x%x, which dls_handles does not define",
                    scheme->name, scheme->handles & ~known);
  }
  if ((scheme->handles & DLS_HANDLES_NO_CONTACT) != 0 && (scheme->handles & of_contacts) != 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "scheme %s: handles has DLS_HANDLES_NO_CONTACT together with friction, moving gaps or "
                    "laws of the approach speed",
                    scheme->name);
  }
  if ((scheme->handles & refined) != 0 && (scheme->handles & DLS_HANDLES_FRICTION) == 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "scheme %s: handles has static friction or Stribeck's curve without DLS_HANDLES_FRICTION",
                    scheme->name);
  }
  return DLS_OK;
}

dls_status dls_scheme_applies(const dls_scheme *scheme, const dls_system *sys, dls_error *err)
{
  for (const dls_capability *c = dls_capabilities; c->what != NULL; c++) {
    char has[80];
    if (c->needed != NULL && !dls_scheme_treats(scheme, c) && c->needed(sys, has, sizeof has)) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s does not treat %s, and the system has %s%s",
                      scheme->name, c->what, has, c->reason);
    }
  }
  return DLS_OK;
}
