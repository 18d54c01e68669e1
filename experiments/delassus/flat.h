/* delassus/flat.h -- runs and exact solutions by name, in plain C types: for other languages.
 *
 * Functions that return int return 0, or a negative dls_status and a message in error[size] (always ended; it may be NULL
 * where size is 0). Strings that are returned belong to the library and live as long as what they describe. A catalogue
 * holds the models and schemes that names mean; NULL stands for the built-in ones. python/delassus is an example.
 * GSL's own error handler ends the program; turn it off (gsl_set_error_handler_off): the library checks what GSL returns.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_FLAT_H
#define DELASSUS_FLAT_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number of this interface; it grows when a function below changes or is added. */
#define DLS_FLAT_VERSION 6

typedef struct dls_catalogue dls_catalogue;
typedef struct dls_trajectory dls_trajectory;
typedef struct dls_flat_check dls_flat_check;
typedef struct dls_flat_study dls_flat_study;
typedef struct dls_flat_system dls_flat_system;
typedef struct dls_flat_reference dls_flat_reference;
typedef struct dls_flat_lesson dls_flat_lesson;

int dls_flat_version(void);         /* that of the library in use */
const char *dls_flat_release(void); /* "0.2.0" */

int dls_flat_open(dls_catalogue **out, char *error, size_t size);
/** Add the entries of a plugin. */
int dls_flat_plugin(dls_catalogue *catalogue, const char *path, char *error, size_t size);
/** After everything that was made with it; NULL is fine. */
void dls_flat_close(dls_catalogue *catalogue);

/** Name and summary of the models ("model"), schemes ("scheme"), models with exact solution ("exact"), norms ("norm"), laws ("law") and
 * studies that ship ("study"). @return NULL behind the last, or if the kind is unknown */
const char *dls_flat_name(const dls_catalogue *catalogue, const char *kind, size_t index);
const char *dls_flat_summary(const dls_catalogue *catalogue, const char *kind, size_t index);

/**
 * What can be set by name: parameters of a "model", initial values among them, options of a "scheme" or a "norm", coefficients of a "law".
 * @param[out] texts   unit ("1" for a pure number, "" for a choice) and meaning; may be NULL
 * @param[out] values  default; least and largest, infinite without a bound; 0 for a real number, 1 for an integer, 2 for a choice, whose
 *                     values are positions among its words; ends that are not allowed: 0 none, 1 least, 2 largest, 3 both; may be NULL
 * @return its name; NULL behind the last, or if there is no such kind or entry
 */
const char *dls_flat_option(const dls_catalogue *catalogue, const char *kind, const char *entry, size_t index,
                            const char *texts[2], double values[5]);
/** The words of a choice. @return NULL behind the last, or if it is no choice */
const char *dls_flat_option_word(const dls_catalogue *catalogue, const char *kind, const char *entry,
                                 size_t index, size_t word);

/** A model with its settings, as below. @param[out] out  to be freed */
int dls_flat_system_create(const dls_catalogue *catalogue, const char *model, size_t count,
                           const char *const *settings, dls_flat_system **out, char *error, size_t size);
void dls_flat_system_free(dls_flat_system *system); /* NULL is fine */
/** sizes := degrees of freedom, contacts, rows of a contact (1 without friction), joint equations, scales of length [m] and time [s],
 * 1 if there is an exact solution. */
void dls_flat_system_sizes(const dls_flat_system *system, double sizes[7]);
/**
 * Coordinate q_index: its name and unit, and that of its velocity.
 * @param[out] initial  q and v at t = 0; may be NULL
 * @return 0, or a negative number if there is no such coordinate
 */
int dls_flat_system_coordinate(const dls_flat_system *system, size_t index, double initial[2], char *words,
                               size_t words_size, char *unit, size_t unit_size, char *rate, size_t rate_size);
/** Can a scheme, "moreau-jean:theta=1", treat the system? @return 0; else the reason is in error[size] */
int dls_flat_system_treats(const dls_flat_system *system, const char *scheme, char *error, size_t size);

/** Does a scheme need a time step? 0: it chooses its own; negative: there is no such scheme. */
int dls_flat_needs_step(const dls_catalogue *catalogue, const char *scheme);

