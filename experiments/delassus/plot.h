/* delassus/plot.h -- pictures by gnuplot: an editable script with its data inline, and what it draws.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_PLOT_H
#define DELASSUS_PLOT_H

#include <delassus/error.h>
#include <delassus/study.h>
#include <delassus/trajectory.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Where pictures go: FILE.png, FILE.svg, FILE.pdf (the script FILE.gp is kept beside it), FILE.tex (by pgfplots), or "-" for the
 * terminal, in characters on stdout without gnuplot.
 * @return DLS_ERR_ARG for another ending; DLS_ERR_IO if gnuplot is absent, fails or takes longer than a minute
 */
dls_status dls_plot_check(const char *path, dls_error *err);

/** Gap (or position) and velocity with its filled-in graph over time; reference (may be NULL) drawn behind. */
dls_status dls_plot_trajectory(const dls_trajectory *traj, const dls_trajectory *reference, const char *path,
                               dls_error *err);
/** The same quantities of several runs, for one picture. Everything is borrowed. */
typedef struct dls_comparison {
  const char *title, *scheme; /* title: the model; scheme: of the only run, or NULL */
  double step;                /* [s]; 0: none in the title */
  size_t count;               /* runs, >= 1 */
  const dls_trajectory *const *runs;
  const char *const *labels;       /* count */
  const dls_trajectory *reference; /* drawn behind in grey, or NULL */
  size_t column_count;             /* panels, >= 1 */
  const char *const *columns;      /* names such as q0, v0 */
  const char *over;                /* column that is drawn along x: phase portraits and paths; NULL: time */
  bool from_zero;                  /* axes over time cover 0, and reach on both sides of it */
  double reach;
} dls_comparison;
/** A panel for each column with the curves of all runs. @return DLS_ERR_ARG if a run has no such column */
dls_status dls_plot_comparison(const dls_comparison *plot, const char *path, dls_error *err);

/**
 * The mesh of a model in finite elements at nine instants at most, with the impulses of that at which they were largest; a mesh of
 * one dimension: the first value of its cells over time and place.
 * @param[in] traj  of a run of the system, with all columns
 * @return DLS_ERR_ARG if the model has no mesh
 */
dls_status dls_plot_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const char *path, dls_error *err);
/** errors against step for one norm and one quantity of a study: points, fitted lines, slope triangle. */
dls_status dls_plot_order(const dls_order_study *study, size_t norm, size_t of, const char *path,
                          dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
