/* sim_create.c -- creates a run with its arrays and options, and its trajectory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/text.h"
#include "common/run/checks.h"
#include "common/run/coordinates.h"
#include "common/run/load_rows.h"
#include "common/run/recorder.h"
#include "common/run/reported.h"
#include "common/run/run_spec.h"
#include "common/run/sensitivity.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Arrays of the state; those that every node has are adjacent, for the sums of sim.c. @return false if out of memory */
static bool allocate_state(dls_sim *sim)
{
  const size_t n = sim->sys->n, m = sim->sys->m, slips = (sim->sys->d - 1) * m;
  sim->block =
      dls_arrays((const dls_slot[]){{dls_option_count(sim->scheme->options), {&sim->opt}},
                                    {n, {&sim->v_left, &sim->a_left, &sim->a, &sim->q, &sim->v}},
                                    {m, {&sim->g, &sim->u, &sim->p, &sim->lambda}},
                                    {sim->sys->r, {&sim->phi, &sim->mu, &sim->mu_left}},
                                    {slips, {&sim->u_t, &sim->p_t, &sim->lambda_t, &sim->lambda_t_left}},
                                    {m, {&sim->lambda_left}},
                                    {0}});
  sim->status = calloc(m + 1, sizeof *sim->status);
  sim->options = sim->scheme->options_size > 0 ? calloc(1, sim->scheme->options_size) : sim->opt;
  return sim->block != NULL && sim->status != NULL && sim->options != NULL;
}

/* The configuration of the nodes; copies of K and C where they vary. @return false if out of memory */
static bool take_matrices(dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  sim->K = sys->linear ? sys->K : dls_matrix_clone(sys->K);
  sim->C = sys->linear ? sys->C : dls_matrix_clone(sys->C);
  return dls_configuration_create(sys, &sim->config) && (sys->K == NULL || sim->K != NULL) &&
         (sys->C == NULL || sim->C != NULL);
}

/* The state before a run, where all else is zero. */
static void set_initial(dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  sim->worst_gap = HUGE_VAL;
  sim->part_end = -HUGE_VAL;
  memcpy(sim->q, sys->q0, sys->n * sizeof *sim->q);
  memcpy(sim->v, sys->v0, sys->n * sizeof *sim->v);
}

static void fill_options(dls_sim *sim)
{
  if (sim->scheme->options_size > 0) {
    dls_option_fill(sim->scheme->options, sim->opt, sim->options);
  }
}

static void destroy_copy(dls_matrix *copy, const dls_matrix *original)
{
  if (copy != original) {
    dls_matrix_destroy(copy);
  }
}

dls_status dls_sim_create(const dls_system *sys, const dls_scheme *scheme, dls_sim **out, dls_error *err)
{
  *out = NULL;
  if (sys == NULL || scheme == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "a sim needs a system and a scheme; %s is NULL",
                    sys == NULL ? "system" : "scheme");
  }
  if (scheme->name == NULL) {
    return dls_fail(err, DLS_ERR_ARG, "the scheme of a sim needs a name");
  }
  dls_sim *sim = calloc(1, sizeof *sim);
  if (sim != NULL) {
    sim->sys = sys;
    sim->scheme = scheme;
  }
  if (sim == NULL || !allocate_state(sim) || !take_matrices(sim) || !dls_reported_create(sim) ||
      !dls_load_rows_create(sim) || !dls_checks_create(sim)) {
    dls_sim_destroy(sim);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a run of %s with %zu degrees of freedom", scheme->name,
                    sys->n);
  }
  dls_option_defaults(scheme->options, sim->opt);
  fill_options(sim);
  set_initial(sim);
  *out = sim;
  return DLS_OK;
}

static void clear_state(dls_sim *sim)
{
  const size_t m = sim->sys->m;
  const double *past = sim->lambda_left + m; /* the last array of allocate_state */
  memset(sim->v_left, 0, (size_t)(past - sim->v_left) * sizeof *past);
  memset(sim->status, 0, m * sizeof *sim->status);
  memset(sim->warnings, 0, sizeof sim->warnings);
  sim->work = (dls_work){0};
  sim->t = sim->t_base = sim->worst_time = sim->shortest_feature = sim->asked = 0;
  sim->step = sim->worst_contact = sim->redundant = sim->unasked = sim->patience = 0;
  sim->started = sim->out_of_memory = sim->jump = false;
}

dls_status dls_sim_renew(dls_sim *sim, dls_error *err)
{
  const dls_scheme *scheme = sim->scheme;
  const bool alone = sim->spec == NULL && sim->record == NULL && sim->recorder == NULL &&
                     sim->sensitivity == NULL && sim->load_rows == NULL && sim->work.watch == NULL;
  if (!sim->started || !alone || !sim->sys->linear || scheme->starts_again == NULL ||
      !scheme->starts_again(sim)) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "this run of %s cannot be renewed: its system or scheme keeps more than values; create a new sim",
        scheme->name);
  }
  clear_state(sim);
  set_initial(sim);
  dls_configuration_at(&sim->config, 0, sim->sys->q0);
  dls_checks_renew(sim);
  dls_reported_destroy(sim);
  return dls_reported_create(sim)
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a run of %s with %zu degrees of freedom",
                        scheme->name, sim->sys->n);
}