/**
 * Simulate from t = 0 to end [s].
 * @param[in] model     with count settings "name=value" of its parameters, and "law=fremond:mu=0.3" for another law at its contacts
 * @param[in] scheme    "moreau-jean:theta=1"
 * @param[in] step      [s]; 0 for schemes that choose their own
 * @param[in] poll      may be NULL; called now and then with poll_data and the time reached; 0 stops the run
 * @param[out] out      NULL if the run could not start; else what it left, also after a failure, to be freed
 */
int dls_flat_run(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                 const char *scheme, double step, double end, int (*poll)(void *poll_data, double t),
                 void *poll_data, dls_trajectory **out, char *error, size_t size);

/**
 * The closed-form solution of a model: at time_count times [s] that increase (two rows where one is that of a jump), or
 * with time_count = 0 on [0, end], so dense that cubic interpolation errs by less than 1e-12.
 */
int dls_flat_exact(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                   double end, size_t time_count, const double *times, dls_trajectory **out, char *error,
                   size_t size);

void dls_flat_free(dls_trajectory *traj); /* NULL is fine */

/** Rows are nodes in the order of time, two with equal t are the limits of a jump; columns t, q0, .., v0, ... */
size_t dls_flat_rows(const dls_trajectory *traj);
const char *dls_flat_column_name(const dls_trajectory *traj, size_t index); /* NULL behind the last */
/** What a column holds, "velocity of angle", and its unit, "rad/s"; each empty where it is not known. @return as dls_flat_column */
int dls_flat_column_unit(const dls_trajectory *traj, size_t index, char *words, size_t words_size, char *unit,
                         size_t unit_size);
size_t dls_flat_columns(const dls_trajectory *traj);
/** All values, rows x columns, row by row; they belong to the trajectory. */
const double *dls_flat_values(const dls_trajectory *traj);
/** values[rows] := a column. @return 0, or a negative number if there is no such column */
int dls_flat_column(const dls_trajectory *traj, size_t index, double *values);
/**
 * A column between the rows, as its meaning says: linear, constant, or cubic.
 * @param[in]  side  < 0: at a jump the value before it; else after it
 * @param[in]  t     count times within the rows [s]
 * @param[out] values  count
 */
int dls_flat_column_at(const dls_trajectory *traj, size_t index, int side, size_t count, const double *t,
                       double *values, char *error, size_t size);
/** Write the file that `delassus run --out` writes, without its command. */
int dls_flat_write(const dls_trajectory *traj, const char *path, char *error, size_t size);
/** Did the run come to its end? If not, when and why it stopped. */
int dls_flat_complete(const dls_trajectory *traj);
const char *dls_flat_failure(const dls_trajectory *traj);
/** "key: value" lines: model, parameters, scheme, options, ...; NULL behind the last. */
const char *dls_flat_note(const dls_trajectory *traj, size_t index);
/** Warnings of what physics forbids: "KIND, t=T, contact=C, value=X"; NULL behind the last. */
const char *dls_flat_warning(const dls_trajectory *traj, size_t index);
/** Name of a work counter, NULL behind the last, its unit ("1" of a number, "s" of a time), and its value. */
const char *dls_flat_work_name(size_t index);
const char *dls_flat_work_unit(size_t index);
double dls_flat_work(const dls_trajectory *traj, size_t index);
/**
 * Events in the order of time: kind ("impact", "landing", "grazing", "lift-off", "accumulation").
 * @param[out] values  t, contact, u_minus, u_plus, impulse, time_end, bound; may be NULL
 * @return NULL behind the last
 */
const char *dls_flat_event(const dls_trajectory *traj, size_t index, double values[7]);
/**
 * What an event has along its tangents: slip before, slip after and impulse, then the works of the impulses along normal and tangents.
 * @param[out] values  3 d' + 2
 * @return d', the tangents of a contact: 1 or 2; 0 where there is no impulse, or the scheme does not compute these values
 */
int dls_flat_event_friction(const dls_trajectory *traj, size_t index, double values[8]);

