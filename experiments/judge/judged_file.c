/* experiments/judge/judged_file.c -- a trajectory file of any program: its columns, its step, what holds between its rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/foreign/file_metadata.h"
#include "experiments/judge/judged.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- columns --- */

static dls_status no_column(const dls_judged_file *file, const char *name, dls_error *err)
{
  char list[200] = "";
  for (size_t j = 1; j < file->traj->columns; j++) {
    dls_text_append(list, sizeof list, "%s%s", j > 1 ? ", " : "", file->traj->names[j]);
  }
  return dls_fail(err, DLS_ERR_ARG, "--map: %.100s has no column '%.40s'; its columns are t, %s", file->path,
                  name, list);
}

static dls_status rename_columns(const dls_judged_manner *manner, dls_judged_file *file, dls_error *err)
{
  for (size_t i = 0; i < manner->map_count; i++) {
    const int column = dls_trajectory_column(file->traj, manner->theirs[i]);
    const int taken = dls_trajectory_column(file->traj, manner->ours[i]);
    if (column < 1) {
      return no_column(file, manner->theirs[i], err);
    }
    if (taken >= 0 && taken != column) {
      return dls_fail(err, DLS_ERR_ARG, "--map: %.100s has a column '%.40s' already, beside '%.40s'",
                      file->path, manner->ours[i], manner->theirs[i]);
    }
    char *name = malloc(strlen(manner->ours[i]) + 1);
    if (name == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the name of a column");
    }
    strcpy(name, manner->ours[i]);
    free(file->traj->names[column]);
    file->traj->names[column] = name;
  }
  return DLS_OK;
}

static dls_status set_between(const dls_judged_manner *manner, dls_judged_file *file, dls_error *err)
{
  char text[4];
  bool says = false;
  const dls_status status = dls_file_metadata(file->path, "interpolation", text, sizeof text, &says, err);
  if (status != DLS_OK || says) {
    return status;
  }
  if (!manner->told) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%.150s does not say what holds between its rows: --between linear joins them by straight lines, "
        "--between constant keeps each value until the next row",
        file->path);
  }
  for (size_t j = 1; j < file->traj->columns; j++) {
    file->traj->meaning[j] = manner->between;
  }
  return DLS_OK;
}

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

dls_status dls_judged_read(const dls_judged_manner *manner, double step, dls_judged_file *file, dls_error *err)
{
  dls_status status = dls_trajectory_read(file->path, &file->traj, err);
  if (status != DLS_OK) {
    return status == DLS_ERR_IO ? (err->status = DLS_ERR_ARG)
                                : status; /* a file that is not there: the request is wrong */
  }
  file->step = step;
  status = step > 0 ? DLS_OK : find_step(file, err);
  status = status != DLS_OK ? status : set_between(manner, file, err);
  return status != DLS_OK ? status : rename_columns(manner, file, err);
}
