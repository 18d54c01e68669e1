/* parameter_check.c -- see parameter_check.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/model/parameter_check.h"

#include "common/base/arrays.h"
#include "experiments/measures/model/model_probe.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tolerances, relative to the largest value of the derivative, and to the function over the size of the parameter. */
static const double allowed_of_slope = 1e-6, allowed_of_value = 1e-8;

/* Terms of dls_by_parameter. The matrix is asked for column by column, with unit vectors. */
enum { FORCE, MASS, GAP, TERMS };
static const char *const terms[TERMS] = {[FORCE] = "dF/dp", [MASS] = "dM/dp", [GAP] = "dg/dp"};

/* Values or derivatives of all terms, one after the other. */
typedef struct values {
  double *of[TERMS];
  size_t count[TERMS], all;
} values;

static values lay_out(const dls_system *sys, double *block)
{
  values v = {.count = {sys->n, sys->n, sys->m}};
  for (size_t k = 0; k < TERMS; k++) {
    v.of[k] = block != NULL ? block + v.all : NULL;
    v.all += v.count[k];
  }
  return v;
}

/* What the terms are derivatives of, in one system at the state of `in`. */
static void evaluate(const dls_probe *p, const dls_by_parameter *in, values *out)
{
  memset(out->of[0], 0, out->all * sizeof(double));
  dls_system_force(p->sys, in->t, in->q, in->v, out->of[FORCE]);
  dls_system_mass(p->sys, in->q, p->M);
  dls_matrix_multiply(p->M, 1, in->a, out->of[MASS]);
  dls_system_gap(p->sys, in->t, in->q, out->of[GAP]);
}

static void note(dls_parameter_row *row, double value, double quotient, size_t i, size_t column, double t)
{
  const double difference = fabs(value - quotient);
  row->size = fmax(row->size, fmax(fabs(value), fabs(quotient)));
  if (!(difference <= row->difference)) {
    row->difference = difference;
    row->value = value;
    row->quotient = quotient;
    row->row = i;
    row->column = column;
    row->t = t;
  }
}

typedef struct checker {
  const dls_direction *direction;
  dls_probe self, near[DLS_DIRECTION_SYSTEMS];
  values stated, quotient, one;
  dls_by_parameter in;
  double *a, *block;
  dls_parameter_row rows[TERMS];
} checker;

static bool allocate(checker *c)
{
  const dls_system *sys = c->self.sys;
  const size_t all = lay_out(sys, NULL).all;
  double *stated = NULL, *quotient = NULL, *one = NULL;
  c->block = dls_arrays((const dls_slot[]){{all, {&stated, &quotient, &one}}, {sys->n, {&c->a}}, {0}});
  c->stated = lay_out(sys, stated);
  c->quotient = lay_out(sys, quotient);
  c->one = lay_out(sys, one);
  c->in =
      (dls_by_parameter){.a = c->a, .F = c->stated.of[FORCE], .Ma = c->stated.of[MASS], .g = c->stated.of[GAP]};
  return c->block != NULL;
}

/* At the state of the probe, with a unit vector. */
static void compare(checker *c, size_t column)
{
  const dls_system *sys = c->self.sys;
  double size[TERMS] = {0}, weights = 0;
  for (size_t i = 0; i < sys->n; i++) {
    c->a[i] = i == column;
  }
  c->in.t = c->self.t;
  c->in.q = c->self.q;
  c->in.v = c->self.v;
  memset(c->stated.of[0], 0, c->stated.all * sizeof(double));
  memset(c->quotient.of[0], 0, c->quotient.all * sizeof(double));
  sys->by_parameter(sys, c->direction->name, &c->in);
  for (size_t i = 0; i < c->direction->count; i++) {
    evaluate(&c->near[i], &c->in, &c->one);
    weights += fabs(c->direction->weight[i]);
    for (size_t k = 0; k < TERMS; k++) {
      for (size_t j = 0; j < c->one.count[k]; j++) {
        c->quotient.of[k][j] += c->direction->weight[i] * c->one.of[k][j];
        size[k] = fmax(size[k], fabs(c->one.of[k][j]));
      }
    }
  }
  /* the distance of the systems is 1 / weights, 2^-17 of the parameter */
  for (size_t k = 0; k < TERMS; k++) {
    c->rows[k].allowed = fmax(c->rows[k].allowed, allowed_of_value * 0x1p-17 * weights * size[k]);
    for (size_t j = 0; j < c->one.count[k]; j++) {
      note(&c->rows[k], c->stated.of[k][j], c->quotient.of[k][j], j, k == MASS ? column : 0, c->in.t);
    }
  }
}