/** All events in one array. */
size_t dls_flat_event_count(const dls_trajectory *traj);
/** Name and unit of a column of this array; NULL behind the last. */
const char *dls_flat_event_column(size_t index, const char **unit);
/** The name of a kind, which is a number in the first column; NULL behind the last. */
const char *dls_flat_event_kind(size_t index);
/** values := dls_flat_event_count x number of columns, row by row; not a number where there is no value. */
void dls_flat_events(const dls_trajectory *traj, double *values);
/**
 * The filled-in graph of a column as a polyline for a picture: rows t, value, at a jump one for each side.
 * @param[in]  of    a column, "v0"; "impulse0": what a contact has transmitted so far
 * @param[in]  most  about so many vertices are made, >= 6
 * @param[out] out   to be freed
 */
int dls_flat_graph(const dls_trajectory *traj, const char *of, size_t most, dls_trajectory **out, char *error,
                   size_t size);

/* --- a reference that is kept: distances of many runs from it, orders --- */

/**
 * The exact solution of a model on [0, end]; or, without one or where it is asked for, a run of the event-driven integrator at two tight
 * tolerances, which is checked by another integrator if the system may depend on time explicitly. It is computed once.
 * @param[in]  kind  0: the exact solution where there is one; 1: event-driven
 * @param[in]  of    of_count quantities by which the error of a computed reference is estimated; of_count = 0: "q" and "v", as `order`
 * @param[in]  poll  may be NULL; called now and then with poll_data and the fraction done; 0 interrupts
 * @param[out] out   to be freed
 * @return as dls_flat_study_run
 */
int dls_flat_reference_create(const dls_catalogue *catalogue, const char *model, size_t count,
                              const char *const *settings, double end, int kind, size_t of_count,
                              const char *const *of, int (*poll)(void *poll_data, double done), void *poll_data,
                              dls_flat_reference **out, char *error, size_t size);
void dls_flat_reference_free(dls_flat_reference *reference); /* NULL is fine */
/** Its rows and events; they belong to the reference. */
const dls_trajectory *dls_flat_reference_rows(const dls_flat_reference *reference);
/** "exact (...), sampled to 2e-13": what it is. */
const char *dls_flat_reference_text(const dls_flat_reference *reference);
/** Is it the exact solution? And its own error, in the metric of `order`. */
int dls_flat_reference_exact(const dls_flat_reference *reference);
double dls_flat_reference_error(const dls_flat_reference *reference);
/**
 * The error of a run, as in `order`, up to its last node.
 * @param[in]  run   of the same model
 * @param[in]  norm  "hausdorff", "lp:p=3", ...
 * @param[in]  of    "q", "v" (all components), a column, "impulse"
 * @param[out] values  the error, and a bound of |error - exact distance of the two graphs|
 */
int dls_flat_distance(dls_flat_reference *reference, const dls_trajectory *run, const char *norm,
                      const char *of, double values[2], char *error, size_t size);
/** The unit of such an error, "max(s, m/s)"; "" where the norm has none. @param[out] unit  60 characters suffice */
int dls_flat_distance_unit(dls_flat_reference *reference, const char *norm, const char *of, char *unit,
                           size_t unit_size, char *error, size_t size);

/** Fitted lines of a scheme: the places of `values` below. */
enum {
  DLS_FLAT_LINE_FITTED, /* 1; 0: no power law, or a scheme that chooses its own steps: the words say why */
  DLS_FLAT_LINE_ORDER,  /* q of error = C x^q by least squares, and its 95 % interval */
  DLS_FLAT_LINE_LOW,
  DLS_FLAT_LINE_HIGH,
  DLS_FLAT_LINE_CONSTANT, /* C, of x in s or in the unit of the work */
  DLS_FLAT_LINE_X_MIN,    /* range of the points used */
  DLS_FLAT_LINE_X_MAX,
  DLS_FLAT_LINE_POINTS, /* number of these */
  DLS_FLAT_LINE_MEDIAN, /* q through the medians of the levels, and its 95 % interval */
  DLS_FLAT_LINE_MEDIAN_LOW,
  DLS_FLAT_LINE_MEDIAN_HIGH,
  DLS_FLAT_LINE_PUBLISHED, /* order of the scheme as published for this model and such errors */
  DLS_FLAT_LINE_DECIMALS,  /* with which `order` prints the order and its interval */
  DLS_FLAT_LINE_VALUES
};
/** Runs of one scheme. */
typedef struct dls_flat_points {
  size_t count;
  const double *x;      /* count: steps [s], or the work of the runs; > 0 */
  const double *errors; /* count, as dls_flat_distance measures them; not a number: the run failed */
  const size_t *level;  /* count: runs with the same number belong together; NULL: each is a level of its own */
  const char *against;  /* "step" (or NULL); "steps", "problems", "evals", "seconds" */
} dls_flat_points;
/**
 * Fit error = C x^q as `order` does, against the work as `work` does.
 * @param[out] values  DLS_FLAT_LINE_VALUES, not a number where there is no value
 * @param[out] words   what `order` remarks behind the line, "consistent with 1; not asymptotic"; 300 characters suffice
 */
