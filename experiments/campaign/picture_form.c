/* experiments/campaign/picture_form.c -- read and print the size of a picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/picture_form.h"
#include "common/base/decimal.h"
#include <stdio.h>
#include <string.h>

const char *const dls_picture_key_names[] = {"auto", "none", "below", "inside", NULL};
const char *const dls_picture_form_options[DLS_PICTURE_FORM_OPTIONS] = {"style", "size", "key"};

/* Sizes that are allowed: letters of 13 pixels fit into the least; the largest is a poster. */
static const struct unit {
  const char *name;
  double least, most;
} pixels = {"px", 100, 10000}, centimetres = {"cm", 3, 100};

/* A number up to `end`. */
static bool read_length(const char *text, const char *end, double *x)
{
  const size_t bytes = end > text ? dls_decimal_read(text, end, x) : 0;
  return bytes > 0 && text + bytes == end && *x > 0;
}

dls_status dls_picture_size_read(const char *text, dls_picture_form *form, dls_error *err)
{
  const char *times = strchr(text, 'x'), *end = text + strlen(text);
  const size_t length = strlen(text);
  const bool cm = length > 2 && strcmp(end - 2, "cm") == 0, px = length > 2 && strcmp(end - 2, "px") == 0;
  double width = 0, height = 0;
  end -= cm || px ? 2 : 0;
  if (times == NULL || times > end || !read_length(text, times, &width) ||
      !read_length(times + 1, end, &height)) {
    return dls_fail(err, DLS_ERR_OPTION,
                    "'%.60s' must be WIDTHxHEIGHT with cm or px, e.g. 8.5x6cm; numbers without unit are pixels",
                    text);
  }
  const struct unit *unit = cm ? &centimetres : &pixels;
  if (!(width >= unit->least && width <= unit->most && height >= unit->least && height <= unit->most)) {
    return dls_fail(err, DLS_ERR_OPTION, "'%.60s': width and height must be from %g to %g %s", text,
                    unit->least, unit->most, unit->name);
  }
  form->width = width;
  form->height = height;
  form->centimetres = cm;
  return DLS_OK;
}

void dls_picture_size_print(double width, double height, bool in_cm, char text[DLS_PICTURE_SIZE_TEXT])
{
  snprintf(text, DLS_PICTURE_SIZE_TEXT, "%.10gx%.10g%s", width, height, in_cm ? centimetres.name : pixels.name);
}
