/* experiments/measures/local_tables.c -- local errors and their orders as CSV.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/provenance.h"
#include "experiments/measures/local.h"
#include "experiments/measures/study_tables.h"

#include <math.h>

dls_status dls_local_write_steps(const dls_local *local, const dls_catalogue *catalogue, FILE *out)
{
  fputs("scheme,place,h,sigma,t,impulse,e_q,e_v,failure\n", out);
  for (size_t i = 0; i < local->point_count; i++) {
    const dls_local_point *p = &local->points[i];
    dls_table_field(out, local->spec.labels[p->scheme]);
    fprintf(out, ",%s", dls_local_place_names[p->place]);
    dls_table_number(out, p->h);
    dls_table_number(out, p->sigma);
    dls_table_number(out, p->t);
    fprintf(out, ",%d", p->impulse);
    dls_table_number(out, p->e_q);
    dls_table_number(out, p->e_v);
    fputc(',', out);
    dls_table_field(out, p->failure);
    fputc('\n', out);
  }
  dls_provenance_stamp(catalogue, out);
  return dls_table_status(out);
}

dls_status dls_local_write_orders(const dls_local *local, const dls_catalogue *catalogue, FILE *out)
{
  fputs("scheme,place,impulse,of,steps,steps_there,largest_first,largest_last,order,ci_low,ci_high\n", out);
  for (size_t i = 0; i < local->line_count; i++) {
    const dls_local_line *line = &local->lines[i];
    const dls_fit none = {.order = NAN, .ci_low = NAN, .ci_high = NAN},
                  *fit = line->fitted ? &line->fit : &none;
    dls_table_field(out, local->spec.labels[line->scheme]);
    fprintf(out, ",%s,%d,%s,%zu,%zu", dls_local_place_names[line->place], line->impulse,
            line->velocity ? "v" : "q", line->steps, line->steps_there);
    dls_table_number(out, line->largest[0]);
    dls_table_number(out, line->largest[1]);
    dls_table_number(out, fit->order);
    dls_table_number(out, fit->ci_low);
    dls_table_number(out, fit->ci_high);
    fputc('\n', out);
  }
  dls_provenance_stamp(catalogue, out);
  return dls_table_status(out);
}