int dls_flat_line(dls_flat_reference *reference, const char *scheme, const char *norm, const char *of,
                  const dls_flat_points *points, double values[DLS_FLAT_LINE_VALUES], char *words,
                  size_t words_size, char *error, size_t size);

enum { DLS_FLAT_NAME_ROOM = 64 };
/** A matrix or a vector (n x 1) by its entries, in any order, each place once. */
typedef struct dls_flat_matrix {
  const char *name; /* as of the files of matrix-model: "M", "K", "HT", "w", ... */
  size_t rows, columns, count;
  const size_t *row_of, *column_of; /* count, from 0 */
  const double *values;             /* count, finite */
} dls_flat_matrix;

/** Add the linear system that matrix-model makes of such files, without files, under a name of its own. */
int dls_flat_matrices(dls_catalogue *catalogue, const char *name, size_t count, const dls_flat_matrix *matrices,
                      char *error, size_t size);
/**
 * The same from a text: for each matrix a line with its name, then the lines of a Matrix Market file.
 * @param[in]  text   length bytes, need not end with NUL
 * @param[out] place  line and column of the first thing that is wrong, from 1; 0, 0 if it has no place; may be NULL
 */
int dls_flat_matrices_text(dls_catalogue *catalogue, const char *name, const char *text, size_t length,
                           size_t place[2], char *error, size_t size);

/**
 * Add the model of a mechanism described in YAML (docs/reference/mechanisms.md) under a name of its own. A catalogue keeps what it has: open
 * one for each text that is tried.
 * @param[in]  text   length bytes, need not end with NUL
 * @param[out] place  line and column of the first thing that is wrong, from 1; 0, 0 if there is none; may be NULL
 */
int dls_flat_mechanism(dls_catalogue *catalogue, const char *name, const char *text, size_t length,
                       size_t place[2], char *error, size_t size);

/* Models and schemes of functions of another language: slow, for teaching. Arrays are dense, matrices row by row. */

/** Write what a callback of delassus/model.h writes; not a number is a failure, which ends the run. */
typedef void dls_flat_function(void *data, double t, const double *q, const double *v, double *out);
typedef struct dls_flat_functions {
  size_t n, m;                             /* degrees of freedom, contacts; without friction */
  const double *q0, *v0;                   /* n */
  const double *M, *H;                     /* n x n, n x m where they are constant; else NULL */
  void *data;                              /* given to the functions */
  dls_flat_function *mass, *gradient;      /* n x n, n x m, of q alone, in the place of M and H; else NULL */
  dls_flat_function *force;                /* n */
  dls_flat_function *stiffness, *damping;  /* n x n: -dF/dq, -dF/dv */
  dls_flat_function *gap;                  /* m */
  dls_flat_function *gap_rate, *curvature; /* m; NULL: 0 */
} dls_flat_functions;

/** Add a model; its restitution coefficient `e`, `length` and `time` are parameters. The functions and their data must outlive the
 * catalogue; arrays are copied. */
int dls_flat_add_functions(dls_catalogue *catalogue, const char *name, const dls_flat_functions *functions,
                           char *error, size_t size);

/** The system, as a step sees it. */
typedef struct dls_flat_configuration dls_flat_configuration;
/** A step of length h from t: q and v at t in, at t + h out. @return 0; else a message is in error[size] and the run ends */
typedef int dls_flat_step(void *data, dls_flat_configuration *config, double t, double h, double *q, double *v,
                          char *error, size_t size);
/** Add a scheme that runs by step. */
int dls_flat_add_step(dls_catalogue *catalogue, const char *name, dls_flat_step *step, void *data, char *error,
                      size_t size);
