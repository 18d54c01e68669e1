/* experiments/extra/lesson/lesson_run.c -- a run of a lesson: the motion of the sliders' values, the scheme, errors, packed curves.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/lesson/lesson_run.h"
#include "common/base/text.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_run.h"
#include "experiments/show/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 16 };

size_t dls_lesson_value_at(const char *list, size_t index, char *text, size_t size)
{
  size_t count = 0;
  for (size_t length; *list != '\0'; list += length + (list[length] == ';')) {
    length = strcspn(list, ";");
    if (text != NULL && count == index) {
      snprintf(text, size, "%.*s", (int)length, list);
    }
    count++;
  }
  return count;
}

bool dls_lesson_changes_motion(dls_lesson_role role)
{
  return role == DLS_LESSON_PARAMETER || role == DLS_LESSON_LAW || role == DLS_LESSON_END;
}

/* The largest end that the lesson lists. */
static double longest_of(const dls_lesson *lesson)
{
  double longest = lesson->end;
  for (size_t i = 0; i < DLS_LESSON_SLIDERS; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    const size_t count = slider->role == DLS_LESSON_END ? dls_lesson_value_at(slider->values, 0, NULL, 0) : 0;
    for (size_t k = 0; k < count; k++) {
      char text[DLS_LESSON_WORD] = "";
      dls_lesson_value_at(slider->values, k, text, sizeof text);
      longest = fmax(longest, strtod(text, NULL)); /* fmax ignores NaN */
    }
  }
  return longest;
}

dls_lesson_maker dls_lesson_maker_of(const dls_lesson *lesson, const dls_catalogue *catalogue, FILE *out,
                                     int digits)
{
  dls_lesson_maker m = {
      .lesson = lesson, .catalogue = catalogue, .out = out, .digits = digits, .longest = longest_of(lesson)};
  while (m.sliders < DLS_LESSON_SLIDERS && lesson->sliders[m.sliders].role != DLS_LESSON_NONE) {
    m.sliders++;
  }
  while (m.panels < DLS_LESSON_PANELS && lesson->panels[m.panels].column != NULL) {
    const dls_lesson_panel *panel = &lesson->panels[m.panels];
    m.ranges[m.panels++] = (dls_lesson_range){panel->column, panel->low, panel->high};
  }
  while (m.measures < DLS_LESSON_MEASURES && lesson->measures[m.measures].norm != NULL) {
    m.measures++;
  }
  return m;
}

/* --- the motion --- */

static dls_status choose_model(dls_lesson_maker *m, dls_error *err)
{
  const dls_lesson *lesson = m->lesson;
  char words[MOST_SETTINGS][2 * DLS_LESSON_WORD], law[DLS_LESSON_WORD] = "";
  const char *settings[MOST_SETTINGS];
  size_t count = dls_lesson_value_at(lesson->settings, 0, NULL, 0);
  for (size_t i = 0; i < count; i++) {
    dls_lesson_value_at(lesson->settings, i, words[i], sizeof words[i]);
  }
  for (size_t i = 0; i < m->sliders; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    const char *value = m->values[i];
    if (slider->role == DLS_LESSON_PARAMETER) {
      snprintf(words[count++], sizeof words[0], "%s=%s", slider->name, value);
    } else if (slider->role == DLS_LESSON_LAW) {
      snprintf(law, sizeof law, "%s", value);
    } else if (slider->role == DLS_LESSON_END) {
      m->end = strtod(value, NULL);
    }
  }
  for (size_t i = 0; i < count; i++) {
    settings[i] = words[i];
  }
  const dls_model *model = dls_catalogue_model(m->catalogue, lesson->model, err);
  dls_status status =
      model == NULL ? DLS_ERR_OPTION : dls_model_choose("lesson", model, count, settings, &m->model, err);
  if (status == DLS_OK && law[0] != '\0') {
    status = dls_catalogue_choose_law(m->catalogue, "lesson", law, &m->model, err);
  }
  return status;
}

