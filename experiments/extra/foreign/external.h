/* experiments/extra/foreign/external.h -- an external program used like a scheme: it is started for every run, and its
 * table is the trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_EXTERNAL_H
#define DELASSUS_EXPERIMENTS_EXTERNAL_H

#include "experiments/extra/foreign/foreign_file.h"

#include <delassus/model.h>
#include <delassus/scheme.h>

/** Default time limit of a run [s]. */
#define DLS_EXTERNAL_SECONDS 600.0

typedef struct dls_external dls_external;

typedef struct dls_external_spec {
  const char *text; /* "NAME=COMMAND" */
  size_t map_count; /* columns: "q0=x", ... */
  const char *const *map;
  bool between_given; /* `between` gives the interpolation of the rows */
  dls_meaning between;
  double seconds;  /* time limit of a run, > 0 */
  const char *log; /* file to which messages of programs are appended; NULL: none */
} dls_external_spec;

/** Data of a run. */
typedef struct dls_external_case {
  const dls_model *model;
  const double *parameters;           /* NULL: default values */
  double step, end;                   /* s */
  bool (*poll)(void *data, double t); /* as in dls_run_spec, with t = 0; NULL: never */
  void *poll_data;
} dls_external_case;

/**
 * @return DLS_OK; DLS_ERR_PARSE if the text is not NAME=COMMAND, or the command is empty; DLS_ERR_MEMORY
 */
dls_status dls_external_create(const dls_external_spec *spec, dls_external **out, dls_error *err);
void dls_external_destroy(dls_external *external); /* NULL is fine */
/** Folder for messages of its runs, instead of the folder of the spec. @return DLS_ERR_MEMORY */
dls_status dls_external_log_to(dls_external *external, const char *path, dls_error *err);
/** The catalogue entry that represents it; as a sim it refuses to start. */
const dls_scheme *dls_external_scheme(const dls_external *external);
/** The external program of an entry; NULL for a scheme. */
const dls_external *dls_external_of(const dls_scheme *scheme);
/**
 * Check before a study that all names of values are known and the program exists.
 * @return DLS_OK; DLS_ERR_OPTION, DLS_ERR_PARSE as dls_command_fill; DLS_ERR_ARG if the program is missing; DLS_ERR_MEMORY
 */
dls_status dls_external_check(const dls_external *external, const dls_model *model, dls_error *err);
/** Report the inputs of a run as keys and values: external (NAME=COMMAND), external_files (the files in the command,
 * with hashes of their contents), and, if given, map, between, external_limit. */
void dls_external_describe(const dls_external *external,
                           void (*take)(void *data, const char *key, const char *value), void *data);

/**
 * Start the program and read its table. @param[out] traj     the caller's; NULL if there is none @param[out] seconds  wall
 * time of the program
 * @return DLS_OK; DLS_ERR_INTEGRATOR if the program failed, was stopped at its limit, or ended before the time `end`: the
 * message has its last line of output; DLS_ERR_INTERRUPTED; DLS_ERR_IO; as dls_foreign_read; DLS_ERR_MEMORY
 */
dls_status dls_external_run(const dls_external *external, const dls_external_case *run, dls_trajectory **traj,
                            double *seconds, dls_error *err);
/** The same without reading the table, for timing. */
dls_status dls_external_time(const dls_external *external, const dls_external_case *run, double *seconds,
                             dls_error *err);

#endif
