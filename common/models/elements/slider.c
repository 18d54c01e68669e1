/* slider.c -- rigid bodies that slide on flat surfaces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void load(const dls_system *sys, double t, double *F)
{
  const dls_slider *s = sys->data;
  memcpy(F, s->load, sys->n * sizeof *F);
  F[0] += s->amplitude * cos(s->omega * t + s->phase);
}

static void load_rate(const dls_system *sys, double t, double *dF)
{
  const dls_slider *s = sys->data;
  memset(dF, 0, sys->n * sizeof *dF);
  dF[0] = -s->amplitude * s->omega * sin(s->omega * t + s->phase);
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  const dls_slider *s = sys->data;
  const double *velocity = s->jump > 0 && t >= s->jump ? s->jumped : s->surface;
  (void)q;
  for (size_t i = 0; i < (sys->d - 1) * sys->m; i++) {
    b_t[i] = -velocity[i];
  }
}

static double next_switch(const dls_system *sys, double t)
{
  const dls_slider *s = sys->data;
  return t < s->jump ? s->jump : INFINITY;
}

static bool moves(const dls_slider *what, size_t count)
{
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    any = any || what->surface[i] != 0 || (what->jump > 0 && what->jumped[i] != 0);
  }
  return any;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const dls_slider *what, const dls_slider_row *rows)
{
  *(dls_slider *)sys->data = *what;
  dls_system_declare_harmonic(sys, what->amplitude, what->omega);
  if (what->jump > 0) {
    sys->explicit_time = DLS_TIME_EXPLICIT;
  }
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(sys->M, i, i, what->mass[i]);
  }
  if (sys->K != NULL) {
    dls_matrix_set(sys->K, 0, 0, what->stiffness);
  }
  for (size_t j = 0; j < sys->m; j++) {
    for (size_t i = 0; i < sys->n; i++) {
      dls_matrix_set(sys->H, i, j, rows[j * sys->d].on[i]);
      for (size_t k = 1; k < sys->d; k++) {
        dls_matrix_set(sys->T, i, j * (sys->d - 1) + k - 1, rows[j * sys->d + k].on[i]);
      }
    }
  }
}

dls_status dls_slider_create(const char *name, size_t n, size_t m, size_t d, const dls_slider *what,
                             const dls_slider_row *rows, dls_system **out, dls_error *err)
{
  const bool spring = what->stiffness > 0;
  dls_system *sys = *out = dls_system_create(n, m);
  if (sys != NULL) {
    sys->linear = true;
    sys->d = d;
    sys->load = load;
    sys->steady_load = what->amplitude == 0;
    sys->load_rate = what->amplitude != 0 ? load_rate : NULL;
    sys->next_switch = what->jump > 0 ? next_switch : NULL;
    sys->surface = moves(what, (d - 1) * m) ? surface : NULL;
    sys->release = release;
    sys->data = malloc(sizeof *what);
    sys->M = dls_matrix_diagonal(n);
    sys->K = spring ? dls_matrix_diagonal(n) : NULL;
    sys->H = dls_matrix_dense(n, m);
    sys->T = dls_matrix_dense(n, (d - 1) * m);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || (spring && sys->K == NULL) || sys->H == NULL ||
      sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", name);
  }
  fill(sys, what, rows);
  if (d == 2 && n % 2 == 0) {
    sys->momenta = 2;
    sys->momentum = dls_momentum_sliders;
  }
  return DLS_OK;
}

/* Of blocks: mass m, gravity g, spring k, force A or P cos(omega t + phase), others are coefficients and
 * the start. The velocity of the plane is left to differences. */
static bool block_by_parameter(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  const dls_slider *s = sys->data;
  const double angle = s->omega * out->t + s->phase;
  const bool mass = strcmp(name, "m") == 0;
  for (size_t i = 0; i < 2 && mass; i++) {
    out->Ma[i] += out->a[i];
  }
  out->F[1] += mass ? s->load[1] / s->mass[0] : strcmp(name, "g") == 0 ? -s->mass[0] : 0;
  out->F[0] += strcmp(name, "k") == 0                             ? -out->q[0]
               : strcmp(name, "A") == 0 || strcmp(name, "P") == 0 ? cos(angle)
               : strcmp(name, "omega") == 0                       ? -s->amplitude * out->t * sin(angle)
               : strcmp(name, "phase") == 0                       ? -s->amplitude * sin(angle)
                                                                  : 0;
  for (const char *const *known =
           (const char *const[]){"m", "g", "k", "A", "P", "omega", "phase", "F", "Fs", "q0", "v0", NULL};
       *known != NULL; known++) {
    if (strcmp(name, *known) == 0) {
      return true;
    }
  }
  return false;
}

dls_status dls_slider_block(const char *name, const dls_slider *what, double gravity, double friction,
                            double static_friction, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 1}}, {{1, 0}}};
  const double weight = what->mass[0] * gravity;
  dls_slider block = *what;
  block.mass[1] = what->mass[0];
  block.load[1] = -weight;
  const dls_status status = dls_slider_create(name, 2, 1, 2, &block, rows, out, err);
  if (status == DLS_OK) {
    (*out)->by_parameter = block_by_parameter;
    (*out)->mu[0] = friction / weight;
    (*out)->mu_s[0] = static_friction > friction ? static_friction / weight : 0;
  }
  return status;
}

void dls_sphere_coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  if (i >= sys->d) {
    *out = (dls_coordinate){.name = "angle", .unit = "rad"};
  }
}

dls_status dls_slider_sphere(const char *name, double mass, double radius, double gravity, double height,
                             dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 1, 0}}, {{1, 0, radius}}};
  const dls_slider sphere = {.mass = {mass, mass, 0.4 * mass * radius * radius},
                             .load = {0, -mass * gravity, 0}};
  const dls_status status = dls_slider_create(name, 3, 1, 2, &sphere, rows, out, err);
  if (status == DLS_OK) {
    (*out)->q0[1] = height + radius;
    (*out)->w[0] = -radius;
    (*out)->momenta = 3;
    (*out)->momentum = dls_momentum_bodies;
    (*out)->coordinate = dls_sphere_coordinate;
  }
  return status;
}
