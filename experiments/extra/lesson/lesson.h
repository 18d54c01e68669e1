/* experiments/extra/lesson/lesson.h -- interactive lessons: a self-contained page with sliders over precomputed runs.
 *
 * A lesson is an entry of the list in lesson_list.c and a text pages/NAME.html: the explanation, a line "<!-- lab -->", and the
 * questions. The page contains a run for each combination of slider positions, and its script looks them up. A live page also contains
 * the library, which computes what lies between.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LESSON_H
#define DELASSUS_EXPERIMENTS_LESSON_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { DLS_LESSON_SLIDERS = 4, DLS_LESSON_PANELS = 3, DLS_LESSON_MEASURES = 3 };

/** What a slider sets. The first three change the motion and therefore its reference. */
typedef enum dls_lesson_role {
  DLS_LESSON_NONE, /* ends the sliders */
  DLS_LESSON_PARAMETER,
  DLS_LESSON_LAW,
  DLS_LESSON_END,
  DLS_LESSON_SCHEME,
  DLS_LESSON_OPTION
} dls_lesson_role;

typedef struct dls_lesson_slider {
  dls_lesson_role role;
  const char *name;         /* of the parameter or option; else NULL */
  const char *label, *unit; /* unit; "" if none */
  const char *
      values; /* "0.3;0.5;0.7": as on a command line; in live pages any value between, a whole one if all are whole */
  size_t start; /* index of the initial one */
} dls_lesson_slider;

typedef struct dls_lesson_panel {
  const char *column, *label, *unit;
  double low, high; /* range of the plot; curves outside run along the edge */
  bool body;        /* a ball beside it moves with the column */
} dls_lesson_panel;

/** The norm of an error; "gain": the last value of the column over its first; "contact": a member of dls_contact_quality. */
typedef struct dls_lesson_measure {
  const char *norm, *of, *label, *unit;
} dls_lesson_measure;

typedef struct dls_lesson {
  const char *name, *title, *summary;
  const char *model, *settings; /* "m=1;f=-2": parameters that differ from their defaults; "" */
  const char *scheme;           /* with options; NULL: set by a slider */
  double end;                   /* s; NAN: set by a slider */
  double h_first, h_last;       /* s; geometric, rounded to four digits */
  size_t levels; /* 1: the step is h_first, and the last slider is the abscissa of the plot of points */
  bool
      plain; /* the plot of points shows values of the first measure on a plain axis, not errors on a logarithmic one */
  dls_lesson_slider
      sliders[DLS_LESSON_SLIDERS]; /* those that change the motion first; one entry is for the step */
  dls_lesson_panel panels[DLS_LESSON_PANELS];
  dls_lesson_measure measures[DLS_LESSON_MEASURES];
} dls_lesson;

/** All of them; ends with {0}. */
const dls_lesson *dls_lessons(void);
/** @return NULL and a message with the names, DLS_ERR_OPTION, if there is none */
const dls_lesson *dls_lesson_find(const char *name, dls_error *err);

/** Fraction done; false interrupts. */
typedef bool (*dls_lesson_poll)(void *data, double done);

/**
 * Make every run of a lesson and write the data of the page as JSON. Curves are rounded to 1/4095 of their panel, errors to
 * four digits.
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; the status of a failed reference. A failed run is written with its
 * reason
 */
dls_status dls_lesson_write_tables(const dls_lesson *lesson, FILE *out, dls_lesson_poll poll, void *poll_data,
                                   dls_error *err);
/**
 * Write the page, completely or not at all.
 * @param[in] live  the page contains the library, which computes what its sliders show between the values of the tables
 * @return as dls_lesson_write_tables; DLS_ERR_IO; if live, as dls_module_open
 */
dls_status dls_lesson_write(const dls_lesson *lesson, bool live, const char *path, dls_lesson_poll poll,
                            void *poll_data, dls_error *err);

#endif
