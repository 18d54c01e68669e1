/* experiments/show/figure_ticks.c -- ticks of an axis and their labels.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/figure.h"
#include <math.h>
#include <string.h>

enum {
  MOST_LABELS = 9,        /* of powers of ten: more touch each other on a narrow frame */
  MOST_DIGIT_LABELS = 8,  /* of a logarithmic axis of linear ticks: they have many digits */
  MOST_LINEAR_TICKS = 40, /* more than any frame has room for: ends the loop if the range is degenerate */
  LABEL_DIGITS = 7        /* behind the point: a finer label is rounding of the data */
};
static const double powers_of_linear =
    1.6; /* powers of ten may be closer to each other than linear ticks, whose labels are longer */
static const double rounding =
    1e-9; /* of a step, a decade or the range: rounding loses no tick at the end of an axis */

static void put_label(dls_tick *tick, double mantissa, int decimals, int exponent, bool text)
{
  if (mantissa == 0) {
    snprintf(tick->label, sizeof tick->label, "0");
  } else if (text) {
    snprintf(tick->label, sizeof tick->label, "%.*fe%d", decimals, mantissa, exponent);
  } else if (mantissa == 1 && decimals == 0) {
    snprintf(tick->label, sizeof tick->label, "10^{%d}", exponent);
  } else {
    snprintf(tick->label, sizeof tick->label, "%.*f·10^{%d}", decimals, mantissa, exponent);
  }
}

static dls_tick *add_power(dls_tick ticks[], size_t *count, int mantissa, int exponent)
{
  dls_tick *tick = &ticks[*count < DLS_MOST_TICKS ? (*count)++ : DLS_MOST_TICKS - 1];
  *tick = (dls_tick){.at = mantissa * pow(10, exponent)};
  snprintf(tick->at_text, sizeof tick->at_text, "%de%d", mantissa, exponent);
  return tick;
}

static bool is_inside(const dls_axis *axis, int mantissa, int exponent)
{
  const double x = mantissa * pow(10, exponent);
  return x >= axis->low * (1 - rounding) && x <= axis->high * (1 + rounding);
}

/* An axis with at least two powers of ten has these, so many that they can be read, and small ticks 2 to 9 between.
 * @param[in] most  linear ticks there is room for */
static size_t power_ticks(const dls_axis *axis, int first, int last, double most, bool text, dls_tick ticks[])
{
  const int labels = (int)fmin(MOST_LABELS, fmax(1, floor(powers_of_linear * most)));
  const int stride = (last - first) / labels + 1;
  size_t count = 0;
  for (int exponent = first; exponent <= last; exponent++) {
    dls_tick *tick = add_power(ticks, &count, 1, exponent);
    if (exponent % stride == 0) {
      put_label(tick, 1, 0, exponent, text);
    }
  }
  for (int exponent = first - 1; exponent <= last && last - first < MOST_LABELS && !text; exponent++) {
    for (int mantissa = 2; mantissa <= 9; mantissa++) {
      if (is_inside(axis, mantissa, exponent)) {
        add_power(ticks, &count, mantissa, exponent);
      }
    }
  }
  return count;
}

/* A shorter axis has 1, 2, 5, 10, ...; one that has fewer than two of these, all digits. @return fewer than 2 where these are too far
 * apart for the axis */
static size_t digit_ticks(const dls_axis *axis, int first, int last, bool text, dls_tick ticks[])
{
  size_t count = 0;
  int round = 0;
  for (int exponent = first - 1; exponent <= last; exponent++) {
    round += is_inside(axis, 1, exponent) + is_inside(axis, 2, exponent) + is_inside(axis, 5, exponent);
  }
  for (int exponent = first - 1; exponent <= last; exponent++) {
    for (int mantissa = 1; mantissa <= 9; mantissa++) {
      if (!is_inside(axis, mantissa, exponent)) {
        continue;
      }
      dls_tick *tick = add_power(ticks, &count, mantissa, exponent);
      if (round >= 2 && mantissa != 1 && mantissa != 2 && mantissa != 5) {
        continue;
      }
      if (exponent >= -3 && exponent <= 4) {
        snprintf(tick->label, sizeof tick->label, "%g", tick->at);
      } else {
        put_label(tick, mantissa, 0, exponent, text);
      }
    }
  }
  return count;
}

/* Distance of at most `most` ticks: 1, 2 or 5 times a power of ten; the next smaller one where only one tick would be on the axis. */
static double step_of(const dls_axis *axis, double most)
{
  static const double digits[] = {0.5, 1, 2, 5, 10};
  const double range = axis->high - axis->low;
  const double raw = range / fmax(2, most), power = pow(10, floor(log10(raw) + rounding)), digit = raw / power;
  size_t i = digit <= 1 + rounding ? 1 : digit <= 2 ? 2 : digit <= 5 ? 3 : 4;
  const double first = ceil(axis->low / (digits[i] * power) - rounding),
               last = floor(axis->high / (digits[i] * power) + rounding);
  i -= last <= first;
  return digits[i] * power;
}

static size_t linear_ticks(const dls_axis *axis, double most, bool text, dls_tick ticks[])
{
  const double range = axis->high - axis->low, size = fmax(fabs(axis->low), fabs(axis->high));
  const double step = step_of(axis, most);
  const int exponent = (int)floor(log10(size) + rounding);
  const bool plain = exponent >= -3 && exponent <= 5;
  const int finest = (int)floor(log10(step) + rounding);
  const int decimals = (int)fmin(fmax(0, plain ? -finest : exponent - finest),
                                 plain && exponent > 0 ? LABEL_DIGITS - exponent : LABEL_DIGITS);
  size_t count = 0;
  for (double i = ceil(axis->low / step - rounding);
       i * step <= axis->high + rounding * range && count < MOST_LINEAR_TICKS; i++) {
    dls_tick *tick = &ticks[count++];
    *tick = (dls_tick){.at = i * step + 0.0}; /* no -0 */
    snprintf(tick->at_text, sizeof tick->at_text, "%.12g", tick->at);
    if (plain) {
      snprintf(tick->label, sizeof tick->label, "%.*f", decimals, tick->at);
    } else {
      put_label(tick, tick->at / pow(10, exponent), decimals, exponent, text);
    }
  }
  return count;
}

static size_t named_ticks(const dls_axis *axis, dls_tick ticks[])
{
  for (size_t i = 0; i < axis->name_count && i < DLS_MOST_TICKS; i++) {
    ticks[i] = (dls_tick){.at = (double)(i + 1)};
    snprintf(ticks[i].at_text, sizeof ticks[i].at_text, "%zu", i + 1);
    snprintf(ticks[i].label, sizeof ticks[i].label, "%s", axis->names[i]);
  }
  return axis->name_count;
}

size_t dls_axis_ticks(const dls_axis *axis, double most, bool text, dls_tick ticks[DLS_MOST_TICKS])
{
  if (axis->names != NULL) {
    return named_ticks(axis, ticks);
  }
  if (!axis->log) {
    return linear_ticks(axis, most, text, ticks);
  }
  const int first = (int)ceil(log10(axis->low) - rounding), last = (int)floor(log10(axis->high) + rounding);
  if (last > first) {
    return power_ticks(axis, first, last, text ? MOST_LABELS : most, text, ticks);
  }
  const size_t count = digit_ticks(axis, first, last, text, ticks);
  return count >= 2 ? count : linear_ticks(axis, fmin(most, MOST_DIGIT_LABELS), text, ticks);
}
