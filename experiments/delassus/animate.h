/* delassus/animate.h -- the moving system with its contact forces, for models that have a sketch.
 *
 * FILE.svg: one file without scripts that moves in every browser, sharp at any size; positions are those of the
 * trajectory at the frames and at every impact, linear in between. FILE.gif: for slides.
 * An impulse is an arrow that fades, a contact force one that stays; both have a scale of their own, which is written
 * below the picture, with the time and how fast it passes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANIMATE_H
#define DELASSUS_ANIMATE_H

#include <delassus/model.h>
#include <delassus/trajectory.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Can the motion be drawn? For a look ahead of a long computation.
 * @param[in] known  the models of which the message names those that can; ends with NULL. NULL: none
 * @return DLS_ERR_ARG if path ends neither in .svg nor in .gif, the model has no sketch (the message lists those that
 *         have one), or more bodies than can be drawn; DLS_ERR_IO for .gif without gnuplot
 */
dls_status dls_animate_check(const dls_model *model, const double *p, const char *path,
                             const dls_model *const *known, dls_error *err);

/**
 * Write an animation, whole or not at all.
 * @param[in] p     parameters of the model, as many as it has
 * @param[in] traj  of a run of the model, with q, p, lambda and events
 * @param[in] path  FILE.svg or FILE.gif
 * @return as dls_animate_check; DLS_ERR_ARG if the trajectory has fewer than two rows or no duration; DLS_ERR_IO;
 *         DLS_ERR_MEMORY
 */
dls_status dls_animate(const dls_model *model, const double *p, const dls_trajectory *traj, const char *path,
                       dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