void dls_lesson_release_motion(dls_lesson_maker *m)
{
  for (size_t i = 0; i < DLS_LESSON_MEASURES; i++) {
    dls_graph_destroy(m->graphs[i]);
    m->graphs[i] = NULL;
  }
  dls_reference_clear(&m->reference);
  dls_system_destroy(m->sys);
  m->sys = NULL;
  dls_model_choice_release(&m->model);
}

/* Append energies and forces to the columns of a trajectory. */
static dls_status widen(const dls_lesson_maker *m, dls_trajectory **traj, const dls_scheme *scheme,
                        dls_error *err)
{
  dls_trajectory *wide = NULL;
  const dls_status status = dls_derive(*traj, m->sys, scheme, &wide, err);
  if (status == DLS_OK) {
    dls_trajectory_destroy(*traj);
    *traj = wide;
  }
  return status;
}

dls_status dls_lesson_make_motion(dls_lesson_maker *m, dls_error *err)
{
  static const char *const of[] = {"q", "v"};
  dls_lesson_release_motion(m);
  m->end = m->longest;
  dls_status status = choose_model(m, err);
  if (status != DLS_OK ||
      (status = dls_model_create(m->model.model, m->model.parameters, &m->sys, err)) != DLS_OK) {
    return status;
  }
  const dls_order_spec spec = {.model = m->model.model,
                               .catalogue = m->catalogue,
                               .parameters = m->model.parameters,
                               .end = m->end,
                               .of = of,
                               .of_count = 2,
                               .metric = dls_metric_default};
  status = dls_reference_make(&spec, m->sys, NULL, NULL, &m->reference, err);
  if (status == DLS_OK) {
    status = widen(m, &m->reference.traj, NULL, err);
  }
  for (size_t i = 0; i < m->measures && status == DLS_OK; i++) {
    if (strcmp(m->lesson->measures[i].norm, "contact") != 0) {
      status = dls_quantity_graph(m->reference.traj, m->lesson->measures[i].of, &m->graphs[i], err);
    }
  }
  return status;
}

dls_status dls_lesson_put_motion(const dls_lesson_maker *m, dls_error *err)
{
  fputs("{\"reference\":", m->out);
  dls_page_put_json(m->out, m->reference.text);
  fputs(",\"nodes\":\"", m->out);
  const dls_status status = dls_lesson_pack(m->reference.traj, m->panels, m->ranges, m->longest, m->out, err);
  fputs("\",\n\"runs\":[", m->out);
  return status;
}

/* --- a run --- */

static dls_status choose_scheme(const dls_lesson_maker *m, dls_scheme_choice *out, dls_error *err)
{
  char text[200], options[200] = "";
  snprintf(text, sizeof text, "%s", m->lesson->scheme != NULL ? m->lesson->scheme : "");
  for (size_t i = 0; i < m->sliders; i++) {
    const dls_lesson_slider *slider = &m->lesson->sliders[i];
    const char *value = m->values[i];
    if (slider->role == DLS_LESSON_SCHEME) {
      snprintf(text, sizeof text, "%s", value);
    } else if (slider->role == DLS_LESSON_OPTION) {
      dls_text_append(options, sizeof options, "%s%s=%s", options[0] == '\0' ? "" : ",", slider->name, value);
    }
  }
  if (options[0] != '\0') {
    dls_text_append(text, sizeof text, "%c%s", strchr(text, ':') != NULL ? ',' : ':', options);
  }
  return dls_catalogue_choose(m->catalogue, text, out, err);
}

static dls_status simulate(const dls_lesson_maker *m, double step, dls_trajectory **traj, dls_error *err)
{
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_status status = choose_scheme(m, &choice, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&choice, m->sys, &sim, err);
  if (status == DLS_OK) {
    *traj = dls_sim_trajectory(sim, err);
    status = *traj == NULL ? DLS_ERR_MEMORY : DLS_OK;
  }
  if (status == DLS_OK) {
    status = dls_run(sim, &(dls_run_spec){.step = step, .end = m->end, .record = *traj}, err);
  }
  dls_sim_destroy(sim);
  return status != DLS_OK ? status : widen(m, traj, choice.scheme, err);
}

