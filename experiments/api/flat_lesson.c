/* experiments/api/flat_lesson.c -- runs of lessons in plain C types, by the code that makes the tables of their pages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/decimal.h"
#include "common/base/text.h"
#include "experiments/api/flat_internal.h"
#include "experiments/extra/lesson/lesson_run.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_DIGITS = 17 };

struct dls_flat_lesson {
  dls_catalogue *catalogue;
  dls_lesson_maker maker;
  bool has_motion; /* of the maker's values */
};

int dls_flat_lesson_create(const char *name, dls_flat_lesson **out, char *error, size_t size)
{
  dls_error err = {0};
  const dls_lesson *found = dls_lesson_find(name, &err);
  dls_flat_lesson *lesson = found != NULL ? calloc(1, sizeof *lesson) : NULL;
  *out = NULL;
  if (lesson == NULL) {
    const dls_status status =
        found == NULL ? err.status : dls_fail(&err, DLS_ERR_MEMORY, "no memory for a lesson");
    return dls_flat_report(status, &err, error, size);
  }
  const dls_status status = dls_catalogue_create(&lesson->catalogue, &err);
  if (status != DLS_OK) {
    free(lesson);
    return dls_flat_report(status, &err, error, size);
  }
  lesson->maker = dls_lesson_maker_of(found, lesson->catalogue, NULL, ALL_DIGITS);
  *out = lesson;
  return DLS_OK;
}

void dls_flat_lesson_free(dls_flat_lesson *lesson)
{
  if (lesson != NULL) {
    dls_lesson_release_motion(&lesson->maker);
    dls_catalogue_destroy(lesson->catalogue);
    free(lesson);
  }
}

/* A time [s] in (0, most]. */
static dls_status read_time(const char *what, const char *text, double most, double *t, dls_error *err)
{
  const size_t length = strlen(text);
  const bool number = length > 0 && dls_decimal_read(text, text + length, t) == length;
  return number && *t > 0 && *t <= most
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "%s = '%.60s' is not allowed: it must be a number in (0, %g] s", what,
                        text, most);
}

/* Set the sliders, and read the step. A motion of other values is released. */
static dls_status take_values(dls_flat_lesson *lesson, size_t count, const char *const *values, double *step,
                              dls_error *err)
{
  dls_lesson_maker *m = &lesson->maker;
  const size_t expected = m->sliders + (m->lesson->levels > 1 ? 1 : 0);
  double end;
  dls_status status = count == expected
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_ARG, "%zu values for the %zu sliders of lesson %s", count,
                                     expected, m->lesson->name);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    if (values[i] == NULL || strlen(values[i]) >= DLS_LESSON_WORD) {
      status = dls_fail(err, DLS_ERR_ARG, "value %zu is NULL or has more than %d characters", i,
                        DLS_LESSON_WORD - 1);
    } else if (i == m->sliders) {
      status = read_time("step", values[i], m->longest, step, err);
    } else if (m->lesson->sliders[i].role == DLS_LESSON_END) {
      status = read_time("end", values[i], m->longest, &end, err);
    }
  }
  for (size_t i = 0; i < m->sliders && status == DLS_OK; i++) {
    const bool moved = strcmp(m->values[i], values[i]) != 0;
    lesson->has_motion =
        lesson->has_motion && !(moved && dls_lesson_changes_motion(m->lesson->sliders[i].role));
    memcpy(m->values[i], values[i], strlen(values[i]) + 1);
  }
  return status;
}

static dls_status put_run(dls_flat_lesson *lesson, double step, dls_error *err)
{
  dls_lesson_maker *m = &lesson->maker;
  dls_status status = DLS_OK;
  if (!lesson->has_motion) {
    status = dls_lesson_make_motion(m, err);
    lesson->has_motion = status == DLS_OK;
  }
  status = status != DLS_OK ? status : dls_lesson_put_motion(m, err);
  status = status != DLS_OK ? status : dls_lesson_put_run(m, step, err);
  fputs("]}", m->out);
  return status;
}

int dls_flat_lesson_run(dls_flat_lesson *lesson, size_t count, const char *const *values, char **text,
                        char *error, size_t size)
{
  dls_error err = {0};
  double step = lesson->maker.lesson->h_first;
  size_t length = 0;
  *text = NULL;
  dls_status status = take_values(lesson, count, values, &step, &err);
  if (status != DLS_OK) {
    return dls_flat_report(status, &err, error, size);
  }
  lesson->maker.out = dls_text_stream(text, &length);
  if (lesson->maker.out == NULL) {
    return dls_flat_report(dls_fail(&err, DLS_ERR_MEMORY, "no memory for a run"), &err, error, size);
  }
  status = put_run(lesson, step, &err);
  if (fclose(lesson->maker.out) != 0 && status == DLS_OK) {
    status = dls_fail(&err, DLS_ERR_MEMORY, "no memory for a run");
  }
  if (status != DLS_OK) {
    free(*text);
    *text = NULL;
  }
  return dls_flat_report(status, &err, error, size);
}
