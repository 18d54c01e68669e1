/* delassus/study.h -- the convergence study: errors against the true solution, orders, work.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_H
#define DELASSUS_STUDY_H

#include <delassus/choice.h>
#include <delassus/error.h>
#include <delassus/fit.h>
#include <delassus/graph.h>
#include <delassus/model.h>
#include <delassus/quality.h>
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What errors are measured against. */
typedef enum dls_reference_kind {
  DLS_REFERENCE_EXACT,        /* the exact solution; event-driven where the model has none */
  DLS_REFERENCE_EVENT_DRIVEN, /* the event-driven integrator at two tight tolerances: of a model that is discrete in
                                 space the error in time alone */
  DLS_REFERENCE_LIMIT         /* as exact, and beside it the limit model of each scheme: delassus/limit.h */
} dls_reference_kind;

/** One run measured in one norm on one quantity. */
typedef struct dls_order_point {
  size_t scheme, level, repeat, norm, of; /* level = repeat = 0 for what runs once */
  double step;                            /* NaN for schemes that choose their own */
  double tol;                             /* NaN where no tolerance is set */
  dls_measure error;                      /* value NaN if the run failed or the norm does not apply */
  double value, exact; /* of a derivative dX/dP: at the last node, of the run and of the reference; else NaN */
  dls_measure limit_error; /* DLS_REFERENCE_LIMIT: against the limit model of the scheme; else NaN */
  /* wall_seconds is NaN if the run was not timed alone and others went beside it in other threads, or if its timings are still to come; of runs
   * that one thread made side by side (dls_run_many) it is the share by steps of what all took.
   * All else does not depend on the number of jobs, to the last bit. */
  dls_work work;
  dls_quality quality; /* of the run, as far as it came */
  char reason[200];    /* why it failed, or empty */
} dls_order_point;

typedef struct dls_order_spec {
  const dls_model *model;
  const struct dls_catalogue
      *catalogue; /* has the exact solution of the model, if there is one; NULL: built-in */
  const double *parameters;
  dls_reference_kind reference;
  bool
      check_reference; /* compare it with a run of another engine; always done for a run of a system that may depend on t explicitly */
  dls_start start; /* of every run, also of an event-driven reference */
  double end;
  size_t scheme_count;
  const dls_scheme_choice *schemes;
  double h_first, h_last; /* geometric sequence of mean steps, both in (0, end], different */
  size_t levels;          /* >= 2; 1 if both steps are the same: nothing is fitted */
  /* Schemes that choose their own steps run once, or with tol_levels > 0 (then >= 2) at a geometric sequence of
   * mean values of their option "tol"; if all schemes are such, levels may be 0. */
  size_t tol_levels;
  double tol_first, tol_last; /* in the range of the option, different */
  /* > 0: wall_seconds is the median of so many runs without record, after one that warms up. They are made when all runs
   * have been measured, one at a time */
  size_t timings;
  size_t repeats; /* >= 1; runs with randomised steps per level; 1: the steps as they are */
  unsigned long seed;
  size_t norm_count;
  const dls_norm *const *norms;
  size_t of_count;
  const char *const
      *of; /* "q", "v" (all components), a column such as "q0", or its derivative by a parameter, "dq0/de" */
  dls_tangent_method tangent; /* of derivatives, for schemes that do not locate events */
  dls_metric metric;
  size_t jobs; /* runs that go at a time, each in a thread of its own; 0 as 1. See wall_seconds below */
  /* shards > 0: only the runs of part shard = 1..shards of the study are made, those that take longest first. All parts
   * together are the study, to the last bit; a run of one of several has no wall_seconds unless it is timed. */
  size_t shard, shards;
  size_t merged; /* files that the runs which are recalled were merged from; 0: none were */
  /** Fraction done; false interrupts. It may be called from any thread, never by two at a time. */
  bool (*poll)(void *data, double done);
  void *poll_data;
  /** Whether a run was kept from an earlier time; if so it is not made again. Both may be NULL.
   * @param[in,out] points  norm_count x of_count of one run, with the places that they have in the study; filled in are
   *                        step and tol (which must be those of the study), error, work, quality and reason */
  bool (*recall)(void *data, dls_order_point *points);
  /** A run that is finished, failed ones too, as soon as it is, and again when its wall_seconds have been taken. It may
   * be called from any thread, never by two at a time, nor while poll is. A failure ends the study and is its status. */
  dls_status (*keep)(void *data, const dls_order_point *points, dls_error *err);
  void *keep_data;
} dls_order_spec;

