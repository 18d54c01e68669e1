/* experiments/measures/ledger/ledger.c -- the rows of the ledger from a convergence study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/ledger/ledger.h"
#include "experiments/campaign/table.h"
#include "experiments/measures/order/order_lines.h"
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HEADING(id, name, unit, meaning) {name, unit, meaning},
const dls_ledger_heading dls_ledger_headings[DLS_LEDGER_QUANTITIES] = {DLS_LEDGER_QUANTITY_LIST(HEADING)};

/* The schemes of a study are measured one after the other. */
typedef struct source {
  dls_ledger *ledger;
  const dls_ledger_problem *problem;
  const dls_order_study *study;
  size_t scheme;
  double *values; /* room for one of every run of a scheme */
} source;

static dls_ledger_cell empty(const char *remark)
{
  return (dls_ledger_cell){NAN, NAN, NAN, "", remark};
}

static const char *copy(const source *s, const char *text)
{
  const char *made = dls_pool_copy(&s->ledger->pool, text, strlen(text));
  return made != NULL ? made : "";
}

/* --- values of the runs of a scheme --- */

typedef double (*member)(const dls_order_point *point);

static double error_of(const dls_order_point *point)
{
  return point->error.value;
}
static double evals_of(const dls_order_point *point)
{
  return dls_order_abscissa(point, DLS_AGAINST_EVALS) / dls_order_abscissa(point, DLS_AGAINST_STEPS);
}
static double restitution_of(const dls_order_point *point)
{
  return point->quality.contact.first_restitution;
}
static double slip_ratio_of(const dls_order_point *point)
{
  return point->quality.contact.first_slip_ratio;
}
static double energy_of(const dls_order_point *point)
{
  return point->quality.contact.bounce_energy;
}
static double creep_of(const dls_order_point *point)
{
  return point->quality.contact.creep;
}
static double hop_of(const dls_order_point *point)
{
  return point->quality.contact.hop;
}
static double depth_of(const dls_order_point *point)
{
  return point->quality.contact.rest_depth;
}
static double drift_of(const dls_order_point *point)
{
  return point->quality.contact.rest_speed;
}

/* Finite values at some levels, sorted. @return their number */
static size_t gather(const source *s, size_t scheme, size_t of, member get, size_t first, size_t last)
{
  size_t count = 0;
  for (size_t i = 0; i < s->study->point_count; i++) {
    const dls_order_point *point = &s->study->points[i];
    if (point->scheme == scheme && point->norm == 0 && point->of == of && point->level >= first &&
        point->level <= last && isfinite(get(point))) {
      s->values[count++] = get(point);
    }
  }
  gsl_sort(s->values, 1, count);
  return count;
}

static dls_ledger_cell of_values(const source *s, size_t count, double centre)
{
  dls_ledger_cell cell = empty("");
  if (count > 0) {
    cell.value = centre;
    cell.low = s->values[0];
    cell.high = s->values[count - 1];
  }
  return cell;
}

static double median_of(const source *s, size_t count)
{
  return count > 0 ? gsl_stats_median_from_sorted_data(s->values, 1, count) : NAN;
}

/* Median and range at the least step that has any. */
static dls_ledger_cell at_least_step(const source *s, size_t of, member get)
{
  size_t count = 0;
  for (size_t level = s->study->spec.levels; level > 0 && count == 0; level--) {
    count = gather(s, s->scheme, of, get, level - 1, level - 1);
  }
  return of_values(s, count, median_of(s, count));
}

/* --- cells --- */

static const dls_order_line *line_of(const dls_order_study *study, size_t scheme, size_t of)
{
  return study != NULL ? &study->lines[scheme * study->spec.norm_count * study->spec.of_count + of] : NULL;
}

