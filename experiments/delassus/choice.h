/* delassus/choice.h -- a scheme with its options, a model with its parameters, read from text.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CHOICE_H
#define DELASSUS_CHOICE_H

#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/scheme.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A scheme with options, as written on the command line: "moreau-jean:theta=1,gamma=0.5". */
typedef struct dls_scheme_choice {
  const dls_scheme *scheme;
  char options[200]; /* "theta=1,gamma=0.5", may be empty */
} dls_scheme_choice;
/**
 * Read a choice; the options are checked too.
 * @return DLS_OK; DLS_ERR_OPTION for an unknown scheme or option, a value out of range, an option given twice;
 *         DLS_ERR_PARSE for what is no "name=value"; DLS_ERR_ARG if the options exceed the room for them
 */
dls_status dls_scheme_choose(const char *text, dls_scheme_choice *out, dls_error *err);
/** A sim for the choice, options set. @return as dls_sim_create and dls_sim_set */
dls_status dls_scheme_choice_sim(const dls_scheme_choice *choice, const dls_system *sys, dls_sim **out,
                                 dls_error *err);

/** Note "choice: moreau-jean:theta=1" in a trajectory: the scheme with the options that were given. @return
 * DLS_ERR_MEMORY */
dls_status dls_scheme_choice_note(const dls_scheme_choice *choice, dls_trajectory *traj, dls_error *err);

/** A model with the values of its parameters; one that reads files has read them. */
typedef struct dls_model_choice {
  const dls_model *model; /* the entry of the catalogue, or loaded */
  double *parameters;
  dls_model *loaded; /* what dls_model_load made of the entry, or dls_law_choose; else NULL */
  char law[200];     /* "fremond:mu=0.3"; empty: the laws of the model */
} dls_model_choice;
/**
 * Read settings "name=value" of parameters and "name=path" of files; the last one of a name counts.
 * @param[in] what  where the settings come from, for messages: "--set for" gives "--set for model wedge: ..."
 * @param[out] out  to be released; on failure there is nothing to release
 * @return DLS_OK; DLS_ERR_OPTION if a name is unknown or a value not allowed; DLS_ERR_MEMORY; else as
 *         dls_model_load
 */
dls_status dls_model_choose(const char *what, const dls_model *model, size_t count, const char *const *settings,
                            dls_model_choice *out, dls_error *err);
/**
 * Another law at all contacts of a chosen model: without friction it takes mu = 0. Where the motion is then another one
 * than the model's, so is the name of choice->model, so that no exact solution is compared with it.
 * @param[in] values  "mu=0.3,e=0.5": coefficients in place of the model's; NULL: none
 * @return DLS_OK; DLS_ERR_OPTION for an unknown coefficient or a value out of range; DLS_ERR_MEMORY; as dls_model_create.
 *         The choice is to be released in any case
 */
dls_status dls_law_choose(const dls_law *law, const char *values, dls_model_choice *choice, dls_error *err);
void dls_model_choice_release(dls_model_choice *choice);
/** Note model, parameters and files in a trajectory, as they stand in its file. @return DLS_ERR_MEMORY */
dls_status dls_model_choice_note(const dls_model_choice *choice, dls_trajectory *traj, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