/* Remaining fraction of a column: its last value over its first. */
static double gain_of(const dls_trajectory *traj, const char *of)
{
  const int column = dls_trajectory_column(traj, of);
  return column < 0 || traj->rows == 0 ? NAN
                                       : dls_trajectory_at(traj, traj->rows - 1, (size_t)column) /
                                             dls_trajectory_at(traj, 0, (size_t)column);
}

/* A figure of the contacts of a run. */
static dls_status contact_of(const dls_lesson_maker *m, const dls_trajectory *traj, const char *name,
                             double *value)
{
  const dls_order_spec spec = {.end = m->end};
  const dls_order_inputs inputs = {.spec = &spec, .sys = m->sys, .reference = m->reference.traj};
  const dls_contact_figure *figure = dls_contact_figure_find(name);
  dls_order_point point = {0};
  const dls_status status = dls_order_measure_contacts(&inputs, traj, &point);
  *value = figure != NULL && status == DLS_OK ? dls_contact_figure_of(figure, &point) : NAN;
  return status;
}

static dls_status error_of(const dls_lesson_maker *m, size_t index, const dls_trajectory *traj, double *error,
                           dls_error *err)
{
  const dls_lesson_measure *measure = &m->lesson->measures[index];
  dls_norm_choice norm;
  dls_order_point point = {0};
  if (strcmp(measure->norm, "gain") == 0) {
    *error = gain_of(traj, measure->of);
    return DLS_OK;
  }
  if (strcmp(measure->norm, "contact") == 0) {
    const dls_status measured = contact_of(m, traj, measure->of, error);
    return measured == DLS_OK ? DLS_OK : dls_fail(err, measured, "no memory for the contacts of a run");
  }
  dls_status status = dls_norm_read(measure->norm, &norm, err);
  const dls_norm *const norms[] = {&norm.norm};
  const dls_order_spec spec = {
      .norm_count = 1, .norms = norms, .of_count = 1, .of = &measure->of, .metric = dls_metric_default};
  const dls_prepared_reference prepared = {.graph = m->graphs[index]};
  const dls_order_inputs inputs = {.spec = &spec, .sys = m->sys, .prepared = &prepared};
  status = status != DLS_OK ? status : dls_order_measure(&inputs, traj, 0, &point);
  *error = point.error.value;
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for an error") : status;
}

/* [error, ...], null where there is none */
static dls_status put_errors(const dls_lesson_maker *m, const dls_trajectory *traj, dls_error *err)
{
  for (size_t i = 0; i < m->measures; i++) {
    double error = NAN;
    const dls_status status = error_of(m, i, traj, &error, err);
    if (status != DLS_OK) {
      return status;
    }
    fputs(i == 0 ? "[[" : ",", m->out);
    fprintf(m->out, isfinite(error) ? "%.*g" : "null", m->digits, error);
  }
  fputs("],\"", m->out);
  return DLS_OK;
}

dls_status dls_lesson_put_run(const dls_lesson_maker *m, double step, dls_error *err)
{
  dls_trajectory *traj = NULL;
  dls_error why = {0};
  dls_status status = simulate(m, step, &traj, &why);
  if (status == DLS_OK) {
    status = put_errors(m, traj, err);
    if (status == DLS_OK) {
      status = dls_lesson_pack(traj, m->panels, m->ranges, m->longest, m->out, err);
    }
    fputs("\"]", m->out);
  } else if (status == DLS_ERR_MEMORY) {
    dls_fail(err, status, "%s", why.text);
  } else {
    fputs("[[],\"\",", m->out);
    dls_page_put_json(m->out, why.text);
    fputc(']', m->out);
    status = DLS_OK;
  }
  dls_trajectory_destroy(traj);
  return status;
}
