/* experiments/api/flat_internal.h -- what the files of the flat interface share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FLAT_INTERNAL_H
#define DELASSUS_EXPERIMENTS_FLAT_INTERNAL_H

#include <delassus/catalogue.h>
#include <delassus/error.h>
#include <delassus/graph.h>
#include <delassus/trajectory.h>

/* The file of `multibody`, in the origin of mechanisms that are made of a text; other models of a text are those of matrix-model. */
#define DLS_FLAT_MECHANISM "mechanism"

/* status, and its message where the caller wants it. */
int dls_flat_report(dls_status status, const dls_error *err, char *error, size_t size);

/* A model by name with its settings, "law=..." among them; to be released, on failure too. */
dls_status dls_flat_choose(const dls_catalogue *catalogue, const char *name, size_t count,
                           const char *const *settings, dls_model_choice *out, dls_error *err);

/* Has a model that is added a name, and is this short enough? */
dls_status dls_flat_check_name(const char *name, dls_error *err);
/* Add a model under a name of its own. The catalogue owns it from here on; on failure it is released. */
dls_status dls_flat_add_model(dls_catalogue *catalogue, const char *name, dls_model *model, dls_error *err);

/* A norm with its option; *out must stay where it is. */
dls_status dls_flat_choose_norm(const char *text, dls_norm_choice *out, dls_error *err);

/* Does the scheme need a step, and only then has it one? */
dls_status dls_flat_check_step(const dls_scheme *scheme, double step, dls_error *err);

/* Model, scheme and step, noted in what a run left. */
dls_status dls_flat_note_choices(const dls_scheme_choice *choice, const dls_model_choice *model, double step,
                                 dls_trajectory *traj, dls_error *err);

#endif
