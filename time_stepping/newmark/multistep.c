/* multistep.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/multistep.h"
#include "common/base/arrays.h"
#include "time_stepping/step/newmark_equations.h"
#include <stdlib.h>
#include <string.h>

struct dls_multistep {
  const dls_multistep_formula *formula;
  bool restart;
  double h_last;                    /* 0: no usable previous step */
  double *q_last, *v_last, *a_last; /* n */
  double *block;                    /* owns the arrays */
};

dls_multistep *dls_multistep_create(const dls_sim *sim, const dls_multistep_formula *formula)
{
  const dls_newmark_options *opt = sim->options;
  dls_multistep *m = calloc(1, sizeof *m);
  if (m == NULL) {
    return NULL;
  }
  m->formula = formula;
  m->restart = opt->restart != 0;
  m->block = dls_arrays((const dls_slot[]){{sim->sys->n, {&m->q_last, &m->v_last, &m->a_last}}, {0}});
  if (m->block == NULL) {
    dls_multistep_destroy(m);
    return NULL;
  }
  return m;
}

void dls_multistep_destroy(dls_multistep *m)
{
  if (m != NULL) {
    free(m->block);
    free(m);
  }
}

static bool impact_is_forecast(const dls_velocity_contact *c)
{
  for (size_t k = 0; k < c->active.count; k++) {
    if (dls_velocity_contact_impacts(c, k)) {
      return true;
    }
  }
  return false;
}

static dls_multistep_weights choose(const dls_newmark_memory *s, double h)
{
  const dls_multistep *m = s->multistep;
  const bool one = s->row || m->h_last == 0 || h > m->formula->most * m->h_last ||
                   (m->restart && impact_is_forecast(&s->contact));
  return one ? m->formula->first : m->formula->weights(h / m->h_last);
}

/* Implicit in q' and v' alike: beta = gamma^2. */
static dls_newmark coefficients(double b1)
{
  return (dls_newmark){.gamma = b1, .beta = b1 * b1};
}

void dls_multistep_coefficients(const dls_multistep *m, dls_newmark *first, dls_newmark *usual)
{
  *first = coefficients(m->formula->first.b1);
  *usual = coefficients(m->formula->weights(1).b1);
}

double dls_multistep_first_weight(const dls_multistep *m)
{
  return m->formula->first.b1;
}

void dls_multistep_predict(const dls_sim *sim, dls_newmark_memory *s, double h)
{
  const dls_multistep *m = s->multistep;
  const dls_multistep_weights b = choose(s, h);
  if (b.b1 != s->c.gamma) {
    s->c.gamma = s->gamma_s = b.b1;
    s->c.beta = s->beta_s = b.b1 * b.b1;
    s->h = 0; /* the factors are of another formula */
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    const double q = sim->q[i], v = sim->v[i];
    s->v_star[i] = v + b.c * (v - m->v_last[i]) + h * (b.b0 * s->a[i] + b.b_last * m->a_last[i]); /* (1) */
    s->q_star[i] =
        q + b.c * (q - m->q_last[i]) + h * (b.b1 * s->v_star[i] + b.b0 * v + b.b_last * m->v_last[i]); /* (2) */
  }
}

void dls_multistep_keep(const dls_sim *sim, const dls_newmark_memory *s, double h)
{
  dls_multistep *m = s->multistep;
  const size_t n = sim->sys->n;
  memcpy(m->q_last, sim->q, n * sizeof *m->q_last);
  memcpy(m->v_last, sim->v, n * sizeof *m->v_last);
  memcpy(m->a_last, s->a, n * sizeof *m->a_last);
  for (size_t i = 0; i < n && s->contact.active.count > 0; i++) {
    m->v_last[i] += s->w[i];                     /* (3) */
    m->q_last[i] -= DLS_NEWMARK_Q_W(h, s->w[i]); /* (3) */
  }
  m->h_last = s->row || (m->restart && sim->jump) ? 0 : h;
}
