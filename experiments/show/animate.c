/* experiments/show/animate.c -- which models can be animated, and into which files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/animation.h"
#include <delassus/output.h>
#include <delassus/plot.h>
#include <stdlib.h>
#include <string.h>

/* SVG moves between frames by itself; a GIF of more frames is a large file. */
enum { SVG_FRAMES = 201, GIF_FRAMES = 91 };
enum { MOST_NAMES = 180 }; /* letters of them in a message */

static bool ends_in(const char *path, const char *ending)
{
  const size_t length = strlen(path), size = strlen(ending);
  return length > size && strcmp(path + length - size, ending) == 0;
}

static dls_status no_sketch(const dls_model *model, const dls_model *const *known, dls_error *err)
{
  char list[260] = "";
  bool more = false;
  for (const dls_model *const *entry = known; entry != NULL && *entry != NULL && !more; entry++) {
    more = strlen(list) > MOST_NAMES && (*entry)->sketch != NULL;
    if ((*entry)->sketch != NULL) {
      dls_text_append(list, sizeof list, "%s%s", list[0] != '\0' ? ", " : "",
                      more ? "and more" : (*entry)->name);
    }
  }
  return dls_fail(err, DLS_ERR_ARG, "animation: model %s has no sketch%s%s", model->name,
                  list[0] != '\0' ? "; these have: " : "", list);
}

static dls_status check_size(const dls_model *model, const double *p, dls_error *err)
{
  dls_system *system = NULL;
  dls_sketch *sketch = calloc(1, sizeof *sketch);
  dls_status status = sketch != NULL ? dls_model_create(model, p, &system, err)
                                     : dls_fail(err, DLS_ERR_MEMORY, "no memory for a sketch");
  if (status == DLS_OK) {
    sketch->reach = 1;
    sketch->system = system;
    model->sketch(p, system->q0, sketch);
    if (sketch->full) {
      status = dls_fail(err, DLS_ERR_ARG,
                        "animation: model %s has too many bodies: allowed are %d shapes and %d contacts",
                        model->name, (int)DLS_SKETCH_SHAPES, (int)DLS_SKETCH_TOUCHES);
    }
  }
  dls_system_destroy(system);
  free(sketch);
  return status;
}

dls_status dls_animate_check(const dls_model *model, const double *p, const char *path,
                             const dls_model *const *known, dls_error *err)
{
  if (!ends_in(path, ".svg") && !ends_in(path, ".gif")) {
    return dls_fail(err, DLS_ERR_ARG, "animation '%.250s': the name must end in .svg or .gif", path);
  }
  if (model->sketch == NULL) {
    return no_sketch(model, known, err);
  }
  const dls_status status = check_size(model, p, err);
  return status == DLS_OK && ends_in(path, ".gif") ? dls_plot_check("picture.png", err) : status;
}

dls_status dls_animate(const dls_model *model, const double *p, const dls_trajectory *traj, const char *path,
                       dls_error *err)
{
  const bool gif = ends_in(path, ".gif");
  dls_animation *animation = NULL;
  dls_output *out = NULL;
  dls_status status = dls_animate_check(model, p, path, NULL, err);
  if (status == DLS_OK) {
    status = dls_animation_make(model, p, traj, gif ? GIF_FRAMES : SVG_FRAMES, &animation, err);
  }
  if (status == DLS_OK && (status = dls_output_open(path, &out, err)) == DLS_OK) {
    status = (gif ? dls_animation_write_gif : dls_animation_write_svg)(animation, dls_output_stream(out), err);
    if (status == DLS_OK) {
      status = dls_output_commit(out, err);
    } else {
      dls_output_abandon(out);
    }
  }
  dls_animation_destroy(animation);
  return status;
}
