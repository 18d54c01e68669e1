/* own_restitution.c -- see own_restitution.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/own_restitution.h"
#include <delassus/law.h>
#include <math.h>
#include <stdio.h>

const char *const dls_restitution_refuse_own[] = {"refuse", "own", NULL};
const char *const dls_restitution_refuse_own_fit[] = {"refuse", "own", "fit", NULL};

static const double same =
    1e-9; /* coefficients that differ by less are equal: a model may give a rounded one */

/* Does contact j have another e than the scheme? *e and text describe both. */
static bool differs(const dls_sim *sim, const dls_own_restitution *own, size_t j, double *e, char *text,
                    size_t size)
{
  const dls_system *sys = sim->sys;
  double mine = 0;
  snprintf(text, size, "0");
  if (own->e != NULL) {
    mine = own->e(sim, j, text, size);
  }
  *e = dls_law_restitution(sys, j, -sys->length / sys->time);
  return !(fabs(*e - mine) <= same);
}

/* Does the law of contact j restitute tangential velocities? */
static bool restitutes_slip(const dls_system *sys, size_t j)
{
  double c[DLS_MOST_ROWS], most = 0;
  dls_law_of(sys, j)->mixture(sys, j, 0.5, (const double[DLS_MOST_ROWS]){0}, c);
  for (size_t i = 1; i < sys->d && dls_law_has_friction(sys, j); i++) {
    most = fmax(most, fabs(c[i]));
  }
  return most > 0;
}

dls_status dls_own_restitution_check(const dls_sim *sim, const dls_own_restitution *own, int restitution,
                                     dls_error *err)
{
  char name[80], text[160];
  for (size_t j = 0; j < sim->sys->m; j++) {
    double e;
    if (!own->tangential && restitutes_slip(sim->sys, j)) {
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                      "%s: %s has law %s, which restitutes the slip; use one with e_t = 0", sim->scheme->name,
                      name, dls_law_of(sim->sys, j)->name);
    }
    if (restitution == DLS_RESTITUTION_REFUSE && differs(sim, own, j, &e, text, sizeof text)) {
      dls_contact_name(sim->sys, j, name, sizeof name);
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                      "%s has its own restitution coefficient, %s, and %s has e = %g; "
                      "restitution=own runs with the former%s",
                      sim->scheme->name, text, name, e,
                      own->fits ? ", restitution=fit adjusts the damping" : "");
    }
  }
  return DLS_OK;
}

void dls_own_restitution_note(const dls_sim *sim, const dls_own_restitution *own, int restitution, char *text,
                              size_t size)
{
  char own_text[160], other[160];
  double e, first_e = 0;
  size_t first = 0, count = 0;
  for (size_t j = 0; j < sim->sys->m && restitution == DLS_RESTITUTION_OWN; j++) {
    if (differs(sim, own, j, &e, count == 0 ? own_text : other, sizeof other)) {
      first = count == 0 ? j : first;
      first_e = count == 0 ? e : first_e;
      count++;
    }
  }
  char name[80], more[60] = "";
  if (count > 0) {
    dls_contact_name(sim->sys, first, name, sizeof name);
    if (count > 1) {
      snprintf(more, sizeof more, "; %zu more contacts have another e, too", count - 1);
    }
    snprintf(text, size, "restitution=own: %s has e = %g in the model and runs with that of %s, %s%s", name,
             first_e, sim->scheme->name, own_text, more);
  }
}