/** Degrees of freedom, or contacts. */
size_t dls_flat_configuration_size(const dls_flat_configuration *config, int contacts);
/** a := M(q)^-1 F(t, q, v). */
int dls_flat_configuration_acceleration(dls_flat_configuration *config, double t, const double *q,
                                        const double *v, double *a, char *error, size_t size);
/** g[m] := gaps. */
void dls_flat_configuration_gap(const dls_flat_configuration *config, double t, const double *q, double *g);
/**
 * The law of impact of every closed contact, all at once: velocities v_minus before, v_free without impulses, v_after with them.
 * Impulses are added to those of the step.
 * @param[in] closed  m; not 0: the contact takes part
 */
int dls_flat_configuration_impact(dls_flat_configuration *config, double t, const double *q,
                                  const double *v_minus, const double *v_free, const int *closed,
                                  double *v_after, char *error, size_t size);

/**
 * Compare the callbacks of a model with difference quotients at random states, as `delassus check-model` does.
 * @param[out] out  to be freed, on failure too
 */
int dls_flat_check_model(const dls_catalogue *catalogue, const char *model, size_t count,
                         const char *const *settings, size_t states, unsigned long seed, dls_flat_check **out,
                         char *error, size_t size);
/**
 * One callback.
 * @param[out] meaning  what it is the derivative of
 * @param[out] values   agrees (1, 0), not given by the model (1, 0), largest difference, largest value, there: value, quotient, row,
 *                      column, time
 * @return its name; NULL behind the last
 */
const char *dls_flat_check_row(const dls_flat_check *check, size_t index, const char **meaning,
                               double values[9]);
void dls_flat_check_free(dls_flat_check *check); /* NULL is fine */

/** What a study is made of (delassus/study.h says more of each). */
typedef struct dls_flat_study_spec {
  double end;             /* [s] */
  double h_first, h_last; /* mean steps, levels of them in geometric sequence [s] */
  size_t levels;
  double tol_first,
      tol_last; /* tolerances of the schemes that choose their own steps; tol_levels = 0: they run once */
  size_t tol_levels;
  size_t repeats, timings, jobs;
  unsigned long seed;
  int reference; /* 0: the exact solution where there is one; 1: event-driven; 2: as 0, and the limit model of each scheme,
                    which dls_flat_judge refuses */
  int check_reference; /* not 0: compare a computed reference with a run of another integrator; always done for systems that may
                          depend on time explicitly */
  size_t scheme_count, norm_count, of_count;
  const char *const *schemes, *const *norms, *const *of;
  int (*poll)(void *poll_data, double done); /* may be NULL; 0 interrupts; it may be called from any thread */
  void *poll_data;
} dls_flat_study_spec;

/**
 * Errors, orders and work of schemes. @param[out] out  to be freed, on failure too; it has texts if 0 was returned
 * @return DLS_ERR_NOCONV, among others, with "the reference is not certain: ..." if the check of the reference fails
 */
int dls_flat_study_run(const dls_catalogue *catalogue, const char *model, size_t count,
                       const char *const *settings, const dls_flat_study_spec *spec, dls_flat_study **out,
                       char *error, size_t size);

/** Trajectories of other programs as CSV files, one for each step. They must stay until the study is freed. */
typedef struct dls_flat_files {
  size_t count;
  const char *const *paths;
  const double *steps;      /* count [s]; 0: what the file or its name says */
  const size_t *program_of; /* count; below program_count */
  size_t program_count;
  const char *const *programs; /* their names */
  const char *between;         /* "linear", "constant"; NULL: the files say it */
} dls_flat_files;

/** Measure them as `delassus judge` does. Of the spec end (0: as far as the files reach), norms, of, the reference and its check count. */
int dls_flat_judge(const dls_catalogue *catalogue, const char *model, size_t count, const char *const *settings,
                   const dls_flat_study_spec *spec, const dls_flat_files *files, dls_flat_study **out,
                   char *error, size_t size);

/**
 * A text of a study.
 * @param[in]  what  "errors", "orders", "quality" (CSV), "report", "table" (for people); "contacts" (CSV) of judged files;
 *                   "curves" (CSV: medians, fitted lines and bands); with X = steps, problems, evals or seconds "work:X",
 *                   "slopes:X", "curves:X" (CSV), "costs:X" (for people)
 * @param[out] text  to be freed by dls_flat_text_free
 */
