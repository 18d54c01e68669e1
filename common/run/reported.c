/* reported.c -- completes the contacts that a scheme reports.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/reported.h"
#include "common/base/arrays.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Gap velocities and slips up to this are 0, in units of the velocity scale; the default velocity_tol of the schemes. */
static const double rest = 1e-9;

typedef enum reporting { UNKNOWN, REPORTED, MISSING } reporting;

struct dls_reported {
  reporting status, friction; /* does the scheme set sim->status, sim->p_t? */
  bool suspect;               /* the last node had a contact sliding without friction */
  dls_solved solved;          /* of the scheme's contact system; its arrays are NULL without friction */
};

bool dls_reported_create(dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  if (!dls_scheme_needs_step(sim->scheme) || sys->m == 0) {
    return true;
  }
  dls_reported *r = sim->reported = calloc(1, sizeof *r);
  if (r == NULL || !(sim->scheme->handles & DLS_HANDLES_FRICTION) || !dls_system_has_friction(sys)) {
    return r != NULL && (r->friction = REPORTED) == REPORTED;
  }
  r->solved.rest = rest * sys->length / sys->time;
  r->solved.r = calloc(sys->d * sys->m, sizeof *r->solved.r);
  r->solved.status = calloc(sys->m, sizeof *r->solved.status);
  sim->work.solved = &r->solved;
  return r->solved.r != NULL && r->solved.status != NULL;
}

void dls_reported_destroy(dls_sim *sim)
{
  if (sim->reported != NULL) {
    free(sim->reported->solved.r);
    free(sim->reported->solved.status);
    free(sim->reported);
    sim->work.solved = NULL;
    sim->reported = NULL;
  }
}

void dls_reported_begin(dls_sim *sim)
{
  const dls_reported *r = sim->reported;
  const size_t m = sim->sys->m, d = sim->sys->d;
  if (r->status == MISSING) {
    memset(sim->status, 0, m * sizeof *sim->status);
  }
  if (r->friction == MISSING) {
    memset(sim->p_t, 0, (d - 1) * m * sizeof *sim->p_t);
  }
  if (r->friction != REPORTED) {
    memset(r->solved.r, 0, d * m * sizeof *r->solved.r);
  }
}

static double size_of(size_t count, const double *x)
{
  return count == 2 ? hypot(x[0], x[1]) : count == 1 ? fabs(x[0]) : 0;
}

static dls_status refuse(const dls_sim *sim, size_t j, double slip, dls_error *err)
{
  char name[80];
  dls_contact_name(sim->sys, j, name, sizeof name);
  return dls_sim_fail(
      sim, err, DLS_ERR_NOT_APPLICABLE,
      "the scheme declares friction but reports no tangential impulse for %s, which slides with "
      "%g m/s under a normal impulse of %g N s: set sim->p_t and sim->status, or solve with "
      "dls_contact_system_impulse and report its normal impulses unchanged",
      name, slip, sim->p[j]);
}

/* p_t and status of a contact with friction and p > 0. @return whether it slides without a friction impulse */
static bool complete_friction(dls_sim *sim, size_t j)
{
  dls_reported *r = sim->reported;
  const size_t slips = sim->sys->d - 1;
  const double *solved = r->solved.r + sim->sys->d * j;
  double *p_t = sim->p_t + slips * j;
  if (r->friction == UNKNOWN && size_of(slips, p_t) != 0) {
    r->friction = REPORTED;
    sim->work.solved = NULL;
  }
  if (r->friction == REPORTED) {
    return false;
  }
  /* p comes from the contact system, so p_t does too */
  if (solved[0] == sim->p[j] && size_of(slips, solved + 1) != 0) {
    r->friction = MISSING;
    memcpy(p_t, solved + 1, slips * sizeof *p_t);
  }
  if (r->friction == MISSING && solved[0] == sim->p[j] && r->status != REPORTED) {
    r->status = MISSING;
    sim->status[j] = r->solved.status[j];
  }
  return size_of(slips, p_t) == 0 && size_of(slips, sim->u_t + slips * j) > r->solved.rest;
}

/* Close a contact at rest with an impulse. */
static void complete_status(dls_sim *sim, size_t j)
{
  dls_reported *r = sim->reported;
  if (r->status == UNKNOWN && sim->status[j] != 0) {
    r->status = REPORTED;
  } else if (r->status != REPORTED && sim->status[j] == 0 &&
             fabs(sim->u[j]) <= rest * sim->sys->length / sim->sys->time) {
    r->status = MISSING;
    sim->status[j] = 1;
  }
}

dls_status dls_reported_complete(dls_sim *sim, dls_error *err)
{
  dls_reported *r = sim->reported;
  const size_t slips = sim->sys->d - 1;
  bool suspect = false;
  for (size_t j = 0; j < sim->sys->m; j++) {
    if (!(sim->p[j] > 0)) {
      continue;
    }
    if (dls_law_has_friction(sim->sys, j) && r->friction != REPORTED && complete_friction(sim, j)) {
      if (r->suspect) { /* at a single node tangents may rotate or slip may begin */
        return refuse(sim, j, size_of(slips, sim->u_t + slips * j), err);
      }
      suspect = true;
    }
    complete_status(sim, j);
  }
  r->suspect = suspect;
  if (r->status == REPORTED && r->friction == REPORTED) {
    dls_reported_destroy(sim); /* the scheme reports everything itself */
  }
  return DLS_OK;
}
