/* limit.c -- the limit model of a scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/scheme.h>
#include <math.h>

const char *dls_limit_text(dls_limit_kind kind)
{
  static const char *const texts[] = {
      [DLS_LIMIT_RIGID] = "rigid contact with the restitution coefficient of the model",
      [DLS_LIMIT_OWN] = "rigid contact with a restitution coefficient of the scheme",
      [DLS_LIMIT_COMPLIANT] = "contact forces that depend on the penetration and its rate",
      [DLS_LIMIT_NONE] =
          "none: rebounds or the friction of impacts depend on the phase of the grid, for every h",
  };
  return texts[kind];
}

dls_status dls_scheme_limit(const dls_scheme *scheme, const void *options, const dls_limit_contact *contact,
                            dls_limit_model *out, dls_error *err)
{
  *out = (dls_limit_model){.kind = scheme->limit.kind, .e = scheme->limit.e};
  const dls_status status =
      scheme->limit.model == NULL ? DLS_OK : scheme->limit.model(scheme, options, contact, out, err);
  if (out->kind == DLS_LIMIT_RIGID) {
    out->e = contact->e;
  } else if (out->kind == DLS_LIMIT_NONE) {
    out->e = NAN;
  }
  return status;
}

double dls_impedance_at(const dls_impedance *impedance, double delta)
{
  const double x = fmin(fabs(delta) / impedance->width, 1), m = impedance->midpoint, p = impedance->power;
  const double y = x <= m ? pow(x, p) / pow(m, p - 1) : 1 - pow(1 - x, p) / pow(1 - m, p - 1);
  return impedance->d0 + y * (impedance->dwidth - impedance->d0);
}
