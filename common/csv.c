/* csv.c -- trajectories as text: metadata lines, a header, rows.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/option.h>
#include <delassus/trajectory.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *const meaning_names[] = {
    [DLS_LINEAR] = "linear", [DLS_CONSTANT] = "constant", [DLS_HERMITE] = "hermite"};
enum { MEANINGS = sizeof meaning_names / sizeof meaning_names[0] };

/* "# interpolation: q0=hermite v0=linear ..." */
static void write_interpolation(const dls_trajectory *traj, FILE *out)
{
  fputs("# interpolation:", out);
  for (size_t i = 1; i < traj->columns; i++) {
    fprintf(out, " %s=%s", traj->names[i], meaning_names[traj->meaning[i]]);
  }
  fputs("\n", out);
}

static void write_event(const dls_event *event, FILE *out)
{
  fprintf(out, "# event: t=%.17g kind=%s contact=%zu u_minus=%.17g u_plus=%.17g impulse=%.17g", event->t,
          dls_event_kind_name(event->kind), event->contact, event->u_minus, event->u_plus, event->impulse);
  if (event->kind == DLS_ACCUMULATION) {
    fprintf(out, " time_end=%.17g bound=%.3g", event->time_end, event->bound);
  }
  fputs("\n", out);
}

dls_status dls_trajectory_write(const dls_trajectory *traj, FILE *out, dls_error *err)
{
  fprintf(out, "# delassus: %s\n", DLS_VERSION);
  for (size_t i = 0; i < traj->meta_count; i++) {
    fprintf(out, "# %s\n", traj->meta[i]);
  }
  write_interpolation(traj, out);
  for (size_t i = 0; i < traj->event_count; i++) {
    write_event(&traj->events[i], out);
  }
  fprintf(out, "# complete: %s\n", traj->complete ? "yes" : "no");
  if (!traj->complete) {
    fprintf(out, "# failure: %s\n", traj->failure);
  }
  for (size_t j = 0; j < traj->columns; j++) {
    fprintf(out, "%s%s", j > 0 ? "," : "", traj->names[j]);
  }
  fputs("\n", out);
  for (size_t i = 0; i < traj->rows; i++) {
    for (size_t j = 0; j < traj->columns; j++) {
      fprintf(out, "%s%.17g", j > 0 ? "," : "", dls_trajectory_at(traj, i, j));
    }
    fputs("\n", out);
  }
  if (ferror(out)) {
    return dls_fail(err, DLS_ERR_IO, "writing the trajectory failed: %s", strerror(errno));
  }
  return DLS_OK;
}

typedef struct reader {
  const char *path;
  FILE *file;
  char *line;
  size_t size, number;  /* of the line, counted from 1 */
  char *interpolation;  /* value of that metadata line, or NULL */
  dls_trajectory *traj; /* NULL before the header */
} reader;

static dls_status bad(const reader *r, const char *at, dls_error *err, const char *what, const char *text)
{
  return dls_fail(err, DLS_ERR_PARSE, "%s:%zu:%zu: %s%.60s", r->path, r->number, (size_t)(at - r->line) + 1,
                  what, text);
}

static void strip_end(char *line)
{
  line[strcspn(line, "\r\n")] = '\0';
}

static dls_status read_metadata(reader *r, dls_error *err)
{
  static const char key[] = "# interpolation:";
  if (strncmp(r->line, key, sizeof key - 1) == 0) {
    free(r->interpolation);
    r->interpolation = strdup(r->line + sizeof key - 1);
    if (r->interpolation == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the metadata", r->path);
    }
  }
  return DLS_OK;
}

/* Cut the next field out of the line: without blanks and a pair of quotes around it. */
static char *cut_field(char **rest)
{
  char *field = *rest + strspn(*rest, " \t");
  char *end = field + strcspn(field, ",");
  *rest = *end == ',' ? end + 1 : end;
  while (end > field && (end[-1] == ' ' || end[-1] == '\t')) {
    end--;
  }
  *end = '\0';
  if (end - field >= 2 && field[0] == '"' && end[-1] == '"') {
    end[-1] = '\0';
    field++;
  }
  return field;
}

static size_t count_fields(const char *line)
{
  size_t count = 1;
  for (; *line != '\0'; line++) {
    count += *line == ',';
  }
  return count;
}

