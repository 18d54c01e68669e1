/* vary_threshold.c -- a threshold of the event-driven method for all tests of a program, from the environment:
 *   DLS_THRESHOLD=NAME:FACTOR
 * Part of test_library_varied, in which thresholds are variables and which is loaded before test_library (thresholds.sh).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "vary_threshold.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The variables of the rows, in the order of the table. */
#define REAL_ADDRESS(name, value, unit, reason, effect) {&threshold_##name, NULL},
#define COUNT_ADDRESS(name, value, unit, reason, effect) {NULL, &threshold_##name},
static const struct {
  double *real;
  int *count;
} variables[] = {DLS_THRESHOLD_REALS(REAL_ADDRESS) DLS_THRESHOLD_COUNTS(COUNT_ADDRESS)};

void dls_test_set_threshold(size_t row, double value)
{
  if (variables[row].real != NULL) {
    *variables[row].real = value;
  } else {
    *variables[row].count = value < 1 ? 1 : (int)value;
  }
}

__attribute__((constructor)) static void vary(void)
{
  const char *what = getenv("DLS_THRESHOLD"), *colon = what != NULL ? strchr(what, ':') : NULL;
  for (size_t row = 0; colon != NULL && dls_event_driven_thresholds[row].name != NULL; row++) {
    const char *name = dls_event_driven_thresholds[row].name;
    if (strlen(name) == (size_t)(colon - what) && strncmp(name, what, strlen(name)) == 0) {
      dls_test_set_threshold(row, strtod(colon + 1, NULL) * dls_event_driven_thresholds[row].value);
      return;
    }
  }
  if (what != NULL) {
    fprintf(stderr, "DLS_THRESHOLD=%s names no threshold\n", what);
    exit(1);
  }
}
