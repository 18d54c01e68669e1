/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <math.h>

void dls_check_close(double actual, double expected, double tolerance, const char *what, const char *file,
                     int line)
{
  if (!(fabs(actual - expected) <= tolerance)) {
    print_error("%s = %.17g, expected %.17g within %g (off by %g)\n", what, actual, expected, tolerance,
                actual - expected);
    _fail(file, line);
  }
}

void dls_check_between(double actual, double low, double high, const char *what, const char *file, int line)
{
  if (!(actual >= low && actual <= high)) {
    print_error("%s = %.17g is not in [%g, %g]\n", what, actual, low, high);
    _fail(file, line);
  }
}

void dls_check_ok(int status, const char *text, const char *what, const char *file, int line)
{
  if (status != 0) {
    print_error("%s failed with %d: %s\n", what, status, text);
    _fail(file, line);
  }
}
