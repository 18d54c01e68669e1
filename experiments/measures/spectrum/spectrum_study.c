/* experiments/measures/spectrum/spectrum_study.c -- spectra over the step, and the step up to which a scheme is stable.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "experiments/campaign/campaign.h"
#include "experiments/campaign/provenance.h"
#include "experiments/measures/order/study_tables.h"
#include "experiments/measures/spectrum/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HALVINGS = 50 };
static const double same = 1e-12; /* values of h/T that differ by less, relatively */

/* The cells are the steps of all schemes. */
typedef struct spectra {
  dls_spectrum *out;
  double *ratios; /* h/T, increasing */
  size_t count;   /* of ratios */
} spectra;

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The values of h/T, increasing, none twice. @return how many */
static size_t list_ratios(const dls_spectrum_spec *spec, double *out)
{
  size_t count = spec->levels, kept = 0;
  for (size_t i = 0; i < spec->levels; i++) {
    const double part = (double)i / (double)(spec->levels - 1);
    out[i] = spec->first * pow(spec->last / spec->first, part);
  }
  for (size_t i = 0; i < spec->at_count; i++) {
    out[count++] = spec->at[i];
  }
  qsort(out, count, sizeof *out, by_value);
  for (size_t i = 0; i < count; i++) {
    if (kept == 0 || out[i] > out[kept - 1] * (1 + same)) {
      out[kept++] = out[i];
    }
  }
  return kept;
}

static bool is_stable(const dls_spectrum_point *point)
{
  return point->values[DLS_SPECTRUM_RADIUS] <= 1 + DLS_SPECTRUM_GROWTH;
}

/* Between a step that is stable and the next, that is not. */
static double bisect(const dls_spectrum_spec *spec, size_t scheme, double low, double high)
{
  for (int i = 0; i < HALVINGS && high - low > same * high; i++) {
    dls_spectrum_point point;
    const double middle = (low + high) / 2;
    const bool stable =
        dls_spectrum_measure(&spec->schemes[scheme], middle, &spec->oscillator, &point, NULL) == DLS_OK &&
        is_stable(&point);
    low = stable ? middle : low;
    high = stable ? high : middle;
  }
  return low;
}

/* h/T up to which all radii are at most 1. */
static double find_limit(const dls_spectrum_spec *spec, const dls_spectrum_point *points, size_t count,
                         size_t scheme)
{
  for (size_t i = 0; i < count; i++) {
    if (points[i].failure[0] != '\0') {
      return NAN;
    }
    if (!is_stable(&points[i])) {
      return i == 0 ? 0 : bisect(spec, scheme, points[i - 1].ratio, points[i].ratio);
    }
  }
  return INFINITY;
}

/* Measure one step of a scheme; after its last step, its limit. @return a failure that ends the study */
static dls_status measure_step(dls_progress *p, const size_t *cells, size_t cell_count, void *scratch,
                               dls_error *err)
{
  (void)scratch;
  const spectra *all = p->campaign->data;
  dls_spectrum *s = all->out;
  const size_t scheme = cells[0] / all->count, i = cells[0] % all->count;
  dls_spectrum_point *point = &s->points[s->point_count];
  dls_error reason = {0};
  const dls_status status =
      dls_spectrum_measure(&s->spec.schemes[scheme], all->ratios[i], &s->spec.oscillator, point, &reason);
  if (status == DLS_ERR_NOT_APPLICABLE || status == DLS_ERR_MEMORY) {
    return dls_fail(err, status, "%s, h/T = %g: %s", s->spec.labels[scheme], all->ratios[i], reason.text);
  }
  point->scheme = scheme;
  s->point_count++;
  if (status != DLS_OK) {
    snprintf(point->failure, sizeof point->failure, "%.199s", reason.text);
  }
  if (i + 1 == all->count) {
    s->limits[scheme] = find_limit(&s->spec, point - i, all->count, scheme);
  }
  dls_campaign_finish(p, cells, cell_count);
  return DLS_OK;
}

dls_status dls_spectrum_run(const dls_spectrum_spec *spec, bool (*poll)(void *, double), void *poll_data,
                            dls_spectrum **out, dls_error *err)
{
  static const dls_campaign_measure measure = {.run = measure_step};
  const size_t most = spec->levels + spec->at_count;
  dls_spectrum *s = *out = calloc(1, sizeof *s);
  spectra all = {.out = s, .ratios = malloc((most + 1) * sizeof(double))};
  if (s != NULL) {
    s->spec = *spec;
    s->points = calloc(dls_size_product(spec->scheme_count, most), sizeof *s->points);
    s->limits = malloc((spec->scheme_count + 1) * sizeof *s->limits);
  }
  if (s == NULL || s->points == NULL || s->limits == NULL || all.ratios == NULL) {
    dls_spectrum_destroy(s);
    free(all.ratios);
    *out = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the spectra");
  }
  for (size_t i = 0; i < spec->scheme_count; i++) {
    s->limits[i] = NAN;
  }
  all.count = list_ratios(spec, all.ratios);
  dls_campaign c = {.count = all.count * spec->scheme_count,
                    .measure = &measure,
                    .data = &all,
                    .poll = poll,
                    .poll_data = poll_data};
  const dls_status status = dls_campaign_run(&c, err);
  s->complete = status == DLS_OK;
  free(all.ratios);
  return status;
}

void dls_spectrum_destroy(dls_spectrum *s)
{
  if (s != NULL) {
    free(s->points);
    free(s->limits);
    free(s);
  }
}

const dls_spectrum_point *dls_spectrum_find(const dls_spectrum *s, size_t scheme, double ratio)
{
  for (size_t i = 0; i < s->point_count; i++) {
    if (s->points[i].scheme == scheme && fabs(s->points[i].ratio - ratio) <= 1e3 * same * ratio) {
      return &s->points[i];
    }
  }
  return NULL;
}

dls_status dls_spectrum_table(const dls_spectrum *s, const dls_catalogue *catalogue, FILE *out)
{
  fputs("scheme,h_over_T,states,radius,period_error,damping_ratio,response,phase,principal_re,principal_im,"
        "failure\n",
        out);
  for (size_t i = 0; i < s->point_count; i++) {
    const dls_spectrum_point *p = &s->points[i];
    const double numbers[] = {p->values[DLS_SPECTRUM_RADIUS],
                              p->values[DLS_SPECTRUM_PERIOD],
                              p->values[DLS_SPECTRUM_DAMPING],
                              p->values[DLS_SPECTRUM_RESPONSE],
                              p->phase,
                              p->principal_re,
                              p->principal_im};
    dls_table_field(out, s->spec.labels[p->scheme]);
    dls_table_number(out, p->ratio);
    fprintf(out, ",%zu", p->states);
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
      dls_table_number(out, numbers[k]);
    }
    fputc(',', out);
    dls_table_field(out, p->failure);
    fputc('\n', out);
  }
  dls_provenance_stamp(catalogue, out);
  if (!s->complete) {
    fputs("# complete: no\n", out);
  }
  return dls_table_status(out);
}
