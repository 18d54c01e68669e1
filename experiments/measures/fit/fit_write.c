/* experiments/measures/fit/fit_write.c -- the tables of a fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/parameter_fit.h"

#include "common/base/decimal.h"
#include "common/base/memory.h"
#include "common/run/csv.h"
#include <math.h>
#include <stdlib.h>

static void print_number(FILE *out, double value, const char *end)
{
  char number[DLS_DECIMAL_SIZE] = "nan";
  if (!isnan(value)) {
    dls_decimal_write(value, number);
  }
  fprintf(out, "%s%s", number, end);
}

void dls_fit_write_estimates(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit, FILE *out)
{
  fputs("parameter,value,low,high\n", out);
  for (size_t k = 0; k < fit->by_count; k++) {
    const dls_estimate *estimate = &fit->estimates[k];
    dls_csv_write_name(spec->by[k], out);
    fputc(',', out);
    print_number(out, estimate->value, ",");
    print_number(out, estimate->low, ",");
    print_number(out, estimate->high, "\n");
  }
}

/* Rows of t and of several values for each column, which follow each other in `values`. @param[in] names  "", "fit_", ... */
static void write_rows(const dls_fit_data *data, size_t count, const char *const *names,
                       const double *const *values, FILE *out)
{
  fputs("t", out);
  for (size_t c = 0; c < data->of_count; c++) {
    for (size_t k = 0; k < count; k++) {
      fprintf(out, ",%s%s", names[k], data->of[c]);
    }
  }
  for (size_t i = 0; i < data->rows; i++) {
    fputs("\n", out);
    print_number(out, data->t[i], "");
    for (size_t c = 0; c < data->of_count; c++) {
      for (size_t k = 0; k < count; k++) {
        fputs(",", out);
        print_number(out, values[k][i * data->of_count + c], "");
      }
    }
  }
  fputs("\n", out);
}

void dls_fit_write_data(const dls_fit_data *data, FILE *out)
{
  write_rows(data, 1, (const char *const[]){""}, (const double *const[]){data->values}, out);
}

dls_status dls_fit_write_motion(const dls_parameter_fit_spec *spec, const dls_parameter_fit *fit, FILE *out,
                                dls_error *err)
{
  static const char *const names[] = {"", "fit_", "band_"};
  const dls_fit_data *data = &spec->data;
  const size_t count = data->rows * data->of_count;
  double *values = calloc(dls_size_sum(dls_size_product(2, count), 1), sizeof *values), *half = values + count;
  const dls_status status = values != NULL
                                ? dls_parameter_fit_curve(spec, fit, data->rows, data->t, values, half, err)
                                : dls_fail(err, DLS_ERR_MEMORY, "out of memory");
  if (status == DLS_OK) {
    write_rows(data, 3, names, (const double *const[]){data->values, values, half}, out);
  }
  free(values);
  return status;
}