/* Caveats of a fit, as `order` reports them. */
static const char *remark_of(const source *s, const dls_order_line *line)
{
  const dls_fit *fit = &line->fit;
  dls_pool *pool = &s->ledger->pool;
  if (!line->fitted) {
    return copy(s, line->reason);
  }
  const char *bent = fit->warn_preasymptotic
                         ? dls_pool_print(pool, "not asymptotic: %.2f with large steps, %.2f with small ones",
                                          fit->order_coarse, fit->order_fine)
                         : "";
  const char *exploded = line->exploded > 0 ? dls_pool_print(pool, "%s%zu runs explode, from step %.3g s up",
                                                             fit->warn_preasymptotic ? "; " : "",
                                                             line->exploded, line->exploded_from)
                                            : "";
  const char *text = dls_pool_print(pool, "%s%s", bent != NULL ? bent : "", exploded != NULL ? exploded : "");
  return text != NULL ? text : "";
}

static dls_ledger_cell order_cell(const source *s, const dls_order_line *line, const char *reference)
{
  dls_ledger_cell cell = empty(remark_of(s, line));
  cell.reference = reference;
  if (line->fitted) {
    cell.value = line->fit.order;
    cell.low = line->fit.ci_low;
    cell.high = line->fit.ci_high;
  }
  return cell;
}

static void put_orders(const source *s, dls_ledger_cell *cells)
{
  const dls_order_line *line = line_of(s->study, s->scheme, 0), *limit = line_of(s->study->limit, s->scheme, 0);
  const char *reference = copy(s, s->study->reference), *model = copy(s, limit->limit);
  cells[DLS_LEDGER_ORDER] = order_cell(s, line, reference);
  cells[DLS_LEDGER_LIMIT_ORDER] = order_cell(s, limit, model);
  cells[DLS_LEDGER_PLATEAU] = empty(isnan(limit->plateau) ? model : "");
  cells[DLS_LEDGER_PLATEAU].value = limit->plateau;
  cells[DLS_LEDGER_PLATEAU].reference = reference;
  cells[DLS_LEDGER_ERROR] = at_least_step(s, 0, error_of);
  cells[DLS_LEDGER_ERROR].reference = reference;
  cells[DLS_LEDGER_LIMIT] = empty(model);
}

/* What is measured at contacts, if the motion has it. */
static const struct {
  dls_ledger_quantity quantity;
  unsigned motion; /* bits, one of which the problem needs */
  member get;
  const char *absent; /* of problems without it */
} figures[] = {
    {DLS_LEDGER_ENERGY, DLS_LEDGER_IMPACTS, energy_of, "no impacts"},
    {DLS_LEDGER_CREEP, DLS_LEDGER_STICKS, creep_of, "no contact sticks"},
    {DLS_LEDGER_HOP, DLS_LEDGER_SLIDES, hop_of, "no contact slides"},
    {DLS_LEDGER_DEPTH, DLS_LEDGER_RESTS, depth_of, "no contact rests"},
    {DLS_LEDGER_DRIFT, DLS_LEDGER_RESTS, drift_of, "no contact rests"},
};

static const char not_measured[] = "the nodes of the runs do not show it";
static const char no_impact[] = "no first impact is found, or the gap still closes when its force ends";

static void put_figures(const source *s, dls_ledger_cell *cells)
{
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
    dls_ledger_cell *cell = &cells[figures[i].quantity];
    const bool there = (s->problem->motion & figures[i].motion) != 0;
    *cell = there ? at_least_step(s, 0, figures[i].get) : empty(figures[i].absent);
    cell->remark = there && isnan(cell->value) ? not_measured : cell->remark;
  }
}

/* Mean and range over the phases of the grid. Of schemes by events there is one run, at level 0. */
static dls_ledger_cell over_phases(const source *s, bool own_steps, member get)
{
  const size_t levels = s->study->spec.levels;
  const size_t count = gather(s, s->scheme, 0, get, own_steps ? 0 : levels / 2, levels - 1);
  dls_ledger_cell cell = of_values(s, count, count > 0 ? gsl_stats_mean(s->values, 1, count) : NAN);
  cell.remark = count > 0 ? "" : no_impact;
  return cell;
}

