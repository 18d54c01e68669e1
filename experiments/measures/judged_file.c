/* experiments/measures/judged_file.c -- the step of a trajectory file of any program.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/file_metadata.h"
#include "experiments/measures/judged.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the step --- */

static double number_at(const char *text, const char **behind)
{
  char *end = NULL;
  const double x = strtod(text, &end);
  *behind = end;
  return x;
}

static bool begins_word(const char *name, const char *at)
{
  return at == name || !isalpha((unsigned char)at[-1]);
}

/* The number behind "step", "dt" or "h" with "=", "_" or "-" or nothing between; NAN for none. */
static double named_number(const char *name)
{
  static const char *const words[] = {"step", "dt", "h"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    for (const char *at = strstr(name, words[i]); at != NULL; at = strstr(at + 1, words[i])) {
      const char *number = at + strlen(words[i]), *behind = NULL;
      number += strspn(number, "=_-");
      if (begins_word(name, at) && (isdigit((unsigned char)*number) || *number == '.')) {
        return number_at(number, &behind);
      }
    }
  }
  return NAN;
}

/* The only number of a name, NAN for none or several. */
static double only_number(const char *name)
{
  double found = NAN;
  for (const char *at = name; *at != '\0';) {
    if (!isdigit((unsigned char)*at)) {
      at++;
      continue;
    }
    if (!isnan(found)) {
      return NAN;
    }
    found = number_at(at, &at);
  }
  return found;
}

/* Of the name without its folder and its ending. */
static double step_in_name(const char *path)
{
  char name[256];
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "%s", slash != NULL ? slash + 1 : path);
  char *ending = strrchr(name, '.');
  if (ending != NULL && !isdigit((unsigned char)ending[1])) {
    *ending = '\0';
  }
  const double step = named_number(name);
  return isnan(step) ? only_number(name) : step;
}

static dls_status find_step(dls_judged_file *file, dls_error *err)
{
  char text[60];
  bool says = false;
  dls_status status = dls_file_metadata(file->path, "step", text, sizeof text, &says, err);
  if (status == DLS_OK && says) {
    status = dls_parse_number("its line '# step:'", text, &file->step, err);
  } else if (status == DLS_OK) {
    file->step = step_in_name(file->path);
  }
  if (status == DLS_OK && !(file->step > 0 && isfinite(file->step))) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%.150s says no step > 0: give all of them by --steps H1,H2,..., or have a line '# step: 0.01' in the "
        "file, or a name such as ball-h0.01.csv",
        file->path);
  }
  return status;
}

/* A trajectory goes on from t = 0. */
static dls_status check_length(const dls_judged_file *file, dls_error *err)
{
  const dls_trajectory *traj = file->traj;
  const double last = dls_trajectory_at(traj, traj->rows - 1, 0);
  return last > 0 ? DLS_OK
                  : dls_fail(err, DLS_ERR_ARG,
                             "%.150s has %zu row%s, and ends at t = %g s: there is nothing to judge",
                             file->path, traj->rows, traj->rows == 1 ? "" : "s", last);
}

dls_status dls_judged_read(const dls_foreign_manner *manner, double step, dls_judged_file *file, dls_error *err)
{
  const dls_status status = dls_foreign_read(manner, file->path, file->path, &file->traj, err);
  if (status != DLS_OK) {
    return status == DLS_ERR_IO ? (err->status = DLS_ERR_ARG)
                                : status; /* a file that is not there: the request is wrong */
  }
  file->step = step;
  const dls_status length = check_length(file, err);
  return length != DLS_OK || step > 0 ? length : find_step(file, err);
}
