/* experiments/campaign/picture_form.h -- what a user asks of pictures: purpose, size, place of the key.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PICTURE_FORM_H
#define DELASSUS_EXPERIMENTS_PICTURE_FORM_H

#include <delassus/error.h>
#include <delassus/output.h>
#include <stdbool.h>

/** Where the key is. AUTO: beside, above or below the frames, as the width of the picture allows. */
typedef enum dls_picture_key {
  DLS_PICTURE_KEY_AUTO,
  DLS_PICTURE_KEY_NONE,
  DLS_PICTURE_KEY_BELOW,
  DLS_PICTURE_KEY_INSIDE /* where no curve runs; without such a place, above the curves */
} dls_picture_key;
extern const char *const dls_picture_key_names[]; /* "auto", ...; ends with NULL */

/** All zero: as the style and each picture want. */
typedef struct dls_picture_form {
  dls_plot_style style;
  double width, height; /* 0: not given */
  bool centimetres;     /* of width and height; else pixels */
  dls_picture_key key;
  char parameters[160]; /* of the model, where they differ from the defaults: "e=0.3, mu=0.1"; for titles */
} dls_picture_form;

/** The options that set a form: "style", "size", "key". */
enum { DLS_PICTURE_FORM_OPTIONS = 3, DLS_PICTURE_SIZE_TEXT = 40 };
extern const char *const dls_picture_form_options[DLS_PICTURE_FORM_OPTIONS];

/** Read "8.5x6cm", "1200x800" or "1200x800px" into width, height and centimetres. @return DLS_ERR_OPTION with the sizes allowed */
dls_status dls_picture_size_read(const char *text, dls_picture_form *form, dls_error *err);
/** A size in the same words. */
void dls_picture_size_print(double width, double height, bool centimetres, char text[DLS_PICTURE_SIZE_TEXT]);

#endif
