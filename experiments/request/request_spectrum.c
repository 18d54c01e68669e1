/* experiments/request/request_spectrum.c -- what `spectrum` is to measure.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/request.h"

#include <string.h>

static const double most_frequency = 1e3;

dls_status dls_request_add_spectrum(dls_request *r, const char *name, dls_error *err)
{
  dls_spectrum_spec *spec = &r->spectrum;
  for (size_t i = 0; i < DLS_SPECTRUM_QUANTITIES; i++) {
    if (strcmp(name, dls_spectrum_names[i]) != 0) {
      continue;
    }
    for (size_t k = 0; k < spec->of_count; k++) {
      if (spec->of[k] == (dls_spectrum_of)i) {
        return dls_fail(err, DLS_ERR_OPTION, "of: '%s' is given twice", name);
      }
    }
    spec->of[spec->of_count++] = (dls_spectrum_of)i;
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_OPTION, "of = '%.60s' must be one of: radius, period, damping, response", name);
}

dls_spectrum_spec dls_request_spectrum_spec(const dls_request *r)
{
  static const dls_spectrum_of usual[] = {DLS_SPECTRUM_RADIUS, DLS_SPECTRUM_PERIOD, DLS_SPECTRUM_DAMPING};
  dls_spectrum_spec spec = r->spectrum;
  spec.schemes = r->spec.schemes;
  spec.labels = r->labels;
  spec.scheme_count = r->spec.scheme_count;
  if (spec.of_count == 0) {
    memcpy(spec.of, usual, sizeof usual);
    spec.of_count = sizeof usual / sizeof usual[0];
  }
  return spec;
}

static dls_status check_ratio(const char *what, double ratio, dls_error *err)
{
  return ratio > 0 && ratio <= DLS_REQUEST_MOST_RATIO
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "%s: h/T = %g is outside (0, %g]", what, ratio,
                        DLS_REQUEST_MOST_RATIO);
}

static dls_status check_oscillator(const dls_spectrum_spec *spec, dls_error *err)
{
  const dls_spectrum_oscillator *o = &spec->oscillator;
  if (!(o->damping >= 0 && o->damping < 1)) {
    return dls_fail(err, DLS_ERR_ARG, "damping = %g is outside [0, 1)", o->damping);
  }
  if (!(o->frequency > 0 && o->frequency <= most_frequency)) {
    return dls_fail(err, DLS_ERR_ARG, "frequency = %g is outside (0, %g]", o->frequency, most_frequency);
  }
  for (size_t i = 0; i < spec->of_count; i++) {
    if (spec->of[i] == DLS_SPECTRUM_RESPONSE && o->frequency == 1 && o->damping == 0) {
      return dls_fail(
          err, DLS_ERR_ARG,
          "frequency = 1 and damping = 0: at resonance the exact response has no bound; one of them "
          "must differ");
    }
  }
  return DLS_OK;
}

static dls_status check_schemes(const dls_request *r, dls_error *err)
{
  if (r->spec.scheme_count > DLS_REQUEST_MOST_COMPARED) {
    return dls_fail(err, DLS_ERR_ARG, "%zu schemes are given: a spectrum has at most %d", r->spec.scheme_count,
                    (int)DLS_REQUEST_MOST_COMPARED);
  }
  for (size_t i = 0; i < r->spec.scheme_count; i++) {
    const dls_scheme *scheme = r->spec.schemes[i].scheme;
    if (scheme != NULL && !dls_scheme_needs_step(scheme)) {
      return dls_fail(err, DLS_ERR_NOT_APPLICABLE, DLS_SPECTRUM_BY_EVENT, scheme->name);
    }
  }
  return DLS_OK;
}

dls_status dls_request_check_spectrum(const dls_request *r, dls_error *err)
{
  const dls_spectrum_spec *spec = &r->spectrum;
  if (check_schemes(r, err) != DLS_OK || check_ratio("steps, first", spec->first, err) != DLS_OK ||
      check_ratio("steps, last", spec->last, err) != DLS_OK) {
    return err->status;
  }
  for (size_t i = 0; i < spec->at_count; i++) {
    if (check_ratio("at", spec->at[i], err) != DLS_OK) {
      return err->status;
    }
  }
  return check_oscillator(spec, err);
}