int dls_flat_study_text(const dls_flat_study *study, const char *what, char **text, char *error, size_t size);
int dls_flat_study_complete(const dls_flat_study *study); /* 0: interrupted */
void dls_flat_text_free(char *text);                      /* NULL is fine */
void dls_flat_study_free(dls_flat_study *study);          /* NULL is fine */

/**
 * The command line of the tool for a request, "delassus order bouncing-ball --scheme moreau-jean ...", read by the reader of the tool. A
 * mechanism that was made of a text is that of a file NAME.yaml, a matrix M of a text that of a file M.mtx.
 * @param[in]  command          "run", "compare", "order", "work" or "energy"
 * @param[in]  options, values  count; options without their dashes, "set", "scheme", "steps", "norm", "of", "end", some more than once; the
 *                              value of a switch is ""
 * @param[out] text             to be freed by dls_flat_text_free
 */
int dls_flat_command(const dls_catalogue *catalogue, const char *command, const char *model, size_t count,
                     const char *const *options, const char *const *values, char **text, char *error,
                     size_t size);

/* --- study files (docs/reference/study-files.md) from a text; no files are written, no programs started --- */

typedef struct dls_flat_file dls_flat_file;
/**
 * @param[in]  text  length bytes, need not end with NUL
 * @param[out] out   to be freed; with DLS_ERR_PARSE it is there for its problems, of which the first is in error[size]
 */
int dls_flat_file_read(const dls_catalogue *catalogue, const char *text, size_t length, dls_flat_file **out,
                       char *error, size_t size);
void dls_flat_file_free(dls_flat_file *file); /* NULL is fine */
/** What is wrong, in the order of the text. @param[out] place  line and column, from 1 @return NULL behind the last */
const char *dls_flat_file_problem(const dls_flat_file *file, size_t index, size_t place[2]);
/**
 * A study of the file.
 * @param[out] texts  its name, "" if it is the only one; title, model and caption; may be NULL
 * @return its kind, "run", "order", ...; NULL behind the last, or if there are problems
 */
const char *dls_flat_file_study(const dls_flat_file *file, size_t index, const char *texts[4]);
/**
 * Perform a study; its tables and verdicts replace those of an earlier call. If the run of a scheme fails, the others are there. Only the
 * tool performs studies with other programs.
 * @param[in] poll  may be NULL; called now and then with poll_data and the fraction done, from any thread; 0 interrupts
 */
int dls_flat_file_run(dls_flat_file *file, size_t index, int (*poll)(void *poll_data, double done),
                      void *poll_data, char *error, size_t size);
/** A table of a study that was performed, as the tool writes it. @return its name, "orders.csv"; NULL behind the last */
const char *dls_flat_file_table(const dls_flat_file *file, size_t index, size_t number, const char **text);
/**
 * What became of an expectation.
 * @param[out] values  value, not a number if there is none; least and largest that are expected; 1 if it agrees; may be NULL
 * @param[out] why     there is no value; else ""; may be NULL
 * @return the expectation in words; NULL behind the last
 */
const char *dls_flat_file_verdict(const dls_flat_file *file, size_t index, size_t number, double values[4],
                                  const char **why);

/* --- lessons (docs/reference/lessons.md) at any values of their sliders --- */

/** @param[in] name  "moreau-jean" @param[out] out  to be freed */
int dls_flat_lesson_create(const char *name, dls_flat_lesson **out, char *error, size_t size);
void dls_flat_lesson_free(dls_flat_lesson *lesson); /* NULL is fine */
/**
 * A run, by the code that makes the tables of the lesson's page. The reference is kept until a value changes that it depends on.
 * @param[in]  values  count: of the sliders as on a command line, in the order of `sliders` in the page's data, the step among them last
 * @param[out] text    one element of `motions` in the page's data, with this run alone: {"reference": what it is, "nodes": its curves,
 *                     "runs": [[errors, curves, why it failed]]}; errors have 17 digits; to be freed by dls_flat_text_free
 * @return 0 for a run that failed, too; DLS_ERR_ARG, DLS_ERR_OPTION for a value that is refused; the status of a failed reference
 */
int dls_flat_lesson_run(dls_flat_lesson *lesson, size_t count, const char *const *values, char **text,
                        char *error, size_t size);

