/* experiments/request/request.h -- what run, compare, order, work, energy, spectrum or fit are to do, with every value checked: the words of
 * a command line and the keys of a study file both fill it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REQUEST_H
#define DELASSUS_EXPERIMENTS_REQUEST_H

#include "common/base/pool.h"
#include "experiments/campaign/journal.h"
#include "experiments/campaign/picture_form.h"
#include "experiments/measures/fit/made_data.h"
#include "experiments/measures/order/local.h"
#include "experiments/measures/spectrum/spectrum.h"
#include "experiments/measures/sweep/grid.h"
#include "experiments/measures/sweep/sweep.h"
#include "experiments/request/key.h"

#include <delassus/output.h>
#include <delassus/sim.h>
#include <delassus/study_file.h>

/* End time where none is given [s]: five half-periods of the oscillators, three times the ball's accumulation. */
#define DLS_REQUEST_END 10.0
/* More steps than this are a slip of the keyboard: 1e15 steps of a nanosecond are eleven days. */
#define DLS_REQUEST_MOST_STEPS 1e15
enum {
  DLS_REQUEST_MOST_LEVELS = 1000,
  DLS_REQUEST_MOST_REPEATS = 100000,
  DLS_REQUEST_MOST_TIMINGS = 1000,
  DLS_REQUEST_MOST_HALVINGS = 30,
  DLS_REQUEST_MOST_COMPARED = 12 /* more curves cannot be told apart */
};
#define DLS_REQUEST_MOST_RATIO 1e4 /* h/T: beyond it the steps of stiff oscillators are rounding */
#define DLS_REQUEST_MOST_SEED 4294967295.0

typedef enum dls_progress_mode { DLS_PROGRESS_AUTO, DLS_PROGRESS_ALWAYS, DLS_PROGRESS_NEVER } dls_progress_mode;

/* What a fit has beside model, scheme, step and columns. */
typedef struct dls_request_fit {
  dls_parameter_fit_spec spec; /* all but these and the data: see dls_request_fit_spec */
  double until;                /* later rows of the file are left out [s] */
  const char *path;            /* of the file; of data that the study makes where they go, or NULL */
  dls_fit_made made;           /* its scheme NULL: there is a file */
  dls_trajectory *file;        /* as it was read; to be destroyed */
  dls_fit_table table;         /* its columns; its block is to be freed */
} dls_request_fit;

typedef struct dls_request {
  dls_study_kind kind;
  /* whose request it is */
  const char *command;     /* its name, for messages and for the names of pictures */
  const dls_study *study;  /* what was asked for, as it was written */
  struct dls_report *page; /* of the studies of a file, for the results; or NULL */
  bool is_part;            /* the study is one of a file */
  dls_pool *pool;          /* of the arrays and strings here that are made for it */
  dls_model_choice model;  /* to be released */
  dls_order_spec spec;     /* schemes, start and end of every kind; the rest is of order and work */
  const char **labels;     /* of the schemes, as they were written */
  dls_against against;     /* work */
  /* run, compare, energy */
  const char *step_text; /* as it was written; NULL: not given */
  double step;           /* 0: not given */
  dls_recording recording;
  size_t halvings;         /* of a step that fails */
  const char **columns;    /* run: to be recorded, NULL: all */
  const char *sensitivity; /* run: parameters of derivatives, "P,Q"; NULL: none */
  const char *tangent;     /* of them, by step: as dls_tangent_method_parse; NULL: saltation */
  size_t column_count;
  const char **drawn; /* columns: of compare; of run, where they are drawn over another one */
  size_t drawn_count;
  const char *over;          /* run, compare: column that the others are drawn over; NULL: time */
  struct dls_judged *judged; /* judge: the files, read; NULL otherwise */
  bool local;                /* order: errors of one step */
  size_t impact;             /* order --local: around which one, from 1 */
  const char *cycle;         /* run: the event of the limit cycle that is run, as it was written; NULL: none */
  dls_event_kind cycle_kind;
  size_t cycle_contact;
  const char *drift;     /* positions that drift from cycle to cycle, "q0,q1"; NULL: none */
  dls_sweep_range sweep; /* compare: the parameter that it is repeated over; its count 0: none; run: its from */
  /* run, order, work, energy: the parameters that they are repeated over, and what is kept of a run */
  size_t axis_count;
  dls_sweep_axis axes[DLS_GRID_AXES];
  const dls_grid_wanted *wanted;
  size_t wanted_count;
  dls_spectrum_spec spectrum; /* spectrum: all but the schemes */
  dls_request_fit fit;
  /* where the results go; NULL: nowhere */
  const char *out, *plot, *format, *animation, *report, *problems; /* the last: contact problems of a run */
  dls_picture_form form;
  bool stats;
  bool levels; /* order: print the table of levels behind the summary */
  /* the manner, which changes no result */
  dls_journal_mode mode;
  bool resume, overwrite; /* asked for in words, not only as what --shard and --time-limit are for */
  bool strict;            /* exit status 3 if a check does not hold */
  double time_limit;      /* s; 0: none */
  dls_progress_mode progress;
} dls_request;