static dls_status check_header(reader *r, const char *const *names, size_t count, dls_error *err)
{
  if (strcmp(names[0], "t") != 0) {
    return bad(r, names[0], err, "the first column of the header must be t, it is ", names[0]);
  }
  for (size_t i = 1; i < count; i++) {
    if (names[i][0] == '\0') {
      return bad(r, names[i], err, "a column of the header has no name", "");
    }
    for (size_t j = 0; j < i; j++) {
      if (strcmp(names[i], names[j]) == 0) {
        return bad(r, names[i], err, "the header names two columns ", names[i]);
      }
    }
  }
  return DLS_OK;
}

static dls_status read_header(reader *r, dls_error *err)
{
  const size_t count = count_fields(r->line);
  const char **names = calloc(count, sizeof *names);
  if (names == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu column names", r->path, count);
  }
  char *rest = r->line;
  for (size_t i = 0; i < count; i++) {
    names[i] = cut_field(&rest);
  }
  dls_status status = check_header(r, names, count, err);
  if (status == DLS_OK) {
    r->traj = dls_trajectory_create_table(count, names);
    status = r->traj != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for the table", r->path);
  }
  free(names);
  return status;
}

static dls_status read_row(reader *r, dls_error *err)
{
  dls_trajectory *traj = r->traj;
  const size_t count = count_fields(r->line);
  if (count != traj->columns) {
    char what[80];
    snprintf(what, sizeof what, "%zu fields where the header has %zu columns", count, traj->columns);
    return bad(r, r->line, err, what, "");
  }
  double *row = dls_trajectory_append(traj);
  if (row == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s:%zu: no memory for the row", r->path, r->number);
  }
  char *rest = r->line;
  for (size_t j = 0; j < count; j++) {
    const char *field = cut_field(&rest);
    if (dls_parse_number("", field, &row[j], NULL) != DLS_OK) {
      return bad(r, field, err, "not a finite number: ", field);
    }
  }
  if (traj->rows > 1 && row[0] < row[-(ptrdiff_t)traj->columns]) {
    return bad(r, r->line, err, "t decreases to ", r->line);
  }
  return DLS_OK;
}

static dls_status read_lines(reader *r, dls_error *err)
{
  dls_status status = DLS_OK;
  while (status == DLS_OK && getline(&r->line, &r->size, r->file) >= 0) {
    r->number++;
    strip_end(r->line);
    if (r->line[0] == '#') {
      status = read_metadata(r, err);
    } else if (r->line[0] != '\0') {
      status = r->traj == NULL ? read_header(r, err) : read_row(r, err);
    }
  }
  if (status == DLS_OK && ferror(r->file)) {
    status = dls_fail(err, DLS_ERR_IO, "cannot read %s: %s", r->path, strerror(errno));
  } else if (status == DLS_OK && (r->traj == NULL || r->traj->rows == 0)) {
    status = dls_fail(err, DLS_ERR_PARSE, "%s:%zu:1: there is no %s", r->path, r->number + 1,
                      r->traj == NULL ? "header line" : "row of numbers below the header");
  }
  return status;
}

/* Set the meanings from " q0=hermite v0=linear ..."; unknown columns and meanings are left alone. */
static void apply_interpolation(dls_trajectory *traj, char *text)
{
  char *rest = NULL;
  for (char *item = strtok_r(text, " ", &rest); item != NULL; item = strtok_r(NULL, " ", &rest)) {
    char *equals = strchr(item, '=');
    if (equals != NULL) {
      *equals = '\0';
      const int column = dls_trajectory_column(traj, item);
      for (int k = 0; column >= 0 && k < MEANINGS; k++) {
        if (strcmp(equals + 1, meaning_names[k]) == 0) {
          traj->meaning[column] = (dls_meaning)k;
        }
      }
    }
  }
}

dls_status dls_trajectory_read(const char *path, dls_trajectory **out, dls_error *err)
{
  *out = NULL;
  reader r = {.path = path, .file = fopen(path, "r")};
  if (r.file == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot read %s: %s", path, strerror(errno));
  }
  const dls_status status = read_lines(&r, err);
  if (status == DLS_OK) {
    if (r.interpolation != NULL) {
      apply_interpolation(r.traj, r.interpolation);
    }
    *out = r.traj;
  } else {
    dls_trajectory_destroy(r.traj);
  }
  free(r.interpolation);
  free(r.line);
  fclose(r.file);
  return status;
}