/**
 * The energy ledger of a run (delassus/energy.h).
 * @param[out] rows   a row for t = 0 and each step, to be freed; what there is, also after a failure
 * @param[out] table  for people, to be freed by dls_flat_text_free
 */
int dls_flat_energy(const dls_catalogue *catalogue, const char *model, size_t count,
                    const char *const *settings, const char *scheme, double step, double end,
                    int (*poll)(void *poll_data, double t), void *poll_data, dls_trajectory **rows,
                    char **table, char *error, size_t size);

/** What is differentiated. */
typedef struct dls_flat_gradient_spec {
  double step, at; /* [s]; step 0 for schemes that choose their own */
  size_t of_count, by_count;
  const char *const *of; /* "q0", "v1", ..., "energy"; "t:K": the time of the K-th event */
  int integral;          /* not 0: the integrals of the quantities from 0 to `at`, not their values there */
  const char *const *by; /* parameters of the model */
  const char *method;    /* "forward" (or NULL), "adjoint", "difference:delta=D" */
  const char *tangent;   /* of schemes by step: "saltation" (or NULL), "plain", "difference:delta=D" */
  int (*poll)(void *poll_data, double done); /* may be NULL; 0 interrupts */
  void *poll_data;
} dls_flat_gradient_spec;

/**
 * Derivatives of states or the energy at a time with respect to parameters, as `delassus gradient`.
 * @param[out] values    of_count: the quantities; not a number for integrals
 * @param[out] gradient  of_count x by_count, row by row; not a number where a derivative does not exist
 * @param[out] statuses  by_count: "ok", "one-sided", ...; "" with differences
 * @param[out] messages  lines that limit a derivative, to be freed by dls_flat_text_free
 */
int dls_flat_gradient(const dls_catalogue *catalogue, const char *model, size_t count,
                      const char *const *settings, const char *scheme, const dls_flat_gradient_spec *spec,
                      double *values, double *gradient, const char **statuses, char **messages, char *error,
                      size_t size);

/** A fit: data, what is fitted, and how, as in `delassus fit`. Settings of the model are the start values. */
typedef struct dls_flat_fit_spec {
  double step; /* [s]; 0 for schemes that choose their own */
  size_t rows, of_count, by_count;
  const double *t, *values; /* rows, increasing [s]; rows x of_count, row by row */
  const char *const *of, *const *by;
  const double *low, *high; /* by_count: ranges, may be infinite; NULL: those of the model */
  const double *sigma;      /* of_count: standard deviations of the noise; NULL: estimated */
  double level, tol;        /* 0.95, 1e-4 */
  size_t iterations, starts;
  double relative; /* > 0: derivatives by differences with this part of each parameter; 0: along each run */
  int (*poll)(void *poll_data, double t); /* may be NULL; 0 interrupts */
  void *poll_data;
} dls_flat_fit_spec;

typedef struct dls_flat_fit dls_flat_fit;
/** Fit. @param[out] out  to be freed, on failure too */
int dls_flat_fit_run(const dls_catalogue *catalogue, const char *model, size_t count,
                     const char *const *settings, const char *scheme, const dls_flat_fit_spec *spec,
                     dls_flat_fit **out, char *error, size_t size);
/**
 * Numbers of a fit.
 * @param[in]  what    "value", "low", "high", "error" (by_count), "covariance" (by_count x by_count), "sigma", "rms" (of_count),
 *                     "fitted" (rows x of_count), "summary" (converged, iterations, runs, degrees of freedom, quantile)
 * @param[out] values  `room` numbers at most
 * @return how many there are; negative if `what` is unknown
 */
long dls_flat_fit_numbers(const dls_flat_fit *fit, const char *what, size_t room, double *values);
/** Status of the derivatives with respect to parameter `index`; NULL behind the last. */
const char *dls_flat_fit_status(const dls_flat_fit *fit, size_t index);
/** What a reader of the intervals must know; NULL behind the last. */
const char *dls_flat_fit_message(const dls_flat_fit *fit, size_t index);
/** The fitted motion at increasing times, and half the width of its confidence band. @param[out] values, half  rows x of_count */
int dls_flat_fit_curve(const dls_flat_fit *fit, size_t rows, const double *t, double *values, double *half,
                       char *error, size_t size);
void dls_flat_fit_free(dls_flat_fit *fit); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
