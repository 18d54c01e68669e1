/* experiments/show/gnuplot_ticks.c -- the ticks of logarithmic axes, written out one by one: versions 5 and 6 of gnuplot
 * choose and label their own differently.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/gnuplot.h"
#include <math.h>

enum { MOST_LABELS = 9 };

/* Exponents of the powers of ten on an axis: from first to last. */
static int first_exponent(double low)
{
  return (int)ceil(log10(low) - 1e-9);
}

static int last_exponent(double high)
{
  return (int)floor(log10(high) + 1e-9);
}

/* '10^{-3}', '5·10^{-3}', or as a plain number where that is shorter. */
static void put_label(FILE *out, int mantissa, int exponent, bool text, bool plain)
{
  if (plain && exponent >= -3 && exponent <= 4) {
    fprintf(out, "'%g'", mantissa * pow(10, exponent));
  } else if (text) {
    fprintf(out, "'%de%d'", mantissa, exponent);
  } else if (mantissa == 1) {
    fprintf(out, "'10^{%d}'", exponent);
  } else {
    fprintf(out, "'%d·10^{%d}'", mantissa, exponent);
  }
}

/* A tick with its label, or a small one without. */
static void put_tick(FILE *out, const char **separator, int mantissa, int exponent)
{
  fprintf(out, "%s'' %de%d 1", *separator, mantissa, exponent);
  *separator = ", ";
}

/* An axis with at least two powers of ten has these, so many that they can be read. */
static void put_powers(FILE *out, int first, int last, bool text)
{
  const int stride = (last - first) / MOST_LABELS + 1;
  const char *separator = "";
  for (int exponent = first; exponent <= last; exponent++) {
    if (exponent % stride == 0) {
      fputs(separator, out);
      put_label(out, 1, exponent, text, false);
      fprintf(out, " 1e%d", exponent);
      separator = ", ";
    } else {
      put_tick(out, &separator, 1, exponent);
    }
  }
}

static bool is_inside(double low, double high, int mantissa, int exponent)
{
  const double x = mantissa * pow(10, exponent);
  return x >= low * (1 - 1e-9) && x <= high * (1 + 1e-9);
}

/* The small ticks 2 to 9 between the powers of ten. */
static void put_small(FILE *out, double low, double high, int first, int last)
{
  const char *separator = ", ";
  for (int exponent = first - 1; exponent <= last; exponent++) {
    for (int mantissa = 2; mantissa <= 9; mantissa++) {
      if (is_inside(low, high, mantissa, exponent)) {
        put_tick(out, &separator, mantissa, exponent);
      }
    }
  }
}

/* A shorter axis has 1, 2, 5, 10, ...; one that has not even two of these, all digits. */
static void put_digits(FILE *out, double low, double high, int first, int last, bool text)
{
  const char *separator = "";
  int round = 0;
  for (int exponent = first - 1; exponent <= last; exponent++) {
    round += is_inside(low, high, 1, exponent) + is_inside(low, high, 2, exponent) +
             is_inside(low, high, 5, exponent);
  }
  for (int exponent = first - 1; exponent <= last; exponent++) {
    for (int mantissa = 1; mantissa <= 9; mantissa++) {
      const bool labelled = round < 2 || mantissa == 1 || mantissa == 2 || mantissa == 5;
      if (!is_inside(low, high, mantissa, exponent)) {
        continue;
      }
      if (!labelled) {
        put_tick(out, &separator, mantissa, exponent);
        continue;
      }
      fputs(separator, out);
      put_label(out, mantissa, exponent, text, true);
      fprintf(out, " %de%d", mantissa, exponent);
      separator = ", ";
    }
  }
}

void dls_gnuplot_log_axis(FILE *script, char axis, double low, double high, bool text)
{
  const int first = first_exponent(low), last = last_exponent(high);
  fprintf(script, "set logscale %c\nset %ctics (", axis, axis);
  if (last > first) {
    put_powers(script, first, last, text);
    if (last - first < MOST_LABELS && !text) {
      put_small(script, low, high, first, last);
    }
  } else {
    put_digits(script, low, high, first, last, text);
  }
  fprintf(script, ")\n");
}