static void put_impacts(const source *s, bool own_steps, dls_ledger_cell *cells)
{
  const bool impacts = (s->problem->motion & DLS_LEDGER_IMPACTS) != 0;
  cells[DLS_LEDGER_RESTITUTION] = impacts ? over_phases(s, own_steps, restitution_of) : empty("no impacts");
  cells[DLS_LEDGER_SLIP_RATIO] = impacts && s->problem->slip != NULL ? over_phases(s, own_steps, slip_ratio_of)
                                                                     : empty("no impacts with friction");
}

static void put_slip(const source *s, dls_ledger_cell *cells)
{
  dls_ledger_cell *cell = &cells[DLS_LEDGER_SLIP];
  *cell = s->problem->slip != NULL ? at_least_step(s, 1, error_of) : empty("no friction is measured");
  cell->reference = cells[DLS_LEDGER_ERROR].reference;
}

/* Over a step of Moreau and Jean's scheme at the same steps. */
static void put_cost(const source *s, dls_ledger_cell *cells)
{
  dls_ledger_cell *cell = &cells[DLS_LEDGER_COST];
  size_t base = 0;
  while (base < s->study->spec.scheme_count &&
         !(strcmp(s->study->spec.schemes[base].scheme->name, DLS_LEDGER_COST_OF) == 0 &&
           s->study->spec.schemes[base].options[0] == '\0')) {
    base++;
  }
  *cell = empty(DLS_LEDGER_COST_OF " is not among the schemes");
  if (base < s->study->spec.scheme_count) {
    const size_t last = s->study->spec.levels - 1;
    const double unit = median_of(s, gather(s, base, 0, evals_of, 0, last));
    cell->value = median_of(s, gather(s, s->scheme, 0, evals_of, 0, last)) / unit;
    cell->reference = DLS_LEDGER_COST_OF;
    cell->remark = isnan(cell->value) ? "no evaluations were counted" : "";
  }
}

/* --- rows --- */

/* Why no run of a scheme has an error; NULL if one has. */
static const char *failure_of(const source *s)
{
  const char *reason = NULL;
  for (size_t i = 0; i < s->study->point_count; i++) {
    const dls_order_point *point = &s->study->points[i];
    if (point->scheme == s->scheme && point->of == 0) {
      if (isfinite(point->error.value)) {
        return NULL;
      }
      reason = reason == NULL ? point->reason : reason;
    }
  }
  return copy(s, reason != NULL ? reason : "no run was made");
}

/* Is every error within the floor of the study? */
static bool is_exact(const source *s)
{
  const size_t count = gather(s, s->scheme, 0, error_of, 0, s->study->spec.levels);
  return count > 0 && s->values[count - 1] <= s->study->floors[0];
}

static void measure(const source *s, dls_ledger_row *row)
{
  row->failure = failure_of(s);
  if (row->failure != NULL) {
    for (size_t i = 0; i < DLS_LEDGER_QUANTITIES; i++) {
      row->cells[i] = empty(row->failure);
    }
    return;
  }
  row->exact = is_exact(s);
  put_orders(s, row->cells);
  put_figures(s, row->cells);
  put_impacts(s, row->own_steps, row->cells);
  put_slip(s, row->cells);
  put_cost(s, row->cells);
}

dls_ledger_row *dls_ledger_row_new(dls_ledger *ledger, dls_error *err)
{
  if (ledger->count == ledger->room) {
    const size_t room = 2 * ledger->room + 16;
    dls_ledger_row *more = realloc(ledger->rows, room * sizeof *more);
    if (more == NULL) {
      dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu rows of a ledger", room);
      return NULL;
    }
    ledger->rows = more;
    ledger->room = room;
  }
  dls_ledger_row *row = &ledger->rows[ledger->count++];
  *row = (dls_ledger_row){.scheme = "", .options = "", .command = ""};
  for (size_t i = 0; i < DLS_LEDGER_QUANTITIES; i++) {
    row->cells[i] = empty("");
  }
  return row;
}

