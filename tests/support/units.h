/* units.h -- other units of mass, length and time, powers of two: what does not depend on them is the same to the last bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_UNITS_H
#define DELASSUS_TESTS_UNITS_H

#include "check.h"
#include <delassus/model.h>

/* A value in new units over that in old ones: "kg", "m/s^2", "N s/m", "rad", ... The exponents n and power are 1. */
double dls_test_unit(const char *unit);
/* That of a column of a trajectory, by its name; 0 for columns whose unit is not known. */
double dls_test_unit_of_column(const dls_system *sys, const char *name);
/* Parameters of a model, in new units. */
void dls_test_new_units(const dls_model *model, const double *old, double *p);

#endif
