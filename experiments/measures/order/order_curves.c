/* experiments/measures/order/order_curves.c -- what pictures draw of a study beside its runs: medians of levels, fitted lines, bands.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/table.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/study_tables.h"
#include <math.h>

enum { BAND_PARTS = 12 };

bool dls_order_has_band(const dls_order_line *line)
{
  return line->fitted && isfinite(line->medians.ci_low);
}

size_t dls_order_band(const dls_order_line *line, dls_order_band_row rows[DLS_ORDER_BAND_ROWS])
{
  const dls_median_fit *fit = &line->medians;
  for (int i = 0; i <= BAND_PARTS && dls_order_has_band(line); i++) {
    const double x = line->fit.h_min * pow(line->fit.h_max / line->fit.h_min, (double)i / BAND_PARTS);
    const double middle = fit->constant * pow(x, fit->order), factor = dls_median_band(fit, x);
    rows[i] = (dls_order_band_row){x, middle / factor, middle * factor};
  }
  return dls_order_has_band(line) ? BAND_PARTS + 1 : 0;
}

/* "median,moreau-jean,hausdorff,v,0.1,0.02,nan,nan" */
static void put_row(const dls_order_study *study, const dls_order_line *line, const char *kind, double x,
                    double y, double low, double high, FILE *out)
{
  char label[DLS_LABEL_ROOM];
  dls_order_scheme_label(study, line->scheme, label, sizeof label);
  fprintf(out, "%s,", kind);
  dls_table_field(out, label);
  fprintf(out, ",%s,%s,%.17g,%.17g,%.17g,%.17g\n", study->spec.norms[line->norm]->name,
          study->spec.of[line->of], x, y, low, high);
}

static dls_status put_line(const dls_order_study *study, const dls_order_line *line, dls_against against,
                           FILE *out)
{
  dls_order_band_row band[DLS_ORDER_BAND_ROWS];
  for (size_t i = 0; i < dls_order_level_count(study, line); i++) {
    dls_order_level level;
    const dls_status status = dls_order_level_of(study, line, i, against, &level, NULL);
    if (status != DLS_OK) {
      return status;
    }
    put_row(study, line, "median", level.x, level.median, NAN, NAN, out);
  }
  for (int end = 0; end < 2 && line->fitted; end++) {
    const double x = end == 0 ? line->fit.h_min : line->fit.h_max;
    put_row(study, line, "line", x, line->fit.constant * pow(x, line->fit.order), NAN, NAN, out);
  }
  const size_t count = dls_order_band(line, band);
  for (size_t i = 0; i < count; i++) {
    put_row(study, line, "band", band[i].x, NAN, band[i].low, band[i].high, out);
  }
  return DLS_OK;
}

dls_status dls_order_write_curves(const dls_order_study *study, size_t count, const dls_order_line *lines,
                                  dls_against against, FILE *out)
{
  dls_status status = DLS_OK;
  fputs("curve,scheme,norm,of,x,y,low,high\n", out);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = put_line(study, &lines[i], against, out);
  }
  return status;
}