dls_status dls_ledger_add(dls_ledger *ledger, const dls_ledger_problem *problem, const dls_order_study *study,
                          const char *const *command, dls_error *err)
{
  source s = {ledger, problem, study, 0, malloc((study->point_count + 1) * sizeof *s.values)};
  dls_status status = s.values != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a ledger");
  for (; s.scheme < study->spec.scheme_count && status == DLS_OK; s.scheme++) {
    const dls_scheme_choice *choice = &study->spec.schemes[s.scheme];
    dls_ledger_row *row = dls_ledger_row_new(ledger, err);
    if (row == NULL) {
      status = DLS_ERR_MEMORY;
      break;
    }
    row->problem = problem;
    row->scheme = choice->scheme->name;
    row->options = copy(&s, choice->options);
    row->command = command[s.scheme];
    row->own_steps = choice->scheme->stepping == DLS_BY_EVENT;
    measure(&s, row);
  }
  free(s.values);
  return status == DLS_OK && ledger->pool.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for a ledger")
                                                 : status;
}

void dls_ledger_release(dls_ledger *ledger)
{
  free(ledger->rows);
  dls_pool_release(&ledger->pool);
  *ledger = (dls_ledger){0};
}

const char *dls_ledger_label(const dls_ledger_row *row, char *text, size_t size)
{
  snprintf(text, size, "%s%s%s", row->scheme, row->options[0] != '\0' ? ":" : "", row->options);
  return text;
}

/* Intervals are of orders and of the restitution, which have a range that says something in few digits. */
static bool has_interval(dls_ledger_quantity quantity)
{
  return quantity == DLS_LEDGER_ORDER || quantity == DLS_LEDGER_LIMIT_ORDER ||
         quantity == DLS_LEDGER_RESTITUTION || quantity == DLS_LEDGER_SLIP_RATIO;
}

const char *dls_ledger_text(const dls_ledger_row *row, dls_ledger_quantity quantity, bool range, char *text,
                            size_t size)
{
  const dls_ledger_cell *cell = &row->cells[quantity];
  const bool is_order = quantity == DLS_LEDGER_ORDER || quantity == DLS_LEDGER_LIMIT_ORDER;
  if (isnan(cell->value)) {
    snprintf(text, size, "%s",
             row->failure != NULL                             ? "x"
             : is_order && row->exact                         ? "exact"
             : quantity == DLS_LEDGER_ORDER && row->own_steps ? "own"
                                                              : "-");
  } else if (!has_interval(quantity)) {
    snprintf(text, size, "%.2g", cell->value);
  } else if (range && isfinite(cell->low)) {
    snprintf(text, size, "%.2f [%.2f, %.2f]", cell->value, cell->low, cell->high);
  } else {
    snprintf(text, size, "%.2f", cell->value);
  }
  return text;
}

bool dls_ledger_has(const dls_ledger *ledger, const dls_ledger_problem *problem, dls_ledger_quantity quantity)
{
  for (size_t i = 0; i < ledger->count; i++) {
    if (ledger->rows[i].problem == problem && isfinite(ledger->rows[i].cells[quantity].value)) {
      return true;
    }
  }
  return false;
}

static void put_row(const dls_ledger_row *row, size_t quantity, FILE *out)
{
  const dls_ledger_cell *cell = &row->cells[quantity];
  const char *after[] = {cell->reference, cell->remark, row->command};
  fprintf(out, "%s,", row->problem->name);
  dls_table_field(out, row->scheme);
  fputc(',', out);
  dls_table_field(out, row->options);
  fprintf(out, ",%s,%s", dls_ledger_headings[quantity].name, dls_ledger_headings[quantity].unit);
  dls_table_number(out, cell->value);
  dls_table_number(out, cell->low);
  dls_table_number(out, cell->high);
  for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
    fputc(',', out);
    dls_table_field(out, after[i]);
  }
  fputc('\n', out);
}

dls_status dls_ledger_write(const dls_ledger *ledger, FILE *out)
{
  fputs("problem,scheme,options,quantity,unit,value,low,high,reference,remark,command\n", out);
  for (size_t i = 0; i < ledger->count; i++) {
    for (size_t quantity = 0; quantity < DLS_LEDGER_QUANTITIES; quantity++) {
      put_row(&ledger->rows[i], quantity, out);
    }
  }
  return dls_table_status(out);
}
