/* law.c -- one line for every law of contact: a file in laws/ with one object dls_law_NAME.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/law.h>

#define DLS_LAW_LIST(X) X(newton) X(newton_coulomb) X(fremond) X(moreau) X(poisson) X(stribeck)

#define DLS_DECLARE_LAW(name) extern const dls_law dls_law_##name;
DLS_LAW_LIST(DLS_DECLARE_LAW)

#define DLS_LAW_ENTRY(name) &dls_law_##name,
const dls_law *const dls_law_list[] = {DLS_LAW_LIST(DLS_LAW_ENTRY) NULL};

bool dls_law_has_friction(const dls_system *sys, size_t j)
{
  return sys->d > 1 && sys->mu[j] > 0 && dls_law_of(sys, j)->block == DLS_COULOMB;
}

bool dls_laws_have_friction(const dls_system *sys)
{
  for (size_t j = 0; j < sys->m; j++) {
    if (dls_law_has_friction(sys, j)) {
      return true;
    }
  }
  return false;
}

bool dls_law_sees_speed(const dls_system *sys, size_t j)
{
  return dls_law_of(sys, j)->sees_speed;
}

double dls_law_restitution(const dls_system *sys, size_t j, double u_minus)
{
  const dls_law *law = dls_law_of(sys, j);
  double c[DLS_MOST_ROWS];
  law->mixture(sys, j, 0.5, (const double[DLS_MOST_ROWS]){u_minus}, c);
  return law->expands ? sys->e[j] : c[0];
}

const dls_law *dls_law_of(const dls_system *sys, size_t j)
{
  const dls_law *usual = sys->d > 1 && sys->mu[j] > 0 ? &dls_law_newton_coulomb : &dls_law_newton;
  return sys->law[j] != NULL ? sys->law[j] : usual;
}
