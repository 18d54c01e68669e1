/* measures.c -- see delassus/measures.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/text.h"
#include <delassus/balance.h>
#include <delassus/measures.h>
#include <stdlib.h>
#include <string.h>

struct dls_measures {
  const dls_system *sys;
  dls_matrix *M, *own; /* M(q): a clone where the mass varies, else NULL and the system's M */
  double *Mv, *work, *block;
};

const char *dls_momentum_name(size_t momenta, size_t i)
{
  static const char *const plane[] = {"px", "py", "L"}, *const space[] = {"px", "py", "pz", "Lx", "Ly", "Lz"};
  return momenta > 3 ? space[i] : plane[i];
}

size_t dls_measures_of(const dls_system *sys, const char *names[DLS_MEASURES_MOST])
{
  static const char *const energies[] = {"energy", "potential", "kinetic"}, *const of_contacts[] = {
                                                                                "work_normal", "work_friction"};
  const size_t count = dls_system_has_energy(sys) ? 3 : 1;
  memcpy(names, energies + 3 - count, count * sizeof *names);
  for (size_t i = 0; i < sys->momenta; i++) {
    names[count + i] = dls_momentum_name(sys->momenta, i);
  }
  const size_t states = count + sys->momenta, works = sys->m == 0 ? 0 : sys->d > 1 ? 2 : 1;
  memcpy(names + states, of_contacts, works * sizeof *names);
  return states + works;
}

void dls_measures_print(const dls_system *sys, char *text, size_t size)
{
  const char *names[DLS_MEASURES_MOST];
  const size_t count = dls_measures_of(sys, names);
  text[0] = '\0';
  for (size_t i = 0; i < count; i++) {
    dls_text_append(text, size, "%s%s", i > 0 ? ", " : "", names[i]);
  }
}

dls_status dls_measures_create(const dls_system *sys, dls_measures **out, dls_error *err)
{
  dls_measures *m = *out = calloc(1, sizeof *m);
  if (m != NULL) {
    m->sys = sys;
    m->own = dls_system_mass_varies(sys) ? dls_matrix_clone(sys->M) : NULL;
    m->M = dls_system_mass_varies(sys) ? m->own : sys->M;
    m->block = dls_arrays((const dls_slot[]){{sys->n, {&m->Mv, &m->work}}, {0}});
  }
  if (m == NULL || m->M == NULL || m->block == NULL) {
    dls_measures_destroy(m);
    *out = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the energies of %zu degrees of freedom", sys->n);
  }
  return DLS_OK;
}

void dls_measures_destroy(dls_measures *m)
{
  if (m != NULL) {
    dls_matrix_destroy(m->own);
    free(m->block);
    free(m);
  }
}

/* m->Mv := M(q) v */
static void multiply(dls_measures *m, const double *q, const double *v)
{
  dls_system_mass(m->sys, q, m->M);
  memset(m->Mv, 0, m->sys->n * sizeof *m->Mv);
  dls_matrix_multiply(m->M, 1, v, m->Mv);
}

double dls_measures_product(dls_measures *m, const double *q, const double *x, const double *y)
{
  multiply(m, q, y);
  return dls_balance_dot(m->sys->n, x, m->Mv);
}

double dls_measures_kinetic(dls_measures *m, const double *q, const double *v)
{
  return 0.5 * dls_measures_product(m, q, v, v);
}

void dls_measures_momenta(dls_measures *m, double t, const double *q, const double *v, double *p)
{
  if (m->sys->momenta > 0) {
    multiply(m, q, v);
    m->sys->momentum(m->sys, t, q, v, m->Mv, p);
  }
}

size_t dls_measures_at(dls_measures *m, double t, const double *q, const double *v,
                       double values[DLS_MEASURES_MOST])
{
  const double kinetic = dls_measures_kinetic(m, q, v);
  size_t count = 0;
  if (dls_system_has_energy(m->sys)) {
    const double potential = dls_balance_potential(m->sys, q, m->work);
    values[count++] = kinetic + potential;
    values[count++] = potential;
  }
  values[count++] = kinetic;
  dls_measures_momenta(m, t, q, v, values + count);
  return count + m->sys->momenta;
}
