/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "units.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One old unit in new ones. */
static const double M = 0x1p5, L = 0x1p10, T = 0x1p-7;

static double base(const char *word, size_t length)
{
  const struct {
    const char *name;
    double value;
  } known[] = {{"kg", M},
               {"m", L},
               {"s", T},
               {"N", M * L / T / T},
               {"J", M * L * L / T / T},
               {"Pa", M / L / T / T},
               {"Hz", 1 / T},
               {"rad", 1},
               {"1", 1},
               {"l_s", 1},
               {"v_s", 1},
               {"-", 1}};
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    if (strlen(known[k].name) == length && strncmp(known[k].name, word, length) == 0) {
      return known[k].value;
    }
  }
  fail_msg("unit '%s' is not known", word);
  return 0;
}

double dls_test_unit(const char *unit)
{
  double product = 1;
  bool below = false;
  for (const char *at = unit; *at != '\0';) {
    const size_t length = strcspn(at, " /^");
    int power = 1;
    const double value = base(at, length);
    at += length;
    if (*at == '^') {
      power = at[1] >= '1' && at[1] <= '9' ? at[1] - '0' : 1;
      at += strcspn(at, " /");
    }
    product *= pow(value, below ? -power : power);
    below = below || *at == '/';
    at += *at != '\0';
  }
  return product;
}

double dls_test_unit_of_column(const dls_system *sys, const char *name)
{
  static const struct {
    const char *begin, *unit;
  } kinds[] = {{"lambda", "N"}, {"status", "1"}, {"t", "s"}, {"g", "m"}, {"u", "m/s"}, {"p", "N s"}};
  const size_t i = strtoul(name + 1, NULL, 10);
  dls_coordinate coordinate = {.unit = "m"};
  if (strncmp(name, "phi", 3) == 0 || strncmp(name, "mu", 2) == 0) {
    return 0;
  }
  if (strchr("qva", name[0]) != NULL && i < sys->n) {
    if (sys->coordinate != NULL) {
      sys->coordinate(sys, i, &coordinate);
    }
    const double per = name[0] == 'q' ? 1 : name[0] == 'v' ? T : T * T;
    return dls_test_unit(coordinate.unit) / per;
  }
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    if (strncmp(name, kinds[k].begin, strlen(kinds[k].begin)) == 0) {
      return dls_test_unit(kinds[k].unit);
    }
  }
  return 0;
}

void dls_test_new_units(const dls_model *model, const double *old, double *p)
{
  for (size_t i = 0; model->parameters[i].name != NULL; i++) {
    p[i] = old[i] * dls_test_unit(model->parameters[i].unit);
  }
}
