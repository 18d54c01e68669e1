/* rigorous_differences.h -- enclosures of derivatives against central differences of enclosures, for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RIGOROUS_DIFFERENCES_H
#define DELASSUS_TESTS_RIGOROUS_DIFFERENCES_H

#include "rigorous_problem.h"
#include <arb.h>
#include <math.h>

enum { PREC = 400, TEXT = 40 };

/* p = thousandths/1000, or p + side 1e-15, as a decimal. */
static inline void decimal(long thousandths, int side, char out[TEXT])
{
  const char *sign = thousandths < 0 || (thousandths == 0 && side < 0) ? "-" : "";
  const long size = labs(thousandths);
  const int way = thousandths < 0 ? -side : thousandths == 0 ? abs(side) : side; /* of |p| */
  const long shown = way < 0 ? size - 1 : size;
  snprintf(out, TEXT, "%s%ld.%03ld%s", sign, shown / 1000, shown % 1000,
           way == 0  ? ""
           : way > 0 ? "000000000001"
                     : "999999999999");
}

/* The middle of a cell, and its radius. */
static inline void middle(arb_t out, const dls_rigorous_cell *cell)
{
  arb_t high;
  arb_init(high);
  assert_int_equal(arb_set_str(out, cell->low, PREC), 0);
  assert_int_equal(arb_set_str(high, cell->high, PREC), 0);
  arb_union(out, out, high, PREC);
  arb_clear(high);
}

static inline slong column(const dls_rigorous_table *table, const char *name)
{
  for (size_t i = 0; i < table->columns; i++) {
    if (strcmp(table->names[i], name) == 0) {
      return (slong)i;
    }
  }
  fail_msg("no column %s", name);
  return -1;
}

static inline void solve(const dls_rigorous_problem *problem, dls_rigorous_table *out)
{
  dls_error err = {0};
  const dls_status status = dls_rigorous_solve(problem, out, &err);
  assert_ok(status, err);
}

/* d = (x(p + delta) - x(p - delta))/(2 delta) of a cell, delta = 1e-15. */
static inline void central_difference(arb_t d, const dls_rigorous_table side[2], size_t cell)
{
  arb_t other;
  arb_init(other);
  middle(d, &side[1].cell[cell]);
  middle(other, &side[0].cell[cell]);
  arb_sub(d, d, other, PREC);
  arb_set_str(other, "5e14", PREC);
  arb_mul(d, d, other, PREC);
  arb_clear(other);
}

/* A derivative, narrow, against the difference of its column in a row. @return distance, in proportion to 1 + |dx/dp| */
static inline double distance_of(const dls_rigorous_table *given, const dls_rigorous_table side[2], size_t row,
                                 const char *of, const char *by)
{
  char name[64];
  arb_t d, difference;
  arb_init(d);
  arb_init(difference);
  snprintf(name, sizeof name, "d%s/d%s", of, by);
  central_difference(difference, side, row * side[0].columns + (size_t)column(&side[0], of));
  middle(d, &given->cell[row * given->columns + (size_t)column(given, name)]);
  const double size = 1 + fabs(arf_get_d(arb_midref(d), ARF_RND_NEAR));
  assert_true(mag_get_d(arb_radref(d)) <= 2e-30 * size);
  arb_sub(d, d, difference, PREC);
  const double distance = fabs(arf_get_d(arb_midref(d), ARF_RND_NEAR)) / size;
  arb_clear(d);
  arb_clear(difference);
  return distance;
}

/* The derivatives by a parameter against differences of enclosures of 45 digits, which are apart by delta^2 x'''/6 at most: the times of all
 * rows, and q and v of the last one, whose time is fixed. @return the greatest distance */
static inline double compare(const dls_rigorous_problem *problem, model_text *of,
                             const dls_rigorous_table *given, size_t which, slong n)
{
  dls_rigorous_table side[2];
  const long thousandths = lround(1000 * strtod(of->text[which], NULL));
  double worst = 0;
  for (int i = 0; i < 2; i++) {
    dls_rigorous_problem shifted = *problem;
    shifted.by_count = 0;
    decimal(thousandths, 2 * i - 1, of->text[which]);
    solve(&shifted, &side[i]);
    assert_int_equal(side[i].rows, given->rows);
  }
  decimal(thousandths, 0, of->text[which]);
  for (size_t row = 0; row < given->rows; row++) {
    assert_string_equal(side[0].event[row], given->event[row]);
    worst = fmax(worst, distance_of(given, side, row, "t", of->names[which]));
  }
  for (slong i = 0; i < 2 * n; i++) {
    char name[8];
    snprintf(name, sizeof name, "%c%d", i < n ? 'q' : 'v', (int)(i % n));
    worst = fmax(worst, distance_of(given, side, given->rows - 1, name, of->names[which]));
  }
  dls_rigorous_free(&side[0]);
  dls_rigorous_free(&side[1]);
  return worst;
}

/* By all parameters, rounded to thousandths, but those in a list ",a,b,". @return the greatest distance */
static inline double compare_all(dls_rigorous_problem problem, model_text *of, const char *without)
{
  dls_rigorous_table table;
  const char *by[MOST];
  size_t places[MOST];
  slong n = 0;
  double worst = 0;
  problem.by_count = 0;
  for (size_t i = 0; i < problem.parameter_count; i++) {
    char name[40];
    decimal(lround(1000 * strtod(of->text[i], NULL)), 0, of->text[i]);
    snprintf(name, sizeof name, ",%s,", of->names[i]);
    if (strstr(without, name) == NULL) {
      places[problem.by_count] = i;
      by[problem.by_count++] = of->names[i];
    }
  }
  problem.by = by;
  problem.digits = 45;
  solve(&problem, &table);
  while (table.names[1 + n][0] == 'q') {
    n++;
  }
  for (size_t j = 0; j < problem.by_count; j++) {
    const double distance = compare(&problem, of, &table, places[j], n);
    if (!(distance <= 1e-22)) {
      print_message("%s by %s: %g\n", problem.model, by[j], distance);
    }
    worst = fmax(worst, distance);
  }
  dls_rigorous_free(&table);
  return worst;
}

#endif
