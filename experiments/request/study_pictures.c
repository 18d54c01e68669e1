/* experiments/request/study_pictures.c -- keys of a study file about its pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

static size_t count_names(const char *const *names)
{
  size_t count = 0;
  while (names[count] != NULL) {
    count++;
  }
  return count;
}

void dls_study_read_pictures(dls_study_reader *r, const dls_yaml_node *node)
{
  size_t position = 0;
  const char *text = dls_study_read_word(r, node, dls_plot_formats, count_names(dls_plot_formats), &position);
  r->study->pictures = text != NULL ? text : r->study->pictures;
}

void dls_study_read_style(dls_study_reader *r, const dls_yaml_node *node)
{
  size_t position = DLS_PLOT_SCREEN;
  const char *text = dls_study_read_word(r, node, dls_plot_style_names, DLS_PLOT_STYLES, &position);
  if (text != NULL) {
    r->request->style = (dls_plot_style)position;
    dls_study_argue(r, "style", text);
  }
}

void dls_study_choose_pictures(dls_study_reader *r)
{
  if (r->study->pictures == NULL) {
    r->study->pictures = dls_plot_format_of(r->request->style);
  }
}