static dls_status check_states(checker *c, size_t states, gsl_rng *rng, dls_error *err)
{
  const dls_system *sys = c->self.sys;
  const size_t most = 24, columns = sys->n;
  dls_status status = dls_probe_create(sys, &c->self, err);
  for (size_t i = 0; i < c->direction->count && status == DLS_OK; i++) {
    status = dls_probe_create(c->direction->system[i], &c->near[i], err);
  }
  if (status == DLS_OK && !allocate(c)) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory to check the derivatives by %s", c->direction->name);
  }
  for (size_t k = 0; k < states && status == DLS_OK; k++) {
    dls_probe_draw(&c->self, rng);
    for (size_t j = 0; j < columns && j < most; j++) {
      compare(c, columns <= most ? j : gsl_rng_uniform_int(rng, columns));
    }
  }
  return status;
}

static dls_status keep(checker *c, dls_parameter_check *out, dls_error *err)
{
  dls_parameter_row *more = realloc(out->rows, (out->count + TERMS) * sizeof *more);
  if (more == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives by %s", c->direction->name);
  }
  out->rows = more;
  for (size_t k = 0; k < TERMS; k++) {
    dls_parameter_row *row = &c->rows[k];
    row->term = terms[k];
    snprintf(row->parameter, sizeof row->parameter, "%s", c->direction->name);
    row->allowed = fmax(row->allowed, allowed_of_slope * row->size);
    row->agrees = row->difference <= row->allowed;
    if (row->size > row->allowed || !row->agrees) {
      out->rows[out->count++] = *row;
      out->wrong += !row->agrees;
    }
  }
  return DLS_OK;
}

static dls_status check_one(const dls_system *sys, const dls_direction *direction, size_t states, gsl_rng *rng,
                            dls_parameter_check *out, dls_error *err)
{
  checker c = {.direction = direction, .self = {.sys = sys}};
  dls_status status = check_states(&c, states, rng, err);
  status = status != DLS_OK ? status : keep(&c, out, err);
  dls_probe_destroy(&c.self);
  for (size_t i = 0; i < DLS_DIRECTION_SYSTEMS; i++) {
    dls_probe_destroy(&c.near[i]);
  }
  free(c.block);
  return status;
}

/* Does the system state derivatives by the parameter? The answer does not depend on the state. */
static bool states_it(const dls_system *sys, const char *name)
{
  checker c = {.self = {.sys = sys}};
  const bool made = allocate(&c);
  c.in.q = sys->q0;
  c.in.v = sys->v0;
  const bool stated = made && sys->by_parameter(sys, name, &c.in);
  free(c.block);
  return stated;
}

dls_status dls_parameter_check_run(const dls_model *model, const double *parameters, size_t states,
                                   unsigned long seed, dls_parameter_check *out, dls_error *err)
{
  dls_system *sys = NULL;
  *out = (dls_parameter_check){0};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_status status = rng != NULL ? dls_model_create(model, parameters, &sys, err)
                                  : dls_fail(err, DLS_ERR_MEMORY, "no memory to check a model");
  if (status == DLS_OK) {
    gsl_rng_set(rng, seed);
  }
  for (size_t i = 0; i < dls_option_count(model->parameters) && status == DLS_OK; i++) {
    const char *name = model->parameters[i].name;
    dls_direction direction = {.count = 0};
    if (model->parameters[i].kind != DLS_REAL || sys->by_parameter == NULL || !states_it(sys, name)) {
      continue;
    }
    status = dls_direction_create(model, parameters, name, &direction, err);
    if (status == DLS_OK) {
      status = check_one(sys, &direction, states, rng, out, err);
    } else if (status != DLS_ERR_MEMORY) {
      status = DLS_OK; /* p has no neighbouring values, and so no derivative that a run could ask for */
    }
    dls_direction_release(&direction);
  }
  dls_system_destroy(sys);
  gsl_rng_free(rng);
  return status;
}

void dls_parameter_check_release(dls_parameter_check *check)
{
  free(check->rows);
  *check = (dls_parameter_check){0};
}
