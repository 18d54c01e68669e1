/* experiments/extra/foreign/foreign_file.c -- reads trajectories of any program.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/foreign_file.h"
#include "common/base/csv_field.h"
#include "common/base/text.h"
#include "common/run/csv.h"
#include <delassus/option.h>
#include <stdlib.h>
#include <string.h>

/* A file may end early by this many of its steps. */
static const double short_of_end = 1.5;

/* Cut "0.001*" from the start of their name. */
static dls_status cut_factor(const char *ours, char **theirs, double *factor, dls_error *err)
{
  char *star = strchr(*theirs, '*');
  char number[64];
  *factor = 1;
  if (star == NULL || star == *theirs || star[1] == '\0' || (size_t)(star - *theirs) >= sizeof number) {
    return DLS_OK;
  }
  snprintf(number, sizeof number, "%.*s", (int)(star - *theirs), *theirs);
  if (dls_parse_number("", number, factor, NULL) != DLS_OK) { /* a name with a star */
    *factor = 1;
    return DLS_OK;
  }
  if (*factor == 0 || (*factor < 0 && strcmp(ours, "t") == 0)) {
    return dls_fail(err, DLS_ERR_PARSE, "--map: %.40s=%.80s: the factor must be %s", ours, *theirs,
                    *factor == 0 ? "different from 0" : "> 0 for the time");
  }
  *theirs = star + 1;
  return DLS_OK;
}

dls_status dls_foreign_map(size_t count, const char *const *fields, dls_pool *pool, dls_foreign_manner *manner,
                           dls_error *err)
{
  const char **ours = dls_pool_take(pool, (2 * count + 1) * sizeof *ours);
  double *factors = dls_pool_take(pool, (count + 1) * sizeof *factors);
  for (size_t i = 0; i < count && !pool->failed; i++) {
    char *pair = dls_pool_copy(pool, fields[i], strlen(fields[i]));
    pair = pair != NULL ? dls_csv_unquote(pair) : NULL;
    char *equals = pair != NULL ? strchr(pair, '=') : NULL;
    if (pair != NULL && (equals == NULL || equals == pair || equals[1] == '\0')) {
      return dls_fail(err, DLS_ERR_PARSE,
                      "--map: '%.80s' is not of the form OURS=THEIRS, such as q0=x, or "
                      "OURS=FACTOR*THEIRS, such as q0=0.001*x",
                      fields[i]);
    }
    if (pair != NULL) {
      *equals = '\0';
      char *theirs = equals + 1;
      if (cut_factor(pair, &theirs, &factors[i], err) != DLS_OK) {
        return err->status;
      }
      ours[i] = pair;
      ours[count + i] = dls_csv_unquote(theirs);
    }
  }
  manner->ours = ours;
  manner->theirs = ours != NULL ? ours + count : NULL;
  manner->factors = factors;
  manner->map_count = count;
  return pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu names of columns", count) : DLS_OK;
}

static dls_status no_column(const dls_trajectory *traj, const char *name, const char *column, dls_error *err)
{
  char list[200] = "";
  for (size_t j = 1; j < traj->columns; j++) {
    dls_text_append(list, sizeof list, "%s%s", j > 1 ? ", " : "", traj->names[j]);
  }
  return dls_fail(err, DLS_ERR_ARG, "--map: %.100s has no column '%.40s'; its columns are t, %s", name, column,
                  list);
}

static void scale(dls_trajectory *traj, size_t column, double factor)
{
  for (size_t row = 0; row < traj->rows && factor != 1; row++) {
    traj->data[row * traj->columns + column] *= factor;
  }
}

static dls_status rename_columns(const dls_foreign_manner *manner, const char *file, dls_trajectory *traj,
                                 dls_error *err)
{
  for (size_t i = 0; i < manner->map_count; i++) {
    if (strcmp(manner->ours[i], "t") == 0) { /* is read as t */
      scale(traj, 0, manner->factors[i]);
      continue;
    }
    const int column = dls_trajectory_column(traj, manner->theirs[i]);
    const int taken = dls_trajectory_column(traj, manner->ours[i]);
    if (column < 1) {
      return no_column(traj, file, manner->theirs[i], err);
    }
    if (taken >= 0 && taken != column) {
      return dls_fail(err, DLS_ERR_ARG, "--map: %.100s already has a column '%.40s' besides '%.40s'", file,
                      manner->ours[i], manner->theirs[i]);
    }
    char *name = dls_text_copy(manner->ours[i]);
    if (name == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the name of a column");
    }
    free(traj->names[column]);
    traj->names[column] = name;
    scale(traj, (size_t)column, manner->factors[i]);
  }
  return DLS_OK;
}

static dls_status set_between(const dls_foreign_manner *manner, const char *name, dls_trajectory *traj,
                              dls_error *err)
{
  if (!manner->between_given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "%.150s does not define the interpolation between its rows: --between linear joins them by "
                    "straight lines, "
                    "--between constant keeps each value until the next row",
                    name);
  }
  for (size_t j = 1; j < traj->columns; j++) {
    traj->meaning[j] = manner->between;
  }
  return DLS_OK;
}

static const char assumed_key[] = "layout";

/* Note what the file itself does not say. */
static dls_status note_layout(const dls_csv_layout *layout, dls_trajectory *traj, dls_error *err)
{
  const char *separator = layout->separator == '\t' ? "tabs" : layout->separator == ' ' ? "blanks" : "';'";
  char text[160] = "";
  if (layout->separator != ',') {
    dls_text_append(text, sizeof text, "columns separated by %s", separator);
  }
  if (layout->decimal_comma) {
    dls_text_append(text, sizeof text, ", decimal commas");
  }
  if (layout->ends_with_separator) {
    dls_text_append(text, sizeof text, "%sa separator at the end of each line", text[0] != '\0' ? ", " : "");
  }
  if (layout->header_in_comment) {
    dls_text_append(text, sizeof text, "%snames of columns from a comment", text[0] != '\0' ? ", " : "");
  }
  return text[0] == '\0' ? DLS_OK : dls_trajectory_note(traj, err, assumed_key, "%s", text);
}

const char *dls_foreign_assumed(const dls_trajectory *traj)
{
  const size_t length = sizeof assumed_key - 1;
  for (size_t i = 0; i < traj->meta_count; i++) {
    if (strncmp(traj->meta[i], assumed_key, length) == 0 && strncmp(traj->meta[i] + length, ": ", 2) == 0) {
      return traj->meta[i] + length + 2;
    }
  }
  return NULL;
}

/* The name of their column for t. */
static const char *time_name(const dls_foreign_manner *manner)
{
  const char *name = NULL;
  for (size_t i = 0; i < manner->map_count; i++) {
    name = strcmp(manner->ours[i], "t") == 0 ? manner->theirs[i] : name;
  }
  return name;
}

dls_status dls_foreign_read(const dls_foreign_manner *manner, const char *path, const char *name,
                            dls_trajectory **traj, dls_csv_layout *layout, dls_error *err)
{
  dls_status status = dls_trajectory_read_table(path, time_name(manner), traj, layout, err);
  status = status == DLS_OK ? note_layout(layout, *traj, err) : status;
  if (status == DLS_OK && !layout->interpolation) {
    status = set_between(manner, name, *traj, err);
  }
  return status != DLS_OK || (layout->of_delassus && manner->ours_keep_names)
             ? status
             : rename_columns(manner, name, *traj, err);
}

bool dls_foreign_ends_early(const dls_trajectory *traj, double step, double end)
{
  return traj->rows == 0 || dls_trajectory_at(traj, traj->rows - 1, 0) < end - short_of_end * step;
}