/** What errors are compared against: the step, or a measure of work in which rejected attempts count. */
typedef enum dls_against {
  DLS_AGAINST_STEP,
  DLS_AGAINST_STEPS,    /* steps, rejected ones too */
  DLS_AGAINST_PROBLEMS, /* one-step problems */
  DLS_AGAINST_EVALS,    /* force evaluations + LCP solves + factorizations */
  DLS_AGAINST_SECONDS
} dls_against;

typedef struct dls_order_line {
  size_t scheme, norm, of;
  bool fitted; /* false: by-event scheme (floor line), too few points, or no power law */
  dls_fit fit;
  dls_median_fit
      medians; /* against the step, where fit is; NaN where the line is not fitted, intervals also with fewer than 3 runs a level */
  size_t exploded;      /* runs with an error of more than ten times the solution, left out */
  double exploded_from; /* the least step, or work, of them */
  char reason[120]; /* why nothing is fitted, such as "at its floor: error 5e-13 at every step"; else empty */
  double
      published; /* order of the scheme over impacts as published for this model; NaN: none, or not of such errors */
  char agreement
      [60]; /* of the fit with it: "consistent with 1", "above 1", "below 1", "not decided"; or empty */
  double
      plateau; /* of a limit study: distance of the limit model from the reference of the runs; NaN where it is not known */
  char limit[240];   /* what the limit model is; else empty */
  double sign_share; /* of a derivative: fraction of the finest runs with the right sign; else NaN */
  char verdict[80];  /* of a derivative: what it converges to; else empty */
} dls_order_line;

typedef struct dls_order_study {
  dls_order_spec spec;    /* with copies of what it points to where needed */
  char reference[200];    /* "exact" or how the reference was computed, with its own error */
  double reference_error; /* in the metric of the study */
  char (*units)[24];      /* of_count: of the quantities, "rad/s"; "mixed" if components differ */
  double *floors;         /* of_count; errors up to these say nothing about a scheme; NULL if there is no run */
  double *
      sizes; /* norms x quantities: of the reference, its distance from 0; infinite where there is none; NULL as floors */
  dls_order_point *points;
  size_t point_count;
  dls_order_line *lines;
  size_t line_count;
  size_t
      out_of_memory; /* runs for which there was no memory: they are not there, and may be made another time */
  bool impacts;      /* the reference has some */
  bool complete;     /* false: interrupted, or runs starved; what was finished is there */
  struct dls_order_study *
      limit; /* DLS_REFERENCE_LIMIT: the same runs with errors against the limit model of their scheme, and lines in the
                                    same order; else NULL */
} dls_order_study;

/**
 * Run every scheme at every step and measure each run on [0, last node] against the reference of the spec. A run that fails is kept with its
 * reason, but for one that finds no memory: whether it does is not a property of the scheme.
 * @param[in] spec  copied; the model, the schemes and the norms behind its pointers must outlive the study
 * @return DLS_OK, also when poll interrupted (then complete is false); DLS_ERR_ARG if the spec is wrong (the
 * message names the entry, its value and what is allowed) or recalled runs have other steps; DLS_ERR_MEMORY; what the
 * reference or keep fails with
 */
dls_status dls_order_run(const dls_order_spec *spec, dls_order_study **out, dls_error *err);
void dls_order_destroy(dls_order_study *study); /* NULL is fine */

/** errors.csv and orders.csv as in the file contract. @return DLS_ERR_IO if the stream has an error */
dls_status dls_order_write_errors(const dls_order_study *study, FILE *out);
dls_status dls_order_write_orders(const dls_order_study *study, FILE *out);
/** quality.csv: how each run treated its contacts. @return as above */
dls_status dls_order_write_quality(const dls_order_study *study, FILE *out);
/** derivatives.csv: derivatives over the phase of the grid, a row for each level. @return as above */
dls_status dls_order_write_derivatives(const dls_order_study *study, FILE *out);
/** study.txt: "key: value" lines of provenance, then failed runs with their reasons, then warnings. */
dls_status dls_order_write_report(const dls_order_study *study, FILE *out);
/** For people: medians per level with pairwise orders, fitted orders, warnings, failures. */
dls_status dls_order_write_table(const dls_order_study *study, FILE *out);
/** Its parts, for a summary between them: model and reference; a block for each line with its levels; limit models, warnings and
 * failures of all lines, and contact figures. @return as above */
dls_status dls_order_write_heading(const dls_order_study *study, FILE *out);
dls_status dls_order_write_levels(const dls_order_study *study, FILE *out);
dls_status dls_order_write_notes(const dls_order_study *study, FILE *out);

#ifdef __cplusplus
}
#endif

#endif