dls_status dls_sim_create_like(const dls_sim *sim, const dls_system *sys, dls_sim **out, dls_error *err)
{
  const dls_status status = dls_sim_create(sys, sim->scheme, out, err);
  if (status == DLS_OK) {
    memcpy((*out)->opt, sim->opt, dls_option_count(sim->scheme->options) * sizeof *sim->opt);
    (*out)->given = sim->given;
    fill_options(*out);
  }
  return status;
}

void dls_sim_destroy(dls_sim *sim)
{
  if (sim == NULL) {
    return;
  }
  if ((sim->started || sim->memory != NULL) && sim->scheme->finish != NULL) { /* renewed, and not started */
    sim->scheme->finish(sim);
  }
  dls_configuration_destroy(&sim->config);
  destroy_copy(sim->K, sim->sys->K);
  destroy_copy(sim->C, sim->sys->C);
  if (sim->options != sim->opt) {
    free(sim->options);
  }
  free(sim->block);
  free(sim->status);
  dls_recorder_destroy(sim->recorder);
  dls_reported_destroy(sim);
  dls_load_rows_destroy(sim);
  dls_checks_destroy(sim);
  dls_sensitivity_destroy(sim->sensitivity);
  free(sim);
}

dls_status dls_sim_set(dls_sim *sim, const char *assignment, dls_error *err)
{
  char owner[80];
  snprintf(owner, sizeof owner, "scheme %s", sim->scheme->name);
  if (sim->started || sim->memory != NULL) { /* renewed: its scheme has read them */
    return dls_fail(err, DLS_ERR_ARG, "%s: %.80s cannot be set after the run has started", owner, assignment);
  }
  const dls_status status = dls_option_parse(sim->scheme->options, owner, assignment, sim->opt, err);
  if (status == DLS_OK) {
    const size_t length = strcspn(assignment, "=");
    for (size_t i = 0; i < dls_option_count(sim->scheme->options) && i < 64; i++) {
      const char *name = sim->scheme->options[i].name;
      sim->given |= (uint64_t)(strlen(name) == length && strncmp(name, assignment, length) == 0) << i;
    }
  }
  fill_options(sim);
  return status;
}

bool dls_sim_was_set(const dls_sim *sim, const char *name)
{
  const int i = dls_option_find(sim->scheme->options, name);
  return i >= 0 && i < 64 && (sim->given >> i & 1) != 0;
}

void dls_sim_note(const dls_sim *sim, char *text, size_t size)
{
  text[0] = '\0';
  if (sim->scheme->note != NULL) {
    sim->scheme->note(sim, text, size);
  }
}

/* "name=value,name=value" of all options. */
static void format_options(const dls_sim *sim, char *text, size_t size)
{
  text[0] = '\0';
  for (size_t i = 0; i < dls_option_count(sim->scheme->options); i++) {
    char value[40];
    dls_option_format(&sim->scheme->options[i], sim->opt[i], value, sizeof value);
    dls_text_append(text, size, "%s%s=%s", i > 0 ? "," : "", sim->scheme->options[i].name, value);
  }
}

dls_trajectory *dls_sim_trajectory(const dls_sim *sim, dls_error *err)
{
  const dls_scheme *scheme = sim->scheme;
  dls_trajectory *traj = dls_trajectory_create_system(sim->sys, scheme->v_between == DLS_HERMITE);
  if (traj == NULL) {
    dls_fail(err, DLS_ERR_MEMORY, "no memory for a trajectory");
    return NULL;
  }
  traj->step_impulses = scheme->stepping == DLS_BY_STEP;
  dls_trajectory_set_meaning(traj, "q", scheme->q_between);
  dls_trajectory_set_meaning(traj, "v", scheme->v_between);
  dls_trajectory_set_meaning(traj, "g", scheme->q_between);
  if (scheme->stepping == DLS_BY_EVENT) {
    dls_trajectory_set_cubic(traj);
  } else if (scheme->v_between != DLS_HERMITE) { /* u has no slope column */
    dls_trajectory_set_meaning(traj, "u", scheme->v_between);
  }
  char options[800], note[DLS_NOTE_ROOM] = "";
  format_options(sim, options, sizeof options);
  dls_sim_note(sim, note, sizeof note);
  if (dls_trajectory_note(traj, err, "scheme", "%s", scheme->name) != DLS_OK ||
      dls_trajectory_note(traj, err, "options", "%s", options) != DLS_OK ||
      dls_note_coordinates(traj, sim->sys, err) != DLS_OK ||
      (sim->sys->remark[0] != '\0' &&
       dls_trajectory_note(traj, err, "remark", "%s", sim->sys->remark) != DLS_OK) ||
      (note[0] != '\0' && dls_trajectory_note(traj, err, "note", "%s", note) != DLS_OK)) {
    dls_trajectory_destroy(traj);
    return NULL;
  }
  return traj;
}
