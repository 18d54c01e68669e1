/* experiments/api/flat_step.c -- a scheme whose step is a function of another language; what that may ask of the system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/arrays.h"
#include "experiments/api/flat_internal.h"
#include <delassus/contact_system.h>
#include <delassus/plugin.h>
#include <stdlib.h>
#include <string.h>

/* The function, owned. */
typedef struct scheme_data {
  dls_scheme scheme;
  dls_flat_step *step;
  void *data;
  char name[DLS_FLAT_NAME_ROOM];
} scheme_data;

struct dls_flat_configuration {
  const dls_sim *sim;
  dls_contact_system contacts; /* contact at an instant, in the mass metric */
  dls_contacts closed;
  double *q, *v, *left;         /* n: the step's result, and v before its last impulse */
  double *u_free, *u_minus, *P; /* d m */
  double *p, *p_t;              /* m, (d - 1) m: impulses of the step */
  double *block;
  bool jumped;
};

static const dls_option options[] = {{0}};

static void finish(dls_sim *sim)
{
  dls_flat_configuration *s = sim->memory;
  if (s != NULL) {
    dls_contact_system_destroy(&s->contacts);
    free(s->closed.index);
    free(s->block);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t n = sys->n, rows = sys->d * sys->m + 1;
  dls_flat_configuration *s = sim->memory = calloc(1, sizeof *s);
  if (s != NULL) {
    s->sim = sim;
    s->closed.index = calloc(sys->m + 1, sizeof *s->closed.index);
    s->block = dls_arrays((const dls_slot[]){
        {n, {&s->q, &s->v, &s->left}}, {rows, {&s->u_free, &s->u_minus, &s->P, &s->p, &s->p_t}}, {0}});
  }
  if (s == NULL || s->closed.index == NULL || s->block == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory");
  }
  if (sys->r > 0) {
    return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE, "it does not treat joints, and the system has some");
  }
  return dls_contact_system_create_mass(sys, &sim->work, &s->contacts, err);
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  const scheme_data *own = sim->scheme->kind;
  dls_flat_configuration *s = sim->memory;
  const size_t n = sim->sys->n, m = sim->sys->m, d = sim->sys->d;
  char text[200] = "its function failed";
  memcpy(s->q, sim->q, n * sizeof *s->q);
  memcpy(s->v, sim->v, n * sizeof *s->v);
  memset(s->p, 0, m * sizeof *s->p);
  memset(s->p_t, 0, (d - 1) * m * sizeof *s->p_t);
  s->jumped = false;
  if (own->step(own->data, s, sim->t, h, s->q, s->v, text, sizeof text) != 0) {
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "%s", text);
  }
  memcpy(sim->q, s->q, n * sizeof *s->q);
  memcpy(sim->v, s->v, n * sizeof *s->v);
  memcpy(sim->p, s->p, m * sizeof *s->p);
  if (d > 1) {
    memcpy(sim->p_t, s->p_t, (d - 1) * m * sizeof *s->p_t);
  }
  if (s->jumped) {
    memcpy(sim->v_left, s->left, n * sizeof *s->v);
    sim->jump = true;
  }
  return DLS_OK;
}

int dls_flat_add_step(dls_catalogue *catalogue, const char *name, dls_flat_step *step, void *data, char *error,
                      size_t size)
{
  dls_error err = {0};
  dls_status status = DLS_OK;
  scheme_data *own = calloc(1, sizeof *own);
  if (own == NULL) {
    status = dls_fail(&err, DLS_ERR_MEMORY, "no memory for a scheme");
  } else if (strlen(name) >= sizeof own->name) {
    status = dls_fail(&err, DLS_ERR_ARG, "the name '%.60s...' has more than %zu characters", name,
                      sizeof own->name - 1);
  } else {
    strcpy(own->name, name);
    own->step = step;
    own->data = data;
    own->scheme =
        (dls_scheme){.name = own->name,
                     .summary = "a scheme of a function of another language: slow, for teaching",
                     .source = "a function of another language",
                     .equations = "(q', v') = step(t, q, v, h)\n",
                     .options = options,
                     .kind = own,
                     .stepping = DLS_BY_STEP,
                     .handles = DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS,
                     .q_between = DLS_LINEAR,
                     .v_between = DLS_LINEAR,
                     .start = start,
                     .advance = advance,
                     .finish = finish};
    const dls_scheme *const schemes[] = {&own->scheme, NULL};
    const dls_plugin plugin = {DLS_PLUGIN_HEAD, .name = own->name, .version = "in memory", .schemes = schemes};
    status = dls_catalogue_add(catalogue, &plugin, free, own, &err);
  }
  if (status != DLS_OK) {
    free(own);
  }
  return dls_flat_report(status, &err, error, size);
}

size_t dls_flat_configuration_size(const dls_flat_configuration *config, int contacts)
{
  return contacts ? config->sim->sys->m : config->sim->sys->n;
}

int dls_flat_configuration_acceleration(dls_flat_configuration *config, double t, const double *q,
                                        const double *v, double *a, char *error, size_t size)
{
  dls_error err = {0};
  const dls_status status = dls_contact_system_at(&config->contacts, t, q, &err);
  if (status == DLS_OK) {
    dls_system_force(config->sim->sys, t, q, v, a);
    dls_contact_system_inverse(&config->contacts, a);
  }
  return dls_flat_report(status, &err, error, size);
}

void dls_flat_configuration_gap(const dls_flat_configuration *config, double t, const double *q, double *g)
{
  dls_system_gap(config->sim->sys, t, q, g);
}

/* closed[m] becomes the set. */
static void choose(dls_flat_configuration *config, const int *closed)
{
  config->closed.count = 0;
  for (size_t j = 0; j < config->sim->sys->m; j++) {
    if (closed[j]) {
      config->closed.index[config->closed.count++] = j;
    }
  }
}

/* The impulses, added to those of the step. */
static void keep(dls_flat_configuration *s, const double *v_free)
{
  const size_t d = s->sim->sys->d;
  memcpy(s->left, v_free, s->sim->sys->n * sizeof *s->left);
  for (size_t k = 0; k < s->closed.count; k++) {
    const size_t j = s->closed.index[k];
    s->p[j] += s->P[d * k];
    s->jumped = s->jumped || s->P[d * k] > 0;
    for (size_t i = 1; i < d; i++) {
      s->p_t[(d - 1) * j + i - 1] += s->P[d * k + i];
    }
  }
}

int dls_flat_configuration_impact(dls_flat_configuration *s, double t, const double *q, const double *v_minus,
                                  const double *v_free, const int *closed, double *v_after, char *error,
                                  size_t size)
{
  dls_error err = {0};
  const dls_system *sys = s->sim->sys;
  memmove(v_after, v_free, sys->n * sizeof *v_after);
  dls_status status = dls_contact_system_at(&s->contacts, t, q, &err);
  if (status == DLS_OK) {
    choose(s, closed);
    memset(s->P, 0, sys->d * sys->m * sizeof *s->P);
    dls_contact_system_velocity(&s->contacts, &s->closed, v_minus, s->u_minus);
    dls_contact_system_velocity(&s->contacts, &s->closed, v_free, s->u_free);
    status = dls_contact_system_impulse(&s->contacts, &s->closed, s->u_free, s->u_minus, s->P, &err);
  }
  if (status == DLS_OK) {
    keep(s, v_free);
    dls_contact_system_apply(&s->contacts, &s->closed, 1, s->P, v_after);
  }
  return dls_flat_report(status, &err, error, size);
}