/* A request with everything that need not be given. */
dls_request dls_request_default(dls_study_kind kind, const struct dls_catalogue *catalogue, dls_pool *pool);
/* What belongs to a chosen model. */
void dls_request_set_model(dls_request *request);
/* Against what work, with as many timings as that needs. */
void dls_request_set_against(dls_request *request, dls_against against);
/* The first scheme that needs a step from outside, or that does not; NULL if there is none. */
const dls_scheme *dls_request_scheme(const dls_request *request, bool needs_step);
/* Draw over a column instead of time. @param[in] named  are the columns to be drawn named? Otherwise it is the velocity of a
 * position. @return DLS_ERR_OPTION if over is no position then, or one of them */
dls_status dls_request_set_over(dls_request *request, const char *over, bool named, dls_error *err);
/* run: "stick:0". @return DLS_ERR_OPTION */
dls_status dls_request_set_cycle(dls_request *request, const char *text, dls_error *err);
/* Find it; the system then starts on it. @param[out] out  to be destroyed @return DLS_ERR_OPTION if drift names no position; as
 * dls_cycle_find */
dls_status dls_request_find_cycle(const dls_request *request, dls_system *sys,
                                  bool (*poll)(void *data, double t), void *poll_data, struct dls_cycle **out,
                                  dls_error *err);
/* With its model: "P=A:B:N", "P=A:B:N:log" or "P=X,Y,...". @param[in] most  the largest N @return DLS_ERR_PARSE, DLS_ERR_OPTION */
dls_status dls_request_read_axis(dls_request *request, const char *what, const char *text, size_t most,
                                 dls_sweep_axis *out, dls_error *err);
/* compare, with its model: its axis, and "P=X,Y,..." for several curves. @return DLS_ERR_PARSE, DLS_ERR_OPTION */
dls_status dls_request_set_sweep(dls_request *request, const char *text, dls_error *err);
dls_status dls_request_set_curves(dls_request *request, const char *text, dls_error *err);
/* What is to be run, with the exact solution where there is one. It borrows from the request. */
dls_sweep_spec dls_request_sweep_spec(const dls_request *request);
/* Do sweep, its curves, its time and the rest go together? @return DLS_ERR_OPTION */
dls_status dls_request_check_sweep(const dls_request *request, dls_error *err);
/* run, order, work, energy, with its model: one more axis. @return DLS_ERR_PARSE, DLS_ERR_OPTION */
dls_status dls_request_add_axis(dls_request *request, const char *text, dls_error *err);
/* run over a parameter: what is kept, "q0" or "last:q0", "least:q0", "largest:q0", "mean:q0", "impacts", ...; count 0: the state at the
 * end and what is counted. @return DLS_ERR_OPTION, DLS_ERR_MEMORY; as dls_model_create */
dls_status dls_request_want(dls_request *request, const char *const *names, size_t count, dls_error *err);
/* Does what is repeated go with the rest? @return DLS_ERR_OPTION */
dls_status dls_request_check_grid(const dls_request *request, dls_error *err);
/* It borrows from the request. */
dls_grid_spec dls_request_grid_spec(const dls_request *request);
/* spectrum: one more quantity, by its name. @return DLS_ERR_OPTION */
dls_status dls_request_add_spectrum(dls_request *request, const char *name, dls_error *err);
/* What is to be measured, with the schemes. It borrows from the request. */
dls_spectrum_spec dls_request_spectrum_spec(const dls_request *request);
/* Are steps and oscillator in their ranges, and has every scheme a fixed step? @return DLS_ERR_ARG, DLS_ERR_OPTION,
 * DLS_ERR_NOT_APPLICABLE */
dls_status dls_request_check_spectrum(const dls_request *request, dls_error *err);
/* What is to be fitted, with the data of the file. It borrows from the request. */
dls_parameter_fit_spec dls_request_fit_spec(const dls_request *request);
/* With its model: do the programs among its schemes go with what is asked? @return DLS_ERR_NOT_APPLICABLE; as
 * dls_external_check */
dls_status dls_request_check_externals(const dls_request *request, dls_error *err);
/* order --local. It borrows from the request. */
dls_local_spec dls_request_local_spec(const dls_request *request);
/* Model, step, end and the manner of scheme i, noted in its trajectory. @return DLS_ERR_MEMORY */
dls_status dls_request_note(const dls_request *request, size_t i, dls_trajectory *traj, dls_error *err);
void dls_request_release(dls_request *request);

/* An option of a command line, and its value; "" for a switch. */
typedef struct dls_word {
  dls_key_id key;
  const char *text;
} dls_word;
typedef struct dls_words {
  const char *name; /* of the command */
  unsigned command; /* bits of the command, for the table of keys */
  dls_study_kind kind;
  const struct dls_catalogue *catalogue;
  size_t count, positional_count;
  const dls_word *all;
  char *const *positional; /* the model (of fit also the data), or the schemes of a spectrum */
} dls_words;
/**
 * Read a command line as the request of a study.
 * @param[out] study  its request is the caller's, to be released in any case, as study's externals
 * @return DLS_OK; the status and the message of the first thing that is wrong; DLS_ERR_MEMORY
 */
dls_status dls_request_from_words(const dls_words *words, dls_pool *pool, dls_study *study, dls_error *err);
void dls_study_release_externals(const dls_study *study);

#endif
